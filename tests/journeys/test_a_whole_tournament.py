"""A tournament of 68 players in 6 × 4 deals by the federation's movement, in the browser from the
entries to the printed ranking.

Some players are typed and some sheets written in the browser; the others are sent as the very
same forms with the session of that browser. Every deal is scored a second time here, by the
formula of the rule book, and the printed ranking must agree with that to the point.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring import tasks
from scoring.models import TarotDeal
from tests.factories import PASSWORD
from tests.journeys.test_a_whole_evening import button, choose, press
from tests.waiting import PATIENCE, WAITS_FOR_ANSWERS, eventually, send
from tournaments.checking import check_event
from tournaments.models import Entry, Event, Round, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAYERS, POSITIONS, DEALS = 68, 6, 4
TYPED_BY_HAND, SHEETS_BY_HAND = 2, 2
NEEDED = (56, 51, 41, 36)
CONTRACTS = {"petite": ("Petite", 1), "garde": ("Garde", 2), "garde_sans": ("Garde sans", 4)}

#: The contract, the bouts and the card points of a taker.
type Dealt = tuple[str, int, int]


class Director:
    """The director at his browser, and what he should read there in the end."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.dice = random.Random(seed)
        #: What everybody has made, by name, counted here and nowhere else.
        self.points: Counter[str] = Counter()

    # Forms, pressed or sent

    def send(self, address: str, **answers: object) -> str:
        """Send a form as the browser would, with its session; gives the page that answers."""
        token = next(c["value"] for c in self.page.context.cookies() if c["name"] == "csrftoken")
        form = {name: str(value) for name, value in answers.items()}
        answer = self.page.context.request.post(address, form=form | {"csrfmiddlewaretoken": token})
        assert answer.ok, (address, answers, answer.status, answer.text()[:3000])
        return answer.text()

    # A sheet

    def deal_something(self) -> Dealt:
        bouts = self.dice.randrange(4)
        return self.dice.choice(list(CONTRACTS)), bouts, self.dice.randrange(20, 75)

    def count(self, table: Table, taker: str, dealt: Dealt, times: int = 1) -> None:
        """Score a deal by the formula of the rule book (RO p.5)."""
        contract, bouts, points = dealt
        gap = points - NEEDED[bouts]
        each = (25 + abs(gap)) * CONTRACTS[contract][1] * (1 if gap >= 0 else -1)
        others = [name for name in names_at(table) if name != taker]
        self.points[taker] += times * each * len(others)
        for name in others:
            self.points[name] -= times * each

    def write_by_hand(self, table: Table, count: int) -> None:
        page = self.page
        page.goto(f"/tables/{table.pk}/deals/")
        done = TarotDeal.objects.filter(table=table).count()
        for number in range(done + 1, done + count + 1):
            expect(page.get_by_role("button", name=f"Send deal {number}")).to_be_visible()
            taker, dealt = self.dice.choice(names_at(table)), self.deal_something()
            answer(page, taker, dealt)
            press(page, re.compile("^Send deal"))
            self.count(table, taker, dealt)
        expect(page.locator("#deal")).to_contain_text(
            f"Send deal {done + count + 1}" if done + count < DEALS else "are on the sheet"
        )
        eventually(TarotDeal.objects.filter(table=table).count, done + count, page)

    def write(self, table: Table, count: int = DEALS) -> None:
        seats = {seat.player.name: seat.pk for seat in table.seats.select_related("player")}
        for number in range(1, count + 1):
            taker, dealt = self.dice.choice(sorted(seats)), self.deal_something()
            contract, bouts, points = dealt
            self.send(
                f"/tables/{table.pk}/deals/", number=number, version=number - 1,
                entry_key=UUID(int=self.dice.getrandbits(128)), taker=seats[taker],
                contract=contract, bouts=bouts, points=points, side="attack",
            )  # fmt: skip
            self.count(table, taker, dealt)

    def sign(self, table: Table) -> None:
        version = Table.objects.values_list("version", flat=True).get(pk=table.pk)
        self.send(f"/tables/{table.pk}/sign/", version=version, for_all="on")

    def sign_by_hand(self, table: Table) -> None:
        self.page.goto(f"/tables/{table.pk}/")
        self.page.locator("#sign button").last.click()
        expect(self.page.locator("#signed")).to_be_visible()

    def correct_by_hand(self, table: Table, number: int) -> None:
        """Correct a deal of a sheet on its page: it was made, and it was not."""
        deal = TarotDeal.objects.standing().get(table=table, number=number)
        taker = deal.taker.player.name
        before: Dealt = (deal.contract, deal.bouts, deal.half_points // 2)
        after: Dealt = ("garde", 1, 50 if before != ("garde", 1, 50) else 52)
        self.page.goto(f"/tables/{table.pk}/deals/{deal.pk}/correct/")
        answer(self.page, taker, after)
        press(self.page, re.compile("^Correct"))
        self.page.wait_for_url(re.compile(rf"/tables/{table.pk}/$"))
        self.count(table, taker, before, times=-1)
        self.count(table, taker, after)

    # A position

    def draw_and_start(self, event: Event, number: int) -> Round:
        page = self.page
        page.goto(f"/evenings/{event.pk}/draw/")
        press(page, "Draw tables")
        expect(page.locator("#proposal > li")).to_have_count(17)
        press(page, f"Accept and start round {number}")
        expect(page).to_have_url(re.compile(r"/tables/"))
        return event.rounds.get(number=number)

    def play(self, this_round: Round, *, wrong: bool = False) -> None:
        tables = list(this_round.tables.in_order())
        for table in tables[:SHEETS_BY_HAND]:
            self.write_by_hand(table, DEALS - 1 if wrong else DEALS)
        for table in tables[SHEETS_BY_HAND:]:
            self.write(table)
            self.sign(table)
        if wrong:
            self.catch_the_wrong_sheets(this_round, tables[:SHEETS_BY_HAND])
        for table in tables[:SHEETS_BY_HAND]:
            self.sign_by_hand(table)

    def catch_the_wrong_sheets(self, this_round: Round, tables: list[Table]) -> None:
        """Sheets that lack a deal keep the position open and are named; one is wrong besides."""
        self.close(this_round)
        expect(self.page.locator("#refusal-text")).to_contain_text(
            "Deals are missing on the sheets of tables 1, 2."
        )
        this_round.refresh_from_db()
        assert this_round.state == Round.State.PLAYING
        for table in tables:
            self.write_by_hand(table, 1)
        self.correct_by_hand(tables[0], 2)

    def close(self, this_round: Round) -> None:
        self.page.goto(f"/evenings/{this_round.event_id}/tables/")
        send(button(self.page, f"Close round {this_round.number}"))
        tasks.refresh_standings(this_round.event_id)  # what the worker does meanwhile


def names_at(table: Table) -> list[str]:
    return list(table.seats.order_by("place").values_list("player__name", flat=True))


def answer(page: Page, taker: str, dealt: Dealt) -> None:
    """Fill in the form of a deal with the fingers of a player."""
    contract, bouts, points = dealt
    form = page.locator("#deal-form")
    choose(form.locator("[name=taker]").and_(page.get_by_label(re.compile("^" + taker))))
    words = CONTRACTS[contract][0]
    choose(form.locator("[name=contract]").and_(page.get_by_label(words, exact=True)))
    choose(form.locator(f"[name=bouts][value='{bouts}']"))
    form.locator("#points, [name=points]").first.fill(str(points))


def sign_in(page: Page, email: str) -> None:
    page.goto("/sign-in/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main form button").first.click()
    expect(page).not_to_have_url(re.compile("/sign-in/"))


def plan(page: Page, slug: str) -> Event:
    page.goto(f"/clubs/{slug}/tournaments/new/")
    page.get_by_role("link", name="6 × 4 deals", exact=True).click()
    page.get_by_label("When", exact=True).fill("2026-12-05T14:00")
    press(page, "Plan the tournament")
    expect(page).to_have_url(re.compile(r"/entries/"))
    return Event.objects.get()


def enter(director: Director, event: Event, names: list[str]) -> None:
    page = director.page
    for name in names[:TYPED_BY_HAND]:
        page.locator("#id_name").fill(name)
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"{name} is entered as number")).to_be_visible()
    for name in names[TYPED_BY_HAND:]:
        director.send(f"/evenings/{event.pk}/entries/new/", name=name, despite_namesakes="on")
    page.goto(f"/evenings/{event.pk}/entries/")
    press(page, f"Mark {PLAYERS} more as present")
    expect(page.locator("#count-present")).to_have_text(str(PLAYERS))


def rule(director: Director, event: Event, name: str, points: int) -> None:
    page = director.page
    entry = event.entries.get(players__name=name)
    page.goto(f"/evenings/{event.pk}/referee/")
    page.locator("[name=entry]").select_option(str(entry.pk))
    page.locator("#ruling-form [name=fault]").select_option("exposed_card")
    choose(page.locator(f"[name=penalty][value='{points}']"))
    press(page, "Record the ruling")
    expect(page.locator("tr[id^=ruling-]").filter(has_text=name)).to_have_count(1)
    director.points[name] -= points


def printed_ranking(page: Page, event: Event) -> dict[str, int]:
    """Read what stands on the paper: the last column of each line, by name."""
    page.goto(f"/evenings/{event.pk}/paper/print/?document=ranking&language=en&paper=a4")
    assert page.pdf().startswith(b"%PDF")
    lines = page.locator("main tbody tr").all_inner_texts()
    read = [line.split("\t") for line in lines]
    return {
        re.search(r"Zoé \S+ \S+", line)[0]: int(cells[-1].replace("−", "-").replace("+", ""))
        for line, cells in zip(lines, read, strict=True)
    }


def test_sixty_eight_players_from_the_entries_to_the_printed_ranking(
    browser: Browser, live_server, season, director
):
    context = browser.new_context(base_url=live_server.url)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(WAITS_FOR_ANSWERS)
    page = context.new_page()
    at_desk = Director(page, seed=68)
    names = [f"Zoé {chr(65 + n // 10)}{n % 10:02d} Raoult" for n in range(PLAYERS)]
    sign_in(page, director.email)
    event = plan(page, season.club.slug)
    enter(at_desk, event, names)

    for number in range(1, POSITIONS + 1):
        this_round = at_desk.draw_and_start(event, number)
        at_desk.play(this_round, wrong=number == 2)
        at_desk.close(this_round)
        expect(page.get_by_text(f"Round {number} is closed.")).to_be_visible()
        if number == 3:
            rule(at_desk, event, names[5], 100)
        if number == 4:
            withdrawn = Entry.objects.get(event=event, players__name=names[9])
            page.goto(f"/entries/{withdrawn.pk}/")
            press(page, f"Withdraw {names[9]}")
            expect(page.get_by_text(f"{names[9]} has withdrawn.")).to_be_visible()
    sizes = [[t.players_per_deal for t in r.tables.in_order()] for r in event.rounds.in_order()]
    assert [min(each) for each in sizes] == [4, 4, 4, 4, 3, 3]
    assert all(finding.is_sound for finding in check_event(event))

    page.get_by_role("link", name="Go on to closing the tournament").click()
    send(button(page, "Close the tournament"))
    tasks.refresh_standings(event.pk)
    assert printed_ranking(page, event) == at_desk.points

    last = event.rounds.get(number=POSITIONS).tables.get(number=3)
    at_desk.correct_by_hand(last, 4)
    tasks.refresh_standings(event.pk)
    page.goto(f"/evenings/{event.pk}/results/")
    expect(page.locator("#state")).to_contain_text("Version 2")
    expect(page.locator("#version-2")).to_contain_text(names_at(last)[0])

    assert printed_ranking(page, event) == at_desk.points
    assert sum(at_desk.points.values()) == -100
    context.close()
