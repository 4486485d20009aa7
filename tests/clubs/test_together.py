"""Two people, or two fingers, in the same moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone

from clubs import actions
from clubs.models import Club, Player, Role, User
from tests.conftest import account_with
from tests.factories import PASSWORD, InvitationFactory, MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)

DAY = date(2026, 11, 29)


def at_once(presses: Sequence[Callable[[], object]]) -> list[object]:
    """Do all of it in the same moment; a refusal is given back as its code."""
    ready = Barrier(len(presses))

    def press(action: Callable[[], object]) -> object:
        ready.wait(timeout=30)
        try:
            return action()
        except ValidationError as refusal:
            return "refused" if refusal.messages else None
        finally:
            connection.close()

    with ThreadPoolExecutor(len(presses)) as pool:
        return list(pool.map(press, presses))


def test_the_sign_up_button_pressed_four_times_starts_one_club():
    form = {
        "club_name": "Les Remparts",
        "town": "",
        "name": "Odile",
        "email": "odile@example.org",
        "password": PASSWORD,
    }

    addresses = at_once([lambda: Client().post("/sign-up/", form).headers["Location"]] * 4)

    assert set(addresses) == {"/clubs/les-remparts/players/"}
    assert (User.objects.count(), Club.objects.count(), Player.objects.count()) == (1, 1, 1)


def test_one_name_added_by_four_directors_is_one_player(club):
    added = at_once([lambda: actions.add_player(club=club, name="Émile", on=DAY)] * 4)

    assert Counter(added)["refused"] == 3
    assert club.players.count() == 1


def test_two_accounts_that_accept_one_invitation_leave_one_player_with_one_account(
    club, owner, stranger
):
    invitation = InvitationFactory(player=MembershipFactory(player__club=club).player)
    other = account_with(Club.objects.get(slug="les-dunes"), Role.MEMBER, "Paulo")

    def accept(account: User) -> Callable[[], object]:
        fresh = type(invitation).objects.get(pk=invitation.pk)
        return lambda: actions.accept_invitation(
            invitation=fresh, account=account, at=timezone.now()
        )

    answers = at_once([accept(stranger), accept(other)])

    assert Counter(answers)["refused"] == 1
    assert Player.objects.filter(club=club, account__in=[stranger, other]).count() == 1


def test_two_owners_who_step_down_in_the_same_moment_leave_one(club, owner):
    other = account_with(club, Role.OWNER, "Ottilie")

    def step_down(account: User) -> Callable[[], object]:
        player = account.players.get()
        return lambda: actions.change_role(player=player, role=Role.MEMBER)

    answers = at_once([step_down(owner), step_down(other)])

    assert Counter(answers)["refused"] == 1
    assert club.players.owners().count() == 1
