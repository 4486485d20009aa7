"""Who joins or leaves has his evenings counted anew, in the transaction of the change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from clubs import actions as club_actions
from clubs.models import Membership, Player
from scoring import tasks
from scoring.models import PlayerResult, StaleRanking
from tests.factories import InvitationFactory, MembershipFactory, PlayerFactory, UserFactory
from tests.scoring import paper
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(club, season) -> Player:
    """A guest with one closed evening, which is counted."""
    four = PlayerFactory.create_batch(4, club=club)
    event = paper.evening(season, four)
    paper.write(paper.sit(event, four)[0], 30, -10, -10, -10)
    paper.close(event)
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    return four[0]


def day_of(player: Player):
    return timezone.localdate(PlayerResult.objects.get(player=player).event.starts_at)


def joins(guest: Player) -> None:
    club_actions.make_member(player=guest, on=day_of(guest))


def accepts_an_invitation(guest: Player) -> None:
    club_actions.accept_invitation(
        invitation=InvitationFactory(player=guest), account=UserFactory(), at=timezone.now()
    )


def leaves(guest: Player) -> None:
    Membership.objects.create(player=guest, joined_on=day_of(guest))
    club_actions.make_guest(player=guest, on=day_of(guest))


def is_put_away(guest: Player) -> None:
    Membership.objects.create(player=guest, joined_on=day_of(guest))
    club_actions.put_away(player=guest, at=timezone.now(), on=day_of(guest))


@pytest.mark.parametrize("change", [joins, accepts_an_invitation, leaves, is_put_away])
def test_a_change_marks_the_evenings_and_sends_word_after_commit(
    change: Callable[[Player], None], guest, season, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as sent:
        change(guest)

    marks = StaleRanking.objects.values_list("season", "event", "cause")
    event = PlayerResult.objects.get(player=guest).event_id
    assert list(marks) == [(season.pk, event, StaleRanking.Cause.STANDINGS)]
    assert len(sent) == 1


def test_the_evening_of_who_joined_that_day_is_one_of_a_member(guest, season):
    assert not PlayerResult.objects.get(player=guest).is_member

    joins(guest)
    tasks.refresh_ranking(season.pk)

    assert PlayerResult.objects.get(player=guest).is_member


def test_an_evening_after_midnight_is_of_the_day_that_the_club_s_clock_says(guest, season):
    event = PlayerResult.objects.get(player=guest).event
    after_midnight = datetime(2026, 9, 4, 22, 30, tzinfo=UTC)  # half past midnight in Paris
    Event.objects.filter(pk=event.pk).update(starts_at=after_midnight)

    club_actions.make_member(player=guest, on=date(2026, 9, 5))
    tasks.refresh_ranking(season.pk)

    assert PlayerResult.objects.get(player=guest).is_member


def test_a_change_that_is_rolled_back_leaves_no_mark(guest):
    with transaction.atomic():
        joins(guest)
        transaction.set_rollback(True)

    assert not Membership.objects.filter(player=guest).exists()
    assert not StaleRanking.objects.exists()


def test_who_has_played_nothing_leaves_no_mark(club):
    member = MembershipFactory(player__club=club).player

    club_actions.make_guest(player=member, on=timezone.localdate() + timedelta(days=1))

    assert not StaleRanking.objects.exists()


def test_whatever_the_settings_name_can_be_called(settings):
    assert all(callable(import_string(name)) for name in settings.AFTER_MEMBERSHIP_CHANGES)
