"""Whole deals and notation from the shell; nothing that is fed to a reader ends in a traceback."""

from __future__ import annotations

import io
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine import shell, tarot
from rules_engine.errors import RulesError
from tests.rules_engine.tarot_tables import CASES
from tests.rules_engine.test_tarot_notation import EVENING, WHOLE_DEAL

ANSWERS = (
    "trick_winners",
    "attack_points",
    "bouts",
    "petit_au_bout",
    "tricks_won",
    "made",
    "scores",
)


def run(command: str, source: str | bytes) -> tuple[bool, str]:
    out = io.BytesIO()
    raw = source if isinstance(source, bytes) else source.encode()
    accepted = shell.run(shell.COMMANDS[command], io.BytesIO(raw), out)
    return accepted, out.getvalue().decode()


def played(*deals: object) -> tuple[bool, list[dict]]:
    accepted, out = run("tarot-play", "\n".join(json.dumps(deal) for deal in deals))
    return accepted, [json.loads(line) for line in out.splitlines()]


# tarot-play


def test_a_file_of_whole_deals_is_answered_line_by_line():
    accepted, answers = played(*CASES)

    assert accepted
    for case, answer in zip(CASES, answers, strict=True):
        assert answer["legal"] == [row[2] for row in case["plays"]]
        assert answer["trick_winners"] == case["trick_winners"]
        assert answer["tricks_won"] == case["tricks_won"]
        if case["ambiguous"] is None:
            assert {name: answer[name] for name in ANSWERS} == {n: case[n] for n in ANSWERS}


def test_a_play_that_is_not_legal_is_refused_with_its_index_and_duty():
    case = json.loads(json.dumps(CASES[0]))
    case["plays"][1] = [0, "S3"]

    accepted, (answer, fine) = played(case, CASES[0])

    assert not accepted
    assert answer["error"]["code"] == "must_undertrump"
    assert answer["error"]["field"] == "plays[1]"
    assert "S3" in answer["error"]["message"]
    assert fine["scores"] == CASES[0]["scores"]


def test_an_unfinished_deal_is_answered_as_far_as_it_goes():
    _, (answer,) = played({**CASES[0], "plays": CASES[0]["plays"][:5]})

    assert len(answer["legal"]) == 5
    assert answer["scores"] is None
    assert answer["attack_points"] is None


@pytest.mark.parametrize("deal", [{"players": 4}, {"players": 4, "taker": 0, "contract": "garde"}])
def test_a_deal_without_its_hands_cannot_be_played(deal):
    _, (answer,) = played(deal)

    assert answer["error"]["code"] == "hands_missing"


@pytest.mark.parametrize("value", [7, [], None, "deal", {"players": 4, "poignees": 3}])
def test_what_is_no_deal_is_refused(value):
    accepted, (answer,) = played(value)

    assert not accepted
    assert answer["error"]["code"] in {"not_an_object", "not_a_list"}


def trumps(case: dict, seat: int) -> int:
    return sum(code[0] == "T" or code == "EX" for code in case["hands"][seat])


def case_with_poignee() -> tuple[dict, int]:
    """A deal in which exactly a simple poignée could be shown by a defender."""
    for case in CASES:
        rules = tarot.ruleset("fft").for_players(case["players"])
        simple, double, _ = rules.trumps_in_poignee
        for seat in set(range(case["players"])) - {case["taker"], case["partner"]}:
            if case["ambiguous"] is None and simple <= trumps(case, seat) < double:
                return case, seat
    raise LookupError


def test_a_poignee_may_be_told_by_seat_or_by_side():
    case, seat = case_with_poignee()
    by_seat = {**case, "poignees": [{"seat": seat, "size": "simple"}]}
    by_side = {**case, "poignees": [{"side": "defence", "size": "simple"}]}
    nobody = {**case, "poignees": [{"side": "defence", "size": "triple"}]}

    _, answers = played(by_seat, by_side, nobody)

    paid = 20 if case["made"] else -20
    assert answers[0]["scores"][seat] == answers[1]["scores"][seat] == case["scores"][seat] - paid
    assert answers[2]["error"]["code"] == "poignee_too_few_trumps"


def test_bids_dealer_and_an_announced_slam_are_checked_too():
    case = next(c for c in CASES if c["players"] == 4 and c["first_leader"] == c["taker"])
    dealer = (case["first_leader"] - 1) % 4
    seats = [(dealer + step) % 4 for step in range(1, 5)]
    bids = [[s, case["contract"] if s == case["taker"] else "pass"] for s in seats]

    _, answers = played(
        {**case, "dealer": dealer, "bids": bids},
        {**case, "dealer": dealer, "bids": bids[1:]},
        {**case, "announced_chelem": True},
    )

    assert answers[0]["trick_winners"] == case["trick_winners"]
    assert answers[1]["error"]["code"] == "out_of_turn"
    if case["ambiguous"] is None:
        share = 200 * 3
        assert answers[2]["scores"][case["taker"]] == case["scores"][case["taker"]] - share


# tarot-read and tarot-write


@pytest.mark.parametrize("text", [EVENING, WHOLE_DEAL], ids=["evening", "whole deal"])
def test_text_to_json_and_back_is_the_same_text(text):
    accepted, document = run("tarot-read", text)
    written, again = run("tarot-write", document)

    assert accepted
    assert written
    assert again == text


def test_a_whole_deal_that_was_read_can_be_played():
    _, document = run("tarot-read", WHOLE_DEAL)

    accepted, (answer,) = played(json.loads(document)["deals"][0])

    assert accepted
    assert answer["scores"] == [-74, -74, -74, 222]


@pytest.mark.parametrize(
    ("command", "source", "code"),
    [
        ("tarot-read", "hello", "unknown_word"),
        ("tarot-read", b"\xff\xfe", "not_utf8"),
        ("tarot-read", b"0\n" * 600_000, "too_large"),
        ("tarot-write", "hello", "not_json"),
        ("tarot-write", "[" * 60_000, "nested_too_deep"),
        ("tarot-write", '{"deals": 1}', "not_a_list"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused(command, source, code):
    accepted, out = run(command, source)

    assert not accepted
    assert json.loads(out)["error"]["code"] == code


# Fuzzing: no traceback, no hang

SIGNS = '[]{}"";:>=+-*?@/.0123456789 \n\tEXTRDCVOPGSNdpobchmt♠♥−½\ufeff\x00é'
SOUP = st.text(alphabet=SIGNS, max_size=200)
WORDS = [
    *("d1", "dA", "G@1", "P@2+3", "(RE)", "58/2", "40.5/1", "pb+", "po1:2", "chX", "chD", "=>"),
    *("+252", "-84", "0", "PS", "?", "1.", "2:", "5O", "XT", "21T", ">4", ";", "{", "}", "\n"),
    *('[TDN "1"]', '[Rules "fft5"]', '[Hand1 "?"]', '[Bids "1:G"]', '[Leader "2"]'),
]
FUZZED = settings(max_examples=300, deadline=None)


def refuses_or_reads(text: str) -> None:
    try:
        document = tarot.read_tdn(text)
    except RulesError:
        return
    assert tarot.read_tdn(tarot.write_tdn(document)) == document


@FUZZED
@given(SOUP)
def test_the_text_reader_takes_or_refuses_any_text(text):
    refuses_or_reads(text)


@FUZZED
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_the_text_reader_takes_or_refuses_any_words(words):
    refuses_or_reads(" ".join(words))


@pytest.mark.parametrize("text", [EVENING, WHOLE_DEAL], ids=["evening", "whole deal"])
def test_a_text_with_some_signs_changed_is_taken_or_refused(text):
    chance = Random(len(text))
    for _ in range(250):
        signs = list(text)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(signs))
            signs[at] = chance.choice(text + 'é;{}["?')
        refuses_or_reads("".join(signs))


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
FIELDS = tuple(tarot.record_schema()["properties"])


@FUZZED
@given(st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES), st.sampled_from([3, 4, 5, None]))
def test_the_json_reader_takes_or_refuses_any_object(fields, players):
    data = fields if players is None else {**fields, "players": players}
    try:
        record = tarot.record_from_json(data)
    except RulesError:
        return
    assert tarot.record_from_json(json.loads(json.dumps(tarot.record_to_json(record)))) == record


@FUZZED
@given(st.sampled_from(FIELDS), JSON_VALUES, st.integers(min_value=0, max_value=len(CASES) - 1))
def test_a_deal_with_one_field_spoilt_is_answered_in_one_line(name, value, at):
    _, answers = played({**CASES[at], name: value})

    (answer,) = answers
    assert "error" in answer or "legal" in answer


@FUZZED
@given(JSON_VALUES)
def test_the_writer_takes_or_refuses_any_json(value):
    accepted, out = run("tarot-write", json.dumps(value))

    assert accepted or "error" in json.loads(out)


@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029"])
def test_no_reader_takes_a_mark_within_an_answer_for_the_end_of_its_line(mark):
    _, answers = played({**CASES[0], "contract": f"garde{mark}"})

    (answer,) = answers
    assert mark in answer["error"]["message"]
