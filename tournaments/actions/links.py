"""Links that let somebody in without an account: made, taken back, renewed."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.models import User
from tournaments.actions.journal import write_line
from tournaments.models import Event, JoinLink, JournalLine
from tournaments.phones import new_code
from tournaments.rules import refuse_closed

KIND = JournalLine.Kind
#: A link outlasts its evening by the night, and a tournament by a long weekend.
LASTS = {Event.Kind.CLUB_NIGHT: timedelta(days=1), Event.Kind.TOURNAMENT: timedelta(days=5)}


@transaction.atomic
def make_links(
    *,
    event: Event,
    role: JoinLink.Role,
    by: User,
    tables: Collection[int | None] = (None,),
    at: datetime | None = None,
) -> list[JoinLink]:
    """Give a good link for each table, or one for the whole event; makes only what is missing.

    One that has run out is taken back and made anew.
    """
    at = at or timezone.now()
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    known = {link.table_number: link for link in _not_revoked(event, role)}
    run_out = [link for link in known.values() if at >= link.expires_at]
    for link in run_out:
        _revoke(link, by=None, at=at)
    good = {number: link for number, link in known.items() if link not in run_out}
    missing = [number for number in tables if number not in good]
    made = _make(event, role, missing, by=by, at=at)
    if made:
        write_line(event, KIND.LINK_MADE, by, role=role, tables=[n for n in missing if n])
    return [{**good, **made}[number] for number in tables]


@transaction.atomic
def revoke_link(*, link: JoinLink, by: User, at: datetime | None = None) -> JoinLink:
    """Take a link back: it and the phones that joined by it open nothing any more."""
    event = Event.objects.locked().get(pk=link.event_id)
    now = _locked(event, link)
    if now.revoked_at is None:
        _revoke(now, by=by, at=at or timezone.now())
        write_line(event, KIND.LINK_REVOKED, by, role=now.role, table=now.table_number)
    return now


@transaction.atomic
def renew_link(*, link: JoinLink, by: User, at: datetime | None = None) -> JoinLink:
    """Take a link back and make another in its place; a second press finds the other one."""
    at = at or timezone.now()
    revoke_link(link=link, by=by, at=at)
    role = JoinLink.Role(link.role)
    return make_links(event=link.event, role=role, by=by, tables=[link.table_number], at=at)[0]


def _locked(event: Event, link: JoinLink) -> JoinLink:
    now = JoinLink.objects.select_for_update(of=("self",)).get(pk=link.pk)
    now.event = event
    return now


def _not_revoked(event: Event, role: str) -> list[JoinLink]:
    return list(event.join_links.filter(role=role, revoked_at=None))


def _revoke(link: JoinLink, *, by: User | None, at: datetime) -> None:
    link.revoked_by, link.revoked_at = by, at
    link.save(update_fields=["revoked_by", "revoked_at"])


def _make(
    event: Event, role: str, tables: Collection[int | None], *, by: User, at: datetime
) -> dict[int | None, JoinLink]:
    expires_at = max(at, event.starts_at) + LASTS[Event.Kind(event.kind)]
    made = [
        JoinLink(
            event=event,
            role=role,
            table_number=number,
            code=code,
            made_by=by,
            made_at=at,
            expires_at=expires_at,
        )
        for number, code in zip(tables, _free_codes(len(tables)), strict=True)
    ]
    return {link.table_number: link for link in JoinLink.objects.bulk_create(made)}


def _free_codes(count: int) -> list[str]:
    codes: set[str] = set()
    while len(codes) < count:
        codes |= {new_code() for _ in range(count - len(codes))}
        codes -= set(JoinLink.objects.filter(code__in=codes).values_list("code", flat=True))
    return sorted(codes)
