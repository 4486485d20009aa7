"""A link that lets somebody open an account for a player of the club."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from celery.contrib.django.task import DjangoTask
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from clubs import actions, tasks
from clubs.models import Invitation, Player, Role, User
from clubs.permissions import role_in
from tests.factories import PASSWORD, InvitationFactory, MembershipFactory, PlayerFactory

NOW = datetime(2026, 11, 29, 20, 15, tzinfo=ZoneInfo("Europe/Paris"))
SITE = "https://tapis.example"


@pytest.fixture
def player(club) -> Player:
    """A member without an account."""
    return MembershipFactory(player__club=club, player__name="Gaëlle Riou").player


def refuse_mail(_message: EmailMessage) -> None:
    raise ConnectionRefusedError


def invite(player: Player, by: User, *, email: str = "gaelle@example.org", at=NOW) -> Invitation:
    return actions.invite_player(player=player, email=email, by=by, at=at, site=SITE)


class TestInviting:
    def test_an_invitation_is_good_for_two_weeks(self, player, director):
        invitation = invite(player, director)

        assert invitation.is_good(NOW + timedelta(days=13, hours=23))
        assert not invitation.is_good(NOW + timedelta(days=14))
        assert len(invitation.key) > 40

    def test_a_double_press_is_one_invitation(self, player, director):
        first = invite(player, director)
        second = invite(player, director, at=NOW + timedelta(seconds=1))

        assert first == second

    def test_a_new_link_ends_the_one_before(self, player, director):
        first = invite(player, director)
        second = invite(player, director, at=NOW + timedelta(days=1))

        first.refresh_from_db()
        assert not first.is_good(NOW + timedelta(days=1))
        assert second.is_good(NOW + timedelta(days=1))

    def test_who_has_an_account_is_not_invited(self, member, director):
        with pytest.raises(ValidationError, match="already has an account"):
            invite(member.players.get(), director)

    def test_who_has_been_put_away_is_not_invited(self, player, director):
        actions.put_away(player=player, at=NOW, on=NOW.date())

        with pytest.raises(ValidationError, match="put away"):
            invite(Player.objects.get(pk=player.pk), director)

    def test_the_mail_leaves_after_the_transaction_and_only_with_an_address(
        self, player, director, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks() as mailed:
            invite(player, director)
        with django_capture_on_commit_callbacks() as by_hand:
            invite(player, director, email="")

        assert (len(mailed), len(by_hand)) == (1, 0)

    @pytest.mark.parametrize("fault", [ConnectionRefusedError(), OperationalError(), RedisError()])
    def test_a_queue_that_is_down_does_not_stop_the_invitation(
        self, player, director, django_capture_on_commit_callbacks, monkeypatch, fault
    ):
        def refuse(*_args: object, **_options: object) -> None:
            raise fault

        monkeypatch.setattr(DjangoTask, "apply_async", refuse)

        with django_capture_on_commit_callbacks(execute=True) as sent:
            invite(player, director)

        assert len(sent) == 1
        assert Invitation.objects.filter(mailed_at=None).count() == 1


class TestTheMail:
    def test_it_brings_the_link_in_the_club_s_language(self, player, director):
        invitation = invite(player, director)

        tasks.send_invitation(invitation.pk, SITE)

        message = mail.outbox[0]
        assert message.to == ["gaelle@example.org"]
        assert message.subject == f"{player.club.name} invites you"
        assert f"{SITE}/invitations/{invitation.key}/" in message.body
        assert "Gaëlle Riou" in message.body
        assert "Denis" in message.body

    def test_the_job_run_twice_sends_one_mail(self, player, director):
        invitation = invite(player, director)

        tasks.send_invitation(invitation.pk, SITE)
        tasks.send_invitation(invitation.pk, SITE)

        assert len(mail.outbox) == 1

    def test_a_link_to_hand_over_is_not_mailed(self, player, director):
        tasks.send_invitation(invite(player, director, email="").pk, SITE)

        assert not mail.outbox

    def test_a_mail_that_was_not_taken_can_be_sent_again(self, player, director, monkeypatch):
        invitation = invite(player, director)
        with monkeypatch.context() as broken:
            broken.setattr(EmailMessage, "send", refuse_mail)
            with pytest.raises(ConnectionRefusedError):
                tasks.send_invitation(invitation.pk, SITE)

        tasks.send_invitation(invitation.pk, SITE)

        assert len(mail.outbox) == 1

    def test_a_line_break_in_a_name_writes_no_header(self, player, director):
        player.club.name = "Les Remparts\nBcc: all@example.org"
        player.club.save()

        tasks.send_invitation(invite(player, director).pk, SITE)

        assert mail.outbox[0].subject == "Les Remparts Bcc: all@example.org invites you"


class TestAccepting:
    def test_a_new_account_belongs_to_the_player(self, player, director, club):
        account = actions.open_invited_account(
            invitation=invite(player, director),
            email="gaelle@example.org",
            password=PASSWORD,
            name="Gaëlle",
            language="fr",
            at=NOW,
        )

        assert list(account.players.all()) == [player]
        assert role_in(account, club) == Role.MEMBER
        assert Invitation.objects.get().accepted_at == NOW

    def test_a_guest_becomes_a_member_by_accepting(self, club, director, stranger):
        guest = PlayerFactory(club=club)

        actions.accept_invitation(invitation=invite(guest, director), account=stranger, at=NOW)

        assert role_in(stranger, club) == Role.MEMBER

    def test_the_role_that_the_player_has_is_kept(self, club, owner, stranger):
        player = MembershipFactory(player__club=club, role=Role.SCORER).player

        actions.accept_invitation(invitation=invite(player, owner), account=stranger, at=NOW)

        assert role_in(stranger, club) == Role.SCORER

    def test_accepted_twice_by_the_same_account_it_is_once(self, player, director, stranger):
        invitation = invite(player, director)

        first = actions.accept_invitation(invitation=invitation, account=stranger, at=NOW)
        second = actions.accept_invitation(invitation=invitation, account=stranger, at=NOW)

        assert first == second

    def test_nobody_else_accepts_it_after_that(self, player, director, stranger, scorer):
        invitation = invite(player, director)
        actions.accept_invitation(invitation=invitation, account=stranger, at=NOW)

        with pytest.raises(ValidationError, match="has been used or has run out"):
            actions.accept_invitation(invitation=invitation, account=scorer, at=NOW)

    def test_after_two_weeks_it_is_too_late(self, player, director, stranger):
        invitation = invite(player, director)

        with pytest.raises(ValidationError, match="has been used or has run out"):
            actions.accept_invitation(
                invitation=invitation, account=stranger, at=NOW + timedelta(days=14)
            )

    def test_an_account_plays_once_in_a_club(self, player, director, scorer):
        with pytest.raises(ValidationError, match="already belongs to another player"):
            actions.accept_invitation(invitation=invite(player, director), account=scorer, at=NOW)

        player.refresh_from_db()
        assert player.account is None

    def test_a_late_invitation_leaves_no_account_behind(self, player, director):
        with pytest.raises(ValidationError):
            actions.open_invited_account(
                invitation=invite(player, director),
                email="gaelle@example.org",
                password=PASSWORD,
                name="Gaëlle",
                language="fr",
                at=NOW + timedelta(days=15),
            )

        assert not User.objects.filter(email="gaelle@example.org").exists()


class TestPages:
    ANSWERS = {"name": "Gaëlle", "email": "gaelle@example.org", "password": PASSWORD}

    @pytest.fixture
    def invitation(self, player) -> Invitation:
        return InvitationFactory(player=player, email="gaelle@example.org")

    def test_a_director_gets_a_link_to_copy(self, player, director_client):
        response = director_client.post(f"/players/{player.pk}/invite/", {"email": ""}, follow=True)

        key = Invitation.objects.get().key
        assert f"http://testserver/invitations/{key}/" in response.text

    def test_an_invitation_with_an_address_says_where_it_goes(self, player, director_client):
        response = director_client.post(
            f"/players/{player.pk}/invite/", {"email": "gaelle@example.org"}, follow=True
        )

        assert "The invitation goes to gaelle@example.org." in response.text

    def test_who_has_an_account_gets_no_link(self, member, director_client):
        response = director_client.post(f"/players/{member.players.get().pk}/invite/", {})

        assert response.status_code == 422
        assert "Michel already has an account." in response.text

    def test_a_mistyped_address_invites_nobody(self, player, director_client):
        response = director_client.post(f"/players/{player.pk}/invite/", {"email": "gaelle@"})

        assert response.status_code == 422
        assert not Invitation.objects.exists()

    def test_the_page_fills_in_what_the_club_knows(self, anonymous_client, invitation):
        page = anonymous_client.get(f"/invitations/{invitation.key}/").text

        assert 'value="gaelle@example.org"' in page
        assert 'value="Gaëlle Riou"' in page
        assert "/sign-in/?next=/invitations/" in page

    def test_a_visitor_opens_the_account_and_is_signed_in(self, anonymous_client, invitation, club):
        response = anonymous_client.post(f"/invitations/{invitation.key}/", self.ANSWERS)

        assert response.url == f"/clubs/{club.slug}/"
        assert role_in(User.objects.get(email="gaelle@example.org"), club) == Role.MEMBER
        assert "_auth_user_id" in anonymous_client.session

    @pytest.mark.parametrize("chosen", ["", "fr"])
    def test_a_language_is_kept_with_the_account_only_when_it_was_chosen(
        self, chosen, anonymous_client, invitation
    ):
        anonymous_client.cookies["django_language"] = chosen

        anonymous_client.post(f"/invitations/{invitation.key}/", self.ANSWERS)

        assert User.objects.get(email="gaelle@example.org").language == chosen

    def test_an_address_that_has_an_account_is_told_to_sign_in(
        self, anonymous_client, invitation, member
    ):
        response = anonymous_client.post(
            f"/invitations/{invitation.key}/", {**self.ANSWERS, "email": member.email}
        )

        assert response.status_code == 422
        assert "There is already an account with this address." in response.text

    def test_who_has_signed_in_accepts_with_one_press(self, stranger_client, invitation, club):
        page = stranger_client.get(f"/invitations/{invitation.key}/").text
        response = stranger_client.post(f"/invitations/{invitation.key}/")

        assert "Accept as Carla" in page
        assert response.url == f"/clubs/{club.slug}/"

    def test_a_used_invitation_explains_itself(self, stranger_client, anonymous_client, invitation):
        stranger_client.post(f"/invitations/{invitation.key}/")

        mine = stranger_client.get(f"/invitations/{invitation.key}/").text
        others = anonymous_client.get(f"/invitations/{invitation.key}/").text

        assert "You have accepted this invitation." in mine
        assert "has already been used" in others
        assert 'id="open-account"' not in others

    def test_an_expired_invitation_explains_itself_and_takes_nobody_in(
        self, anonymous_client, invitation
    ):
        invitation.expires_at = timezone.now() - timedelta(days=1)
        invitation.save()

        page = anonymous_client.get(f"/invitations/{invitation.key}/").text
        response = anonymous_client.post(f"/invitations/{invitation.key}/", self.ANSWERS)

        assert "This invitation ran out on" in page
        assert response.status_code == 422
        assert not User.objects.filter(email="gaelle@example.org").exists()

    def test_who_already_plays_in_the_club_cannot_take_a_second_player(
        self, scorer_client, invitation
    ):
        response = scorer_client.post(f"/invitations/{invitation.key}/")

        assert response.status_code == 409
        assert "already belongs to another player" in response.text

    def test_a_made_up_key_is_not_found(self, anonymous_client):
        assert anonymous_client.get("/invitations/none/").status_code == 404
