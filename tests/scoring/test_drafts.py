"""A draft of a ranking is seen by directors and owners only: on pages, over the API, in files."""

from __future__ import annotations

import uuid
from types import SimpleNamespace

import pytest
from django.urls import reverse

from clubs.models import Publication
from scoring import actions, tasks
from scoring.models import Ranking
from scoring.rankings.methods import PRESETS
from tests.factories import PlayerFactory
from tests.scoring import paper
from tests.test_names_told import text_of

pytestmark = pytest.mark.django_db

NAME = "Coupe des essais"
ROLES = ("anonymous", "stranger", "member", "scorer", "director", "owner")
SEE_DRAFTS = {"director", "owner"}
#: What is about the ranking itself: 404 to whoever may not see it.
OF_THE_RANKING = (
    "why", "csv", "xlsx", "frame", "picture", "api lines", "api why",
)  # fmt: skip
#: What shows rankings beside other things, and goes on without a draft.
BESIDE = (
    "page", "ranking", "club", "player", "feed", "share", "projector", "wall",
    "event picture", "api rankings", "api leaderboard",
)  # fmt: skip


@pytest.fixture
def world(club, season) -> SimpleNamespace:
    """A public season whose first ranking is called as no other; it alone ranks Ana second."""
    for row in (club, season):
        row.publication = Publication.PUBLIC
        row.save()
    four = [PlayerFactory(club=club, name=name) for name in ("Ana", "Bia", "Caio", "Davi")]
    event = paper.evening(season, four, publication=Publication.PUBLIC)
    paper.write(paper.sit(event, four)[0], 252, -84, -84, -84)
    paper.close(event)
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)
    usual = Ranking.objects.get()
    cup = actions.add_ranking(season=season, preset=PRESETS[0], entry_key=uuid.uuid4())
    tasks.refresh_ranking(season.pk)
    Ranking.objects.filter(pk=usual.pk).update(order=1)
    Ranking.objects.filter(pk=cup.pk).update(order=0, name=NAME)
    cup.rows.update(score=4321, points=4321)
    return SimpleNamespace(
        club=club, season=season, event=event, cup=cup, player=four[0],
        row=cup.rows.get(player=four[0]),
    )  # fmt: skip


def address_of(world: SimpleNamespace, name: str) -> str:
    club, cup, event = world.club.slug, world.cup.pk, world.event.pk
    return {
        "page": reverse("ranking", args=[club]) + f"?ranking={cup}",
        "why": reverse("why-rank", args=[world.row.pk]),
        "csv": reverse("ranking-csv", args=[cup]),
        "xlsx": reverse("ranking-xlsx", args=[cup]),
        "frame": reverse("embed-ranking", args=[cup]),
        "picture": reverse("ranking-picture", args=[cup]),
        "api lines": f"/api/v1/rankings/{cup}/lines/",
        "api why": f"/api/v1/ranking-lines/{world.row.pk}/",
        "ranking": reverse("ranking", args=[club]),
        "club": reverse("club", args=[club]),
        "player": reverse("player", args=[world.player.pk]),
        "feed": reverse("results-feed", args=[club]),
        "share": reverse("share-club", args=[club]),
        "projector": reverse("projector", args=[event]),
        "wall": reverse("standings", args=[event]) + "?projector=",
        "event picture": reverse("event-picture", args=[event]),
        "api rankings": f"/api/v1/seasons/{world.season.pk}/rankings/",
        "api leaderboard": f"/api/v1/seasons/{world.season.pk}/leaderboard/",
    }[name]


def tells(response) -> bool:
    """Is the cup or its score in what was answered?"""
    text = text_of(response)
    return NAME in text or "4321" in "".join(text.split()).replace("\u202f", "").replace(",", "")


@pytest.mark.parametrize("state", list(Ranking.State))
@pytest.mark.parametrize("name", [*OF_THE_RANKING, *BESIDE])
def test_a_draft_is_told_to_directors_and_owners_only(name: str, state: str, world, request):
    Ranking.objects.filter(pk=world.cup.pk).update(state=state)
    is_open = state != Ranking.State.DRAFT

    for role in ROLES:
        response = request.getfixturevalue(f"{role}_client").get(address_of(world, name))

        may_see = is_open or role in SEE_DRAFTS
        if name in OF_THE_RANKING:
            assert response.status_code == (200 if may_see else 404), role
        assert may_see or not tells(response), role
        if name == "page":
            assert tells(response) == may_see, role


def test_the_picture_of_a_draft_is_drawn_for_whoever_may_see_it_and_kept_for_nobody_else(
    world, director_client, anonymous_client
):
    address = reverse("ranking-picture", args=[world.cup.pk])

    drawn = director_client.get(address)

    assert "private" in drawn.headers["Cache-Control"]
    assert anonymous_client.get(address).status_code == 404


def test_the_leaderboard_of_the_api_is_the_first_ranking_that_is_no_draft(world, director_client):
    address = f"/api/v1/seasons/{world.season.pk}/leaderboard/"
    told = director_client.get(address).json()["results"]

    assert [line["points"] for line in told] == [252, -84, -84, -84]

    Ranking.objects.update(state=Ranking.State.DRAFT)
    assert director_client.get(address).json()["results"] == []


def test_who_is_in_a_draft_only_has_no_page_for_the_world(world, anonymous_client):
    world.event.publication = Publication.CLUB
    world.event.save()
    address = reverse("player", args=[world.player.pk])
    assert anonymous_client.get(address).status_code == 200

    Ranking.objects.update(state=Ranking.State.DRAFT)

    assert anonymous_client.get(address).status_code == 404
