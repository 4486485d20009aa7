"""Equals at the last place of a final are never parted by their number."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from tests.factories import EventFactory
from tests.tournaments.desk import enter
from tournaments import actions
from tournaments.checking import check_event
from tournaments.journal import with_sentences
from tournaments.models import Entry, Event, JournalLine, Placement, Stage
from tournaments.reasons import sentences
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(season) -> Event:
    """Twenty have played one round; places 11 to 14 of the final of 12 are one place."""
    event = EventFactory(season=season, kind=Event.Kind.TOURNAMENT)
    Stage.objects.create(
        event=event, number=1, rounds_planned=1, deals_per_round=4, placement=Placement.FFT
    )
    Stage.objects.create(
        event=event, number=2, rounds_planned=1, deals_per_round=4, name="the final",
        placement=Placement.FINAL, qualifiers=12,
    )  # fmt: skip
    enter(event, 20)
    started = actions.publish_round(proposal=actions.place_round(event=event, by=None), by=None)
    actions.close_round(this_round=started, by=None, without=range(1, 6))
    for number in range(1, 21):
        event.entries.filter(number=number).update(place=11 if 11 <= number <= 14 else number)
    return event


def players(event: Event, *numbers: int) -> list[int]:
    entries = Entry.objects.filter(event=event, number__in=numbers)
    return sorted(entries.values_list("entry_players__player", flat=True))


def finalists(event: Event) -> set[int]:
    return set(event.rounds.get(number=2).seats.values_list("entry__number", flat=True))


def test_the_draw_names_those_who_are_equal_and_waits_for_a_decision(tournament):
    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.code == "equal_at_the_cut"
    said = refusal.value.messages[0]
    assert "Joueur n010 Zed, Joueur n011 Zed, Joueur n012 Zed, Joueur n013 Zed" in said
    assert "and 2 go on: let an extra deal or the lot decide" in said
    assert not tournament.rounds.filter(number=2).exists()


def test_the_winners_of_an_extra_deal_play_the_final(tournament, director):
    equal = players(tournament, 11, 12, 13, 14)

    actions.choose_at_the_cut(
        event=tournament, by=director, equal=equal, through=players(tournament, 12, 14)
    )
    drawn = actions.place_round(event=tournament, by=director)

    assert finalists(tournament) == {*range(1, 11), 12, 14}
    assert any("go on after an extra deal" in said for said in sentences(drawn.reasons))
    assert all(finding.is_sound for finding in check_event(tournament))


def test_the_lot_is_drawn_once_and_can_be_drawn_again_from_its_seed(tournament, director):
    equal = players(tournament, 11, 12, 13, 14)

    first = actions.draw_lots_at_the_cut(event=tournament, by=director, equal=equal, seed=7)
    second = actions.draw_lots_at_the_cut(event=tournament, by=director, equal=equal)
    drawn = actions.place_round(event=tournament, by=director)
    again = actions.place_round(event=tournament, by=director)

    assert first == second
    assert tournament.journal.filter(kind=JournalLine.Kind.CUT_DECIDED).count() == 1
    assert any("by lot (seed 7)" in said for said in sentences(again.reasons))
    assert set(first) <= set(again.seats.values_list("player", flat=True))
    assert drawn.number == again.number


def test_the_journal_keeps_who_decided_and_how(tournament, director):
    actions.draw_lots_at_the_cut(
        event=tournament, by=director, equal=players(tournament, 11, 12, 13, 14), seed=7
    )

    (line,) = tournament.journal.filter(kind=JournalLine.Kind.CUT_DECIDED)
    ((_, said),) = with_sentences([line])

    assert line.actor == director
    assert said.startswith("Equal at the last place of stage 2, by lot, seed 7: Joueur n01")


@pytest.mark.parametrize("numbers", [(), (12,), (12, 13, 14), (1, 12)])
def test_as_many_go_on_as_there_are_places_and_only_of_the_equal(tournament, numbers):
    with pytest.raises(ValidationError) as refusal:
        actions.choose_at_the_cut(
            event=tournament, by=None, equal=players(tournament, 11, 12, 13, 14),
            through=players(tournament, *numbers),
        )  # fmt: skip

    assert refusal.value.code == "not_so_many"


def test_a_decision_lapses_when_others_are_equal(tournament):
    actions.choose_at_the_cut(
        event=tournament, by=None, equal=players(tournament, 11, 12, 13, 14),
        through=players(tournament, 12, 14),
    )  # fmt: skip
    tournament.entries.filter(number=14).update(place=20)

    with pytest.raises(ValidationError) as refusal:
        actions.place_round(event=tournament, by=None)

    assert refusal.value.code == "equal_at_the_cut"


def test_a_page_from_before_the_ranking_changed_is_told_so(tournament):
    equal = players(tournament, 11, 12, 13, 14)
    tournament.entries.filter(number=14).update(place=20)

    with pytest.raises(Conflict):
        actions.draw_lots_at_the_cut(event=tournament, by=None, equal=equal)


def test_whoever_is_equal_and_away_leaves_the_places_to_the_others(tournament):
    for number in (12, 13):
        actions.check_out_entry(entry=tournament.entries.get(number=number), by=None)

    actions.place_round(event=tournament, by=None)

    assert finalists(tournament) == {*range(1, 12), 14}


def test_the_tie_breaks_of_the_event_decide_before_anybody_is_asked(tournament):
    for number in range(11, 15):
        tournament.entries.filter(number=number).update(place=number)

    actions.place_round(event=tournament, by=None)

    assert finalists(tournament) == set(range(1, 13))


def test_the_page_asks_and_takes_the_answer(director_client, tournament):
    page = director_client.get(reverse("draw", args=[tournament.pk])).text
    address = reverse("decide-cut", args=[tournament.pk])
    equal = players(tournament, 11, 12, 13, 14)

    refused = director_client.post(address, {"equal": equal, "through": equal[:1]})
    decided = director_client.post(address, {"equal": equal, "through": equal[:2]}, follow=True)
    director_client.post(reverse("draw-round", args=[tournament.pk]))

    assert "Equal at the last place" in page
    assert (refused.status_code, "Choose 2 of them" in refused.text) == (422, True)
    assert "After an extra deal: Joueur n010 Zed, Joueur n011 Zed." in decided.text
    assert finalists(tournament) == set(range(1, 13))


def test_the_page_draws_lots_and_asks_no_more(director_client, tournament):
    equal = players(tournament, 11, 12, 13, 14)

    page = director_client.post(
        reverse("decide-cut", args=[tournament.pk]), {"equal": equal, "by_lot": "on"}, follow=True
    ).text

    assert "By lot (seed" in page
    assert 'id="draw-lots"' not in page


def test_equal_finalists_are_seeded_by_number_and_it_is_said(tournament):
    for number in range(11, 15):
        tournament.entries.filter(number=number).update(place=number)
    tournament.entries.filter(number=2).update(place=1)

    drawn = actions.place_round(event=tournament, by=None)

    assert (
        "2 players with equal points are placed by number: Joueur n000 Zed, Joueur n001 Zed."
        in (sentences(drawn.reasons))
    )
