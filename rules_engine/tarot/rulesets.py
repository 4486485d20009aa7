"""Rules that tables play differently, as data: a frozen value with a name and a version.

An event keeps a copy of its ruleset (``to_json``), so that old results go on validating when a
club changes its house rules. The presets and where each comes from: ``PRESETS``.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Self

from rules_engine.errors import Illegal, Unreadable, gettext_noop
from rules_engine.tarot.contracts import Contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """How one table plays French tarot; the defaults are the federation's rules (FFT, RO 2012).

    Values are points unless a name says half-points. ``players`` is how many play a deal:
    3, 4 or 5; a table of five with one sitting out plays a four-player ruleset.
    """

    name: str = "fft"
    version: int = 1
    players: int = 4
    # A multiplier of (25 + margin) for each contract allowed, in halves, so that the
    # pousse's one and a half stays whole: petite 2, pousse 3, garde 4 ... (RO p.5, 8).
    multiplier_halves: tuple[tuple[Contract, int], ...] = (
        (Contract.PETITE, 2),
        (Contract.GARDE, 4),
        (Contract.GARDE_SANS, 8),
        (Contract.GARDE_CONTRE, 12),
    )
    # Seed 004: fixed values 10/20/40/80/160 in place of 25 x multiplier; empty: not used.
    fixed_values: tuple[tuple[Contract, int], ...] = ()
    bidding: str = "one_round"  # or "parole", "parole_garde", "overbid"
    all_pass: str = "redeal"  # or "vachette"
    petit_sec: str = "void"  # the only other value so far: "play"
    dog_rule: str = "fft"  # or "after_each_round" (000), "not_first_or_last_three" (003), "at_most_three" (004)
    discard_trumps: str = "when_unavoidable"  # or "never" (000, 003)
    # Simple, double, triple at 3, 4 and 5 players (RO p.7, 11, 12).
    poignee_sizes: tuple[tuple[int, tuple[int, int, int]], ...] = (
        (3, (13, 15, 18)),
        (4, (10, 13, 15)),
        (5, (8, 10, 13)),
    )
    petit_au_bout: bool = True
    petit_chelem: bool = False
    misere: int = 0  # points to whoever announces no trump or no court card; 0: not played
    mouche: bool = False
    half_points: str = "to_the_winner"  # or "ignored" (3 and 5 players)
    called_cards: str = "king_to_jack"  # or "king_or_queen" (000)
    first_lead: str = "not_called_suit"  # or "free"
    # The points that the official text leaves open; the first named value is the default.
    excuse_last_own_side: str = "low_card_back"  # or "nothing_back"
    slam_excuse_side: str = "taker"  # or "either"
    excuse_never_paid: str = "keeps_four"  # or "half_point_moves"
    called_suit_after_excuse: str = "forbidden"  # or "allowed"
    failed_slam_and_defence_slam: str = "both"  # or "once"
    unannounced_slam_petit: str = "last_trick"  # or "next_to_last_trick"
