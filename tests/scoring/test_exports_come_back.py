"""What a club takes out as a file it can bring in again: nothing is asked, nothing is lost."""

from __future__ import annotations

import io
import uuid

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from scoring import actions, tasks
from scoring.imports import read_table
from scoring.imports.texts import as_meant, unarmed
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


#: What a spreadsheet would take for a formula, a date, a time or another number.
TAKEN = (
    "=1+1", "-A", "@home", "2-1", "1/2", "3.5", "10:30", "1-2-2026", "12 mai", "Mars 2", "mar-26",
    "avr. 2026", "007", "1E5", "123456789012345678",
)  # fmt: skip
#: What it leaves as it is, though it looks alike; and what begins with an apostrophe by itself.
LEFT = ("2", "A", "2e série", "Marie 2", "12 bis", "'t Hooft", "May", "")


@pytest.mark.parametrize("text", [*TAKEN, *LEFT, "'2-1", "''=x"])
def test_a_text_that_a_spreadsheet_would_change_is_kept_and_comes_back_as_it_was(text):
    written = unarmed(text)

    assert written == (f"'{text}" if text.lstrip("'") in (*TAKEN, "=x") else text)
    assert as_meant(written) == text


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("text", ["2-1", "007", "=1+1", "'t Hooft"])
def test_series_clubs_and_teams_that_look_like_dates_come_back(  # noqa: PLR0917 - fixtures
    kind, text, evening, club, owner, owner_client
):
    first = evening.entries.get(number=1)
    first.series = first.club_name = first.team.name = text
    first.save()
    first.team.save()

    content = owner_client.get(reverse(f"results-{kind}", args=[evening.pk])).getvalue()
    again = brought_in(content, club, owner)

    told = [(e.series, e.club_name, str(e.team or "")) for e in again.entries.by_place()]
    assert (text, text, text) in told
    assert results_table(again) == results_table(evening)


def test_a_text_of_a_workbook_is_one_for_good(evening, owner_client):
    content = owner_client.get(reverse("results-xlsx", args=[evening.pk])).getvalue()

    cells = [cell for row in load_workbook(io.BytesIO(content)).active for cell in row]
    formats = {type(cell.value): cell.number_format for cell in cells if cell.value is not None}

    assert formats == {str: "@", int: "General"}


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
