"""Lines of JSON in, lines of JSON out, in bounded memory and without a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import BinaryIO, NoReturn

from rules_engine.errors import RulesError, Unreadable, gettext_noop
from rules_engine.reading import echo

#: What some readers take for the end of a line, though JSON lets it stand in a string.
ESCAPED_LINE_ENDS = {mark: f"\\u{mark:04x}" for mark in (0x7F, 0x85, 0x2028, 0x2029)}


def answer_lines(
    lines: BinaryIO, out: BinaryIO, answer: Callable[[object], object], *, longest: int
) -> bool:
    """Answer every line in order; give whether all of them were accepted.

    A line longer than ``longest`` bytes is refused without being held in memory.
    """
    accepted = True
    for line in bounded_lines(lines, longest):
        try:
            written = answer(parse(line))
        except RulesError as refusal:
            accepted = False
            written = refused(refusal)
        out.write(dump(written) + b"\n")
    return accepted


def bounded_lines(lines: BinaryIO, longest: int) -> Iterator[bytes | None]:
    """Give each line without its end, or None for one that is too long."""
    while line := lines.readline(longest + 1):
        if line.endswith(b"\n") or len(line) <= longest:
            yield line.rstrip(b"\r\n")
            continue
        yield None
        while (rest := lines.readline(longest + 1)) and not rest.endswith(b"\n"):
            pass


def parse(line: bytes | None) -> object:
    """Read one JSON value; refuses everything that is not JSON, field by field named once."""
    if line is None:
        raise too_large()
    try:
        return json.loads(
            line.decode("utf-8"), object_pairs_hook=_fields, parse_constant=_not_a_number
        )
    except RulesError:
        raise
    except RecursionError:
        raise Unreadable(
            gettext_noop("This is nested deeper than any deal."), code="nested_too_deep"
        ) from None
    except UnicodeDecodeError:
        raise Unreadable(gettext_noop("This is not UTF-8 text."), code="not_utf8") from None
    except json.JSONDecodeError:
        raise Unreadable(gettext_noop("This is not JSON."), code="not_json") from None
    except ValueError:
        # Python reads whole numbers only up to some thousands of digits.
        raise Unreadable(
            gettext_noop("A number is larger than any number of the game."),
            code="number_too_large",
        ) from None


def refused(refusal: RulesError) -> dict[str, object]:
    """Give a refusal as the command line writes it."""
    return {"error": {"code": refusal.code, "field": refusal.field, "message": refusal.message}}


def dump(value: object) -> bytes:
    """Write one JSON value as UTF-8; a lone surrogate becomes its escape."""
    written = json.dumps(value, ensure_ascii=False).translate(ESCAPED_LINE_ENDS)
    return written.encode("utf-8", "backslashreplace")


def too_large() -> Unreadable:
    """Give the refusal of input that is longer than any deal."""
    return Unreadable(gettext_noop("This is longer than any deal."), code="too_large")


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(
            gettext_noop("The field “%(name)s” is given twice."),
            code="field_twice",
            field=echo(twice),
            name=echo(twice),
        )
    return fields


def _not_a_number(word: str) -> NoReturn:
    raise Unreadable(
        gettext_noop("“%(word)s” is not a number of JSON."), code="not_a_number", word=word
    )
