"""Reading tables of past results as clubs have them; knows no framework and writes nothing."""

from __future__ import annotations

from scoring.imports.columns import Role, guessed, roles_of, starts_at
from scoring.imports.games import Won, tells_games
from scoring.imports.lines import Line, Reading, read_lines
from scoring.imports.problems import Problem
from scoring.imports.sides import side_size_in, words_of
from scoring.imports.tables import Table, Unreadable, read_table

__all__ = [
    "Line",
    "Problem",
    "Reading",
    "Role",
    "Table",
    "Unreadable",
    "Won",
    "guessed",
    "read_lines",
    "read_table",
    "roles_of",
    "side_size_in",
    "starts_at",
    "tells_games",
    "words_of",
]
