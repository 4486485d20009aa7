"""Numbers as people write them in lists."""

from __future__ import annotations

import re

MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2012": "-", "\u2011": "-", "\ufe63": "-"})
#: What stands for a round that somebody did not play.
MISSED = frozenset(
    {"", "-", "–", "—", "/", "x", "abs", "abs.", "absent", "absente", "f", "ausente"}
)
WHOLE = re.compile(r"([+-]?)(\d+)(?:[.,]0+)?")
#: One thousand to some, one to others; nothing is nothing to both.
EITHER = re.compile(r"[+-]? ?(?!0+[.,]0+$)\d{1,3}[.,]\d{3}")
GROUPED = re.compile(r"[+-]?\d{1,3}(?:[ '.\u2019]\d{3})+(?:,0+)?|[+-]?\d{1,3}(?:,\d{3})+(?:\.0+)?")
PLACE = re.compile(
    r"=?\s*(\d{1,4})\s*(?:\.|er|re|ere|e|eme|ex|ex\.|º|°|ª|o|a|th|st|nd|rd)?", re.IGNORECASE
)
LARGEST = 1_000_000


def points_in(cell: str) -> int | None:
    """Give the points that a cell says, None for a round that was missed; refuses what is neither.

    Points are whole: "12,0" is 12, and "12,5" is no number of points. "1.000" may be two numbers.
    """
    text = _plain(cell)
    if text.casefold() in MISSED:
        return None
    if GROUPED.fullmatch(text) and not EITHER.fullmatch(text):
        text = _ungrouped(text)
    whole = WHOLE.fullmatch(re.sub(r"^([+-]) +", r"\1", text))
    if whole is None or EITHER.fullmatch(text) or abs(int(whole[2])) > LARGEST:
        raise ValueError(cell)
    return int(whole[1] + whole[2])


def may_be_two(cell: str) -> bool:
    """May the cell say either a number of thousands or one with a part behind a comma?"""
    return EITHER.fullmatch(_plain(cell)) is not None


def _plain(cell: str) -> str:
    # An apostrophe keeps a spreadsheet from taking "-40" for a formula.
    text = cell.translate(MINUS).strip().removeprefix("'")
    text = re.sub(r"[\u00a0\u202f\u2009]", " ", text)
    # As accountants write what is lost.
    return "-" + text[1:-1] if text.startswith("(") and text.endswith(")") else text


def is_points(cell: str) -> bool:
    """Does the cell say points, or that there are none?"""
    try:
        points_in(cell)
    except ValueError:
        return False
    return True


def _ungrouped(text: str) -> str:
    """Take the signs between thousands out, and zeros behind a sign of another kind."""
    signs = re.findall(r"[ '.,\u2019]", text)
    if len(set(signs)) > 1:
        text = text.rpartition(signs[-1])[0]
    return re.sub(r"[ '.,\u2019]", "", text)


def place_in(cell: str) -> int | None:
    """Give the place that a cell says, as "1er", "=3" or "2º"; None for no place."""
    found = PLACE.fullmatch(cell.strip().removeprefix("'"))
    return int(found[1]) if found else None
