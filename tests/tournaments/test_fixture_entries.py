"""Pairs and trios enter a tournament: by hand, from a list, by lot, with a reserve."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from tests.factories import EventFactory
from tournaments import actions
from tournaments.actions.meetings import RowsRefused, incomplete
from tournaments.models import Entry, EntryPlayer, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def championship(season) -> Event:
    return EventFactory(
        season=season, kind=Event.Kind.TOURNAMENT, game=Event.Game.TRUCO,
        entrants=Event.Entrants.PAIRS,
    )  # fmt: skip


def names_of(entry: Entry) -> list[str]:
    return [row.player.name for row in entry.entry_players.order_by("pk")]


def test_two_names_in_one_form_are_a_pair(championship, scorer_client):
    sent = {"name": "Ana Lima", "partner": "Bruno Reis", "reserve": "Caio Dias"}

    answer = scorer_client.post(reverse("enter-player", args=[championship.pk]), sent)

    assert answer.status_code == 302
    pair = championship.entries.get()
    assert names_of(pair) == ["Ana Lima", "Bruno Reis", "Caio Dias"]
    captain, second, reserve = pair.entry_players.order_by("pk")
    assert captain.is_captain
    assert not second.is_captain
    assert reserve.is_reserve


def test_a_pair_is_called_by_its_players_unless_it_has_a_name(championship):
    plain = actions.enter_player(event=championship, by=None, name="Ana", partners=["Bruno"])
    named = actions.enter_player(
        event=championship, by=None, name="Zeca", partners=["Davi"], side_name="Os Primos"
    )

    assert str(named) == "Os Primos"
    assert str(plain) in {"Ana & Bruno", "Bruno & Ana"}


def test_nobody_plays_in_two_pairs(championship):
    actions.enter_player(event=championship, by=None, name="Ana", partners=["Bruno"])

    with pytest.raises(ValidationError, match="already entered"):
        actions.enter_player(event=championship, by=None, name="Davi", partners=["Bruno"])
    with pytest.raises(ValidationError, match="named twice"):
        actions.enter_player(event=championship, by=None, name="Elza", partners=["Elza"])
    assert championship.entries.count() == 1


def test_three_are_no_pair(championship):
    with pytest.raises(ValidationError, match="2 players enter together"):
        actions.enter_player(event=championship, by=None, name="Ana", partners=["Bruno", "Caio"])


def test_a_pasted_list_enters_62_pairs(championship, director_client):
    text = "\n".join(f"Jogador {n} A / Jogador {n} B; Clube {n % 7}" for n in range(62))

    answer = director_client.post(
        reverse("import-entries", args=[championship.pk]), {"text": text, "is_present": "on"}
    )

    assert answer.status_code == 302
    assert championship.entries.present().count() == 62
    assert EntryPlayer.objects.filter(event=championship).count() == 124
    assert championship.entries.get(number=9).club_name == "Clube 1"


def test_a_list_with_a_wrong_line_enters_nobody_and_says_why(championship, director_client):
    text = "Ana / Bruno\n\nCaio / Ana\nOs Dois: Davi / Elza / Fabio\nGil / Hugo / Ivo / Jair"

    with pytest.raises(RowsRefused) as refused:
        actions.import_entries(event=championship, text=text, by=None)
    page = director_client.post(reverse("import-entries", args=[championship.pk]), {"text": text})

    assert [number for number, _text, _why in refused.value.rows] == [3, 5]
    assert page.status_code == 422
    assert "Gil / Hugo / Ivo / Jair" in page.content.decode()
    assert not championship.entries.exists()


def test_partners_are_drawn_for_those_who_came_alone(championship):
    for name in ("Ana", "Bruno", "Caio", "Davi", "Elza"):
        actions.enter_player(event=championship, by=None, name=name, is_present=True)

    sides = actions.draw_partners(event=championship, by=None, seed=4821)

    assert [side.entry_players.count() for side in sides] == [2, 2]
    assert len(incomplete(championship)) == 1
    assert championship.entries.count() == 3


def test_the_reserve_plays_for_one_of_its_own_side_only(championship):
    pair = actions.enter_player(
        event=championship, by=None, name="Ana", partners=["Bruno"], reserve="Caio"
    )
    other = actions.enter_player(
        event=championship, by=None, name="Davi", partners=["Elza"], reserve="Gil"
    )
    people = {row.player.name: row.player for row in EntryPlayer.objects.select_related("player")}

    actions.put_in_reserve(entry=pair, gone=people["Bruno"], comes=people["Caio"], by=None)
    with pytest.raises(ValidationError, match="reserve of this side"):
        actions.put_in_reserve(entry=other, gone=people["Davi"], comes=people["Caio"], by=None)

    playing = pair.entry_players.filter(is_reserve=False)
    assert {row.player.name for row in playing} == {"Ana", "Caio"}
