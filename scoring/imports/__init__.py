"""Reading tables of past results as clubs have them; knows no framework and writes nothing."""

from __future__ import annotations

from scoring.imports.columns import ROLES, Role, guessed, starts_at
from scoring.imports.lines import Line, Problem, Reading, read_lines
from scoring.imports.tables import Table, Unreadable, read_table

__all__ = [
    "ROLES",
    "Line",
    "Problem",
    "Reading",
    "Role",
    "Table",
    "Unreadable",
    "guessed",
    "read_lines",
    "read_table",
    "starts_at",
]
