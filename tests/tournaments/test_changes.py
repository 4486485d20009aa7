"""Seats changed by hand: looked at first, made as previewed, and undone."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.exceptions import ValidationError

from tests.factories import EntryFactory
from tournaments import actions
from tournaments.models import Event, ProhibitedPair, Round, Table, Team
from tournaments.reseating import Danger, Kind, Wish, look_ahead
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def elevens(evening, with_present) -> Round:
    """Eleven players at three tables, the last of three."""
    with_present(11)
    return actions.publish_round(
        proposal=actions.draw_round(event=evening, by=None, seed=4821), by=None
    )


def at(this_round: Round, number: int) -> list[int]:
    """The players of a table in the order of their places."""
    seats = this_round.seats.filter(table__number=number).order_by("place")
    return list(seats.values_list("player_id", flat=True))


def swap(one: int, other: int) -> Wish:
    return Wish(kind=Kind.SWAP, one=one, other=other)


def write(this_round: Round, number: int, points: tuple[int, ...] = (30, -10, -10, -10)) -> Table:
    """Let a table have written a deal with these points."""
    table = this_round.tables.get(number=number)
    for seat, won in zip(table.seats.order_by("place"), points, strict=False):
        seat.points, seat.deals_played = won, 1
        seat.save()
    table.deals_recorded = table.version = 1
    table.save()
    return table


def seating(this_round: Round) -> set[tuple[int, int, int]]:
    return set(this_round.seats.values_list("table__number", "place", "player_id"))


def test_two_players_change_places_and_back(playing):
    one, other = at(playing, 1)[0], at(playing, 2)[1]
    before = seating(playing)

    outlook = actions.change_seats(this_round=playing, wish=swap(one, other), by=None)
    assert outlook.danger == Danger.SAFE
    assert (at(playing, 1)[0], at(playing, 2)[1]) == (other, one)

    actions.undo_change(this_round=playing, by=None)
    assert seating(playing) == before


def test_two_at_one_table_change_their_seats(playing):
    first, second, *rest = at(playing, 1)

    actions.change_seats(this_round=playing, wish=swap(first, second), by=None)

    assert at(playing, 1) == [second, first, *rest]


def test_everybody_still_sits_exactly_once(elevens):
    actions.change_seats(
        this_round=elevens, wish=swap(at(elevens, 1)[0], at(elevens, 3)[0]), by=None
    )
    fourth = elevens.tables.get(number=3)
    actions.change_seats(
        this_round=elevens,
        wish=Wish(kind=Kind.MOVE, one=at(elevens, 2)[3], table=fourth.pk),
        by=None,
    )

    sitting = Counter(elevens.seats.values_list("player_id", flat=True))
    assert len(sitting) == 11
    assert set(sitting.values()) == {1}


def test_wrongly_seated_players_change_places_and_the_deals_stay_on_the_sheets(playing):
    one, other = at(playing, 1)[0], at(playing, 2)[0]
    table = write(playing, 1)
    outlook = look_ahead(playing, swap(one, other))
    assert outlook.danger == Danger.UNSAFE

    actions.change_seats(
        this_round=playing, wish=swap(one, other), by=None, typed=outlook.confirm.upper()
    )

    seat = table.seats.get(place=1)
    assert (seat.player_id, seat.points) == (other, 30)
    assert seat.entry.players.get().pk == other
    assert sum(table.seats.values_list("points", flat=True)) == 0


def test_what_it_costs_is_said_before(playing):
    one, other = at(playing, 1)[0], at(playing, 2)[0]
    write(playing, 1)
    names = dict(playing.seats.values_list("player_id", "player__name"))

    costs = look_ahead(playing, swap(one, other)).costs

    assert costs[:3] == (
        f"{names[one]} goes from table 1 to table 2, seat N.",
        f"{names[other]} goes from table 2 to table 1, seat N.",
        f"+30 points in 1 deal at table 1 count for {names[other]}, no longer for {names[one]}.",
    )


@pytest.mark.parametrize("typed", ["", "somebody"])
def test_points_change_hands_only_when_the_name_is_typed(playing, typed):
    one, other = at(playing, 1)[0], at(playing, 2)[0]
    write(playing, 1)
    before = seating(playing)

    with pytest.raises(ValidationError) as refusal:
        actions.change_seats(this_round=playing, wish=swap(one, other), by=None, typed=typed)

    assert refusal.value.code == "not_confirmed"
    assert seating(playing) == before


def test_a_deal_written_since_the_preview_stops_the_change(playing):
    wish = swap(at(playing, 1)[0], at(playing, 2)[0])
    seen = look_ahead(playing, wish).seen
    write(playing, 1)

    with pytest.raises(Conflict) as refusal:
        actions.change_seats(this_round=playing, wish=wish, by=None, seen=seen)

    assert refusal.value.code == "changed_meanwhile"


def test_a_player_moves_to_the_table_of_three(elevens):
    goes, target = at(elevens, 1)[0], elevens.tables.get(number=3)

    actions.change_seats(
        this_round=elevens, wish=Wish(kind=Kind.MOVE, one=goes, table=target.pk), by=None
    )

    sizes = elevens.tables.in_order().values_list("players_per_deal", flat=True)
    assert list(sizes) == [3, 4, 4]
    assert goes in at(elevens, 3)


def test_a_latecomer_joins_a_table_of_three_that_has_not_begun(elevens):
    late = EntryFactory(event=elevens.event, number=99).players.get()
    target = elevens.tables.get(number=3)

    actions.change_seats(
        this_round=elevens, wish=Wish(kind=Kind.MOVE, one=late.pk, table=target.pk), by=None
    )

    target.refresh_from_db()
    assert late.pk in at(elevens, 3)
    assert target.players_per_deal == 4


def test_nobody_joins_a_table_that_has_begun(elevens):
    target = write(elevens, 3, (10, -5, -5))

    with pytest.raises(ValidationError) as refusal:
        look_ahead(elevens, Wish(kind=Kind.MOVE, one=at(elevens, 1)[0], table=target.pk))

    assert refusal.value.code == "table_begun"


def test_who_is_taken_from_his_seat_sits_out_and_comes_back_by_undo(playing):
    goes = at(playing, 1)[2]
    before = seating(playing)

    actions.change_seats(this_round=playing, wish=Wish(kind=Kind.UNSEAT, one=goes), by=None)
    assert goes not in at(playing, 1)
    assert playing.sit_outs.get().entry.players.get().pk == goes
    assert playing.tables.get(number=1).players_per_deal == 3

    actions.undo_change(this_round=playing, by=None)
    assert seating(playing) == before
    assert not playing.sit_outs.exists()


def test_a_table_keeps_three_players(elevens):
    with pytest.raises(ValidationError) as refusal:
        look_ahead(elevens, Wish(kind=Kind.UNSEAT, one=at(elevens, 3)[0]))

    assert refusal.value.code == "too_few"


def test_who_sits_out_takes_the_seat_of_another(playing):
    goes, stays = at(playing, 1)[0], at(playing, 2)[0]
    actions.change_seats(this_round=playing, wish=Wish(kind=Kind.UNSEAT, one=goes), by=None)

    actions.change_seats(this_round=playing, wish=swap(stays, goes), by=None)

    assert at(playing, 2)[0] == goes
    assert playing.sit_outs.get().entry.players.get().pk == stays


def test_a_full_table_of_a_tournament_takes_nobody(elevens):
    Event.objects.filter(pk=elevens.event_id).update(kind=Event.Kind.TOURNAMENT)
    elevens.refresh_from_db()
    full = elevens.tables.get(number=2)

    with pytest.raises(ValidationError) as refusal:
        look_ahead(elevens, Wish(kind=Kind.MOVE, one=at(elevens, 1)[0], table=full.pk))

    assert refusal.value.code == "table_full"


def test_people_who_should_not_meet_are_named_and_want_a_confirmation(playing):
    one, other = at(playing, 1)[0], at(playing, 2)[0]
    entries = dict(playing.seats.values_list("player_id", "entry_id"))
    kept_apart = sorted((entries[one], entries[at(playing, 2)[1]]))
    ProhibitedPair.objects.create(event=playing.event, one_id=kept_apart[0], other_id=kept_apart[1])
    team = Team.objects.create(event=playing.event, name="Les Dunes")
    mates = (entries[other], entries[at(playing, 1)[3]])
    playing.event.entries.filter(pk__in=mates).update(team=team)

    outlook = look_ahead(playing, swap(one, other))

    assert outlook.danger == Danger.UNSAFE
    assert sum("should not meet" in cost for cost in outlook.costs) == 2


def test_people_who_meet_again_are_named(playing, evening):
    actions.close_round(this_round=playing, by=None, without_missing=True)
    second = actions.publish_round(
        proposal=actions.draw_round(event=evening, by=None, seed=4821), by=None
    )
    stays = at(second, 1)[0]
    company = set(at(playing, 1) if stays in at(playing, 1) else at(playing, 2)) - {stays}
    again = next(player for player in at(second, 2) if player in company)
    names = dict(second.seats.values_list("player_id", "player__name"))

    costs = look_ahead(second, swap(at(second, 1)[1], again)).costs

    pair = sorted((stays, again))
    assert f"{names[pair[0]]} and {names[pair[1]]} have already met." in costs


def test_only_the_last_change_is_undone_and_then_the_one_before(playing):
    a, b, c = at(playing, 1)[0], at(playing, 2)[0], at(playing, 2)[1]
    before = seating(playing)
    actions.change_seats(this_round=playing, wish=swap(a, b), by=None)
    between = seating(playing)
    actions.change_seats(this_round=playing, wish=swap(a, c), by=None)

    actions.undo_change(this_round=playing, by=None)
    assert seating(playing) == between
    actions.undo_change(this_round=playing, by=None)
    assert seating(playing) == before
    with pytest.raises(ValidationError) as refusal:
        actions.undo_change(this_round=playing, by=None)
    assert refusal.value.code == "nothing_to_undo"


def test_a_change_of_size_is_not_undone_once_the_table_has_begun(elevens):
    target = elevens.tables.get(number=3)
    actions.change_seats(
        this_round=elevens,
        wish=Wish(kind=Kind.MOVE, one=at(elevens, 1)[0], table=target.pk),
        by=None,
    )
    write(elevens, 3)

    with pytest.raises(Conflict) as refusal:
        actions.undo_change(this_round=elevens, by=None)

    assert refusal.value.code == "table_begun"


def test_a_closed_round_changes_no_seats(playing):
    wish = swap(at(playing, 1)[0], at(playing, 2)[0])
    actions.close_round(this_round=playing, by=None, without_missing=True)
    playing.refresh_from_db()

    with pytest.raises(ValidationError) as refusal:
        actions.change_seats(this_round=playing, wish=wish, by=None)

    assert refusal.value.code == "round_closed"


def test_a_change_takes_the_signature_away(playing):
    table = write(playing, 1)
    Table.objects.filter(pk=table.pk).update(deals_planned=1)
    actions.sign_sheet(table=table, by=None)
    wish = swap(at(playing, 1)[0], at(playing, 1)[1])
    name = look_ahead(playing, wish).confirm

    actions.change_seats(this_round=playing, wish=wish, by=None, typed=name)

    table.refresh_from_db()
    assert table.signed_at is None


def test_strangers_and_twins_are_refused(playing):
    one = at(playing, 1)[0]

    for wish in (swap(one, one), swap(one, 0), Wish(kind=Kind.MOVE, one=one, table=0)):
        with pytest.raises(ValidationError):
            look_ahead(playing, wish)


def test_whoever_keeps_a_table_is_named_before_leaving_it(playing):
    one, other = at(playing, 1)[0], at(playing, 2)[0]
    name = playing.seats.get(player=one).player.name
    playing.event.entries.filter(players=one).update(fixed_table=1)

    away = look_ahead(playing, swap(one, other))
    within = look_ahead(playing, swap(one, at(playing, 1)[1]))

    said = f"{name} has table 1 as a fixed table, and would leave it."
    assert said in away.costs
    assert said not in within.costs
