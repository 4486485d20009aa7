"""Scores of tarot, sentence by sentence of the rule book."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import tarot
from rules_engine.errors import Illegal
from rules_engine.tarot import (
    Called,
    Chelem,
    Contract,
    Misere,
    MisereKind,
    Poignee,
    PoigneeSize,
    Side,
)
from tests.rules_engine.legal_deals import any_deal


def deal(
    contract: Contract, bouts: int, points: float, *, ruleset: str = "fft", **told: object
) -> tarot.Deal:
    return tarot.Deal(
        ruleset=tarot.ruleset(ruleset),
        contract=contract,
        bouts=bouts,
        half_points=int(2 * points),
        **told,
    )


def shown(size: PoigneeSize, side: Side = Side.ATTACK) -> tuple[Poignee, ...]:
    return (Poignee(size=size, side=side),)


def lines_of(score: tarot.DealScore) -> list[tuple[str, int]]:
    return [(line.label, line.points) for line in score.lines]


# The federation's worked examples (RO p.9)


def test_garde_two_bouts_49_petit_au_bout_and_a_simple_poignee_is_106_from_each():
    score = tarot.score_deal(
        deal(Contract.GARDE, 2, 49, petit_au_bout=Side.ATTACK, poignees=shown(PoigneeSize.SIMPLE))
    )

    assert (score.made, score.margin, score.unit) == (True, 8, 106)
    assert score.scores == (318, -106, -106, -106)
    assert lines_of(score) == [
        ("contract", 50),
        ("margin", 16),
        ("petit_au_bout", 20),
        ("poignee_simple", 20),
    ]


def test_garde_sans_made_by_four_with_the_petit_lost_at_the_end_is_76_from_each():
    score = tarot.score_deal(deal(Contract.GARDE_SANS, 1, 55, petit_au_bout=Side.DEFENCE))

    assert score.scores == (228, -76, -76, -76)


def test_petite_lost_by_seven_keeps_the_petit_au_bout_of_the_attack():
    score = tarot.score_deal(
        deal(Contract.PETITE, 1, 44, petit_au_bout=Side.ATTACK, poignees=shown(PoigneeSize.SIMPLE))
    )

    assert (score.made, score.margin) == (False, 7)
    assert score.scores == (-126, 42, 42, 42)


def test_a_poignee_is_paid_to_the_side_that_wins_whoever_showed_it():
    score = tarot.score_deal(
        deal(Contract.GARDE, 2, 52, poignees=shown(PoigneeSize.SIMPLE, Side.DEFENCE))
    )

    assert score.scores == (276, -92, -92, -92)


def test_an_announced_chelem_with_87_points_is_582_from_each():
    score = tarot.score_deal(
        deal(
            Contract.GARDE,
            2,
            87,
            petit_au_bout=Side.ATTACK,
            poignees=shown(PoigneeSize.SIMPLE),
            chelem=Chelem(announced=True, achieved=Side.ATTACK),
        )
    )

    assert score.scores == (1746, -582, -582, -582)
    assert ("chelem_announced", 400) in lines_of(score)


# The evening of five deals (seed 000)

EVENING = [
    (0, deal(Contract.GARDE, 2, 58), (252, -84, -84, -84)),
    (2, deal(Contract.PETITE, 3, 59, petit_au_bout=Side.ATTACK), (-58, -58, 174, -58)),
    (
        3,
        deal(Contract.GARDE_SANS, 1, 61, poignees=shown(PoigneeSize.DOUBLE)),
        (-170, -170, -170, 510),
    ),
    (1, deal(Contract.GARDE, 2, 44, petit_au_bout=Side.DEFENCE), (-36, 108, -36, -36)),
    (
        3,
        deal(
            Contract.GARDE_SANS,
            1,
            49,
            petit_au_bout=Side.ATTACK,
            poignees=shown(PoigneeSize.SIMPLE),
        ),
        (88, 88, 88, -264),
    ),
]


def test_the_evening_of_five_deals_ends_76_minus_116_minus_28_and_68():
    sheet = [tarot.score_deal(played).by_seat(4, taker) for taker, played, _ in EVENING]

    assert sheet == [marks for _, _, marks in EVENING]
    assert [sum(column) for column in zip(*sheet, strict=True)] == [76, -116, -28, 68]


# Half points (RO p.11, 12)


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize(
    ("points", "made", "margin"),
    [(40, False, 1), (40.5, False, 1), (41, True, 0), (41.5, True, 1), (39.5, False, 2)],
)
def test_the_odd_half_goes_to_the_side_that_won(players, points, made, margin):
    called = Called.SELF if players == 5 else None

    score = tarot.score_deal(
        deal(Contract.PETITE, 2, points, ruleset=f"fft-{players}", called=called)
    )

    assert (score.made, score.margin) == (made, margin)


@pytest.mark.parametrize(
    ("points", "made", "margin"), [(40.5, False, 1), (41.5, True, 0), (42, True, 1)]
)
def test_where_half_points_are_ignored_the_attack_loses_its_half(points, made, margin):
    score = tarot.score_deal(deal(Contract.PETITE, 2, points, ruleset="half-points-ignored-3"))

    assert (score.made, score.margin) == (made, margin)


def test_a_table_that_gives_nothing_back_for_the_excuse_counts_halves_at_four():
    rules = tarot.Ruleset(excuse_last_own_side="nothing_back")

    assert tarot.Deal(ruleset=rules, contract=Contract.PETITE, bouts=2, half_points=81)


# Who pays whom


def test_at_three_the_taker_plays_for_two_defenders():
    assert tarot.score_deal(deal(Contract.GARDE, 2, 41, ruleset="fft-3")).scores == (100, -50, -50)


def test_at_five_the_partner_takes_a_third():
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, ruleset="fft-5", called=Called.PARTNER))

    assert score.scores == (100, 50, -50, -50, -50)
    assert score.by_seat(5, taker=3, partner=1) == (-50, 50, -50, 100, -50)


def test_at_five_a_taker_alone_plays_for_four():
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, ruleset="fft-5", called=Called.SELF))

    assert score.by_seat(5, taker=4) == (-50, -50, -50, -50, 200)


def test_at_a_table_of_five_whoever_sits_out_gets_nothing():
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, ruleset="one-sits-out"))

    assert score.deal.ruleset.seats == 5
    assert score.by_seat(5, taker=1, sits_out=0) == (0, 150, -50, -50, -50)


@pytest.mark.parametrize(
    ("seats", "taker", "partner", "sits_out"),
    [
        (4, 4, None, None),
        (4, -1, None, None),
        (5, 0, None, None),
        (5, 0, None, 0),
        (4, 0, 1, None),
        (4, 0, None, 1),
    ],
)
def test_seats_that_do_not_fit_the_deal_are_refused(seats, taker, partner, sits_out):
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41))

    with pytest.raises(Illegal, match="The seats do not fit the deal"):
        score.by_seat(seats, taker, partner, sits_out=sits_out)


def test_a_called_partner_needs_a_seat():
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, ruleset="fft-5", called=Called.PARTNER))

    with pytest.raises(Illegal, match="The seats do not fit the deal"):
        score.by_seat(5, taker=0)


# Chelem (RO p.6)


@pytest.mark.parametrize(
    ("announced", "achieved", "bouts", "points", "premium"),
    [
        (True, Side.ATTACK, 3, 91, 400),
        (False, Side.ATTACK, 3, 91, 200),
        (True, None, 3, 80, -200),
        (False, Side.DEFENCE, 0, 10, -200),
        (True, Side.DEFENCE, 0, 10, -400),
    ],
)
def test_a_chelem_pays(announced, achieved, bouts, points, premium):
    plain = 25 + abs(points - (36 if bouts else 56))
    chelem = Chelem(announced=announced, achieved=achieved)

    score = tarot.score_deal(deal(Contract.PETITE, bouts, points, chelem=chelem))

    assert score.unit == (plain if score.made else -plain) + premium


def test_a_failed_chelem_costs_200_although_the_contract_is_made():
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, chelem=Chelem(announced=True)))

    assert (score.made, score.scores[0]) == (True, -450)


def test_a_house_may_count_a_failed_chelem_once_when_the_defence_makes_one():
    rules = tarot.Ruleset(failed_slam_and_defence_slam="once")
    chelem = Chelem(announced=True, achieved=Side.DEFENCE)

    score = tarot.score_deal(
        tarot.Deal(ruleset=rules, contract=Contract.PETITE, bouts=0, half_points=20, chelem=chelem)
    )

    assert score.unit == -(25 + 46) - 200


def test_a_chelem_value_that_says_nothing_adds_no_line():
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, chelem=Chelem()))

    assert lines_of(score) == [("contract", 50), ("margin", 0)]


# House rules (seed 004)


@pytest.mark.parametrize(
    ("points", "unit"), [(41, 38), (42, 39), (43, 41), (40, -39), (39, -41), (45, 44)]
)
def test_the_pousse_is_one_and_a_half_with_the_half_to_the_winner(points, unit):
    score = tarot.score_deal(deal(Contract.POUSSE, 2, points, ruleset="pousse"))

    assert score.unit == unit
    assert sum(line.points for line in score.lines) == unit


@pytest.mark.parametrize(
    ("contract", "unit"),
    [
        (Contract.PETITE, 10 + 4),
        (Contract.POUSSE, 20 + 6),
        (Contract.GARDE, 40 + 8),
        (Contract.GARDE_SANS, 80 + 16),
        (Contract.GARDE_CONTRE, 160 + 24),
    ],
)
def test_fixed_contract_values_stand_in_place_of_25_times_the_multiplier(contract, unit):
    score = tarot.score_deal(deal(contract, 2, 45, ruleset="fixed-values"))

    assert score.unit == unit
    assert "fixed value" in score.lines[0].text()


def test_a_misere_is_paid_to_its_declarer_by_every_other_player():
    declared = (Misere(kind=MisereKind.TRUMPS, declarer=2),)

    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, ruleset="misere", miseres=declared))

    assert score.unit == 50
    assert score.scores == (140, -60, -20, -60)
    assert [(line.label, line.points) for line in score.asides] == [("misere_trumps", 30)]
    assert score.asides[0].text() == ("misère of trumps: 10 to the declarer from each other player")


def test_a_misere_follows_its_declarer_to_his_seat():
    declared = (Misere(kind=MisereKind.COURT_CARDS, declarer=2),)

    score = tarot.score_deal(deal(Contract.GARDE, 2, 41, ruleset="misere", miseres=declared))

    assert tarot.score_order(4, taker=1) == (1, 0, 2, 3)
    assert score.by_seat(4, taker=1) == (-60, 140, -20, -60)


@pytest.mark.parametrize(
    ("announced", "achieved", "premium"),
    [
        (True, Side.ATTACK, 200),
        (False, Side.ATTACK, 100),
        (True, None, -100),
        (False, Side.DEFENCE, -100),
        (True, Side.DEFENCE, -200),
    ],
)
def test_a_petit_chelem_pays_where_a_house_plays_it(announced, achieved, premium):
    chelem = Chelem(announced=announced, achieved=achieved)

    score = tarot.score_deal(
        deal(Contract.PETITE, 2, 41, ruleset="petit-chelem", petit_chelem=chelem)
    )

    assert score.unit == 25 + premium


# Lines for people


def test_each_line_says_its_reason_in_a_sentence():
    score = tarot.score_deal(
        deal(
            Contract.GARDE_SANS,
            1,
            44,
            petit_au_bout=Side.ATTACK,
            poignees=shown(PoigneeSize.DOUBLE),
        )
    )

    assert [line.text() for line in score.lines] == [
        "garde sans lost: 25, times 4",
        "Short by 7, times 4",
        "Petit au bout for the attack: 10, times 4",
        "double poignée, to the defence because the contract is lost",
    ]


def test_a_line_is_translated_whole_and_then_filled():
    french = {
        "%(contract)s made: 25, times %(multiplier)s": "%(contract)s réussie : 25 × %(multiplier)s"
    }
    score = tarot.score_deal(deal(Contract.GARDE, 2, 41))

    said = score.lines[0].text(lambda sentence: french.get(sentence, sentence))

    assert said == "garde réussie : 25 × 2"
    assert score.lines[1].text() == "Just made, nothing above"


def test_the_points_needed_come_with_the_score():
    assert tarot.score_deal(deal(Contract.GARDE, 1, 60)).needed_half_points == 102


# Properties

chances = st.randoms(use_true_random=False)


@given(chances)
def test_the_scores_of_every_deal_sum_to_zero(chance: Random):
    score = tarot.score_deal(any_deal(chance))

    assert sum(score.scores) == 0
    assert len(score.scores) == score.deal.ruleset.players


@given(chances)
def test_the_lines_of_every_deal_add_up_to_the_unit_score(chance: Random):
    score = tarot.score_deal(any_deal(chance))

    assert sum(line.points for line in score.lines) == score.unit
    assert all(isinstance(line.points, int) and line.text() for line in score.lines)


@given(chances)
def test_a_player_scores_the_same_wherever_he_sits(chance: Random):
    score = tarot.score_deal(any_deal(chance))
    seats = score.deal.ruleset.seats
    sitting = list(range(seats))
    chance.shuffle(sitting)
    taker, second, last = sitting[0], sitting[1], sitting[-1]
    partner = second if score.deal.called is Called.PARTNER else None
    sits_out = last if score.deal.ruleset.one_sits_out else None

    by_seat = score.by_seat(seats, taker, partner, sits_out=sits_out)

    order = tarot.score_order(seats, taker, partner, sits_out=sits_out)
    assert [by_seat[seat] for seat in order] == list(score.scores)
    assert sum(by_seat) == 0
    assert by_seat[taker] == score.scores[0]
    if sits_out is not None:
        assert by_seat[sits_out] == 0


@given(chances)
def test_a_deal_survives_being_written_and_read(chance: Random):
    told = any_deal(chance)

    assert tarot.Deal.from_json(told.to_json()) == told
    assert tarot.Deal.from_json(told.to_json(), rules=told.ruleset) == told
    assert pickle.loads(pickle.dumps(told)) == told  # noqa: S301


@given(chances)
def test_more_card_points_never_cost_the_attack(chance: Random):
    rules = tarot.ruleset(chance.choice(["fft", "fft-3", "pousse", "fixed-values"]))
    contract, bouts = chance.choice(rules.contracts), chance.randrange(4)
    fewest, most = rules.tariff.bounds(bouts)

    units = [
        tarot.score_deal(
            tarot.Deal(ruleset=rules, contract=contract, bouts=bouts, half_points=half_points)
        ).unit
        for half_points in range(fewest, min(most, 172) + 1, 1 if rules.half_points_occur else 2)
    ]

    assert units == sorted(units)


@given(chances)
def test_the_contracts_keep_their_proportions_at_every_result(chance: Random):
    bouts, points = chance.randrange(4), chance.randrange(14, 77)

    petite, garde, sans, contre = (
        tarot.score_deal(deal(contract, bouts, points)).unit
        for contract in tarot.ruleset("fft").contracts
    )

    assert (garde, sans, contre) == (2 * petite, 4 * petite, 6 * petite)
