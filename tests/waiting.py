"""Waiting for what happens in a browser and behind it, in the threads of the server."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

#: Seconds. A busy machine is no fault of the code, and only a test that fails waits for so long.
PATIENCE = 60.0
OUTBOX = (Path(__file__).parent.parent / "static" / "outbox.js").read_text(encoding="utf-8")
#: Milliseconds, after which a page goes on to the next row though no answer has come, and after
#: which it gives a try up.
GOES_ON_AFTER, GIVES_UP_AFTER = (
    int(re.search(rf"\b{name} = (\d+)", OUTBOX)[1]) for name in ("PATIENCE", "TIMEOUT")
)
#: A page that waits for every answer: else a test would see the answer or the next row, as the
#: machine happens to be busy.
WAITS_FOR_ANSWERS = f"""(() => {{
  const wait = setTimeout;
  window.setTimeout = (work, time, ...more) =>
    wait(work, time === {GOES_ON_AFTER} ? {PATIENCE * 1000} : time, ...more);
}})()"""


def eventually[Seen](read: Callable[[], Seen], expected: Seen, page: Page) -> None:
    """Read until it gives what is expected: a row, a count, what the page keeps."""
    deadline = time.monotonic() + PATIENCE
    while (seen := read()) != expected and time.monotonic() < deadline:
        # Not asleep: what the browser tells is heard only while somebody waits for the page.
        page.wait_for_timeout(100)
    assert seen == expected
