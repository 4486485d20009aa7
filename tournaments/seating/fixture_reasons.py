"""What the fixtures of a stage have to say: the sentences by their codes."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.seating.errors import gettext_noop
from tournaments.seating.placing_reasons import ngettext_lazy


def _whole(sentence: str) -> tuple[str, str]:
    return sentence, ""


FIXTURE_SENTENCES: Mapping[str, tuple[str, str]] = {
    # where an entrant comes from
    "source_entrant": _whole(gettext_noop("%(entrants)s")),
    "source_winner": _whole(gettext_noop("winner of %(fixture)s")),
    "source_loser": _whole(gettext_noop("loser of %(fixture)s")),
    "source_place": _whole(gettext_noop("no. %(place)s of group %(group)s")),
    "source_best": _whole(gettext_noop("no. %(nth)s of the best with place %(place)s")),
    "source_bye": _whole(gettext_noop("bye")),
    "source_open": _whole(gettext_noop("to be decided")),
    # draws
    "seeds_in_groups": ngettext_lazy(
        "%(count)s seeded entrant is laid over the groups by rank; the others are drawn.",
        "%(count)s seeded entrants are laid over the groups by rank; the others are drawn.",
    ),
    "seeds_in_bracket": ngettext_lazy(
        "%(count)s seeded entrant has a fixed place in the bracket; the others are drawn.",
        "%(count)s seeded entrants have fixed places in the bracket, so that the best meet as "
        "late as possible; the others are drawn.",
    ),
    "byes_in_first_round": ngettext_lazy(
        "%(count)s entrant goes on without playing this round: %(entrants)s.",
        "%(count)s entrants go on without playing this round: %(entrants)s.",
    ),
    "clubs_apart_in_groups": _whole(gettext_noop("No two entrants of one club share a group.")),
    "same_club_in_group": ngettext_lazy(
        "Two entrants of one club had to share a group: %(pairs)s.",
        "Entrants of one club had to share a group, %(count)s times: %(pairs)s.",
    ),
    "clubs_apart_in_round": _whole(gettext_noop("No two entrants of one club meet this round.")),
    "same_club_meets": ngettext_lazy(
        "Two entrants of one club had to meet: %(pairs)s.",
        "Entrants of one club had to meet, %(count)s times: %(pairs)s.",
    ),
    "too_few_for_side_knockout": _whole(
        gettext_noop("There are too few entrants for a side knockout: it is a knockout alone.")
    ),
    "side_knockout_enters_later": _whole(
        gettext_noop(
            "With so few entrants the winner of the side knockout comes in when %(left)s are left."
        )
    ),
    # Swiss and club nights
    "halves_meet": _whole(
        gettext_noop("The upper half meets the lower half: the first meets the first, and so on.")
    ),
    "no_second_meeting": _whole(gettext_noop("Nobody meets anybody for a second time.")),
    "second_meeting": ngettext_lazy(
        "%(count)s fixture had to be a second meeting: %(pairs)s.",
        "%(count)s fixtures had to be second meetings: %(pairs)s.",
    ),
    "bye_for_the_lowest": ngettext_lazy(
        "Has the bye as the lowest of those without one: %(entrants)s.",
        "Have the bye as the lowest of those without one: %(entrants)s.",
    ),
    "bye_higher_up": ngettext_lazy(
        "Has the bye because a lower one would have made a second meeting: %(entrants)s.",
        "Have the bye because lower ones would have made second meetings: %(entrants)s.",
    ),
    "bye_again": ngettext_lazy(
        "Has a bye again because everybody has had as many: %(entrants)s.",
        "Have a bye again because everybody has had as many: %(entrants)s.",
    ),
    "bye_again_against_meetings": ngettext_lazy(
        "Has a bye before others because it avoids a second meeting: %(entrants)s.",
        "Have a bye before others because it avoids a second meeting: %(entrants)s.",
    ),
    "other_score": ngettext_lazy(
        "%(count)s fixture is over one step of points: %(pairs)s.",
        "%(count)s fixtures are over one step of points: %(pairs)s.",
    ),
    "far_score": ngettext_lazy(
        "%(count)s fixture had to be over more than one step of points: %(pairs)s.",
        "%(count)s fixtures had to be over more than one step of points: %(pairs)s.",
    ),
    "floats_again": ngettext_lazy(
        "Meets somebody of other points for the second round in a row: %(entrants)s.",
        "Meet somebody of other points for the second round in a row: %(entrants)s.",
    ),
    "same_partner": ngettext_lazy(
        "%(count)s pair of players are partners again: %(pairs)s.",
        "%(count)s pairs of players are partners again: %(pairs)s.",
    ),
    "no_same_partner": _whole(gettext_noop("Nobody has a partner for a second time.")),
    "same_opponent": ngettext_lazy(
        "%(count)s pair of players are opponents again: %(pairs)s.",
        "%(count)s pairs of players are opponents again: %(pairs)s.",
    ),
    "no_same_opponent": _whole(gettext_noop("Nobody has an opponent for a second time.")),
    # who goes on
    "lots_at_the_cut": ngettext_lazy(
        "Lots decided who goes on: %(entrants)s.",
        "Lots decided who of these equals goes on: %(entrants)s.",
    ),
}
