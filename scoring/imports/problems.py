"""What is wrong or odd in a list: a code, and what its sentence needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scoring.imports.numbers import may_be_two


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong or odd: a code and what fills the gaps of its sentence; row 0 is the whole."""

    code: str
    row: int = 0
    gaps: dict[str, Any] = field(default_factory=dict)


def no_points(cell: str, row: int) -> Problem:
    """Say that a cell holds no whole number, or that it is not clear which one."""
    code = "which_number" if may_be_two(cell) else "no_number"
    return Problem(code=code, row=row, gaps={"row": row, "cell": cell})
