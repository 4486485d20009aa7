"""Names folded so that they sort and compare as people expect; knows no framework."""

from __future__ import annotations

import unicodedata

LONGEST = 120
# Letters that Unicode does not take apart, and the apostrophe of typesetters.
PLAIN = str.maketrans(
    {"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "’": "'"}
)


def fold_name(name: str) -> str:
    """Give a name without accents, case and doubled spaces, to sort and compare it."""
    plain = unicodedata.normalize("NFKD", name.translate(PLAIN))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(letters.casefold().split())[:LONGEST]
