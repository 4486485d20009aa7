"""Two directors of a tournament press at the same moment: one wins, the other sees it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tests.tournaments.test_two_directors import together
from tournaments import actions
from tournaments.models import Entry, Event, Placement, Round, Seat, Stage
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament() -> Event:
    event = EventFactory(kind=Event.Kind.TOURNAMENT)
    Stage.objects.create(
        event=event, number=1, rounds_planned=5, deals_per_round=4, placement=Placement.FFT
    )
    enter(event, 20)
    return event


def test_two_who_draw_at_once_leave_one_proposal(tournament):
    together(*[lambda: actions.place_round(event=tournament, by=None)] * 2)

    assert Round.objects.get().number == 1
    assert Seat.objects.count() == 20


def test_one_page_that_is_sent_four_times_draws_once(tournament):
    together(*[lambda: actions.place_round(event=tournament, by=None, instead=0)] * 4)

    assert tournament.journal.filter(kind="drawn").count() == 1


def test_a_page_from_before_another_draw_is_told_so(tournament):
    standing = actions.place_round(event=tournament, by=None, seed=5)

    again = actions.place_round(event=tournament, by=None, instead=0)
    with pytest.raises(Conflict):
        actions.place_round(event=tournament, by=None, placement=Placement.DRAWN, instead=0)
    with pytest.raises(Conflict):
        actions.place_round(event=tournament, by=None, seed=6, instead=0)

    assert again == standing == Round.objects.get()


def test_a_page_that_shows_the_proposal_may_draw_another(tournament):
    standing = actions.place_round(event=tournament, by=None)

    another = actions.place_round(event=tournament, by=None, instead=standing.pk)

    assert another == Round.objects.get() != standing


def test_two_who_withdraw_one_player_at_once_withdraw_him_once(tournament):
    entry = tournament.entries.first()

    together(*[lambda: actions.withdraw_entry(entry=entry, by=None)] * 2)

    assert tournament.journal.filter(kind="entry_withdrawn").count() == 1
    tournament.refresh_from_db()
    assert tournament.roster_version == 21


def test_one_name_entered_at_two_desks_is_one_entry(tournament):
    def enter() -> object:
        try:
            return actions.enter_player(event=tournament, by=None, name="Maëlle Raoult")
        except ValidationError as refusal:
            return refusal.code

    answers = together(enter, enter)

    assert "already_entered" in answers
    assert Entry.objects.filter(players__name="Maëlle Raoult").count() == 1


def test_lots_that_two_draw_at_once_are_drawn_once(tournament):
    started = actions.publish_round(
        proposal=actions.place_round(event=tournament, by=None), by=None
    )
    actions.close_round(this_round=started, by=None, without=range(1, 6))
    tournament.stages.update(rounds_planned=1)
    Stage.objects.create(
        event=tournament, number=2, rounds_planned=1, deals_per_round=4,
        placement=Placement.FINAL, qualifiers=12,
    )  # fmt: skip
    tournament.entries.update(place=1)
    equal = list(tournament.entries.values_list("entry_players__player", flat=True))

    together(*[lambda: actions.draw_lots_at_the_cut(event=tournament, by=None, equal=equal)] * 3)

    assert tournament.journal.filter(kind="cut_decided").count() == 1
