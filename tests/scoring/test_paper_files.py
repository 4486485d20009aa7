"""A worker makes one file of many sheets and tells how far it is."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring import exports, tasks
from scoring.actions import ask_for_paper
from scoring.exports import DOCUMENTS, FORMATS, Order
from scoring.models import PaperJob
from tests.factories import PlayerFactory
from tests.scoring import paper
from tests.scoring.test_leaderboards import text_of
from tests.scoring.test_papers import LANGUAGES
from tournaments.models import Event

LONGEST = "Marie-Antoinette-Wilhelmine de la Rochefoucauld-Montmorency-Bouteville d’Orbigny"[:80]
needs_weasyprint = pytest.mark.skipif(
    not exports.can_make_files(), reason="the extra pdf is not installed"
)
SHEETS = Order(document="sheets", language="fr")


@pytest.fixture
def event(season, club) -> Event:
    """Three tables, one of five, of people with the longest names."""
    players = [PlayerFactory(club=club, name=f"{LONGEST[:-2]}{n:02d}") for n in range(13)]
    made = paper.evening(season, players, kind=Event.Kind.TOURNAMENT, state=Event.State.RUNNING)
    for table in paper.sit(made, players[:4], players[4:8], players[8:]):
        for _ in range(5):
            paper.write(table, -120, *([40, 40, 40] if table.players_per_deal == 4 else [30] * 4))
    return made


def make(event: Event, order: Order) -> bytes:
    return exports.file_of(event, order, tell=lambda *_: None)


@needs_weasyprint
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", FORMATS)
def test_each_sheet_is_one_page_however_long_the_names_are(event, size, language):
    import weasyprint  # noqa: PLC0415 - an extra that need not be there

    for blank in (True, False):
        order = Order(document="sheets", language=language, paper=size, blank=blank)
        html = exports.html_of(event, order)
        rules = weasyprint.CSS(string=exports._paper_rules())
        assert len(weasyprint.HTML(string=html).render(stylesheets=[rules]).pages) == 3


@needs_weasyprint
@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("size", FORMATS)
def test_every_document_becomes_a_file_on_every_paper(event, document, size):
    made = make(event, Order(document=document, language="pt-br", paper=size))

    assert made.startswith(b"%PDF-")


@needs_weasyprint
def test_the_worker_makes_the_file_and_tells_how_far_it_is(event, scorer, monkeypatch):
    monkeypatch.setattr(exports, "SHEETS_AT_ONCE", 2)
    job = ask_for_paper(event=event, order=SHEETS, by=scorer)
    told = []
    make_file = exports.file_of

    def listen(event, order, *, tell):
        def both(done, total):
            told.append((done, total))
            tell(done, total)

        return make_file(event, order, tell=both)

    monkeypatch.setattr(exports, "file_of", listen)
    tasks.make_paper(job.pk)

    job.refresh_from_db()
    assert told == [(0, 3), (2, 3), (3, 3)]
    assert (job.state, job.pieces_done, job.pieces_total) == ("done", 3, 3)
    assert io.BytesIO(bytes(job.file)).read(5) == b"%PDF-"


@needs_weasyprint
def test_a_second_run_finds_the_file_made(event, scorer):
    job = ask_for_paper(event=event, order=SHEETS, by=scorer)
    tasks.make_paper(job.pk)
    job.refresh_from_db()

    tasks.make_paper(job.pk)

    assert PaperJob.objects.get(pk=job.pk).finished_at == job.finished_at


@needs_weasyprint
def test_asking_twice_while_it_is_being_made_is_one_file(event, scorer, director):
    first = ask_for_paper(event=event, order=SHEETS, by=scorer)

    assert ask_for_paper(event=event, order=SHEETS, by=scorer) == first
    assert ask_for_paper(event=event, order=SHEETS, by=director) != first


@needs_weasyprint
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


def test_a_file_that_cannot_be_made_says_so(event, scorer, scorer_client, monkeypatch):
    job = PaperJob.objects.create(event=event, order=SHEETS.to_json(), made_by=scorer)
    monkeypatch.setattr(exports, "file_of", lambda *_, **_options: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        tasks.make_paper(job.pk)

    shown = text_of(scorer_client.get(f"/evenings/{event.pk}/paper/file/?job={job.pk}"))
    assert "The file could not be made." in shown


def test_without_the_extra_the_page_says_how_to_print(event, scorer, scorer_client, monkeypatch):
    monkeypatch.setattr(exports, "can_make_files", lambda: False)

    shown = text_of(scorer_client.get(f"/evenings/{event.pk}/paper/"))

    assert "Show the document and print it from the browser" in shown
    assert "Make one file" not in shown
    with pytest.raises(ValidationError) as refusal:
        ask_for_paper(event=event, order=SHEETS, by=scorer)
    assert refusal.value.code == "no_files_here"
    answer = scorer_client.post(
        f"/evenings/{event.pk}/paper/make/", {"document": "sheets", "language": "fr"}
    )
    assert answer.status_code == 422


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
