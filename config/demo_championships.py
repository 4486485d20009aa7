"""The truco tournaments of the demo club: one that is running, and one that is over."""

from __future__ import annotations

import random
from datetime import datetime
from uuid import UUID

from clubs.models import Club, Publication, User
from scoring import actions
from tournaments import actions as tournament_actions
from tournaments.fixtures import FixtureFormat
from tournaments.meetings import stages_with_fixtures
from tournaments.models import Event, Fixture, Stage
from tournaments.presets import fixture_preset_named

#: Guests from other clubs, two and two; the first ones of the list come to both tournaments.
PAIRS = (
    "Ana Lima / Bruno Reis", "Caio Dias / Dora Melo", "Edu Prado / Fabi Costa",
    "Gil Souza / Helena Nunes", "Ivo Ramos / Júlia Braga", "Kauê Alves / Lia Moraes",
    "Mário Pinto / Nina Rocha", "Otávio Luz / Pilar Gomes", "Quim Barros / Rita Vaz",
    "Saulo Teles / Tânia Leal", "Ugo Matos / Vera Cruz", "Wagner Sá / Xênia Porto",
    "Yuri Campos / Zélia Fontes",
)  # fmt: skip
FEWER = 8
TABLES = 3


class Championships:
    """Plays tournaments of fixtures with dice of their own."""

    def __init__(self, *, club: Club, director: User, seed: int) -> None:
        self.club, self.director = club, director
        self.dice = random.Random(seed)  # noqa: S311 - a demo that is the same each time

    def play(self, *, starts_at: datetime) -> Event:
        """Play a double elimination to its end."""
        event = self._plan("double", starts_at, title="Copa de truco", pairs=PAIRS[:FEWER])
        (stage,) = stages_with_fixtures(event)
        self._draw(stage)
        while self._decide(stage, FEWER):
            pass
        actions.close_event(event=event, by=self.director)
        return event

    def begin(self, *, starts_at: datetime) -> Event:
        """Leave a championship in its groups: half of them decided, three tables playing."""
        event = self._plan("groups_knockout", starts_at, title="Open de Truco", pairs=PAIRS)
        groups = stages_with_fixtures(event)[0]
        self._draw(groups)
        half = groups.fixtures.count() // 2
        while (left := half - groups.fixtures.filter(decided_at__isnull=False).count()) > 0:
            self._decide(groups, left)
        ready = groups.fixtures.filter(state=Fixture.State.READY).order_by("wave", "pk")
        tournament_actions.call_fixtures(
            event=event, chosen=[row.pk for row in ready[:TABLES]], by=self.director
        )
        return event

    def _plan(self, code: str, starts_at: datetime, *, title: str, pairs: tuple[str, ...]) -> Event:
        preset = fixture_preset_named(code)
        if preset is None:
            raise LookupError(code)
        event = tournament_actions.create_championship(
            club=self.club,
            starts_at=starts_at,
            stages=preset.stages,
            by=self.director,
            format=code,
            title=title,
            place="Salle des fêtes",
            publication=Publication.PUBLIC,
            entry_key=UUID(int=self.dice.getrandbits(128), version=4),
        )
        tournament_actions.import_entries(
            event=event, text="\n".join(pairs), by=self.director, is_present=True
        )
        return event

    def _draw(self, stage: Stage) -> None:
        actions.draw_fixtures(stage=stage, by=self.director, seed=self.dice.randrange(1_000_000))

    def _decide(self, stage: Stage, most: int) -> int:
        """Decide what can be played now, so many at most; says how many."""
        ready = list(stage.fixtures.filter(state=Fixture.State.READY).order_by("wave", "pk"))
        for row in ready[:most]:
            winner = self.dice.choice(["home", "away"])
            actions.decide_fixture(
                fixture=row,
                by=self.director,
                ending=Fixture.Ending.PLAYED,
                winner=winner,
                scores=some_games(self.dice, FixtureFormat.from_json(row.format), winner),
            )
        return min(len(ready), most)


def some_games(dice: random.Random, form: FixtureFormat, winner: str) -> list[tuple[int, int]]:
    """Throw the games of a fixture that this side wins."""
    lost = dice.randrange(form.needed)
    won = [False] * lost + [True] * (form.needed - 1)
    dice.shuffle(won)
    scores = []
    for is_won in [*won, True]:
        score = (form.target, dice.randrange(form.target))
        scores.append(score if is_won == (winner == "home") else score[::-1])
    return scores
