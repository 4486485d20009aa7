"""What a club takes out as a file it can bring in again: nothing is asked, nothing is lost."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse

from scoring import actions, tasks
from scoring.imports import read_table
from scoring.models import ResultsImport
from scoring.views.downloads import results_table
from tests.factories import PlayerFactory
from tests.scoring import paper
from tournaments.models import Entry, Event, Ruling, Team

pytestmark = pytest.mark.django_db

NAMES = ("Zoé Le Dantec", "João Costa e Silva", "Émile Guivarc’h", "Ana Souza", "=1+1 Dupont")
TRUCO = """Nº;Dupla;Jogadores;V;D;Partidas ganhas;Partidas perdidas;Tentos;Tentos contra;Pontos
7;Os Zapes;Zoé Le Dantec / João Costa e Silva;3;1;7;3;110;82;9
12;;Émile Guivarc’h / Ana Souza;1;3;3;7;82;110;1
"""


@pytest.fixture
def evening(club, season) -> Event:
    """Two rounds with a penalty, a team, a series, and somebody who came late."""
    players = [PlayerFactory(club=club, name=name) for name in NAMES]
    event = paper.evening(season, players)
    paper.write(paper.sit(event, players[:4])[0], 120, -40, -40, -40)
    paper.write(paper.sit(event, players[1:])[0], -90, 30, 30, 30)
    first = event.entries.get(number=1)
    Entry.objects.filter(pk=first.pk).update(
        series="2", club_name="Vannes", team=Team.objects.create(event=event, name="Les Dunes")
    )
    Ruling.objects.create(event=event, entry=first, kind="penalty", points=50, fault="other")
    paper.close(event)
    tasks.refresh_standings(event.pk)
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def truco_evening(club, season, owner) -> Event:
    for name in NAMES[:4]:
        PlayerFactory(club=club, name=name)
    return brought_in(TRUCO.encode(), club, owner)


def brought_in(content: bytes, club, owner) -> Event:
    sent = actions.send_list(
        club=club, table=read_table(content), file_name="x", held_on="2026-10-03",
        entry_key=uuid.uuid4(), by=owner,
    )  # fmt: skip
    return actions.import_list(sent=sent, by=owner)


@pytest.fixture(params=["evening", "truco_evening"])
def event(request) -> Event:
    return request.getfixturevalue(request.param)


@pytest.fixture(params=[("en", "Rank"), ("fr", "Rang"), ("pt-br", "Lugar")], ids=lambda p: p[0])
def download(request, event, owner_client):
    """Take the results out in a language."""
    language, first_heading = request.param

    def take_out(kind: str) -> bytes:
        address = reverse(f"results-{kind}", args=[event.pk])
        content = owner_client.get(address, headers={"Accept-Language": language}).getvalue()
        assert read_table(content).rows[0][0] == first_heading
        return content

    return take_out


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_of_an_evening_comes_back_equal(kind, download, event, club, owner):
    again = brought_in(download(kind), club, owner)

    assert (again.game, again.entrants) == (event.game, event.entrants)
    assert results_table(again) == results_table(event)
    assert [e.tally for e in again.entries.by_place()] == [
        e.tally for e in event.entries.by_place()
    ]


def test_the_page_of_a_list_that_comes_back_asks_nothing_and_finds_nothing_odd(
    download, club, owner, owner_client
):
    sent = actions.send_list(
        club=club, table=read_table(download("csv")), file_name="x", held_on="2026-11-03",
        entry_key=uuid.uuid4(), by=owner,
    )  # fmt: skip

    page = owner_client.get(reverse("import-list", args=[sent.pk])).content.decode()

    assert 'id="import"' in page
    assert "to-mend" not in page
    assert "to-look-at" not in page
    assert "Who is meant?" not in page
    assert ResultsImport.objects.get(pk=sent.pk).roles.count("") == 0
