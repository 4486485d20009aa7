"""What lists of games that are won say of a side: meetings, games and points of the cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.names import fold_name
from scoring.imports.columns import Role, heading
from scoring.imports.numbers import MINUS, MISSED, points_in
from scoring.imports.problems import Problem, no_points
from tournaments.fixtures import Points

COUNTS = (
    Role.PLAYED, Role.WINS, Role.LOSSES, Role.GAMES_WON, Role.GAMES_LOST, Role.POINTS_FOR,
    Role.POINTS_AGAINST,
)  # fmt: skip
#: One of these, and the list is of games that are won.
TELLING = frozenset({Role.WINS, Role.GAMES_WON, Role.POINTS_FOR})
#: How a round says who won its meeting, folded: in a word or a letter, else by its score.
WON_WORDS = frozenset({"v", "w", "g", "vitoria", "victoire", "win", "won", "gagne", "ganhou"})
LOST_WORDS = frozenset({"d", "l", "p", "derrota", "defaite", "loss", "lost", "perdu", "perdeu"})
SCORE = re.compile(r"(\d{1,2}) ?(?:[x×:-]|a) ?(\d{1,2})")
#: No meeting is won by more games; a higher number is of tentos.
MOST_GAMES = 4
#: What a list without points gives for meetings: as an evening counts of which nothing is said.
USUAL = Points()


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """What the meetings of a side add up to; games and points: own, then the others'."""

    played: int = 0
    wins: int = 0
    losses: int = 0
    games: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)

    @property
    def strength(self) -> tuple[int, ...]:
        """Give what parts equal points, as in ``scoring.games_won``; more is better."""
        games, points = self.games, self.points
        return self.wins, games[0] - games[1], points[0] - points[1], points[0]

    @property
    def usual_points(self) -> int:
        """Give the points of the meetings where the list has none."""
        return self.wins * USUAL.win + self.losses * USUAL.loss

    def to_json(self) -> dict[str, Any]:
        """Give it as entries keep what they won."""
        return {
            "wins": self.wins,
            "losses": self.losses,
            "games": list(self.games),
            "points": list(self.points),
        }


def tells_games(rows: Sequence[Sequence[str]], head: int) -> bool:
    """Do the headings, or what stands in the rounds, speak of games that are won?"""
    if head < 0:
        return False
    roles = [heading(cell, plays_games=True) for cell in rows[head]]
    if TELLING & set(roles):
        return True
    rounds = [
        cell
        for row in rows[head + 1 :]
        for role, cell in zip(roles, row, strict=True)
        if role == Role.ROUND and cell.casefold() not in MISSED
    ]
    return bool(rounds) and all(map(meeting_in, rounds))


def meeting_in(cell: str) -> Won | None:
    """Read how the meeting of a round ended, as "V" or "2x1"; nothing where points stand."""
    words = fold_name(cell.translate(MINUS))
    if words in WON_WORDS | LOST_WORDS:
        return _meeting(int(words in WON_WORDS), int(words in LOST_WORDS))
    score = SCORE.fullmatch(words)
    if score is None:
        return None
    own, others = int(score[1]), int(score[2])
    ended = {"games" if max(own, others) <= MOST_GAMES else "points": (own, others)}
    return _meeting(int(own > others), int(own < others), **ended)


def _meeting(win: int, loss: int, **ended: tuple[int, int]) -> Won:
    return Won(played=1, wins=win, losses=loss, **ended)


def won_in(
    cells: Mapping[Role, str], meetings: Sequence[Won], row: int, errors: list[Problem]
) -> Won | None:
    """Read what a side won, where the list does not say from its meetings; nothing for neither."""
    told = {role: _count(cells.get(role, ""), row, errors) for role in COUNTS}
    if meetings:
        counted = _added_up(meetings)
        told = {role: counted[role] if said is None else said for role, said in told.items()}
    if all(number is None for number in told.values()):
        return None
    number = {role: count or 0 for role, count in told.items()}
    wins, losses = number[Role.WINS], number[Role.LOSSES]
    if told[Role.LOSSES] is None and told[Role.WINS] is not None:
        losses = max(0, number[Role.PLAYED] - wins)
    return Won(
        played=number[Role.PLAYED] if told[Role.PLAYED] is not None else wins + losses,
        wins=wins,
        losses=losses,
        games=(number[Role.GAMES_WON], number[Role.GAMES_LOST]),
        points=(number[Role.POINTS_FOR], number[Role.POINTS_AGAINST]),
    )


def _added_up(meetings: Sequence[Won]) -> dict[Role, int]:
    return {
        Role.PLAYED: len(meetings),
        Role.WINS: sum(each.wins for each in meetings),
        Role.LOSSES: sum(each.losses for each in meetings),
        Role.GAMES_WON: sum(each.games[0] for each in meetings),
        Role.GAMES_LOST: sum(each.games[1] for each in meetings),
        Role.POINTS_FOR: sum(each.points[0] for each in meetings),
        Role.POINTS_AGAINST: sum(each.points[1] for each in meetings),
    }


def _count(cell: str, row: int, errors: list[Problem]) -> int | None:
    try:
        count = points_in(cell)
    except ValueError:
        errors.append(no_points(cell, row))
        return None
    if count is not None and count < 0:
        errors.append(Problem(code="below_zero", row=row, gaps={"row": row, "cell": cell}))
    return count


def odd_number(won: Won, row: int, name: str) -> Iterator[Problem]:
    """Tell of a line whose wins and losses are not what it played."""
    if won.played != won.wins + won.losses:
        gaps = {"row": row, "name": name, "played": won.played}
        gaps |= {"wins": won.wins, "losses": won.losses}
        yield Problem(code="other_played", row=row, gaps=gaps)


def odd_sums(every: Sequence[Won], roles: Sequence[Role]) -> Iterator[Problem]:
    """Tell of a list in which more, or less, is won than is lost."""
    for code, own, others, pairs in (
        ("sum_wins", Role.WINS, Role.LOSSES, [(won.wins, won.losses) for won in every]),
        ("sum_points", Role.POINTS_FOR, Role.POINTS_AGAINST, [won.points for won in every]),
    ):
        ours, theirs = (sum(pair[side] for pair in pairs) for side in (0, 1))
        if own in roles and others in roles and ours != theirs:
            yield Problem(code=code, gaps={"won": ours, "lost": theirs})
