from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from clubs.models import Season
from rules_engine import tarot
from rules_engine.errors import RulesError
from tests.factories import ClubFactory, EventFactory, RoundFactory, SeasonFactory, TableFactory
from tournaments import actions
from tournaments.actions.events import Changes
from tournaments.forms import PRESETS
from tournaments.models import Event
from tournaments.rules import Conflict

THURSDAY = datetime(2026, 12, 3, 19, 15, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def plan(club, **more):
    return actions.create_event(
        **{"club": club, "starts_at": THURSDAY, "deals_per_round": 4, "by": None} | more
    )


def test_an_evening_needs_a_time_the_deals_of_a_round_and_what_to_do_with_leftovers(club, season):
    evening = actions.create_event(
        club=club,
        starts_at=THURSDAY,
        deals_per_round=4,
        leftovers=Event.Leftovers.SIT_OUT,
        by=None,
    )

    assert (evening.season, evening.state, evening.leftovers) == (season, "check_in", "sit_out")
    assert evening.name == "Club night"


def test_the_season_is_the_one_that_holds_the_date(club):
    SeasonFactory(club=club, starts_on=date(2025, 9, 1), ends_on=date(2026, 8, 31))
    this_year = SeasonFactory(club=club, starts_on=date(2026, 9, 1), ends_on=date(2027, 8, 31))

    assert plan(club).season == this_year


def test_a_club_without_a_season_gets_one_from_september_to_august(club):
    season = plan(club).season

    assert (season.name, season.starts_on, season.ends_on) == (
        "2026–27",
        date(2026, 9, 1),
        date(2027, 8, 31),
    )
    assert season.publication == club.publication


def test_a_new_season_keeps_clear_of_its_neighbours(club):
    SeasonFactory(club=club, starts_on=date(2026, 1, 1), ends_on=date(2026, 10, 31))
    SeasonFactory(club=club, name="2026–27", starts_on=date(2027, 1, 1), ends_on=date(2027, 12, 31))

    season = plan(club).season

    assert (season.starts_on, season.ends_on) == (date(2026, 11, 1), date(2026, 12, 31))
    assert season.name == "2026–27 (2)"


def test_the_same_page_sent_twice_is_one_evening(club):
    key = uuid.uuid4()

    assert plan(club, entry_key=key) == plan(club, entry_key=key)
    assert Event.objects.count() == 1
    assert Season.objects.count() == 1


def test_the_key_of_another_club_s_evening_opens_nothing(club):
    key = plan(ClubFactory()).entry_key

    with pytest.raises(ValidationError) as refusal:
        plan(club, entry_key=key)

    assert refusal.value.code == "entry_key_taken"


def test_the_same_page_with_another_date_is_not_taken_for_the_first_evening(club):
    first = plan(club)

    with pytest.raises(ValidationError) as refusal:
        plan(club, entry_key=first.entry_key, starts_at=THURSDAY + timedelta(days=7))

    assert refusal.value.code == "entry_key_taken"


@pytest.mark.parametrize("deals", [0, 51])
def test_a_round_has_between_1_and_50_deals(club, deals):
    with pytest.raises(ValidationError):
        plan(club, deals_per_round=deals)

    assert not Event.objects.exists()


def test_the_evening_keeps_a_copy_of_the_house_rules(club):
    evening = plan(club, preset="pousse")

    assert tarot.Ruleset.from_json(evening.ruleset) == tarot.ruleset("pousse")


def test_unknown_house_rules_are_refused(club):
    with pytest.raises(RulesError):
        plan(club, preset="belote")


def test_the_form_offers_only_house_rules_that_the_engine_knows():
    assert set(PRESETS) <= set(tarot.PRESETS)


def test_planning_is_written_into_the_journal(club, owner):
    evening = plan(club, by=owner)

    assert list(evening.journal.values_list("kind", "actor")) == [("created", owner.pk)]


def test_only_what_is_given_changes(club):
    evening = plan(club, title="Galette", place="Salle Sainte-Anne")

    changed = actions.change_event(event=evening, by=None, title="Galette des rois")

    assert (changed.title, changed.place) == ("Galette des rois", "Salle Sainte-Anne")
    assert changed.journal.first().details == {"fields": ["title"]}


@pytest.mark.parametrize("asked", Changes.__annotations__)
def test_whatever_may_be_asked_of_a_plan_is_compared_with_what_it_says(club, asked):
    evening = plan(club)
    rules = {"preset": "fft", "seats": evening.ruleset.get("players")}
    as_it_is = rules[asked] if asked in rules else getattr(evening, asked)

    actions.change_event(event=evening, by=None, **{asked: as_it_is})

    assert [line.kind for line in evening.journal.all()] == ["created"]


@pytest.mark.parametrize("who", Event.Confirmation.values)
def test_who_confirms_what_was_entered_can_be_chosen(club, who):
    changed = actions.change_event(event=plan(club), by=None, confirmation=who)

    assert changed.confirmation == who


def test_changing_nothing_leaves_no_trace(club):
    evening = plan(club, title="Galette")

    actions.change_event(event=evening, by=None, title="Galette")

    assert [line.kind for line in evening.journal.all()] == ["created"]


def test_another_date_may_be_another_season(club, season):
    evening = plan(club)

    changed = actions.change_event(
        event=evening, by=None, starts_at=datetime(2027, 9, 9, 18, tzinfo=UTC)
    )

    assert changed.season.name == "2027–28"


def test_other_rules_can_be_chosen_before_the_first_round(club):
    changed = actions.change_event(event=plan(club), by=None, preset="pousse")

    assert changed.ruleset["name"] == "pousse"


def test_another_number_of_deals_holds_for_tables_not_yet_published(club):
    evening = plan(club)
    played = TableFactory(round=RoundFactory(event=evening, closed=True), deals_planned=4)
    drawn = TableFactory(round=RoundFactory(event=evening, drawn=True), deals_planned=4)

    actions.change_event(event=evening, by=None, deals_per_round=6)

    played.refresh_from_db()
    drawn.refresh_from_db()
    assert (played.deals_planned, drawn.deals_planned) == (4, 6)


def test_the_rules_stay_once_a_round_was_published(club):
    evening = plan(club)
    RoundFactory(event=evening)

    with pytest.raises(Conflict) as refusal:
        actions.change_event(event=evening, by=None, preset="pousse")

    assert refusal.value.code == "rules_in_use"


def test_of_a_closed_evening_only_the_words_change(season):
    evening = EventFactory(season=season, closed=True)

    actions.change_event(event=evening, by=None, title="Galette", publication="public")
    with pytest.raises(Conflict) as refusal:
        actions.change_event(event=evening, by=None, leftovers="fives")

    evening.refresh_from_db()
    assert refusal.value.code == "evening_closed"
    assert (evening.title, evening.leftovers) == ("Galette", "threes")
