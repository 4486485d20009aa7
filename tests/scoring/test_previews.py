"""What the phone shows before sending is what the engine gives: collected cases, deals by lot.

``PREVIEWS=5000`` asks for as many deals by lot as that, and for every score of a game of truco.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from rules_engine import tarot, truco
from rules_engine.errors import Illegal
from scoring.rules.tarot import in_score_order, points_by_seat
from tests.factories import EventFactory, RoundFactory, TableFactory
from tests.rules_engine.legal_deals import any_deal
from tests.scoring.truco import record, tento, truco_table
from tests.waiting import PATIENCE
from tournaments.models import Seat, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CASES = Path(__file__).parent.parent / "rules_engine" / "cases" / "tarot-scores.json"
BY_LOT = int(os.environ.get("PREVIEWS", "300"))
SCORES = range(12) if "PREVIEWS" in os.environ else (0, 9, 11)
#: The tables that are dealt at: the federation's of three, four and five, and of the house.
RULES = (
    "fft", "fft-3", "fft-5", "fft-formula", "fft-formula-3", "fft-formula-5",
    "seed-004-regional", "seed-004-regional-5", "petit-chelem", "no-petit-au-bout",
)  # fmt: skip
CHELEM_ANSWERS = {
    (False, None): "",
    (True, tarot.Side.ATTACK): "announced_made",
    (False, tarot.Side.ATTACK): "made",
    (True, None): "announced_failed",
    (False, tarot.Side.DEFENCE): "defence",
    (True, tarot.Side.DEFENCE): "announced_defence",
}
#: Answer the form for each deal in turn, and read each time what the page shows under it.
ANSWER_ALL = """deals => deals.map(answers => {
  const form = document.querySelector("#deal-form");
  form.reset();
  for (const [name, value] of Object.entries(answers)) {
    const fields = [...form.querySelectorAll(`[name="${name}"]`)];
    if (!fields.length) return `no question ${name}`;
    const radio = fields.find(field => field.type === "radio" && field.value === String(value));
    if (radio) radio.checked = true;
    else if (fields[0].type === "radio") return `no answer ${name}=${value}`;
    else fields[0].value = value;
  }
  form.querySelector("[name=points]").dispatchEvent(new Event("input", {bubbles: true}));
  return [...form.querySelectorAll("[data-live] dd")].map(dd => dd.textContent);
})"""
#: Choose each value in turn, and read what every button gives.
EVERY_VALUE = """() => {
  const form = document.querySelector("#deal-form");
  const values = [...form.querySelectorAll("[name=value]")];
  return (values.length ? values : [null]).map(value => {
    if (value) value.checked = true;
    (value || form).dispatchEvent(new Event("change", {bubbles: true}));
    const text = (button, part) => button.querySelector(`[data-${part}]`)?.textContent ?? "";
    const gives = (name, part) => Object.fromEntries(
      [...form.querySelectorAll(`[data-${name}]`)].map(
        button => [button.dataset[name], text(button, part)]));
    return {
      value: value ? Number(value.value) : 0,
      gain: gives("won", "gain"), after: gives("won", "after"), ran: gives("ran", "gain"),
    };
  });
}"""
#: Put the form of another score in the place of the one that is shown, as htmx does.
PUT = """html => {
  const part = new DOMParser().parseFromString(html, "text/html").querySelector("#deal");
  document.querySelector("#deal").replaceWith(part);
  document.dispatchEvent(new CustomEvent("htmx:load", {detail: {elt: part}}));
  return document.querySelector("#tally").textContent;
}"""


@pytest.fixture
def open_form(browser, live_server, scorer):
    """Open the entry page of a table as a phone of the club's scorer."""
    client = Client()
    client.force_login(scorer)
    context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 664})
    context.set_default_timeout(PATIENCE * 1000)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()

    def open_at(table: Table) -> Page:
        page.goto(reverse("record-deal", args=[table.pk]))
        return page

    yield open_at
    context.close()


def table_under(season, rules: tarot.Ruleset) -> Table:
    event = EventFactory(season=season, running=True, ruleset=rules.to_json())
    players = rules.players
    return TableFactory(round=RoundFactory(event=event), players_per_deal=players, players=players)


def as_answers(deal: tarot.Deal, seats: list[Seat], taker: Seat, partner: Seat | None) -> dict:
    """Give a deal as fingers enter it: a half with its point, all else by its answer."""
    answers: dict[str, Any] = {
        "taker": taker.pk,
        "contract": str(deal.contract),
        "bouts": deal.bouts,
        "points": f"{deal.half_points / 2:g}",
        "side": "attack",
        "chelem": CHELEM_ANSWERS[deal.chelem.announced, deal.chelem.achieved],
    }
    if deal.petit_au_bout:
        answers["petit_au_bout"] = str(deal.petit_au_bout)
    if deal.called:
        answers["partner"] = partner.pk if partner else "alone"
    if deal.petit_chelem != tarot.NO_CHELEM:
        slam = deal.petit_chelem
        answers["petit_chelem"] = CHELEM_ANSWERS[slam.announced, slam.achieved]
    for name, poignee in zip(("poignee", "poignee_2"), deal.poignees, strict=False):
        answers |= {name: str(poignee.size), f"{name}_side": str(poignee.side)}
    order = in_score_order(seats, taker=taker, partner=partner, sits_out=None)
    for misere in deal.miseres:
        answers[f"misere_{misere.kind}"] = order[misere.declarer].pk
    return answers


def can_be_entered(deal: tarot.Deal) -> bool:
    """Does the form ask for as much? One declarer for each misère, two poignées where they fit."""
    kinds = [misere.kind for misere in deal.miseres]
    most = 2 if 2 * deal.ruleset.trumps_in_poignee[0] <= 22 else 1
    return len(kinds) == len(set(kinds)) and len(deal.poignees) <= most


def shown(points: int) -> str:
    """A score as an English page writes it."""
    grouped = f"{abs(points):,}" if abs(points) > 9999 else str(abs(points))
    return f"{'+' if points > 0 else '−' if points < 0 else ''}{grouped}"


def compare(page: Page, table: Table, deals: list[tarot.Deal], dice: Random) -> int:
    """Enter all deals in one go, and compare every seat's score with the engine's."""
    seats = list(table.seats.order_by("place"))
    asked, expected = [], []
    for deal in deals:
        taker, other = dice.sample(seats, 2)
        partner = other if deal.called is tarot.Called.PARTNER else None
        points = points_by_seat(deal, seats, taker=taker, partner=partner)
        asked.append(as_answers(deal, seats, taker, partner))
        expected.append([shown(points[seat.pk]) for seat in seats])
    seen = page.evaluate(ANSWER_ALL, asked)
    differ = [each for each in zip(deals, seen, expected, strict=True) if each[1] != each[2]]
    assert differ == [], f"{len(differ)} of {len(deals)}, first {differ[0]}"
    return len(deals)


def collected(rules: tarot.Ruleset) -> Iterator[tarot.Deal]:
    """Every collected case that these rules admit and their form asks for."""
    for case in json.loads(CASES.read_text())["vectors"]:
        row = {k: v for k, v in case.items() if k not in {"id", "scores", "source", "note"}}
        try:
            deal = tarot.Deal.from_json(row, default=rules)
        except Illegal:
            continue
        if case["players"] == rules.players and can_be_entered(deal):
            yield deal


def test_every_collected_case_that_can_be_entered_is_previewed_as_scored(open_form, season):
    dice, compared = Random(4), 0

    for name in ("fft-formula", "fft-formula-3", "fft-formula-5"):
        table = table_under(season, tarot.ruleset(name))
        compared += compare(open_form(table), table, list(collected(tarot.ruleset(name))), dice)

    assert compared >= 75


def test_deals_by_lot_are_previewed_as_scored(open_form, season):
    dice, compared = Random(5), 0

    for name in RULES:
        rules = tarot.ruleset(name)
        table = table_under(season, rules)
        page = open_form(table)
        drawn = (any_deal(dice, rules) for _ in range(BY_LOT * 10))
        deals = list(islice(filter(can_be_entered, drawn), -(-BY_LOT // len(RULES))))
        compared += compare(page, table, deals, dice)

    assert compared >= BY_LOT


# Truco: every score that a game can have


def test_the_scores_of_a_game_are_previewed_as_the_engine_adds_them(open_form, season, scorer):
    client = Client()
    client.force_login(scorer)
    page, compared = None, 0

    for a in SCORES:
        table = truco_table(season)
        page = page or open_form(table)
        record(table, scorer, *[tento("a")] * a)
        for b in range(12):
            part = client.get(
                reverse("record-deal", args=[table.pk]), headers={"HX-Request": "yes"}
            )
            shown_at = page.evaluate(PUT, part.content.decode())
            assert page.evaluate(EVERY_VALUE) == expected_at(a, b), (a, b, shown_at)
            compared += 1
            if b < 11:
                record(table, scorer, tento("b"))

    assert compared == 12 * len(SCORES)


def expected_at(a: int, b: int) -> list[dict[str, Any]]:
    """What every button gives at a score, for every value of the hand."""
    rules = truco.ruleset("paulista")
    near = (a == 11) + (b == 11)
    values = ((*rules.ladder,), (3,), (1,))[near]

    def after(pair: truco.Pair, points: int) -> str:
        before, new = (a, b)[pair], truco.added(rules, (a, b), pair, points)[pair]
        return f"{before} → {new}"

    return [
        {
            "value": 0 if near else value,
            "gain": {"a": f"+{value}", "b": f"+{value}"},
            "after": {"a": after(truco.Pair.A, value), "b": after(truco.Pair.B, value)},
            "ran": {} if near else dict.fromkeys("ab", f"+{(0, *values)[level]}" if level else ""),
        }
        for level, value in enumerate(values)
    ]
