"""Rules that tables play differently, as data: a frozen value with a name and a version.

An event keeps a copy of its ruleset (``to_json``), so that old results go on validating when a
club changes its house rules. The presets: ``presets.PRESETS``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.house_rules import check_house_rules, refuse_rule, stored_values
from rules_engine.reading import Fields
from rules_engine.tarot.contracts import SIZES, TRUMPS_IN_PACK, Contract, PoigneeSize
from rules_engine.tarot.tariff import Tariff, Terms, tariff_for

#: The fields that name one of a few ways, and the ways; the first is the federation's.
WAYS: Mapping[str, tuple[str, ...]] = {
    "bidding": ("one_round", "parole", "parole_garde", "overbid"),
    "all_pass": ("redeal", "vachette"),
    "petit_sec": ("void", "play"),
    "dog_rule": ("fft", "after_each_round", "not_first_or_last_three", "at_most_three"),
    "discard_trumps": ("when_unavoidable", "never"),
    "half_points": ("to_the_winner", "ignored"),
    "called_cards": ("king_to_jack", "king_or_queen"),
    "first_lead": ("not_called_suit", "free"),
    "excuse_last_own_side": ("low_card_back", "nothing_back"),
    "slam_excuse_side": ("taker", "either"),
    "excuse_never_paid": ("keeps_four", "half_point_moves"),
    "called_suit_after_excuse": ("forbidden", "allowed"),
    "failed_slam_and_defence_slam": ("both", "once"),
    "unannounced_slam_petit": ("last_trick", "next_to_last_trick"),
    "card_check": ("strict", "formula"),
}

#: What each contract puts into the pot, or is worth without a multiplier (seed 004).
SEED_004_VALUES = (
    (Contract.PETITE, 10),
    (Contract.POUSSE, 20),
    (Contract.GARDE, 40),
    (Contract.GARDE_SANS, 80),
    (Contract.GARDE_CONTRE, 160),
)

ByContract = tuple[tuple[Contract, int], ...]
LARGEST_AMOUNT = 10_000
PETIT_CHELEM_WAYS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """How one table plays French tarot; the defaults are the federation's rules (FFT, RO 2012).

    Values are points unless a name says half-points. ``players`` is how many play a deal: 3, 4
    or 5; with ``one_sits_out`` five sit at the table and each deal is played by four of them.
    Refuses at construction what no table could play (``Illegal``, its ``field`` named).
    """

    name: str = "fft"
    version: int = 1
    players: int = 4
    one_sits_out: bool = False
    # The multiplier of 25 and of the margin for each contract allowed, in halves, so that the
    # pousse's one and a half stays whole: petite 2, pousse 3, garde 4 ... (RO p.5, 8).
    multiplier_halves: ByContract = (
        (Contract.PETITE, 2),
        (Contract.GARDE, 4),
        (Contract.GARDE_SANS, 8),
        (Contract.GARDE_CONTRE, 12),
    )
    # Seed 004: fixed values 10/20/40/80/160 in place of 25 x multiplier (the margin keeps its
    # multiplier); empty: not used.
    fixed_values: ByContract = ()
    bidding: str = "one_round"
    all_pass: str = "redeal"  # noqa: S105 - a pass in the bidding, no password
    petit_sec: str = "void"
    dog_rule: str = "fft"
    discard_trumps: str = "when_unavoidable"
    # Simple, double, triple at 3, 4 and 5 players (RO p.7, 11, 12).
    poignee_sizes: tuple[tuple[int, tuple[int, int, int]], ...] = (
        (3, (13, 15, 18)),
        (4, (10, 13, 15)),
        (5, (8, 10, 13)),
    )
    petit_au_bout: bool = True
    petit_chelem: bool = False
    # Announced and made, made without a word, announced and lost. No source gives amounts: half
    # of those of the chelem, for a house to change.
    petit_chelem_points: tuple[int, int, int] = (200, 100, 100)
    misere: int = 0  # what each other player pays the declarer; 0: not played
    mouche: bool = False
    mouche_ante: int = 5
    mouche_values: ByContract = SEED_004_VALUES
    half_points: str = "to_the_winner"  # only at 3 and 5 players do they occur
    # Points by place, the fewest card points first, at 3, 4 and 5 players.
    vachette_scale: tuple[tuple[int, tuple[int, ...]], ...] = (
        (3, (120, 0, -120)),
        (4, (120, 60, -60, -120)),
        (5, (120, 60, 0, -60, -120)),
    )
    called_cards: str = "king_to_jack"
    first_lead: str = "not_called_suit"
    # The points that the official text leaves open; the first named value is the default.
    excuse_last_own_side: str = "low_card_back"
    slam_excuse_side: str = "taker"
    excuse_never_paid: str = "keeps_four"
    called_suit_after_excuse: str = "forbidden"
    failed_slam_and_defence_slam: str = "both"
    unannounced_slam_petit: str = "last_trick"
    # "strict" refuses what 78 cards cannot give; "formula" only scores the numbers as told.
    card_check: str = "strict"
    #: What every deal costs under these rules; worked out, never stored.
    tariff: Tariff = field(init=False, repr=False, compare=False)
    #: How many trumps make a simple, a double and a triple poignée at this table; the same.
    trumps_in_poignee: tuple[int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check(self)
        object.__setattr__(self, "tariff", tariff_for(self._terms()))
        object.__setattr__(self, "trumps_in_poignee", dict(self.poignee_sizes)[self.players])

    def _terms(self) -> Terms:
        return Terms(
            players=self.players,
            multiplier_halves=self.multiplier_halves,
            fixed_values=self.fixed_values,
            half_points=self.half_points,
            half_points_occur=self.half_points_occur,
            failed_and_defence=self.failed_slam_and_defence_slam,
            petit_chelem=self.petit_chelem_points,
        )

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts that may be bid, low to high."""
        return tuple(contract for contract, _ in self.multiplier_halves)

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return self.players + self.one_sits_out

    @property
    def half_points_occur(self) -> bool:
        """Can the attack's points end in a half? Not at four, where tricks are of four cards."""
        return (
            self.players != 4  # noqa: PLR2004
            or self.excuse_last_own_side == "nothing_back"
            or self.card_check == "formula"
        )

    def for_players(self, players: int) -> Self:
        """Give the same rules for 3, 4 or 5 players; refuses other numbers."""
        if players == self.players:
            return self
        if players not in SIZES:
            raise _not_played_by(players)
        base = self.name.removesuffix(f"-{self.players}")
        return dataclasses.replace(
            self,
            name=base if players == DEFAULT_PLAYERS else f"{base}-{players}",
            players=players,
            one_sits_out=False,
        )

    def to_json(self) -> dict[str, object]:
        """Give the ruleset as JSON-able data; ``from_json`` gives the same ruleset back."""
        return {name: _plain(getattr(self, name)) for name in FIELDS}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read what ``to_json`` wrote; a field that it did not have yet takes its default.

        Refuses unknown fields, wrong types and rules that no table could play.
        """
        return cls(**stored_values(data, FIELDS, read_table=_read_table))  # type: ignore[arg-type]


DEFAULT_PLAYERS = 4
#: The stored fields and their defaults.
FIELDS: Mapping[str, object] = {
    each.name: each.default for each in dataclasses.fields(Ruleset) if each.init
}
#: The fields with one entry for each number of players.
BY_SIZE = frozenset({"poignee_sizes", "vachette_scale"})


def _plain(value: object) -> object:
    if not isinstance(value, tuple):
        return value
    if value and isinstance(value[0], tuple):
        return {str(key): _plain(amount) for key, amount in value}
    # Of the tables by contract only the fixed values may be empty; they stay a table.
    return list(value) if value else {}


def _read_table(fields: Fields, name: str, default: object) -> object:
    if name == "petit_chelem_points":
        return _whole_numbers(fields.take(name), name)
    table = Fields(fields.take(name), path=name)
    read = _read_by_size(table, name) if name in BY_SIZE else _read_by_contract(table)
    table.close()
    return read


def _read_by_size(table: Fields, name: str) -> tuple[object, ...]:
    return tuple((size, _whole_numbers(table.take(str(size)), name)) for size in SIZES)


def _read_by_contract(table: Fields) -> ByContract:
    return tuple((contract, table.whole(contract)) for contract in Contract if table.has(contract))


def _whole_numbers(value: object, name: str) -> tuple[int, ...]:
    if isinstance(value, list) and all(type(number) is int for number in value):
        return tuple(value)
    raise Unreadable(
        gettext_noop("“%(name)s” must be a list of whole numbers."),
        code="not_whole_numbers",
        field=name,
        name=name,
    )


def _not_played_by(players: object) -> Illegal:
    return Illegal(
        gettext_noop("Tarot is played by 3, 4 or 5, not by %(players)s."),
        code="players_out_of_range",
        field="players",
        players=players,
    )


def _check(rules: Ruleset) -> None:
    check_house_rules(rules, WAYS)
    if rules.players not in SIZES:
        raise _not_played_by(rules.players)
    if rules.one_sits_out and rules.players != DEFAULT_PLAYERS:
        refuse_rule("one_sits_out")
    _check_contracts(rules)
    _check_amounts(rules)
    _check_sizes(rules)


def _check_contracts(rules: Ruleset) -> None:
    for name in ("multiplier_halves", "fixed_values", "mouche_values"):
        table: ByContract = getattr(rules, name)
        ranks = [contract.rank for contract, _ in table]
        rising = all(low < high for low, high in pairwise(ranks))
        if not rising or not all(0 < amount <= LARGEST_AMOUNT for _, amount in table):
            refuse_rule(name)
    if not rules.multiplier_halves:
        refuse_rule("multiplier_halves")
    played = set(rules.contracts)
    if rules.fixed_values and {contract for contract, _ in rules.fixed_values} != played:
        refuse_rule("fixed_values")
    if rules.mouche and not played <= {contract for contract, _ in rules.mouche_values}:
        refuse_rule("mouche_values")


def _check_amounts(rules: Ruleset) -> None:
    for name in ("misere", "mouche_ante"):
        if not 0 <= getattr(rules, name) <= LARGEST_AMOUNT:
            refuse_rule(name)
    points: tuple[int, ...] = rules.petit_chelem_points
    if len(points) != PETIT_CHELEM_WAYS or not all(0 <= each <= LARGEST_AMOUNT for each in points):
        refuse_rule("petit_chelem_points")


def _check_sizes(rules: Ruleset) -> None:
    for name in ("poignee_sizes", "vachette_scale"):
        if tuple(size for size, _ in getattr(rules, name)) != SIZES:
            refuse_rule(name)
    for _, trumps in rules.poignee_sizes:
        rising = all(fewer < more for fewer, more in pairwise((0, *trumps, TRUMPS_IN_PACK + 1)))
        if len(tuple(trumps)) != len(PoigneeSize) or not rising:
            refuse_rule("poignee_sizes")
    for size, scale in rules.vachette_scale:
        if len(scale) != size or not _is_fair(scale):
            refuse_rule("vachette_scale")


def _is_fair(scale: tuple[int, ...]) -> bool:
    """Does the scale sum to zero, fall, and give whole points to every tie?"""
    falls = all(high >= low for high, low in pairwise(scale))
    small = all(abs(points) <= LARGEST_AMOUNT for points in scale)
    ties_are_whole = all(
        sum(scale[first:last]) % (last - first) == 0
        for first in range(len(scale))
        for last in range(first + 1, len(scale) + 1)
    )
    return sum(scale) == 0 and falls and small and ties_are_whole
