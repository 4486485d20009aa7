"""A form that its page sends is done once, and its answer says where it leads."""

from __future__ import annotations

from uuid import uuid4

import pytest
import time_machine
from django.contrib.auth.tokens import default_token_generator as token_generator
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.http import urlsafe_base64_encode
from redis.exceptions import ConnectionError as NoCacheError

from config import once
from tests.factories import EventFactory, JoinLinkFactory, RoundFactory, TableFactory
from tournaments import phones
from tournaments.models import Event, Phone, Stage

pytestmark = pytest.mark.django_db

#: What the site does as often as it is sent, were it not for the key of the press.
STAGE = {
    "new-name": "Finale",
    "new-rounds_planned": "2",
    "new-deals_per_round": "4",
    "new-placement": "drawn",
}


@pytest.fixture
def tournament(season) -> Event:
    return EventFactory(season=season, kind="tournament")


def pressed() -> dict[str, str]:
    return {"Sending-Key": uuid4().hex}


def stages(tournament: Event) -> int:
    return Stage.objects.filter(event=tournament).count()


def test_a_press_that_arrives_twice_is_done_once_and_answered_twice(director_client, tournament):
    address, press = reverse("add-stage", args=[tournament.pk]), pressed()

    first = director_client.post(address, STAGE, headers=press)
    director_client.cookies.pop("messages")  # the answer was lost on the way
    again = director_client.post(address, STAGE, headers=press)

    assert stages(tournament) == 1
    for answer in (first, again):
        assert (answer.status_code, answer.headers["Leads-To"]) == (
            200, reverse("stages", args=[tournament.pk]),
        )  # fmt: skip
        assert "Location" not in answer.headers
        assert answer.headers["Tapis-Vert"] == "yes"
    assert "The stage is added." in director_client.get(again.headers["Leads-To"]).content.decode()
    assert "messages" in again.cookies


def test_another_press_with_the_same_words_is_done_too(director_client, tournament):
    address = reverse("add-stage", args=[tournament.pk])

    for _turn in range(2):
        director_client.post(address, STAGE, headers=pressed())

    assert stages(tournament) == 2


def test_what_was_refused_can_be_sent_again_by_the_same_press(director_client, tournament):
    address, press = reverse("add-stage", args=[tournament.pk]), pressed()

    refused = director_client.post(address, {**STAGE, "new-rounds_planned": ""}, headers=press)
    taken = director_client.post(address, STAGE, headers=press)

    assert refused.status_code == 422
    assert "Leads-To" not in refused.headers
    assert (taken.status_code, stages(tournament)) == (200, 1)


def test_what_is_still_being_done_is_not_begun_a_second_time(director_client, tournament):
    address, press = reverse("add-stage", args=[tournament.pk]), pressed()
    cache.set(f"press:{press['Sending-Key']}", once.UNDER_WAY)

    answer = director_client.post(address, STAGE, headers=press)

    assert (answer.status_code, answer.headers["Refused"]) == (409, "under-way")
    assert stages(tournament) == 0


def test_whoever_signs_in_again_because_no_answer_came_is_let_in(director):
    director.set_password("a long word of ours")
    director.save()
    known = {"email": director.email, "password": "a long word of ours"}
    press, address = pressed(), reverse("sign-in")

    Client().post(address, known, headers=press)
    client = Client()
    client.post(address, known, headers=press)

    assert client.get(reverse("account")).status_code == 200


def test_a_phone_that_joins_again_because_no_answer_came_is_one_phone():
    event = EventFactory(running=True)
    table = TableFactory(round=RoundFactory(event=event))
    link = JoinLinkFactory(event=event, table_number=table.number)
    address = reverse("join-by-link", args=[phones.address_of(link)])
    press, picked = pressed(), {"player": table.seats.first().player_id}

    Client().post(address, picked, headers=press)
    client = Client()
    answer = client.post(address, picked, headers=press)

    assert Phone.objects.count() == 1
    assert str(Phone.objects.get()) in client.get(answer.headers["Leads-To"]).content.decode()


def test_what_lets_somebody_in_can_be_said_again_for_minutes_only(director, time_machine):
    director.set_password("a long word of ours")
    director.save()
    known = {"email": director.email, "password": "wrong by now"}
    right = {**known, "password": "a long word of ours"}
    press, address = pressed(), reverse("sign-in")
    time_machine.move_to("2026-12-03 20:00")
    Client().post(address, right, headers=press)

    time_machine.move_to("2026-12-03 20:11")

    assert Client().post(address, known, headers=press).status_code == 422


def test_without_its_cache_the_site_still_takes_what_is_sent(
    director_client, tournament, monkeypatch
):
    def gone(*_args, **_more):
        raise NoCacheError

    for name in ("add", "set", "delete"):
        monkeypatch.setattr(once.cache, name, gone, raising=False)
    address = reverse("add-stage", args=[tournament.pk])

    answer = director_client.post(address, STAGE, headers=pressed())

    assert (answer.headers["Leads-To"], stages(tournament)) == (
        reverse("stages", args=[tournament.pk]), 1,
    )  # fmt: skip


@pytest.mark.parametrize("key", ["", "no key", "0" * 31, "../" * 20])
def test_what_is_no_key_is_answered_as_ever(director_client, tournament, key):
    answer = director_client.post(
        reverse("add-stage", args=[tournament.pk]), STAGE, headers={"Sending-Key": key}
    )

    assert answer.url == reverse("stages", args=[tournament.pk])


def test_a_form_of_a_visitor_who_is_signed_out_is_a_401_and_its_page_stays(client, tournament):
    address = reverse("add-stage", args=[tournament.pk])

    assert client.post(address, STAGE, headers=pressed()).status_code == 401


def test_a_form_with_an_old_token_is_told_so_and_its_page_stays(director, tournament):
    client = Client(enforce_csrf_checks=True)
    client.force_login(director)
    address, press = reverse("add-stage", args=[tournament.pk]), pressed()

    refused = client.post(address, STAGE, headers=press)
    token = client.cookies["csrftoken"].value
    taken = client.post(address, STAGE, headers={**press, "X-CSRFToken": token})

    assert (refused.status_code, refused.headers["Refused"]) == (403, "page-too-old")
    assert (taken.status_code, stages(tournament)) == (200, 1)


def test_a_new_password_leads_to_the_sign_in_page_which_is_no_refusal(client, director):
    link = (urlsafe_base64_encode(str(director.pk).encode()), token_generator.make_token(director))
    page = client.get(reverse("password-reset-confirm", args=link)).url
    words = "a long word of ours"

    answer = client.post(page, {"new_password1": words, "new_password2": words}, headers=pressed())

    assert (answer.status_code, answer.headers["Leads-To"]) == (200, reverse("sign-in"))


def test_a_press_whose_process_was_killed_is_done_when_it_comes_again_minutes_later(rf):
    press = pressed()

    def killed(_request: object) -> HttpResponse:
        raise SystemExit

    def done(_request: object) -> HttpResponse:
        return HttpResponse("done")

    with time_machine.travel(0, tick=False) as clock:
        with pytest.raises(SystemExit):
            once.done_once(killed)(rf.post("/", headers=press))
        clock.shift(60)
        assert once.done_once(done)(rf.post("/", headers=press)).status_code == 409
        clock.shift(once.UNDER_WAY_SECONDS)
        assert once.done_once(done)(rf.post("/", headers=press)).content == b"done"
