"""Fixtures as pages draw them: matches, the columns of a bracket, the tables of groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from clubs.querysets import Visitor
from clubs.templatetags.cards import signed
from scoring import meetings as counted
from tournaments import fixtures
from tournaments.fixtures import StageKind
from tournaments.meetings import Meetings, is_decided, stage_before
from tournaments.models import Entry, Event, Fixture, Stage
from tournaments.saying import said_round, said_source

#: Sections of a bracket, in the order in which they are shown; the final stands with the main draw.
MAIN, LOWER, SIDE, THIRD, FINAL = "W", "L", "R", "T", "F"
FEW, SOME = 8, 16
SIGNED = frozenset({"game_difference", "tento_difference"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a match: its entry, or in words where it comes from."""

    entry: Entry | None
    words: str
    games: int | None
    is_winner: bool
    is_own: bool

    @property
    def name(self) -> str:
        return str(self.entry) if self.entry is not None else self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A fixture with its sides in words."""

    row: Fixture
    home: Side
    away: Side
    scores: str
    note: str
    table: int | None

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.home, self.away

    @property
    def is_bye(self) -> bool:
        return self.row.is_done and self.row.ending == Fixture.Ending.BYE

    @property
    def is_idle(self) -> bool:
        """Is nobody needed here: a second final that was not played, a slot that stays empty?"""
        return self.row.is_done and not self.row.winner

    @property
    def is_walkover(self) -> bool:
        return self.row.is_done and self.row.ending == Fixture.Ending.WALKOVER

    @property
    def is_nobodys(self) -> bool:
        """Did neither side come?"""
        return self.row.is_done and self.row.ending == Fixture.Ending.BOTH_ABSENT

    @property
    def counts(self) -> bool:
        return is_decided(self.row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A round of a bracket; ``joins`` says how its matches lead into the next column."""

    key: str
    title: str
    matches: Sequence[Match]
    joins: str = ""
    is_fed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """Columns that belong together."""

    key: str
    title: str
    columns: Sequence[Column]

    @property
    def size(self) -> str:
        """How crowded it is: few, some or many fixtures one below the other."""
        height = max(len(column.matches) for column in self.columns)
        return "few" if height <= FEW else "some" if height <= SOME else "many"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A line of a group's table."""

    entry: Entry | None
    data: Mapping[str, Any]
    decided: Sequence[str]
    addends: str
    is_own: bool

    @property
    def parted_by(self) -> str:
        """What parted it from its neighbours where points did not; the last that decided."""
        last = self.data["decided_by"][-1:] or [{"code": "points"}]
        return "" if last[0]["code"] == "points" else self.decided[-1]

    @property
    def games(self) -> str:
        return "{}–{}".format(*self.data["games"])

    @property
    def tentos(self) -> str:
        return "{}–{}".format(*self.data["tentos"])

    @property
    def balance(self) -> int:
        own, other = self.data["tentos"]
        return int(own - other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group with its table and its rounds; of a Swiss there is one."""

    letter: str
    title: str
    lines: Sequence[TableLine]
    rounds: Sequence[Column]
    is_swiss: bool

    @property
    def is_over(self) -> bool:
        return all(match.row.is_done for column in self.rounds for match in column.matches)

    @property
    def decided(self) -> str:
        """How many of its fixtures are decided: 4/6."""
        rows = [match.row for column in self.rounds for match in column.matches]
        return f"{sum(row.is_done for row in rows)}/{len(rows)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePicture:
    """A stage as a page draws it."""

    meetings: Meetings
    groups: Sequence[Group]
    brackets: Sequence[Bracket]
    matches: Sequence[Match]
    champion: Entry | None

    @property
    def ready(self) -> list[Match]:
        """What can be called now: of each side the first fixture, if it does not play already."""
        busy = {side for each in self.playing for side in (each.row.home_id, each.row.away_id)}
        found = []
        for match in self.matches:
            sides = {match.row.home_id, match.row.away_id}
            if match.row.state == Fixture.State.READY and busy.isdisjoint(sides):
                found.append(match)
                busy |= sides
        return found

    @property
    def playing(self) -> list[Match]:
        at_tables = (Fixture.State.PLAYING, Fixture.State.PLAYED)
        return [each for each in self.matches if each.row.state in at_tables]

    @property
    def decided(self) -> int:
        return sum(each.row.is_done for each in self.matches)

    @property
    def may_be_drawn_again(self) -> bool:
        """Is there no result yet, and no table that plays?"""
        rows = [each.row for each in self.matches]
        return all(row.decided_at is None and row.table_id is None for row in rows)


def entries_of(event: Event) -> dict[int, Entry]:
    """The entries of an event by key, with who plays in each."""
    return {entry.pk: entry for entry in event.entries.with_sides()}


def own_entries(entries: Mapping[int, Entry], visitor: Visitor) -> frozenset[int]:
    """The entries in which the visitor plays."""
    if not visitor.is_authenticated:
        return frozenset()
    return frozenset(
        pk
        for pk, entry in entries.items()
        if any(row.player.account_id == visitor.pk for row in entry.entry_players.all())
    )


def picture_of(
    meetings: Meetings, entries: Mapping[int, Entry], own: frozenset[int]
) -> StagePicture:
    """Draw a stage; its rows are expected with their tables."""
    from_groups = comes_from_groups(meetings.stage)
    matches = [match_of(row, entries, own, from_groups=from_groups) for row in meetings.rows]
    champion = None if meetings.has_tables or not meetings.rows else meetings.now.champion
    return StagePicture(
        meetings=meetings,
        groups=list(_groups(meetings, matches, entries, own)) if meetings.has_tables else [],
        brackets=[] if meetings.has_tables else list(_brackets(meetings, matches)),
        matches=matches,
        champion=entries.get(champion) if champion is not None else None,
    )


def comes_from_groups(stage: Stage) -> bool:
    """Do the sides of a stage come out of groups?"""
    before = stage_before(stage)
    return before is not None and before.kind == Stage.Kind.GROUPS


def match_of(
    row: Fixture, entries: Mapping[int, Entry], own: frozenset[int], *, from_groups: bool
) -> Match:
    """Say a fixture in words."""
    words = {
        side: said_source(source, from_groups=from_groups)
        for side, source in (("home", row.home_from), ("away", row.away_from))
    }
    return Match(
        row=row,
        home=_side(row, Fixture.Side.HOME, words, entries, own),
        away=_side(row, Fixture.Side.AWAY, words, entries, own),
        scores=" ".join(f"{home}–{away}" for home, away in row.scores),
        note=_note(row),
        table=row.table.number if row.table is not None else None,
    )


def _side(
    row: Fixture,
    side: str,
    words: Mapping[str, str],
    entries: Mapping[int, Entry],
    own: frozenset[int],
) -> Side:
    is_home = side == Fixture.Side.HOME
    key, source = (row.home_id, row.home_from) if is_home else (row.away_id, row.away_from)
    is_empty = row.is_done and source not in ("bye", "open")
    return Side(
        entry=entries.get(key) if key is not None else None,
        words=(words[side] if key is None and not is_empty else "") or _("nobody"),
        games=games_of(row)[not is_home] if row.scores else None,
        is_winner=row.winner == side and row.is_done,
        is_own=key in own,
    )


def games_of(row: Fixture) -> tuple[int, int]:
    """The games won by each side; one that was broken off is nobody's."""
    target = int(row.format.get("target", 0))
    whole = [score for score in row.scores if max(score) >= target]
    return sum(h > a for h, a in whole), sum(h < a for h, a in whole)


def _note(row: Fixture) -> str:
    if not row.is_done or row.ending in ("", Fixture.Ending.PLAYED):
        return ""
    return str(row.get_ending_display())


# Brackets


def _brackets(meetings: Meetings, matches: Sequence[Match]) -> Iterator[Bracket]:
    kind = meetings.settings.kind
    by_section: dict[str, dict[int, list[Match]]] = {}
    for match in matches:
        by_section.setdefault(match.row.section, {}).setdefault(match.row.round, []).append(match)
    finals = list(_columns(FINAL, by_section.pop(FINAL, {}), kind))
    main = list(_columns(MAIN, by_section.pop(MAIN, {}), kind))
    if main or finals:
        title = _("Main draw") if by_section.keys() - {THIRD} else ""
        yield Bracket(key=MAIN, title=title, columns=_joined([*main, *finals]))
    titles = {LOWER: _("Lower bracket"), SIDE: _("Second chance"), THIRD: _("Third place")}
    for section in (SIDE, LOWER, THIRD):
        if section in by_section:
            columns = list(_columns(section, by_section.pop(section), kind))
            yield Bracket(key=section, title=titles[section], columns=_joined(columns))


def _columns(
    section: str, rounds: Mapping[int, Sequence[Match]], kind: StageKind
) -> Iterator[Column]:
    for number, matches in sorted(rounds.items()):
        named = len(matches) if kind is not StageKind.DOUBLE else 0
        yield Column(
            key=f"{section}{number}",
            title=said_round(section, number, named),
            matches=sorted(matches, key=lambda match: match.row.order),
        )


def _joined(columns: Sequence[Column]) -> list[Column]:
    """Say how each column leads into the next: two matches into one, or one into one."""
    joined: list[Column] = []
    for column, following in zip(columns, [*columns[1:], None], strict=True):
        joins = ""
        if following is not None:
            ratio = len(column.matches), len(following.matches)
            joins = "pair" if ratio[0] == 2 * ratio[1] else "line" if ratio[0] == ratio[1] else ""
        joined.append(
            Column(
                key=column.key,
                title=column.title,
                matches=column.matches,
                joins=joins,
                is_fed=bool(joined) and bool(joined[-1].joins),
            )
        )
    return joined


# Groups


def _groups(
    meetings: Meetings,
    matches: Sequence[Match],
    entries: Mapping[int, Entry],
    own: frozenset[int],
) -> Iterator[Group]:
    lines = meetings.stage.standings or counted.stage_lines(meetings)
    is_swiss = meetings.settings.kind is StageKind.SWISS
    for section in dict.fromkeys(match.row.section for match in matches):
        mine = [match for match in matches if match.row.section == section]
        yield Group(
            letter=section,
            is_swiss=is_swiss,
            title=_("Standings") if is_swiss else _("Group %(letter)s") % {"letter": section},
            lines=[_line(line, entries, own) for line in lines if line.get("section") == section],
            rounds=[
                Column(
                    key=f"{section}{number}",
                    title=_("Round %(number)s") % {"number": number},
                    matches=[match for match in mine if match.row.round == number],
                )
                for number in sorted({match.row.round for match in mine})
            ],
        )


def _line(data: Mapping[str, Any], entries: Mapping[int, Entry], own: frozenset[int]) -> TableLine:
    return TableLine(
        entry=entries.get(data["entry"]),
        data=data,
        decided=[said_decision(each) for each in data["decided_by"]],
        addends=" + ".join(f"{points} ({code})" for code, points in data["addends"]),
        is_own=data["entry"] in own,
    )


def said_decision(decided: Mapping[str, Any]) -> str:
    """What parted an entry from others, with its value."""
    criterion = fixtures.Criterion(decided["code"])
    value = Fraction(decided["value"])
    if value.denominator != 1:
        text = number_format(round(float(value), 2), 2)
    else:
        text = signed(int(value)) if criterion in SIGNED else str(int(value))
    return _("%(tie_break)s: %(values)s") % {
        "tie_break": _(fixtures.CRITERION_NAMES[criterion]),
        "values": text,
    }


def said_matches(matches: Iterable[Match]) -> list[Match]:
    """The matches that say something in a list: byes and idle ones are passed over."""
    return [match for match in matches if not match.is_bye and not match.is_idle]
