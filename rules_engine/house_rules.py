"""What the rulesets of all games share: a name, a version, and how they are read and stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NoReturn, Protocol

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.reading import Fields, echo

#: Without these nobody could tell later by which rules a sheet was judged.
ALWAYS_STORED = frozenset({"name", "version", "players"})
LONGEST_NAME = 60


class HouseRules(Protocol):
    """A ruleset, whatever the game."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...


def refuse_rule(name: str) -> NoReturn:
    """Refuse a value that no table can play."""
    raise Illegal(
        gettext_noop("No table can play this value of “%(name)s”."),
        code="impossible_rule",
        field=name,
        name=name,
    )


def check_house_rules(rules: HouseRules, ways: Mapping[str, Collection[str]]) -> None:
    """Refuse a ruleset without a name or a version, and ways of playing that do not exist."""
    if not rules.name or len(rules.name) > LONGEST_NAME:
        refuse_rule("name")
    if rules.version < 1:
        refuse_rule("version")
    for name, known in ways.items():
        if getattr(rules, name) not in known:
            refuse_rule(name)


def named[Rules: HouseRules](presets: Mapping[str, Rules], name: str) -> Rules:
    """Give a preset by its name; refuses unknown names."""
    if name not in presets:
        raise Unreadable(
            gettext_noop("There is no ruleset “%(name)s”."),
            code="unknown_ruleset",
            field="ruleset",
            name=echo(name),
        )
    return presets[name]


type ReadTable = Callable[[Fields, str, object], object]


def stored_values(
    data: object, defaults: Mapping[str, object], *, read_table: ReadTable
) -> dict[str, object]:
    """Read a stored ruleset; what it did not have yet is left out, and takes its default.

    ``read_table`` reads the fields of a game that are neither flag, number nor text. Refuses
    unknown fields and wrong types.
    """
    fields = Fields(data)
    values = {
        name: _read(fields, name, default, read_table)
        for name, default in defaults.items()
        if name in ALWAYS_STORED or fields.has(name)
    }
    fields.close()
    return values


def _read(fields: Fields, name: str, default: object, read_table: ReadTable) -> object:
    if isinstance(default, bool):
        return fields.flag(name)
    if isinstance(default, int):
        return fields.whole(name)
    if isinstance(default, str):
        return fields.text(name)
    return read_table(fields, name, default)
