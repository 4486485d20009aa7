from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from tests.factories import EventFactory
from tournaments import actions
from tournaments.actions import draws
from tournaments.models import Event, Round, Seat, SitOut, Table
from tournaments.rules import Conflict
from tournaments.seating import Leftovers

pytestmark = pytest.mark.django_db


def seating_of(this_round: Round) -> list[list[int]]:
    return [
        [seat.player_id for seat in table.seats.order_by("place")]
        for table in this_round.tables.in_order()
    ]


def test_a_draw_seats_everybody_present_once(evening, with_present):
    here = with_present(14)

    proposal = actions.draw_round(event=evening, by=None)

    seated = [player for table in seating_of(proposal) for player in table]
    assert sorted(seated) == sorted(player.pk for player in here)
    assert [len(table) for table in seating_of(proposal)] == [4, 4, 3, 3]
    assert [t.players_per_deal for t in proposal.tables.in_order()] == [4, 4, 3, 3]
    assert set(proposal.seats.filter(place=0)) == set()


def test_whoever_has_left_is_not_drawn(evening, with_present):
    here = with_present(9)
    actions.check_out(event=evening, player=here[0], by=None)

    proposal = actions.draw_round(event=evening, by=None)

    assert not proposal.seats.filter(player=here[0]).exists()
    assert proposal.tables.count() == 2


def test_the_same_seed_gives_the_same_tables(evening, with_present):
    with_present(13)

    first = seating_of(actions.draw_round(event=evening, by=None, seed=4821))
    other = seating_of(actions.draw_round(event=evening, by=None, seed=4822))
    again = seating_of(actions.draw_round(event=evening, by=None, seed=4821))

    assert first == again
    assert first != other


def test_without_a_seed_one_is_drawn_and_stored(evening, with_present):
    with_present(12)

    seeds = {actions.draw_round(event=evening, by=None).seed for _ in range(3)}

    assert len(seeds) > 1
    assert all(0 <= seed < 1_000_000 for seed in seeds)


def test_a_new_draw_takes_the_place_of_the_proposal(evening, with_present):
    with_present(8)
    first = actions.draw_round(event=evening, by=None)

    second = actions.draw_round(event=evening, by=None)

    assert list(evening.rounds.all()) == [second]
    assert second.number == first.number == 1
    assert Seat.objects.count() == 8


def test_who_sits_out_is_kept(evening, with_present):
    with_present(9)

    proposal = actions.draw_round(event=evening, by=None, leftovers=Leftovers.SIT_OUT)

    (waiting,) = proposal.sit_outs.all()
    assert not proposal.seats.filter(entry=waiting.entry).exists()
    assert proposal.leftovers == "sit_out"


def test_whoever_sat_out_plays_the_next_round(evening, with_present):
    with_present(9)
    first = actions.draw_round(event=evening, by=None, leftovers=Leftovers.SIT_OUT)
    (rested,) = first.sit_outs.all()
    actions.publish_round(proposal=first, by=None)
    actions.close_round(this_round=first, by=None, without_missing=True)

    second = actions.draw_round(event=evening, by=None, leftovers=Leftovers.SIT_OUT)

    assert second.number == 2
    assert second.seats.filter(entry=rested.entry).exists()


def test_five_who_play_by_four_share_one_table(evening, with_present):
    with_present(5)

    proposal = actions.draw_round(event=evening, by=None, leftovers=Leftovers.FIVE_OF_FOUR)

    (table,) = proposal.tables.all()
    assert (table.seats.count(), table.players_per_deal) == (5, 4)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_make_no_table_and_leave_nothing_behind(evening, with_present, count):
    with_present(count)

    with pytest.raises(ValidationError) as refusal:
        actions.draw_round(event=evening, by=None)

    assert refusal.value.code == "too_few_players"
    assert refusal.value.messages == [f"A table needs at least 3 players; there are {count}."]
    assert not Round.objects.exists()


def test_three_make_a_table_of_three(evening, with_present):
    with_present(3)

    proposal = actions.draw_round(event=evening, by=None)

    assert [len(table) for table in seating_of(proposal)] == [3]


def test_a_failed_draw_leaves_the_earlier_proposal(proposal):
    for entry in proposal.event.entries.all()[2:]:
        actions.check_out(event=proposal.event, player=entry.players.get(), by=None)

    with pytest.raises(ValidationError):
        actions.draw_round(event=proposal.event, by=None)

    assert list(Round.objects.all()) == [proposal]
    assert Table.objects.count() == 2


def test_a_draw_that_breaks_while_it_is_stored_leaves_the_earlier_proposal(proposal, monkeypatch):
    def break_down(*args: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(SitOut.objects, "bulk_create", break_down)

    with pytest.raises(OSError, match="disk"):
        actions.draw_round(event=proposal.event, by=None)

    assert list(Round.objects.all()) == [proposal]
    assert Seat.objects.count() == 8


def test_nothing_is_drawn_while_a_round_is_played(playing):
    with pytest.raises(Conflict) as refusal:
        actions.draw_round(event=playing.event, by=None)

    assert refusal.value.messages == [
        "Round 1 is being played. Close it before you draw the next one."
    ]


def test_nothing_is_drawn_for_a_closed_evening(season):
    with pytest.raises(Conflict):
        actions.draw_round(event=EventFactory(season=season, closed=True), by=None)


def test_the_second_round_avoids_the_meetings_of_the_first(evening, with_present):
    with_present(16)
    first = actions.draw_round(event=evening, by=None)
    actions.publish_round(proposal=first, by=None)
    actions.close_round(this_round=first, by=None, without_missing=True)

    second = actions.draw_round(event=evening, by=None)

    before = [set(table) for table in seating_of(first)]
    assert all(len(old & set(new)) <= 1 for old in before for new in seating_of(second))


def test_publishing_starts_the_round_and_the_evening(proposal, director):
    started = actions.publish_round(proposal=proposal, by=director)

    proposal.event.refresh_from_db()
    assert started.state == Round.State.PLAYING
    assert started.published_at is not None
    assert proposal.event.state == Event.State.RUNNING
    assert all(table.is_open for table in started.tables.select_related("round"))


def test_a_double_click_publishes_once(proposal):
    first = actions.publish_round(proposal=proposal, by=None)
    second = actions.publish_round(proposal=proposal, by=None)

    assert first.published_at == second.published_at
    assert proposal.event.journal.filter(kind="published").count() == 1


def test_a_proposal_from_before_somebody_came_is_not_published(proposal, players):
    actions.check_in(event=proposal.event, player=players(1)[0], by=None)

    with pytest.raises(Conflict) as refusal:
        actions.publish_round(proposal=proposal, by=None)

    assert refusal.value.code == "roster_changed"
    proposal.refresh_from_db()
    assert proposal.is_proposal


def test_a_proposal_that_was_replaced_is_not_published(proposal):
    actions.draw_round(event=proposal.event, by=None)

    with pytest.raises(Conflict) as refusal:
        actions.publish_round(proposal=proposal, by=None)

    assert refusal.value.code == "draw_gone"


def test_a_dropped_draw_leaves_no_tables(proposal):
    actions.discard_draw(proposal=proposal, by=None)
    actions.discard_draw(proposal=proposal, by=None)

    assert not Round.objects.exists()
    assert not Table.objects.exists()
    assert proposal.event.journal.first().kind == "discarded"


def test_a_round_that_has_started_is_not_dropped(playing):
    with pytest.raises(Conflict):
        actions.discard_draw(proposal=playing, by=None)

    assert Round.objects.get() == playing


def test_a_start_without_a_deal_can_be_taken_back(playing):
    before = seating_of(playing)
    sheets = set(playing.tables.values_list("pk", flat=True))

    proposal = actions.withdraw_round(this_round=playing, by=None)

    playing.event.refresh_from_db()
    assert proposal.is_proposal
    assert seating_of(proposal) == before
    assert not sheets & set(proposal.tables.values_list("pk", flat=True))
    assert playing.event.state == Event.State.CHECK_IN
    assert actions.publish_round(proposal=proposal, by=None).state == Round.State.PLAYING


def test_a_round_with_a_sheet_begun_is_not_taken_back(playing):
    playing.tables.filter(number=2).update(version=1, deals_recorded=0)

    with pytest.raises(Conflict) as refusal:
        actions.withdraw_round(this_round=playing, by=None)

    assert refusal.value.params == {"number": 2}
    assert Round.objects.get().state == Round.State.PLAYING


def test_a_proposal_needs_no_taking_back(proposal):
    assert actions.withdraw_round(this_round=proposal, by=None) == proposal
    assert not proposal.event.journal.filter(kind="withdrawn").exists()


def test_a_closed_round_is_not_taken_back(playing):
    actions.close_round(this_round=playing, by=None, without_missing=True)

    with pytest.raises(Conflict) as refusal:
        actions.withdraw_round(this_round=playing, by=None)

    assert refusal.value.code == "round_closed"


def test_taking_the_second_round_back_leaves_the_evening_running(playing):
    actions.close_round(this_round=playing, by=None, without_missing=True)
    second = actions.draw_round(event=playing.event, by=None)
    actions.publish_round(proposal=second, by=None)

    actions.withdraw_round(this_round=second, by=None)

    playing.event.refresh_from_db()
    assert playing.event.state == Event.State.RUNNING


def test_somebody_who_comes_while_the_tables_are_drawn_makes_the_draw_void(
    evening, with_present, players
):
    with_present(8)
    asked = draws._what_is_asked(Event.objects.get(pk=evening.pk), "threes", 4821)
    drawn = draws._draw(asked)

    actions.check_in(event=evening, player=players(1)[0], by=None)
    with pytest.raises(Conflict) as refusal:
        draws._keep_proposal(event=evening, asked=asked, draw=drawn, by=None)

    assert refusal.value.code == "changed_meanwhile"
    assert not Round.objects.exists()


def test_two_players_change_places(proposal):
    (one, *rest), (other, *others) = seating_of(proposal)

    actions.swap_players(proposal=proposal, one=one, other=other, by=None)

    assert seating_of(proposal) == [[other, *rest], [one, *others]]


def test_neighbours_at_one_table_change_places(proposal):
    (one, other, *rest), table = seating_of(proposal)

    actions.swap_players(proposal=proposal, one=one, other=other, by=None)

    assert seating_of(proposal) == [[other, one, *rest], table]


def test_whoever_sits_out_changes_places_with_a_player(evening, with_present):
    with_present(9)
    proposal = actions.draw_round(event=evening, by=None, leftovers=Leftovers.SIT_OUT)
    waiting = proposal.sit_outs.get().entry.players.get()
    (one, *rest), _table = seating_of(proposal)

    actions.swap_players(proposal=proposal, one=waiting.pk, other=one, by=None)

    assert seating_of(proposal)[0] == [waiting.pk, *rest]
    assert proposal.sit_outs.get().entry.players.get().pk == one
    assert proposal.seats.get(player=waiting).entry.players.get() == waiting


def test_a_swap_takes_two_players_of_the_round(proposal, players):
    (one, *_), _table = seating_of(proposal)

    for other in (one, players(1)[0].pk, 0):
        with pytest.raises(ValidationError) as refusal:
            actions.swap_players(proposal=proposal, one=one, other=other, by=None)
        assert refusal.value.code == "not_two_players"


def test_nobody_is_swapped_once_the_round_has_started(playing):
    (one, *_), (other, *_rest) = seating_of(playing)

    with pytest.raises(Conflict):
        actions.swap_players(proposal=playing, one=one, other=other, by=None)


def test_the_draw_is_written_down_so_that_it_can_be_repeated(proposal):
    details = proposal.event.journal.get(kind="drawn").details

    assert details["seed"] == 4821
    assert len(details["players"]) == 8
    assert details["leftovers"] == "threes"


def test_a_table_remembers_the_deals_of_the_plan(proposal):
    assert {table.deals_planned for table in proposal.tables.all()} == {5}
