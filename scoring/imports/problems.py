"""What is wrong or odd in a list: a code, and what its sentence needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong or odd: a code and what fills the gaps of its sentence; row 0 is the whole."""

    code: str
    row: int = 0
    gaps: dict[str, Any] = field(default_factory=dict)
