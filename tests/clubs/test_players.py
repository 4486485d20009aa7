"""The people of a club: on and off the lists, members and guests, roles."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError

from clubs import actions
from clubs.models import Membership, Player, Role
from clubs.permissions import role_in
from tests.conftest import account_with
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory

DAY = date(2026, 11, 29)
NOW = datetime(2026, 11, 29, 20, 15, tzinfo=ZoneInfo("Europe/Paris"))


class TestNames:
    def test_a_new_player_is_a_member_with_the_plainest_role(self, club):
        player = actions.add_player(club=club, name="Ana  Paula ", licence_number="17-042", on=DAY)

        assert (player.name, player.sort_name) == ("Ana Paula", "ana paula")
        assert (player.role, player.membership.licence_number) == (Role.MEMBER, "17-042")

    def test_a_guest_has_no_membership(self, club):
        player = actions.add_player(club=club, name="Kévin", is_member=False, on=DAY)

        assert player.role is None
        assert not Membership.objects.exists()

    @pytest.mark.parametrize("name", ["Émile", "émile", " EMILE "])
    def test_a_name_stands_once_in_the_club_whatever_accents_and_case(self, club, name):
        actions.add_player(club=club, name="Émile", on=DAY)

        with pytest.raises(ValidationError, match="already has a player of this name"):
            actions.add_player(club=club, name=name, on=DAY)

    def test_two_clubs_may_have_a_player_of_one_name(self, club):
        actions.add_player(club=club, name="Émile", on=DAY)

        actions.add_player(club=ClubFactory(), name="Émile", on=DAY)

        assert Player.objects.count() == 2

    def test_a_name_has_a_letter(self, club):
        with pytest.raises(ValidationError, match="at least one letter"):
            actions.add_player(club=club, name="´", on=DAY)

    def test_many_guests_are_added_at_once_in_the_order_of_their_names(self, club):
        guests = actions.add_guests(club=club, names=["Zoé", " Ana  Souza "])

        assert [(guest.name, guest.sort_name, guest.role) for guest in guests] == [
            ("Zoé", "zoe", None), ("Ana Souza", "ana souza", None),
        ]  # fmt: skip
        assert Player.objects.filter(pk__in=[guest.pk for guest in guests]).count() == 2

    @pytest.mark.parametrize("names", [["Ana", "Zoe"], ["Ana", "ÀNA"], ["Ana", "´"]])
    def test_of_many_guests_one_whose_name_is_refused_keeps_all_out(self, club, names):
        actions.add_player(club=club, name="Zoé", on=DAY)

        with pytest.raises(ValidationError):
            actions.add_guests(club=club, names=names)

        assert Player.objects.count() == 1

    def test_a_bad_licence_number_adds_nobody(self, club):
        with pytest.raises(ValidationError):
            actions.add_player(club=club, name="Émile", licence_number="<17>", on=DAY)

        assert not Player.objects.exists()

    def test_a_changed_name_is_sorted_anew(self, club):
        player = MembershipFactory(player__club=club).player

        actions.change_player(player=player, name="Zoé", table_name="Zo", licence_number="8")

        player = Player.objects.get(pk=player.pk)
        assert (player.sort_name, player.short_name) == ("zoe", "Zo")
        assert player.membership.licence_number == "8"

    def test_a_player_without_a_table_name_goes_by_the_first_name(self, club):
        assert PlayerFactory(club=club, name="Bernard Le Goff").short_name == "Bernard"


class TestMembership:
    def test_a_guest_becomes_a_member(self, club):
        guest = PlayerFactory(club=club)

        actions.make_member(player=guest, on=DAY)

        assert Player.objects.get(pk=guest.pk).role == Role.MEMBER

    def test_pressed_twice_there_is_one_membership(self, club):
        guest = PlayerFactory(club=club)

        assert actions.make_member(player=guest, on=DAY) == actions.make_member(
            player=guest, on=DAY
        )

    def test_a_membership_that_ended_leaves_a_guest_without_access(self, club, director):
        player = director.players.get()

        actions.make_guest(player=player, on=DAY)

        assert Player.objects.get(pk=player.pk).role is None
        assert role_in(director, club) is None
        assert list(club.players.guests()) == [player]

    def test_who_comes_back_does_not_find_the_old_role_again(self, club, owner, director):
        player = director.players.get()
        actions.make_guest(player=player, on=DAY)

        membership = actions.make_member(player=player, on=date(2027, 1, 7))

        assert (membership.role, membership.left_on) == (Role.MEMBER, None)
        assert membership.joined_on == date(2027, 1, 7)

    def test_who_comes_back_keeps_the_time_before(self, director):
        player = director.players.get()
        player.membership.joined_on = date(2024, 9, 1)
        player.membership.save()
        actions.make_guest(player=player, on=date(2025, 6, 30))

        actions.make_member(player=player, on=date(2027, 1, 7))

        assert list(player.past_memberships.values_list("joined_on", "left_on")) == [
            (date(2024, 9, 1), date(2025, 6, 30))
        ]

    def test_who_comes_back_on_the_same_day_never_left(self, director):
        player = director.players.get()
        since = player.membership.joined_on
        actions.make_guest(player=player, on=DAY)

        membership = actions.make_member(player=player, on=DAY)

        assert membership.joined_on == since
        assert not player.past_memberships.exists()

    def test_who_is_put_away_is_on_no_list_and_has_no_access(self, club, member):
        player = actions.put_away(player=member.players.get(), at=NOW, on=DAY)

        assert player.archived_at == NOW
        assert player not in club.players.in_group("")
        assert player in club.players.in_group("away")
        assert role_in(member, club) is None

    def test_who_is_taken_back_is_a_guest(self, club, member):
        player = actions.put_away(player=member.players.get(), at=NOW, on=DAY)

        player = actions.take_back(player=player)

        assert player in club.players.in_group("guests")

    def test_who_is_put_away_cannot_become_a_member(self, club, member):
        player = actions.put_away(player=member.players.get(), at=NOW, on=DAY)

        with pytest.raises(ValidationError, match="put away"):
            actions.make_member(player=player, on=DAY)


class TestRoles:
    def test_a_member_becomes_a_scorer(self, club, member):
        actions.change_role(player=member.players.get(), role=Role.SCORER)

        assert role_in(member, club) == Role.SCORER

    def test_a_guest_has_no_role(self, club):
        with pytest.raises(ValidationError, match="Only members have a role"):
            actions.change_role(player=PlayerFactory(club=club), role=Role.SCORER)

    @pytest.mark.parametrize(
        "take_away",
        [
            lambda player: actions.change_role(player=player, role=Role.DIRECTOR),
            lambda player: actions.make_guest(player=player, on=DAY),
            lambda player: actions.put_away(player=player, at=NOW, on=DAY),
        ],
        ids=["demoted", "made a guest", "put away"],
    )
    def test_the_last_owner_stays(self, club, owner, take_away):
        # An owner who cannot sign in is no help, nor is the owner of another club.
        MembershipFactory(player__club=club, role=Role.OWNER)
        off = UserFactory(is_active=False)
        MembershipFactory(player=PlayerFactory(club=club, account=off), role=Role.OWNER)
        account_with(ClubFactory(), Role.OWNER, "Carla")

        with pytest.raises(ValidationError, match="last owner"):
            take_away(owner.players.get())

        assert role_in(owner, club) == Role.OWNER
        assert Player.objects.get(account=owner).archived_at is None

    def test_one_of_two_owners_may_go(self, club, owner):
        account_with(club, Role.OWNER, "Ottilie")

        actions.make_guest(player=owner.players.get(), on=DAY)

        assert role_in(owner, club) is None

    def test_the_owner_may_be_made_owner_again(self, club, owner):
        actions.change_role(player=owner.players.get(), role=Role.OWNER)

        assert role_in(owner, club) == Role.OWNER


class TestListPage:
    def address(self, club) -> str:
        return f"/clubs/{club.slug}/players/"

    @pytest.mark.parametrize("number", [1, 3])
    def test_a_longer_list_asks_no_more_of_the_database(
        self, club, owner_client, number, django_assert_num_queries
    ):
        for _ in range(number):
            MembershipFactory(player__club=club)
            PlayerFactory(club=club)

        # Session, account, club, the role for the right and for the page, count, players.
        with django_assert_num_queries(7):
            response = owner_client.get(self.address(club))

        assert len(response.context["page"].object_list) == 2 * number + 1

    def test_two_thousand_players_come_in_pages(self, club, owner_client):
        Player.objects.bulk_create(
            Player(club=club, name=f"Player {n}", sort_name=f"player {n:04}") for n in range(2000)
        )

        page = owner_client.get(self.address(club), {"page": 3}).context["page"]

        assert page.paginator.count == 2001
        assert [player.sort_name for player in page.object_list[:1]] == ["player 0099"]

    def test_a_page_beyond_the_last_is_the_last(self, club, owner_client):
        page = owner_client.get(self.address(club), {"page": "99"}).context["page"]

        assert page.number == 1

    def test_htmx_gets_the_list_alone(self, club, owner_client):
        part = owner_client.get(self.address(club), headers={"HX-Request": "true"})
        page = owner_client.get(self.address(club))

        assert part.text.lstrip().startswith('<div class="stack" id="people">')
        assert "<html" in page.text
        assert "HX-Request" in page.headers["Vary"]

    def test_the_search_shows_who_fits_and_says_when_nobody_does(self, club, owner_client):
        PlayerFactory(club=club, name="Émile Guivarc’h")

        found = owner_client.get(self.address(club), {"q": "emile"}).text
        nobody = owner_client.get(self.address(club), {"q": "Kermadec"}).text

        assert "Émile" in found
        assert "Odile" not in found.split('id="people"')[1].split("</table>")[0]
        assert "Nobody here is called “Kermadec”." in nobody

    def test_the_groups_are_members_guests_and_those_put_away(self, club, owner_client, member):
        PlayerFactory(club=club, name="Kévin")
        actions.put_away(player=member.players.get(), at=NOW, on=DAY)

        def names(group: str) -> list[str]:
            page = owner_client.get(self.address(club), {"group": group}).context["page"]
            return [player.name for player in page.object_list]

        assert names("") == ["Kévin", "Odile"]
        assert names("members") == ["Odile"]
        assert names("guests") == ["Kévin"]
        assert names("away") == ["Michel"]
        assert names("nonsense") == ["Kévin", "Odile"]

    def test_an_empty_group_says_so(self, club, owner_client):
        page = owner_client.get(self.address(club), {"group": "away"}).text

        assert "Nobody here yet" in page

    def test_a_member_sees_names_but_no_accounts_and_no_edit_links(self, club, member_client):
        page = member_client.get(self.address(club)).text

        assert "Michel" in page
        assert "/edit/" not in page
        assert "has an account" not in page

    def test_players_of_another_club_are_not_shown(self, club, owner_client, stranger):
        assert "Carla" not in owner_client.get(self.address(club)).text


class TestForms:
    def test_a_director_adds_a_guest(self, club, director_client):
        response = director_client.post(
            f"/clubs/{club.slug}/players/new/", {"name": "Kévin Riou", "kind": "guest"}
        )

        assert response.url == f"/clubs/{club.slug}/players/"
        assert Player.objects.get(name="Kévin Riou").role is None

    def test_add_then_another_one_leads_to_an_empty_form(self, club, director_client):
        response = director_client.post(
            f"/clubs/{club.slug}/players/new/",
            {"name": "Kévin Riou", "kind": "member", "another": "1"},
        )

        assert response.url == f"/clubs/{club.slug}/players/new/"

    def test_a_name_that_is_taken_comes_back_with_the_reason(self, club, director_client):
        PlayerFactory(club=club, name="Émile")

        response = director_client.post(
            f"/clubs/{club.slug}/players/new/", {"name": "Emile", "kind": "member"}
        )

        assert response.status_code == 422
        assert "Add an initial or a town." in response.text

    @pytest.mark.parametrize("answers", [{}, {"name": ""}, {"name": "´", "kind": "guest"}])
    def test_a_form_without_a_name_adds_nobody(self, club, director_client, answers):
        before = Player.objects.count()

        response = director_client.post(f"/clubs/{club.slug}/players/new/", answers)

        assert response.status_code == 422
        assert Player.objects.count() == before

    def test_names_and_licence_number_are_changed(self, club, director_client):
        player = MembershipFactory(player__club=club).player

        response = director_client.post(
            f"/players/{player.pk}/edit/", {"name": "Zoé", "licence_number": "8"}
        )

        assert response.url == f"/clubs/{club.slug}/players/"
        assert Membership.objects.get(player__name="Zoé").licence_number == "8"

    def test_a_refused_change_leaves_the_heading_as_it_was(self, club, director_client):
        PlayerFactory(club=club, name="Zoé")
        player = PlayerFactory(club=club, name="Kévin")

        response = director_client.post(f"/players/{player.pk}/edit/", {"name": "zoe"})

        assert response.status_code == 422
        assert "<h1>Kévin</h1>" in response.text

    def test_an_owner_gives_a_role(self, club, owner_client, member):
        player = member.players.get()

        response = owner_client.post(f"/players/{player.pk}/role/", {"role": "scorer"})

        assert response.url == f"/players/{player.pk}/edit/"
        assert role_in(member, club) == Role.SCORER

    @pytest.mark.parametrize("answers", [{}, {"role": "king"}])
    def test_a_role_that_does_not_exist_is_refused(self, club, owner_client, member, answers):
        player = member.players.get()

        response = owner_client.post(f"/players/{player.pk}/role/", answers)

        assert response.status_code == 422
        assert role_in(member, club) == Role.MEMBER

    def test_the_last_owner_is_told_why_the_role_stays(self, club, owner, owner_client):
        player = owner.players.get()

        response = owner_client.post(f"/players/{player.pk}/role/", {"role": "member"})

        assert response.status_code == 422
        assert "Odile is the last owner who can sign in." in response.text

    def test_a_director_gives_no_roles(self, club, director_client, member):
        player = member.players.get()

        response = director_client.post(f"/players/{player.pk}/role/", {"role": "director"})

        assert response.status_code == 403
        assert "This needs the role of owner in the club." in response.text
        assert role_in(member, club) == Role.MEMBER

    @pytest.mark.parametrize("step", ["edit", "guest", "away", "invite"])
    def test_a_director_does_not_touch_an_owner(self, club, owner, director_client, step):
        player = owner.players.get()

        response = director_client.post(f"/players/{player.pk}/{step}/", {"name": "x"})

        assert response.status_code == 403
        assert role_in(owner, club) == Role.OWNER

    def test_the_steps_of_a_membership_follow_each_other(self, club, director_client):
        player = PlayerFactory(club=club)

        def role_after(step: str) -> Role | None:
            response = director_client.post(f"/players/{player.pk}/{step}/")
            assert response.url == f"/players/{player.pk}/edit/"
            return Player.objects.get(pk=player.pk).role

        assert role_after("member") == Role.MEMBER
        assert role_after("guest") is None
        assert role_after("away") is None
        assert director_client.post(f"/players/{player.pk}/member/").status_code == 422
        assert role_after("back") is None
        assert role_after("member") == Role.MEMBER
