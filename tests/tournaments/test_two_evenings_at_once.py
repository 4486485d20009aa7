"""What could surprise is said before: who plays elsewhere now, which phone can come back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    EntryFactory,
    EventFactory,
    JoinLinkFactory,
    PhoneFactory,
    PlayerFactory,
    RoundFactory,
    TableFactory,
)
from tests.reading import text_of
from tests.test_phones import client_with
from tournaments import phones
from tournaments.models import Event, Phone

pytestmark = pytest.mark.django_db


@pytest.fixture
def tonight(season) -> Event:
    return EventFactory(season=season, starts_at=timezone.now())


@pytest.fixture
def elsewhere(season) -> Event:
    return EventFactory(season=season, running=True, title="Upstairs", starts_at=timezone.now())


def check_in(client: Client, event: Event, player, **headers):
    return client.post(reverse("presence", args=[event.pk]), {"present": player.pk}, **headers)


@pytest.mark.parametrize("headers", [{}, {"headers": {"HX-Request": "true"}}])
def test_who_plays_at_another_evening_is_checked_in_with_a_warning(
    tonight, elsewhere, scorer_client, headers
):
    player = PlayerFactory(club=tonight.club)
    RoundFactory(event=elsewhere)
    EntryFactory(event=elsewhere, player=player)

    answer = check_in(scorer_client, tonight, player, follow=True, **headers)

    assert answer.status_code == 200
    assert "also playing at Upstairs" in text_of(answer)
    assert tonight.entries.present().count() == 1


@pytest.mark.parametrize("headers", [{}, {"headers": {"HX-Request": "true"}}])
def test_so_it_is_at_the_desk_of_a_tournament(season, elsewhere, scorer_client, headers):
    tournament = EventFactory(season=season, kind=Event.Kind.TOURNAMENT)
    player = PlayerFactory(club=tournament.club)
    entry = EntryFactory(event=tournament, player=player, state="entered")
    RoundFactory(event=elsewhere)
    EntryFactory(event=elsewhere, player=player)

    address = reverse("entry-presence", args=[tournament.pk])
    answer = scorer_client.post(address, {"present": entry.pk}, follow=True, **headers)

    assert "also playing at Upstairs" in text_of(answer)
    assert tournament.entries.present().count() == 1


@pytest.mark.parametrize("how", ["away", "between rounds", "closed"])
def test_who_does_not_play_there_now_is_not_warned_of(tonight, elsewhere, scorer_client, how):
    player = PlayerFactory(club=tonight.club)
    RoundFactory(event=elsewhere, closed=how != "away")
    EntryFactory(event=elsewhere, player=player, away=how == "away")
    if how == "closed":
        Event.objects.filter(pk=elsewhere.pk).update(state=Event.State.CLOSED)

    answer = check_in(scorer_client, tonight, player, follow=True)

    assert "also playing" not in text_of(answer)


def test_the_director_reads_that_a_phone_sent_off_can_come_back_by_a_good_link(
    season, director_client
):
    table = TableFactory(round=RoundFactory(event=EventFactory(season=season, running=True)))
    link = JoinLinkFactory(event=table.event, table_number=table.number)
    phone = PhoneFactory(link=link, seat=table.seats.get(place=1))
    page = reverse("links", args=[table.event.pk])
    assert "renew the link as well to keep him out" in text_of(director_client.get(page))

    said = director_client.post(reverse("remove-phone", args=[phone.pk]), follow=True)

    assert "can join again: renew the link" in text_of(said)
    browser = client_with(phone)
    browser.post(
        reverse("join-by-link", args=[phones.address_of(link)]), {"player": phone.player_id}
    )
    assert Phone.objects.get(removed_at=None).player_id == phone.player_id
