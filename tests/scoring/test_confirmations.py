"""The others at a table agree with what one of them entered, object to it, and sign."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from clubs.names import fold_name
from scoring import actions
from scoring.actions.sheets_tarot import TarotSheet
from scoring.models import Confirmation, TarotDeal
from scoring.rules import StaleSheet
from scoring.rules.agreement import is_confirmed, is_signed_off
from tests.factories import (
    EventFactory,
    JoinLinkFactory,
    PhoneFactory,
    PlayerFactory,
    RoundFactory,
    TableFactory,
)
from tests.scoring.conftest import answers, garde, record_on
from tests.test_phones import client_with
from tournaments import actions as tournament_actions
from tournaments.journal import with_sentences
from tournaments.models import Entry, EntryPlayer, Event, Phone, RefereeCall, Seat, Table
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db

POLICY = Event.Confirmation


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(
        season=season, running=True, starts_at=timezone.now(), confirmation=POLICY.OTHER_SEAT
    )
    return TableFactory(round=RoundFactory(event=event), deals_planned=1)


@pytest.fixture
def seats(table) -> list[Seat]:
    return list(table.seats.order_by("place"))


@pytest.fixture
def phones(table, seats) -> list[Phone]:
    """A phone for each seat, in the order of play."""
    link = JoinLinkFactory(event=table.event)
    return [PhoneFactory(link=link, seat=seat) for seat in seats]


@pytest.fixture
def deal(table, phones) -> TarotDeal:
    """A garde of the first seat, entered from its own phone."""
    return record_on(table, phones[0])


def ask(table: Table, policy: str) -> None:
    table.event.confirmation = policy
    table.event.save()


def confirm(deal: TarotDeal, by) -> Confirmation:
    return actions.confirm_row(TarotSheet, row=deal, by=by)


def object_to(deal: TarotDeal, by, **said) -> Confirmation:
    return actions.object_to_row(TarotSheet, row=deal, by=by, **said)


def correct_on(deal: TarotDeal, by, points: int) -> TarotDeal:
    return actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(deal.table, points=points),
        entry_key=uuid.uuid4(),
        taker=deal.taker,
        by=by,
    )


def sign(table: Table, by, **given) -> Table:
    return actions.confirm_sheet(TarotSheet, table=table, by=by, **given)


# When a row counts as agreed


@pytest.mark.parametrize(
    ("policy", "agreed", "confirmed"),
    [
        (POLICY.NOBODY, [], True),
        (POLICY.OTHER_SEAT, [], False),
        (POLICY.OTHER_SEAT, [1], False),  # the author's own word
        (POLICY.OTHER_SEAT, [3], True),
        (POLICY.OTHER_SIDE, [3], True),
        (POLICY.OTHER_SIDE, [1], False),
        (POLICY.ALL_SEATS, [2, 3], False),
        (POLICY.ALL_SEATS, [2, 3, 4], True),
    ],
)
def test_a_row_is_confirmed_by_whom_the_event_asks(deal, seats, policy, agreed, confirmed):
    """The taker, in the first seat, entered it."""
    heard = [seat for seat in seats if seat.place in agreed]

    found = is_confirmed(
        policy,
        agreed=heard,
        author=seats[0],
        seats=seats,
        side_of=lambda seat: TarotSheet.side_of(deal, seat),
    )

    assert found is confirmed


def test_a_defender_who_wrote_is_confirmed_by_the_taker_only(deal, seats):
    for place, confirmed in ((0, True), (2, False)):
        found = is_confirmed(
            POLICY.OTHER_SIDE,
            agreed=[seats[place]],
            author=seats[1],
            seats=seats,
            side_of=lambda seat: TarotSheet.side_of(deal, seat),
        )
        assert found is confirmed


def test_what_a_scorer_wrote_is_confirmed_by_one_of_each_side(deal, seats):
    for places, confirmed in (([0], False), ([1], False), ([0, 1], True)):
        found = is_confirmed(
            POLICY.OTHER_SIDE,
            agreed=[seats[place] for place in places],
            author=None,
            seats=seats,
            side_of=lambda seat: TarotSheet.side_of(deal, seat),
        )
        assert found is confirmed


def test_two_sides_each_sign_as_on_a_sumula(seats):
    def side_of(seat: Seat) -> int:
        return seat.place % 2

    for policy in (POLICY.OTHER_SEAT, POLICY.OTHER_SIDE):
        for places, signed in (([0], False), ([0, 2], False), ([0, 1], True)):
            of_them = [seats[place] for place in places]
            assert is_signed_off(policy, signed=of_them, seats=seats, side_of=side_of) is signed


# Agreeing


def test_another_seat_agrees_once(deal, phones):
    first = confirm(deal, phones[1])

    assert confirm(deal, phones[1]) == first
    assert (first.seat.place, first.phone) == (2, phones[1])


def test_the_author_does_not_confirm_his_own(deal, phones):
    with pytest.raises(ValidationError, match="You entered this yourself"):
        confirm(deal, phones[0])


def test_the_author_does_not_confirm_from_another_seat_with_the_same_phone(deal, phones, seats):
    Phone.objects.filter(pk=phones[1].pk).delete()
    left = tournament_actions.leave_seat(phone=phones[0])
    again = tournament_actions.join_as_player(link=left.link, player=seats[1].player, phone=left)

    with pytest.raises(ValidationError, match="You entered this yourself"):
        confirm(deal, again)


def test_who_does_not_sit_at_the_table_does_not_confirm(deal, scorer):
    with pytest.raises(PermissionDenied):
        confirm(deal, scorer)


def test_a_row_that_was_corrected_since_is_not_confirmed(deal, phones, table, seats):
    actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=51),
        entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=seats[0],
        by=phones[2],
    )

    with pytest.raises(StaleSheet):
        confirm(deal, phones[1])


def test_a_row_entered_anew_after_a_correction_can_be_confirmed(deal, phones, table, seats):
    confirm(deal, phones[1])
    corrected = actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=51),
        entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=seats[0],
        by=phones[1],
    )

    assert not corrected.confirmations.exists()
    assert confirm(corrected, phones[0]).answer == "agrees"


# Objecting


def test_an_objection_needs_a_word_or_another_version(deal, phones):
    with pytest.raises(ValidationError, match="Say what is wrong"):
        object_to(deal, phones[1], note=" ")


def test_an_objection_reaches_the_director_and_keeps_the_round_open(deal, phones, table, director):
    object_to(deal, phones[1], note="51 points")

    table.refresh_from_db()
    assert table.objections == 1
    with pytest.raises(ValidationError, match="a player objects"):
        tournament_actions.close_round(this_round=table.round, by=director)
    with pytest.raises(ValidationError, match="objects to the sheet"):
        sign(table, phones[0])


def test_objecting_anew_replaces_what_the_seat_said_before(deal, phones, table):
    object_to(deal, phones[1], note="51 points")
    object_to(deal, phones[1], note="52 points")

    table.refresh_from_db()
    assert table.objections == 1
    assert Confirmation.objects.objections().get().note == "52 points"


def test_who_agrees_after_all_no_longer_objects(deal, phones, table, director):
    object_to(deal, phones[1], note="51 points")

    confirm(deal, phones[1])

    tournament_actions.close_round(this_round=table.round, by=director)


def test_a_settled_objection_stays_settled_with_who_and_when(deal, phones, table, director, owner):
    said = object_to(deal, phones[1], note="51 points")

    settled = actions.settle_objection(objection=said, by=director)
    again = actions.settle_objection(objection=said, by=owner)

    table.refresh_from_db()
    assert table.objections == 0
    assert (again.settled_by, again.settled_at) == (director, settled.settled_at)
    assert list(table.event.journal.values_list("kind", flat=True)).count("objection_settled") == 1


@pytest.mark.parametrize(("sent", "said"), [
    ({}, "the sheet stays as it is."),
    ({"takes": "on"}, "the proposed version stands."),
])  # fmt: skip
def test_the_journal_says_whose_objection_was_settled_and_what_stands(  # noqa: PLR0917 - fixtures
    deal, phones, table, seats, director_client, sent, said
):
    objection = object_to(deal, phones[1], proposed=answers(table, number=1, points="51"))
    came = PlayerFactory(club=table.event.club, name="Kévin Le Goff")
    table.seats.filter(place=2).update(player=came)

    director_client.post(reverse("settle-objection", args=[objection.pk]), sent)

    line = table.event.journal.get(kind="objection_settled")
    assert with_sentences([line])[0][1] == (
        f"Settled an objection at table 1 in round 1 ({seats[1].player.name}): {said}"
    )


@pytest.mark.parametrize("moved", [False, True])
def test_a_directors_correction_settles_what_was_objected_to_the_row(
    deal, phones, table, director, moved
):
    Table.objects.filter(pk=table.pk).update(deals_planned=2)
    other = record_on(table, phones[0])
    object_to(deal, phones[1], note="51 points")
    object_to(other, phones[2], note="not played")
    if moved:
        deal = correct_on(deal, phones[0], 53)

    correct_on(deal, director, 51)

    table.refresh_from_db()
    assert table.objections == 1
    assert Confirmation.objects.objections().get().deal == other
    line = table.event.journal.get(kind="objection_settled")
    assert with_sentences([line])[0][1].endswith(": the corrected version stands.")


def test_a_players_correction_leaves_an_objection_to_the_director(deal, phones, table):
    object_to(deal, phones[1], note="51 points")

    correct_on(deal, phones[0], 51)

    table.refresh_from_db()
    assert table.objections == 1


def test_a_member_who_objected_with_his_account_is_named_in_the_journal(
    deal, table, member, director, seats
):
    own = Player.objects.get(account=member)
    table.seats.filter(place=3).update(player=own)

    actions.settle_objection(objection=object_to(deal, member, note="51 points"), by=director)

    assert table.event.journal.get(kind="objection_settled").details["player"] == own.pk


# Signing the sheet


def test_without_a_policy_one_signature_is_enough(deal, phones, table):
    ask(table, POLICY.NOBODY)

    assert sign(table, phones[2]).signed_at is not None


@pytest.mark.parametrize(
    ("policy", "needed"),
    [(POLICY.OTHER_SEAT, 2), (POLICY.OTHER_SIDE, 2), (POLICY.ALL_SEATS, 4)],
)
def test_the_sheet_is_signed_when_those_have_signed_whom_the_event_asks(
    deal, phones, table, policy, needed
):
    ask(table, policy)

    signed = [sign(table, phone).signed_at is not None for phone in phones[:needed]]

    assert signed == [False] * (needed - 1) + [True]
    assert Confirmation.objects.of_the_sheet().count() == needed


def test_one_seat_pressing_twice_signs_once(deal, phones, table):
    sign(table, phones[0])

    assert sign(table, phones[0]).signed_at is None


def test_a_sheet_that_changed_since_it_was_looked_at_is_not_signed(deal, phones, table):
    with pytest.raises(Conflict, match="has changed since you looked at it"):
        sign(table, phones[0], version=0)


def test_a_correction_takes_the_signatures_away(deal, phones, table, seats):
    sign(table, phones[0])
    actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=51),
        entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=seats[0],
        by=phones[1],
    )

    assert sign(table, phones[1]).signed_at is None
    assert sign(table, phones[0]).signed_at is not None


def test_a_signature_taken_back_asks_all_of_them_again(deal, phones, table):
    sign(table, phones[0])
    sign(table, phones[1])
    tournament_actions.unsign_sheet(table=table, by=phones[1])

    assert sign(table, phones[1]).signed_at is None
    assert sign(table, phones[0]).signed_at is not None


def test_a_change_of_the_number_of_deals_asks_for_the_signatures_again(deal, phones, table):
    at = timezone.now() - timedelta(minutes=5)
    sign(table, phones[0], at=at)
    tournament_actions.change_deals(table=table, deals_planned=2, by=None)
    tournament_actions.change_deals(table=table, deals_planned=1, by=None)

    assert sign(table, phones[1]).signed_at is None


# On the pages


def test_a_contract_made_to_the_point_is_just_made(table, phones):
    record_on(table, phones[0], points=41)

    page = client_with(phones[1]).get(reverse("sheet", args=[table.pk])).content.decode()

    assert "Garde just made" in page
    assert "made by 0" not in page


def test_the_others_are_asked_on_their_phones_and_the_author_is_not(deal, phones, table):
    pages = [
        client_with(phone).get(reverse("sheet", args=[table.pk])).content.decode()
        for phone in phones
    ]

    assert [f"confirm-{deal.pk}" in page for page in pages] == [False, True, True, True]


def test_one_tap_agrees_and_the_sheet_says_who_did(deal, phones, table, seats):
    client = client_with(phones[1])

    client.post(reverse("confirm-deal", args=[table.pk, deal.pk]))

    page = client.get(reverse("sheet", args=[table.pk])).content.decode()
    assert "All rows are confirmed" in page
    assert f"agreed: {seats[1].player.short_name}" in page


def test_beside_a_form_a_question_is_answered_in_a_place_of_its_own(deal, phones, table):
    table.deals_planned = 3
    table.save()
    second = record_on(table, phones[0])
    client, part = client_with(phones[1]), {"HX-Request": "true"}
    address = reverse("confirm-deal", args=[table.pk, second.pk])

    asked = client.get(address, headers=part).content.decode()
    assert "No: we all agree how to correct it" in asked
    answer = client.post(address, headers=part).content.decode()

    for each in (asked, answer):
        assert 'id="to-confirm"' in each
        assert "deal-form" not in each
    assert "You agree: thank you." in answer
    assert f"confirm-{deal.pk}" in answer
    assert '<span id="agreed" hx-swap-oob="true">' in answer


def test_a_question_beside_a_form_about_a_row_that_was_corrected_says_so(
    deal, phones, table, seats
):
    actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=51),
        entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=seats[0],
        by=phones[2],
    )
    address = reverse("confirm-deal", args=[table.pk, deal.pk])

    answer = client_with(phones[1]).post(address, headers={"HX-Request": "true"})

    assert answer.status_code == 409
    said = answer.content.decode()
    assert 'id="to-confirm"' in said
    assert "This row has changed since: look at the sheet." in said


def test_who_agreed_is_told_with_the_time(deal, phones, table, director_client):
    confirm(deal, phones[1])

    page = director_client.get(reverse("sheet", args=[table.pk])).content.decode()

    assert re.search(r"agreed: Player \d+ \d\d:\d\d", page)


def test_who_has_objected_is_not_asked_about_it_any_more_and_can_say_that_it_is_right(
    deal, phones, table
):
    object_to(deal, phones[1], note="51 points")
    client, other = client_with(phones[1]), client_with(phones[2])
    sheet = reverse("sheet", args=[table.pk])
    confirm_page = reverse("confirm-deal", args=[table.pk, deal.pk])
    table.deals_planned = 2
    table.save()

    for address in (sheet, reverse("record-deal", args=[table.pk])):
        assert f"confirm-{deal.pk}" not in client.get(address).content.decode()
        assert f"confirm-{deal.pk}" in other.get(address).content.decode()
    assert "It is right after all" in client.get(sheet).content.decode()
    assert "It is right after all" not in other.get(sheet).content.decode()
    assert "Yes, it is right" in client.get(confirm_page).content.decode()


@pytest.mark.parametrize("name", ["sheet", "record-deal", "confirm-deal"])
def test_nobody_is_asked_once_the_round_is_closed(deal, phones, table, name):
    Table.objects.update(state=Table.State.CLOSED)
    of = [table.pk, deal.pk] if name == "confirm-deal" else [table.pk]

    page = client_with(phones[1]).get(reverse(name, args=of)).content.decode()

    assert f"confirm-{deal.pk}" not in page
    assert "Yes, it is right" not in page


def test_who_agreed_before_he_objected_can_say_that_it_is_right_after_all(deal, phones, table):
    confirm(deal, phones[1])
    object_to(deal, phones[1], note="51 points")

    page = client_with(phones[1]).get(reverse("confirm-deal", args=[table.pk, deal.pk]))

    assert "Yes, it is right" in page.content.decode()


def test_what_somebody_said_stays_his_when_another_takes_his_seat(
    deal, phones, table, seats, director_client
):
    """Nobody is said to have agreed or objected who sat elsewhere then."""
    confirm(deal, phones[2])
    object_to(deal, phones[1], note="51 points")
    went, came = seats[1].player, PlayerFactory(club=table.event.club, name="Kévin Le Goff")
    table.seats.filter(place=2).update(player=came)
    gone, late = seats[2].player, PlayerFactory(club=table.event.club, name="Odile Hamon")
    table.seats.filter(place=3).update(player=late)
    address = reverse("sheet", args=[table.pk])

    page = director_client.get(address).content.decode()
    assert f"{went.name} objects" in page
    assert "Kévin objects" not in page
    assert f"agreed: {gone.name} " in page

    of_the_table = client_with(phones[0]).get(address).content.decode()
    assert f"{went.short_name} objects" in of_the_table


def test_a_row_stays_that_of_a_player_who_sits_elsewhere_now(deal, phones, table, seats):
    came = PlayerFactory(club=table.event.club, name="Kévin Le Goff")
    table.seats.filter(place=1).update(player=came)

    page = client_with(phones[1]).get(reverse("sheet", args=[table.pk])).content.decode()

    assert f"Entered by {seats[0].player.short_name}," in page


def test_both_versions_are_shown_to_the_director_who_takes_one(
    deal, phones, table, director_client
):
    client = client_with(phones[1])
    asked = answers(table, number=1, points="51") | {"note": "one bout more"}
    client.post(reverse("object-to-deal", args=[table.pk, deal.pk]), asked)
    said = Confirmation.objects.get()

    page = director_client.get(reverse("sheet", args=[table.pk])).content.decode()
    assert "one bout more" in page
    assert "49 points" in page
    assert "51 points" in page
    assert "Objection 1" in director_client.get(
        reverse("floor", args=[table.event.pk])
    ).content.decode().replace("</a>", " ")

    director_client.post(reverse("settle-objection", args=[said.pk]), {"takes": "on"})
    deal.refresh_from_db()
    assert deal.state == TarotDeal.State.CORRECTED
    assert deal.corrected_by.half_points == 102


def test_an_objection_can_be_told_in_words_without_answering_the_form(deal, phones, table):
    told = {"note": "it was Yves who took", "only_words": "1"}

    client_with(phones[1]).post(reverse("object-to-deal", args=[table.pk, deal.pk]), told)

    said = Confirmation.objects.get()
    assert (said.note, said.proposed) == ("it was Yves who took", {})


def test_an_objection_without_a_word_is_asked_for_one(deal, phones, table):
    client = client_with(phones[1])

    page = client.post(reverse("object-to-deal", args=[table.pk, deal.pk]), {"only_words": "1"})

    assert page.status_code == 422
    assert "Say what is wrong." in page.content.decode()


def test_an_objection_with_the_same_version_is_kept_as_words_only(deal, phones, table):
    asked = answers(table, number=1) | {"note": "it was Yves who took"}

    client_with(phones[1]).post(reverse("object-to-deal", args=[table.pk, deal.pk]), asked)

    assert Confirmation.objects.get().proposed == {}


def test_the_director_keeps_what_stands(deal, phones, table, director_client):
    said = object_to(deal, phones[1], note="51 points")

    director_client.post(reverse("settle-objection", args=[said.pk]))

    deal.refresh_from_db()
    assert deal.is_standing
    assert not Confirmation.objects.objections().exists()


def test_each_phone_signs_for_its_seat_and_a_scorer_for_the_table(
    deal, phones, table, scorer_client
):
    client = client_with(phones[0])
    page = client.get(reverse("sheet", args=[table.pk])).content.decode()
    assert "I sign as" in page

    client.post(reverse("sign-sheet", args=[table.pk]))
    page = client.get(reverse("sheet", args=[table.pk])).content.decode()
    assert "I sign as" not in page
    table.refresh_from_db()
    assert table.signed_at is None

    scorer_client.post(reverse("sign-sheet", args=[table.pk]), {"for_all": "on"})
    table.refresh_from_db()
    assert table.signed_at is not None


def fill_hall(this_round, count: int) -> None:
    """Set up tables of four up to this count, each calling, with a phone that has a row open."""
    event, now = this_round.event, timezone.now()
    link = event.join_links.first() or JoinLinkFactory(event=event)
    numbers = range(this_round.tables.count() + 1, count + 1)
    tables = Table.objects.bulk_create(
        Table(round=this_round, number=n, players_per_deal=4, deals_planned=5) for n in numbers
    )
    names = [f"Player {table.number} {place}" for table in tables for place in range(1, 5)]
    players = Player.objects.bulk_create(
        Player(club=event.club, name=name, sort_name=fold_name(name)) for name in names
    )
    first = event.entries.count() + 1
    entries = Entry.objects.bulk_create(
        Entry(event=event, number=number) for number in range(first, first + len(players))
    )
    EntryPlayer.objects.bulk_create(
        EntryPlayer(event=event, entry=entry, player=player)
        for entry, player in zip(entries, players, strict=True)
    )
    seats = Seat.objects.bulk_create(
        Seat(
            round=this_round, table=tables[n // 4], place=n % 4 + 1, entry=entries[n], player=player
        )
        for n, player in enumerate(players)
    )  # fmt: skip
    Phone.objects.bulk_create(
        Phone(
            event=event, link=link, player=seat.player, entry=seat.entry, at_table=seat.table,
            enters_number=1, enters_since=now,
        )
        for seat in seats[::4]
    )  # fmt: skip
    RefereeCall.objects.bulk_create(RefereeCall(table=table) for table in tables)


def test_the_floor_costs_the_same_queries_for_one_table_and_for_many(
    season, director_client, django_assert_num_queries
):
    event = EventFactory(season=season, running=True)
    this_round = RoundFactory(event=event)
    url = reverse("floor", args=[event.pk])
    for count in (1, 12, 200):
        fill_hall(this_round, count)
        with django_assert_num_queries(12):
            page = director_client.get(url).content.decode()
        assert page.count("enters: Deal 1") == count


def test_who_says_that_he_leaves_appears_on_a_floor_that_stands_open(season, director_client):
    event = EventFactory(season=season, running=True)
    fill_hall(RoundFactory(event=event), 1)
    url, part = reverse("floor", args=[event.pk]), {"HX-Request": "true"}
    seen = director_client.get(url, headers=part)
    again = part | {"If-None-Match": seen["ETag"]}
    assert director_client.get(url, headers=again).status_code == 304

    event.entries.filter(number=1).update(leaves_after=1)

    assert "Player 1 1" in director_client.get(url, headers=again).content.decode()


def test_a_director_says_why_he_corrects_what_others_wrote(deal, table, director_client, phones):
    url = reverse("correct-deal", args=[table.pk, deal.pk])

    asked = director_client.post(url, answers(table, number=1, points="51"))
    assert asked.status_code == 422
    assert "Say why: the table reads it on its sheet." in asked.content.decode()

    given = answers(table, number=1, points="51") | {"why": "counted again at the table"}
    assert director_client.post(url, given).status_code == 302
    deal.refresh_from_db()
    assert deal.corrected_by.half_points == 102
    page = client_with(phones[2]).get(reverse("sheet", args=[table.pk])).content.decode()
    assert "Corrected because: counted again at the table" in page
    assert table.sheet_events.order_by("pk").last().details["why"] == "counted again at the table"


def test_a_player_corrects_at_the_table_without_being_asked_why(deal, table, phones):
    url = reverse("correct-deal", args=[table.pk, deal.pk])

    answer = client_with(phones[1]).post(url, answers(table, number=1, points="51"))

    assert answer.status_code == 302


def test_the_entry_page_says_whether_the_row_that_came_last_is_confirmed(table, phones, deal):
    table.deals_planned = 2
    table.save()
    address = reverse("record-deal", args=[table.pk])
    assert "Not confirmed" in client_with(phones[0]).get(address).content.decode()

    confirm(deal, phones[1])

    page = client_with(phones[0]).get(address).content.decode()
    assert "Confirmed" in page
    assert "Not confirmed" not in page


def test_the_entry_page_says_nothing_of_agreement_where_nobody_has_to_agree(table, phones, deal):
    ask(table, POLICY.NOBODY)

    page = client_with(phones[0]).get(reverse("record-deal", args=[table.pk])).content.decode()

    assert "onfirmed" not in page
