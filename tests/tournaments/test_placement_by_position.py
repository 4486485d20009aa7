"""A stage places its players as it says, and single positions in another way."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tournaments import actions
from tournaments.checking import check_event
from tournaments.models import Event, Placement, Round, Stage
from tournaments.outlook import outlook
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season) -> Event:
    return EventFactory(season=season, kind=Event.Kind.TOURNAMENT)


def planned(event: Event, **plan) -> Stage:
    plan = {"rounds_planned": 6, "deals_per_round": 4, "placement": Placement.FFT} | plan
    return actions.add_stage(event=event, by=None, **plan)


def play(event: Event, **how) -> Round:
    drawn = actions.place_round(event=event, by=None, seed=4821, **how)
    started = actions.publish_round(proposal=drawn, by=None)
    numbers = list(started.tables.values_list("number", flat=True))
    return actions.close_round(this_round=started, by=None, without=numbers)


def answers(stage: Stage, **changed) -> dict[str, object]:
    """What the form of a stage sends, with some answers changed."""
    sent = {
        "name": stage.name,
        "rounds_planned": stage.rounds_planned,
        "deals_per_round": stage.deals_per_round,
        "placement": stage.placement,
        "carried": "1",
        "session": 1,
    } | changed
    return {f"stage-{stage.pk}-{name}": value for name, value in sent.items()}


def test_five_positions_follow_the_movement_and_the_sixth_the_ranking(tournament):
    planned(tournament, placements={"6": Placement.BEST_WITH_BEST})
    enter(tournament, 20)

    ways = [play(tournament).placement for _ in range(6)]

    assert ways == [Placement.FFT] * 5 + [Placement.BEST_WITH_BEST]
    assert all(finding.is_sound for finding in check_event(tournament))


def test_the_movement_need_last_only_as_long_as_it_is_played(tournament):
    planned(tournament, placements={"6": Placement.BEST_WITH_BEST})

    (only,) = outlook(tournament, players=20)

    assert only.fits, only.problems
    assert only.sentences[0].startswith("Positions 1 to 5: 5 tables.")
    assert only.placement_words == (
        "Positions 1 to 5: The federation’s movement · Position 6: Best with best"
    )
    enter(tournament, 20)
    first = actions.place_round(event=tournament, by=None)
    assert "movement_exceeded" not in {reason["code"] for reason in first.reasons}


def test_without_another_way_for_the_sixth_the_outlook_says_that_players_meet_again(tournament):
    planned(tournament)

    (only,) = outlook(tournament, players=20)

    assert "from position 6 on players meet again" in only.problems[0]


@pytest.mark.parametrize("placement", [Placement.FFT, Placement.HOWELL])
def test_a_movement_does_not_come_back_after_a_position_by_lot(tournament, placement):
    with pytest.raises(ValidationError) as refusal:
        planned(tournament, placement=placement, placements={"3": Placement.DRAWN})

    assert refusal.value.code == "movement_resumed"
    assert "Position 4" in refusal.value.messages[0]


def test_a_grid_may_be_followed_by_the_ranking_and_the_lot_in_turn(tournament):
    stage = planned(
        tournament,
        placement=Placement.DRAWN,
        placements={"1": Placement.HOWELL, "2": Placement.HOWELL, "4": Placement.BEST_WITH_BEST},
    )
    enter(tournament, 16)

    for _ in range(stage.rounds_planned):
        play(tournament)

    drawn = list(tournament.rounds.in_order().values_list("placement", flat=True))
    assert drawn == ["howell", "howell", "drawn", "best_with_best", "drawn", "drawn"]
    assert all(finding.is_sound for finding in check_event(tournament))


def test_the_seeds_of_a_final_are_followed_by_the_ranking(tournament):
    planned(tournament, rounds_planned=2)
    planned(
        tournament, rounds_planned=2, placement=Placement.FINAL, qualifiers=12,
        placements={"2": Placement.DRAWN},
    )  # fmt: skip
    enter(tournament, 20)
    for _ in range(2):
        play(tournament)
    tournament.entries.update(place=None)
    for place, entry in enumerate(tournament.entries.by_number(), start=1):
        entry.place = place
        entry.save()

    assert [play(tournament).placement for _ in range(2)] == [Placement.FINAL, Placement.DRAWN]


def test_the_page_of_the_stages_places_a_single_position(director_client, tournament):
    stage = planned(tournament)

    page = director_client.get(reverse("stages", args=[tournament.pk]))
    sent = answers(stage, position_6="best_with_best")
    director_client.post(reverse("change-stage", args=[stage.pk]), sent)

    assert "Place single positions in another way" in page.content.decode()
    stage.refresh_from_db()
    assert stage.placements == {"6": "best_with_best"}
    assert "Position 6: Best with best" in director_client.get(
        reverse("stages", args=[tournament.pk])
    ).content.decode().replace("&#x27;", "’")


def test_the_page_says_which_position_cannot_go_back_to_the_movement(director_client, tournament):
    stage = planned(tournament)

    response = director_client.post(
        reverse("change-stage", args=[stage.pk]), answers(stage, position_2="drawn")
    )

    assert response.status_code == 422
    assert "Position 3 goes back to" in response.content.decode()


def test_single_positions_stay_as_announced_once_the_stage_has_begun(tournament):
    stage = planned(tournament, placements={"6": Placement.BEST_WITH_BEST})
    enter(tournament, 20)
    play(tournament)

    with pytest.raises(Conflict) as refusal:
        actions.change_stage(stage=stage, by=None, placements={"6": Placement.DRAWN})

    assert refusal.value.code == "stage_begun"
    assert "at its draw" in refusal.value.messages[0]


def test_taking_a_position_off_takes_its_own_way_with_it(tournament):
    stage = planned(tournament, placements={"6": Placement.BEST_WITH_BEST})
    enter(tournament, 20)
    play(tournament)

    stage = actions.change_stage(
        stage=stage, by=None, rounds_planned=5, placements={"6": Placement.BEST_WITH_BEST}
    )

    assert stage.placements == {}


def test_a_position_placed_as_its_stage_says_nothing_of_its_own(tournament):
    stage = planned(tournament, placements={"2": Placement.FFT, "9": Placement.DRAWN})

    assert stage.placements == {}


def test_the_draw_names_the_way_that_was_planned_for_this_position(director_client, tournament):
    planned(tournament, rounds_planned=2, placements={"2": Placement.BEST_WITH_BEST})
    enter(tournament, 20)
    play(tournament)

    page = director_client.get(reverse("draw", args=[tournament.pk])).content.decode()

    assert "As planned: Best with best" in page


def test_a_proposal_is_drawn_again_in_the_way_that_was_planned(director_client, tournament):
    planned(tournament)
    enter(tournament, 20)
    first = actions.place_round(event=tournament, by=None)

    answer = director_client.post(
        reverse("draw-round", args=[tournament.pk]),
        {"instead": first.pk, "placement": first.placement, "leftovers": first.leftovers},
    )

    assert answer.status_code == 302
    assert tournament.rounds.get().pk != first.pk
