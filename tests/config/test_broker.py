"""The queue in a folder: what is half written or empty stops nobody."""

from __future__ import annotations

import os
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from config import environment
from config.broker import PATIENCE_SECONDS, Transport


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "broker"


@pytest.fixture
def queue(folder):
    Transport.global_state.clear()  # what is bound is remembered for the whole process
    options = environment.broker_options("filesystem://localhost", folder=folder)
    with Connection("filesystem://localhost", transport_options=options) as connection:
        assert isinstance(connection.transport, Transport)
        simple = connection.SimpleQueue("work")
        yield simple
        simple.close()


def leave(folder: Path, content: bytes, *, seconds_ago: float = 0) -> Path:
    file = folder / "messages" / "000000000000000_half.work.msg"
    file.write_bytes(content)
    then = file.stat().st_mtime - seconds_ago
    os.utime(file, (then, then))
    return file


def test_what_is_sent_comes_out_once_and_in_order(queue, folder):
    for number in range(3):
        queue.put({"number": number})

    got = [queue.get(block=False).payload["number"] for _ in range(3)]

    assert got == [0, 1, 2]
    with pytest.raises(Empty):
        queue.get(block=False)
    assert not list((folder / "messages").iterdir())


@pytest.mark.parametrize("content", [b"", b'{"body": "W10=', b"\xff\xfe"])
def test_a_message_that_cannot_be_read_yet_is_passed_over(queue, folder, content):
    file = leave(folder, content)
    queue.put({"number": 1})

    assert queue.get(block=False).payload == {"number": 1}
    assert file.exists()


def test_a_message_that_is_written_in_the_end_is_read(queue, folder):
    queue.put({"number": 1})
    (whole,) = (folder / "messages").glob("*.msg")
    content = whole.read_bytes()
    whole.write_bytes(b"")
    with pytest.raises(Empty):
        queue.get(block=False)

    whole.write_bytes(content)

    assert queue.get(block=False).payload == {"number": 1}


def test_a_message_that_stays_unreadable_is_put_aside(queue, folder):
    file = leave(folder, b"", seconds_ago=PATIENCE_SECONDS + 1)

    with pytest.raises(Empty):
        queue.get(block=False)

    assert not file.exists()
    assert file.with_name(f"{file.name}.unreadable").exists()


def test_an_empty_file_of_bindings_is_written_anew(queue, folder):
    (bindings,) = (folder / "control").glob("*.exchange")
    bindings.write_bytes(b"")
    Transport.global_state.clear()

    again = queue.channel.connection.client.SimpleQueue("work")
    again.put({"number": 1})

    assert again.get(block=False).payload == {"number": 1}
    again.close()
