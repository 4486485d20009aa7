"""What else can be done when a draw cannot be had as asked: each way in words, with what it costs.

An offer is one press: the answers of the form that draws, filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments.models import Placement, Round
from tournaments.reasons import explained, split_in_words
from tournaments.seating import possible_splits

FULL_TABLE = 4
FEWEST_FOR_THE_MOVEMENT = 17
GRIDS = frozenset({12, 16})
BY_LOT_OR_RANKING = frozenset({Placement.DRAWN, Placement.BEST_WITH_BEST})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The draw that was asked for: how, for how many, and what became of those left over."""

    placement: str
    players: int
    has_teams: bool
    leftovers: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Another way: what the button says, what it costs, and the answers that it sends."""

    words: str
    cost: str
    answers: Mapping[str, str] = field(default_factory=dict)


type Way = Callable[[Asked], Iterable[Offer]]


def offers_after(code: str, asked: Asked) -> list[Offer]:
    """The ways on from a refused draw, by the code of the refusal."""
    return _all_of(REFUSALS.get(code, ()), asked)


def offers_beside(proposal: Round, asked: Asked) -> list[Offer]:
    """The other ways to draw a round whose proposal could not hold everything."""
    said = {reason["code"] for reason in proposal.reasons}
    ways = [way for code, ways in FINDINGS.items() if code in said for way in ways]
    return _all_of(dict.fromkeys(ways), asked)


def _all_of(ways: Iterable[Way], asked: Asked) -> list[Offer]:
    return [offer for way in ways for offer in way(asked)]


# The ways


def _another_seed(asked: Asked) -> Iterable[Offer]:
    yield Offer(
        words=_("Draw again with another seed"),
        cost=_("The same conditions, another lot."),
        answers=_as_before(asked),
    )


def _by_lot(asked: Asked) -> Iterable[Offer]:
    if asked.placement == Placement.DRAWN or asked.has_teams:
        return
    yield Offer(
        words=_("Place this position by lot"),
        cost=_("As few meet again as possible; a movement is not taken up again after it."),
        answers={"placement": Placement.DRAWN, "leftovers": asked.leftovers},
    )


def _by_ranking(asked: Asked) -> Iterable[Offer]:
    if asked.placement == Placement.BEST_WITH_BEST or asked.has_teams:
        return
    yield Offer(
        words=_("Place this position by the ranking"),
        cost=_("The best play with the best, whether they have met or not."),
        answers={"placement": Placement.BEST_WITH_BEST, "leftovers": asked.leftovers},
    )


def _go_on(asked: Asked) -> Iterable[Offer]:
    yield Offer(
        words=_("Go on with the movement"),
        cost=_("Some players meet again; the draw names them."),
        answers={**_as_before(asked), "beyond_limit": "on"},
    )


def _without_pairs(asked: Asked) -> Iterable[Offer]:
    yield Offer(
        words=_("Let those meet who should not"),
        cost=_("For this position alone; the pairs stay on the list."),
        answers={**_as_before(asked), "without_pairs": "on"},
    )


def _movement(asked: Asked) -> Iterable[Offer]:
    if asked.players >= FEWEST_FOR_THE_MOVEMENT and asked.placement != Placement.FFT:
        yield Offer(
            words=_("Follow the federation’s movement"),
            cost=_("Everybody keeps his orientation; what is left over plays at tables of 3."),
            answers={"placement": Placement.FFT},
        )


def _grid(asked: Asked) -> Iterable[Offer]:
    if asked.players in GRIDS and asked.placement != Placement.HOWELL:
        yield Offer(
            words=_("Follow the Howell grid"),
            cost=_("For exactly 12 or 16 players, from the first position of a stage on."),
            answers={"placement": Placement.HOWELL},
        )


def _other_tables(asked: Asked) -> Iterable[Offer]:
    """Every other split of so many players: tables of 3 or 5, or sitting out."""
    if asked.placement not in BY_LOT_OR_RANKING or asked.players % FULL_TABLE == 0:
        return
    for choice in possible_splits(asked.players):
        if choice.policy.value != asked.leftovers:
            yield Offer(
                words=_("Play at %(tables)s") % {"tables": split_in_words(choice.split)},
                cost=" ".join(explained(choice.reasons)),
                answers={"placement": asked.placement, "leftovers": choice.policy.value},
            )


def _as_before(asked: Asked) -> dict[str, str]:
    return {"placement": asked.placement, "leftovers": asked.leftovers}


REFUSALS: Mapping[str, Sequence[Way]] = {
    "movement_exceeded": (_by_ranking, _by_lot, _go_on),
    "movement_interrupted": (_by_ranking, _by_lot),
    "movement_needs_five_tables": (_grid, _by_lot, _by_ranking),
    "howell_players": (_movement, _by_lot, _by_ranking),
    "howell_positions": (_by_ranking, _by_lot),
    "unplayable": (_by_lot, _by_ranking),
    "final_not_of_fours": (_by_ranking, _by_lot),
    "teams_by_lot": (_movement, _grid),
    "prohibited_pairs": (_another_seed, _by_lot, _without_pairs),
    "places_taken": (_by_lot,),
    "too_many_fixed": (_by_lot,),
}
#: Beside a proposal another seed is a button of its own.
FINDINGS: Mapping[str, Sequence[Way]] = {
    "remeeting": (_by_lot, _other_tables),
    "prohibited_together": (_by_lot,),
    "elsewhere_than_ranked": (_without_pairs,),
    "exchanged": (_without_pairs,),
    "cannot_keep_table": (_by_lot,),
    "odd_table_again": (_other_tables,),
    "odd_tables_uneven": (_other_tables,),
    "sits_out_again": (_other_tables,),
    "sits_out": (_other_tables,),
    "threes_again": (_by_lot,),
    "waits_for_a_place": (_by_lot, _by_ranking),
    "tables_of_five_not_homologable": (_other_tables,),
    "sitting_out_not_homologable": (_other_tables,),
}
