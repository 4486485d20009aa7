"""Lists, tokens, throttles, languages and the manual of the API."""

from __future__ import annotations

import pytest
import yaml
from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle

from clubs import attempts
from tests.api.conftest import publish, report
from tests.factories import PASSWORD, EventFactory, SeasonFactory, TableFactory
from tournaments.models import ResultVersion

pytestmark = pytest.mark.django_db


def token_of(email: str, password: str = PASSWORD):
    return APIClient().post("/api/v1/token/", {"email": email, "password": password})


def test_a_token_stands_for_the_account(scorer, world):
    token = token_of(scorer.email).data["token"]
    api = APIClient(headers={"Authorization": f"Token {token}"})

    assert api.get(f"/api/v1/tables/{world.table.pk}/").status_code == 200
    assert (
        api.post(f"/api/v1/tables/{world.table.pk}/deals/", report(world.table)).status_code == 201
    )


def test_a_token_asked_for_twice_is_the_same_until_it_is_taken_back(scorer):
    first, second = (token_of(scorer.email).data["token"] for _ in range(2))
    assert first == second

    api = APIClient(headers={"Authorization": f"Token {first}"})
    assert api.delete("/api/v1/token/own/").status_code == 204

    assert api.delete("/api/v1/token/own/").status_code == 401
    assert token_of(scorer.email).data["token"] != first


def test_a_wrong_password_gives_no_token(scorer):
    answer = token_of(scorer.email, "a wrong one")

    assert answer.status_code == 400
    assert list(answer.data["fields"]) == [""]
    assert not Token.objects.exists()


def test_an_account_that_may_not_sign_in_has_no_token(scorer):
    token = token_of(scorer.email).data["token"]
    scorer.is_active = False
    scorer.save()

    assert token_of(scorer.email).status_code == 400
    api = APIClient(headers={"Authorization": f"Token {token}"})
    assert api.get("/api/v1/clubs/").status_code == 401


def test_guessing_is_slowed_down_as_on_the_sign_in_page(scorer):
    for _ in range(attempts.SAME_ACCOUNT_AND_ADDRESS.most):
        token_of(scorer.email, "a wrong one")

    answer = token_of(scorer.email)

    assert answer.status_code == 429
    assert answer.data["code"] == "throttled"


def test_asking_for_tokens_too_often_is_refused(scorer, monkeypatch):
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"token": "2/min"})

    statuses = [token_of(scorer.email).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]


def test_every_scope_has_a_rate_in_production():
    assert set(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]) == {"anon", "user", "token"}


def test_evenings_come_in_pages_and_can_be_asked_for_by_club_season_and_state(api, club, world):
    other = SeasonFactory(club=club)
    EventFactory.create_batch(3, season=other, closed=True)

    everything = api.get("/api/v1/events/").data
    assert (everything["count"], everything["next"]) == (4, None)
    for query, count in (
        (f"club={club.slug}", 4),
        ("club=les-dunes", 0),
        (f"season={other.pk}", 3),
        (f"season={other.pk}&state=running", 0),
        ("state=running", 1),
    ):
        assert api.get(f"/api/v1/events/?{query}").data["count"] == count


def test_what_is_asked_wrongly_is_refused(api):
    answer = api.get("/api/v1/events/?season=last")

    assert (answer.status_code, list(answer.data["fields"])) == (400, ["season"])


def test_a_long_list_is_turned_page_by_page(api, world):
    EventFactory.create_batch(settings.REST_FRAMEWORK["PAGE_SIZE"], season=world.season)

    first = api.get("/api/v1/events/").data
    second = api.get(first["next"]).data

    assert (len(first["results"]), len(second["results"])) == (50, 1)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("path", ["events/", "seasons/", "clubs/"])
def test_the_number_of_queries_does_not_grow_with_a_list(
    api, club, count, path, django_assert_num_queries
):
    for _ in range(count):
        EventFactory(season=SeasonFactory(club=club))

    with django_assert_num_queries(2):
        assert api.get(f"/api/v1/{path}").status_code == 200


@pytest.mark.parametrize("name", ["rounds/", "standings/"])
def test_the_number_of_queries_does_not_grow_with_the_tables(
    api, world, name, django_assert_num_queries
):
    TableFactory.create_batch(2, round=world.round)

    with django_assert_num_queries({"rounds/": 5, "standings/": 4}[name]):
        api.get(f"/api/v1/events/{world.event.pk}/{name}")


def test_a_refusal_has_one_shape_whatever_it_is(api, world):
    missing = api.get("/api/v1/events/999999/").data
    wrong_verb = api.delete("/api/v1/clubs/").data
    unreadable = api.post(
        f"/api/v1/tables/{world.table.pk}/deals/", "{", content_type="application/json"
    ).data

    for refusal in (missing, wrong_verb, unreadable):
        assert set(refusal) == {"code", "message", "fields"}
        assert refusal["message"]
    assert (missing["code"], wrong_verb["code"], unreadable["code"]) == (
        "not_found", "method_not_allowed", "parse_error",
    )  # fmt: skip


@pytest.mark.parametrize("body", ["[]", '"deal"', "null", "[1, 2]", "{}", '{"taker": {}}'])
def test_a_body_of_another_shape_is_refused_and_breaks_nothing(api, world, body):
    answer = api.post(
        f"/api/v1/tables/{world.table.pk}/deals/", body, content_type="application/json"
    )

    assert answer.status_code == 400
    assert answer.data["fields"]


def test_the_schema_that_is_kept_is_the_one_that_is_served():
    kept = yaml.safe_load((settings.BASE_DIR / "docs/openapi.yaml").read_text(encoding="utf-8"))
    made = SchemaGenerator(api_version="v1").get_schema(request=None, public=True)

    assert yaml.safe_load(yaml.safe_dump(made)) == kept, (
        "Write it anew: manage.py spectacular --api-version v1 --file docs/openapi.yaml"
    )


def test_the_schema_is_served(db):
    answer = APIClient().get("/api/v1/schema/")

    assert answer.status_code == 200
    assert b"/api/v1/tables/{id}/deals/" in answer.content


def test_the_manual_shows_every_call_without_script_or_foreign_files(client, db):
    page = client.get("/api/v1/docs/")
    text = page.content.decode()

    assert page.status_code == 200
    for address in ("/api/v1/tables/{id}/deals/", "/api/v1/seasons/{id}/leaderboard/"):
        assert address in text
    assert "style=" not in text
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]


def test_the_world_reads_published_clubs_without_an_account(world):
    publish(world)

    clubs = APIClient().get("/api/v1/clubs/").data["results"]

    assert [club["slug"] for club in clubs] == [world.club.slug]
    assert set(clubs[0]) == {"slug", "name", "town", "about", "language", "publication"}


def test_results_and_entries_name_the_players_as_whoever_asks_may_read_them(world, caller, member):
    publish(world)
    entry = world.event.entries.order_by("number").first()
    player = entry.players.get()
    player.shown_as = "hidden"
    player.save(update_fields=["shown_as"])
    ResultVersion.objects.create(
        event=world.event, number=1, state="final",
        lines=[{"entry": entry.pk, "place": 1, "points": 10, "sheet_points": 10,
                "ruled_points": 0, "tie_breaks": [], "rounds": []}],
    )  # fmt: skip
    world.event.entries.filter(pk=entry.pk).update(deals_played=1)

    def names(user) -> list[list[str]]:
        api, event = caller(user), f"/api/v1/events/{world.event.pk}"
        (version,) = api.get(f"{event}/results/").data
        listed = {row["id"]: row["players"] for row in api.get(f"{event}/entries/").data}
        return [version["lines"][0]["players"], listed[entry.pk]]

    assert names(member) == [[player.name]] * 2
    told = names(None)
    assert told[0] == told[1] != [player.name]
