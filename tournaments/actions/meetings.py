"""Sides that play together: entered from a list, completed by lot, with a reserve put in."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.names import one_line
from tournaments.actions.entries import enter_player
from tournaments.actions.journal import write_line
from tournaments.actions.roster import roster_changed
from tournaments.models import Entry, EntryPlayer, Event, JournalLine, Seat
from tournaments.querysets import as_entered
from tournaments.rules import Conflict, refuse_closed

KIND = JournalLine.Kind
SEEDS = 1_000_000
MOST_ROWS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a list: who enters together, and what is said about them."""

    number: int
    text: str
    players: tuple[str, ...]
    side_name: str = ""
    club_name: str = ""


class RowsRefused(ValidationError):  # noqa: N818 - a refusal, not a mistake
    """Lines that cannot be entered: nothing was; ``rows`` has each line's number and reason."""

    def __init__(self, rows: Sequence[tuple[int, str, str]]) -> None:
        super().__init__(
            [
                _("Line %(number)s, “%(text)s”: %(why)s")
                % {"number": number, "text": text, "why": why}
                for number, text, why in rows
            ]
        )
        self.code = "rows_refused"
        self.rows = list(rows)


def rows_of(text: str) -> list[Row]:
    """Read a pasted list: “Name of the side: Ana / Bruno; club”, one side on a line.

    The name of the side and the club may be left out; empty lines are passed over.
    """
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not (typed := one_line(line)):
            continue
        who, _semicolon, club = typed.partition(";")
        named, colon, players = who.partition(":")
        rows.append(
            Row(
                number=number,
                text=typed,
                players=tuple(filter(None, map(one_line, (players if colon else who).split("/")))),
                side_name=one_line(named) if colon else "",
                club_name=one_line(club),
            )
        )
    return rows


@transaction.atomic
def import_entries(
    *,
    event: Event,
    text: str,
    by: User | None,
    is_present: bool = False,
    despite_namesakes: bool = True,
    at: datetime | None = None,
) -> list[Entry]:
    """Enter every side of a pasted list, or nobody: then each line that cannot be says why."""
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    rows = rows_of(text)
    if not rows:
        raise ValidationError(_("The list is empty."), code="empty_list")
    if len(rows) > MOST_ROWS:
        raise ValidationError(
            _("A list has at most %(most)s lines."), code="long_list", params={"most": MOST_ROWS}
        )
    entered, refused = [], []
    for row in rows:
        try:
            # A line that is refused leaves nothing behind, so that the next are judged alone.
            with transaction.atomic():
                entered.append(
                    enter_player(
                        event=event,
                        by=by,
                        is_present=is_present,
                        despite_namesakes=despite_namesakes,
                        at=at or timezone.now(),
                        **_wish_of(row, event.side_size),
                    )
                )
        except ValidationError as why:
            refused.append((row.number, row.text[:60], " ".join(why.messages)))
    if refused:
        raise RowsRefused(refused)
    return entered


def _wish_of(row: Row, size: int) -> dict[str, Any]:
    first, *rest = row.players or ("",)
    if len(rest) not in ({0, size - 1, size} if size > 1 else {0}):
        raise ValidationError(
            _("%(count)s players enter together here."), code="side_size", params={"count": size}
        )
    return {
        "name": first,
        "partners": rest[: size - 1],
        "reserve": rest[size - 1] if len(rest) == size else "",
        "side_name": row.side_name,
        "club_name": row.club_name,
    }


def incomplete(event: Event) -> list[Entry]:
    """Those who have entered alone where several play together; who has withdrawn is left out."""
    size = event.side_size
    entries = event.entries.exclude(state__in=(Entry.State.WITHDRAWN, Entry.State.EXPELLED))
    counted = entries.annotate(size=Count("entry_players")).filter(size__lt=size)
    return list(counted.by_number().prefetch_related(as_entered()))


@transaction.atomic
def draw_partners(*, event: Event, by: User | None, seed: int | None = None) -> list[Entry]:
    """Let lots put those who entered alone together; gives the new sides.

    Equal seeds give equal sides. Whoever is left over keeps waiting. Refuses when there are too
    few.
    """
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    size = event.side_size
    alone = [each for each in incomplete(event) if each.state != Entry.State.WAITING]
    if size == 1 or len(alone) < size:
        raise ValidationError(
            _("There are not enough players without a partner."), code="too_few_alone"
        )
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    order = sorted(alone, key=lambda entry: entry.pk)
    random.Random(f"partners {seed}").shuffle(order)  # noqa: S311 - a draw that can be shown again
    sides = [order[n : n + size] for n in range(0, len(order) - size + 1, size)]
    for side in sides:
        _put_together(sorted(side, key=lambda entry: entry.number))
    roster_changed(event)
    players = EntryPlayer.objects.filter(entry__in=[side[0].pk for side in sides])
    write_line(
        event,
        KIND.PARTNERS_DRAWN,
        by,
        seed=seed,
        players=[*players.order_by("entry", "pk").values_list("player_id", flat=True)],
    )
    first = [min(side, key=lambda entry: entry.number).pk for side in sides]
    return list(event.entries.filter(pk__in=first).by_number().prefetch_related(as_entered()))


def _put_together(side: Sequence[Entry]) -> None:
    stays, *others = side
    if any(entry.is_present for entry in others) and not stays.is_present:
        stays.state = Entry.State.PRESENT
        stays.save(update_fields=["state"])
    EntryPlayer.objects.filter(entry=stays).update(is_captain=True)
    EntryPlayer.objects.filter(entry__in=others).update(entry=stays)
    Entry.objects.filter(pk__in=[entry.pk for entry in others]).delete()


@transaction.atomic
def put_in_reserve(
    *, entry: Entry, gone: Player, comes: Player, by: User | None, game_runs: bool = False
) -> list[EntryPlayer]:
    """Let the registered reserve of a side play for somebody of it, who becomes the reserve.

    A seat of the running round changes hands. Refuses while a game is being played there, which
    ``game_runs`` says, and anybody but the side's own reserve.
    """
    event = Event.objects.locked().get(pk=entry.event_id)
    refuse_closed(event)
    rows = {
        row.player_id: row
        for row in entry.entry_players.select_for_update(of=("self",)).select_related("player")
    }
    out, into = rows.get(gone.pk), rows.get(comes.pk)
    if into is None or out is None:
        raise ValidationError(
            _("Only the reserve of this side plays for one of its players."), code="not_the_reserve"
        )
    if out.is_reserve and not into.is_reserve:
        return list(rows.values())  # pressed twice
    if not into.is_reserve or out.is_reserve:
        raise ValidationError(
            _("Only the reserve of this side plays for one of its players."), code="not_the_reserve"
        )
    _change_the_seat(entry, gone, comes, game_runs=game_runs)
    out.is_reserve, into.is_reserve = True, False
    out.is_captain, into.is_captain = False, out.is_captain
    for row in (out, into):
        row.save(update_fields=["is_reserve", "is_captain"])
    write_line(event, KIND.SUBSTITUTED, by, players=[comes.pk, gone.pk])
    return [out, into]


def _change_the_seat(entry: Entry, gone: Player, comes: Player, *, game_runs: bool) -> None:
    seat = (
        Seat.objects.filter(entry=entry, player=gone, round__state="playing")
        .select_related("table")
        .first()
    )
    if seat is None or seat.table.decided_at is not None:
        return
    if game_runs:
        raise Conflict(
            _("Table %(number)s is in the middle of a game: the reserve comes in after it."),
            code="game_running",
            params={"number": seat.table.number},
        )
    Seat.objects.filter(pk=seat.pk).update(player=comes)
