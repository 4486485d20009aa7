"""The demo club is made through the actions, is there once, and shows what the rules print."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import F

from clubs.models import Club, Membership, Role, User
from config import demo
from scoring.models import Mark, RankingRow, StaleRanking, StaleStandings, TarotDeal
from tournaments.models import Event, Fixture, Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def make() -> str:
    said = StringIO()
    call_command("demo", stdout=said)
    return said.getvalue()


def rows() -> dict[str, int]:
    models = (Club, User, Membership, Event, Table, TarotDeal, Mark, RankingRow)
    return {model.__name__: model.objects.count() for model in models}


def test_the_demo_club(client):
    said = make()

    the_accounts_are_printed_and_work(said, client)
    the_leaderboard_shows_the_rule_books_totals(client)
    the_season_has_something_for_every_page()
    a_second_time_changes_nothing()


def the_accounts_are_printed_and_work(said: str, client) -> None:
    assert not User.objects.exclude(language="").exists()  # each follows its reader's browser
    for address, _name, role in demo.ACCOUNTS:
        assert f"{role}: {address}, password {demo.PASSWORD}" in said
        assert client.login(username=address, password=demo.PASSWORD)
        assert Membership.objects.get(player__account__email=address).role == role
        client.logout()


def the_leaderboard_shows_the_rule_books_totals(client) -> None:
    season = Club.objects.get().seasons.get(name=demo.RULES)

    page = client.get(f"/clubs/{demo.SLUG}/ranking/?season={season.pk}").content.decode()

    points = [
        (row.player.name, row.points)
        for row in RankingRow.objects.filter(ranking__season=season).by_place()
    ]
    assert points == [
        ("Ana (A)", 76),
        ("Denise (D)", 68),
        ("Colette (C)", -28),
        ("Bernard (B)", -116),
    ]
    for shown in ("Ana (A)", "+76", "−116", "−28", "+68"):
        assert shown in page


def championships_show_themselves(season) -> None:
    over = season.events.get(game="truco", kind="tournament", state="closed")
    running = season.events.get(game="truco", kind="tournament", state="running")
    assert over.entries.filter(place=1).count() == 1
    assert not Fixture.objects.filter(stage__event=over).exclude(state="done").exists()
    met = Fixture.objects.filter(stage__event=running)
    assert (running.entries.count(), met.filter(state="playing").count()) == (13, 3)
    assert met.filter(decided_at__isnull=False).count() == met.count() // 2


def the_season_has_something_for_every_page() -> None:
    season = Club.objects.get().seasons.latest_first()[0]
    assert Membership.objects.filter(left_on=None).count() == 20
    assert set(Membership.objects.values_list("role", flat=True)) == set(Role.values)
    assert season.events.filter(game="tarot", state="closed").count() == 6
    assert season.events.filter(game="tarot", state="running").count() == 1
    assert season.events.filter(game="truco", kind="club_night").count() == 2
    championships_show_themselves(season)
    tables = Table.objects.filter(round__event__season=season, best_of=None)
    assert {len(table.seats.all()) for table in tables.prefetch_related("seats")} == {3, 4, 5}
    assert set(tables.values_list("players_per_deal", flat=True)) == {3, 4, 5}
    states = TarotDeal.objects.values_list("state", flat=True)
    assert (list(states).count("corrected"), list(states).count("void")) == (1, 1)
    tarot = RankingRow.objects.filter(ranking__season=season, ranking__game="tarot")
    assert tarot.count() == 3 * 20
    assert tarot.exclude(evenings=F("evenings_counted")).exists()
    truco = RankingRow.objects.filter(ranking__season=season, ranking__game="truco")
    assert truco.count() == 9 + 16
    assert not StaleStandings.objects.exists()
    assert not StaleRanking.objects.exists()
    for table in Table.objects.filter(best_of=None).prefetch_related("seats"):
        assert sum(seat.points for seat in table.seats.all()) == 0


def a_second_time_changes_nothing() -> None:
    before = rows()

    said = make()

    assert "already there" in said
    assert rows() == before
