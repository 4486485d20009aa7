"""Names as a list sorts and a search finds them."""

from __future__ import annotations

import pytest

from clubs.forms.fields import LineField
from clubs.models import Club, Player, Season, User
from clubs.names import fold_name, one_line
from tests.factories import PASSWORD, EventFactory, PlayerFactory
from tournaments.models import Event, Stage


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Émile Guivarc’h", "emile guivarc'h"),
        ("  Ana   Paula ", "ana paula"),
        ("João", "joao"),
        ("Œdipe", "oedipe"),
        ("´", ""),
    ],
)
def test_a_name_is_folded_to_letters_without_accents_and_case(name, folded):
    assert fold_name(name) == folded


def test_accents_do_not_send_a_name_to_the_end_of_the_list(club):
    for name in ("Zoé", "Émile", "Denis"):
        PlayerFactory(club=club, name=name)

    names = list(club.players.by_name().values_list("name", flat=True))

    assert names == ["Denis", "Émile", "Zoé"]


@pytest.mark.parametrize("words", ["emile", "ÉMILE", "guiv émi", "Mimile"])
def test_a_search_finds_a_player_without_the_accents_and_by_the_name_at_the_table(club, words):
    emile = PlayerFactory(club=club, name="Émile Guivarc’h", table_name="Mimile")
    PlayerFactory(club=club, name="Denis Cariou")

    assert list(Player.objects.called(words)) == [emile]


def test_a_search_for_two_words_wants_both(club):
    PlayerFactory(club=club, name="Émile Guivarc’h")

    assert not Player.objects.called("émile cariou").exists()


def test_lists_of_players_have_a_total_order(club):
    assert club.players.by_name().totally_ordered


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("a\nb", "a b"),
        ("\u202eevil", "evil"),
        ("Jean\u200b-\u2060Paul", "Jean-Paul"),
        ("\ufeff  Ana\u00a0 Paula\t", "Ana Paula"),
        ("\u200b \u3164", ""),
        ("Zoé 塔罗 ♠ n° 3", "Zoé 塔罗 ♠ n° 3"),
    ],
)
def test_a_name_is_one_line_that_people_see(typed, seen):
    assert one_line(typed) == seen


def test_what_nobody_sees_makes_no_other_name():
    assert fold_name("Jean\u200bPaul") == fold_name("JeanPaul")


HIDDEN = "\u202eBéla\u200b\nKiss"


@pytest.mark.parametrize(
    ("address", "answers", "stored"),
    [
        ("/clubs/{club}/players/new/", {"name": HIDDEN, "kind": "guest"}, lambda: Player.objects),
        (
            "/clubs/{club}/settings/",
            {"name": HIDDEN, "language": "en", "publication": "club"},
            lambda: Club.objects,
        ),
        (
            "/clubs/{club}/seasons/new/",
            {
                "name": HIDDEN,
                "starts_on": "2026-09-01",
                "ends_on": "2027-08-31",
                "publication": "club",
            },
            lambda: Season.objects,
        ),
        ("/sign-up/", {"name": HIDDEN, "town": ""}, lambda: Club.objects),
        ("/account/", {"name": HIDDEN, "language": "en"}, lambda: User.objects),
        ("/evenings/{event}/check-in/guests/", {"name": HIDDEN}, lambda: Player.objects),
    ],
)
def test_every_page_that_takes_a_name_stores_what_people_see(
    owner_client, club, address, answers, stored
):
    event = EventFactory(season__club=club)

    owner_client.post(address.format(club=club.slug, event=event.pk), answers)

    assert stored().filter(name="Béla Kiss").exists()


def test_titles_places_and_stages_are_lines_too(director_client, club):
    tournament = EventFactory(season__club=club, kind=Event.Kind.TOURNAMENT)
    Stage.objects.create(event=tournament, number=1, rounds_planned=5, deals_per_round=4)
    answers = {
        "starts_at": "2026-12-04T20:15",
        "deals_per_round": "5",
        "leftovers": "threes",
        "publication": "club",
        "title": "\u202eSoirée",
        "place": "Salle\u200b des fêtes",
    }
    director_client.post(f"/clubs/{club.slug}/evenings/new/", answers)
    director_client.post(
        f"/evenings/{tournament.pk}/stages/new/",
        {"new-name": "Fi\u00adnale", "new-rounds_planned": "1", "new-deals_per_round": "4",
         "new-placement": "drawn", "new-carried": "1"},
    )  # fmt: skip

    evening = Event.objects.exclude(pk=tournament.pk).get()
    assert (evening.title, evening.place) == ("Soirée", "Salle des fêtes")
    assert [stage.name for stage in tournament.stages.order_by("number")] == ["", "Finale"]


def test_an_invisible_name_is_no_name(owner_client, anonymous_client, club):
    before = Player.objects.count()

    player = owner_client.post(f"/clubs/{club.slug}/players/new/", {"name": "\u200b"})
    answers = {"name": "Ana", "email": "ana@example.org", "password": PASSWORD}
    started = anonymous_client.post("/sign-up/", {**answers, "club_name": "\u2800"})

    assert (player.status_code, started.status_code) == (422, 422)
    assert list(started.context["form"].errors) == ["club_name"]
    assert Player.objects.count() == before


def test_a_line_too_long_is_refused_by_what_is_seen_of_it():
    field = LineField(max_length=4)

    assert field.clean("Zo\u200b\u200b\u200bé") == "Zoé"


@pytest.mark.parametrize("words", ["Zézé", "zeze", "ZÈZE"])
def test_somebody_is_found_by_the_name_at_the_table_whatever_its_accents(words: str, club):
    jose = PlayerFactory(club=club, name="José Pinto", table_name="Zézé")
    PlayerFactory(club=club, name="Ana Pinto")

    assert list(Player.objects.called(words)) == [jose]
