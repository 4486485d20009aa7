"""Where a tournament stands: the stage of its next round, and who plays in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, groupby

from tournaments.models import Entry, EntryPlayer, Event, Placement, Round, Stage
from tournaments.placing import Ranked
from tournaments.querysets import EntryQuerySet

type Pair = tuple[int, int]

#: What goes on from its own first position, and is not taken up again after another way (OT p.12).
GOES_ON = frozenset({Placement.FFT, Placement.HOWELL, Placement.FINAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Positions of a stage, one after another, that are placed in one way."""

    placement: Placement
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def runs_of(stage: Stage) -> list[Run]:
    """The positions of the stage in order, gathered by how they are placed."""
    positions = range(1, stage.rounds_planned + 1)
    runs = []
    for placement, alike in groupby(positions, stage.placement_at):
        numbers = list(alike)
        runs.append(Run(placement=Placement(placement), first=numbers[0], last=numbers[-1]))
    return runs


def positions_of_movement(stage: Stage, placement: str) -> int:
    """How many positions a movement that begins the stage is to last."""
    first = runs_of(stage)[0]
    return first.length if first.placement == placement else stage.rounds_planned


def next_stage(event: Event) -> Stage | None:
    """The stage that the next round belongs to; nothing when all rounds have been played."""
    started = rounds_started(event)
    return next(
        (s for s in event.stages.order_by("number") if started.get(s.pk, 0) < s.rounds_planned),
        None,
    )


def rounds_started(event: Event) -> Mapping[int, int]:
    """How many rounds of each stage were published, by the stage's key."""
    counts: dict[int, int] = {}
    for stage in event.rounds.published().values_list("stage_id", flat=True):
        if stage is not None:
            counts[stage] = counts.get(stage, 0) + 1
    return counts


def earlier_rounds(stage: Stage) -> list[Round]:
    """The published rounds of the stage, in order."""
    return list(stage.rounds.published().in_order())


def present_entries(stage: Stage) -> EntryQuerySet:
    """Those who are here and in the stage: everybody, or those who passed the last cut."""
    entries = Entry.objects.filter(event=stage.event_id).present()
    cut = (
        Stage.objects.filter(event=stage.event_id, number__lte=stage.number)
        .exclude(qualifiers=None)
        .order_by("-number")
        .first()
    )
    if cut is None:
        return entries
    if cut.rounds.published().exists():
        return entries.filter(reached_stage__gte=cut.number)
    # Nobody has qualified yet: the stages before say among whom.
    before = Stage.objects.filter(event=stage.event_id, number__lt=cut.number).last()
    return present_entries(before) if before else entries


def ranking_of(entries: EntryQuerySet) -> list[Ranked]:
    """The entries as a placement ranks them: by the place that everybody sees."""
    last = Entry.objects.count() + 1
    return [
        Ranked(
            player=entry.entry_players.all()[0].player_id,
            points=-(entry.place or last),
            number=entry.number,
        )
        for entry in entries.prefetch_related("entry_players")
    ]


def players_by_entry(event: Event) -> dict[int, int]:
    """The player of each entry of the event, by the entry's key."""
    return dict(EntryPlayer.objects.filter(event=event).values_list("entry_id", "player_id"))


def teams_of(event: Event, players: Mapping[int, int]) -> list[tuple[int, ...]]:
    """The players of each team, in the order of the teams."""
    teams: dict[int, list[int]] = {}
    members = event.entries.exclude(team=None).exclude(state=Entry.State.WITHDRAWN)
    for team, entry in members.order_by("team", "number").values_list("team_id", "pk"):
        teams.setdefault(team, []).append(players[entry])
    return [tuple(team) for _, team in sorted(teams.items())]


def pairs_of(event: Event, players: Mapping[int, int]) -> list[Pair]:
    """The players who may not meet, pair by pair."""
    pairs = event.prohibited_pairs.order_by("pk").values_list("one_id", "other_id")
    return [(players[one], players[other]) for one, other in pairs]


def mates_of(teams: list[tuple[int, ...]]) -> list[Pair]:
    """Every two of one team."""
    return [pair for team in teams for pair in combinations(team, 2)]
