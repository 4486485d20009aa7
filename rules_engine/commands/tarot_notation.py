"""``tarot-read`` and ``tarot-write``: between the text notation TDN and its JSON twin."""

from __future__ import annotations

from rules_engine import tarot
from rules_engine.commands import DocumentCommand
from rules_engine.jsonlines import dump, parse


def read(text: str) -> str:
    """Turn TDN into one JSON document: ruleset, players, tags and deals."""
    return dump(tarot.notation_to_json(tarot.read_tdn(text))).decode() + "\n"


def write(text: str) -> str:
    """Turn one JSON document, one record or a list of records into TDN."""
    return tarot.write_tdn(tarot.notation_from_json(parse(text.encode())))


READ = DocumentCommand(
    summary="turn the text notation of tarot deals (TDN) into JSON", convert=read
)
WRITE = DocumentCommand(summary="turn recorded tarot deals in JSON into TDN", convert=write)
