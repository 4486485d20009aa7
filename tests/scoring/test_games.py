"""The registry of games: another game is an entry there, and touches no page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from scoring import games
from scoring.models import SheetRow
from tournaments.forms.evenings import QUESTIONS
from tournaments.games import GAMES as FACTS
from tournaments.models import Event, Table

ROOT = Path(__file__).parent.parent.parent
VIEWS = tuple(f"views/{path.name}" for path in sorted((ROOT / "scoring" / "views").glob("*.py")))
PAGES = (*VIEWS, "urls.py", "api.py", "permissions.py")
TEMPLATES = ("record_deal", "correct_deal", "void_deal", "deal_conflict", "sheet", "print_sheet")


def test_every_game_that_can_be_planned_has_its_facts_and_its_sheet():
    assert set(games.GAMES) == set(FACTS) == set(Event.Game.values)


@pytest.mark.parametrize("name", PAGES)
def test_pages_addresses_and_api_of_a_sheet_name_no_game(name):
    code = (ROOT / "scoring" / name).read_text()

    assert re.findall(r"(?i)tarot|truco", code) == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_pages_of_a_sheet_show_no_game(name):
    page = (ROOT / "templates" / "scoring" / f"{name}.html").read_text()

    assert re.findall(r"(?i)tarot|truco|taker|contract", page) == []


def test_no_page_asks_which_game_is_played():
    """What differs is a fact of the game, or a template of its own."""
    pages = (ROOT / "templates").rglob("*.html")

    asking = [page.name for page in pages if re.search(r"game\s*[!=]=\s*[\"']", page.read_text())]

    assert asking == []


def test_the_plan_of_an_evening_asks_about_every_game_and_its_page_names_none():
    page = (ROOT / "templates" / "tournaments" / "event_form.html").read_text()

    assert set(QUESTIONS) == set(FACTS)
    assert re.findall(r"(?i)tarot|truco", page) == []


@pytest.mark.parametrize("code", FACTS)
def test_the_questions_about_the_other_games_are_hidden_where_a_game_is_chosen(code):
    style = (ROOT / "static" / "site.css").read_text()

    assert (
        f'form:has([name="game"][value="{code}"]:checked) [data-game]:not([data-game="{code}"])'
        in style
    )


@pytest.mark.parametrize("game", list(games.every_game()), ids=lambda game: game.facts.code)
class TestEachGame:
    def test_has_the_templates_that_the_pages_ask_for(self, game):
        parts = ["form", "progress", "cells", "lines", "sum", "paper"]
        for part in [*parts, "more"] if game.has_more else parts:
            assert get_template(game.template(part))

    def test_has_a_script_and_rows_of_its_own(self, game):
        assert (ROOT / "static" / game.script).exists()
        assert issubclass(game.row, SheetRow)
        assert hasattr(Table, game.sheet.rows_name)

    def test_seats_take_turns_between_its_sides(self, game):
        facts = game.facts
        if not facts.sides:
            return
        for seats in facts.table_sizes:
            places = [facts.seats_of_side(side, seats) for side in range(facts.sides)]
            assert sorted(sum(places, ())) == list(range(1, seats + 1))
            assert all(facts.side_of(p) == side for side, own in enumerate(places) for p in own)

    def test_gives_rules_that_an_event_can_keep(self, game):
        assert game.facts.ruleset()["name"] == game.facts.usual_rules

    def test_says_who_meets_at_a_table(self, game):
        for entrants, players in game.facts.entrants.items():
            assert game.facts.players_of_entrant(entrants) == players
            assert game.facts.usual_table(entrants) in game.facts.table_sizes
