"""How far a command is, as a line that fills up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

WIDTH = 40
FULL = 100


@dataclass
class Progress:
    """Writes a bar over itself on a screen, and a line for each step into a file."""

    out: Any
    what: str
    shown: int = -1

    def tell(self, done: int, total: int) -> None:
        """Show how much of the total is done, if that has changed by a hundredth."""
        percent = FULL * done // total if total else FULL
        if percent == self.shown:
            return
        self.shown = percent
        bar = "#" * (WIDTH * percent // FULL)
        line = f"[{bar:<{WIDTH}}] {percent:3} %  {done} of {total} {self.what}"
        if not self.out.isatty():
            self.out.write(line)
            return
        self.out.write(f"\r{line}", ending="" if percent < FULL else "\n")
        self.out.flush()
