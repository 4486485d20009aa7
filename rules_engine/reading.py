"""Reads values that came as JSON: every field named, typed and bounded, nothing left over."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

from rules_engine.errors import Unreadable, gettext_noop

#: No number of a card game is larger; beyond it a line is a mistake or an attack.
LARGEST_NUMBER = 1_000_000
#: Names and notes are cut here before they are shown in a refusal.
LONGEST_ECHO = 40


def echo(value: object) -> str:
    """Show a value inside a refusal: short, whatever it was."""
    shown = value if isinstance(value, str) else type(value).__name__
    return shown if len(shown) <= LONGEST_ECHO else shown[: LONGEST_ECHO - 1] + "…"


class Fields:
    """The fields of one JSON object, taken one by one; ``close`` refuses what is left.

    ``path`` is where the object stands in the whole input, for the refusals: ``poignees[0]``.
    """

    def __init__(self, value: object, *, path: str = "") -> None:
        if not isinstance(value, Mapping):
            raise Unreadable(
                gettext_noop("This must be an object with named fields."),
                code="not_an_object",
                field=path,
            )
        self._left = dict(value)
        self._path = path

    def name_of(self, name: str) -> str:
        """Name a field as it stands in the whole input."""
        return f"{self._path}.{name}" if self._path else name

    def has(self, name: str) -> bool:
        """Is the field given, and not as null?"""
        return self._left.get(name) is not None

    def drop(self, *names: str) -> None:
        """Leave aside fields that are allowed and mean nothing here."""
        for name in names:
            self._left.pop(name, None)

    def take(self, name: str) -> object:
        """Give a field's value as it came; refuses a missing one."""
        if name not in self._left:
            raise Unreadable(
                gettext_noop("The field “%(name)s” is missing."),
                code="missing_field",
                field=self.name_of(name),
                name=name,
            )
        return self._left.pop(name)

    def whole(self, name: str) -> int:
        """Give a whole number; refuses true, false, fractions and the absurdly large."""
        value = self.take(name)
        if type(value) is not int:
            raise self._wrong_type(
                name, gettext_noop("“%(name)s” must be a whole number."), code="not_a_whole_number"
            )
        return self._bounded(name, value)

    def half_steps(self, name: str) -> int:
        """Give a number of whole or half points, counted in halves."""
        value = self.take(name)
        if type(value) is int:
            return 2 * self._bounded(name, value)
        if type(value) is not float or not math.isfinite(value):
            raise self._wrong_type(
                name, gettext_noop("“%(name)s” must be a number."), code="not_a_number"
            )
        halves = 2 * self._bounded(name, value)
        if not halves.is_integer():
            raise self._wrong_type(
                name,
                gettext_noop("“%(name)s” counts whole and half points, nothing finer."),
                code="not_half_points",
            )
        return int(halves)

    def flag(self, name: str) -> bool:
        """Give true or false; refuses everything else, also 0 and 1."""
        value = self.take(name)
        if not isinstance(value, bool):
            raise self._wrong_type(
                name, gettext_noop("“%(name)s” must be true or false."), code="not_true_or_false"
            )
        return value

    def text(self, name: str) -> str:
        """Give a text."""
        value = self.take(name)
        if not isinstance(value, str):
            raise self._wrong_type(
                name, gettext_noop("“%(name)s” must be a text."), code="not_a_text"
            )
        return value

    def word[Word: StrEnum](self, name: str, words: type[Word]) -> Word:
        """Give one of a list of words; refuses any other."""
        value = self.take(name)
        if isinstance(value, str) and value in words:
            return words(value)
        raise Unreadable(
            gettext_noop("“%(given)s” is not a value of “%(name)s”; it is one of: %(words)s."),
            code="unknown_value",
            field=self.name_of(name),
            given=echo(value),
            name=name,
            words=", ".join(words),
        )

    def items(self, name: str, *, at_most: int) -> list[object]:
        """Give a list; refuses one longer than any deal could need."""
        value = self.take(name)
        if not isinstance(value, list):
            raise self._wrong_type(
                name, gettext_noop("“%(name)s” must be a list."), code="not_a_list"
            )
        if len(value) > at_most:
            raise Unreadable(
                gettext_noop("“%(name)s” holds at most %(at_most)s entries."),
                code="list_too_long",
                field=self.name_of(name),
                name=name,
                at_most=at_most,
            )
        return value

    def close(self) -> None:
        """Refuse the fields that nobody took."""
        for name in self._left:
            raise Unreadable(
                gettext_noop("There is no field “%(name)s” here."),
                code="unknown_field",
                field=self.name_of(echo(name)),
                name=echo(name),
            )

    def _bounded[Number: (int, float)](self, name: str, value: Number) -> Number:
        if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
            raise Unreadable(
                gettext_noop("“%(name)s” is larger than any number of the game."),
                code="number_too_large",
                field=self.name_of(name),
                name=name,
            )
        return value

    def _wrong_type(self, name: str, sentence: str, *, code: str) -> Unreadable:
        return Unreadable(sentence, code=code, field=self.name_of(name), name=name)
