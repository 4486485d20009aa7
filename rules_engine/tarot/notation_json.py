"""The JSON twin of a notation document: ruleset, players' names, tags and the recorded deals."""

from __future__ import annotations

from collections.abc import Mapping

from rules_engine.errors import RulesError, Unreadable, gettext_noop
from rules_engine.reading import Fields
from rules_engine.tarot.notation import Notation
from rules_engine.tarot.presets import PRESETS
from rules_engine.tarot.record_json import (
    record_from_json,
    record_to_json,
    ruleset_from_json,
    ruleset_to_json,
)

#: More deals than the longest tournament of one table.
MOST_DEALS = 2_000
MOST_PLAYERS = 5
MOST_TAGS = 50


def notation_to_json(document: Notation) -> dict[str, object]:
    """Give a document as JSON-able data; ``notation_from_json`` gives it back."""
    return {
        "ruleset": ruleset_to_json(document.ruleset),
        "players": list(document.players),
        "tags": dict(document.tags),
        "deals": [record_to_json(deal) for deal in document.deals],
    }


def notation_from_json(data: object) -> Notation:
    """Read a document; one record alone, or a list of records, will do."""
    if isinstance(data, list):
        data = {"deals": data}
    elif isinstance(data, Mapping) and "deals" not in data:
        data = {"deals": [data]}
    fields = Fields(data)
    deals = []
    for at, deal in enumerate(fields.items("deals", at_most=MOST_DEALS)):
        try:
            deals.append(record_from_json(deal))
        except RulesError as refusal:
            refusal.field = f"deals[{at}].{refusal.field}".rstrip(".")
            raise
    rules = deals[0].ruleset if deals else PRESETS["fft"]
    if fields.has("ruleset"):
        rules = ruleset_from_json(fields.take("ruleset"))
    names = fields.items("players", at_most=MOST_PLAYERS) if fields.has("players") else []
    tags = fields.take("tags") if fields.has("tags") else {}
    fields.drop("ruleset", "players", "tags")
    fields.close()
    return Notation(ruleset=rules, deals=tuple(deals), players=_names(names), tags=_tags(tags))


def _names(names: list[object]) -> tuple[str, ...]:
    return tuple(_text(name, "players") for name in names)


def _tags(tags: object) -> dict[str, str]:
    if not isinstance(tags, Mapping) or len(tags) > MOST_TAGS:
        raise _not_texts("tags")
    return {_text(name, "tags"): _text(value, "tags") for name, value in tags.items()}


def _text(value: object, field: str) -> str:
    if isinstance(value, str):
        return value
    raise _not_texts(field)


def _not_texts(field: str) -> Unreadable:
    return Unreadable(
        gettext_noop("Players are a list of names, tags an object of texts."),
        code="not_texts",
        field=field,
    )
