"""Teams of two or four, whose points add up and who never meet (OT p.15)."""

from __future__ import annotations

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, Event

TEAM_SIZES = frozenset({2, 4})
#: Above these the federation's movement can be played.
LARGEST_HOWELL = 16


def team_sizes(event: Event) -> Counter[str]:
    """How many have entered and not withdrawn, by the name of the team."""
    members = event.entries.exclude(team=None).exclude(state=Entry.State.WITHDRAWN)
    return Counter(members.order_by().values_list("team__name", flat=True))


def team_problem(team: str, size: int) -> str:
    """Say how a team gets two or four players."""
    return ngettext(
        "The team %(team)s has %(count)s player: teams have two or four. Enter one more, or take "
        "the player out of the team.",
        "The team %(team)s has %(count)s players: teams have two or four. Enter one more, or take "
        "one out of the team.",
        size,
    ) % {"team": team, "count": size}


def teams_follow(players: int) -> str:
    """Say how so many players in teams are placed: never by lot or by the ranking (OT p.15)."""
    if players > LARGEST_HOWELL:
        return _("In a tournament of teams the players follow the federation’s movement.")
    return _(
        "Teams are not placed by lot or by the ranking: 12 or 16 players can follow the Howell "
        "grid, 17 or more the federation’s movement."
    )
