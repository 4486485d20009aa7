"""What a draw has to say about itself: a stable code and the gaps of its sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tournaments.seating.errors import gettext_noop
from tournaments.seating.fixture_reasons import FIXTURE_SENTENCES
from tournaments.seating.placing_reasons import PLACING_SENTENCES, ngettext_lazy

type Gap = int | str | tuple[int, ...] | tuple[tuple[int, ...], ...]


def _whole(sentence: str) -> tuple[str, str]:
    return sentence, ""


SENTENCES: Mapping[str, tuple[str, str]] = {
    # how the players split
    "all_fours": _whole(gettext_noop("Everybody plays at a table of 4.")),
    "fours_then_threes": _whole(
        gettext_noop("As many tables of 4 as possible, then tables of 3: nobody is left out.")
    ),
    "only_threes": _whole(gettext_noop("Only tables of 3 can be made of %(players)s players.")),
    "fours_then_fives": _whole(
        gettext_noop("As many tables of 4 as possible, then tables of 5 playing five-handed.")
    ),
    "only_fives": _whole(gettext_noop("Only tables of 5 playing five-handed.")),
    "fours_then_resting_fives": _whole(
        gettext_noop("Tables of 4, then tables of 5 where one player sits out each deal.")
    ),
    "only_resting_fives": _whole(
        gettext_noop("Only tables of 5 where one player sits out each deal.")
    ),
    "fours_and_sitting_out": ngettext_lazy(
        "Only tables of 4; %(count)s player sits out the round.",
        "Only tables of 4; %(count)s players sit out the round.",
    ),
    "no_threes": _whole(
        gettext_noop("%(players)s players cannot be split into tables of 4 and 3.")
    ),
    "no_fives": _whole(gettext_noop("%(players)s players cannot be split into tables of 4 and 5.")),
    "no_table_of_four": _whole(gettext_noop("A table of 4 needs more than %(players)s.")),
    "too_many_would_sit_out": _whole(
        gettext_noop("Three players would sit out: they get a table of 3 instead.")
    ),
    # what the draw reached
    "no_remeeting": _whole(gettext_noop("Nobody meets anybody a second time.")),
    "remeeting": ngettext_lazy(
        "%(count)s pair has now met %(times)s times: %(pairs)s.",
        "%(count)s pairs have now met %(times)s times: %(pairs)s.",
    ),
    "met_on_an_earlier_evening": ngettext_lazy(
        "%(count)s pair has already met on an earlier evening: %(pairs)s.",
        "%(count)s pairs have already met on an earlier evening: %(pairs)s.",
    ),
    "odd_table": ngettext_lazy(
        "For the first time at a table that is not of 4: %(players)s.",
        "For the first time at a table that is not of 4: %(players)s.",
    ),
    "odd_table_again": ngettext_lazy(
        "Again at a table that is not of 4: %(players)s.",
        "Again at a table that is not of 4: %(players)s.",
    ),
    "odd_tables_uneven": _whole(
        gettext_noop(
            "Not everybody has been equally often at a table that is not of 4: "
            "from %(fewest)s to %(most)s times."
        )
    ),
    "sits_out": ngettext_lazy(
        "Sits out this round because nobody has sat out less often: %(players)s.",
        "Sit out this round because nobody has sat out less often: %(players)s.",
    ),
    "sits_out_again": ngettext_lazy(
        "Sits out again because everybody has already sat out as often: %(players)s.",
        "Sit out again because everybody has already sat out as often: %(players)s.",
    ),
    "seats_balanced": _whole(
        gettext_noop("Everybody has had each seat at the table equally often, give or take once.")
    ),
    "seats_uneven": ngettext_lazy(
        "Has had one seat at the table at least two times more often than another: %(players)s.",
        "Have had one seat at the table at least two times more often than another: %(players)s.",
    ),
    "prohibited_kept_apart": ngettext_lazy(
        "%(count)s pair that may not meet is kept apart.",
        "%(count)s pairs that may not meet are kept apart.",
    ),
}
_TEMPLATES = {**FIXTURE_SENTENCES, **PLACING_SENTENCES, **SENTENCES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One thing the draw says; a gap named players or pairs holds player ids."""

    code: str
    gaps: Mapping[str, Gap] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The template in English, singular where it has a plural."""
        return _TEMPLATES[self.code][0]

    @property
    def plural(self) -> str:
        """The plural template, chosen by the gap count; empty where the sentence has none."""
        return _TEMPLATES[self.code][1]

    def filled(self, name: Callable[[int], str] = str) -> dict[str, int | str]:
        """The gaps ready for the template, each player id written with ``name``."""
        return {key: _in_words(value, name) for key, value in self.gaps.items()}

    def in_english(self, name: Callable[[int], str] = str) -> str:
        """The whole sentence in English."""
        template = self.plural if self.plural and self.gaps.get("count") != 1 else self.sentence
        return template % self.filled(name)

    def as_data(self) -> dict[str, object]:
        """The reason as plain data for a JSON column."""
        return {"code": self.code, "gaps": dict(self.gaps)}


def _in_words(value: Gap, name: Callable[[int], str]) -> int | str:
    if isinstance(value, int | str):
        return value
    return ", ".join(
        name(item) if isinstance(item, int) else " – ".join(name(player) for player in item)
        for item in value
    )


def reason_from_data(data: Mapping[str, object]) -> Reason:
    """The reason that ``as_data`` wrote, also after a journey through JSON."""
    gaps = data["gaps"]
    if not isinstance(gaps, Mapping):
        raise TypeError("gaps must be a mapping")
    return Reason(code=str(data["code"]), gaps={key: _frozen(gap) for key, gap in gaps.items()})


def _frozen(value: object) -> Gap:
    if isinstance(value, int | str):
        return value
    if not isinstance(value, list | tuple):
        raise TypeError("a gap holds a number, a text, players or pairs")
    return tuple(tuple(item) if isinstance(item, list | tuple) else item for item in value)
