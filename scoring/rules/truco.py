"""What a truco sheet says by itself: its rules, and the whole meeting played again from its lines.

No score is stored: every line is given to the engine again, so that taking one away or putting
another in its place cannot leave a wrong total behind. Pairs are those of the engine: A has the
first seat of the table and every second one after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rules_engine import truco
from rules_engine.errors import Illegal, RulesError, gettext_noop
from scoring.models import TrucoLine
from tournaments.fixtures import CapRule, FixtureFormat
from tournaments.models import Fixture, Table

KIND, ENDING = TrucoLine.Kind, TrucoLine.Ending
PAIRS: dict[str, truco.Pair | None] = {"a": truco.Pair.A, "b": truco.Pair.B, "": None}
LETTERS = {truco.Pair.A: "a", truco.Pair.B: "b", None: ""}

#: The columns in which a line is what the table reported.
REPORTED = ("kind", "winner", "points", "ending", "points_a", "points_b", "notation")

#: What may happen when the time is over, by its code in a line.
CAP_RULES = (CapRule.LEADER_WINS, CapRule.SUDDEN_HAND, CapRule.FROM_11_11)


def ruleset_of(table: Table) -> truco.Ruleset:
    """Give the rules of the evening for the players and the target of this table."""
    stored = table.event.ruleset
    rules = truco.Ruleset.from_json(stored) if stored else truco.Ruleset()
    rules = rules.for_players(table.players_per_deal)
    return rules if table.target in {None, rules.target} else rules.to(table.target or 0)


def first_dealer_of(table: Table) -> int:
    """Give the seat (from 0) that deals the first hand; the first one unless it was chosen."""
    return ((table.first_dealer or 1) - 1) % table.players_per_deal


def cap_rule_of(table: Table) -> CapRule:
    """Give what ends the meeting when its time is over; NONE where the table agrees on it."""
    planned = Fixture.objects.filter(table=table).values_list("format", flat=True).first()
    if planned:
        return FixtureFormat.from_json(planned).cap_rule
    return CapRule(table.event.cap_rule or CapRule.NONE)


@dataclass(frozen=True, kw_only=True)
class Told:
    """A line of the sheet in its place: which game, which hand of it, and the score around it."""

    row: TrucoLine
    game: int
    hand: int
    dealer: int
    kind: truco.HandKind
    before: truco.Score
    after: truco.Score


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """A meeting of two pairs as far as its sheet tells: best of so many games.

    ``scores`` are those of the games that are over; ``cap`` is what the end of the time changed.
    """

    rules: truco.Ruleset
    games: int
    first_dealer: int
    start: truco.Score = (0, 0)
    score: truco.Score = (0, 0)
    hand: int = 0
    dealer: int = 0
    scores: tuple[truco.Score, ...] = ()
    told: tuple[Told, ...] = ()
    cap: CapRule = CapRule.NONE
    by_time: truco.Pair | None = None

    @property
    def needed(self) -> int:
        """How many games decide the meeting."""
        return self.games // 2 + 1

    @property
    def game(self) -> int:
        """Which game is played, from 1; the last one when all is over."""
        return min(len(self.scores) + 1, self.games) if not self.winner else len(self.scores)

    @property
    def won(self) -> truco.Score:
        """How many games each pair has won; one that the time broke off is nobody's."""
        over = (s for s in self.scores if truco.leader_at(self.rules, s) is not None)
        return _won(over)

    @property
    def winner(self) -> truco.Pair | None:
        """The pair that has won the meeting."""
        if self.by_time is not None:
            return self.by_time
        return next((pair for pair in truco.Pair if self.won[pair] >= self.needed), None)

    @property
    def is_decided(self) -> bool:
        return self.winner is not None

    @property
    def kind(self) -> truco.HandKind:
        """The kind of the next hand."""
        return truco.kind_at(self.rules, self.score)

    @property
    def values(self) -> tuple[int, ...]:
        """What the next hand can be worth, as it begins first."""
        if self.kind is truco.HandKind.NORMAL:
            return tuple(self.rules.ladder)
        return (truco.value_of(self.rules, self.kind),)

    @property
    def deciding(self) -> truco.Pair | None:
        """The pair that plays or declines the next hand, if it is a special one."""
        return truco.deciding_pair(self.rules, self.score)

    @property
    def mao(self) -> int:
        """The seat that plays first in the next hand."""
        return truco.next_seat(self.dealer, self.rules.players)

    def tentos(self, pair: truco.Pair, *, capped: bool = True) -> int:
        """Add up the points of a pair over the games, each at most the target unless raw."""
        every = [*self.scores, *(() if self.is_decided else (self.score,))]
        points = [score[pair] for score in every]
        return sum(min(each, self.rules.target) if capped else each for each in points)


def meeting_of(table: Table, rows: Iterable[TrucoLine]) -> Meeting:
    """Play the standing lines of a table again; refuses with the line that cannot be."""
    meeting = blank_meeting(table)
    for row in sorted((r for r in rows if r.is_standing), key=lambda row: row.number):
        try:
            meeting = after(meeting, row)
        except RulesError as refusal:
            raise ImpossibleLine(row, refusal) from refusal
    return meeting


def blank_meeting(table: Table) -> Meeting:
    """Give the meeting of a table before its first hand."""
    dealer = first_dealer_of(table)
    return Meeting(
        rules=ruleset_of(table), games=table.best_of or 1, first_dealer=dealer, dealer=dealer
    )


class ImpossibleLine(Exception):  # noqa: N818 - said as the scorer says it
    """A line of the sheet that the rules do not allow in its place."""

    def __init__(self, row: TrucoLine, refusal: RulesError) -> None:
        super().__init__(str(refusal))
        self.row = row
        self.refusal = refusal


def after(meeting: Meeting, row: TrucoLine) -> Meeting:
    """Give the meeting after one more line; refuses (``RulesError``) what cannot be."""
    if meeting.is_decided:
        raise Illegal(
            gettext_noop("The meeting was decided before this line."),
            code="meeting_decided",
        )
    if row.kind == KIND.CAP:
        return _capped(_tell(meeting, row, meeting.score), row)
    score = _score_after(meeting, row)
    told = _tell(meeting, row, score)
    next_dealer = truco.next_seat(meeting.dealer, meeting.rules.players)
    new = replace(told, score=score, hand=meeting.hand + 1, dealer=next_dealer)
    if truco.leader_at(meeting.rules, score) is not None:
        return _game_over(new, score)
    if meeting.cap is CapRule.SUDDEN_HAND:
        return _leader_wins(new, refuse_level=False)
    return new


def _tell(meeting: Meeting, row: TrucoLine, score: truco.Score) -> Meeting:
    told = Told(
        row=row,
        game=len(meeting.scores) + 1,
        hand=meeting.hand + 1,
        dealer=meeting.dealer,
        kind=meeting.kind,
        before=meeting.score,
        after=score,
    )
    return replace(meeting, told=(*meeting.told, told))


def _score_after(meeting: Meeting, row: TrucoLine) -> truco.Score:
    """Let the engine judge a line at the score where it stands."""
    if row.kind == KIND.GAME:
        final = (row.points_a or 0, row.points_b or 0)
        truco.check_final_score(meeting.rules, final, start=meeting.score)
        return final
    match = truco.Match(ruleset=meeting.rules, first_dealer=meeting.dealer, start=meeting.score)
    winner = PAIRS[row.winner]
    if row.kind == KIND.TENTO:
        if winner is None:
            raise Illegal(gettext_noop("Say which pair gets the tento."), code="tento_for_nobody",
                          field="winner")  # fmt: skip
        match.give_tento(winner.other, points=row.points)
        return match.score
    match.record(winner, row.points)
    check_ending(meeting.rules, meeting.score, row)
    return match.score


def check_ending(rules: truco.Ruleset, score: truco.Score, row: TrucoLine) -> None:
    """Refuse a hand that cannot have ended as it says: the engine knows what each way gives."""
    if row.ending and row.points not in points_by_ending(rules, score, PAIRS[row.winner]).get(
        ENDING(row.ending), ()
    ):
        raise Illegal(
            gettext_noop("A hand that ended like this cannot be worth %(points)s."),
            code="impossible_ending",
            field="points",
            points=row.points,
        )


def points_by_ending(
    rules: truco.Ruleset, score: truco.Score, winner: truco.Pair | None
) -> dict[TrucoLine.Ending, tuple[int, ...]]:
    """Give what a pair can get from the hand at a score, by the way in which it ended."""
    if winner is None:
        return {ENDING.ALL_TIED: (0,)}
    kind, deciding = truco.kind_at(rules, score), truco.deciding_pair(rules, score)
    if kind is truco.HandKind.NORMAL:
        ways = {ENDING.ROUNDS: rules.ladder, ENDING.RAN: rules.ladder[:-1]}
        return ways if rules.all_tied == "none" else ways | {ENDING.ALL_TIED: rules.ladder}
    ways = {ENDING.ROUNDS: (truco.value_of(rules, kind),)}
    if deciding is not None and winner is not deciding:
        ways[ENDING.DECLINED] = (rules.special_decline,)
    if rules.special_call == "forfeit":
        ways[ENDING.FORFEIT] = (rules.target - score[winner],)
    return ways


def _game_over(meeting: Meeting, score: truco.Score) -> Meeting:
    """Go on to the next game; its first dealer follows the last one of this game."""
    start = start_under(meeting.rules, meeting.cap)
    new = replace(meeting, scores=(*meeting.scores, score), start=start, score=start, hand=0)
    if meeting.cap is CapRule.SUDDEN_HAND and not new.is_decided:
        return _leader_wins(new, refuse_level=False)
    return new


def start_under(rules: truco.Ruleset, cap: CapRule) -> truco.Score:
    """Give the score at which a game begins, once the end of the time has changed that."""
    return (rules.special_at, rules.special_at) if cap is CapRule.FROM_11_11 else (0, 0)


def _capped(meeting: Meeting, row: TrucoLine) -> Meeting:
    if meeting.cap is not CapRule.NONE:
        raise Illegal(
            gettext_noop("The end of the time is on the sheet already."), code="cap_twice"
        )
    known = {str(rule): rule for rule in CAP_RULES}
    if row.notation not in known:
        raise Illegal(
            gettext_noop("Say what happens now that the time is over."),
            code="unknown_cap_rule",
            field="cap",
        )
    meeting = replace(meeting, cap=known[row.notation])
    if meeting.cap is CapRule.LEADER_WINS:
        return _leader_wins(meeting, refuse_level=True)
    if meeting.cap is CapRule.FROM_11_11 and not meeting.hand:
        start = start_under(meeting.rules, meeting.cap)
        return replace(meeting, start=start, score=start)
    return meeting


def _leader_wins(meeting: Meeting, *, refuse_level: bool) -> Meeting:
    """End the meeting for whoever has won more games, else for whoever is ahead in this one."""
    ahead = ahead_by_time(meeting.won, meeting.score)
    if ahead is None:
        if refuse_level:
            raise Illegal(
                gettext_noop("Both pairs are level: one more hand has to decide."),
                code="level_at_the_cap",
                field="cap",
            )
        return meeting
    scores = meeting.scores
    if _ahead(meeting.score) is not None and meeting.score != meeting.start:
        scores = (*scores, meeting.score)
    return replace(meeting, by_time=ahead, scores=scores)


def ahead_by_time(won: truco.Score, score: truco.Score) -> truco.Pair | None:
    """Give the pair that has won more games, else the one that is ahead in the game in play."""
    ahead = _ahead(won)
    return _ahead(score) if ahead is None else ahead


def _ahead(score: truco.Score) -> truco.Pair | None:
    if score[0] == score[1]:
        return None
    return truco.Pair.A if score[0] > score[1] else truco.Pair.B


def _won(scores: Iterable[truco.Score]) -> truco.Score:
    winners = [_ahead(score) for score in scores]
    return winners.count(truco.Pair.A), winners.count(truco.Pair.B)


def is_same_report(one: TrucoLine, other: TrucoLine) -> bool:
    """Did both tell the same of the hand, the game or the tento?"""
    return all(getattr(one, name) == getattr(other, name) for name in REPORTED)


@dataclass(frozen=True, kw_only=True)
class Entered:
    """A line as the table reports it, not yet on a sheet."""

    kind: TrucoLine.Kind = KIND.HAND
    winner: str = ""
    points: int = 0
    ending: str = ""
    final: truco.Score | None = None
    notation: str = ""
    cap: CapRule | None = field(default=None)

    def row(self) -> TrucoLine:
        """Give the line as a row, without its table."""
        return TrucoLine(
            kind=self.kind,
            winner=self.winner,
            points=self.points,
            ending=self.ending,
            points_a=self.final[0] if self.final else None,
            points_b=self.final[1] if self.final else None,
            notation=str(self.cap) if self.cap else self.notation,
        )


def hand_in_notation(meeting: Meeting, text: str) -> Entered:
    """Read one hand in notation at the score and with the dealer where the meeting stands.

    Refuses what the notation or the rules do not allow, and more or less than one whole hand.
    """
    a, b = meeting.score
    tags = {
        **truco.rules_tags(meeting.rules),
        "Start": f"{a}-{b}",
        "Dealer": truco.seat_name(meeting.dealer),
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    line = text.strip()
    number = "" if line[:1].isdigit() and "." in line[:4] else "1. "
    try:
        record = truco.read(f"{head}\n{number}{line}\n", ruleset=meeting.rules)
        return _entered_from(record, truco.write(record).strip().rsplit("\n", 1)[-1])
    except RulesError as refusal:
        refusal.field = "notation"  # what the table typed is one field
        raise


def _entered_from(record: truco.MatchRecord, written: str) -> Entered:
    told = record.lines[0] if len(record.lines) == 1 else None
    if isinstance(told, truco.PlayedHand):
        outcome = told.hand().outcome
        if outcome is not None:
            ending = str(outcome.ending)
            return Entered(winner=LETTERS[outcome.winner], points=outcome.points, ending=ending,
                           notation=written)  # fmt: skip
    if isinstance(told, truco.NotedHand):
        return Entered(winner=LETTERS[told.winner], points=told.points, notation=written)
    raise Illegal(
        gettext_noop("Write one hand, from its first card to its end."),
        code="one_hand",
        field="notation",
    )


def names_of_pairs(names: Sequence[str]) -> tuple[str, str]:
    """Give both pairs by the names of their seats, which come in the order of play."""
    return " & ".join(names[0::2]), " & ".join(names[1::2])
