"""The site with two more addresses, which do the least that a request can do."""

from __future__ import annotations

from config.wsgi import application  # isort: skip - models need it first

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config import urls
from scoring.models import StaleStandings

__all__ = ["application"]


def insert(request: HttpRequest, pk: int) -> HttpResponse:
    """Insert a row and say nothing."""
    StaleStandings.objects.create(event_id=pk)
    return HttpResponse(status=204)


def empty(request: HttpRequest) -> HttpResponse:
    """Say nothing."""
    return HttpResponse(status=204)


# Found first, as the addresses of tables are: what is compared must not pay for where it stands.
urls.urlpatterns[:0] = [path("bare/<int:pk>/", insert), path("empty/", empty)]
