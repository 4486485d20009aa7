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
    SIDE = "side"
    PLAYER = "player"
    PARTNER = "partner"
    FIRST_NAME = "first_name"
    LAST_NAME = "last_name"
    CLUB = "club"
    SERIES = "series"
    TEAM = "team"
    ROUND = "round"
    PENALTY = "penalty"
    TOTAL = "total"
    DEALS = "deals"
    PLAYED = "played"
    WINS = "wins"
    LOSSES = "losses"
    GAMES_WON = "games_won"
    GAMES_LOST = "games_lost"
    POINTS_FOR = "points_for"
    POINTS_AGAINST = "points_against"


#: Columns that a list may have several of.
SEVERAL = frozenset({Role.NOTHING, Role.ROUND, Role.PARTNER})
#: What is told of deals only, and what of games that are won and of those who win them together.
OF_DEALS = frozenset({Role.DEALS, Role.TEAM})
OF_GAMES = frozenset(
    {Role.SIDE, Role.PARTNER, Role.PLAYED, Role.WINS, Role.LOSSES, Role.GAMES_WON,
     Role.GAMES_LOST, Role.POINTS_FOR, Role.POINTS_AGAINST}
)  # fmt: skip
ROWS_LOOKED_AT = 15
#: Headings, folded; the first that fits says what the column is.
HEADINGS: tuple[tuple[Role, str], ...] = (
    (Role.PENALTY, "penalit.*|penalt.*|penalidade.*"),
    (Role.DEALS, "donnes?|nb donnes|nombre de donnes|deals?|maos|maos jogadas"),
    (Role.PLAYER, "joueu.*|player.*|jogador.*|participant.*|nom (et )?prenom|prenom (et )?nom"),
    (Role.PLAYER, "nom complet|nome completo|name|atletas?"),
    (Role.SIDE, "equipes?|teams?|paires?|pairs?|duplas?|trios?|sides?|lado|camp"),
    (Role.FIRST_NAME, "prenom.*|first ?name|primeiro nome"),
    (Role.LAST_NAME, "nom|noms|nom (de famille|du )?.*|last ?name|surname|sobrenome|nome"),
    (Role.CLUB, "club|clube|association"),
    (Role.SERIES, "serie|series|categorie|category|categoria"),
    (Role.PLACE, r"place|rang|rank|clt|clas|classe?ment|cl\.?|pos|posicao|lugar|colocacao|#"),
    (Role.PLACE, "class|classificacao|col|coloc"),
    (Role.NUMBER, r"n|no|n°|nº|num|numero.*|n° joueur|licen[cs].*|dossard"),
    (Role.TOTAL, r"totaux|total.*|points?|pts|score|bilan|saldo|pontos|cumul|resultat"),
    (Role.ROUND, r"(position|pos|partie|manche|tour|round|rodada|seance|table)\.? ?\d+"),
    (Role.ROUND, r"(jogo|confronto|rencontre|match)\.? ?\d+"),
    (Role.ROUND, r"[pmrt]\.? ?\d+|\d{1,2}"),
    # The evenings of a season, by their days, as a spreadsheet writes them.
    (Role.ROUND, r"\d{1,2}[/.-]\d{1,2}([/.-]\d{2,4})?|\d{4}-\d{2}-\d{2}(t00:00:00)?"),
    (Role.ROUND, r"\d+(re|ere|er|e|eme|a)? ?(position|partie|manche|tour|rodada|seance)"),
)
#: What is won and what is lost, as lists of games that are won head their columns.
GAME = "partidas?|jogos?|games?|sets?|pernas?|quedas?|parties?|manches?"
POINT = "tentos?|pontos?|points?|pts"
WON = "ganh[oa]s?|vencid[oa]s?|won|gagnee?s?"
FOR = "a favor|pro|feitos|marcados|for|pour|marques"
LOST = "perdid[oa]s?|contra|sofrid[oa]s|lost|against|perdue?s|contre|encaisses"
#: They come before the others; short ones, as V and D, mean this in such lists only.
OF_GAMES_HEADINGS: tuple[tuple[Role, str], ...] = (
    (Role.SIDE, "(nome|nom) (da|do|de la|du|de l'|de) (dupla|trio|time|paire|equipe)|times?"),
    (Role.PARTNER, r"parceir[oa]s?( \d)?|partners?|partenaires?"),
    (Role.GAMES_WON, f"({GAME}) ({WON}|{FOR})"),
    (Role.GAMES_LOST, f"({GAME}) ({LOST})"),
    (Role.POINTS_FOR, f"({POINT}) ({FOR})|tentos|tentos ({WON})|tf|tp|pf"),
    (Role.POINTS_AGAINST, f"({POINT}) ({LOST})|tc|pc"),
    (Role.WINS, f"vitori.*|victoir.*|wins?|{WON}|vit|v|w"),
    (Role.LOSSES, r"derrot.*|defait.*|loss(es)?|lost|perdu.*|perdid[oa]s|der|d|l"),
    (Role.PLAYED, r"jogos|j|partidas|confrontos?|match(es|s)?|rencontres|played|jouee?s?|meetings"),
    # The balance follows from the two before it.
    (Role.NOTHING, r"saldo.*|bilan|sd|st|dif.*|average"),
    (Role.TOTAL, "p|pontos ganhos|pg"),
)


NUMBER_OF = re.compile(
    r"^(n[o°.]*|nb|numero|nombre|number|total|qtde?\.?|quantidade) (d[eo]s?|of) "
)


def _compiled(headings: Sequence[tuple[Role, str]]) -> list[tuple[Role, re.Pattern[str]]]:
    return [(role, re.compile(pattern)) for role, pattern in headings]


_OF_DEALS = _compiled(HEADINGS)
_OF_GAMES = [*_compiled(OF_GAMES_HEADINGS), *_OF_DEALS]


def heading(cell: str, *, plays_games: bool = False) -> Role:
    """Say what a heading announces; nothing for one that is not known."""
    folded = fold_name(cell).strip(" :.")
    if plays_games:
        folded = NUMBER_OF.sub("", folded)
    known = _OF_GAMES if plays_games else _OF_DEALS
    return next((role for role, pattern in known if pattern.fullmatch(folded)), Role.NOTHING)


def roles_of(*, plays_games: bool) -> tuple[Role, ...]:
    """Give what columns may be in a list of deals, or of games that are won."""
    foreign = OF_DEALS if plays_games else OF_GAMES
    return tuple(role for role in Role if role not in foreign)


def starts_at(rows: Sequence[Sequence[str]]) -> int:
    """Give the index of the row with the headings; -1 for a list that has none."""
    for index, row in enumerate(rows[:ROWS_LOOKED_AT]):
        if any(_are_headings(row, plays_games=plays_games) for plays_games in (False, True)):
            return index
    return -1


def _are_headings(row: Sequence[str], *, plays_games: bool) -> bool:
    roles = {heading(cell, plays_games=plays_games) for cell in row if cell} - {Role.NOTHING}
    # One word may be a name as well as a heading; two are headings.
    return bool(roles & {Role.PLAYER, Role.LAST_NAME, Role.SIDE}) and len(roles) > 1


def guessed(rows: Sequence[Sequence[str]], head: int, *, plays_games: bool = False) -> list[Role]:
    """Say what each column most likely is; whoever imports looks at it and says otherwise."""
    if head < 0:
        return _by_content(rows)
    found = [heading(cell, plays_games=plays_games) for cell in rows[head]]
    roles = _once_each(_whole_name(found), plays_games=plays_games)
    if not plays_games:
        # Beside a player for himself, it is the team that his points are added to.
        roles = [Role.TEAM if role == Role.SIDE else role for role in roles]
    known = roles_of(plays_games=plays_games)
    return [role if role in known else Role.NOTHING for role in roles]


def _whole_name(roles: list[Role]) -> list[Role]:
    """A column of family names, or of sides, without another one of names holds whole names."""
    if not {Role.PLAYER, Role.FIRST_NAME, Role.LAST_NAME} & set(roles):
        return [Role.PLAYER if role == Role.SIDE else role for role in roles]
    if Role.LAST_NAME in roles and Role.FIRST_NAME not in roles and Role.PLAYER not in roles:
        return [Role.PLAYER if role == Role.LAST_NAME else role for role in roles]
    if Role.PLAYER in roles and Role.LAST_NAME in roles:
        return [Role.NOTHING if role == Role.LAST_NAME else role for role in roles]
    return roles


def _once_each(roles: list[Role], *, plays_games: bool) -> list[Role]:
    """Few come more than once; of totals the last holds them all, a second player is a partner."""
    found: list[Role] = []
    last_total = len(roles) - 1 - roles[::-1].index(Role.TOTAL) if Role.TOTAL in roles else -1
    for index, role in enumerate(roles):
        is_second = role not in SEVERAL and role in found
        is_early_total = role == Role.TOTAL and index != last_total
        if is_second and plays_games and role == Role.PLAYER:
            found.append(Role.PARTNER)
        else:
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
