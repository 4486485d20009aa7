"""Who may not meet."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.actions.journal import write_line
from tournaments.actions.roster import roster_changed
from tournaments.models import Entry, EntryPlayer, Event, JournalLine, ProhibitedPair
from tournaments.rules import refuse_closed


@transaction.atomic
def prohibit_pair(*, event: Event, one: Entry, other: Entry, by: User | None) -> ProhibitedPair:
    """Never put these two at one table from the next draw on; a second press finds them apart."""
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    first, second = sorted((one, other), key=lambda entry: entry.pk)
    if first.event_id != event.pk or second.event_id != event.pk or first == second:
        raise ValidationError(_("A pair is two different players."), code="pair_of_two")
    pair, is_new = ProhibitedPair.objects.get_or_create(event=event, one=first, other=second)
    if is_new:
        _changed(event, by, first, second)
    return pair


@transaction.atomic
def allow_pair(*, pair: ProhibitedPair, by: User | None) -> None:
    """Let these two meet again; a second press changes nothing."""
    event = Event.objects.locked().get(pk=pair.event_id)
    refuse_closed(event)
    now = event.prohibited_pairs.select_related("one", "other").filter(pk=pair.pk).first()
    if now is not None:
        now.delete()
        _changed(event, by, now.one, now.other)


def _changed(event: Event, by: User | None, *entries: Entry) -> None:
    roster_changed(event)
    players = EntryPlayer.objects.filter(entry__in=entries).values_list("player_id", flat=True)
    write_line(event, JournalLine.Kind.PAIRS_CHANGED, by, players=sorted(players))
