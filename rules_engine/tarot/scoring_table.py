"""A table from which a page adds up scores without knowing a rule."""

from __future__ import annotations

from rules_engine.tarot.contracts import HALF_POINTS_NEEDED, PACK_HALF_POINTS, Contract
from rules_engine.tarot.lines import POIGNEE_LINES, SlamLines
from rules_engine.tarot.rulesets import Ruleset

#: Added to the distance from the points needed, so that it counts from 0.
OFFSET = max(HALF_POINTS_NEEDED.values())
#: Every distance, in half-points, that a pack allows.
DISTANCES = range(-OFFSET, PACK_HALF_POINTS - min(HALF_POINTS_NEEDED.values()) + 1)


def scoring_table(ruleset: Ruleset) -> dict[str, object]:
    """Give all the amounts of a ruleset as JSON-able data.

    A page looks up and adds, and gets what ``score_deal`` gives for every deal that can be::

        at   = half_points - table.needed[bouts] + table.offset
        made = at >= table.offset ? "made" : "lost"
        unit = table.contracts[contract].units[at]
             + table.contracts[contract].petit_au_bout[petit or "none"]
             + sum of table.poignees[made][size] for each handful
             + table.chelem[announced ? "announced" : "unannounced"][achieved or "none"]
             + the same from table.petit_chelem
        score of a role = unit * table.shares[called or "none"][role]
        each misère: table.misere.declarer to its declarer, table.misere.others to the others

    Besides: ``margins[at]`` is the margin in points for the sentence beside the result;
    ``fewest`` and ``most`` bound the half-points by number of bouts and ``step`` is 2 where
    half points do not occur; ``contracts`` come low to high; ``petit_au_bout``,
    ``petit_chelem`` and ``misere`` are null where the ruleset does not play them.
    """
    tariff = ruleset.tariff
    contracts = {
        str(contract): [tariff.outcome(contract, distance) for distance in DISTANCES]
        for contract in ruleset.contracts
    }
    bounds = [tariff.bounds(bouts) for bouts in HALF_POINTS_NEEDED]
    return {
        "ruleset": ruleset.name,
        "players": ruleset.players,
        "needed": list(HALF_POINTS_NEEDED.values()),
        "fewest": [fewest for fewest, _ in bounds],
        "most": [most for _, most in bounds],
        "step": 1 if ruleset.half_points_occur else 2,
        "offset": OFFSET,
        "margins": [outcome.margin for outcome in next(iter(contracts.values()))],
        "contracts": {
            str(contract): {
                "units": [outcome.unit for outcome in contracts[contract]],
                "petit_au_bout": _petit(ruleset, contract),
            }
            for contract in ruleset.contracts
        },
        "poignees": {
            "made" if made else "lost": {str(size): line.points for size, line in lines.items()}
            for made, lines in POIGNEE_LINES.items()
        },
        "chelem": _slams(tariff.slams),
        "petit_chelem": _slams(tariff.petit_slams) if ruleset.petit_chelem else None,
        "shares": {
            str(called or "none"): _roles(shares) for called, shares in tariff.shares.items()
        },
        "misere": _misere(ruleset),
    }


def _petit(ruleset: Ruleset, contract: Contract) -> dict[str, int] | None:
    if not ruleset.petit_au_bout:
        return None
    lines = ruleset.tariff.petits[contract]
    return {"none": 0} | {str(side): line.points for side, line in lines.items()}


def _slams(lines: SlamLines) -> dict[str, dict[str, int]]:
    amounts: dict[str, dict[str, int]] = {"announced": {}, "unannounced": {}}
    for (announced, achieved), reasons in lines.items():
        way = amounts["announced" if announced else "unannounced"]
        way[str(achieved or "none")] = sum(line.points for line in reasons)
    return amounts


def _roles(shares: tuple[int, ...]) -> dict[str, int]:
    roles = {"taker": shares[0], "defender": shares[-1]}
    # The partner is the only other player who gains with the taker.
    return roles | ({"partner": shares[1]} if shares[1] > 0 else {})


def _misere(ruleset: Ruleset) -> dict[str, int] | None:
    if not ruleset.misere:
        return None
    return {"declarer": ruleset.misere * (ruleset.players - 1), "others": -ruleset.misere}
