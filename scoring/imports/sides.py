"""Who a line names: a player, or those who play together as a pair or a trio."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from clubs.names import fold_name, one_line
from scoring.imports.columns import Role
from scoring.imports.texts import as_meant

LONGEST_NAME, LONGEST_SIDE = 120, 60
#: What stands between two names; a word may be a part of one, as in "Costa e Silva".
SIGNS = re.compile(r"\s*[/&+;,|]\s*")
WORDS = re.compile(r"\s*[/&+;,|]\s*|\s+(?:e|et|and|y|x|-|–|—)\s+", re.IGNORECASE)

type Cells = Mapping[Role, str]


def words_of(name: str) -> str:
    """Give the words of a name, folded and in one order: "MARTIN Zoé" is "Zoé Martin"."""
    return " ".join(sorted(fold_name(name).split()))


def names_in(cells: Cells, partners: Sequence[str], *, side_size: int) -> tuple[str, ...]:
    """Give the names in the cells of a line, parted where so many play together."""
    written = [_written(cells), *partners]
    names = [_tidy(name) for name in written if fold_name(name)]
    if side_size == 1 or len(names) != 1:
        return tuple(names)
    return tuple(name for name in _parted(names[0], side_size) if fold_name(name))


def side_name(cells: Cells, names: Sequence[str]) -> str:
    """Give what a side calls itself; nothing where that is who plays in it."""
    called = _tidy(cells.get(Role.SIDE, ""))
    own = {words_of(name) for name in _parted(called, len(names))}
    return "" if own == {words_of(name) for name in names} else called[:LONGEST_SIDE]


def side_size_in(rows: Sequence[Sequence[str]], roles: Sequence[Role], sizes: Iterable[int]) -> int:
    """Say which of the sizes most lines can be read with; of equals the larger."""
    named = [cells_of(row, roles) for row in rows]
    fits = {size: sum(_are(size, *cells) for cells in named) for size in sizes}
    return max(fits, key=lambda size: (fits[size], size))


def _are(size: int, cells: Cells, partners: Sequence[str]) -> bool:
    names = names_in(cells, partners, side_size=size)
    # Whatever can be parted is rather more than one.
    return len(names) == size and (size > 1 or not WORDS.search(names[0]))


def cells_of(row: Sequence[str], roles: Sequence[Role]) -> tuple[dict[Role, str], list[str]]:
    """Give the cells of a line by what they are, and those that name partners."""
    meant = list(zip(roles, map(as_meant, row), strict=True))
    return dict(meant), [cell for role, cell in meant if role == Role.PARTNER]


def _written(cells: Cells) -> str:
    if Role.PLAYER in cells:
        return cells[Role.PLAYER]
    return f"{cells.get(Role.FIRST_NAME, '')} {cells.get(Role.LAST_NAME, '')}"


def _tidy(name: str) -> str:
    return one_line(name)[:LONGEST_NAME]


def _parted(text: str, side_size: int) -> list[str]:
    """Part a text into so many names; by signs first, by words where signs do not do."""
    by_signs = SIGNS.split(text)
    if len(by_signs) == side_size:
        return by_signs
    by_words = WORDS.split(text)
    return by_signs if len(by_words) != side_size and len(by_signs) > 1 else by_words
