"""What an evening allows in its present state, and how it says that the page is too old."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from clubs.models import Role
from clubs.permissions import may
from tournaments import clock
from tournaments.actors import Actor, account_of
from tournaments.models import Event, Fixture, Round, Table

#: A table that has written nothing for so long may have forgotten its sheet.
QUIET = timedelta(minutes=20)
#: Fewer hands of truco than these may well be alike at two tables.
FEWEST_HANDS = 6


#: Farther ahead nobody plans: it is a slip of the keyboard.
FARTHEST = timedelta(days=731)


class Conflict(ValidationError):  # noqa: N818 - a refusal, not a mistake
    """The evening has moved on since the page was made; answered with 409."""


def refuse_closed(event: Event) -> None:
    """Pass an evening that goes on."""
    if event.is_closed:
        raise Conflict(
            _("This tournament is closed. Reopen it before you change it.")
            if event.is_tournament
            else _("This evening is closed. Reopen it before you change it."),
            code="evening_closed",
        )


def refuse_held(table: Table, by: Actor) -> None:
    """Pass who may write on the sheet now."""
    held = held_from(table, by)
    if held is not None:
        raise held


def held_from(table: Table, by: Actor) -> Conflict | None:
    """Give why somebody may not write on the sheet now; nothing for whoever may.

    Only the director may while he has taken the table over, and only directors while the round is
    frozen.
    """
    account = account_of(by)
    if table.taken_over_by_id is not None:
        is_his = account is not None and table.taken_over_by_id == account.pk
        return None if is_his else _taken_over(table)
    if table.round.frozen_at is None:
        return None
    if account is not None and may(account, table.event.club, Role.DIRECTOR):
        return None
    return Conflict(
        _("The director is looking at the sheets: nothing is written until he lets it go on."),
        code="frozen",
    )


def _taken_over(table: Table) -> Conflict:
    return Conflict(
        _("%(name)s writes on this sheet now: the others look on."),
        code="taken_over",
        params={"name": table.taken_over_by},
    )


def refuse_far_ahead(starts_at: datetime, *, at: datetime) -> None:
    """Pass a date within two years, or in the past."""
    if starts_at > at + FARTHEST:
        raise ValidationError(
            _("An evening is planned two years ahead at most: look at the year."), code="far_ahead"
        )


def refuse_started(event: Event) -> None:
    """Pass an evening of which no round has been started."""
    if event.rounds.published().exists():
        raise Conflict(
            _("A round has been started: the tournament stays. Close it when it is over.")
            if event.is_tournament
            else _("A round has been started: the evening stays. Close it when it is over."),
            code="round_started",
        )
    if Fixture.objects.filter(stage__event=event, decided_at__isnull=False).exists():
        raise Conflict(
            _("A fixture has been decided: the tournament stays. Close it when it is over."),
            code="round_started",
        )


def refuse_fixtures_at(this_round: Round) -> None:
    """Pass a round whose tables play no fixtures: there the sides sit as they meet."""
    if Fixture.objects.filter(table__round=this_round.pk).exists():
        raise Conflict(
            _("Sides that meet keep their seats: call a fixture away from its table instead."),
            code="fixtures_at_tables",
        )


def refuse_while_playing(event: Event) -> None:
    """Pass an evening between two rounds."""
    playing = event.rounds.playing().first()
    if playing is not None:
        raise Conflict(
            _("Round %(number)s is being played. Close it before you draw the next one."),
            code="round_playing",
            params={"number": playing.number},
        )


def is_for_another_roster(event: Event, proposal: Round) -> bool:
    """Was the proposal drawn for others than those who are present now?"""
    if proposal.roster_version == event.roster_version:
        return False
    if event.is_tournament:  # its draw depends on teams, pairs and fixed tables as well
        return True
    drawn_for = set(proposal.seats.values_list("entry", flat=True))
    drawn_for |= set(proposal.sit_outs.values_list("entry", flat=True))
    # Who was marked as gone and came back has a seat in this draw.
    return drawn_for != set(event.entries.present().values_list("pk", flat=True))


def refuse_another_roster(event: Event, proposal: Round) -> None:
    """Pass a proposal that was drawn for those who are present now."""
    if is_for_another_roster(event, proposal):
        raise Conflict(
            _("Somebody came or left after this draw. Draw again, then everybody has a seat."),
            code="roster_changed",
        )


def points_on(table: Table) -> int:
    """What a sheet adds up to; zero on every sheet that is right, and where games are won."""
    if table.best_of is not None:
        return 0
    return sum(seat.points for seat in table.seats.all())


def is_quiet(table: Table, *, at: datetime) -> bool:
    """Does an unfinished sheet wait for its next deal for long?"""
    return table.is_open and not table.is_complete and at - table.changed_at >= QUIET


def needs_help(table: Table, *, at: datetime) -> bool:
    """Should the director walk over to this table?"""
    unfinished = not table.is_open and not table.is_complete
    return (
        unfinished
        or is_quiet(table, at=at)
        or points_on(table) != 0
        or table.objections > 0
        or _holds_the_round_up(table, at=at)
    )


def _holds_the_round_up(table: Table, *, at: datetime) -> bool:
    """Is all written at this table, or its time over, and somebody has yet to sign or agree?"""
    unsigned = table.round.event.is_tournament and table.signed_at is None
    return (
        table.is_open
        and (unsigned or table.rows_waiting > 0)
        and (table.is_complete or clock.is_over(table, at=at))
    )


def twins_of(
    tables: Sequence[Table], hands: Mapping[int, Sequence[Hashable]] | None = None
) -> dict[int, list[int]]:
    """Give, by table, the numbers of the tables whose sheets say the same seat by seat.

    A sheet of one deal is not judged: two tables may well begin alike. Scores of games that are
    won are alike all the time: there every hand is compared, given by table, from six on.
    """
    alike: dict[tuple[Hashable, ...], list[Table]] = {}
    for table in tables:
        if table.best_of is not None:
            told = tuple((hands or {}).get(table.pk, ()))
            if len(told) >= FEWEST_HANDS:
                alike.setdefault(told, []).append(table)
            continue
        points = tuple(seat.points for seat in table.seats.all())
        if table.deals_recorded > 1 and any(points):
            alike.setdefault((table.deals_recorded, *points), []).append(table)
    return {
        table.pk: [other.number for other in same if other.pk != table.pk]
        for same in alike.values()
        for table in same
        if len(same) > 1
    }
