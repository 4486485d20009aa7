"""Names folded so that they sort and compare as people expect; knows no framework."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST = 120
#: Of shorter ones, as "le" and "de", many words are made.
SHORTEST_PART = 3
#: Letters and marks that show nothing, though Unicode calls them letters.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
#: Controls, formats that turn the text round or join it, halves of characters, none at all.
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# Letters that Unicode does not take apart, and the apostrophe of typesetters.
PLAIN = str.maketrans(
    {"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "’": "'"}
)


def one_line(text: str) -> str:
    """Give a name, a title or a reason as people see it: one line, without what is invisible."""
    words = " ".join(text.split())
    return " ".join("".join(filter(_is_seen, words)).split())


def _is_seen(letter: str) -> bool:
    return letter not in BLANKS and unicodedata.category(letter) not in UNSEEN


# Whose names are the same is asked for all at a table, each time that it is shown.
@lru_cache(maxsize=4_096)
def fold_name(name: str) -> str:
    """Give a name without accents, case and doubled spaces, to sort and compare it."""
    plain = unicodedata.normalize("NFKD", one_line(name).translate(PLAIN))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(letters.casefold().split())[:LONGEST]


def name_parts(*names: str) -> set[str]:
    """Give the words by which a name is known, folded; short ones only where it has no other."""
    parts: set[str] = set()
    for name in names:
        words = re.findall(r"[^\W_]+", fold_name(name))
        parts |= {word for word in words if len(word) >= SHORTEST_PART} or set(words)
    return parts


def initialled(name: str) -> str:
    """Give the first name with an initial: "Zoé M."; of a single word the initial alone.

    A word in capitals is the family name wherever it stands: "MARTIN Zoé" is "Zoé M." as well.
    """
    words = name.split()
    family = [word for word in words if len(word) > 1 and word.isupper()]
    given = [word for word in words if word not in family]
    if len(words) == 1:
        return f"{words[0][0].upper()}."
    if not family or not given:
        given, family = words[:1], words[1:]
    # The words between, as "van der", tell no less than the family name itself.
    return f"{given[0]} {family[-1][0].upper()}."


def readable_site(origin: str) -> str:
    """Give the address of a site with its letters: "https://xn--t-9fab.example" has accents."""
    try:
        return re.sub(r"xn--[a-z0-9-]+", lambda part: part[0].encode().decode("idna"), origin)
    except UnicodeError:
        return origin
