"""A guest who turns out to be on the list already."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs import actions as club_actions
from clubs.models import Membership, Player, Publication
from scoring import actions, tasks
from scoring.models import PlayerResult, Ranking, StaleRanking
from tests.factories import (
    EventFactory,
    InvitationFactory,
    MembershipFactory,
    PlayerFactory,
    RoundFactory,
    TableFactory,
)
from tournaments import actions as tournament_actions
from tournaments.journal import with_sentences

NOW = datetime(2026, 12, 4, 10, 0, tzinfo=UTC)


@pytest.fixture
def guest(club):
    return PlayerFactory(club=club, name="Gaëlle R")


@pytest.fixture
def gaelle(club):
    return MembershipFactory(player__club=club, player__name="Gaëlle Riou").player


def evening_of(*players, season):
    """A closed evening with one table of four at which these players sat."""
    event = EventFactory(season=season, closed=True)
    others = [PlayerFactory(club=season.club) for _ in range(4 - len(players))]
    table = TableFactory(round=RoundFactory(event=event, closed=True), players=[*players, *others])
    seat = table.seats.first()
    seat.entry.points, seat.entry.deals_played, seat.entry.place = 318, 5, 1
    seat.entry.save()
    return event


def merge(guest, into, by=None):
    return actions.merge_players(guest=guest, into=into, by=by, at=NOW)


@pytest.fixture
def published(guest, gaelle, season):
    """The season is public, and names the member since the two were put together."""
    for row in (season.club, season):
        row.publication = Publication.PUBLIC
        row.save()
    evening_of(guest, season=season)
    merge(guest, gaelle)
    tasks.refresh_ranking(season.pk)


def test_the_guest_s_address_leads_to_who_has_the_results(
    published, guest, gaelle, anonymous_client
):
    answer = anonymous_client.get(f"/players/{guest.pk}/")

    assert (answer.status_code, answer.url) == (302, f"/players/{gaelle.pk}/")


def test_the_guest_s_address_leads_on_head_to_head(published, guest, gaelle, anonymous_client):
    other = PlayerFactory(club=gaelle.club)

    first = anonymous_client.get(f"/players/{guest.pk}/with/{other.pk}/")
    second = anonymous_client.get(f"/players/{other.pk}/with/{guest.pk}/")

    assert first.url == f"/players/{gaelle.pk}/with/{other.pk}/"
    assert second.url == f"/players/{other.pk}/with/{gaelle.pk}/"


def test_whom_a_guest_was_put_together_with_may_be_put_together_as_well(
    published, guest, gaelle, anonymous_client, django_assert_num_queries
):
    gaelle = club_actions.make_guest(player=gaelle, on=NOW.date())
    other = PlayerFactory(club=gaelle.club, name="Gaëlle Riou-Le Goff")
    merge(gaelle, other)
    tasks.refresh_ranking(gaelle.club.seasons.get().pk)

    for old in (guest, gaelle):
        # However long the way was.
        with django_assert_num_queries(3):
            answer = anonymous_client.get(f"/players/{old.pk}/")
        assert (answer.status_code, answer.url) == (302, f"/players/{other.pk}/")


def test_who_is_taken_back_leads_to_nobody(published, guest, member_client):
    club_actions.take_back(player=guest)

    assert member_client.get(f"/players/{guest.pk}/").status_code == 200


def test_who_comes_to_the_door_under_an_old_name_is_somebody_again(
    published, guest, season, scorer
):
    event = EventFactory(season=season)

    tournament_actions.add_guest(event=event, name=guest.name, by=scorer)

    guest.refresh_from_db()
    assert (guest.archived_at, guest.put_together_with) == (None, None)


def test_nobody_is_put_together_with_themself_nor_while_on_the_lists(guest, gaelle):
    for fields in (
        {"put_together_with": guest, "archived_at": NOW},
        {"put_together_with": gaelle, "archived_at": None},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.filter(pk=guest.pk).update(**fields)


def test_what_the_journal_told_is_kept_with_the_player(published, guest, gaelle, club, season):
    other = PlayerFactory(club=club, name="Gaëlle Riou-Le Goff")
    merge(club_actions.make_guest(player=gaelle, on=NOW.date()), other)
    taken_back = PlayerFactory(club=club, name="Gaëlle")
    evening_of(taken_back, season=season)
    merge(taken_back, other)
    club_actions.take_back(player=taken_back)
    told = migration("tournaments", "0002_put_together_as_the_journal_tells")
    led = Player.objects.filter(put_together_with__isnull=False)

    told.leave_to_the_journal(apps, None)
    assert not led.exists()
    told.read_from_the_journal(apps, None)

    assert dict(led.values_list("pk", "put_together_with")) == {
        guest.pk: other.pk, gaelle.pk: other.pk,
    }  # fmt: skip


def migration(app: str, name: str):
    return import_module(f"{app}.migrations.{name}")


def test_the_guest_s_address_does_not_lead_to_somebody_whose_name_is_withheld(
    published, guest, gaelle, anonymous_client
):
    club_actions.choose_shown_name(player=gaelle, shown_as="hidden")

    answer = anonymous_client.get(f"/players/{guest.pk}/")

    assert answer.status_code == 404


def test_the_guest_s_evenings_and_seats_go_to_the_member(guest, gaelle, season):
    event = evening_of(guest, season=season)

    merge(guest, gaelle)

    assert list(event.entries.filter(players=gaelle).values_list("points", flat=True)) == [318]
    assert gaelle.seats.count() == 1
    assert not guest.seats.exists()
    assert not guest.entries.exists()


def test_the_season_s_ranking_names_the_member_afterwards(guest, gaelle, season):
    evening_of(guest, season=season)
    StaleRanking.objects.create(season=season)
    tasks.refresh_ranking(season.pk)

    merge(guest, gaelle)
    tasks.refresh_ranking(season.pk)

    rows = Ranking.objects.get(season=season).rows
    assert rows.get(player=gaelle).points == 318
    assert not rows.filter(player=guest).exists()


def test_an_evening_of_a_former_member_stays_one_of_a_member(guest, gaelle, season):
    event = evening_of(guest, season=season)
    day = timezone.localdate(event.starts_at)
    Membership.objects.update(joined_on=NOW.date())
    Membership.objects.create(player=guest, joined_on=day, left_on=day)

    merge(guest, gaelle)
    tasks.refresh_ranking(season.pk)

    assert PlayerResult.objects.get(player=gaelle).is_member


def test_the_guest_leaves_the_lists_and_links_end(guest, gaelle):
    invitation = InvitationFactory(player=guest, expires_at=datetime(2027, 1, 1, tzinfo=UTC))

    merge(guest, gaelle)

    guest.refresh_from_db()
    invitation.refresh_from_db()
    assert guest.archived_at == NOW
    assert not invitation.is_good(NOW)


def test_the_journal_of_each_evening_says_who_did_it(guest, gaelle, season, director):
    event = evening_of(guest, season=season)

    merge(guest, gaelle, by=director)

    [(line, sentence)] = with_sentences(event.journal.all())
    assert line.actor == director
    assert sentence == "Put the results of Gaëlle R, Gaëlle Riou together."


def test_two_who_met_in_an_evening_are_two_people(guest, gaelle, season):
    evening_of(guest, gaelle, season=season)

    with pytest.raises(ValidationError, match="they are two people"):
        merge(guest, gaelle)

    guest.refresh_from_db()
    assert guest.archived_at is None


def test_a_member_is_not_merged_away(gaelle, guest):
    with pytest.raises(ValidationError, match="stays a player of the club"):
        merge(gaelle, guest)


def test_a_player_with_an_account_is_not_merged_away(guest, gaelle, stranger):
    guest.account = stranger
    guest.save()

    with pytest.raises(ValidationError, match="stays a player of the club"):
        merge(guest, gaelle)


def test_somebody_of_another_club_is_not_the_same_person(guest):
    with pytest.raises(ValidationError, match="another player of the club"):
        merge(guest, PlayerFactory())


def test_the_page_offers_who_is_called_so_and_puts_the_two_together(
    director_client, guest, gaelle, season
):
    evening_of(guest, season=season)
    address = f"/players/{guest.pk}/merge/"

    page = director_client.get(address)
    response = director_client.post(address, {"into": gaelle.pk})

    assert page.context["others"] == [gaelle]
    assert response.url == f"/players/{gaelle.pk}/"
    assert gaelle.seats.count() == 1


@pytest.mark.parametrize("into", ["", "nobody", "0"])
def test_a_choice_that_is_none_is_refused(director_client, guest, into):
    response = director_client.post(f"/players/{guest.pk}/merge/", {"into": into})

    assert response.status_code == 422
