"""Texts that a spreadsheet would take for something else, in files that we write and read.

A name may begin with an equals sign, a series be called "2-1" and a team "007": a spreadsheet that
opens a CSV makes a formula, the second of January and seven of them. An apostrophe before the text
says that it is one. In a workbook the cell itself says so.
"""

from __future__ import annotations

import re

from clubs.names import fold_name

#: What begins a formula, in one program or another.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
#: Months by which programs of our languages know a date, folded.
MONTHS = (
    "jan|january|janvier|janv|janeiro|feb|february|fevrier|fevr|fev|fevereiro|mar|march|mars|marco"
    "|apr|april|avril|avr|abr|abril|may|mai|maio|jun|june|juin|junho|jul|july|juillet|juil|julho"
    "|aug|august|aout|ago|agosto|sep|sept|september|septembre|set|setembro|oct|october|octobre|out"
    "|outubro|nov|november|novembre|novembro|dec|december|decembre|dez|dezembro"
)
SIGN = r"(?: ?[-/.: ] ?)"
#: Dates, times and fractions; numbers that would lose a zero, an E or their last digits.
TAKEN = re.compile(
    rf"\d+{SIGN}\d+(?:{SIGN}\d+)?"
    rf"|\d+{SIGN}?(?:{MONTHS})\.?(?:{SIGN}?\d+)?"
    rf"|(?:{MONTHS})\.?{SIGN}?\d+(?:,? \d+)?"
    r"|0\d+|\d+(?:[.,]\d+)?e\d+|\d{12,}"
)


def is_taken(text: str) -> bool:
    """Would a spreadsheet take the text for a formula, a date or a number?"""
    return text.startswith(FORMULA) or TAKEN.fullmatch(fold_name(text)) is not None


def unarmed(text: str) -> str:
    """Give the text as CSV holds it: an apostrophe before what would be taken for something else.

    Another one before what would be read without its own.
    """
    return f"'{text}" if is_taken(text.lstrip("'")) else text


def as_meant(cell: str) -> str:
    """Give the text of a cell without the apostrophe that only says that it is a text."""
    return cell[1:] if cell.startswith("'") and is_taken(cell.lstrip("'")) else cell
