"""The queue in a folder: a message is seen whole or not at all.

kombu's own transport opens a file and then writes it; a worker that looks in between reads an
empty file and stops.
"""

from __future__ import annotations

import fcntl
import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)

#: What cannot be read for so long is no longer being written.
PATIENCE_SECONDS = 60


class Channel(filesystem.Channel):
    """Messages and bindings are written aside and put in place under their name at once."""

    def get_table(self, exchange: str) -> list[Any]:
        """Read which queues are bound; an empty file binds none yet."""
        try:
            return list(super().get_table(exchange))  # type: ignore[no-untyped-call]
        except ValueError:
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        file: Path = self._exchange_file(exchange)  # type: ignore[no-untyped-call]
        bound = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        self.control_folder.mkdir(exist_ok=True)
        try:
            with _locked(self.control_folder / "bindings.lock"):
                table = self.get_table(exchange)
                if bound not in table:
                    _write_whole(file, [bound, *table])
        except OSError as fault:
            raise ChannelError(f"Cannot open {file}") from fault

    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]
        # The clock of the day orders messages across a restart of the machine too.
        name = f"{time.time_ns():020}_{uuid.uuid4()}.{queue}.msg"
        try:
            _write_whole(Path(self.data_folder_out) / name, payload)
        except OSError as fault:
            raise ChannelError(f"Cannot add file {name!r} to directory") from fault

    def _get(self, queue: str, timeout: Any = None) -> Any:
        for file in sorted(Path(self.data_folder_in).iterdir()):
            if file.name.partition(".")[2] != f"{queue}.msg":
                continue
            try:
                payload = loads(file.read_bytes())  # type: ignore[no-untyped-call]
                file.unlink()  # whoever removes it has it
            except OSError:
                continue
            except ValueError:
                _leave(file)
                continue
            return payload
        raise Empty


class Transport(filesystem.Transport):
    """The transport of kombu with such channels."""

    Channel = Channel


def _write_whole(file: Path, content: Any) -> None:
    aside = file.with_name(f"{uuid.uuid4()}.part")
    try:
        text: str = dumps(content)  # type: ignore[no-untyped-call]
        aside.write_text(text, encoding="utf-8")
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


def _leave(file: Path) -> None:
    """Leave what cannot be read yet; put it aside when it will never be."""
    try:
        if time.time() - file.stat().st_mtime > PATIENCE_SECONDS:
            file.rename(file.with_name(f"{file.name}.unreadable"))
            log.warning("%s cannot be read and is put aside", file)
    except OSError:
        return  # another worker has put it aside


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    with file.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
