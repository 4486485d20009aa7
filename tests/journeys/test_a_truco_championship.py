"""A championship of 52 pairs in a browser in Portuguese, from the pasted list to the champion."""

from __future__ import annotations

import random
import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from scoring import tasks
from tests.factories import PASSWORD
from tests.tournaments.championships import broken_promises, scores_for
from tests.waiting import PATIENCE, eventually
from tournaments.meetings import meetings_of, stages_with_fixtures
from tournaments.models import Event, Fixture, Stage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
FIRST = [
    "Ana",
    "Bruno",
    "Caio",
    "Davi",
    "Elza",
    "Fabio",
    "Gil",
    "Hugo",
    "Ivo",
    "Jair",
    "Karla",
    "Lia",
    "Mauro",
]
LIST = "\n".join(
    f"{FIRST[n % 13]} Lima {n:02d} / {FIRST[(n + 5) % 13]} Reis {n:02d}; Clube {n % 9}"
    for n in range(52)
)


@pytest.fixture
def page(browser: Browser, live_server, director):
    context = browser.new_context(base_url=live_server.url, viewport=DESK, locale="pt-BR")
    context.set_default_timeout(PATIENCE * 1000)
    opened = context.new_page()
    opened.goto("/sign-in/")
    opened.locator("#id_email").fill(director.email)
    opened.locator("#id_password").fill(PASSWORD)
    opened.locator("main form button").first.click()
    expect(opened).not_to_have_url(re.compile("/sign-in/"))
    yield opened
    context.close()


def enter_result(page: Page, scores: list[tuple[int, int]]) -> None:
    """Type a result game by game on the page of a fixture."""
    for number, (home, away) in enumerate(scores, start=1):
        page.locator(f"#id_home_{number}").fill(str(home))
        page.locator(f"#id_away_{number}").fill(str(away))
    page.locator("form[action$='/result/'] button").first.click()


def post_the_rest(stage: Stage, client: Client, dice: random.Random, *, but_last: int = 0) -> None:
    """Send the same form for every fixture that can be played, until none is left."""
    while True:
        ready = stage.fixtures.filter(state="ready").order_by("wave", "section", "order")
        waiting = stage.fixtures.exclude(state="done").count()
        row = ready.first()
        if row is None or waiting <= but_last:
            return
        winner = dice.choice(["home", "away"])
        sent = {"seen": row.changed_at.isoformat(), "ending": "played"}
        for number, score in enumerate(scores_for(row, winner, dice), start=1):
            sent |= {f"home_{number}": score[0], f"away_{number}": score[1]}
        answer = client.post(reverse("decide-fixture", args=[row.pk]), sent)
        assert answer.status_code == 302


def test_52_pairs_play_to_the_champion(page: Page, club, director_client):
    dice = random.Random(52)
    page.goto(f"/clubs/{club.slug}/tournaments/new/")
    expect(page.locator("html")).to_have_attribute("lang", "pt-br")
    page.locator("#fixture-formats a[href$='format=jau_2020']").click()
    page.locator("[name=starts_at]").fill("2026-12-05T10:00")
    page.locator("[name=title]").fill("Campeonato de Jaú")
    page.locator("main form .btn--main").first.click()

    # The list of the secretary, pasted whole.
    page.locator("details:has(#list-form) > summary").click()
    page.locator("#list-form textarea").fill(LIST)
    page.locator("#list-form [name=is_present]").check()
    page.locator("#list-form button").click()
    expect(page.locator("#count-present")).to_have_text("52")
    event = Event.objects.get(title="Campeonato de Jaú")
    first, second, knockout = stages_with_fixtures(event)

    # 13 groups of 4; some results typed here, the others sent by the same form.
    page.goto(f"/evenings/{event.pk}/fixtures/")
    page.locator("form[action$='/draw/'] button").first.click()
    expect(page.locator(".group")).to_have_count(13)
    for scores in ([(12, 5), (9, 12), (13, 11)], [(3, 12), (8, 12)], [(12, 0), (12, 10)]):
        page.locator("a.match--ready").first.click()
        enter_result(page, scores)
        expect(page.locator("#next")).to_be_visible()
    eventually(first.fixtures.filter(decided_at__isnull=False).count, 3, page)
    post_the_rest(first, director_client, dice)
    tasks.refresh_standings(event.pk)

    # Two of each group and the two best thirds: 28 in 7 groups.
    page.goto(f"/evenings/{event.pk}/fixtures/?stage=1")
    expect(page.locator("#best-of-next .chip--ok")).to_have_count(2)
    page.locator("#next a.btn--main").click()
    page.locator("form[action$='/draw/'] button").first.click()
    expect(page.locator(".group")).to_have_count(7)
    post_the_rest(second, director_client, dice)

    # 16 in a bracket; the final at a phone.
    page.goto(f"/evenings/{event.pk}/fixtures/?stage=3")
    page.locator("form[action$='/draw/'] button").first.click()
    expect(page.locator(".bracket-round").first.locator("li")).to_have_count(8)
    post_the_rest(knockout, director_client, dice, but_last=1)
    page.set_viewport_size(PHONE)
    page.goto(f"/evenings/{event.pk}/fixtures/?stage=3")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator("a.match--ready").first.click()
    enter_result(page, [(12, 9), (10, 12), (12, 11)])
    final = Fixture.objects.get(stage=knockout, section="F")
    expect(page.locator("#champion")).to_contain_text(str(final.home))

    tasks.refresh_standings(event.pk)
    for stage in (first, second, knockout):
        assert broken_promises(stage) == []
    champion = event.entries.get(place=1)
    assert champion.pk == meetings_of(Stage.objects.get(pk=knockout.pk)).now.champion
    places = sorted(event.entries.values_list("place", flat=True))
    assert places[:5] == [1, 2, 3, 3, 5]
    assert places.count(5) == 4
    page.goto(f"/evenings/{event.pk}/results/")
    expect(page.locator("table.ranks tbody tr").first).to_contain_text(
        str(champion).split(" & ")[0]
    )
