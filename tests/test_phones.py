"""What a phone that joined without an account opens: its own table, and nothing else."""

from __future__ import annotations

import re
import uuid

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.attempts import Limit
from clubs.models import Club, Membership, Player
from scoring.models import Confirmation, SheetEvent, TarotDeal
from tests.factories import (
    EventFactory,
    JoinLinkFactory,
    PhoneFactory,
    PlayerFactory,
    RoundFactory,
    TableFactory,
)
from tests.scoring.conftest import answers, record_on
from tests.test_permissions import OF_A_CLUB, met_at, world  # noqa: F401 - a fixture
from tournaments import actions, phones
from tournaments.models import Event, JoinLink, Phone, RefereeCall, Round, Ruling, Table
from tournaments.views import join
from tournaments.visitors import mark_of

pytestmark = pytest.mark.django_db

AT_A_TABLE = {
    "sheet", "print-sheet", "record-deal", "undo-deal", "correct-deal", "void-deal",
    "confirm-deal", "object-to-deal", "agreement", "entering", "call-referee", "sign-sheet",
    "unsign-sheet", "choose-dealer", "drop-kept",
}  # fmt: skip
#: What was on a phone is thrown away by whoever holds it, wherever he sits now.
OF_A_HOLDER = {"drop-kept"}
OF_A_REFEREE = {"referee", "go-to-call", "answer-call", "record-ruling", "withdraw-ruling"}
#: What each phone opens of everything that the club of its event holds.
OPENS = {
    "player at the table": AT_A_TABLE,
    "player at another table": OF_A_HOLDER,
    "player without a seat": OF_A_HOLDER,
    "scorer": AT_A_TABLE,
    "referee": OF_A_REFEREE | OF_A_HOLDER,
    "revoked": set(),
    "expired": set(),
    "sent off": set(),
    "of another event": set(),
}


def client_with(phone: Phone) -> Client:
    """A browser that has joined as this phone."""
    client = Client()
    answer = client.get(reverse("join"))
    phones.remember(answer, phone)
    for name, morsel in answer.cookies.items():
        client.cookies[name] = morsel.value
    return client


def phone_for(what: str, world) -> Phone:  # noqa: F811
    """A phone of this kind; but for its kind it would stand for the first seat of the table."""
    event, now = world.event, timezone.now()
    seat = world.table.seats.order_by("place").first()
    if what == "player at another table":
        seat = TableFactory(round=world.table.round).seats.first()
    if what == "player without a seat":
        return PhoneFactory(link=world.link)
    if what in {"scorer", "referee"}:
        return PhoneFactory(link=JoinLinkFactory(event=event, role=what))
    if what == "of another event":
        event = EventFactory(season=world.season, running=True)
        seat = TableFactory(round=RoundFactory(event=event), players=[seat.player]).seats.get()
    ends = {"revoked": {"revoked_at": now}, "expired": {"expires_at": now}}.get(what, {})
    link = JoinLinkFactory(event=event, table_number=1, **ends)
    return PhoneFactory(link=link, seat=seat, removed_at=now if what == "sent off" else None)


@pytest.mark.parametrize("what", OPENS)
def test_a_phone_opens_what_its_link_is_for_and_nothing_else(what: str, world):  # noqa: F811
    client = client_with(phone_for(what, world))
    open_ones = set()

    for name in OF_A_CLUB:
        met = met_at(name, client, world)
        assert met in {"open", "forbidden", "hidden", "sign in"}, name
        if met == "open":
            open_ones.add(name)

    assert open_ones == OPENS[what]


@pytest.mark.parametrize("what", OPENS)
def test_a_phone_opens_nothing_of_the_api(what: str, world):  # noqa: F811
    client = client_with(phone_for(what, world))

    for path in ("tables", "deals"):
        pk = world.table.pk if path == "tables" else world.deal.pk
        assert client.get(f"/api/v1/{path}/{pk}/").status_code in {401, 403, 404}


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("revoked", "This link was taken back."),
        ("expired", "This link has run out."),
        ("sent off", "Another phone took the seat.|This phone stands for nobody"),
        ("player at another table", "Your phone opens the table at which you sit."),
    ],
)
def test_a_phone_that_opens_nothing_any_more_is_told_why(what, said, world):  # noqa: F811
    client = client_with(phone_for(what, world))

    page = client.get(reverse("record-deal", args=[world.table.pk]))

    assert page.status_code == 403
    assert re.search(said, page.content.decode())


def test_a_cookie_that_was_made_up_opens_nothing(world):  # noqa: F811
    phone = phone_for("player at the table", world)
    client = Client()
    client.cookies[f"phone-{world.event.pk}"] = f"{phone.key.hex}:guessed"

    assert client.get(reverse("own-place", args=[world.event.pk])).url == reverse("join")
    assert client.get(reverse("sheet", args=[world.table.pk])).status_code == 404


def test_a_cookie_of_no_event_at_all_is_passed_over(client):
    client.cookies[f"phone-{'9' * 30}"] = "made up"

    assert client.get(reverse("join")).status_code == 200


def test_the_cookie_of_one_event_is_no_good_for_another(world):  # noqa: F811
    phone = phone_for("of another event", world)
    client = client_with(phone)
    client.cookies[f"phone-{world.event.pk}"] = client.cookies[f"phone-{phone.event_id}"].value

    assert client.get(reverse("own-place", args=[world.event.pk])).url == reverse("join")


def test_the_cookie_is_kept_from_scripts_and_ends_with_the_link(world):  # noqa: F811
    answer = Client().post(
        reverse("join-by-link", args=[phones.address_of(world.link)]),
        {"player": world.table.seats.first().player_id},
    )

    cookie = answer.cookies[f"phone-{world.event.pk}"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert cookie["expires"]


# At the table


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(season=season, running=True, starts_at=timezone.now())
    return TableFactory(round=RoundFactory(event=event))


@pytest.fixture
def link(table) -> JoinLink:
    return JoinLinkFactory(event=table.event, table_number=table.number)


@pytest.fixture
def four(table, link) -> list[Client]:
    """The phones of the four seats, in the order of play."""
    seats = table.seats.order_by("place")
    return [client_with(PhoneFactory(link=link, seat=seat)) for seat in seats]


def record(client: Client, table: Table, **changes):
    return client.post(reverse("record-deal", args=[table.pk]), answers(table, **changes))


def test_who_scans_the_card_picks_a_seat_and_writes(table, link):
    client = Client()
    address = reverse("join-by-link", args=[phones.address_of(link)])
    seat = table.seats.order_by("place")[1]

    page = client.get(address).content.decode()
    assert all(each.player.name in page for each in table.seats.all())
    assert not Phone.objects.exists()  # looking at a link is not joining

    place = client.post(address, {"player": seat.player_id}, follow=True).content.decode()
    assert "Round 1: table 1, seat E" in place

    assert record(client, table).status_code == 302
    deal = TarotDeal.objects.get()
    assert (deal.author, deal.phone.player) == (None, seat.player)
    assert SheetEvent.objects.get().phone == deal.phone


def test_who_scans_the_card_of_his_own_table_again_is_led_to_his_place(four, table, link):
    answer = four[0].get(reverse("join-by-link", args=[phones.address_of(link)]))

    assert answer.url == reverse("own-place", args=[table.event.pk])


def test_the_code_of_the_card_leads_to_the_same_page(link):
    answer = Client().post(reverse("join"), {"code": phones.spoken(link.code).lower()})

    assert answer.url == reverse("join-by-link", args=[phones.address_of(link)])


def limit_codes(monkeypatch, **most: int) -> None:
    """Set these limits of wrong codes lower."""
    for name, number in most.items():
        monkeypatch.setattr(join, name, Limit(name=f"few-{name}", most=number, seconds=60))


def type_code(code: str, address: str = "192.0.2.1") -> int:
    return Client(REMOTE_ADDR=address).post(reverse("join"), {"code": code}).status_code


def test_wrong_codes_are_counted_and_then_refused(link, monkeypatch, caplog):
    limit_codes(monkeypatch, WRONG_CODES=3)

    met = [type_code("ZZZ-ZZZ") for _ in range(4)]

    assert met == [422, 422, 422, 429]
    assert type_code(link.code) == 429
    assert type_code(link.code, "192.0.2.2") == 302
    assert "A wrong code from 192.0.2.1" in caplog.text
    assert "Too many wrong codes from 192.0.2.1" in caplog.text


def test_whoever_guesses_from_many_places_is_refused_as_well(link, monkeypatch, caplog):
    limit_codes(monkeypatch, ALL_WRONG_CODES=3)

    met = [type_code("ZZZ-ZZZ", f"192.0.2.{last}") for last in range(1, 5)]

    assert met == [422, 422, 422, 429]
    assert type_code(link.code, "192.0.2.9") == 429
    assert "Too many wrong codes from all places" in caplog.text


@pytest.mark.parametrize("limit", ["WRONG_CODES", "ALL_WRONG_CODES"])
def test_a_hall_in_which_many_mistype_still_comes_in_by_the_right_code(
    table, link, monkeypatch, limit
):
    limit_codes(monkeypatch, **{limit: 3})
    card = reverse("join-by-link", args=[phones.address_of(link)])
    Client(REMOTE_ADDR="192.0.2.1").post(card, {"player": table.seats.first().player_id})

    met = [type_code("ZZZ-ZZZ") for _ in range(5)]

    assert met == [422, 422, 422, 429, 429]
    assert type_code(link.code) == 302
    # Of this hall and this event only: elsewhere the code is no better than a guess.
    elsewhere = JoinLinkFactory(event=EventFactory(season=table.event.season, running=True))
    assert type_code(elsewhere.code) == 429


def test_nor_does_a_hall_guess_on_for_ever(table, link, monkeypatch):
    limit_codes(monkeypatch, WRONG_CODES=1, WRONG_CODES_IN_A_HALL=4)
    card = reverse("join-by-link", args=[phones.address_of(link)])
    Client(REMOTE_ADDR="192.0.2.1").post(card, {"player": table.seats.first().player_id})

    met = [type_code("ZZZ-ZZZ") for _ in range(4)]

    assert met == [422, 429, 429, 429]
    assert type_code(link.code) == 429


@pytest.mark.parametrize("how", ["revoked", "expired", "closed"])
def test_a_link_that_has_ended_explains_itself(link, how):
    if how == "closed":
        Event.objects.update(state=Event.State.CLOSED)
    else:
        field = "revoked_at" if how == "revoked" else "expires_at"
        JoinLink.objects.update(**{field: timezone.now()})

    page = Client().get(reverse("join-by-link", args=[phones.address_of(link)]))

    assert page.status_code == 410
    assert "This link has ended" in page.content.decode()


@pytest.mark.parametrize("role", ["player", "wall"])
def test_a_link_of_an_event_that_was_cancelled_says_so_and_a_made_up_one_nothing(season, role):
    event = EventFactory(season=season, starts_at=timezone.now())
    path = phones.path_of(JoinLinkFactory(event=event, role=role))
    actions.cancel_event(event=event)

    page = Client().get(path)

    assert page.status_code == 410
    assert "The event was cancelled" in page.content.decode()
    other = "y" if path[-2] == "x" else "x"
    assert Client().get(f"{path[:-2]}{other}/").status_code == 404


def test_a_link_of_an_event_without_entries_says_so(season):
    hall = JoinLinkFactory(event=EventFactory(season=season, running=True))

    assert "Nobody is entered yet" in listed(hall)
    assert "Nobody is found" in listed(hall, "Ana")


def test_a_taken_seat_says_since_when_and_can_be_claimed(four, table, link):
    seat = table.seats.order_by("place")[0]
    address = reverse("join-by-link", args=[phones.address_of(link)])
    second = Client()

    refused = second.post(address, {"player": seat.player_id})
    assert refused.status_code == 409
    assert "Another phone has had the seat of" in refused.content.decode()

    second.post(address, {"player": seat.player_id, "claims": "on"})
    told = four[0].get(reverse("own-place", args=[table.event.pk])).content.decode()
    assert "Another phone took the seat." in told
    assert record(four[0], table).status_code == 403
    assert record(second, table).status_code == 302


def test_after_the_event_a_phone_is_led_to_the_results_that_everybody_sees(four, table):
    Event.objects.update(state=Event.State.CLOSED, publication="public")
    table.event.season.publication = table.event.club.publication = "public"
    table.event.season.save()
    table.event.club.save()

    page = four[0].get(reverse("own-place", args=[table.event.pk])).content.decode()

    assert "The event is over" in page
    assert table.event.get_absolute_url() in page
    assert "I leave" not in page


def test_a_phone_is_led_to_the_next_table_round_after_round(four, table, director):
    actions.close_round(this_round=table.round, by=director, without_missing=True)
    waiting = four[0].get(reverse("own-place", args=[table.event.pk])).content.decode()
    assert "Round 2 appears here" in waiting

    players = [seat.player for seat in table.seats.order_by("place")]
    second = RoundFactory(event=table.event, number=2)
    TableFactory(round=second, number=1)
    TableFactory(round=second, number=7, players=[*players[1:], players[0]])

    place = four[0].get(reverse("own-place", args=[table.event.pk])).content.decode()
    assert "Round 2: table 7, seat W" in place


def test_a_phone_no_longer_writes_at_the_table_it_left(four, table, director):
    actions.close_round(this_round=table.round, by=director, without_missing=True)

    assert four[0].get(reverse("sheet", args=[table.pk])).status_code == 200
    page = record(four[0], table)
    assert page.status_code == 422
    assert not TarotDeal.objects.exists()


def test_a_phone_undoes_what_it_entered_and_only_that(four, table):
    record(four[0], table)
    deal = TarotDeal.objects.get()

    assert four[1].post(reverse("undo-deal", args=[table.pk]), {"deal": deal.pk}).status_code == 403
    four[0].post(reverse("undo-deal", args=[table.pk]), {"deal": deal.pk})

    deal.refresh_from_db()
    assert deal.state == TarotDeal.State.VOID


def entered_by(client: Client, table: Table) -> str:
    """As whom the form of this browser says that it sends."""
    page = client.get(reverse("record-deal", args=[table.pk])).content.decode()
    return re.search(r'name="entered_by" value="(\w+)"', page)[1]


@pytest.mark.parametrize("sits_elsewhere", [False, True])
def test_what_somebody_entered_is_not_written_as_of_who_has_his_phone_now(
    four, table, sits_elsewhere
):
    author = entered_by(four[0], table)
    holder = client_with(phone_at_another(table)) if sits_elsewhere else four[1]
    sent = answers(table, entered_by=author)
    address = reverse("record-deal", args=[table.pk])

    of_the_outbox = holder.post(address, sent, headers={"HX-Request": "true"})
    of_a_page = holder.post(address, sent)

    assert (of_the_outbox.status_code, of_the_outbox.headers["Refused"]) == (403, "another")
    assert of_a_page.status_code == 302
    assert not TarotDeal.objects.exists()
    assert record(four[0], table, **sent).status_code == 302
    assert TarotDeal.objects.get().phone.player == table.seats.get(place=1).player


def phone_at_another(table: Table) -> Phone:
    link = JoinLinkFactory(event=table.event, table_number=table.number + 1)
    elsewhere = TableFactory(round=table.round, number=table.number + 1)
    return PhoneFactory(link=link, seat=elsewhere.seats.first())


def test_nor_does_he_correct_or_object_with_a_page_of_the_other(four, table):
    author = entered_by(four[0], table)
    deal = record_on(table, phones_of(table)[0])

    for name in ("correct-deal", "object-to-deal"):
        sent = answers(table, entered_by=author, points="44", note="44 points", version=1)
        answer = four[1].post(reverse(name, args=[table.pk, deal.pk]), sent)
        assert answer.status_code == 302

    assert list(TarotDeal.objects.values_list("half_points", flat=True)) == [deal.half_points]
    assert not Confirmation.objects.exists()


def phones_of(table: Table) -> list[Phone]:
    return list(Phone.objects.filter(event=table.event).order_by("pk"))


def test_what_a_phone_entered_stays_its_own_when_a_scorer_signs_in_on_it(four, table, scorer):
    author = entered_by(four[0], table)
    four[0].force_login(scorer)

    assert record(four[0], table, entered_by=author).status_code == 302

    assert TarotDeal.objects.get().phone == phones_of(table)[0]


def test_a_scorer_who_is_none_any_more_does_not_write_as_the_phone_that_he_has(four, table, scorer):
    four[0].force_login(scorer)
    author = mark_of(scorer)
    Membership.objects.filter(player__account=scorer).delete()

    answer = four[0].post(
        reverse("record-deal", args=[table.pk]),
        answers(table, entered_by=author),
        headers={"HX-Request": "true"},
    )

    assert answer.headers["Refused"] == "another"
    assert not TarotDeal.objects.exists()


def test_who_joins_again_as_himself_goes_on_with_what_he_entered_before(four, table, link):
    before = mark_of(phones_of(table)[0])
    player = table.seats.get(place=1).player
    again = actions.join_as_player(link=link, player=player, claims=True)

    page = client_with(again).get(reverse("record-deal", args=[table.pk]))

    assert page.context["keeping"]["was"] == [before]
    other = four[1].get(reverse("record-deal", args=[table.pk]))
    assert other.context["keeping"]["was"] == []


def test_the_same_deal_from_two_phones_is_one_deal_with_both_as_witnesses(four, table):
    record(four[0], table)
    answer = (
        four[1]
        .post(reverse("record-deal", args=[table.pk]), answers(table), follow=True)
        .content.decode()
    )

    assert TarotDeal.objects.count() == 1
    assert Confirmation.objects.get().seat.place == 2
    assert "somebody else entered exactly the same" in answer


def test_two_different_entries_are_shown_side_by_side_with_a_choice(four, table):
    record(four[0], table)

    page = record(four[1], table, points="51")

    assert page.status_code == 409
    text = page.content.decode()
    assert "Somebody else was faster" in text
    assert "You have entered this deal already" not in text
    deal = TarotDeal.objects.get()
    form = text.rpartition("/correct/")[2].partition("</form>")[0]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    four[1].post(reverse("correct-deal", args=[table.pk, deal.pk]), sent)
    first, second = TarotDeal.objects.order_by("pk")
    assert (first.state, second.state) == ("corrected", "standing")
    assert second.half_points == 102


def test_a_phone_calls_the_referee_and_says_what_is_wrong(four, table, director_client):
    four[2].post(reverse("call-referee", args=[table.pk]), {"reason": "points", "is_problem": "on"})

    call = RefereeCall.objects.get()
    assert (call.phone.player, call.is_problem) == (
        table.seats.order_by("place")[2].player,
        True,
    )
    page = director_client.get(reverse("referee", args=[table.event.pk])).content.decode()
    assert "something is wrong there" in page
    assert call.phone.name in page


def test_a_phone_of_a_referee_goes_to_a_call_and_settles_it(table):
    call = RefereeCall.objects.create(table=table)
    client = client_with(PhoneFactory(link=JoinLinkFactory(event=table.event, role="referee")))

    client.post(reverse("go-to-call", args=[call.pk]))
    assert (
        "Marie is on the way"
        in client.get(reverse("referee", args=[table.event.pk])).content.decode()
    )
    client.post(reverse("answer-call", args=[call.pk]))

    call.refresh_from_db()
    assert (call.going_phone.name, call.answered_phone.name) == ("Marie", "Marie")


def test_who_leaves_says_so_on_the_phone_and_the_director_sees_it(four, table, director_client):
    event = table.event
    four[0].post(reverse("leave-after-round", args=[event.pk]), {"leaves": "on"})

    name = table.seats.order_by("place")[0].player.name
    page = director_client.get(reverse("floor", args=[event.pk])).content.decode()
    assert re.search(rf"Leave after the round:</strong> {name}", page)
    assert (
        "You leave after round 1"
        in four[0].get(reverse("own-place", args=[event.pk])).content.decode()
    )


def test_who_has_left_is_told_so_and_not_asked_to_leave(four, table, director):
    phone = Phone.objects.order_by("pk")[0]
    actions.leave_after_round(entry=phone.entry, by=phone)
    actions.close_round(this_round=table.round, by=director, without_missing=True)
    TableFactory(round=RoundFactory(event=table.event, number=2))

    place = four[0].get(reverse("own-place", args=[table.event.pk])).content.decode()

    assert "It is noted that you left." in place
    assert "You have no seat" not in place
    assert "I leave" not in place


@pytest.mark.parametrize("kind", ["evening", "tournament"])
def test_who_leaves_a_club_night_is_not_asked_to_leave_a_tournament(four, table, kind):
    Event.objects.update(kind=kind)
    table.round.tables.update(state=Table.State.CLOSED)

    place = (
        four[0]
        .get(reverse("own-place", args=[table.event.pk]), headers={"Accept-Language": "pt-br"})
        .text
    )

    assert 'name="leaves"' in place
    assert ("Saio do torneio" in place) <= (kind == "tournament")


def test_a_place_leads_to_the_sheet_once_it_is_complete_and_says_what_is_asked(four, table):
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    Table.objects.update(deals_planned=1)
    address = reverse("own-place", args=[table.event.pk])
    assert "Write on the sheet" in four[1].get(address).content.decode()
    record(four[0], table)

    place = four[1].get(address).content.decode()

    assert "Write on the sheet" not in place
    assert "Everything is on the sheet: check it and sign." in place
    assert "1 row is not confirmed yet" in place


@pytest.mark.parametrize("name", ["own-place", "sheet"])
def test_it_is_seen_without_opening_anything_that_one_can_say_what_is_wrong(four, table, name):
    of = table.pk if name == "sheet" else table.event.pk

    page = four[0].get(reverse(name, args=[of])).content.decode()

    assert "Call the referee, or say that something is wrong</summary>" in page


def test_the_others_see_which_row_a_phone_has_open_for_a_while(four, table, time_machine):
    url = reverse("entering", args=[table.pk])
    time_machine.move_to("2026-12-03 20:00+00:00", tick=False)
    JoinLink.objects.update(expires_at="2026-12-04 20:00+00:00")
    four[0].post(url, {"number": 1})

    name = table.seats.order_by("place")[0].player.name
    said = f"{name} has this open too: Deal 1"
    assert said in four[1].post(url, {"number": 1}).content.decode()
    assert said not in four[0].post(url, {"number": 1}).content.decode()
    time_machine.shift(91)
    assert said not in four[1].post(url, {"number": 1}).content.decode()


def test_who_closes_a_round_reads_where_somebody_enters_something_now(four, table, director_client):
    four[0].post(reverse("entering", args=[table.pk]), {"number": 1})
    close = reverse("close-round", args=[table.event.pk])

    page = director_client.post(close, {"round": table.round_id}).content.decode()

    assert f"not sent yet: at table {table.number}." in page
    looks = director_client.get(reverse("tables", args=[table.event.pk])).content.decode()
    assert "not sent yet" not in looks


@pytest.mark.parametrize("goes_to", ["sheet", "own-place"])
def test_who_has_put_the_form_away_has_no_row_open_any_more(four, table, goes_to):
    url = reverse("entering", args=[table.pk])
    four[0].post(url, {"number": 1})
    four[0].get(reverse(goes_to, args=[table.pk if goes_to == "sheet" else table.event.pk]))

    assert "open too" not in four[1].post(url, {"number": 1}).content.decode()


def test_nobody_has_a_row_open_on_a_sheet_that_is_complete(four, table, director_client):
    url = reverse("entering", args=[table.pk])
    four[0].post(url, {"number": 1})
    Table.objects.update(deals_recorded=F("deals_planned"))
    four[0].post(url, {"number": 6})

    assert "open too" not in four[1].post(url, {"number": 6}).content.decode()
    floor = director_client.get(reverse("floor", args=[table.event.pk])).content.decode()
    assert "enters:" not in floor
    assert not Phone.objects.exclude(at_table=None).exists()


def test_a_page_made_for_a_deal_that_was_entered_meanwhile_learns_it(four, table):
    record(four[0], table)

    said = four[1].post(reverse("entering", args=[table.pk]), {"number": 1}).content.decode()

    assert "Deal 1 is already on the sheet" in said


def test_without_the_token_of_the_page_nothing_is_written(table, link):
    phone = PhoneFactory(link=link, seat=table.seats.first())
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client_with(phone).cookies

    answer = strict.post(reverse("record-deal", args=[table.pk]), answers(table))

    assert answer.status_code == 403
    assert not TarotDeal.objects.exists()


def test_a_phone_reads_the_names_of_its_table_in_full(four, table):
    player = table.seats.order_by("place")[3].player
    player.name, player.shown_as = "Ana Paula", "hidden"
    player.save()

    assert "Ana" in four[0].get(reverse("record-deal", args=[table.pk])).content.decode()


# What the director holds


def test_while_the_director_writes_for_a_table_its_phones_look_on(four, table, director):
    actions.take_over_table(table=table, by=director)

    refused = record(four[0], table)
    assert refused.status_code == 422
    assert "Denis writes on this sheet now" in refused.content.decode()

    actions.hand_back_table(table=table, by=director)
    assert record(four[0], table).status_code == 302


def test_on_a_frozen_round_only_directors_write(four, table, director, director_client):
    actions.freeze_round(this_round=table.round, by=director)

    assert record(four[0], table).status_code == 422
    assert record(director_client, table).status_code == 302

    deal = TarotDeal.objects.get()
    void = reverse("void-deal", args=[table.pk, deal.pk])
    assert four[0].post(void, {"reason": "misdeal"}).status_code == 422
    actions.unfreeze_round(this_round=Round.objects.get(), by=director)
    assert record(four[0], table, number=2, entry_key=uuid.uuid4()).status_code == 302


# Long lists


def test_the_lists_cost_the_same_queries_for_few_and_for_many(
    table, director_client, django_assert_num_queries
):
    event = table.event
    everybody = JoinLinkFactory(event=event)
    scorer = client_with(PhoneFactory(link=JoinLinkFactory(event=event, role="scorer")))
    seats = list(table.seats.all())
    for count in (2, 9):
        while event.rounds.get().tables.count() < count:
            more = TableFactory(round=table.round)
            seats += more.seats.all()
            JoinLinkFactory(event=event, table_number=more.number)
            PhoneFactory(link=everybody, seat=seats[-1])
        with django_assert_num_queries(8):
            director_client.get(reverse("links", args=[event.pk]))
        with django_assert_num_queries(5):
            Client().get(reverse("join-by-link", args=[phones.address_of(everybody)]))
        with django_assert_num_queries(4):
            scorer.get(reverse("own-place", args=[event.pk]))


# The referee's phone


@pytest.fixture
def referee(table) -> Client:
    return client_with(PhoneFactory(link=JoinLinkFactory(event=table.event, role="referee")))


def ruling_sent(table: Table, **changes) -> dict[str, object]:
    return {
        "entry_key": uuid.uuid4(), "table": table.pk, "entry": table.seats.first().entry_id,
        "fault": "exposed_card", "penalty": "100", **changes,
    }  # fmt: skip


def test_a_referee_rules_and_withdraws_from_his_phone(table, referee, director_client):
    page = reverse("referee", args=[table.event.pk])
    assert "New ruling" in referee.get(page, {"table": table.pk}).content.decode()

    sent = ruling_sent(table)
    for _press in range(2):
        referee.post(reverse("record-ruling", args=[table.event.pk]), sent)
    ruling = Ruling.objects.get()
    assert (ruling.ruled_by, ruling.phone.name, ruling.points) == (None, "Marie", 100)

    withdraw = reverse("withdraw-ruling", args=[ruling.pk])
    assert referee.post(withdraw).status_code == 422
    referee.post(withdraw, {f"ruling-{ruling.pk}-why": "wrong seat"})
    ruling.refresh_from_db()
    assert (ruling.withdrawn_by, ruling.withdrawn_phone, ruling.withdrawn_why) == (
        None, ruling.phone, "wrong seat",
    )  # fmt: skip
    told = director_client.get(page).content.decode()
    assert "by Marie" in told
    assert "Withdrawn by Marie" in told


def test_a_referee_changes_no_sheet_that_the_director_holds(four, table, referee, director):
    record(four[0], table)
    actions.freeze_round(this_round=table.round, by=director)
    sent = ruling_sent(table, deal_number=1, outcome="replayed")

    page = referee.post(reverse("record-ruling", args=[table.event.pk]), sent)

    assert page.status_code == 422
    assert "The director is looking at the sheets" in page.content.decode()
    assert not Ruling.objects.exists()


def test_a_referee_whose_link_was_taken_back_is_told_so(table, referee):
    JoinLink.objects.update(revoked_at=timezone.now())

    page = referee.post(reverse("record-ruling", args=[table.event.pk]), ruling_sent(table))

    assert page.status_code == 403
    assert "This link was taken back." in page.content.decode()


# Who is refused


def test_who_was_seated_elsewhere_is_told_where_and_led_there(four, table):
    other = TableFactory(round=table.round, number=7)
    seat = table.seats.get(place=1)
    table.seats.filter(pk=seat.pk).update(player=PlayerFactory(club=table.event.club))
    other.seats.filter(place=2).update(player=seat.player)

    for name in ("record-deal", "sheet"):
        refused = four[0].get(reverse(name, args=[table.pk]))
        said = refused.content.decode()
        assert refused.status_code == 403
        assert "You sit at table 7, seat " in said
        assert f'href="{reverse("own-place", args=[table.event.pk])}"' in said
        assert "An owner of the club" not in said
        assert "by the code of the card" not in said


def test_a_browser_that_has_not_joined_is_led_from_a_place_to_the_code(client, table):
    for pk in (table.event.pk, 4_000):
        address = reverse("own-place", args=[pk])
        page = client.get(address, follow=True)
        assert page.redirect_chain == [(reverse("join"), 302)]
        assert "This browser has not joined" in page.content.decode()
        polled = client.get(address, headers={"HX-Request": "true"})
        assert polled["HX-Redirect"] == reverse("join")


# Pages that stay open


def test_an_open_form_is_told_that_the_round_is_over(four, table):
    Table.objects.update(state=Table.State.CLOSED)

    said = (
        four[0]
        .post(reverse("entering", args=[table.pk]), {"number": "1"}, headers={"HX-Request": "true"})
        .content.decode()
    )

    assert 'id="closed-meanwhile"' in said
    assert reverse("own-place", args=[table.event.pk]) in said


@pytest.mark.parametrize(("ends", "said"), [
    ("sits elsewhere", "Your phone opens the table at which you sit."),
    ("sent off", "This phone stands for nobody now"),
])  # fmt: skip
def test_an_open_form_is_told_why_it_enters_nothing_any_more_and_where_to_go(
    four, table, ends, said
):
    if ends == "sits elsewhere":
        table.seats.filter(place=1).update(player=PlayerFactory(club=table.event.club))
    else:
        Phone.objects.update(removed_at=timezone.now())
    address = reverse("entering", args=[table.pk])

    answer = four[0].post(address, {"number": "1"}, headers={"HX-Request": "true"})

    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert reverse("own-place", args=[table.event.pk]) in answer.content.decode()
    assert four[0].post(address, {"number": "1"}).status_code == 403


def test_after_the_last_round_that_is_planned_no_other_is_announced(four, table):
    Event.objects.update(rounds_planned=1, publication="public")
    Club.objects.update(publication="public")
    Table.objects.update(state=Table.State.CLOSED)

    place = four[0].get(reverse("own-place", args=[table.event.pk])).content.decode()

    assert "That was the last round that is planned." in place
    assert "Round 2 appears here" not in place
    assert f'href="{reverse("standings", args=[table.event.pk])}"' in place


def test_a_phone_that_lost_its_cookie_is_told_of_the_code_on_the_card(table):
    page = Client().get(reverse("record-deal", args=[table.pk]), follow=True).content.decode()

    assert f'href="{reverse("join")}"' in page


def test_an_event_that_is_over_is_not_offered_any_more(four, table):
    assert table.event.name in four[0].get(reverse("join")).content.decode()
    Event.objects.update(state=Event.State.CLOSED)

    assert table.event.name not in four[0].get(reverse("join")).content.decode()


def test_a_place_that_has_ended_while_it_was_open_offers_nothing_more(four, table):
    address = reverse("own-place", args=[table.event.pk])
    assert "I leave after this round" in four[0].get(address).content.decode()
    Phone.objects.update(removed_at=timezone.now())

    asked = four[0].get(address, headers={"HX-Request": "true"}).content.decode()

    assert '<div id="what-else" hx-swap-oob="true"></div>' in asked


# How often


@pytest.mark.parametrize("kind", ["card", "hall", "helper"])
def test_new_phones_of_a_link_are_counted_and_then_refused(kind, table, monkeypatch, caplog):
    monkeypatch.setitem(join.JOINS, kind, Limit(name="join-few", most=2, seconds=60))
    role = "scorer" if kind == "helper" else "player"
    number = table.number if kind == "card" else None
    link = JoinLinkFactory(event=table.event, role=role, table_number=number)
    seats = list(table.seats.all())

    def joins(index: int, address: str = "192.0.2.1"):
        who = {"name": "Marie", "player": seats[index].player_id}
        path = reverse("join-by-link", args=[phones.address_of(link)])
        return Client(REMOTE_ADDR=address).post(path, who)

    assert [joins(index).status_code for index in range(3)] == [302, 302, 429]
    assert "Very many phones have joined" in joins(2).content.decode()
    assert joins(2, "192.0.2.2").status_code == 302
    assert f"Too many phones by link {link.pk}" in caplog.text


# Names


@pytest.fixture
def kept(table) -> Table:
    """Two at the table keep their names from the world, and so does one elsewhere."""
    for seat, name, shown_as in zip(
        table.seats.order_by("place"),
        ("Ombeline Quentin", "Ursule Quentin", "Zoé Perdrix", "Franck Ouvert"),
        ("hidden", "hidden", "initial", "full"),
        strict=True,
    ):
        seat.player.name, seat.player.shown_as = name, shown_as
        seat.player.save()
    return table


def test_at_his_own_table_a_phone_reads_what_the_others_are_called_there(kept, link):
    client = client_with(PhoneFactory(link=link, seat=kept.seats.get(place=4)))
    record(client, kept)

    for name in ("record-deal", "sheet"):
        page = client.get(reverse(name, args=[kept.pk])).content.decode()
        assert all(called in page for called in ("Ombeline", "Ursule", "Zoé", "Franck"))
        assert "Quentin" not in page
        assert "Perdrix" not in page
    assert "Entered by Franck" in page


@pytest.mark.parametrize(("role", "said"), [
    ("director", "Entered by the director"), ("scorer", "Entered by a scorer"),
])  # fmt: skip
def test_at_his_own_table_a_phone_reads_in_which_office_an_account_wrote(  # noqa: PLR0917 - fixtures
    kept, link, role, said, request, django_assert_num_queries
):
    by = request.getfixturevalue(role)
    client = client_with(PhoneFactory(link=link, seat=kept.seats.get(place=1)))
    record_on(kept, by)
    with CaptureQueriesContext(connection) as one:
        page = client.get(reverse("sheet", args=[kept.pk])).content.decode()
    record_on(kept, by)
    with django_assert_num_queries(len(one)):
        client.get(reverse("sheet", args=[kept.pk]))

    assert said in page
    assert by.name not in page


def test_at_his_own_table_a_phone_reads_the_name_of_a_member_who_wrote_from_his_seat(
    kept, link, scorer
):
    kept.seats.filter(place=2).update(player=Player.objects.get(account=scorer))
    client = client_with(PhoneFactory(link=link, seat=kept.seats.get(place=1)))
    record_on(kept, scorer)

    assert "Entered by Solange," in client.get(reverse("sheet", args=[kept.pk])).content.decode()


def listed(link: JoinLink, words: str = "") -> str:
    address = reverse("join-by-link", args=[phones.address_of(link)])
    page = Client().get(address, {"q": words}).content.decode()
    return page[page.index("<main") : page.index("</main>")].replace(f'value="{words}"', "")


def test_behind_the_link_of_the_hall_names_are_found_as_they_are_shown(kept):
    hall = JoinLinkFactory(event=kept.event)

    assert "Quentin" not in listed(hall)
    for words in ("Quentin", "ombeline", "perdrix"):
        assert "Nobody is found" in listed(hall, words)
    assert "Zoé P." in listed(hall, "zoe p")


@pytest.mark.parametrize("words", ["1N", "1 n", "table 1 seat N", "withheld 1N"])
def test_who_keeps_his_name_finds_himself_by_his_table_and_seat(kept, words):
    hall = JoinLinkFactory(event=kept.event)
    TableFactory(round=kept.round, number=11)
    first = kept.seats.get(place=1)

    page = listed(hall, words)

    assert page.count('name="player"') == 1
    assert f'value="{first.player_id}"' in page
    assert "Name withheld" in page
    assert "table 1, seat N" in page


def test_the_order_of_the_list_tells_no_name_that_is_kept(kept):
    hall = JoinLinkFactory(event=kept.event)
    before = re.findall(r'name="player" value="(\d+)"', listed(hall))

    first = kept.seats.get(place=1).player
    first.name = "Zzz"
    first.save()

    assert re.findall(r'name="player" value="(\d+)"', listed(hall)) == before


def test_elsewhere_a_phone_reads_names_as_the_world_may(kept, link):
    event = kept.event
    Event.objects.update(publication="public")
    event.season.publication = event.club.publication = "public"
    event.season.save()
    event.club.save()
    client = client_with(PhoneFactory(link=link, seat=kept.seats.get(place=4)))
    card = reverse("join-by-link", args=[phones.address_of(link)])

    for address in (
        f"{card}?again",
        reverse("tables", args=[event.pk]),
        reverse("print-seating", args=[event.pk]),
        reverse("standings", args=[event.pk]),
    ):
        page = client.get(address).content.decode()
        assert not [kept for kept in ("Ombeline", "Ursule", "Perdrix") if kept in page], address


def test_who_may_not_be_named_finds_himself_by_his_seat(kept):
    link = JoinLinkFactory(event=kept.event)

    page = Client().get(reverse("join-by-link", args=[phones.address_of(link)])).content.decode()

    assert page.count("Name withheld") == 2
    for seat in kept.seats.filter(place__in=(1, 2)):
        assert f"table 1, seat {seat.letter}" in page


def test_a_phone_never_tells_the_name_of_whom_it_wrongly_stands_for(kept, link):
    client = client_with(PhoneFactory(link=link, seat=kept.seats.get(place=1)))

    page = client.get(reverse("own-place", args=[kept.event.pk])).content.decode()

    assert "Ombeline" in page
    assert "Quentin" not in page


def test_phones_of_scorers_and_referees_read_names_as_members_do(kept, referee):
    page = referee.get(reverse("referee", args=[kept.event.pk]), {"table": kept.pk})

    assert "Ombeline Quentin" in page.content.decode()


def test_a_referee_is_offered_no_page_that_his_phone_cannot_open(table, referee):
    RefereeCall.objects.create(table=table)
    page = referee.get(reverse("referee", args=[table.event.pk])).content.decode()

    offered = set(re.findall(r'href="(/[^"#?]*)', page.partition("<body")[2]))
    shut = {
        each for each in offered if "static" not in each and referee.get(each).status_code > 399
    }
    assert (shut, reverse("club", args=[table.event.club.slug]) in offered) == (set(), False)


def test_the_table_reads_who_is_on_the_way(four, table, referee):
    four[0].post(reverse("call-referee", args=[table.pk]), {"is_problem": "on"})
    sheet = reverse("sheet", args=[table.pk])
    told = four[1].get(sheet).content.decode()
    assert "The director is told that something is wrong here." in told
    assert "Leave the cards as they are." not in told

    referee.post(reverse("go-to-call", args=[RefereeCall.objects.get().pk]))

    assert "Marie is on the way." in four[1].get(sheet).content.decode()
