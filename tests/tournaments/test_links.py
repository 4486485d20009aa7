"""Links that let somebody in without an account, and the phones that joined by them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.factories import EventFactory, JoinLinkFactory, RoundFactory, TableFactory
from tournaments import actions, phones
from tournaments.journal import with_sentences
from tournaments.models import Ended, Entry, Event, JoinLink, JournalLine, Phone
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db

PLAYER, SCORER = JoinLink.Role.PLAYER, JoinLink.Role.SCORER


@pytest.fixture
def table(season):
    event = EventFactory(season=season, running=True, starts_at=timezone.now())
    return TableFactory(round=RoundFactory(event=event))


@pytest.fixture
def event(table) -> Event:
    return table.event


@pytest.fixture
def link(event) -> JoinLink:
    return JoinLinkFactory(event=event, table_number=1)


@pytest.fixture
def players(table) -> list:
    return [seat.player for seat in table.seats.select_related("player").order_by("place")]


def kinds(event: Event) -> list[str]:
    return list(event.journal.order_by("pk").values_list("kind", flat=True))


def test_links_for_table_cards_are_made_once(event, director):
    first = actions.make_links(event=event, role=PLAYER, by=director, tables=[1, 2])

    again = actions.make_links(event=event, role=PLAYER, by=director, tables=[1, 2, 3])

    assert [link.table_number for link in again] == [1, 2, 3]
    assert again[:2] == first
    assert len({link.code for link in again}) == 3
    assert kinds(event) == ["link_made", "link_made"]


def test_a_link_that_ran_out_is_made_anew(event, director):
    (old,) = actions.make_links(event=event, role=SCORER, by=director)

    (new,) = actions.make_links(
        event=event, role=SCORER, by=director, at=old.expires_at + timedelta(seconds=1)
    )

    assert new.pk != old.pk
    assert new.is_good(old.expires_at)


def test_a_renewed_link_has_another_address_and_code(link, director):
    new = actions.renew_link(link=link, by=director)

    link.refresh_from_db()
    assert link.ended(timezone.now()) == Ended.REVOKED
    assert new.table_number == link.table_number
    assert (new.code, phones.address_of(new)) != (link.code, phones.address_of(link))


def test_pressing_renew_twice_makes_one_link(link, director):
    first = actions.renew_link(link=link, by=director)

    assert actions.renew_link(link=link, by=director) == first


def test_the_address_of_a_link_leads_to_it_and_no_other_address_does(link):
    address = phones.address_of(link)

    assert phones.link_at(address) == link
    for wrong in (address[:-1] + ("A" if address[-1] != "A" else "B"), "B" + address[1:], "", "é"):
        assert phones.link_at(wrong) is None


def test_an_address_stays_good_while_the_key_of_the_site_is_changed(link, settings):
    address = phones.address_of(link)

    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = settings.SECRET_KEY[::-1]

    assert phones.link_at(address) == link


@pytest.mark.parametrize("written", ["{0}-{1}", "{0} {1}", "{0}{1}", " {0}–{1} "])
def test_a_code_is_read_as_people_write_it(link, written):
    code = written.format(link.code[:3], link.code[3:]).lower()

    assert phones.link_with(code) == link


def test_letters_that_look_alike_are_read_as_the_one_that_is_printed(event):
    link = JoinLinkFactory(event=event, code="LQ2LQ3")

    assert phones.link_with("1o2-i03") == link


def test_a_link_ends_with_its_event(link, event):
    event.state = Event.State.CLOSED

    assert link.ended(timezone.now()) == Ended.CLOSED


# Phones


def test_a_phone_stands_for_a_player_of_the_event(link, players):
    phone = actions.join_as_player(link=link, player=players[2])

    assert phone.player == players[2]
    assert phone.entry.entry_players.get().player == players[2]
    assert kinds(link.event) == ["phone_joined"]


def test_joining_twice_as_the_same_player_is_one_phone(link, players):
    phone = actions.join_as_player(link=link, player=players[0])

    assert actions.join_as_player(link=link, player=players[0], phone=phone) == phone
    assert Phone.objects.count() == 1
    assert kinds(link.event) == ["phone_joined"]


def test_a_seat_that_another_phone_has_is_refused_with_since_when(link, players):
    other = actions.join_as_player(link=link, player=players[0])

    with pytest.raises(Conflict, match="Another phone has had the seat") as refused:
        actions.join_as_player(link=link, player=players[0])

    assert refused.value.params["time"] == timezone.localtime(other.joined_at).strftime("%H:%M")


def test_a_seat_can_be_claimed_and_the_first_holder_learns_it(link, players):
    first = actions.join_as_player(link=link, player=players[0])

    second = actions.join_as_player(link=link, player=players[0], claims=True)

    first.refresh_from_db()
    assert second.player == players[0]
    assert first.ended(timezone.now()) == Ended.REPLACED
    assert first.replaced_by == second
    assert link.event.journal.order_by("pk").last().details["claimed"] is True


def test_the_first_holder_can_take_the_seat_back(link, players):
    first = actions.join_as_player(link=link, player=players[0])
    second = actions.join_as_player(link=link, player=players[0], claims=True)

    first.refresh_from_db()
    back = actions.join_as_player(link=link, player=players[0], phone=first, claims=True)

    second.refresh_from_db()
    assert back.ended(timezone.now()) is None
    assert second.ended(timezone.now()) == Ended.REPLACED


def test_a_phone_of_a_revoked_link_holds_no_seat_up(link, players, director):
    actions.join_as_player(link=link, player=players[0])
    new = actions.renew_link(link=link, by=director)

    phone = actions.join_as_player(link=new, player=players[0])

    assert phone.player == players[0]


def test_who_tapped_the_wrong_name_picks_again(link, players):
    phone = actions.join_as_player(link=link, player=players[0])

    phone = actions.leave_seat(phone=phone)
    assert phone.ended(timezone.now()) == Ended.LEFT
    other = actions.join_as_player(link=link, player=players[1], phone=phone)

    phone.refresh_from_db()
    assert other.player == players[1]
    # What it wrote meanwhile stays the first player's.
    assert phone.player == players[0]
    assert phone.replaced_by == other
    assert actions.join_as_player(link=link, player=players[0]).player == players[0]


def test_nobody_stands_for_a_player_of_another_event(link):
    elsewhere = TableFactory(round__event__season=link.event.season)

    with pytest.raises(ValidationError, match="does not take part"):
        actions.join_as_player(link=link, player=elsewhere.seats.first().player)


def test_the_card_of_a_table_is_for_those_who_sit_there(link, table):
    other = TableFactory(round=table.round, number=2)

    with pytest.raises(Conflict, match="does not sit at table 1"):
        actions.join_as_player(link=link, player=other.seats.first().player)


def test_before_the_table_is_played_at_its_card_is_for_everybody(event, players):
    link = JoinLinkFactory(event=event, table_number=40)

    assert actions.join_as_player(link=link, player=players[0]).player == players[0]


@pytest.mark.parametrize("how", ["revoked", "expired", "closed"])
def test_nobody_joins_by_a_link_that_has_ended(link, players, how):
    at = timezone.now()
    if how == "revoked":
        link.revoked_at = at
    elif how == "expired":
        link.expires_at = at
    else:
        link.event.state = Event.State.CLOSED

    with pytest.raises(Conflict) as refused:
        actions.join_as_player(link=link, player=players[0], at=at)

    assert refused.value.code == how


def test_a_scorer_says_who_he_is(event):
    link = JoinLinkFactory(event=event, role=SCORER)

    with pytest.raises(ValidationError, match="Say who you are"):
        actions.join_as_helper(link=link, name=" \u200b ")

    assert actions.join_as_helper(link=link, name="Marie").is_scorer


def test_a_phone_that_was_sent_off_is_another_one_when_it_joins_again(link, players, director):
    phone = actions.join_as_player(link=link, player=players[0])
    actions.remove_phone(phone=phone, by=director)
    phone.refresh_from_db()

    again = actions.join_as_player(link=link, player=players[0], phone=phone)

    assert phone.ended(timezone.now()) == Ended.REMOVED
    assert again.pk != phone.pk


# Leaving after the round


def test_who_leaves_after_the_round_is_away_when_it_closes(table, director, players):
    entry = table.seats.get(player=players[0]).entry

    actions.leave_after_round(entry=entry, by=director)
    entry.refresh_from_db()
    assert (entry.state, entry.leaves_after) == (Entry.State.PRESENT, 1)
    actions.close_round(this_round=table.round, by=director, without_missing=True)

    entry.refresh_from_db()
    assert (entry.state, entry.leaves_after) == (Entry.State.AWAY, None)
    assert kinds(table.event)[-2:] == ["round_closed", "checked_out"]


def test_who_leaves_a_tournament_has_withdrawn_when_the_round_closes(table, director, players):
    event = table.event
    event.kind = Event.Kind.TOURNAMENT
    event.save()
    entry = table.seats.get(player=players[0]).entry
    actions.leave_after_round(entry=entry, by=director)

    actions.close_round(this_round=table.round, by=director, without=[1])

    entry.refresh_from_db()
    assert entry.state == Entry.State.WITHDRAWN
    assert entry.withdrawn_at is not None


def test_who_stays_after_all_stays(table, director, players):
    entry = table.seats.get(player=players[0]).entry
    actions.leave_after_round(entry=entry, by=director)

    actions.leave_after_round(entry=entry, by=director, leaves=False)
    actions.close_round(this_round=table.round, by=director, without_missing=True)

    entry.refresh_from_db()
    assert entry.state == Entry.State.PRESENT


def test_between_two_rounds_one_leaves_at_once(table, director, players):
    entry = table.seats.get(player=players[0]).entry
    actions.close_round(this_round=table.round, by=director, without_missing=True)
    version = Event.objects.get(pk=table.event.pk).roster_version

    actions.leave_after_round(entry=entry, by=director)

    entry.refresh_from_db()
    assert entry.state == Entry.State.AWAY
    assert Event.objects.get(pk=table.event.pk).roster_version == version + 1


def test_before_a_link_is_taken_back_the_director_reads_how_many_it_shuts_out(
    link, players, director_client
):
    for player in players[:2]:
        actions.join_as_player(link=link, player=player)

    page = director_client.get(f"/evenings/{link.event.pk}/links/").content.decode()

    assert "2 phones have joined by this link: they open nothing any more" in page


def told(event: Event) -> list[str]:
    return [said for _line, said in with_sentences(event.journal.order_by("pk"))]


def test_the_journal_tells_of_all_links_that_were_made_at_once(event, director):
    actions.make_links(event=event, role=PLAYER, by=director, tables=[1])
    actions.make_links(event=event, role=PLAYER, by=director, tables=[1, 2, 3])
    actions.make_links(event=event, role=PLAYER, by=director, tables=[5, 6, 7, 8, 11])

    assert told(event) == [
        "Made a link for the phones of table 1.",
        "Made links for the phones of tables 2, 3.",
        "Made links for the phones of tables 5–8, 11.",
    ]


def test_the_journal_tells_for_whom_a_link_was_made_and_taken_back(event, director):
    made = [
        actions.make_links(event=event, role=role, by=director)[0]
        for role in (PLAYER, SCORER, JoinLink.Role.REFEREE, JoinLink.Role.WALL)
    ]
    (card,) = actions.make_links(event=event, role=PLAYER, by=director, tables=[4])
    for link in (*made, card):
        actions.revoke_link(link=link, by=director)

    assert told(event) == [
        "Made a link for all players.",
        "Made a link for scorers.",
        "Made a link for referees.",
        "Made a link for a screen on the wall.",
        "Made a link for the phones of table 4.",
        "Took the link for all players back.",
        "Took the link for scorers back.",
        "Took the link for referees back.",
        "Took the link for a screen on the wall back.",
        "Took the link of table 4 back.",
    ]


def test_the_journal_tells_of_a_phone_in_a_sentence(link, players, director_client):
    actions.join_as_player(link=link, player=players[0])
    actions.join_as_player(link=link, player=players[0], claims=True)

    page = director_client.get(f"/evenings/{link.event.pk}/journal/").content.decode()

    assert f"A phone took the seat of {players[0].name}." in page
    assert f"A phone took the seat of {players[0].name} from another one." in page
    assert JournalLine.objects.filter(phone__isnull=False).count() == 2


# The director holds a round or a table


def test_a_frozen_round_is_frozen_once_and_let_go(table, director):
    actions.freeze_round(this_round=table.round, by=director)
    actions.freeze_round(this_round=table.round, by=director)
    frozen = actions.unfreeze_round(this_round=table.round, by=director)

    assert frozen.frozen_at is None
    assert kinds(table.event) == ["frozen", "unfrozen"]


def test_a_table_is_taken_over_by_one_director_after_the_other(table, director, owner):
    actions.take_over_table(table=table, by=director)
    taken = actions.take_over_table(table=table, by=owner)

    assert taken.taken_over_by == owner
    assert actions.hand_back_table(table=table, by=director).taken_over_by is None


def test_a_round_does_not_close_over_an_objection(table, director):
    table.objections = 1
    table.save()

    with pytest.raises(ValidationError, match="objects to the sheet"):
        actions.close_round(this_round=table.round, by=director, without_missing=True)
