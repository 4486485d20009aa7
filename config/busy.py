"""A database that has no turn left for a request: the answer is "in a moment", not "broken"."""

from __future__ import annotations

import sqlite3
import sys

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.defaults import server_error

RETRY_AFTER = 2
#: Of SQLite, without what its extended codes add.
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
#: Of PostgreSQL: serialization, deadlock, lock not available, too many connections.
NO_TURN = {"40001", "40P01", "55P03", "53300"}


def broken(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed: 503 when it may be sent again in a moment, else 500."""
    failure = sys.exception()
    if isinstance(failure, OperationalError) and is_busy(failure):
        return _in_a_moment(request)
    return server_error(request)


def is_busy(failure: OperationalError) -> bool:
    """Was the failure a wait for others that took too long? Nothing was written then."""
    cause = failure.__cause__
    if isinstance(cause, sqlite3.OperationalError):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in LOCKED
    # The pool's own exception has no code; psycopg is not there in an embedded set-up.
    return getattr(cause, "sqlstate", "") in NO_TURN or type(cause).__name__ == "PoolTimeout"


def _in_a_moment(request: HttpRequest) -> HttpResponse:
    answer: HttpResponse
    if request.path_info.startswith("/api/"):
        message = _("Too many write at this moment. Nothing was saved: send it again.")
        answer = JsonResponse({"code": "busy", "message": message, "fields": {}}, status=503)
    else:
        reads = request.method in {"GET", "HEAD"}
        page = render_to_string("503.html", {"again": request.get_full_path() if reads else ""})
        answer = HttpResponse(page, status=503)
    answer.headers["Retry-After"] = str(RETRY_AFTER)
    patch_cache_control(answer, no_store=True)
    return answer
