"""French tarot: the front door of the game."""

from __future__ import annotations

from rules_engine.chance import Chance, chance
from rules_engine.tarot import irregularities, mouche
from rules_engine.tarot.bidding import Auction, Call, Taken, open_bidding
from rules_engine.tarot.cards import (
    EXCUSE,
    PETIT,
    TWENTY_ONE,
    Card,
    CardSet,
    Suit,
    card_from,
    card_of,
    card_set,
    cards_in,
    code_of,
    codes_of,
    count_in_pairs,
    half_points,
    name_of,
    nth_card,
)
from rules_engine.tarot.contracts import (
    HALF_POINTS_NEEDED,
    PACK_HALF_POINTS,
    Bouts,
    Called,
    Contract,
    MisereKind,
    PoigneeSize,
    Side,
)
from rules_engine.tarot.counting import Count, ExcuseFate, count_cards, deal_of
from rules_engine.tarot.dealing import (
    DealtCards,
    Redeal,
    Void,
    cut_pack,
    deal_cards,
    draw_first_dealer,
    first_dealer,
    is_misdeal,
    is_petit_sec,
    next_dealer,
    redeal,
    seats_in_play,
    shuffled_pack,
)
from rules_engine.tarot.deals import NO_CHELEM, Chelem, Deal, Misere, Poignee
from rules_engine.tarot.dog import (
    Discardable,
    callable_cards,
    cards_aside,
    check_call,
    check_discard,
    discardable,
    partner_of,
)
from rules_engine.tarot.lines import Line
from rules_engine.tarot.notation import Notation, write_tdn
from rules_engine.tarot.notation_json import notation_from_json, notation_to_json
from rules_engine.tarot.notation_reader import read_tdn
from rules_engine.tarot.play import Duty, Play, TableView
from rules_engine.tarot.poignees import ShownPoignee, check_poignee, largest_poignee
from rules_engine.tarot.presets import PRESETS, ruleset
from rules_engine.tarot.record import DealRecord, DeclaredMisere, Level
from rules_engine.tarot.record_json import record_from_json, record_schema, record_to_json
from rules_engine.tarot.rulesets import Ruleset
from rules_engine.tarot.scores import DealScore, score_deal, score_order
from rules_engine.tarot.scoring_table import scoring_table
from rules_engine.tarot.vachette import VachetteScore, score_vachette

__all__ = [
    "EXCUSE",
    "HALF_POINTS_NEEDED",
    "NO_CHELEM",
    "PACK_HALF_POINTS",
    "PETIT",
    "PRESETS",
    "TWENTY_ONE",
    "Auction",
    "Bouts",
    "Call",
    "Called",
    "Card",
    "CardSet",
    "Chance",
    "Chelem",
    "Contract",
    "Count",
    "Deal",
    "DealRecord",
    "DealScore",
    "DealtCards",
    "DeclaredMisere",
    "Discardable",
    "Duty",
    "ExcuseFate",
    "Level",
    "Line",
    "Misere",
    "MisereKind",
    "Notation",
    "Play",
    "Poignee",
    "PoigneeSize",
    "Redeal",
    "Ruleset",
    "ShownPoignee",
    "Side",
    "Suit",
    "TableView",
    "Taken",
    "VachetteScore",
    "Void",
    "callable_cards",
    "card_from",
    "card_of",
    "card_set",
    "cards_aside",
    "cards_in",
    "chance",
    "check_call",
    "check_discard",
    "check_poignee",
    "code_of",
    "codes_of",
    "count_cards",
    "count_in_pairs",
    "cut_pack",
    "deal_cards",
    "deal_of",
    "discardable",
    "draw_first_dealer",
    "first_dealer",
    "half_points",
    "irregularities",
    "is_misdeal",
    "is_petit_sec",
    "largest_poignee",
    "mouche",
    "name_of",
    "next_dealer",
    "notation_from_json",
    "notation_to_json",
    "nth_card",
    "open_bidding",
    "partner_of",
    "read_tdn",
    "record_from_json",
    "record_schema",
    "record_to_json",
    "redeal",
    "ruleset",
    "score_deal",
    "score_order",
    "score_vachette",
    "scoring_table",
    "seats_in_play",
    "shuffled_pack",
    "write_tdn",
]
