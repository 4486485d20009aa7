"""Hands of truco without a network: the phone goes on by the engine's table to the end."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules_engine import truco
from scoring.forms.truco import TrucoForm
from scoring.games import game_of
from scoring.rules.truco import CAP_RULES, Meeting
from scoring.rules.truco_ahead import stand_of
from tests.factories import JoinLinkFactory, PhoneFactory
from tests.scoring.truco import hand, record, told, truco_table
from tests.test_outbox_in_browser import (  # noqa: F401 - fixtures
    KEPT,
    carrying,
    network,
    open_form,
)
from tests.test_without_network import kept
from tests.waiting import eventually
from tournaments.fixtures import CapRule
from tournaments.models import Phone, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAULISTA, MINEIRO = truco.ruleset("paulista"), truco.ruleset("mineiro")
RULESETS = {
    "paulista": PAULISTA,
    "mineiro": MINEIRO,
    "paulista of two": truco.ruleset("paulista-1v1"),
    "mineiro of six to 15": truco.ruleset("mineiro-3v3").to(15),
    "to 24": PAULISTA.to(24),
    "without iron": replace(PAULISTA, iron="off"),
    "capped": replace(MINEIRO, cap_score=True),
    "a call forfeits": replace(PAULISTA, special_call="forfeit"),
}
#: What the page's script says stands after each answer, by the table that is put into the page.
FOLLOWS = """([preview, steps]) => {
  document.getElementById("deal-preview").textContent = JSON.stringify(preview);
  return steps.map(([stand, fields]) => {
    const detail = {number: 1, stand, rows: [{number: 1, fields}]};
    document.dispatchEvent(new CustomEvent("outbox:follow", {detail}));
    return detail.next ? detail.next.stand : null;
  });
}"""


@pytest.fixture
def table(season) -> Table:
    return truco_table(season)


@pytest.fixture
def phone(table) -> Phone:
    link = JoinLinkFactory(event=table.event, table_number=table.number)
    return PhoneFactory(link=link, seat=table.seats.get(place=1))


@pytest.fixture
def page(browser, network, phone) -> Page:  # noqa: F811
    context = carrying(browser, network.address, phone)
    yield context.new_page()
    context.close()


# What the phone looks up is what the engine says


@dataclass
class Player:
    """Plays meetings at random, and keeps each step: how it stood, the answer, how it stands."""

    table: Table
    dice: random.Random
    steps: list[tuple[dict[str, Any], dict[str, str], dict[str, Any] | None]] = field(
        default_factory=list
    )

    def play(self, meeting: Meeting) -> None:
        while not meeting.is_decided:
            meeting = self.step(meeting, self.answers(meeting)) or meeting

    def step(self, meeting: Meeting, said: dict[str, str]) -> Meeting | None:
        stand = stand_of(meeting)
        sent = {"number": 1, "version": 0, "entry_key": "0" * 32, "asked": stand["asked"], **said}
        form = TrucoForm(sent, table=self.table, number=1, at=(meeting, CapRule.NONE))
        result = form.result if form.is_valid() else None
        self.steps.append((stand, sent, stand_of(result) if result else None))
        return result

    def answers(self, meeting: Meeting) -> dict[str, str]:
        """Give what somebody may press or type at this score, not always rightly."""
        pair = self.dice.choice("ab")
        value = {"value": str(self.dice.choice(meeting.rules.ladder))} if meeting.values[1:] else {}
        way = self.dice.choices(
            ("won", "ran", "declined", "nobody", "final", "noted", "tento", "hand", "game", "cap"),
            (30, 10, 10, 3, 3, 6, 2, 2, 1, 1),
        )[0]
        points = [str(score + self.dice.randint(0, 14)) for score in meeting.score]
        gain = self.dice.choice((1, *meeting.values, self.dice.randint(0, 12)))
        return {
            "won": {"winner": pair, **value},
            "ran": {"ran": pair, **value},
            "declined": {"declined": "on", "decision": "run"},
            "nobody": {"winner": "nobody", **value},
            "final": {"depth": "game", "points_a": points[0], "points_b": points[1]},
            "noted": {"depth": "notation", "notation": noted(meeting, pair, gain, self.dice)},
            "tento": {"tento": pair, **value},
            "hand": {"hand_for": pair, **value},
            "game": {"game_for": pair, **value},
            "cap": {"cap": str(self.dice.choice(CAP_RULES))},
        }[way]


def noted(meeting: Meeting, pair: str, gain: int, dice: random.Random) -> str:
    """Write a hand of which only the end is noted, at times with a score or a remark."""
    if not gain:
        return "=> 0"
    score = list(meeting.score)
    score[pair == "b"] += gain + dice.choice((0, 0, 0, 1))
    tail = dice.choice(("", f" {score[0]}-{score[1]}", " {=> B+99}", " ; => B+99"))
    return f"=> {pair.upper()}+{gain}{tail}"


def comparable(stand: dict[str, Any] | None) -> dict[str, Any] | None:
    """Leave of a meeting that is decided only who has won it: nothing is asked any more."""
    if stand is None or not stand["winner"]:
        return stand
    return {"winner": stand["winner"]}


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_phone_says_what_stands_after_each_answer_as_the_engine_does(page, table, rules):
    open_form(page, table)
    dice = random.Random(rules.name)
    for games in (1, 3, 5):
        dealer = dice.randrange(rules.players)
        begins = Meeting(rules=rules, games=games, first_dealer=dealer, dealer=dealer)
        player = Player(table, dice)
        player.play(begins)
        form = TrucoForm(table=table, number=1, at=(begins, CapRule.NONE))
        steps = [[stand, [*said.items()]] for stand, said, _then in player.steps]

        looked_up = page.evaluate(FOLLOWS, as_sent([game_of(table).preview(form), steps]))

        for (stand, said, then), seen in zip(player.steps, looked_up, strict=True):
            assert comparable(seen) == as_sent(comparable(then)), (stand, said)


def as_sent(values: Any) -> Any:
    """What the page gets of these values."""
    return json.loads(json.dumps(values))


# Hands are played, and the network is away


def score_shown(page: Page, a: int, b: int) -> None:
    expect(page.locator("#tally b")).to_have_text([str(a), str(b)])


def win(page: Page, pair: str, value: int | None = None) -> None:
    """Tap what the hand is worth, where that is asked, and who won it."""
    before = page.locator("#id_number").input_value()
    if value:
        page.locator(f'label.choice:has([name=value][value="{value}"])').tap()
    page.locator(f"[data-won={pair}]").tap()
    expect(page.locator("#id_number")).not_to_have_value(before)


def final_score(page: Page, a: int, b: int) -> None:
    page.get_by_text("Only the final score of the game").tap()
    page.locator("[name=points_a]").fill(str(a))
    page.locator("[name=points_b]").fill(str(b))
    page.get_by_role("button", name="Enter the final score").tap()


def test_a_whole_meeting_without_network_is_on_the_sheet_as_the_phone_counted_it(page, table):
    open_form(page, table)
    kept(page)
    page.context.set_offline(True)

    win(page, "a", 9)
    score_shown(page, 9, 0)
    expect(page.get_by_text("Counted on this phone")).to_be_visible()
    page.locator('label.choice:has([name=value][value="6"])').tap()
    page.locator("[data-ran=a]").tap()
    score_shown(page, 9, 3)
    win(page, "b", 3)
    page.reload()
    score_shown(page, 9, 6)
    expect(page.locator("[data-mao]")).to_have_text(str(table.seats.get(place=1).player))

    win(page, "a")
    win(page, "a")
    expect(page.get_by_text("Mão de onze.")).to_be_visible()
    page.locator("label.choice:has([value=run])").tap()
    page.get_by_role("button", name="Run: +1").tap()
    score_shown(page, 11, 7)
    win(page, "a")
    expect(page.locator("#progress")).to_contain_text("Game 2 of 3")
    expect(page.locator("#progress")).to_contain_text("games 1–0")
    # So many would push the form off the screen: all but the last one are folded.
    expect(page.locator("[data-outbox] li:visible")).to_have_text([re.compile("Line 7")])
    expect(page.locator("[data-earlier] summary")).to_have_text("Earlier on this phone: 6")
    final_score(page, 12, 4)
    expect(page.get_by_text("the meeting is decided")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("games 2–0")
    assert told(table) == []

    page.context.set_offline(False)

    expect(page.get_by_text("The meeting is decided.")).to_be_visible()
    eventually(lambda: page.evaluate(KEPT), 0, page)
    assert [(kind, winner, points) for _number, kind, winner, points in told(table)] == [
        ("hand", "a", 9), ("hand", "b", 3), ("hand", "b", 3), ("hand", "a", 1), ("hand", "a", 1),
        ("hand", "b", 1), ("hand", "a", 3), ("game", "", 0),
    ]  # fmt: skip
    table.refresh_from_db()
    assert table.decided_at is not None


#: Hands in notation from the first one on, each with the score after it.
NOTED = [
    ("!3!6!9+ => A+9 9-0", (9, 0)),
    ("B1 v6E A2: 4C KC 3P JO / A1: QC 2P 3E 2E => A+1 10-0", (10, 0)),
    ("=> A+1 ; quem deu foi A2", (11, 0)),
    ("M11A- => B+1", (11, 1)),
]


def note(page: Page, notation: str) -> None:
    page.get_by_text("The whole hand, card by card").tap()
    page.locator("[name=notation]").fill(notation)
    page.get_by_role("button", name="Enter the hand", exact=True).tap()


def test_hands_in_notation_go_on_by_the_end_that_each_says(page, table):
    open_form(page, table)
    page.context.set_offline(True)

    for notation, (a, b) in NOTED:
        note(page, notation)
        score_shown(page, a, b)
        expect(page.locator("[data-closed]")).to_be_hidden()
    expect(page.get_by_text("Mão de onze.")).to_be_visible()
    assert told(table) == []
    page.context.set_offline(False)

    standing = [("a", 9), ("a", 1), ("a", 1), ("b", 1)]
    eventually(lambda: [line[2:] for line in told(table)], standing, page)
    eventually(lambda: page.evaluate(KEPT), 0, page)
    score_shown(page, 11, 1)


def test_a_hand_in_notation_whose_end_cannot_be_needs_somebody_at_once(page, table):
    open_form(page, table)
    page.context.set_offline(True)

    note(page, "=> A+3 4-0")

    expect(page.locator("[data-outbox] li")).to_contain_text("needs you")
    expect(page.locator("#deal-form")).to_have_attribute("inert", "")


def test_a_hand_in_notation_that_the_site_refuses_holds_those_behind_it(page, table):
    """Its cards give one point, and its end says three."""
    open_form(page, table)
    page.context.set_offline(True)
    note(page, "A1 v6E B1: 4C KC 3P JO / B2: QC 2P 3E 2E => B+3")
    score_shown(page, 0, 3)
    win(page, "a")

    page.context.set_offline(False)

    rows = page.locator("[data-outbox] li")
    expect(rows.first).to_contain_text("needs you")
    expect(rows.last).to_contain_text("waits for Line 1: look at it first")
    rows.first.get_by_role("button", name="Look").tap()
    page.locator("[name=notation]").fill("A1 v6E B1: 4C KC 3P JO / B2: QC 2P 3E 2E => B+1")
    page.get_by_role("button", name="Enter the hand", exact=True).tap()
    eventually(lambda: told(table), [(1, "hand", "b", 1), (2, "hand", "a", 1)], page)


def test_the_last_hand_is_taken_back_while_it_is_on_the_phone(page, table):
    open_form(page, table)
    page.context.set_offline(True)
    win(page, "a", 9)
    win(page, "b")
    rows = page.locator("[data-outbox] li")
    expect(rows.first.get_by_role("button", name="Take it back")).to_be_hidden()

    rows.last.get_by_role("button", name="Take it back").tap()

    expect(rows).to_have_count(1)
    score_shown(page, 9, 0)
    win(page, "b", 3)
    page.context.set_offline(False)
    eventually(lambda: told(table), [(1, "hand", "a", 9), (2, "hand", "b", 3)], page)

    # All of it: the form is again as the server made it.
    expect(page.locator("[data-outbox] .chip--wait")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.context.set_offline(True)
    win(page, "b", 3)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.locator("[data-outbox] li").last.get_by_role("button", name="Take it back").tap()
    score_shown(page, 9, 3)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def test_a_hand_on_the_phone_is_corrected_and_those_after_it_are_counted_anew(page, table):
    open_form(page, table)
    page.context.set_offline(True)
    win(page, "a", 3)
    win(page, "b", 6)
    rows = page.locator("[data-outbox] li")
    rows.first.get_by_role("button", name="Look").tap()
    score_shown(page, 0, 0)
    expect(page.locator("[name=value]:checked")).to_have_value("3")

    win(page, "a", 6)
    score_shown(page, 6, 6)

    # One that cannot follow any more says so: in the eleventh nobody is asked for a value.
    win(page, "b", 3)
    rows.first.get_by_role("button", name="Look").tap()
    score_shown(page, 0, 0)
    page.locator('label.choice:has([name=value][value="12"])').tap()
    page.locator("[data-won=a]").tap()
    expect(rows.nth(1)).to_contain_text("needs you")
    expect(page.get_by_text("What comes next opens when this has arrived.")).to_be_visible()


def test_a_final_score_on_the_phone_is_looked_at_in_the_form_that_it_came_from(page, table):
    open_form(page, table)
    page.context.set_offline(True)
    final_score(page, 12, 7)
    row = page.locator("[data-outbox] li")
    expect(row).to_contain_text("12 · 7")
    expect(page.locator("#progress")).to_contain_text("games 1–0")

    row.get_by_role("button", name="Look").tap()
    expect(page.locator("[name=points_b]")).to_have_value("7")
    page.locator("[name=points_b]").fill("9")
    page.get_by_role("button", name="Enter the final score").tap()

    expect(row).to_contain_text("12 · 9")
    # A hand in the form beside it would be another row, and not take its place.
    row.get_by_role("button", name="Look").tap()
    page.locator("[data-won=a]").tap()
    expect(row).to_have_count(2)
    page.context.set_offline(False)
    eventually(lambda: told(table), [(1, "game", "", 0)], page)
    expect(page.locator("[data-outbox] li").filter(has_text="needs you")).to_have_count(1)


def test_hands_behind_one_that_is_another_hand_move_on_with_it(page, table):
    open_form(page, table)
    page.context.set_offline(True)
    for pair in "abb":
        win(page, pair)
    other = PhoneFactory(link=table.event.join_links.get(), seat=table.seats.get(place=2))
    record(table, other, hand("b", 3))

    page.context.set_offline(False)

    rows = page.locator("[data-outbox] li")
    expect(rows.first).to_contain_text("needs you")
    expect(rows).to_have_count(3)
    rows.first.get_by_role("button", name="Look").tap()
    expect(page.get_by_text("Somebody else was faster.")).to_be_visible()
    page.get_by_role("button", name="Mine is another hand: send it as line 2").tap()

    # Those after it were entered as lines 2 and 3, and nobody is asked about them again.
    standing = [(1, "hand", "b", 3), (2, "hand", "a", 1), (3, "hand", "b", 1), (4, "hand", "b", 1)]
    eventually(lambda: told(table), standing, page)
    eventually(lambda: page.evaluate(KEPT), 0, page)
    score_shown(page, 1, 5)
    expect(page.locator("#id_number")).to_have_value("5")


def test_a_hand_that_moved_is_asked_about_again_where_the_sheet_asks_something_else(page, table):
    """At eleven a hand is played or declined: what was tapped before does not say that."""
    open_form(page, table)
    page.context.set_offline(True)
    win(page, "a")
    win(page, "b", 3)
    other = PhoneFactory(link=table.event.join_links.get(), seat=table.seats.get(place=2))
    record(table, other, hand("a", 9), hand("a", 1))
    page.context.set_offline(False)
    rows = page.locator("[data-outbox] li")
    expect(rows.first).to_contain_text("needs you")
    rows.first.get_by_role("button", name="Look").tap()

    page.get_by_role("button", name="Mine is another hand: send it as line 3").tap()

    standing = [(1, "hand", "a", 9), (2, "hand", "a", 1), (3, "hand", "a", 1)]
    eventually(lambda: told(table), standing, page)
    expect(rows.filter(has_text="needs you")).to_have_text([re.compile("Line 4")])
    assert (told(table), page.evaluate(KEPT)) == (standing, 1)


def test_a_hand_is_not_taken_for_the_answer_to_another_question(table, phone):
    """Meanwhile a line was corrected: at eleven a hand is worth three, and nobody said so."""
    asked = TrucoForm(table=table, number=1)["asked"].value()
    record(table, phone, hand("a", 9), hand("a", 1), hand("a", 1))
    sent = {"number": 4, "version": 0, "entry_key": "0" * 32, "winner": "a", "value": "9"}

    form = TrucoForm(sent | {"asked": asked}, table=table, number=4)

    assert not form.is_valid()
    assert "something else is asked now" in str(form.errors)
    assert TrucoForm(form.data, table=table, number=4).is_valid()
