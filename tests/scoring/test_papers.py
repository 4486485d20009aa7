"""Paper shows what the screen shows, in the language that was chosen for it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from scoring import exports, pdf, tasks
from scoring.exports import DOCUMENTS, FORMATS, SMALL, Order
from scoring.models import StaleStandings
from tests.factories import PlayerFactory
from tests.reading import text_of
from tests.scoring import paper
from tournaments.models import Event, Ruling

LANGUAGES = ("en", "fr", "pt-br")
EVERY = [(document, size) for document in DOCUMENTS for size in FORMATS if size != "a6"] + [
    (document, "a6") for document in SMALL
]


@pytest.fixture
def eight(club):
    return [PlayerFactory(club=club, name=f"{letter}-player") for letter in "ABCDEFGH"]


@pytest.fixture
def tournament(season, eight) -> Event:
    event = paper.evening(season, eight, kind=Event.Kind.TOURNAMENT, state=Event.State.RUNNING)
    for table in paper.sit(event, eight[:4], eight[4:]):
        paper.write(table, 30, 20, 10, -60)
        paper.write(table, -90, 30, 30, 30)
    StaleStandings.objects.create(event=event)
    tasks.refresh_standings(event.pk)
    return event


def printed(client, event: Event, document: str, **options) -> str:
    query = {"document": document, "language": "en", **options}
    response = client.get(f"/evenings/{event.pk}/paper/print/", query)
    assert response.status_code == 200
    return text_of(response)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("document", "size"), EVERY)
def test_every_document_is_there_in_every_language_and_on_every_paper(
    scorer_client, tournament, document, size, language
):
    query = {"document": document, "language": language, "paper": size}

    response = scorer_client.get(f"/evenings/{tournament.pk}/paper/print/", query)

    assert response.status_code == 200
    assert f'lang="{language}"' in response.content.decode()
    assert f'class="{size} ' in response.content.decode()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_of_an_evening_without_a_round_says_so(scorer_client, season, document):
    event = paper.evening(season, [])

    assert "There is nothing to print yet." in printed(scorer_client, event, document)


def test_the_language_of_the_paper_is_not_that_of_the_screen(scorer_client, tournament):
    query = {"document": "sheets", "language": "fr"}

    response = scorer_client.get(
        f"/evenings/{tournament.pk}/paper/print/", query, headers={"Accept-Language": "en"}
    )

    assert "Feuille de marque" in text_of(response)


def test_a_sheet_shows_the_deals_the_sums_and_the_balance_of_the_screen(scorer_client, tournament):
    shown = printed(scorer_client, tournament, "sheets", first=1, last=1)

    assert "1 N Petite 2 41 30 20 10 60" in shown
    assert "2 N Petite 2 41 90 30 30 30" in shown
    assert "Total 30 90 50 40 30 60" in shown
    assert "Balance (they add up to 0) −60 +50 +40 −30" in shown


def test_a_sheet_says_what_the_referee_ruled_at_its_table(scorer_client, tournament):
    table = tournament.rounds.get().tables.get(number=1)
    entry = tournament.entries.get(players__name="B-player")
    for fault, more in (
        ("garde_sans", {}),
        ("wrong_count", {"outcome": "replayed"}),
        ("smoking", {"withdrawn_at": tournament.starts_at}),
    ):
        Ruling.objects.create(
            event=tournament, entry=entry, kind="decision", fault=fault, table=table,
            deal_number=3, **more,
        )  # fmt: skip

    shown = printed(scorer_client, tournament, "sheets", first=1, last=1, blank="on")

    assert "deal 3 · Garde sans granted · B-player" in shown
    assert "B-player · void, dealt again · may not bid on deal 3" in shown
    assert "Smoking" not in shown


def test_a_blank_sheet_has_the_names_and_room_for_every_deal(scorer_client, tournament):
    shown = printed(scorer_client, tournament, "sheets", blank="on", first=2, last=2)

    assert "N · 5 E-player" in shown
    assert "+50" not in shown
    assert "1 2 3 4 5 Total Balance" in shown


def test_only_the_tables_that_were_asked_for_are_printed(scorer_client, tournament):
    every = printed(scorer_client, tournament, "sheets")
    second = printed(scorer_client, tournament, "sheets", first=2)

    assert (every.count("Needed"), second.count("Needed")) == (2, 1)
    assert "B-player" not in second
    assert "F-player" in second


def test_a_slip_shows_the_running_balance(scorer_client, tournament, eight):
    for table in paper.sit(tournament, eight[:4], eight[4:]):
        paper.write(table, 30, 20, 10, -60)
    StaleStandings.objects.create(event=tournament)
    tasks.refresh_standings(tournament.pk)

    shown = printed(scorer_client, tournament, "slips", first=2, last=2)

    assert "2 · B-player" in shown
    assert "1 1 50 +50 2 1 20 +70" in shown


def test_a_slip_shows_the_penalties_so_that_its_balance_is_the_ranking(scorer_client, tournament):
    entry = tournament.entries.get(players__name="B-player")
    Ruling.objects.create(event=tournament, entry=entry, kind="penalty", points=100)
    StaleStandings.objects.create(event=tournament)
    tasks.refresh_standings(tournament.pk)
    entry.refresh_from_db()
    assert entry.points == -50

    assert "1 1 50 +50 Penalties 100 −50" in printed(scorer_client, tournament, "slips", first=2)
    made = pdf.file_of(tournament, Order(document="slips", language="en"), tell=lambda *_: None)
    words = " ".join(PdfReader(io.BytesIO(made)).pages[0].extract_text().split())
    assert "Penalties 100 −50" in words
    assert "Penalties" not in printed(scorer_client, tournament, "slips", first=2, blank="on")


def test_a_slip_ends_with_the_points_of_the_ranking_where_a_final_scaled_them(
    scorer_client, tournament
):
    tournament.entries.filter(players__name="B-player").update(points=25)

    assert "1 1 50 +50 Ranking +25" in printed(scorer_client, tournament, "slips", first=2)


def test_who_withdrew_without_a_deal_has_no_slip(scorer_client, tournament, club):
    never = paper.join(tournament, PlayerFactory(club=club, name="Nobody"))
    assert "Nobody" in printed(scorer_client, tournament, "slips")

    never.state = "withdrawn"
    never.save()
    tournament.entries.filter(players__name="B-player").update(state="withdrawn")

    shown = printed(scorer_client, tournament, "slips")
    assert "Nobody" not in shown
    assert "B-player" in shown


def test_the_seating_by_name_and_by_table_say_the_same(scorer_client, tournament):
    assert "6 F-player 2 ♥ E" in printed(scorer_client, tournament, "names")
    assert "2 ♥ N 5 E-player E 6 F-player" in printed(scorer_client, tournament, "tables")


def test_the_ranking_on_paper_has_the_numbers_of_the_page(scorer_client, tournament):
    entry = tournament.entries.get(players__name="B-player")
    Ruling.objects.create(
        event=tournament, entry=entry, kind="penalty", fault="exposed_card", points=100
    )
    StaleStandings.objects.create(event=tournament)
    tasks.refresh_standings(tournament.pk)

    shown = printed(scorer_client, tournament, "ranking")

    assert "1 6 F-player +50 +50" in shown
    assert "6 2 B-player +50 −100 −50" in shown


def test_a_withdrawn_ruling_stays_on_the_list_struck_through(scorer_client, tournament):
    entry = tournament.entries.get(players__name="B-player")
    Ruling.objects.create(
        event=tournament, entry=entry, kind="penalty", fault="exposed_card", points=100,
        withdrawn_at=tournament.starts_at, withdrawn_why="wrong table",
    )  # fmt: skip

    shown = printed(scorer_client, tournament, "rulings")

    assert "2 B-player penalty: Exposed card of the defence withdrawn: wrong table −100" in shown


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"document": "sheets"},
        {"document": "poster", "language": "fr"},
        {"document": "sheets", "language": "xx"},
        {"document": "sheets", "language": "fr", "round": "9"},
        {"document": "sheets", "language": "fr", "paper": "a3"},
        {"document": "sheets", "language": "fr", "first": "-1"},
    ],
)
def test_an_order_that_cannot_be_printed_is_refused_beside_its_field(
    scorer_client, tournament, query
):
    response = scorer_client.get(f"/evenings/{tournament.pk}/paper/print/", query)

    assert response.status_code == 422
    assert "Paper" in text_of(response)


def test_the_table_cards_lead_to_the_other_papers(scorer_client, tournament):
    page = scorer_client.get(f"/evenings/{tournament.pk}/table-cards/").content.decode()

    assert f'href="/evenings/{tournament.pk}/paper/"' in page


@pytest.mark.parametrize("tables", [1, 3])
def test_the_number_of_queries_does_not_grow_with_the_sheets(
    season, club, tables, django_assert_num_queries
):
    players = PlayerFactory.create_batch(4 * tables, club=club)
    event = paper.evening(season, players)
    for table in paper.sit(event, *(players[n : n + 4] for n in range(0, 4 * tables, 4))):
        paper.write(table, 30, 20, 10, -60)

    with django_assert_num_queries(9):
        exports.html_of(event, Order(document="sheets", language="en"))


def test_print_in_the_steps_of_a_tournament_leads_to_every_paper(scorer_client, tournament):
    page = scorer_client.get(f"/evenings/{tournament.pk}/journal/").content.decode()
    steps = page.partition('<ul class="steps"')[2].partition("</ul>")[0]

    assert f'href="/evenings/{tournament.pk}/paper/"' in steps
    assert f'href="/evenings/{tournament.pk}/results/"' in steps


def test_the_address_of_a_page_to_print_carries_no_token(scorer_client, tournament):
    shown = scorer_client.get(f"/evenings/{tournament.pk}/paper/").content.decode()

    form = shown[shown.index('id="paper-form"') :].split("</form>")[0]
    assert '<input type="hidden" name="csrfmiddlewaretoken"' not in form
    assert 'id="make-paper" name="csrfmiddlewaretoken"' in form


def test_no_form_that_asks_sends_a_token():
    asking = re.compile(r'<form[^>]*method="get".*?</form>', re.DOTALL)
    found = [
        str(page)
        for page in Path("templates").rglob("*.html")
        for form in asking.findall(page.read_text(encoding="utf-8"))
        if "{% csrf_token %}" in form
    ]

    assert found == []
