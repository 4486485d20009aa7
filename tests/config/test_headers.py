"""What every answer says to the browser about safety."""

from __future__ import annotations

import pytest


def policy_of(response) -> dict[str, list[str]]:
    directives = response.headers["Content-Security-Policy"].split("; ")
    return {name: sources for name, *sources in map(str.split, directives)}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/login/", "/no-such-page/"])
def test_every_page_forbids_foreign_and_inline_scripts(client, path):
    policy = policy_of(client.get(path))

    assert policy["default-src"] == ["'self'"]
    assert policy["script-src"][0] == "'self'"
    assert policy["style-src"] == ["'self'"]
    assert policy["img-src"] == ["'self'", "data:"]
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == ["'none'"]
    assert policy["form-action"] == policy["connect-src"] == policy["worker-src"] == ["'self'"]
    assert "unsafe" not in str(policy)


@pytest.mark.django_db
def test_no_page_may_be_framed_or_guessed_at(client):
    headers = client.get("/admin/login/").headers

    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
