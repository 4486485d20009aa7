"""Deals that can be, drawn at random from every preset, for the properties."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

from rules_engine import tarot
from rules_engine.tarot.tariff import attack_slam_bounds, defence_slam_most

RULESETS = tuple(tarot.PRESETS.values())
HANDFULS = [
    tarot.Poignee(size=size, side=side) for size in tarot.PoigneeSize for side in tarot.Side
]


def any_deal(chance: Random, rules: tarot.Ruleset | None = None) -> tarot.Deal:
    """Draw a deal of any preset; now and then one with a slam."""
    rules = rules or chance.choice(RULESETS)
    slam = chance.choices([None, *tarot.Side], [8, 1, 1])[0]
    contract = chance.choice(rules.contracts)
    bouts, half_points = _points(chance, rules, contract, slam)
    called = chance.choice(rules.tariff.calls)
    announced = chance.random() < 0.2
    chelem = tarot.Chelem(announced=announced, achieved=slam)
    return tarot.Deal(
        ruleset=rules,
        contract=contract,
        bouts=bouts,
        half_points=half_points,
        petit_au_bout=_petit(chance, rules, bouts, slam),
        poignees=_poignees(chance, rules, called),
        chelem=tarot.NO_CHELEM if chelem == tarot.NO_CHELEM else chelem,
        called=called,
        petit_chelem=_petit_chelem(chance, rules, chelem),
        miseres=_miseres(chance, rules),
    )


def _points(
    chance: Random, rules: tarot.Ruleset, contract: tarot.Contract, slam: tarot.Side | None
) -> tuple[int, int]:
    step = 1 if rules.half_points_occur else 2
    bounds = {bouts: rules.tariff.bounds(bouts) for bouts in range(4)}
    if slam is tarot.Side.ATTACK:
        slams = attack_slam_bounds(rules.players, contract)
        bounds = {bouts: _within(bounds[bouts], span) for bouts, span in slams.items()}
    elif slam is tarot.Side.DEFENCE:
        most = defence_slam_most(rules.players, contract)
        bounds = {bouts: _within(bounds[bouts], (0, top)) for bouts, top in most.items()}
    else:
        # Short of all the points, which would be a slam.
        bounds = {bouts: (fewest, min(most, 173)) for bouts, (fewest, most) in bounds.items()}
    bouts = chance.choice(
        [bouts for bouts, (low, high) in bounds.items() if low + low % step <= high]
    )
    fewest, most = bounds[bouts]
    return bouts, chance.randrange(fewest + fewest % step, most + 1, step)


def _within(outer: tuple[int, int], inner: tuple[int, int]) -> tuple[int, int]:
    return max(outer[0], inner[0]), min(outer[1], inner[1])


def _petit(
    chance: Random, rules: tarot.Ruleset, bouts: int, slam: tarot.Side | None
) -> tarot.Side | None:
    sides: list[tarot.Side | None] = [None]
    if rules.petit_au_bout and bouts > 0 and slam is not tarot.Side.DEFENCE:
        sides.append(tarot.Side.ATTACK)
    if rules.petit_au_bout and bouts < 3 and slam is not tarot.Side.ATTACK:
        sides.append(tarot.Side.DEFENCE)
    return chance.choice(sides)


def _poignees(
    chance: Random, rules: tarot.Ruleset, called: tarot.Called | None
) -> tuple[tarot.Poignee, ...]:
    trumps = dict(zip(tarot.PoigneeSize, rules.trumps_in_poignee, strict=True))
    attackers = 2 if called is tarot.Called.PARTNER else 1
    possible = [
        shown
        for count in range(3)
        for shown in combinations_with_replacement(HANDFULS, count)
        if sum(trumps[poignee.size] for poignee in shown) <= 22
        and sum(poignee.side is tarot.Side.ATTACK for poignee in shown) <= attackers
    ]
    return chance.choice(possible)


def _petit_chelem(chance: Random, rules: tarot.Ruleset, chelem: tarot.Chelem) -> tarot.Chelem:
    if not rules.petit_chelem or chelem != tarot.NO_CHELEM:
        return tarot.NO_CHELEM
    return tarot.Chelem(
        announced=chance.random() < 0.5, achieved=chance.choice([None, *tarot.Side])
    )


def _miseres(chance: Random, rules: tarot.Ruleset) -> tuple[tarot.Misere, ...]:
    if not rules.misere:
        return ()
    every = [
        tarot.Misere(kind=kind, declarer=declarer)
        for kind in tarot.MisereKind
        for declarer in range(rules.players)
    ]
    return tuple(chance.sample(every, chance.randrange(3)))
