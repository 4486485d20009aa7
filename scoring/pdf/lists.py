"""Lists on paper: as many pages as they need, the heading of the columns on each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.templatetags.cards import signed
from scoring.pdf.pen import BOLD, LEADING, PLAIN, POINT, Pen, length_of, wrapped
from scoring.templatetags.papers import suit_sign

type Done = Callable[[int], None]

SIZES = {"a4": 10.0, "a5": 8.5, "a6": 7.0}
LEAST = 5.0
#: In millimetres: around the words of a cell, under the head, what a column of words keeps.
PADDING, GAP, WORDS_KEEP = 1.0, 3.0, 26.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: as narrow as its words, or ``wide`` to share what is left."""

    title: str
    align: str = "left"
    wide: bool = False
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Struck:
    """Words that no longer hold."""

    words: str

    def __str__(self) -> str:
        return self.words


#: A cell has one paragraph, or several under each other.
type Paragraph = str | Struck
type Cell = Paragraph | tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows that stay on one page; ``label`` stands once, before all of them."""

    rows: Sequence[Sequence[Cell]]
    label: str | None = None


# The documents


def draw_names(pen: Pen, context: Mapping[str, Any], done: Done) -> None:
    """Draw where everybody sits, by name."""
    columns = [
        Column(title=_("No."), align="right"),
        Column(title=_("Player"), wide=True, bold=True),
        Column(title=pgettext("heading", "Table"), align="right"),
        Column(title=_("Seat"), align="center"),
    ]
    seated = [
        (
            str(seat.entry.number), seat.player.shown_name,
            f"{seat.table.number} {suit_sign(seat.table.suit)}", seat.letter,
        )
        for seat in context["pieces"]
    ]  # fmt: skip
    out = [(str(each.number), str(each), _("sits out"), "") for each in context["waiting"]]
    _draw(pen, context, columns, _single([*seated, *out]), done)


def draw_tables(pen: Pen, context: Mapping[str, Any], done: Done) -> None:
    """Draw where everybody sits, by table."""
    columns = [
        Column(title=pgettext("heading", "Table"), align="center", bold=True),
        Column(title=_("Seat"), align="center"),
        Column(title=_("No."), align="right"),
        Column(title=_("Player"), wide=True),
    ]
    groups = [
        Group(
            label=f"{table.number} {suit_sign(table.suit)}",
            rows=[
                ("", seat.letter, str(seat.entry.number), seat.player.shown_name) for seat in seats
            ],
        )
        for table, seats in context["pieces"]
    ]
    _draw(pen, context, columns, groups, done)


def draw_ranking(pen: Pen, context: Mapping[str, Any], done: Done) -> None:
    """Draw the ranking, with a column for each round."""
    penalties = [Column(title=_("Penalties"), align="right")] if context["has_rulings"] else []
    columns = [
        Column(title=_("Rank"), align="right"),
        Column(title=_("No."), align="right"),
        Column(title=_("Player"), wide=True, bold=True),
        *(Column(title=str(number), align="right") for number in context["numbers"]),
        *penalties,
        Column(title=_("Points"), align="right", bold=True),
    ]
    rows = [_ranked(piece, with_penalties=bool(penalties)) for piece in context["pieces"]]
    _draw(pen, context, columns, _single(rows), done, said=context["counted"])


def _ranked(piece: Mapping[str, Any], *, with_penalties: bool) -> tuple[Cell, ...]:
    line, entry = piece["line"], piece["entry"]
    name = f"{entry} ({entry.club_name})" if entry.club_name else str(entry)
    ruled = line["ruled_points"]
    return (
        str(line["place"]),
        str(entry.number),
        name,
        *(signed(points) for points in piece["rounds"]),
        *([signed(ruled) if ruled else ""] if with_penalties else []),
        signed(line["points"]),
    )


def draw_rulings(pen: Pen, context: Mapping[str, Any], done: Done) -> None:
    """Draw the ledger of the rulings, those that were withdrawn struck through."""
    columns = [
        Column(title=_("When")),
        Column(title=_("Round"), align="center"),
        Column(title=pgettext("heading", "Table"), align="center"),
        Column(title=_("Deal"), align="center"),
        Column(title=_("Player"), wide=True),
        Column(title=_("Ruling"), wide=True),
        Column(title=_("Points"), align="right"),
    ]
    rows = [
        (
            (line.when, line.by),
            line.round,
            line.table,
            line.deal,
            line.who,
            tuple(_struck(line, [line.words, *line.follows]))
            + tuple(filter(None, [line.withdrawn])),
            *_struck(line, [line.points]),
        )
        for line in context["pieces"]
    ]
    _draw(pen, context, columns, _single(rows), done, said=context["in_force"])


def _struck(line: Any, words: Iterable[str]) -> Iterator[Paragraph]:
    return (each if line.stands else Struck(each) for each in words)


def draw_entries(pen: Pen, context: Mapping[str, Any], done: Done) -> None:
    """Draw who takes part, by number."""
    has_licences = context["facts"].has_licences
    columns = [
        Column(title=_("No."), align="right"),
        Column(title=_("Player"), wide=True, bold=True),
        Column(title=pgettext("of a player", "Club"), wide=True),
        *([Column(title=_("Licence")), Column(title=_("Series"))] if has_licences else []),
        Column(title=_("Team"), wide=True),
        Column(title=_("Starting place")),
        Column(title=_("Fee")),
        Column(title=_("State")),
    ]
    rows = [
        (
            str(entry.number), str(entry), entry.club_name,
            *([entry.licence_number, entry.series] if has_licences else []),
            str(entry.team or ""), start,
            _("paid") if entry.fee_paid_at else "", str(entry.get_state_display()),
        )
        for entry, start in context["pieces"]
    ]  # fmt: skip
    kept = [n for n, column in enumerate(columns) if n < 2 or any(row[n] for row in rows)]  # noqa: PLR2004 - number and name
    _draw(
        pen,
        context,
        [columns[n] for n in kept],
        _single([[row[n] for n in kept] for row in rows]),
        done,
    )


def draw_nothing(pen: Pen, context: Mapping[str, Any]) -> None:
    """Draw the page of a document that has nothing to show yet."""
    pen.new_page()
    top = _draw_head(pen, context, _("There is nothing to print yet."))
    pen.lines([(pen.margin, top, pen.width - pen.margin, top)])


# How a list is laid out


def _single(rows: Iterable[Sequence[Cell]]) -> list[Group]:
    return [Group(rows=[row]) for row in rows]


def _draw(
    pen: Pen,
    context: Mapping[str, Any],
    columns: Sequence[Column],
    groups: Sequence[Group],
    done: Done,
    *,
    said: str = "",
) -> None:
    """Draw a list in the largest letters at which its columns fit beside each other."""
    width, size = pen.short - 2 * pen.margin, SIZES[pen.paper]
    cells = [row for group in groups for row in group.rows]
    labels = [group.label for group in groups if group.label]
    while True:
        widths = _widths(columns, cells, labels, size, width)
        if widths or size <= LEAST:
            break
        size -= 0.5
    layout = Layout(pen, columns, widths or [width / len(columns)] * len(columns), size)
    layout.first_page(context, said)
    for count, group in enumerate(groups, 1):
        layout.add(group)
        done(count)
    layout.end()


def _widths(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    labels: Sequence[str],
    size: float,
    width: float,
) -> list[float]:
    """Give the widths of the columns, which fill the page; none if they do not fit."""
    longest = [
        max(
            length_of(column.title, BOLD, size),
            *(length_of(str(p), _font(column), size) for row in rows for p in _parts(row[n])),
            *(length_of(label, BOLD, size) for label in labels if n == 0),
        )
        * POINT
        + 2 * PADDING
        + 0.1
        for n, column in enumerate(columns)
    ]
    slim = sum(each for each, column in zip(longest, columns, strict=True) if not column.wide)
    wide = {n: longest[n] for n, column in enumerate(columns) if column.wide}
    spare = width - slim
    if spare < WORDS_KEEP * len(wide):
        return []
    return [_share(wide, n, spare) if n in wide else longest[n] for n in range(len(columns))]


def _share(wide: Mapping[int, float], place: int, spare: float) -> float:
    """Share what is left by the longest words, but leave each column enough to be read."""
    asked = sum(wide.values())
    free = spare - WORDS_KEEP * len(wide)
    return WORDS_KEEP + free * wide[place] / asked


def _font(column: Column) -> str:
    return BOLD if column.bold else PLAIN


def _parts(cell: Cell) -> tuple[Paragraph, ...]:
    return cell if isinstance(cell, tuple) else (cell,)


class Layout:
    """Puts groups of rows under each other and turns the page when one does not fit."""

    def __init__(
        self, pen: Pen, columns: Sequence[Column], widths: Sequence[float], size: float
    ) -> None:
        self.pen, self.columns, self.size = pen, columns, size
        self.xs = list(accumulate(widths, initial=pen.margin))
        self.step = size * LEADING * POINT
        self.y = self.top = pen.margin

    def first_page(self, context: Mapping[str, Any], said: str) -> None:
        """Begin with the head of the document."""
        self.pen.new_page()
        self.y = _draw_head(self.pen, context, said)
        self._draw_titles()

    def add(self, group: Group) -> None:
        """Put a group under the others, on a new page if this one has no room for it."""
        rows = [self._lines_of(row) for row in group.rows]
        heights = [self._height(row) for row in rows]
        if self.y + sum(heights) > self.pen.height - self.pen.margin - self.step:
            self._next_page()
        first = self.y
        for row, height in zip(rows, heights, strict=True):
            self._draw_row(row, height, self.y, from_column=0 if group.label is None else 1)
            self.y += height
        if group.label is not None:
            self._draw_label(group.label, first)

    def end(self) -> None:
        """Write the number of the page under the last list."""
        self._number()

    def _next_page(self) -> None:
        self._number()
        self.pen.new_page()
        self.y = self.pen.margin
        self._draw_titles()

    def _number(self) -> None:
        x, width = self.xs[0], self.xs[-1] - self.xs[0]
        y = self.pen.height - self.pen.margin - self.step
        words = str(self.pen.pages)
        self.pen.text(x, y + 0.5, width, self.step, words, size=self.size - 1, align="right")

    def _draw_titles(self) -> None:
        titles = [[(column.title, False)] for column in self.columns]
        height = self.step + PADDING
        self._draw_row(titles, height, self.y, bold=True)
        self.y += height

    def _lines_of(self, row: Sequence[Cell]) -> list[list[tuple[str, bool]]]:
        return [list(self._cell_lines(cell, place)) for place, cell in enumerate(row)]

    def _cell_lines(self, cell: Cell, place: int) -> Iterator[tuple[str, bool]]:
        width = self.xs[place + 1] - self.xs[place] - 2 * PADDING
        for part in _parts(cell):
            font = _font(self.columns[place])
            for line in wrapped(str(part), font, self.size, width, may_break=True):
                yield line, isinstance(part, Struck)

    def _height(self, row: Sequence[Sequence[tuple[str, bool]]]) -> float:
        return max(len(lines) for lines in row) * self.step + PADDING

    def _draw_row(
        self,
        row: Sequence[Sequence[tuple[str, bool]]],
        height: float,
        y: float,
        *,
        from_column: int = 0,
        bold: bool = False,
    ) -> None:
        for place, (lines, column) in enumerate(zip(row, self.columns, strict=True)):
            x, width = self.xs[place] + PADDING, self.xs[place + 1] - self.xs[place] - 2 * PADDING
            top = y + PADDING / 2
            for words, struck in lines:
                self.pen.text(
                    x, top, width, self.step + 0.01, words, size=self.size,
                    bold=bold or column.bold, align=column.align, struck=struck,
                )  # fmt: skip
                top += self.step
        xs = self.xs[from_column:]
        self.pen.lines([(xs[0], y, xs[-1], y), (xs[0], y + height, xs[-1], y + height)])
        self.pen.lines([(x, y, x, y + height) for x in xs])

    def _draw_label(self, label: str, first: float) -> None:
        x, right = self.xs[:2]
        self.pen.lines(
            [
                (x, first, right, first),
                (x, self.y, right, self.y),
                (x, first, x, self.y),
            ]
        )
        self.pen.text(
            x, first, right - x, self.y - first, label, size=self.size, bold=True, align="center"
        )


def _draw_head(pen: Pen, context: Mapping[str, Any], said: str) -> float:
    """Draw the head of a list; gives where the list begins."""
    event, x = context["event"], pen.margin
    y: float = pen.margin
    width, size = pen.width - 2 * x, SIZES[pen.paper]
    where = [str(context["club"]), event.name, date_format(localtime(event.starts_at))]
    if context.get("round"):
        where.append(_("Round %(number)s") % {"number": context["round"].number})
    pen.text(x, y, width, 8, str(context["title"]), size=size * 1.5, bold=True)
    y += 8
    for words in filter(None, [" · ".join(where), said]):
        lines = wrapped(words, PLAIN, size, width, may_break=True)
        for line in lines:
            pen.text(x, y, width, size * LEADING * POINT + 0.01, line, size=size)
            y += size * LEADING * POINT
    return y + GAP
