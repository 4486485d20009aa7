"""A truco night through its pages: planned, checked in, drawn, played, closed, ranked."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring import tasks
from tests.factories import PlayerFactory, SeasonFactory
from tests.scoring.truco import game, record
from tournaments import actions
from tournaments.models import Entry, Event
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club):
    today = timezone.localdate()
    return SeasonFactory(club=club, starts_on=today.replace(month=1, day=1),
                         ends_on=today.replace(month=12, day=31))  # fmt: skip


@pytest.fixture
def plan(director_client, club, season):
    """Plan a truco night by the form; gives the event."""

    def make(**answers) -> Event:
        sent = {
            "starts_at": timezone.localtime().strftime("%Y-%m-%dT%H:%M"),
            "deals_per_round": "5",
            "leftovers": "threes",
            "publication": "club",
            "game": "truco",
            "entry_key": uuid.uuid4(),
            **answers,
        }
        response = director_client.post(reverse("create-event", args=[club.slug]), sent)
        assert response.status_code == 302, response.context["form"].errors
        return Event.objects.latest("pk")

    return make


def arrive(event: Event, club, by, names) -> None:
    for name in names:
        actions.check_in(event=event, player=PlayerFactory(club=club, name=name), by=by)


NAMES = ("Ana", "Bia", "Caio", "Davi", "Edu", "Fabi", "Gil", "Hugo", "Iara")


def test_a_night_of_drawn_partners_from_the_plan_to_the_ranking(
    plan, director_client, director, scorer, club
):
    event = plan(sides="drawn", best_of="3", target="12", meeting_points="simples")
    assert (event.game, event.entrants, event.best_of) == ("truco", "players", 3)
    arrive(event, club, director, NAMES)
    page = director_client.get(reverse("check-in", args=[event.pk]))
    assert "2 tables of 4 + 1 sits out" in page.text.replace("&#x27;", "'")

    partners: set[frozenset[int]] = set()
    for number in (1, 2):
        director_client.post(reverse("draw-round", args=[event.pk]), {"instead": 0})
        page = director_client.get(reverse("draw", args=[event.pk]))
        assert page.status_code == 200
        proposal = event.rounds.proposed().get()
        director_client.post(reverse("publish-round", args=[event.pk]), {"round": proposal.pk})
        for table in proposal.tables.order_by("number"):
            seats = list(table.seats.order_by("place").values_list("player_id", flat=True))
            assert len(seats) == 4
            for pair in (frozenset(seats[0::2]), frozenset(seats[1::2])):
                assert pair not in partners, (
                    "nobody has the same partner twice while others are left"
                )
                partners.add(pair)
            assert (table.best_of, table.target) == (3, 12)
            record(table, scorer, game(12, 5), game(12, 8))
        assert director_client.get(reverse("tables", args=[event.pk])).status_code == 200
        closed = director_client.post(
            reverse("close-round", args=[event.pk]), {"round": proposal.pk}
        )
        assert closed.status_code == 302
        assert event.rounds.get(number=number).state == "closed"

    director_client.post(reverse("close-event", args=[event.pk]))
    tasks.refresh_standings(event.pk)
    event.refresh_from_db()
    assert event.is_closed
    lines = Entry.objects.filter(event=event).order_by("place", "pk")
    assert sum(line.tally["wins"] for line in lines if line.tally) == 8
    assert max(line.points for line in lines) == lines[0].points
    standings = director_client.get(reverse("standings", args=[event.pk]))
    assert standings.status_code == 200
    assert all(line.player_names in standings.text for line in _with_names(lines))
    assert director_client.get(reverse("event", args=[event.pk])).status_code == 200


def _with_names(lines):
    for line in lines:
        if line.tally:
            line.player_names = line.players.get().name
            yield line


def test_a_night_of_pairs_that_stay(plan, director_client, director, club):
    event = plan(sides="pairs", best_of="1", target="15", truco_preset="mineiro")
    assert (event.entrants, event.ruleset["target"], event.ruleset["players"]) == ("pairs", 15, 4)
    door = director_client.get(reverse("check-in", args=[event.pk]), follow=True)
    assert "Enter a pair" in door.text
    for one, other in (("Ana", "Bia"), ("Caio", "Davi"), ("Edu", "Fabi")):
        entered = director_client.post(
            reverse("enter-player", args=[event.pk]), {"name": one, "partner": other}
        )
        assert entered.status_code == 302, entered.text[-3000:]
    assert event.entries.count() == 3
    director_client.post(reverse("check-in-everybody", args=[event.pk]))

    drawn = director_client.post(reverse("draw-round", args=[event.pk]), {"instead": 0})
    assert drawn.status_code == 302
    page = director_client.get(reverse("draw", args=[event.pk]))

    assert page.status_code == 200
    proposal = event.rounds.proposed().get()
    (table,) = proposal.tables.all()
    entries = list(table.seats.order_by("place").values_list("entry_id", flat=True))
    assert entries[0] == entries[2] != entries[1] == entries[3]
    assert proposal.sit_outs.count() == 1


@pytest.mark.parametrize(("sides", "seats"), [("singles", 2), ("drawn_trios", 6)])
def test_tables_of_two_and_of_six(  # noqa: PLR0917 - fixtures and cases
    plan, director_client, director, club, sides, seats
):
    event = plan(sides=sides)
    arrive(event, club, director, NAMES[:7])

    director_client.post(reverse("draw-round", args=[event.pk]), {"instead": 0})

    tables = event.rounds.proposed().get().tables.all()
    assert {table.players_per_deal for table in tables} == {seats}
    assert {table.seats.count() for table in tables} == {seats}


def test_too_few_for_a_table_is_said(plan, director_client, director, club):
    event = plan(sides="drawn")
    arrive(event, club, director, NAMES[:3])

    refused = director_client.post(reverse("draw-round", args=[event.pk]), {"instead": 0})

    assert refused.status_code == 422
    assert "A table needs 4 players: 3 is too few." in refused.text


def test_tarot_stays_the_usual_game(director_client, club, season, plan):
    event = plan(game="")

    assert (event.game, event.best_of, event.ruleset["name"]) == ("tarot", None, "fft")


def test_the_next_night_is_planned_like_the_last(plan, director_client, club):
    plan(sides="trios", best_of="5", target="24", meeting_points="3210")

    form = director_client.get(reverse("create-event", args=[club.slug])).context["form"]

    asked = {name: form[name].value() for name in ("game", "sides", "best_of", "target")}
    assert asked == {"game": "truco", "sides": "trios", "best_of": 5, "target": 24}


def test_a_planned_night_keeps_its_game(plan, director_client):
    event = plan(sides="drawn")
    address = reverse("edit-event", args=[event.pk])

    form = director_client.get(address).context["form"]
    assert "game" not in form.fields
    changed = director_client.post(
        address,
        {"starts_at": timezone.localtime().strftime("%Y-%m-%dT%H:%M"), "title": "Noite",
         "publication": "club", "rounds_planned": "3"},
    )  # fmt: skip

    assert changed.status_code == 302
    event.refresh_from_db()
    assert (event.title, event.game, event.best_of) == ("Noite", "truco", 3)


def change(client, event: Event, **answers):
    """Send the plan again with other answers."""
    asked = {"starts_at": timezone.localtime(event.starts_at).strftime("%Y-%m-%dT%H:%M"),
             "publication": "club", "sides": "drawn", "best_of": "3", "target": "12",
             "meeting_points": "simples", "cap_rule": "", "truco_preset": "paulista"}  # fmt: skip
    return client.post(reverse("edit-event", args=[event.pk]), asked | answers)


def test_until_the_first_draw_the_games_of_a_night_can_be_planned_anew(plan, director_client):
    event = plan(sides="drawn")
    page = director_client.get(reverse("edit-event", args=[event.pk]))
    asked = {name: page.context["form"][name].value() for name in ("sides", "best_of", "target")}
    assert asked == {"sides": "drawn", "best_of": 3, "target": 12}

    games = {"sides": "singles", "best_of": "5", "target": "24", "truco_preset": "mineiro"}
    changed = change(director_client, event, **games, meeting_points="jau", cap_rule="leader_wins")

    assert changed.status_code == 302
    event.refresh_from_db()
    assert (event.entrants, event.best_of, event.target) == ("players", 5, 24)
    rules = event.ruleset
    assert (rules["name"], rules["players"], rules["target"]) == ("mineiro-1v1", 2, 24)
    assert (event.meeting_points["win"], event.cap_rule) == (3, "leader_wins")
    assert event.journal.filter(kind="changed").count() == 1


def test_the_same_plan_sent_again_changes_nothing(plan, director_client):
    event = plan(sides="singles")

    change(director_client, event, sides="singles")

    assert not event.journal.filter(kind="changed").exists()


def test_once_a_round_is_drawn_the_games_stay_and_the_page_says_so(
    plan, director_client, director, club
):
    event = plan(sides="drawn")
    arrive(event, club, director, NAMES[:4])
    director_client.post(reverse("draw-round", args=[event.pk]), {"instead": 0})

    page = director_client.get(reverse("edit-event", args=[event.pk]))
    assert "sides" not in page.context["form"].fields
    assert "A round is drawn: what is played stays as it was planned." in page.text
    with pytest.raises(Conflict, match="A round is drawn"):
        actions.change_event(event=event, by=director, best_of=5)


def test_who_enters_stays_once_somebody_is_on_the_list(plan, director_client, director, club):
    event = plan(sides="drawn")
    arrive(event, club, director, NAMES[:1])

    refused = change(director_client, event, sides="pairs")

    assert refused.status_code == 409
    assert "People are on the list already" in refused.text
    assert change(director_client, event, best_of="5").status_code == 302


def test_pages_of_a_night_show_side_against_side(plan, director_client, director, scorer, club):
    event = plan(sides="drawn", best_of="3")
    arrive(event, club, director, NAMES[:4])
    page = director_client.get(reverse("event", args=[event.pk]))
    assert "best of 3 games" in page.text
    assert "Nothing has been played yet" in page.text
    director_client.post(reverse("draw-round", args=[event.pk]), {"instead": 0})
    proposal = event.rounds.proposed().get()
    seats = proposal.seats.select_related("player").order_by("place")
    one, two, three, four = (seat.player.name for seat in seats)

    draw = director_client.get(reverse("draw", args=[event.pk]))
    director_client.post(reverse("publish-round", args=[event.pk]), {"round": proposal.pk})
    table = proposal.tables.get()
    record(table, scorer, game(12, 5))
    board = director_client.get(reverse("tables", args=[event.pk]))
    floor = director_client.get(reverse("floor", args=[event.pk]))

    for shown in (draw, board, floor):
        assert f"{one} &amp; {three}" in shown.text
        assert f"{two} &amp; {four}" in shown.text
    assert "12 points" in board.text
    assert "5 points" in board.text
    by_name = director_client.get(reverse("print-seating", args=[event.pk])).text
    assert [letter in by_name for letter in ("A1", "B1", "A2", "B2")] == [True] * 4
