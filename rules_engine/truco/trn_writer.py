"""Writes the truco record notation (TRN) in its strict form: everything derivable is written."""

from __future__ import annotations

from rules_engine.truco.cards import code_of
from rules_engine.truco.events import Answer, Call, Noted, PlayCard, Recorded, Reply
from rules_engine.truco.hand import Hand
from rules_engine.truco.outcomes import HandKind, Score, deciding_pair, kind_at
from rules_engine.truco.position import Phase
from rules_engine.truco.records import (
    Calls,
    MatchRecord,
    NotedHand,
    PlayedHand,
    RecordLine,
    Tento,
)
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, seat_name
from rules_engine.truco.tags import VERSION, in_order, tag_text


def write(record: MatchRecord) -> str:
    """Write a record: the tags, an empty line, one line for each hand."""
    lines = [tag_text("TRN", VERSION)]
    lines += [tag_text(name, text) for name, text in in_order(record.tags).items()]
    if record.lines:
        lines.append("")
    for line in record.lines:
        lines.append(_line(record.ruleset, line))
    return "\n".join(lines) + "\n"


def _line(rules: Ruleset, line: RecordLine) -> str:
    match line:
        case PlayedHand():
            words = _played(rules, line)
        case NotedHand():
            words = _noted(rules, line)
        case Tento():
            scored = _scored(line.punished.other, line.points, line.score_after(rules))
            words = ["PEN", line.punished.name, "tento", *scored]
    note = [f"{{{line.note}}}"] if line.note else []
    return " ".join([f"{line.number}.", *words, *note])


def _scored(winner: Pair | None, points: int, score: Score) -> list[str]:
    outcome = "0" if winner is None else f"{winner.name}+{points}"
    return ["=>", outcome, f"{score[Pair.A]}-{score[Pair.B]}"]


def _noted(rules: Ruleset, line: NotedHand) -> list[str]:
    words = [seat_name(line.dealer)]
    kind = kind_at(rules, line.score)
    if kind is HandKind.IRON:
        words.append("FERRO")
    pair = deciding_pair(rules, line.score)
    if line.decision is not None and pair is not None:
        words.append(_decision(rules, pair, line.decision, by_clock=line.decided_by_clock))
    words += [_calls(each) for each in line.calls]
    return words + _scored(line.winner, line.points, line.score_after(rules))


def _calls(calls: Calls) -> str:
    return "".join(f"!{value}" for value in calls.values) + _answered(
        accepted=calls.accepted, by_clock=calls.by_clock
    )


def _answered(*, accepted: bool, by_clock: bool) -> str:
    return "+" if accepted else "-~" if by_clock else "-"


def _decision(rules: Ruleset, pair: Pair, answer: Answer, *, by_clock: bool) -> str:
    said = _answered(accepted=answer is Answer.ACCEPT, by_clock=by_clock)
    return f"M{rules.special_at}{pair.name}{said}"


def _played(rules: Ruleset, line: PlayedHand) -> list[str]:
    hand = line.start.hand()
    words = [seat_name(hand.dealer)]
    if hand.vira is not None:
        words.append(f"v{code_of(hand.vira)}")
    words += _dealt(hand)
    if hand.kind is HandKind.IRON:
        words.append("FERRO")
    opened = 0
    for event in line.events:
        if opened == len(hand.rounds) and isinstance(event, PlayCard | Call):
            leader = f"{seat_name(hand.leader)}:"
            words += ["/", leader] if opened else [leader]
            opened += 1
        _write_event(words, hand, event)
    if hand.outcome is not None:
        score = line.score_after(rules)
        words += _scored(hand.outcome.winner, hand.outcome.points, score)
    return words


def _dealt(hand: Hand) -> list[str]:
    known = [
        f"{seat_name(seat)}:{'.'.join(map(code_of, cards))}"
        for seat, cards in enumerate(hand.dealt)
        if cards is not None
    ]
    return [f"[{' '.join(known)}]"] if known else []


def _write_event(words: list[str], hand: Hand, event: Recorded) -> None:
    turn, rounds, level = hand.turn, len(hand.rounds), hand.level
    decides = deciding_pair(hand.ruleset, hand.score) if hand.phase is Phase.DECIDING else None
    hand.take(event)
    match event:
        case PlayCard():
            words.append(_card(event))
        case Call():
            caller = "" if event.seat == turn else seat_name(event.seat)
            words.append(f"{caller}!{_asked(hand.ruleset, level + 1)}")
        case Reply(answer=Answer.RAISE):
            words[-1] += f"!{_asked(hand.ruleset, level + 2)}"
        case Reply() if decides is not None:
            said = _decision(hand.ruleset, decides, event.answer, by_clock=event.by_clock)
            words.append(said)
        case Reply():
            accepted = event.answer is Answer.ACCEPT
            words[-1] += _answered(accepted=accepted, by_clock=event.by_clock)
        case Noted():
            pass
    if len(hand.rounds) > rounds:
        won_by = hand.rounds[-1].won_by
        words.append("=" if won_by is None else f">{seat_name(won_by)}")


def _asked(rules: Ruleset, level: int) -> int:
    # A call that a house punishes in a special hand may have no step of the ladder.
    return rules.ladder[min(level, rules.top_level)]


def _card(play: PlayCard) -> str:
    if play.covered:
        return "##" if play.card is None else f"#{code_of(play.card)}"
    return "??" if play.card is None else code_of(play.card)
