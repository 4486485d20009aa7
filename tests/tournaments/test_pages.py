from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from tests.factories import (
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    RoundFactory,
    TableFactory,
)
from tournaments import actions
from tournaments.models import Entry, Event, Round

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def address(name: str, evening: Event) -> str:
    return reverse(name, args=[evening.pk])


def text(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


# The list


def test_a_club_without_evenings_is_invited_to_plan_one(director_client, club):
    page = text(director_client.get(reverse("evenings", args=[club.slug])))

    assert "No evening is planned" in page
    assert "Plan an evening" in page


def test_the_list_puts_the_next_evening_first_and_the_past_ones_below(member_client, season):
    now = timezone.now()
    EventFactory(season=season, title="Galette", starts_at=now + timedelta(days=14))
    EventFactory(season=season, title="Belote party", starts_at=now + timedelta(days=7))
    EventFactory(season=season, title="Opening", closed=True, starts_at=now - timedelta(days=7))
    EventFactory(season=season, title="Tonight", running=True, starts_at=now - timedelta(days=1))

    page = text(member_client.get(reverse("evenings", args=[season.club.slug])))

    order = [page.index(name) for name in ("Tonight", "Belote party", "Galette", "Opening")]
    assert order == sorted(order)
    assert page.index("Galette") < page.index("Past evenings") < page.index("Opening")


def test_past_evenings_are_paged(member_client, season):
    for weeks in range(25):
        EventFactory(
            season=season, closed=True, starts_at=timezone.now() - timedelta(weeks=weeks + 1)
        )

    first = member_client.get(reverse("evenings", args=[season.club.slug]))
    second = member_client.get(reverse("evenings", args=[season.club.slug]), {"page": 2})

    assert first.content.count(b'id="evening-') == 20
    assert second.content.count(b'id="evening-') == 5
    assert "Page 1 of 2" in text(first)


def test_strangers_see_only_published_evenings_of_a_public_club(anonymous_client, season):
    season.club.publication = "public"
    season.club.save()
    EventFactory(season=season, title="Shown", public=True)
    EventFactory(season=season, title="Hidden")

    page = text(anonymous_client.get(reverse("evenings", args=[season.club.slug])))

    assert "Shown" in page
    assert "Hidden" not in page


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_the_same_queries_for_one_evening_and_for_three(
    member_client, season, count, django_assert_num_queries
):
    for _ in range(count):
        EventFactory(season=season, starts_at=timezone.now() + timedelta(days=1))
        EventFactory(season=season, closed=True)

    with django_assert_num_queries(9):
        member_client.get(reverse("evenings", args=[season.club.slug]))


# The plan


def test_an_evening_is_planned_with_three_answers(director_client, club):
    page = director_client.get(reverse("create-event", args=[club.slug]))
    key = page.context["form"]["entry_key"].value()
    answers = {
        "starts_at": "2026-12-03T20:15",
        "deals_per_round": "4",
        "leftovers": "fives",
        "publication": "club",
        "entry_key": key,
    }

    first = director_client.post(reverse("create-event", args=[club.slug]), answers)
    second = director_client.post(reverse("create-event", args=[club.slug]), answers)

    evening = Event.objects.get()
    assert first.url == second.url == address("check-in", evening)
    assert (evening.deals_per_round, evening.leftovers) == (4, "fives")
    assert timezone.localtime(evening.starts_at).hour == 20


def test_going_back_and_choosing_another_date_is_told(director_client, evening):
    answer = director_client.post(
        reverse("create-event", args=[evening.club.slug]),
        {
            "starts_at": "2027-01-07T20:15",
            "deals_per_round": "4",
            "leftovers": "fives",
            "publication": "club",
            "entry_key": evening.entry_key,
        },
    )

    assert answer.status_code == 422
    assert "This page has already planned an evening." in text(answer)


def test_a_plan_with_a_mistake_is_shown_again(director_client, club):
    answer = director_client.post(
        reverse("create-event", args=[club.slug]),
        {"starts_at": "soon", "deals_per_round": "0", "leftovers": "threes", "publication": "club"},
    )

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"starts_at", "deals_per_round"}
    assert not Event.objects.exists()


def test_the_next_evening_is_filled_in_like_the_last(director_client, season):
    last = EventFactory(season=season, place="Salle Sainte-Anne", deals_per_round=6)
    last.starts_at = timezone.now() - timedelta(days=1)
    last.save()

    form = director_client.get(reverse("create-event", args=[season.club.slug])).context["form"]

    assert (form["place"].value(), form["deals_per_round"].value()) == ("Salle Sainte-Anne", 6)
    hour = timezone.localtime(last.starts_at).strftime("%H:%M")
    assert form["starts_at"].value().strftime("%H:%M") == hour
    assert timezone.make_aware(form["starts_at"].value()) > timezone.now() + timedelta(days=5)


def test_changing_the_rules_too_late_is_explained(director_client, playing):
    evening = playing.event
    answer = director_client.post(
        address("edit-event", evening),
        {
            "starts_at": "2026-12-03T20:15",
            "deals_per_round": "5",
            "leftovers": "threes",
            "publication": "club",
            "preset": "pousse",
        },
    )

    assert answer.status_code == 409
    assert "Sheets have been opened under these rules" in text(answer)


def test_a_plan_is_changed(director_client, evening):
    answer = director_client.post(
        address("edit-event", evening),
        {
            "starts_at": "2026-12-03T20:15",
            "deals_per_round": "6",
            "leftovers": "threes",
            "publication": "club",
            "preset": "fft",
            "title": "Galette",
        },
    )

    evening.refresh_from_db()
    assert answer.status_code == 302
    assert (evening.title, evening.deals_per_round) == ("Galette", 6)


# The check-in


def test_the_door_shows_how_the_players_would_split(scorer_client, evening, with_present):
    with_present(14)

    page = text(scorer_client.get(address("check-in", evening)))

    assert "14 present" in page
    assert "2 tables of 4 + 2 tables of 3" in page
    assert "nobody is left out" in page


def test_a_scorer_sees_the_split_and_a_director_may_draw(
    scorer_client, director_client, evening, with_present
):
    with_present(4)

    assert "Draw tables" not in text(scorer_client.get(address("check-in", evening)))
    assert "Draw tables" in text(director_client.get(address("check-in", evening)))


def test_one_tap_answers_with_the_row_and_the_count(scorer_client, evening, players):
    (odile,) = players(1)

    answer = scorer_client.post(address("presence", evening), {"present": odile.pk}, headers=HTMX)

    assert f'id="person-{odile.pk}"' in answer.content.decode()
    assert 'hx-swap-oob="true"' in answer.content.decode()
    assert "1 present" in text(answer)
    assert "<html" not in answer.content.decode()


def test_without_script_a_tap_comes_back_to_the_page(scorer_client, evening, players):
    (odile,) = players(1)

    answer = scorer_client.post(address("presence", evening), {"present": odile.pk})

    assert answer.url == address("check-in", evening)
    assert Entry.objects.get().is_present


def test_a_second_tap_marks_absent(scorer_client, evening, with_present):
    (odile,) = with_present(1)

    scorer_client.post(address("presence", evening), {"absent": odile.pk}, headers=HTMX)

    assert not Entry.objects.get().is_present


@pytest.mark.parametrize("answer", [{}, {"present": "x"}, {"present": 999_999}, {"absent": 1.5}])
def test_a_tap_on_nobody_is_refused(scorer_client, evening, answer):
    for headers in ({}, HTMX):
        page = scorer_client.post(address("presence", evening), answer, headers=headers)
        assert page.status_code == 422

    assert not Entry.objects.exists()


def test_a_player_of_another_club_is_not_on_the_list(scorer_client, evening):
    foreign = PlayerFactory()

    answer = scorer_client.post(address("presence", evening), {"present": foreign.pk})

    assert answer.status_code == 422
    assert foreign.name not in text(answer)


def test_a_tap_on_the_page_of_a_closed_evening_is_a_conflict(scorer_client, season, players):
    (odile,) = players(1)
    closed = EventFactory(season=season, closed=True)

    answer = scorer_client.post(address("presence", closed), {"present": odile.pk}, headers=HTMX)

    assert answer.status_code == 409
    assert answer.headers["HX-Retarget"] == "#refusal"
    assert "This evening is closed" in text(answer)


def test_the_search_narrows_the_list_and_offers_a_guest(scorer_client, evening, club):
    PlayerFactory(club=club, name="Émile Guivarc’h")
    PlayerFactory(club=club, name="Odile Kermarrec")

    part = scorer_client.get(address("check-in", evening), {"q": "emil"}, headers=HTMX)

    assert "Émile" in text(part)
    assert "Odile" not in text(part)
    assert "Add “emil” as a guest" in text(part)
    assert "<html" not in part.content.decode()


def test_an_exact_name_offers_no_guest(scorer_client, evening, club):
    PlayerFactory(club=club, name="Odile Kermarrec")

    part = scorer_client.get(address("check-in", evening), {"q": "odile kermarrec"})

    assert "as a guest" not in text(part)


def test_a_guest_is_added_by_name(scorer_client, evening):
    answer = scorer_client.post(address("add-guest", evening), {"name": "Kévin Riou"})

    assert answer.url == address("check-in", evening)
    assert Entry.objects.get().players.get().name == "Kévin Riou"


def test_a_near_namesake_is_offered_before_a_new_guest_is_made(scorer_client, evening, club):
    known = PlayerFactory(club=club, name="Kévin Riou")

    asked = scorer_client.post(address("add-guest", evening), {"name": "Kevin Rion"})
    scorer_client.post(
        address("add-guest", evening), {"name": "Kevin Rion", "despite_namesakes": "on"}
    )

    assert asked.status_code == 422
    assert "It is Kévin Riou" in text(asked)
    assert f'name="present" value="{known.pk}"' in asked.content.decode()
    assert Player.objects.filter(name="Kevin Rion").exists()


@pytest.mark.parametrize("name", ["", "x" * 121])
def test_a_guest_without_a_usable_name_is_refused(scorer_client, evening, name):
    assert scorer_client.post(address("add-guest", evening), {"name": name}).status_code == 422


def test_names_are_text_and_nothing_else(scorer_client, evening):
    scorer_client.post(address("add-guest", evening), {"name": "<script>alert(1)</script>"})

    page = scorer_client.get(address("check-in", evening)).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_a_long_list_shows_its_beginning_and_says_so(scorer_client, evening, club):
    for _ in range(70):
        MembershipFactory(player=PlayerFactory(club=club))

    short = scorer_client.get(address("check-in", evening))
    whole = scorer_client.get(address("check-in", evening), {"show": "everybody"})

    assert short.content.count(b'id="person-') == 60
    assert "60 names are shown" in text(short)
    assert whole.content.count(b'id="person-') == 71


@pytest.mark.parametrize("count", [1, 3, 40])
def test_the_door_takes_the_same_queries_for_one_member_and_for_many(
    scorer_client, evening, players, count, django_assert_num_queries
):
    for player in players(count):
        actions.check_in(event=evening, player=player, by=None)

    with django_assert_num_queries(10):
        scorer_client.get(address("check-in", evening))


# The draw


def test_a_draw_is_shown_as_tables_with_reasons(director_client, evening, with_present):
    with_present(7)

    director_client.post(address("draw-round", evening), {"leftovers": "threes", "seed": "4821"})
    page = text(director_client.get(address("draw", evening)))

    assert "Draw of round 1" in page
    assert "This is a proposal." in page
    assert "4821" in page
    assert "Nobody meets anybody a second time." in page


def test_who_sits_out_is_named_with_the_reason(director_client, evening, with_present):
    with_present(9)

    director_client.post(address("draw-round", evening), {"leftovers": "sit_out"})
    page = text(director_client.get(address("draw", evening)))
    name = evening.rounds.get().sit_outs.get().entry.players.get().name

    assert f"Sitting out this round: {name}" in page
    assert f"because nobody has sat out less often: {name}." in page


@pytest.mark.parametrize("seed", ["-1", "a", "1.5", "9" * 40])
def test_a_seed_is_a_whole_number(director_client, evening, with_present, seed):
    with_present(8)

    answer = director_client.post(address("draw-round", evening), {"seed": seed})

    assert answer.status_code == 422
    assert answer.context["draw_form"].errors["seed"]
    assert not Round.objects.exists()


def test_too_few_players_are_told_so(director_client, evening, with_present):
    with_present(2)

    answer = director_client.post(address("draw-round", evening))

    assert answer.status_code == 422
    assert "A table needs at least 3 players; there are 2." in text(answer)


def test_accepting_leads_to_the_tables(director_client, proposal):
    answer = director_client.post(address("publish-round", proposal.event), {"round": proposal.pk})

    assert answer.url == address("tables", proposal.event)
    proposal.refresh_from_db()
    assert proposal.state == Round.State.PLAYING


def test_accepting_twice_is_one_start(director_client, proposal):
    for _ in range(2):
        answer = director_client.post(
            address("publish-round", proposal.event), {"round": proposal.pk}
        )
        assert answer.status_code == 302

    assert proposal.event.journal.filter(kind="published").count() == 1


def test_accepting_a_draw_that_another_director_replaced_shows_the_new_one(
    director_client, proposal
):
    newer = actions.draw_round(event=proposal.event, by=None, seed=99)

    answer = director_client.post(address("publish-round", proposal.event), {"round": proposal.pk})

    assert answer.status_code == 409
    assert "This draw is gone" in text(answer)
    assert answer.context["proposal"] == newer
    newer.refresh_from_db()
    assert newer.is_proposal


def test_accepting_after_somebody_came_shows_why_not(director_client, proposal, players):
    actions.check_in(event=proposal.event, player=players(1)[0], by=None)

    page = director_client.get(address("draw", proposal.event))
    answer = director_client.post(address("publish-round", proposal.event), {"round": proposal.pk})

    assert "disabled" in page.content.decode()
    assert answer.status_code == 409
    assert "Somebody came or left after this draw" in text(answer)


def test_what_has_become_of_the_draw_is_said_once(director_client, proposal, players):
    actions.check_in(event=proposal.event, player=players(1)[0], by=None)

    answer = director_client.post(address("publish-round", proposal.event), {"round": proposal.pk})

    assert text(answer).count("Somebody came or left after this draw") == 1


def test_a_draw_is_good_again_when_the_one_who_left_is_back(director_client, proposal):
    event, player = proposal.event, proposal.seats.first().player
    actions.check_out(event=event, player=player, by=None)
    assert director_client.get(address("draw", event)).context["is_outdated"]

    actions.check_in(event=event, player=player, by=None)

    assert not director_client.get(address("draw", event)).context["is_outdated"]
    answer = director_client.post(address("publish-round", event), {"round": proposal.pk})
    assert answer.url == address("tables", event)


def test_a_player_was_last_seen_in_a_year_that_is_said(scorer_client, season, players):
    (odile,) = players(1)
    then = EventFactory(season=season, starts_at=datetime(2024, 12, 3, 19, tzinfo=UTC))
    EntryFactory(event=then, player=odile, deals_played=5)

    page = scorer_client.get(address("check-in", EventFactory(season=season)))

    assert "last seen on 3 Dec 2024" in text(page)


def test_the_help_calls_the_button_of_the_draw_as_it_is_called(director_client, proposal):
    button = "Accept and start"

    assert f"{button} round 1" in text(director_client.get(address("draw", proposal.event)))
    assert f"“{button}”" in text(director_client.get("/help/"))


@pytest.mark.parametrize("name", ["publish-round", "swap-players", "withdraw-round"])
@pytest.mark.parametrize("pk", ["", "x", "999999", "-1", "9" * 30])
def test_a_round_that_is_not_there_is_a_conflict(director_client, proposal, name, pk):
    answer = director_client.post(address(name, proposal.event), {"round": pk})

    assert answer.status_code == 409


def test_the_round_of_another_evening_is_not_started(director_client, proposal, season):
    other = EventFactory(season=season)

    answer = director_client.post(address("publish-round", other), {"round": proposal.pk})

    assert answer.status_code == 409
    proposal.refresh_from_db()
    assert proposal.is_proposal


def test_a_draw_is_dropped(director_client, proposal):
    director_client.post(address("discard-draw", proposal.event), {"round": proposal.pk})

    assert not Round.objects.exists()


def test_two_players_are_swapped(director_client, proposal):
    one = proposal.seats.get(table__number=1, place=1).player_id
    other = proposal.seats.get(table__number=2, place=3).player_id

    answer = director_client.post(
        address("swap-players", proposal.event),
        {"round": proposal.pk, "one": one, "other": other},
    )
    page = text(director_client.get(address("draw", proposal.event)))

    assert answer.status_code == 302
    assert proposal.seats.get(table__number=1, place=1).player_id == other
    assert "Changed places by hand after the draw" in page


@pytest.mark.parametrize("count", [4, 12])
def test_the_draw_page_takes_the_same_queries_for_one_table_and_for_three(
    director_client, evening, with_present, count, django_assert_num_queries
):
    with_present(count)
    actions.draw_round(event=evening, by=None)

    with django_assert_num_queries(15):
        director_client.get(address("draw", evening))


# The board


def test_members_see_no_tables_before_the_round_starts(member_client, proposal):
    page = text(member_client.get(address("tables", proposal.event)))

    assert "No round has started yet" in page


def test_the_board_shows_progress_and_totals(member_client, evening, players):
    odile, *others = players(4)
    table = TableFactory(
        round=RoundFactory(event=evening), players=[odile, *others], deals_recorded=3
    )
    for seat, points in zip(table.seats.all(), (120, -40, -40, -40), strict=True):
        seat.points = points
        seat.save()

    page = text(member_client.get(address("tables", evening)))

    assert "3 of 5 deals" in page
    assert f"{odile.name} +120" in page
    assert "adds up to 0" in page


def test_a_player_is_told_where_to_sit(member_client, member, evening, players):
    TableFactory(round=RoundFactory(event=evening), players=[*players(2), member.players.get()])

    page = text(member_client.get(address("tables", evening)))

    assert "You sit at table 1, seat S." in page


def test_a_board_that_has_not_changed_is_not_sent_again(
    member_client, evening, django_assert_num_queries
):
    table = TableFactory(round=RoundFactory(event=evening))
    board = address("tables", evening) + "?round=1"
    first = member_client.get(board, headers=HTMX)
    again = {**HTMX, "If-None-Match": first.headers["ETag"]}

    with django_assert_num_queries(5):  # who asks and may he (4), then one read of the tables
        second = member_client.get(board, headers=again)
    table.version += 1
    table.save()
    third = member_client.get(board, headers=again)

    assert [first.status_code, second.status_code, third.status_code] == [200, 304, 200]
    assert not second.content
    assert "private" in first.headers["Cache-Control"]


def test_the_board_asks_for_a_new_page_when_the_next_round_has_started(member_client, evening):
    TableFactory(round=RoundFactory(event=evening, closed=True))
    TableFactory(round=RoundFactory(event=evening))

    answer = member_client.get(address("tables", evening) + "?round=1", headers=HTMX)

    assert answer.headers["HX-Refresh"] == "true"


def test_the_board_of_a_closed_evening_stops_asking(member_client, season):
    evening = EventFactory(season=season, closed=True)
    TableFactory(round=RoundFactory(event=evening, closed=True))

    answer = member_client.get(address("tables", evening) + "?round=1", headers=HTMX)

    assert answer.status_code == 286


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"quiet_for": timedelta(minutes=45)}, "nothing for 45 minutes"),
        ({"points": 10}, "adds up to +10"),
    ],
)
def test_tables_that_need_help_are_found(director_client, evening, change, said):
    playing = RoundFactory(event=evening)
    TableFactory(round=playing)
    since = timezone.now() - change.get("quiet_for", timedelta())
    slow = TableFactory(round=playing, changed_at=since)
    if "points" in change:
        slow.seats.filter(place=1).update(points=10)

    page = director_client.get(address("tables", evening), {"show": "help"})

    assert page.content.count(b'id="table-') == 1
    assert said in text(page)
    assert "Needs help 1" in text(page)


def test_earlier_rounds_stay_readable(member_client, evening):
    TableFactory(round=RoundFactory(event=evening, closed=True))
    TableFactory(round=RoundFactory(event=evening))

    page = member_client.get(address("tables", evening), {"round": 1})

    assert "Tables of round 1" in text(page)
    assert "hx-trigger" not in page.content.decode()
    assert member_client.get(address("tables", evening), {"round": 3}).status_code == 404


def test_a_round_with_missing_deals_asks_before_it_closes(director_client, playing):
    playing.tables.filter(number=2).update(deals_recorded=5)
    order = {"round": playing.pk}

    asked = director_client.post(address("close-round", playing.event), order)
    director_client.post(address("close-round", playing.event), order | {"without_missing": "on"})

    assert asked.status_code == 422
    assert "Deals are missing on the sheet of table 1." in text(asked)
    assert "Close round 1 without the missing deals" in text(asked)
    playing.refresh_from_db()
    assert playing.state == Round.State.CLOSED


def test_the_last_round_is_reopened(director_client, playing):
    actions.close_round(this_round=playing, by=None, without_missing=True)

    director_client.post(address("reopen-round", playing.event), {"round": playing.pk})

    playing.refresh_from_db()
    assert playing.state == Round.State.PLAYING


def test_a_table_gets_more_deals(director_client, playing):
    table = playing.tables.get(number=1)

    director_client.post(
        address("change-deals", playing.event),
        {"round": playing.pk, "table": table.pk, "deals": "7"},
    )
    refused = director_client.post(
        address("change-deals", playing.event),
        {"round": playing.pk, "table": table.pk, "deals": "0"},
    )

    table.refresh_from_db()
    assert table.deals_planned == 7
    assert refused.status_code == 422


@pytest.mark.parametrize("count", [1, 3])
def test_the_board_takes_the_same_queries_for_one_table_and_for_three(
    member_client, evening, count, django_assert_num_queries
):
    playing = RoundFactory(event=evening)
    for _ in range(count):
        TableFactory(round=playing)

    with django_assert_num_queries(14):
        member_client.get(address("tables", evening))


# Journal and paper


def test_the_journal_tells_the_evening_in_sentences(member_client, director, evening, players):
    (odile,) = players(1)
    actions.check_in(event=evening, player=odile, by=director)
    for player in players(3):
        actions.check_in(event=evening, player=player, by=director)
    drawn = actions.draw_round(event=evening, by=director, seed=4821)
    actions.publish_round(proposal=drawn, by=director)
    actions.change_deals(table=drawn.tables.get(), deals_planned=2, by=director)
    actions.close_round(this_round=drawn, by=director, without_missing=True)
    actions.change_event(event=evening, by=director, title="Galette", preset="fft")

    page = text(member_client.get(address("journal", evening)))

    assert f"Denis Checked in {odile.name}." in page
    assert "Drew round 1 for 4 players, seed 4821." in page
    assert "Started round 1, seed 4821." in page
    assert "Let table 1 play 2 deals in round 1." in page
    assert "Closed round 1 without the missing deals of table 1." in page
    assert "Changed the plan: title." in page


@pytest.mark.parametrize("count", [1, 3])
def test_the_journal_takes_the_same_queries_for_one_line_and_for_three(
    member_client, evening, players, count, django_assert_num_queries
):
    for player in players(count):
        actions.check_in(event=evening, player=player, by=None)

    with django_assert_num_queries(9):
        member_client.get(address("journal", evening))


def test_every_table_has_a_card_with_a_square_and_no_inline_style(scorer_client, playing):
    page = scorer_client.get(address("print-table-cards", playing.event)).content.decode()

    assert page.count('class="table-card"') == 2
    assert page.count('class="qr"') == 2
    assert f"testserver/evenings/{playing.event.pk}/tables/1/" in page
    assert "style=" not in page


def test_the_card_of_a_table_leads_to_the_sheet_of_the_running_round(member_client, evening):
    TableFactory(round=RoundFactory(event=evening, closed=True))
    now = TableFactory(round=RoundFactory(event=evening))

    answer = member_client.get(reverse("table-sheet", args=[evening.pk, 1]))

    assert answer.url == now.get_absolute_url()


def test_the_card_of_a_table_without_a_sheet_leads_to_the_tables(member_client, proposal):
    answer = member_client.get(reverse("table-sheet", args=[proposal.event.pk, 1]))

    assert answer.url == address("tables", proposal.event)


def test_the_card_asks_whoever_is_not_signed_in_to_do_so(anonymous_client, playing):
    for pk in (playing.event.pk, 999_999):
        answer = anonymous_client.get(reverse("table-sheet", args=[pk, 1]))
        assert answer.url.startswith(reverse("sign-in"))


def test_the_seating_list_is_in_order_of_names(member_client, evening, club):
    people = [PlayerFactory(club=club, name=name) for name in ("Zoé", "Émile", "Ana", "Paul")]
    TableFactory(round=RoundFactory(event=evening), players=people)

    page = text(member_client.get(address("print-seating", evening)))

    order = [page.index(name) for name in ("Ana 1", "Émile 1", "Paul 1", "Zoé 1")]
    assert order == sorted(order)


def test_the_page_of_the_club_leads_its_directors_to_a_new_tournament(
    club, director_client, scorer_client
):
    link = f'href="{reverse("create-tournament", args=[club.slug])}"'
    home = f"/clubs/{club.slug}/"

    assert link in director_client.get(home).text
    assert link not in scorer_client.get(home).text
