"""A recorded deal, from only the result to every card, each part held against the others."""

from __future__ import annotations

import dataclasses
import json
from random import Random

import jsonschema
import pytest

from rules_engine import tarot
from rules_engine.errors import Illegal, RulesError, Unreadable
from tests.rules_engine.tarot_tables import CASES, cards, random_deal

FFT, FIVE = tarot.ruleset("fft"), tarot.ruleset("fft-5")
FACTS = (
    "players",
    "first_leader",
    "taker",
    "partner",
    "called_card",
    "contract",
    "hands",
    "dog",
    "discard",
    "plays",
)
SCHEMA = jsonschema.Draft202012Validator(dict(tarot.record_schema()))

each_case = pytest.mark.parametrize("case", CASES[::4])


def facts(case: dict) -> dict:
    """What a case tells of its deal, without its answers."""
    return {name: case[name] for name in FACTS}


def record_of(case: dict, **more) -> tarot.DealRecord:
    return tarot.record_from_json({**facts(case), **more})


def first(players: int, contract: str) -> dict:
    return next(c for c in CASES if (c["players"], c["contract"]) == (players, contract))


FOUR = first(4, "garde")
AT_FIVE = next(c for c in CASES if c["partner"] is not None and c["contract"] == "garde")


NOBODY_TOOK = {"taker": None, "contract": None, "plays": []}


def refused(field: str | None = None, **changes) -> str:
    """Refuse the four-player case with these facts changed; give the code."""
    with pytest.raises(RulesError) as refusal:
        tarot.record_from_json({**facts(FOUR), **changes})
    if field is not None:
        assert refusal.value.field == field
    assert refusal.value.message
    return refusal.value.code


# Levels


@each_case
def test_a_whole_deal_is_known_to_every_card(case):
    record = record_of(case)

    assert record.level is tarot.Level.EVERY_CARD
    if case["ambiguous"] is None:
        assert list(record.scores) == case["scores"]
        assert record.count.half_points == 2 * case["attack_points"]


def test_a_record_tells_how_much_it_knows():
    result = tarot.DealRecord(ruleset=FFT, dealer=0)
    dealt = record_of(FOUR, plays=[], discard=[])
    unfinished = record_of(FOUR, plays=FOUR["plays"][:7])

    assert result.level is tarot.Level.RESULT
    assert dealt.level is tarot.Level.CARDS
    assert unfinished.level is tarot.Level.UNFINISHED
    assert unfinished.play.turn == FOUR["plays"][7][0]
    assert unfinished.scores is None
    assert unfinished.deal is None
    assert unfinished.score is None


def test_only_the_result_is_enough_to_score():
    deal = tarot.Deal(ruleset=FFT, contract=tarot.Contract.GARDE, bouts=2, half_points=116)

    record = tarot.DealRecord(
        ruleset=FFT, dealer=3, taker=0, contract=tarot.Contract.GARDE, result=deal
    )

    assert record.scores == (252, -84, -84, -84)
    assert record.play is None
    assert record.fresh_play() is None
    assert record.leader == 0


def test_a_result_that_the_cards_confirm_is_not_kept_twice():
    deal = record_of(FOUR).deal

    record = dataclasses.replace(record_of(FOUR), result=deal)

    assert record.result is None
    assert record.deal == deal


# Contradictions


def test_a_reported_result_that_the_cards_contradict_is_refused_with_the_difference():
    record = record_of(FOUR)
    wrong = dataclasses.replace(record.deal, half_points=record.deal.half_points + 4)

    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(record, result=wrong)

    assert refusal.value.code == "points_contradict_cards"
    assert refusal.value.gaps["difference"] == "2"
    assert str(record.deal.half_points // 2) in refusal.value.message


@pytest.mark.parametrize(
    "changes", [{"bouts": 1}, {"petit_au_bout": tarot.Side.DEFENCE}, {"called": None}]
)
def test_bouts_petit_and_poignees_of_a_result_are_compared_as_well(changes):
    record = record_of(FOUR)
    wrong = dataclasses.replace(record.deal, **changes)
    if wrong == record.deal:
        assert dataclasses.replace(record, result=wrong) == record
        return

    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(record, result=wrong)

    assert refusal.value.code == "result_contradicts_cards"


def test_a_result_of_another_contract_is_refused():
    deal = tarot.Deal(ruleset=FFT, contract=tarot.Contract.PETITE, bouts=2, half_points=116)

    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(record_of(FOUR), result=deal)

    assert refusal.value.code == "result_of_another_deal"


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("no_such_seat", {"taker": 4}),
        ("no_such_seat", {"dealer": -1}),
        ("hands_of_other_players", {"hands": FOUR["hands"][:3]}),
        ("wrong_card_count", {"dog": FOUR["dog"][:5]}),
        ("wrong_card_count", {"hands": [FOUR["hands"][0][:-1], *FOUR["hands"][1:]]}),
        ("card_twice", {"hands": [FOUR["hands"][0], *FOUR["hands"][:3]]}),
        ("taker_and_contract", {"taker": None}),
        ("taker_and_contract", {"contract": None}),
        ("contract_missing", {"taker": None, "contract": None}),
        ("contract_not_played", {"contract": "pousse"}),
        ("called_only_at_five", {"called_card": "SR"}),
        ("another_leader", {"dealer": 0, "first_leader": 3}),
        ("void_deal_played", {"void": "all_pass"}),
        ("discard_wrong_count", {"discard": FOUR["discard"][:5]}),
        ("discard_without_dog", {"contract": "garde_sans", "plays": []}),
        ("misere_not_played", {"miseres": [{"seat": 0, "kind": "trumps"}]}),
        ("card_not_held", {"plays": [FOUR["plays"][0], FOUR["plays"][0]]}),
        (
            "contract_missing",
            {"taker": None, "contract": None, "plays": [], "announced_chelem": True},
        ),
        ("another_seat", {"plays": [[(FOUR["first_leader"] + 1) % 4, FOUR["plays"][0][1]]]}),
        ("dealer_missing", {"bids": [[0, "pass"]]}),
        ("partner_is_the_taker", {"partner": FOUR["taker"]}),
    ],
)
def test_parts_that_contradict_each_other_are_refused(code, changes):
    assert refused(**changes) == code


def test_an_illegal_play_is_refused_with_its_index_and_its_duty():
    plays = [row[:2] for row in FOUR["plays"]]
    at = next(
        index
        for index, row in enumerate(FOUR["plays"])
        if index % 4 and len(row[2]) < 18 - index // 4 and "EX" not in row[2]
    )
    seat, _, legal = FOUR["plays"][at]
    illegal = next(row[1] for row in plays[at + 1 :] if row[0] == seat and row[1] not in legal)

    with pytest.raises(Illegal) as refusal:
        record_of(FOUR, plays=[*plays[:at], [seat, illegal]])

    assert refusal.value.field == f"plays[{at}]"
    assert refusal.value.code.startswith("must_")


def test_who_opened_must_be_known_where_cards_were_played():
    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(record_of(FOUR), first_leader=None)

    assert refusal.value.code == "leader_missing"


def test_no_card_is_played_twice_also_where_the_hands_are_hidden():
    masked = record_of(FOUR).masked(plays=3)

    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(masked, plays=(*masked.plays, masked.plays[0]))

    assert refusal.value.code == "card_played_twice"


def test_a_card_cannot_be_played_and_lie_in_the_discard():
    card = tarot.card_from(FOUR["discard"][0])
    hidden = dataclasses.replace(
        record_of(FOUR, plays=[]), hands=(), dog=None, discard=cards(*FOUR["discard"])
    )

    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(hidden, plays=(card,))

    assert refusal.value.code == "card_twice"


# Bidding on record


def bid(*calls: str, dealer: int = 3, **more) -> tarot.DealRecord:
    bids = [[(dealer + step) % 4, call] for step, call in enumerate(calls, start=1)]
    return tarot.record_from_json({"players": 4, "dealer": dealer, "bids": bids, **more})


def test_the_bidding_names_taker_and_contract():
    record = bid("pass", "garde", "pass", "pass", taker=1, contract="garde")

    assert record.bids[1] == (1, tarot.Call.GARDE)


@pytest.mark.parametrize(
    ("code", "calls", "more"),
    [
        ("another_taker", ("pass", "garde", "pass", "pass"), {"taker": 2, "contract": "garde"}),
        ("another_taker", ("pass", "garde", "pass", "pass"), {"taker": 1, "contract": "petite"}),
        ("another_taker", ("pass", "garde", "pass", "pass"), {}),
        ("bidding_not_over", ("pass", "garde"), {"taker": 1, "contract": "garde"}),
        ("bidding_not_over", ("pass",), {"void": "all_pass"}),
        ("everybody_passed", ("pass",) * 4, {}),
        ("bid_too_low", ("garde", "petite"), {}),
        ("out_of_turn", ("pass",) * 5, {"void": "all_pass"}),
    ],
)
def test_a_bidding_that_ends_otherwise_is_refused(code, calls, more):
    with pytest.raises(Illegal) as refusal:
        bid(*calls, **more)

    assert refusal.value.code == code


def test_a_call_out_of_turn_is_refused():
    with pytest.raises(Illegal) as refusal:
        tarot.record_from_json({"players": 4, "dealer": 3, "bids": [[1, "pass"]]})

    assert (refusal.value.code, refusal.value.field) == ("out_of_turn", "bids[0]")


def test_a_bidding_in_progress_is_a_record_too():
    assert bid("pass", "garde").contract is None
    assert bid("pass", "pass", "pass", "pass", void="all_pass").void is tarot.Void.ALL_PASS


# Petit sec on record


def hands_with_petit_sec() -> tarot.DealtCards:
    chance = Random(1)
    while True:
        dealt = tarot.deal_cards(FFT, dealer=0, pack=tarot.shuffled_pack(chance.random))
        if dealt.petit_sec is not None:
            return dealt


def test_a_petit_sec_is_void_and_not_played():
    dealt = hands_with_petit_sec()
    void = tarot.DealRecord(
        ruleset=FFT, dealer=0, void=tarot.Void.PETIT_SEC, hands=dealt.hands, dog=dealt.dog
    )

    assert void.scores is None
    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(void, void=None, taker=0, contract=tarot.Contract.GARDE)
    assert refusal.value.code == "petit_sec"
    with pytest.raises(Illegal) as refusal:
        record_of(FOUR, void="petit_sec", taker=None, contract=None, plays=[], discard=[])
    assert refusal.value.code == "no_petit_sec"


# At five


def test_the_partner_is_who_holds_the_called_card():
    record = record_of(AT_FIVE)

    assert record.attack == (AT_FIVE["taker"], AT_FIVE["partner"])
    with pytest.raises(Illegal) as refusal:
        record_of(AT_FIVE, partner=None)
    assert refusal.value.code == "another_partner"
    with pytest.raises(Illegal) as refusal:
        record_of(AT_FIVE, called_card="S1")
    assert refusal.value.code == "card_not_callable"


def test_of_a_sheet_alone_the_partner_is_believed():
    record = tarot.DealRecord(ruleset=FIVE, taker=0, contract=tarot.Contract.GARDE, partner=3)

    assert record.attack == (0, 3)
    called = dataclasses.replace(record, called_card=tarot.card_from("SR"))
    assert called.partner == 3


# Announcements


def test_poignees_are_held_against_the_hand_that_showed_them():
    seat = max(range(4), key=lambda at: sum(code[0] == "T" for code in FOUR["hands"][at]))
    few = min(range(4), key=lambda at: sum(code[0] == "T" for code in FOUR["hands"][at]))
    assert refused(poignees=[{"seat": few, "size": "simple"}]) == "poignee_too_few_trumps"
    twice = [{"seat": seat, "size": "simple"}] * 2
    assert refused(poignees=twice) == "two_poignees_of_one_player"


def record_with_poignee() -> tarot.DealRecord:
    chance = Random(11)
    while True:
        deal = random_deal(chance, FFT)
        size = tarot.largest_poignee(deal.hands[2], FFT)
        if size is not None and deal.taker != 2 and deal.dealt.petit_sec is None:
            break
    play = deal.play()
    play.play_out(Random(3).getrandbits)
    return tarot.DealRecord(
        ruleset=FFT,
        dealer=deal.dealt.dealer,
        hands=deal.dealt.hands,
        dog=deal.dealt.dog,
        taker=deal.taker,
        contract=deal.contract,
        discard=deal.discard or None,
        poignees=(tarot.ShownPoignee(seat=2, size=size),),
        plays=tuple(play.cards),
    )


def test_a_shown_poignee_is_paid():
    record = record_with_poignee()

    assert [each.side for each in record.deal.poignees] == [tarot.Side.DEFENCE]
    without = dataclasses.replace(record.deal, poignees=())
    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(record, result=without)
    assert refusal.value.field == "result.poignees"


def test_a_poignee_whose_seat_nobody_noted_is_kept_with_the_result():
    record = record_with_poignee()
    noted = record.deal

    unseated = dataclasses.replace(record, poignees=(), result=noted)

    assert unseated.result == noted
    assert unseated.scores == record.scores


def test_who_announced_a_chelem_opens_and_the_result_says_so():
    """RO p.6."""
    taker = FOUR["taker"]
    dealer = (taker + 1) % 4
    announced = record_of(FOUR, plays=[], first_leader=None, dealer=dealer, announced_chelem=True)

    assert announced.leader == taker
    assert announced.play.turn == taker
    failed = tarot.Deal(
        ruleset=FFT,
        contract=tarot.Contract.GARDE,
        bouts=2,
        half_points=90,
        chelem=tarot.Chelem(announced=True),
    )
    sheet = tarot.DealRecord(ruleset=FFT, taker=0, contract=tarot.Contract.GARDE, result=failed)
    assert sheet.slam_announced
    silent = dataclasses.replace(failed, chelem=tarot.NO_CHELEM)
    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(sheet, result=silent)
    assert refusal.value.code == "announcement_not_in_result"


def test_a_misere_is_held_against_the_hand_and_paid_to_its_declarer():
    """Seed 004."""
    record = record_of(FOUR)
    no_trumps = {"seat": 1, "kind": "trumps"}
    with pytest.raises(Illegal) as refusal:
        record_of(FOUR, ruleset="misere", miseres=[no_trumps])
    assert refusal.value.code == "misere_with_such_cards"

    result = {"bouts": 2, "taker_card_points": 41}
    told = tarot.record_from_json(
        {"players": 4, "ruleset": "misere", "taker": 0, "contract": "garde"}
        | {"miseres": [no_trumps]}
        | {"result": {**result, "miseres": [{"kind": "trumps", "declarer": 1}]}}
    )
    assert told.scores == (140, -20, -60, -60)
    assert record.miseres == ()


# JSON


@each_case
def test_the_json_form_gives_the_record_back_and_fits_its_schema(case):
    record = record_of(case)

    written = json.loads(json.dumps(tarot.record_to_json(record)))

    SCHEMA.validate(written)
    SCHEMA.validate(facts(case))
    assert tarot.record_from_json(written) == record


def test_masked_void_and_reported_records_fit_the_schema_too():
    record, shown = record_of(AT_FIVE), record_with_poignee()
    unseated = dataclasses.replace(shown, poignees=(), result=shown.deal)
    house = tarot.Ruleset.from_json({**FFT.to_json(), "name": "our club"})
    for each in (
        record.masked(0, plays=9),
        record.masked(None),
        shown.masked(2, plays=40),
        unseated,
        bid("pass", "pass", "pass", "pass", void="all_pass"),
        tarot.DealRecord(ruleset=house, dealer=1),
    ):
        written = json.loads(json.dumps(tarot.record_to_json(each)))
        SCHEMA.validate(written)
        assert tarot.record_from_json(written) == each


TAKEN = {"players": 4, "taker": 0, "contract": "garde"}
ODD_POIGNEE = {"seat": 0, "size": "simple", "x": 1}


@pytest.mark.parametrize(
    ("code", "field", "value"),
    [
        ("not_an_object", "", []),
        ("missing_field", "players", {}),
        ("unknown_field", "colour", {"players": 4, "colour": 1}),
        ("players_out_of_range", "players", {"players": 6}),
        ("unknown_ruleset", "ruleset", {"players": 4, "ruleset": "bridge"}),
        ("unknown_card", "dog", {"players": 4, "dog": ["S1", "Q9"]}),
        ("card_named_twice", "dog", {"players": 4, "dog": ["S1", "S1"]}),
        ("not_a_row", "hands[0]", {"players": 4, "hands": ["S1"]}),
        ("not_a_row", "plays[0]", {"players": 4, "plays": [["S1", 0]]}),
        ("not_a_row", "bids[0]", {"players": 4, "bids": ["pass"]}),
        ("unknown_value", "bids[0].call", {"players": 4, "bids": [[0, "skip"]]}),
        ("list_too_long", "plays", {"players": 4, "plays": [[0, "S1"]] * 79}),
        ("unknown_field", "poignees[0].x", {"players": 4, "poignees": [ODD_POIGNEE]}),
        ("missing_field", "result.bouts", {**TAKEN, "result": {}}),
        ("unknown_field", "result.x", {**TAKEN, "result": {"x": 1}}),
    ],
)
def test_what_cannot_be_read_is_refused_by_field(code, field, value):
    with pytest.raises(RulesError) as refusal:
        tarot.record_from_json(value)

    assert (refusal.value.code, refusal.value.field) == (code, field)


def test_a_null_field_is_as_good_as_none():
    record = tarot.record_from_json({"players": 4, "dealer": None, "hands": None, "result": None})

    assert record == tarot.DealRecord(ruleset=FFT)


# Masking


def test_an_onlooker_sees_what_lay_on_the_table():
    masked = record_of(FOUR).masked(plays=6)

    assert masked.hands == (None,) * 4
    assert masked.discard is None
    assert masked.dog == cards(*FOUR["dog"])  # turned up in a garde
    assert len(masked.plays) == 6
    assert masked.result is None


def test_the_taker_knows_his_discard_and_everybody_its_trumps():
    taker = FOUR["taker"]

    assert record_of(FOUR).masked(taker, plays=0).discard == cards(*FOUR["discard"])
    other = record_of(FOUR).masked((taker + 1) % 4, plays=0)
    assert other.discard is None
    assert other.hands[(taker + 1) % 4] is not None


def test_the_dog_of_a_garde_sans_stays_hidden_until_the_end():
    record = record_of(first(4, "garde_sans"))

    assert record.masked(0, plays=71).dog is None
    assert record.masked(0).dog == record.dog
    assert record.masked(0).result == record.deal


def test_the_partner_stays_hidden_until_he_plays_the_called_card():
    record = record_of(AT_FIVE)
    at = record.plays.index(record.called_card)

    assert record.masked(record.taker, plays=at).partner is None
    assert record.masked(record.partner, plays=0).partner == record.partner
    assert record.masked(None, plays=at + 1).partner == record.partner


def test_a_poignee_is_seen_once_its_player_has_played():
    record = record_with_poignee()
    steps = (2 - record.leader) % 4

    assert record.masked(0, plays=steps).poignees == ()
    assert record.masked(0, plays=steps + 1).poignees == record.poignees
    nobody = tarot.DealRecord(ruleset=FFT)
    assert nobody.masked(0) == nobody


def test_an_unreadable_ruleset_is_refused():
    with pytest.raises(Unreadable):
        tarot.record_from_json({"players": 4, "ruleset": 7})


def test_an_announced_slam_a_misere_and_shown_trumps_come_back_from_json():
    house = tarot.ruleset("misere")
    record = tarot.DealRecord(
        ruleset=house,
        dealer=0,
        taker=2,
        contract=tarot.Contract.GARDE,
        shown_discard=cards("T5"),
        miseres=(tarot.DeclaredMisere(seat=1, kind=tarot.MisereKind.COURT_CARDS),),
        slam_announced=True,
    )

    written = json.loads(json.dumps(tarot.record_to_json(record)))

    SCHEMA.validate(written)
    assert tarot.record_from_json(written) == record


def test_who_opened_is_known_from_the_first_card():
    told = {**facts(FOUR), "first_leader": None}

    assert tarot.record_from_json(told).first_leader == FOUR["first_leader"]


def test_a_misere_of_a_played_deal_is_paid():
    """Seed 004."""
    for case in CASES:
        for seat, hand in enumerate(case["hands"]):
            courts = any(code[-1] in "VCDR" for code in hand)
            if not courts and case["taker"] != seat and case["ambiguous"] is None:
                misere = [{"seat": seat, "kind": "court_cards"}]
                record = record_of(case, ruleset="misere", miseres=misere)
                won = record.scores[seat] - case["scores"][seat]
                assert won == 10 * (case["players"] - 1)
                return
    pytest.fail("no hand without court cards")


def test_trumps_shown_that_were_not_discarded_are_refused():
    with pytest.raises(Illegal) as refusal:
        dataclasses.replace(record_of(FOUR), shown_discard=cards("T5"))

    assert refusal.value.code == "trumps_not_discarded"
