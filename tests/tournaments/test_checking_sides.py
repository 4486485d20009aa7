"""Rounds of sides are judged by what they promise: whole sides, partners, opponents."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from tests.factories import EventFactory, PlayerFactory
from tournaments import actions
from tournaments.checking import check_event
from tournaments.fixtures.sides_verifier import SeenSides, verify_sides
from tournaments.models import Event, Round

FIRST = SeenSides(tables=(((1, 2), (3, 4)), ((5, 6), (7, 8))), sit_out=(9,))
SECOND = SeenSides(tables=(((1, 5), (9, 7)), ((2, 6), (4, 8))), sit_out=(3,))
NINE = range(1, 10)


def codes(now, *, roster=NINE, earlier=(FIRST,), size=2, reasons=()):
    broken = verify_sides(roster, earlier, now, size=size, reasons=reasons)
    return [each.code for each in broken]


def said(code, *pairs):
    return {"code": code, "gaps": {"pairs": pairs} if pairs else {}}


def test_a_sound_round_of_partners_breaks_no_promise():
    partners = said("no_same_partner")
    opponents = said("same_opponent", (2, 4), (6, 8), (5, 7))

    assert codes(FIRST, earlier=(), reasons=[partners, said("no_same_opponent")]) == []
    assert codes(SECOND, reasons=[partners, opponents]) == []


@pytest.mark.parametrize(
    ("now", "code"),
    [
        (SeenSides(tables=(((1, 5), (9, 7)), ((2, 6), (4, 1))), sit_out=(3,)), "player_twice"),
        (SeenSides(tables=(((1, 5, 9), (7,)), ((2, 6), (4, 8))), sit_out=(3,)),
         "wrong_table_sizes"),
        (SeenSides(tables=(((1, 5), (9, 7)),), sit_out=(2, 3, 4, 6, 8)), "wrong_table_sizes"),
        (SeenSides(tables=(((1, 5), (3, 7)), ((2, 6), (4, 8))), sit_out=(9,)),
         "sits_out_before_others"),
    ],
)  # fmt: skip
def test_each_broken_promise_of_sides_is_named(now, code):
    assert code in codes(now)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        (said("same_partner", (1, 5)), "says_wrong_partners"),
        (said("no_same_opponent"), "says_wrong_opponents"),
        (said("no_second_meeting"), "says_wrong_meetings"),
    ],
)
def test_a_round_of_sides_that_says_of_itself_what_is_not_so_is_found_out(reason, code):
    assert codes(SECOND, reasons=[reason]) == [code]


@pytest.mark.django_db
def test_rounds_of_drawn_partners_are_sound_as_stored(season, director):
    event = _night(season)
    for number in range(9):
        player = PlayerFactory(club=season.club, name=f"Player {number}")
        actions.check_in(event=event, player=player, by=director)

    _play(event, director, rounds=4)

    assert [finding.is_sound for finding in check_event(event)] == [True] * 4
    out = StringIO()
    call_command("verify_draw", str(event.pk), stdout=out)
    assert "BROKEN" not in out.getvalue()


@pytest.mark.django_db
def test_rounds_of_pairs_that_stay_are_sound_as_stored(season, director):
    event = _night(season, entrants=Event.Entrants.PAIRS)
    for one, other in (("Ana", "Bia"), ("Caio", "Davi"), ("Edu", "Fabi")):
        actions.enter_player(event=event, name=one, partners=[other], by=director)
    actions.check_in_everybody(event=event, by=director)

    _play(event, director, rounds=4)

    assert [finding.is_sound for finding in check_event(event)] == [True] * 4
    again = Round.objects.get(event=event, number=4)
    assert again.reasons[0]["code"] == "second_meeting"
    again.reasons[0] = {"code": "no_second_meeting", "gaps": {}}
    again.save()
    assert [each.code for each in check_event(event)[3].broken] == ["says_wrong_meetings"]


def _night(season, **more) -> Event:
    return EventFactory(
        season=season, game=Event.Game.TRUCO, ruleset={"players": 4}, best_of=1, target=12, **more
    )


def _play(event: Event, by, *, rounds: int) -> None:
    for _ in range(rounds):
        proposal = actions.draw_round(event=event, by=by)
        drawn = actions.publish_round(proposal=proposal, by=by)
        Round.objects.filter(pk=drawn.pk).update(state=Round.State.CLOSED)
