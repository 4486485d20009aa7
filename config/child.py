"""Runs one child of the launcher: ``python -m config.child LIFELINE MODULE ARGUMENTS``."""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time

from config.processes import GRACE


def end_with_the_launcher(lifeline: int) -> None:
    """Wait until the launcher is gone, then end this process and all that it started."""
    os.read(lifeline, 1)  # nothing is ever written: it returns when the other end is closed
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os.killpg(0, signal.SIGKILL)


def main(lifeline: int, command: list[str]) -> None:
    """Watch the lifeline and become the command."""
    threading.Thread(target=end_with_the_launcher, args=(lifeline,), daemon=True).start()
    sys.argv = command
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
