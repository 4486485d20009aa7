"""What players did: contracts, partners and opponents, records; counted by the database.

Every question here is about one player, two of them, or one season of one club. It begins at an
index (the seats of the player, the evenings of the season), so it costs what they have played and
not what the site holds. The records of a season are the dearest: they are counted once for each
state of the season and kept (``records_of``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.core.cache import cache
from django.db import models
from django.db.models import Case, Count, F, Max, Q, Sum, Value, When

from clubs.models import Player, Season
from scoring.models import Mark, PlayerResult, StaleStandings, TarotDeal
from tournaments.models import Event
from tournaments.querysets import EventQuerySet

#: Lines of a list of records, and how many more there may be that are as good as its last.
BEST, MOST_EQUALS = 5, 5
#: How long one state of a season is kept.
KEPT_SECONDS = 24 * 3600


# One player


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractLine:
    """A contract as somebody took it: how often, how often made, and what it brought."""

    contract: str
    taken: int
    made: int
    points: int

    @property
    def name(self) -> str:
        return str(TarotDeal.Contract(self.contract).label)

    @property
    def per_deal(self) -> Decimal:
        return _average(self.points, self.taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """The deals somebody played as taker, as called partner or in defence."""

    part: str
    deals: int
    points: int

    @property
    def per_deal(self) -> Decimal:
        return _average(self.points, self.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyLine:
    """Somebody met at tables: deals together, and what they gave each of the two."""

    player: Player
    deals: int
    own: int
    other: int


def _average(points: int, deals: int) -> Decimal:
    """Give the points per deal, with one decimal, as they are shown."""
    return (Decimal(points) / deals).quantize(Decimal("0.1"), ROUND_HALF_UP)


def contracts_of(player: Player, events: EventQuerySet) -> list[ContractLine]:
    """Give the contracts that the player took, in the order of the game."""
    taken = Mark.objects.standing().of_player(player).in_events(events)
    counted = (
        taken.filter(seat=F("deal__taker"))
        .order_by()
        .values("deal__contract")
        .annotate(
            taken=Count("pk"), made=Count("pk", filter=Q(deal__is_made=True)), sum=Sum("points")
        )
    )
    by_contract = {line["deal__contract"]: line for line in counted}
    return [
        ContractLine(
            contract=contract,
            taken=by_contract[contract]["taken"],
            made=by_contract[contract]["made"],
            points=by_contract[contract]["sum"],
        )
        for contract in TarotDeal.Contract.values
        if contract in by_contract
    ]


TAKER, PARTNER, DEFENDER = "taker", "partner", "defender"


def parts_of(player: Player, events: EventQuerySet) -> list[PartLine]:
    """Give what the player's deals brought as taker, as partner and in defence."""
    part = Case(
        When(seat=F("deal__taker"), then=Value(TAKER)),
        When(seat=F("deal__partner"), then=Value(PARTNER)),
        default=Value(DEFENDER),
        output_field=models.CharField(),
    )
    counted = (
        Mark.objects.standing()
        .of_player(player)
        .in_events(events)
        .order_by()
        .values(part=part)
        .annotate(deals=Count("pk"), sum=Sum("points"))
    )
    found = {line["part"]: line for line in counted}
    return [
        PartLine(part=name, deals=found[name]["deals"], points=found[name]["sum"])
        for name in (TAKER, PARTNER, DEFENDER)
        if name in found
    ]


def company_of(player: Player, events: EventQuerySet, *, most: int) -> list[CompanyLine]:
    """Give whom the player met most at tables, with what their common deals gave each."""
    counted = list(
        _common(player, events)
        .values("seat__player")
        .annotate(deals=Count("pk"), other=Sum("points"), own=Sum("deal__marks__points"))
        .order_by("-deals", "seat__player__sort_name", "seat__player")[:most]
    )
    people = Player.objects.in_bulk([line["seat__player"] for line in counted])
    return [
        CompanyLine(
            player=people[line["seat__player"]],
            deals=line["deals"],
            own=line["own"],
            other=line["other"],
        )
        for line in counted
    ]


def _common(player: Player, events: EventQuerySet) -> Any:
    """Give the marks of others in the deals of a player, each beside the player's own."""
    # Standing deals only, and one filter: the sums then see the player's own mark and no other.
    return Mark.objects.filter(
        deal__marks__seat__player=player,
        deal__marks__seat__round__event__in=events,
        deal__state=TarotDeal.State.STANDING,
    ).exclude(seat__player=player)


# Two players


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """An evening that both played."""

    event: Event
    own: PlayerResult
    other: PlayerResult


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstLine:
    """Contracts of one against the other: how many, how many made, what they brought each."""

    deals: int
    made: int
    own: int
    other: int


def between(player: Player, other: Player, events: EventQuerySet) -> CompanyLine | None:
    """Give the deals that two players had at one table; nothing when they never met."""
    found = (
        _common(player, events)
        .filter(seat__player=other)
        .aggregate(deals=Count("pk"), other=Sum("points"), own=Sum("deal__marks__points"))
    )
    if not found["deals"]:
        return None
    return CompanyLine(player=other, deals=found["deals"], own=found["own"], other=found["other"])


def against(taker: Player, defender: Player, events: EventQuerySet) -> AgainstLine:
    """Give the contracts that one took while the other defended."""
    found = (
        _common(taker, events)
        .filter(seat__player=defender, deal__taker__player=taker)
        .exclude(seat=F("deal__partner"))
        .aggregate(
            deals=Count("pk"),
            made=Count("pk", filter=Q(deal__is_made=True)),
            other=Sum("points"),
            own=Sum("deal__marks__points"),
        )
    )
    return AgainstLine(
        deals=found["deals"],
        made=found["made"],
        own=found["own"] or 0,
        other=found["other"] or 0,
    )


def meetings(player: Player, other: Player, events: EventQuerySet) -> list[Meeting]:
    """Give the closed evenings that both played, the latest first."""
    results = (
        PlayerResult.objects.filter(player__in=(player, other), event__in=events)
        .select_related("event")
        .order_by("-event__starts_at", "-event_id", "pk")
    )
    by_event: dict[int, dict[int, PlayerResult]] = {}
    for result in results:
        by_event.setdefault(result.event_id, {})[result.player_id] = result
    return [
        Meeting(event=both[player.pk].event, own=both[player.pk], other=both[other.pk])
        for both in by_event.values()
        if len(both) == len((player, other))
    ]


# Games that are won


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesLine:
    """Meetings of truco that were won and lost, and the games in them."""

    won: int
    lost: int
    games_won: int
    games_lost: int

    @property
    def meetings(self) -> int:
        return self.won + self.lost


def games_of(player: Player, events: EventQuerySet) -> GamesLine | None:
    """Give the player's meetings, wherever the results have them from; nothing without one."""
    results = PlayerResult.objects.filter(player=player, event__in=events)
    found = results.aggregate(
        won=Sum("wins", default=0),
        lost=Sum("losses", default=0),
        games_won=Sum("games_won", default=0),
        games_lost=Sum("games_lost", default=0),
    )
    line = GamesLine(**found)
    return line if line.meetings else None


# A season


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Somebody's best of a kind; the evening where it is of one evening."""

    player: int
    value: int
    event: int | None = None
    contract: str = ""
    of: int | None = None

    @property
    def words(self) -> str:
        """The contract, where the best is of a contract."""
        return str(TarotDeal.Contract(self.contract).label) if self.contract else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A list of records, best first; ``more`` are as good as the last and are not in it."""

    records: Sequence[Record]
    more: int = 0


type Boards = dict[str, Board]


def state_of(season: Season, events: EventQuerySet) -> tuple[object, ...]:
    """Name the state of a season's evenings: another one whenever one of them changes."""
    found = events.aggregate(
        count=Count("pk"),
        ids=Sum("pk"),
        # The same number of other evenings may have the same sum.
        squares=Sum(F("pk") * F("pk")),
        last=Max("standings_at"),
    )
    # Sheets change before they are counted: what is read from them in between is another state.
    waiting = StaleStandings.objects.filter(event__in=events).aggregate(last=Max("pk"))["last"]
    return (season.pk, *found.values(), waiting, season.club.names_changed_at)


def records_of(season: Season, events: EventQuerySet, *, state: tuple[object, ...]) -> Boards:
    """Give the records of a season; counted once for each state of its evenings, then kept."""
    key = "boards:" + ":".join(map(str, state)).replace(" ", "T")
    kept: Boards | None = cache.get(key)
    if kept is None:
        kept = {name: make(events) for name, make in RECORDS.items()}
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def _best_evenings(events: EventQuerySet) -> Board:
    results = PlayerResult.objects.filter(event__in=events, event__game=Event.Game.TAROT)
    ranked = results.order_by("-points", "event__starts_at", "pk")
    lines, more = _with_equals(ranked.values("player", "points", "event"), "points")
    return Board(
        records=[Record(player=r["player"], value=r["points"], event=r["event"]) for r in lines],
        more=more,
    )


def _best_deals(events: EventQuerySet) -> Board:
    marks = Mark.objects.standing().in_events(events).order_by("-points", "deal__recorded_at", "pk")
    ranked = marks.values("points", "seat__player", "seat__round__event", "deal__contract")
    lines, more = _with_equals(ranked, "points")
    records = [
        Record(
            player=mark["seat__player"],
            value=mark["points"],
            event=mark["seat__round__event"],
            contract=mark["deal__contract"],
        )
        for mark in lines
    ]
    return Board(records=records, more=more)


def _highest_contracts(events: EventQuerySet) -> Board:
    high = (TarotDeal.Contract.GARDE_SANS, TarotDeal.Contract.GARDE_CONTRE)
    return _contracts_made(events, Q(contract__in=high))


def _most_contracts(events: EventQuerySet) -> Board:
    return _contracts_made(events, Q())


def _contracts_made(events: EventQuerySet, which: Q) -> Board:
    taken = TarotDeal.objects.standing().filter(which, taker__round__event__in=events)
    ranked = (
        taken.order_by()
        .values("taker__player")
        .annotate(taken=Count("pk"), made=Count("pk", filter=Q(is_made=True)))
        .filter(made__gt=0)
        .order_by("-made", "taken", "taker__player")
    )
    lines, more = _with_equals(ranked, "made", "taken")
    return Board(
        records=[
            Record(player=line["taker__player"], value=line["made"], of=line["taken"])
            for line in lines
        ],
        more=more,
    )


def _most_evenings_won(events: EventQuerySet) -> Board:
    won = PlayerResult.objects.filter(event__in=events, place=1)
    counted = won.order_by().values("player").annotate(won=Count("pk"))
    lines, more = _with_equals(counted.order_by("-won", "player"), "won")
    records = [Record(player=line["player"], value=line["won"]) for line in lines]
    return Board(records=records, more=more)


def _most_matches_won(events: EventQuerySet) -> Board:
    played = PlayerResult.objects.filter(event__in=events, wins__gt=0)
    ranked = (
        played.order_by()
        .values("player")
        .annotate(won=Sum("wins"), played=Sum(F("wins") + F("losses")))
        .order_by("-won", "played", "player")
    )
    lines, more = _with_equals(ranked, "won", "played")
    return Board(
        records=[
            Record(player=line["player"], value=line["won"], of=line["played"]) for line in lines
        ],
        more=more,
    )


def _with_equals(ranked: models.QuerySet[Any, Any], *fields: str) -> tuple[list[Any], int]:
    """Give the best lines, and how many are left out that are equal to the last of them.

    A few equals are shown with it: a list that ends between them says that one is better.
    """
    best = list(ranked[:BEST])
    if len(best) < BEST:
        return best, 0
    last = {field: best[-1][field] for field in fields}
    inside = sum(all(line[field] == last[field] for field in fields) for line in best)
    equals = ranked.filter(**last)
    more = equals.count() - inside
    if more > MOST_EQUALS:
        return best, more
    return best + list(equals[inside : inside + more]), 0


RECORDS: dict[str, Callable[[EventQuerySet], Board]] = {
    "evenings": _best_evenings,
    "deals": _best_deals,
    "contracts": _most_contracts,
    "high": _highest_contracts,
    "won": _most_evenings_won,
    "matches": _most_matches_won,
}
