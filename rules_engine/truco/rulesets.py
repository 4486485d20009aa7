"""Rules that tables play differently, as data: a frozen value with a name and a version.

A match keeps a copy of its ruleset (``to_json``), so that old results go on validating when a
club changes its house rules. The presets: ``presets.PRESETS``. Source: seed 002;
where it is silent a field names what is played.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.house_rules import (
    LONGEST_NAME,
    check_house_rules,
    refuse_rule,
    stored_values,
)
from rules_engine.reading import Fields
from rules_engine.truco.seats import SIZES

#: The fields that name one of a few ways, and the ways; the first is the default. A field with a
#: single way names what the seed leaves open.
WAYS: Mapping[str, tuple[str, ...]] = {
    "manilha": ("vira", "fixed"),
    "hand_win": ("paulista_standard",),
    "all_tied": ("none", "opener", "caller_loses"),
    "tie_lead": ("opener", "first_tied"),
    "partner_tie_lead": ("first_played",),
    "all_covered": ("tie",),
    "special_call": ("blocked", "forfeit"),
    "special_partner_cards": ("while_deciding", "all_hand"),
    "iron": ("blind", "open", "off"),
    "iron_all_tied": ("replay", "as_normal"),
    "call_when": ("own_turn", "any_time"),
    "reply": ("both", "any_yes"),
}

LARGEST_AMOUNT = 1_000
ROUNDS = 3
DEFAULT_PLAYERS = 4
SUFFIXES = {2: "-1v1", 4: "", 6: "-3v3"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """How one table plays truco; the defaults are the seed's truco paulista.

    Amounts are points, times are seconds. ``ladder`` is what the hand is worth without a call and
    after each one, ``call_names`` what the calls are called. Refuses at construction what no
    table could play (``Illegal``, its ``field`` named).
    """

    name: str = "paulista"
    version: int = 1
    players: int = 4
    manilha: str = "vira"
    ladder: tuple[int, ...] = (1, 3, 6, 9, 12)
    call_names: tuple[str, ...] = ("truco", "seis", "nove", "doze")
    target: int = 12
    cap_score: bool = False
    # The special hand: mão de onze, in truco mineiro mão de dez.
    special_at: int = 11
    special_play: int = 3
    special_decline: int = 1
    special_call: str = "blocked"
    special_partner_cards: str = "while_deciding"
    iron: str = "blind"
    iron_all_tied: str = "replay"
    hand_win: str = "paulista_standard"
    all_tied: str = "none"
    tie_lead: str = "opener"
    partner_tie_lead: str = "first_played"
    show_highest_after_first_tie: bool = False
    cover_from_round: int = 2  # 0: nobody may cover
    cover_limit_per_pair: int = 0  # in one round; 0: no limit
    all_covered: str = "tie"
    call_when: str = "own_turn"
    raise_in_reply: bool = True
    # "both": pairs answer when both votes are alike, trios by majority; "any_yes": one acceptance
    # is enough.
    reply: str = "both"
    reply_seconds: int = 10
    reply_shows_partner: bool = False
    disconnect_seconds: int = 60

    def __post_init__(self) -> None:
        _check(self)

    @property
    def has_vira(self) -> bool:
        """Is a card turned over that says what the manilhas are?"""
        return self.manilha == "vira"

    @property
    def top_level(self) -> int:
        """The last step of the ladder."""
        return len(self.ladder) - 1

    def call_name(self, level: int) -> str:
        """Give the name of the call that asks for a step of the ladder, 1 for the first."""
        return self.call_names[level - 1]

    def for_players(self, players: int) -> Self:
        """Give the same rules for 2, 4 or 6 players; refuses other numbers."""
        if players == self.players:
            return self
        if players not in SIZES:
            raise _not_played_by(players)
        base = self.name.removesuffix(SUFFIXES[self.players])
        return dataclasses.replace(self, name=base + SUFFIXES[players], players=players)

    def to(self, target: int) -> Self:
        """Give the same rules for a match to another target: 15, 24 ...

        The special hand moves along: it stays as many points before the end.
        """
        special_at = target - (self.target - self.special_at)
        return dataclasses.replace(self, target=target, special_at=special_at)

    def to_json(self) -> dict[str, object]:
        """Give the ruleset as JSON-able data; ``from_json`` gives the same ruleset back."""
        return {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value
            for name in FIELDS
        }

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read what ``to_json`` wrote; a field that it did not have yet takes its default.

        Refuses unknown fields, wrong types and rules that no table could play.
        """
        return cls(**stored_values(data, FIELDS, read_table=_read_list))  # type: ignore[arg-type]


#: The stored fields and their defaults.
FIELDS: Mapping[str, object] = {each.name: each.default for each in dataclasses.fields(Ruleset)}


def _read_list(fields: Fields, name: str, default: object) -> object:
    kind = type(default[0])  # type: ignore[index]
    entries = fields.items(name, at_most=MOST_STEPS)
    if all(type(entry) is kind for entry in entries):
        return tuple(entries)
    raise Unreadable(
        gettext_noop("“%(name)s” must be a list of values of one kind."),
        code="mixed_list",
        field=name,
        name=name,
    )


MOST_STEPS = 12


def _not_played_by(players: object) -> Illegal:
    return Illegal(
        gettext_noop("Truco is played by 2, 4 or 6, not by %(players)s."),
        code="players_out_of_range",
        field="players",
        players=players,
    )


def _check(rules: Ruleset) -> None:
    check_house_rules(rules, WAYS)
    if rules.players not in SIZES:
        raise _not_played_by(rules.players)
    _check_ladder(rules)
    _check_amounts(rules)


def _check_ladder(rules: Ruleset) -> None:
    rising = all(low < high for low, high in pairwise((0, *rules.ladder, LARGEST_AMOUNT)))
    if not rising or not 1 <= len(rules.ladder) <= MOST_STEPS:
        refuse_rule("ladder")
    names = rules.call_names
    if len(names) != rules.top_level or any(not 0 < len(name) <= LONGEST_NAME for name in names):
        refuse_rule("call_names")


def _check_amounts(rules: Ruleset) -> None:
    for name in ("target", "special_play", "special_decline", "disconnect_seconds"):
        if not 0 < getattr(rules, name) <= LARGEST_AMOUNT:
            refuse_rule(name)
    # A later start would let a pair without a decision end the match at once.
    if not 0 < rules.special_at < rules.target:
        refuse_rule("special_at")
    if not 0 < rules.reply_seconds <= LARGEST_AMOUNT:
        refuse_rule("reply_seconds")
    if not 0 <= rules.cover_from_round <= ROUNDS:
        refuse_rule("cover_from_round")
    if not 0 <= rules.cover_limit_per_pair < rules.players:
        refuse_rule("cover_limit_per_pair")
