"""``truco-read`` and ``truco-write``: between the truco record notation and JSON."""

from __future__ import annotations

from collections.abc import Mapping

from rules_engine import truco
from rules_engine.commands import DocumentCommand
from rules_engine.jsonlines import dump, parse
from rules_engine.reading import Fields


def read(text: str) -> str:
    """Turn a record in notation into JSON; refuses what is none, by its line."""
    return dump(truco.to_json(truco.read(text))).decode("utf-8", "backslashreplace") + "\n"


def write(text: str) -> str:
    """Turn a record or a hand as JSON into the notation, for everybody's eyes with ``masked``."""
    value = parse(text.encode("utf-8", "backslashreplace"))
    is_masked = False
    if isinstance(value, Mapping) and "masked" in value:
        is_masked = Fields({"masked": value["masked"]}).flag("masked")
        value = {name: given for name, given in value.items() if name != "masked"}
    record = truco.record_from(value)
    return truco.write(truco.masked(record) if is_masked else record)


READ = DocumentCommand(
    summary="read a truco record in notation (TRN), write it as JSON", convert=read
)
WRITE = DocumentCommand(
    summary="read a truco record or a hand as JSON, write it in notation (TRN)", convert=write
)
