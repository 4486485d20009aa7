"""Bringing in lists of past results, and taking a whole list back."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import actions as club_actions
from clubs.actions.clubs import lock_club
from clubs.models import Club, Player, Publication, User, fold_name
from clubs.names import one_line
from rules_engine import tarot
from scoring import imports, results, tasks
from scoring.imports import Line, Reading, Role, Table
from scoring.models import ResultsImport, StaleRanking
from tournaments.actions.events import season_of
from tournaments.actions.journal import write_line
from tournaments.models import Entry, EntryPlayer, Event, JournalLine
from tournaments.namesakes import alike
from tournaments.rules import Conflict

NEW, SKIP = "new", "skip"
#: When an evening began of which a list tells only the day.
EVENING = time(20, 0)
UNDECIDED_SHOWN = 5
#: No list of a club is older: a year before it is a slip of the pen.
FIRST_DAY = date(1900, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A line of the list and who is meant: a player of the club, somebody new, or nobody."""

    line: Line
    player: Player | None
    near: Sequence[Player]
    choice: str

    @property
    def is_open(self) -> bool:
        """Has somebody still to say who is meant?"""
        return not self.choice

    @property
    def is_new(self) -> bool:
        return self.choice == NEW

    @property
    def is_skipped(self) -> bool:
        return self.choice == SKIP


# Before anything is written


def reading_of(sent: ResultsImport) -> Reading:
    """Read the list as its columns are named."""
    roles = [Role(role) for role in sent.roles]
    return imports.read_lines([tuple(row) for row in sent.rows], roles, head=sent.head)


def people_of(sent: ResultsImport, lines: Sequence[Line]) -> list[Person]:
    """Say for each line who is meant: a name that is known, one nearly known, or a new one."""
    players = {player.pk: player for player in sent.club.players.by_name()}
    known = {_words(player.name): player for player in players.values()}
    return [_person(sent, line, known, players) for line in lines]


def opens_season(sent: ResultsImport) -> bool:
    """Has the club no season with the day of the list, so that importing it opens one?"""
    return sent.club.seasons.current(sent.held_on) is None


def twin_of(sent: ResultsImport, lines: Sequence[Line]) -> Event | None:
    """Find a closed evening of the same day with the same points: the list is in already."""
    if not lines:
        return None
    closed = Event.objects.of_club(sent.club).closed().filter(starts_at__date=sent.held_on)
    points: dict[int, list[int]] = {}
    played = Entry.objects.filter(event__in=closed).order_by().values_list("event", "points")
    for event, total in played:
        points.setdefault(event, []).append(total)
    told = sorted(line.total for line in lines)
    twins = [event for event, totals in points.items() if sorted(totals) == told]
    return Event.objects.filter(pk__in=twins).order_by("pk").first() if twins else None


def _words(name: str) -> str:
    return " ".join(sorted(fold_name(name).split()))


def _person(
    sent: ResultsImport, line: Line, known: Mapping[str, Player], players: Mapping[int, Player]
) -> Person:
    said = sent.people.get(line.folded)
    same = known.get(line.folded)
    near = [same] if same is not None else alike(line.name, players.values())
    if isinstance(said, int) and said in players:
        return Person(line=line, player=players[said], near=near, choice=str(said))
    # A name that the club has already is no new one.
    if said == SKIP or (said == NEW and same is None):
        return Person(line=line, player=None, near=near, choice=said)
    if same is not None:
        return Person(line=line, player=same, near=near, choice=str(same.pk))
    return Person(line=line, player=None, near=near, choice="" if near else NEW)


@transaction.atomic
def send_list(
    *,
    club: Club,
    table: Table,
    file_name: str,
    held_on: date,
    entry_key: uuid.UUID,
    by: User,
) -> ResultsImport:
    """Keep a list to look at; the same ``entry_key`` is the same list, and nothing counts yet."""
    lock_club(club)
    known: ResultsImport | None = ResultsImport.objects.filter(
        club=club, entry_key=entry_key
    ).first()
    if known is not None:
        return known
    head = imports.starts_at(table.rows)
    sent = ResultsImport(
        club=club,
        entry_key=entry_key,
        file_name=one_line(file_name)[-120:],
        form=table.form,
        encoding=table.encoding,
        delimiter=table.delimiter,
        rows=[list(row) for row in table.rows],
        head=head,
        roles=[str(role) for role in imports.guessed(table.rows, head)],
        held_on=held_on,
        sent_by=by,
    )
    sent.full_clean()
    _refuse_day(sent.held_on)
    sent.save()
    return sent


def _refuse_day(day: date) -> None:
    if day < FIRST_DAY:
        raise ValidationError(
            {"held_on": _("Look at the year: no list is older than %(year)s.")
             % {"year": FIRST_DAY.year}}
        )  # fmt: skip


@transaction.atomic
def describe_list(
    *,
    sent: ResultsImport,
    head: int,
    roles: Sequence[str],
    people: Mapping[str, Any],
    **about: Any,
) -> ResultsImport:
    """Say what the columns are, who is meant, and what the evening was; nothing counts yet."""
    sent = ResultsImport.objects.locked().get(pk=sent.pk)
    _refuse_unless_draft(sent)
    sent.head, sent.roles, sent.people = head, list(roles), dict(people)
    for name in ("title", "place", "held_on", "kind", "deals_per_round"):
        if name in about:
            value = about[name]
            setattr(sent, name, one_line(value) if isinstance(value, str) else value)
    sent.full_clean()
    _refuse_day(sent.held_on)
    sent.save()
    return sent


@transaction.atomic
def discard_list(*, sent: ResultsImport) -> None:
    """Throw away a list that does not count; a second press finds it gone."""
    now = ResultsImport.objects.locked().filter(pk=sent.pk).first()
    if now is not None:
        if now.is_done:
            _refuse_unless_draft(now)
        now.delete()


def _refuse_unless_draft(sent: ResultsImport) -> None:
    if sent.is_draft:
        return
    if sent.is_done:
        words = _("This list has been imported meanwhile: take it back to change it.")
    else:
        words = _("This list has been taken back meanwhile: send it again to import it.")
    raise Conflict(words, code="not_a_draft")


# The import


@transaction.atomic
def import_list(*, sent: ResultsImport, by: User) -> Event:
    """Make the list a closed evening that counts for its season; pressed twice, it is one.

    Refuses a list with lines that cannot be read, a name of which nobody has said who is meant,
    two lines of one player, and a day to come.
    """
    sent = ResultsImport.objects.locked().get(pk=sent.pk)
    # Seasons, guests and evenings of a club come one after another.
    lock_club(sent.club)
    if sent.is_done and sent.event is not None:
        return sent.event
    _refuse_unless_draft(sent)
    if sent.held_on > timezone.localdate():
        raise ValidationError({"held_on": _("A list of results is of a day that has been.")})
    reading = reading_of(sent)
    people = people_of(sent, reading.lines)
    _refuse(reading, people)
    event = _event_of(sent)
    sent.new_players = _write_entries(event, people, sent)
    sent.state, sent.event = ResultsImport.State.DONE, event
    sent.done_by, sent.done_at = by, timezone.now()
    sent.save()
    write_line(event, JournalLine.Kind.IMPORTED, by, file=sent.file_name, entries=len(people))
    results.keep_version(event, at=timezone.now())
    _mark_stale(event.season_id, event)
    return event


def _refuse(reading: Reading, people: Sequence[Person]) -> None:
    if reading.errors:
        raise ValidationError(_("Some lines cannot be read: mend them first."), code="errors")
    undecided = [person.line.name for person in people if person.is_open]
    if undecided:
        raise ValidationError(
            _("Say who is meant by: %(names)s.")
            % {"names": ", ".join(undecided[:UNDECIDED_SHOWN])},
            code="undecided",
        )
    meant: dict[int, str] = {}
    for person in people:
        if person.player is None:
            continue
        if person.player.pk in meant:
            raise ValidationError(
                _("%(one)s and %(other)s are said to be one player.")
                % {"one": meant[person.player.pk], "other": person.line.name},
                code="one_player_twice",
            )
        meant[person.player.pk] = person.line.name
    if all(person.is_skipped for person in people):
        raise ValidationError(_("Every line is left out."), code="nobody")


def _event_of(sent: ResultsImport) -> Event:
    starts_at = timezone.make_aware(datetime.combine(sent.held_on, EVENING))
    now = timezone.now()
    event = Event(
        season=season_of(sent.club, sent.held_on),
        kind=sent.kind,
        title=sent.title,
        place=sent.place,
        starts_at=starts_at,
        deals_per_round=sent.deals_per_round,
        ruleset=tarot.ruleset("fft").to_json(),
        state=Event.State.CLOSED,
        publication=Publication.CLUB,
        closed_at=min(starts_at, now),
        standings_at=now,
        imported_at=now,
        entry_key=sent.entry_key,
    )
    event.full_clean()
    event.save()
    return event


def _write_entries(event: Event, people: Sequence[Person], sent: ResultsImport) -> list[int]:
    """Write an entry for each line, and give the players that had to be made."""
    there = [person for person in people if not person.is_skipped]
    numbers = _numbers(there)
    made: list[int] = []
    for person in there:
        player = person.player
        if player is None:
            player = club_actions.add_player(
                club=sent.club, name=person.line.name, is_member=False, on=sent.held_on
            )
            made.append(player.pk)
        entry = Entry.objects.create(
            event=event, number=numbers[person.line.row], **_counted(person.line, sent)
        )
        EntryPlayer.objects.create(event=event, entry=entry, player=player)
    return made


def _numbers(people: Sequence[Person]) -> dict[int, int]:
    """Give the printed numbers, with their holes, if all are there and differ; else count."""
    printed = [person.line.number for person in people]
    if None not in printed and len(set(printed)) == len(printed):
        return {person.line.row: person.line.number or 0 for person in people}
    in_the_list = sorted(person.line.row for person in people)
    return {row: number for number, row in enumerate(in_the_list, start=1)}


def _counted(line: Line, sent: ResultsImport) -> dict[str, Any]:
    played = [(n, points) for n, points in enumerate(line.rounds, start=1) if points is not None]
    per_round = sent.deals_per_round
    return {
        "state": Entry.State.PRESENT,
        "place": line.place,
        "points": line.total,
        "sheet_points": line.total - line.penalty,
        "ruled_points": line.penalty,
        "deals_played": line.deals or per_round * max(1, len(played)),
        "club_name": line.club,
        "series": line.series,
        "round_points": [
            {"round": n, "table": None, "number": None, "points": points, "deals": per_round}
            for n, points in played
        ],
    }


@transaction.atomic
def undo_import(*, sent: ResultsImport, by: User) -> ResultsImport:
    """Take a whole list back: its evening, and the guests who were made for it alone.

    A second press finds it taken back.
    """
    sent = ResultsImport.objects.locked().get(pk=sent.pk)
    if not sent.is_done:
        return sent
    # The evening before the club, as at the check-in.
    event = Event.objects.locked().filter(results_import=sent).first()
    lock_club(sent.club)
    season = None
    if event is not None:
        season = event.season_id
        event.entries.all().delete()
        event.delete()
    _forget_players(sent)
    sent.state, sent.event, sent.new_players = ResultsImport.State.UNDONE, None, []
    sent.undone_by, sent.undone_at = by, timezone.now()
    sent.save()
    if season is not None:
        _mark_stale(season, None)
    return sent


def _forget_players(sent: ResultsImport) -> None:
    """Delete the guests that the list made, as long as nobody has used them since."""
    used = Q(entries__isnull=False) | Q(seats__isnull=False) | Q(account__isnull=False)
    used |= Q(membership__isnull=False) | Q(archived_at__isnull=False)
    made = Player.objects.filter(club=sent.club, pk__in=sent.new_players)
    keep = list(made.filter(used).values_list("pk", flat=True))
    made.exclude(pk__in=keep).delete()


def _mark_stale(season_id: int, event: Event | None) -> None:
    StaleRanking.objects.create(
        season_id=season_id, event=event, cause=StaleRanking.Cause.STANDINGS
    )
    tasks.refresh_ranking.delay_on_commit(season_id)
