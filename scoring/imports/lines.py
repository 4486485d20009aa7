"""Rows as results: who, what each round gave, the total; with what is wrong and what is odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.names import fold_name, one_line
from scoring.imports.columns import SEVERAL, Role
from scoring.imports.games import Won, meeting_in, odd_number, odd_sums, won_in
from scoring.imports.numbers import place_in, points_in
from scoring.imports.problems import Problem, no_points
from scoring.imports.sides import cells_of, names_in, side_name, words_of
from scoring.standings import shared_places

#: Lines that add up, and are nobody.
SUMS = frozenset({"total", "totaux", "somme", "sum", "soma", "ecart", "verification", "moyenne"})
MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The line of a player, or of a side; rows count from 1, as spreadsheets do.

    ``called`` is what a side calls itself, empty for the names of its players.
    """

    row: int
    names: tuple[str, ...]
    called: str = ""
    place: int | None = None
    number: int | None = None
    rounds: tuple[int | None, ...] = ()
    penalty: int = 0
    total: int = 0
    deals: int | None = None
    won: Won | None = None
    club: str = ""
    series: str = ""
    team: str = ""

    @property
    def name(self) -> str:
        return self.called or " & ".join(self.names)

    @property
    def strength(self) -> tuple[int, ...]:
        """Give what places are counted from; more is better."""
        return (self.total, *(self.won.strength if self.won else ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a list says: its lines, best first, what must be mended, and what to look at."""

    lines: tuple[Line, ...]
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    rounds: int


def read_lines(
    rows: Sequence[Sequence[str]],
    roles: Sequence[Role],
    *,
    head: int,
    plays_games: bool = False,
    side_size: int = 1,
) -> Reading:
    """Give the results in the rows below the headings; ``roles`` says what each column is.

    ``plays_games`` is said of a list of games that are won, ``side_size`` of how many play
    together.
    """
    errors = list(_wrong_columns(roles, plays_games=plays_games))
    if errors:
        return Reading(lines=(), errors=tuple(errors), warnings=(), rounds=0)
    reader = _Reader(roles, plays_games=plays_games, side_size=side_size)
    header = rows[head] if head >= 0 else None
    lines: list[Line] = []
    for index, row in enumerate(rows[head + 1 :], start=head + 2):
        if any(row) and row != header and (line := reader.line(index, row)) is not None:
            lines.append(line)
    errors = [*reader.errors, *_twice(lines)]
    lines, odd = _placed(lines, trusts_list=plays_games)
    sums = _sums_of_games(lines, roles) if plays_games else _sum(lines)
    warnings = [*reader.warnings, *_other_numbers(lines), *odd, *sums]
    if not lines and not errors:
        errors.append(Problem(code="no_lines"))
    return Reading(
        lines=tuple(lines),
        errors=tuple(sorted(errors, key=lambda each: each.row)),
        warnings=tuple(sorted(warnings, key=lambda each: each.row)),
        rounds=sum(role == Role.ROUND for role in roles),
    )


def _wrong_columns(roles: Sequence[Role], *, plays_games: bool) -> Iterator[Problem]:
    if not {Role.PLAYER, Role.LAST_NAME} & set(roles):
        yield Problem(code="no_player")
    if plays_games and not {Role.ROUND, Role.TOTAL, Role.WINS} & set(roles):
        yield Problem(code="no_wins_or_points")
    if not plays_games and not {Role.ROUND, Role.TOTAL} & set(roles):
        yield Problem(code="no_points")
    for role, count in Counter(roles).items():
        if count > 1 and role not in SEVERAL:
            yield Problem(code="column_twice", gaps={"column": str(role)})
    if roles.count(Role.ROUND) > MOST_ROUNDS:
        yield Problem(code="many_rounds", gaps={"most": MOST_ROUNDS})


# One row


class _Reader:
    """Reads rows, one after the other, and keeps what is wrong and what is odd."""

    def __init__(self, roles: Sequence[Role], *, plays_games: bool, side_size: int) -> None:
        self.roles, self.plays_games, self.side_size = roles, plays_games, side_size
        self.errors: list[Problem] = []
        self.warnings: list[Problem] = []

    def line(self, index: int, row: Sequence[str]) -> Line | None:
        """Give the line of a row; nothing for one that cannot be read, or is nobody's."""
        cells, partners = cells_of(row, self.roles)
        names = names_in(cells, partners, side_size=self.side_size)
        if not names:
            self._odd("nobody", index)
            return None
        if fold_name(names[0]).strip(" :") in SUMS:
            self._odd("sum_line", index, name=names[0])
            return None
        if len(names) != self.side_size:
            said = " & ".join(names)
            self._wrong("side_size", index, name=said, count=len(names), size=self.side_size)
            return None
        return self._results(index, row, cells, names)

    def _results(
        self, index: int, row: Sequence[str], cells: Mapping[Role, str], names: tuple[str, ...]
    ) -> Line | None:
        before = len(self.errors)
        rounds, meetings = self._rounds(index, row)
        penalty = self._points(cells.get(Role.PENALTY, ""), index) or 0
        total = self._points(cells.get(Role.TOTAL, ""), index)
        deals = self._points(cells.get(Role.DEALS, ""), index)
        won = won_in(cells, meetings, index, self.errors) if self.plays_games else None
        if len(self.errors) > before:
            return None
        line = Line(
            row=index,
            names=names,
            called=side_name(cells, names),
            place=place_in(cells.get(Role.PLACE, "")),
            number=place_in(cells.get(Role.NUMBER, "")),
            rounds=rounds,
            penalty=penalty,
            deals=deals if deals is None or deals > 0 else None,
            won=won,
            club=cells.get(Role.CLUB, "")[:80],
            series=cells.get(Role.SERIES, "")[:20],
            team=one_line(cells.get(Role.TEAM, ""))[:60],
        )
        if total is None and won is None and all(points is None for points in rounds):
            self._odd("not_played", index, name=line.name)
            return None
        return replace(line, total=self._total(line, total, counts_wins=bool(meetings)))

    def _rounds(self, index: int, row: Sequence[str]) -> tuple[tuple[int | None, ...], list[Won]]:
        """Give what each round gave, and the meetings of those that say who won."""
        played = [cell for role, cell in zip(self.roles, row, strict=True) if role == Role.ROUND]
        ended = [meeting_in(cell) if self.plays_games else None for cell in played]
        rounds = tuple(
            each.usual_points if each else self._points(cell, index)
            for each, cell in zip(ended, played, strict=True)
        )
        return rounds, [each for each in ended if each is not None]

    def _total(self, line: Line, said: int | None, *, counts_wins: bool) -> int:
        """Give the total that counts: the printed one, else what the list adds up to.

        A list that ``counts_wins`` in its rounds may give them other points than one.
        """
        if line.won is not None:
            self.warnings += odd_number(line.won, line.row, line.name)
        added = sum(points or 0 for points in line.rounds) + line.penalty
        if said is None:
            return added if line.rounds or line.won is None else added + line.won.usual_points
        if line.rounds and said != added and not counts_wins:
            self._odd("other_total", line.row, name=line.name, total=said, sum=added)
        return said

    def _points(self, cell: str, index: int) -> int | None:
        try:
            return points_in(cell)
        except ValueError:
            self.errors.append(no_points(cell, index))
            return None

    def _wrong(self, code: str, index: int, **gaps: int | str) -> None:
        self.errors.append(Problem(code=code, row=index, gaps={"row": index, **gaps}))

    def _odd(self, code: str, index: int, **gaps: int | str) -> None:
        self.warnings.append(Problem(code=code, row=index, gaps={"row": index, **gaps}))


# All rows


def _twice(lines: Sequence[Line]) -> Iterator[Problem]:
    rows: dict[str, int] = {}
    for line in lines:
        for name in line.names:
            words = words_of(name)
            if words in rows:
                gaps = {"row": line.row, "name": name, "first": rows[words]}
                yield Problem(code="twice", row=line.row, gaps=gaps)
            rows.setdefault(words, line.row)


def _other_numbers(lines: Sequence[Line]) -> Iterator[Problem]:
    """Tell why the printed numbers cannot stay: one is missing, or stands twice."""
    numbered = [line for line in lines if line.number is not None]
    bare = next((line for line in lines if line.number is None), None)
    if numbered and bare is not None:
        gaps = {"row": bare.row, "name": bare.name}
        yield Problem(code="no_own_number", row=bare.row, gaps=gaps)
    rows: dict[int | None, int] = {}
    for line in numbered:
        if line.number in rows:
            gaps = {"row": line.row, "number": line.number, "first": rows[line.number]}
            yield Problem(code="number_twice", row=line.row, gaps=gaps)
        rows.setdefault(line.number, line.row)


def _placed(lines: Sequence[Line], *, trusts_list: bool) -> tuple[list[Line], list[Problem]]:
    """Give every line its place: the printed one where all agree with the points, else counted.

    ``trusts_list`` is for games that are won: a knockout places by more than points.
    """
    printed: dict[int, int] = {
        index: line.place for index, line in enumerate(lines) if line.place is not None
    }
    is_ranked = len(printed) == len(lines)
    odd = list(_other_places(lines, printed, keeps=trusts_list and is_ranked))
    places = _counted_places(lines)
    if is_ranked and (trusts_list or not odd):
        places = printed
    order = sorted(places, key=lambda index: (places[index], lines[index].row))
    return [replace(lines[index], place=places[index]) for index in order], odd


def _counted_places(lines: Sequence[Line]) -> dict[int, int]:
    steps = {each: step for step, each in enumerate(sorted({line.strength for line in lines}))}
    return shared_places({index: steps[line.strength] for index, line in enumerate(lines)})


def _other_places(
    lines: Sequence[Line], printed: Mapping[int, int], *, keeps: bool
) -> Iterator[Problem]:
    counted = shared_places({index: line.total for index, line in enumerate(lines)})
    equals = Counter(line.total for line in lines)
    for index, place in printed.items():
        line = lines[index]
        # A club may part equal points by a rule of its own: the place lies among the equals.
        if not counted[index] <= place < counted[index] + equals[line.total]:
            gaps = {"row": line.row, "name": line.name, "place": place, "counted": counted[index]}
            code = "own_place" if keeps else "other_place"
            yield Problem(code=code, row=line.row, gaps=gaps)


def _sum(lines: Sequence[Line]) -> Iterator[Problem]:
    total = sum(line.total - line.penalty for line in lines)
    if lines and total:
        yield Problem(code="sum", gaps={"sum": total})


def _sums_of_games(lines: Sequence[Line], roles: Sequence[Role]) -> Iterator[Problem]:
    if not lines:
        return
    if Role.WINS not in roles and not any(line.won and line.won.wins for line in lines):
        yield Problem(code="no_wins")
    elif not {Role.TOTAL, Role.ROUND} & set(roles):
        yield Problem(code="points_of_wins")
    yield from odd_sums([line.won for line in lines if line.won is not None], roles)
