"""The JSON form of a recorded deal; its schema is published beside it (record.schema.json).

Cards are written with their short codes, seats as numbers from 0, plays as [seat, card].
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from rules_engine.errors import RulesError, Unreadable, gettext_noop
from rules_engine.reading import Fields
from rules_engine.tarot.bidding import Call
from rules_engine.tarot.cards import (
    CARDS_IN_PACK,
    Card,
    CardSet,
    card_from,
    code_of,
    codes_of,
)
from rules_engine.tarot.contracts import Contract, MisereKind, PoigneeSize
from rules_engine.tarot.dealing import Void
from rules_engine.tarot.deals import Deal
from rules_engine.tarot.play import winning_place
from rules_engine.tarot.poignees import ShownPoignee
from rules_engine.tarot.presets import PRESETS, ruleset
from rules_engine.tarot.record import DealRecord, DeclaredMisere
from rules_engine.tarot.rulesets import Ruleset

#: Nobody speaks more often in one bidding: each contract once, and two rounds of silence.
MOST_CALLS = 20
MOST_SEATS = 5


def record_schema() -> Mapping[str, object]:
    """Give the JSON Schema of ``record_to_json``."""
    text = Path(__file__).with_name("record.schema.json").read_text(encoding="utf-8")
    schema: Mapping[str, object] = json.loads(text)
    return schema


# Writing


def record_to_json(record: DealRecord) -> dict[str, object]:
    """Give a record as JSON-able data; what is not known is left out."""
    rules = record.ruleset
    written: dict[str, object] = {
        "ruleset": ruleset_to_json(rules),
        "players": rules.players,
    }
    for name in ("dealer", "void", "taker", "contract", "partner", "first_leader"):
        value = getattr(record, name)
        if value is not None:
            written[name] = value if isinstance(value, int) else str(value)
    if record.called_card is not None:
        written["called_card"] = code_of(record.called_card)
    if record.bids:
        written["bids"] = [[seat, str(call)] for seat, call in record.bids]
    if record.hands:
        written["hands"] = [None if hand is None else codes_of(hand) for hand in record.hands]
    for name in ("dog", "discard", "shown_discard"):
        if getattr(record, name):
            written[name] = codes_of(getattr(record, name))
    written |= _announcements_to_json(record)
    if record.plays:
        written["plays"] = [[seat, code_of(card)] for seat, card in seated_plays(record)]
    if record.result is not None:
        written["result"] = _result_to_json(record.result)
    return written


def ruleset_to_json(rules: Ruleset) -> object:
    """Give a preset by its name, any other ruleset in full."""
    return rules.name if PRESETS.get(rules.name) == rules else rules.to_json()


def ruleset_from_json(given: object) -> Ruleset:
    """Read a ruleset given by name or in full."""
    return ruleset(given) if isinstance(given, str) else Ruleset.from_json(given)


def _announcements_to_json(record: DealRecord) -> dict[str, object]:
    written: dict[str, object] = {}
    if record.poignees:
        written["poignees"] = [
            {"seat": each.seat, "size": str(each.size)}
            | ({"cards": codes_of(each.cards)} if each.cards else {})
            for each in record.poignees
        ]
    if record.miseres:
        written["miseres"] = [
            {"seat": each.seat, "kind": str(each.kind)} for each in record.miseres
        ]
    if record.slam_announced:
        written["announced_chelem"] = True
    return written


def _result_to_json(result: Deal) -> dict[str, object]:
    written = result.to_json()
    for name in ("ruleset", "players", "contract"):
        del written[name]
    return written


def seated_plays(record: DealRecord) -> list[tuple[int, Card]]:
    """Give each played card with its seat."""
    players = record.ruleset.players
    leader = record.leader or 0
    seated: list[tuple[int, Card]] = []
    for first in range(0, len(record.plays), players):
        trick = record.plays[first : first + players]
        seated += [((leader + place) % players, card) for place, card in enumerate(trick)]
        leader = (leader + winning_place(trick)) % players if len(trick) == players else 0
    return seated


# Reading


def record_from_json(data: object) -> DealRecord:
    """Read a record; refuses unknown fields, wrong types and what the rules forbid."""
    fields = Fields(data)
    rules = _ruleset(fields)
    values: dict[str, object] = {"ruleset": rules}
    for name in ("dealer", "taker", "partner", "first_leader"):
        values[name] = fields.whole(name) if fields.has(name) else None
    values["void"] = fields.word("void", Void) if fields.has("void") else None
    values["contract"] = fields.word("contract", Contract) if fields.has("contract") else None
    called = fields.take("called_card") if fields.has("called_card") else None
    values["called_card"] = None if called is None else card_from(called, field="called_card")
    values["bids"] = _bids(fields)
    values["hands"] = _hands(fields)
    for name in ("dog", "discard"):
        values[name] = _optional_set(fields, name) or None
    values["shown_discard"] = _optional_set(fields, "shown_discard")
    values["poignees"] = _poignees(fields)
    values["miseres"] = _miseres(fields)
    values["slam_announced"] = fields.has("announced_chelem") and fields.flag("announced_chelem")
    plays = _plays(fields)
    values["plays"] = tuple(card for _, card in plays)
    if plays and values["dealer"] is values["first_leader"] is None:
        values["first_leader"] = plays[0][0]
    values["result"] = _result(fields, rules, values["contract"])
    fields.drop(*_OPTIONAL)
    fields.close()
    record = DealRecord(**values)  # type: ignore[arg-type]
    _check_seats_of_plays(record, [seat for seat, _ in plays])
    return record


#: Fields that may be null, which is as good as leaving them out.
_OPTIONAL = (
    "dealer",
    "taker",
    "partner",
    "first_leader",
    "void",
    "contract",
    "called_card",
    "bids",
    "hands",
    "dog",
    "discard",
    "shown_discard",
    "poignees",
    "miseres",
    "announced_chelem",
    "plays",
    "result",
)


def _ruleset(fields: Fields) -> Ruleset:
    players = fields.whole("players")
    if not fields.has("ruleset"):
        fields.drop("ruleset")
        return PRESETS["fft"].for_players(players)
    return ruleset_from_json(fields.take("ruleset")).for_players(players)


def _items(fields: Fields, name: str, *, at_most: int) -> list[object]:
    return fields.items(name, at_most=at_most) if fields.has(name) else []


def _set(codes: list[object], field: str) -> CardSet:
    held: CardSet = 0
    for code in codes:
        bit = 1 << card_from(code, field=field)
        if held & bit:
            raise Unreadable(
                gettext_noop("The card %(card)s is named twice."),
                code="card_named_twice",
                field=field,
                card=code,
            )
        held |= bit
    return held


def _optional_set(fields: Fields, name: str) -> CardSet:
    return _set(_items(fields, name, at_most=CARDS_IN_PACK), name)


def _hands(fields: Fields) -> tuple[CardSet | None, ...]:
    hands: list[CardSet | None] = []
    for at, hand in enumerate(_items(fields, "hands", at_most=MOST_SEATS)):
        if hand is None:
            hands.append(None)
        elif isinstance(hand, list) and len(hand) <= CARDS_IN_PACK:
            hands.append(_set(hand, f"hands[{at}]"))
        else:
            raise _not_rows(f"hands[{at}]")
    return tuple(hands)


def _not_rows(field: str) -> Unreadable:
    return Unreadable(
        gettext_noop("This is not written as it should be: a list of cards, or seat and word."),
        code="not_a_row",
        field=field,
    )


def _rows(
    fields: Fields, name: str, *, at_most: int, widths: tuple[int, ...]
) -> list[list[object]]:
    """Give the rows of a list, each beginning with a seat."""
    rows: list[list[object]] = []
    for at, row in enumerate(_items(fields, name, at_most=at_most)):
        if not isinstance(row, list) or len(row) not in widths or type(row[0]) is not int:
            raise _not_rows(f"{name}[{at}]")
        rows.append(row)
    return rows


def _bids(fields: Fields) -> tuple[tuple[object, Call], ...]:
    bids: list[tuple[object, Call]] = []
    for at, (seat, call) in enumerate(_rows(fields, "bids", at_most=MOST_CALLS, widths=(2,))):
        word = Fields({"call": call}, path=f"bids[{at}]").word("call", Call)
        bids.append((seat, word))
    return tuple(bids)


def _plays(fields: Fields) -> list[tuple[object, Card]]:
    # A third entry, the legal cards, is what the play command answers; it is not read.
    rows = _rows(fields, "plays", at_most=CARDS_IN_PACK, widths=(2, 3))
    return [(row[0], card_from(row[1], field=f"plays[{at}]")) for at, row in enumerate(rows)]


def _poignees(fields: Fields) -> tuple[ShownPoignee, ...]:
    poignees = []
    for at, item in enumerate(_items(fields, "poignees", at_most=MOST_SEATS)):
        each = Fields(item, path=f"poignees[{at}]")
        shown = _optional_set(each, "cards")
        each.drop("cards")
        poignees.append(
            ShownPoignee(seat=each.whole("seat"), size=each.word("size", PoigneeSize), cards=shown)
        )
        each.close()
    return tuple(poignees)


def _miseres(fields: Fields) -> tuple[DeclaredMisere, ...]:
    miseres = []
    for at, item in enumerate(_items(fields, "miseres", at_most=2 * MOST_SEATS)):
        each = Fields(item, path=f"miseres[{at}]")
        miseres.append(DeclaredMisere(seat=each.whole("seat"), kind=each.word("kind", MisereKind)))
        each.close()
    return tuple(miseres)


def _result(fields: Fields, rules: Ruleset, contract: object) -> Deal | None:
    if not fields.has("result"):
        return None
    given = Fields(fields.take("result"), path="result")
    told = {name: given.take(name) for name in _RESULT if given.has(name)}
    given.drop(*_RESULT)
    given.close()
    whole = {"players": rules.players, "contract": contract and str(contract), **told}
    try:
        return Deal.from_json(whole, rules=rules)
    except RulesError as refusal:
        refusal.field = f"result.{refusal.field}"
        raise


_RESULT = (
    "bouts",
    "taker_card_points",
    "petit_au_bout",
    "poignees",
    "chelem",
    "called",
    "petit_chelem",
    "miseres",
)


def _check_seats_of_plays(record: DealRecord, seats: list[object]) -> None:
    for at, ((seat, _), given) in enumerate(zip(seated_plays(record), seats, strict=True)):
        if seat != given:
            raise Unreadable(
                gettext_noop("It is seat %(seat)s that plays here."),
                code="another_seat",
                field=f"plays[{at}]",
                seat=seat,
            )
