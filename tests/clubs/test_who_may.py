"""Each page of the clubs for each role: seen (200), done (302), refused (403), hidden (404)."""

from __future__ import annotations

import pytest

from tests.conftest import ROLES
from tests.factories import MembershipFactory

# What the roles get, in the order of ROLES; in a row of POST pages 422 is a form left empty.
SIGN_IN = 302
PAGES = {
    "/clubs/{club}/players/": (200, 200, 200, 200, 404, SIGN_IN),
    "/clubs/{club}/players/new/": (200, 200, 403, 403, 404, SIGN_IN),
    "/clubs/{club}/settings/": (200, 403, 403, 403, 404, SIGN_IN),
    "/clubs/{club}/seasons/": (200, 200, 200, 200, 404, SIGN_IN),
    "/clubs/{club}/seasons/new/": (200, 200, 403, 403, 404, SIGN_IN),
    "/seasons/{season}/edit/": (200, 200, 403, 403, 404, SIGN_IN),
    "/players/{player}/edit/": (200, 200, 403, 403, 404, SIGN_IN),
}
FORMS = {
    "/clubs/{club}/players/new/": (422, 422, 403, 403, 404, SIGN_IN),
    "/clubs/{club}/settings/": (422, 403, 403, 403, 404, SIGN_IN),
    "/clubs/{club}/seasons/new/": (422, 422, 403, 403, 404, SIGN_IN),
    "/seasons/{season}/edit/": (422, 422, 403, 403, 404, SIGN_IN),
    "/players/{player}/edit/": (422, 422, 403, 403, 404, SIGN_IN),
    "/players/{player}/role/": (422, 403, 403, 403, 404, SIGN_IN),
    "/players/{player}/guest/": (302, 302, 403, 403, 404, SIGN_IN),
    "/players/{player}/member/": (302, 302, 403, 403, 404, SIGN_IN),
    "/players/{player}/away/": (302, 302, 403, 403, 404, SIGN_IN),
    "/players/{player}/back/": (302, 302, 403, 403, 404, SIGN_IN),
    "/players/{player}/invite/": (302, 302, 403, 403, 404, SIGN_IN),
}


@pytest.fixture
def address(club, season):
    player = MembershipFactory(player__club=club).player

    def fill(pattern: str) -> str:
        return pattern.format(club=club.slug, season=season.pk, player=player.pk)

    return fill


@pytest.mark.parametrize("pattern", PAGES)
def test_who_may_see_a_page(pattern, address, role_name, role_client):
    response = role_client.get(address(pattern))

    assert response.status_code == PAGES[pattern][ROLES.index(role_name)]


@pytest.mark.parametrize("pattern", FORMS)
def test_who_may_send_a_form(pattern, address, role_name, role_client):
    response = role_client.post(address(pattern))

    assert response.status_code == FORMS[pattern][ROLES.index(role_name)]
    if role_name == "anonymous":
        assert response.url.startswith("/sign-in/")


@pytest.mark.parametrize("pattern", [p for p in FORMS if p not in PAGES])
def test_what_changes_something_is_not_a_link(pattern, address, owner_client):
    assert owner_client.get(address(pattern)).status_code == 302
