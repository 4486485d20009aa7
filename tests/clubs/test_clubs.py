"""A club's settings and seasons; the first page."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.exceptions import ValidationError

from clubs import actions
from clubs.models import Publication, Season
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, SeasonFactory

SETTINGS = {
    "name": "Les Remparts de Saint-Malo",
    "town": "Saint-Malo",
    "about": "Thursdays at eight.",
    "language": "fr",
    "publication": "public",
}
SEASON = {
    "name": "Summer cup",
    "starts_on": "2027-06-01",
    "ends_on": "2027-08-31",
    "publication": "club",
}


class TestSettings:
    def test_an_owner_changes_what_the_club_says_and_who_sees_it(self, club, owner_client):
        slug = club.slug

        response = owner_client.post(f"/clubs/{slug}/settings/", SETTINGS)

        club.refresh_from_db()
        assert response.url == f"/clubs/{slug}/settings/"
        assert (club.name, club.language, club.is_public) == (SETTINGS["name"], "fr", True)
        assert club.slug == slug

    @pytest.mark.parametrize(
        "change", [{"name": ""}, {"language": "tlh"}, {"publication": "nobody"}]
    )
    def test_settings_that_cannot_be_are_refused(self, club, owner_client, change):
        response = owner_client.post(f"/clubs/{club.slug}/settings/", {**SETTINGS, **change})

        before = club.name
        club.refresh_from_db()
        assert response.status_code == 422
        assert club.name == before
        assert f"{before}, Saint-Malo" in response.text

    def test_the_action_checks_again(self, club):
        with pytest.raises(ValidationError):
            actions.change_club(
                club=club, name="x", town="", about="", language="tlh", publication="club"
            )


class TestSeasons:
    def test_a_director_adds_a_season_that_lies_within_another(self, club, season, director_client):
        response = director_client.post(f"/clubs/{club.slug}/seasons/new/", SEASON)

        assert response.url == f"/clubs/{club.slug}/seasons/"
        assert club.seasons.current(date(2027, 7, 14)).name == "Summer cup"
        assert club.seasons.current(date(2026, 11, 29)) == season

    def test_a_day_without_a_season_has_none(self, club, season):
        assert club.seasons.current(date(2030, 1, 1)) is None

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"ends_on": "2027-05-31"}, "cannot come before the first"),
            ({"name": "SEASON 1"}, "already has a season of this name"),
            ({"starts_on": "soon"}, "Enter a valid date"),
            ({"name": ""}, "This field is required"),
        ],
    )
    def test_a_season_that_cannot_be_is_refused_with_the_reason(
        self, club, director_client, change, reason
    ):
        SeasonFactory(club=club, name="Season 1")

        response = director_client.post(f"/clubs/{club.slug}/seasons/new/", {**SEASON, **change})

        assert response.status_code == 422
        assert reason in response.text
        assert club.seasons.count() == 1

    def test_a_director_publishes_the_ranking_of_a_season(self, club, season, director_client):
        page = director_client.get(f"/seasons/{season.pk}/edit/").text
        response = director_client.post(
            f"/seasons/{season.pk}/edit/", {**SEASON, "publication": "public"}
        )

        season.refresh_from_db()
        assert 'value="2026-09-01"' in page
        assert response.url == f"/clubs/{club.slug}/seasons/"
        assert (season.name, season.publication) == ("Summer cup", Publication.PUBLIC)

    def test_a_season_does_not_take_the_name_of_another(self, club, season, director_client):
        SeasonFactory(club=club, name="Summer cup")

        response = director_client.post(f"/seasons/{season.pk}/edit/", SEASON)

        assert response.status_code == 422
        assert "already has a season of this name" in response.text

    def test_a_season_keeps_its_name_when_only_the_days_change(self, club, season, director_client):
        response = director_client.post(
            f"/seasons/{season.pk}/edit/", {**SEASON, "name": season.name}
        )

        assert response.status_code == 302

    def test_a_club_without_a_season_is_told_what_to_do(self, club, director_client):
        page = director_client.get(f"/clubs/{club.slug}/seasons/").text

        assert "There is no season yet" in page

    def test_a_member_sees_the_seasons_and_changes_none(self, club, season, member_client):
        page = member_client.get(f"/clubs/{club.slug}/seasons/").text

        assert season.name in page
        assert "/edit/" not in page

    @pytest.mark.parametrize("number", [1, 3])
    def test_more_seasons_ask_no_more_of_the_database(
        self, club, director_client, number, django_assert_num_queries
    ):
        SeasonFactory.create_batch(number, club=club)

        with django_assert_num_queries(7):
            director_client.get(f"/clubs/{club.slug}/seasons/")

    def test_seasons_have_a_total_order(self, club):
        assert Season.objects.latest_first().totally_ordered


class TestFirstPage:
    def test_a_visitor_finds_the_public_clubs_alone(self, anonymous_client, club):
        ClubFactory(name="Les Dunes", publication=Publication.PUBLIC)

        page = anonymous_client.get("/").text

        assert "Les Dunes" in page
        assert club.name not in page
        assert "Start a club" in page

    def test_a_member_finds_the_own_club_once_with_the_role(self, scorer_client, club):
        club.publication = Publication.PUBLIC
        club.save()

        page = scorer_client.get("/").text

        assert page.count(f"<strong>{club.name}</strong>") == 1
        assert page.count(club.name) == 1
        assert "scorer" in page

    def test_who_has_left_a_club_finds_it_among_the_others(self, member, member_client, club):
        club.publication = Publication.PUBLIC
        club.save()
        actions.make_guest(player=member.players.get(), on=date(2026, 11, 29))

        page = member_client.get("/").text

        assert "You belong to no club yet." in page
        assert club.name in page

    @pytest.mark.parametrize("number", [1, 3])
    def test_more_clubs_ask_no_more_of_the_database(
        self, member, member_client, number, django_assert_num_queries
    ):
        for _ in range(number):
            ClubFactory(publication=Publication.PUBLIC)
            MembershipFactory(player=PlayerFactory(account=member))

        # Session, account, own clubs, public clubs.
        with django_assert_num_queries(4):
            member_client.get("/")
