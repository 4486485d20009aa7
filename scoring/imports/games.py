"""What lists of games that are won say of a side: meetings, games and points of the cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.imports.columns import Role
from scoring.imports.numbers import points_in
from scoring.imports.problems import Problem
from tournaments.fixtures import Points

COUNTS = (
    Role.PLAYED, Role.WINS, Role.LOSSES, Role.GAMES_WON, Role.GAMES_LOST, Role.POINTS_FOR,
    Role.POINTS_AGAINST,
)  # fmt: skip
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


def won_in(cells: Mapping[Role, str], row: int, errors: list[Problem]) -> Won | None:
    """Read what a side won; nothing for a line without any such number."""
    told = {role: _count(cells.get(role, ""), row, errors) for role in COUNTS}
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


def _count(cell: str, row: int, errors: list[Problem]) -> int | None:
    try:
        count = points_in(cell)
    except ValueError:
        errors.append(Problem(code="no_number", row=row, gaps={"row": row, "cell": cell}))
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
