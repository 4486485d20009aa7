"""A match record as JSON: ``{"tags": {...}, "hands": [...]}``.

A hand with its cards has the fields that ``truco-play`` reads, and a number. A hand of which only
the result was noted has ``dealer``, ``score_before``, ``winner`` (A, B or null), ``points``, and
where they were noted ``decision`` (``+``, ``-`` or ``-~``) and ``calls`` (``["!3!6-"]``). A tento
has ``tento``, the pair punished, ``score_before`` and ``points``. One hand alone, as
``truco-play`` takes it, is a record as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules_engine.errors import Illegal, RulesError, Unreadable, gettext_noop
from rules_engine.reading import LARGEST_NUMBER, Fields
from rules_engine.truco.cards import code_of
from rules_engine.truco.events import Answer, event_text
from rules_engine.truco.position import Phase
from rules_engine.truco.presets import PRESETS
from rules_engine.truco.records import (
    Calls,
    MatchRecord,
    NotedHand,
    PlayedHand,
    RecordLine,
    Tento,
)
from rules_engine.truco.replay import MOST_EVENTS, REMARKS, read_event, score_from, start_from
from rules_engine.truco.rulesets import MOST_STEPS, Ruleset
from rules_engine.truco.seats import Pair
from rules_engine.truco.tags import bad_tag, check_tags, in_order, is_plain, rules_tags, ruleset_of
from rules_engine.truco.trn_lines import MOST_LINES

_CALLS = re.compile(r"((?:![0-9]{1,6})+)(\+|-~?)")
_DECISIONS = {"+": (Answer.ACCEPT, False), "-": (Answer.RUN, False), "-~": (Answer.RUN, True)}


def record_from(value: object, *, ruleset: Ruleset | None = None) -> MatchRecord:
    """Read a record; refuses unknown fields, wrong types and what the rules of truco forbid.

    ``ruleset`` are the rules of a house, which no tag can tell; the record must not name others.
    """
    if isinstance(value, Mapping) and "events" in value:
        return _one_hand(value)
    fields = Fields(value)
    tags = _tags(fields.take("tags"))
    rules = ruleset_of(tags, ruleset)
    lines = fields.items("hands", at_most=MOST_LINES)
    fields.close()
    read = tuple(_line(each, rules, place) for place, each in enumerate(lines))
    return MatchRecord(ruleset=rules, lines=read, tags=in_order(tags))


def _one_hand(value: Mapping[str, object]) -> MatchRecord:
    given = {name: each for name, each in value.items() if name not in REMARKS}
    hand = _played(Fields(given), 1, PRESETS["paulista"], note="", path="")
    rules, score = hand.start.ruleset, hand.start.score
    if PRESETS.get(rules.name) != rules:
        raise Illegal(
            gettext_noop("The notation names rulesets, and this one has no name."),
            code="ruleset_without_name",
            field="ruleset",
        )
    tags = rules_tags(rules)
    if score != (0, 0):
        tags["Start"] = f"{score[Pair.A]}-{score[Pair.B]}"
    return MatchRecord(ruleset=rules, lines=(hand,), tags=tags)


def _tags(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise Unreadable(
            gettext_noop("This must be an object with named fields."),
            code="not_an_object",
            field="tags",
        )
    tags: dict[str, str] = {}
    for name, text in value.items():
        if not isinstance(text, str):
            raise bad_tag(name)
        tags[name] = text
    check_tags(tags)
    return tags


def _line(value: object, rules: Ruleset, place: int) -> RecordLine:
    path = f"hands[{place}]"
    fields = Fields(value, path=path)
    number, note = fields.whole("number"), _note(fields)
    if number < 0:
        raise Unreadable(
            gettext_noop("Hands are numbered from 1."),
            code="number_too_small",
            field=fields.name_of("number"),
        )
    if fields.has("events"):
        return _played(fields, number, rules, note=note, path=path)
    if fields.has("tento"):
        return _tento(fields, number, note)
    return _noted(fields, number, note)


def _note(fields: Fields) -> str:
    note = fields.text("note") if fields.has("note") else ""
    fields.drop("note")
    if not is_plain(note) or set(note) & set("{}") or note != " ".join(note.split()):
        raise Unreadable(
            gettext_noop("A note is one line of text without braces."),
            code="bad_note",
            field=fields.name_of("note"),
        )
    return note


def _played(fields: Fields, number: int, rules: Ruleset, *, note: str, path: str) -> PlayedHand:
    start = start_from(fields, default=rules)
    hand = start.hand()
    for place, text in enumerate(fields.items("events", at_most=MOST_EVENTS)):
        where = f"events[{place}]"
        try:
            hand.take(read_event(hand, text, field=where))
        except RulesError as refusal:
            refusal.field = f"{path}.{where}" if path else where
            raise
    fields.close()
    return PlayedHand(number=number, start=start, events=tuple(hand.recorded), note=note)


def _tento(fields: Fields, number: int, note: str) -> Tento:
    tento = Tento(
        number=number,
        score=score_from(fields, "score_before"),
        punished=_pair(fields, "tento"),
        points=fields.whole("points"),
        note=note,
    )
    fields.close()
    return tento


def _pair(fields: Fields, name: str) -> Pair:
    given = fields.text(name)
    if given not in Pair.__members__:
        raise Unreadable(
            gettext_noop("“%(name)s” must be A or B."),
            code="not_a_pair",
            field=fields.name_of(name),
            name=name,
        )
    return Pair[given]


def _noted(fields: Fields, number: int, note: str) -> NotedHand:
    has_winner = fields.has("winner")
    decision, by_clock = _decision(fields)
    hand = NotedHand(
        number=number,
        dealer=fields.whole("dealer"),
        score=score_from(fields, "score_before"),
        winner=_pair(fields, "winner") if has_winner else None,
        points=fields.whole("points"),
        decision=decision,
        decided_by_clock=by_clock,
        calls=_calls(fields),
        note=note,
    )
    fields.drop("winner")
    fields.close()
    return hand


def _decision(fields: Fields) -> tuple[Answer | None, bool]:
    if not fields.has("decision"):
        fields.drop("decision")
        return None, False
    given = fields.text("decision")
    if given not in _DECISIONS:
        raise _bad_calls(fields.name_of("decision"))
    return _DECISIONS[given]


def _calls(fields: Fields) -> tuple[Calls, ...]:
    if not fields.has("calls"):
        fields.drop("calls")
        return ()
    name = fields.name_of("calls")
    read = []
    for text in fields.items("calls", at_most=MOST_STEPS):
        found = _CALLS.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise _bad_calls(name)
        values = tuple(min(int(each), LARGEST_NUMBER) for each in found[1][1:].split("!"))
        said = found[2]
        read.append(Calls(values=values, accepted=said == "+", by_clock=said == "-~"))
    return tuple(read)


def _bad_calls(field: str) -> Unreadable:
    return Unreadable(
        gettext_noop("Calls and decisions are written as !3!6- or +, with ~ when time ran out."),
        code="bad_calls",
        field=field,
    )


# Writing.


def to_json(record: MatchRecord) -> dict[str, object]:
    """Give a record as JSON-able data; ``record_from`` gives the same record back."""
    return {"tags": dict(record.tags), "hands": [_line_json(line) for line in record.lines]}


def _line_json(line: RecordLine) -> dict[str, object]:
    match line:
        case PlayedHand():
            data = _played_json(line)
        case NotedHand():
            data = _noted_json(line)
        case Tento():
            data = {
                "number": line.number,
                "score_before": list(line.score),
                "tento": line.punished.name,
                "points": line.points,
            }
    return data | {"note": line.note} if line.note else data


def _played_json(line: PlayedHand) -> dict[str, object]:
    rules, start = line.start.ruleset, line.start
    return {
        "number": line.number,
        "players": rules.players,
        **_rules_json(rules),
        "vira": None if start.vira is None else code_of(start.vira),
        "first": start.first,
        "score_before": list(start.score),
        "hands": _hands_json(line),
        "events": _events_json(line),
    }


def _rules_json(rules: Ruleset) -> dict[str, object]:
    if rules == PRESETS["paulista"].for_players(rules.players):
        return {}
    return {"ruleset": rules.name if PRESETS.get(rules.name) == rules else rules.to_json()}


def _hands_json(line: PlayedHand) -> object:
    if line.start.hands is None:
        return None
    return {
        str(seat): None if hand is None else [code_of(card) for card in hand]
        for seat, hand in enumerate(line.start.hands)
    }


def _events_json(line: PlayedHand) -> list[str]:
    hand, texts = line.start.hand(), []
    for event in line.events:
        texts.append(event_text(event, deciding=hand.phase is Phase.DECIDING))
        hand.take(event)
    return texts


def _noted_json(line: NotedHand) -> dict[str, object]:
    data: dict[str, object] = {
        "number": line.number,
        "dealer": line.dealer,
        "score_before": list(line.score),
        "winner": None if line.winner is None else line.winner.name,
        "points": line.points,
    }
    if line.decision is not None:
        said = line.decision, line.decided_by_clock
        data["decision"] = next(text for text, meant in _DECISIONS.items() if meant == said)
    if line.calls:
        data["calls"] = [_calls_json(each) for each in line.calls]
    return data


def _calls_json(calls: Calls) -> str:
    said = "+" if calls.accepted else "-~" if calls.by_clock else "-"
    return "".join(f"!{value}" for value in calls.values) + said
