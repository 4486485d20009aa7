"""What each column of a list is: by its heading in three languages, else by what stands in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from clubs.names import fold_name
from scoring.imports.numbers import is_points, place_in


class Role(StrEnum):
    """What a column holds; several columns may be rounds."""

    NOTHING = ""
    PLACE = "place"
    NUMBER = "number"
    PLAYER = "player"
    FIRST_NAME = "first_name"
    LAST_NAME = "last_name"
    CLUB = "club"
    SERIES = "series"
    ROUND = "round"
    PENALTY = "penalty"
    TOTAL = "total"
    DEALS = "deals"


ROLES = tuple(Role)
ROWS_LOOKED_AT = 15
#: Headings, folded; the first that fits says what the column is.
HEADINGS: tuple[tuple[Role, str], ...] = (
    (Role.PENALTY, "penalit.*|penalt.*|penalidade.*"),
    (Role.DEALS, "donnes?|nb donnes|nombre de donnes|deals?|maos|maos jogadas"),
    (Role.PLAYER, "joueu.*|player.*|jogador.*|participant.*|nom (et )?prenom|prenom (et )?nom"),
    (Role.PLAYER, "nom complet|nome completo|equipe|paire|pair|dupla|name"),
    (Role.FIRST_NAME, "prenom.*|first ?name|primeiro nome"),
    (Role.LAST_NAME, "nom|noms|nom (de famille|du )?.*|last ?name|surname|sobrenome|nome"),
    (Role.CLUB, "club|clube|association"),
    (Role.SERIES, "serie|series|categorie|category|categoria"),
    (Role.PLACE, r"place|rang|rank|clt|clas|classe?ment|cl\.?|pos|posicao|lugar|colocacao|#"),
    (Role.NUMBER, r"n|no|n°|nº|num|numero.*|n° joueur|licen[cs].*|dossard"),
    (Role.TOTAL, r"totaux|total.*|points?|pts|score|bilan|saldo|pontos|cumul|resultat"),
    (Role.ROUND, r"(position|pos|partie|manche|tour|round|rodada|seance|table)\.? ?\d+"),
    (Role.ROUND, r"[pmrt]\.? ?\d+|\d{1,2}"),
    (Role.ROUND, r"\d+(re|ere|er|e|eme|a)? ?(position|partie|manche|tour|rodada|seance)"),
)
_PATTERNS = [(role, re.compile(pattern)) for role, pattern in HEADINGS]


def heading(cell: str) -> Role:
    """Say what a heading announces; nothing for one that is not known."""
    folded = fold_name(cell).strip(" :.")
    return next((role for role, pattern in _PATTERNS if pattern.fullmatch(folded)), Role.NOTHING)


def starts_at(rows: Sequence[Sequence[str]]) -> int:
    """Give the index of the row with the headings; -1 for a list that has none."""
    for index, row in enumerate(rows[:ROWS_LOOKED_AT]):
        roles = {heading(cell) for cell in row if cell} - {Role.NOTHING}
        # One word may be a name as well as a heading; two are headings.
        if roles & {Role.PLAYER, Role.LAST_NAME} and len(roles) > 1:
            return index
    return -1


def guessed(rows: Sequence[Sequence[str]], head: int) -> list[Role]:
    """Say what each column most likely is; whoever imports looks at it and says otherwise."""
    if head >= 0:
        roles = [heading(cell) for cell in rows[head]]
        return _once_each(_whole_name(roles))
    return _by_content(rows)


def _whole_name(roles: list[Role]) -> list[Role]:
    """A column of family names without one of first names holds whole names."""
    if Role.LAST_NAME in roles and Role.FIRST_NAME not in roles and Role.PLAYER not in roles:
        return [Role.PLAYER if role == Role.LAST_NAME else role for role in roles]
    if Role.PLAYER in roles and Role.LAST_NAME in roles:
        return [Role.NOTHING if role == Role.LAST_NAME else role for role in roles]
    return roles


def _once_each(roles: list[Role]) -> list[Role]:
    """Only rounds come more than once; of totals the last holds them all."""
    found: list[Role] = []
    last_total = len(roles) - 1 - roles[::-1].index(Role.TOTAL) if Role.TOTAL in roles else -1
    for index, role in enumerate(roles):
        is_second = role not in {Role.ROUND, Role.NOTHING} and role in found
        is_early_total = role == Role.TOTAL and index != last_total
        found.append(Role.NOTHING if is_second or is_early_total else role)
    return found


def _by_content(rows: Sequence[Sequence[str]]) -> list[Role]:
    looked_at = rows[:ROWS_LOOKED_AT]
    columns = list(zip(*looked_at, strict=True))
    player = max(range(len(columns)), key=lambda c: (_letters(columns[c]), -c))
    roles = [Role.NOTHING] * len(columns)
    roles[player] = Role.PLAYER
    before = [c for c in range(player) if _are_places(columns[c])]
    after = [c for c in range(player + 1, len(columns)) if _are_points(columns[c])]
    for role, column in zip((Role.PLACE, Role.NUMBER), before, strict=False):
        roles[column] = role
    for column in after[:-1]:
        roles[column] = Role.ROUND
    if after:
        roles[after[-1]] = Role.TOTAL
    return roles


def _letters(column: Sequence[str]) -> int:
    return sum(sum(letter.isalpha() for letter in cell) for cell in column)


def _are_places(column: Sequence[str]) -> bool:
    return all(place_in(cell) is not None for cell in column if cell)


def _are_points(column: Sequence[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and all(map(is_points, filled))
