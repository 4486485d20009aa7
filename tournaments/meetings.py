"""A stage of fixtures read from its rows: its settings, plans, results, and where it stands.

The rules are those of ``tournaments.fixtures``; entrants are the keys of entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Q

from rules_engine.chance import chance, shuffled
from tournaments import fixtures
from tournaments.models import Entry, Event, Fixture, Ruling, Stage

#: What a whole bracket is called where its places are named.
BRACKET = "W"
#: Who may no longer play.
OUT = (Entry.State.WITHDRAWN, Entry.State.EXPELLED)

type Known = Mapping[fixtures.Source, int | None]


@dataclass(frozen=True)
class Meetings:
    """The fixtures of one stage and what follows from them; ``known`` is from the stage before."""

    stage: Stage
    settings: fixtures.StageSettings
    rows: Sequence[Fixture]
    withdrawn: Sequence[int]
    known: Known

    @cached_property
    def plans(self) -> list[fixtures.FixturePlan]:
        """The fixtures as they were planned, in playing order."""
        return [plan_of(row) for row in self.rows]

    @cached_property
    def results(self) -> list[fixtures.FixtureResult]:
        """What somebody decided, at a table or without one."""
        return [result_of(row) for row in self.rows if is_decided(row)]

    @cached_property
    def now(self) -> fixtures.Progress:
        """Where each fixture stands."""
        return fixtures.progress(self.plans, self.results, self.known, withdrawn=self.withdrawn)

    @cached_property
    def tables(self) -> Mapping[str, Sequence[fixtures.Line]]:
        """The lines of its groups or of its Swiss by section; empty for a bracket."""
        if not self.has_tables or not self.rows:
            return {}
        return fixtures.group_tables(
            self.settings,
            self.now,
            seed=self.seed,
            penalties=self.penalties,
            extra_games=self.extra_games,
        )

    @cached_property
    def equals(self) -> Sequence[tuple[str, tuple[int, ...]]]:
        """Those of each section whom only an extra game parts, where the order asks for one."""
        if not self.has_tables or not self.rows or self.asks_next_round:
            return ()
        return fixtures.equals_for_extra_game(
            self.settings, self.now, seed=self.seed, penalties=self.penalties
        )

    @cached_property
    def deciding(self) -> Sequence[Mapping[str, Any]]:
        """What was written down between equals and still is about exactly these."""
        if not self.stage.extra_games:
            return ()
        equals = {frozenset(equal) for _section, equal in self.equals}
        return [each for each in self.stage.extra_games if _entries_in(each) in equals]

    @cached_property
    def extra_games(self) -> Mapping[int, int]:
        """How many games each won in a play-off among equals, or how its lot was drawn."""
        return {entry: won for each in self.deciding for entry, won in each["won"]}

    @property
    def undecided(self) -> Sequence[tuple[str, tuple[int, ...]]]:
        """The equals who still wait for an extra game or for lots."""
        done = {_entries_in(each) for each in self.deciding}
        return [each for each in self.equals if frozenset(each[1]) not in done]

    @cached_property
    def penalties(self) -> Mapping[int, int]:
        """How many warnings and penalties stand against each entry."""
        standing = Ruling.objects.filter(
            event=self.stage.event_id, withdrawn_at=None, entry__isnull=False
        ).exclude(kind=Ruling.Kind.DECISION, effect="")
        counted = standing.order_by().values_list("entry").annotate(Count("pk"))
        return dict(counted)

    @cached_property
    def qualified(self) -> fixtures.Qualified:
        """Who goes on, as far as it is known."""
        return fixtures.qualified(
            self.settings, self.tables, seed=self.seed, penalties=self.penalties
        )

    @property
    def seed(self) -> int:
        """The number of the draw, from which lots are drawn too."""
        return self.stage.seed or 0

    @property
    def has_tables(self) -> bool:
        """Are points counted, as in groups, instead of losers sent home?"""
        return self.settings.kind in {fixtures.StageKind.GROUPS, fixtures.StageKind.SWISS}

    @property
    def asks_next_round(self) -> bool:
        """Must another round be paired before anybody can play on?"""
        return bool(self.rows) and fixtures.needs_next_round(self.settings, self.now)

    @property
    def is_over(self) -> bool:
        """Is every fixture over, and no round left to pair?"""
        return bool(self.rows) and self.now.is_over and not self.asks_next_round


def _entries_in(decided: Mapping[str, Any]) -> frozenset[int]:
    return frozenset(entry for entry, _won in decided["won"])


def settings_of(stage: Stage) -> fixtures.StageSettings:
    """Read what a stage is played by."""
    return fixtures.StageSettings.from_json({**stage.settings, "kind": stage.kind})


def plan_of(row: Fixture) -> fixtures.FixturePlan:
    """Read a fixture as it was planned."""
    return fixtures.FixturePlan(
        section=row.section,
        round=row.round,
        order=row.order,
        home=fixtures.source_from_text(row.home_from),
        away=fixtures.source_from_text(row.away_from),
        format=fixtures.FixtureFormat.from_json(row.format),
        wave=row.wave,
    )


def is_decided(row: Fixture) -> bool:
    """Did somebody decide it? A bye and an opponent who has left decide nothing by themselves."""
    return row.is_done and row.decided_at is not None


def result_of(row: Fixture) -> fixtures.FixtureResult:
    """Read the result of a fixture that is decided."""
    return result_from(
        row, ending=row.ending, winner=row.winner, scores=[tuple(score) for score in row.scores]
    )


def result_from(
    row: Fixture, *, ending: str, winner: str, scores: Sequence[tuple[int, ...]]
) -> fixtures.FixtureResult:
    """Make a result of what was said about a fixture; refuses what cannot be."""
    sides = {Fixture.Side.HOME.value: row.home_id, Fixture.Side.AWAY.value: row.away_id}
    target = fixtures.FixtureFormat.from_json(row.format).target
    games = [score for score in scores if max(score) >= target]
    return fixtures.FixtureResult(
        code=row.code,
        home=row.home_id or 0,
        away=row.away_id,
        winner=sides.get(winner),
        games=(
            sum(score[0] > score[1] for score in games),
            sum(score[0] < score[1] for score in games),
        ),
        scores=tuple((score[0], score[1]) for score in scores),
        ending=fixtures.Ending(ending),
    )


def meetings_of(stage: Stage) -> Meetings:
    """Read a stage of fixtures."""
    return Meetings(
        stage=stage,
        settings=settings_of(stage),
        rows=list(stage.fixtures.order_by("wave", "section", "round", "order", "pk")),
        withdrawn=_withdrawn(stage),
        known={fixtures.source_from_text(text): entry for text, entry in stage.came.items()},
    )


def _withdrawn(stage: Stage) -> tuple[int, ...]:
    """Who left before the next stage was drawn, in that order: what came of this one stays."""
    gone = Entry.objects.filter(event=stage.event_id, state__in=OUT)
    later = Stage.objects.filter(
        event=stage.event_id, number__gt=stage.number, drawn_at__isnull=False
    )
    following = later.order_by("number").first()
    if following is not None:
        gone = gone.filter(withdrawn_at__lt=following.drawn_at)
    return tuple(gone.order_by("withdrawn_at", "pk").values_list("pk", flat=True))


def stage_before(stage: Stage) -> Stage | None:
    """The stage whose entrants come into this one; nothing for the first."""
    earlier = Stage.objects.filter(event=stage.event_id, number__lt=stage.number)
    return earlier.exclude(kind=Stage.Kind.DEALS).order_by("-number").first()


def out_of(played: Meetings) -> Known:
    """Who comes out of a stage, by source; nobody while it is played."""
    if not played.is_over:
        return {}
    if played.has_tables:
        return played.qualified.known
    return {
        fixtures.PlaceInGroup(BRACKET, place): entry
        for place, entry in enumerate(_in_order(played)[: played.settings.qualifiers], start=1)
    }


def _in_order(played: Meetings) -> list[int]:
    """The places of a bracket one by one; who share one are parted by lot."""
    drawn = shuffled([each.entrant for each in played.now.places], chance(f"{played.seed}:places"))
    places = {each.entrant: each.place for each in played.now.places}
    here = [entrant for entrant in drawn if entrant not in played.withdrawn]
    return sorted(here, key=lambda entrant: places[entrant])


def sections_of(played: Meetings) -> tuple[str, ...]:
    """The groups out of which sides come; of a bracket there is one."""
    if not played.has_tables:
        return (BRACKET,)
    return tuple(dict.fromkeys(row.section for row in played.rows))


def as_text(known: Known) -> dict[str, int | None]:
    """Give who came out of a stage as a row holds it."""
    return {source.text(): entry for source, entry in known.items()}


def has_begun(stage: Stage) -> bool:
    """Does a result of the stage stand, or was one of its fixtures called to a table?"""
    begun = Q(decided_at__isnull=False) | Q(table__isnull=False)
    return stage.fixtures.filter(begun).exists()


def stages_with_fixtures(event: Event) -> list[Stage]:
    """The stages in which two sides meet, in order."""
    return list(event.stages.exclude(kind=Stage.Kind.DEALS).order_by("number"))
