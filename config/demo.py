"""The demo club: a season of tarot entered through the same actions that people use.

Everything follows from one seed and the day it is made on: the same day gives the same club.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from django.db import models
from django.utils import timezone

from clubs import actions as club_actions
from clubs.models import Club, Player, Publication, Role, User
from config.demo_championships import Championships
from config.demo_truco import TrucoNights
from rules_engine import tarot
from rules_engine.errors import RulesError
from scoring import actions
from scoring.models import Ranking
from scoring.rankings.methods import PRESETS, Method, Settings
from scoring.rules import dealer
from scoring.rules.tarot import ruleset_of
from tournaments import actions as tournament_actions
from tournaments.models import Event, Round, Seat, Table

SEED = 1717
# Names and titles read alike whatever language the site is shown in.
CLUB, RULES = "Les Remparts", "Règlement FFT"
SLUG = "les-remparts"
PASSWORD = "seven-of-trumps"  # noqa: S105 - printed for everybody who tries the demo
EVENING = time(20, 15)
BEFORE_THE_SEASON = 70
DEALS = 4
MINUTES_FOR_A_DEAL = timedelta(minutes=6)

#: Who may sign in: address, name of the player, role.
ACCOUNTS = (
    ("owner@demo.example", "Odile Kermarrec", Role.OWNER),
    ("director@demo.example", "Denise Cariou", Role.DIRECTOR),
    ("scorer@demo.example", "Solange Bréhat", Role.SCORER),
    ("member@demo.example", "Michel Tanguy", Role.MEMBER),
)
MEMBERS = (
    *(name for _address, name, _role in ACCOUNTS),
    "Bernard Le Goff", "Ana Paula Ribeiro", "Yves Quéméner", "Marie-Thérèse Abgrall",
    "Paulo Nogueira", "Nicole Prigent", "Hervé Le Bihan", "Colette Jaouen", "Lucien Morvan",
    "Jean-Christophe de La Rochefoucauld-Lambert", "Gaëlle Riou", "Émile Guivarc’h",
    "Tomás Ferreira", "Alain Pennec", "Kévin Riou", "Zoé Le Dantec",
)  # fmt: skip
GUESTS = ("Ronan", "Inês Carvalho")
LETTERS = ("Ana (A)", "Bernard (B)", "Colette (C)", "Denise (D)")

CONTRACTS = (tarot.Contract.PETITE, tarot.Contract.GARDE, tarot.Contract.GARDE_SANS)
CALLS = (tarot.Called.PARTNER,) * 5 + (tarot.Called.SELF,)
WITH_A_CALL = (5,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An evening of the season: how long ago, how many come, what happens with the rest."""

    weeks_ago: int
    present: int
    leftovers: Event.Leftovers
    rounds: int = 2
    title: str = ""


PAST = (
    Plan(weeks_ago=6, present=16, leftovers=Event.Leftovers.THREES),
    Plan(weeks_ago=5, present=19, leftovers=Event.Leftovers.THREES),
    Plan(weeks_ago=4, present=17, leftovers=Event.Leftovers.FIVES),
    Plan(weeks_ago=3, present=20, leftovers=Event.Leftovers.THREES, rounds=3),
    Plan(weeks_ago=2, present=13, leftovers=Event.Leftovers.FIVE_OF_FOUR),
    Plan(
        weeks_ago=1,
        present=18,
        leftovers=Event.Leftovers.THREES,
        rounds=3,
        title="Open des Remparts",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A deal of the rule book's evening: the taker's letter, and what the table reported."""

    taker: str
    contract: tarot.Contract
    bouts: int
    points: int
    petit_au_bout: tarot.Side | None = None
    poignee: tarot.PoigneeSize | None = None


RULE_BOOK = (
    Told(taker="A", contract=tarot.Contract.GARDE, bouts=2, points=58),
    Told(
        taker="C", contract=tarot.Contract.PETITE, bouts=3, points=59,
        petit_au_bout=tarot.Side.ATTACK,
    ),
    Told(
        taker="D", contract=tarot.Contract.GARDE_SANS, bouts=1, points=61,
        poignee=tarot.PoigneeSize.DOUBLE,
    ),
    Told(
        taker="B", contract=tarot.Contract.GARDE, bouts=2, points=44,
        petit_au_bout=tarot.Side.DEFENCE,
    ),
    Told(
        taker="D", contract=tarot.Contract.GARDE_SANS, bouts=1, points=49,
        petit_au_bout=tarot.Side.ATTACK, poignee=tarot.PoigneeSize.SIMPLE,
    ),
)  # fmt: skip


def build(*, at: datetime) -> Club:
    """Make the demo club as of this moment; the caller wraps it in one transaction."""
    demo = Demo(at=at)
    demo.found()
    demo.rank_the_season()
    demo.play_the_rule_book()
    demo.play_the_season()
    demo.play_truco()
    demo.play_championships()
    demo.begin_tonight()
    demo.plan_ahead()
    return demo.club


class Demo:
    """The club while it is being made: who is in it, and the dice of its deals."""

    club: Club
    owner: User
    director: User
    scorer: User

    def __init__(self, *, at: datetime) -> None:
        self.at = at
        self.dice = random.Random(SEED)  # noqa: S311 - a demo that is the same each time
        self.players: list[Player] = []

    # People

    def found(self) -> None:
        """Start the club, with its members, their accounts and two seasons."""
        self.owner, self.club = club_actions.sign_up(
            email=ACCOUNTS[0][0],
            password=PASSWORD,
            name=ACCOUNTS[0][1],
            language="en",
            club_name=CLUB,
            town="Saint-Malo",
            on=timezone.localdate(self.at) - timedelta(days=BEFORE_THE_SEASON),
        )
        self.club = club_actions.change_club(
            club=self.club,
            name=CLUB,
            town="Saint-Malo",
            about="Tarot on Thursdays at a quarter past eight. Beginners are welcome: "
            "come a little earlier, we find you a table.",
            language="en",
            publication=Publication.PUBLIC,
        )
        self._lay_seasons()
        self._enrol()

    def _lay_seasons(self) -> None:
        first = timezone.localdate(self.at) - timedelta(days=BEFORE_THE_SEASON)
        season = self.club.seasons.get()
        club_actions.change_season(
            season=season,
            name=season.name,
            starts_on=first,
            ends_on=first + timedelta(days=364),
            publication=Publication.PUBLIC,
        )
        club_actions.add_season(
            club=self.club,
            name=RULES,
            starts_on=first - timedelta(days=30),
            ends_on=first - timedelta(days=1),
            publication=Publication.PUBLIC,
        )

    def _enrol(self) -> None:
        first = timezone.localdate(self.at) - timedelta(days=BEFORE_THE_SEASON)
        known = {self.owner.name: self.club.players.get(account=self.owner)}
        for name in MEMBERS:
            player = known.get(name) or club_actions.add_player(
                club=self.club, name=name, on=first - timedelta(days=self.dice.randrange(2000))
            )
            self.players.append(player)
        accounts = [self.owner]
        for (address, name, role), player in zip(ACCOUNTS[1:], self.players[1:], strict=False):
            account = club_actions.open_account(
                email=address, password=PASSWORD, name=name, language=""
            )
            invitation = club_actions.invite_player(
                player=player, email="", by=self.owner, at=self.at, site=""
            )
            club_actions.accept_invitation(invitation=invitation, account=account, at=self.at)
            club_actions.change_role(player=player, role=role)
            accounts.append(account)
        _owner, self.director, self.scorer, _member = accounts

    def rank_the_season(self) -> None:
        """Rank the season by all points, by the best four evenings and by places."""
        season = self.club.seasons.latest_first()[0]
        for preset, name, best_of in (
            ("total", "", None),
            ("best_evenings", "Top 4", 4),
            ("attendance", "", None),
        ):
            ranking = actions.add_ranking(
                season=season,
                preset=next(each for each in PRESETS if each.code == preset),
                entry_key=self._key(),
            )
            actions.change_ranking(
                ranking=ranking,
                seen_version=ranking.version,
                name=name,
                method=Method(ranking.method),
                settings=replace(Settings.from_json(ranking.settings), best_of=best_of),
                state=Ranking.State.PROVISIONAL,
                order=ranking.order,
            )

    # The evening of the rule book

    def play_the_rule_book(self) -> None:
        """Play the five deals whose scores the rules print."""
        event = self._plan_evening(
            days_ago=BEFORE_THE_SEASON + 15, deals=len(RULE_BOOK), title=RULES
        )
        for name in LETTERS:
            tournament_actions.add_guest(
                event=event, name=name, by=self.director, despite_namesakes=True
            )
        (table,) = self._start_round(event)
        seats = {seat.player.name[-2]: seat for seat in table.seats.select_related("player")}
        for number, told in enumerate(RULE_BOOK, start=1):
            side = tarot.Side.ATTACK
            deal = tarot.Deal(
                ruleset=ruleset_of(table),
                contract=told.contract,
                bouts=told.bouts,
                half_points=2 * told.points,
                petit_au_bout=told.petit_au_bout,
                poignees=(tarot.Poignee(size=told.poignee, side=side),) if told.poignee else (),
            )
            self._record(table, deal, number=number, taker=seats[told.taker])
        self._finish(event)

    # The season

    def play_the_season(self) -> None:
        """Play the past evenings; on the fourth a deal is corrected and another is void."""
        for plan in PAST:
            event = self._plan_evening(
                days_ago=7 * plan.weeks_ago,
                deals=DEALS,
                title=plan.title,
                leftovers=plan.leftovers,
                rounds=plan.rounds,
            )
            self._check_in(event, plan.present)
            for number in range(1, plan.rounds + 1):
                tables = self._start_round(event)
                for table in tables:
                    self._play(table, DEALS)
                if plan is PAST[3] and number == 1:
                    self._correct(tables[0])
                    self._void(tables[1])
                tournament_actions.close_round(
                    this_round=event.rounds.get(number=number), by=self.director
                )
            self._finish(event)

    def play_truco(self) -> None:
        """Play a truco night on a Tuesday, and leave tonight's in its first round."""
        nights = TrucoNights(
            club=self.club,
            director=self.director,
            scorer=self.scorer,
            seed=SEED,
        )
        day = timezone.localdate(self.at) - timedelta(days=9)
        over = nights.play(
            self.players[:9],
            starts_at=timezone.make_aware(datetime.combine(day, EVENING)),
            rounds=2,
        )
        _set_clock(over)
        nights.begin(self.players[:8], starts_at=self.at - timedelta(minutes=50))

    def play_championships(self) -> None:
        """Play a truco cup on a Sunday, and leave today's championship in its groups."""
        championships = Championships(club=self.club, director=self.director, seed=SEED + 1)
        day = timezone.localdate(self.at) - timedelta(days=18)
        over = championships.play(starts_at=timezone.make_aware(datetime.combine(day, EVENING)))
        _set_clock(over)
        championships.begin(starts_at=self.at - timedelta(hours=2))

    def begin_tonight(self) -> None:
        """Leave an evening in the middle of its second round."""
        event = self._plan_evening(days_ago=0, deals=DEALS, rounds=3, place="Salle Sainte-Anne")
        self._check_in(event, 14)
        tournament_actions.add_guest(event=event, name=GUESTS[0], by=self.director)
        for table in self._start_round(event):
            self._play(table, DEALS)
        tournament_actions.close_round(this_round=event.rounds.get(), by=self.director)
        tables = self._start_round(event)
        for table, written in zip(tables, (DEALS, 2, 1, 0), strict=False):
            self._play(table, written)

    def plan_ahead(self) -> None:
        """Announce the next two evenings."""
        for weeks, title in ((1, ""), (2, "Trophée Sainte-Anne")):
            self._plan_evening(
                days_ago=-7 * weeks, deals=DEALS, title=title, place="Salle Sainte-Anne"
            )

    # One evening

    def _plan_evening(
        self,
        *,
        days_ago: int,
        deals: int,
        title: str = "",
        place: str = "Salle des fêtes",
        leftovers: Event.Leftovers = Event.Leftovers.THREES,
        rounds: int | None = None,
    ) -> Event:
        day = timezone.localdate(self.at) - timedelta(days=days_ago)
        starts_at = timezone.make_aware(datetime.combine(day, EVENING))
        return tournament_actions.create_event(
            club=self.club,
            starts_at=starts_at if days_ago else self.at - timedelta(hours=1),
            deals_per_round=deals,
            leftovers=leftovers,
            rounds_planned=rounds,
            title=title,
            place=place,
            publication=Publication.PUBLIC,
            entry_key=self._key(),
            by=self.director,
        )

    def _check_in(self, event: Event, count: int) -> None:
        """Let so many come; those with an account always do."""
        rest = self.players[len(ACCOUNTS) :]
        coming = self.players[: len(ACCOUNTS)] + self.dice.sample(rest, count - len(ACCOUNTS))
        for player in coming:
            tournament_actions.check_in(event=event, player=player, by=self.scorer)

    def _start_round(self, event: Event) -> list[Table]:
        proposal = tournament_actions.draw_round(
            event=event, by=self.director, seed=self.dice.randrange(1_000_000)
        )
        drawn = tournament_actions.publish_round(proposal=proposal, by=self.director)
        return list(Table.objects.filter(round=drawn).select_related("round__event").in_order())

    def _finish(self, event: Event) -> None:
        actions.close_event(event=event, by=self.director, without_missing=True)
        _set_clock(event)

    # One table

    def _play(self, table: Table, deals: int) -> None:
        for number in range(1, deals + 1):
            self._record_some_deal(table, number)

    def _record_some_deal(self, table: Table, number: int) -> None:
        seats = list(table.seats.select_related("player").order_by("place"))
        sits_out = dealer(seats, number) if len(seats) > table.players_per_deal else None
        playing = [seat for seat in seats if seat != sits_out]
        taker, other = self.dice.sample(playing, 2)
        deal = some_deal(self.dice, ruleset_of(table))
        partner = other if deal.called == tarot.Called.PARTNER else None
        self._record(table, deal, number=number, taker=taker, partner=partner, sits_out=sits_out)

    def _record(
        self,
        table: Table,
        deal: tarot.Deal,
        *,
        number: int,
        taker: Seat,
        partner: Seat | None = None,
        sits_out: Seat | None = None,
    ) -> None:
        actions.record_tarot_deal(
            table=table,
            entry_key=self._key(),
            deal=deal,
            taker=taker,
            partner=partner,
            sits_out=sits_out,
            by=self.scorer,
            number=number,
            at=_when(table, number),
        )

    def _correct(self, table: Table) -> None:
        """The bouts of the first deal were counted wrong."""
        wrong = table.tarot_deals.standing().in_play_order()[0]
        rules = ruleset_of(table)
        deals = _deals(self.dice, rules)
        right = next(deal for deal in deals if deal.bouts != wrong.bouts)
        actions.correct_tarot_deal(
            deal=wrong,
            corrected=right,
            entry_key=self._key(),
            taker=wrong.taker,
            by=self.scorer,
            at=_when(table, 2),
        )

    def _void(self, table: Table) -> None:
        """The last deal is void and played again."""
        last = table.tarot_deals.standing().order_by("-number")[0]
        actions.void_deal(
            deal=last,
            reason="A card of the dog had been dealt.",
            by=self.scorer,
            at=_when(table, last.number),
        )
        self._record_some_deal(table, last.number)

    def _key(self) -> uuid.UUID:
        return uuid.UUID(int=self.dice.getrandbits(128), version=4)


def some_deal(dice: random.Random, rules: tarot.Ruleset) -> tarot.Deal:
    """Throw the dice until the engine accepts the deal."""
    return next(_deals(dice, rules))


def _deals(dice: random.Random, rules: tarot.Ruleset) -> Iterator[tarot.Deal]:
    while True:
        bouts = dice.choices(range(4), weights=(1, 4, 4, 2))[0]
        half_points = tarot.HALF_POINTS_NEEDED[bouts] + round(dice.gauss(6, 18))
        try:
            yield tarot.Deal(
                ruleset=rules,
                contract=dice.choices(CONTRACTS, weights=(5, 6, 1))[0],
                bouts=bouts,
                half_points=half_points if rules.half_points_occur else half_points // 2 * 2,
                petit_au_bout=dice.choice(list(tarot.Side)) if now_and_then(dice) else None,
                poignees=_some_poignee(dice),
                called=dice.choice(CALLS) if rules.players in WITH_A_CALL else None,
            )
        except RulesError:
            continue


def _some_poignee(dice: random.Random) -> tuple[tarot.Poignee, ...]:
    if not now_and_then(dice):
        return ()
    side = dice.choice([tarot.Side.ATTACK, tarot.Side.ATTACK, tarot.Side.DEFENCE])
    return (tarot.Poignee(size=tarot.PoigneeSize.SIMPLE, side=side),)


def now_and_then(dice: random.Random) -> bool:
    """About once in eight deals."""
    return dice.randrange(8) == 0


def _when(table: Table, number: int) -> datetime:
    """The time at which a deal of an evening is written."""
    done = (table.round.number - 1) * (DEALS + 1) + number
    return table.round.event.starts_at + done * MINUTES_FOR_A_DEAL


def _set_clock(event: Event) -> None:
    """Let a past evening look past: the actions have just written the time of today."""
    shift = event.starts_at - timezone.now()
    end = event.starts_at + timedelta(hours=3)
    event.journal.update(at=models.F("at") + shift)
    event.entries.update(checked_in_at=event.starts_at)
    Round.objects.filter(event=event).update(
        drawn_at=event.starts_at, published_at=event.starts_at, closed_at=end
    )
    Table.objects.filter(round__event=event).update(changed_at=end)
    Event.objects.filter(pk=event.pk).update(
        created_at=models.F("created_at") + shift, closed_at=end
    )
