"""A player says what those outside the club read; the club always reads the full name."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from clubs import actions, onlookers
from clubs.models import Player
from clubs.names import initialled
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoé Martin", "Zoé M."), ("MARTIN Zoé", "Zoé M."), ("Zoé MARTIN", "Zoé M."),
        ("Jean-Christophe de La Tour", "Jean-Christophe T."), ("Ana Paula Ribeiro", "Ana R."),
        ("Zoé", "Z."), ("ZOÉ MARTIN", "ZOÉ M."), ("émile zola", "émile Z."),
    ],
)  # fmt: skip
def test_an_initial_tells_the_first_name_and_no_more(name: str, shown: str):
    assert initialled(name) == shown


def test_nobody_in_particular_is_the_world(club):
    player = PlayerFactory(club=club, name="Zoé Martin", table_name="Zozo", shown_as="hidden")

    assert (str(player), player.short_name, player.has_page) == ("Name withheld",) * 2 + (False,)
    with onlookers.before_members(club.pk):
        assert (str(player), player.short_name, player.has_page) == ("Zoé Martin", "Zozo", True)
    with onlookers.before_members(club.pk + 1):
        assert str(player) == "Name withheld"


def test_a_player_chooses_for_himself_and_the_page_says_so(member, member_client):
    player = member.players.get()

    answer = member_client.post(
        reverse("player-name", args=[player.pk]), {"shown_as": "pseudonym", "pseudonym": "Nuage"}
    )

    player.refresh_from_db()
    assert answer.status_code == 302
    assert (player.shown_as, player.public_name) == ("pseudonym", "Nuage")
    assert player.club.names_changed_at is not None


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 200), ("director", 403), ("stranger", 404), ("anonymous", 302)]
)
def test_for_others_only_an_owner_chooses(role: str, status: int, member, request):
    client = request.getfixturevalue(f"{role}_client")

    assert client.get(reverse("player-name", args=[member.players.get().pk])).status_code == status


@pytest.mark.parametrize("typed", ["", "Odile", "  ", "oDÍLE"])
def test_a_pseudonym_is_somebodys_own(typed: str, owner, member, member_client):
    answer = member_client.post(
        reverse("player-name", args=[member.players.get().pk]),
        {"shown_as": "pseudonym", "pseudonym": typed},
    )

    assert answer.status_code == 422
    assert Player.objects.get(pk=member.players.get().pk).shown_as == "full"


def test_two_players_have_two_pseudonyms(club):
    one, other = (PlayerFactory(club=club) for _ in range(2))
    actions.choose_shown_name(player=one, shown_as="pseudonym", pseudonym="Nuage")

    with pytest.raises(ValidationError):
        actions.choose_shown_name(player=other, shown_as="pseudonym", pseudonym="nuagé")


@pytest.mark.parametrize(
    ("shown_as", "pseudonym"), [("initial", ""), ("pseudonym", "ana r."), ("pseudonym", "Aná R.")]
)
def test_nobody_is_told_by_the_initial_of_another(shown_as: str, pseudonym: str, club):
    first, second = (PlayerFactory(club=club, name=f"Ana {name}") for name in ("Rocha", "Ribeiro"))
    actions.choose_shown_name(player=first, shown_as="initial")

    with pytest.raises(ValidationError, match="A pseudonym tells you two apart"):
        actions.choose_shown_name(player=second, shown_as=shown_as, pseudonym=pseudonym)

    actions.choose_shown_name(player=second, shown_as="pseudonym", pseudonym="Ana Ri.")
    actions.choose_shown_name(player=first, shown_as="initial")


def test_the_page_says_that_somebody_has_that_initial_already(club, member, member_client):
    player = member.players.get()
    player.name = "Michel Tanguy"
    player.save()
    other = PlayerFactory(club=club, name="Michel Thomas")
    actions.choose_shown_name(player=other, shown_as="initial")

    answer = member_client.post(reverse("player-name", args=[player.pk]), {"shown_as": "initial"})

    assert answer.status_code == 422
    assert "A pseudonym tells you two apart" in answer.text


def test_a_mended_name_is_another_page(club):
    player = PlayerFactory(club=club)

    actions.change_player(player=player, name="Zoé Martin", table_name="")

    club.refresh_from_db()
    assert club.names_changed_at is not None
