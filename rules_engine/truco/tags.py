"""The tags of a truco record: which there are, their order, and what they say about the match."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.reading import echo
from rules_engine.truco.outcomes import Score, leader_at
from rules_engine.truco.presets import OTHER_NAMES, PRESETS, ruleset
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, seat_name

VERSION = "1"
#: The order in which tags are written; any others follow in the order given.
TAG_ORDER = (
    *("Event", "Site", "Date", "Stage", "Round", "Match", "Game", "Table", "Rules", "Target"),
    *("A1", "B1", "A2", "B2", "A3", "B3", "PairA", "PairB", "Start", "Dealer", "Result", "Referee"),
)
_CANONICAL = {name.upper(): name for name in ("TRN", *TAG_ORDER)}
MOST_TAGS = 64
LONGEST_TEXT = 500

_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9]*)\s+"((?:[^"\\\n]|\\.)*)"\s*\]', re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*", re.ASCII)
_SCORE = re.compile(r"([0-9]{1,6})[-–]([0-9]{1,6})")
_RESULT = re.compile(r"([AB]) (?:([0-9]{1,6})-([0-9]{1,6})|WO)|\*.*|\?")


def split_tag(written: str) -> tuple[str, str]:
    """Give name and text of a tag as it stands in a record."""
    found = _TAG.fullmatch(written)
    if found is None:
        raise bad_tag(written)
    name = _CANONICAL.get(found[1].upper(), found[1])
    return name, re.sub(r"\\(.)", r"\1", found[2])


def tag_text(name: str, text: str) -> str:
    """Write a tag; a quotation mark inside is escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def in_order(tags: Mapping[str, str]) -> dict[str, str]:
    """Give tags in the order in which they are written."""
    known = {name: tags[name] for name in TAG_ORDER if name in tags}
    return known | {name: text for name, text in tags.items() if name not in known}


def check_tags(tags: Mapping[str, str]) -> None:
    """Refuse tags that cannot be written: too many, odd names, texts of several lines."""
    if len(tags) > MOST_TAGS:
        raise Unreadable(
            gettext_noop("A record has at most %(most)s tags."),
            code="too_many_tags",
            field="tags",
            most=MOST_TAGS,
        )
    for name, text in tags.items():
        named = _NAME.fullmatch(name) and _CANONICAL.get(name.upper(), name) == name
        if not named or name == "TRN" or not is_plain(text):
            raise bad_tag(name)


def is_plain(text: str) -> bool:
    """Is this one line of ordinary characters, and not endless?"""
    return len(text) <= LONGEST_TEXT and (text == "" or text.isprintable())


def bad_tag(given: str) -> Unreadable:
    """Give the refusal of a tag."""
    return Unreadable(
        gettext_noop("“%(given)s” is not a tag: a name, and a text on one line."),
        code="bad_tag",
        field="tags",
        given=echo(given),
    )


def ruleset_of(tags: Mapping[str, str], own: Ruleset | None = None) -> Ruleset:
    """Give the rules that ``Rules`` and ``Target`` name; paulista without them.

    ``own`` are rules that are no preset, or a changed one: the tags must name them.
    """
    told = tags.get("Rules", "paulista")
    name, version = told.rsplit("/", 1) if "/" in told else (told, "")
    rules = own if own is not None else ruleset(name)
    if own is not None and OTHER_NAMES.get(name, name) != own.name:
        raise another_ruleset()
    if version not in ("", str(rules.version)):
        raise Unreadable(
            gettext_noop("There is no version “%(version)s” of this ruleset."),
            code="unknown_version",
            field="Rules",
            version=echo(version),
        )
    return _to_target(tags, rules, own)


def _to_target(tags: Mapping[str, str], rules: Ruleset, own: Ruleset | None) -> Ruleset:
    if "Target" not in tags:
        return rules
    if not re.fullmatch("[0-9]{1,3}", tags["Target"]):
        raise bad_tag("Target")
    target = int(tags["Target"])
    if own is None:
        return rules.to(target)
    if own.target != target:
        raise another_ruleset()
    return own


def another_ruleset() -> Illegal:
    """Give the refusal of a hand or a tag that names other rules than those of the match."""
    return Illegal(
        gettext_noop("All hands of a match are played by the same rules."),
        code="another_ruleset",
        field="ruleset",
    )


def rules_tags(rules: Ruleset) -> dict[str, str]:
    """Give the tags that name a ruleset."""
    tags = {"Rules": f"{rules.name}/{rules.version}"}
    preset = PRESETS.get(rules.name)
    usual = preset is not None and preset.target == rules.target
    return tags if usual else tags | {"Target": str(rules.target)}


def start_of(tags: Mapping[str, str]) -> Score | None:
    """Give the score that the match begins with, when ``Start`` says it."""
    if "Start" not in tags:
        return None
    found = _SCORE.fullmatch(tags["Start"])
    if found is None:
        raise bad_tag("Start")
    return int(found[1]), int(found[2])


def dealer_of(tags: Mapping[str, str], rules: Ruleset) -> int | None:
    """Give the first dealer, when ``Dealer`` says it."""
    if "Dealer" not in tags:
        return None
    names = [seat_name(seat) for seat in range(rules.players)]
    given = tags["Dealer"].upper()
    if given not in names:
        raise bad_tag("Dealer")
    return names.index(given)


def check_result(rules: Ruleset, tags: Mapping[str, str], score: Score) -> None:
    """Refuse a ``Result`` that is none, or that the hands do not give."""
    given = tags.get("Result")
    if given is None:
        return
    found = _RESULT.fullmatch(given)
    if found is None:
        raise bad_tag("Result")
    if found[2] is None:
        return
    told = int(found[2]), int(found[3])
    # The winner's points come first in practice and in the examples; a scorer may keep A first.
    winner = Pair[found[1]]
    ends = leader_at(rules, score)
    if ends is not winner or told not in {score, (score[winner], score[winner.other])}:
        raise Illegal(
            gettext_noop("The hands do not give the result “%(given)s”."),
            code="wrong_result",
            field="Result",
            given=given,
        )
