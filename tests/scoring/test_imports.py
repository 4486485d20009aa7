"""A club brings in a list of past results, sees what it becomes, and can take it back."""

from __future__ import annotations

import csv
import io
import re
import uuid

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Player
from scoring import actions, spreadsheets, tasks
from scoring.imports import read_table
from scoring.models import CountingJob, Ranking, ResultsImport
from scoring.views.downloads import results_table
from tests.factories import MembershipFactory, PlayerFactory
from tournaments.models import Entry, Event, JournalLine
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db

LIST = """Clt;N°;Joueur;Position 1;Position 2;Total
1;4;Zoé Le Dantec;120;-40;80
2;9;CARVALHO Inês;-20;60;40
3;7;Émile Guivarch;-100;;-100
4;2;Bernard Nouveau;;-20;-20
"""


@pytest.fixture
def players(club) -> list[Player]:
    made = [PlayerFactory(club=club, name=n) for n in ("Zoé Le Dantec", "Inês Carvalho")]
    near = PlayerFactory(club=club, name="Émile Guivarc’h")
    MembershipFactory(player=made[0])
    return [*made, near]


def send(club, owner, text: str = LIST, **options) -> ResultsImport:
    options = {
        "held_on": "2026-10-02",
        "entry_key": uuid.uuid4(),
        "file_name": "soiree.csv",
    } | options
    return actions.send_list(club=club, table=read_table(text.encode()), by=owner, **options)


def said_to_be(sent: ResultsImport, **people) -> ResultsImport:
    return actions.describe_list(
        sent=sent, head=sent.head, roles=sent.roles, people={**sent.people, **people}
    )


@pytest.fixture
def sent(club, season, owner, players) -> ResultsImport:
    """The list, with Émile said to be the one whom the club has."""
    made = send(club, owner)
    made = ResultsImport.objects.get(pk=made.pk)
    return said_to_be(made, **{"emile guivarch": players[2].pk})


def test_a_list_becomes_a_closed_evening_with_its_points_and_places(sent, owner, players):
    event = actions.import_list(sent=sent, by=owner)

    lines = [
        (e.place, e.number, str(e.players.get().name), e.points, e.deals_played)
        for e in event.entries.by_place().prefetch_related("players")
    ]
    assert lines == [
        (1, 4, "Zoé Le Dantec", 80, 10), (2, 9, "Inês Carvalho", 40, 10),
        (3, 2, "Bernard Nouveau", -20, 5), (4, 7, "Émile Guivarc’h", -100, 5),
    ]  # fmt: skip
    assert event.is_closed
    assert event.is_imported
    assert event.journal.filter(kind=JournalLine.Kind.IMPORTED).exists()


def test_what_is_imported_counts_in_the_ranking_like_any_evening(sent, owner, season):
    actions.import_list(sent=sent, by=owner)

    tasks.refresh_ranking(season.pk)

    ranking = Ranking.objects.get(season=season)
    assert [(r.place, r.points) for r in ranking.rows.by_place()] == [
        (1, 80), (2, 40), (3, -20), (4, -100),
    ]  # fmt: skip


def test_counting_the_evening_again_leaves_what_the_list_said(sent, owner):
    event = actions.import_list(sent=sent, by=owner)
    event.stale_standings.create()

    tasks.refresh_standings(event.pk)

    assert list(event.entries.by_place().values_list("points", flat=True)) == [80, 40, -20, -100]
    assert not event.stale_standings.exists()


def test_the_nightly_audit_finds_nothing_about_a_list(sent, owner, season):
    actions.import_list(sent=sent, by=owner)
    tasks.refresh_ranking(season.pk)

    job = CountingJob.objects.create(kind=CountingJob.Kind.AUDIT)
    tasks.do_counting_job(job.pk)

    job.refresh_from_db()
    assert (job.state, job.findings) == ("done", [])


def test_pressed_twice_it_is_one_evening(sent, owner):
    first = actions.import_list(sent=sent, by=owner)
    second = actions.import_list(sent=sent, by=owner)

    assert first == second
    assert Event.objects.count() == 1


def test_a_list_that_is_sent_twice_is_one_list(club, owner):
    key = uuid.uuid4()

    assert send(club, owner, entry_key=key) == send(club, owner, entry_key=key)


def test_a_name_nearly_known_waits_until_somebody_says_who_is_meant(club, owner, players):
    sent = send(club, owner)

    with pytest.raises(ValidationError) as refused:
        actions.import_list(sent=sent, by=owner)

    assert refused.value.code == "undecided"
    assert "Émile Guivarch" in refused.value.messages[0]


def test_two_lines_of_one_player_are_refused(sent, owner, players):
    sent = said_to_be(sent, **{"bernard nouveau": players[0].pk})

    with pytest.raises(ValidationError) as refused:
        actions.import_list(sent=sent, by=owner)

    assert refused.value.code == "one_player_twice"


def test_a_line_that_is_left_out_makes_no_entry(sent, owner):
    sent = said_to_be(sent, **{"bernard nouveau": "skip"})

    event = actions.import_list(sent=sent, by=owner)

    assert event.entries.count() == 3
    assert not Player.objects.filter(name="Bernard Nouveau").exists()


def test_a_partial_list_whose_sum_is_not_zero_is_imported_all_the_same(club, season, owner):
    sent = send(club, owner, "Joueur;Total\nAna;100\nBia;-30\n")

    event = actions.import_list(sent=sent, by=owner)

    assert list(event.entries.by_place().values_list("points", flat=True)) == [100, -30]


def test_a_day_to_come_is_refused(club, owner):
    sent = send(club, owner, "Joueur;Total\nAna;0\n", held_on="2099-01-01")

    with pytest.raises(ValidationError, match="has been"):
        actions.import_list(sent=ResultsImport.objects.get(pk=sent.pk), by=owner)


def test_taking_it_back_leaves_the_club_as_it_was(sent, owner, season):
    actions.import_list(sent=sent, by=owner)
    tasks.refresh_ranking(season.pk)

    actions.undo_import(sent=sent, by=owner)
    actions.undo_import(sent=sent, by=owner)
    tasks.refresh_ranking(season.pk)

    assert not Event.objects.exists()
    assert not Player.objects.filter(name="Bernard Nouveau").exists()
    assert Player.objects.filter(name="Émile Guivarc’h").exists()
    assert not Ranking.objects.get(season=season).rows.exists()
    assert ResultsImport.objects.get(pk=sent.pk).state == "undone"


def test_a_guest_who_has_played_since_stays_when_the_list_goes(sent, owner, season):
    event = actions.import_list(sent=sent, by=owner)
    bernard = Player.objects.get(name="Bernard Nouveau")
    another = Event.objects.create(season=season, starts_at=event.starts_at)
    entry = Entry.objects.create(event=another, number=1)
    entry.entry_players.create(event=another, player=bernard)

    actions.undo_import(sent=sent, by=owner)

    assert Player.objects.filter(pk=bernard.pk).exists()


def test_an_imported_evening_is_not_reopened(sent, owner):
    event = actions.import_list(sent=sent, by=owner)

    with pytest.raises(ValidationError) as refused:
        actions.reopen_event(event=event, by=owner)

    assert refused.value.code == "imported"


def test_a_merge_keeps_what_a_list_brought(sent, owner, players):
    event = actions.import_list(sent=sent, by=owner)
    bernard = Player.objects.get(name="Bernard Nouveau")
    other = PlayerFactory(club=sent.club, name="Bernard Le Goff")

    actions.merge_players(guest=bernard, into=other, by=owner, at=event.imported_at)

    assert other.entries.get().event == event


@pytest.mark.parametrize("kind", ["csv fr", "csv en", "xlsx"])
def test_what_is_exported_and_imported_again_is_equal(sent, owner, club, season, kind: str):
    event = actions.import_list(sent=sent, by=owner)
    rows = results_table(event)
    content = (
        spreadsheets.to_xlsx(rows, title="x")
        if kind == "xlsx"
        else spreadsheets.to_csv(rows, language=kind.removeprefix("csv "))
    )

    again = actions.send_list(
        club=club, table=read_table(content), file_name="x", held_on="2026-10-03",
        entry_key=uuid.uuid4(), by=owner,
    )  # fmt: skip
    second = actions.import_list(sent=ResultsImport.objects.get(pk=again.pk), by=owner)

    assert results_table(second) == rows


def test_a_name_that_looks_like_a_formula_is_none_in_any_file():
    rows = [["Player", "Total"], ["=1+1", -40], ["@ana", 3], ["-Bia", None]]

    text = spreadsheets.to_csv(rows, language="fr").decode("utf-8-sig")
    book = read_table(spreadsheets.to_xlsx(rows, title="t"))

    assert list(csv.reader(io.StringIO(text), delimiter=";")) == [
        ["Player", "Total"], ["'=1+1", "-40"], ["'@ana", "3"], ["'-Bia", ""],
    ]  # fmt: skip
    assert [row[0] for row in book.rows] == ["Player", "=1+1", "@ana", "-Bia"]


# The pages


def test_a_director_sends_a_list_looks_at_it_and_imports_it(club, season, players, director_client):
    answer = director_client.post(
        reverse("imports", args=[club.slug]),
        {
            "held_on": "2026-10-02",
            "entry_key": str(uuid.uuid4()),
            "file": SimpleUploadedFile("soirée.csv", LIST.encode("cp1252")),
        },
    )
    sent = ResultsImport.objects.get()
    page = director_client.get(answer.url)
    text = page.content.decode()
    assert "Émile Guivarch" in text
    assert "new guest" in text
    assert not Event.objects.exists()

    form = {"held_on": "2026-10-02", "kind": "club_night", "game": "tarot", "head": 0,
            "deals_per_round": 4, "title": "Autumn", "place": "", "import": "1",
            "who-emile guivarch": str(players[2].pk)}  # fmt: skip
    form |= {f"column_{n}": role for n, role in enumerate(sent.roles)}
    done = director_client.post(answer.url, form)

    event = Event.objects.get()
    assert done.url == event.get_absolute_url()
    assert event.name == "Autumn"
    assert "Zoé Le Dantec" in director_client.get(done.url).content.decode()


@pytest.mark.parametrize("name", ["event", "results"])
def test_the_rounds_of_a_list_are_shown_one_by_one(name: str, sent, owner, owner_client):
    event = actions.import_list(sent=sent, by=owner)

    text = owner_client.get(reverse(name, args=[event.pk])).content.decode()

    assert "Round 2" in text
    assert "+120" in text
    assert "−40" in text
    assert "counted by the rule" not in text


def test_what_cannot_be_read_is_told_beside_what_was_typed(club, director_client):
    answer = director_client.post(
        reverse("imports", args=[club.slug]), {"held_on": "2026-10-02", "pasted": " "}
    )

    assert answer.status_code == 422
    assert "Choose a file, or paste the rows." in answer.content.decode()


def test_a_second_press_in_another_tab_leads_to_the_evening_of_the_first(
    sent, owner, director_client
):
    event = actions.import_list(sent=sent, by=owner)
    form = {"held_on": "2026-10-02", "kind": "club_night", "game": "tarot", "head": 0,
            "deals_per_round": 5, "import": "1"}  # fmt: skip
    form |= {f"column_{n}": role for n, role in enumerate(sent.roles)}

    answer = director_client.post(reverse("import-list", args=[sent.pk]), form)

    assert answer.url == event.get_absolute_url()
    assert Event.objects.count() == 1


def test_columns_of_which_nothing_is_taken_are_named(club, owner, director_client):
    sent = send(club, owner, "Joueur;Cotisation;Total;Remarque\nAna;15;0;\nBia;15;0;\n")

    page = director_client.get(reverse("import-list", args=[sent.pk])).content.decode()

    assert "Left out: Cotisation, Remarque" in page


def test_a_row_that_is_wrong_is_named_and_nothing_can_be_imported(club, owner, director_client):
    sent = send(club, owner, "Joueur;Total\nAna;12,5\nBia;-12\n")

    text = director_client.get(reverse("import-list", args=[sent.pk])).content.decode()

    assert "Row 2: “12,5” is no whole number of points." in text
    assert 'id="import"' not in text


@pytest.mark.parametrize(("odd", "rest"), [(40, ""), (41, "1 more"), (60, "20 more")])
def test_of_a_list_with_many_odd_rows_all_are_told_and_the_rest_is_counted_and_folded(
    odd: int, rest: str, club, owner, director_client
):
    rows = "".join(f";{row}\n" for row in range(odd))
    sent = send(club, owner, f"Joueur;Total\nAna;0\n{rows}")

    text = director_client.get(reverse("import-list", args=[sent.pk])).text

    told = re.findall(r"<li>Row (\d+) names nobody", text)
    assert [int(row) for row in told] == list(range(3, odd + 3))
    assert re.findall(r"<summary>(\d+ more)</summary>", text) == ([rest] if rest else [])


@pytest.mark.parametrize("count", [3, 40])
def test_a_long_list_costs_no_more_queries(
    count: int, club, owner, director_client, django_assert_max_num_queries
):
    rows = "".join(f"Player {n};0\n" for n in range(count))
    sent = send(club, owner, f"Joueur;Total\n{rows}")

    with django_assert_max_num_queries(14):
        director_client.get(reverse("import-list", args=[sent.pk]))


@pytest.mark.parametrize("count", [3, 40])
def test_a_long_list_is_imported_with_no_more_queries(
    count: int, club, owner, django_assert_max_num_queries
):
    sent = send(club, owner, "Joueur;Total\n" + "".join(f"Player {n};0\n" for n in range(count)))
    sent = ResultsImport.objects.get(pk=sent.pk)

    with django_assert_max_num_queries(40):
        event = actions.import_list(sent=sent, by=owner)

    assert event.entries.count() == count


def test_a_list_of_three_thousand_new_names_can_be_imported(club, owner, director_client):
    rows = "".join(f"Player {n};0\n" for n in range(2999))
    sent = send(club, owner, f"Joueur;Total\n{rows}")
    address = reverse("import-list", args=[sent.pk])
    page = director_client.get(address).content.decode()
    asked = re.findall(r'name="(who-[^"]*)"', page)
    form = {"held_on": "2026-10-02", "kind": "club_night", "game": "tarot",
            "deals_per_round": 4, "head": 0}  # fmt: skip
    form |= {f"column_{n}": role for n, role in enumerate(sent.roles)}
    form |= dict.fromkeys(asked, "new")

    answer = director_client.post(address, form)

    assert answer.status_code == 302
    assert len(asked) == 300
    assert "2699 more names are not asked about yet" in page


def test_a_sum_below_zero_is_written_with_a_true_minus(club, owner, director_client):
    sent = send(club, owner, "Joueur;Total\nAna;-120\nBia;0\n")

    page = director_client.get(reverse("import-list", args=[sent.pk])).content.decode()

    assert "The points add up to −120 and not to 0" in page


def test_the_deals_of_a_list_are_shown_before_it_is_imported(club, owner, director_client):
    with_deals = send(club, owner, "Joueur;Total;Donnes\nAna;12;37\nBia;-12;37\n")
    without = send(club, owner, "Joueur;Total\nCaio;12\nDora;-12\n")

    pages = [
        director_client.get(reverse("import-list", args=[sent.pk])).content.decode()
        for sent in (with_deals, without)
    ]

    assert ['<td class="n">37</td>' in page for page in pages] == [True, False]


def test_why_everybody_gets_another_number_is_said_before_the_list_is_imported(
    club, owner, director_client
):
    sent = send(club, owner, "No;Joueur;Total\n3;Ana;0\n17;Bia;0\n17;Caio;0\n")

    page = director_client.get(reverse("import-list", args=[sent.pk])).content.decode()

    assert "Row 4: the number 17 already stands in row 3." in page


def looked_at(client, sent: ResultsImport, **answers: str):
    """Press "Look again" with everything as it stands, and these answers."""
    form = {"held_on": "2026-10-02", "kind": "club_night", "game": "tarot", "deals_per_round": 5,
            "head": sent.head}  # fmt: skip
    form |= {f"column_{n}": role for n, role in enumerate(sent.roles)}
    return client.post(reverse("import-list", args=[sent.pk]), form | answers)


def test_the_name_of_a_guest_who_was_put_together_with_a_player_means_that_player(
    club, season, owner, sent
):
    actions.import_list(sent=sent, by=owner)
    guest = Player.objects.get(name="Bernard Nouveau")
    member, renamed = (PlayerFactory(club=club, name=name) for name in ("Bernard N.", "Bernard"))
    actions.merge_players(guest=guest, into=member, by=owner, at=timezone.now())
    actions.merge_players(guest=member, into=renamed, by=owner, at=timezone.now())

    again = send(club, owner, "Joueur;Total\nBernard Nouveau;0\n", held_on="2026-10-09")
    event = actions.import_list(sent=again, by=owner)

    assert [entry.players.get() for entry in event.entries.all()] == [renamed]


def test_a_name_that_nothing_is_like_can_be_given_to_any_player_by_hand(
    club, owner, players, director_client
):
    sent = send(club, owner)
    page = director_client.get(reverse("import-list", args=[sent.pk])).content.decode()
    married = PlayerFactory(club=club, name="Béatrice Martin")

    answer = looked_at(
        director_client,
        sent,
        **{"who-bernard nouveau": "new", "written-bernard nouveau": " beatrice  MARTIN "},
    )

    sent.refresh_from_db()
    assert answer.status_code == 302
    assert sent.people["bernard nouveau"] == married.pk
    assert '<option value="Inês Carvalho">' in page
    assert 'name="written-bernard nouveau"' in page


def test_a_name_written_by_hand_that_nobody_has_is_refused_and_the_rest_is_kept(
    club, owner, players, director_client
):
    sent = send(club, owner)
    PlayerFactory(club=club, name="Put Away", archived_at=timezone.now())
    PlayerFactory(name="Of Another Club")

    answer = looked_at(
        director_client,
        sent,
        title="The first",
        **{"who-bernard nouveau": "skip", "written-bernard nouveau": "Of Another Club",
           "written-emile guivarch": "Put Away", "import": "1"},
    )  # fmt: skip

    sent.refresh_from_db()
    assert answer.status_code == 422
    assert "No player of the club is called: Of Another Club, Put Away." in answer.text
    assert (sent.title, sent.is_draft, sent.people) == (
        "The first", True, {"bernard nouveau": "skip"},
    )  # fmt: skip


@pytest.mark.parametrize("day", ["0001-01-01", "1026-10-02"])
def test_a_year_of_long_ago_is_a_slip_of_the_pen(day: str, club, director_client):
    answer = director_client.post(
        reverse("imports", args=[club.slug]), {"held_on": day, "pasted": LIST}
    )

    assert answer.status_code == 422
    assert "Look at the year: no list is older than 1900." in answer.content.decode()


def test_a_list_of_which_no_season_has_the_day_says_that_one_is_opened(
    club, season, owner, director_client
):
    within, before = send(club, owner), send(club, owner, held_on="1998-02-03")
    words = "importing the list opens one"

    told = [
        words in director_client.get(reverse("import-list", args=[sent.pk])).content.decode()
        for sent in (within, before)
    ]

    assert told == [not season.contains(within.held_on), True]


def test_a_list_that_is_in_already_says_so_before_it_is_imported(
    sent, club, owner, director_client
):
    event = actions.import_list(sent=sent, by=owner)
    again, other_day = send(club, owner), send(club, owner, held_on="2026-10-03")
    words = "An evening of this day with the same points counts already."

    page = director_client.get(reverse("import-list", args=[again.pk])).content.decode()

    assert words in page
    assert event.get_absolute_url() in page
    address = reverse("import-list", args=[other_day.pk])
    assert words not in director_client.get(address).content.decode()


def test_the_page_of_an_imported_evening_offers_only_what_works(sent, owner, owner_client):
    event = actions.import_list(sent=sent, by=owner)

    page = owner_client.get(reverse("event", args=[event.pk])).content.decode()

    assert reverse("import-list", args=[sent.pk]) in page
    assert "reopen-event" not in page
    for name in ("check-in", "draw", "tables", "floor", "referee", "links"):
        assert f'href="{reverse(name, args=[event.pk])}"' not in page, name


@pytest.mark.parametrize("rounds_planned", [None, 2])
@pytest.mark.parametrize("name", ["event", "evenings", "api"])
def test_nothing_says_how_many_deals_a_round_of_a_list_has(
    sent, owner, owner_client, name: str, rounds_planned
):
    event = actions.import_list(sent=sent, by=owner)
    type(event).objects.filter(pk=event.pk).update(rounds_planned=rounds_planned)
    address = {
        "event": reverse("event", args=[event.pk]),
        "evenings": reverse("evenings", args=[event.club.slug]),
        "api": f"/api/v1/events/{event.pk}/",
    }[name]

    told = owner_client.get(address)

    assert told.status_code == 200
    if name == "api":
        assert told.json()["deals_per_round"] is None
    else:
        assert re.findall(r"\d+ (?:deals?|rounds?) (?:in a round|a round|of \d+)", told.text) == []
        assert event.get_game_display() in told.text


def test_the_journal_of_an_imported_evening_names_the_list(sent, owner, owner_client):
    event = actions.import_list(sent=sent, by=owner)

    page = owner_client.get(reverse("journal", args=[event.pk])).content.decode()

    assert "Imported a list of results: soiree.csv." in page


def test_a_pasted_list_is_named_by_its_day_and_the_journal_says_that_it_was_pasted(
    club, season, owner, owner_client
):
    pasted = send(club, owner, "Joueur;Total\nZoé;20\nInês;-20\n", file_name="")
    pasted = said_to_be(ResultsImport.objects.get(pk=pasted.pk), zoe="new", ines="new")
    event = actions.import_list(sent=pasted, by=owner)

    journal = owner_client.get(reverse("journal", args=[event.pk])).text
    lists = owner_client.get(reverse("imports", args=[club.slug])).text

    assert "Imported a list of results that was pasted." in journal
    assert "<strong>List of 2 October 2026</strong>" in lists
    with override("fr"):
        assert str(pasted) == "Liste du 2 octobre 2026"


def test_a_list_that_was_taken_back_can_be_thrown_away(sent, owner, owner_client):
    actions.import_list(sent=sent, by=owner)
    with pytest.raises(Conflict):
        actions.discard_list(sent=sent)
    actions.undo_import(sent=sent, by=owner)

    page = owner_client.get(reverse("import-list", args=[sent.pk])).content.decode()
    owner_client.post(reverse("discard-import", args=[sent.pk]))

    assert "discard-import" in page
    assert not ResultsImport.objects.filter(pk=sent.pk).exists()
