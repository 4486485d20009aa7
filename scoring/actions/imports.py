"""Bringing in lists of past results, and taking a whole list back."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import actions as club_actions
from clubs.actions.clubs import lock_club
from clubs.models import Club, Player, Publication, User
from clubs.names import one_line
from scoring import imports, results, tasks
from scoring.actions.lists import (
    Person,
    by_line,
    is_left_out,
    people_of,
    reading_of,
    rows_of,
)
from scoring.imports import Line, Reading, Role, Table
from scoring.models import ResultsImport, StaleRanking
from tournaments.actions.events import season_of
from tournaments.actions.journal import write_line
from tournaments.games import GAMES, GameFacts, facts_of
from tournaments.models import Entry, EntryPlayer, Event, JournalLine, Team
from tournaments.rules import Conflict

#: When an evening began of which a list tells only the day.
EVENING = time(20, 0)
UNDECIDED_SHOWN = 5
#: No list of a club is older: a year before it is a slip of the pen.
FIRST_DAY = date(1900, 1, 1)
ROWS_AT_ONCE = 500


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
    sent = ResultsImport(
        club=club,
        entry_key=entry_key,
        file_name=one_line(file_name)[-120:],
        form=table.form,
        encoding=table.encoding,
        delimiter=table.delimiter,
        rows=[list(row) for row in table.rows],
        head=imports.starts_at(table.rows),
        held_on=held_on,
        sent_by=by,
    )
    sent.game = _game_of(sent)
    _guess_columns(sent)
    _guess_entrants(sent)
    sent.full_clean()
    _refuse_day(sent.held_on)
    sent.save()
    return sent


def _game_of(sent: ResultsImport) -> str:
    """Give the first game of which a list has such headings."""
    plays_games = imports.tells_games(rows_of(sent), sent.head)
    return next(code for code, facts in GAMES.items() if facts.plays_games == plays_games)


def _guess_columns(sent: ResultsImport) -> None:
    plays_games = facts_of(sent.game).plays_games
    roles = imports.guessed(rows_of(sent), sent.head, plays_games=plays_games)
    sent.roles = [str(role) for role in roles]


def _guess_entrants(sent: ResultsImport) -> None:
    ways = {together: code for code, together in facts_of(sent.game).entrants.items()}
    below = rows_of(sent)[sent.head + 1 :]
    sent.entrants = ways[imports.side_size_in(below, [Role(role) for role in sent.roles], ways)]


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
    game = sent.game
    for name in ("title", "place", "held_on", "kind", "game", "entrants", "deals_per_round"):
        if name in about:
            value = about[name]
            setattr(sent, name, one_line(value) if isinstance(value, str) else value)
    if sent.game != game:
        # Another game has other columns, and other ways to enter.
        _guess_columns(sent)
        _guess_entrants(sent)
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
    write_line(
        event, JournalLine.Kind.IMPORTED, by, file=sent.file_name, entries=len(by_line(people))
    )
    results.keep_version(event, at=timezone.now())
    _mark_stale(event.season_id, event)
    return event


def _refuse(reading: Reading, people: Sequence[Person]) -> None:
    if reading.errors:
        raise ValidationError(_("Some lines cannot be read: mend them first."), code="errors")
    undecided = [person.name for person in people if person.is_open]
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
                % {"one": meant[person.player.pk], "other": person.name},
                code="one_player_twice",
            )
        meant[person.player.pk] = person.name
    if all(map(is_left_out, by_line(people))):
        raise ValidationError(_("Every line is left out."), code="nobody")


def _event_of(sent: ResultsImport) -> Event:
    starts_at = timezone.make_aware(datetime.combine(sent.held_on, EVENING))
    now = timezone.now()
    facts = facts_of(sent.game)
    event = Event(
        season=season_of(sent.club, sent.held_on),
        kind=sent.kind,
        game=sent.game,
        entrants=sent.entrants,
        **_played_for(facts),
        title=sent.title,
        place=sent.place,
        starts_at=starts_at,
        deals_per_round=sent.deals_per_round,
        ruleset=facts.ruleset(seats=facts.usual_table(sent.entrants)),
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


def _played_for(facts: GameFacts) -> dict[str, int]:
    """Give what games are usually played for; nothing where deals are played."""
    if not facts.plays_games:
        return {}
    return {"best_of": facts.best_of[0], "target": facts.targets[0]}


def _write_entries(event: Event, people: Sequence[Person], sent: ResultsImport) -> list[int]:
    """Write an entry for each line, and give the players that had to be made."""
    there = [side for side in by_line(people) if not is_left_out(side)]
    new = [person.name for side in there for person in side if person.player is None]
    made = club_actions.add_guests(club=sent.club, names=new)
    lines = [side[0].line for side in there]
    numbers, teams = _numbers(lines), _write_teams(event, lines)
    entries = Entry.objects.bulk_create(
        [
            Entry(
                event=event,
                number=numbers[line.row],
                name=line.called,
                team=teams.get(line.team),
                **_counted(line, sent),
            )
            for line in lines
        ],
        batch_size=ROWS_AT_ONCE,
    )
    guests = iter(made)
    EntryPlayer.objects.bulk_create(
        [
            EntryPlayer(event=event, entry=entry, player=person.player or next(guests))
            for entry, side in zip(entries, there, strict=True)
            for person in side
        ],
        batch_size=ROWS_AT_ONCE,
    )
    return [player.pk for player in made]


def _write_teams(event: Event, lines: Sequence[Line]) -> dict[str, Team]:
    names = {line.team for line in lines} - {""}
    return {name: Team.objects.create(event=event, name=name) for name in sorted(names)}


def _numbers(lines: Sequence[Line]) -> dict[int, int]:
    """Give the printed numbers, with their holes, if all are there and differ; else count."""
    printed = [line.number for line in lines]
    if None not in printed and len(set(printed)) == len(printed):
        return {line.row: line.number or 0 for line in lines}
    in_the_list = sorted(line.row for line in lines)
    return {row: number for number, row in enumerate(in_the_list, start=1)}


def _counted(line: Line, sent: ResultsImport) -> dict[str, Any]:
    rounds = [(n, points) for n, points in enumerate(line.rounds, start=1) if points is not None]
    per_round = 1 if facts_of(sent.game).plays_games else sent.deals_per_round
    played = line.won.played if line.won else line.deals
    return {
        "state": Entry.State.PRESENT,
        "place": line.place,
        "points": line.total,
        "sheet_points": line.total - line.penalty,
        "ruled_points": line.penalty,
        "deals_played": played or per_round * max(1, len(rounds)),
        "tally": line.won.to_json() if line.won else {},
        "club_name": line.club,
        "series": line.series,
        "round_points": [
            {"round": n, "table": None, "number": None, "points": points, "deals": per_round}
            for n, points in rounds
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
