"""Reading a format back from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rules_engine.errors import Unreadable, gettext_noop
from tournaments.formats.values import VERSION, Format, StagePlan
from tournaments.placing import Placement
from tournaments.seating import Leftovers

FORMAT_FIELDS = frozenset({"version", "name", "team_size", "leftovers", "stages"})
STAGE_FIELDS = frozenset(
    {"rounds", "deals", "minutes", "best", "placements", "carried", "breaks_after"}
)


def format_from_json(data: object) -> Format:
    """The format that ``to_json`` wrote; refuses what it cannot read or what cannot be played."""
    fields = _fields(data, FORMAT_FIELDS, "format")
    if fields.get("version", VERSION) != VERSION:
        raise _unreadable("version")
    stages = fields.get("stages")
    name = fields.get("name")
    if not isinstance(stages, list):
        raise _unreadable("stages")
    if not isinstance(name, str):
        raise _unreadable("name")
    return Format(
        name=name,
        team_size=_whole(fields, "team_size", 1) or 1,
        leftovers=_one_of(Leftovers, fields.get("leftovers", "threes"), "leftovers"),
        stages=tuple(_stage_from_json(stage) for stage in stages),
    )


def _stage_from_json(data: object) -> StagePlan:
    fields = _fields(data, STAGE_FIELDS, "stages")
    rounds = _whole(fields, "rounds")
    if rounds is None:
        raise _unreadable("rounds")
    return StagePlan(
        rounds=rounds,
        deals=_whole(fields, "deals"),
        minutes=_whole(fields, "minutes"),
        best=_whole(fields, "best"),
        placements=tuple(
            _one_of(Placement, one, "placements") for one in _list(fields, "placements", ["drawn"])
        ),
        carried=_fraction(fields.get("carried", "1")),
        breaks_after=tuple(_number(one) for one in _list(fields, "breaks_after", [])),
    )


def _fields(data: object, known: frozenset[str], name: str) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise _unreadable(name)
    strange = sorted(str(key) for key in data.keys() - known)
    if strange:
        raise _unreadable(strange[0])
    return data


def _number(value: object) -> int:
    # True is an int to Python and no number of rounds.
    if not isinstance(value, int) or isinstance(value, bool):
        raise _unreadable("breaks_after")
    return value


def _whole(fields: Mapping[str, object], name: str, default: int | None = None) -> int | None:
    value = fields.get(name, default)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise _unreadable(name)
    return value


def _list(fields: Mapping[str, object], name: str, default: list[object]) -> list[object]:
    value = fields.get(name, default)
    if not isinstance(value, list):
        raise _unreadable(name)
    return value


def _one_of[Choice: (Leftovers, Placement)](kind: type[Choice], value: object, name: str) -> Choice:
    try:
        return kind(str(value))
    except ValueError as mistake:
        raise _unreadable(name) from mistake


def _fraction(value: object) -> Fraction:
    if not isinstance(value, str):
        raise _unreadable("carried")
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError) as mistake:
        raise _unreadable("carried") from mistake


def _unreadable(name: str) -> Unreadable:
    return Unreadable(
        gettext_noop("The format cannot be read at %(field_name)s."),
        code="unreadable_format",
        field=name,
        field_name=name,
    )
