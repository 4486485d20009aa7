"""Planning a tournament from a format, and changing its stages until they begin."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tournaments import actions
from tournaments.models import Entry, Event, Placement, Round, Stage
from tournaments.outlook import outlook
from tournaments.presets import PRESETS, stages_of
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season) -> Event:
    return EventFactory(season=season, kind=Event.Kind.TOURNAMENT)


def stage_of(event: Event, **plan) -> Stage:
    plan = {"rounds_planned": 5, "deals_per_round": 4, "placement": Placement.FFT} | plan
    return actions.add_stage(event=event, by=None, **plan)


def answers_of(code: str) -> dict[str, object]:
    """What the page of a format sends when nothing but the date is typed."""
    preset = next(preset for preset in PRESETS if preset.code == code)
    stages = stages_of(preset)
    sent: dict[str, object] = {
        "starts_at": "2026-12-05T14:00",
        "leftovers": "threes",
        "publication": "club",
        "missed_rounds": "nothing",
        "stages-TOTAL_FORMS": len(stages),
        "stages-INITIAL_FORMS": len(stages),
        "stages-MIN_NUM_FORMS": 1,
        "stages-MAX_NUM_FORMS": 9,
    }
    for at, stage in enumerate(stages):
        sent |= {f"stages-{at}-{name}": v for name, v in stage.items() if v is not None}
    return sent


@pytest.mark.parametrize("code", [preset.code for preset in PRESETS])
def test_every_format_plans_a_tournament_with_nothing_but_a_date(club, director_client, code):
    address = f"{reverse('create-tournament', args=[club.slug])}?format={code}"
    assert director_client.get(address).status_code == 200

    response = director_client.post(address, answers_of(code))

    assert response.status_code == 302, response.context["form"].errors
    event = Event.objects.get()
    assert event.is_tournament
    assert event.stages.count() == len(
        next(preset for preset in PRESETS if preset.code == code).stages
    )
    assert director_client.get(reverse("stages", args=[event.pk])).status_code == 200


def test_each_part_of_a_format_can_be_changed_before_it_is_planned(club, director_client):
    address = f"{reverse('create-tournament', args=[club.slug])}?format=two-sessions"

    director_client.post(
        address,
        answers_of("two-sessions") | {"stages-0-rounds_planned": 4, "stages-1-carried": "1/3"},
    )

    first, second = Event.objects.get().stages.all()
    assert first.rounds_planned == 4
    assert (second.carried_numerator, second.carried_denominator) == (1, 3)


@pytest.mark.parametrize(
    ("typed", "share"), [("1", (1, 1)), ("0", (0, 1)), ("50%", (1, 2)), ("0,5", (1, 2))]
)
def test_a_share_is_written_as_people_write_it(club, director_client, typed, share):
    address = f"{reverse('create-tournament', args=[club.slug])}?format=6x4"

    director_client.post(address, answers_of("6x4") | {"stages-0-carried": typed})

    stage = Stage.objects.get()
    assert (stage.carried_numerator, stage.carried_denominator) == share


@pytest.mark.parametrize(
    "wrong",
    [
        {"stages-0-minutes_per_round": "60"},
        {"stages-0-deals_per_round": ""},
        {"stages-0-carried": "half"},
        {"stages-0-carried": "1/0"},
        {"stages-0-carried": "2"},
        {"stages-0-qualifiers": "12"},
        {"stages-0-rounds_planned": "0"},
        {"stages-TOTAL_FORMS": "many"},
        {"starts_at": "tomorrow"},
    ],
)
def test_what_cannot_be_is_refused_and_plans_nothing(club, director_client, wrong):
    address = f"{reverse('create-tournament', args=[club.slug])}?format=6x4"

    response = director_client.post(address, answers_of("6x4") | wrong)

    assert response.status_code == 422
    assert not Event.objects.exists()


@pytest.mark.parametrize("count", ["many", "0", "10"])
def test_stages_that_cannot_be_counted_are_refused_in_words(club, director_client, count):
    address = f"{reverse('create-tournament', args=[club.slug])}?format=6x4"

    page = director_client.post(address, answers_of("6x4") | {"stages-TOTAL_FORMS": count})

    assert page.status_code == 422
    assert "A tournament has from 1 to 9 stages." in page.text
    assert 'name="stages-0-rounds_planned"' in page.text


def test_an_answer_with_nothing_in_it_is_refused(club, director_client):
    address = f"{reverse('create-tournament', args=[club.slug])}?format=6x4"

    assert director_client.post(address).status_code == 422


def test_a_double_press_plans_one_tournament(club, director_client):
    address = f"{reverse('create-tournament', args=[club.slug])}?format=6x4"
    key = "7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a"

    for _ in range(2):
        director_client.post(address, answers_of("6x4") | {"entry_key": key})

    assert Event.objects.count() == 1
    assert Stage.objects.count() == 1


def test_a_stage_that_has_begun_keeps_what_was_announced(tournament):
    enter(tournament, 20)
    stage = stage_of(tournament)
    actions.publish_round(proposal=actions.place_round(event=tournament, by=None), by=None)

    with pytest.raises(Conflict) as refusal:
        actions.change_stage(stage=stage, by=None, deals_per_round=5)

    assert refusal.value.code == "stage_begun"
    assert actions.change_stage(stage=stage, by=None, rounds_planned=4).rounds_planned == 4
    with pytest.raises(ValidationError):
        actions.change_stage(stage=stage, by=None, rounds_planned=0)
    with pytest.raises(Conflict):
        actions.remove_stage(stage=stage, by=None)


def test_a_changed_stage_drops_its_unpublished_draw(tournament):
    enter(tournament, 20)
    stage = stage_of(tournament)
    actions.place_round(event=tournament, by=None)

    actions.change_stage(stage=stage, by=None, deals_per_round=5)

    assert not Round.objects.exists()


def test_a_tournament_keeps_at_least_one_stage(tournament):
    stage = stage_of(tournament)

    with pytest.raises(ValidationError) as refusal:
        actions.remove_stage(stage=stage, by=None)

    assert refusal.value.code == "no_stage"


def test_a_final_says_how_many_qualify(tournament):
    stage_of(tournament)

    with pytest.raises(ValidationError) as refusal:
        stage_of(tournament, placement=Placement.FINAL)

    assert refusal.value.code == "final_without_cut"


def test_what_a_missed_round_counts_is_settled_when_the_first_round_starts(tournament):
    enter(tournament, 8)
    stage_of(tournament, placement=Placement.DRAWN)
    actions.change_event(event=tournament, by=None, missed_rounds="fixed", missed_points=-40)
    actions.publish_round(proposal=actions.place_round(event=tournament, by=None), by=None)

    with pytest.raises(Conflict) as refusal:
        actions.change_event(event=tournament, by=None, missed_rounds="average")

    assert refusal.value.code == "missed_rounds_announced"


def test_more_places_let_the_first_who_wait_in(tournament):
    actions.change_event(event=tournament, by=None, most_entries=3)
    enter(tournament, 5)

    actions.change_event(event=tournament, by=None, most_entries=4)

    waiting = tournament.entries.filter(state=Entry.State.WAITING)
    assert list(waiting.values_list("number", flat=True)) == [5]


def test_there_are_never_fewer_places_than_players_who_hold_one(tournament):
    enter(tournament, 5)

    with pytest.raises(ValidationError) as refusal:
        actions.change_event(event=tournament, by=None, most_entries=4)

    assert refusal.value.messages == [
        "5 players hold a place already: there cannot be fewer places."
    ]
    assert actions.change_event(event=tournament, by=None, most_entries=5).most_entries == 5


def test_what_becomes_of_those_left_over_is_settled_when_the_first_round_starts(tournament):
    enter(tournament, 9)
    stage_of(tournament, placement=Placement.DRAWN)
    actions.change_event(event=tournament, by=None, leftovers="sit_out")
    actions.publish_round(proposal=actions.place_round(event=tournament, by=None), by=None)

    with pytest.raises(Conflict) as refusal:
        actions.change_event(event=tournament, by=None, leftovers="fives")

    assert refusal.value.code == "leftovers_announced"


def test_the_page_of_the_plan_says_why_places_cannot_be_fewer(tournament, director_client):
    enter(tournament, 5)
    plan = {
        "starts_at": "2026-12-03T20:15", "leftovers": "threes", "publication": "club",
        "most_entries": "3", "missed_rounds": tournament.missed_rounds, "missed_points": "0",
    }  # fmt: skip

    answer = director_client.post(reverse("edit-event", args=[tournament.pk]), plan)

    assert answer.status_code == 422
    assert "5 players hold a place already: there cannot be fewer places." in answer.text


# What is shown before the start


@pytest.mark.parametrize(
    ("players", "rounds", "said"),
    [
        (20, 5, "The movement lasts 5 positions"),
        (68, 6, "The movement lasts 7 positions"),
        (18, 5, "2 tables play by 3, without a North."),
    ],
)
def test_how_long_the_movement_lasts_is_said_before_the_start(tournament, players, rounds, said):
    enter(tournament, players)
    stage_of(tournament, rounds_planned=rounds)

    [found] = outlook(tournament)

    assert said in " ".join(found.sentences)
    assert found.fits


@pytest.mark.parametrize(
    ("players", "plan", "problem"),
    [
        (20, {"rounds_planned": 6}, "from position 6 on players meet again"),
        (12, {}, "needs at least 5 tables"),
        (14, {"placement": Placement.HOWELL}, "12 or 16 players"),
        (16, {"placement": Placement.HOWELL, "rounds_planned": 6}, "plan fewer"),
        (2, {"placement": Placement.DRAWN}, "at least 3 players"),
    ],
)
def test_what_does_not_fit_is_said_before_the_start(tournament, players, plan, problem):
    enter(tournament, players)
    stage_of(tournament, **plan)

    [found] = outlook(tournament)

    assert problem in " ".join(found.problems)


def test_teams_of_two_sizes_are_noticed(tournament):
    for n, team in enumerate("AABBBB"):
        actions.enter_player(
            event=tournament, by=None, name=f"Joueur n{n:03d} Zed", team=team,
            despite_namesakes=True,
        )  # fmt: skip
    stage_of(tournament)

    [found] = outlook(tournament)

    assert "Some teams have two players and others four." in found.problems


# The draw of a tournament on its page


def test_the_director_places_a_round_and_starts_it(tournament, director_client):
    enter(tournament, 20)
    stage_of(tournament)
    page = director_client.get(reverse("draw", args=[tournament.pk]))
    assert "The movement lasts 5 positions" in page.content.decode()

    director_client.post(reverse("draw-round", args=[tournament.pk]), {"placement": ""})
    proposal = Round.objects.get()
    shown = director_client.get(reverse("draw", args=[tournament.pk])).content.decode()
    director_client.post(reverse("publish-round", args=[tournament.pk]), {"round": proposal.pk})

    assert "The federation’s movement" in shown
    proposal.refresh_from_db()
    assert (proposal.state, proposal.placement) == (Round.State.PLAYING, Placement.FFT)


def test_a_refused_placing_says_why_and_leaves_a_way_on(tournament, director_client):
    enter(tournament, 12)
    stage_of(tournament)

    response = director_client.post(reverse("draw-round", args=[tournament.pk]), {})

    page = response.content.decode()
    assert response.status_code == 422
    assert "3 is too few" in page
    assert 'name="placement"' in page
    assert not Round.objects.exists()


def test_a_timed_round_knows_its_minutes(tournament):
    enter(tournament, 8)
    stage_of(
        tournament, placement=Placement.DRAWN, deals_per_round=None, minutes_per_round=60
    )  # fmt: skip

    drawn = actions.place_round(event=tournament, by=None)

    assert drawn.minutes == 60
    assert drawn.tables.first().deals_planned == 30
    assert drawn.drawn_at <= timezone.now()


def test_a_timed_round_counts_its_deals_and_plans_none(tournament, director_client):
    enter(tournament, 8)
    stage_of(
        tournament, placement=Placement.DRAWN, deals_per_round=None, minutes_per_round=60
    )  # fmt: skip
    actions.publish_round(proposal=actions.place_round(event=tournament, by=None), by=None)

    board = director_client.get(reverse("tables", args=[tournament.pk])).text

    assert 'class="pips"' not in board
    assert "of 30 deals" not in board
    assert "0 deals" in board


def test_a_stage_without_a_name_is_called_by_its_number(tournament):
    assert str(stage_of(tournament, number=2, name="")) == "Stage 2"


def test_after_the_last_round_the_next_step_is_the_ranking(tournament, director_client):
    enter(tournament, 8)
    stage_of(tournament, placement=Placement.DRAWN, rounds_planned=1)
    started = actions.publish_round(
        proposal=actions.place_round(event=tournament, by=None), by=None
    )
    tables = list(started.tables.values_list("number", flat=True))
    actions.close_round(this_round=started, by=None, without=tables)

    page = director_client.get(reverse("event", args=[tournament.pk])).text

    assert "Draw the tables of round 2" not in page
    assert "All the rounds have been played: look at the ranking" in page


def test_the_page_of_a_draw_carries_what_it_was_made_from(tournament, director_client):
    enter(tournament, 8)
    stage_of(tournament, placement=Placement.DRAWN)
    page = reverse("draw", args=[tournament.pk])
    draw = reverse("draw-round", args=[tournament.pk])
    assert 'name="instead" value="0"' in director_client.get(page).text

    director_client.post(draw, {"instead": "0"})
    answer = director_client.post(draw, {"instead": "0", "seed": "4000000"})

    standing = Round.objects.get()
    assert answer.status_code == 409
    assert standing.seed != 4_000_000
    assert f'name="instead" value="{standing.pk}"' in answer.text
