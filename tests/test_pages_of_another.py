"""A phone changes hands while a page stands open: nothing is done in the name of whoever had it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import Confirmation, SheetEvent
from tests.conftest import account_with
from tests.factories import (
    EventFactory,
    JoinLinkFactory,
    PhoneFactory,
    RoundFactory,
    TableFactory,
)
from tests.reading import text_of
from tests.scoring.conftest import answers, record_on
from tests.scoring.truco import game as final
from tests.scoring.truco import hand, record, truco_table
from tests.test_phones import client_with
from tournaments import actions, phones
from tournaments.models import (
    Entry,
    Event,
    JoinLink,
    JournalLine,
    Phone,
    RefereeCall,
    Ruling,
    Table,
)
from tournaments.visitors import mark_of

pytestmark = pytest.mark.django_db

SAID = "This phone stands for somebody else since the page was loaded: nothing was stored."
#: They choose a language and colours for the browser, whoever holds it.
OF_THE_BROWSER = {reverse("set_language"), reverse("preferences")}
FORM = re.compile(r'<form[^>]*method="post"[^>]*>.*?</form>', re.DOTALL)


@pytest.fixture(params=["tarot", "truco"])
def game(request) -> str:
    return request.param


@pytest.fixture
def table(season, game) -> Table:
    """A table with a row to which everybody has to agree, written from the first seat."""
    if game == "truco":
        made = truco_table(season)
    else:
        event = EventFactory(season=season, running=True)
        made = TableFactory(round=RoundFactory(event=event))
    Event.objects.update(confirmation="all_seats", starts_at=timezone.now())
    made.round.event.refresh_from_db()
    return made


@pytest.fixture
def link(table) -> JoinLink:
    return JoinLinkFactory(event=table.event, table_number=table.number)


@pytest.fixture
def at_table(table, link) -> list[Phone]:
    seats = table.seats.select_related("player", "entry").order_by("place")
    return [PhoneFactory(link=link, seat=seat) for seat in seats]


@pytest.fixture
def row(table, game, at_table):
    return (record(table, at_table[0], hand()) if game == "truco"
            else record_on(table, at_table[0]))  # fmt: skip


def forms_of(page: str) -> Iterator[str]:
    for form in FORM.findall(page):
        if not any(f'action="{address}"' in form for address in OF_THE_BROWSER):
            yield form


# Every form names for whom its page was made


def pages_at(table: Table, row, link: JoinLink) -> list[str]:
    """What a phone opens that acts in somebody's name."""
    of_row = ("correct-deal", "void-deal", "confirm-deal", "object-to-deal")
    return [
        reverse("record-deal", args=[table.pk]),
        reverse("sheet", args=[table.pk]),
        *(reverse(name, args=[table.pk, row.pk]) for name in of_row),
        reverse("own-place", args=[table.event.pk]),
        reverse("join-by-link", args=[phones.address_of(link)]) + "?again",
    ]


@pytest.mark.parametrize("place", [0, 1])
def test_every_form_of_a_phone_names_for_whom_it_was_made(table, row, link, at_table, place):
    Confirmation.objects.create(
        table=table, table_version=1, seat=table.seats.first(), answer="objects",
        note="No", phone=at_table[2], **{"deal" if hasattr(row, "taker") else "truco_line": row},
    )  # fmt: skip
    browser, mine = client_with(at_table[place]), mark_of(at_table[place])

    found = [
        form
        for address in pages_at(table, row, link)
        for form in forms_of(browser.get(address).text)
    ]

    assert len(found) > len(pages_at(table, row, link))
    assert all(f'name="entered_by" value="{mine}"' in form for form in found)


def test_every_form_of_a_sheet_that_waits_to_be_signed_names_it_too(table, game, at_table):
    write_all(table, game, at_table[0])
    browser, mine = client_with(at_table[0]), mark_of(at_table[0])
    address = reverse("sheet", args=[table.pk])

    unsigned = list(forms_of(browser.get(address).text))
    Table.objects.update(signed_at=timezone.now())
    signed = list(forms_of(browser.get(address).text))

    for form in (*unsigned, *signed):
        assert f'value="{mine}"' in form
    assert any(reverse("sign-sheet", args=[table.pk]) in form for form in unsigned)
    assert any(reverse("unsign-sheet", args=[table.pk]) in form for form in signed)


def write_all(table: Table, game: str, by: Phone) -> None:
    """Write all that the table plays."""
    if game == "truco":
        record(table, by, final(12, 7), final(12, 3))
        return
    Table.objects.update(deals_planned=1)
    table.refresh_from_db()
    record_on(table, by)


@pytest.mark.parametrize("who", ["director", "referee"])
def test_every_form_of_the_referees_page_names_it_too(table, row, director, who):
    actions.call_referee(table=table, by=None)
    Ruling.objects.create(event=table.event, fault="other", kind="decision", entry=None)
    if who == "director":
        browser, mine = Client(), mark_of(director)
        browser.force_login(director)
    else:
        phone = PhoneFactory(link=JoinLinkFactory(event=table.event, role="referee"))
        browser, mine = client_with(phone), mark_of(phone)

    found = list(forms_of(browser.get(reverse("referee", args=[table.event.pk])).text))

    assert len(found) >= 4
    assert all(f'name="entered_by" value="{mine}"' in form for form in found)


# What comes from a page of somebody else


def everything(table: Table) -> list[object]:
    """All that somebody could have done in another's name."""
    return [
        list(rows.values())
        for rows in (
            Confirmation.objects.order_by("pk"),
            SheetEvent.objects.order_by("pk"),
            RefereeCall.objects.order_by("pk"),
            Ruling.objects.order_by("pk"),
            JournalLine.objects.order_by("pk"),
            Table.objects.order_by("pk"),
            Entry.objects.order_by("pk"),
        )
    ] + [list(Phone.objects.order_by("pk").values("pk", "removed_at", "player", "at_table"))]


def presses(table: Table, row) -> dict[str, tuple[str, dict[str, object]]]:
    """Everything that a phone can press at its table, with what is sent."""
    at, of_row, of_event = [table.pk], [table.pk, row.pk], [table.event.pk]
    return {
        "yes": (reverse("confirm-deal", args=of_row), {}),
        "objection": (reverse("object-to-deal", args=of_row), {"note": "No", "only_words": "1"}),
        "correction": (reverse("correct-deal", args=of_row), answers(table, points="44")),
        "void": (reverse("void-deal", args=of_row), {"reason": "other", "words": "No"}),
        "undo": (reverse("undo-deal", args=at), {"deal": row.pk}),
        "deal": (reverse("record-deal", args=at), answers(table, number=2)),
        "dealer": (reverse("choose-dealer", args=at), {"place": 2}),
        "signature": (reverse("sign-sheet", args=at), {"version": 1}),
        "signature back": (reverse("unsign-sheet", args=at), {}),
        "call": (reverse("call-referee", args=at), {}),
        "leaving": (reverse("leave-after-round", args=of_event), {"leaves": "on"}),
        "not I": (reverse("leave-seat", args=of_event), {}),
    }


PRESSES = (
    "yes", "objection", "correction", "void", "undo", "deal", "dealer", "signature",
    "signature back", "call", "leaving", "not I",
)  # fmt: skip


@pytest.mark.parametrize("what", PRESSES)
def test_what_was_pressed_on_a_page_of_another_is_refused_in_words(table, row, at_table, what):
    """The first seat wrote the row and had the phone; whoever has it now sits in the third."""
    holder = client_with(at_table[2])
    address, sent = presses(table, row)[what]
    before = everything(table)

    answer = holder.post(address, sent | {"entered_by": mark_of(at_table[0])}, follow=True)

    assert SAID in text_of(answer)
    assert everything(table) == before


@pytest.mark.parametrize("what", ["yes", "undo", "signature"])
def test_a_part_of_a_page_of_another_is_refused_and_has_the_page_made_anew(
    table, row, at_table, what
):
    holder = client_with(at_table[2])
    address, sent = presses(table, row)[what]
    before = everything(table)

    answer = holder.post(
        address, sent | {"entered_by": mark_of(at_table[0])}, headers={"HX-Request": "true"}
    )

    assert (answer.status_code, answer.headers["Refused"]) == (403, "another")
    assert answer.headers["HX-Refresh"] == "true"
    assert everything(table) == before
    assert SAID in text_of(holder.get(reverse("record-deal", args=[table.pk])))


def test_who_sits_elsewhere_by_now_presses_nothing_on_the_page_of_his_old_table(
    table, row, at_table
):
    other = TableFactory(round=table.round, players_per_deal=4)
    moved = PhoneFactory(
        link=JoinLinkFactory(event=table.event, table_number=other.number), seat=other.seats.first()
    )
    address, sent = presses(table, row)["yes"]

    client_with(moved).post(address, sent | {"entered_by": mark_of(at_table[1])})

    assert not Confirmation.objects.exists()


def test_a_page_of_the_phone_signs_as_the_phone_when_a_scorer_signs_in_on_it(
    table, game, at_table, scorer
):
    """As a scorer alone he would sign for the whole table."""
    write_all(table, game, at_table[1])
    browser = client_with(at_table[0])
    browser.force_login(scorer)

    browser.post(reverse("sign-sheet", args=[table.pk]), {"entered_by": mark_of(at_table[0])})

    table.refresh_from_db()
    assert table.signed_at is None
    assert Confirmation.objects.of_the_sheet().get().phone == at_table[0]


def test_an_open_form_of_another_is_told_so_and_its_holder_has_no_row_open(table, at_table):
    address = reverse("entering", args=[table.pk])
    sent = {"number": 1, "entered_by": mark_of(at_table[0])}
    browser = client_with(at_table[0])
    browser.force_login(account_with(table.event.club, "scorer", "Marie"))
    as_account = {"number": 1, "entered_by": mark_of(at_table[1])}

    mine = browser.post(address, sent, headers={"HX-Request": "true"})
    answer = browser.post(address, as_account, headers={"HX-Request": "true"})

    assert "stands for somebody else" not in text_of(mine)
    assert "stands for somebody else" in text_of(answer)
    at_table[1].refresh_from_db()
    assert at_table[1].at_table is None


@pytest.mark.parametrize("game", ["tarot"], indirect=True)
@pytest.mark.parametrize("what", ["go", "settle", "rule", "withdraw"])
def test_a_referee_does_nothing_with_the_page_of_the_one_before(table, what):
    link = JoinLinkFactory(event=table.event, role="referee")
    before_him, now = (PhoneFactory(link=link) for _ in range(2))
    call = actions.call_referee(table=table, by=None)
    ruling = Ruling.objects.create(event=table.event, fault="other", kind="decision")
    address, sent = {
        "go": (reverse("go-to-call", args=[call.pk]), {}),
        "settle": (reverse("answer-call", args=[call.pk]), {}),
        "rule": (reverse("record-ruling", args=[table.event.pk]), {"fault": "other"}),
        "withdraw": (reverse("withdraw-ruling", args=[ruling.pk]), {"why": "No"}),
    }[what]
    stood = everything(table)

    answer = client_with(now).post(address, sent | {"entered_by": mark_of(before_him)}, follow=True)

    assert SAID in text_of(answer)
    assert everything(table) == stood


@pytest.mark.parametrize("game", ["tarot"], indirect=True)
def test_a_member_does_not_leave_in_the_name_of_whoever_was_signed_in_before(table, director):
    member = account_with(table.event.club, "member", "Yves")
    browser = Client()
    browser.force_login(member)
    sent = {"entered_by": mark_of(director)}

    answer = browser.post(reverse("leave-event", args=[table.event.pk]), sent, follow=True)

    assert SAID in text_of(answer)


# Who one is


@pytest.mark.parametrize("game", ["tarot"], indirect=True)
def test_a_seat_is_picked_from_a_page_of_the_phone_as_it_is_now(table, link):
    """A second tab still asks who one is, after the first one has said it."""
    address = reverse("join-by-link", args=[phones.address_of(link)])
    one, other = table.seats.order_by("place")[:2]
    browser = Client()
    browser.post(address, {"player": one.player_id, "entered_by": "nobody"})

    late = browser.post(address, {"player": other.player_id, "entered_by": "nobody"}, follow=True)
    again = browser.post(address, {"player": one.player_id, "entered_by": "nobody"})

    assert SAID in text_of(late)
    assert Phone.objects.get().player == one.player
    assert again.url == reverse("own-place", args=[table.event.pk])


@pytest.mark.parametrize("game", ["tarot"], indirect=True)
def test_who_joins_to_help_does_so_from_a_page_of_the_phone_as_it_is_now(table, at_table):
    helps = JoinLinkFactory(event=table.event, role="scorer")
    browser = client_with(at_table[0])
    sent = {"name": "Marie", "entered_by": "nobody"}

    answer = browser.post(
        reverse("join-by-link", args=[phones.address_of(helps)]), sent, follow=True
    )

    assert SAID in text_of(answer)
    at_table[0].refresh_from_db()
    assert at_table[0].removed_at is None
