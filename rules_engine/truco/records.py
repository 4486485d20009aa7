"""What is kept of a match: tags and one line for each hand, in three depths.

A hand with its cards (``PlayedHand``), a hand of which only the result was noted (``NotedHand``),
and a referee's tento (``Tento``). Every line knows the score before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules_engine.errors import Illegal, RulesError, gettext_noop
from rules_engine.truco.events import Answer, PlayCard, Recorded
from rules_engine.truco.guards import check_seat
from rules_engine.truco.hand import Hand
from rules_engine.truco.matches import wrong_dealer
from rules_engine.truco.outcomes import (
    HandKind,
    Score,
    added,
    deciding_pair,
    kind_at,
    leader_at,
    possible_points,
)
from rules_engine.truco.position import match_is_over
from rules_engine.truco.replay import Start
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, next_seat, seat_before
from rules_engine.truco.tags import (
    another_ruleset,
    check_result,
    check_tags,
    dealer_of,
    ruleset_of,
    start_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A hand with its cards and calls; the events are the truth, all else follows from them."""

    number: int
    start: Start
    events: tuple[Recorded, ...]
    note: str = ""

    def hand(self) -> Hand:
        """Play the hand again; refuses an event that the rules forbid."""
        hand = self.start.hand()
        for event in self.events:
            hand.take(event)
        return hand

    @property
    def score(self) -> Score:
        """The score before the hand."""
        return self.start.score

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return seat_before(self.start.first, self.start.ruleset.players)

    def score_after(self, rules: Ruleset) -> Score:
        """Give the running score after the hand; that before it while it is in play."""
        outcome = self.hand().outcome
        if outcome is None:
            return self.start.score
        return added(rules, self.start.score, outcome.winner, outcome.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """A call, the raises in reply to it, and the last answer: ``!3!6-``."""

    values: tuple[int, ...]
    accepted: bool
    by_clock: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedHand:
    """A hand of which only the result was noted, and perhaps its calls.

    ``decision`` is what the pair said to its special hand, None where it was not noted.
    """

    number: int
    dealer: int
    score: Score
    winner: Pair | None
    points: int
    decision: Answer | None = None
    decided_by_clock: bool = False
    calls: tuple[Calls, ...] = ()
    note: str = ""

    def score_after(self, rules: Ruleset) -> Score:
        """Give the running score after the hand."""
        return added(rules, self.score, self.winner, self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tento:
    """A referee's tento: points for the other pair, in place of a hand."""

    number: int
    score: Score
    punished: Pair
    points: int
    note: str = ""

    def score_after(self, rules: Ruleset) -> Score:
        """Give the running score after the tento."""
        return added(rules, self.score, self.punished.other, self.points)


RecordLine = PlayedHand | NotedHand | Tento


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A match as it is kept; the tags do not say the version, which the notation writes itself.

    Refuses at construction tags that say something else than the lines, and lines that do not
    follow from each other: numbers, dealers, scores, the end.
    """

    ruleset: Ruleset
    lines: tuple[RecordLine, ...]
    tags: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_tags(self.tags)
        ruleset_of(self.tags, self.ruleset)
        _check_lines(self)

    @property
    def score(self) -> Score:
        """The score after the last line."""
        if self.lines:
            return self.lines[-1].score_after(self.ruleset)
        return start_of(self.tags) or (0, 0)


def _check_lines(record: MatchRecord) -> None:
    rules = record.ruleset
    number: int | None = None
    dealer, score = dealer_of(record.tags, rules), start_of(record.tags)
    if score is None and _begins_at_nothing(record.lines):
        score = (0, 0)
    for place, line in enumerate(record.lines):
        try:
            _check_follows(rules, line, number=number, dealer=dealer, score=score)
            is_last = place == len(record.lines) - 1
            if isinstance(line, PlayedHand) and not is_last and not line.hand().is_over:
                raise unfinished()
        except RulesError as refusal:
            refusal.field = f"hands[{place}]"
            raise
        number, score = line.number + 1, line.score_after(rules)
        if not isinstance(line, Tento):
            dealer = line.dealer
        dealer = None if dealer is None else next_seat(dealer, rules.players)
    check_result(rules, record.tags, record.score)


def _begins_at_nothing(lines: tuple[RecordLine, ...]) -> bool:
    """Does the first line not tell the score before it? A fragment may begin later."""
    if not lines:
        return False
    return lines[0].number <= 1 or (
        isinstance(lines[0], PlayedHand) and not lines[0].hand().is_over
    )


def _check_follows(
    rules: Ruleset,
    line: RecordLine,
    *,
    number: int | None,
    dealer: int | None,
    score: Score | None,
) -> None:
    if number not in (None, line.number):
        raise wrong_number(number)
    if score not in (None, line.score):
        raise wrong_score(score)
    if leader_at(rules, line.score) is not None:
        raise match_is_over(rules)
    match line:
        case PlayedHand():
            if line.start.ruleset != rules:
                raise another_ruleset()
            line.hand()
        case NotedHand():
            check_noted(rules, line)
        case Tento():
            check_tento(rules, line)
            return
    check_seat(rules, line.dealer)
    if dealer not in (None, line.dealer):
        raise wrong_dealer(field="dealer")


def check_tento(rules: Ruleset, tento: Tento) -> None:
    """Refuse points that no tento gives."""
    if not 0 < tento.points <= rules.target:
        raise Illegal(
            gettext_noop("A tento gives from 1 to %(most)s points."),
            code="impossible_tento",
            field="points",
            most=rules.target,
        )


def wrong_number(number: int | None) -> Illegal:
    """Give the refusal of a number out of order."""
    return Illegal(
        gettext_noop("The hands are numbered one by one: this is hand %(number)s."),
        code="wrong_number",
        field="number",
        number=number,
    )


def wrong_score(score: Score | None) -> Illegal:
    """Give the refusal of a score that is not the running one."""
    a, b = score or (0, 0)
    return Illegal(
        gettext_noop("The running score is %(a)s to %(b)s."),
        code="wrong_score",
        field="score_before",
        a=a,
        b=b,
    )


def unfinished() -> Illegal:
    """Give the refusal of a hand that ends too early for its place."""
    return Illegal(gettext_noop("The hand is not played to its end."), code="hand_unfinished")


def masked(record: MatchRecord) -> MatchRecord:
    """Give a record for everybody's eyes: no dealt hands, and no face of a covered card."""
    return replace(record, lines=tuple(_masked_line(line) for line in record.lines))


def _masked_line(line: RecordLine) -> RecordLine:
    if not isinstance(line, PlayedHand):
        return line
    events = tuple(
        replace(event, card=None) if isinstance(event, PlayCard) and event.covered else event
        for event in line.events
    )
    return replace(line, start=replace(line.start, hands=None), events=events)


def check_noted(rules: Ruleset, hand: NotedHand) -> None:
    """Refuse a result that no hand at this score, with these calls, can give."""
    if hand.points not in _noted_points(rules, hand):
        raise Illegal(
            gettext_noop("The hand played at %(a)s to %(b)s cannot be worth %(points)s."),
            code="impossible_points",
            field="points",
            a=hand.score[Pair.A],
            b=hand.score[Pair.B],
            points=hand.points,
        )


def _noted_points(rules: Ruleset, hand: NotedHand) -> tuple[int, ...]:
    kind = kind_at(rules, hand.score)
    if hand.calls:
        level, ran = _level_of(rules, kind, hand.calls)
        if ran:
            return () if hand.winner is None else (rules.ladder[level],)
        return (0,) if hand.winner is None else (rules.ladder[level],)
    if hand.decision is not None:
        return _decided_points(rules, kind, hand)
    return possible_points(rules, hand.score, hand.winner)


def _decided_points(rules: Ruleset, kind: HandKind, hand: NotedHand) -> tuple[int, ...]:
    if kind is not HandKind.SPECIAL:
        raise another_kind()
    if hand.decision is Answer.ACCEPT:
        return (0,) if hand.winner is None else (rules.special_play,)
    other = hand.winner is not None and hand.winner is not deciding_pair(rules, hand.score)
    return (rules.special_decline,) if other else ()


def _level_of(rules: Ruleset, kind: HandKind, calls: tuple[Calls, ...]) -> tuple[int, bool]:
    """Follow the calls of a hand; give the level reached and whether a pair ran."""
    if kind is not HandKind.NORMAL:
        raise another_kind()
    level, ran = 0, False
    for each in calls:
        top = level + len(each.values)
        if ran or each.values != rules.ladder[level + 1 : top + 1]:
            raise Illegal(
                gettext_noop("The calls go step by step: %(ladder)s."),
                code="wrong_step",
                field="calls",
                ladder=", ".join(map(str, rules.ladder[1:])),
            )
        ran = not each.accepted
        level = top - 1 if ran else top
    return level, ran


def another_kind() -> Illegal:
    """Give the refusal of a decision, a call or a ferro that does not fit the score."""
    return Illegal(
        gettext_noop("At this score another kind of hand is played."),
        code="another_kind",
        field="score",
    )
