"""The staff's pages: find and look."""

from __future__ import annotations

import pytest
from django.contrib import admin

from clubs.models import User
from tests.factories import (
    PASSWORD,
    InvitationFactory,
    MembershipFactory,
    SeasonFactory,
    UserFactory,
)

MODELS = (
    "user", "club", "season", "player", "membership", "pastmembership", "invitation",
)  # fmt: skip


@pytest.fixture
def staff_client(db, client_of):
    return client_of(UserFactory(is_staff=True, is_superuser=True))


@pytest.fixture
def rows(club):
    player = MembershipFactory(player__club=club).player
    InvitationFactory(player=player)
    player.past_memberships.create(joined_on="2024-09-01", left_on="2025-06-30")
    SeasonFactory(club=club)


@pytest.mark.parametrize("model", MODELS)
def test_staff_finds_and_looks(staff_client, rows, model):
    found = staff_client.get(f"/admin/clubs/{model}/", {"q": "a"})
    row = admin.site.get_model_admin(
        next(m for m in admin.site._registry if m._meta.label_lower == f"clubs.{model}")
    ).model.objects.first()
    shown = staff_client.get(f"/admin/clubs/{model}/{row.pk}/change/")

    assert (found.status_code, shown.status_code) == (200, 200)


@pytest.mark.parametrize("model", MODELS[1:])
def test_staff_changes_nothing_behind_the_actions_back(staff_client, rows, model):
    assert staff_client.get(f"/admin/clubs/{model}/add/").status_code == 403


def test_staff_switches_an_account_off(staff_client, member):
    answers = {"email": member.email, "name": member.name, "language": "fr", "is_active": ""}

    response = staff_client.post(f"/admin/clubs/user/{member.pk}/change/", answers)

    assert response.status_code == 302
    assert not User.objects.get(pk=member.pk).is_active


def test_the_key_of_an_invitation_is_not_shown(staff_client, rows):
    invitation = InvitationFactory()

    page = staff_client.get(f"/admin/clubs/invitation/{invitation.pk}/change/").text

    assert invitation.key not in page


@pytest.mark.parametrize("number", [1, 3])
def test_more_players_ask_no_more_of_the_database(staff_client, number, django_assert_num_queries):
    MembershipFactory.create_batch(number)

    with django_assert_num_queries(5):
        staff_client.get("/admin/clubs/player/")


def test_a_member_is_not_staff(member_client):
    assert member_client.get("/admin/clubs/club/").status_code == 302


def test_the_door_of_the_admin_has_the_same_patience(db, anonymous_client):
    staff = UserFactory(is_staff=True, is_superuser=True)
    for _ in range(10):
        anonymous_client.post("/admin/login/", {"username": staff.email, "password": "no"})

    answers = {"username": staff.email, "password": PASSWORD}
    at_the_admin = anonymous_client.post("/admin/login/", answers)
    at_the_site = anonymous_client.post("/sign-in/", {**answers, "email": staff.email})

    assert "Try again in 15 minutes" in at_the_admin.text
    assert at_the_site.status_code == 429


def test_staff_signs_in_at_the_admin(db, anonymous_client):
    staff = UserFactory(is_staff=True, is_superuser=True)

    response = anonymous_client.post(
        "/admin/login/?next=/admin/", {"username": staff.email, "password": PASSWORD}
    )

    assert response.url == "/admin/"
