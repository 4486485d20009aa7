"""The rules of play and count a second time, slowly: strings, lists and loops, as the text says.

Written from the rule text alone, to be compared with the engine. Cards are their codes ("EX",
"T21", "SR"), hands are lists of them, a side is a list of seats.
"""

from __future__ import annotations

import math

RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R"]
NEEDED = {0: 56, 1: 51, 2: 41, 3: 36}
MULTIPLIERS = {"petite": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}


def is_trump(card):
    return card[0] == "T"


def suit(card):
    return card[0]


def height(card):
    return int(card[1:]) if is_trump(card) else RANKS.index(card[1:])


def worth(card):
    if card == OWED:
        return -0.5
    if card in ("EX", "T1", "T21"):
        return 4.5
    if is_trump(card):
        return 0.5
    return {"R": 4.5, "D": 3.5, "C": 2.5, "V": 1.5}.get(card[1:], 0.5)


def suit_asked(trick):
    for card in trick:
        if card != "EX":
            return suit(card)
    return None


def legal(hand, trick, *, called=None, first_trick=False):
    asked = suit_asked(trick)
    if asked is None:
        if called is None or not first_trick:
            return set(hand)
        return {c for c in hand if c == "EX" or suit(c) != suit(called) or c == called}
    excuse = {c for c in hand if c == "EX"}
    following = {c for c in hand if c != "EX" and suit(c) == asked}
    if following and asked != "T":
        return following | excuse
    trumps = {c for c in hand if is_trump(c)}
    if not trumps:
        return set(hand)
    played = [height(c) for c in trick if is_trump(c)]
    higher = {c for c in trumps if all(height(c) > h for h in played)}
    return (higher or trumps) | excuse


def best_place(trick):
    asked = suit_asked(trick)
    best = None
    for place, card in enumerate(trick):
        if card == "EX":
            continue
        if best is None:
            best = place
        elif is_trump(card):
            if not is_trump(trick[best]) or height(card) > height(trick[best]):
                best = place
        elif suit(card) == asked == suit(trick[best]) and height(card) > height(trick[best]):
            best = place
    return best


def count_and_score(*, players, leader, tricks, attack, contract, aside, dog):
    """Count the tricks (lists of cards) of a deal and score it by the federation's formula."""
    piles = {"attack": list(aside), "defence": []}
    if contract == "garde_contre":
        piles["defence"] += dog
    winners, excuse = [], None

    def side(seat):
        return "attack" if seat in attack else "defence"

    for number, trick in enumerate(tricks):
        winner = (leader + best_place(trick)) % players
        last = number == len(tricks) - 1
        if "EX" in trick:
            owner = (leader + trick.index("EX")) % players
            swept = all(side(w) == "attack" for w in winners)
            if last and side(owner) == "attack" and swept:
                winner = owner
            excuse = (number, owner, winner)
        winners.append(winner)
        piles[side(winner)] += trick
        leader = winner

    sides = [side(winner) for winner in winners]
    attack_tricks = sides.count("attack")
    slam = {len(tricks): "attack", 0: "defence"}.get(attack_tricks)
    settle_excuse(piles, excuse, sides, side, slam)

    petit = None
    if "T1" in tricks[-1]:
        petit = sides[-1]
    points = sum(map(worth, piles["attack"]))
    bouts = sum(card in ("EX", "T1", "T21") for card in piles["attack"])
    distance = points - NEEDED[bouts]
    made = distance >= 0
    unit = (25 + math.ceil(abs(distance))) * MULTIPLIERS[contract]
    unit = unit if made else -unit
    unit += {"attack": 10, "defence": -10, None: 0}[petit] * MULTIPLIERS[contract]
    unit += {"attack": 200, "defence": -200, None: 0}[slam]
    scores = []
    for seat in range(players):
        if seat not in attack:
            scores.append(-unit)
        elif seat == attack[0]:
            scores.append(unit * (players - len(attack)) - unit * (len(attack) - 1))
        else:
            scores.append(unit)
    return {
        "winners": winners,
        "points": points,
        "bouts": bouts,
        "petit": petit,
        "tricks": attack_tricks,
        "made": made,
        "scores": scores,
    }


def settle_excuse(piles, excuse, sides, side, slam):
    """Move the Excuse to its side, and a card or the half point for it to the other."""
    if excuse is None:
        return
    number, owner, winner = excuse
    own = side(owner)
    other = "defence" if own == "attack" else "attack"
    if number == len(sides) - 1:
        # Played to the last trick it changes side, except in a slam of its own.
        if side(winner) == own and slam != own:
            piles[own].remove("EX")
            piles[other].append("EX")
            pay(piles, other, own)
        return
    if side(winner) != own:
        piles[other].remove("EX")
        piles[own].append("EX")
        pay(piles, own, other)


def pay(piles, payer, payee):
    """Give a low card; who has none owes the half point, here a nameless low card."""
    for card in piles[payer]:
        if worth(card) == 0.5:
            piles[payer].remove(card)
            piles[payee].append(card)
            return
    piles[payee].append("T2")
    piles[payer].append(OWED)


OWED = "owed"
