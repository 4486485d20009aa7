from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.models import Player
from tests.factories import EntryFactory, EventFactory, PlayerFactory, SeasonFactory
from tournaments import actions
from tournaments.models import Entry, Event
from tournaments.namesakes import namesakes
from tournaments.roster import people
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


def version(evening):
    return Event.objects.get(pk=evening.pk).roster_version


def test_one_tap_marks_a_player_present(evening, players):
    (odile,) = players(1)

    entry = actions.check_in(event=evening, player=odile, by=None)

    assert (entry.is_present, entry.number, str(entry)) == (True, 1, odile.name)


def test_a_second_tap_changes_nothing(evening, players):
    (odile,) = players(1)

    first = actions.check_in(event=evening, player=odile, by=None)
    second = actions.check_in(event=evening, player=odile, by=None)

    assert first == second
    assert version(evening) == 1
    assert evening.journal.count() == 1


def test_numbers_follow_the_order_of_arrival_and_are_kept(evening, players):
    odile, yves, paulo = players(3)
    for player in (odile, yves):
        actions.check_in(event=evening, player=player, by=None)

    actions.check_out(event=evening, player=odile, by=None)
    third = actions.check_in(event=evening, player=paulo, by=None)
    back = actions.check_in(event=evening, player=odile, by=None)

    assert (third.number, back.number) == (3, 1)


def test_whoever_leaves_keeps_the_entry_and_what_was_played(evening, players):
    (odile,) = players(1)
    actions.check_in(event=evening, player=odile, by=None)

    gone = actions.check_out(event=evening, player=odile, by=None)
    actions.check_out(event=evening, player=odile, by=None)

    assert gone is not None
    assert not gone.is_present
    assert version(evening) == 2
    assert [line.kind for line in evening.journal.all()] == ["checked_out", "checked_in"]


def test_somebody_who_never_came_cannot_leave(evening, players):
    (odile,) = players(1)

    assert actions.check_out(event=evening, player=odile, by=None) is None
    assert version(evening) == 0


def test_a_late_arrival_during_a_round_counts_for_the_next_draw_only(playing, players):
    (late,) = players(1)

    actions.check_in(event=playing.event, player=late, by=None)

    assert playing.seats.count() == 8
    actions.close_round(this_round=playing, by=None, without_missing=True)
    following = actions.draw_round(event=playing.event, by=None)
    assert following.seats.filter(player=late).exists()


def test_a_player_of_another_club_is_refused(evening):
    with pytest.raises(ValidationError) as refusal:
        actions.check_in(event=evening, player=PlayerFactory(), by=None)

    assert refusal.value.code == "another_club"


def test_nobody_comes_to_a_closed_evening(season, players):
    (odile,) = players(1)

    with pytest.raises(Conflict):
        actions.check_in(event=EventFactory(season=season, closed=True), player=odile, by=None)


def test_a_guest_is_made_and_present(evening):
    entry = actions.add_guest(event=evening, name="  Kévin   Riou ", by=None)

    assert str(entry) == "Kévin Riou"
    assert Player.objects.get().sort_name == "kevin riou"


def test_a_guest_who_came_before_is_the_same_player(evening, club):
    known = PlayerFactory(club=club, name="Kévin Riou", archived_at=timezone.now())

    actions.add_guest(event=evening, name="kevin riou", by=None)

    known.refresh_from_db()
    assert Player.objects.count() == 1
    assert known.archived_at is None


def test_a_member_typed_as_a_guest_is_the_member(evening, players):
    (odile,) = players(1)

    entry = actions.add_guest(event=evening, name=odile.name.upper(), by=None)

    assert entry.players.get() == odile


@pytest.mark.parametrize("typed", ["Kevin Rion", "Riou Kévin", "Kévin"])
def test_a_name_that_is_almost_a_known_one_is_asked_about(evening, club, typed):
    known = PlayerFactory(club=club, name="Kévin Riou")

    with pytest.raises(ValidationError) as refusal:
        actions.add_guest(event=evening, name=typed, by=None)

    assert refusal.value.code == "namesakes"
    assert refusal.value.messages == ["The club already knows Kévin Riou. Is it the same person?"]
    assert refusal.value.params["players"] == [known]
    assert Player.objects.count() == 1


def test_a_namesake_who_is_somebody_else_is_added(evening, club):
    PlayerFactory(club=club, name="Kévin Riou")

    actions.add_guest(event=evening, name="Kévin", by=None, despite_namesakes=True)

    assert sorted(Player.objects.values_list("name", flat=True)) == ["Kévin", "Kévin Riou"]


def test_another_name_has_no_namesakes(club):
    PlayerFactory(club=club, name="Kévin Riou")

    assert namesakes(club, "Solange Bréhat") == []


@pytest.mark.parametrize(
    ("known", "typed"),
    [("Guest 001", "Guest 002"), ("Jean D.", "Jean B."), ("Solange", "Solange 2"), ("T1", "T2")],
)
def test_a_number_or_an_initial_tells_two_people_apart(club, known, typed):
    PlayerFactory(club=club, name=known)

    assert namesakes(club, typed) == []


@pytest.mark.parametrize(
    ("known", "typed"),
    [("Farid D'Aubigné", "David D'Aubigné"), ("Léa Montgolfier", "Léo Montgolfier")],
)
def test_a_family_shares_its_name_and_is_not_asked_about(club, known, typed):
    PlayerFactory(club=club, name=known)

    assert namesakes(club, typed) == []


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        ("Éric D'Aubigné", "Erik D'Aubigné"),
        ("Anne Marie Lebreton", "Annemarie Lebreton"),
        ("Kévin Montgolfier", "Kévin Mongolfier"),
    ],
)
def test_another_spelling_of_the_whole_name_is_asked_about(club, known, typed):
    player = PlayerFactory(club=club, name=known)

    assert namesakes(club, typed) == [player]


@pytest.mark.parametrize(
    ("known", "typed"),
    [("Guest 001", "Gest 001"), ("Jean D.", "Jean"), ("Émile Guivarc", "Émile Guivarc'h")],
)
def test_the_same_number_or_none_does_not(club, known, typed):
    player = PlayerFactory(club=club, name=known)

    assert namesakes(club, typed) == [player]


@pytest.mark.parametrize("name", ["", "   ", "\u0301", "x" * 121])
def test_a_name_is_made_of_letters_and_fits(evening, name):
    with pytest.raises(ValidationError):
        actions.add_guest(event=evening, name=name, by=None)

    assert not Player.objects.exists()
    assert not Entry.objects.exists()


def test_the_list_shows_members_and_tonight_s_guests(evening, club, players):
    (odile,) = players(1)
    PlayerFactory(club=club, name="Guest of last week")
    kevin = PlayerFactory(club=club, name="Kévin")
    EntryFactory(event=evening, player=kevin)
    PlayerFactory(name="Somebody of another club")

    assert set(people(evening)) == {odile, kevin}
    assert list(people(evening, only_present=True)) == [kevin]


def test_the_search_finds_former_guests_too(evening, club):
    former = PlayerFactory(club=club, name="Émile Guivarc’h")

    assert list(people(evening, words="emile")) == [former]


def test_a_row_says_when_a_player_was_last_seen(club, players):
    season = SeasonFactory(club=club)
    (odile,) = players(1)
    last_week = EventFactory(season=season)
    EntryFactory(event=last_week, player=odile, deals_played=5)
    tonight = EventFactory(season=season, starts_at=last_week.starts_at + timedelta(days=7))

    row = people(tonight, at=tonight.starts_at).get(pk=odile.pk)
    assert row.last_seen == last_week.starts_at


def test_nobody_was_last_seen_on_a_day_to_come(club, players):
    season = SeasonFactory(club=club)
    (odile,) = players(1)
    opened_early = EventFactory(season=season)
    EntryFactory(event=opened_early, player=odile, deals_played=5)
    later = EventFactory(season=season, starts_at=opened_early.starts_at + timedelta(days=7))

    row = people(later, at=opened_early.starts_at - timedelta(days=3)).get(pk=odile.pk)

    assert row.last_seen is None


def test_nobody_is_asked_about_one_who_is_here_already(evening, club):
    actions.add_guest(event=evening, name="Alice Morel", by=None)

    entry = actions.add_guest(event=evening, name="Alice Morell", by=None)

    assert entry.players.get().name == "Alice Morell"


def test_short_names_that_begin_otherwise_are_two_names(club):
    PlayerFactory(club=club, name="Joël Kermarrec")

    assert namesakes(club, "Noël Kermarrec") == []
