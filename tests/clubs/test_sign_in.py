"""Signing in and out, passwords, one's own account."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.core.cache import caches
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import timezone
from redis.exceptions import RedisError
from rest_framework.authtoken.models import Token

from tests.factories import PASSWORD, UserFactory
from tests.forms_of_pages import forms_of

WRONG = {"email": "michel@example.org", "password": "not this one"}
RIGHT = {"email": "michel@example.org", "password": PASSWORD}
NEW = {"new_password1": "four kings, no knave", "new_password2": "four kings, no knave"}


def is_signed_in(client) -> bool:
    return "_auth_user_id" in client.session


def test_a_member_signs_in_with_address_and_password(anonymous_client, member):
    response = anonymous_client.post("/sign-in/", RIGHT)

    assert (response.status_code, response.url) == (302, "/")
    assert is_signed_in(anonymous_client)


def test_capitals_in_the_address_do_not_matter(anonymous_client, member):
    anonymous_client.post("/sign-in/", {**RIGHT, "email": "Michel@Example.org"})

    assert is_signed_in(anonymous_client)


def test_a_wrong_password_is_refused_without_saying_which_was_wrong(anonymous_client, member):
    wrong = anonymous_client.post("/sign-in/", WRONG)
    unknown = anonymous_client.post("/sign-in/", {**WRONG, "email": "nobody@example.org"})

    assert (wrong.status_code, unknown.status_code) == (422, 422)
    assert "do not belong together" in wrong.text
    assert "do not belong together" in unknown.text
    assert not is_signed_in(anonymous_client)


def test_an_account_that_was_switched_off_does_not_sign_in(anonymous_client, member):
    member.is_active = False
    member.save()

    assert anonymous_client.post("/sign-in/", RIGHT).status_code == 422


def test_after_ten_wrong_passwords_even_the_right_one_has_to_wait(anonymous_client, member):
    for _ in range(10):
        anonymous_client.post("/sign-in/", WRONG)

    response = anonymous_client.post("/sign-in/", RIGHT)

    assert response.status_code == 429
    assert "Try again in 15 minutes" in response.text
    assert not is_signed_in(anonymous_client)


def test_after_a_quarter_of_an_hour_the_right_password_works_again(anonymous_client, member):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(10):
            anonymous_client.post("/sign-in/", WRONG)
        clock.shift(timedelta(minutes=15, seconds=1))

        anonymous_client.post("/sign-in/", RIGHT)

    assert is_signed_in(anonymous_client)


def test_wrong_passwords_of_one_account_do_not_lock_another_out(anonymous_client, member, scorer):
    for _ in range(10):
        anonymous_client.post("/sign-in/", WRONG)

    anonymous_client.post("/sign-in/", {"email": scorer.email, "password": PASSWORD})

    assert is_signed_in(anonymous_client)


def test_wrong_passwords_sent_from_elsewhere_do_not_lock_the_member_out(anonymous_client, member):
    for _ in range(10):
        anonymous_client.post("/sign-in/", WRONG, REMOTE_ADDR="203.0.113.9")

    anonymous_client.post("/sign-in/", RIGHT)

    assert is_signed_in(anonymous_client)


def test_a_success_forgets_the_wrong_ones_before(anonymous_client, member, client_of):
    for _ in range(9):
        anonymous_client.post("/sign-in/", WRONG)
    anonymous_client.post("/sign-in/", RIGHT)
    other = client_of(None)
    for _ in range(9):
        other.post("/sign-in/", WRONG)

    other.post("/sign-in/", RIGHT)

    assert is_signed_in(other)


@pytest.mark.parametrize("operation", ["get", "add", "delete"])
def test_while_the_cache_is_down_nobody_is_locked_out(
    anonymous_client, member, monkeypatch, operation
):
    def refuse(*_args: object, **_options: object) -> None:
        raise RedisError

    monkeypatch.setattr(caches["default"], operation, refuse)
    anonymous_client.post("/sign-in/", WRONG)

    anonymous_client.post("/sign-in/", RIGHT)

    assert is_signed_in(anonymous_client)


def test_who_forgot_the_password_finds_the_way_to_a_new_one(anonymous_client):
    page = anonymous_client.get("/sign-in/").text

    assert '<a href="/password/reset/">Forgotten your password?</a>' in page


def test_sign_in_leads_back_to_the_page_that_asked_for_it(anonymous_client, member, club):
    asked = anonymous_client.get(f"/clubs/{club.slug}/players/")
    page = anonymous_client.get(asked.url)
    response = anonymous_client.post("/sign-in/", {**RIGHT, "next": page.context["next"]})

    assert response.url == f"/clubs/{club.slug}/players/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:x"])
def test_sign_in_never_leads_to_another_site(anonymous_client, member, elsewhere):
    response = anonymous_client.post("/sign-in/", {**RIGHT, "next": elsewhere})

    assert response.url == "/"


def test_who_has_signed_in_is_led_past_the_form(member_client):
    assert member_client.get("/sign-in/").url == "/"


def test_sign_out_is_a_button_not_a_link(member_client):
    assert member_client.get("/sign-out/").url == "/"
    assert is_signed_in(member_client)

    member_client.post("/sign-out/")

    assert not is_signed_in(member_client)


def test_the_account_s_language_comes_along_at_sign_in(anonymous_client):
    UserFactory(email="marie@example.org", language="fr")

    anonymous_client.post("/sign-in/", {"email": "marie@example.org", "password": PASSWORD})

    assert anonymous_client.cookies["django_language"].value == "fr"


def test_an_account_that_never_chose_a_language_follows_each_browser(anonymous_client):
    account = UserFactory(email="marie@example.org", language="")

    for wanted, shown in (("fr", "fr"), ("pt-BR,pt;q=0.9", "pt-br"), ("en-GB,en", "en")):
        answers = {"email": account.email, "password": PASSWORD}
        anonymous_client.post("/sign-in/", answers, headers={"Accept-Language": wanted})
        page = anonymous_client.get("/account/", headers={"Accept-Language": wanted}).text
        assert f'<html lang="{shown}"' in page


class TestOwnAccount:
    def test_name_and_language_are_changed(self, member_client, member):
        response = member_client.post("/account/", {"name": "Michel Tanguy", "language": "pt-br"})

        member.refresh_from_db()
        assert response.url == "/account/"
        assert (member.name, member.language) == ("Michel Tanguy", "pt-br")
        assert member_client.cookies["django_language"].value == "pt-br"

    def test_another_name_chooses_no_language(self, member_client, member):
        page = member_client.get("/account/", headers={"Accept-Language": "fr"}).text
        form = next(form for form in forms_of(page) if form.action == "/account/")

        member_client.post("/account/", dict(form.fields) | {"name": "Michel Tanguy"})

        member.refresh_from_db()
        assert (member.name, member.language) == ("Michel Tanguy", "")
        assert "django_language" not in member_client.cookies

    def test_another_name_leaves_the_language_that_was_chosen_in_this_browser(self, member_client):
        member_client.post(reverse("set_language"), {"language": "fr"})

        member_client.post("/account/", {"name": "Michel Tanguy", "language": ""})

        assert member_client.cookies["django_language"].value == "fr"

    def test_whoever_chose_a_language_may_follow_his_browser_again(self, member_client, member):
        member_client.post("/account/", {"name": "Michel", "language": "pt-br"})

        member_client.post("/account/", {"name": "Michel", "language": ""})

        member.refresh_from_db()
        assert member.language == ""
        page = member_client.get("/account/", headers={"Accept-Language": "fr"}).text
        assert '<html lang="fr"' in page

    def test_a_language_that_we_do_not_speak_is_refused(self, member_client, member):
        response = member_client.post("/account/", {"name": "Michel", "language": "tlh"})

        assert response.status_code == 422

    def test_the_page_names_the_clubs_and_the_role_in_them(self, member_client, club):
        page = member_client.get("/account/").text

        assert club.name in page
        assert "member" in page

    def test_the_page_leads_to_the_own_results_and_to_the_name_outside(self, member_client, member):
        page = member_client.get("/account/").text

        player = member.players.get()
        assert f'href="/players/{player.pk}/"' in page
        assert f'href="/players/{player.pk}/name/"' in page

    def test_a_visitor_is_asked_to_sign_in(self, anonymous_client):
        assert anonymous_client.get("/account/").url == "/sign-in/?next=/account/"

    def test_a_new_password_wants_the_old_one(self, member_client, member):
        answers = {"new_password1": "four kings, no knave", "new_password2": "four kings, no knave"}
        wrong = member_client.post("/password/change/", {**answers, "old_password": "no"})
        right = member_client.post("/password/change/", {**answers, "old_password": PASSWORD})

        member.refresh_from_db()
        assert (wrong.status_code, right.status_code) == (422, 302)
        assert member.check_password("four kings, no knave")
        assert is_signed_in(member_client)

    def test_a_new_password_ends_the_token_of_the_api(self, member_client, member):
        Token.objects.create(user=member)

        member_client.post("/password/change/", {**NEW, "old_password": "no"})
        assert Token.objects.filter(user=member).exists()

        member_client.post("/password/change/", {**NEW, "old_password": PASSWORD})
        assert not Token.objects.filter(user=member).exists()

    def test_a_password_set_from_the_shell_ends_only_the_own_token(self, member, scorer):
        for account in (member, scorer):
            Token.objects.create(user=account)

        member.set_password("four kings, no knave")
        member.save()

        assert Token.objects.get().user == scorer


class TestForgottenPassword:
    def link(self) -> str:
        return re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)[1]

    def test_a_mail_brings_a_link_that_works_once(self, anonymous_client, client_of, member):
        anonymous_client.post("/password/reset/", {"email": "michel@example.org"})
        form = anonymous_client.get(self.link(), follow=True)
        done = anonymous_client.post(form.request["PATH_INFO"], NEW)

        member.refresh_from_db()
        assert done.url == "/sign-in/"
        assert member.check_password("four kings, no knave")
        assert "no longer works" in client_of(None).get(self.link(), follow=True).text

    def test_a_password_chosen_behind_the_link_ends_the_token_of_the_api(
        self, anonymous_client, member
    ):
        Token.objects.create(user=member)
        anonymous_client.post("/password/reset/", {"email": "michel@example.org"})
        form = anonymous_client.get(self.link(), follow=True)

        anonymous_client.post(form.request["PATH_INFO"], NEW)

        assert not Token.objects.exists()

    def test_the_mail_speaks_the_account_s_language(self, anonymous_client):
        UserFactory(email="marie@example.org", language="fr")

        anonymous_client.post("/password/reset/", {"email": "marie@example.org"})

        assert mail.outbox[0].to == ["marie@example.org"]
        assert "marie@example.org" in mail.outbox[0].body

    def test_an_unknown_address_gets_the_same_answer_and_no_mail(self, anonymous_client, member):
        known = anonymous_client.post("/password/reset/", {"email": "michel@example.org"})
        unknown = anonymous_client.post("/password/reset/", {"email": "nobody@example.org"})

        assert known.url == unknown.url
        assert [message.to for message in mail.outbox] == [["michel@example.org"]]

    def test_a_mail_that_was_not_taken_gives_nothing_away(
        self, anonymous_client, member, monkeypatch
    ):
        def refuse(_message: EmailMessage) -> None:
            raise ConnectionRefusedError

        monkeypatch.setattr(EmailMessage, "send", refuse)

        response = anonymous_client.post("/password/reset/", {"email": "michel@example.org"})

        assert response.url == "/password/reset/sent/"

    def test_two_different_new_passwords_are_refused(self, anonymous_client, member):
        anonymous_client.post("/password/reset/", {"email": "michel@example.org"})
        form = anonymous_client.get(self.link(), follow=True)

        response = anonymous_client.post(
            form.request["PATH_INFO"], {**NEW, "new_password2": "something else"}
        )

        assert response.status_code == 422

    def test_a_made_up_link_explains_itself(self, anonymous_client):
        assert "no longer works" in anonymous_client.get("/password/reset/MQ/none/").text

    def test_one_place_asks_only_for_so_many_mails(self, anonymous_client, member):
        for _ in range(11):
            response = anonymous_client.post("/password/reset/", {"email": "michel@example.org"})

        assert response.status_code == 429
        assert len(mail.outbox) == 10
