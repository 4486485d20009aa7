"""Mails about accounts and clubs, in the language of who gets them."""

from __future__ import annotations

from typing import Any

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.models import Invitation, User


def invitation(invited: Invitation, *, site: str) -> EmailMessage:
    """The link that opens an account for a player, in the club's language."""
    club = invited.player.club
    with translation.override(club.language):
        text = render_to_string(
            "mails/invitation.txt",
            {
                "invitation": invited,
                "club": club,
                "inviter": invited.invited_by,
                "link": site + reverse("invitation", args=[invited.key]),
            },
        )
        subject = _("%(club)s invites you") % {"club": club.name}
    return EmailMessage(one_line(subject), text, to=[invited.email])


def password_reset(account: User, context: dict[str, Any], *, language: str) -> EmailMessage:
    """The link to choose a new password, in the account's language or else the given one."""
    with translation.override(account.language or language):
        text = render_to_string("mails/password_reset.txt", context)
        subject = _("A new password for Tapis Vert")
    return EmailMessage(one_line(subject), text, to=[account.email])


def one_line(subject: str) -> str:
    """A name with a line break in it must not write headers."""
    return " ".join(subject.split())
