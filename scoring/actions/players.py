"""What happens to somebody's results when the player changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from clubs import actions as club_actions
from clubs.models import Player, User
from scoring import tasks
from scoring.models import StaleRanking
from tournaments.actions.journal import write_line
from tournaments.models import EntryPlayer, Event, JournalLine, Phone, Seat


@transaction.atomic
def merge_players(*, guest: Player, into: Player, by: User | None, at: datetime) -> Player:
    """Give a guest's evenings and seats to another player of the club and put the guest away.

    Refuses a guest with an account, and two players who met in one evening: they are two people.
    """
    # Evenings before the club, as at the check-in, so that the two never wait for each other.
    entered = EntryPlayer.objects.filter(player=guest).order_by().values("event")
    events = list(Event.objects.filter(pk__in=entered).order_by("pk").locked())
    club_actions.lock_club(guest.club)
    _refuse(guest, Player.objects.select_related("club").get(pk=into.pk))
    _refuse_to_join(events, guest, into)
    EntryPlayer.objects.filter(player=guest, event__in=events).update(player=into)
    Seat.objects.filter(player=guest, round__event__in=events).update(player=into)
    Phone.objects.filter(player=guest, event__in=events).update(player=into)
    guest.invitations.good(at).update(expires_at=at)
    club_actions.put_away(player=guest, at=at, on=timezone.localdate(at))
    club_actions.lead_on(player=guest, to=into)
    club_actions.hand_over_memberships(player=guest, to=into)
    club_actions.names_have_changed(into.club)
    for event in events:
        write_line(event, JournalLine.Kind.MERGED, by, players=[guest.pk, into.pk])
    _mark_stale([event for event in events if event.is_closed], StaleRanking.Cause.MERGED)
    return into


def count_membership(*, player: Player) -> None:
    """Have the evenings of somebody who joined or left counted anew: a ranking may be of members.

    Called by the actions that change a membership, in their transaction, as the settings say.
    """
    played = Event.objects.filter(player_results__player=player).order_by("pk")
    _mark_stale(list(played), StaleRanking.Cause.STANDINGS)


def _mark_stale(closed: Sequence[Event], cause: StaleRanking.Cause) -> None:
    StaleRanking.objects.bulk_create(
        StaleRanking(season_id=event.season_id, event=event, cause=cause) for event in closed
    )
    for season in sorted({event.season_id for event in closed}):
        tasks.refresh_ranking.delay_on_commit(season)


def _refuse(guest: Player, into: Player) -> None:
    if guest.account_id is not None or guest.role is not None:
        raise ValidationError(
            _("%(name)s is a member or has an account, and stays a player of the club."),
            code="not_a_guest",
            params={"name": guest.name},
        )
    if guest.pk == into.pk or guest.club_id != into.club_id or into.archived_at is not None:
        raise ValidationError(_("Choose another player of the club."), code="not_another")


def _refuse_to_join(events: list[Event], guest: Player, into: Player) -> None:
    met = EntryPlayer.objects.filter(player=into, event__in=events).select_related("event").first()
    if met is not None:
        raise ValidationError(
            _("%(guest)s and %(name)s both played on %(day)s: they are two people."),
            code="met",
            params={
                "guest": guest.name,
                "name": into.name,
                "day": date_format(timezone.localtime(met.event.starts_at)),
            },
        )
