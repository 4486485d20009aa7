"""Reads the truco record notation (TRN), leniently: aliases, any spacing, and what can be derived
may be left out; what is there is checked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules_engine.errors import RulesError
from rules_engine.truco.outcomes import Score
from rules_engine.truco.records import (
    MatchRecord,
    PlayedHand,
    RecordLine,
    Tento,
    unfinished,
    wrong_number,
)
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import next_seat
from rules_engine.truco.tags import (
    check_tags,
    dealer_of,
    in_order,
    rules_tags,
    ruleset_of,
    start_of,
)
from rules_engine.truco.trn_hands import read_hand, read_tento, score_told
from rules_engine.truco.trn_lines import Written, sorted_out
from rules_engine.truco.trn_tokens import tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """What the lines read so far say about the next: number, dealer and score, where known."""

    rules: Ruleset
    number: int | None
    dealer: int | None
    score: Score | None

    def after(self, line: RecordLine) -> _Running:
        dealer = self.dealer if isinstance(line, Tento) else line.dealer
        return replace(
            self,
            number=line.number + 1,
            dealer=None if dealer is None else next_seat(dealer, self.rules.players),
            score=line.score_after(self.rules),
        )


def read(text: str, *, ruleset: Ruleset | None = None) -> MatchRecord:
    """Read a record; refuses what the notation or the rules of truco forbid, by its line.

    ``ruleset`` are the rules of a house, which no tag can tell; the record must not name others.
    """
    tags, written = sorted_out(tokens(text))
    check_tags(tags)
    if ruleset is not None and "Rules" not in tags:
        tags |= rules_tags(ruleset)
    rules = ruleset_of(tags, ruleset)
    running = _Running(
        rules=rules, number=None, dealer=dealer_of(tags, rules), score=start_of(tags)
    )
    lines: list[RecordLine] = []
    for each in written:
        line = _line(each, running, may_be_open=each is written[-1])
        lines.append(line)
        running = running.after(line)
    return MatchRecord(ruleset=rules, lines=tuple(lines), tags=in_order(tags))


def _line(written: Written, running: _Running, *, may_be_open: bool) -> RecordLine:
    try:
        _check_number(written, running)
        score = _score_before(written, running)
        if written.words:
            return read_tento(written, running.rules, score)
        line = read_hand(written, running.rules, score=score, dealer=running.dealer)
        if not may_be_open and isinstance(line, PlayedHand) and line.hand().outcome is None:
            raise unfinished()
    except RulesError as refusal:
        # Within a line the place matters more than which value of the hand was at fault.
        refusal.field = written.where
        raise
    return line


def _check_number(written: Written, running: _Running) -> None:
    if running.number not in (None, written.number):
        raise wrong_number(running.number)


def _score_before(written: Written, running: _Running) -> Score:
    """Give the score before a line; for the first one of a fragment from what it says itself."""
    if running.score is not None:
        return running.score
    told = score_told(written)
    if written.number == 1 or told is None:
        return (0, 0)
    return told
