"""Waiting for what happens in a browser and behind it, in the threads of the server."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, Response, expect

#: Seconds. A busy machine is no fault of the code, and only a test that fails waits for so long.
PATIENCE = 60.0
STATIC = Path(__file__).parent.parent / "static"
SENDING = (STATIC / "outbox" / "sending.js").read_text(encoding="utf-8")
#: Milliseconds, after which a page goes on to the next row though no answer has come, and after
#: which it gives a try up.
GOES_ON_AFTER, GIVES_UP_AFTER = (
    int(re.search(rf"\b{name} = (\d+)", SENDING)[1]) for name in ("PATIENCE", "TIMEOUT")
)
#: A page that waits for every answer: else a test would see the answer or the next row, as the
#: machine happens to be busy.
WAITS_FOR_ANSWERS = f"""(() => {{
  const wait = setTimeout;
  window.setTimeout = (work, time, ...more) =>
    wait(work, time === {GOES_ON_AFTER} ? {PATIENCE * 1000} : time, ...more);
}})()"""
#: What a page that makes room for the next one answers, and what an answer that leads on says.
MAKES_ROOM = "Execution context was destroyed"
LEADS_ON = {"leads-to", "hx-redirect", "hx-refresh"}


def eventually[Seen](
    read: Callable[[], Seen], expected: Seen, page: Page, *, patience: float = PATIENCE
) -> None:
    """Read until it gives what is expected: a row, a count, what the page keeps."""
    deadline = time.monotonic() + patience
    while (seen := _now(read)) != expected and time.monotonic() < deadline:
        # Not asleep: what the browser tells is heard only while somebody waits for the page.
        page.wait_for_timeout(100)
    assert seen == expected


def _now[Seen](read: Callable[[], Seen]) -> Seen | str:
    try:
        return read()
    except Error as fault:
        if MAKES_ROOM not in fault.message:
            raise
        return MAKES_ROOM


def follow(link: Locator) -> None:
    """Press what leads to another page, and wait until that page has been loaded."""
    page = _ready_for(link)
    with page.expect_event("load", timeout=PATIENCE * 1000):
        link.click()


def send(button: Locator) -> None:
    """Press what sends a form, and wait until its answer is shown: the page that it leads to has
    been loaded, or this page has taken the answer in."""
    page, loaded = _ready_for(button), []
    page.once("load", lambda shown: loaded.append(shown))  # noqa: PLW0108 - the driver marks it
    with page.expect_response(_is_to_a_form, timeout=PATIENCE * 1000) as answered:
        button.click()
    if not _leads_on(answered.value):
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
    elif not loaded:
        page.wait_for_event("load", timeout=PATIENCE * 1000)


def _ready_for(target: Locator) -> Page:
    """Wait for the page on which this can be pressed: it is not to be taken for the next one."""
    target.wait_for(timeout=PATIENCE * 1000)
    target.page.wait_for_load_state(timeout=PATIENCE * 1000)
    return target.page


def _is_to_a_form(answer: Response) -> bool:
    return answer.request.method == "POST"


def _leads_on(answer: Response) -> bool:
    return answer.request.is_navigation_request() or bool(LEADS_ON & answer.headers.keys())
