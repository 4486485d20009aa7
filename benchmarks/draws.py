"""CPU seconds and second meetings of evenings drawn round by round, as a table.

Run ``python -m benchmarks.draws`` from the root of the project; ``--quick`` for a few sizes.
Each draw knows the history and nothing else. ``bar`` is the sum a draw should not be above;
``odd`` and ``seats`` are the largest difference between two counts at the end of the evening.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from tournaments.seating import PastRound, draw_round
from tournaments.seating.verifier import evening_sum, verify_round

BARS = {
    8: (12, 24, 40, 60, 84),
    9: (0, 0, 9, 18, 27),
    10: (8, 12, 20, 27, 40),
    11: (9, 17, 26, 38, 53),
    12: (9, 18, 30, 45, 63),
    13: (6, 6, 7, 13, 27),
    14: (4, 4, 6, 17, 35),
    15: (0, 0, 0, 21, 42),
    16: (0, 0, 0, 24, 48),
    17: (0, 0, 0, 3, 12),
    18: (0, 0, 0, 7, 16),
    19: (0, 0, 0, 6, 18),
    20: (0, 0, 0, 6, 20),
    22: (0, 0, 0, 0, 6),
}
FIELDS = (*range(8, 33), 36, 40, 44, 48, 50, 52, 56, 60, 64, 100, 200, 400, 800)
TEN_ROUNDS_FROM = 44
QUICK = (8, 12, 14, 16, 20, 24, 32, 64, 800)


@dataclass(frozen=True, kw_only=True)
class Result:
    """One evening: what it cost and what it reached."""

    total: int
    odd: int
    seats: int
    slowest: float
    seconds: float


def measure(players: int, rounds: int, seed: int) -> Result:
    """Draw an evening and time each round."""
    history: list[PastRound] = []
    times = []
    for number in range(rounds):
        start = time.process_time()
        draw = draw_round(
            range(players), history, seed=100 * seed + number, rounds_left=rounds - number
        )
        times.append(time.process_time() - start)
        history.append(draw.as_past())
    figures = verify_round(range(players), history[:-1], history[-1]).figures
    return Result(
        total=evening_sum(history),
        odd=figures.odd_tables_spread,
        seats=figures.seats_spread,
        slowest=max(times),
        seconds=sum(times),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few sizes only")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("players rounds  bar  sum  odd seats  slowest draw  evening (CPU seconds)")
    for players in QUICK if asked.quick else FIELDS:
        bars = dict(zip((3, 4, 5, 6, 7), BARS.get(players, (0,) * 5), strict=True))
        if players >= TEN_ROUNDS_FROM:
            bars[10] = 0
        for rounds, bar in bars.items():
            result = measure(players, rounds, asked.seed)
            print(
                f"{players:7} {rounds:6} {bar:4} {result.total:4} {result.odd:4} {result.seats:5}"
                f" {result.slowest:13.2f} {result.seconds:8.2f}"
                f"{'  above the bar' if result.total > bar else ''}",
                flush=True,
            )


if __name__ == "__main__":
    main()
