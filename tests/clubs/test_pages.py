"""What every page has: languages, colours, navigation, errors that explain themselves."""

from __future__ import annotations

import re

import pytest
from django.test import Client, override_settings
from django.urls import path

from clubs.models import Publication


def broken(request):
    raise RuntimeError("for the test")


urlpatterns = [path("broken/", broken)]


@pytest.mark.parametrize("address", ["/", "/help/", "/privacy/", "/sign-in/", "/sign-up/"])
@pytest.mark.parametrize("language", ["en", "fr", "pt-br"])
def test_public_pages_speak_the_language_of_the_cookie(anonymous_client, address, language):
    anonymous_client.cookies["django_language"] = language

    page = anonymous_client.get(address)

    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text
    assert page.text.count("<h1") == 1


def test_the_front_page_leads_whoever_has_a_code_to_the_table(anonymous_client, member_client):
    for client in (anonymous_client, member_client):
        assert 'href="/join/"' in client.get("/").text


def test_a_page_has_no_script_or_style_of_its_own(anonymous_client, member_client):
    for client in (anonymous_client, member_client):
        page = client.get("/").text

        assert not re.search(r"<style|\sstyle=|\son\w+=|hx-on", page)
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))


def test_the_language_form_stays_on_the_page(anonymous_client):
    response = anonymous_client.post("/language/setlang/", {"language": "fr", "next": "/help/"})

    assert response.url == "/help/"
    assert anonymous_client.cookies["django_language"].value == "fr"


def test_the_colours_form_keeps_the_choice_and_stays_on_the_page(anonymous_client):
    response = anonymous_client.post("/preferences/", {"theme": "dark", "next": "/help/"})
    page = anonymous_client.get("/help/").text

    assert response.url == "/help/"
    assert '<html lang="en" data-theme="dark">' in page
    assert re.search(r'value="dark" aria-pressed="true"', page)


def test_colours_that_do_not_exist_change_nothing(anonymous_client):
    anonymous_client.post("/preferences/", {"theme": "mauve"})

    assert "theme" not in anonymous_client.cookies


def test_colours_lead_to_no_other_site(anonymous_client):
    response = anonymous_client.post("/preferences/", {"theme": "dark", "next": "//evil.example"})

    assert response.url == "/"


def test_the_language_form_of_a_page_that_was_refused_leads_back_to_that_page(anonymous_client):
    page = anonymous_client.post("/sign-in/", {}).text
    form = page.partition('action="/language/setlang/"')[2]
    following = re.search(r'name="next" value="([^"]*)"', form)[1]

    answer = anonymous_client.post("/language/setlang/", {"language": "fr", "next": following})

    assert answer.headers["Location"] == "/sign-in/"
    assert '<html lang="fr"' in anonymous_client.get("/sign-in/").text


def test_a_missing_page_explains_itself_and_offers_to_sign_in(anonymous_client):
    response = anonymous_client.get("/clubs/nowhere/players/", follow=True)
    missing = anonymous_client.get("/nowhere/")

    assert response.status_code == 200
    assert missing.status_code == 404
    assert "There is no such page" in missing.text
    assert "/sign-in/?next=/nowhere/" in missing.text


def test_a_refused_role_is_named(club, member_client):
    response = member_client.get(f"/clubs/{club.slug}/settings/")

    assert response.status_code == 403
    assert "This needs the role of owner in the club." in response.text


def test_a_form_without_its_token_says_that_nothing_was_stored(db):
    response = Client(enforce_csrf_checks=True).post("/sign-in/", {"email": "a@example.org"})

    assert response.status_code == 403
    assert "Nothing was stored." in response.text


def test_htmx_sends_the_token_of_the_page(db):
    client = Client(enforce_csrf_checks=True)
    page = client.get("/sign-in/").text
    token = re.search(r'hx-headers=\'{"X-CSRFToken": "(\w+)"}\'', page)[1]

    response = client.post("/preferences/", {"theme": "dark"}, headers={"X-CSRFToken": token})

    assert response.status_code == 302


@override_settings(ROOT_URLCONF=__name__)
def test_our_own_fault_shows_a_page_that_needs_no_database():
    client = Client(raise_request_exception=False)

    response = client.get("/broken/")

    assert response.status_code == 500
    assert "Something broke on our side" in response.text


def test_the_navigation_of_a_club_hides_the_players_from_visitors(
    club, owner_client, anonymous_client
):
    club.publication = Publication.PUBLIC
    club.save()

    page = owner_client.get(f"/clubs/{club.slug}/players/").text

    assert f'<a href="/clubs/{club.slug}/players/" aria-current="page">Players</a>' in page
    assert anonymous_client.get(f"/clubs/{club.slug}/players/").status_code == 302
