"""Entering a tournament: names and numbers, the waiting list, coming late, leaving, teams."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.html import escape

from tests.factories import EventFactory, MembershipFactory, PlayerFactory
from tournaments import actions
from tournaments.models import Entry, Event, Placement, Round, Stage
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 3, 12, tzinfo=UTC)
NAMES = (
    "Alice Morel", "Bruno Sainz", "Chantal Oudin", "David Kerloc'h", "Estelle Vidal",
    "Farid Yacine", "Gwen Tanguy", "Hugo Pernet", "Irène Lacaze", "Jules Quemener",
)  # fmt: skip


@pytest.fixture
def tournament(season) -> Event:
    event = EventFactory(season=season, kind=Event.Kind.TOURNAMENT, title="Open")
    Stage.objects.create(
        event=event, number=1, rounds_planned=5, deals_per_round=4, placement=Placement.DRAWN
    )
    return event


@pytest.fixture
def enter(tournament):
    def entering(name: str, **particulars) -> Entry:
        return actions.enter_player(event=tournament, by=None, name=name, **particulars)

    return entering


def refused(order, **how) -> str:
    with pytest.raises(ValidationError) as refusal:
        order(**how)
    error = refusal.value
    if hasattr(error, "error_dict"):
        return next(iter(error.error_dict))
    return error.code


# Numbers and names


def test_entries_get_the_next_number_and_keep_holes(enter):
    enter(NAMES[0])
    enter(NAMES[1], number=40)

    assert enter(NAMES[2]).number == 41


def test_a_number_is_given_once(enter):
    enter(NAMES[0], number=7)

    with pytest.raises(ValidationError, match=r"This number is taken\."):
        enter(NAMES[1], number=7)

    assert Entry.objects.count() == 1


def test_a_player_is_entered_once_however_the_name_is_typed(enter):
    enter("Irène Lacaze")

    with pytest.raises(ValidationError) as refusal:
        enter("irene  LACAZE")

    assert refusal.value.code == "already_entered"


def test_a_name_almost_like_a_known_one_is_asked_about(club, enter):
    PlayerFactory(club=club, name="Alice Morel")

    with pytest.raises(ValidationError) as refusal:
        enter("Alice Morell")

    assert refusal.value.code == "namesakes"
    assert str(enter("Alice Morell", despite_namesakes=True)) == "Alice Morell"


def test_somebody_of_another_club_says_which(enter):
    entry = enter(
        NAMES[0],
        club_name="Tarot Club Dinard",
        licence_number="F-004 812",
        series="2e",
        fee_paid=True,
    )

    entry.refresh_from_db()
    assert (entry.club_name, entry.licence_number, entry.series) == (
        "Tarot Club Dinard", "F-004 812", "2e",
    )  # fmt: skip
    assert entry.fee_paid_at is not None


# The waiting list


def test_beyond_the_places_one_waits_in_the_order_of_the_first_entry(tournament, enter):
    tournament.most_entries = 3
    tournament.save(update_fields=["most_entries"])
    for minute, name in enumerate(NAMES[:5]):
        enter(name, at=NOON + timedelta(minutes=minute))
    fourth, fifth = Entry.objects.filter(state=Entry.State.WAITING).order_by("entered_at")
    # Paying, or being changed, moves nobody up.
    actions.change_entry(entry=fifth, by=None, fee_paid=True)

    actions.withdraw_entry(entry=Entry.objects.get(number=2), by=None)

    fourth.refresh_from_db()
    fifth.refresh_from_db()
    assert (fourth.state, fifth.state) == (Entry.State.ENTERED, Entry.State.WAITING)


def test_who_waits_is_not_checked_in(tournament, enter):
    tournament.most_entries = 3
    tournament.save(update_fields=["most_entries"])
    for name in NAMES[:4]:
        entry = enter(name)

    assert refused(actions.check_in_entry, entry=entry, by=None) == "waiting"


def test_who_leaves_and_comes_back_waits_behind_those_who_have_got_the_place(tournament, enter):
    tournament.most_entries = 3
    tournament.save(update_fields=["most_entries"])
    first, *_ = [enter(name) for name in NAMES[:4]]
    actions.withdraw_entry(entry=first, by=None)

    back = actions.take_back_withdrawal(entry=first, by=None)

    assert back.state == Entry.State.WAITING


# Coming and going


def test_a_changed_roster_makes_an_unpublished_draw_worthless(tournament, enter):
    entries = [enter(name, is_present=True) for name in NAMES[:8]]
    proposal = actions.place_round(event=tournament, by=None)

    actions.withdraw_entry(entry=entries[0], by=None)

    with pytest.raises(Conflict) as refusal:
        actions.publish_round(proposal=proposal, by=None)
    assert refusal.value.code == "roster_changed"


def test_who_enters_and_is_not_here_changes_no_draw(tournament, enter):
    for name in NAMES[:8]:
        enter(name, is_present=True)
    proposal = actions.place_round(event=tournament, by=None)

    enter(NAMES[8])

    assert actions.publish_round(proposal=proposal, by=None).state == Round.State.PLAYING


def test_everybody_who_is_entered_is_marked_present_at_once(tournament, enter):
    entries = [enter(name) for name in NAMES[:4]]
    actions.withdraw_entry(entry=entries[0], by=None)

    assert actions.check_in_everybody(event=tournament, by=None) == 3
    assert actions.check_in_everybody(event=tournament, by=None) == 0


def test_a_replaced_player_does_not_come_back(enter):
    entry = enter(NAMES[0], is_present=True)
    came = actions.replace_entry(entry=entry, by=None, name=NAMES[1])

    assert came.number == 2
    assert refused(actions.take_back_withdrawal, entry=entry, by=None) == "replaced"
    assert refused(actions.replace_entry, entry=entry, by=None, name=NAMES[2]) == "replaced"


def test_leaving_earns_nothing(enter):
    """Who has left and come back has the points that he had."""
    entry = enter(NAMES[0], is_present=True)
    Entry.objects.filter(pk=entry.pk).update(points=120, sheet_points=120)

    actions.withdraw_entry(entry=entry, by=None)
    actions.take_back_withdrawal(entry=entry, by=None)

    entry.refresh_from_db()
    assert entry.points == 120


def test_numbers_and_teams_stay_once_the_first_round_has_started(tournament, enter):
    entries = [enter(name, is_present=True) for name in NAMES[:8]]
    actions.publish_round(proposal=actions.place_round(event=tournament, by=None), by=None)

    assert refused(actions.change_entry, entry=entries[0], by=None, number=99) == "settled"
    assert refused(actions.change_entry, entry=entries[0], by=None, team="A") == "settled"
    assert actions.change_entry(entry=entries[0], by=None, series="1e").series == "1e"


# Teams and pairs


def test_a_team_has_four_players_at_most(enter):
    for name in NAMES[:4]:
        enter(name, team="Les Huniers")

    assert refused(enter, name=NAMES[4], team="Les Huniers") == "team_full"


def test_a_team_without_players_is_gone(tournament, enter):
    entry = enter(NAMES[0], team="Les Huniers")

    actions.change_entry(entry=entry, by=None, team="")

    assert not tournament.teams.exists()


def test_a_pair_is_kept_apart_once_and_may_meet_again(tournament, enter):
    one, other = enter(NAMES[0]), enter(NAMES[1])
    pair = actions.prohibit_pair(event=tournament, one=other, other=one, by=None)

    assert actions.prohibit_pair(event=tournament, one=one, other=other, by=None) == pair
    actions.allow_pair(pair=pair, by=None)
    actions.allow_pair(pair=pair, by=None)
    assert not tournament.prohibited_pairs.exists()
    assert refused(
        actions.prohibit_pair, event=tournament, one=one, other=one, by=None
    ) == "pair_of_two"  # fmt: skip


# The pages


def test_a_name_and_enter_is_an_entry(tournament, scorer_client):
    address = reverse("enter-player", args=[tournament.pk])

    response = scorer_client.post(address, {"name": "Maëlle Raoult", "is_present": "on"})

    assert response.status_code == 302
    entry = Entry.objects.get()
    assert (str(entry), entry.is_present, entry.number) == ("Maëlle Raoult", True, 1)
    page = scorer_client.get(response.url).content.decode()
    assert "Maëlle Raoult is entered as number 1." in page


def test_a_refused_entry_keeps_what_was_typed(tournament, enter, scorer_client):
    enter(NAMES[0], number=5)
    address = reverse("enter-player", args=[tournament.pk])

    response = scorer_client.post(address, {"name": NAMES[1], "number": "5", "series": "3e"})

    assert response.status_code == 422
    page = response.content.decode()
    assert "This number is taken." in page
    assert f'value="{NAMES[1]}"' in page
    assert 'value="3e"' in page


def test_a_press_marks_an_entry_present_and_answers_with_the_row_and_the_count(
    tournament, enter, scorer_client
):
    entry = enter(NAMES[0])
    address = reverse("entry-presence", args=[tournament.pk])

    response = scorer_client.post(address, {"present": entry.pk}, headers={"HX-Request": "true"})

    page = response.content.decode()
    assert page.lstrip().startswith(f'<tr id="entry-{entry.pk}"')
    assert 'id="count-present">1<' in page
    entry.refresh_from_db()
    assert entry.is_present


@pytest.mark.parametrize("count", [1, 6])
def test_the_list_asks_the_database_as_often_for_many_as_for_one(
    tournament, enter, scorer_client, django_assert_num_queries, count
):
    for name in NAMES[:count]:
        enter(name, team=f"Team of {name}"[:30])

    with django_assert_num_queries(21):
        scorer_client.get(reverse("entries", args=[tournament.pk]))


def test_the_entry_page_withdraws_replaces_and_keeps_apart(tournament, enter, director_client):
    one, other = enter(NAMES[0], is_present=True), enter(NAMES[1], is_present=True)

    def post(address: str, **answers):
        return director_client.post(reverse(address, args=[one.pk]), answers)

    assert director_client.get(reverse("entry", args=[one.pk])).status_code == 200
    post("prohibit-pair", other=other.pk)
    assert tournament.prohibited_pairs.count() == 1
    post("withdraw-entry")
    one.refresh_from_db()
    assert one.state == Entry.State.WITHDRAWN
    assert post("replace-entry", name=NAMES[2]).status_code == 302
    assert one.replaced_by.is_present


def test_who_moves_up_and_who_comes_back_is_told_where_he_stands(
    tournament, enter, director_client
):
    tournament.most_entries = 3
    tournament.save(update_fields=["most_entries"])
    first, *_rest, _fourth = [enter(name) for name in NAMES[:4]]

    page = director_client.post(reverse("withdraw-entry", args=[first.pk]), follow=True).text
    assert f"{escape(NAMES[3])} moves up from the waiting list as number 4" in page

    page = director_client.post(reverse("return-entry", args=[first.pk]), follow=True).text
    assert f"Every place is taken: {NAMES[0]} is at place 1 of the waiting list." in page


def test_who_is_seated_is_withdrawn_only_after_a_second_look(tournament, enter, director_client):
    entry, *_ = [enter(name, is_present=True) for name in NAMES[:8]]
    actions.publish_round(proposal=actions.place_round(event=tournament, by=None), by=None)
    address = reverse("withdraw-entry", args=[entry.pk])

    asked = director_client.post(address).text
    entry.refresh_from_db()
    assert entry.is_present
    assert "plays it to its end" in asked
    assert 'name="sure"' in asked

    director_client.post(address, {"sure": "on"})
    entry.refresh_from_db()
    assert entry.state == Entry.State.WITHDRAWN
    page = director_client.post(reverse("return-entry", args=[entry.pk]), follow=True).text
    assert f"{NAMES[0]} is back and plays from the next draw on." in page


def test_what_is_said_about_an_entry_is_changed_on_its_page(tournament, enter, director_client):
    entry = enter(NAMES[0])

    director_client.post(
        reverse("entry", args=[entry.pk]),
        {"number": "12", "series": "1e", "fixed_table": "3", "team": "Les Huniers"},
    )

    entry.refresh_from_db()
    assert (entry.number, entry.series, entry.fixed_table) == (12, "1e", 3)
    assert entry.team.name == "Les Huniers"


def test_half_a_starting_place_is_refused(tournament, enter, director_client):
    entry = enter(NAMES[0])

    response = director_client.post(
        reverse("entry", args=[entry.pk]), {"number": "1", "start_line": "N"}
    )

    assert response.status_code == 422
    assert "A seat and its table are chosen together." in response.content.decode()


def test_the_journal_tells_who_entered_left_and_was_replaced(tournament, enter, director_client):
    entry = enter(NAMES[0], is_present=True)
    actions.change_entry(entry=entry, by=None, licence_number="F-1")
    actions.check_in_everybody(event=tournament, by=None)
    enter(NAMES[1])
    actions.check_in_everybody(event=tournament, by=None)
    actions.replace_entry(entry=entry, by=None, name=NAMES[2])

    page = director_client.get(reverse("journal", args=[tournament.pk])).content.decode()

    assert f"Entered {NAMES[0]} as number 1." in page
    assert f"Changed the entry of {NAMES[0]}: licence number." in page
    assert f"Checked in {NAMES[1]}." in page
    assert f"Replaced a player: {NAMES[0]}, {NAMES[2]}." in page or (
        f"Replaced a player: {NAMES[2]}, {NAMES[0]}." in page
    )


def test_members_of_the_club_are_offered_to_the_one_who_types(club, tournament, scorer_client):
    MembershipFactory(player=PlayerFactory(club=club, name="Yvonne Le Bris"))

    page = scorer_client.get(reverse("entries", args=[tournament.pk])).content.decode()

    assert '<option value="Yvonne Le Bris">' in page


def test_a_player_leaves_by_himself_after_the_round(tournament, enter, member, member_client):
    own = enter("", player=member.players.get(), is_present=True)
    for name in NAMES[:7]:
        enter(name, is_present=True)
    actions.publish_round(proposal=actions.place_round(event=tournament, by=None), by=None)
    address = reverse("leave-event", args=[tournament.pk])
    assert "I leave after this round" in member_client.get(address).content.decode()
    own.refresh_from_db()
    assert own.is_present

    member_client.post(address)

    own.refresh_from_db()
    assert own.state == Entry.State.WITHDRAWN
    assert own.seats.count() == 1
    assert tournament.journal.get(kind="entry_withdrawn").actor == member


def test_who_is_not_entered_has_nothing_to_leave(tournament, enter, member_client):
    enter(NAMES[0])

    response = member_client.post(reverse("leave-event", args=[tournament.pk]))

    assert "You are not entered in this tournament." in response.content.decode()
    assert Entry.objects.get().state == Entry.State.ENTERED
