"""How a ranking counts, as data: what an evening adds, which evenings count, how equals part.

Pure values. ``Settings.from_json`` is strict: a ranking whose settings are not understood is not
counted rather than counted wrongly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import Any

#: Points for the first ten places, as many clubs and sports give them.
USUAL_SCALE = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
TABLES = (3, 4, 5)
MOST = 1_000_000
LONGEST_SCALE = 200


class UnreadableSettingsError(ValueError):
    """The settings of a ranking are not understood; the words are for whoever looks after it."""


class Method(StrEnum):
    """What a place goes by."""

    TOTAL = "total"
    AVERAGE = "average"
    PLACES = "places"
    WINS = "wins"
    RATING = "rating"

    @property
    def adds_up(self) -> bool:
        """Is the score a sum of evenings, so that the best of them may be chosen?"""
        return self in {Method.TOTAL, Method.PLACES, Method.WINS}


class TieBreak(StrEnum):
    """What parts players with the same score; more is better, except where the name says fewer."""

    BEST_EVENING = "best_evening"
    EVENINGS_WON = "evenings_won"
    PODIUMS = "podiums"
    LAST_EVENING = "last_evening"
    MORE_EVENINGS = "more_evenings"
    FEWER_EVENINGS = "fewer_evenings"
    WINS = "wins"
    GAMES = "games"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a ranking counts; the plain one adds up all points of all evenings.

    ``best_of`` evenings count, or all; ``attendance`` is added for each evening played;
    ``scale`` gives points for the first places and ``scale_rest`` for all others; ``win`` and
    ``loss`` are for meetings. The rest says which evenings and players are looked at.
    """

    best_of: int | None = None
    minimum_deals: int = 0
    minimum_evenings: int = 0
    attendance: int = 0
    scale: tuple[int, ...] = ()
    scale_rest: int = 0
    win: int = 3
    loss: int = 0
    tie_breaks: tuple[TieBreak, ...] = ()
    players: int | None = None
    kinds: tuple[str, ...] = ()
    first_day: date | None = None
    last_day: date | None = None
    series: tuple[str, ...] = ()
    members_only: bool = False

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Settings:
        """Read what ``to_json`` wrote; refuses whatever it does not know."""
        if not isinstance(given, Mapping):
            raise UnreadableSettingsError("The settings of a ranking are an object.")
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(given) - known):
            raise UnreadableSettingsError(f"Nobody knows {', '.join(unknown)}.")
        return cls(**{name: READERS[name](name, value) for name, value in given.items()})

    def to_json(self) -> dict[str, Any]:
        """Give what differs from the plain ranking, ready for JSON."""
        plain = Settings()
        return {
            field.name: _written(value)
            for field in fields(self)
            if (value := getattr(self, field.name)) != getattr(plain, field.name)
        }


def _written(value: Any) -> Any:
    if isinstance(value, tuple):
        return [str(each) if isinstance(each, str) else each for each in value]
    return value.isoformat() if isinstance(value, date) else value


def _whole(name: str, value: Any) -> int:
    if type(value) is not int or abs(value) > MOST:
        raise UnreadableSettingsError(f"{name} is a whole number, not {value!r}.")
    return value


def _count(name: str, value: Any) -> int:
    if _whole(name, value) < 0:
        raise UnreadableSettingsError(f"{name} is not below zero.")
    return int(value)


def _best_of(name: str, value: Any) -> int | None:
    if value is not None and _whole(name, value) < 1:
        raise UnreadableSettingsError("At least one evening counts.")
    return None if value is None else int(value)


def _table(name: str, value: Any) -> int | None:
    if value is not None and value not in TABLES:
        raise UnreadableSettingsError(f"A table is played by 3, 4 or 5, not {value!r}.")
    return None if value is None else _whole(name, value)


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list | tuple) or len(value) > LONGEST_SCALE:
        raise UnreadableSettingsError(f"{name} is a list, not too long.")
    return list(value)


def _scale(name: str, value: Any) -> tuple[int, ...]:
    return tuple(_whole(name, each) for each in _list(name, value))


def _words(name: str, value: Any) -> tuple[str, ...]:
    words = _list(name, value)
    if not all(isinstance(each, str) for each in words):
        raise UnreadableSettingsError(f"{name} is a list of words.")
    return tuple(words)


def _tie_breaks(name: str, value: Any) -> tuple[TieBreak, ...]:
    words = _words(name, value)
    if unknown := sorted(set(words) - set(TieBreak)):
        raise UnreadableSettingsError(f"Nobody knows the tie-break {unknown[0]}.")
    if len(set(words)) != len(words):
        raise UnreadableSettingsError("A tie-break is declared once.")
    return tuple(TieBreak(word) for word in words)


def _day(name: str, value: Any) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise UnreadableSettingsError(f"{name} is a day, not {value!r}.") from None


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise UnreadableSettingsError(f"{name} is true or false.")
    return value


READERS: dict[str, Any] = {
    "best_of": _best_of,
    "minimum_deals": _count,
    "minimum_evenings": _count,
    "attendance": _whole,
    "scale": _scale,
    "scale_rest": _whole,
    "win": _whole,
    "loss": _whole,
    "tie_breaks": _tie_breaks,
    "players": _table,
    "kinds": _words,
    "first_day": _day,
    "last_day": _day,
    "series": _words,
    "members_only": _flag,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What a club may begin with, and change afterwards."""

    code: str
    game: str
    method: Method
    settings: Settings


#: What clubs do (the words of the pages are in ``scoring.rankings.words``): the plain sum of a
#: season's evenings is what was found most; no federation prescribes a ranking of a club.
PRESETS = (
    Preset(code="total", game="tarot", method=Method.TOTAL, settings=Settings()),
    Preset(code="best_evenings", game="tarot", method=Method.TOTAL, settings=Settings(best_of=10)),
    Preset(
        code="average", game="tarot", method=Method.AVERAGE, settings=Settings(minimum_deals=50)
    ),
    Preset(
        code="places",
        game="tarot",
        method=Method.PLACES,
        settings=Settings(
            scale=USUAL_SCALE, scale_rest=1, tie_breaks=(TieBreak.EVENINGS_WON, TieBreak.PODIUMS)
        ),
    ),
    Preset(
        code="attendance",
        game="tarot",
        method=Method.PLACES,
        settings=Settings(scale=USUAL_SCALE, attendance=5, tie_breaks=(TieBreak.BEST_EVENING,)),
    ),
    Preset(code="rating", game="tarot", method=Method.RATING, settings=Settings()),
    Preset(
        code="wins",
        game="truco",
        method=Method.WINS,
        settings=Settings(tie_breaks=(TieBreak.WINS, TieBreak.GAMES, TieBreak.POINTS)),
    ),
    Preset(
        code="truco_places",
        game="truco",
        method=Method.PLACES,
        settings=Settings(scale=USUAL_SCALE, scale_rest=1, tie_breaks=(TieBreak.WINS,)),
    ),
    Preset(code="truco_rating", game="truco", method=Method.RATING, settings=Settings()),
)
