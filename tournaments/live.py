"""Pages that ask again and again: "unchanged" is answered from one read of one state.

Nobody can guess the tag of a state: who brings one has been shown the page in this very state, so
that 304 can be said before anybody asks who he is, what he may see, or what the page is made of.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language

from clubs.prepared import LARGEST_KEY
from tournaments.http import mark, not_modified
from tournaments.models import Entry, Event, JoinLink, Round, Table
from tournaments.phones import cookies_of

OK = 200
type View = Callable[..., HttpResponseBase]


def tag_of(request: HttpRequest, what: str, state: object) -> str:
    """Name what a visitor sees of something in this state."""
    seen = (
        what,
        state,
        request.session.get(SESSION_KEY),
        cookies_of(request),
        get_language(),
        request.get_full_path(),
    )
    return f'"{salted_hmac("tournaments.live", repr(seen), algorithm="sha256").hexdigest()[:24]}"'


class ReadOfOne:
    """Reads columns of one row by its key, for a tag only: values come as the database has them.

    Whole halls ask for it several times a minute: the statement is made once, and then only sent.
    """

    def __init__(self, rows: QuerySet[Any], *columns: str) -> None:
        self.rows, self.columns = rows, columns

    @cached_property
    def statement(self) -> str:
        """The SQL, with a gap for the key."""
        one = self.rows.filter(pk=0).order_by().values_list(*self.columns)
        sql, gaps = one.query.sql_with_params()
        if gaps != (0,):
            raise ValueError(f"The key is not the only gap: {gaps}.")
        return sql

    def __call__(self, pk: int) -> object:
        if pk > LARGEST_KEY:
            return None
        with connection.cursor() as cursor:
            cursor.execute(self.statement, [pk])
            return cursor.fetchone()


def answered_when_unchanged(state_of: Callable[[int], object]) -> Callable[[View], View]:
    """Make a view say 304 to a page that has its present state, by one read.

    The state is read before the page is made: what changes in between is told the next time.
    """

    def wrapping(view: View) -> View:
        @wraps(view)
        def answering(request: HttpRequest, pk: int, **more: Any) -> HttpResponseBase:
            if not getattr(request, "htmx", False) or request.method not in {"GET", "HEAD"}:
                return view(request, pk, **more)
            tag = tag_of(request, view.__name__, state_of(pk))
            unchanged = not_modified(request, tag)
            if unchanged is not None:
                return unchanged
            response = view(request, pk, **more)
            return mark(response, tag) if response.status_code == OK else response

        return answering

    return wrapping


def state_of_event(pk: int, **more: Any) -> object:
    """Give, by one read, what the pages about a whole event depend on.

    ``more`` are columns or subqueries about what other drawers keep; ``OuterRef("pk")`` is the
    event.
    """
    rounds, tables, entries = (
        Round.objects.filter(event=OuterRef("pk")).order_by().values("event"),
        Table.objects.filter(round__event=OuterRef("pk")).order_by().values("round__event"),
        Entry.objects.filter(event=OuterRef("pk")).order_by().values("event"),
    )
    links = JoinLink.objects.filter(
        event=OuterRef("pk"), revoked_at=None, expires_at__gt=timezone.now()
    )
    found = Event.objects.filter(pk=pk).values_list(
        "state",
        "publication",
        "roster_version",
        "standings_at",
        "title",
        "wall_note",
        "season__name",
        "season__club__name",
        "season__club__names_changed_at",
        _one(rounds, Count("pk")),
        _one(rounds, Count("pk", filter=Q(state=Round.State.PLAYING))),
        _one(rounds, Count("pk", filter=Q(state=Round.State.CLOSED))),
        _one(rounds, Max("clock_started_at")),
        _one(rounds, Max("clock_paused_at")),
        _one(rounds, Sum("seconds_paused")),
        _one(rounds, Sum("minutes")),
        _one(rounds, Max("time_called_at")),
        _one(tables, Sum("version")),
        _one(tables, Max("changed_at")),
        _one(tables, Sum("extra_minutes")),
        _one(entries, Count("pk")),
        # Of the good links: another one, one less, and one that has run out.
        _one(links.order_by().values("event"), Sum("pk")),
        *more.values(),
    )
    return found.first()


def _one(rows: QuerySet[Any, Any], what: Any) -> Subquery:
    return Subquery(rows.annotate(found=what).values("found"))
