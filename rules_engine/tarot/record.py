"""A deal on record, from only the result to every card, each part held against the others.

Seats are numbered from 0 in playing order. Hands are as dealt, before the dog was taken up.
Sources: RO p.4-9, 12; the shape of the whole-deal cases.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import StrEnum

from rules_engine.tarot.announcements import Misere
from rules_engine.tarot.bidding import Call
from rules_engine.tarot.cards import TRUMPS, Card, CardSet
from rules_engine.tarot.contracts import Contract, MisereKind
from rules_engine.tarot.counting import Count, count_cards, deal_of
from rules_engine.tarot.dealing import Void
from rules_engine.tarot.deals import Deal
from rules_engine.tarot.dog import cards_aside
from rules_engine.tarot.play import Play
from rules_engine.tarot.poignees import ShownPoignee
from rules_engine.tarot.record_checks import check_record, check_result, fresh_play, known_dog
from rules_engine.tarot.rulesets import Ruleset
from rules_engine.tarot.scores import DealScore, score_deal, score_order


class Level(StrEnum):
    """How much a record tells."""

    RESULT = "result"  # what the score sheet says
    CARDS = "cards"  # some hands, the dog or the discard
    UNFINISHED = "unfinished"  # the play, as far as it went
    EVERY_CARD = "every_card"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredMisere:
    """A misère announced by a seat before its first card (seed 004)."""

    seat: int
    kind: MisereKind


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """What is known of one deal; refuses parts that contradict each other or the rules.

    A hand, the dog and the discard are None when they are not known or not shown; ``hands`` is
    empty when no hand is. ``partner`` is the seat that holds the called card, None where the taker
    plays alone or nobody knows yet. ``shown_discard`` are the trumps of the discard, which all
    see; it matters where the discard itself is hidden. ``plays`` are the cards in the order
    played. ``void`` says why the deal was not played; then it has no contract. ``result`` is what
    was reported: where all cards are known it must be what they give, and is not kept a second
    time unless it tells more. ``slam_announced`` is also true when the result says so.
    """

    ruleset: Ruleset
    dealer: int | None = None
    void: Void | None = None
    hands: tuple[CardSet | None, ...] = ()
    dog: CardSet | None = None
    bids: tuple[tuple[int, Call], ...] = ()
    taker: int | None = None
    contract: Contract | None = None
    called_card: Card | None = None
    partner: int | None = None
    discard: CardSet | None = None
    shown_discard: CardSet = 0
    poignees: tuple[ShownPoignee, ...] = ()
    miseres: tuple[DeclaredMisere, ...] = ()
    slam_announced: bool = False
    first_leader: int | None = None
    plays: tuple[Card, ...] = ()
    result: Deal | None = None
    #: The play as far as it is recorded; None when the hands are not known.
    play: Play | None = field(init=False, repr=False, compare=False)
    #: What the cards give; None before the last one is played.
    count: Count | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.result is not None and self.result.chelem.announced:
            object.__setattr__(self, "slam_announced", True)
        play = check_record(self)
        count = None
        if play is not None and play.is_over:
            aside = cards_aside(self._contract, dog=known_dog(self) or 0, discard=self.discard or 0)
            count = count_cards(play, aside=aside, slam_announced=self.slam_announced)
        object.__setattr__(self, "play", play)
        object.__setattr__(self, "count", count)
        if count is not None and self.result is not None:
            counted = self._counted(count)
            check_result(self.result, counted, poignees_noted=bool(self.poignees))
            if self.result == counted:
                object.__setattr__(self, "result", None)

    @property
    def _contract(self) -> Contract:
        return self.contract or Contract.PETITE

    @property
    def attack(self) -> tuple[int, ...]:
        """The seats of the taker's side as far as known."""
        return tuple(seat for seat in (self.taker, self.partner) if seat is not None)

    @property
    def level(self) -> Level:
        """How much this record tells."""
        if self.count is not None:
            return Level.EVERY_CARD
        if self.plays:
            return Level.UNFINISHED
        known = any(self.hands) or self.dog or self.discard
        return Level.CARDS if known else Level.RESULT

    @property
    def leader(self) -> int | None:
        """The seat that opens: an announced slam's taker, else at the dealer's right (RO p.6)."""
        if self.slam_announced:
            return self.taker
        if self.dealer is not None:
            return (self.dealer + 1) % self.ruleset.players
        return self.first_leader

    @property
    def deal(self) -> Deal | None:
        """The deal to be scored: what was reported, or what the cards give; None before the end."""
        if self.result is not None or self.count is None:
            return self.result
        return self._counted(self.count)

    @property
    def score(self) -> DealScore | None:
        """The score with its reasons; None before the end and for a void deal."""
        return None if self.deal is None else score_deal(self.deal)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """The points of the seats."""
        if self.score is None or self.taker is None:
            return None
        return self.score.by_seat(self.ruleset.players, self.taker, self.partner)

    def _counted(self, count: Count) -> Deal:
        return deal_of(
            count,
            ruleset=self.ruleset,
            contract=self._contract,
            attack=self.attack,
            poignees=self.poignees,
            slam_announced=self.slam_announced,
            miseres=self._miseres(),
        )

    def _miseres(self) -> tuple[Misere, ...]:
        if not self.miseres or self.taker is None:
            return ()
        order = score_order(self.ruleset.players, self.taker, self.partner)
        return tuple(
            Misere(kind=each.kind, declarer=order.index(each.seat)) for each in self.miseres
        )

    def fresh_play(self) -> Play | None:
        """Give the play before its first card; None while hands, taker or leader are not known."""
        return fresh_play(self)

    def masked(self, seat: int | None = None, *, plays: int | None = None) -> DealRecord:
        """Give what a seat (or, for None, an onlooker) may know after so many cards.

        Its own hand; the dog once it was turned up, or counted at the end; the taker's discard to
        the taker, its trumps to all; the holder of the called card once it was played; poignées
        and misères of who has played. No card that is still hidden is in it (RO p.4-8, 12).
        """
        shown = self.plays if plays is None else self.plays[:plays]
        over = self.count is not None and len(shown) == len(self.plays)
        takes_dog = self.contract is not None and self.contract.takes_dog
        have_played = self._have_played(len(shown))
        partner_known = over or self.called_card in shown or seat == self.partner
        return dataclasses.replace(
            self,
            hands=tuple(hand if holder == seat else None for holder, hand in enumerate(self.hands)),
            dog=self.dog if takes_dog or over else None,
            discard=self.discard if seat == self.taker else None,
            shown_discard=(self.discard or 0) & TRUMPS or self.shown_discard,
            partner=self.partner if partner_known else None,
            poignees=tuple(each for each in self.poignees if each.seat in have_played),
            miseres=tuple(each for each in self.miseres if each.seat in have_played),
            plays=shown,
            first_leader=self.leader,
            result=self.deal if over else None,
        )

    def _have_played(self, cards: int) -> set[int]:
        players, leader = self.ruleset.players, self.leader
        if leader is None:
            return set()
        return {(leader + place) % players for place in range(min(cards, players))}
