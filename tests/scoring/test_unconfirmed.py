"""Only what those agreed to whom the event asks leads on, unless the director says so."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.core.exceptions import ValidationError
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from scoring import actions, freshness, results, tasks
from scoring.actions.sheets_tarot import TarotSheet
from scoring.actions.sheets_truco import TrucoSheet
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.scoring.conftest import garde, record_on
from tests.scoring.truco import game, hand, record, truco_table
from tests.test_phones import client_with
from tests.tournaments.championships import planned, with_sides
from tournaments import actions as tournament_actions
from tournaments.journal import with_sentences
from tournaments.meetings import stages_with_fixtures
from tournaments.models import Event, Fixture, Phone, Table
from tournaments.reseating import Kind, Wish
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db

POLICY = Event.Confirmation
PART = {"HX-Request": "true"}


@pytest.fixture
def event(season) -> Event:
    return EventFactory(
        season=season, running=True, starts_at=timezone.now(), confirmation=POLICY.OTHER_SEAT
    )


@pytest.fixture
def table(event) -> Table:
    return TableFactory(round=RoundFactory(event=event), deals_planned=1)


def phones_at(table: Table) -> list[Phone]:
    """A phone for each seat, in the order of play."""
    link = table.event.join_links.first() or JoinLinkFactory(event=table.event)
    return [PhoneFactory(link=link, seat=seat) for seat in table.seats.order_by("place")]


@pytest.fixture
def phones(table) -> list[Phone]:
    return phones_at(table)


def ask(event: Event, policy: str) -> None:
    Event.objects.filter(pk=event.pk).update(confirmation=policy)


def waiting_at(table: Table) -> int:
    return Table.objects.get(pk=table.pk).rows_waiting


def close(table: Table, by, **given):
    return tournament_actions.close_round(this_round=table.round, by=by, **given)


def refusal_of(table: Table, by, **given) -> ValidationError:
    with pytest.raises(ValidationError) as refusal:
        close(table, by, **given)
    return refusal.value


def codes(refusal: ValidationError) -> list[str | None]:
    return [each.code for each in refusal.error_list]


# How many rows wait


@pytest.mark.parametrize(
    ("policy", "after_each"),
    [
        (POLICY.NOBODY, [0, 0, 0, 0]),
        (POLICY.OTHER_SEAT, [1, 0, 0, 0]),
        (POLICY.OTHER_SIDE, [1, 1, 0, 0]),
        (POLICY.ALL_SEATS, [1, 1, 1, 0]),
    ],
)
def test_a_row_waits_until_those_have_agreed_whom_the_event_asks(
    table, phones, event, policy, after_each
):
    """A defender in the second seat wrote it; another one agrees first, the taker then."""
    ask(event, policy)
    deal = record_on(table, phones[1])

    waiting = [waiting_at(table)]
    for place in (2, 0, 3):
        with suppress(ValidationError):  # his own side is not asked
            actions.confirm_row(TarotSheet, row=deal, by=phones[place])
        waiting.append(waiting_at(table))

    assert waiting == after_each


def test_a_second_phone_that_tells_the_same_agrees(table, phones):
    record_on(table, phones[0], number=1)
    before = waiting_at(table)

    record_on(table, phones[1], number=1)

    assert (before, waiting_at(table)) == (1, 0)


def test_a_corrected_row_waits_anew_and_a_void_one_for_nobody(table, phones):
    deal = record_on(table, phones[0])
    actions.confirm_row(TarotSheet, row=deal, by=phones[1])
    corrected = actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=51),
        entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=table.seats.order_by("place")[0],
        by=phones[1],
    )
    after_the_correction = waiting_at(table)

    actions.void_deal(deal=corrected, reason="misdeal", by=phones[1])

    assert (after_the_correction, waiting_at(table)) == (1, 0)


def test_what_both_sides_of_a_truco_table_said_waits_for_nobody(season):
    table = truco_table(season, best_of=1)
    ask(table.event, POLICY.OTHER_SIDE)
    phones = phones_at(table)
    line = record(table, phones[0], game(12, 7))
    waiting = [waiting_at(table)]

    for place in (2, 1):  # the partner, who is not asked, then an opponent
        with suppress(ValidationError):
            actions.confirm_row(TrucoSheet, row=line, by=phones[place])
        waiting.append(waiting_at(table))

    assert waiting == [1, 1, 0]


def test_a_signed_sheet_waits_for_nobody_until_its_signature_is_taken_back(table, phones):
    record_on(table, phones[0])
    for phone in phones[:2]:
        actions.confirm_sheet(TarotSheet, table=table, by=phone)
    signed = waiting_at(table)
    page = client_with(phones[2]).get(reverse("sheet", args=[table.pk])).text

    tournament_actions.unsign_sheet(table=table, by=phones[1])

    assert (signed, waiting_at(table)) == (0, 1)
    assert "All rows are confirmed" in page


def test_what_a_director_corrects_after_the_round_waits_for_nobody(table, phones, director):
    deal = record_on(table, phones[0])
    actions.confirm_row(TarotSheet, row=deal, by=phones[1])
    close(table, director)

    actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=51),
        entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=table.seats.order_by("place")[0],
        by=director,
    )

    assert waiting_at(table) == 0


def test_the_director_says_on_the_floor_who_confirms_and_what_waits_is_counted_anew(
    table, phones, event, director_client
):
    ask(event, POLICY.NOBODY)
    deal = record_on(table, phones[0])
    actions.confirm_row(TarotSheet, row=deal, by=phones[1])
    waiting = [waiting_at(table)]

    for policy in (POLICY.ALL_SEATS, POLICY.OTHER_SEAT, POLICY.ALL_SEATS, POLICY.NOBODY):
        director_client.post(
            reverse("change-confirmation", args=[event.pk]), {"confirmation": policy}
        )
        waiting.append(waiting_at(table))

    event.refresh_from_db()
    assert (waiting, event.confirmation) == ([0, 1, 0, 1, 0], POLICY.NOBODY)


def test_who_sits_down_in_the_place_of_the_author_has_not_agreed_yet(
    table, phones, event, director
):
    ask(event, POLICY.ALL_SEATS)
    deal = record_on(table, phones[0])
    for phone in phones[1:]:
        actions.confirm_row(TarotSheet, row=deal, by=phone)
    before = waiting_at(table)
    other = TableFactory(round=table.round)
    one, two = phones[0].player, other.seats.order_by("place")[0].player

    table.round.refresh_from_db()
    actions.change_seats(
        TarotSheet,
        this_round=table.round,
        wish=Wish(kind=Kind.SWAP, one=one.pk, other=two.pk),
        by=director,
        typed=f"{one.name}",
    )

    assert (before, waiting_at(table)) == (0, 1)


def test_a_round_that_was_closed_before_is_not_asked_about_again(table, phones, event, director):
    ask(event, POLICY.NOBODY)
    record_on(table, phones[0])
    close(table, director)

    actions.change_confirmation(TarotSheet, event=event, confirmation=POLICY.ALL_SEATS, by=director)

    assert waiting_at(table) == 0


# The end of a round, and what is drawn from it


def test_a_round_stays_open_while_a_row_waits_for_its_confirmation(table, phones, director):
    deal = record_on(table, phones[0])

    refusal = refusal_of(table, director)
    actions.confirm_row(TarotSheet, row=deal, by=phones[1])

    assert (codes(refusal), refusal.tables) == (["not_confirmed"], [1])
    assert "sheet of table 1 is not confirmed" in refusal.messages[0]
    assert close(table, director).state == "closed"


def test_where_nobody_has_to_agree_a_round_closes_as_before(table, phones, event, director):
    ask(event, POLICY.NOBODY)
    record_on(table, phones[0])

    assert close(table, director).state == "closed"


def test_the_director_lets_tables_pass_by_name_and_the_journal_says_which(
    table, phones, event, director
):
    other = TableFactory(round=table.round, deals_planned=1)
    for at, by in ((table, phones[0]), (other, phones_at(other)[0])):
        record_on(at, by)

    assert refusal_of(table, director, without=[1]).tables == [2]
    close(table, director, without=[1, 2])

    line, sentence = with_sentences(event.journal.filter(kind="round_closed"))[0]
    assert sentence == (
        "Closed round 1. Let tables 1, 2 count although their sheets were not confirmed."
    )
    assert (line.actor, line.details["unconfirmed"]) == (director, [1, 2])


def test_nothing_is_drawn_from_a_ranking_that_waits_for_a_word(table, phones, event, director):
    record_on(table, phones[0])
    with pytest.raises(Conflict, match="Close it before you draw"):
        tournament_actions.draw_round(event=event, by=director)

    close(table, director, without=[1])

    assert tournament_actions.draw_round(event=event, by=director).number == 2


def test_missing_deals_are_given_up_table_by_table_where_players_agree(table, phones, director):
    table.deals_planned = 2
    table.save()
    deal = record_on(table, phones[0])
    actions.confirm_row(TarotSheet, row=deal, by=phones[1])

    assert codes(refusal_of(table, director)) == ["deals_missing"]
    assert close(table, director, without=[1]).state == "closed"


def test_all_that_is_the_matter_at_a_table_is_named_once_on_one_line(
    table, phones, event, director
):
    """Two tables with the same troubles share a line; one with another has its own."""
    for number in (2, 3):
        other = TableFactory(round=table.round, number=number, deals_planned=3)
        record_on(other, phones_at(other)[0])
    Table.objects.update(deals_planned=3)
    said = record_on(table, phones[0])
    actions.object_to_row(TarotSheet, row=said, by=phones[1], note="51 points")
    bad = TableFactory(round=table.round, number=4, deals_planned=1)
    record_on(bad, phones_at(bad)[0])

    refusal = refusal_of(table, director)
    first_of_all = refusal_of(table, director, without=[2, 3])
    bad.seats.filter(place=1).update(points=F("points") + 10)
    wrong = refusal_of(table, director, without=[1, 2, 3, 4])
    other.seats.filter(place=1).update(points=F("points") + 10)
    two_wrong = refusal_of(table, director, without=[1, 2, 3, 4])

    assert refusal.messages == [
        "Table 1: deals are missing, not confirmed by the players, a player objects.",
        "Tables 2, 3: deals are missing, not confirmed by the players.",
        "The sheet of table 4 is not confirmed by its players.",
    ]
    assert (refusal.tables, first_of_all.tables) == ([1, 2, 3, 4], [1, 4])
    assert wrong.messages == ["The sheet of table 4 adds up to +10: correct it first."]
    assert two_wrong.messages == ["Tables 3, 4: the sheet adds up to +10."]


def test_where_nobody_has_to_agree_all_troubles_are_named_too(table, phones, event, director):
    ask(event, POLICY.NOBODY)
    Table.objects.update(deals_planned=2)
    deal = record_on(table, phones[0])
    TableFactory(round=table.round, number=2)
    actions.object_to_row(TarotSheet, row=deal, by=phones[1], note="51 points")

    refusal = refusal_of(table, director)
    only_disputed = refusal_of(table, director, without_missing=True)

    assert refusal.messages == [
        "Table 1: deals are missing, a player objects.",
        "Deals are missing on the sheet of table 2.",
    ]
    assert codes(only_disputed) == ["objection_open"]


def test_doing_without_missing_deals_lets_no_unconfirmed_row_pass(table, phones, director):
    table.deals_planned = 2
    table.save()
    record_on(table, phones[0])

    assert codes(refusal_of(table, director, without_missing=True)) == ["not_confirmed"]


def test_the_evening_does_not_end_over_unconfirmed_rows(table, phones, event, director):
    record_on(table, phones[0])

    with pytest.raises(ValidationError, match="sheet of table 1 is not confirmed"):
        actions.close_event(event=event, by=director, without_missing=True)

    close(table, director, without=[1])
    assert actions.close_event(event=event, by=director).is_closed


def test_a_disputed_table_passes_by_name_and_the_objection_stays(table, phones, event, director):
    event.kind = Event.Kind.TOURNAMENT
    event.save()
    deal = record_on(table, phones[0])
    actions.object_to_row(TarotSheet, row=deal, by=phones[1], note="51 points")

    refusal = refusal_of(table, director)
    close(table, director, without=[1])

    assert refusal.messages == ["Table 1: not signed, a player objects."]
    assert [sheet.has_objection for sheet in results.unsettled_sheets(event)] == [True]
    _line, sentence = with_sentences(event.journal.filter(kind="round_closed"))[0]
    assert "Let table 1 count although a player objected." in sentence


def test_where_nobody_has_to_agree_an_objection_is_settled_first(table, phones, event, director):
    ask(event, POLICY.NOBODY)
    deal = record_on(table, phones[0])
    actions.object_to_row(TarotSheet, row=deal, by=phones[1], note="51 points")

    assert codes(refusal_of(table, director, without=[1])) == ["objection_open"]


def test_the_tables_page_offers_each_table_that_is_not_ready(table, phones, event, director_client):
    other = TableFactory(round=table.round, deals_planned=1)
    for at, by in ((table, phones[0]), (other, phones_at(other)[0])):
        record_on(at, by)
    address, sent = reverse("close-round", args=[event.pk]), {"round": table.round.pk}

    first = director_client.post(address, sent)
    second = director_client.post(address, sent | {"without": ["1"]})
    third = director_client.post(address, sent | {"without": ["1", "2"]})

    assert (first.status_code, second.status_code, third.status_code) == (422, 422, 302)
    assert 'value="1"><span>Close table 1 as it stands' in first.text
    # What was chosen before is still chosen.
    assert 'value="1" checked><span>Close table 1 as it stands' in second.text
    assert 'value="2"><span>Close table 2 as it stands' in second.text
    table.round.refresh_from_db()
    assert table.round.state == "closed"


# Results of fixtures


@pytest.fixture
def fixture(club) -> Fixture:
    """A semifinal that is called to its table, with a game of each of its two needed written."""
    event = planned(club, "groups_knockout")
    tournament_actions.remove_fixture_stage(stage=stages_with_fixtures(event)[0], by=None)
    with_sides(event, 4)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=4821)
    tournament_actions.call_fixtures(
        event=event, chosen=list(stage.fixtures.values_list("pk", flat=True)), by=None
    )
    return stage.fixtures.get(code="W1-1")


def play_and_sign(fixture: Fixture) -> tuple[Table, list[Phone]]:
    table = fixture.table
    phones = phones_at(table)
    record(table, phones[0], game(12, 8), game(12, 10))
    for phone in phones[:2]:
        actions.confirm_sheet(TrucoSheet, table=table, by=phone)
    return Table.objects.get(pk=table.pk), phones


def finalist(fixture: Fixture) -> int | None:
    return fixture.stage.fixtures.get(code="F1-1").home_id


def test_an_objection_to_a_signed_sheet_takes_its_side_out_of_the_final(fixture):
    table, phones = play_and_sign(fixture)
    before = finalist(fixture)

    last = table.truco_lines.standing().last()
    actions.object_to_row(TrucoSheet, row=last, by=phones[1], note="we had won it")

    table.refresh_from_db()
    assert before == fixture.home_id
    assert (finalist(fixture), table.signed_at, table.objections) == (None, None, 1)


def test_a_settled_objection_leads_on_once_the_sheet_is_signed_again(fixture, director):
    table, phones = play_and_sign(fixture)
    last = table.truco_lines.standing().last()
    said = actions.object_to_row(TrucoSheet, row=last, by=phones[1], note="we had won it")

    actions.settle_objection(objection=said, by=director)
    actions.sign_sheet(table=table, by=director)

    assert finalist(fixture) == fixture.home_id


def test_an_objection_after_others_have_played_on_is_told_and_undoes_nothing(fixture):
    table, phones = play_and_sign(fixture)
    other = fixture.stage.fixtures.get(code="W1-2")
    for code in (other.code, "F1-1"):
        actions.decide_fixture(
            fixture=fixture.stage.fixtures.get(code=code),
            by=None,
            ending="walkover",
            winner="home",
        )

    last = table.truco_lines.standing().last()
    actions.object_to_row(TrucoSheet, row=last, by=phones[1], note="we had won it")

    table.refresh_from_db()
    assert (table.objections, table.signed_at is None) == (1, False)


def test_where_nobody_has_to_agree_an_objection_leaves_the_signature(table, phones, event):
    ask(event, POLICY.NOBODY)
    deal = record_on(table, phones[0])
    actions.confirm_sheet(TarotSheet, table=table, by=phones[0])

    actions.object_to_row(TarotSheet, row=deal, by=phones[1], note="51 points")

    table.refresh_from_db()
    assert table.signed_at is not None


# Wherever totals are shown

SAID = "1 row is not confirmed: round 1, table 1"


@pytest.mark.parametrize("page", ["event", "standings", "projector", "results"])
def test_every_page_with_totals_says_what_is_not_confirmed(
    table, phones, event, director_client, page
):
    deal = record_on(table, phones[0])
    tasks.refresh_standings(event.pk)
    address = reverse(page, args=[event.pk])
    before = director_client.get(address).text

    actions.confirm_row(TarotSheet, row=deal, by=phones[1])

    assert SAID in before
    assert "not confirmed" not in director_client.get(address).text


def test_the_screen_with_standings_says_it_too(table, phones, event, director_client):
    record_on(table, phones[0])

    assert SAID in director_client.get(reverse("standings", args=[event.pk]) + "?projector").text


@pytest.mark.parametrize("page", ["tables", "floor"])
def test_the_directors_pages_say_it_at_the_table(table, phones, event, director_client, page):
    record_on(table, phones[0])

    page = director_client.get(reverse(page, args=[event.pk])).text

    assert "1 row is not confirmed yet" in page


@pytest.mark.parametrize("page", ["standings", "projector", "tables", "floor"])
def test_a_page_that_stands_open_hears_of_a_confirmation(
    table, phones, event, director_client, page
):
    deal = record_on(table, phones[0])
    address = reverse(page, args=[event.pk]) + ("?round=1" if page == "tables" else "")
    seen = director_client.get(address, headers=PART)
    again = PART | {"If-None-Match": seen["ETag"]}
    unchanged = director_client.get(address, headers=again).status_code

    actions.confirm_row(TarotSheet, row=deal, by=phones[1])

    assert (unchanged, director_client.get(address, headers=again).status_code) == (304, 200)


def test_tables_are_named_in_the_order_of_their_rounds_and_many_are_counted(event):
    for tables in (2, 9):
        this_round = RoundFactory(event=event, closed=tables == 2)
        for _ in range(tables):
            TableFactory(round=this_round, unconfirmed=3)

    fresh = freshness.of_event(event)

    assert fresh.rows_unconfirmed == 33
    assert fresh.unconfirmed_where == "round 1, tables 1, 2; round 2, 9 tables"


def test_saying_it_costs_one_query_for_any_hall(event, django_assert_num_queries):
    this_round = RoundFactory(event=event)
    for count in (1, 4):
        TableFactory.create_batch(count, round=this_round, unconfirmed=1)
        with django_assert_num_queries(2):
            freshness.of_event(event)


# On the phone


def test_the_word_beside_the_last_row_follows_what_the_others_say(table, phones, event):
    ask(event, POLICY.ALL_SEATS)
    deal = record_on(table, phones[0])
    author = client_with(phones[0])
    address = reverse("agreement", args=[table.pk, deal.pk])
    entry = author.get(reverse("record-deal", args=[table.pk])).text
    seen = author.get(address, headers=PART)
    again = PART | {"If-None-Match": seen["ETag"]}
    unchanged = author.get(address, headers=again).status_code

    for phone in phones[1:]:
        actions.confirm_row(TarotSheet, row=deal, by=phone)
    confirmed = author.get(address, headers=again)
    actions.object_to_row(TarotSheet, row=deal, by=phones[1], note="51 points")

    assert f'hx-get="{address}"' in entry
    assert ("Not confirmed" in seen.text, unchanged) == (True, 304)
    assert "Not confirmed" not in confirmed.text
    assert "Confirmed" in confirmed.text
    assert "Disputed" in author.get(address, headers=PART).text


def test_the_word_beside_a_hand_of_truco_follows_too(season):
    table = truco_table(season)
    ask(table.event, POLICY.OTHER_SIDE)
    Event.objects.update(starts_at=timezone.now())
    phones = phones_at(table)
    line = record(table, phones[0], hand("a", 3))

    entry = client_with(phones[0]).get(reverse("record-deal", args=[table.pk])).text

    assert 'id="agreed"' in entry
    assert f'hx-get="{reverse("agreement", args=[table.pk, line.pk])}"' in entry


def test_a_row_that_was_corrected_since_is_looked_at_on_the_sheet(table, phones):
    deal = record_on(table, phones[0])
    actions.correct_tarot_deal(
        deal=deal,
        corrected=garde(table, points=51),
        entry_key="7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a",
        taker=table.seats.order_by("place")[0],
        by=phones[1],
    )

    address = reverse("agreement", args=[table.pk, deal.pk])

    assert "Changed since" in client_with(phones[0]).get(address, headers=PART).text


def test_an_objection_reaches_a_floor_that_stands_open(table, phones, event, director_client):
    deal = record_on(table, phones[0])
    address = reverse("floor", args=[event.pk])
    again = PART | {"If-None-Match": director_client.get(address, headers=PART)["ETag"]}

    client_with(phones[1]).post(
        reverse("object-to-deal", args=[table.pk, deal.pk]),
        {"note": "51 points", "taker": table.seats.order_by("place")[0].pk, "contract": "garde",
         "bouts": "2", "points": "51", "side": "attack", "number": 1, "version": 1,
         "entry_key": "7a4c56a5-25a7-4fb1-b4cb-6d7adf4b4d1a"},
    )  # fmt: skip

    assert "Objection" in director_client.get(address, headers=again).text


def test_the_floor_tells_the_last_entry_only_where_something_was_entered(
    table, phones, event, director_client
):
    address = reverse("floor", args=[event.pk])
    before = director_client.get(address).text

    record_on(table, phones[0])

    assert "just now" not in before
    assert "just now" in director_client.get(address).text
