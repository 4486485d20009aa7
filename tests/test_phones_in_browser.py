"""Two and four phones at one table and the director beside them, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from clubs.models import User
from scoring import actions
from scoring.actions.sheets_tarot import TarotSheet
from scoring.models import Confirmation, TarotDeal
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.scoring.conftest import record_on
from tests.waiting import PATIENCE, WAITS_FOR_ANSWERS
from tournaments import actions as tournament_actions
from tournaments import phones
from tournaments.actors import Actor
from tournaments.models import Event, JoinLink, Phone, RefereeCall, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 780}
#: What must be at least 44 pixels high and wide; a word in a sentence is none of these.
TARGETS = ".btn, .person, .input, .choice, .tool, summary, .segments a, .steps a"
SMALL = """selector => [...document.querySelectorAll(selector)].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.height && (box.height < 43.5 || box.width < 43.5);
}).map(element => element.outerHTML.slice(0, 120))"""
#: A page that nobody looks at does not ask what is new, nor goes on by itself.
IN_A_POCKET = "Object.defineProperty(document, 'hidden', {get: () => true})"
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def table(season) -> Table:
    event = EventFactory(season=season, running=True, starts_at=timezone.now(), title="Thursday")
    made = TableFactory(round=RoundFactory(event=event), deals_planned=1)
    names = ("Ana Paula", "Bernard", "Odile", "Yves")
    for seat, name in zip(made.seats.order_by("place"), names, strict=True):
        seat.player.name = name
        seat.player.save()
    return made


@pytest.fixture
def link(table) -> JoinLink:
    return JoinLinkFactory(event=table.event, table_number=table.number)


@pytest.fixture
def open_context(browser: Browser, live_server) -> Callable[..., BrowserContext]:
    """Open a browser of its own, as wide as a phone unless said otherwise."""

    def make(width: int = PHONE["width"], **more) -> BrowserContext:
        viewport = {"width": width, "height": PHONE["height"]}
        context = browser.new_context(base_url=live_server.url, viewport=viewport, **more)
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(WAITS_FOR_ANSWERS)
        return context

    return make


@pytest.fixture
def scan(open_context, link) -> Callable[..., Page]:
    """Open a phone, maybe a narrow one, that scans the card of the table and picks this name."""

    def join(name: str, **size: int) -> Page:
        page = open_context(has_touch=True, **size).new_page()
        page.goto(reverse("join-by-link", args=[phones.address_of(link)]))
        page.get_by_role("button", name=name).tap()
        expect(page.locator("#seat")).to_contain_text("table 1")
        return page

    return join


@pytest.fixture
def director_page(open_context, live_server, director) -> Page:
    client = Client()
    client.force_login(director)
    context = open_context(width=820)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    return context.new_page()


def open_form(page: Page) -> None:
    """Go from the own place to the form; what the page tells the table has then arrived."""
    with page.expect_response("**/entering/"):
        page.get_by_role("link", name="Write on the sheet").tap()
    expect(page.get_by_role("button", name="Send deal 1")).to_be_visible()
    expect(page.locator("[data-ready]")).to_be_attached()


def tap_a_garde(page: Page, *, taker: str, points: str = "49") -> None:
    page.get_by_role("group", name="Who took?").get_by_role("radio", name=taker).check()
    for name, value in (("contract", "garde"), ("bouts", "2")):
        page.locator(f'[name="{name}"][value="{value}"]').check()
    page.locator("[name=points]").fill(points)
    page.get_by_role("button", name="Send deal 1").tap()


def test_on_a_narrow_phone_names_are_read_as_well_as_contracts_and_the_sheet_fits(scan, table):
    Table.objects.update(deals_planned=2)
    record_on(Table.objects.get(), PhoneFactory(link=table.event.join_links.get()))
    page = scan("Ana Paula", width=320)

    page.goto(reverse("record-deal", args=[table.pk]))
    size = "each => getComputedStyle(each).fontSize"
    names, contracts = page.locator("[name=taker] ~ span"), page.locator("[name=contract] ~ span")
    assert names.first.evaluate(size) == contracts.first.evaluate(size)

    page.goto(reverse("sheet", args=[table.pk]))
    edge = "each => each.getBoundingClientRect().right"
    card = page.locator(".box.card").first
    assert card.locator("table").evaluate(edge) <= card.evaluate(edge)
    row = card.locator("tbody th").first
    assert row.evaluate("each => each.clientWidth") < 60


def test_two_phones_enter_and_confirm_a_deal_of_one_table(scan, table):
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    ana, yves = scan("Ana Paula"), scan("Yves")

    open_form(ana)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.locator("[role=status]").filter(has_text="on the sheet").first).to_be_visible()

    yves.get_by_role("link", name="Look at the sheet").tap()
    yves.get_by_role("button", name="Yes, it is right").tap()
    expect(yves.get_by_text("You agree: thank you.")).to_be_visible()

    said = Confirmation.objects.get()
    assert (said.deal.phone.name, said.seat.player.name) == ("Ana Paula", "Yves")


def test_two_phones_that_disagree_see_both_versions(scan, table):
    ana, yves = scan("Ana Paula"), scan("Yves")
    for page in (ana, yves):
        open_form(page)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.get_by_role("link", name="Open the sheet")).to_be_visible()

    tap_a_garde(yves, taker="Bernard", points="51")

    expect(yves.get_by_role("heading", name="On the sheet", exact=True)).to_be_visible()
    expect(yves.get_by_role("heading", name="Yours, not sent")).to_be_visible()
    yves.get_by_role("button", name="We do not agree").tap()
    expect(yves.get_by_text("Yves objects")).to_be_visible()
    assert TarotDeal.objects.get().half_points == 98
    assert Confirmation.objects.get().proposed["points"] == "51"


def test_the_others_see_that_a_phone_has_the_deal_open(scan, table):
    ana, yves = scan("Ana Paula"), scan("Yves")

    open_form(ana)
    open_form(yves)

    expect(yves.get_by_text("Ana Paula has this open too: Deal 1")).to_be_visible()


def test_four_phones_and_the_director_bring_a_position_to_its_end(scan, table, director_page):
    Event.objects.update(confirmation=Event.Confirmation.ALL_SEATS, kind="tournament")
    names = ("Ana Paula", "Bernard", "Odile", "Yves")
    ana, bernard, odile, yves = everybody = [scan(name) for name in names]
    open_form(ana)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.get_by_role("link", name="Open the sheet")).to_be_visible()

    # Odile does not agree, the director sees both and keeps what stands.
    deal = TarotDeal.objects.get()
    odile.goto(reverse("object-to-deal", args=[table.pk, deal.pk]))
    odile.get_by_label("What is wrong?").fill("I counted 51")
    odile.get_by_role("button", name="Tell the director").tap()
    expect(odile.get_by_text("I counted 51")).to_be_visible()
    director_page.goto(reverse("floor", args=[table.event.pk]))
    director_page.get_by_role("link", name="Objection 1").click()
    expect(director_page.get_by_role("link", name="Objection 1")).to_have_attribute(
        "aria-current", "true"
    )
    director_page.get_by_role("link", name="Table 1").click()
    director_page.get_by_role("button", name="Keep what is on the sheet").click()
    expect(director_page.get_by_text("The objection is settled.")).to_be_visible()

    # Bernard leaves after this round.
    bernard.get_by_role("button", name="I leave after this round").tap()
    expect(bernard.locator("#leaving")).to_be_visible()

    for page in everybody:
        page.goto(reverse("sheet", args=[table.pk]))
        page.get_by_role("button", name="I sign as").tap()
        expect(page.get_by_role("button", name="I sign as")).to_have_count(0)
    expect(yves.locator("#signed")).to_be_visible()

    director_page.goto(reverse("tables", args=[table.event.pk]))
    director_page.get_by_role("button", name="Close round 1").click()
    expect(director_page.get_by_text("Round 1 is closed.")).to_be_visible()
    gone = table.seats.get(player__name="Bernard").entry
    assert gone.state == "withdrawn"
    table.refresh_from_db()
    assert table.signed_at is not None


def test_a_table_that_the_director_takes_over_looks_on(scan, table, director_page):
    ana = scan("Ana Paula")
    director_page.goto(reverse("sheet", args=[table.pk]))
    director_page.get_by_role("button", name="Write for this table").click()
    expect(director_page.locator("#taken-over")).to_be_visible()

    ana.get_by_role("link", name="Write on the sheet").tap()

    expect(ana.get_by_text("Denis writes on this sheet since")).to_be_visible()
    director_page.get_by_role("button", name="Hand the table back").click()
    expect(director_page.locator("#taken-over")).to_have_count(0)
    ana.reload()
    expect(ana.locator("#taken-over")).to_have_count(0)


# Everybody can use these pages


@pytest.fixture
def pages(table, link, director) -> dict[str, tuple[Actor | None, str]]:
    """Every page of this drawer, with who opens it."""
    Event.objects.update(confirmation=Event.Confirmation.OTHER_SEAT)
    seats = list(table.seats.order_by("place"))
    holder, witness = (PhoneFactory(link=link, seat=seat) for seat in seats[:2])
    deal = record_on(table, holder)
    actions.object_to_row(TarotSheet, row=deal, by=witness, note="51 points")
    RefereeCall.objects.create(table=table, phone=witness, reason="points")
    scorer, referee, late = (
        PhoneFactory(link=JoinLinkFactory(event=table.event, role=role))
        for role in ("scorer", "referee", "player")
    )
    Phone.objects.filter(pk=late.pk).update(removed_at=timezone.now())
    at, of = [table.pk], [table.event.pk]

    def joining(**more) -> str:
        made = JoinLinkFactory(event=table.event, table_number=9, **more)
        return reverse("join-by-link", args=[phones.address_of(made)])

    past = timezone.now() - timedelta(days=1)
    return {
        "join": (None, reverse("join")),
        "pick": (None, reverse("join-by-link", args=[phones.address_of(link)])),
        "pick of all": (None, reverse("join-by-link", args=[phones.address_of(late.link)])),
        "revoked": (None, joining(revoked_at=timezone.now())),
        "expired": (None, joining(expires_at=past)),
        "scorer joins": (None, reverse("join-by-link", args=[phones.address_of(scorer.link)])),
        "no connection": (None, reverse("offline")),
        "own place": (holder, reverse("own-place", args=of)),
        "own place of who left": (late, reverse("own-place", args=of)),
        "record": (holder, reverse("record-deal", args=at)),
        "sheet": (holder, reverse("sheet", args=at)),
        "confirm": (witness, reverse("confirm-deal", args=[table.pk, deal.pk])),
        "object": (witness, reverse("object-to-deal", args=[table.pk, deal.pk])),
        "all tables of a scorer": (scorer, reverse("own-place", args=of)),
        "referee": (referee, reverse("referee", args=of)),
        "links": (director, reverse("links", args=of)),
        "floor": (director, reverse("floor", args=of)),
        "sheet of the director": (director, reverse("sheet", args=at)),
        "correct": (director, reverse("correct-deal", args=[table.pk, deal.pk])),
        "cards": (director, reverse("print-table-cards", args=of)),
        "wall of the director": (director, reverse("projector", args=of)),
        **long_hall(table.event.season, director),
        **held_pages(table.event.season, director),
        **truco_pages(table.event.season),
    }


def long_hall(season, director) -> dict[str, tuple[Actor | None, str]]:
    """Pages with so many tables that links lead to each of them."""
    this_round = RoundFactory(event=EventFactory(season=season, running=True))
    for number in range(1, 14):
        TableFactory(round=this_round, number=number)
    at = [this_round.event_id]
    return {
        f"{name} of a long hall": (director, reverse(name, args=at)) for name in ("tables", "floor")
    }


def held_pages(season, director) -> dict[str, tuple[Actor | None, str]]:
    """Pages of a table whose round is frozen, and of one that the director has taken over."""
    event = EventFactory(season=season, running=True, starts_at=timezone.now())
    link = JoinLinkFactory(event=event)
    frozen = TableFactory(round=RoundFactory(event=event), deals_planned=4)
    taken = TableFactory(round=frozen.round, deals_planned=4)
    tournament_actions.take_over_table(table=taken, by=director)
    tournament_actions.freeze_round(this_round=frozen.round, by=director)
    return {
        f"{name} {what}": (phone, reverse(name, args=[table.pk]))
        for what, table in (("frozen", frozen), ("taken over", taken))
        for phone in [PhoneFactory(link=link, seat=table.seats.first())]
        for name in ("record-deal", "sheet")
    } | {"floor frozen": (director, reverse("floor", args=[event.pk]))}


def truco_pages(season) -> dict[str, tuple[Actor | None, str]]:
    """The form and the sheet of a game that is played in sides."""
    event = EventFactory(
        season=season, running=True, game="truco", starts_at=timezone.now(), ruleset={}
    )
    table = TableFactory(round=RoundFactory(event=event), best_of=3, target=12, deals_planned=1)
    phone = PhoneFactory(link=JoinLinkFactory(event=event), seat=table.seats.first())
    return {
        f"{name} of truco": (phone, reverse(name, args=[table.pk]))
        for name in ("record-deal", "sheet")
    }


def cookie_of(by: Actor, url: str) -> dict[str, str]:
    client = Client()
    if isinstance(by, User):
        client.force_login(by)
        return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}
    answer = client.get(reverse("join"))
    phones.remember(answer, by)
    name = f"phone-{by.event_id}"
    return {"name": name, "value": answer.cookies[name].value, "url": url}


def faults_of(page: Page, name: str) -> list[str]:
    """What hinders somebody on this page, in bright and in dark colours."""
    faults = []
    for scheme in ("light", "dark"):
        # A colour that is on its way from one scheme to the other is none of either.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # What depends on no colour is looked at once.
        options = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
        faults += [
            f"{name}, {scheme}: {each['id']} {[node['html'][:160] for node in each['nodes'][:3]]}"
            for each in Axe().run(page, options=options).response["violations"]
        ]
    if page.evaluate(WIDER) > 0:
        faults.append(f"{name}: {page.evaluate(WIDER)} pixels wider than the page")
    return faults + [f"{name}: small {each}" for each in page.evaluate(SMALL, TARGETS)]


@pytest.mark.parametrize("width", [320, 390, 640])
def test_every_page_is_open_to_everybody(browser, live_server, pages, width):
    """axe finds nothing; nothing is wider than the page; nothing to tap is under 44 pixels."""
    faults: list[str] = []
    for name, (who, address) in pages.items():
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 780},
            reduced_motion="reduce",
            service_workers="block",
        )
        context.add_init_script(IN_A_POCKET)
        if who is not None:
            context.add_cookies([cookie_of(who, live_server.url)])
        page = context.new_page()
        page.goto(address)
        page.wait_for_load_state("networkidle")
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        faults += faults_of(page, name)
        context.close()

    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("width", [320, 390])
def test_the_comparison_of_two_entries_is_open_to_everybody(scan, table, width):
    ana, yves = scan("Ana Paula"), scan("Yves")
    yves.set_viewport_size({"width": width, "height": 780})
    for page in (ana, yves):
        open_form(page)
    tap_a_garde(ana, taker="Bernard")
    expect(ana.get_by_role("link", name="Open the sheet")).to_be_visible()

    tap_a_garde(yves, taker="Bernard", points="51")
    expect(yves.get_by_role("heading", name="Yours, not sent")).to_be_visible()

    assert faults_of(yves, "comparison") == []
    # And without a finger.
    yves.get_by_role("button", name="We do not agree").focus()
    yves.keyboard.press("Enter")
    expect(yves.get_by_text("Yves objects")).to_be_visible()


def test_a_seat_is_picked_with_the_keyboard_alone(open_context, link, table):
    page = open_context().new_page()
    page.goto(reverse("join-by-link", args=[phones.address_of(link)]))

    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('button.person')"):
            break
    page.keyboard.press("Enter")

    expect(page.locator("#seat")).to_contain_text("table 1")
    assert Phone.objects.get().player == table.seats.get(place=1).player
