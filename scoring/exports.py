"""Paper: what is printed of an event, in the language and on the format that was chosen.

The browser prints these documents as pages; a worker draws one file of many sheets
(``scoring.pdf``) from the very same pieces, so that paper and screen cannot show different numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import onlookers
from rules_engine import tarot
from scoring import results
from scoring.models import TarotDeal
from scoring.rules.rulings import bars, said_at_table, said_of_bar
from scoring.rules.tarot import amounts_of, ruleset_of
from scoring.sumulas import Sumula, sumula_of
from tournaments import phones
from tournaments.cards import how_many_tables, qr_path
from tournaments.faults import FAULTS
from tournaments.games import facts_of
from tournaments.models import Entry, Event, ResultVersion, Round, Ruling, Seat, Table
from tournaments.querysets import as_entered
from tournaments.starts import in_words, starters_of_tables, starting_places

SHEETS, SLIPS, CARDS, NAMES, TABLES, RANKING, RULINGS, ENTRIES = (
    "sheets", "slips", "cards", "names", "tables", "ranking", "rulings", "entries",
)  # fmt: skip
DOCUMENTS: Mapping[str, Any] = {
    SHEETS: gettext_lazy("Score sheets of all tables"),
    SLIPS: gettext_lazy("Personal slips"),
    CARDS: gettext_lazy("Table cards"),
    NAMES: gettext_lazy("Seating by name"),
    TABLES: gettext_lazy("Seating by table"),
    RANKING: gettext_lazy("Ranking"),
    RULINGS: gettext_lazy("Rulings"),
    ENTRIES: gettext_lazy("Entry list"),
}
#: How sheets look where games are won.
GAMES = "games"
FORMATS = ("a4", "a5", "a6")
#: What is small enough for the smallest paper, a piece to a page.
SMALL = frozenset({SLIPS, CARDS})

# Names beyond these lengths are set smaller, so that a sheet stays one page.
LONG, VERY_LONG = 18, 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be printed: a document of an event, and how."""

    document: str
    language: str
    paper: str = "a4"
    round: int | None = None
    blank: bool = False
    first: int | None = None
    last: int | None = None
    #: Where the pages are: what a square on paper leads to begins with it.
    origin: str = ""

    @property
    def has_its_paper(self) -> bool:
        """Does the document fit on this paper?"""
        return self.paper != "a6" or self.document in SMALL

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def wants(self, number: int) -> bool:
        """Is this table among those that were asked for?"""
        return (self.first or 0) <= number and (self.last is None or number <= self.last)


def page_of(event: Event, order: Order) -> dict[str, Any]:
    """Give what the document shows; its pieces, a sheet or a slip each, come under ``pieces``."""
    return {
        "event": event,
        "club": event.club,
        "facts": facts_of(event.game),
        "order": order,
        "title": str(DOCUMENTS[order.document]),
        "language": order.language,
        **CONTENTS[order.document](event, order),
    }


def told_to(event: Event, order: Order) -> AbstractContextManager[None]:
    """Say before whom the names on this paper are told.

    The ranking of a published event hangs where everybody reads it; all else is for the tables.
    """
    if order.document == RANKING and event.is_public:
        return onlookers.before_the_world()
    return onlookers.before_members(event.club.pk)


def html_of(event: Event, order: Order, **more: Any) -> str:
    """Render the document in its own language, whatever the language of the screen is."""
    with translation.override(order.language), told_to(event, order):
        context = page_of(event, order) | more
        return render_to_string(f"scoring/paper/{template_of(event, order)}.html", context)


def template_of(event: Event, order: Order) -> str:
    """Give the document, and for sheets that of what is played."""
    is_of_games = order.document == SHEETS and facts_of(event.game).plays_games
    return GAMES if is_of_games else order.document


def round_of(event: Event, number: int | None) -> Round | None:
    """Give the round of this number, else the latest that was started."""
    rounds = event.rounds.published()
    if number is not None:
        return rounds.filter(number=number).first()
    return rounds.order_by("-number").first()


# Score sheets


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A seat of a sheet: who sits there, what the deals gave, the sums."""

    letter: str
    name: str
    number: int
    size: str
    start: str = ""
    marks: Sequence[int | None] = ()
    won: int | None = None
    lost: int | None = None
    total: int | None = None

    @property
    def who(self) -> str:
        """The seat, the number, and where this player started."""
        return " · ".join(filter(None, [self.letter, str(self.number), self.start]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a sheet: a deal that stands, or room for a pen."""

    number: int
    taker: str = ""
    contract: str = ""
    bouts: int | None = None
    half_points: int | None = None
    marks: Sequence[int | None] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPaper:
    """The sheet of one table, always one page."""

    table: Table
    columns: Sequence[Column]
    rows: Sequence[Row]
    scale: Mapping[str, Any] = field(default_factory=dict)
    #: What the referee ruled at this table, a line each.
    notes: Sequence[str] = ()

    @property
    def is_long(self) -> bool:
        return len(self.rows) > 12  # noqa: PLR2004 - more rows than a page holds at writing height


def _sheets(event: Event, order: Order) -> dict[str, Any]:
    this_round = round_of(event, order.round)
    if this_round is None:
        return {"round": None, "pieces": []}
    if facts_of(event.game).plays_games:
        return {"round": this_round, "pieces": _sumulas(this_round, order)}
    tables = (
        this_round.tables.in_order()
        .select_related("round__event__season__club")
        .prefetch_related(
            "seats__player",
            "seats__entry",
            "tarot_deals__marks",
            as_entered("rulings__entry__players"),
        )
    )
    starts = starting_places(event)
    pieces = [
        _sheet(table, starts, blank=order.blank) for table in tables if order.wants(table.number)
    ]
    return {"round": this_round, "pieces": pieces}


def _sumulas(this_round: Round, order: Order) -> list[Sumula]:
    tables = (
        this_round.tables.in_order()
        .select_related("round__event__season__club", "round__stage")
        .prefetch_related("seats__player", "truco_lines", "rulings")
    )
    return [
        sumula_of(
            table, [row for row in table.truco_lines.all() if row.is_standing], blank=order.blank
        )
        for table in tables
        if order.wants(table.number)
    ]


def _sheet(table: Table, starts: Mapping[int, str], *, blank: bool) -> SheetPaper:
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    deals = [] if blank else [d for d in table.tarot_deals.all() if d.is_standing]
    by_number = {deal.number: deal for deal in deals}
    count = max([table.deals_planned, *by_number])
    rows = [_row(n, by_number.get(n), seats) for n in range(1, count + 1)]
    return SheetPaper(
        table=table,
        rows=rows,
        columns=[
            _column(seat, place, rows if deals else [], starts.get(seat.entry_id, ""))
            for place, seat in enumerate(seats)
        ],
        scale=scale_of(ruleset_of(table)),
        notes=[said_at_table(ruling) for ruling in table.rulings.all() if ruling.stands],
    )


def _row(number: int, deal: TarotDeal | None, seats: Sequence[Seat]) -> Row:
    if deal is None:
        return Row(number=number, marks=[None] * len(seats))
    marks = {mark.seat_id: mark.points for mark in deal.marks.all()}
    return Row(
        number=number,
        # The letter, not the name: the line keeps its height whoever took.
        taker=next(seat.letter for seat in seats if seat.pk == deal.taker_id),
        contract=deal.get_contract_display(),
        bouts=deal.bouts,
        half_points=deal.half_points,
        marks=[marks.get(seat.pk) for seat in seats],
    )


def _column(seat: Seat, place: int, rows: Sequence[Row], start: str) -> Column:
    marks = [row.marks[place] for row in rows]
    points = [mark for mark in marks if mark is not None]
    return Column(
        letter=seat.letter,
        name=seat.player.shown_name,
        number=seat.entry.number,
        size=size_of(seat.player.shown_name),
        start=_("starts at %(place)s") % {"place": start} if start else "",
        won=sum(p for p in points if p > 0) if points else None,
        lost=-sum(p for p in points if p < 0) if points else None,
        total=sum(points) if points else None,
    )


def size_of(name: str) -> str:
    """Say how small a name must be set to fit its cell."""
    return "tiny" if len(name) > VERY_LONG else "small" if len(name) > LONG else ""


@lru_cache(maxsize=64)
def scale_of(rules: tarot.Ruleset) -> dict[str, Any]:
    """What a hand needs to add up a sheet by these rules."""
    amounts = amounts_of(rules)
    return {
        "needed": [(bouts, half // 2) for bouts, half in tarot.HALF_POINTS_NEEDED.items()],
        "multipliers": [
            (TarotDeal.Contract(contract).label, f"{halves // 2}{'½' if halves % 2 else ''}")
            for contract, halves in rules.multiplier_halves
        ],
        "poignees": list(amounts["poignees"]["made"].values()),
    }


# Slips, seating, lists


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """What a player notes for himself: table, plus, minus and the running balance."""

    entry: Entry
    rows: Sequence[tuple[int, int | None, int | None, int | None]]
    start: str = ""
    #: What the rounds alone do not say, up to the points of the ranking: words, points, balance.
    after: Sequence[tuple[str, int | None, int]] = ()

    @property
    def lines(self) -> int:
        return len(self.rows) + len(self.after)

    @property
    def size(self) -> str:
        return size_of(str(self.entry))


def _slips(event: Event, order: Order) -> dict[str, Any]:
    gone = Q(state__in=(Entry.State.WITHDRAWN, Entry.State.EXPELLED))
    never_came = gone & ~Exists(Seat.objects.filter(entry=OuterRef("pk")))
    entries = event.entries.exclude(never_came | Q(state=Entry.State.WAITING)).by_number()
    started = list(event.rounds.published().in_order().values_list("number", flat=True))
    planned = sum(event.stages.values_list("rounds_planned", flat=True))
    count = max(planned, event.rounds_planned or 0, len(started), 1)
    seated = {
        (entry, number): table
        for entry, number, table in Seat.objects.filter(
            round__event=event, round__number__in=started
        ).values_list("entry", "round__number", "table__number")
    }
    starts = starting_places(event)
    pieces = [
        _slip(entry, count, seated, _start_of(entry, starts), blank=order.blank)
        for entry in entries.prefetch_related(as_entered())
        if order.wants(entry.number)
    ]
    return {"pieces": pieces}


def _slip(
    entry: Entry,
    count: int,
    seated: Mapping[tuple[int, int], int],
    start: str,
    *,
    blank: bool,
) -> Slip:
    made = {} if blank else {part["round"]: part["points"] for part in entry.round_points}
    rows, running = [], 0
    for number in range(1, count + 1):
        points = made.get(number)
        running += points or 0
        table = None if blank else seated.get((entry.pk, number))
        rows.append((number, table, points, running if points is not None else None))
    said = _("Starting place %(place)s") % {"place": start} if start else ""
    after = [] if blank else _after_the_rounds(entry, running)
    return Slip(entry=entry, rows=rows, start=said, after=after)


def _after_the_rounds(entry: Entry, running: int) -> list[tuple[str, int | None, int]]:
    """Penalties, and the points of the ranking where a final has scaled what was before it."""
    after: list[tuple[str, int | None, int]] = []
    if entry.ruled_points:
        running += entry.ruled_points
        after.append((_("Penalties"), entry.ruled_points, running))
    if entry.place is not None and running != entry.points:
        after.append((_("Ranking"), None, entry.points))
    return after


def _names(event: Event, order: Order) -> dict[str, Any]:
    this_round = round_of(event, order.round)
    if this_round is None:
        return {"round": None, "pieces": []}
    seats = this_round.seats.select_related("player", "table", "entry")
    waiting = this_round.sit_outs.prefetch_related(as_entered("entry__players"))
    return {
        "round": this_round,
        "pieces": list(seats.order_by("player__sort_name", "player")),
        "waiting": [out.entry for out in waiting.order_by("entry__number")],
    }


def _tables(event: Event, order: Order) -> dict[str, Any]:
    this_round = round_of(event, order.round)
    if this_round is None:
        return {"round": None, "pieces": []}
    tables = this_round.tables.in_order().prefetch_related("seats__player", "seats__entry")
    return {
        "round": this_round,
        "pieces": [
            (table, sorted(table.seats.all(), key=lambda seat: seat.place))
            for table in tables
            if order.wants(table.number)
        ],
    }


def _ranking(event: Event, order: Order) -> dict[str, Any]:
    version = results.latest(event) if event.is_closed else None
    lines = version.lines if version else results.lines_of(event)
    entries = event.entries.prefetch_related(as_entered()).in_bulk()
    numbers = list(event.rounds.published().in_order().values_list("number", flat=True))
    return {
        "counted": _counted(event, version),
        "numbers": numbers,
        "has_rulings": any(line["ruled_points"] for line in lines),
        "pieces": list(_ranked(lines, entries, numbers)),
    }


def _counted(event: Event, version: ResultVersion | None) -> str:
    """Say which version of the result this is, and of when."""
    when = version.made_at if version else event.standings_at
    if when is None:
        return ""
    gaps = {
        "number": version and version.number,
        "when": date_format(localtime(when), "SHORT_DATETIME_FORMAT"),
    }
    if version is None:
        return _("As counted on %(when)s.") % gaps
    if version.state == ResultVersion.State.FINAL:
        return _("Final, version %(number)s of %(when)s.") % gaps
    return _("Provisional, version %(number)s of %(when)s.") % gaps


def _ranked(
    lines: Sequence[Mapping[str, Any]], entries: Mapping[int, Entry], numbers: Sequence[int]
) -> Iterator[dict[str, Any]]:
    for line in lines:
        made = {part["round"]: part["points"] for part in line["rounds"]}
        if line["entry"] in entries:
            yield {
                "line": line,
                "entry": entries[line["entry"]],
                "rounds": [made.get(number) for number in numbers],
            }


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingLine:
    """A ruling as it is read out: who, where, what, and what follows for the deal."""

    when: str
    by: str
    round: str
    table: str
    deal: str
    who: str
    words: str
    follows: Sequence[str]
    points: str
    withdrawn: str = ""

    @property
    def stands(self) -> bool:
        return not self.withdrawn


def _rulings(event: Event, order: Order) -> dict[str, Any]:
    rulings = list(event.rulings.for_ledger().order_by("ruled_at", "pk"))
    lost = sum(ruling.points for ruling in rulings if ruling.stands)
    said = _("In force: %(points)s points") % {"points": f"−{lost}"} if lost else ""
    return {"pieces": [_ruling_line(ruling) for ruling in rulings], "in_force": said}


def _ruling_line(ruling: Ruling) -> RulingLine:
    fault = FAULTS.get(ruling.fault)
    said = [str(ruling.get_kind_display()), _(fault.words) if fault else ""]
    words = ": ".join(filter(None, said)) + (f". {ruling.note}" if ruling.note else "")
    withdrawn = [_("withdrawn"), ruling.withdrawn_why]
    return RulingLine(
        when=date_format(localtime(ruling.ruled_at), "SHORT_DATETIME_FORMAT"),
        by=str(ruling.ruler or ""),
        round=str(ruling.round.number) if ruling.round else "",
        table=str(ruling.table.number) if ruling.table else "",
        deal=str(ruling.deal_number or ""),
        who=f"{ruling.entry.number} {ruling.entry}" if ruling.entry else "",
        words=words,
        follows=list(_follows(ruling)),
        points=f"−{ruling.points}" if ruling.points else "",
        withdrawn="" if ruling.stands else ": ".join(filter(None, withdrawn)),
    )


def _follows(ruling: Ruling) -> Iterator[str]:
    if ruling.outcome != Ruling.Outcome.COUNTS:
        yield str(ruling.get_outcome_display())
    if ruling.effect:
        yield str(ruling.get_effect_display())
    if bars(ruling):
        yield said_of_bar(ruling)


def _entries(event: Event, order: Order) -> dict[str, Any]:
    entries = event.entries.by_number().with_teams().prefetch_related(as_entered())
    starts = starting_places(event)
    return {"pieces": [(entry, _start_of(entry, starts)) for entry in entries]}


def _start_of(entry: Entry, starts: Mapping[int, str]) -> str:
    if entry.pk in starts:
        return starts[entry.pk]
    return in_words(entry.start_table, entry.start_line) if entry.start_table else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCard:
    """What stands on a table: its number, and the address of its sheet in the running round."""

    number: int
    suit: str
    address: str
    #: What is typed instead of reading the square; empty where the card asks for an account.
    code: str = ""
    #: Who starts here, each seat with a number.
    starters: str = ""

    @property
    def who_starts(self) -> str:
        return _("Start here: %(seats)s") % {"seats": self.starters} if self.starters else ""

    @property
    def shown_address(self) -> str:
        return self.address.partition("://")[2] or self.address

    @property
    def dark_cells(self) -> tuple[int, str]:
        """The square of the address: its side in cells, and its dark cells as one SVG path."""
        return qr_path(self.address)


def _cards(event: Event, order: Order) -> dict[str, Any]:
    numbers = range(1, how_many_tables(event) + 1)
    links = phones.links_of_tables(event)
    starters = starters_of_tables(event)
    return {
        "pieces": [
            TableCard(
                number=number,
                suit=Table.SUITS[(number - 1) % 4],
                address=order.origin + phones.path_of_card(event, number, links),
                code=phones.spoken(links[number].code) if number in links else "",
                starters=starters.get(number, ""),
            )
            for number in numbers
            if order.wants(number)
        ]
    }


CONTENTS: Mapping[str, Callable[[Event, Order], dict[str, Any]]] = {
    SHEETS: _sheets,
    SLIPS: _slips,
    CARDS: _cards,
    NAMES: _names,
    TABLES: _tables,
    RANKING: _ranking,
    RULINGS: _rulings,
    ENTRIES: _entries,
}
