"""Plans that come to nothing, dates that are slips, seasons that share their days."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from clubs import actions as club_actions
from clubs.models import Publication, Season
from scoring import actions as scoring_actions
from tests.factories import EntryFactory, EventFactory, RoundFactory, SeasonFactory, TableFactory
from tournaments import actions
from tournaments.models import Event

pytestmark = pytest.mark.django_db

THURSDAY = datetime(2026, 12, 3, 19, 15, tzinfo=UTC)
ANSWERS = {
    "starts_at": "2026-12-03T20:15",
    "deals_per_round": "5",
    "leftovers": "threes",
    "publication": "club",
}


def test_an_evening_without_a_round_is_cancelled_with_all_that_was_prepared(
    director_client, proposal
):
    event = proposal.event

    answer = director_client.post(reverse("cancel-event", args=[event.pk]), follow=True)

    assert answer.redirect_chain == [(f"/clubs/{event.club.slug}/evenings/", 302)]
    assert "Club night is cancelled." in answer.text
    assert not Event.objects.exists()
    assert event.club.players.count() > 8


def test_cancelling_twice_finds_the_evening_gone(evening):
    for _ in range(2):
        actions.cancel_event(event=evening)

    assert not Event.objects.exists()


def test_an_evening_of_which_a_round_was_started_stays(director_client, playing):
    answer = director_client.post(reverse("cancel-event", args=[playing.event_id]))

    assert answer.status_code == 409
    assert "A round has been started" in answer.text
    assert Event.objects.get() == playing.event


def test_the_plan_offers_to_cancel_as_long_as_nothing_was_played(director_client, season):
    planned, played = EventFactory.create_batch(2, season=season)
    RoundFactory(event=played)

    pages = [
        director_client.get(reverse("edit-event", args=[e.pk])).text for e in (planned, played)
    ]

    assert ['id="cancel-event"' in page for page in pages] == [True, False]


def test_an_evening_without_a_round_is_not_closed(evening, director):
    EntryFactory(event=evening)

    with pytest.raises(ValidationError) as refusal:
        scoring_actions.close_event(event=evening, by=director)

    assert refusal.value.code == "nothing_played"
    evening.refresh_from_db()
    assert not evening.is_closed


@pytest.mark.parametrize("years", [3, 73])
def test_a_date_years_ahead_is_refused_before_a_season_is_opened(director_client, club, years):
    far = f"{timezone.localdate().year + years}-12-03T20:15"

    answer = director_client.post(
        f"/clubs/{club.slug}/evenings/new/", {**ANSWERS, "starts_at": far}
    )

    assert answer.status_code == 422
    assert "two years ahead at most" in answer.text
    assert not Season.objects.exists()


def test_an_evening_is_not_moved_years_ahead_either(evening):
    with pytest.raises(ValidationError) as refusal:
        actions.change_event(
            event=evening, by=None, starts_at=timezone.now() + timedelta(days=1000)
        )

    assert refusal.value.code == "far_ahead"


def test_a_season_that_the_plan_opens_is_seen_by_those_who_saw_the_last_one(club):
    SeasonFactory(
        club=club,
        starts_on=date(2025, 9, 1),
        ends_on=date(2026, 8, 31),
        publication=Publication.CLUB,
    )
    club.publication = Publication.PUBLIC
    club.save()

    event = actions.create_event(club=club, starts_at=THURSDAY, by=None)

    assert event.season.publication == Publication.CLUB


def test_a_season_without_evenings_is_deleted(director_client, season):
    page = director_client.get(reverse("edit-season", args=[season.pk])).text
    answer = director_client.post(reverse("delete-season", args=[season.pk]), follow=True)

    assert 'id="delete-season"' in page
    assert "The season is deleted." in answer.text
    assert not Season.objects.exists()


def test_a_season_with_evenings_stays(director_client, evening):
    address = reverse("edit-season", args=[evening.season_id])
    page = director_client.get(address).text
    answer = director_client.post(reverse("delete-season", args=[evening.season_id]), follow=True)

    assert 'id="delete-season"' not in page
    assert "has evenings: it stays." in answer.text
    assert Season.objects.get() == evening.season


@pytest.fixture
def cup(season: Season) -> Season:
    """A cup in December, within the season of the year."""
    return SeasonFactory(
        club=season.club, name="Cup", starts_on=date(2026, 12, 1), ends_on=date(2026, 12, 31)
    )


def test_of_several_seasons_the_director_chooses_one(director_client, season, cup):
    address = f"/clubs/{season.club.slug}/evenings/new/"

    page = director_client.get(address).text
    director_client.post(address, {**ANSWERS, "season": season.pk})

    assert 'name="season"' in page
    assert Event.objects.get().season == season


def test_without_a_choice_the_season_that_began_last_has_the_evening(season, cup):
    assert actions.create_event(club=season.club, starts_at=THURSDAY, by=None).season == cup


def test_a_season_that_does_not_contain_the_date_is_refused(director_client, season, cup):
    answer = director_client.post(
        f"/clubs/{season.club.slug}/evenings/new/",
        {**ANSWERS, "starts_at": "2027-01-07T20:15", "season": cup.pk},
    )

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["season"]


def test_the_season_of_another_club_is_refused(season):
    other = SeasonFactory()

    with pytest.raises(ValidationError) as refusal:
        actions.create_event(club=season.club, starts_at=THURSDAY, by=None, season=other)

    assert list(refusal.value.message_dict) == ["season"]


def test_one_season_after_the_other_leaves_no_choice(director_client, season):
    SeasonFactory(club=season.club, starts_on=date(2027, 9, 1), ends_on=date(2028, 8, 31))

    page = director_client.get(f"/clubs/{season.club.slug}/evenings/new/").text

    assert 'name="season"' not in page


def test_an_evening_moved_within_its_season_stays_in_it(season, cup):
    event = EventFactory(season=season, starts_at=THURSDAY)

    moved = actions.change_event(event=event, by=None, starts_at=THURSDAY + timedelta(days=7))

    assert moved.season == season


def test_an_evening_changes_its_season(director_client, season, cup):
    event = EventFactory(season=season, starts_at=THURSDAY)

    director_client.post(
        reverse("edit-event", args=[event.pk]), {**ANSWERS, "season": cup.pk, "preset": "fft"}
    )

    event.refresh_from_db()
    assert event.season == cup


def test_a_season_does_not_move_away_from_its_evenings(director_client, season):
    EventFactory(season=season, starts_at=THURSDAY, title="Saint Nicolas")

    answer = director_client.post(
        reverse("edit-season", args=[season.pk]),
        {
            "name": "2030",
            "starts_on": "2030-09-01",
            "ends_on": "2031-08-31",
            "publication": "club",
        },
    )

    season.refresh_from_db()
    assert answer.status_code == 422
    assert "1 of its evenings: Saint Nicolas of 3 Dec 2026." in answer.text
    assert season.starts_on == date(2026, 9, 1)


def test_of_many_evenings_the_refusal_names_the_first(season):
    EventFactory.create_batch(9, season=season, starts_at=THURSDAY)

    with pytest.raises(ValidationError) as refusal:
        club_actions.change_season(
            season=season,
            name="2030",
            starts_on=date(2030, 9, 1),
            ends_on=date(2031, 8, 31),
            publication="club",
        )

    assert refusal.value.messages[0].startswith("The season would no longer contain 9 of its")
    assert refusal.value.messages[0].count("Club night") == 8


def test_the_page_of_a_closed_evening_calls_nothing_live(member_client, season):
    event = EventFactory(season=season, closed=True)
    TableFactory(round=RoundFactory(event=event, closed=True))
    event.entries.update(place=1, deals_played=5)

    page = member_client.get(event.get_absolute_url()).text

    assert "Live standings" not in page
    assert "?projector" in page
