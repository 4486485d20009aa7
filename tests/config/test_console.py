"""What the console of the site says, and what it keeps to itself."""

from __future__ import annotations

import logging

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from config.wsgi import application

pytestmark = pytest.mark.django_db


def test_a_refusal_for_want_of_a_role_is_one_line_without_a_traceback(
    member_client: Client, club, caplog
):
    assert member_client.get(reverse("club-settings", args=[club.slug])).status_code == 403

    (line,) = (record for record in caplog.records if record.name == "django.request")
    assert (line.levelno, line.exc_info) == (logging.INFO, None)


def test_a_form_to_be_mended_is_no_warning(anonymous_client: Client, caplog):
    assert anonymous_client.post("/sign-in/", {}).status_code == 422

    assert not [record for record in caplog.records if record.levelno > logging.INFO]


def test_a_page_that_is_not_there_is_still_a_warning(anonymous_client: Client, caplog):
    assert anonymous_client.get("/no-such-page/").status_code == 404

    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@pytest.mark.parametrize("path", ["/help/", "/sign-in/", "/no-such-page/"])
def test_the_answer_to_head_has_the_headers_of_the_page_and_no_page(path):
    """The test client drops what follows the headers; a server complains of it."""
    heard: list[tuple[str, dict[str, str]]] = []

    def ask(method: str) -> bytes:
        request = RequestFactory().generic(method, path)
        answer = application(
            request.environ, lambda status, headers, *_: heard.append((status, dict(headers)))
        )
        return b"".join(answer)

    page, nothing = ask("GET"), ask("HEAD")

    assert page
    assert nothing == b""
    (got, got_headers), (head, head_headers) = heard
    assert got == head
    assert got_headers["Content-Type"] == head_headers["Content-Type"]
    assert int(head_headers["Content-Length"]) > 0
