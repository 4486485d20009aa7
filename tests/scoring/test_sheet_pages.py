"""The pages of a sheet: what they show, to whom, and what they answer when something is wrong."""

from __future__ import annotations

import json
import re
import uuid
from html import unescape

import pytest
from django.urls import reverse

from clubs.models import Publication
from rules_engine import tarot
from scoring import actions
from scoring.models import TarotDeal
from tests.factories import TableFactory
from tests.reading import text_of
from tests.scoring.conftest import answers, garde, record_on
from tournaments.models import Round, Seat

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
#: What a page sends unasked: when it is damaged, the page as a whole says so.
HIDDEN = {"number", "version", "entry_key"}


@pytest.fixture
def client(client_of, bernard):
    """Bernard's phone."""
    return client_of(bernard)


@pytest.fixture
def yves_client(client_of, yves):
    return client_of(yves)


def to_record(table) -> str:
    return reverse("record-deal", args=[table.pk])


def address_of(deal, page: str) -> str:
    """The address of a page about this deal, or about its table."""
    is_about_the_deal = page in {"correct-deal", "void-deal"}
    return reverse(page, args=[deal.table_id, deal.pk] if is_about_the_deal else [deal.table_id])


def tag_in(response) -> str:
    """The name of the sheet's state that the page polls with."""
    headers = re.search(r'hx-headers="([^"]*If-None-Match[^"]*)"', response.text)
    return json.loads(unescape(headers[1]))["If-None-Match"]


def open_to_all(table) -> None:
    """Publish the evening and its club."""
    event = table.event
    event.publication = event.club.publication = Publication.PUBLIC
    event.save()
    event.club.save()


# Who may


PAGES = {
    "sheet": {"stranger": 404, "anonymous": 404, "outsider": 200, "player": 200, "scorer": 200},
    "print-sheet": {
        "stranger": 404,
        "anonymous": 404,
        "outsider": 200,
        "player": 200,
        "scorer": 200,
    },
    "record-deal": {
        "stranger": 404,
        "anonymous": 302,
        "outsider": 403,
        "player": 200,
        "scorer": 200,
    },
    "correct-deal": {
        "stranger": 404,
        "anonymous": 302,
        "outsider": 403,
        "player": 200,
        "scorer": 200,
    },
    "void-deal": {
        "stranger": 404,
        "anonymous": 302,
        "outsider": 403,
        "player": 200,
        "scorer": 200,
    },
}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("who", ["stranger", "anonymous", "outsider", "player", "scorer"])
def test_a_sheet_is_read_by_the_club_and_written_by_its_table(
    page, who, record, client_of, request
):
    fixture = {"outsider": "member", "player": "bernard"}.get(who, who)
    user = None if who == "anonymous" else request.getfixturevalue(fixture)
    deal = record()

    response = client_of(user).get(address_of(deal, page))

    assert response.status_code == PAGES[page][who]


@pytest.mark.parametrize("who", ["stranger", "member"])
def test_nobody_else_writes_on_a_sheet(table, who, client_of, request):
    client = client_of(request.getfixturevalue(who))

    response = client.post(to_record(table), answers(table))

    assert response.status_code == (404 if who == "stranger" else 403)
    assert not table.tarot_deals.exists()


def test_a_player_writes_on_his_own_sheet_only(client, round_):
    other = TableFactory(round=round_)

    assert client.post(to_record(other), answers(other)).status_code == 403


def test_a_published_sheet_is_read_by_everybody_and_written_by_nobody_more(
    table, record, anonymous_client, stranger_client
):
    record()
    open_to_all(table)

    page = anonymous_client.get(table.get_absolute_url())

    assert page.status_code == 200
    assert "Correct" not in text_of(page)
    assert stranger_client.get(to_record(table)).status_code == 403


def test_a_sheet_never_shows_an_address(table, record, bernard, anonymous_client):
    bernard.name = ""
    bernard.save()
    record()
    open_to_all(table)

    page = anonymous_client.get(table.get_absolute_url())

    assert "@" not in text_of(page)
    assert "Entered at" in text_of(page)
    assert "Entered by" not in text_of(page)


# Entering


def test_the_form_shows_the_players_in_their_order_and_who_deals(client, table):
    page = text_of(client.get(to_record(table)))

    assert "Deal 1 of 5" in page
    assert re.search(r"Who took\? Bernard deals Odile Yves Ana", page)
    assert "Send deal 1" in page


@pytest.mark.parametrize("page", ["record-deal", "correct-deal", "void-deal"])
def test_a_request_for_headers_only_is_no_deal(client, record, page):
    deal = record()

    assert client.head(address_of(deal, page)).status_code == 200


def test_a_browser_is_sent_to_the_next_blank_form(client, table):
    response = client.post(to_record(table), answers(table), follow=True)

    assert response.redirect_chain == [(to_record(table), 302)]
    page = text_of(response)
    assert "Garde made by 8" in page
    assert "+198" in page
    assert "−66" in page
    assert "Undo" in page
    assert "Send deal 2" in page
    assert re.search(r"Bernard Odile deals", page)


def test_htmx_gets_the_next_blank_form_at_once(client, table):
    response = client.post(to_record(table), answers(table), headers=HTMX)

    assert response.status_code == 200
    assert "<html" not in response.text
    assert "Send deal 2" in text_of(response)
    assert 'hx-swap-oob="true"' in response.text


def test_a_refused_deal_keeps_what_was_typed_and_says_why_beside_it(client, table):
    response = client.post(to_record(table), answers(table, points="96"))

    assert response.status_code == 422
    assert "Points go from 0 to 91. You typed 96." in text_of(response)
    assert 'value="96"' in response.text
    assert 'aria-invalid="true"' in response.text
    assert 'aria-describedby="id_points_error"' in response.text
    assert 'id="id_points_error"' in response.text
    assert "<html" in response.text


def test_htmx_gets_only_the_form_of_a_refused_deal(client, table):
    response = client.post(to_record(table), answers(table, points="96"), headers=HTMX)

    assert response.status_code == 422
    assert "<html" not in response.text
    assert "You typed 96." in text_of(response)


def test_without_script_the_server_shows_the_scores_before_sending(client, table):
    response = client.post(to_record(table), answers(table, preview="1"))

    assert response.status_code == 200
    page = text_of(response)
    assert "Garde made by 8 adds up to 0 Bernard +198 Odile −66 Yves −66" in page
    assert 'value="49"' in response.text
    assert not table.tarot_deals.exists()


def test_a_stale_form_shows_both_versions_and_two_choices(client, yves_client, table):
    yves_client.post(to_record(table), answers(table, points="52"))

    response = client.post(to_record(table), answers(table, points="49"))

    assert response.status_code == 409
    page = text_of(response)
    assert "Deal 1 is already on the sheet" in page
    assert "Garde, Bernard, 2 bouts, 52 points" in page
    assert "Garde, Bernard, 2 bouts, 49 points" in page
    assert "It is the same deal: drop mine" in page
    assert "Mine is another deal: send it as deal 2" in page
    assert table.tarot_deals.count() == 1


def test_a_deal_sent_after_all_becomes_the_next_one(client, yves_client, table):
    yves_client.post(to_record(table), answers(table, points="52"))
    conflict = client.post(to_record(table), answers(table, points="49"), headers=HTMX)
    sent_again = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', conflict.text))

    response = client.post(to_record(table), sent_again)

    assert response.status_code == 302
    assert list(table.tarot_deals.values_list("number", "half_points")) == [(1, 104), (2, 98)]


def test_who_sent_both_versions_is_not_told_of_somebody_else(client, yves_client, table):
    client.post(to_record(table), answers(table, points="49"))

    own = client.post(to_record(table), answers(table, points="52"))
    other = yves_client.post(to_record(table), answers(table, points="52"))

    assert "You have entered this deal already" in text_of(own)
    assert "Somebody else was faster" not in text_of(own)
    assert "Somebody else was faster" in text_of(other)


def test_the_same_form_sent_twice_is_one_deal_and_no_conflict(client, table):
    form = answers(table)

    for _ in range(2):
        assert client.post(to_record(table), form, headers=HTMX).status_code == 200

    assert table.tarot_deals.count() == 1


def test_a_full_sheet_says_so_instead_of_asking(client, make_table, bernard):
    table = make_table(deals_planned=1)
    record_on(table, bernard)

    page = text_of(client.get(to_record(table)))
    refused = client.post(to_record(table), answers(table, number=2))

    assert "The deal of this round is on the sheet." in page
    assert "Send deal" not in page
    assert refused.status_code == 422
    assert "The deal of this round is on the sheet." in text_of(refused)


def test_a_closed_round_takes_no_deal_and_keeps_what_was_typed(client, table):
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)

    response = client.post(to_record(table), answers(table))

    assert response.status_code == 422
    assert "The round is closed" in text_of(response)
    assert 'value="49"' in response.text
    assert "take no more deals" in text_of(client.get(to_record(table)))


@pytest.mark.parametrize("number", ["", "x", "-1", "0", "²", "1e3"])
def test_a_number_that_was_tampered_with_is_refused(client, table, number):
    response = client.post(to_record(table), answers(table, number=number))

    assert response.status_code == 422
    assert "This page is damaged. Open it again." in text_of(response)
    assert not table.tarot_deals.exists()


@pytest.mark.parametrize("number", ["9" * 4400, "40000", "0", "-1", "1.5", ""])
def test_a_number_that_no_sheet_has_is_no_fault_of_ours(client, table, number):
    response = client.post(to_record(table), answers(table, number=number))

    assert response.status_code == 422
    assert "This page is damaged." in text_of(response)


@pytest.mark.parametrize(
    "field",
    [
        "side", "poignee", "poignee_side", "poignee_2", "poignee_2_side", "petit_au_bout",
        "chelem", "petit_chelem", "misere_trumps", "misere_court_cards", "taker", "contract",
        "partner", "sits_out", "bouts", "points", "number", "version", "entry_key",
    ],
)  # fmt: skip
def test_every_answer_that_is_refused_says_why_on_the_page(client, make_table, round_, field):
    rules = tarot.ruleset("seed-004-regional").to_json() | {"petit_chelem": True}
    round_.event.ruleset = rules
    round_.event.save()
    seats = {"partner": 5, "sits_out": 5}.get(field, 4)
    table = make_table(seats, players_per_deal=4 if field == "sits_out" else seats)

    response = client.post(to_record(table), answers(table, **{field: "zzz"}))

    assert response.status_code == 422
    assert field in response.context["form"].errors
    said = re.findall(r'class="hide">Error: </span>([^<]+)', response.text)
    assert all(
        any(each in unescape(one) for one in said) or field in HIDDEN
        for each in response.context["form"].errors[field]
    )
    assert said


def test_a_number_far_beyond_the_sheet_is_stale(client, table):
    response = client.post(to_record(table), answers(table, number="9999"))

    assert response.status_code == 409
    assert "Deal 1 is the next one now." in text_of(response)


def test_the_form_costs_the_same_queries_with_one_deal_and_with_many(
    make_table, bernard, client, django_assert_num_queries
):
    table = make_table(deals_planned=30)

    for deals in (1, 3, 12):
        while table.tarot_deals.count() < deals:
            record_on(table, bernard, points=41 + table.tarot_deals.count())
        with django_assert_num_queries(7):
            client.get(to_record(table))


def test_the_points_of_a_sheet_are_read_without_joins(table, record, django_assert_num_queries):
    record()

    with django_assert_num_queries(2) as asked:
        [deal] = table.tarot_deals.for_sheet()

    assert [mark.points for mark in deal.marks.all()] == [198, -66, -66, -66]
    assert "JOIN" not in asked.captured_queries[1]["sql"]


def test_the_page_carries_the_amounts_of_the_engine_as_data(client, make_table, accounts):
    table = make_table(5)

    page = client.get(to_record(table)).text
    data = json.loads(re.search(r'id="deal-preview" type="application/json">(.*?)<', page)[1])

    assert data["table"] == json.loads(json.dumps(tarot.scoring_table(tarot.ruleset("fft-5"))))


def test_two_players_of_one_first_name_are_told_apart(client, table):
    for place, name in ((2, "Marie Le Goff"), (3, "Marie Kerbrat")):
        player = table.seats.get(place=place).player
        player.name, player.table_name = name, ""
        player.save()

    page = text_of(client.get(to_record(table)))

    assert re.search(r"Who took\? Bernard deals Marie Le Goff Marie Kerbrat", page)


# Taking back


def test_undo_takes_the_deal_shown_and_offers_its_number_again(client, table, record):
    deal = record()

    response = client.post(reverse("undo-deal", args=[table.pk]), {"deal": deal.pk}, headers=HTMX)

    assert response.status_code == 200
    assert "Deal 1 is taken back." in text_of(response)
    assert "Send deal 1" in text_of(response)
    deal.refresh_from_db()
    assert deal.state == TarotDeal.State.VOID


def test_undo_does_not_touch_a_deal_entered_since(client, table, record):
    first, second = record(points=49), record(points=52)

    response = client.post(reverse("undo-deal", args=[table.pk]), {"deal": first.pk})

    assert response.status_code == 409
    assert "Another deal has been entered since" in text_of(response)
    second.refresh_from_db()
    assert second.is_standing


def test_only_the_author_and_scorers_are_offered_undo(table, record, yves_client, scorer_client):
    deal = record()

    assert "Undo" not in text_of(yves_client.get(to_record(table)))
    assert "Undo" in text_of(scorer_client.get(to_record(table)))
    response = yves_client.post(reverse("undo-deal", args=[table.pk]), {"deal": deal.pk})
    assert response.status_code == 403


def test_a_correction_does_not_become_the_deal_that_undo_takes(client, table, record):
    first, second = record(points=49), record(points=52)
    client.post(
        reverse("correct-deal", args=[first.table_id, first.pk]), answers(table, points="50")
    )

    page = client.get(to_record(table))

    assert f'name="deal" value="{second.pk}"' in page.text


def test_undo_is_not_offered_for_a_deal_that_was_corrected(client, table, record):
    deal = record(points=49)
    assert "Undo" in text_of(client.get(to_record(table)))

    client.post(reverse("correct-deal", args=[deal.table_id, deal.pk]), answers(table, points="50"))

    assert "Undo" not in text_of(client.get(to_record(table)))


# Correcting and declaring void


def test_a_correction_starts_from_the_deal_as_it_stands(client, record):
    deal = record(points=49)

    page = client.get(reverse("correct-deal", args=[deal.table_id, deal.pk]))

    assert 'value="49"' in page.text
    assert re.search(rf'name="taker" value="{deal.taker_id}"[^>]*checked', page.text)
    assert "Correct deal 1" in text_of(page)


def test_a_corrected_deal_stays_struck_through_with_who_and_when(client, table, record):
    deal = record(points=49)

    response = client.post(
        reverse("correct-deal", args=[deal.table_id, deal.pk]),
        answers(table, points="52"),
        follow=True,
    )

    page = text_of(response)
    assert "Deal 1 is corrected." in page
    assert re.search(r"<del>Deal 1: Garde, Bernard, 2 bouts, 49 points</del>", response.text)
    assert re.search(r"Corrected by Bernard, \d\d:\d\d", page)
    assert re.search(r"Entered by Bernard, \d\d:\d\d", page)


def test_htmx_is_sent_to_the_sheet_after_a_correction(client, table, record):
    response = client.post(
        address_of(record(), "correct-deal"), answers(table, points="52"), headers=HTMX
    )

    assert response.headers["HX-Redirect"] == table.get_absolute_url()


def test_a_wrong_correction_is_refused_beside_its_question(client, table, record):
    response = client.post(
        address_of(record(), "correct-deal"), answers(table, bouts=None), headers=HTMX
    )

    assert response.status_code == 422
    assert "How many bouts?" in text_of(response)


def test_a_deal_corrected_by_somebody_else_shows_both_versions(client, table, record, yves):
    deal = record(points=49)
    theirs = actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=52),
        entry_key=uuid.uuid4(),
        taker=deal.taker,
        by=yves,
    )

    response = client.post(
        reverse("correct-deal", args=[deal.table_id, deal.pk]), answers(table, points="53")
    )

    assert response.status_code == 409
    page = text_of(response)
    assert "52 points" in page
    assert "53 points" in page
    assert "Mine is right: correct it once more" in page
    assert reverse("correct-deal", args=[theirs.table_id, theirs.pk]) in response.text


def test_a_void_deal_stays_with_its_reason(client, table, record):
    deal = record()

    response = client.post(
        reverse("void-deal", args=[deal.table_id, deal.pk]),
        {"reason": "misdeal", "words": ""},
        follow=True,
    )

    page = text_of(response)
    assert "Deal 1 is void." in page
    assert re.search(r"Declared void by Bernard, \d\d:\d\d: Misdeal", page)
    assert "<del>Deal 1: Garde" in response.text


@pytest.mark.parametrize("page", ["void-deal", "correct-deal"])
def test_a_deal_that_is_void_is_not_asked_about_again(client, record, bernard, page):
    deal = record()
    actions.void_deal(deal=deal, reason="Misdeal", by=bernard)

    response = client.get(address_of(deal, page))

    assert "This deal is already void." in text_of(response)
    assert "<form" not in response.text


def test_the_former_version_of_a_deal_is_not_declared_void(client, table, record):
    deal = record()
    client.post(reverse("correct-deal", args=[deal.table_id, deal.pk]), answers(table, points="50"))

    response = client.get(reverse("void-deal", args=[deal.table_id, deal.pk]))

    assert "This version of the deal no longer counts." in text_of(response)
    assert "<form" not in response.text


def test_a_deal_is_not_void_without_a_reason(client, record):
    deal = record()

    response = client.post(reverse("void-deal", args=[deal.table_id, deal.pk]), {"words": ""})

    assert response.status_code == 422
    assert "Say why the deal is void." in text_of(response)
    deal.refresh_from_db()
    assert deal.is_standing


def test_after_the_round_is_closed_only_a_director_is_let_in(
    table, record, client, scorer_client, director_client
):
    deal = record()
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    address = reverse("correct-deal", args=[deal.table_id, deal.pk])

    assert client.get(address).status_code == 403
    assert scorer_client.post(address, answers(table, points="52")).status_code == 403
    changed = answers(table, points="52") | {"why": "counted again"}
    assert director_client.post(address, changed).status_code == 302
    assert "/correct/" not in client.get(table.get_absolute_url()).text


# The sheet


def test_the_sheet_adds_up_deal_by_deal_and_explains_each(client, table, record):
    record(points=49, taker=0)
    record(points=45, bouts=1, taker=1)

    response = client.get(table.get_absolute_url())

    page = text_of(response)
    assert "adds up to 0" in page
    assert re.search(r"1 \+198 \+198 −66 −66 −66 −66", page)
    assert re.search(r"2 \+62 \+260 −186 −252", page)
    assert re.search(r"Total \+260 −252", page)
    assert "How is this counted?" in page
    assert "Garde down by 6" in page


def test_the_word_about_the_sum_comes_from_the_stored_numbers(client, table, record):
    record()
    Seat.objects.filter(table=table, place=1).update(points=7)

    page = text_of(client.get(table.get_absolute_url()))

    assert "sheet does not add up to 0" in page
    assert " adds up to 0" not in page.replace("not add up", "")


def test_an_empty_sheet_says_what_to_do(client, table):
    page = text_of(client.get(table.get_absolute_url()))

    assert "No deal yet at this table" in page
    assert "Enter deal 1" in page


def test_an_unchanged_sheet_is_answered_with_one_read(
    table, record, anonymous_client, django_assert_num_queries
):
    record()
    open_to_all(table)
    address = table.get_absolute_url()
    poll = HTMX | {"If-None-Match": tag_in(anonymous_client.get(address))}

    with django_assert_num_queries(1):
        response = anonymous_client.get(address, headers=poll)

    assert response.status_code == 304
    assert response.content == b""


def test_a_member_adds_only_his_session_to_that(table, record, client, django_assert_num_queries):
    record()
    address = table.get_absolute_url()
    poll = HTMX | {"If-None-Match": tag_in(client.get(address))}

    with django_assert_num_queries(2):
        assert client.get(address, headers=poll).status_code == 304


def test_a_changed_sheet_is_sent_again(table, record, client):
    record()
    address = table.get_absolute_url()
    poll = HTMX | {"If-None-Match": tag_in(client.get(address))}
    record(points=52)

    response = client.get(address, headers=poll)

    assert response.status_code == 200
    assert "<html" not in response.text
    assert "52 points" in text_of(response)


def test_the_name_of_a_state_is_of_no_use_to_somebody_else(table, record, client, stranger_client):
    record()
    address = table.get_absolute_url()
    poll = HTMX | {"If-None-Match": tag_in(client.get(address))}

    assert stranger_client.get(address, headers=poll).status_code == 404


def test_a_closed_sheet_stops_asking(table, record, client):
    record()
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)

    response = client.get(table.get_absolute_url(), headers=HTMX)

    assert response.status_code == 286
    assert "hx-trigger" not in response.text


def test_the_sheet_costs_the_same_queries_with_one_deal_and_with_many(
    make_table, bernard, client, django_assert_num_queries
):
    table = make_table(deals_planned=30)

    for deals in (1, 3, 12):
        while table.tarot_deals.count() < deals:
            record_on(table, bernard, points=41 + table.tarot_deals.count())
        with django_assert_num_queries(10):
            client.get(table.get_absolute_url())


# On paper


def test_the_paper_sheet_has_a_row_for_each_deal_of_the_round(client, table, record):
    record(points=49)

    page = client.get(reverse("print-sheet", args=[table.pk]))

    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', page.text, re.DOTALL)
    assert [number for number, _ in rows] == ["1", "2", "3", "4", "5"]
    filled = re.findall(r"<td[^>]*>(.*?)</td>", rows[0][1])
    assert filled == ["Bernard", "Garde", "2", "49", "198", "", "", "66", "", "66", "", "66"]


def test_the_blank_sheet_has_no_scores(client, table, record):
    record(points=49)

    page = client.get(reverse("print-sheet", args=[table.pk]) + "?blank").text

    cells = re.findall(r"<td[^>]*>(.*?)</td>", page)
    assert set(cells) == {""}
    assert "Bernard" in page


def test_a_void_deal_is_not_on_paper(client, table, record, bernard):
    actions.void_deal(deal=record(points=49), reason="Misdeal", by=bernard)

    page = client.get(reverse("print-sheet", args=[table.pk])).text

    assert "198" not in page
