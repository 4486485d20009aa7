"""Evenings in the calendars of phones: what comes, what was moved, what does not take place."""

from __future__ import annotations

from datetime import timedelta

import icalendar
import pytest
from django.urls import reverse
from django.utils import timezone

from clubs import actions as club_actions
from clubs import calendars
from clubs.models import Club, Publication, User
from tests.factories import EventFactory, SeasonFactory
from tournaments import actions
from tournaments.models import CancelledEvent, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club):
    club.publication = Publication.PUBLIC
    club.save()
    return SeasonFactory(club=club)


@pytest.fixture
def soon(season) -> Event:
    """A published evening in a week."""
    starts_at = timezone.now().replace(microsecond=0) + timedelta(days=7)
    return EventFactory(season=season, public=True, starts_at=starts_at)


def entries(client, address: str) -> list[icalendar.Event]:
    response = client.get(address)
    assert response.status_code == 200
    return icalendar.Calendar.from_ical(response.content).walk("VEVENT")


def entry(client, address: str) -> icalendar.Event:
    (only,) = entries(client, address)
    return only


def own_address(account) -> str:
    return reverse("own-calendar", args=[calendars.token_of(account)])


# Of a club, and of one evening


def test_calendars_read_the_evenings_to_come(club, soon, anonymous_client):
    Event.objects.update(title="Tournoi, d’automne; fin")
    EventFactory(season=soon.season, public=True, starts_at=soon.starts_at)
    address = reverse("club-calendar", args=[club.slug])

    found = entries(anonymous_client, address)

    told = {str(each["summary"]): each["dtstart"].dt for each in found}
    assert anonymous_client.get(address).headers["Content-Type"].startswith("text/calendar")
    assert told[f"{club.name}: Tournoi, d’automne; fin"] == soon.starts_at
    assert len({str(each["uid"]) for each in found}) == len(found) == 2


def test_a_calendar_learns_that_an_evening_was_moved(soon, anonymous_client):
    address = reverse("event-calendar", args=[soon.pk])
    before = entry(anonymous_client, address)

    actions.change_event(event=soon, by=None, place="Salle des fêtes")
    after = entry(anonymous_client, address)

    assert (before["sequence"], after["sequence"]) == (0, 1)
    assert after["last-modified"].dt >= before["last-modified"].dt
    assert before["uid"] == after["uid"]


@pytest.mark.parametrize("name", ["club-calendar", "event-calendar"])
def test_a_calendar_strikes_out_an_evening_that_does_not_take_place(
    name: str, club, soon, anonymous_client
):
    address = reverse(name, args=[club.slug if name == "club-calendar" else soon.pk])
    actions.change_event(event=soon, by=None, title="Coupe")
    before = entry(anonymous_client, address)

    actions.cancel_event(event=soon)
    after = entry(anonymous_client, address)

    assert (before["status"], after["status"]) == ("CONFIRMED", "CANCELLED")
    assert (before["sequence"], after["sequence"]) == (1, 2)
    assert after["last-modified"].dt >= before["last-modified"].dt
    for same in ("uid", "summary", "dtstart", "dtend", "location"):
        assert before[same] == after[same], same


def test_a_kept_calendar_is_asked_for_again_when_an_evening_is_cancelled(
    club, soon, anonymous_client
):
    address = reverse("club-calendar", args=[club.slug])
    mark = anonymous_client.get(address).headers["ETag"]
    assert anonymous_client.get(address, headers={"If-None-Match": mark}).status_code == 304

    actions.cancel_event(event=soon)

    assert anonymous_client.get(address, headers={"If-None-Match": mark}).status_code == 200


def test_the_world_is_not_told_of_a_cancelled_evening_of_members_only(
    club, soon, anonymous_client, member_client
):
    Event.objects.update(publication=Publication.CLUB)
    soon.refresh_from_db()

    actions.cancel_event(event=soon)

    assert entries(anonymous_client, reverse("club-calendar", args=[club.slug])) == []
    for name in ("event", "event-calendar"):
        assert anonymous_client.get(reverse(name, args=[soon.pk])).status_code == 404
    assert entry(member_client, reverse("event-calendar", args=[soon.pk]))["status"] == "CANCELLED"


def test_whoever_opens_a_cancelled_evening_reads_that_it_does_not_take_place(
    club, soon, anonymous_client
):
    actions.cancel_event(event=soon)

    page = anonymous_client.get(reverse("event", args=[soon.pk]))
    listed = anonymous_client.get(reverse("evenings", args=[club.slug]))

    assert page.status_code == 410
    assert "does not take place" in page.text
    assert "does not take place" in listed.text
    assert not Event.objects.exists()


def test_an_evening_that_was_never_there_is_not_cancelled(season, anonymous_client):
    assert anonymous_client.get(reverse("event", args=[404])).status_code == 404
    assert not CancelledEvent.objects.exists()


# Of an account


def test_a_member_s_own_calendar_needs_no_sign_in_and_tells_what_is_for_members(
    club, soon, member, anonymous_client
):
    club.publication = Publication.CLUB
    club.save()
    Event.objects.update(publication=Publication.CLUB)

    found = entry(anonymous_client, own_address(member))

    assert (found["dtstart"].dt, found["status"]) == (soon.starts_at, "CONFIRMED")
    actions.cancel_event(event=soon)
    assert entry(anonymous_client, own_address(member))["status"] == "CANCELLED"


def test_the_own_calendar_holds_the_evenings_of_the_own_clubs_only(
    soon, member, stranger, anonymous_client
):
    elsewhere = EventFactory(season__club=stranger.players.get().club, starts_at=soon.starts_at)

    found = [str(each["uid"]) for each in entries(anonymous_client, own_address(member))]

    assert [uid.partition("@")[0] for uid in found] == [f"event-{soon.pk}"]
    assert str(elsewhere.pk) not in found


@pytest.mark.parametrize(("chosen", "title"), [("", "Mes soirées"), ("pt-br", "Meus encontros")])
def test_the_own_calendar_speaks_the_account_s_language_or_else_the_club_s(
    chosen, title, soon, member, anonymous_client
):
    Club.objects.update(language="fr")
    User.objects.filter(pk=member.pk).update(language=chosen)

    assert title in anonymous_client.get(own_address(member)).text


def test_who_leaves_the_club_has_its_evenings_no_longer(soon, member, anonymous_client):
    club_actions.make_guest(player=member.players.get(), on=timezone.localdate())

    assert entries(anonymous_client, own_address(member)) == []


def test_a_new_address_ends_the_one_before(soon, member, member_client, anonymous_client):
    before = own_address(member)
    assert before in member_client.get(reverse("account")).text

    member_client.post(reverse("renew-calendar"))
    member.refresh_from_db()

    assert anonymous_client.get(before).status_code == 404
    assert entry(anonymous_client, own_address(member))
    assert own_address(member) in member_client.get(reverse("account")).text


def test_an_address_that_was_made_up_opens_nothing(soon, member, anonymous_client):
    token = calendars.token_of(member)
    made_up = [f"{member.pk}-1", token[:-1], token.replace(f"{member.pk}-", f"{member.pk + 1}-", 1)]

    for each in made_up:
        assert anonymous_client.get(reverse("own-calendar", args=[each])).status_code == 404


def test_an_account_that_may_not_sign_in_has_no_calendar(soon, member, anonymous_client):
    member.is_active = False
    member.save()

    assert anonymous_client.get(own_address(member)).status_code == 404


def test_the_own_calendar_is_kept_by_nobody_else_and_found_by_no_engine(
    soon, member, anonymous_client
):
    response = anonymous_client.get(own_address(member))
    again = anonymous_client.get(
        own_address(member), headers={"If-None-Match": response.headers["ETag"]}
    )

    assert "private" in response.headers["Cache-Control"]
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert again.status_code == 304


def test_the_own_calendar_costs_the_same_with_many_evenings(
    soon, member, anonymous_client, django_assert_num_queries
):
    for _each in range(5):
        actions.cancel_event(event=EventFactory(season=soon.season, starts_at=soon.starts_at))
        EventFactory(season=soon.season, starts_at=soon.starts_at)

    with django_assert_num_queries(5):
        assert len(entries(anonymous_client, own_address(member))) == 11
