"""The pages of a truco table: what they ask, take, refuse, and show."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from clubs.models import Role
from scoring import actions, tasks
from scoring.models import PaperJob
from tests.conftest import account_with
from tests.factories import SeasonFactory
from tests.reading import text_of
from tests.scoring.truco import game, hand, press, record, told, truco_table
from tournaments.models import Table

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
NAMES = ("Ana", "Paulo", "Bia", "Tião")


@pytest.fixture
def accounts(club):
    return [account_with(club, Role.MEMBER, name) for name in NAMES]


@pytest.fixture
def table(club, accounts) -> Table:
    return truco_table(
        SeasonFactory(club=club), players=[account.players.get() for account in accounts]
    )


@pytest.fixture
def client(client_of, accounts):
    """Ana's phone."""
    return client_of(accounts[0])


def to_record(table) -> str:
    return reverse("record-deal", args=[table.pk])


# Asking


def test_the_page_says_how_it_stands_who_deals_and_who_is_mao(client, table, accounts):
    record(table, accounts[0], hand("a", 3), hand("b", 1))

    page = text_of(client.get(to_record(table)))

    assert "Game 1 of 3" in page
    assert "Bia deals, Tião is mão" in page
    assert re.search(r"Us 3 Ana & Bia × to 12 Them 1", page)


def test_somebody_who_does_not_sit_there_reads_the_names_of_the_pairs(client_of, scorer, table):
    page = text_of(client_of(scorer).get(to_record(table)))

    assert "Ana & Bia" in page
    assert "Us" not in page.split()


@pytest.mark.parametrize(
    ("lines", "asked", "not_asked"),
    [
        ([], ["This hand is worth", "truco", "doze", "ran"], ["Mão de onze", "Mão de ferro"]),
        (
            [hand("a", 9), hand("a", 1), hand("a", 1)],
            ["Mão de onze", "Play or run?", "the hand is worth 3", "the others get 1"],
            ["This hand is worth", "doze", "Mão de ferro"],
        ),
        (
            [hand("a", 9), hand("b", 9), hand("a", 1), hand("b", 1), hand("a", 1),
             hand("b", 1, "declined")],
            ["Mão de ferro", "worth 1 and decides"],
            ["This hand is worth", "Mão de onze", "decide?"],
        ),
    ],
)  # fmt: skip
def test_only_what_the_score_allows_can_be_pressed(  # noqa: PLR0917 - fixtures and cases
    client, table, accounts, lines, asked, not_asked
):
    record(table, accounts[0], *lines)

    page = text_of(client.get(to_record(table)))

    assert [each for each in asked if each not in page] == []
    assert [each for each in not_asked if each in page] == []


# Entering


@pytest.mark.parametrize(
    ("pressed", "stands"),
    [
        ({"winner": "a", "value": "1"}, (1, "hand", "a", 1)),
        ({"winner": "b", "value": "6"}, (1, "hand", "b", 6)),
        ({"ran": "b", "value": "3"}, (1, "hand", "a", 1)),
        ({"ran": "a", "value": "12"}, (1, "hand", "b", 9)),
        ({"winner": "nobody", "value": "3"}, (1, "hand", "", 0)),
        ({"depth": "game", "points_a": "12", "points_b": "7"}, (1, "game", "", 0)),
        (
            {"depth": "notation", "notation": "A1 v6E B1: 4C KC 3P JO / B2: QC 2P 3E 2E"},
            (1, "hand", "b", 1),
        ),
    ],
)
def test_a_press_is_a_line(client, table, pressed, stands):
    response = client.post(to_record(table), press(table, **pressed))

    assert response.status_code == 302
    assert told(table) == [stands]


def test_the_pair_on_eleven_declines_with_one_press(client, table, accounts):
    record(table, accounts[0], hand("a", 9), hand("a", 1), hand("a", 1))

    client.post(to_record(table), press(table, declined="on", decision="run"))

    assert told(table)[-1] == (4, "hand", "b", 1)
    assert table.truco_lines.last().ending == "declined"


@pytest.mark.parametrize(
    ("pressed", "said"),
    [
        ({}, "Who won the hand?"),
        ({"ran": "b", "value": "1"}, "Nobody runs before a call"),
        ({"winner": "a", "value": "5"}, "Select a valid choice"),
        ({"winner": "a", "value": "abc"}, "Select a valid choice"),
        ({"winner": "a", "value": "1.5"}, "Select a valid choice"),
        ({"winner": "a", "value": "\x00"}, "Select a valid choice"),
        ({"depth": "game", "points_a": "12"}, "How many points?"),
        ({"depth": "game", "points_a": "12", "points_b": "12"}, "No match to 12 ends 12 to 12"),
        ({"depth": "game", "points_a": "x", "points_b": "2"}, "Enter a whole number"),
        ({"depth": "notation", "notation": "hello"}, "hello"),
        ({"winner": "a", "value": "1", "entry_key": ""}, "This page is damaged"),
    ],
)
def test_what_cannot_be_is_said_beside_it_and_stays(client, table, pressed, said):
    response = client.post(to_record(table), press(table, **pressed), headers=HTMX)

    assert response.status_code == 422
    assert said in text_of(response)
    assert not table.truco_lines.exists()
    if pressed.get("notation"):
        assert pressed["notation"] in response.text


def test_a_final_score_that_cannot_be_is_refused_beside_it(client, table):
    sent = press(table, depth="game", points_a="12", points_b="12")

    form = client.post(to_record(table), sent, headers=HTMX).context["form"]

    assert [*form.errors] == ["points_a"]


def test_a_double_press_is_one_hand(client, table):
    sent = press(table, winner="a", value="3")

    for _ in range(2):
        client.post(to_record(table), sent)

    assert told(table) == [(1, "hand", "a", 3)]


def test_an_old_page_shows_both_versions(client, client_of, scorer, table, accounts):
    record(table, accounts[1], hand("b", 6))

    response = client.post(to_record(table), press(table, winner="a", value="1", number=1))

    assert response.status_code == 409
    assert "Line 1 is already on the sheet" in text_of(response)
    assert "send it as line 2" in text_of(response)


def test_the_last_line_is_taken_back_with_one_press(client, table, accounts):
    last = record(table, accounts[0], hand("a", 3))

    page = client.get(to_record(table))
    assert "Ana & Bia +3" in text_of(page)
    client.post(reverse("undo-deal", args=[table.pk]), {"deal": last.pk})

    assert told(table) == []


def test_a_decided_meeting_asks_nothing_more(client, table, accounts):
    record(table, accounts[0], game(12, 3), game(12, 10))

    page = text_of(client.get(to_record(table)))

    assert "The meeting is decided." in page
    assert "Who won the hand?" not in page


def test_who_deals_first_is_chosen_or_drawn(client, table):
    address = reverse("choose-dealer", args=[table.pk])

    client.post(address, {"place": 3})
    assert "Bia deals, Tião is mão" in text_of(client.get(to_record(table)))

    client.post(address, {"place": ""})
    table.refresh_from_db()
    assert table.first_dealer in {1, 2, 3, 4}
    assert client.post(address, {"place": 9}, follow=True).status_code == 200


def test_after_the_first_line_only_a_scorer_corrects_who_dealt_first(
    client, client_of, scorer, table, accounts
):
    record(table, accounts[0], hand("a", 1))
    address = reverse("choose-dealer", args=[table.pk])

    assert client.post(address, {"place": 3}).status_code == 403
    assert address not in client.get(to_record(table)).text

    answer = client_of(scorer).post(address, {"place": 3}, follow=True)

    assert "Who dealt first is corrected" in text_of(answer)
    table.refresh_from_db()
    assert table.first_dealer == 3


def test_only_scorers_give_tentos(client, client_of, scorer, table):
    sent = press(table, tento="a")

    assert "Tento for" not in text_of(client.get(to_record(table)))
    assert client.post(to_record(table), sent).status_code == 403
    assert "Tento for" in text_of(client_of(scorer).get(to_record(table)))
    client_of(scorer).post(to_record(table), sent)
    assert told(table) == [(1, "tento", "a", 1)]


def test_the_end_of_the_time_is_what_the_plan_says(client_of, scorer, table):
    event = table.round.event
    event.cap_rule = "leader_wins"
    event.save()
    client = client_of(scorer)

    page = text_of(client.get(to_record(table)))
    other = client.post(to_record(table), press(table, cap="sudden_hand"))

    assert "Whoever is ahead wins" in page
    assert "The next hand decides" not in page
    assert other.status_code == 422
    assert told(table) == []


def test_a_tento_is_a_ruling_in_the_ledger_and_goes_with_its_line(client_of, scorer, table):
    client = client_of(scorer)
    client.post(to_record(table), press(table, tento="b", note="Truco in the mão de onze"))
    line = table.truco_lines.get()

    assert (line.ruling.effect, line.ruling.note) == ("tento", "Truco in the mão de onze")
    page = text_of(client.get(reverse("print-sheet", args=[table.pk])))
    assert "Truco in the mão de onze" in page
    client.post(reverse("undo-deal", args=[table.pk]), {"deal": line.pk})
    line.ruling.refresh_from_db()
    assert not line.ruling.stands


def test_a_ruling_that_is_withdrawn_takes_its_tento_off_the_sheet(client_of, scorer, table):
    client_of(scorer).post(to_record(table), press(table, tento="b"))
    line = table.truco_lines.get()

    actions.withdraw_ruling(ruling=line.ruling, why="The other side.", by=scorer)

    assert told(table) == []
    assert table.seats.get(place=2).points == 0


def test_a_game_lost_by_a_ruling_is_what_the_others_still_need(client_of, scorer, table, accounts):
    record(table, accounts[0], hand("a", 3), hand("b", 6))

    client_of(scorer).post(to_record(table), press(table, game_for="b"))

    assert told(table)[-1] == (3, "tento", "b", 6)
    assert table.truco_lines.last().ruling.effect == "lose_game"
    assert table.seats.get(place=2).games_won == 1


def test_a_hand_lost_by_a_ruling_gives_what_it_was_worth(client_of, scorer, table):
    client = client_of(scorer)
    assert "The hand for" in text_of(client.get(to_record(table)))

    client.post(to_record(table), press(table, hand_for="b", value="6", note="Showed his cards"))

    assert told(table) == [(1, "tento", "b", 6)]
    assert table.truco_lines.get().ruling.effect == "lose_hand"
    page = text_of(client.get(reverse("sheet", args=[table.pk])))
    assert "The hand by a ruling: Paulo & Tião +6" in page


def test_a_special_hand_lost_by_a_ruling_gives_what_it_is_worth(client_of, scorer, table, accounts):
    record(table, accounts[0], hand("a", 3), hand("a", 3), hand("a", 3), hand("a", 1), hand("a"))
    assert "which is worth 3" in text_of(client_of(scorer).get(to_record(table)))

    client_of(scorer).post(to_record(table), press(table, hand_for="b"))

    assert told(table)[-1] == (6, "tento", "b", 3)


def test_a_player_cannot_give_the_hand_by_a_ruling(client, table):
    assert client.post(to_record(table), press(table, hand_for="a", value="3")).status_code == 403


# Looking and changing


def test_the_sheet_tells_games_hands_and_the_running_score(client, table, accounts):
    record(table, accounts[0], hand("a", 12), hand("b", 1), hand("a", 3))

    page = text_of(client.get(reverse("sheet", args=[table.pk])))

    assert "Game 1" in page
    assert "Game 2" in page
    assert "12–0" in page
    assert "3–1" in page


def test_a_line_is_corrected_with_its_history(client, table, accounts):
    row = record(table, accounts[0], hand("a", 3))
    address = reverse("correct-deal", args=[table.pk, row.pk])

    assert "checked" in client.get(address).text
    client.post(address, press(table, winner="b", value="6", number=1))

    assert told(table) == [(1, "hand", "b", 6)]
    page = text_of(client.get(reverse("sheet", args=[table.pk])))
    assert "Corrected by" in page


def test_a_correction_that_breaks_a_later_line_names_it(client, table, accounts):
    record(table, accounts[0], hand("a", 9), hand("a", 1))
    third = record(table, accounts[0], hand("a", 1))
    record(table, accounts[0], hand("b", 1, "declined"))

    response = client.post(
        reverse("correct-deal", args=[table.pk, third.pk]),
        press(table, winner="b", value="6", number=3),
    )

    assert response.status_code == 422
    assert "Line 4 does not fit then" in text_of(response)


def test_a_void_that_breaks_a_later_line_names_it(client, table, accounts):
    record(table, accounts[0], hand("a", 9), hand("a", 1))
    third = record(table, accounts[0], hand("a", 1))
    record(table, accounts[0], hand("b", 1, "declined"))

    response = client.post(
        reverse("void-deal", args=[table.pk, third.pk]), {"reason": "misdeal", "words": ""}
    )

    assert response.status_code == 422
    assert "Line 4 does not fit" in text_of(response)


def test_a_line_is_declared_void_with_a_reason(client, table, accounts):
    row = record(table, accounts[0], hand("a", 3))

    client.post(reverse("void-deal", args=[table.pk, row.pk]), {"reason": "misdeal", "words": ""})

    assert told(table) == []
    assert "Misdeal" in text_of(client.get(reverse("sheet", args=[table.pk])))


@pytest.mark.parametrize("blank", [True, False])
def test_the_sumula_has_what_a_table_writes(client, table, accounts, blank):
    record(table, accounts[0], hand("a", 3), game(12, 3))

    address = reverse("print-sheet", args=[table.pk]) + ("?blank" if blank else "")
    page = text_of(client.get(address))

    for each in ("First dealer", "A1 Ana", "B2 Tião", "Penalties", "Signature of A", "Game 1"):
        assert each in page
    assert ("3 0" in page) is not blank


@pytest.mark.parametrize("blank", ["", "on"])
def test_the_papers_of_all_tables_are_those_of_the_game(
    client_of, director, table, accounts, blank
):
    record(table, accounts[0], hand("a", 3))
    asked = {"document": "sheets", "language": "pt-br", "paper": "a4", "blank": blank}
    client = client_of(director)

    page = client.get(reverse("print-paper", args=[table.event.pk]), asked)

    assert page.status_code == 200
    assert "A1 Ana" in page.text
    made = client.post(reverse("make-paper", args=[table.event.pk]), asked)
    assert made.status_code == 302
    tasks.make_paper(PaperJob.objects.get().pk)
    assert PaperJob.objects.get().state == PaperJob.State.DONE


def test_pages_cost_the_same_queries_with_one_hand_and_with_many(
    client, table, accounts, django_assert_max_num_queries
):
    seen = {}
    for hands in (1, 4, 10):
        while table.truco_lines.count() < hands:
            record(table, accounts[0], hand("a" if table.truco_lines.count() % 2 else "b", 1))
        for page in ("record-deal", "sheet", "print-sheet"):
            with django_assert_max_num_queries(25) as queries:
                client.get(reverse(page, args=[table.pk]))
            seen.setdefault(page, set()).add(len(queries))

    assert {page: len(counts) for page, counts in seen.items()} == dict.fromkeys(seen, 1), seen
