"""The words of the truco record notation (TRN), found in a text with their line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rules_engine.errors import Unreadable, gettext_noop
from rules_engine.reading import echo

_CARD = r"(?:1[012]|[1-7AKQJ])[PCEO♣♥♠♦]"
#: Longer words first: ``=>`` before ``=``, a score before a number, a card before a seat.
_WORDS = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<comment>\{{[^}}]*\}}|;[^\n]*)
  | (?P<tag>\[\s*[A-Z][A-Z0-9]*\s+"(?:[^"\\\n]|\\.)*"\s*\])
  | (?P<deal>\[[^\]\["]*\])
  | (?P<arrow>=>)
  | (?P<outcome>[AB]\+[0-9]+)
  | (?P<score>[0-9]+[-–][0-9]+)
  | (?P<number>[0-9]+\.)
  | (?P<vira>v{_CARD})
  | (?P<special>M[0-9]+[AB][+-]~?)
  | (?P<iron>FERRO)
  | (?P<leader>[AB][123]:)
  | (?P<call>(?:[AB][123])?(?:![0-9]+)+(?:\+|-~?)?)
  | (?P<play>\#\#|\?\?|\#?{_CARD})
  | (?P<seat>[AB][123])
  | (?P<mark>>[AB][123]|=)
  | (?P<slash>/)
  | (?P<nothing>0)
  | (?P<word>[^\W\d_]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: Points, values and numbers of hands have at most so many digits.
MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text: its kind, as written, and the line it stands in, from 1."""

    kind: str
    text: str
    line: int

    @property
    def where(self) -> str:
        """Name the place for a refusal."""
        return f"line {self.line}"


def tokens(text: str) -> Iterator[Token]:
    """Give the words of a text; refuses what the notation has no word for."""
    place, line = 0, 1
    while place < len(text):
        found = _WORDS.match(text, place)
        if found is None or re.search(rf"[0-9]{{{MOST_DIGITS + 1}}}", _bare(found)):
            raise Unreadable(
                gettext_noop("“%(given)s” is no word of the truco notation."),
                code="unknown_word",
                field=f"line {line}",
                given=echo(text[place : place + 60].split("\n", maxsplit=1)[0]),
            )
        kind, written = str(found.lastgroup), found[0]
        if kind != "space":
            yield Token(kind, written, line)
        line += written.count("\n")
        place = found.end()


def _bare(found: re.Match[str]) -> str:
    """Give a word in which a long number is a mistake: not the texts that people write."""
    return "" if found.lastgroup in {"comment", "tag"} else found[0]
