"""A club brings in the table of a truco tournament, as its secretary wrote it."""

from __future__ import annotations

import re
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import Player
from scoring import actions, tasks
from scoring.imports import read_table
from scoring.models import CountingJob, PlayerResult, Ranking, RankingRow, ResultsImport
from scoring.rankings.methods import Method, Settings
from tests.factories import PlayerFactory
from tests.reading import text_of
from tournaments.models import Event

pytestmark = pytest.mark.django_db

#: As Excel in Brazil stores it: semicolons, the encoding of Windows, CRLF, numbers with holes.
LIST = (
    "3º Torneio de Truco do Clube;;;;;;;;;\r\n"
    ";;;;;;;;;\r\n"
    "Classificação;Nº;Dupla;Jogos;Vitórias;Derrotas;Tentos a favor;Tentos contra;Saldo;Pontos\r\n"
    "1º;7;Ana Souza / Tião Costa;4;3;1;88;61;27;9\r\n"
    "2º;2;Bia Lima e João Pereira;4;2;2;79;70;9;6\r\n"
    "3º;11;Caio Reis / Dora Nunes;4;1;3;54;90;-36;3\r\n"
    ";;Total;12;6;6;221;221;;\r\n"
)


@pytest.fixture
def sent(club, season, owner) -> ResultsImport:
    """The list, with João said to be the one whom the club has."""
    joao = PlayerFactory(club=club, name="João Perreira")
    made = send(club, owner)
    return described(made, people={"joao pereira": joao.pk})


def send(club, owner, text: str = LIST, **options) -> ResultsImport:
    options = {
        "held_on": "2026-10-02",
        "entry_key": uuid.uuid4(),
        "file_name": "truco.csv",
    } | options
    made = actions.send_list(
        club=club, table=read_table(text.encode("cp1252")), by=owner, **options
    )
    return ResultsImport.objects.get(pk=made.pk)


def described(sent: ResultsImport, **said) -> ResultsImport:
    given = {"head": sent.head, "roles": sent.roles, "people": sent.people} | said
    return actions.describe_list(sent=sent, **given)


def lines(event: Event) -> list[tuple]:
    return [
        (entry.place, entry.number, str(entry), entry.points, entry.tally["wins"])
        for entry in event.entries.by_place().prefetch_related("players")
    ]


def test_the_table_of_a_tournament_becomes_an_evening_of_pairs(sent, owner):
    event = actions.import_list(sent=sent, by=owner)

    assert (event.game, event.entrants, event.is_closed) == ("truco", "pairs", True)
    assert lines(event) == [
        (1, 7, "Ana Souza & Tião Costa", 9, 3),
        (2, 2, "Bia Lima & João Perreira", 6, 2),
        (3, 11, "Caio Reis & Dora Nunes", 3, 1),
    ]


def test_both_of_a_pair_count_in_the_rankings_of_truco(sent, owner, season):
    actions.import_list(sent=sent, by=owner)
    for method in (Method.WINS, Method.PLACES):
        settings = Settings(scale=(10, 5)).to_json()
        Ranking.objects.create(season=season, game="truco", method=method, settings=settings)

    tasks.refresh_ranking(season.pk)

    by_place, wins = Ranking.objects.filter(season=season, game="truco").order_by("method")
    assert [(r.place, r.player.name, r.points) for r in wins.rows.by_place()] == [
        (1, "Ana Souza", 9), (1, "Tião Costa", 9), (3, "Bia Lima", 6), (3, "João Perreira", 6),
        (5, "Caio Reis", 3), (5, "Dora Nunes", 3),
    ]  # fmt: skip
    assert [r.points for r in by_place.rows.by_place()] == [10, 10, 5, 5, 0, 0]
    assert PlayerResult.objects.filter(points_for=88, points_against=61, wins=3).count() == 2


def test_the_nightly_audit_finds_nothing_about_the_table(sent, owner, season):
    event = actions.import_list(sent=sent, by=owner)
    event.stale_standings.create()
    tasks.refresh_standings(event.pk)
    tasks.refresh_ranking(season.pk)

    job = CountingJob.objects.create(kind=CountingJob.Kind.AUDIT)
    tasks.do_counting_job(job.pk)

    job.refresh_from_db()
    assert (job.state, job.findings) == ("done", [])


def test_taking_it_back_leaves_the_club_as_it_was(sent, owner, season):
    actions.import_list(sent=sent, by=owner)

    actions.undo_import(sent=sent, by=owner)
    tasks.refresh_ranking(season.pk)

    assert not Event.objects.exists()
    assert not PlayerResult.objects.exists()
    assert not Player.objects.filter(name__in=["Ana Souza", "Tião Costa", "Dora Nunes"]).exists()
    assert Player.objects.filter(name="João Perreira").exists()


def test_a_pair_of_which_one_is_left_out_makes_no_entry(sent, owner):
    sent = described(sent, people={**sent.people, "dora nunes": "skip"})

    event = actions.import_list(sent=sent, by=owner)

    assert [line[1] for line in lines(event)] == [7, 2]
    assert not Player.objects.filter(name="Caio Reis").exists()


def test_players_who_play_for_themselves_are_no_pairs(club, season, owner):
    sent = send(club, owner, "Jogador;Vitórias;Derrotas\nAna;3;1\nBia;1;3\n")

    event = actions.import_list(sent=sent, by=owner)

    assert event.entrants == "players"
    assert [(line[2], line[3]) for line in lines(event)] == [("Ana", 3), ("Bia", 1)]


def test_what_a_pair_calls_itself_stays_its_name(club, season, owner):
    sent = send(club, owner, "Dupla;Jogadores;V;D\nOs Zapes;Ana e Bia;1;0\n;Caio e Dora;0;1\n")

    event = actions.import_list(sent=sent, by=owner)

    assert [line[2] for line in lines(event)] == ["Os Zapes", "Caio & Dora"]


def test_another_game_has_other_columns_which_are_guessed_anew(club, owner):
    sent = send(club, owner)

    tarot = described(sent, game="tarot")
    assert (tarot.entrants, "wins" in tarot.roles, "total" in tarot.roles) == (
        "players", False, True,
    )  # fmt: skip

    truco = described(tarot, game="truco")
    assert (truco.entrants, "wins" in truco.roles) == ("pairs", True)


# The pages


def form_of(sent: ResultsImport, **answers) -> dict[str, object]:
    form = {"held_on": "2026-10-02", "kind": sent.kind, "game": sent.game,
            "entrants": sent.entrants, "deals_per_round": 5, "head": sent.head}  # fmt: skip
    form |= {f"column_{n}": role for n, role in enumerate(sent.roles)}
    return form | answers


def test_a_director_sends_the_table_looks_at_it_and_imports_it(club, season, director_client):
    answer = director_client.post(
        reverse("imports", args=[club.slug]),
        {
            "held_on": "2026-10-02",
            "entry_key": str(uuid.uuid4()),
            "file": SimpleUploadedFile("truco.csv", LIST.encode("cp1252")),
        },
    )
    sent = ResultsImport.objects.get()
    page = director_client.get(answer.url).content.decode()
    assert "Meetings played" in page
    assert "deals_per_round" not in page
    assert "88–61" in page
    assert not Event.objects.exists()

    done = director_client.post(answer.url, form_of(sent, kind="tournament", **{"import": "1"}))

    event = Event.objects.get()
    assert done.url == event.get_absolute_url()
    assert event.entries.count() == 3


def test_a_table_of_who_won_each_round_becomes_wins_and_games(club, season, owner, director_client):
    rounds = "Dupla;Rodada 1;Rodada 2\nAna e Bia;2x0;2x1\nCaio e Dora;0x2;1x2\n"
    sent = send(club, owner, rounds)
    page = director_client.get(reverse("import-list", args=[sent.pk]))

    event = actions.import_list(sent=sent, by=owner)

    won = [(e.points, e.tally["wins"], e.tally["games"]) for e in event.entries.by_place()]
    assert won == [(2, 2, [4, 1]), (0, 0, [1, 4])]
    assert event.game == Event.Game.TRUCO
    assert "4–1" in text_of(page)


def test_a_row_that_is_wrong_is_named_and_nothing_can_be_imported(club, owner, director_client):
    sent = send(club, owner, "Dupla;V;D\nAna e Bia;-1;0\nCaio;0;1\nDora / Edu;1;1\n")

    text = director_client.get(reverse("import-list", args=[sent.pk])).content.decode()

    assert "Row 2: “-1” is below zero." in text
    assert "Row 3: players named in “Caio”: 1 instead of 2." in text
    assert 'id="import"' not in text


@pytest.mark.parametrize("kind", ["club_night", "tournament"])
@pytest.mark.parametrize("name", ["event", "results", "standings"])
def test_the_pages_of_the_evening_tell_what_the_table_told(
    name: str, kind: str, sent, owner, owner_client
):
    event = actions.import_list(sent=described(sent, kind=kind), by=owner)

    text = text_of(owner_client.get(reverse(name, args=[event.pk]), follow=True))

    assert re.search(r"1 (7 )?Ana Souza & Tião Costa", text)
    assert "games 0" not in text
    assert "best of" not in text


def test_the_pages_of_a_player_and_of_the_season_count_it(sent, owner, season, owner_client):
    actions.import_list(sent=sent, by=owner)
    tasks.refresh_ranking(season.pk)
    row = RankingRow.objects.get(player__name="Ana Souza", ranking__game="truco")

    for address in (
        reverse("player", args=[row.player_id]),
        reverse("ranking", args=[season.club.slug]),
        reverse("why-rank", args=[row.pk]),
    ):
        assert "Ana Souza" in text_of(owner_client.get(address, follow=True)), address
