"""``tarot-play``: one whole deal a line, checked card by card, its tricks, points and scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from rules_engine import tarot
from rules_engine.commands import LineCommand
from rules_engine.errors import Illegal, Unreadable, gettext_noop

#: What a line may carry besides the deal: the answers of an earlier run, which are not read.
REMARKS = frozenset(
    {
        "trick_winners",
        "attack_points",
        "bouts",
        "petit_au_bout",
        "tricks_won",
        "made",
        "scores",
        "tags",
        "ambiguous",
    }
)


def answer(value: object) -> object:
    """Play one deal through; refuses a card that is not legal, with its index and the duty."""
    sided: list[tarot.Poignee] = []
    if isinstance(value, Mapping):
        value = {name: given for name, given in value.items() if name not in REMARKS}
        value["poignees"], sided = _poignees(value.get("poignees"))
    record = _with_seats(tarot.record_from_json(value), sided)
    again = record.fresh_play()
    if record.play is None or again is None or not isinstance(value, Mapping):
        raise Unreadable(
            gettext_noop("A deal is played with all hands, a taker, a contract and its discard."),
            code="hands_missing",
            field="hands",
        )
    return _answer(record, _legal(record.plays, again, _places(value)), record.play)


def _poignees(given: object) -> tuple[object, list[tarot.Poignee]]:
    """Part the poignées whose seat is told from those of which only the side is."""
    if not isinstance(given, list):
        return given, []
    sided = {
        at: tarot.Poignee.from_json(each, path=f"poignees[{at}]")
        for at, each in enumerate(given)
        if isinstance(each, Mapping) and "side" in each and "seat" not in each
    }
    return [each for at, each in enumerate(given) if at not in sided], [*sided.values()]


def _with_seats(record: tarot.DealRecord, sided: list[tarot.Poignee]) -> tarot.DealRecord:
    """Give each poignée of a side to a seat that can have shown it."""
    for each in sided:
        attack = each.side is tarot.Side.ATTACK
        record = _with_poignee(record, each.size, attack=attack)
    return record


def _with_poignee(
    record: tarot.DealRecord, size: tarot.PoigneeSize, *, attack: bool
) -> tarot.DealRecord:
    showing = {each.seat for each in record.poignees}
    for seat in range(record.ruleset.players):
        if (seat in record.attack) is attack and seat not in showing:
            shown = tarot.ShownPoignee(seat=seat, size=size)
            try:
                return dataclasses.replace(record, poignees=(*record.poignees, shown))
            except Illegal:
                continue
    raise Illegal(
        gettext_noop("Nobody on this side has the trumps for a %(size)s."),
        code="poignee_too_few_trumps",
        field="poignees",
        size=size,
    )


def _places(value: Mapping[str, object]) -> dict[str, int]:
    """Say where each card stands in the hands as they came, so that answers keep that order."""
    hands, dog = value.get("hands"), value.get("dog")
    rows = [*(hands if isinstance(hands, list) else []), dog]
    codes = [code for row in rows if isinstance(row, list) for code in row]
    return {code: place for place, code in enumerate(codes) if isinstance(code, str)}


def _answer(
    record: tarot.DealRecord, legal: list[list[str]], played: tarot.Play
) -> dict[str, object]:
    count, score = record.count, record.score
    answered: dict[str, object] = {
        "legal": legal,
        "trick_winners": played.winners,
        "attack_points": None,
        "bouts": None,
        "petit_au_bout": None,
        "tricks_won": _tricks_won(record, played),
        "made": None,
        "scores": None,
    }
    if count is not None and score is not None:
        whole, half = divmod(count.half_points, 2)
        answered |= {
            "attack_points": whole + 0.5 if half else whole,
            "bouts": count.bouts,
            "petit_au_bout": None if count.petit_au_bout is None else str(count.petit_au_bout),
            "made": score.made,
            "scores": list(record.scores or ()),
        }
    return answered


def _legal(
    plays: Sequence[tarot.Card], again: tarot.Play, places: Mapping[str, int]
) -> list[list[str]]:
    """Give what was legal at each play, in the order of the hands as they came."""
    legal = []
    for card in plays:
        codes = [tarot.code_of(each) for each in again.legal]
        legal.append(sorted(codes, key=lambda code: places.get(code, len(places))))
        again.play(card)
    return legal


def _tricks_won(record: tarot.DealRecord, played: tarot.Play) -> dict[str, int]:
    attack = sum(winner in record.attack for winner in played.winners)
    return {"attack": attack, "defence": len(played.winners) - attack}


COMMAND = LineCommand(
    summary="play a deal of tarot card by card: legal cards, tricks, points and scores out",
    answer=answer,
)
