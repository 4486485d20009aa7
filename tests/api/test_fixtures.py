"""Tournaments of fixtures over the API: read, decided, confirmed, taken back."""

from __future__ import annotations

import pytest

from scoring import tasks
from tests.api.fixtures import championship
from tests.tournaments.championships import planned, play_everything, with_sides
from tournaments.models import Entry

pytestmark = pytest.mark.django_db

WON = {"ending": "played", "winner": "home", "scores": [[12, 3], [12, 7]]}


@pytest.fixture
def cup(world, scorer):
    return championship(world.season, scorer)


def test_stages_tell_their_tables_and_what_decided(api, club):
    event = with_sides(planned(club, "groups_knockout"), 8)
    play_everything(event, seed=3)

    groups, knockout = api.get(f"/api/v1/events/{event.pk}/stages/").data

    assert (groups["kind"], groups["places"]) == ("groups", [])
    assert {line["section"] for line in groups["lines"]} == {"A", "B"}
    assert sum(line["goes_on"] for line in groups["lines"]) == 4
    assert knockout["lines"] == []
    champion = Entry.objects.get(event=event, place=1)
    assert (knockout["places"][0]["entry"], knockout["places"][0]["name"]) == (
        champion.pk, str(champion),
    )  # fmt: skip


def test_fixtures_tell_the_lines_of_their_bracket(api, cup):
    event, (first, _second) = cup

    rows = api.get(f"/api/v1/events/{event.pk}/fixtures/?stage=2").data

    final = next(row for row in rows if row["home_from"].startswith("winner"))
    assert final["home_from"].endswith(first.code) or final["away_from"].endswith(first.code)
    assert api.get(f"/api/v1/events/{event.pk}/fixtures/?stage=1").data == []
    assert api.get(f"/api/v1/events/{event.pk}/fixtures/?stage=x").status_code == 400


def test_a_director_decides_and_takes_back(caller, director, cup):
    _event, (first, _second) = cup
    api, address = caller(director), f"/api/v1/fixtures/{first.pk}/"
    seen = api.get(address).data["seen"]
    needed = (api.get(address).data["best_of"] + 1) // 2
    said = WON | {"scores": [[12, 3]] * needed, "seen": seen}

    decided = api.post(f"{address}decide/", said, format="json")
    again = api.post(f"{address}decide/", said, format="json")
    other = api.post(f"{address}decide/", said | {"winner": "away"}, format="json")
    undone = api.post(f"{address}undo/", {"seen": decided.data["seen"]}, format="json")

    assert (decided.status_code, decided.data["state"], decided.data["winner"]) == (
        200, "done", "home",
    )  # fmt: skip
    assert again.data["decided_at"] == decided.data["decided_at"]
    assert (other.status_code, other.data["code"]) == (409, "already_decided")
    assert (undone.status_code, undone.data["state"]) == (200, "ready")


def test_what_was_seen_before_a_change_is_too_old(caller, director, cup):
    _event, (first, _second) = cup
    old = {"seen": "2020-01-01T00:00:00Z"}

    answer = caller(director).post(f"/api/v1/fixtures/{first.pk}/decide/", WON | old, format="json")

    assert (answer.status_code, answer.data["code"]) == (409, "changed_meanwhile")


@pytest.mark.parametrize(
    "sent",
    [{"ending": "bye"}, WON | {"scores": [[12]]}, WON | {"scores": [[5, 3]]}, WON | {"x": 1}],
)
def test_a_result_that_cannot_be_is_refused(caller, director, cup, sent):
    _event, (first, _second) = cup

    answer = caller(director).post(f"/api/v1/fixtures/{first.pk}/decide/", sent, format="json")

    assert (answer.status_code, answer.data["code"]) == (400, "invalid")


def test_the_sheet_of_a_fixture_is_confirmed(api, cup):
    event, (first, second) = cup

    answer = api.post(f"/api/v1/fixtures/{second.pk}/confirm/", {}, format="json")
    tasks.refresh_standings(event.pk)

    assert (answer.status_code, answer.data["state"]) == (200, "done")
    not_called = api.post(f"/api/v1/fixtures/{first.pk}/confirm/", {}, format="json")
    assert (not_called.status_code, not_called.data["code"]) == (409, "not_playing")


@pytest.mark.parametrize("count", [4, 9])
@pytest.mark.parametrize("name", ["stages", "fixtures"])
def test_the_number_of_queries_does_not_grow_with_the_sides(
    api, club, count, name, django_assert_max_num_queries
):
    event = with_sides(planned(club, "groups_knockout"), count)
    play_everything(event, seed=3)

    with django_assert_max_num_queries(8):
        api.get(f"/api/v1/events/{event.pk}/{name}/")
