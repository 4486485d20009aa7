"""Teams are of two or of four (OT p.15): one of three is named as soon as it is."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from tests.factories import EventFactory
from tournaments import actions
from tournaments.models import Entry, Event, Placement, Stage
from tournaments.outlook import outlook

pytestmark = pytest.mark.django_db

THREE = "The team Les Huniers has 3 players: teams have two or four."


@pytest.fixture
def tournament(season) -> Event:
    event = EventFactory(season=season, kind=Event.Kind.TOURNAMENT)
    Stage.objects.create(
        event=event, number=1, rounds_planned=3, deals_per_round=4, placement=Placement.FFT
    )
    return event


def entered(event: Event, count: int, team: str) -> list[Entry]:
    return [
        actions.enter_player(
            event=event, by=None, name=f"{team} n{n:03d} Zed", is_present=True,
            despite_namesakes=True, team=team,
        )
        for n in range(count)
    ]  # fmt: skip


def test_the_third_of_a_team_is_entered_and_the_desk_is_told(scorer_client, tournament):
    entered(tournament, 2, "Les Huniers")

    answer = scorer_client.post(
        reverse("enter-player", args=[tournament.pk]),
        {"name": "Maëlle Raoult", "team": "Les Huniers"},
        follow=True,
    )

    assert THREE in answer.text
    assert tournament.teams.get().entries.count() == 3


def test_the_first_and_the_second_of_a_team_are_entered_without_a_word(scorer_client, tournament):
    address = reverse("enter-player", args=[tournament.pk])

    for name in ("Maëlle Raoult", "Yann Le Gall"):
        answer = scorer_client.post(address, {"name": name, "team": "Les Huniers"}, follow=True)
        messages = [message.message for message in answer.context["messages"]]
        assert len(messages) == 1, messages


def test_moving_a_player_into_a_team_of_two_tells_so(scorer_client, tournament):
    entered(tournament, 2, "Les Huniers")
    (other,) = entered(tournament, 1, "Les Misaines")

    answer = scorer_client.post(
        reverse("entry", args=[other.pk]),
        {"team": "Les Huniers", "number": other.number},
        follow=True,
    )

    assert THREE in answer.text


def test_before_the_draw_the_outlook_names_the_team(tournament):
    entered(tournament, 3, "Les Huniers")
    for n in range(9):
        entered(tournament, 2, f"Paire {n}")

    (only,) = outlook(tournament)

    assert any(problem.startswith(THREE) for problem in only.problems)


def test_a_team_of_three_is_not_drawn(tournament):
    entered(tournament, 3, "Les Huniers")
    for n in range(9):
        entered(tournament, 2, f"Paire {n}")

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.messages[0].startswith(THREE)
    assert not tournament.rounds.exists()


def test_one_of_four_who_stays_away_does_not_stop_the_draw(tournament):
    absent = entered(tournament, 4, "Les Huniers")[0]
    for n in range(4):
        entered(tournament, 4, f"Carré {n}")
    actions.check_out_entry(entry=absent, by=None)

    assert actions.place_round(event=tournament, by=None).tables.count() == 5
