"""Rounds of a tournament placed by lot, by the movement, by the grids and by the ranking."""

from __future__ import annotations

from functools import partial
from io import StringIO
from itertools import combinations

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tournaments import actions
from tournaments.models import Event, Placement, Round, Seat, Stage
from tournaments.outlook import outlook
from tournaments.reasons import sentences

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season) -> Event:
    return EventFactory(season=season, kind=Event.Kind.TOURNAMENT)


@pytest.fixture
def with_entries(tournament: Event):
    return partial(enter, tournament)


def stage_of(event: Event, placement: str, *, rounds: int = 6, **more) -> Stage:
    return Stage.objects.create(
        event=event, number=event.stages.count() + 1, rounds_planned=rounds,
        deals_per_round=4, placement=placement, **more,
    )  # fmt: skip


def play(event: Event, **how) -> Round:
    """Draw a round, start it and close it without a deal."""
    drawn = actions.place_round(event=event, by=None, seed=how.pop("seed", 4821), **how)
    started = actions.publish_round(proposal=drawn, by=None)
    numbers = list(started.tables.values_list("number", flat=True))
    return actions.close_round(this_round=started, by=None, without=numbers)


def seated(this_round: Round) -> list[set[int]]:
    return [
        set(table.seats.values_list("entry__number", flat=True))
        for table in this_round.tables.in_order()
    ]


def meetings(event: Event) -> list[frozenset[int]]:
    return [
        frozenset(pair)
        for this_round in event.rounds.published()
        for table in seated(this_round)
        for pair in combinations(table, 2)
    ]


def test_in_the_movement_of_twenty_nobody_meets_anybody_twice_in_five_positions(
    tournament, with_entries
):
    with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)

    for _ in range(5):
        play(tournament)

    met = meetings(tournament)
    assert len(met) == len(set(met)) == 5 * 5 * 6


def test_everybody_keeps_his_orientation_in_the_movement(tournament, with_entries):
    with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)

    play(tournament)
    play(tournament)

    for entry in tournament.entries.all():
        assert entry.seats.values_list("place", flat=True).distinct().count() == 1


def test_the_movement_is_not_gone_beyond_what_it_lasts_unless_somebody_says_so(
    tournament, with_entries
):
    with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=6)
    for _ in range(5):
        play(tournament)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.code == "movement_exceeded"
    assert play(tournament, beyond_limit=True).number == 6


def test_a_movement_is_not_taken_up_again_after_a_drawn_position(tournament, with_entries):
    with_entries(20)
    stage_of(tournament, Placement.FFT)
    play(tournament)
    play(tournament, placement=Placement.DRAWN)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.code == "movement_interrupted"


def test_eighteen_play_at_two_tables_of_three_without_a_north(tournament, with_entries):
    with_entries(18)
    stage_of(tournament, Placement.FFT, rounds=5)

    drawn = actions.place_round(event=tournament, by=None)

    threes = drawn.tables.filter(players_per_deal=3)
    assert len(threes) == 2
    for table in threes:
        assert [str(seat.letter) for seat in table.seats.order_by("place")] == ["E", "S", "W"]


def test_a_leaver_leaves_a_hole_and_a_latecomer_fills_it(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    play(tournament)

    actions.withdraw_entry(entry=entries[7], by=None)
    second = play(tournament)
    [late] = with_entries(1)
    third = play(tournament)

    assert sorted(map(len, seated(second))) == [3, 4, 4, 4, 4]
    assert late.number in set.union(*seated(third))
    assert {len(table) for table in seated(third)} == {4}


def test_a_movement_that_has_begun_is_described_as_it_runs(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    play(tournament)

    for entry in entries[:4]:
        actions.withdraw_entry(entry=entry, by=None)

    (only,) = outlook(tournament)
    assert only.sentences == (
        "5 tables.", "Position 1 of the 5 that the movement lasts has begun.",
        "4 places are free.",
    )  # fmt: skip
    assert only.fits, "sixteen are enough to go on, not to begin"


def test_a_movement_that_was_left_is_not_spoken_of(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    play(tournament)
    play(tournament, placement=Placement.DRAWN)
    actions.withdraw_entry(entry=entries[0], by=None)

    (only,) = outlook(tournament)

    assert (only.sentences, only.problems) == ((), ())


def test_a_latecomer_waits_when_no_place_of_the_movement_is_free(tournament, with_entries):
    with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    play(tournament)
    [late] = with_entries(1)

    second = play(tournament)

    assert list(second.sit_outs.values_list("entry", flat=True)) == [late.pk]
    assert "waits_for_a_place" in {reason["code"] for reason in second.reasons}


def test_a_replacement_goes_on_from_the_place_of_the_one_who_left(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    first = play(tournament)
    seat = Seat.objects.get(round=first, entry=entries[3])

    came = actions.replace_entry(entry=entries[3], by=None, name="Quelqu'un d'Autre")
    second = play(tournament)

    assert Seat.objects.get(round=second, entry=came).place == seat.place
    assert not Seat.objects.filter(round=second, entry=entries[3]).exists()
    met = meetings(tournament)
    assert len(met) == len(set(met))


def test_who_comes_back_has_his_own_way_again(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    first = play(tournament)
    actions.check_out_entry(entry=entries[0], by=None)
    play(tournament)

    actions.check_in_entry(entry=entries[0], by=None)
    third = play(tournament)

    start = Seat.objects.get(round=first, entry=entries[0])
    assert Seat.objects.get(round=third, entry=entries[0]).place == start.place
    met = meetings(tournament)
    assert len(met) == len(set(met))


def test_two_who_leave_do_not_stop_the_movement(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    first = play(tournament)
    at_one_table = list(first.tables.get(number=1).seats.values_list("entry", flat=True))[:2]

    for entry in tournament.entries.filter(pk__in=at_one_table):
        actions.withdraw_entry(entry=entry, by=None)
    for _ in range(4):
        played = play(tournament)
        assert {len(table) for table in seated(played)} <= {3, 4}
        assert sum(map(len, seated(played))) == 18
    assert entries


def test_sixteen_meet_exactly_once_in_the_grid(tournament, with_entries):
    with_entries(16)
    stage_of(tournament, Placement.HOWELL, rounds=5)

    for _ in range(5):
        play(tournament)

    assert len(set(meetings(tournament))) == len(meetings(tournament)) == 16 * 15 // 2


def test_best_with_best_seats_the_first_four_at_the_first_table(tournament, with_entries):
    entries = with_entries(12)
    for place, entry in enumerate(entries, start=1):
        entry.place = place
        entry.save(update_fields=["place"])
    stage_of(tournament, Placement.BEST_WITH_BEST)

    drawn = actions.place_round(event=tournament, by=None)

    assert seated(drawn) == [{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}]


def test_the_best_twelve_play_the_final_seeded_north_south_east_west(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=1)
    stage_of(tournament, Placement.FINAL, rounds=1, qualifiers=12)
    play(tournament)
    for place, entry in enumerate(entries, start=1):
        entry.place = place
        entry.save(update_fields=["place"])

    final = play(tournament)

    assert seated(final) == [{1, 4, 7, 10}, {2, 5, 8, 11}, {3, 6, 9, 12}]
    north = final.tables.get(number=1).seats.get(place=1)
    assert north.entry.number == 1
    assert list(tournament.entries.filter(reached_stage=2).values_list("number", flat=True)) == [
        *range(1, 13)
    ]


def test_a_no_show_among_the_finalists_lets_the_next_one_in(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=1)
    stage_of(tournament, Placement.FINAL, rounds=1, qualifiers=12)
    play(tournament)
    for place, entry in enumerate(entries, start=1):
        entry.place = place
        entry.save(update_fields=["place"])
    actions.place_round(event=tournament, by=None)

    actions.check_out_entry(entry=entries[2], by=None)
    final = actions.place_round(event=tournament, by=None)

    assert set.union(*seated(final)) == {*range(1, 14)} - {3}
    assert tournament.entries.filter(reached_stage=2).count() == 12


def test_team_mates_never_meet(tournament, with_entries):
    for team in range(10):
        with_entries(2, team=f"Team {team}")
    stage_of(tournament, Placement.FFT, rounds=4)

    for _ in range(4):
        play(tournament)

    mates = {frozenset((2 * n + 1, 2 * n + 2)) for n in range(10)}
    assert not mates & set(meetings(tournament))


def test_who_may_not_meet_is_kept_apart_in_every_position(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=4)
    actions.prohibit_pair(event=tournament, one=entries[0], other=entries[1], by=None)

    for _ in range(4):
        play(tournament)

    assert frozenset((1, 2)) not in set(meetings(tournament))


def test_whoever_cannot_walk_keeps_his_table(tournament, with_entries):
    entries = with_entries(20)
    actions.change_entry(entry=entries[4], by=None, fixed_table=1)
    stage_of(tournament, Placement.FFT, rounds=4)

    for _ in range(4):
        played = play(tournament)
        assert Seat.objects.get(round=played, entry=entries[4]).table.number == 1


def test_a_ranking_that_lacks_points_places_nobody(tournament, with_entries):
    """Sheets and rulings count alike for the ranking and for the seats that follow from it."""
    with_entries(8)
    stage_of(tournament, Placement.BEST_WITH_BEST)
    first = play(tournament)
    Seat.objects.filter(pk=first.seats.first().pk).update(points=40)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.code == "not_counted"


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_players_are_answered(tournament, with_entries, count):
    with_entries(count)
    stage_of(tournament, Placement.FFT)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.code == "too_few_players"
    assert not Round.objects.exists()


def test_a_movement_for_too_few_tables_leaves_the_earlier_draw(tournament, with_entries):
    with_entries(12)
    stage_of(tournament, Placement.FFT)
    earlier = actions.place_round(event=tournament, by=None, placement=Placement.DRAWN)

    with pytest.raises(ValidationError):
        actions.place_round(event=tournament, by=None)

    assert Round.objects.get() == earlier


def test_after_the_last_round_of_the_last_stage_nothing_is_drawn(tournament, with_entries):
    with_entries(8)
    stage_of(tournament, Placement.DRAWN, rounds=1)
    play(tournament)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.code == "all_played"


# The verifier of stored rounds


@pytest.mark.parametrize(
    ("players", "placement", "rounds"),
    [
        (8, Placement.DRAWN, 3),
        (14, Placement.BEST_WITH_BEST, 2),
        (12, Placement.HOWELL, 5),
        (18, Placement.FFT, 5),
    ],
)
def test_stored_rounds_are_found_sound(tournament, with_entries, players, placement, rounds):
    with_entries(players)
    stage_of(tournament, placement, rounds=rounds)
    for _ in range(rounds):
        play(tournament)
    said = StringIO()

    call_command("verify_draw", tournament.pk, stdout=said)

    assert said.getvalue().count(": sound,") == rounds


def test_a_final_and_what_came_before_it_are_found_sound(tournament, with_entries):
    entries = with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=2)
    stage_of(tournament, Placement.FINAL, rounds=2, qualifiers=20)
    play(tournament)
    play(tournament)
    for place, entry in enumerate(entries, start=1):
        entry.place = place
        entry.save(update_fields=["place"])
    play(tournament)
    play(tournament)

    call_command("verify_draw", tournament.pk, stdout=StringIO())


def test_a_round_that_was_tampered_with_is_found_out(tournament, with_entries):
    with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=5)
    first = play(tournament)
    first.seats.filter(place=2).first().delete()
    said = StringIO()

    with pytest.raises(CommandError, match="promises are broken"):
        call_command("verify_draw", tournament.pk, stdout=said)

    assert "player_missing" in said.getvalue()


def test_players_moved_by_hand_are_excused(tournament, with_entries):
    with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=3)
    play(tournament)
    drawn = actions.place_round(event=tournament, by=None, seed=4821)
    one, other = (drawn.seats.get(table__number=number, place=3).player_id for number in (1, 3))
    actions.swap_players(proposal=drawn, one=one, other=other, by=None)
    actions.publish_round(proposal=drawn, by=None)

    call_command("verify_draw", tournament.pk, "--round=2", stdout=StringIO())


def test_an_event_that_does_not_exist_is_answered(db):
    with pytest.raises(CommandError, match=r"There is no event 4821\."):
        call_command("verify_draw", 4821)


# Tables of 5


@pytest.mark.parametrize("leftovers", ["fives", "five_of_four", "sit_out"])
def test_the_movement_says_that_it_plays_tables_of_three_whatever_was_chosen(
    tournament, with_entries, leftovers
):
    Event.objects.filter(pk=tournament.pk).update(leftovers=leftovers)
    tournament.refresh_from_db()
    with_entries(21)
    stage_of(tournament, Placement.FFT, rounds=4)

    [found] = outlook(tournament)
    drawn = actions.place_round(event=tournament, by=None)

    said = "The movement of stage 1 plays what is left over at tables of 3 only."
    assert said in found.sentences
    assert said in sentences(drawn.reasons)
    assert sorted(len(table) for table in seated(drawn)) == [3, 3, 3, 4, 4, 4]


def test_the_movement_of_full_tables_has_nothing_left_over_to_speak_of(tournament, with_entries):
    Event.objects.filter(pk=tournament.pk).update(leftovers="fives")
    with_entries(20)
    stage_of(tournament, Placement.FFT, rounds=4)

    drawn = actions.place_round(event=tournament, by=None)

    assert "movement_without_fives" not in {reason["code"] for reason in drawn.reasons}


@pytest.mark.parametrize("placement", [Placement.DRAWN, Placement.BEST_WITH_BEST])
@pytest.mark.parametrize(
    ("leftovers", "said"),
    [
        ("fives", "A tournament with tables of 5 cannot be homologated."),
        ("five_of_four", "A tournament with tables of 5 cannot be homologated."),
        ("sit_out", "The federation knows no sitting out in free deals, only tables of 3."),
    ],
)
def test_tables_that_the_federation_does_not_know_are_named_in_the_draw(
    tournament, with_entries, placement, leftovers, said
):
    with_entries(21)
    stage_of(tournament, placement)

    of_threes = actions.place_round(event=tournament, by=None, leftovers="threes")
    others = actions.place_round(event=tournament, by=None, leftovers=leftovers)

    assert said not in sentences(of_threes.reasons)
    assert said in sentences(others.reasons)


# Teams are not placed by lot or by the ranking (OT p.15)


@pytest.fixture
def with_pairs(with_entries):
    def enter(count: int) -> None:
        for team in range(count):
            with_entries(2, team=f"Team {team}")

    return enter


@pytest.mark.parametrize("placement", [Placement.DRAWN, Placement.BEST_WITH_BEST])
@pytest.mark.parametrize(
    ("pairs", "offer"),
    [
        (
            8,
            (
                "Teams are not placed by lot or by the ranking: 12 or 16 players can follow the "
                "Howell grid, 17 or more the federation’s movement."
            ),
        ),
        (10, "In a tournament of teams the players follow the federation’s movement."),
    ],
)
def test_teams_are_offered_what_is_possible_in_the_same_words_before_and_in_the_draw(
    tournament, with_pairs, placement, pairs, offer
):
    with_pairs(pairs)
    stage_of(tournament, placement)

    [found] = outlook(tournament)
    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.messages == [offer]
    assert offer in found.problems
    assert not tournament.rounds.exists()


def test_what_sixteen_in_pairs_are_offered_can_be_done(tournament, with_pairs):
    with_pairs(8)
    stage_of(tournament, Placement.HOWELL, rounds=4)

    assert actions.place_round(event=tournament, by=None).tables.count() == 4


def test_pairs_at_the_end_of_their_movement_are_not_sent_to_the_lot(tournament, with_pairs):
    with_pairs(10)
    stage_of(tournament, Placement.FFT, rounds=5)
    [found] = outlook(tournament)
    for _ in range(4):
        play(tournament)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert found.problems == ("5 positions are planned: plan fewer.",)
    assert refusal.value.messages == [
        (
            "With 5 tables the movement lasts 4 positions, and teams are not placed by lot or by "
            "the ranking. Plan fewer, or go on and let players meet again."
        )
    ]
    assert play(tournament, beyond_limit=True).number == 5


def test_when_too_many_of_a_team_event_have_left_others_take_their_places(tournament, with_pairs):
    with_pairs(8)
    stage_of(tournament, Placement.HOWELL, rounds=4)
    first = play(tournament)
    for seat in Seat.objects.filter(round=first, table__number__gt=1):
        actions.check_out_entry(entry=seat.entry, by=None)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert "Put others in the places of those who have left." in refusal.value.messages[0]
