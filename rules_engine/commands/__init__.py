"""The commands of ``python -m rules_engine``: one module for each codec.

A module offers its commands as ``LineCommand`` or ``DocumentCommand`` values; ``shell.COMMANDS``
gives them their names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: No honest line is longer (a whole deal with its plays is about 4 kB), in bytes.
LONGEST_LINE = 65_536
#: No honest document is longer, in bytes.
LONGEST_DOCUMENT = 1_048_576


@dataclass(frozen=True, slots=True, kw_only=True)
class LineCommand:
    """Answers each line of JSON with one line; ``answer`` raises ``RulesError`` to refuse it."""

    summary: str
    answer: Callable[[object], object]
    longest: int = LONGEST_LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCommand:
    """Turns one whole text into another; ``convert`` raises ``RulesError`` to refuse it."""

    summary: str
    convert: Callable[[str], str]
    longest: int = LONGEST_DOCUMENT


Command = LineCommand | DocumentCommand
