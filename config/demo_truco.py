"""The truco of the demo club: a night that is over, and one that is being played."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from uuid import UUID

from clubs.models import Club, Player, Publication, User
from rules_engine import truco
from scoring import actions
from scoring.rules.truco import ENDING, LETTERS, Entered, Meeting, meeting_of, points_by_ending
from tournaments import actions as tournament_actions
from tournaments.models import Event, Table

#: How often a hand is worth the first, the second … of what it can be.
WEIGHTS = (10, 8, 3, 1, 1)
MINUTES_FOR_A_HAND = timedelta(minutes=3)


class TrucoNights:
    """Plays truco with the demo club's own dice."""

    def __init__(self, *, club: Club, director: User, scorer: User, seed: int) -> None:
        self.club = club
        self.director = director
        self.scorer = scorer
        # Dice of its own, so that the tarot of the demo stays the same.
        self.dice = random.Random(seed)  # noqa: S311 - a demo that is the same each time

    def _key(self) -> UUID:
        return UUID(int=self.dice.getrandbits(128), version=4)

    def play(self, players: list[Player], *, starts_at: datetime, rounds: int) -> Event:
        """Play a whole night with partners drawn each round."""
        event = self._plan(starts_at)
        self._check_in(event, players)
        for _ in range(rounds):
            for table in self._start_round(event):
                self._play_out(table)
            tournament_actions.close_round(
                this_round=event.rounds.get(state="playing"), by=self.director
            )
        actions.close_event(event=event, by=self.director)
        return event

    def begin(self, players: list[Player], *, starts_at: datetime) -> Event:
        """Leave a night in its first round: one table has played a game and some hands."""
        event = self._plan(starts_at)
        self._check_in(event, players)
        first, *_others = self._start_round(event)
        while self._meeting(first).scores == () or self._meeting(first).hand < 4:  # noqa: PLR2004 - a few hands
            self._play_a_hand(first)
        return event

    def _plan(self, starts_at: datetime) -> Event:
        return tournament_actions.create_event(
            club=self.club,
            starts_at=starts_at,
            title="Truco dos Remparts",
            place="Salle des fêtes",
            publication=Publication.PUBLIC,
            rounds_planned=3,
            leftovers=Event.Leftovers.SIT_OUT,
            entry_key=self._key(),
            by=self.director,
            game=Event.Game.TRUCO,
            best_of=3,
            target=12,
        )

    def _check_in(self, event: Event, players: list[Player]) -> None:
        for player in players:
            tournament_actions.check_in(event=event, player=player, by=self.scorer)

    def _start_round(self, event: Event) -> list[Table]:
        proposal = tournament_actions.draw_round(
            event=event, by=self.director, seed=self.dice.randrange(1_000_000)
        )
        drawn = tournament_actions.publish_round(proposal=proposal, by=self.director)
        return list(Table.objects.filter(round=drawn).select_related("round__event").in_order())

    def _play_out(self, table: Table) -> None:
        while not self._meeting(table).is_decided:
            self._play_a_hand(table)

    def _meeting(self, table: Table) -> Meeting:
        return meeting_of(table, table.truco_lines.all())

    def _play_a_hand(self, table: Table) -> None:
        meeting = self._meeting(table)
        actions.record_truco_line(
            table=table,
            entry_key=self._key(),
            line=some_hand(self.dice, meeting),
            by=self.scorer,
            at=table.event.starts_at + MINUTES_FOR_A_HAND * len(meeting.told),
        )


def some_hand(dice: random.Random, meeting: Meeting) -> Entered:
    """Throw a hand that the engine allows at the score of the meeting."""
    winner = dice.choice(list(truco.Pair))
    ways = points_by_ending(meeting.rules, meeting.score, winner)
    ending = dice.choice([way for way in ways if way in {ENDING.ROUNDS, ENDING.RAN,
                                                         ENDING.DECLINED}])  # fmt: skip
    points = dice.choices(ways[ending], weights=WEIGHTS[: len(ways[ending])])[0]
    return Entered(winner=LETTERS[winner], points=points, ending=ending)
