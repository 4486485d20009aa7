"""Whole tournaments of fixtures for the tests: planned from a format and played by dice."""

from __future__ import annotations

import random
from collections import Counter

from django.utils import timezone

from clubs.models import Club
from scoring import actions, tasks
from tournaments import actions as plain_actions
from tournaments.actions.meetings import rows_of
from tournaments.fixtures import FixtureFormat, verifier
from tournaments.meetings import meetings_of, stages_with_fixtures
from tournaments.models import Event, Fixture, Stage
from tournaments.presets import fixture_preset_named


def planned(club: Club, code: str, *, entrants: str = "pairs") -> Event:
    """A tournament by a format."""
    preset = fixture_preset_named(code)
    assert preset is not None
    return plain_actions.create_championship(
        club=club, by=None, starts_at=timezone.now(), format=code, entrants=entrants,
        stages=preset.stages,
    )  # fmt: skip


def with_sides(event: Event, count: int) -> Event:
    """So many sides enter and are here."""
    letters = "ABC"[: event.side_size]
    text = "\n".join(" / ".join(f"P{n:03d}{x}" for x in letters) for n in range(1, count + 1))
    plain_actions.import_entries(event=event, text=text, by=None, is_present=True)
    assert len(rows_of(text)) == count
    return event


def scores_for(row: Fixture, winner: str, dice: random.Random) -> list[tuple[int, int]]:
    """Games that this side wins, as the format asks."""
    form = FixtureFormat.from_json(row.format)
    lost = dice.randrange(form.needed)
    games = ["away" if winner == "home" else "home"] * lost + [winner] * (form.needed - 1)
    dice.shuffle(games)
    scores = []
    for won_by in [*games, winner]:
        loser = dice.randrange(form.target)
        # Against eleven the last hand is worth one.
        more = 0 if loser == form.target - 1 else dice.choice([0, 0, 0, 2])
        score = (form.target + more, loser)
        scores.append(score if won_by == "home" else score[::-1])
    return scores


def decide(row: Fixture, dice: random.Random) -> Fixture:
    """Let dice say how a fixture ends: mostly played, seldom a walkover or nobody there."""
    chance = dice.random()
    winner = dice.choice(["home", "away"])
    if chance < 0.03:
        return actions.decide_fixture(fixture=row, by=None, ending="both_absent")
    if chance < 0.10:
        ending = dice.choice(["walkover", "abandoned", "expelled"])
        return actions.decide_fixture(fixture=row, by=None, ending=ending, winner=winner)
    scores = scores_for(row, winner, dice)
    return actions.decide_fixture(
        fixture=row, by=None, ending="played", winner=winner, scores=scores
    )


def play(stage: Stage, dice: random.Random) -> None:
    """Draw a stage and decide all its fixtures, in the order in which they can be played."""
    stage = actions.draw_fixtures(stage=stage, by=None, seed=dice.randrange(1_000_000))
    while True:
        ready = list(stage.fixtures.filter(state="ready").order_by("wave", "pk"))
        for row in ready:
            row.refresh_from_db()
            if row.state == "ready":  # an expulsion decides what is left to play
                decide(row, dice)
        meetings = meetings_of(stage)
        if meetings.asks_next_round:
            actions.pair_next_round(stage=stage, by=None, seed=dice.randrange(1_000_000))
        elif not ready:
            break
    assert meetings_of(Stage.objects.get(pk=stage.pk)).is_over


def play_everything(event: Event, seed: int) -> None:
    """Play all stages to the end and count."""
    dice = random.Random(seed)
    for stage in stages_with_fixtures(event):
        play(stage, dice)
    tasks.refresh_standings(event.pk)


def broken_promises(stage: Stage) -> list[verifier.Broken]:
    """What the independent verifier finds wrong with the plan of a stage."""
    stage.refresh_from_db()
    rows = list(stage.fixtures.all())
    seen = [
        verifier.Seen(
            code=row.code, section=row.section, round=row.round, order=row.order, wave=row.wave,
            home=row.home_from, away=row.away_from,
        )
        for row in rows
    ]  # fmt: skip
    roots = {
        source
        for one in seen
        for source in one.sides
        if source.partition(":")[0] in {"entrant", "place", "best"}
    }
    redrawn = stage.settings.get("redraw_each_round") or stage.settings.get("buy_back")
    if stage.kind == "swiss" or redrawn:
        return twice_in_a_wave(rows)
    return [
        *verifier.verify_plan(stage.kind, seen, roots),
        *twice_in_a_wave(rows),
    ]


def twice_in_a_wave(rows: list[Fixture]) -> list[verifier.Broken]:
    """Nobody plays twice at the same time, by the rows alone."""
    counted = Counter(
        (row.wave, side) for row in rows for side in (row.home_id, row.away_id) if side
    )
    return [
        verifier.Broken(code="twice_in_a_wave", who=(str(key),))
        for key, times in counted.items()
        if times > 1
    ]
