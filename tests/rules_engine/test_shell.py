"""The rules engine from the shell."""

from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from rules_engine import shell
from rules_engine.commands import LONGEST_LINE, DocumentCommand
from rules_engine.errors import Illegal

CASES = json.loads((Path(__file__).parent / "cases" / "tarot-scores.json").read_text())["vectors"]
GOOD = b'{"players": 4, "contract": "garde", "bouts": 2, "taker_card_points": 58}'
SCORE = shell.COMMANDS["tarot-score"]


def score(*lines: bytes) -> tuple[bool, list[dict]]:
    out = io.BytesIO()
    accepted = shell.run(SCORE, io.BytesIO(b"\n".join(lines)), out)
    return accepted, [json.loads(line) for line in out.getvalue().splitlines()]


def test_one_deal_in_gives_scores_and_the_reasons_out():
    accepted, answers = score(GOOD)

    assert accepted
    assert answers == [
        {
            "scores": [252, -84, -84, -84],
            "unit": 84,
            "made": True,
            "margin": 17,
            "lines": [{"label": "contract", "points": 50}, {"label": "margin", "points": 34}],
        }
    ]


def test_a_file_of_cases_is_answered_line_by_line_in_order():
    accepted, answers = score(*(json.dumps(case).encode() for case in CASES))

    assert accepted
    assert [answer["scores"] for answer in answers] == [case["scores"] for case in CASES]


def test_a_line_may_name_its_ruleset():
    pousse = b'{"players": 4, "contract": "pousse", "bouts": 2, "taker_card_points": 41%s}'

    accepted, answers = score(pousse % b"", pousse % b', "ruleset": "pousse"')

    assert not accepted
    assert answers[0]["error"]["code"] == "contract_not_played"
    assert answers[1]["unit"] == 38


def test_a_line_that_names_the_federations_rules_is_held_against_the_cards():
    half = b'{"players": 4, "contract": "garde", "bouts": 2, "taker_card_points": 40.5%s}'

    accepted, answers = score(half % b"", half % b', "ruleset": "fft"')

    assert not accepted
    assert answers[0]["scores"] == [-156, 52, 52, 52]
    assert answers[1]["error"]["code"] == "half_point_at_four"


@pytest.mark.parametrize(
    ("line", "code", "field"),
    [
        (b"", "not_json", ""),
        (b"garde", "not_json", ""),
        (b"\xff\xfe", "not_utf8", ""),
        (b"\xef\xbb\xbf" + GOOD, "not_json", ""),
        (b"[1]", "not_an_object", ""),
        (b"null", "not_an_object", ""),
        (b'{"players": NaN}', "not_a_number", ""),
        (b'{"players": -Infinity}', "not_a_number", ""),
        (b'{"players": 4, "players": 5}', "field_twice", "players"),
        (b'{"players": true}', "not_a_whole_number", "players"),
        (b"[" * 50_000, "nested_too_deep", ""),
        (b'{"a":' * 10_000, "nested_too_deep", ""),
        (b"9" * 5_000, "number_too_large", ""),
        (b'{"players": 4, "x": "' + b"x" * LONGEST_LINE + b'"}', "too_large", ""),
        (GOOD[:-1] + b', "\\ud800": 1}', "unknown_field", "\ud800"),
    ],
)
def test_a_bad_line_is_refused_and_the_next_is_still_answered(line, code, field):
    accepted, answers = score(line, GOOD)

    assert not accepted
    assert (answers[0]["error"]["code"], answers[0]["error"]["field"]) == (code, field)
    assert answers[0]["error"]["message"]
    assert answers[1]["unit"] == 84


def test_the_longest_line_is_still_read_and_one_byte_more_is_not():
    padded = GOOD[:-1] + b" " * (LONGEST_LINE - len(GOOD)) + b"}"

    assert len(padded) == LONGEST_LINE
    assert score(padded)[0]
    assert score(padded, GOOD)[0]
    assert not score(padded + b" ")[0]


class Endless(io.RawIOBase):
    """One line of 200 MB that is never held in memory, then a good one."""

    def __init__(self) -> None:
        self.left, self.largest = 200_000_000, 0

    def readline(self, size: int | None = -1, /) -> bytes:
        self.largest = max(self.largest, size)
        if self.left > 0:
            self.left -= size
            return b"x" * size if self.left > 0 else b"x\n"
        good, self.left = (GOOD if self.left > -(10**9) else b""), -(10**10)
        return good


def test_an_endless_line_is_refused_in_bounded_memory():
    source, out = Endless(), io.BytesIO()

    accepted = shell.run(SCORE, source, out)

    assert not accepted
    assert source.largest == LONGEST_LINE + 1
    first, second = out.getvalue().splitlines()
    assert json.loads(first)["error"]["code"] == "too_large"
    assert json.loads(second)["unit"] == 84


# Documents


def refuse_empty(text: str) -> str:
    if not text:
        raise Illegal("An empty notation tells no deal.", code="empty")
    return text.upper()


@pytest.mark.parametrize(
    ("document", "accepted", "written"),
    [
        ("poignée", True, "POIGNÉE"),
        ("", False, '{"error": {"code": "empty", "field": "", "message": "'),
        ("x" * 11, False, '{"error": {"code": "too_large"'),
        (b"\xff", False, '{"error": {"code": "not_utf8"'),
    ],
)
def test_a_document_is_converted_whole_or_refused_in_one_line(document, accepted, written):
    command = DocumentCommand(summary="shout", convert=refuse_empty, longest=10)
    source = document if isinstance(document, bytes) else document.encode()
    out = io.BytesIO()

    assert shell.run(command, io.BytesIO(source), out) is accepted
    assert out.getvalue().decode().startswith(written)


# The process


def engine(*args: str, lines: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "rules_engine", *args],
        input=lines,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_the_exit_status_is_0_when_every_line_was_accepted():
    done = engine("tarot-score", lines=GOOD + b"\n" + GOOD)

    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == 2


def test_the_exit_status_is_1_when_some_line_was_refused():
    done = engine("tarot-score", lines=b"?\n" + GOOD)

    assert (done.returncode, done.stderr) == (1, b"")
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.parametrize("args", [(), ("belote",), ("tarot-score", "file"), ("--fast",)])
def test_the_exit_status_is_2_when_the_command_line_is_wrong(args, capsys):
    with pytest.raises(SystemExit) as left:
        shell.main(args)

    assert left.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as left:
        shell.main(["--help"])

    said = capsys.readouterr().out
    assert left.value.code == 0
    assert all(name in said for name in shell.COMMANDS)


class Standard:
    """Standard input or output as the shell sees it: bytes behind a descriptor."""

    def __init__(self, buffer: io.RawIOBase | io.BytesIO, descriptor: int = -1) -> None:
        self.buffer, self.descriptor = buffer, descriptor

    def fileno(self) -> int:
        return self.descriptor


class Hurried(io.BytesIO):
    def readline(self, size: int | None = -1, /) -> bytes:
        raise KeyboardInterrupt


class Gone(io.BytesIO):
    def write(self, _line: object, /) -> int:
        raise BrokenPipeError


def test_main_answers_on_standard_output(monkeypatch):
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", Standard(io.BytesIO(GOOD)))
    monkeypatch.setattr(sys, "stdout", Standard(out))

    assert shell.main(["tarot-score"]) == 0
    assert json.loads(out.getvalue())["unit"] == 84


def test_main_reports_that_something_was_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(io.BytesIO(b"?")))
    monkeypatch.setattr(sys, "stdout", Standard(io.BytesIO()))

    assert shell.main(["tarot-score"]) == 1


def test_an_interrupt_ends_quietly(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(Hurried()))
    monkeypatch.setattr(sys, "stdout", Standard(io.BytesIO()))

    assert shell.main(["tarot-score"]) == 130


def test_a_reader_that_went_away_ends_it_quietly(monkeypatch, tmp_path):
    with (tmp_path / "out").open("wb") as written:
        monkeypatch.setattr(sys, "stdin", Standard(io.BytesIO(GOOD)))
        monkeypatch.setattr(sys, "stdout", Standard(Gone(), os.dup(written.fileno())))

        assert shell.main(["tarot-score"]) == 1
        os.close(sys.stdout.fileno())


def test_python_runs_the_package_as_a_command(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["rules_engine", "tarot-score"])
    monkeypatch.setattr(sys, "stdin", Standard(io.BytesIO(GOOD)))
    monkeypatch.setattr(sys, "stdout", Standard(io.BytesIO()))

    with pytest.raises(SystemExit) as left:
        runpy.run_module("rules_engine", run_name="__main__")

    assert left.value.code == 0
