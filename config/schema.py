"""What the published schema says about numbers."""

from __future__ import annotations

from typing import Any

#: The ranges of integer columns; each database has its own.
COLUMN_LIMITS = {sign * (1 << bits) - (sign > 0) for bits in (15, 31, 63) for sign in (1, -1)}


def forget_column_ranges(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Leave out the limits that come from the columns of this machine's database.

    The schema is a promise of ours and the same on every database; limits of the game stay.
    """
    _forget_in(result)
    return result


def _forget_in(part: Any) -> None:
    if isinstance(part, list):
        for item in part:
            _forget_in(item)
    if not isinstance(part, dict):
        return
    if part.get("type") == "integer":
        part.pop("format", None)
        for limit in ("minimum", "maximum"):
            if part.get(limit) in COLUMN_LIMITS:
                del part[limit]
    for item in part.values():
        _forget_in(item)
