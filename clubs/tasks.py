"""Jobs of the clubs: mails that no page should wait for."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from clubs import mails
from clubs.models import Invitation
from clubs.queue import LenientTask


@shared_task(base=LenientTask)
def send_invitation(invitation_id: int, site: str) -> None:
    """Send the mail of an invitation, once; the page shows the link as well, should it get lost."""
    waiting = Invitation.objects.filter(pk=invitation_id).to_mail()
    if not waiting.update(mailed_at=timezone.now()):
        return
    invited = Invitation.objects.select_related("player__club", "invited_by").get(pk=invitation_id)
    try:
        mails.invitation(invited, site=site).send()
    except Exception:
        Invitation.objects.filter(pk=invitation_id).update(mailed_at=None)
        raise
