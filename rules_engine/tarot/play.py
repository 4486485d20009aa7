"""The play of the cards: what is legal, who wins a trick, who leads next (RO p.6-8, 12).

Seats are numbered from 0 in playing order, which is counter-clockwise; hands are bit sets.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.cards import (
    CARDS_IN_PACK,
    EXCUSE,
    EXCUSE_ALONE,
    SUIT_OF,
    TRUMPS,
    TWENTY_ONE,
    Card,
    CardSet,
    card_set,
    code_of,
    subsets,
)
from rules_engine.tarot.rulesets import Ruleset


class Duty(StrEnum):
    """What binds the player on turn (RO p.7-8)."""

    LEAD = "lead"  # any card
    FIRST_LEAD = "first_lead"  # at five: not the called suit, unless the called card (RO p.12)
    FOLLOW = "follow"
    TRUMP = "trump"  # no card of the suit led, no trump in the trick yet
    OVERTRUMP = "overtrump"
    UNDERTRUMP = "undertrump"  # must trump, and cannot go over
    FREE = "free"  # neither the suit led nor a trump


#: No seat holds the Excuse; no card has fixed the suit of a trick.
_NOBODY = _NOTHING_LED = -1

# While the tricks run, a hand lies sorted: a run of its trumps and a run for each suit, low cards
# first. The cards that follow are then a whole run, the trumps that go over the upper end of one.
# A last run is always empty. The Excuse is in no run: its seat is remembered.

type _Runs = list[list[Card]]
_TRUMPS, _EMPTY = 0, 5
#: Which run a card is in; the Excuse is in none.
_RUN_OF = (_NOBODY, *[_TRUMPS] * 21, *(run for run in (1, 2, 3, 4) for _ in range(14)))


_FROM_1, _FROM_8, _FROM_15, *_PLAIN = (subsets(range(at, at + 7)) for at in range(1, 78, 7))
_FROM_22, _FROM_29, _FROM_36, _FROM_43, _FROM_50, _FROM_57, _FROM_64, _FROM_71 = _PLAIN


def _runs(hand: CardSet) -> _Runs:
    """Sort a hand into its runs, seven cards of the pack at a time."""
    low, middle, high = hand >> 1 & 0xFFFFFFF, hand >> 29 & 0xFFFFFFF, hand >> 57
    return [
        _FROM_1[low & 0x7F] + _FROM_8[low >> 7 & 0x7F] + _FROM_15[low >> 14 & 0x7F],
        _FROM_22[low >> 21] + _FROM_29[middle & 0x7F],
        _FROM_36[middle >> 7 & 0x7F] + _FROM_43[middle >> 14 & 0x7F],
        _FROM_50[middle >> 21] + _FROM_57[high & 0x7F],
        _FROM_64[high >> 7 & 0x7F] + _FROM_71[high >> 14],
        [],
    ]


#: Gives a number of so many random bits: a lot is drawn with 30, so many more than a hand has cards
#: that the modulo favours none by a ten-millionth.
type DrawBits = Callable[[int], int]


def _no_lot(_bits: int) -> int:
    return 0


# The whole play is one loop with its state in local names: that is what makes it fast.
def _tricks(  # noqa: C901, PLR0912, PLR0915
    hands: list[_Runs],
    leader: int,
    draw: DrawBits,
    *,
    asking: bool,
    excuse: int,
    opening: Opening | None,
    cards: list[Card],
    winners: list[int],
) -> Generator[list[Card], int, None]:
    """Play all tricks, keeping ``cards`` and ``winners`` up to date.

    ``draw`` draws a lot for each card: the lot, modulo their number, is the place of the card
    played among the legal ones. When ``asking``, they are yielded instead and the place is sent.
    ``excuse`` is the seat that holds the Excuse, which comes last among the legal cards.
    """
    players = len(hands)
    in_turn = [hands[first:] + hands[:first] for first in range(players)]
    has_excuse = hands[excuse] if excuse != _NOBODY else None
    spelt_out = asking or opening is not None
    for left in range(sum(map(len, hands[leader])) + (leader == excuse), 0, -1):
        turn = iter(in_turn[leader])
        for hand in turn:  # pragma: no branch  lead any card; one is not the Excuse
            if spelt_out:
                legal = [each for run in hand for each in run]
                if opening:
                    legal = opening.narrow(legal, after_excuse=len(cards) % players > 0)
                holds = hand is has_excuse
                card = yield from _choice(hand, legal, draw(30), holds=holds, asked=asking)
            else:
                place = draw(30) % left
                for run in hand:
                    place -= len(run)
                    if place < 0:
                        card = run.pop(place)
                        break
                else:
                    card = EXCUSE
            cards.append(card)
            if card:
                break
            has_excuse = None  # the Excuse asks for nothing: the next card does
        # To follow is the run of the suit led; where trumps are led the empty one.
        if card > TWENTY_ONE:
            best, highest_trump, led = card, 0, _RUN_OF[card]
        else:
            best, highest_trump, led = 0, card, _EMPTY
        for hand in turn:
            if run := hand[led]:  # follow suit
                if spelt_out:
                    holds = hand is has_excuse
                    card = yield from _choice(hand, run, draw(30), holds=holds, asked=asking)
                elif hand is has_excuse:
                    place = draw(30) % (len(run) + 1)
                    card = run.pop(place) if place < len(run) else EXCUSE
                else:
                    card = run.pop(draw(30) % len(run))
                if card > best:  # noqa: PLR1730  max() would be a call
                    best = card
            elif run := hand[0]:  # else trump,
                first = 0  # over the highest trump if possible
                if run[0] < highest_trump < run[-1]:
                    first = bisect(run, highest_trump)
                if spelt_out:
                    holds = hand is has_excuse
                    card = yield from _choice(
                        hand, run[first:], draw(30), holds=holds, asked=asking
                    )
                elif hand is has_excuse:
                    place = first + draw(30) % (len(run) - first + 1)
                    card = run.pop(place) if place < len(run) else EXCUSE
                else:
                    card = run.pop(first + draw(30) % (len(run) - first))
                if card > highest_trump:  # noqa: PLR1730
                    highest_trump = card
            elif spelt_out:  # else discard, any card
                legal = [each for run in hand for each in run]
                holds = hand is has_excuse
                card = yield from _choice(hand, legal, draw(30), holds=holds, asked=asking)
            else:
                place = draw(30) % left
                for run in hand:
                    place -= len(run)
                    if place < 0:
                        card = run.pop(place)
                        break
                else:
                    card = EXCUSE
            cards.append(card)
            if not card:  # and wins nothing
                has_excuse = None
        place = cards.index(highest_trump or best, -players)
        leader = (leader + place) % players
        winners.append(leader)
        opening, spelt_out = None, asking


def _choice(
    hand: _Runs, legal: list[Card], lot: int, *, holds: bool, asked: bool
) -> Generator[list[Card], int, Card]:
    """Spell out the legal cards, ask for one of them (or take the lot's), and take it out."""
    if holds:
        legal = [*legal, EXCUSE]
    card = legal[(yield list(legal)) if asked else lot % len(legal)]
    if card != EXCUSE:
        hand[_RUN_OF[card]].remove(card)
    return card


def winning_place(trick: Sequence[Card]) -> int:
    """Give the place, in the order played, of the card that takes a trick (RO p.7-8).

    The highest trump, else the highest card of the suit led; never the Excuse.
    """
    led = next((_RUN_OF[card] for card in trick if card != EXCUSE), _NOTHING_LED)
    trumps = [card for card in trick if _RUN_OF[card] == _TRUMPS]
    return trick.index(max(trumps or [card for card in trick if _RUN_OF[card] == led]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What may open a deal of five: not the called suit, unless the called card (RO p.12).

    ``called`` is None where nothing is called or the ruleset lets any card open.
    """

    called: Card | None
    binds_after_excuse: bool

    def narrow(self, cards: list[Card], *, after_excuse: bool) -> list[Card]:
        """Give those of some cards that may open, or follow an Excuse that opened."""
        if self.called is None or (after_excuse and not self.binds_after_excuse):
            return cards
        closed = SUIT_OF[self.called] ^ 1 << self.called
        return [card for card in cards if not closed >> card & 1]

    @classmethod
    def under(cls, rules: Ruleset, called: Card | None) -> Opening:
        """Give what a ruleset says about the opening."""
        return cls(
            called=called if rules.first_lead == "not_called_suit" else None,
            binds_after_excuse=rules.called_suit_after_excuse == "forbidden",
        )


class Play:
    """The tricks of one deal, card by card.

    ``hands`` are what the seats hold once the discard is put aside; ``leader`` is the seat that
    opens; ``attack`` are the seats of the taker's side (none when everybody plays alone);
    ``called`` is the called card at five. ``cards`` are all cards in the order played, ``winners``
    the seat that won each trick, ``excuse_holder`` the seat that was dealt the Excuse (-1 when it
    is not played).
    """

    __slots__ = (
        "_ask",
        "_hands",
        "_legal",
        "attack",
        "called",
        "cards",
        "excuse_holder",
        "leader",
        "players",
        "ruleset",
        "winners",
    )

    def __init__(
        self,
        *,
        hands: Sequence[CardSet],
        leader: int,
        ruleset: Ruleset,
        attack: Collection[int] = (),
        called: Card | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.attack = attack
        self.called = called
        self.leader = leader
        self.players = len(hands)
        self.cards: list[Card] = []
        self.winners: list[int] = []
        self.excuse_holder = _NOBODY
        for seat, hand in enumerate(hands):
            if hand & EXCUSE_ALONE:
                self.excuse_holder = seat
        self._hands = [_runs(hand) for hand in hands]
        self._legal: list[Card] = []
        self._ask: Callable[[int], list[Card]] | None = None

    def _tricks(self, draw: DrawBits, *, asking: bool) -> Generator[list[Card], int, None]:
        return _tricks(
            self._hands,
            self.leader,
            draw,
            asking=asking,
            excuse=self.excuse_holder,
            opening=None if self.called is None else Opening.under(self.ruleset, self.called),
            cards=self.cards,
            winners=self.winners,
        )

    @property
    def legal(self) -> list[Card]:
        """The cards that the seat on turn may play; none when the deal is played out."""
        if self._ask is None and not self.cards:
            asking = self._tricks(_no_lot, asking=True)
            self._legal, self._ask = next(asking, []), asking.send
        return self._legal

    @property
    def is_over(self) -> bool:
        """Have all cards been played?"""
        return not any(map(any, self._hands)) and (
            self.excuse_holder == _NOBODY or EXCUSE in self.cards
        )

    @property
    def table(self) -> list[Card]:
        """The cards of the trick in progress, in the order played."""
        return self.cards[self.players * len(self.winners) :]

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """What each seat still holds."""
        holder = _NOBODY if EXCUSE in self.cards else self.excuse_holder
        return tuple(
            sum(map(card_set, runs)) | (EXCUSE_ALONE if seat == holder else 0)
            for seat, runs in enumerate(self._hands)
        )

    @property
    def tricks(self) -> list[list[Card]]:
        """The tricks that are complete, each in the order played."""
        firsts = range(0, self.players * len(self.winners), self.players)
        return [self.cards[first : first + self.players] for first in firsts]

    @property
    def turn(self) -> int:
        """The seat that plays next; when all is played, the winner of the last trick."""
        leader = self.winners[-1] if self.winners else self.leader
        return (leader + len(self.cards)) % self.players

    @property
    def duty(self) -> Duty:
        """The duty that binds the seat on turn."""
        hand, table = self.hands[self.turn], self.table
        led = next((SUIT_OF[card] for card in table if card != EXCUSE), 0)
        if not led:
            return Duty.LEAD if len(self.legal) == hand.bit_count() else Duty.FIRST_LEAD
        if hand & led and led != TRUMPS:
            return Duty.FOLLOW
        return _trumping_duty(hand & TRUMPS, max((c for c in table if c <= TWENTY_ONE), default=0))

    def played_by(self, seat: int) -> list[Card]:
        """Give the cards that a seat has played, in order."""
        leaders = [self.leader, *self.winners]
        return [
            card
            for at, card in enumerate(self.cards)
            if (leaders[at // self.players] + at) % self.players == seat
        ]

    def play(self, card: Card) -> None:
        """Put a card of the seat on turn on the table; refuses one that breaks a duty."""
        if card not in self.legal:
            raise self._refusal(card)
        self._answer(self.legal.index(card))

    def play_out(self, draw: DrawBits) -> None:
        """Play all cards left by lot, each legal card as likely as the others.

        ``draw`` gives a number of so many random bits, as ``random.Random(seed).getrandbits``.
        """
        if self._ask is None and not self.cards:
            next(self._tricks(draw, asking=False), [])
            self._close()
        while self.legal:
            self._answer(draw(30) % len(self.legal))

    def _answer(self, place: int) -> None:
        try:
            self._legal = self._ask(place) if self._ask else []
        except StopIteration:
            self._close()

    def _close(self) -> None:
        self._legal, self._ask = [], None
        if EXCUSE in self.cards[-self.players :]:
            self._let_the_excuse_slam()

    def _let_the_excuse_slam(self) -> None:
        """Give the last trick to the Excuse when its side won all the others (RO p.6, 8).

        Only the taker's side can, unless the ruleset says ``slam_excuse_side="either"``.
        """
        earlier, owner = self.winners[:-1], self.excuse_holder
        attacks = owner in self.attack
        may = attacks or (bool(self.attack) and self.ruleset.slam_excuse_side == "either")
        if may and all((seat in self.attack) == attacks for seat in earlier):
            self.winners[-1] = owner

    def _refusal(self, card: Card) -> Illegal:
        known = 0 <= card < CARDS_IN_PACK
        named = code_of(card) if known else str(card)
        if self.is_over:
            sentence, code = gettext_noop("All cards have been played already."), "deal_is_over"
        elif not known or not self.hands[self.turn] >> card & 1:
            sentence = gettext_noop("%(card)s is not in the hand of the player on turn.")
            code = "card_not_held"
        else:
            sentence, code = DUTY_BROKEN[self.duty], f"must_{self.duty}"
        return Illegal(sentence, code=code, field="plays", card=named)

    def view(self, seat: int) -> TableView:
        """Give what one seat may see: its hand, the trick in progress and the one before."""
        hands, tricks = self.hands, self.tricks
        return TableView(
            seat=seat,
            hand=hands[seat],
            turn=self.turn,
            legal=tuple(self.legal) if seat == self.turn else (),
            table=tuple(self.table),
            previous=tuple(tricks[-1]) if tricks else (),
            cards_left=tuple(hand.bit_count() for hand in hands),
            tricks_won=tuple(self.winners.count(each) for each in range(self.players)),
        )


def _trumping_duty(trumps: CardSet, highest: Card) -> Duty:
    if not trumps:
        return Duty.FREE
    if not highest:
        return Duty.TRUMP
    return Duty.OVERTRUMP if trumps >> highest else Duty.UNDERTRUMP


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """What one seat may see while the cards are played; no other seat's cards are in it.

    ``previous`` is the trick before: it may be looked at until the next one is gathered (RO p.8).
    """

    seat: int
    hand: CardSet
    turn: int
    legal: tuple[Card, ...]
    table: tuple[Card, ...]
    previous: tuple[Card, ...]
    cards_left: tuple[int, ...]
    tricks_won: tuple[int, ...]


#: What is said of a card that breaks a duty (RO p.7-8, 12); leading and discarding break none.
DUTY_BROKEN = {
    Duty.FIRST_LEAD: gettext_noop(
        "%(card)s may not open: the first lead is not in the called suit,"
        " unless it is the called card."
    ),
    Duty.FOLLOW: gettext_noop("%(card)s is not of the suit led, and the hand can follow suit."),
    Duty.TRUMP: gettext_noop("%(card)s is no trump: without the suit led, a trump must be played."),
    Duty.OVERTRUMP: gettext_noop(
        "%(card)s does not go over the highest trump of the trick, and the hand can."
    ),
    Duty.UNDERTRUMP: gettext_noop(
        "%(card)s is no trump: a lower trump must be played when the hand cannot go over."
    ),
}
