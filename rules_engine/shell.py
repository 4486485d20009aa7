"""The rules from the shell: ``python -m rules_engine COMMAND``.

Exit status: 0 when everything was accepted, 1 when something was refused, 2 when the command
line itself is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from rules_engine.commands import (
    Command,
    DocumentCommand,
    LineCommand,
    tarot_notation,
    tarot_play,
    tarot_score,
    truco_notation,
    truco_play,
)
from rules_engine.errors import RulesError, Unreadable, gettext_noop
from rules_engine.jsonlines import answer_lines, dump, refused, too_large

#: Every command by its name; a new one is a module in ``commands`` and a line here.
COMMANDS: Mapping[str, Command] = {
    "tarot-score": tarot_score.COMMAND,
    "tarot-play": tarot_play.COMMAND,
    "tarot-read": tarot_notation.READ,
    "tarot-write": tarot_notation.WRITE,
    "truco-play": truco_play.COMMAND,
    "truco-read": truco_notation.READ,
    "truco-write": truco_notation.WRITE,
}

ACCEPTED, REFUSED, INTERRUPTED = 0, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command on standard input and output; give the exit status."""
    command = COMMANDS[_parser().parse_args(argv).command]
    try:
        accepted = run(command, sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Whoever read has gone: nothing more can be said, also not by the flush at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return ACCEPTED if accepted else REFUSED


def run(command: Command, source: BinaryIO, out: BinaryIO) -> bool:
    """Run a command between two streams of bytes; give whether everything was accepted."""
    if isinstance(command, LineCommand):
        return answer_lines(source, out, command.answer, longest=command.longest)
    return _convert(command, source, out)


def _convert(command: DocumentCommand, source: BinaryIO, out: BinaryIO) -> bool:
    try:
        written = command.convert(_document(source, command.longest))
    except RulesError as refusal:
        out.write(dump(refused(refusal)) + b"\n")
        return False
    out.write(written.encode("utf-8", "backslashreplace"))
    return True


def _document(source: BinaryIO, longest: int) -> str:
    document = source.read(longest + 1)
    if len(document) > longest:
        raise too_large()
    try:
        return document.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable(gettext_noop("This is not UTF-8 text."), code="not_utf8") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m rules_engine",
        description="Judge and score card games. Reads standard input, writes standard output.",
        epilog="Exit status: 0 all accepted, 1 something refused, 2 wrong command line.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.summary, description=command.summary)
    return parser
