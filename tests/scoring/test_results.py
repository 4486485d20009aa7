"""Results are provisional, then final; a late correction makes a version with its changes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from scoring import actions, results, tasks
from scoring.actions.results import change_provisional_hours, declare_final, declare_tie_breaks
from scoring.models import SheetEvent, StaleStandings
from tests.factories import PlayerFactory
from tests.scoring import paper
from tournaments import actions as tournament_actions
from tournaments.models import Event, ResultVersion, Ruling, Table


@pytest.fixture
def four(club):
    return [PlayerFactory(club=club, name=f"{letter}.") for letter in "ABCD"]


@pytest.fixture
def tournament(season, four) -> Event:
    """A tournament of one deal that has just ended."""
    event = paper.evening(season, four, kind=Event.Kind.TOURNAMENT, state=Event.State.RUNNING)
    paper.write(paper.sit(event, four)[0], 252, -84, -84, -84)
    end(event)
    return event


def end(event: Event, *, ago: timedelta = timedelta()) -> None:
    Event.objects.filter(pk=event.pk).update(state="closed", closed_at=timezone.now() - ago)
    event.rounds.update(state="closed")
    count(event)
    event.refresh_from_db()


def count(event: Event) -> None:
    StaleStandings.objects.create(event=event)
    tasks.refresh_standings(event.pk)


def versions(event: Event) -> list[tuple[int, str]]:
    return list(event.result_versions.order_by("number").values_list("number", "state"))


def test_the_end_of_a_tournament_makes_provisional_results_for_48_hours(tournament):
    version = results.latest(tournament)

    assert versions(tournament) == [(1, "provisional")]
    assert version.final_from == tournament.closed_at + timedelta(hours=48)
    assert [(line["place"], line["points"]) for line in version.lines] == [
        (1, 252), (2, -84), (2, -84), (2, -84),
    ]  # fmt: skip
    assert version.changes == []


def test_a_club_night_has_no_versions(season, four):
    night = paper.evening(season, four)
    paper.write(paper.sit(night, four)[0], 252, -84, -84, -84)
    end(night)

    assert versions(night) == []


def test_counting_again_without_a_change_makes_no_version(tournament):
    count(tournament)

    assert versions(tournament) == [(1, "provisional")]


def test_a_late_correction_makes_a_new_version_that_says_what_changed(tournament, four):
    ana, bernard, *_ = tournament.entries.order_by("number")
    first = results.latest(tournament)
    table = tournament.rounds.get().tables.get()

    paper.void(table.tarot_deals.get())
    paper.write(table, -120, 40, 40, 40)
    count(tournament)

    assert versions(tournament) == [(1, "provisional"), (2, "provisional")]
    changes = {each["entry"]: each for each in results.latest(tournament).changes}
    assert len(changes) == 4
    assert changes[ana.pk] == {"entry": ana.pk, "points": [252, -120], "place": [1, 4]}
    assert changes[bernard.pk] == {"entry": bernard.pk, "points": [-84, 40], "place": [2, 1]}
    first.refresh_from_db()
    assert first.lines[0]["points"] == 252, "the first version stays as it was published"


def test_a_corrected_result_is_provisional_for_its_hours_again(tournament):
    Event.objects.filter(pk=tournament.pk).update(closed_at=timezone.now() - timedelta(hours=40))
    tournament.result_versions.update(made_at=timezone.now() - timedelta(hours=40))
    paper.write(tournament.rounds.get().tables.get(), 30, -10, -10, -10)
    count(tournament)

    second = results.latest(tournament)
    assert second.final_from == second.made_at + timedelta(hours=48)

    change_provisional_hours(event=tournament, hours=3, by=None)
    second.refresh_from_db()
    assert second.final_from == second.made_at + timedelta(hours=3)


def test_a_correction_of_final_results_is_final_only_on_the_directors_word(tournament):
    declare_final(event=tournament, by=None)
    for _ in range(2):
        paper.write(tournament.rounds.get().tables.get(), 30, -10, -10, -10)
        count(tournament)

    assert versions(tournament) == [
        (1, "provisional"), (2, "final"), (3, "provisional"), (4, "provisional"),
    ]  # fmt: skip
    assert results.latest(tournament).final_from is None
    assert not results.due(timezone.now() + timedelta(days=30)).exists()
    change_provisional_hours(event=tournament, hours=3, by=None)
    assert results.latest(tournament).final_from is None

    declare_final(event=tournament, by=None)

    assert versions(tournament)[-1] == (5, "final")


def test_a_version_says_what_made_it_differ(tournament, director_client, director):
    entry = tournament.entries.first()
    ruling = Ruling.objects.create(
        event=tournament, entry=entry, kind="penalty", fault="smoking", points=30
    )
    count(tournament)
    deal = tournament.rounds.get().tables.get().tarot_deals.get()
    SheetEvent.objects.create(table=deal.table, deal=deal, kind="corrected", actor=director)
    Ruling.objects.filter(pk=ruling.pk).update(withdrawn_at=timezone.now())
    count(tournament)

    causes = results.causes(tournament, list(tournament.result_versions.all()))
    assert [each.ruling for each in causes[2]] == [ruling]
    assert [each.row for each in causes[3]] == [deal, None]
    shown = director_client.get(reverse("results", args=[tournament.pk])).text
    assert "round 1, table 1, line 1: corrected; ruling “" in shown


def test_a_tournament_that_was_opened_and_closed_again_is_provisional_again(tournament):
    declare_final(event=tournament, by=None)
    Event.objects.filter(pk=tournament.pk).update(state="running", closed_at=None)
    count(tournament)
    assert len(versions(tournament)) == 2, "an open tournament has no new results"

    end(tournament)

    assert versions(tournament) == [(1, "provisional"), (2, "final"), (3, "provisional")]


def test_the_sweep_makes_results_final_when_their_time_is_over_and_not_before(tournament):
    tasks.make_results_final(tournament.pk)
    assert versions(tournament) == [(1, "provisional")]

    tournament.result_versions.update(final_from=timezone.now() - timedelta(seconds=1))
    tasks.make_results_final(tournament.pk)
    tasks.make_results_final(tournament.pk)

    assert versions(tournament) == [(1, "provisional"), (2, "final")]
    first, second = tournament.result_versions.order_by("number")
    assert second.lines == first.lines


def test_results_do_not_become_final_while_a_sheet_waits_to_be_counted(tournament):
    tournament.result_versions.update(final_from=timezone.now() - timedelta(seconds=1))
    StaleStandings.objects.create(event=tournament)

    tasks.make_results_final(tournament.pk)

    assert versions(tournament) == [(1, "provisional")]
    with pytest.raises(ValidationError) as refusal:
        declare_final(event=tournament, by=None)
    assert refusal.value.code == "being_counted"


def test_the_sweep_finds_only_what_is_due(tournament, season, four, monkeypatch):
    sent = []
    monkeypatch.setattr(
        tasks.make_results_final, "apply_async", lambda args, **_options: sent.append(args)
    )
    tasks.refresh_stale()
    assert sent == []

    tournament.result_versions.update(final_from=timezone.now() - timedelta(seconds=1))
    tasks.refresh_stale()
    tasks.make_results_final(tournament.pk)
    tasks.refresh_stale()

    assert sent == [(tournament.pk,)]


def test_a_director_declares_the_results_final_once(tournament, director):
    first = declare_final(event=tournament, by=director)
    second = declare_final(event=tournament, by=director)

    assert first == second
    assert (first.state, first.made_by) == (ResultVersion.State.FINAL, director)
    assert tournament.journal.filter(kind="result_final").count() == 1


def test_an_open_tournament_has_nothing_to_declare(season, four, director):
    event = paper.evening(season, four, kind=Event.Kind.TOURNAMENT)

    with pytest.raises(ValidationError) as refusal:
        declare_final(event=event, by=director)

    assert refusal.value.code == "not_closed"


def test_the_provisional_time_may_be_changed_until_the_results_are_final(tournament, director):
    change_provisional_hours(event=tournament, hours=2, by=director)
    assert results.latest(tournament).final_from == tournament.closed_at + timedelta(hours=2)

    declare_final(event=tournament, by=director)
    with pytest.raises(ValidationError) as refusal:
        change_provisional_hours(event=tournament, hours=3, by=director)
    assert refusal.value.code == "final"


def test_tie_breaks_are_declared_before_the_first_deal_only(season, four, tournament, director):
    event = paper.evening(season, four, kind=Event.Kind.TOURNAMENT)

    assert declare_tie_breaks(event=event, codes=["best_round"], by=director).tie_breaks == [
        "best_round"
    ]
    with pytest.raises(ValidationError) as refusal:
        declare_tie_breaks(event=tournament, codes=["best_round"], by=director)
    assert refusal.value.code == "already_played"


def test_a_final_tournament_is_reopened_only_on_the_directors_word(tournament, director_client):
    declare_final(event=tournament, by=None)
    address = f"/evenings/{tournament.pk}/reopen/"

    refused = director_client.post(address)
    tournament.refresh_from_db()
    assert (refused.status_code, tournament.state) == (422, Event.State.CLOSED)
    assert "Reopen the tournament although its results are final" in refused.text

    director_client.post(address, {"although_final": "on"})
    tournament.refresh_from_db()
    assert tournament.state == Event.State.RUNNING


def test_a_provisional_tournament_is_reopened_at_once(tournament, director_client):
    director_client.post(f"/evenings/{tournament.pk}/reopen/")

    tournament.refresh_from_db()
    assert tournament.state == Event.State.RUNNING


@pytest.fixture
def withdrawn(table, record, director) -> Event:
    """A closed tournament in which a deal that was removed is missing once more."""
    event = table.round.event
    Event.objects.filter(pk=event.pk).update(kind=Event.Kind.TOURNAMENT)
    for points in (49, 50, 51, 52):
        record(points=points)
    ruling = actions.record_ruling(
        event=event,
        fault="slow_play",
        kind=Ruling.Kind.DECISION,
        table=table,
        deal_number=5,
        outcome=Ruling.Outcome.REMOVED,
        by=director,
    )
    tournament_actions.sign_sheet(table=table, by=director)
    tournament_actions.close_round(this_round=table.round, by=director)
    end(event)
    actions.withdraw_ruling(ruling=ruling, why="they were in time", by=director)
    count(event)
    return event


def test_a_sheet_that_became_short_after_the_end_is_not_final_without_a_word(withdrawn, director):
    with pytest.raises(ValidationError) as refusal:
        declare_final(event=withdrawn, by=director)
    final = declare_final(event=withdrawn, by=director, without_missing=True)

    assert refusal.value.code == "sheet_short"
    assert "table 1 has 4 of 5 deals" in refusal.value.messages[0]
    assert final.state == ResultVersion.State.FINAL


def test_the_page_names_the_short_sheet_and_asks_the_director(withdrawn, director_client):
    address = reverse("make-final", args=[withdrawn.pk])
    page = director_client.get(reverse("results", args=[withdrawn.pk])).text

    refused = director_client.post(address)
    agreed = director_client.post(address, {"without_missing": "on"}, follow=True)

    assert "Round 1, table 1: 4 of 5 deals" in page
    assert refused.status_code == 422
    assert "The results are final." in agreed.text


def test_a_table_that_was_given_up_at_the_close_stays_given_up(table, record, director):
    event = table.round.event
    Event.objects.filter(pk=event.pk).update(kind=Event.Kind.TOURNAMENT)
    record()
    tournament_actions.close_round(this_round=table.round, by=director, without={1})
    end(event)

    assert declare_final(event=event, by=director).state == ResultVersion.State.FINAL


@pytest.fixture
def signed(table, record, director) -> Table:
    """A signed sheet of a tournament."""
    Event.objects.filter(pk=table.round.event_id).update(kind=Event.Kind.TOURNAMENT)
    for points in (49, 50, 51, 52, 53):
        record(points=points)
    return tournament_actions.sign_sheet(table=table, by=director)


def let_the_time_be_over(event: Event) -> None:
    event.result_versions.update(final_from=timezone.now() - timedelta(seconds=1))


def test_a_short_sheet_keeps_the_results_provisional_when_their_time_is_over(
    withdrawn, director_client
):
    let_the_time_be_over(withdrawn)

    tasks.make_results_final(withdrawn.pk)

    assert results.latest(withdrawn).state == ResultVersion.State.PROVISIONAL
    page = director_client.get(reverse("results", args=[withdrawn.pk])).text
    assert "The results stay provisional, even when their time is over" in page
    event = director_client.get(reverse("event", args=[withdrawn.pk])).text
    assert "not every sheet is settled" in event


@pytest.mark.parametrize(
    ("fault", "said"),
    [({"signed_at": None}, "not signed"), ({"objections": 1}, "a player objects")],
)
def test_a_sheet_that_is_unsigned_or_objected_to_waits_for_the_directors_word(
    signed, director, director_client, fault, said
):
    event, table = signed.round.event, signed
    tournament_actions.close_round(this_round=table.round, by=director)
    end(event)
    Table.objects.filter(pk=table.pk).update(**fault)
    let_the_time_be_over(event)

    tasks.make_results_final(event.pk)

    assert results.latest(event).state == ResultVersion.State.PROVISIONAL
    assert (
        f"Round 1, table 1: {said}" in director_client.get(reverse("results", args=[event.pk])).text
    )
    with pytest.raises(ValidationError) as refusal:
        declare_final(event=event, by=director)
    assert refusal.value.code == "sheet_unsettled"
    assert declare_final(event=event, by=director, without_missing=True).state == "final"


def test_a_table_that_never_signed_and_was_given_up_does_not_hold_the_results_up(signed, director):
    event, table = signed.round.event, signed
    tournament_actions.unsign_sheet(table=table, by=director)
    tournament_actions.close_round(this_round=table.round, by=director, without={1})
    end(event)
    let_the_time_be_over(event)

    tasks.make_results_final(event.pk)

    assert results.latest(event).state == ResultVersion.State.FINAL
