"""The ranking of a tournament as pages show it: rounds, groups, the cut, versions."""

from __future__ import annotations

import pytest
from django.utils import timezone

from clubs.models import Publication
from scoring import tasks
from scoring.models import StaleStandings
from tests.factories import PlayerFactory
from tests.reading import text_of
from tests.scoring import paper
from tournaments.models import Event, Ruling


@pytest.fixture
def eight(club):
    return [PlayerFactory(club=club, name=f"{letter}-player") for letter in "ABCDEFGH"]


@pytest.fixture
def tournament(season, eight) -> Event:
    """Two rounds of two tables; A and E are equal at the end."""
    event = paper.evening(season, eight, kind=Event.Kind.TOURNAMENT, state=Event.State.RUNNING)
    for table in paper.sit(event, eight[:4], eight[4:]):
        paper.write(table, 30, 20, 10, -60)
    for table in paper.sit(event, eight[:4], eight[4:]):
        paper.write(table, 0, 50, -30, -20)
    event.rounds.update(state="closed")
    count(event)
    return event


def count(event: Event) -> None:
    StaleStandings.objects.create(event=event)
    tasks.refresh_standings(event.pk)
    event.refresh_from_db()


def close(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state="closed", closed_at=timezone.now())
    count(event)


def page(client, event: Event, query: str = "") -> str:
    response = client.get(f"/evenings/{event.pk}/results/{query}")
    assert response.status_code == 200
    return text_of(response)


def test_the_ranking_shows_number_rounds_and_points(member_client, tournament):
    shown = page(member_client, tournament)

    assert "1 2 B-player +20 at table 1 +50 at table 1 +70" in shown
    assert "Whoever has the same points has the same rank." in shown


def test_the_ranking_after_an_earlier_round_is_still_there(member_client, tournament):
    shown = page(member_client, tournament, "?after=1")

    assert "Ranking after round 1" in shown
    assert "1 1 A-player +30 at table 1 +30" in shown


@pytest.mark.parametrize("query", ["?after=7", "?version=1", "?after=x", "?by=colour"])
def test_what_does_not_exist_is_not_found(member_client, tournament, query):
    assert member_client.get(f"/evenings/{tournament.pk}/results/{query}").status_code == 404


def test_a_penalty_has_a_column_of_its_own(member_client, tournament, eight):
    entry = tournament.entries.get(players=eight[1])
    Ruling.objects.create(event=tournament, entry=entry, kind="penalty", fault="other", points=100)
    count(tournament)

    shown = page(member_client, tournament)

    assert "Penalties" in shown
    assert "6 2 B-player +20 at table 1 +50 at table 1 −100 −30" in shown


def test_a_tie_break_is_shown_with_the_value_that_decided(member_client, tournament, eight):
    Event.objects.filter(pk=tournament.pk).update(tie_breaks=["best_round"])
    for name, points in (("E-player", 10), ("F-player", 50)):
        entry = tournament.entries.get(players__name=name)
        Ruling.objects.create(
            event=tournament, entry=entry, kind="penalty", fault="other", points=points
        )
    count(tournament)

    shown = page(member_client, tournament)

    assert "Equal points are told apart by, in this order: points of the best round." in shown
    assert "F-player points of the best round: +50" in shown
    assert "E-player points of the best round: +30" in shown


def test_each_series_has_its_own_places(member_client, tournament, eight):
    tournament.entries.filter(players__in=eight[:4]).update(series="2")
    tournament.entries.filter(players__in=eight[4:]).update(series="1")

    shown = page(member_client, tournament, "?by=series")

    first, second = shown.split("Player Series Round 1")[1:]
    assert "1 6 F-player" in first
    assert "1 2 B-player" in second
    assert "2 1 A-player" in second


def test_clubs_gather_their_players(member_client, tournament, eight):
    tournament.entries.filter(players__in=eight[:2]).update(club_name="Tarot Club de Thionville")

    shown = page(member_client, tournament, "?by=club")

    assert "Tarot Club de Thionville" in shown
    assert "Without a club" in shown


def test_the_points_of_a_team_are_those_of_its_members(member_client, tournament, eight):
    for name, members in (("Rouge", (0, 7)), ("Bleu", (1, 6)), ("Vert", (5, 2))):
        team = tournament.teams.create(name=name)
        tournament.entries.filter(players__in=[eight[n] for n in members]).update(team=team)

    shown = page(member_client, tournament, "?by=team")

    assert "1. Bleu +50" in shown
    assert "1. Vert +50" in shown
    assert "3. Rouge −50" in shown


def test_the_line_of_the_final_is_provisional_until_the_final_is_drawn(
    member_client, tournament, eight
):
    tournament.stages.create(number=1, rounds_planned=2, deals_per_round=5)
    final = tournament.stages.create(
        number=2, name="the final", rounds_planned=1, deals_per_round=5, qualifiers=3
    )
    tournament.entries.filter(players=eight[1]).update(state="withdrawn")
    tournament.entries.filter(players=eight[0]).update(state="away")

    shown = page(member_client, tournament)

    assert "Down to here, 3 players go on to the final. Provisional until" in shown
    # B has withdrawn, so F, A and E go on.
    assert shown.index("E-player") < shown.index("Down to here") < shown.index("C-player")
    assert "1 player above the line is not marked as present" in shown

    paper.sit(tournament, eight[4:])
    tournament.rounds.filter(number=3).update(stage=final)
    assert "Down to here" not in page(member_client, tournament)


def test_equal_places_on_both_sides_of_the_line_are_pointed_out(member_client, tournament):
    tournament.stages.create(number=2, rounds_planned=1, deals_per_round=5, qualifiers=3)

    assert "The places on both sides of the line are equal" in page(member_client, tournament)


def test_a_version_says_its_state_and_what_it_changed(member_client, tournament, eight):
    close(tournament)
    assert "provisional Version 1 of" in page(member_client, tournament)

    table = tournament.rounds.get(number=2).tables.get(number=1)
    paper.void(table.tarot_deals.get())
    paper.write(table, 0, -50, 30, 20)
    count(tournament)

    shown = page(member_client, tournament)
    assert "provisional Version 2 of" in shown
    assert "B-player: +70 became −30, place 1 became 6" in shown
    old = page(member_client, tournament, "?version=1")
    assert "This is an older version." in old
    assert "1 2 B-player +20 at table 1 +50 at table 1 +70" in old


def test_while_no_worker_counts_the_page_says_that_a_ruling_is_newer(
    member_client, tournament, eight
):
    entry = tournament.entries.get(players=eight[1])
    ruling = Ruling.objects.create(event=tournament, entry=entry, kind="penalty", points=30)
    close(tournament)
    assert "newer" not in page(member_client, tournament)

    Ruling.objects.filter(pk=ruling.pk).update(withdrawn_at=timezone.now())
    StaleStandings.objects.create(event=tournament)

    shown = page(member_client, tournament)
    assert "1 ruling is newer than this" in shown
    assert "sheet is newer" not in shown

    count(tournament)
    assert "newer" not in page(member_client, tournament)


def test_the_director_declares_the_results_final(director_client, tournament):
    close(tournament)

    director_client.post(f"/evenings/{tournament.pk}/results/final/")

    assert "final Version 2 of" in page(director_client, tournament)
    assert "Declare the results final now" not in page(director_client, tournament)


def test_an_open_tournament_is_not_declared_final(director_client, tournament):
    answer = director_client.post(f"/evenings/{tournament.pk}/results/final/")

    assert answer.status_code == 422
    assert "Close the tournament first" in text_of(answer)


@pytest.mark.parametrize(("hours", "status"), [("3", 302), ("-1", 422), ("many", 422), ("", 422)])
def test_the_provisional_time_is_a_number_of_hours(director_client, tournament, hours, status):
    answer = director_client.post(f"/evenings/{tournament.pk}/results/hours/", {"hours": hours})

    tournament.refresh_from_db()
    assert (answer.status_code, tournament.provisional_hours) == (
        status,
        3 if status == 302 else 48,
    )
    said = "The results stay provisional from 0 to 720 hours."
    assert (said in text_of(answer)) == (status != 302)


def test_tie_breaks_are_declared_in_their_order(director_client, season):
    event = paper.evening(season, [], kind=Event.Kind.TOURNAMENT)

    director_client.post(
        f"/evenings/{event.pk}/results/tie-breaks/",
        {"first": "head_to_head", "second": "", "third": "best_round"},
    )

    event.refresh_from_db()
    assert event.tie_breaks == ["head_to_head", "best_round"]


def test_the_world_sees_a_published_ranking_without_what_the_director_may_do(
    anonymous_client, club, tournament
):
    club.publication = tournament.publication = Publication.PUBLIC
    club.save()
    tournament.save()

    shown = page(anonymous_client, tournament)

    assert "B-player" in shown
    assert "Change the provisional time" not in shown


@pytest.mark.parametrize("players", [4, 12])
def test_the_number_of_queries_does_not_grow_with_the_field(
    member_client, season, club, players, django_assert_num_queries
):
    everybody = PlayerFactory.create_batch(players, club=club)
    event = paper.evening(season, everybody, kind=Event.Kind.TOURNAMENT)
    for table in paper.sit(event, *(everybody[n : n + 4] for n in range(0, players, 4))):
        paper.write(table, 30, 20, 10, -60)
    close(event)

    with django_assert_num_queries(16):
        page(member_client, event)
