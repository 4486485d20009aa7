"""Seating: how players split into tables, and the random draw of a round.

Standard library only; players are whole numbers. ::

    from tournaments.seating import Leftovers, PastRound, draw_round, possible_splits

    possible_splits(14)                      # what the director can choose, the best first
    # -> (SplitChoice(split=Split(fours=2, threes=2), policy=Leftovers.THREES, reasons=(...)), ...)
    split_for(7, Leftovers.FIVES)            # falls back to threes, .fell_back, and says why

    draw = draw_round(
        [11, 12, 13, 14, 15, 16, 17],        # who is present, in any order
        history,                             # tonight's rounds: PastRound(tables=, sat_out=)
        seed=4821,                           # stored; the same input gives the same draw
        policy=Leftovers.THREES,
        prohibited=[(11, 12)],               # never at one table
        earlier=past_rounds,                 # rounds of past evenings, of smaller weight
        rounds_left=4,                       # with this one; the draw looks so far ahead
        plan=last_draw.plan,                 # optional: goes on with the last plan while it fits
    )
    draw.tables                              # DrawnTable(players=(N, E, S[, W[, fifth]]),
                                             #            per_deal=4, first_dealer=...)
    draw.plan                                # tables meant for the rounds after this one
    draw.sit_out                             # who sits out the round
    draw.reasons                             # Reason(code, gaps): .sentence, .plural, .filled(name)
    draw.as_past()                           # the PastRound for the next draw's history

A ``Reason`` is shown with ``ngettext(r.sentence, r.plural, r.gaps["count"])`` where it has a
plural, else ``gettext(r.sentence)``, filled by ``% r.filled(name_of_player)``; it is stored with
``as_data()`` and read with ``reason_from_data``. Refusals are ``SeatingError`` (code, sentence,
gaps): too_few_players, player_twice, player_twice_in_history, prohibited_pairs.
"""

from __future__ import annotations

from tournaments.seating.draw import Draw, DrawnTable, Weights, draw_round
from tournaments.seating.errors import SeatingError
from tournaments.seating.plan import Priority
from tournaments.seating.reasons import Reason, reason_from_data
from tournaments.seating.record import PastRound
from tournaments.seating.splits import Leftovers, Split, SplitChoice, possible_splits, split_for

__all__ = [
    "Draw",
    "DrawnTable",
    "Leftovers",
    "PastRound",
    "Priority",
    "Reason",
    "SeatingError",
    "Split",
    "SplitChoice",
    "Weights",
    "draw_round",
    "possible_splits",
    "reason_from_data",
    "split_for",
]
