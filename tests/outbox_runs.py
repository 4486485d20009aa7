"""One phone at one table on a network that fails: tap, reload, close, go on; then count."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import HttpResponse
from django.utils import timezone
from playwright.async_api import Browser, BrowserContext, Error, Page, async_playwright

from clubs.models import Season
from scoring.models import TarotDeal, TrucoLine
from tests.bad_network import BadNetwork, bad_network
from tests.factories import EventFactory, JoinLinkFactory, PhoneFactory, RoundFactory, TableFactory
from tests.machine import chromium
from tests.waiting import GIVES_UP_AFTER
from tournaments import phones
from tournaments.models import JoinLink

#: A phone's clock that runs faster: its pauses between two tries take a part of the time. How long
#: it waits for an answer stays: a busy server needs it.
FASTER = """(() => {
  const wait = setTimeout;
  window.setTimeout = (work, time, ...more) =>
    wait(work, time === ANSWER ? time : (time || 0) / TIMES, ...more);
})()""".replace("ANSWER", str(GIVES_UP_AFTER))
HURRIED = FASTER.replace("TIMES", "20")
#: Answer the form for a row of this number, and press its button; gives what the sheet has to say
#: then. Nothing: it is not asked for now. A hand is told by its winner and what the button gives.
PRESS = """([number, points, winner]) => {
  const form = document.querySelector("#deal-form[data-keeps]");
  if (!form || form.inert || !document.querySelector("[data-ready]")) return null;
  if (Number(form.querySelector("[name=number]").value) !== number) return null;
  if (form.querySelector("[aria-busy=true]")) return null;
  const hand = form.querySelector(`[data-won="${winner}"]`);
  if (hand) {
    const values = form.querySelectorAll("[name=value]");
    if (values.length) values[points % 3].click();
    const gives = hand.querySelector("[data-gain]").textContent;
    form.requestSubmit(hand);
    return winner + gives;
  }
  form.querySelector("[name=taker]").checked = true;
  form.querySelector("[name=contract][value=garde]").checked = true;
  form.querySelector("[name=bouts][value='2']").checked = true;
  form.querySelector("[name=points]").value = String(points);
  form.requestSubmit();
  return points;
}"""
#: How many rows the phone still keeps.
KEPT = """() => new Promise((resolve, reject) => {
  const asked = indexedDB.open("tapis-vert");
  asked.onerror = () => reject(asked.error);
  asked.onsuccess = () => {
    const rows = asked.result.transaction("rows").objectStore("rows").count();
    rows.onsuccess = () => { asked.result.close(); resolve(rows.result); };
  };
})"""
#: The row of this number is among those that wait, or behind what is asked for now.
SEEN = """n => document.querySelector(`[data-outbox] [data-number="${n}"]`)
  || Number(document.querySelector("#deal-form [name=number]")?.value || 99) > n"""
WAKE = "dispatchEvent(new Event('online'))"
PATIENCE = 120.0


@dataclass(kw_only=True)
class Run:
    """What one run does: at which table, how many rows, how bad the network is."""

    table: int
    rows: int
    seed: int
    failing: float
    #: What was entered, in order: points of the taker, or who won the hand and what it gave.
    entered: list[int | str] = field(default_factory=list)
    is_truco: bool = False
    incidents: Counter[str] = field(default_factory=Counter)
    trouble: str = ""
    is_played: bool = False


@dataclass(frozen=True, kw_only=True)
class Phone:
    """A browser that has joined: what it carries, and the network between it and the server."""

    context: BrowserContext
    network: BadNetwork


async def play_all(
    runs: Sequence[Run],
    *,
    server: str,
    cookies: dict[str, str],
    at_once: int,
    until: float = float("inf"),
) -> Counter[str]:
    """Play the runs, so many at a time, until then; gives how often each fault came."""
    waiting = iter(runs)
    faults: Counter[str] = Counter()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )

        async def worker(number: int) -> None:
            with bad_network(server, seed=number) as (address, network):
                phone = Phone(context=await joined(browser, address, cookies), network=network)
                for run in waiting:
                    if time.monotonic() > until:
                        break
                    await play_one(phone, run)
                    if run.trouble:
                        # What it has left on the phone is no other run's.
                        await phone.context.close()
                        context = await joined(browser, address, cookies)
                        phone = Phone(context=context, network=network)
                faults.update(network.faults)
                await phone.context.close()

        await asyncio.gather(*(worker(number) for number in range(at_once)))
        await browser.close()
    return faults


async def joined(browser: Browser, address: str, cookies: dict[str, str]) -> BrowserContext:
    """Open a browser with these cookies."""
    context = await browser.new_context(base_url=address, viewport={"width": 390, "height": 664})
    context.set_default_timeout(PATIENCE * 1000)
    await context.add_init_script(HURRIED)
    await context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in cookies.items()]
    )
    return context


async def play_one(phone: Phone, run: Run) -> None:
    """Enter all rows of a run, whatever happens, then let the network be well until all is sent."""
    dice = random.Random(run.seed)
    page = await phone.context.new_page()
    run.is_played = True
    try:
        async with asyncio.timeout(PATIENCE):
            await page.goto(f"/tables/{run.table}/deals/")
            phone.network.failing = run.failing
            for number in range(1, run.rows + 1):
                points, winner = dice.randint(41, 80), dice.choice("ab")
                run.entered.append(await press(page, [number, points, winner], dice))
                # The row is in the store before the button is grey: only then was it seen to go.
                await page.wait_for_function(SEEN, arg=number)
                await phone.context.set_offline(False)
                page = await trouble(page, phone, run, dice)
            phone.network.failing = 0.0
            await phone.context.set_offline(False)
            await until_all_is_sent(page)
    except (TimeoutError, Error) as fault:
        run.trouble = f"{type(fault).__name__}: {fault}"[:300]
    phone.network.failing = 0.0
    await phone.context.set_offline(False)
    for each in phone.context.pages:
        await each.close()


async def press(page: Page, answers: list[object], dice: random.Random) -> int | str:
    """Enter the next row as soon as the page asks for it."""
    while (said := await page.evaluate(PRESS, answers)) is None:
        await asyncio.sleep(0.05)
        # Somebody who waits for long looks at the page again.
        if dice.random() < 0.02:
            await page.evaluate(WAKE)
    entered: int | str = said
    return entered


async def trouble(page: Page, phone: Phone, run: Run, dice: random.Random) -> Page:
    """Do what people do with phones, or nothing: reload, close the tab, open a second one.

    Who goes where no network is enters the next row there, too.
    """
    what = dice.choice(("nothing", "nothing", "reload", "close", "second tab", "offline"))
    run.incidents[what] += 1
    await asyncio.sleep(dice.uniform(0, 0.15))
    address = f"/tables/{run.table}/deals/"
    if what == "reload":
        await page.reload()
    elif what == "close":
        after = await phone.context.new_page()
        await page.close()
        await after.goto(address)
        return after
    elif what == "second tab":
        second = await phone.context.new_page()
        await second.goto(address)
        await asyncio.gather(page.evaluate(WAKE), second.evaluate(WAKE))
        await second.close()
    elif what == "offline":
        await phone.context.set_offline(True)
    return page


async def until_all_is_sent(page: Page) -> None:
    while await page.evaluate(KEPT):
        await page.evaluate(WAKE)
        await asyncio.sleep(0.1)


def make_tables(season: Season, number: int) -> tuple[dict[str, str], list[tuple[int, bool]]]:
    """Make tables, every fourth of truco; gives a scorer's cookies, and each table's game."""
    common = {"season": season, "running": True, "starts_at": timezone.now()}
    tarot = RoundFactory(event=EventFactory(**common))
    truco = RoundFactory(event=EventFactory(**common, game="truco", ruleset={}, best_of=7))
    tables = []
    for turn in range(number):
        if turn % 4 == 3:
            table = TableFactory(round=truco, number=turn + 1, best_of=7, target=12)
        else:
            table = TableFactory(round=tarot, number=turn + 1)
        tables.append((table.pk, table.round == truco))
    answer = HttpResponse()
    for each in (tarot, truco):
        link = JoinLinkFactory(event=each.event, role=JoinLink.Role.SCORER)
        phones.remember(answer, PhoneFactory(link=link))
    return {name: morsel.value for name, morsel in answer.cookies.items()}, tables


def told_of(run: Run) -> list[float | str]:
    """Give what the sheet of a run's table says, every row that was ever written on it."""
    if run.is_truco:
        lines = TrucoLine.objects.filter(table=run.table).order_by("number", "pk")
        return [f"{line.winner}+{line.points}" for line in lines]
    deals = TarotDeal.objects.filter(table=run.table).order_by("number", "pk")
    return [deal.half_points / 2 for deal in deals]


def make_runs(tables: Sequence[tuple[int, bool]], *, seed: int) -> list[Run]:
    """Make a run for each table (its key, and whether truco is played at it)."""
    dice = random.Random(seed)
    return [
        Run(
            table=table,
            is_truco=is_truco,
            rows=dice.randint(2, 6) if is_truco else dice.randint(1, 3),
            seed=dice.randrange(2**32),
            failing=dice.choice((0.2, 0.5, 0.7)),
        )
        for table, is_truco in tables
    ]
