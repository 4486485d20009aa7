"""The end of a deal: card points of the attack, bouts, petit au bout, slams (RO p.3-9, 11, 12)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from rules_engine.tarot.cards import (
    BOUTS,
    CARDS_IN_PACK,
    EXCUSE,
    LOW_CARDS,
    PETIT,
    Card,
    CardSet,
    half_points,
)
from rules_engine.tarot.contracts import Called, Contract, PoigneeSize, Side
from rules_engine.tarot.deals import NO_CHELEM, Chelem, Deal, Misere, Poignee
from rules_engine.tarot.play import Play
from rules_engine.tarot.poignees import ShownPoignee
from rules_engine.tarot.rulesets import Ruleset


class ExcuseFate(StrEnum):
    """Where the Excuse ends and what is given for it (RO p.4, 8)."""

    NOT_PLAYED = "not_played"  # it lay in the dog
    KEPT = "kept"  # its own side won the trick
    PAID = "paid"  # kept; a low card of its side's tricks goes to the side that won the trick
    OWED = "owed"  # kept, but its side has no card to give: it is worth 4 points
    CHANGED_SIDE = "changed_side"  # played to the last trick
    IN_A_SLAM = "in_a_slam"  # played last by the side that won every trick: it stays


_DEAR, _PAID_BACK = 9, 8  # half-points of the Excuse, and of the Excuse less a low card


class Count(NamedTuple):  # made once a deal, in a fifth of the time of a frozen dataclass
    """What the cards of a deal that is played out say.

    ``half_points`` are the card points of the taker's side in half-points, ``bouts`` its bouts,
    both after the Excuse found its side; ``tricks`` are the tricks that it won of ``of_tricks``.
    """

    half_points: int
    bouts: int
    petit_au_bout: Side | None
    tricks: int
    of_tricks: int
    excuse: ExcuseFate

    @property
    def chelem(self) -> Side | None:
        """The side that won every trick (RO p.6)."""
        if 0 < self.tricks < self.of_tricks:
            return None
        return Side.ATTACK if self.tricks else Side.DEFENCE

    @property
    def petit_chelem(self) -> Side | None:
        """The side that won every trick but one; a house rule."""
        if self.tricks == 1:
            return Side.DEFENCE
        return Side.ATTACK if self.tricks == self.of_tricks - 1 else None


def count_cards(play: Play, *, aside: CardSet = 0, slam_announced: bool = False) -> Count:
    """Count a deal that is played out for the taker's side.

    ``aside`` are the cards that count for it without having been played: its discard, or the dog
    in a garde sans; nothing in a garde contre (RO p.6).
    """
    won = _won_by_the_attack(play)
    fate, moved = _find_excuse(play, won, aside)
    bouts, worth = divmod(sum([_COUNTS[card] for card in won]), _BOUT)
    worth += moved
    if aside:
        worth += half_points(aside)
        bouts += (aside & BOUTS).bit_count()
    if moved:
        bouts += 1 if moved > 0 else -1
    return Count(
        worth,
        bouts,
        _petit_au_bout(play, fate, slam_announced=slam_announced),
        len(won) // play.players,
        len(play.winners),
        fate,
    )


_WORTH = tuple(half_points(1 << card) for card in range(CARDS_IN_PACK))
#: What is added to the half-points of a bout, so that one sum counts both: more than a pack holds.
_BOUT = 1000
_COUNTS = tuple(worth + _BOUT * (BOUTS >> card & 1) for card, worth in enumerate(_WORTH))


def _won_by_the_attack(play: Play) -> list[Card]:
    """Give the cards in the tricks of the attack."""
    cards, winners, players = play.cards, play.winners, play.players
    won: list[Card] = []
    for seat in play.attack:
        trick = -1
        for _ in range(winners.count(seat)):
            trick = winners.index(seat, trick + 1)
            first = trick * players
            won += cards[first : first + players]
    return won


def _find_excuse(play: Play, won: list[Card], aside: CardSet) -> tuple[ExcuseFate, int]:
    """Say where the Excuse ends, and the half-points that it brings the attack beside its tricks.

    They are negative where the attack loses an Excuse that lies in its tricks.
    """
    holder = play.excuse_holder
    if holder < 0:
        return ExcuseFate.NOT_PLAYED, 0
    attacks, attack_won = holder in play.attack, EXCUSE in won
    if EXCUSE in play.cards[-play.players :]:
        slam = len(won) == (len(play.cards) if attacks else 0)
        return _excuse_played_last(play, attacks=attacks, attack_won=attack_won, slam=slam)
    if attacks is attack_won:
        return ExcuseFate.KEPT, 0
    # Paid for or owed, four points stay with its owner: the half point goes to the other side.
    if not attacks:
        paid = any(_WORTH[card] == 1 for card in play.cards if card not in won)
        return ExcuseFate.PAID if paid else ExcuseFate.OWED, -_PAID_BACK
    paid = any(_WORTH[card] == 1 for card in won) or aside & LOW_CARDS != 0
    return ExcuseFate.PAID if paid else ExcuseFate.OWED, _PAID_BACK


def _excuse_played_last(
    play: Play, *, attacks: bool, attack_won: bool, slam: bool
) -> tuple[ExcuseFate, int]:
    """Let the Excuse of the last trick change side, except in a slam of its own (RO p.4, 8)."""
    if attacks is not attack_won:
        return ExcuseFate.CHANGED_SIDE, 0
    if slam:
        return ExcuseFate.IN_A_SLAM, 0
    card_back = play.ruleset.excuse_last_own_side == "low_card_back"
    moved = _PAID_BACK if card_back else _DEAR
    return ExcuseFate.CHANGED_SIDE, -moved if attacks else moved


def _petit_au_bout(play: Play, fate: ExcuseFate, *, slam_announced: bool) -> Side | None:
    """Give the side that won the petit with the last trick (RO p.7).

    With the Excuse played last in a slam the trick before counts as the last one (RO p.6); of a
    slam that nobody announced the text does not say so: ``unannounced_slam_petit``.
    """
    players = play.players
    if not play.ruleset.petit_au_bout:
        return None
    at_the_end = play.cards[-players:]
    if PETIT not in at_the_end:
        if fate is not ExcuseFate.IN_A_SLAM or play.winners[-1] != play.excuse_holder:
            return None
        announced = slam_announced or play.ruleset.unannounced_slam_petit == "next_to_last_trick"
        if not announced or PETIT not in play.cards[-2 * players : -players]:
            return None
    return Side.ATTACK if play.winners[-1] in play.attack else Side.DEFENCE


def deal_of(
    count: Count,
    *,
    ruleset: Ruleset,
    contract: Contract,
    attack: Iterable[int],
    poignees: Iterable[ShownPoignee] = (),
    slam_announced: bool = False,
    miseres: tuple[Misere, ...] = (),
) -> Deal:
    """Give the counted deal as the value that is scored; refuses what no deal can be."""
    attack = tuple(attack)
    called = None
    if ruleset.players == 5:  # noqa: PLR2004
        called = Called.PARTNER if len(attack) > 1 else Called.SELF
    chelem = petit_chelem = NO_CHELEM
    if slam_announced or count.chelem is not None:
        chelem = Chelem(announced=slam_announced, achieved=count.chelem)
    if ruleset.petit_chelem and count.petit_chelem is not None:
        petit_chelem = Chelem(achieved=count.petit_chelem)
    return Deal(
        ruleset=ruleset,
        contract=contract,
        bouts=count.bouts,
        half_points=count.half_points,
        petit_au_bout=count.petit_au_bout,
        poignees=tuple([_POIGNEES[each.size, each.seat in attack] for each in poignees]),
        chelem=chelem,
        called=called,
        petit_chelem=petit_chelem,
        miseres=miseres,
    )


_POIGNEES = {
    (size, attacks): Poignee(size=size, side=Side.ATTACK if attacks else Side.DEFENCE)
    for size in PoigneeSize
    for attacks in (True, False)
}
