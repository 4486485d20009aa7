"""Rows as results: who, what each round gave, the total; with what is wrong and what is odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clubs.names import fold_name, one_line
from scoring.imports.columns import Role
from scoring.imports.numbers import place_in, points_in
from scoring.standings import shared_places

#: Lines that add up, and are nobody.
SUMS = frozenset({"total", "totaux", "somme", "sum", "soma", "ecart", "verification", "moyenne"})
MOST_ROUNDS = 50
LONGEST_NAME = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong or odd: a code and what fills the gaps of its sentence; row 0 is the whole."""

    code: str
    row: int = 0
    gaps: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A player's line of the list; rows count from 1, as spreadsheets do."""

    row: int
    name: str
    place: int | None = None
    number: int | None = None
    rounds: tuple[int | None, ...] = ()
    penalty: int = 0
    total: int = 0
    deals: int | None = None
    club: str = ""
    series: str = ""

    @property
    def folded(self) -> str:
        """The words of the name, folded and in one order: "MARTIN Zoé" is "Zoé Martin"."""
        return " ".join(sorted(fold_name(self.name).split()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a list says: its lines, best first, what must be mended, and what to look at."""

    lines: tuple[Line, ...]
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    rounds: int


def read_lines(rows: Sequence[Sequence[str]], roles: Sequence[Role], *, head: int) -> Reading:
    """Give the results in the rows below the headings; ``roles`` says what each column is."""
    errors = list(_missing_columns(roles))
    if errors:
        return Reading(lines=(), errors=tuple(errors), warnings=(), rounds=0)
    warnings: list[Problem] = []
    lines: list[Line] = []
    header = rows[head] if head >= 0 else None
    for index, row in enumerate(rows[head + 1 :], start=head + 2):
        if not any(row) or row == header:
            continue
        line = _line(index, row, roles, errors, warnings)
        if line is not None:
            lines.append(line)
    errors += _twice(lines)
    lines, odd = _placed(lines)
    warnings += [*odd, *_sum(lines)]
    if not lines and not errors:
        errors.append(Problem(code="no_lines"))
    return Reading(
        lines=tuple(lines),
        errors=tuple(sorted(errors, key=lambda each: each.row)),
        warnings=tuple(sorted(warnings, key=lambda each: each.row)),
        rounds=sum(role == Role.ROUND for role in roles),
    )


def _missing_columns(roles: Sequence[Role]) -> Iterator[Problem]:
    if not {Role.PLAYER, Role.LAST_NAME} & set(roles):
        yield Problem(code="no_player")
    if not {Role.ROUND, Role.TOTAL} & set(roles):
        yield Problem(code="no_points")
    for role, count in Counter(roles).items():
        if count > 1 and role not in {Role.ROUND, Role.NOTHING}:
            yield Problem(code="column_twice", gaps={"column": str(role)})
    if roles.count(Role.ROUND) > MOST_ROUNDS:
        yield Problem(code="many_rounds", gaps={"most": MOST_ROUNDS})


# One row


def _line(
    index: int,
    row: Sequence[str],
    roles: Sequence[Role],
    errors: list[Problem],
    warnings: list[Problem],
) -> Line | None:
    cells: dict[Role, str] = {
        role: cell for role, cell in zip(roles, row, strict=True) if role is not Role.ROUND
    }
    name = _name(cells)
    if not fold_name(name):
        warnings.append(Problem(code="nobody", row=index, gaps={"row": index}))
        return None
    if fold_name(name).strip(" :") in SUMS:
        warnings.append(Problem(code="sum_line", row=index, gaps={"row": index, "name": name}))
        return None
    before = len(errors)
    rounds = tuple(
        _points(cell, index, errors)
        for role, cell in zip(roles, row, strict=True)
        if role == Role.ROUND
    )
    penalty = _points(cells.get(Role.PENALTY, ""), index, errors) or 0
    total = _points(cells.get(Role.TOTAL, ""), index, errors)
    deals = _points(cells.get(Role.DEALS, ""), index, errors)
    if len(errors) > before:
        return None
    if total is None and all(points is None for points in rounds):
        warnings.append(Problem(code="not_played", row=index, gaps={"row": index, "name": name}))
        return None
    added = sum(points or 0 for points in rounds) + penalty
    if total is not None and rounds and total != added:
        gaps = {"row": index, "name": name, "total": total, "sum": added}
        warnings.append(Problem(code="other_total", row=index, gaps=gaps))
    return Line(
        row=index,
        name=name,
        place=place_in(cells.get(Role.PLACE, "")),
        number=place_in(cells.get(Role.NUMBER, "")),
        rounds=rounds,
        penalty=penalty,
        total=added if total is None else total,
        deals=deals if deals is None or deals > 0 else None,
        club=cells.get(Role.CLUB, "")[:80],
        series=cells.get(Role.SERIES, "")[:20],
    )


def _name(cells: dict[Role, str]) -> str:
    if Role.PLAYER in cells:
        name = cells[Role.PLAYER]
    else:
        name = f"{cells.get(Role.FIRST_NAME, '')} {cells.get(Role.LAST_NAME, '')}"
    # An apostrophe keeps a spreadsheet from taking a name for a formula.
    return one_line(name).removeprefix("'")[:LONGEST_NAME]


def _points(cell: str, index: int, errors: list[Problem]) -> int | None:
    try:
        return points_in(cell)
    except ValueError:
        errors.append(Problem(code="no_number", row=index, gaps={"row": index, "cell": cell}))
        return None


# All rows


def _twice(lines: Sequence[Line]) -> Iterator[Problem]:
    rows: dict[str, int] = {}
    for line in lines:
        first = rows.setdefault(line.folded, line.row)
        if first != line.row:
            gaps = {"row": line.row, "name": line.name, "first": first}
            yield Problem(code="twice", row=line.row, gaps=gaps)


def _placed(lines: Sequence[Line]) -> tuple[list[Line], list[Problem]]:
    """Give every line its place: the printed one where all agree with the points, else counted."""
    counted = shared_places({index: line.total for index, line in enumerate(lines)})
    printed: dict[int, int] = {
        index: line.place for index, line in enumerate(lines) if line.place is not None
    }
    equals = Counter(line.total for line in lines)
    odd = [
        Problem(
            code="other_place",
            row=lines[index].row,
            gaps={
                "row": lines[index].row,
                "name": lines[index].name,
                "place": place,
                "counted": counted[index],
            },
        )
        for index, place in printed.items()
        # A club may part equal points by a rule of its own: the place lies among the equals.
        if not counted[index] <= place < counted[index] + equals[lines[index].total]
    ]
    keeps = len(printed) == len(lines) and not odd
    places = printed if keeps else counted
    order = sorted(counted, key=lambda index: (places[index], lines[index].row))
    return [replace(lines[index], place=places[index]) for index in order], odd


def _sum(lines: Sequence[Line]) -> Iterator[Problem]:
    total = sum(line.total - line.penalty for line in lines)
    if lines and total:
        yield Problem(code="sum", gaps={"sum": total})
