"""Message catalogues: which are stale, and how one is compiled without a system package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def stale(folders: Iterable[Path]) -> Iterator[Path]:
    """Give the catalogues that were never compiled or have changed since."""
    for folder in folders:
        for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
            compiled = source.with_suffix(".mo")
            if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
                yield source


def compile_one(source: Path) -> None:
    """Write the compiled catalogue beside its source; fuzzy messages stay out."""
    with source.open("rb") as lines:
        catalogue = read_po(lines, abort_invalid=True)
    compiled = source.with_suffix(".mo")
    draft = compiled.with_name(f"{compiled.name}.{os.getpid()}")
    with draft.open("wb") as file:
        write_mo(file, catalogue)
    # A server that is running reads either the old file or the new one.
    draft.replace(compiled)


def compile_stale(folders: Iterable[Path]) -> list[Path]:
    """Compile what is stale and give its sources."""
    sources = list(stale(folders))
    for source in sources:
        compile_one(source)
    return sources
