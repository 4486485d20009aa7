"""What went wrong in the halls of others and must not go wrong here; each is named after the fault.

Most of these have their test beside what they are about: many phones at once in
``test_together``, seats kept with their deals in ``test_changes``, paper in ``test_paper_files``.
"""

from __future__ import annotations

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from scoring import actions, results, tasks
from scoring.models import StaleStandings, TarotDeal
from tests.factories import PlayerFactory
from tests.reading import text_of
from tests.scoring import paper
from tests.scoring.conftest import answers
from tests.scoring.test_results import end
from tests.scoring.test_together import at_once
from tournaments import actions as tournament_actions
from tournaments.models import Entry, EntryPlayer, Event, JournalLine, Ruling

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season, club) -> Event:
    """A tournament of two tables that has just ended and is published."""
    players = [PlayerFactory(club=club, name=f"{letter}-player") for letter in "ABCDEFGH"]
    event = paper.evening(season, players, kind=Event.Kind.TOURNAMENT, state=Event.State.RUNNING)
    for table in paper.sit(event, players[:4], players[4:]):
        paper.write(table, 252, -84, -84, -84)
    end(event)
    return event


def lines(event: Event) -> list[tuple[int, int, int]]:
    latest = results.latest(event)
    return [(line["entry"], line["place"], line["points"]) for line in latest.lines]


def count(event: Event) -> None:
    StaleStandings.objects.get_or_create(event=event)
    tasks.refresh_standings(event.pk)


# Entered at the same time


@pytest.mark.django_db(transaction=True)
def test_a_ruling_sent_again_and_again_over_a_bad_connection_is_one_ruling(table, director):
    """Duplicated on an unstable connection: one key is one ruling, and one penalty."""
    event, entry, key = table.round.event, table.seats.first().entry, uuid.uuid4()

    made = at_once(
        [
            lambda: (
                actions.record_ruling(
                    event=event, entry=entry, fault="smoking", by=director, entry_key=key
                ).pk
            )
        ]
        * 6
    )

    assert len(set(made)) == 1
    assert Ruling.objects.get().points == 100


@pytest.mark.django_db(transaction=True)
def test_two_rulings_on_one_fault_at_once_are_a_warning_and_a_penalty(table, director):
    """The second fault costs points, also when two referees write in the same moment."""
    event, entry = table.round.event, table.seats.first().entry

    kinds = at_once(
        [
            lambda: (
                actions.record_ruling(
                    event=event,
                    entry=entry,
                    fault="hesitation",
                    by=director,
                    entry_key=uuid.uuid4(),
                ).kind
            )
        ]
        * 3
    )

    assert sorted(kinds) == ["penalty", "penalty", "warning"]


def test_a_result_typed_for_the_wrong_number_overwrites_nothing_and_both_are_shown(
    table, record, yves, client
):
    """A wrong number typed over a checked result: refused, with both values side by side."""
    record(points=49)
    client.force_login(yves)

    answer = client.post(reverse("record-deal", args=[table.pk]), answers(table, points="60"))

    assert answer.status_code == 409
    shown = text_of(answer)
    assert "49" in shown
    assert "60" in shown
    assert [deal.half_points for deal in TarotDeal.objects.all()] == [98]


def test_a_player_is_entered_once_however_often_and_the_round_is_drawn(season, club, director):
    """One player added twice, and then round 1 could not be drawn."""
    players = PlayerFactory.create_batch(4, club=club)
    event = paper.evening(season, [], state=Event.State.CHECK_IN)
    for player in [*players, players[0], players[0]]:
        tournament_actions.check_in(event=event, player=player, by=director)

    with pytest.raises(IntegrityError), transaction.atomic():
        EntryPlayer.objects.create(
            event=event,
            entry=Entry.objects.create(event=event, number=9),
            player=players[0],
        )
    proposal = tournament_actions.draw_round(event=event, by=director)

    assert event.entries.count() == 4
    assert proposal.seats.count() == 4


# Taken back, corrected, penalised


def test_the_last_round_is_taken_back_before_anything_was_played(table, director):
    """The last round could not be cancelled any more: here it can until a deal is written."""
    taken_back = tournament_actions.withdraw_round(this_round=table.round, by=director)

    assert taken_back.is_proposal
    assert JournalLine.objects.filter(kind="withdrawn").exists()


def test_a_wrong_penalty_removed_after_the_results_leaves_those_of_one_never_penalised(
    tournament, director
):
    """A wrong disqualification was removed, and the ranking went on using it."""
    never = lines(tournament)
    entry = tournament.entries.order_by("number").first()

    ruling = actions.record_ruling(event=tournament, entry=entry, fault="smoking", by=director)
    count(tournament)
    assert lines(tournament) != never
    actions.withdraw_ruling(ruling=ruling, why="somebody else", by=director)
    count(tournament)

    assert lines(tournament) == never
    assert tournament.result_versions.count() == 3, "what was published stays readable"


def test_a_penalty_counts_where_the_next_round_is_seated_by_rank(tournament, director):
    """Penalties were left out when seating by rank: one standing serves both."""
    entry = tournament.entries.order_by("number").first()
    actions.record_ruling(
        event=tournament, entry=entry, fault="other", kind=Ruling.Kind.PENALTY, points=500,
        by=director,
    )  # fmt: skip
    count(tournament)

    entry.refresh_from_db()
    placed = [line[0] for line in lines(tournament)]
    assert placed.index(entry.pk) == len(placed) - 1
    assert entry.place == len(placed)
