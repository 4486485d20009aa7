"""Holds the parts of a recorded deal against each other (RO p.4-9, 12)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NoReturn

from rules_engine.errors import Illegal, gettext_noop
from rules_engine.tarot.bidding import Auction
from rules_engine.tarot.cards import (
    EXCUSE_ALONE,
    JACKS,
    KINGS,
    KNIGHTS,
    PACK,
    QUEENS,
    TRUMPS,
    CardSet,
    card_set,
)
from rules_engine.tarot.contracts import DOG_SIZES, MisereKind
from rules_engine.tarot.dealing import PACKET_SIZES, Void, is_petit_sec, packets_of
from rules_engine.tarot.deals import Deal
from rules_engine.tarot.dog import check_call, check_discard, partner_of
from rules_engine.tarot.play import Play
from rules_engine.tarot.poignees import check_poignee

if TYPE_CHECKING:
    from rules_engine.tarot.record import DealRecord

_COURT_CARDS: CardSet = KINGS | QUEENS | KNIGHTS | JACKS
FIVE = 5


def check_record(record: DealRecord) -> Play | None:
    """Refuse a record that contradicts itself; give the play when all hands are known."""
    _check_seats(record)
    _check_hands(record)
    _check_bids(record)
    if record.void is not None:
        _check_void(record)
        return None
    _check_contract(record)
    _check_called(record)
    _check_discard(record)
    _check_announcements(record)
    _check_leader(record)
    return _replay(record)


def hand_size(players: int) -> int:
    """Give how many cards each player is dealt (RO p.4, 11, 12)."""
    return packets_of(players) * PACKET_SIZES[players] // players


def _refuse(code: str, field: str, sentence: str, **gaps: object) -> NoReturn:
    raise Illegal(sentence, code=code, field=field, **gaps)


def _check_seats(record: DealRecord) -> None:
    players = record.ruleset.players
    seats = {
        "dealer": record.dealer,
        "taker": record.taker,
        "partner": record.partner,
        "first_leader": record.first_leader,
        **{f"poignees[{at}]": each.seat for at, each in enumerate(record.poignees)},
        **{f"miseres[{at}]": each.seat for at, each in enumerate(record.miseres)},
    }
    for name, seat in seats.items():
        if seat is not None and not 0 <= seat < players:
            _refuse(
                "no_such_seat",
                name,
                gettext_noop("There is no seat %(seat)s at a table of %(players)s."),
                seat=seat,
                players=players,
            )
    if record.partner is not None and record.partner == record.taker:
        _refuse(
            "partner_is_the_taker",
            "partner",
            gettext_noop("A taker who calls himself has no partner."),
        )


def _check_hands(record: DealRecord) -> None:
    players = record.ruleset.players
    if record.hands and len(record.hands) != players:
        _refuse(
            "hands_of_other_players",
            "hands",
            gettext_noop("There are %(players)s hands, one for each player."),
            players=players,
        )
    seen: CardSet = 0
    sizes = [(f"hands[{at}]", hand, hand_size(players)) for at, hand in enumerate(record.hands)]
    for name, held, size in [*sizes, ("dog", record.dog, DOG_SIZES[players])]:
        if held is None:
            continue
        if held.bit_count() != size:
            _refuse(
                "wrong_card_count",
                name,
                gettext_noop("There are %(given)s cards where %(size)s are dealt."),
                given=held.bit_count(),
                size=size,
            )
        if held & seen or held & ~PACK:
            _refuse(
                "card_twice", name, gettext_noop("A card is in two places at once, or in no pack.")
            )
        seen |= held


def _check_bids(record: DealRecord) -> None:
    if not record.bids:
        return
    if record.dealer is None:
        _refuse(
            "dealer_missing",
            "dealer",
            gettext_noop("The dealer must be named: the player at his right speaks first."),
        )
    # Who was barred is not on record: what such a seat may say is what any other may say.
    auction = Auction(rules=record.ruleset, dealer=record.dealer)
    for at, (seat, call) in enumerate(record.bids):
        if seat != auction.turn:
            _refuse(
                "out_of_turn",
                f"bids[{at}]",
                gettext_noop("Seat %(seat)s speaks out of turn."),
                seat=seat,
            )
        auction.call(call)
    if not auction.is_over:
        if record.contract is not None or record.void is Void.ALL_PASS:
            _refuse("bidding_not_over", "bids", gettext_noop("The bidding is not over yet."))
        return
    taken = auction.taken
    if taken is None:
        if record.void is None:
            _refuse(
                "everybody_passed",
                "bids",
                gettext_noop("Everybody passed: nobody plays this deal."),
            )
    elif (taken.taker, taken.contract) != (record.taker, record.contract):
        _refuse(
            "another_taker",
            "contract",
            gettext_noop("By the bidding it is seat %(seat)s that takes, with a %(contract)s."),
            seat=taken.taker,
            contract=taken.contract,
        )


def _is_played(record: DealRecord) -> bool:
    """Does the record tell of anything that comes after the bidding?"""
    announced = record.poignees or record.miseres or record.slam_announced
    return bool(announced or record.plays or record.result)


def _check_void(record: DealRecord) -> None:
    if record.contract or record.taker is not None or _is_played(record):
        _refuse("void_deal_played", "void", gettext_noop("A void deal is not played."))
    hands = [hand for hand in record.hands if hand is not None]
    complete = len(hands) == record.ruleset.players
    if record.void is Void.PETIT_SEC and complete and not any(map(is_petit_sec, hands)):
        _refuse("no_petit_sec", "void", gettext_noop("No hand has the petit as its only trump."))


def _check_contract(record: DealRecord) -> None:
    if (record.contract is None) is not (record.taker is None):
        _refuse(
            "taker_and_contract",
            "contract" if record.contract is None else "taker",
            gettext_noop("Taker and contract are named together."),
        )
    if record.contract is None:
        if _is_played(record):
            _refuse("contract_missing", "contract", gettext_noop("Nobody has taken yet."))
    elif record.contract not in record.ruleset.contracts:
        _refuse(
            "contract_not_played",
            "contract",
            gettext_noop("The contract “%(contract)s” is not played under these rules."),
            contract=record.contract,
        )
    hands = [hand for hand in record.hands if hand is not None]
    if record.ruleset.petit_sec == "void" and any(map(is_petit_sec, hands)):
        _refuse(
            "petit_sec",
            "hands",
            gettext_noop("The petit is the only trump of a hand: the deal is void before bidding."),
        )
    result = record.result
    if result is not None and (result.ruleset, result.contract) != (
        record.ruleset,
        record.contract,
    ):
        _refuse(
            "result_of_another_deal",
            "result",
            gettext_noop("The result is of another contract or ruleset."),
        )
    if result is not None and result.chelem.announced != record.slam_announced:
        _refuse(
            "announcement_not_in_result",
            "result.chelem",
            gettext_noop("A chelem was announced, and the result does not say so."),
        )


def _check_called(record: DealRecord) -> None:
    if record.called_card is None and record.partner is None:
        return
    if record.ruleset.players != FIVE or record.taker is None:
        _refuse(
            "called_only_at_five",
            "called_card",
            gettext_noop("Only at five players does the taker call a card."),
        )
    if record.called_card is None or not record.hands:
        return
    own = record.hands[record.taker]
    if own is not None:
        check_call(own, record.called_card, record.ruleset)
    holder = partner_of(
        [hand or 0 for hand in record.hands], taker=record.taker, called=record.called_card
    )
    known = all(hand is not None for hand in record.hands)
    if holder != record.partner and (known or holder is not None):
        _refuse(
            "another_partner",
            "partner",
            gettext_noop("The partner is who holds the called card."),
        )


def _check_discard(record: DealRecord) -> None:
    if not record.discard and not record.shown_discard:
        return
    if record.contract is None or not record.contract.takes_dog or record.taker is None:
        _refuse(
            "discard_without_dog",
            "discard",
            gettext_noop("Only who takes up the dog, up to the garde, discards."),
        )
    if record.discard is None:
        return
    hand = record.hands[record.taker] if record.hands else None
    dog = known_dog(record)
    if hand is not None and dog is not None:
        shown = check_discard(hand | dog, record.discard, record.ruleset)
        if record.shown_discard & ~shown:
            _refuse(
                "trumps_not_discarded",
                "shown_discard",
                gettext_noop("The trumps shown are not those that were discarded."),
            )


def known_dog(record: DealRecord) -> CardSet | None:
    """Give the dog, also where only the hands tell it; None when it is not known."""
    if record.dog is None and record.hands and None not in record.hands:
        return PACK & ~sum(hand or 0 for hand in record.hands)
    return record.dog


def _playing_hands(record: DealRecord) -> list[CardSet | None]:
    """Give the hands with which the seats play, the taker's after the discard."""
    hands: list[CardSet | None] = list(record.hands) or [None] * record.ruleset.players
    taker = record.taker
    if taker is None or record.contract is None or not record.contract.takes_dog:
        return hands
    dealt, hands[taker] = hands[taker], None
    dog = known_dog(record)
    if dealt is not None and dog is not None and record.discard:
        hands[taker] = (dealt | dog) & ~record.discard
    return hands


def _check_announcements(record: DealRecord) -> None:
    hands = _playing_hands(record)
    showing = [each.seat for each in record.poignees]
    if len(set(showing)) < len(showing):
        _refuse(
            "two_poignees_of_one_player",
            "poignees",
            gettext_noop("A player shows one poignée, complete and in one go."),
        )
    for each in record.poignees:
        hand = hands[each.seat]
        if hand is not None:
            discarded = (record.discard or 0) & TRUMPS if each.seat == record.taker else 0
            check_poignee(each, hand=hand, rules=record.ruleset, discarded_trumps=discarded)
    if record.miseres and not record.ruleset.misere:
        _refuse(
            "misere_not_played",
            "miseres",
            gettext_noop("Misères are not played under these rules."),
        )
    for misere in record.miseres:
        missing = TRUMPS | EXCUSE_ALONE if misere.kind is MisereKind.TRUMPS else _COURT_CARDS
        if (hands[misere.seat] or 0) & missing:
            _refuse(
                "misere_with_such_cards",
                "miseres",
                gettext_noop("This hand holds cards that a %(kind)s has none of."),
                kind=misere.kind,
            )


def _check_leader(record: DealRecord) -> None:
    if record.first_leader is not None and record.first_leader != record.leader:
        _refuse(
            "another_leader",
            "first_leader",
            gettext_noop(
                "The player at the dealer's right opens; who announced a chelem opens instead."
            ),
        )


def fresh_play(record: DealRecord) -> Play | None:
    """Give the play before its first card; None while hands, taker or leader are not known."""
    known = [hand for hand in _playing_hands(record) if hand is not None]
    if len(known) < record.ruleset.players or record.contract is None or record.leader is None:
        return None
    return Play(
        hands=known,
        leader=record.leader,
        ruleset=record.ruleset,
        attack=record.attack,
        called=record.called_card,
    )


def _replay(record: DealRecord) -> Play | None:
    if record.plays and record.leader is None:
        _refuse(
            "leader_missing",
            "first_leader",
            gettext_noop("The dealer or who opened must be named."),
        )
    play = fresh_play(record)
    if play is None:
        _check_hidden_plays(record)
        return None
    for at, card in enumerate(record.plays):
        try:
            play.play(card)
        except Illegal as refusal:
            refusal.field = f"plays[{at}]"
            raise
    return play


def _check_hidden_plays(record: DealRecord) -> None:
    """Refuse played cards that are known to lie elsewhere, or came twice."""
    if len(set(record.plays)) < len(record.plays):
        _refuse("card_played_twice", "plays", gettext_noop("A card was played twice."))
    held = card_set(record.plays) & (record.discard or record.shown_discard)
    if held or len(record.plays) > hand_size(record.ruleset.players) * record.ruleset.players:
        _refuse(
            "card_twice",
            "plays",
            gettext_noop("A card is in two places at once, or in no pack."),
        )


def check_result(reported: Deal, counted: Deal, *, poignees_noted: bool) -> None:
    """Refuse a reported result that its own cards contradict, and say by how much."""
    if reported.half_points != counted.half_points:
        difference = reported.half_points - counted.half_points
        raise Illegal(
            gettext_noop(
                "The cards give the attack %(counted)s points, not %(reported)s: a difference of "
                "%(difference)s."
            ),
            code="points_contradict_cards",
            field="result.taker_card_points",
            counted=_points(counted.half_points),
            reported=_points(reported.half_points),
            difference=_points(abs(difference)),
        )
    for name in ("bouts", "petit_au_bout", "chelem", "called", "petit_chelem", "miseres"):
        given, true = getattr(reported, name), getattr(counted, name)
        if given != true:
            raise Illegal(
                gettext_noop("The cards say otherwise about “%(name)s”."),
                code="result_contradicts_cards",
                field=f"result.{name}",
                name=name,
            )
    if poignees_noted and Counter(reported.poignees) != Counter(counted.poignees):
        raise Illegal(
            gettext_noop("The poignées of the result are not those that were shown."),
            code="result_contradicts_cards",
            field="result.poignees",
        )


def _points(half_points: int) -> str:
    return f"{half_points // 2}{'½' if half_points % 2 else ''}"
