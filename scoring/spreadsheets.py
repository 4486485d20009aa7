"""Tables as files for spreadsheets: CSV as the reader's language has it, and XLSX.

A text stays one (``scoring.imports.texts``): a file that somebody opens runs no name that begins
with an equals sign, and makes no date of a series.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.styles.numbers import FORMAT_TEXT
from openpyxl.utils import get_column_letter

from scoring.imports.texts import unarmed

type Value = str | int | Decimal | None
type Row = Sequence[Value]

#: Languages whose programs part the cells of a CSV by semicolons and write a decimal comma.
WITH_COMMA = ("fr", "pt")
WIDEST = 48
# A workbook holds when it was made: with one moment, equal rows are equal bytes.
MADE_AT = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
MODIFIED = re.compile(rb"(?<=<dcterms:modified xsi:type=\"dcterms:W3CDTF\">)[^<Z]*")


def to_csv(rows: Iterable[Row], *, language: str) -> bytes:
    """Write the rows in UTF-8 with a mark of it, which Excel needs to read accents."""
    has_comma = language.startswith(WITH_COMMA)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";" if has_comma else ",", lineterminator="\r\n")
    for row in rows:
        writer.writerow([_text(value, has_comma=has_comma) for value in row])
    return out.getvalue().encode("utf-8-sig")


def _text(value: Value, *, has_comma: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return unarmed(value)
    return str(value).replace(".", ",") if has_comma else str(value)


def to_xlsx(rows: Iterable[Row], *, title: str) -> bytes:
    """Write the rows as one sheet of a workbook, the first of them as its head."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title=_sheet_name(title))
    sheet.freeze_panes = "A2"
    lines = [list(row) for row in rows]
    for column, width in enumerate(_widths(lines)):
        sheet.column_dimensions[get_column_letter(column + 1)].width = width
    for number, line in enumerate(lines):
        sheet.append([_cell(sheet, value, is_head=number == 0) for value in line])
    book.properties.created = book.properties.modified = MADE_AT
    out = io.BytesIO()
    book.save(out)
    return _timeless(out.getvalue())


def _timeless(workbook: bytes) -> bytes:
    """Give the parts one time, that of no clock: equal rows are then equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as parts, zipfile.ZipFile(out, "w") as written:
        for name in parts.namelist():
            part = zipfile.ZipInfo(name, date_time=MADE_AT.timetuple()[:6])
            part.compress_type = zipfile.ZIP_DEFLATED
            # The library writes when it wrote, whatever it was told.
            written.writestr(part, MODIFIED.sub(MADE_AT.isoformat().encode(), parts.read(name)))
    return out.getvalue()


def _cell(sheet: object, value: Value, *, is_head: bool) -> WriteOnlyCell:
    cell = WriteOnlyCell(sheet, value=value)
    if isinstance(value, str):
        # Else the library takes "=1+1" for a formula.
        cell.data_type = "s"
        cell.number_format = FORMAT_TEXT
    if is_head:
        cell.font = Font(bold=True)
    return cell


def _sheet_name(title: str) -> str:
    return "".join(letter for letter in title if letter not in r"[]:*?/\\")[:31] or "Tapis Vert"


def _widths(lines: Sequence[Row]) -> list[int]:
    columns = max((len(line) for line in lines), default=0)
    return [
        min(WIDEST, 2 + max(len(str(line[c] or "")) for line in lines if c < len(line)))
        for c in range(columns)
    ]
