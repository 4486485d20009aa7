from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from tests.factories import EventFactory, MembershipFactory, PlayerFactory
from tournaments import actions
from tournaments.models import Entry, Event, Round, Seat
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def evening() -> Event:
    evening = EventFactory()
    for _ in range(8):
        player = PlayerFactory(club=evening.club)
        MembershipFactory(player=player)
        actions.check_in(event=evening, player=player, by=None)
    return evening


def together(*orders: Callable[[], object]) -> list[object]:
    """Carry the orders out at the same time; a refusal counts as an answer."""
    start = Barrier(len(orders))

    def carry_out(order: Callable[[], object]) -> object:
        start.wait()
        try:
            return order()
        except Conflict as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(orders)) as pool:
        return list(pool.map(carry_out, orders))


def test_two_directors_who_start_a_round_at_once_start_it_once(evening):
    proposal = actions.draw_round(event=evening, by=None)

    answers = together(*[lambda: actions.publish_round(proposal=proposal, by=None)] * 2)

    assert {answer.state for answer in answers} == {Round.State.PLAYING}
    assert evening.journal.filter(kind="published").count() == 1


def test_two_directors_who_draw_at_once_leave_one_proposal(evening):
    together(*[lambda: actions.draw_round(event=evening, by=None)] * 2)

    assert Round.objects.get().number == 1
    assert Seat.objects.count() == 8


def test_starting_and_dropping_at_once_does_one_and_tells_the_other(evening):
    proposal = actions.draw_round(event=evening, by=None)

    answers = together(
        lambda: actions.publish_round(proposal=proposal, by=None),
        lambda: actions.discard_draw(proposal=proposal, by=None),
    )

    refused = [answer for answer in answers if isinstance(answer, Conflict)]
    assert len(refused) == 1
    assert Round.objects.filter(state="drawn").count() == 0


def test_eight_taps_on_one_name_are_one_entry(evening):
    late = PlayerFactory(club=evening.club)

    together(*[lambda: actions.check_in(event=evening, player=late, by=None)] * 8)

    assert Entry.objects.filter(players=late).count() == 1
    assert sorted(evening.entries.values_list("number", flat=True)) == list(range(1, 10))


def test_the_same_page_sent_by_two_phones_plans_one_evening(evening):
    key = evening.entry_key.__class__(int=7)

    answers = together(
        *[
            lambda: actions.create_event(
                club=evening.club, starts_at=evening.starts_at, entry_key=key, by=None
            )
        ]
        * 4
    )

    assert len(set(answers)) == 1
    assert Event.objects.filter(entry_key=key).count() == 1


def test_a_double_press_on_one_page_draws_once(evening):
    answers = together(*[lambda: actions.draw_round(event=evening, by=None, instead=0)] * 2)

    assert answers[0] == answers[1]
    assert evening.journal.filter(kind="drawn").count() == 1


def test_a_page_from_before_another_draw_draws_nothing_else(evening):
    actions.draw_round(event=evening, by=None)

    with pytest.raises(Conflict):
        actions.draw_round(event=evening, by=None, leftovers="sit_out", instead=0)
