"""TDN, the text notation of tarot deals: the strict writer (``notation_reader`` is lenient).

A document is tags, then deals: one line for a deal of which only the result is known, a block of
tags and tricks before the line for one that tells its cards. Suits are E C O P with ranks
R D C V 10 ... 1, trumps 1T to 21T, the Excuse XT; seats are the players' names or numbers from 1.
Beside the published grammar: PU for a pousse, ``chD`` a slam of the defence, ``ch?`` a slam
announced and not yet decided, ``pcA pcN pcX pcD`` the petit chelem, ``po1:+`` and ``po1:-`` a
poignée of the attack or defence whose seat was not noted, ``mt:`` and ``mc:`` a misère of trumps
or court cards, ``*`` for parole, ``?`` for what is not known, and a word for each void deal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules_engine.errors import Unreadable, gettext_noop
from rules_engine.tarot.announcements import NO_CHELEM, Chelem
from rules_engine.tarot.bidding import Call
from rules_engine.tarot.cards import (
    EXCUSE,
    EXCUSE_ALONE,
    RANKS,
    SUITS,
    TRUMPS,
    TWENTY_ONE,
    Card,
    CardSet,
    Suit,
    cards_in,
    rank_of,
)
from rules_engine.tarot.contracts import Contract, MisereKind, PoigneeSize, Side
from rules_engine.tarot.dealing import Void
from rules_engine.tarot.deals import Deal
from rules_engine.tarot.play import winning_place
from rules_engine.tarot.record import DealRecord, Level
from rules_engine.tarot.record_json import seated_plays
from rules_engine.tarot.rulesets import Ruleset

SUIT_LETTERS = {Suit.SPADES: "E", Suit.HEARTS: "C", Suit.DIAMONDS: "O", Suit.CLUBS: "P"}
CONTRACT_LETTERS = {
    Contract.PETITE: "P",
    Contract.POUSSE: "PU",
    Contract.GARDE: "G",
    Contract.GARDE_SANS: "GS",
    Contract.GARDE_CONTRE: "GC",
}
VOID_WORDS = {
    Void.ALL_PASS: "0",
    Void.PETIT_SEC: "PS",
    Void.MISDEAL: "MD",
    Void.CARD_TURNED: "CT",
    Void.CARD_TURNED_IN_CUTTING: "CU",
    Void.WRONG_DEALER: "WD",
}
CALL_SIGNS = {Call.PASS: "-", Call.PAROLE: "*"} | {
    Call(contract.value): letters for contract, letters in CONTRACT_LETTERS.items()
}
SIZE_DIGITS = {size: str(digit) for digit, size in enumerate(PoigneeSize, start=1)}
MISERE_SIGNS = {MisereKind.TRUMPS: "mt", MisereKind.COURT_CARDS: "mc"}

VERSION = "1"
#: Tags that belong to a deal, not to the document.
DEAL_TAGS = frozenset(
    {"Dealer", "Leader", "Dog", "Bids", "Ecart", "Shown", "Poignee"}
    | {f"Hand{number}" for number in range(1, 6)}
)
HEADER_TAGS = frozenset({"TDN", "Players", "Rules"})
_NAME = re.compile(r"[^\W\d_]\w{0,30}")
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{0,30}")
LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """A document: deals under one ruleset, the players' names by seat, and free tags.

    Refuses names and tags that the notation cannot write.
    """

    ruleset: Ruleset
    deals: tuple[DealRecord, ...] = ()
    players: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.players and (
            len(self.players) != self.ruleset.players
            or len(set(self.players)) < len(self.players)
            or not all(map(_NAME.fullmatch, self.players))
        ):
            raise Unreadable(
                gettext_noop("There is one name for each player, a single word, no two alike."),
                code="players_unwritable",
                field="players",
            )
        for name, value in self.tags.items():
            taken = name in DEAL_TAGS | HEADER_TAGS
            if taken or not _TAG_NAME.fullmatch(name) or not _is_writable(value):
                raise Unreadable(
                    gettext_noop("This tag cannot be written."), code="tag_unwritable", field="tags"
                )
        if any(deal.ruleset != self.ruleset for deal in self.deals):
            raise Unreadable(
                gettext_noop("All deals of a document are played under one ruleset."),
                code="another_ruleset",
                field="deals",
            )

    def seat_name(self, seat: int) -> str:
        """Name a seat as the document does."""
        return self.players[seat] if self.players else str(seat + 1)


def _is_writable(value: str) -> bool:
    return len(value) <= LONGEST_VALUE and '"' not in value and value.isprintable()


def rules_tag(rules: Ruleset) -> str:
    """Name a ruleset: the name of the preset for four, then how many play."""
    return f"{rules.name.removesuffix(f'-{rules.players}')}{rules.players}"


def _marks() -> tuple[str, ...]:
    suited = [mark + letter for letter in SUIT_LETTERS.values() for mark in RANKS]
    return ("XT", *(f"{number}T" for number in range(1, TWENTY_ONE + 1)), *suited)


#: How each card is written: XT, 1T to 21T, then 1E ... RE, 1C ... by the number of the card.
CARD_MARKS = _marks()
#: Every card by how it is written.
CARDS_BY_MARK = {mark: card for card, mark in enumerate(CARD_MARKS)}


def card_to_tdn(card: Card) -> str:
    """Write one card: 10O, RE, 21T, XT."""
    return CARD_MARKS[card]


def set_to_tdn(cards: CardSet | None) -> str:
    """Write a set of cards in groups, high to low: E:RD105 C: O:V2 P:93 T:21,16,1,X."""
    if cards is None:
        return "?"
    groups = [
        f"{letter}:" + "".join(RANKS[rank_of(c) - 1] for c in _falling(cards & SUITS[suit]))
        for suit, letter in SUIT_LETTERS.items()
    ]
    return " ".join([*groups, f"T:{trumps_to_tdn(cards)}"])


def trumps_to_tdn(cards: CardSet) -> str:
    """Write the trumps of a set, high to low, the Excuse last: 21,16,1,X."""
    trumps = [str(card) for card in _falling(cards & TRUMPS)]
    return ",".join([*trumps, "X"] if cards & EXCUSE_ALONE else trumps)


def _falling(cards: CardSet) -> list[Card]:
    return cards_in(cards)[::-1]


def write_tdn(document: Notation) -> str:
    """Write a document; ``read_tdn`` gives the same document back."""
    header = [_tag("TDN", VERSION)]
    if document.players:
        header.append(_tag("Players", " ".join(document.players)))
    header.append(_tag("Rules", rules_tag(document.ruleset)))
    header += [_tag(name, value) for name, value in document.tags.items()]
    lines = ["\n".join(header)]
    for number, record in enumerate(document.deals, start=1):
        if _tells_cards(record):
            lines += ["", *_block(document, record), _summary(document, record)]
        else:
            lines.append(f"{number}. {_summary(document, record)}")
    return "\n".join(lines) + "\n"


def _tag(name: str, value: str) -> str:
    return f'[{name} "{value}"]'


def _tells_cards(record: DealRecord) -> bool:
    told = (record.first_leader is not None, record.bids, record.shown_discard)
    noted = any(each.cards for each in record.poignees)
    return record.level is not Level.RESULT or any(told) or bool(record.hands) or noted


def _block(document: Notation, record: DealRecord) -> Iterable[str]:
    name = document.seat_name
    if record.dealer is not None:
        yield _tag("Dealer", name(record.dealer))
    if record.first_leader is not None:
        yield _tag("Leader", name(record.first_leader))
    for number, hand in enumerate(record.hands, start=1):
        yield _tag(f"Hand{number}", set_to_tdn(hand))
    if record.dog is not None:
        yield _tag("Dog", set_to_tdn(record.dog))
    if record.bids:
        yield _tag("Bids", " ".join(f"{name(seat)}:{CALL_SIGNS[c]}" for seat, c in record.bids))
    if record.discard is not None:
        yield _tag("Ecart", set_to_tdn(record.discard))
    if record.shown_discard:
        yield _tag("Shown", set_to_tdn(record.shown_discard))
    if record.poignees:
        shown = (
            f"{name(each.seat)}:{SIZE_DIGITS[each.size]}"
            + (f"={trumps_to_tdn(each.cards)}" if each.cards else "")
            for each in record.poignees
        )
        yield _tag("Poignee", " ".join(shown))
    yield from _trick_lines(document, record)


def _trick_lines(document: Notation, record: DealRecord) -> Iterable[str]:
    players, plays = record.ruleset.players, seated_plays(record)
    winners = trick_winners(record)
    for number, first in enumerate(range(0, len(plays), players), start=1):
        trick = plays[first : first + players]
        cards = " ".join(card_to_tdn(card) for _, card in trick)
        line = f"{number}. {document.seat_name(trick[0][0])}: {cards}"
        winner = winners[number - 1]
        yield line if winner is None else f"{line} >{document.seat_name(winner)}"


def trick_winners(record: DealRecord) -> list[int | None]:
    """Give who won each trick; None for one not complete, or that the table alone cannot tell.

    That is the last one with the Excuse in it: in a slam the Excuse may win it.
    """
    if record.play is not None:
        won: list[int | None] = [*record.play.winners]
        return [*won, None]
    players, plays = record.ruleset.players, seated_plays(record)
    winners: list[int | None] = []
    for first in range(0, len(plays), players):
        trick = plays[first : first + players]
        cards = [card for _, card in trick]
        left = 78 - 6 - first - players
        unclear = len(trick) < players or (EXCUSE in cards and left < players)
        winners.append(None if unclear else trick[winning_place(cards)][0])
    return winners


def _summary(document: Notation, record: DealRecord) -> str:
    words = [] if record.dealer is None else [f"d{document.seat_name(record.dealer)}"]
    if record.void is not None:
        return " ".join([*words, VOID_WORDS[record.void]])
    if record.contract is None or record.taker is None:
        return " ".join([*words, "?"])
    taker = f"{CONTRACT_LETTERS[record.contract]}@{document.seat_name(record.taker)}"
    if record.partner is not None:
        taker += f"+{document.seat_name(record.partner)}"
    if record.called_card is not None:
        taker += f"({card_to_tdn(record.called_card)})"
    deal = record.deal
    words += [taker, "?" if deal is None else _points(deal)]
    words += _announcements(document, record, deal)
    if record.scores is not None:
        words += ["=>", *(f"{points:+d}" for points in record.scores)]
    return " ".join(words)


def _points(deal: Deal) -> str:
    whole, half = divmod(deal.half_points, 2)
    return f"{whole}{'.5' if half else ''}/{int(deal.bouts)}"


def _announcements(document: Notation, record: DealRecord, deal: Deal | None) -> list[str]:
    words = []
    if deal is not None and deal.petit_au_bout is not None:
        words.append("pb+" if deal.petit_au_bout is Side.ATTACK else "pb-")
    words += [
        f"po{SIZE_DIGITS[each.size]}:{document.seat_name(each.seat)}" for each in record.poignees
    ]
    if deal is None:
        words += ["ch?"] if record.slam_announced else []
    else:
        if not record.poignees:
            words += [
                f"po{SIZE_DIGITS[each.size]}:{'+' if each.side is Side.ATTACK else '-'}"
                for each in deal.poignees
            ]
        words += slam_signs("ch", deal.chelem) + slam_signs("pc", deal.petit_chelem)
    words += [
        f"{MISERE_SIGNS[each.kind]}:{document.seat_name(each.seat)}" for each in record.miseres
    ]
    return words


def slam_signs(sign: str, slam: Chelem) -> list[str]:
    """Write a slam: A announced and made, N made, X announced and failed, D of the defence."""
    if slam == NO_CHELEM:
        return []
    if slam.achieved is Side.ATTACK:
        return [f"{sign}A" if slam.announced else f"{sign}N"]
    failed = [f"{sign}X"] if slam.announced else []
    return [*failed, f"{sign}D"] if slam.achieved is Side.DEFENCE else failed
