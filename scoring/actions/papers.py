"""Paper that a worker makes: one file of many sheets."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from scoring import exports, tasks
from scoring.models import PaperJob
from tournaments.models import Event


@transaction.atomic
def ask_for_paper(*, event: Event, order: exports.Order, by: User) -> PaperJob:
    """Have a worker make the file; asking twice while it is being made is one file.

    Refuses a document that has no room on the paper.
    """
    if not order.has_its_paper:
        raise ValidationError(_("This document needs A5 or A4."), code="paper_too_small")
    event = Event.objects.locked().get(pk=event.pk)
    asked = order.to_json()
    waiting = PaperJob.objects.filter(event=event, made_by=by).unfinished().order_by("pk")
    known: PaperJob | None = next((job for job in waiting if job.order == asked), None)
    if known is not None:
        return known
    job = PaperJob.objects.create(event=event, order=asked, made_by=by)
    tasks.make_paper.delay_on_commit(job.pk)
    return job
