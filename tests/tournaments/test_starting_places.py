"""Starting places, as they stand on the entry list, the slips and the cards."""

from __future__ import annotations

import pytest

from scoring import exports
from tests.factories import EventFactory, PlayerFactory
from tournaments import actions
from tournaments.models import Event, Placement, Round, Stage
from tournaments.starts import starters_of_tables, starting_places

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season) -> Event:
    # Keys of players and of entries must not be equal by chance.
    PlayerFactory.create_batch(3, club=season.club)
    return EventFactory(season=season, kind=Event.Kind.TOURNAMENT)


def enter(event: Event, count: int, word: str = "Joueur") -> list:
    return [
        actions.enter_player(
            event=event, by=None, name=f"{word} n{n:03d} Zed", is_present=True,
            despite_namesakes=True,
        )
        for n in range(count)
    ]  # fmt: skip


def planned(event: Event, placement: str) -> None:
    Stage.objects.create(
        event=event, number=1, rounds_planned=5, deals_per_round=4, placement=placement
    )


def play(event: Event) -> Round:
    drawn = actions.place_round(event=event, by=None)
    started = actions.publish_round(proposal=drawn, by=None)
    numbers = list(started.tables.values_list("number", flat=True))
    return actions.close_round(this_round=started, by=None, without=numbers)


def test_at_the_first_position_everybody_sits_where_he_starts(tournament):
    planned(tournament, Placement.FFT)
    enter(tournament, 20)

    first = play(tournament)
    play(tournament)

    seats = {seat.entry_id: f"{seat.table.number} {seat.letter}" for seat in first.seats.all()}
    assert starting_places(tournament) == seats


def test_a_proposal_that_may_be_drawn_again_gives_no_starting_places(tournament):
    planned(tournament, Placement.FFT)
    enter(tournament, 20)

    actions.place_round(event=tournament, by=None)

    assert starting_places(tournament) == {}


def test_who_comes_late_has_the_place_of_the_one_who_left_and_he_keeps_it(tournament):
    planned(tournament, Placement.FFT)
    leaver = enter(tournament, 20)[3]
    play(tournament)
    actions.withdraw_entry(entry=leaver, by=None)
    (late,) = enter(tournament, 1, "Retardataire")
    play(tournament)

    places = starting_places(tournament)

    assert places[late.pk] == places[leaver.pk]
    assert len(places) == 21


def test_in_a_grid_the_number_is_the_starting_place(tournament):
    planned(tournament, Placement.HOWELL)
    enter(tournament, 16)

    play(tournament)

    assert sorted(starting_places(tournament).values()) == sorted(
        f"No. {number}" for number in range(1, 17)
    )


def test_a_tournament_by_lot_has_no_starting_places(tournament):
    planned(tournament, Placement.DRAWN)
    enter(tournament, 16)

    play(tournament)

    assert starting_places(tournament) == {}


def test_a_table_names_who_starts_there_seat_by_seat(tournament):
    planned(tournament, Placement.FFT)
    enter(tournament, 19)

    first = play(tournament)
    play(tournament)

    table = first.tables.get(number=5)
    seats = table.seats.order_by("place").select_related("entry")
    said = " · ".join(f"{seat.letter} {seat.entry.number}" for seat in seats)
    assert starters_of_tables(tournament)[5] == said
    assert len(starters_of_tables(tournament)) == 5


def test_the_card_of_a_table_says_who_starts_there(tournament):
    planned(tournament, Placement.FFT)
    enter(tournament, 20)
    play(tournament)

    page = exports.html_of(tournament, exports.Order(document="cards", language="en"))

    assert f"Start here: {starters_of_tables(tournament)[3]}" in page
