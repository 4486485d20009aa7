"""Reads TDN leniently: case, spacing, line ends, comments and the order of tags do not matter.

What can be worked out may be left out (numbers, winners of tricks, scores); where it is given it
is checked. A refusal's field names the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rules_engine.errors import RulesError, Unreadable, gettext_noop
from rules_engine.reading import echo
from rules_engine.tarot.announcements import NO_CHELEM, Chelem, Misere, Poignee
from rules_engine.tarot.bidding import Call
from rules_engine.tarot.cards import EXCUSE, RANKS, TWENTY_ONE, Card, CardSet, card_of, card_set
from rules_engine.tarot.contracts import Called, Contract, Side
from rules_engine.tarot.dealing import Void
from rules_engine.tarot.deals import Deal
from rules_engine.tarot.notation import (
    CALL_SIGNS,
    CARDS_BY_MARK,
    CONTRACT_LETTERS,
    DEAL_TAGS,
    HEADER_TAGS,
    MISERE_SIGNS,
    SIZE_DIGITS,
    SUIT_LETTERS,
    VERSION,
    VOID_WORDS,
    Notation,
    trick_winners,
)
from rules_engine.tarot.poignees import ShownPoignee
from rules_engine.tarot.presets import PRESETS
from rules_engine.tarot.record import DealRecord, DeclaredMisere
from rules_engine.tarot.record_json import seated_plays
from rules_engine.tarot.rulesets import Ruleset
from rules_engine.tarot.scores import score_order

#: No honest document is longer, in characters.
LONGEST_DOCUMENT = 1_048_576
FIVE = 5

_CONTRACTS = {letters: contract for contract, letters in CONTRACT_LETTERS.items()}
_VOIDS = {word: void for void, word in VOID_WORDS.items()}
_CALLS = {sign: call for call, sign in CALL_SIGNS.items()}
_SIZES = {digit: size for size, digit in SIZE_DIGITS.items()}
_MISERES = {sign: kind for kind, sign in MISERE_SIGNS.items()}
_SUITS = {letter: suit for suit, letter in SUIT_LETTERS.items()}
_SUIT_SIGNS = str.maketrans("♠♥♦♣−–½", "ECOP--H")

_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9]*)\s*"([^"]*)"\s*\]')
_TRICK = re.compile(r"(?:\d+\s*\.)?\s*(\w+)\s*:\s*([^:=@]*)")
_NUMBER = re.compile(r"\d{1,9}\s*\.(?!\d)\s*")
_CONTRACT = re.compile(r"([A-Za-z]{1,2})@(\w+)(?:\+(\w+))?(?:\((\w+)\))?")
_POINTS = re.compile(r"(\d{1,2})([.,]0|[.,]5|H)?/([0-3])")
_RANK = re.compile(r"10|[RDCV1-9]")


@dataclass
class _Block:
    """What stood before the line that ends a deal."""

    tags: dict[str, str] = field(default_factory=dict)
    tricks: list[tuple[int, int, list[Card], int | None]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.tags or self.tricks)


@dataclass
class _Told:
    """What the line of a deal tells."""

    dealer: int | None = None
    void: Void | None = None
    taker: int | None = None
    contract: Contract | None = None
    partner: int | None = None
    called_card: Card | None = None
    half_points: int | None = None
    bouts: int = 0
    petit: Side | None = None
    seated: list[ShownPoignee] = field(default_factory=list)
    sided: list[Poignee] = field(default_factory=list)
    slams: set[str] = field(default_factory=set)
    miseres: list[DeclaredMisere] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)


def read_tdn(text: str) -> Notation:
    """Read a document; refuses what cannot be read, and deals that cannot be."""
    if len(text) > LONGEST_DOCUMENT:
        raise Unreadable(gettext_noop("This document is too long."), code="too_large")
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines = without_comments(text.removeprefix("\ufeff")).splitlines()
        self.line = 0
        self.tags: dict[str, str] = {}
        self.block = _Block()
        self.deals: list[DealRecord] = []
        self.rules = PRESETS["fft"]
        self.begun = False
        self.names: tuple[str, ...] = ()

    def read(self) -> Notation:
        for number, line in enumerate(self.lines, start=1):
            self.line = number
            rest = self._take_tags(line.strip())
            if not rest:
                continue
            self._begin()
            try:
                self._read_line(rest.translate(_SUIT_SIGNS))
            except RulesError as refusal:
                if not refusal.field.startswith("line "):
                    refusal.field = f"line {self.line}"
                raise
        self._begin()
        if self.block:
            raise self._unreadable(
                "deal_not_ended", gettext_noop("The last deal has no line that ends it.")
            )
        free = {name: value for name, value in self.tags.items() if name not in HEADER_TAGS}
        return Notation(ruleset=self.rules, deals=tuple(self.deals), players=self.names, tags=free)

    def _unreadable(
        self, code: str, sentence: str, *, at: int | None = None, **gaps: object
    ) -> Unreadable:
        return Unreadable(sentence, code=code, field=f"line {at or self.line}", **gaps)

    # Tags

    def _take_tags(self, line: str) -> str:
        while line.startswith("["):
            tag = _TAG.match(line)
            if tag is None:
                raise self._unreadable(
                    "tag_unreadable", gettext_noop('A tag is written [Name "value"].')
                )
            self._keep(tag[1], tag[2])
            line = line[tag.end() :].lstrip()
        return line

    def _keep(self, name: str, value: str) -> None:
        kept = self.block.tags if name in DEAL_TAGS else self.tags
        if name in kept or (name in HEADER_TAGS and self.begun):
            raise self._unreadable(
                "tag_twice", gettext_noop("The tag “%(name)s” is given twice."), name=echo(name)
            )
        kept[name] = value

    def _begin(self) -> None:
        """Settle ruleset and names when the first deal comes."""
        if self.begun:
            return
        self.begun = True
        if self.tags.get("TDN", VERSION).strip() != VERSION:
            raise self._unreadable(
                "another_version", gettext_noop("Only version 1 of the notation can be read.")
            )
        self.names = tuple(self.tags.get("Players", "").split())
        self.rules = self._ruleset(self.tags.get("Rules", "").strip())

    def _ruleset(self, tag: str) -> Ruleset:
        if tag in PRESETS and not tag[-1:].isdigit():
            return PRESETS[tag].for_players(len(self.names) or 4)
        base, digit = tag[:-1] or "fft", tag[-1:] or str(len(self.names) or 4)
        base = base.removesuffix("-")
        if base not in PRESETS or digit not in {"3", "4", "5"}:
            raise self._unreadable(
                "unknown_ruleset",
                gettext_noop("There is no ruleset “%(name)s”."),
                name=echo(tag),
            )
        return PRESETS[base].for_players(int(digit))

    # Lines

    def _read_line(self, line: str) -> None:
        trick = _TRICK.fullmatch(line)
        if trick is not None and self._is_seat(trick[1]):
            self._read_trick(trick[1], trick[2])
            return
        told = self._told(_NUMBER.sub("", line, count=1) if _NUMBER.match(line) else line)
        self.deals.append(self._record(told))
        self.block = _Block()

    def _is_seat(self, name: str) -> bool:
        return name in self.names or (name.isdecimal() and name.isascii())

    def _seat(self, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        if name.isascii() and name.isdecimal() and 1 <= int(name[:3]) <= self.rules.players:
            return int(name[:3]) - 1
        raise self._unreadable(
            "no_such_seat", gettext_noop("“%(name)s” is no seat of this table."), name=echo(name)
        )

    def _read_trick(self, leader: str, rest: str) -> None:
        cards, _, winner = rest.partition(">")
        played = [self._card(word) for word in cards.split()]
        won = self._seat(winner.strip()) if winner.strip() else None
        self.block.tricks.append((self.line, self._seat(leader), played, won))

    def _card(self, word: str) -> Card:
        card = CARDS_BY_MARK.get(word.upper())
        if card is None:
            raise self._unreadable(
                "unknown_card",
                gettext_noop(
                    "“%(given)s” is not a card: write rank and suit as 10O or RE, 21T, XT."
                ),
                given=echo(word),
            )
        return card

    def _told(self, line: str) -> _Told:
        told = _Told()
        deal, arrow, scores = line.partition("=>")
        for word in re.sub(r"\s*([@/:])\s*", r"\1", deal).split():
            self._read_word(told, word)
        if arrow:
            for word in scores.split():
                if not re.fullmatch(r"[+-]?\d{1,6}", word):
                    raise self._unreadable(
                        "unknown_word",
                        gettext_noop("“%(word)s” is not understood here."),
                        word=echo(word),
                    )
                told.scores.append(int(word))
        return told

    def _read_word(self, told: _Told, word: str) -> None:
        contract, points = _CONTRACT.fullmatch(word), _POINTS.fullmatch(word)
        if word == "?":
            return
        if contract is not None and contract[1].upper() in _CONTRACTS:
            told.contract = _CONTRACTS[contract[1].upper()]
            told.taker = self._seat(contract[2])
            told.partner = self._seat(contract[3]) if contract[3] else None
            told.called_card = self._card(contract[4]) if contract[4] else None
        elif points is not None:
            half = points[2] is not None and not points[2].endswith("0")
            told.half_points = 2 * int(points[1]) + half
            told.bouts = int(points[3])
        elif word.upper() in _VOIDS:
            told.void = _VOIDS[word.upper()]
        elif word.lower() in {"pb+", "pb-"}:
            told.petit = Side.ATTACK if word.endswith("+") else Side.DEFENCE
        elif re.fullmatch(r"(ch|pc)[ANXD?]", word, re.IGNORECASE):
            told.slams.add(word[:2].lower() + word[2].upper())
        elif not self._read_seated(told, word):
            raise self._unreadable(
                "unknown_word", gettext_noop("“%(word)s” is not understood here."), word=echo(word)
            )

    def _read_seated(self, told: _Told, word: str) -> bool:
        """Read a word that ends in a seat: dealer, poignée, misère."""
        sign, colon, seat = word.partition(":")
        sign = sign.lower()
        if colon and sign[:2] == "po" and sign[2:] in _SIZES:
            size = _SIZES[sign[2:]]
            if seat in {"+", "-"}:
                side = Side.ATTACK if seat == "+" else Side.DEFENCE
                told.sided.append(Poignee(size=size, side=side))
            else:
                told.seated.append(ShownPoignee(seat=self._seat(seat), size=size))
        elif colon and sign in _MISERES:
            told.miseres.append(DeclaredMisere(seat=self._seat(seat), kind=_MISERES[sign]))
        elif not colon and word[0] in "dD" and len(word) > 1:
            told.dealer = self._seat(word[1:])
        else:
            return False
        return True

    # Records

    def _record(self, told: _Told) -> DealRecord:
        self._check_tricks()
        tags, block = self.block.tags, self.block
        dealer = self._seat(tags["Dealer"].strip()) if "Dealer" in tags else told.dealer
        if told.dealer not in {None, dealer}:
            raise self._unreadable(
                "two_dealers", gettext_noop("Two different dealers are named for this deal.")
            )
        leader = self._seat(tags["Leader"].strip()) if "Leader" in tags else None
        if leader is None and dealer is None and block.tricks:
            leader = block.tricks[0][1]
        poignees = tuple(self._poignees(tags["Poignee"]) if "Poignee" in tags else told.seated)
        if told.seated and [(e.seat, e.size) for e in told.seated] != [
            (e.seat, e.size) for e in poignees
        ]:
            raise self._unreadable(
                "two_poignees", gettext_noop("The poignées are told in two different ways.")
            )
        record = DealRecord(
            ruleset=self.rules,
            dealer=dealer,
            void=told.void,
            hands=self._hands(),
            dog=self._cards_of("Dog"),
            bids=tuple(self._bids(tags.get("Bids", ""))),
            taker=told.taker,
            contract=told.contract,
            called_card=told.called_card,
            partner=told.partner,
            discard=self._cards_of("Ecart") or None,
            shown_discard=self._cards_of("Shown") or 0,
            poignees=poignees,
            miseres=tuple(told.miseres),
            slam_announced=bool(told.slams & {"chA", "chX", "ch?"}),
            first_leader=leader,
            plays=tuple(card for _, _, cards, _ in block.tricks for card in cards),
            result=self._result(told, poignees),
        )
        self._check(record, told)
        return record

    def _result(self, told: _Told, poignees: tuple[ShownPoignee, ...]) -> Deal | None:
        if told.half_points is None or told.contract is None or told.taker is None:
            return None
        attack = {told.taker, told.partner}
        by_seat = tuple(
            Poignee(size=e.size, side=Side.ATTACK if e.seat in attack else Side.DEFENCE)
            for e in poignees
        )
        called = None
        if self.rules.players == FIVE:
            called = Called.SELF if told.partner is None else Called.PARTNER
        order = score_order(self.rules.players, told.taker, told.partner)
        return Deal(
            ruleset=self.rules,
            contract=told.contract,
            bouts=told.bouts,
            half_points=told.half_points,
            petit_au_bout=told.petit,
            poignees=by_seat or tuple(told.sided),
            chelem=_slam(told.slams, "ch"),
            called=called,
            petit_chelem=_slam(told.slams, "pc"),
            miseres=tuple(
                Misere(kind=each.kind, declarer=order.index(each.seat)) for each in told.miseres
            ),
        )

    def _hands(self) -> tuple[CardSet | None, ...]:
        numbers = range(1, FIVE + 1)
        if not any(f"Hand{number}" in self.block.tags for number in numbers):
            return ()
        beyond = [n for n in numbers if f"Hand{n}" in self.block.tags and n > self.rules.players]
        if beyond:
            raise self._unreadable(
                "hands_of_other_players",
                gettext_noop("There are %(players)s hands, one for each player."),
                players=self.rules.players,
            )
        return tuple(self._cards_of(f"Hand{n}") for n in range(1, self.rules.players + 1))

    def _cards_of(self, name: str) -> CardSet | None:
        value = self.block.tags.get(name, "?").translate(_SUIT_SIGNS).strip().upper()
        if value == "?":
            return None
        cards: list[Card] = []
        for group in value.split():
            letter, colon, held = group.partition(":")
            if not colon or (letter != "T" and letter not in _SUITS):
                raise self._group(group)
            cards += self._trumps(held) if letter == "T" else self._suit(letter, held, group)
        if len(set(cards)) < len(cards):
            raise self._unreadable(
                "card_named_twice", gettext_noop("A card is named twice in one place.")
            )
        return card_set(cards)

    def _suit(self, letter: str, ranks: str, group: str) -> list[Card]:
        marks = _RANK.findall(ranks)
        if "".join(marks) != ranks:
            raise self._group(group)
        return [card_of(_SUITS[letter], RANKS.index(mark) + 1) for mark in marks]

    def _trumps(self, text: str) -> list[Card]:
        cards = []
        for mark in filter(None, text.split(",")):
            if mark == "X":
                cards.append(EXCUSE)
            elif re.fullmatch(r"[0-9]{1,2}", mark) and 1 <= int(mark) <= TWENTY_ONE:
                cards.append(int(mark))
            else:
                raise self._group(f"T:{text}")
        return cards

    def _group(self, group: str) -> Unreadable:
        return self._unreadable(
            "cards_unreadable",
            gettext_noop(
                "“%(group)s” is no group of cards: write E:RD105 C: O:V2 P:93 T:21,16,1,X."
            ),
            group=echo(group),
        )

    def _bids(self, text: str) -> Iterator[tuple[int, Call]]:
        for word in text.translate(_SUIT_SIGNS).split():
            seat, _, sign = word.partition(":")
            if sign.upper() not in _CALLS:
                raise self._unreadable(
                    "unknown_word",
                    gettext_noop("“%(word)s” is not understood here."),
                    word=echo(word),
                )
            yield self._seat(seat), _CALLS[sign.upper()]

    def _poignees(self, text: str) -> Iterator[ShownPoignee]:
        for word in text.split():
            seat, _, rest = word.partition(":")
            digit, _, shown = rest.partition("=")
            if digit not in _SIZES:
                raise self._unreadable(
                    "unknown_word",
                    gettext_noop("“%(word)s” is not understood here."),
                    word=echo(word),
                )
            cards = card_set(self._trumps(shown.upper()))
            yield ShownPoignee(seat=self._seat(seat), size=_SIZES[digit], cards=cards)

    def _check_tricks(self) -> None:
        """Refuse tricks that are short, other than the last, or too long."""
        for number, (line, _, cards, _) in enumerate(self.block.tricks, start=1):
            last = number == len(self.block.tricks)
            fewest = 1 if last else self.rules.players
            if not fewest <= len(cards) <= self.rules.players:
                raise self._unreadable(
                    "trick_incomplete",
                    gettext_noop("A trick has one card of each player."),
                    at=line,
                )

    def _check(self, record: DealRecord, told: _Told) -> None:
        """Refuse leaders, winners and scores that are not those of the cards."""
        seats, winners = [seat for seat, _ in seated_plays(record)], trick_winners(record)
        for number, (line, leader, _, winner) in enumerate(self.block.tricks):
            if seats[number * record.ruleset.players] != leader:
                raise self._unreadable(
                    "another_leader",
                    gettext_noop("The winner of the trick before leads."),
                    at=line,
                )
            if winner is not None and winners[number] not in {None, winner}:
                raise self._unreadable(
                    "another_winner", gettext_noop("Another seat wins this trick."), at=line
                )
        if told.scores and tuple(told.scores) != record.scores:
            right = record.scores or ()
            raise self._unreadable(
                "scores_contradict",
                gettext_noop("The scores are not those of this deal: %(scores)s."),
                scores=" ".join(f"{points:+d}" for points in right) or "?",
            )


def _slam(signs: set[str], sign: str) -> Chelem:
    announced = bool(signs & {f"{sign}A", f"{sign}X", f"{sign}?"})
    achieved = None
    if signs & {f"{sign}A", f"{sign}N"}:
        achieved = Side.ATTACK
    elif f"{sign}D" in signs:
        achieved = Side.DEFENCE
    slam = Chelem(announced=announced, achieved=achieved)
    return NO_CHELEM if slam == NO_CHELEM else slam


def without_comments(text: str) -> str:
    """Blank out {comments} and ; comments, but not inside the quotes of a tag."""
    kept: list[str] = []
    until = ""  # the sign that ends the comment or quotation we are in
    for sign in text:
        quoting = until == '"'
        if not until:
            until = _ENDS.get(sign, "")
            kept.append(sign if until in {"", '"'} else " ")
        else:
            if quoting or sign == "\n":
                kept.append(sign)
            if sign == until or (quoting and sign == "\n"):
                until = ""
    return "".join(kept)


#: What ends a comment or a quotation, by what begins it; a quotation ends with its line at least.
_ENDS = {"{": "}", ";": "\n", '"': '"'}
