"""Fixtures one by one: drawn, called, decided at the table or without it, taken back."""

from __future__ import annotations

import random
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from scoring import actions, tasks
from scoring.models import StaleStandings, TrucoLine
from scoring.rules.truco import Entered
from tests.factories import PlayerFactory
from tests.tournaments.championships import decide, planned, play, scores_for, with_sides
from tournaments import actions as plain
from tournaments.meetings import meetings_of, result_of, settings_of, stages_with_fixtures
from tournaments.models import Entry, EntryPlayer, Event, Fixture, Stage
from tournaments.rules import Conflict

pytestmark = pytest.mark.django_db

PLAYED = {"ending": "played", "winner": "home", "scores": [(12, 3), (12, 7)]}


@pytest.fixture
def knockout(club) -> Event:
    """Four pairs in a knockout, best of three from the first round on."""
    event = planned(club, "groups_knockout")
    plain.remove_fixture_stage(stage=stages_with_fixtures(event)[0], by=None)
    return with_sides(event, 4)


@pytest.fixture
def drawn(knockout) -> Stage:
    return actions.draw_fixtures(stage=stages_with_fixtures(knockout)[0], by=None, seed=4821)


def fixture_of(stage: Stage, code: str) -> Fixture:
    return stage.fixtures.get(code=code)


def decided(stage: Stage, code: str, **more) -> Fixture:
    return actions.decide_fixture(fixture=fixture_of(stage, code), by=None, **(PLAYED | more))


def call(stage: Stage, *codes: str):
    chosen = stage.fixtures.filter(code__in=codes) if codes else stage.fixtures.all()
    return plain.call_fixtures(
        event=stage.event, chosen=list(chosen.values_list("pk", flat=True)), by=None
    )


# The draw


@pytest.mark.parametrize("count", [0, 1])
def test_one_side_alone_cannot_be_drawn(club, count):
    event = planned(club, "knockout")
    if count:
        with_sides(event, count)

    with pytest.raises(ValidationError, match="Two sides"):
        actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None)


def test_who_has_no_partner_holds_the_draw_up(knockout):
    plain.enter_player(event=knockout, by=None, name="Solo Souza", is_present=True)

    with pytest.raises(ValidationError, match="Solo Souza has no partner"):
        actions.draw_fixtures(stage=stages_with_fixtures(knockout)[0], by=None)


def test_equal_seeds_draw_equally(drawn):
    before = list(drawn.fixtures.values_list("code", "home", "away"))

    again = actions.draw_fixtures(stage=drawn, by=None, seed=4821)

    assert list(again.fixtures.values_list("code", "home", "away")) == before


def test_of_two_directors_who_draw_at_once_one_wins(knockout, director, owner):
    stage = stages_with_fixtures(knockout)[0]
    first = actions.draw_fixtures(stage=stage, by=director, seed=1, instead=-1)

    with pytest.raises(Conflict, match="Somebody else has drawn"):
        actions.draw_fixtures(stage=stage, by=owner, seed=2, instead=-1)

    assert Stage.objects.get(pk=first.pk).seed == 1


def test_a_draw_pressed_twice_is_one_draw(knockout, director):
    stage = stages_with_fixtures(knockout)[0]
    first = actions.draw_fixtures(stage=stage, by=director, instead=-1)

    second = actions.draw_fixtures(stage=stage, by=director, instead=-1)

    assert (second.seed, second.drawn_at) == (first.seed, first.drawn_at)


def test_a_stage_with_a_result_is_not_drawn_again_nor_changed(drawn):
    decided(drawn, "W1-1")

    with pytest.raises(Conflict, match="has a result"):
        actions.draw_fixtures(stage=drawn, by=None)
    with pytest.raises(Conflict, match="has a result"):
        plain.change_fixture_stage(
            stage=drawn, by=None, name="", settings=meetings_of(drawn).settings.but(side_enters=2)
        )


def test_a_stage_is_drawn_once_the_one_before_is_over(club):
    event = with_sides(planned(club, "groups_knockout"), 8)
    groups, knockout = stages_with_fixtures(event)
    actions.draw_fixtures(stage=groups, by=None, seed=1)

    with pytest.raises(ValidationError, match="is not over yet"):
        actions.draw_fixtures(stage=knockout, by=None)


# Called to tables


def test_a_called_fixture_sits_at_a_table_with_the_sides_taking_turns(drawn):
    this_round = call(drawn)

    tables = list(this_round.tables.order_by("number"))
    assert len(tables) == 2
    row = Fixture.objects.get(table=tables[0])
    entries = [seat.entry_id for seat in tables[0].seats.order_by("place")]
    assert entries == [row.home_id, row.away_id, row.home_id, row.away_id]
    assert (tables[0].best_of, tables[0].target, tables[0].players_per_deal) == (3, 12, 4)
    assert row.state == "playing"


def test_calling_twice_calls_once(drawn):
    first = call(drawn)
    second = call(drawn)

    assert first == second
    assert first.tables.count() == 2


def test_a_side_of_a_group_is_called_for_one_fixture_at_a_time(club):
    event = with_sides(planned(club, "groups_knockout"), 4)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=1)

    this_round = call(stage)

    assert this_round.tables.count() == 2
    assert stage.fixtures.filter(state="ready").count() == 4


def test_when_all_is_decided_the_next_call_closes_the_round(drawn):
    first = call(drawn)
    for code in ("W1-1", "W1-2"):
        decided(drawn, code)

    second = call(drawn)

    first.refresh_from_db()
    assert first.state == "closed"
    assert second.number == 2
    assert {table.fixture.code for table in second.tables.all()} == {"F1-1", "T1-1"}


def test_who_still_plays_is_not_called_elsewhere(club):
    event = with_sides(planned(club, "groups_knockout"), 3)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=1)
    call(stage)

    with pytest.raises(Conflict, match="still sit at other tables"):
        call(stage)


# Decided


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"scores": [(12, 3)]}, "not decided"),
        ({"scores": [(12, 3), (12, 4), (12, 5)]}, "too many|more games|not decided"),
        ({"winner": "away"}, "fewer games"),
        ({"winner": ""}, "name the winner"),
        ({"scores": [(12, 3), (9, 7)]}, "target|not decided|games"),
        ({"ending": "rain"}, "how the fixture ended"),
        ({"scores": [(14, 11), (12, 7)]}, "No match to 12 ends 14 to 11"),
        ({"scores": [(12, 3), (23, 5)]}, "No match to 12 ends 23 to 5"),
        ({"scores": [(99, 0), (12, 7)]}, "No match to 12 ends 99 to 0"),
        ({"ending": "cap", "scores": [(12, 3)]}, "no limit of time"),
        ({"ending": "both_absent", "scores": []}, "nobody wins"),
        ({"ending": "both_absent", "winner": "", "scores": [(12, 3)]}, "no score"),
        ({"ending": "abandoned", "winner": "away"}, "other side has won"),
        ({"ending": "abandoned", "scores": [(12, 3), (4, 2), (1, 0)]}, "last game"),
    ],
)
def test_a_result_that_cannot_be_is_refused(drawn, said, why):
    with pytest.raises(ValidationError, match=why):
        decided(drawn, "W1-1", **said)


@pytest.mark.parametrize(
    ("scores", "winner", "why"),
    [
        ([], "home", "how it stood"),
        ([(5, 5)], "home", "whoever is ahead"),
        ([(5, 8)], "home", "whoever is ahead"),
        ([(3, 12), (9, 8)], "home", "fewer games"),
        ([(12, 3), (14, 11)], "home", "ends 14 to 11"),
    ],
)
def test_at_the_limit_of_time_whoever_is_ahead_wins(drawn, scores, winner, why):
    with_a_limit_of_time(drawn)

    with pytest.raises(ValidationError, match=why):
        decided(drawn, "W1-1", ending="cap", winner=winner, scores=scores)


def test_a_game_broken_off_by_the_limit_of_time_is_not_a_game_won(drawn):
    with_a_limit_of_time(drawn)

    row = decided(drawn, "W1-1", ending="cap", scores=[(12, 3), (4, 8)])

    assert result_of(row).games == (1, 0)


def with_a_limit_of_time(stage: Stage) -> None:
    row = fixture_of(stage, "W1-1")
    row.format = {**row.format, "cap_minutes": 40, "cap_rule": "leader_wins"}
    row.save(update_fields=["format"])


def test_the_same_result_twice_is_one_result_and_another_one_is_refused(drawn):
    first = decided(drawn, "W1-1")
    second = decided(drawn, "W1-1")

    with pytest.raises(Conflict, match="take its result back"):
        decided(drawn, "W1-1", scores=[(12, 0), (12, 0)])

    assert first.decided_at == second.decided_at
    assert drawn.event.journal.filter(kind="fixture_decided").count() == 1


def test_a_page_from_before_a_change_is_too_old(drawn):
    seen = fixture_of(drawn, "W1-1").changed_at
    call(drawn)

    with pytest.raises(Conflict, match="has changed since"):
        decided(drawn, "W1-1", seen=seen)


def test_a_final_waits_for_its_sides(drawn):
    with pytest.raises(Conflict, match="not known yet who meets"):
        decided(drawn, "F1-1")


def test_winners_go_on_and_the_losers_play_for_the_third_place(drawn):
    one, other = decided(drawn, "W1-1"), decided(drawn, "W1-2")

    final, third = fixture_of(drawn, "F1-1"), fixture_of(drawn, "T1-1")
    assert {final.home_id, final.away_id} == {one.home_id, other.home_id}
    assert {third.home_id, third.away_id} == {one.away_id, other.away_id}
    assert (final.state, third.state) == ("ready", "ready")


def test_a_double_no_show_empties_the_slot_and_the_next_opponent_goes_on(drawn):
    decided(drawn, "W1-1", ending="both_absent", winner="", scores=[])
    other = decided(drawn, "W1-2")

    final = fixture_of(drawn, "F1-1")
    assert final.state == "done"
    assert final.ending == "walkover"
    assert {final.home_id, final.away_id} == {None, other.home_id}


# At the table


def sheet_says(stage: Stage, code: str, winner: str, scores: list[tuple[int, int]]) -> Fixture:
    row = fixture_of(stage, code)
    plain.follow_sheet(table=row.table, winner=winner, scores=scores)
    row.table.decided_at = row.changed_at if winner else None
    row.table.save()
    return fixture_of(stage, code)


def test_what_the_sheet_says_waits_until_it_is_signed(drawn, member):
    call(drawn)
    played = sheet_says(drawn, "W1-1", "home", [(12, 3), (12, 7)])
    state_before = played.state

    plain.sign_sheet(table=played.table, by=member)

    signed = fixture_of(drawn, "W1-1")
    assert state_before == "played"
    assert (signed.state, signed.decided_by) == ("done", member)
    assert fixture_of(drawn, "F1-1").home_id == signed.home_id


def test_taking_the_signature_back_opens_the_fixture(drawn, member):
    call(drawn)
    row = sheet_says(drawn, "W1-1", "home", [(12, 3), (12, 7)])
    plain.sign_sheet(table=row.table, by=member)

    plain.unsign_sheet(table=row.table, by=member)

    assert fixture_of(drawn, "W1-1").state == "played"
    assert fixture_of(drawn, "F1-1").home_id is None


def test_a_sheet_that_has_begun_is_finished_at_the_table(drawn):
    call(drawn)
    table = fixture_of(drawn, "W1-1").table
    table.deals_recorded = 3
    table.save()

    with pytest.raises(Conflict, match="has begun: finish"):
        decided(drawn, "W1-1")
    given = decided(drawn, "W1-1", ending="abandoned", scores=[(12, 3)])

    assert given.is_done


def test_a_result_by_the_director_closes_the_table(drawn):
    call(drawn)

    row = decided(drawn, "W1-1")

    row.table.refresh_from_db()
    assert row.table.is_complete
    assert row.table.signed_at is not None
    assert not row.table.is_open
    home = row.table.seats.get(place=1)
    assert (home.outcome, home.games_won, home.points, home.points_against) == ("won", 2, 24, 10)


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_broken_off_meeting_is_replayed_or_goes_on_as_the_director_says(drawn, goes_on):
    call(drawn)
    table = fixture_of(drawn, "W1-1").table

    row = actions.cancel_fixture(
        fixture=fixture_of(drawn, "W1-1"), by=None, goes_on=goes_on, note="Luz caiu"
    )

    assert row.state == ("playing" if goes_on else "ready")
    assert (row.table == table) is goes_on


# Taken back


def test_a_result_is_taken_back_until_what_hangs_on_it_is_decided(drawn):
    for code in ("W1-1", "W1-2"):
        decided(drawn, code)

    back = actions.undo_fixture(fixture=fixture_of(drawn, "W1-1"), by=None)

    assert back.state == "ready"
    final = fixture_of(drawn, "F1-1")
    assert (final.state, final.table, final.home_id) == ("waiting", None, None)
    decided(drawn, "W1-1", winner="away", scores=[(3, 12), (3, 12)])
    decided(drawn, "F1-1")
    with pytest.raises(Conflict, match="take that result back first"):
        actions.undo_fixture(fixture=fixture_of(drawn, "W1-1"), by=None)


def test_a_result_is_kept_while_a_fixture_that_hangs_on_it_is_at_a_table(drawn):
    for code in ("W1-1", "W1-2"):
        decided(drawn, code)
    call(drawn, "F1-1")

    with pytest.raises(Conflict, match="F1-1 hangs on this result and has been called to table 1"):
        actions.undo_fixture(fixture=fixture_of(drawn, "W1-1"), by=None)
    assert fixture_of(drawn, "F1-1").state == "playing"

    actions.undo_fixture(fixture=fixture_of(drawn, "F1-1"), by=None)
    assert actions.undo_fixture(fixture=fixture_of(drawn, "W1-1"), by=None).state == "ready"


def test_a_swiss_round_that_is_played_is_not_dropped_with_a_result_before_it(
    client, club, director
):
    event = with_sides(planned(club, "swiss_knockout"), 6)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=1)
    for row in stage.fixtures.all():
        decided(stage, row.code)
    actions.pair_next_round(stage=stage, by=None, after=1, seed=2)
    second = stage.fixtures.filter(wave=2).first()
    call(stage, second.code)
    client.force_login(director)
    address = reverse("undo-fixture", args=[fixture_of(stage, "S1-1").pk])
    seen = {"seen": fixture_of(stage, "S1-1").changed_at.isoformat()}

    refused = client.post(address, seen)
    assert refused.status_code == 409
    assert second.code in refused.content.decode()
    assert stage.fixtures.filter(wave=2).count() == 3

    actions.undo_fixture(fixture=Fixture.objects.get(pk=second.pk), by=None)
    taken_back = client.post(address, seen, follow=True)
    assert "The pairing of round 2 of stage 1 was dropped" in taken_back.content.decode()


def test_a_result_of_a_group_is_kept_once_the_next_stage_has_one(club):
    event = with_sides(planned(club, "groups_knockout"), 8)
    groups, knockout = stages_with_fixtures(event)
    play(groups, random.Random(3))
    knockout = actions.draw_fixtures(stage=knockout, by=None, seed=1)
    first = groups.fixtures.filter(decided_at__isnull=False).first()

    back = actions.undo_fixture(fixture=first, by=None)
    waiting = set(knockout.fixtures.values_list("state", flat=True))
    decide(back, random.Random(3))
    ready = knockout.fixtures.filter(state="ready").first()
    decide(ready, random.Random(1))

    assert waiting == {"waiting"}
    with pytest.raises(Conflict, match="take that result back first"):
        actions.undo_fixture(fixture=first, by=None)


def test_a_wrong_pairing_of_a_swiss_is_dropped_with_the_result_before_it(club):
    event = with_sides(planned(club, "swiss_knockout"), 6)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=1)
    for row in stage.fixtures.all():
        decided(stage, row.code)
    actions.pair_next_round(stage=stage, by=None, after=1, seed=2)
    paired = stage.fixtures.filter(wave=2).count()

    actions.undo_fixture(fixture=fixture_of(stage, "S1-1"), by=None)

    assert paired == 3
    assert not stage.fixtures.filter(wave=2).exists()


def test_a_round_is_paired_once(club):
    event = with_sides(planned(club, "swiss_knockout"), 6)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=1)
    for row in stage.fixtures.all():
        decided(stage, row.code)

    actions.pair_next_round(stage=stage, by=None, after=1)
    actions.pair_next_round(stage=stage, by=None, after=1)

    assert stage.fixtures.filter(wave=2).count() == 3


def test_the_table_of_a_group_follows_a_result_and_its_undoing_at_once(club):
    event = with_sides(planned(club, "groups_knockout"), 4)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=1)
    row = stage.fixtures.filter(state="ready").first()

    won = decided(stage, row.code)
    stage.refresh_from_db()
    assert stage.standings[0]["entry"] == won.home_id
    assert stage.standings[0]["wins"] == 1

    actions.undo_fixture(fixture=won, by=None)
    stage.refresh_from_db()
    assert {line["played"] for line in stage.standings} == {0}


def test_as_many_go_on_from_a_group_as_are_in_it_at_most(club):
    event = with_sides(planned(club, "groups_knockout"), 5)
    stage = stages_with_fixtures(event)[0]
    settings = meetings_of(stage).settings

    with pytest.raises(ValidationError, match="say how many go on"):
        plain.change_fixture_stage(
            stage=stage, by=None, name="", settings=settings.but(qualifiers=0)
        )
    plain.change_fixture_stage(
        stage=stage, by=None, name="", settings=settings.but(group_size=3, qualifiers=3)
    )
    stage.refresh_from_db()
    with pytest.raises(ValidationError, match="Group B has 2 sides: 3 cannot go on from it"):
        actions.draw_fixtures(stage=stage, by=None, seed=1)


# Who leaves


def test_who_withdraws_in_mid_bracket_leaves_the_way_free(drawn):
    one = decided(drawn, "W1-1")
    decided(drawn, "W1-2")

    actions.side_leaves(entry=one.home, by=None, is_expelled=False)

    final = fixture_of(drawn, "F1-1")
    assert (final.state, final.ending) == ("done", "walkover")
    assert one.home_id != (final.home_id if final.winner == "home" else final.away_id)
    assert fixture_of(drawn, "W1-1").is_done


def test_who_is_expelled_at_the_table_loses_there(drawn):
    call(drawn)
    row = fixture_of(drawn, "W1-1")

    actions.side_leaves(entry=row.home, by=None, is_expelled=True)

    row = fixture_of(drawn, "W1-1")
    assert (row.state, row.ending, row.winner) == ("done", "expelled", "away")
    assert Entry.objects.get(pk=row.home_id).state == "expelled"


def test_who_left_comes_back_while_nobody_has_played_on(drawn):
    row = fixture_of(drawn, "W1-1")
    actions.side_leaves(entry=row.home, by=None, is_expelled=False)

    actions.side_returns(entry=row.home, by=None)

    assert fixture_of(drawn, "W1-1").state == "ready"


def test_who_was_expelled_by_mistake_plays_again_when_the_result_is_taken_back(drawn):
    row = decided(drawn, "W1-1", ending="expelled", scores=[])
    assert Entry.objects.get(pk=row.away_id).state == "expelled"

    actions.undo_fixture(fixture=row, by=None)

    assert Entry.objects.get(pk=row.away_id).is_present


# Counted


def test_places_points_and_tallies_are_written_onto_the_entries(drawn):
    for code in ("W1-1", "W1-2"):
        decided(drawn, code)
    for code in ("F1-1", "T1-1"):
        decided(drawn, code, scores=[(12, 0), (4, 12), (22, 10)])
    tasks.refresh_standings(drawn.event_id)

    champion = Entry.objects.get(event=drawn.event_id, place=1)
    assert champion.pk == fixture_of(drawn, "F1-1").home_id
    assert champion.tally == {"wins": 2, "losses": 0, "games": [4, 1], "points": [52, 32]}
    places = Entry.objects.filter(event=drawn.event_id).values_list("place", flat=True)
    assert sorted(places) == [1, 2, 3, 4]


def test_the_tournament_closes_without_a_table_and_keeps_a_version(drawn):
    for code in ("W1-1", "W1-2", "F1-1", "T1-1"):
        decided(drawn, code)
    tasks.refresh_standings(drawn.event_id)

    event = actions.close_event(event=drawn.event, by=None)
    tasks.refresh_standings(event.pk)

    version = event.result_versions.get()
    assert [line["place"] for line in version.lines] == [1, 2, 3, 4]
    assert version.lines[0]["tally"]["wins"] == 2


# Pages


def test_another_clubs_fixture_is_hidden(drawn, stranger_client):
    row = fixture_of(drawn, "W1-1")

    for name in ("fixture", "decide-fixture", "undo-fixture"):
        method = stranger_client.get if name == "fixture" else stranger_client.post
        assert method(reverse(name, args=[row.pk])).status_code == 404


def test_a_result_is_typed_game_by_game(drawn, director_client):
    row = fixture_of(drawn, "W1-1")
    sent = {
        "seen": row.changed_at.isoformat(), "ending": "played",
        "home_1": "12", "away_1": "5", "home_2": "9", "away_2": "12",
        "home_3": "12", "away_3": "11",
    }  # fmt: skip

    answer = director_client.post(reverse("decide-fixture", args=[row.pk]), sent)

    row.refresh_from_db()
    assert answer.status_code == 302
    assert (row.winner, row.scores) == ("home", [[12, 5], [9, 12], [12, 11]])


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"home_1": "12", "away_1": "5"}, "home_2"),
        ({"home_1": "12", "away_1": ""}, "away_1"),
        ({"home_1": "11", "away_1": "5"}, "home_1"),
        ({"home_1": "12", "away_1": "12"}, "home_1"),
        ({"home_2": "12", "away_2": "5"}, "home_2"),
        ({"home_1": "12", "away_1": "1", "home_2": "12", "away_2": "1", "home_3": "12",
          "away_3": "1"}, "home_3"),
        ({"ending": "walkover"}, "winner"),
    ],
)  # fmt: skip
def test_a_result_against_the_best_of_is_refused_next_to_its_field(
    drawn, director_client, typed, field
):
    row = fixture_of(drawn, "W1-1")

    page = director_client.post(
        reverse("decide-fixture", args=[row.pk]), {"ending": "played"} | typed
    )

    assert page.status_code == 422
    assert field in page.context["decide_form"].errors
    assert not fixture_of(drawn, "W1-1").is_done


def test_an_old_page_is_answered_with_409_and_what_changed(drawn, director_client):
    row = fixture_of(drawn, "W1-1")
    sent = {
        "seen": row.changed_at.isoformat(), "ending": "walkover", "winner": "home",
    }  # fmt: skip
    call(drawn)

    page = director_client.post(reverse("decide-fixture", args=[row.pk]), sent)

    assert page.status_code == 409
    assert "has changed since" in page.content.decode()


@pytest.mark.parametrize("code", ["jau_2022", "double", "gaucho"])
def test_the_page_of_a_stage_asks_as_much_for_few_sides_as_for_many(
    club, code, director_client, django_assert_max_num_queries
):
    for count in (9, 16):
        event = with_sides(planned(club, code), count)
        stage = stages_with_fixtures(event)[0]
        play(stage, random.Random(1))
        tasks.refresh_standings(event.pk)
        with django_assert_max_num_queries(32):
            page = director_client.get(reverse("fixtures", args=[event.pk]))
        assert page.status_code == 200


def test_the_wall_and_the_stages_show_themselves(drawn, director_client, club):
    event = drawn.event
    for name in ("fixtures", "fixtures-board", "fixture-stages", "results", "journal", "entries"):
        assert director_client.get(reverse(name, args=[event.pk])).status_code == 200, name
    settings = director_client.get(reverse("stage-settings", args=[drawn.pk]))
    assert settings.status_code == 200


def test_settings_of_a_stage_are_changed_by_the_form(knockout, director_client):
    stage = stages_with_fixtures(knockout)[0]
    form = director_client.get(reverse("stage-settings", args=[stage.pk])).context["form"]
    sent = {
        name: value
        for name in form.fields
        if (value := form[name].value()) not in (None, False, "")
    }
    sent |= {"best_of": "5", "final_best_of": "7", "final_target": "24", "name": "Mata-mata"}

    answer = director_client.post(reverse("stage-settings", args=[stage.pk]), sent)

    stage.refresh_from_db()
    assert answer.status_code == 302, answer.context["form"].errors
    assert (stage.settings["format"]["best_of"], stage.name) == (5, "Mata-mata")
    assert stage.settings["exceptions"]["final"]["target"] == 24


def test_who_goes_where_is_changed_by_hand(club, director_client):
    event = with_sides(planned(club, "groups_knockout"), 8)
    groups, knockout = stages_with_fixtures(event)
    play(groups, random.Random(3))
    address = reverse("stage-slots", args=[knockout.pk])
    form = director_client.get(address).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent["slot_0"], sent["slot_1"] = sent["slot_1"], sent["slot_0"]
    twice = sent | {"slot_2": sent["slot_3"]}

    refused = director_client.post(address, twice)
    answer = director_client.post(address, sent)

    knockout.refresh_from_db()
    assert refused.status_code == 422
    assert answer.status_code == 302
    assert [text for _name, text in knockout.slots["slots"]][:2] == [sent["slot_0"], sent["slot_1"]]
    drawn = actions.draw_fixtures(stage=knockout, by=None)
    assert fixture_of(drawn, "W1-1").home_from == sent["slot_0"]


def test_a_tournament_is_planned_from_a_format(club, director_client):
    address = reverse("create-championship", args=[club.slug]) + "?format=jau_2020"
    page = director_client.get(address)
    sent = {
        "entry_key": page.context["form"]["entry_key"].value(), "starts_at": "2026-12-05T10:00",
        "title": "Campeonato", "entrants": "pairs", "preset": "paulista",
        "confirmation": "other_side", "publication": "club",
    }  # fmt: skip

    director_client.post(address, sent)
    director_client.post(address, sent)

    event = Event.objects.get(title="Campeonato")
    assert [stage.kind for stage in event.stages.all()] == ["groups", "groups", "knockout"]
    assert (event.game, event.entrants, event.ruleset["name"]) == ("truco", "pairs", "paulista")


def test_scores_made_by_the_dice_of_these_tests_are_allowed(drawn):
    row = fixture_of(drawn, "W1-1")
    for seed in range(50):
        dice = random.Random(seed)
        scores = scores_for(row, "away", dice)
        assert sum(away > home for home, away in scores) == 2


def test_who_leaves_after_the_draw_of_the_next_stage_stays_in_it_until_it_is_drawn_again(club):
    event = with_sides(planned(club, "groups_knockout"), 8)
    groups, knockout = stages_with_fixtures(event)
    play(groups, random.Random(3))
    knockout = actions.draw_fixtures(stage=knockout, by=None, seed=1)
    gone = fixture_of(knockout, "W1-1").home

    actions.side_leaves(entry=gone, by=None, is_expelled=False)
    free = fixture_of(knockout, "W1-1")
    drawn_again = actions.draw_fixtures(stage=knockout, by=None, seed=2)

    assert (free.state, free.winner) == ("done", "away")
    there = {side for row in drawn_again.fixtures.all() for side in (row.home_id, row.away_id)}
    assert gone.pk not in there


def test_the_plan_of_a_tournament_is_changed_and_cancelled_until_something_is_decided(
    drawn, director_client
):
    event = drawn.event
    form = director_client.get(reverse("edit-event", args=[event.pk])).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    sent |= {"title": "Copa do Bar", "starts_at": "2026-12-05T10:00", "most_entries": "40"}

    changed = director_client.post(reverse("edit-event", args=[event.pk]), sent)
    decided(drawn, "W1-1")
    refused = director_client.post(reverse("cancel-event", args=[event.pk]))
    actions.undo_fixture(fixture=fixture_of(drawn, "W1-1"), by=None)
    plain.cancel_event(event=event)

    assert changed.status_code == 302
    assert refused.status_code == 409
    assert not Event.objects.filter(pk=event.pk).exists()


# From the real sheet


def write_game(table, a: int, b: int, by) -> None:
    actions.record_truco_line(
        table=table, entry_key=uuid4(), line=Entered(kind=TrucoLine.Kind.GAME, final=(a, b)), by=by
    )


def test_a_meeting_written_on_its_sheet_counts_once_it_is_signed(drawn, scorer):
    call(drawn)
    row = fixture_of(drawn, "W1-1")
    for score in ((12, 8), (10, 12), (12, 11)):
        write_game(row.table, *score, by=scorer)
    played = fixture_of(drawn, "W1-1")

    actions.sign_sheet(table=played.table, by=scorer)
    tasks.refresh_standings(drawn.event_id)

    row = fixture_of(drawn, "W1-1")
    assert (played.state, played.winner) == ("played", "home")
    assert (row.state, row.scores) == ("done", [[12, 8], [10, 12], [12, 11]])
    assert row.home.tally == {"wins": 1, "losses": 0, "games": [2, 1], "points": [34, 31]}


def test_a_corrected_sheet_opens_its_fixture_unless_others_rest_on_it(drawn, director):
    call(drawn)
    row = fixture_of(drawn, "W1-1")
    for score in ((12, 8), (12, 11)):
        write_game(row.table, *score, by=director)
    actions.sign_sheet(table=fixture_of(drawn, "W1-1").table, by=director)
    line = row.table.truco_lines.order_by("number").last()
    corrected = {"entry_key": uuid4(), "by": director, "line": line}

    actions.correct_truco_line(
        corrected=Entered(kind=TrucoLine.Kind.GAME, final=(9, 12)), **corrected
    )

    opened = fixture_of(drawn, "W1-1")
    assert (opened.state, opened.decided_at, opened.winner) == ("playing", None, "")
    write_game(opened.table, 12, 10, by=director)
    actions.sign_sheet(table=fixture_of(drawn, "W1-1").table, by=director)
    decided(drawn, "W1-2")
    decided(drawn, "F1-1")
    last = row.table.truco_lines.standing().order_by("number").last()
    with pytest.raises(Conflict, match="take that result back first"):
        actions.correct_truco_line(
            line=last, corrected=Entered(kind=TrucoLine.Kind.GAME, final=(3, 12)),
            entry_key=uuid4(), by=director,
        )  # fmt: skip


@pytest.mark.parametrize(("entrants", "seats"), [("players", 2), ("pairs", 4), ("trios", 6)])
def test_players_pairs_and_trios_sit_across(club, entrants, seats, scorer):
    event = with_sides(planned(club, "double", entrants=entrants), 2)
    stage = actions.draw_fixtures(stage=stages_with_fixtures(event)[0], by=None, seed=1)

    table = call(stage).tables.get()
    write_game(table, 12, 0, by=scorer)

    assert (table.players_per_deal, table.seats.count()) == (seats, seats)
    assert table.seats.filter(games_won=1).count() == seats // 2


# Faults


def test_a_tento_of_the_referee_is_a_line_of_its_own_for_the_other_side(drawn, director):
    call(drawn)
    row = fixture_of(drawn, "W1-1")
    key = uuid4()

    for _twice in range(2):
        actions.penalise_side(
            fixture=row, entry=row.home, by=director, effect="tento", note="Sinal falado", hand=1,
            entry_key=key,
        )  # fmt: skip

    line = row.table.truco_lines.get()
    assert (line.kind, line.winner, line.points) == ("tento", "b", 1)
    assert line.ruling.note == "Sinal falado"
    actions.withdraw_ruling(ruling=line.ruling, why="Engano", by=director)
    line.refresh_from_db()
    assert line.state == "void"


def test_a_lost_game_and_an_exclusion_count_for_the_others(drawn, director):
    call(drawn)
    row = fixture_of(drawn, "W1-1")

    actions.penalise_side(fixture=row, entry=row.home, by=director, effect="lose_game", note="X")
    after_game = row.table.seats.get(place=2)
    actions.penalise_side(fixture=row, entry=row.home, by=director, effect="exclusion", note="X")

    assert (after_game.games_won, after_game.points) == (1, 12)
    row = fixture_of(drawn, "W1-1")
    assert (row.state, row.ending, row.winner) == ("done", "expelled", "away")


def test_a_fault_is_entered_on_the_page_of_the_fixture(drawn, director_client):
    call(drawn)
    row = fixture_of(drawn, "W1-1")
    sent = {"entry": row.away_id, "effect": "", "note": "Bateu na mesa", "entry_key": str(uuid4())}

    answer = director_client.post(reverse("penalise-side", args=[row.pk]), sent)
    page = director_client.get(reverse("fixture", args=[row.pk]))
    stranger = director_client.post(
        reverse("penalise-side", args=[row.pk]),
        sent | {"entry": fixture_of(drawn, "W1-2").home_id, "entry_key": str(uuid4())},
    )

    assert answer.status_code == 302
    assert "Bateu na mesa" in page.content.decode()
    assert stranger.status_code == 422
    assert director_client.get(reverse("referee", args=[drawn.event_id])).status_code == 200


# Between the games, and at the end


def test_the_reserve_comes_in_between_two_games_only(drawn, director_client, scorer):
    row = fixture_of(drawn, "W1-1")
    reserve = PlayerFactory(club=drawn.event.club, name="Rui Reserva")
    row.home.entry_players.create(event=drawn.event, player=reserve, is_reserve=True)
    call(drawn)
    table = fixture_of(drawn, "W1-1").table
    out, _second, into = row.home.entry_players.order_by("pk")
    address, sent = (
        reverse("put-in-reserve", args=[row.home_id]),
        {"gone": out.pk, "comes": into.pk},
    )

    actions.record_truco_line(
        table=table, entry_key=uuid4(), by=scorer,
        line=Entered(winner="a", points=1, ending="rounds"),
    )  # fmt: skip
    director_client.post(address, sent)
    in_the_game = table.seats.filter(player=reserve).exists()
    actions.undo_last_truco_line(table=table, by=scorer)
    write_game(table, 12, 4, by=scorer)
    director_client.post(address, sent)

    assert not in_the_game
    assert table.seats.get(player=reserve).place == 1
    assert drawn.event.journal.filter(kind="substituted").count() == 1


def test_a_table_that_is_given_up_leaves_its_fixture_to_be_played(drawn):
    this_round = call(drawn)
    decided(drawn, "W1-2")
    number = fixture_of(drawn, "W1-1").table.number

    plain.close_round(this_round=this_round, by=None, without=[number])

    row = fixture_of(drawn, "W1-1")
    assert (row.state, row.table) == ("ready", None)


def test_when_all_is_decided_the_tournament_closes_with_its_round(drawn):
    call(drawn)
    for code in ("W1-1", "W1-2"):
        decided(drawn, code)
    call(drawn)
    for code in ("F1-1", "T1-1"):
        decided(drawn, code)

    event = actions.close_event(event=drawn.event, by=None)

    assert event.is_closed
    assert not event.rounds.playing().exists()


def test_seats_of_a_fixture_are_not_changed_by_hand(drawn):
    this_round = call(drawn)

    with pytest.raises(Conflict, match="keep their seats"):
        plain.withdraw_round(this_round=this_round, by=None)


def test_the_draw_says_in_the_names_of_the_sides_what_it_could_not_hold(club, director_client):
    event = planned(club, "jau_2020")
    plain.import_entries(
        event=event, by=None, is_present=True,
        text="\n".join(f"Ana {n:02d} / Bia {n:02d}; Bar do Zé" for n in range(5)),
    )  # fmt: skip
    stage = stages_with_fixtures(event)[0]
    plain.change_fixture_stage(
        stage=stage, by=None, name="", settings=settings_of(stage).but(keep_clubs_apart=True)
    )
    actions.draw_fixtures(stage=stage, by=None, seed=1)

    page = director_client.get(reverse("fixtures", args=[event.pk]))

    said = " ".join(page.context["reasons"])
    assert "Ana 00 & Bia 00" in said
    assert "somebody" not in said


def test_results_of_a_tournament_of_fixtures_are_declared_final(drawn):
    call(drawn)
    for code in ("W1-1", "W1-2"):
        decided(drawn, code)
    call(drawn)
    for code in ("F1-1", "T1-1"):
        decided(drawn, code)
    event = actions.close_event(event=drawn.event, by=None)
    tasks.refresh_standings(event.pk)

    final = actions.declare_final(event=event, by=None)

    assert final.state == "final"


# What is counted and shown again


def test_a_player_who_says_that_he_leaves_makes_the_standings_old(drawn, member, client):
    own = fixture_of(drawn, "W1-1").home
    EntryPlayer.objects.filter(pk=own.entry_players.all()[0].pk).update(player=member.players.get())
    tasks.refresh_standings(drawn.event_id)
    counted = Event.objects.get(pk=drawn.event_id).standings_at
    client.force_login(member)

    client.post(reverse("leave-event", args=[drawn.event_id]))
    waiting = StaleStandings.objects.filter(event=drawn.event_id)

    own.refresh_from_db()
    assert own.state == Entry.State.WITHDRAWN
    assert waiting.exists() or Event.objects.get(pk=drawn.event_id).standings_at > counted


def test_fixtures_that_changed_without_a_mark_are_found_by_the_sweep(drawn):
    call(drawn, "W1-1")
    tasks.refresh_standings(drawn.event_id)
    assert not StaleStandings.objects.exists()

    plain.side_leaves(entry=fixture_of(drawn, "W1-2").home, by=None, is_expelled=False)
    tasks.refresh_stale()

    assert StaleStandings.objects.filter(event=drawn.event_id).count() == 1


@pytest.mark.parametrize("page", ["fixtures-board", "projector"])
def test_a_wall_that_has_its_tag_hears_of_calls_results_and_their_undoing(
    drawn, director_client, page
):
    address = reverse(page, args=[drawn.event_id])

    def asked(tag: str = "") -> tuple[int, str]:
        answer = director_client.get(
            address, headers={"HX-Request": "true"} | ({"If-None-Match": tag} if tag else {})
        )
        return answer.status_code, answer.headers["ETag"]

    _status, tag = asked()
    for step in (
        lambda: call(drawn, "W1-1"),
        lambda: actions.undo_fixture(fixture=fixture_of(drawn, "W1-1"), by=None),
        lambda: call(drawn, "W1-2"),
        lambda: decided(drawn, "W1-1"),
        lambda: actions.undo_fixture(fixture=fixture_of(drawn, "W1-1"), by=None),
        lambda: decided(drawn, "W1-1", winner="away", scores=[(3, 12), (7, 12)]),
    ):
        assert asked(tag)[0] == 304
        step()
        status, new = asked(tag)
        assert (status, new == tag) == (200, False)
        tag = new


def test_a_round_opened_again_leaves_the_results_of_the_director_closed(drawn, scorer):
    called = call(drawn)
    by_hand, at_the_table = fixture_of(drawn, "W1-1"), fixture_of(drawn, "W1-2")
    for score in ((12, 8), (12, 10)):
        write_game(at_the_table.table, *score, by=scorer)
    actions.sign_sheet(table=at_the_table.table, by=scorer)
    decided(drawn, "W1-1")
    plain.close_round(this_round=called, by=None)

    plain.reopen_round(this_round=called, by=None)

    by_hand.table.refresh_from_db()
    at_the_table.table.refresh_from_db()
    assert (by_hand.table.is_open, at_the_table.table.is_open) == (False, True)
