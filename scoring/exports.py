"""Paper: what is printed of an event, in the language and on the format that was chosen.

The browser prints these documents as they are; a worker makes one file of many sheets from the
very same templates, so that paper and screen cannot show different numbers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules_engine import tarot
from scoring import results
from scoring.models import TarotDeal
from scoring.rules.tarot import ruleset_of
from tournaments.faults import FAULTS
from tournaments.models import Entry, Event, ResultVersion, Round, Seat, Table

SHEETS, SLIPS, NAMES, TABLES, RANKING, RULINGS, ENTRIES = (
    "sheets", "slips", "names", "tables", "ranking", "rulings", "entries",
)  # fmt: skip
DOCUMENTS: Mapping[str, Any] = {
    SHEETS: gettext_lazy("Score sheets of all tables"),
    SLIPS: gettext_lazy("Personal slips"),
    NAMES: gettext_lazy("Seating by name"),
    TABLES: gettext_lazy("Seating by table"),
    RANKING: gettext_lazy("Ranking"),
    RULINGS: gettext_lazy("Rulings"),
    ENTRIES: gettext_lazy("Entry list"),
}
FORMATS = ("a4", "a5")

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
        "order": order,
        "title": str(DOCUMENTS[order.document]),
        "language": order.language,
        **CONTENTS[order.document](event, order),
    }


def html_of(event: Event, order: Order, **more: Any) -> str:
    """Render the document in its own language, whatever the language of the screen is."""
    with translation.override(order.language):
        context = page_of(event, order) | more
        return render_to_string(f"scoring/paper/{order.document}.html", context)


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
    marks: Sequence[int | None] = ()
    won: int | None = None
    lost: int | None = None
    total: int | None = None


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

    @property
    def is_long(self) -> bool:
        return len(self.rows) > 12  # noqa: PLR2004 - more rows than a page holds at writing height


def _sheets(event: Event, order: Order) -> dict[str, Any]:
    this_round = round_of(event, order.round)
    if this_round is None:
        return {"round": None, "pieces": []}
    tables = (
        this_round.tables.in_order()
        .select_related("round__event__season__club")
        .prefetch_related("seats__player", "seats__entry", "tarot_deals__marks")
    )
    pieces = [_sheet(table, blank=order.blank) for table in tables if order.wants(table.number)]
    return {"round": this_round, "pieces": pieces}


def _sheet(table: Table, *, blank: bool) -> SheetPaper:
    seats = sorted(table.seats.all(), key=lambda seat: seat.place)
    deals = [] if blank else [d for d in table.tarot_deals.all() if d.is_standing]
    by_number = {deal.number: deal for deal in deals}
    count = max([table.deals_planned, *by_number])
    rows = [_row(n, by_number.get(n), seats) for n in range(1, count + 1)]
    return SheetPaper(
        table=table,
        rows=rows,
        columns=[_column(seat, place, rows if deals else []) for place, seat in enumerate(seats)],
        scale=scale_of(table),
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


def _column(seat: Seat, place: int, rows: Sequence[Row]) -> Column:
    marks = [row.marks[place] for row in rows]
    points = [mark for mark in marks if mark is not None]
    return Column(
        letter=seat.letter,
        name=seat.player.shown_name,
        number=seat.entry.number,
        size=size_of(seat.player.shown_name),
        won=sum(p for p in points if p > 0) if points else None,
        lost=-sum(p for p in points if p < 0) if points else None,
        total=sum(points) if points else None,
    )


def size_of(name: str) -> str:
    """Say how small a name must be set to fit its cell."""
    return "tiny" if len(name) > VERY_LONG else "small" if len(name) > LONG else ""


def scale_of(table: Table) -> dict[str, Any]:
    """What a hand needs to add up a sheet, by the table's rules."""
    rules = ruleset_of(table)
    amounts: dict[str, Any] = tarot.scoring_table(rules)
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

    @property
    def size(self) -> str:
        return size_of(str(self.entry))


def _slips(event: Event, order: Order) -> dict[str, Any]:
    entries = event.entries.exclude(state=Entry.State.WAITING).by_number()
    started = list(event.rounds.published().in_order().values_list("number", flat=True))
    planned = sum(event.stages.values_list("rounds_planned", flat=True))
    count = max(planned, event.rounds_planned or 0, len(started), 1)
    seated = {
        (entry, number): table
        for entry, number, table in Seat.objects.filter(
            round__event=event, round__number__in=started
        ).values_list("entry", "round__number", "table__number")
    }
    pieces = [
        _slip(entry, count, seated, blank=order.blank)
        for entry in entries.prefetch_related("players")
        if order.wants(entry.number)
    ]
    return {"pieces": pieces}


def _slip(entry: Entry, count: int, seated: Mapping[tuple[int, int], int], *, blank: bool) -> Slip:
    made = {} if blank else {part["round"]: part["points"] for part in entry.round_points}
    rows, running = [], 0
    for number in range(1, count + 1):
        points = made.get(number)
        running += points or 0
        table = None if blank else seated.get((entry.pk, number))
        rows.append((number, table, points, running if points is not None else None))
    return Slip(entry=entry, rows=rows)


def _names(event: Event, order: Order) -> dict[str, Any]:
    this_round = round_of(event, order.round)
    if this_round is None:
        return {"round": None, "pieces": []}
    seats = this_round.seats.select_related("player", "table", "entry")
    waiting = this_round.sit_outs.prefetch_related("entry__players")
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
    entries = event.entries.prefetch_related("players").in_bulk()
    numbers = list(event.rounds.published().in_order().values_list("number", flat=True))
    return {
        "version": version,
        "is_final": version is not None and version.state == ResultVersion.State.FINAL,
        "numbers": numbers,
        "has_rulings": any(line["ruled_points"] for line in lines),
        "pieces": list(_ranked(lines, entries, numbers)),
    }


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


def _rulings(event: Event, order: Order) -> dict[str, Any]:
    rulings = event.rulings.select_related("round", "table").prefetch_related("entry__players")
    words = {fault.code: fault.words for fault in FAULTS.values()}
    return {
        "pieces": [
            (ruling, _(words[ruling.fault]) if ruling.fault in words else "") for ruling in rulings
        ]
    }


def _entries(event: Event, order: Order) -> dict[str, Any]:
    entries = event.entries.by_number().select_related("team").prefetch_related("players")
    return {"pieces": list(entries)}


CONTENTS: Mapping[str, Callable[[Event, Order], dict[str, Any]]] = {
    SHEETS: _sheets,
    SLIPS: _slips,
    NAMES: _names,
    TABLES: _tables,
    RANKING: _ranking,
    RULINGS: _rulings,
    ENTRIES: _entries,
}


# One file of many sheets

SHEETS_AT_ONCE = 20


@cache
def can_make_files() -> bool:
    """Is the program that makes files installed, with the system libraries that it needs?"""
    try:
        importlib.import_module("weasyprint")
    except (ImportError, OSError):
        return False
    return True


def file_of(event: Event, order: Order, *, tell: Callable[[int, int], None]) -> bytes:
    """Make one PDF of the document; ``tell`` hears after each batch how many pieces are done."""
    weasyprint: Any = importlib.import_module("weasyprint")
    sheet = weasyprint.CSS(string=_paper_rules())
    with translation.override(order.language):
        context = page_of(event, order)
        pieces = context["pieces"]
        size = SHEETS_AT_ONCE if order.document in {SHEETS, SLIPS} else max(len(pieces), 1)
        documents = []
        tell(0, len(pieces))
        for first in range(0, max(len(pieces), 1), size):
            batch = pieces[first : first + size]
            html = render_to_string(
                f"scoring/paper/{order.document}.html", context | {"pieces": batch}
            )
            made = weasyprint.HTML(string=html, url_fetcher=_fetch_nothing)
            documents.append(made.render(stylesheets=[sheet]))
            tell(min(first + size, len(pieces)), len(pieces))
    pages = [page for document in documents for page in document.pages]
    done: bytes = documents[0].copy(pages).write_pdf()
    return done


def _paper_rules() -> str:
    found = finders.find("paper.css")
    if not isinstance(found, str):
        raise FileNotFoundError("paper.css")
    return Path(found).read_text(encoding="utf-8")


def _fetch_nothing(url: str, *_args: Any, **_options: Any) -> Any:
    # Names are typed by people: no address among them may be fetched by the worker.
    raise ValueError(url)
