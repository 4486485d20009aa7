"""A worker makes one file of many sheets and tells how far it is."""

from __future__ import annotations

import html
import io
import re
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ValidationError
from django.utils import timezone
from pypdf import PdfReader

from scoring import exports, pdf, tasks
from scoring.actions import ask_for_paper
from scoring.exports import DOCUMENTS, FORMATS, Order
from scoring.models import PaperJob, StaleStandings
from tests.factories import JoinLinkFactory, PlayerFactory, TableFactory
from tests.reading import text_of
from tests.scoring import paper
from tests.scoring.test_papers import LANGUAGES
from tests.scoring.truco import game, hand, record, tento, truco_table
from tests.waiting import PATIENCE
from tournaments.models import Event, Ruling
from tournaments.phones import spoken

LONGEST = "Marie-Antoinette-Wilhelmine de la Rochefoucauld-Montmorency-Bouteville d’Orbigny"[:80]
SHEETS = Order(document="sheets", language="fr")
MILLIMETRES = {"a4": (210, 297), "a5": (148, 210), "a6": (105, 148)}
#: What the event below fills on each paper: 13 people at 3 tables.
PAGES = {
    "sheets": {"a4": 3, "a5": 3},
    "slips": {"a4": 4, "a5": 7, "a6": 13},
    "cards": {"a4": 1, "a5": 2, "a6": 3},
    "names": {"a4": 1, "a5": 1},
    "tables": {"a4": 1, "a5": 1},
    "ranking": {"a4": 1, "a5": 1},
    "rulings": {"a4": 1, "a5": 1},
    "entries": {"a4": 1, "a5": 1},
}
#: A piece never takes more room than it was promised, whoever prints it.
PROMISED = ("sheets", "slips", "cards")
EVERY = [(document, size) for document, sizes in PAGES.items() for size in sizes]


@pytest.fixture
def event(season, club) -> Event:
    """Three tables, one of five, of people with the longest names, and a ruling."""
    players = [PlayerFactory(club=club, name=f"{LONGEST[:-2]}{n:02d}") for n in range(13)]
    made = paper.evening(season, players, kind=Event.Kind.TOURNAMENT, state=Event.State.RUNNING)
    for table in paper.sit(made, players[:4], players[4:8], players[8:]):
        for _ in range(5):
            paper.write(table, -120, *([40, 40, 40] if table.players_per_deal == 4 else [30] * 4))
    Ruling.objects.create(
        event=made, entry=made.entries.first(), kind="penalty", fault="hidden_misdeal", points=500
    )
    StaleStandings.objects.create(event=made)
    tasks.refresh_standings(made.pk)
    return made


def make(event: Event, order: Order) -> PdfReader:
    return PdfReader(io.BytesIO(pdf.file_of(event, order, tell=lambda *_: None)))


def words_of(made: PdfReader) -> str:
    return " ".join(" ".join(page.extract_text() for page in made.pages).split())


def test_every_document_has_its_pages_counted():
    assert set(PAGES) == set(DOCUMENTS)
    assert {size for sizes in PAGES.values() for size in sizes} == set(FORMATS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("document", "size"), EVERY)
def test_no_name_is_so_long_that_a_document_takes_one_page_more(event, document, size, language):
    for blank in (True, False):
        made = make(event, Order(document=document, language=language, paper=size, blank=blank))

        assert len(made.pages) == PAGES[document][size]
        assert all(page.extract_text().strip() for page in made.pages)


@pytest.mark.parametrize(("document", "size"), EVERY)
def test_every_page_has_the_size_of_its_paper(event, document, size):
    made = make(event, Order(document=document, language="fr", paper=size))

    for page in made.pages:
        sides = sorted((float(page.mediabox.width), float(page.mediabox.height)))
        assert sides == pytest.approx([side * 72 / 25.4 for side in MILLIMETRES[size]], abs=0.1)


@pytest.mark.parametrize("deals", [1, 5, 25, 60])
@pytest.mark.parametrize("size", ["a4", "a5"])
def test_a_sheet_is_one_page_however_many_deals_it_has(event, deals, size):
    event.rounds.get().tables.update(deals_planned=deals)

    assert len(make(event, Order(document="sheets", language="pt-br", paper=size)).pages) == 3


@pytest.mark.parametrize("size", ["a4", "a5"])
@pytest.mark.parametrize(
    ("language", "barred"),
    [
        ("en", "may not bid on deal"),
        ("fr", "ne peut pas enchérir à la donne"),
        ("pt-br", "não pode dar lance na mão"),
    ],
)
def test_many_rulings_stand_under_the_deals_of_the_same_page(event, size, language, barred):
    table = event.rounds.get().tables.get(number=3)
    event.rounds.get().tables.update(deals_planned=25)
    for number in range(1, 9):
        Ruling.objects.create(
            event=event, entry=event.entries.last(), table=table, kind="decision",
            fault="wrong_count", outcome="replayed", deal_number=number,
        )  # fmt: skip

    made = make(event, Order(document="sheets", language=language, paper=size, first=3, last=3))

    assert len(made.pages) == 1
    assert re.findall(rf"{barred} (\d+)", words_of(made)) == list("12345678")


@pytest.mark.parametrize("rounds", [1, 6, 15, 40])
@pytest.mark.parametrize("size", FORMATS)
def test_a_slip_keeps_its_size_however_many_rounds_there_are(event, rounds, size):
    Event.objects.filter(pk=event.pk).update(rounds_planned=rounds)
    event.refresh_from_db()

    made = make(event, Order(document="slips", language="fr", paper=size))

    assert len(made.pages) == PAGES["slips"][size]


def test_the_file_shows_the_numbers_of_the_screen(event):
    shown = words_of(make(event, Order(document="sheets", language="en", first=1, last=1)))

    assert "1 N Petite 2 41 120 40 40 40" in shown
    assert "Total 600 200 200 200" in shown
    assert "Balance (they add up to 0) −600 +200 +200 +200" in shown


def test_a_ranking_goes_on_page_after_page_under_the_same_heading(season, club):
    players = PlayerFactory.create_batch(120, club=club)
    event = paper.evening(season, players)
    tables = [players[first : first + 4] for first in range(0, 120, 4)]
    for table in paper.sit(event, *tables):
        paper.write(table, 30, 20, 10, -60)
    StaleStandings.objects.create(event=event)
    tasks.refresh_standings(event.pk)

    made = make(event, Order(document="ranking", language="en"))

    assert len(made.pages) > 1
    assert all("Rank No. Player" in " ".join(p.extract_text().split()) for p in made.pages)
    assert words_of(made).count(" −60 −60") == 30


def test_tables_that_were_asked_for_are_the_only_ones_in_the_file(event):
    assert len(make(event, Order(document="sheets", language="fr", first=2, last=2)).pages) == 1
    assert len(make(event, Order(document="cards", language="fr", paper="a6", last=2)).pages) == 2


def test_a_card_leads_to_the_sheet_of_its_table(event):
    order = Order(document="cards", language="en", origin="https://tapis.example", last=1)

    assert f"tapis.example/evenings/{event.pk}/tables/1/" in words_of(make(event, order))


def test_a_card_with_a_link_for_phones_says_its_code(event):
    link = JoinLinkFactory(event=event, table_number=1)
    order = Order(document="cards", language="en", origin="https://tapis.example", last=1)

    shown = words_of(make(event, order))

    assert spoken(link.code) in shown
    assert "No account is needed." in shown


@pytest.mark.parametrize("name", ["Łukasz Żółć", "Ελένη Μάρκου", "Ольга Щукина", "Nguyễn Thị Hạnh"])
def test_names_of_other_alphabets_are_letters_and_no_empty_boxes(season, club, name):
    event = paper.evening(season, [PlayerFactory(club=club, name=name)])

    assert name in words_of(make(event, Order(document="entries", language="fr")))


@pytest.mark.parametrize(("game", "is_said"), [("tarot", True), ("truco", False)])
def test_licences_and_series_stand_where_a_federation_gives_them(event, game, is_said):
    event.entries.update(licence_number="L-4711", series="S2")
    Event.objects.filter(pk=event.pk).update(game=game)
    event.refresh_from_db()

    shown = words_of(make(event, Order(document="entries", language="en")))

    told = {"Licence", "L-4711", "Series", "S2"}
    assert {words for words in told if words in shown} == (told if is_said else set())


def test_a_document_without_anything_to_show_says_so_in_the_file(season):
    made = make(paper.evening(season, []), SHEETS)

    assert "Il n’y a encore rien à imprimer" in words_of(made)


def test_a_list_is_not_put_on_the_smallest_paper(event, scorer, scorer_client):
    query = {"document": "ranking", "language": "en", "paper": "a6"}

    answer = scorer_client.get(f"/evenings/{event.pk}/paper/print/", query)

    assert (answer.status_code, "This document needs A5 or A4." in text_of(answer)) == (422, True)
    with pytest.raises(ValidationError) as refusal:
        ask_for_paper(event=event, order=Order(**query), by=scorer)
    assert refusal.value.code == "paper_too_small"


def test_the_worker_makes_the_file_and_tells_how_far_it_is(event, scorer, monkeypatch):
    monkeypatch.setattr(pdf, "PIECES_AT_ONCE", 2)
    job = ask_for_paper(event=event, order=SHEETS, by=scorer)
    told = []
    make_file = pdf.file_of

    def listen(event, order, *, tell):
        def both(done, total):
            told.append((done, total))
            tell(done, total)

        return make_file(event, order, tell=both)

    monkeypatch.setattr(pdf, "file_of", listen)
    tasks.make_paper(job.pk)

    job.refresh_from_db()
    assert told == [(0, 3), (2, 3), (3, 3)]
    assert (job.state, job.pieces_done, job.pieces_total) == ("done", 3, 3)
    assert io.BytesIO(bytes(job.file)).read(5) == b"%PDF-"


def test_a_second_run_finds_the_file_made(event, scorer):
    job = ask_for_paper(event=event, order=SHEETS, by=scorer)
    tasks.make_paper(job.pk)
    job.refresh_from_db()

    tasks.make_paper(job.pk)

    assert PaperJob.objects.get(pk=job.pk).finished_at == job.finished_at


def test_asking_twice_while_it_is_being_made_is_one_file(event, scorer, director):
    first = ask_for_paper(event=event, order=SHEETS, by=scorer)

    assert ask_for_paper(event=event, order=SHEETS, by=scorer) == first
    assert ask_for_paper(event=event, order=SHEETS, by=director) != first


def test_the_page_watches_the_file_and_gives_it(event, scorer_client):
    asked = scorer_client.post(
        f"/evenings/{event.pk}/paper/make/", {"document": "sheets", "language": "fr"}
    )
    assert "The file is about to be made." in text_of(scorer_client.get(asked.url))
    job = PaperJob.objects.get()
    PaperJob.objects.update(state="making", pieces_done=20, pieces_total=300)
    assert "20 of 300 are done." in text_of(scorer_client.get(asked.url))

    tasks.make_paper(job.pk)

    part = scorer_client.get(asked.url, headers={"HX-Request": "true"})
    assert (part.status_code, "The file is ready: 3" in text_of(part)) == (286, True)
    got = scorer_client.get(f"{asked.url}&download=on")
    assert got.headers["Content-Type"] == "application/pdf"
    assert got.content.startswith(b"%PDF-")


def test_a_file_that_no_worker_takes_says_so_and_leads_to_the_browser(event, scorer_client):
    order = {"document": "sheets", "language": "fr", "first": 1, "last": 2, "blank": "on"}
    asked = scorer_client.post(f"/evenings/{event.pk}/paper/make/", order)
    long_ago = timezone.now() - timedelta(seconds=45)
    PaperJob.objects.update(asked_at=long_ago)

    page = scorer_client.get(asked.url)

    assert "No worker has taken the file for 4" in text_of(page)
    (address,) = re.findall(r'href="([^"]*/paper/print/[^"]*)"', page.text)
    shown = scorer_client.get(html.unescape(address))
    assert shown.status_code == 200
    assert shown.text.count('class="slip"') == 0
    assert 'lang="fr"' in shown.text


def test_tables_from_a_later_to_an_earlier_one_are_refused(event, scorer_client):
    order = {"document": "sheets", "language": "en", "first": 9, "last": 3}

    refused = scorer_client.get(f"/evenings/{event.pk}/paper/print/", order)

    assert refused.status_code == 422
    assert "The last comes before the first." in refused.text


def test_a_file_that_cannot_be_made_says_so(event, scorer, scorer_client, monkeypatch):
    job = PaperJob.objects.create(event=event, order=SHEETS.to_json(), made_by=scorer)
    monkeypatch.setattr(pdf, "file_of", lambda *_, **_options: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        tasks.make_paper(job.pk)

    shown = text_of(scorer_client.get(f"/evenings/{event.pk}/paper/file/?job={job.pk}"))
    assert "The file could not be made." in shown


def test_the_file_of_another_event_is_not_given(event, season, scorer, scorer_client):
    job = PaperJob.objects.create(
        event=paper.evening(season, []), order=SHEETS.to_json(), made_by=scorer, state="done"
    )

    for query in (f"job={job.pk}", f"job={job.pk}&download=on"):
        answer = scorer_client.get(f"/evenings/{event.pk}/paper/file/?{query}")
        assert answer.status_code == 404


def test_the_sweep_sends_forgotten_files_again_and_throws_old_ones_away(event, scorer, monkeypatch):
    now = timezone.now()
    new, slow, forgotten, killed, old, made = (
        PaperJob.objects.create(
            event=event, order=SHEETS.to_json(), asked_at=now - ago, state=state
        )
        for ago, state in (
            (timedelta(), "waiting"),
            (timedelta(minutes=10), "making"),
            (timedelta(minutes=10), "waiting"),
            (timedelta(minutes=30), "making"),
            (timedelta(days=2), "done"),
            (timedelta(hours=2), "done"),
        )
    )
    sent = []
    monkeypatch.setattr(tasks.make_paper, "apply_async", lambda args, **_options: sent.append(args))

    tasks.refresh_stale()

    assert sent == [(forgotten.pk,), (killed.pk,)]
    assert set(PaperJob.objects.all()) == {new, slow, forgotten, killed, made}
    assert old not in PaperJob.objects.all()


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_printed_by_a_browser_each_piece_keeps_its_page_too(event, request, language):
    rules = Path(finders.find("paper.css")).read_text(encoding="utf-8")
    promised = [(document, size) for document, size in EVERY if document in PROMISED]
    papers = {}
    for document, size in promised:
        order = Order(document=document, language=language, paper=size, origin="https://a.example")
        html = exports.html_of(event, order)
        papers[document, size] = html.replace("</head>", f"<style>{rules}</style></head>")

    # Only now: with the browser's loop in this thread the rows above would not be seen.
    page = request.getfixturevalue("browser").new_page()
    page.set_default_timeout(PATIENCE * 1000)
    counted = {}
    for asked, html in papers.items():
        page.set_content(html)
        made = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
        counted[asked] = len(made.pages)
    page.close()

    assert counted == {(document, size): PAGES[document][size] for document, size in promised}


# Games that are won


@pytest.fixture
def truco(season, club, scorer):
    """A round of two tables of truco with the longest names: one decided, one under way."""
    players = [PlayerFactory(club=club, name=f"{LONGEST[:-2]}{n:02d}") for n in range(8)]
    first = truco_table(season, number=1, players=players[:4])
    second = TableFactory(
        round=first.round, number=2, best_of=3, target=12, players=players[4:], deals_planned=1
    )
    record(first, scorer, game(12, 7), hand("a", 3), tento("b"), game(5, 12), game(12, 0))
    record(second, scorer, *[hand("b")] * 3)
    return first.event


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", ["a4", "a5"])
def test_a_sheet_of_games_is_one_page_written_or_blank(truco, size, language):
    for blank in (True, False):
        made = make(truco, Order(document="sheets", language=language, paper=size, blank=blank))

        assert len(made.pages) == 2
        assert all(page.mediabox.width > page.mediabox.height for page in made.pages)


def test_the_file_of_a_round_of_games_shows_the_numbers_of_the_printed_page(truco):
    order = Order(document="sheets", language="en")
    words = words_of(make(truco, order))
    printed = " ".join(re.sub(r"<[^>]+>", " ", exports.html_of(truco, order)).split())

    for piece in exports.page_of(truco, order)["pieces"]:
        for said in (f"to {piece.target}", piece.best_of, "Signature of A", "Signature of B"):
            assert said in words
            assert said in printed
        for _number, hands in piece.games:
            for each in hands:
                line = f"{each.points or ''} {each.after[0]} {each.after[1]}".strip()
                assert line in words
                assert line in printed


def test_a_page_holds_as_many_games_and_hands_as_can_be(season, scorer):
    table = truco_table(season, best_of=7)
    record(table, scorer, *[hand(), hand("b")] * 10, hand(), hand("a", 3))
    lines = list(table.truco_lines.standing().in_play_order())
    for _game in range(5):
        for line in lines:
            line.pk, line.entry_key = None, uuid4()
            line.number += len(lines)
            line.winner = {"a": "b", "b": "a"}[line.winner]
            line.save(force_insert=True)

    (piece,) = exports.page_of(table.event, SHEETS)["pieces"]
    made = make(table.event, Order(document="sheets", language="pt-br", paper="a5"))

    assert [len(hands) for _number, hands in piece.games] == [22] * 6
    assert len(made.pages) == 1
