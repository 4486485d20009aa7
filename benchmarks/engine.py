"""Races the tarot engine: whole random deals a second, against a published engine in Python.

Both engines do the same: shuffle and deal, a random taker and contract, a random legal discard,
uniformly random legal cards to the end, every poignée shown that can be, score of each seat; a
petit sec is dealt again. Each has one process of its own on the same Python; they run in turns,
so that both see the same machine, and are measured in CPU time. The rival is installed into an
environment of its own under ``var/``; nothing else here depends on it.

``python benchmarks/engine.py``; the last line is ``ratio N``: how many of our deals go into one of
the rival's at four players, the median of the turns. ``--profile`` shows where our time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
RIVAL = "magmacrunch-tarot"
RIVAL_HOME = ROOT / "var" / "bench-peer"
SCORED = 20_000


# Ours


def our_deals(players: int, number: int, seed: int) -> int:
    """Play whole deals with our engine; give how many points changed hands, as a receipt."""
    from rules_engine import tarot  # noqa: PLC0415  only the process that races it loads it

    rules = tarot.ruleset("fft").for_players(players)
    random = Random(seed)
    draw, bits = random.random, random.getrandbits
    contracts, seats = rules.contracts, range(players)

    def any_of(number: int) -> int:
        return bits(30) % number

    def any_few(cards: list[tarot.Card], number: int) -> list[tarot.Card]:
        return [cards.pop(bits(30) % len(cards)) for _ in range(number)]

    paid = done = 0
    while done < number:
        dealer = done % players
        dealt = tarot.deal_cards(rules, dealer=dealer, pack=tarot.shuffled_pack(draw))
        if dealt.petit_sec is not None:
            continue
        done += 1
        hands, discard = list(dealt.hands), 0
        taker, contract = bits(30) % players, contracts[bits(30) % len(contracts)]
        attack, called = [taker], None
        if players == 5:  # noqa: PLR2004
            may_call = tarot.callable_cards(hands[taker], rules)
            called = tarot.nth_card(may_call, any_of(may_call.bit_count()))
            partner = tarot.partner_of(hands, taker=taker, called=called)
            attack += [] if partner is None else [partner]
        if contract.takes_dog:
            hand = hands[taker] | dealt.dog
            may = tarot.discardable(hand, rules)
            put_aside = any_few(tarot.cards_in(may.plain), may.size - may.trumps_owed)
            if may.trumps_owed:
                put_aside += any_few(tarot.cards_in(may.trumps), may.trumps_owed)
            discard = tarot.card_set(put_aside)
            tarot.check_discard(hand, discard, rules)
            hands[taker] = hand & ~discard
        shown = [
            tarot.ShownPoignee(seat=seat, size=size)
            for seat in seats
            if (size := tarot.largest_poignee(hands[seat], rules))
        ]
        play = tarot.Play(
            hands=hands, leader=(dealer + 1) % players, ruleset=rules, attack=attack, called=called
        )
        play.play_out(bits)
        aside = tarot.cards_aside(contract, dog=dealt.dog, discard=discard)
        count = tarot.count_cards(play, aside=aside)
        deal = tarot.deal_of(count, ruleset=rules, contract=contract, attack=attack, poignees=shown)
        score = tarot.score_deal(deal)
        paid += abs(score.scores[0])
    return paid


# Theirs


def their_deals(players: int, number: int, seed: int) -> int:
    """Play the same with the rival, which knows the game of four only."""
    from tarot.rules import BIDDING, DOG_EXCHANGE, TRICK_PLAY, Game, legal_plays  # noqa: PLC0415

    kinds = ("PRISE", "GARDE", "GARDE_SANS", "GARDE_CONTRE")
    random = Random(seed)
    bits = random.getrandbits
    game = Game(rand=random.random)

    def any_few(cards: list[str], number: int) -> list[str]:
        return [cards.pop(bits(30) % len(cards)) for _ in range(number)]

    paid = done = 0
    while done < number:
        game.new_round()
        game.deal()
        if game.petit_sec >= 0:
            continue
        done += 1
        taker, kind = bits(30) % players, kinds[bits(30) % len(kinds)]
        while game.phase == BIDDING:
            game.bid(game.current_bidder, kind if game.current_bidder == taker else "PASSE")
        if game.phase == DOG_EXCHANGE:
            hand = game.hands[taker]
            plain = [card.id for card in hand if card.type == "suited" and card.rank != "R"]
            trumps = [card.id for card in hand if card.type == "trump" and not card.is_oudler]
            owed = max(0, 6 - len(plain))
            game.discard(any_few(plain, 6 - owed) + any_few(trumps, owed))
        if game.poignee_offer:
            game.declare_poignee(True)
        while game.phase == TRICK_PLAY:
            legal = legal_plays(game.hands[game.current], game.trick)
            game.play(game.current, legal[bits(30) % len(legal)])
        paid += abs(int(game.round_scores[0]))
    return paid


def our_scores(number: int) -> int:
    """Make and score the values of deals in a plain loop."""
    from rules_engine import tarot  # noqa: PLC0415

    rules = tarot.ruleset("fft")
    total = 0
    for step in range(number):
        deal = tarot.Deal(
            ruleset=rules,
            contract=tarot.Contract.GARDE,
            bouts=2,
            half_points=40 + 2 * (step % 60),
            petit_au_bout=tarot.Side.ATTACK,
        )
        total += tarot.score_deal(deal).scores[0]
    return total


# The race

ENGINES: dict[str, Callable[[int, int, int], int]] = {"ours": our_deals, "theirs": their_deals}


def serve(engine: str) -> None:
    """Play on demand: a line "players number seed" in, the CPU seconds it took out."""
    sys.path.insert(0, str(ROOT)) if engine == "ours" else sys.path.pop(0)
    play = ENGINES[engine]
    for line in sys.stdin:
        players, number, seed = map(int, line.split())
        start = time.process_time()
        play(players, number, seed)
        print(time.process_time() - start, flush=True)


class Racer:
    """One engine in a process of its own."""

    def __init__(self, engine: str, python: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [python, __file__, "--serve", engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def deals_per_second(self, players: int, number: int, seed: int) -> float:
        """Let it play; give the deals for each second of CPU time."""
        assert self.process.stdin is not None  # noqa: S101
        assert self.process.stdout is not None  # noqa: S101
        self.process.stdin.write(f"{players} {number} {seed}\n")
        self.process.stdin.flush()
        return number / float(self.process.stdout.readline())


def rival_python() -> str:
    """Give the Python of the rival's environment, made with this very Python if it is missing."""
    python = RIVAL_HOME / "bin" / "python"
    probe = [str(python), "-c", "import tarot.rules"]
    if python.exists() and subprocess.run(probe, check=False).returncode == 0:  # noqa: S603
        return str(python)
    uv = shutil.which("uv") or shutil.which(ROOT / ".uv" / "bin" / "uv")
    if uv:
        made = [[uv, "venv", "-q", "--clear", "--python", sys.executable, str(RIVAL_HOME)]]
        made += [[uv, "pip", "install", "-q", "--no-deps", "--python", str(python), RIVAL]]
    else:
        made = [[sys.executable, "-m", "venv", "--clear", str(RIVAL_HOME)]]
        made += [[str(python), "-m", "pip", "install", "-q", "--no-deps", RIVAL]]
    for command in made:
        subprocess.run(command, check=True)  # noqa: S603
    return str(python)


def race(turns: int) -> None:
    """Run both in turns and print the figures; the ratio at four players comes last."""
    ours, theirs = Racer("ours", sys.executable), Racer("theirs", rival_python())
    ours.deals_per_second(4, 200, 0)
    theirs.deals_per_second(4, 50, 0)
    ratios, us, them = [], [], []
    for turn in range(1, turns + 1):
        us.append(ours.deals_per_second(4, 4000, turn))
        them.append(theirs.deals_per_second(4, 350, turn))
        ratios.append(us[-1] / them[-1])
    print(f"Python {sys.version.split()[0]}, {turns} turns, deals per second of CPU time (median)")
    print(
        f"4 players  ours {statistics.median(us):8,.0f}   {RIVAL} {statistics.median(them):6,.0f}"
    )
    for players in (3, 5):
        each = [ours.deals_per_second(players, 2000, turn) for turn in range(turns)]
        print(
            f"{players} players  ours {statistics.median(each):8,.0f}   the rival plays four only"
        )
    print("ratios", *(f"{ratio:.1f}" for ratio in sorted(ratios)))
    print(f"scoring alone {scores_per_second():,.0f} deals a second")
    print(f"ratio {statistics.median(ratios):.2f}")


def scores_per_second() -> float:
    """Measure scoring alone: a deal made, checked, scored and explained, one after the other."""
    sys.path.insert(0, str(ROOT))
    our_scores(1000)
    best = 0.0
    for _ in range(7):
        start = time.process_time()
        our_scores(SCORED)
        best = max(best, SCORED / (time.process_time() - start))
    return best


def profile() -> None:
    """Show where the time of our engine goes."""
    sys.path.insert(0, str(ROOT))
    our_deals(4, 100, 0)
    watched = cProfile.Profile()
    watched.runcall(our_deals, 4, 3000, 1)
    pstats.Stats(watched).sort_stats("tottime").print_stats(18)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--serve", choices=ENGINES, help=argparse.SUPPRESS)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
    elif options.profile:
        profile()
    else:
        race(options.turns)


if __name__ == "__main__":
    main()
