"""Deals scored per second: validated, scored and explained, against the fastest open scorer.

    python benchmarks/scoring.py [PYTHON OF THE PEER]

The peer is magmacrunch-tarot (``hand_score`` and ``distribute``: arithmetic alone, no deal is
checked or explained), installed without dependencies into an environment of its own::

    python -m venv var/peer/venv && var/peer/venv/bin/pip install --no-deps magmacrunch-tarot

Both score the same deals, in turns, in processes of their own; CPU time counts, the best round
of each. The last line is the ratio of ours to the peer's.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / "var" / "peer" / "venv" / "bin" / "python"
DEALS, ROUNDS = 100_000, 5

OURS = """
import json, sys, time
from rules_engine import tarot
rows = json.load(sys.stdin)
fft, sides = tarot.ruleset("fft"), {None: None} | {str(side): side for side in tarot.Side}
deals = [
    dict(ruleset=fft, contract=tarot.Contract(contract), bouts=bouts, half_points=2 * points,
         petit_au_bout=sides[petit],
         poignees=(tarot.Poignee(size=tarot.PoigneeSize(size), side=tarot.Side.ATTACK),)
         if size else ())
    for contract, bouts, points, petit, size in rows
]
Deal, score_deal = tarot.Deal, tarot.score_deal
checksum = 0
start = time.process_time()
for told in deals:
    score = score_deal(Deal(**told))
    checksum += score.scores[0] + len(score.lines)
spent = time.process_time() - start
print(json.dumps([len(deals) / spent, sum(score_deal(Deal(**told)).scores[0] for told in deals)]))
"""

THEIRS = """
import json, sys, time
from tarot.rules import distribute, hand_score
rows = json.load(sys.stdin)
needed = {0: 56, 1: 51, 2: 41, 3: 36}
multipliers = {"petite": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}
sides = {None: None, "attack": "taker", "defence": "defenders"}
shown = {None: None, "simple": {"points": 20}, "double": {"points": 30}, "triple": {"points": 40}}
deals = [
    (bouts, points, multipliers[contract], sides[petit], shown[size])
    for contract, bouts, points, petit, size in rows
]
checksum = 0
start = time.process_time()
for bouts, points, multiplier, petit, poignee in deals:
    difference = points - needed[bouts]
    scores = distribute(0, hand_score(difference >= 0, difference, multiplier, petit, poignee))
    checksum += scores[0]
spent = time.process_time() - start
print(json.dumps([len(deals) / spent, checksum]))
"""


def some_deals(seed: int = 78) -> list[tuple[str, int, int, str | None, str | None]]:
    """Draw deals as an evening has them: mostly plain, some with a petit or a poignée."""
    chance = random.Random(seed)
    return [
        (
            chance.choice(["petite", "garde", "garde", "garde", "garde_sans", "garde_contre"]),
            chance.choice([1, 2]),
            chance.randrange(20, 76),
            chance.choices([None, "attack", "defence"], [8, 1, 1])[0],
            chance.choices([None, "simple", "double", "triple"], [12, 2, 1, 1])[0],
        )
        for _ in range(DEALS)
    ]


def measured(python: Path, program: str, rows: str) -> tuple[float, int]:
    """Run one program over the deals; give deals a second of CPU time, and the takers' sum."""
    done = subprocess.run(  # noqa: S603 - both programs are above
        [python, "-c", program], input=rows, capture_output=True, text=True, check=True, cwd=ROOT
    )
    speed, total = json.loads(done.stdout)
    return speed, int(total)


def main() -> int:
    """Measure both in turns and print the ratio; without the peer print our figure alone."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("peer", type=Path, nargs="?", default=PEER, help="the Python of the peer")
    peer = options.parse_args().peer
    rows = json.dumps(some_deals())
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(measured(Path(sys.executable), OURS, rows))
        if peer.exists():
            theirs.append(measured(peer, THEIRS, rows))
    best = max(speed for speed, _ in ours)
    print(f"Tapis Vert, checked, scored and explained: {best:,.0f} deals/s")
    if not theirs:
        print(f"no peer at {peer}: nothing to compare with")
        return 0
    if {total for _, total in ours} != {total for _, total in theirs}:
        print("the two do not agree on the scores")
        return 1
    peer_best = max(speed for speed, _ in theirs)
    print(f"magmacrunch-tarot, arithmetic alone: {peer_best:,.0f} deals/s")
    print(f"ratio {best / peer_best:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
