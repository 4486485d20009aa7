"""Placing the players of a round: the federation's movement, Howell, best with best, finals.

Standard library only; players are whole numbers, rounds and tables count from 1. Each way gives
a ``Placing``: the tables of a ``Draw`` with numbers and seats, who sits out, and ``Reason``s. ::

    from tournaments import placing

    # The movement (17 players and more): starting places once, then each round follows.
    placing.positions_it_lasts(tables=17)            # -> 7; show it before the start
    chart = placing.draw_chart(
        players, seed=4821, rounds=6,
        chosen={11: Place(3, Seat.EAST)},            # picked at registration
        fixed={12: 5, 13: None},                     # keep table 5; keep any table
        teams=[(1, 2), (3, 4)],                      # or of 4; they leave out position 1
        prohibited=[(5, 6)],                         # their ways never cross
    )
    placing.chart_reasons(chart, rounds=6)           # what it promises, for the board
    chart.to_json(), placing.chart_from_json(data)   # store it with the stage
    placing.place_position(chart, 1, history, prohibited=...)        # the Placing of round 1
    chart.without(7)                                 # 7 has left: an empty place walks round
    chart.replaced(7, by=70)                         # somebody takes over his way
    placing.open_places(chart, 3)                    # where a latecomer could sit in round 3
    chart, reason = placing.seat_latecomer(chart, 71, 3, rounds=6)
    placing.mendings(chart, 4, rounds=6, history=...)  # when a Placing is not .is_playable

    # Howell (12 or 16): numbers once, then each round.
    numbers = placing.draw_numbers(players, seed=4821, rounds=5)
    placing.place_howell(numbers, 1, history)        # None in numbers: that player has left

    # By the ranking, and finals.
    placing.place_best_with_best([Ranked(player=11, points=120, number=3), ...], history,
                                 policy=Leftovers.THREES, prohibited=..., teams=..., fixed=...)
    placing.cut(ranking, best=12)                    # .finalists, and who was equal at the cut
    placing.place_final(finalists)                   # N, S, E, W by seed; one position
    placing.final_chart(finalists)                   # the same as a Chart, for 5 positions
    placing.equals_meet_last(ranking, rounds=5)      # a Chart: equals meet at the last position

    placing.placing_of_draw(draw_round(...))         # the draw as the same kind of value

``tournaments.placing.verifier`` checks a round independently. Refusals are ``SeatingError``
(code, sentence, gaps): movement_needs_five_tables, too_many_fixed, places_taken, wrong_teams,
starting_places, unreadable_chart, no_open_place, player_twice, prohibited_pairs,
howell_players, howell_positions, fewer_than_the_best, final_not_of_fours.
"""

from __future__ import annotations

from tournaments.placing.best_with_best import Ranked, equals_by_number, place_best_with_best
from tournaments.placing.chart import (
    Chart,
    OpenPlace,
    chart_from_json,
    chart_reasons,
    open_places,
    place_position,
    seat_latecomer,
    tables_for,
)
from tournaments.placing.drawing import draw_chart
from tournaments.placing.fft import (
    MOST_POSITIONS,
    positions_it_lasts,
    removed_norths,
    threes_again,
)
from tournaments.placing.finals import (
    USUAL_FINALS,
    Cut,
    cut,
    equals_meet_last,
    final_chart,
    final_places,
    place_final,
)
from tournaments.placing.fixed import keep_tables
from tournaments.placing.howell import draw_numbers, howell_reasons, place_howell, positions_of
from tournaments.placing.mending import Mending, Move, mendings
from tournaments.placing.says import not_homologable, without_fives
from tournaments.placing.values import (
    FOUR_SEATS,
    Place,
    PlacedTable,
    Placement,
    Placing,
    Seat,
    placing_of_draw,
)

__all__ = [
    "FOUR_SEATS",
    "MOST_POSITIONS",
    "USUAL_FINALS",
    "Chart",
    "Cut",
    "Mending",
    "Move",
    "OpenPlace",
    "Place",
    "PlacedTable",
    "Placement",
    "Placing",
    "Ranked",
    "Seat",
    "chart_from_json",
    "chart_reasons",
    "cut",
    "draw_chart",
    "draw_numbers",
    "equals_by_number",
    "equals_meet_last",
    "final_chart",
    "final_places",
    "howell_reasons",
    "keep_tables",
    "mendings",
    "not_homologable",
    "open_places",
    "place_best_with_best",
    "place_final",
    "place_howell",
    "place_position",
    "placing_of_draw",
    "positions_it_lasts",
    "positions_of",
    "removed_norths",
    "seat_latecomer",
    "tables_for",
    "threes_again",
    "without_fives",
]
