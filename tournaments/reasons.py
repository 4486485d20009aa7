"""The reasons of a draw in the reader’s language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Player
from tournaments.seating import Reason, Split, reason_from_data

#: More names than this make no sentence any more.
NAMED = 8

type Names = Mapping[int, str]


def sentences(reasons: Iterable[Mapping[str, Any]], names: Names | None = None) -> list[str]:
    """Give each stored reason of a round as a sentence, with names for keys; one query.

    The keys are those of players unless the ``names`` of others are given.
    """
    stored = list(reasons)
    if names is None:
        names = names_of(key for reason in stored for key in _keys(reason["gaps"].values()))
    return [_sentence(reason, names) for reason in stored]


def explained(reasons: Iterable[Reason]) -> list[str]:
    """Give reasons that name nobody as sentences."""
    return [_sentence(reason.as_data(), {}) for reason in reasons]


def names_of(players: Iterable[int]) -> dict[int, str]:
    """The names of these players by their keys, as whoever looks may read them."""
    found = Player.objects.filter(pk__in=set(players))
    return {player.pk: player.shown_name for player in found}


def listed(words: Sequence[str]) -> str:
    """Join names with commas; of many only the first."""
    if len(words) <= NAMED:
        return ", ".join(words)
    more = len(words) - NAMED
    return ngettext("%(names)s and %(count)s more", "%(names)s and %(count)s more", more) % {
        "names": ", ".join(words[:NAMED]),
        "count": more,
    }


def split_in_words(split: Split) -> str:
    """Say how many tables of each kind there are, and how many sit out."""
    kinds = (
        (split.fours, _tables_of_four),
        (split.threes, _tables_of_three),
        (split.fives, _tables_of_five),
        (split.resting_fives, _tables_of_five_resting),
        (split.sit_out, _sitting_out),
    )
    return " + ".join(in_words(count) for count, in_words in kinds if count)


def sides_in_words(tables: int, seats: int, sit_out: int) -> str:
    """Say how many tables of so many there are, and how many sit out."""
    words = ngettext("%(count)s table of %(seats)s", "%(count)s tables of %(seats)s", tables) % {
        "count": tables,
        "seats": seats,
    }
    return f"{words} + {_sitting_out(sit_out)}" if sit_out else words


def _tables_of_four(count: int) -> str:
    return ngettext("%(count)s table of 4", "%(count)s tables of 4", count) % {"count": count}


def _tables_of_three(count: int) -> str:
    return ngettext("%(count)s table of 3", "%(count)s tables of 3", count) % {"count": count}


def _tables_of_five(count: int) -> str:
    return ngettext("%(count)s table of 5", "%(count)s tables of 5", count) % {"count": count}


def _tables_of_five_resting(count: int) -> str:
    return ngettext(
        "%(count)s table of 5, one sits out each deal",
        "%(count)s tables of 5, one sits out each deal",
        count,
    ) % {"count": count}


def _sitting_out(count: int) -> str:
    return ngettext("%(count)s sits out", "%(count)s sit out", count) % {"count": count}


def _keys(gaps: Iterable[object]) -> Iterable[int]:
    for gap in gaps:
        if isinstance(gap, list | tuple):
            for item in gap:
                yield from item if isinstance(item, list | tuple) else (item,)


def _sentence(stored: Mapping[str, Any], names: Names) -> str:
    gaps = {key: _in_words(gap, names) for key, gap in stored["gaps"].items()}
    if stored["code"] == "swapped":
        return _("Changed places by hand after the draw: %(players)s.") % gaps
    if stored["code"] == "waits_for_a_place":
        count = int(stored["gaps"]["count"])
        return (
            ngettext(
                "No place of the movement is free: %(count)s player waits for one: %(players)s.",
                "No place of the movement is free: %(count)s players wait for one: %(players)s.",
                count,
            )
            % gaps
        )
    reason = reason_from_data(stored)
    if not reason.plural:
        return _(reason.sentence) % gaps
    return ngettext(reason.sentence, reason.plural, int(stored["gaps"]["count"])) % gaps


def _in_words(gap: object, names: Names) -> object:
    if not isinstance(gap, list | tuple):
        return gap
    return listed([_named(item, names) for item in gap])


def _named(item: int | Sequence[int], names: Names) -> str:
    if isinstance(item, int):
        return names.get(item, _("somebody"))
    return " – ".join(names.get(player, _("somebody")) for player in item)
