"""Sorts the words of a truco record: tags, and for each hand what stands where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules_engine.errors import Unreadable, gettext_noop
from rules_engine.reading import echo
from rules_engine.truco.tags import LONGEST_TEXT, VERSION, bad_tag, split_tag
from rules_engine.truco.trn_tokens import Token

#: No match has more hands: nearly every one scores.
MOST_LINES = 500
#: More than any hand needs: cards, calls, leaders, marks.
MOST_WORDS = 100
#: The kinds of word that a hand holds once, before or after its rounds.
ONCE = frozenset({"seat", "vira", "deal", "special", "iron", "arrow", "score"})
BODY = frozenset({"leader", "call", "play", "mark"})


@dataclass(slots=True)
class Written:
    """One line of a record as written: the words said once by kind, and the rounds in order."""

    number: int
    where: str
    once: dict[str, Token] = field(default_factory=dict)
    body: list[Token] = field(default_factory=list)
    words: list[Token] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def note(self) -> str:
        """What was written between braces or after a semicolon, on one line."""
        return " ".join(self.notes)[:LONGEST_TEXT].strip()

    def said(self, kind: str) -> str | None:
        """Give the word of a kind, without regard to case; None where it was left out."""
        token = self.once.get(kind)
        return None if token is None else token.text.upper()

    def add(self, token: Token) -> None:
        """Put a word in its place; refuses one that has none here."""
        kind = "result" if token.kind in {"outcome", "nothing"} else token.kind
        if kind == "slash":
            return
        if kind in ONCE or kind == "result":
            late = kind in {"seat", "vira", "deal", "special", "iron"} and self.body
            early = kind in {"result", "score"} and "arrow" not in self.once
            if kind in self.once or late or early:
                raise misplaced(token)
            self.once[kind] = token
            return
        into = self.body if kind in BODY else self.words
        if "arrow" in self.once or len(into) >= MOST_WORDS:
            raise misplaced(token)
        into.append(token)


def misplaced(token: Token) -> Unreadable:
    """Give the refusal of a word that is none at this place."""
    return Unreadable(
        gettext_noop("“%(given)s” is out of place here."),
        code="misplaced_word",
        field=token.where,
        given=echo(token.text),
    )


def sorted_out(words: Iterable[Token]) -> tuple[dict[str, str], list[Written]]:
    """Give the tags of a record and its lines as written."""
    tags: dict[str, str] = {}
    lines: list[Written] = []
    for token in words:
        if token.kind == "tag":
            _add_tag(tags, token)
        elif token.kind == "number":
            _check_room(lines, token)
            lines.append(Written(int(token.text[:-1]), token.where))
        elif token.kind == "comment":
            if lines and (remark := _remark(token.text)):
                lines[-1].notes.append(remark)
        elif lines:
            lines[-1].add(token)
        else:
            raise misplaced(token)
    return tags, lines


def _add_tag(tags: dict[str, str], token: Token) -> None:
    name, text = split_tag(token.text)
    if name in tags:
        raise Unreadable(
            gettext_noop("The tag “%(name)s” is given twice."),
            code="tag_twice",
            field=token.where,
            name=echo(name),
        )
    if name != "TRN":
        tags[name] = text
    elif text != VERSION:
        raise bad_tag(token.text)


def _check_room(lines: list[Written], token: Token) -> None:
    if len(lines) >= MOST_LINES:
        raise Unreadable(
            gettext_noop("A record holds at most %(most)s hands."),
            code="too_many_hands",
            field=token.where,
            most=MOST_LINES,
        )


def _remark(comment: str) -> str:
    bare = comment[1:-1] if comment.startswith("{") else comment[1:]
    plain = bare.replace("{", "(").replace("}", ")")
    return " ".join("".join(c if c.isprintable() else " " for c in plain).split())
