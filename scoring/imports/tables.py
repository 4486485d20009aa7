"""A file as rows of texts: CSV of any kind, XLSX or ODS, told apart by what is in it."""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from xml.etree import ElementTree as ET

from openpyxl import load_workbook

#: More is no list of a club's evening; and a bomb of a zip file must not fill the memory.
MOST_BYTES, MOST_UNPACKED = 4_000_000, 40_000_000
MOST_ROWS, MOST_COLUMNS, LONGEST_CELL = 3000, 80, 500
DELIMITERS = (";", "\t", ",", "|")
LINES_LOOKED_AT = 30
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


class Unreadable(ValueError):  # noqa: N818 - as the engine names its refusals
    """A file that holds no table; ``code`` says why: empty, too_big, not_a_table."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of a file, each as long as the longest, and how the file was read."""

    rows: tuple[tuple[str, ...], ...]
    form: str
    encoding: str = ""
    delimiter: str = ""


def read_table(content: bytes) -> Table:
    """Give the table in a file; refuses what is none, or too big for the list of an evening."""
    if len(content) > MOST_BYTES:
        raise Unreadable("too_big")
    if content.startswith(b"PK\x03\x04"):
        return _read_zipped(content)
    return _read_text(content)


# Text


def _read_text(content: bytes) -> Table:
    text, encoding = _decoded(content)
    if "\x00" in text:
        raise Unreadable("not_a_table")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Excel writes this line to tell itself how the cells are parted.
    first, _, rest = text.partition("\n")
    said = first[4:5] if first.lower().startswith("sep=") else ""
    text = rest if said else text
    try:
        delimiter = said or _delimiter_of(text)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as fault:
        raise Unreadable("not_a_table") from fault
    return Table(rows=_square(rows), form="csv", encoding=encoding, delimiter=delimiter)


def _decoded(content: bytes) -> tuple[str, str]:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return content.decode(encoding, "replace"), encoding
    for encoding in ("utf-8", "cp1252"):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1"), "latin-1"


def _delimiter_of(text: str) -> str:
    """Give what parts the cells most evenly: a decimal comma parts a few rows, and not alike."""
    lines = [line for line in text.split("\n") if line.strip()][:LINES_LOOKED_AT]
    return max(DELIMITERS, key=lambda each: (_evenness(lines, each), -DELIMITERS.index(each)))


def _evenness(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """Say how many lines have the commonest number of cells, if that is more than one."""
    counts = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
    several = [count for count in counts if count > 1]
    if not several:
        return 0, 0
    common = max(set(several), key=several.count)
    return several.count(common), common


# Workbooks


def _read_zipped(content: bytes) -> Table:
    try:
        form, rows = _unpacked(content)
    except Unreadable:
        raise
    except Exception as fault:  # whatever a broken file makes a library stumble over
        raise Unreadable("not_a_table") from fault
    return Table(rows=_square(rows), form=form)


def _unpacked(content: bytes) -> tuple[str, list[list[str]]]:
    parts = zipfile.ZipFile(io.BytesIO(content))
    if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
        raise Unreadable("too_big")
    names = set(parts.namelist())
    if "xl/workbook.xml" in names:
        return "xlsx", _rows_of_xlsx(content)
    if "content.xml" in names:
        return "ods", _rows_of_ods(parts.read("content.xml"))
    raise Unreadable("not_a_table")


def _rows_of_xlsx(content: bytes) -> list[list[str]]:
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    try:
        for sheet in book.worksheets:
            rows = [
                [_said(value) for value in row[:MOST_COLUMNS]]
                for row in sheet.iter_rows(max_row=MOST_ROWS + 1, values_only=True)
            ]
            if any(any(row) for row in rows):
                return rows
    finally:
        book.close()
    return []


def _said(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value)


def _rows_of_ods(content: bytes) -> list[list[str]]:
    # The parser of the standard library refuses entities that grow without end.
    tree = ET.fromstring(content)  # noqa: S314 - see the line above; no file is fetched
    for sheet in tree.iter(f"{TABLE}table"):
        rows: list[list[str]] = []
        for row in sheet.iter(f"{TABLE}table-row"):
            cells = list(_cells_of_ods(row))
            # A row that is repeated a million times is the empty rest of the sheet.
            times = int(row.get(f"{TABLE}number-rows-repeated", "1")) if any(cells) else 1
            rows += [cells] * min(times, MOST_ROWS + 1 - len(rows))
            if len(rows) > MOST_ROWS:
                break
        if any(any(row) for row in rows):
            return rows
    return []


def _cells_of_ods(row: ET.Element) -> Iterator[str]:
    count = 0
    for cell in row:
        if not cell.tag.endswith("table-cell"):
            continue
        number = cell.get(f"{OFFICE}value")
        text = "\n".join("".join(each.itertext()) for each in cell.iter(f"{TEXT}p"))
        said = _said(float(number)) if number is not None else text
        times = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        for _time in range(min(times, MOST_COLUMNS - count)):
            yield said
        count += min(times, MOST_COLUMNS - count)


# Both


def _square(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Give the rows without the empty ends, all of one length; refuses none and too many."""
    tidy = [[" ".join(cell.split())[:LONGEST_CELL] for cell in row[:MOST_COLUMNS]] for row in rows]
    while tidy and not any(tidy[-1]):
        tidy.pop()
    if not any(any(row) for row in tidy):
        raise Unreadable("empty")
    if len(tidy) > MOST_ROWS:
        raise Unreadable("too_big")
    columns = max((index + 1 for row in tidy for index, cell in enumerate(row) if cell), default=0)
    return tuple((*row[:columns], *[""] * (columns - len(row))) for row in tidy)
