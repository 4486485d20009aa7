"""Truco paulista and its variants: the front door of the game."""

from __future__ import annotations

from rules_engine.truco.cards import (
    CODES,
    PACK,
    Card,
    Pack,
    card_from,
    card_typed,
    code_of,
    name_of,
    rank_named,
    rank_of,
    suit_of,
)
from rules_engine.truco.dealing import DealtCards, deal_cards, draw_first_dealer, shuffled_pack
from rules_engine.truco.events import (
    Answer,
    Call,
    Dropped,
    Event,
    Noted,
    PlayBlind,
    PlayCard,
    Reply,
    Returned,
    Vote,
)
from rules_engine.truco.hand import Hand
from rules_engine.truco.matches import BEST_OF, BestOf, Line, Match, MatchState
from rules_engine.truco.order import manilhas, nickname_of, strengths
from rules_engine.truco.outcomes import (
    Ending,
    HandKind,
    Outcome,
    Score,
    added,
    check_final_score,
    deciding_pair,
    final_scores,
    kind_at,
    leader_at,
    possible_points,
    value_of,
)
from rules_engine.truco.position import Phase
from rules_engine.truco.presets import PRESETS, ruleset
from rules_engine.truco.questions import Asked
from rules_engine.truco.record_json import record_from, to_json
from rules_engine.truco.records import (
    Calls,
    MatchRecord,
    NotedHand,
    PlayedHand,
    RecordLine,
    Tento,
    masked,
)
from rules_engine.truco.replay import REMARKS, Start, play_again
from rules_engine.truco.rounds import Played, Round, hand_winner
from rules_engine.truco.rulesets import Ruleset
from rules_engine.truco.seats import Pair, next_seat, pair_of, seat_before, seat_name, seats_of
from rules_engine.truco.tables import asked_at, asking_table, examples
from rules_engine.truco.tags import rules_tags
from rules_engine.truco.trn_reader import read
from rules_engine.truco.trn_writer import write
from rules_engine.truco.views import HandView, view

__all__ = [
    "BEST_OF",
    "CODES",
    "PACK",
    "PRESETS",
    "REMARKS",
    "Answer",
    "Asked",
    "BestOf",
    "Call",
    "Calls",
    "Card",
    "DealtCards",
    "Dropped",
    "Ending",
    "Event",
    "Hand",
    "HandKind",
    "HandView",
    "Line",
    "Match",
    "MatchRecord",
    "MatchState",
    "Noted",
    "NotedHand",
    "Outcome",
    "Pack",
    "Pair",
    "Phase",
    "PlayBlind",
    "PlayCard",
    "Played",
    "PlayedHand",
    "RecordLine",
    "Reply",
    "Returned",
    "Round",
    "Ruleset",
    "Score",
    "Start",
    "Tento",
    "Vote",
    "added",
    "asked_at",
    "asking_table",
    "card_from",
    "card_typed",
    "check_final_score",
    "code_of",
    "deal_cards",
    "deciding_pair",
    "draw_first_dealer",
    "examples",
    "final_scores",
    "hand_winner",
    "kind_at",
    "leader_at",
    "manilhas",
    "masked",
    "name_of",
    "next_seat",
    "nickname_of",
    "pair_of",
    "play_again",
    "possible_points",
    "rank_named",
    "rank_of",
    "read",
    "record_from",
    "rules_tags",
    "ruleset",
    "seat_before",
    "seat_name",
    "seats_of",
    "shuffled_pack",
    "strengths",
    "suit_of",
    "to_json",
    "value_of",
    "view",
    "write",
]
