"""Who is here: checking people in and out, between rounds or during one."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.names import fold_name, one_line
from tournaments.actions.journal import write_line
from tournaments.models import Entry, EntryPlayer, Event, JournalLine
from tournaments.namesakes import namesakes
from tournaments.rules import Conflict, refuse_closed


def roster_changed(event: Event) -> None:
    """Let no draw stand that was made for others than those who play now."""
    event.roster_version += 1
    event.save(update_fields=["roster_version"])


@transaction.atomic
def check_in(*, event: Event, player: Player, by: User | None) -> Entry:
    """Mark a player of the club present; whoever is already here stays so.

    Somebody who arrives during a round plays from the next draw on.
    """
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    _refuse_another_club(event, player)
    entry = Entry.objects.filter(event=event, entry_players__player=player).first()
    if entry is None:
        entry = _enter(event, player)
    elif entry.is_present:
        return entry
    elif entry.state in (Entry.State.WAITING, Entry.State.WITHDRAWN):
        raise Conflict(
            _("%(player)s holds no place in this tournament. Look at the entries."),
            code="no_place",
            params={"player": player},
        )
    else:
        entry.state = Entry.State.PRESENT
        entry.checked_in_at = timezone.now()
        entry.save(update_fields=["state", "checked_in_at"])
    _tell(event, JournalLine.Kind.CHECKED_IN, player, by)
    return entry


@transaction.atomic
def check_out(*, event: Event, player: Player, by: User | None) -> Entry | None:
    """Mark a player away from the next draw on; what he has played stays."""
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    entry = Entry.objects.filter(event=event, entry_players__player=player).first()
    if entry is None or not entry.is_present:
        return entry
    entry.state = Entry.State.AWAY
    entry.save(update_fields=["state"])
    _tell(event, JournalLine.Kind.CHECKED_OUT, player, by)
    return entry


@transaction.atomic
def add_guest(
    *, event: Event, name: str, by: User | None, despite_namesakes: bool = False
) -> Entry:
    """Check in the club's player of this name, made first if there is none.

    Refuses a name that is almost a known one, unless told that it is somebody else.
    """
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    player = player_called(event, name, despite_namesakes=despite_namesakes)
    return check_in(event=event, player=player, by=by)


def player_called(event: Event, name: str, *, despite_namesakes: bool) -> Player:
    """The club's player of this name, made first if there is none.

    Refuses a name that is almost a known one, unless told that it is somebody else.
    """
    name = one_line(name)
    player = event.club.players.filter(sort_name=fold_name(name)).first()
    if player is None:
        player = _new_guest(event, name, despite_namesakes=despite_namesakes)
    elif player.archived_at is not None:
        player.archived_at = player.put_together_with = None
        player.save(update_fields=["archived_at", "put_together_with"])
    return player


def _new_guest(event: Event, name: str, *, despite_namesakes: bool) -> Player:
    club = event.club
    player = Player(club=club, name=name, sort_name=fold_name(name))
    if not player.sort_name:
        raise ValidationError({"name": _("A name has at least one letter.")}, code="required")
    player.full_clean()
    close = [] if despite_namesakes else _not_here_yet(event, namesakes(club, name))
    if close:
        raise ValidationError(
            _("The club already knows %(names)s. Is it the same person?"),
            code="namesakes",
            params={"names": ", ".join(known.name for known in close), "players": close},
        )
    # Two evenings of one club may add the same guest at once: the second finds the first's.
    return Player.objects.get_or_create(
        club=club, sort_name=player.sort_name, defaults={"name": name}
    )[0]


def _not_here_yet(event: Event, known: list[Player]) -> list[Player]:
    """Leave out whoever is in this event already: the one who enters now is somebody else."""
    here = set(EntryPlayer.objects.filter(event=event).values_list("player_id", flat=True))
    return [player for player in known if player.pk not in here]


def _refuse_another_club(event: Event, player: Player) -> None:
    if player.club_id != event.season.club_id:
        raise ValidationError(
            _("%(player)s is not a player of this club."),
            code="another_club",
            params={"player": player},
        )


def _enter(event: Event, player: Player) -> Entry:
    last = Entry.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
    entry = Entry.objects.create(event=event, number=last + 1)
    EntryPlayer.objects.create(event=event, entry=entry, player=player)
    return entry


def _tell(event: Event, kind: JournalLine.Kind, player: Player, by: User | None) -> None:
    roster_changed(event)
    write_line(event, kind, by, player=player.pk)
