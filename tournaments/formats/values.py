"""A format as a value: stages of rounds, who plays them and how they sit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules_engine.errors import Illegal, gettext_noop
from tournaments.placing import Placement
from tournaments.seating import Leftovers

MOST_ROUNDS, MOST_DEALS, MOST_MINUTES, MOST_PLAYERS = 50, 50, 600, 2000
TEAM_SIZES = (1, 2, 4)
#: Of the JSON that a format is written in.
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """Rounds that go together: how long they are, who plays them and how they are placed.

    A round lasts ``deals`` or ``minutes``, never both. ``best`` is how many of the ranking play
    on, None for all. ``placements`` has one entry for all rounds or one per round. ``carried``
    is the part of the scores before this stage that counts in it: 1 all, 0 none, between them
    scaled down ("abattre"). ``breaks_after`` lists rounds, of this stage, that end a session.
    Refuses what cannot be played.
    """

    rounds: int
    deals: int | None = None
    minutes: int | None = None
    best: int | None = None
    placements: tuple[Placement, ...] = (Placement.DRAWN,)
    carried: Fraction = Fraction(1)
    breaks_after: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _refuse_outside("rounds", self.rounds, 1, MOST_ROUNDS)
        if (self.deals is None) == (self.minutes is None):
            raise Illegal(
                gettext_noop(
                    "A round lasts a number of deals or a number of minutes, one of them."
                ),
                code="deals_or_minutes",
                field="deals",
            )
        _refuse_outside("deals", self.deals, 1, MOST_DEALS)
        _refuse_outside("minutes", self.minutes, 1, MOST_MINUTES)
        _refuse_outside("best", self.best, 3, MOST_PLAYERS)
        if len(self.placements) not in {1, self.rounds}:
            raise Illegal(
                gettext_noop("Say how players are placed once, or for each of the rounds."),
                code="placements",
                field="placements",
            )
        if not 0 <= self.carried <= 1:
            raise Illegal(
                gettext_noop("Scores are scaled down by a factor between 0 and 1, not %(factor)s."),
                code="carry_factor",
                field="carried",
                factor=str(self.carried),
            )
        after = self.breaks_after
        if list(after) != sorted(set(after)) or any(not 1 <= r <= self.rounds for r in after):
            raise Illegal(
                gettext_noop("A session ends after a round of its stage, named once, in order."),
                code="breaks_after",
                field="breaks_after",
            )

    def placement(self, round_number: int) -> Placement:
        """How the players of a round are placed."""
        return self.placements[0 if len(self.placements) == 1 else round_number - 1]

    @property
    def by_round(self) -> tuple[Placement, ...]:
        """The placement of each round."""
        return tuple(self.placement(number) for number in range(1, self.rounds + 1))


def _refuse_outside(name: str, value: int | None, least: int, most: int) -> None:
    if value is None or least <= value <= most:
        return
    raise Illegal(
        SENTENCES[name],
        code=f"{name}_outside",
        field=name,
        least=least,
        most=most,
        given=value,
    )


SENTENCES: Mapping[str, str] = {
    "rounds": gettext_noop("Rounds go from %(least)s to %(most)s. You gave %(given)s."),
    "deals": gettext_noop("Deals in a round go from %(least)s to %(most)s. You gave %(given)s."),
    "minutes": gettext_noop(
        "Minutes in a round go from %(least)s to %(most)s. You gave %(given)s."
    ),
    "best": gettext_noop(
        "Those who play on are from %(least)s to %(most)s players. You gave %(given)s."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A name and its stages; teams of 1 (everybody alone), 2 or 4, and what fours leave over.

    Refuses a format without stages, and a first stage for the best only.
    """

    name: str
    stages: tuple[StagePlan, ...]
    team_size: int = 1
    leftovers: Leftovers = Leftovers.THREES

    def __post_init__(self) -> None:
        if not self.stages:
            raise Illegal(
                gettext_noop("A tournament has at least one stage."), code="stages", field="stages"
            )
        if self.stages[0].best is not None:
            raise Illegal(
                gettext_noop("There is no ranking before the first stage: all players play it."),
                code="best_of_nothing",
                field="stages",
            )
        if self.team_size not in TEAM_SIZES:
            raise Illegal(
                gettext_noop("Teams have 2 or 4 players; 1 is everybody alone."),
                code="team_size",
                field="team_size",
            )

    @property
    def rounds(self) -> int:
        """The rounds of all stages."""
        return sum(stage.rounds for stage in self.stages)

    @property
    def deals(self) -> int | None:
        """The deals that a player of every stage plays; None where rounds go by time."""
        each = [None if s.deals is None else s.deals * s.rounds for s in self.stages]
        return None if None in each else sum(deals or 0 for deals in each)

    def stage_of(self, round_number: int) -> tuple[int, int]:
        """The stage of a round of the event, and the round's number within it, both from 1."""
        for number, stage in enumerate(self.stages, start=1):
            if round_number <= stage.rounds:
                return number, round_number
            round_number -= stage.rounds
        raise Illegal(
            gettext_noop("This tournament has %(rounds)s rounds."),
            code="no_such_round",
            field="round",
            rounds=self.rounds,
        )

    def entries_in(self, stage: int, entries: int) -> int:
        """How many play a stage when so many take part in the event."""
        for plan in self.stages[:stage]:
            entries = min(entries, plan.best or entries)
        return entries

    def to_json(self) -> dict[str, Any]:
        """The format as plain data for a JSON column."""
        return {
            "version": VERSION,
            "name": self.name,
            "team_size": self.team_size,
            "leftovers": self.leftovers.value,
            "stages": [_stage_to_json(stage) for stage in self.stages],
        }


def _stage_to_json(stage: StagePlan) -> dict[str, Any]:
    return {
        "rounds": stage.rounds,
        "deals": stage.deals,
        "minutes": stage.minutes,
        "best": stage.best,
        "placements": [placement.value for placement in stage.placements],
        "carried": str(stage.carried),
        "breaks_after": list(stage.breaks_after),
    }
