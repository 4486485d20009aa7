"""Stages and fixtures in words: what a stage is played by, where a side comes from, its rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments import fixtures
from tournaments.fixtures import StageKind, StageSettings
from tournaments.models import Stage

FINAL, SEMI_FINALS, QUARTER_FINALS = 1, 2, 4


def said_settings(settings: StageSettings) -> list[str]:
    """What a stage is played by, in short sentences."""
    return [sentence for say in (_shape, _format, _going_on) for sentence in say(settings)]


def _shape(settings: StageSettings) -> Iterator[str]:
    kind = settings.kind
    if kind is StageKind.GROUPS:
        if settings.groups:
            yield ngettext(
                "%(count)s group.", "%(count)s groups.", settings.groups
            ) % {"count": settings.groups}  # fmt: skip
        else:
            yield _("Groups of %(size)s.") % {"size": settings.group_size}
        yield _("Everybody meets twice.") if settings.double_round else _("Everybody meets once.")
        return
    yield str(dict(Stage.Kind.choices)[kind]) + "."
    if settings.swiss_rounds:
        yield ngettext(
            "%(count)s round.", "%(count)s rounds.", settings.swiss_rounds
        ) % {"count": settings.swiss_rounds}  # fmt: skip
    if settings.third_place and kind in {StageKind.KNOCKOUT, StageKind.SIDE_KNOCKOUT}:
        yield _("With a match for the third place.")
    if settings.buy_back:
        yield _("First-round losers may buy themselves back in.")
    if settings.redraw_each_round:
        yield _("Drawn anew each round.")


def _format(settings: StageSettings) -> Iterator[str]:
    form = settings.format
    yield _("Best of %(games)s to %(target)s.") % {"games": form.best_of, "target": form.target}
    if form.cap_minutes:
        yield ngettext(
            "%(minutes)s minute at most.", "%(minutes)s minutes at most.", form.cap_minutes
        ) % {"minutes": form.cap_minutes}  # fmt: skip


def _going_on(settings: StageSettings) -> Iterator[str]:
    count = settings.qualifiers
    if not count:
        return
    if settings.kind is StageKind.GROUPS:
        yield ngettext(
            "%(count)s of each group goes on.", "%(count)s of each group go on.", count
        ) % {"count": count}  # fmt: skip
        if settings.best_of_next:
            yield ngettext(
                "And the best of the next place.",
                "And the %(count)s best of the next place.",
                settings.best_of_next,
            ) % {"count": settings.best_of_next}
    else:
        yield ngettext("The best goes on.", "The best %(count)s go on.", count) % {"count": count}


def said_source(text: str, *, from_groups: bool = True) -> str:
    """Where a side comes from, in words; empty for a side that is known from the draw.

    ``from_groups`` says whether the stage before had groups, or places of the whole of it.
    """
    said = ""
    match fixtures.source_from_text(text):
        case fixtures.WinnerOf(code):
            said = _("winner of %(fixture)s") % {"fixture": code}
        case fixtures.LoserOf(code):
            said = _("loser of %(fixture)s") % {"fixture": code}
        case fixtures.PlaceInGroup(group, place):
            said = (
                _("%(place)s. of group %(group)s") % {"place": place, "group": group}
                if from_groups
                else _("place %(place)s of the stage before") % {"place": place}
            )
        case fixtures.BestOfPlace(place, nth):
            said = _("%(nth)s. best %(place)s. place") % {"nth": nth, "place": place}
        case fixtures.Bye():
            said = pgettext("fixture", "bye")
        case fixtures.Open():
            said = _("not known yet")
    return said


def said_round(section: str, number: int, fixtures_in_it: int) -> str:
    """The name of a round of a bracket: by how many are left, as the field says it."""
    if section == "F":
        return pgettext("fixture", "Final") if number == 1 else _("Second final")
    if section == "T":
        return _("Third place")
    named: Mapping[int, Any] = {SEMI_FINALS: _("Semi-finals"), QUARTER_FINALS: _("Quarter-finals")}
    if section == "W" and fixtures_in_it in named:
        return str(named[fixtures_in_it])
    return _("Round %(number)s") % {"number": number}
