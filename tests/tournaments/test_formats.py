from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest

from rules_engine.errors import Illegal, RulesError, Unreadable
from tournaments.formats import PRESETS, Format, Placement, StagePlan, format_from_json, problems
from tournaments.seating import Leftovers

DRAWN, MOVEMENT, HOWELL, BEST, FINAL = (
    Placement.DRAWN,
    Placement.FFT_MOVEMENT,
    Placement.HOWELL,
    Placement.BEST_WITH_BEST,
    Placement.FINAL,
)


def one_stage(*placements, **fields):
    stage = StagePlan(rounds=len(placements), deals=4, placements=placements)
    return Format(name="ours", stages=(stage,), **fields)


def codes(plan, entries):
    return {problem.code for problem in problems(plan, entries)}


def what_blocks(plan, entries):
    return {problem.code for problem in problems(plan, entries) if problem.blocks}


@pytest.mark.parametrize(
    ("preset", "rounds", "deals"),
    [
        ("6x4", 6, 24),
        ("5x5", 5, 25),
        ("3x8", 3, 24),
        ("5x4+12", 6, 24),
        ("5x4+16", 6, 24),
        ("5x4+20", 6, 24),
        ("5x5+5x1", 10, 30),
        ("2 sessions", 10, 40),
        ("3x60min", 3, None),
    ],
)
def test_the_formats_of_the_manual_have_its_rounds_and_deals(preset, rounds, deals):
    assert PRESETS[preset].rounds == rounds
    assert PRESETS[preset].deals == deals


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_works_with_68_players(preset):
    assert problems(PRESETS[preset], 68) == ()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_format_survives_the_journey_through_json(preset):
    plan = replace(PRESETS[preset], leftovers=Leftovers.FIVES)

    assert format_from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_a_factor_survives_the_journey_exactly():
    plan = Format(
        name="a third",
        stages=(StagePlan(rounds=1, deals=4), StagePlan(rounds=1, deals=4, carried=Fraction(1, 3))),
    )

    assert format_from_json(plan.to_json()).stages[1].carried == Fraction(1, 3)


def test_a_format_is_changed_by_making_another():
    with pytest.raises(FrozenInstanceError):
        PRESETS["6x4"].name = "mine"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rounds": 0, "deals": 4}, "rounds_outside"),
        ({"rounds": 51, "deals": 4}, "rounds_outside"),
        ({"rounds": 5, "deals": 0}, "deals_outside"),
        ({"rounds": 5, "minutes": 0}, "minutes_outside"),
        ({"rounds": 5}, "deals_or_minutes"),
        ({"rounds": 5, "deals": 4, "minutes": 60}, "deals_or_minutes"),
        ({"rounds": 5, "deals": 4, "best": 2}, "best_outside"),
        ({"rounds": 5, "deals": 4, "placements": (DRAWN, BEST)}, "placements"),
        ({"rounds": 5, "deals": 4, "placements": ()}, "placements"),
        ({"rounds": 5, "deals": 4, "carried": Fraction(3, 2)}, "carry_factor"),
        ({"rounds": 5, "deals": 4, "carried": Fraction(-1, 2)}, "carry_factor"),
        ({"rounds": 5, "deals": 4, "breaks_after": (6,)}, "breaks_after"),
        ({"rounds": 5, "deals": 4, "breaks_after": (3, 2)}, "breaks_after"),
    ],
)
def test_a_stage_that_cannot_be_played_is_refused(fields, code):
    with pytest.raises(Illegal) as refusal:
        StagePlan(**fields)

    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"stages": ()}, "stages"),
        ({"stages": (StagePlan(rounds=1, deals=4, best=12),)}, "best_of_nothing"),
        ({"stages": (StagePlan(rounds=1, deals=4),), "team_size": 3}, "team_size"),
    ],
)
def test_a_format_that_cannot_be_played_is_refused(fields, code):
    with pytest.raises(Illegal) as refusal:
        Format(name="ours", **fields)

    assert refusal.value.code == code


def changed(**fields):
    return {**PRESETS["6x4"].to_json(), **fields}


def with_stage(**fields):
    stage = {**PRESETS["6x4"].to_json()["stages"][0], **fields}
    return changed(stages=[stage])


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], "format"),
        (changed(version=2), "version"),
        (changed(stages="6x4"), "stages"),
        (changed(stages=[7]), "stages"),
        (changed(name=7), "name"),
        (changed(colour="green"), "colour"),
        (changed(team_size="two"), "team_size"),
        (changed(leftovers="sixes"), "leftovers"),
        (with_stage(rounds=None), "rounds"),
        (with_stage(rounds=True), "rounds"),
        (with_stage(rounds=6.0), "rounds"),
        (with_stage(placements="drawn"), "placements"),
        (with_stage(placements=["by_chance"]), "placements"),
        (with_stage(carried=0.5), "carried"),
        (with_stage(carried="1/0"), "carried"),
        (with_stage(carried="half"), "carried"),
        (with_stage(breaks_after=["2"]), "breaks_after"),
        (with_stage(hurry=1), "hurry"),
    ],
)
def test_what_is_no_format_is_refused_and_the_field_is_named(data, field):
    with pytest.raises(Unreadable) as refusal:
        format_from_json(data)

    assert refusal.value.field == field
    assert field in refusal.value.message


def test_what_can_be_read_and_not_played_is_refused_too():
    with pytest.raises(RulesError) as refusal:
        format_from_json(with_stage(rounds=99))

    assert refusal.value.code == "rounds_outside"


def test_rounds_are_counted_through_the_stages():
    plan = PRESETS["5x5+5x1"]

    assert [plan.stage_of(number) for number in (1, 5, 6, 10)] == [(1, 1), (1, 5), (2, 1), (2, 5)]
    with pytest.raises(Illegal):
        plan.stage_of(11)


def test_the_best_twenty_play_the_second_stage():
    plan = PRESETS["5x5+5x1"]

    assert [plan.entries_in(stage, 68) for stage in (1, 2)] == [68, 20]


# What will not work


@pytest.mark.parametrize(
    ("preset", "entries", "blocks"),
    [
        ("6x4", 20, {"movement_too_short"}),  # five tables last five positions
        ("6x4", 24, {"movement_too_short"}),  # so do six
        ("6x4", 28, set()),
        ("5x5", 20, set()),
        ("5x5", 16, {"movement_needs_five_tables"}),
        ("5x4+20", 16, {"movement_needs_five_tables", "fewer_than_the_best"}),
        ("3x60min", 12, set()),
        ("6x4", 2, {"too_few_entries"}),
        ("6x4", 0, {"too_few_entries"}),
    ],
)
def test_what_cannot_be_played_with_so_many_is_known_before_the_start(preset, entries, blocks):
    assert what_blocks(PRESETS[preset], entries) == blocks


def test_the_movement_is_said_to_be_too_short_with_what_it_lasts():
    (problem,) = problems(PRESETS["6x4"], 20)

    assert problem.reason.in_english() == (
        "Stage 1 plans 6 positions of the movement; with 5 tables it lasts 5."
    )


@pytest.mark.parametrize(
    ("placements", "resumed"),
    [
        ((MOVEMENT, MOVEMENT, DRAWN), False),
        ((MOVEMENT, BEST, MOVEMENT), True),
        ((DRAWN, MOVEMENT), True),
        ((FINAL, MOVEMENT, MOVEMENT), False),
        ((MOVEMENT, MOVEMENT, BEST), False),
    ],
)
def test_the_movement_cannot_be_resumed_after_another_placement(placements, resumed):
    assert ("movement_resumed" in what_blocks(one_stage(*placements), 68)) is resumed


@pytest.mark.parametrize(("entries", "fits"), [(11, False), (12, True), (13, False), (16, True)])
def test_the_howell_grids_are_for_12_and_16(entries, fits):
    assert ("howell_wrong_number" not in what_blocks(one_stage(*[HOWELL] * 5), entries)) is fits


def test_the_howell_grid_of_16_has_five_positions():
    assert "howell_too_short" in what_blocks(one_stage(*[HOWELL] * 6), 16)
    assert "howell_too_short" not in what_blocks(one_stage(*[HOWELL] * 6), 12)


@pytest.mark.parametrize("placement", [DRAWN, BEST, HOWELL])
@pytest.mark.parametrize("size", [2, 4])
def test_teams_may_not_be_drawn_nor_placed_by_the_ranking(placement, size):
    assert "teams_forbid_placement" in what_blocks(one_stage(placement, team_size=size), 16)
    assert "teams_forbid_placement" not in what_blocks(one_stage(MOVEMENT, team_size=size), 68)


def test_teams_leave_out_position_one_and_the_movement_lasts_one_less():
    assert "movement_too_short" in what_blocks(one_stage(*[MOVEMENT] * 7, team_size=2), 28)
    assert "movement_too_short" not in what_blocks(one_stage(*[MOVEMENT] * 7), 28)


def test_unfinished_teams_are_pointed_out():
    assert "teams_incomplete" in codes(one_stage(MOVEMENT, team_size=4), 70)


@pytest.mark.parametrize(
    ("leftovers", "entries", "code"),
    [
        (Leftovers.FIVES, 21, "tables_of_five_not_homologable"),
        (Leftovers.FIVE_OF_FOUR, 21, "tables_of_five_not_homologable"),
        (Leftovers.THREES, 5, "tables_of_five_not_homologable"),
        (Leftovers.SIT_OUT, 21, "sitting_out_not_homologable"),
    ],
)
def test_tables_of_five_and_sitting_out_are_not_homologable(leftovers, entries, code):
    assert code in codes(one_stage(DRAWN, leftovers=leftovers), entries)
    assert code not in codes(one_stage(DRAWN, leftovers=leftovers), 24)


def test_the_movement_has_tables_of_three_only():
    plan = one_stage(MOVEMENT, leftovers=Leftovers.FIVES)

    assert "movement_without_fives" in what_blocks(plan, 21)
    assert "movement_without_fives" not in what_blocks(plan, 24)


def test_tables_of_three_that_cannot_be_spread_are_pointed_out():
    assert "threes_unavoidable" in codes(PRESETS["5x5"], 18)
    assert "threes_unavoidable" not in codes(PRESETS["5x5"], 66)


def test_a_final_is_seeded_in_its_first_round_and_fills_its_tables():
    assert "final_only_first" in what_blocks(one_stage(DRAWN, FINAL), 16)
    assert "final_wrong_number" in what_blocks(one_stage(FINAL), 18)


def test_a_final_that_the_federation_does_not_know_is_pointed_out():
    plan = Format(
        name="ours", stages=(StagePlan(rounds=3, deals=4), StagePlan(rounds=1, deals=4, best=8))
    )

    assert codes(plan, 40) == {"unusual_final"}


def test_rounds_in_which_some_must_meet_again_are_pointed_out():
    assert "meetings_unavoidable" in codes(one_stage(*[DRAWN] * 6), 16)
    assert "meetings_unavoidable" not in codes(one_stage(*[DRAWN] * 5), 16)
