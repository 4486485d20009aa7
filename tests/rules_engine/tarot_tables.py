"""Whole deals for the tests: the file of published cases, and deals drawn at random."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rules_engine import tarot

CASES = json.loads((Path(__file__).parent / "cases" / "tarot-deals.json").read_text())["deals"]


def cards(*codes: str) -> tarot.CardSet:
    """A set of cards from their codes, written apart or in one string."""
    return tarot.card_set(tarot.card_from(code) for each in codes for code in each.split())


def contract_of(case: dict) -> tarot.Contract:
    return tarot.Contract(case["contract"])


def attack_of(case: dict) -> tuple[int, ...]:
    return (case["taker"],) if case["partner"] is None else (case["taker"], case["partner"])


def play_of(case: dict, rules: tarot.Ruleset | None = None) -> tarot.Play:
    """The play of a case before its first card."""
    hands = [cards(*hand) for hand in case["hands"]]
    if case["discard"]:
        hands[case["taker"]] |= cards(*case["dog"])
        hands[case["taker"]] ^= cards(*case["discard"])
    return tarot.Play(
        hands=hands,
        leader=case["first_leader"],
        ruleset=rules or tarot.ruleset("fft").for_players(case["players"]),
        attack=attack_of(case),
        called=tarot.card_from(case["called_card"]) if case["called_card"] else None,
    )


def aside_of(case: dict) -> tarot.CardSet:
    return tarot.cards_aside(
        contract_of(case), dog=cards(*case["dog"]), discard=cards(*case["discard"])
    )


@dataclass(frozen=True, kw_only=True)
class RandomDeal:
    """A deal drawn at random up to its first card."""

    rules: tarot.Ruleset
    dealt: tarot.DealtCards
    taker: int
    contract: tarot.Contract
    called: tarot.Card | None
    attack: tuple[int, ...]
    discard: tarot.CardSet
    hands: tuple[tarot.CardSet, ...]

    @property
    def aside(self) -> tarot.CardSet:
        return tarot.cards_aside(self.contract, dog=self.dealt.dog, discard=self.discard)

    def play(self) -> tarot.Play:
        return tarot.Play(
            hands=self.hands,
            leader=(self.dealt.dealer + 1) % self.rules.players,
            ruleset=self.rules,
            attack=self.attack,
            called=self.called,
        )


def random_deal(chance: Random, rules: tarot.Ruleset) -> RandomDeal:
    """Deal, name a taker and his contract, call and discard at random within the rules."""
    players = rules.players
    dealer, taker = chance.randrange(players), chance.randrange(players)
    dealt = tarot.deal_cards(rules, dealer=dealer, pack=tarot.shuffled_pack(chance.random))
    hands, contract = list(dealt.hands), chance.choice(rules.contracts)
    called, attack = None, (taker,)
    if players == 5:
        called = chance.choice([*tarot.cards_in(tarot.callable_cards(hands[taker], rules))])
        partner = tarot.partner_of(hands, taker=taker, called=called)
        attack = (taker,) if partner is None else (taker, partner)
    discard = 0
    if contract.takes_dog:
        hands[taker] |= dealt.dog
        may = tarot.discardable(hands[taker], rules)
        plain, trumps = [*tarot.cards_in(may.plain)], [*tarot.cards_in(may.trumps)]
        discard = tarot.card_set(
            chance.sample(plain, may.size - may.trumps_owed)
            + chance.sample(trumps, may.trumps_owed)
        )
        hands[taker] ^= discard
    return RandomDeal(
        rules=rules,
        dealt=dealt,
        taker=taker,
        contract=contract,
        called=called,
        attack=attack,
        discard=discard,
        hands=tuple(hands),
    )
