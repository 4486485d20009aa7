"""Starting a club: account, club, owner and running season come together or not at all."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs import actions, attempts
from clubs.models import Club, Player, Publication, Role, Season, User
from tests.factories import PASSWORD, ClubFactory, UserFactory

DAY = date(2026, 11, 29)


def sign_up(**changes: str):
    answers = {
        "email": "Odile@Example.org",
        "password": PASSWORD,
        "name": "Odile Kermarrec",
        "language": "fr",
        "club_name": "Les Remparts",
        "town": "Saint-Malo",
    }
    return actions.sign_up(**{**answers, **changes}, on=DAY)


def test_a_new_club_has_an_owner_who_plays_and_the_season_of_the_card_year(db):
    account, club = sign_up()

    owner = club.players.get()
    season = club.seasons.get()
    assert account.email == "odile@example.org"
    assert account.check_password(PASSWORD)
    assert (club.slug, club.town, club.language) == ("les-remparts", "Saint-Malo", "fr")
    assert club.publication == Publication.CLUB
    assert (owner.name, owner.account, owner.role) == ("Odile Kermarrec", account, Role.OWNER)
    assert (season.name, season.starts_on, season.ends_on) == (
        "2026–27",
        date(2026, 9, 1),
        date(2027, 8, 31),
    )


@pytest.mark.parametrize(
    ("day", "name"),
    [(date(2026, 8, 31), "2025–26"), (date(2026, 9, 1), "2026–27"), (date(2099, 12, 1), "2099–00")],
)
def test_the_card_year_turns_on_the_first_of_september(db, day, name):
    club = actions.start_club(owner=UserFactory(), name="Les Dunes", town="", language="en", on=day)

    assert club.seasons.get().name == name


def test_the_button_pressed_twice_starts_one_club(db):
    first = sign_up()
    second = sign_up()

    assert first == second
    assert (User.objects.count(), Club.objects.count(), Season.objects.count()) == (1, 1, 1)


def test_an_address_that_has_an_account_is_refused_with_another_password(db):
    sign_up()

    with pytest.raises(ValidationError) as refusal:
        sign_up(password=PASSWORD + "s", club_name="Les Dunes")

    assert refusal.value.message_dict == {
        "email": ["There is already an account with this address."]
    }
    assert Club.objects.count() == 1


def test_an_address_that_has_an_account_is_refused_even_with_its_password(db):
    """Signing in has its own page, which counts wrong passwords."""
    sign_up()

    with pytest.raises(ValidationError):
        sign_up(club_name="Les Dunes")

    assert Club.objects.count() == 1


def test_the_same_form_sent_again_much_later_is_refused(db):
    sign_up()
    User.objects.update(date_joined=timezone.now() - timedelta(minutes=3))

    with pytest.raises(ValidationError) as refusal:
        sign_up()

    assert list(refusal.value.message_dict) == ["email"]


def test_a_switched_off_account_starts_no_club_through_its_old_password(db):
    sign_up()
    User.objects.update(is_active=False)

    with pytest.raises(ValidationError):
        sign_up()


@pytest.mark.parametrize("password", ["short", "password", "48151623"])
def test_a_weak_password_opens_nothing(db, password):
    with pytest.raises(ValidationError) as refusal:
        sign_up(password=password)

    assert list(refusal.value.message_dict) == ["password"]
    assert not User.objects.exists()
    assert not Club.objects.exists()


def test_when_the_club_is_refused_no_account_is_left(db):
    with pytest.raises(ValidationError):
        sign_up(club_name="x" * 121)

    assert not User.objects.exists()


def test_two_clubs_of_one_name_have_two_addresses(db):
    ClubFactory(slug="les-remparts")

    _account, club = sign_up()

    assert club.slug == "les-remparts-2"


def test_a_name_without_latin_letters_still_has_an_address(db):
    _account, club = sign_up(club_name="塔罗")

    assert club.slug == "club"


def test_an_owner_without_a_name_plays_under_the_address(db):
    owner = UserFactory(name="", email="odile@example.org")

    club = actions.start_club(owner=owner, name="Les Dunes", town="", language="en", on=DAY)

    assert Player.objects.get(club=club).name == "odile@example.org"


class TestPages:
    """The same from the page."""

    ANSWERS = {
        "club_name": "Les Remparts",
        "town": "Saint-Malo",
        "name": "Odile Kermarrec",
        "email": "odile@example.org",
        "password": PASSWORD,
    }

    def test_a_visitor_starts_a_club_and_is_signed_in(self, anonymous_client):
        response = anonymous_client.post("/sign-up/", self.ANSWERS, follow=True)

        assert response.redirect_chain == [("/clubs/les-remparts/players/", 302)]
        assert response.context["user"].email == "odile@example.org"
        assert b"The club is open." in response.content

    def test_the_account_has_a_language_only_when_it_was_chosen(self, client_of, db):
        for chosen in ("", "pt-br"):
            visitor, email = client_of(None), f"odile{chosen}@example.org"
            visitor.cookies["django_language"] = chosen
            answers = {**self.ANSWERS, "email": email, "club_name": f"Les Remparts {chosen}"}
            visitor.post("/sign-up/", answers, headers={"Accept-Language": "fr"})

            club = Club.objects.of(User.objects.get(email=email)).get()
            assert User.objects.get(email=email).language == chosen
            assert club.language == (chosen or "fr")

    def test_the_same_form_sent_twice_ends_on_the_same_page(self, anonymous_client, client_of):
        anonymous_client.post("/sign-up/", self.ANSWERS)

        response = client_of(None).post("/sign-up/", self.ANSWERS)

        assert response.url == "/clubs/les-remparts/players/"
        assert Club.objects.count() == 1

    def test_starting_a_club_is_no_way_round_the_lock_of_the_sign_in(
        self, anonymous_client, member
    ):
        answers = {**self.ANSWERS, "email": member.email}
        wrong = {"email": member.email, "password": "not this one"}
        for _ in range(10):
            anonymous_client.post("/sign-in/", wrong)

        response = anonymous_client.post("/sign-up/", answers)

        assert response.status_code == 422
        assert "_auth_user_id" not in anonymous_client.session
        assert not Club.objects.filter(name="Les Remparts").exists()

    def test_a_refused_form_comes_back_with_the_reasons_and_the_answers(self, anonymous_client):
        response = anonymous_client.post("/sign-up/", {**self.ANSWERS, "password": "short"})

        assert response.status_code == 422
        assert 'value="Odile Kermarrec"' in response.text
        assert "This password is too short" in response.text
        assert 'value="short"' not in response.text

    def test_somebody_with_an_account_is_asked_for_the_club_only(self, member_client):
        page = member_client.get("/sign-up/").text

        assert 'name="password"' not in page

    def test_somebody_with_an_account_starts_a_second_club(self, member_client, member):
        answers = {"name": "Les Dunes", "town": ""}

        response = member_client.post("/sign-up/", answers)
        again = member_client.post("/sign-up/", answers)

        club = Club.objects.get(name="Les Dunes")
        assert response.url == again.url == f"/clubs/{club.slug}/players/"
        assert club.players.get().account == member
        assert club.players.get().role == Role.OWNER

    def test_one_place_opens_only_so_many_accounts(self, anonymous_client, monkeypatch):
        monkeypatch.setattr(
            "clubs.attempts.NEW_ACCOUNTS", attempts.Limit(name="sign-up", most=1, seconds=60)
        )
        anonymous_client.post("/sign-up/", {})

        response = anonymous_client.post("/sign-up/", self.ANSWERS)

        assert response.status_code == 429
        assert not Club.objects.exists()
