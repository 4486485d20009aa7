"""A draw that cannot be had as asked names what else can be done, one press each."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tournaments import actions
from tournaments.checking import check_event
from tournaments.models import Entry, Event, Placement, Round, Stage
from tournaments.offers import FINDINGS, REFUSALS, Asked, offers_after
from tournaments.reasons import sentences
from tournaments.seating.reasons import _TEMPLATES as SENTENCES

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season) -> Event:
    return EventFactory(season=season, kind=Event.Kind.TOURNAMENT)


def planned(event: Event, placement: str, *, rounds: int = 6, **more) -> Stage:
    return Stage.objects.create(
        event=event, number=event.stages.count() + 1, rounds_planned=rounds,
        deals_per_round=4, placement=placement, **more,
    )  # fmt: skip


def play(event: Event, **how) -> Round:
    drawn = actions.place_round(event=event, by=None, **how)
    started = actions.publish_round(proposal=drawn, by=None)
    numbers = list(started.tables.values_list("number", flat=True))
    return actions.close_round(this_round=started, by=None, without=numbers)


def draw(client, event: Event, **answers):
    return client.post(reverse("draw-round", args=[event.pk]), answers)


def offered(page: str) -> list[str]:
    """The buttons of the other ways."""
    part = page.partition('id="offers"')[2].partition("</section>")[0]
    return re.findall(r'<button class="btn" aria-label="([^"]*)"', part)


def press(client, event: Event, page: str, words: str):
    """Send the form of one offer, as it stands on the page."""
    part = page.partition('id="offers"')[2].partition("</section>")[0]
    (form,) = [one for one in part.split("</form>") if f'aria-label="{words}"' in one]
    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    return draw(client, event, **{k: v for k, v in hidden if k != "csrfmiddlewaretoken"})


def test_at_the_end_of_the_movement_three_ways_lead_on(director_client, tournament):
    planned(tournament, Placement.FFT)
    enter(tournament, 20)
    for _ in range(5):
        play(tournament)

    refused = draw(director_client, tournament)

    assert refused.status_code == 422
    assert offered(refused.text) == [
        "Place this position by the ranking",
        "Place this position by lot",
        "Go on with the movement",
    ]


@pytest.mark.parametrize(
    ("words", "placement"),
    [
        ("Place this position by the ranking", Placement.BEST_WITH_BEST),
        ("Place this position by lot", Placement.DRAWN),
        ("Go on with the movement", Placement.FFT),
    ],
)
def test_each_way_on_draws_with_one_press(director_client, tournament, words, placement):
    planned(tournament, Placement.FFT)
    enter(tournament, 20)
    for _ in range(5):
        play(tournament)
    refused = draw(director_client, tournament)

    pressed = press(director_client, tournament, refused.text, words)

    assert pressed.status_code == 302
    assert tournament.rounds.get(number=6).placement == placement
    assert all(finding.is_sound for finding in check_event(tournament))


def test_sixteen_who_cannot_follow_the_movement_are_offered_the_grid(director_client, tournament):
    planned(tournament, Placement.FFT, rounds=5)
    enter(tournament, 16)

    refused = draw(director_client, tournament)
    press(director_client, tournament, refused.text, "Follow the Howell grid")

    assert tournament.rounds.get().placement == Placement.HOWELL


def test_a_final_that_does_not_fill_its_tables_goes_by_the_ranking(director_client, tournament):
    planned(tournament, Placement.FFT, rounds=1)
    planned(tournament, Placement.FINAL, rounds=1, qualifiers=14)
    enter(tournament, 20)
    play(tournament)
    for place, entry in enumerate(tournament.entries.by_number(), start=1):
        Entry.objects.filter(pk=entry.pk).update(place=place)

    refused = draw(director_client, tournament)
    press(director_client, tournament, refused.text, "Place this position by the ranking")

    assert tournament.rounds.get(number=2).seats.count() == 14


@pytest.mark.parametrize("placement", [Placement.DRAWN, Placement.BEST_WITH_BEST])
def test_everybody_prohibited_with_everybody_is_refused_with_ways_on(
    director_client, tournament, placement
):
    planned(tournament, placement)
    four = enter(tournament, 4)
    for one, other in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        actions.prohibit_pair(event=tournament, one=four[one], other=four[other], by=None)

    refused = draw(director_client, tournament)
    pressed = press(director_client, tournament, refused.text, "Let those meet who should not")

    assert refused.status_code == 422
    assert pressed.status_code == 302
    (round_,) = tournament.rounds.all()
    assert any(
        said.startswith("For this position the director lets 6 pairs meet that should not")
        for said in sentences(round_.reasons)
    )
    assert tournament.prohibited_pairs.count() == 6


def test_the_next_position_keeps_the_pairs_apart_again(tournament):
    planned(tournament, Placement.DRAWN)
    eight = enter(tournament, 8)
    actions.prohibit_pair(event=tournament, one=eight[0], other=eight[1], by=None)
    play(tournament, without_pairs=True)

    play(tournament)

    together = tournament.rounds.get(number=2).tables.filter(seats__entry=eight[0])
    assert not together.filter(seats__entry=eight[1]).exists()
    assert all(finding.is_sound for finding in check_event(tournament))


def test_ten_who_meet_again_are_offered_the_other_tables(director_client, tournament):
    planned(tournament, Placement.DRAWN)
    enter(tournament, 10)
    play(tournament)
    draw(director_client, tournament)

    page = director_client.get(reverse("draw", args=[tournament.pk])).text
    ways = offered(page)
    press(director_client, tournament, page, "Play at 2 tables of 5")

    assert "Draw again with a new seed" in page
    assert "Play at 2 tables of 4 + 2 sit out" in ways
    sizes = [t.seats.count() for t in tournament.rounds.get(number=2).tables.in_order()]
    assert sizes == [5, 5]


def test_a_draw_that_holds_everything_offers_nothing(director_client, tournament):
    planned(tournament, Placement.FFT, rounds=5)
    enter(tournament, 20)
    draw(director_client, tournament)

    page = director_client.get(reverse("draw", args=[tournament.pk])).text

    assert offered(page) == []


@pytest.mark.parametrize("code", REFUSALS)
def test_teams_are_never_offered_the_lot_or_the_ranking(code):
    asked = Asked(placement=Placement.FFT, players=20, has_teams=True, leftovers="threes")

    ways = offers_after(code, asked)

    assert not {offer.answers.get("placement") for offer in ways} & {"drawn", "best_with_best"}


def test_every_finding_with_another_way_is_something_that_a_draw_says():
    assert FINDINGS.keys() <= SENTENCES.keys() | {"waits_for_a_place"}
