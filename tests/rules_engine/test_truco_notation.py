"""The truco record notation: what is written is read back, what is wrong is refused by its line."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from rules_engine import shell, truco
from rules_engine.chance import chance
from rules_engine.errors import RulesError
from rules_engine.truco import Match, MatchRecord, NotedHand, Pair, PlayedHand, Start, Tento

HANDS = json.loads((Path(__file__).parent / "cases" / "truco-hands.json").read_text())["hands"]

MATCH = """\
[TRN "1"]
[Event "Clube da Vila – 3ª etapa"]
[Date "2026.05.09"]
[Table "4"]
[Rules "paulista/1"]
[A1 "Ana"]
[B1 "Beto"]
[A2 "Caio"]
[B2 "Duda"]
[Dealer "B2"]
[Result "A 12-11"]

1. B2 v6E [A1:4C.7E.3E B1:7P.2E.KC A2:QC.3P.AC B2:5O.2P.JO] A1: 4C KC 3P JO >A2 \
/ A2: QC 2P 3E 2E >A1 => A+1 1-0
2. A1 vQO B1: KP 2O !3+ 4C JP >A1 / A1: AE JE !6!9- => B+6 1-6 {A2 calls Seis, A runs from Nove}
3. B1 v5O A2: 6C QO 5P KE >A2 / A2: ## ## JP 2C >B1 / B1: !3- => B+1 1-7
4. A2 v4C B2: QO 2O 7O JE >A1 / A1: AE 7C !3!6!9+ 3P 2C >A2 => A+9 10-7
5. B2 v7E A1: 3O 4C JP 2E >A1 / A1: 7O QC 7P 6P >B1 / B1: 6O AE AP JE = => A+1 11-7
6. A1 v2P M11A- => B+1 11-8
7. B1 v4E M11A+ A2: AC AE QC 7E = / A2: 7O 2O KP 6P >B2 => B+3 11-11
8. A2 v7E FERRO B2: JO 5C 5E 7P >B2 / B2: 4C 3E 4P 2P >A1 / A1: AC QE QP 2E >A2 => A+1 12-11
"""
SHEET = """\
[TRN "1"]
[Match "Os Zap x \\"Pé\\" de Boi"]
[Game "2/3"]
[Rules "paulista/1"]
[Dealer "A2"]
[Result "A 13-4"]
[Judge "Rui"]

1. A2 => A+1 1-0
2. B2 !3+ => B+3 1-3
3. A1 !3!6- => A+3 4-3
4. B1 => 0 4-3 {três empates}
5. PEN A tento => B+1 4-4
6. B2 !3+ !6!9+ => A+9 13-4
"""
SPECIAL_SHEET = """\
[TRN "1"]
[Rules "mineiro/1"]
[Start "10-8"]

1. A1 M10A-~ => B+2 10-10
2. B1 FERRO => 0 10-10
3. A2 FERRO => B+2 10-12
"""
IN_PLAY = """\
[TRN "1"]
[Rules "paulista-1v1/1"]
[Target "15"]

1. A1 v7O [B1:QP.4O.5E] B1: QP ?? >B1 / B1: #4O !3-~ => A+1 1-0
2. B1 v4E A1: 3P 3O = / A1: !3
"""
TEXTS = {"match": MATCH, "sheet": SHEET, "special": SPECIAL_SHEET, "in play": IN_PLAY}


def command(name: str, given: str | bytes) -> tuple[bool, str]:
    out = io.BytesIO()
    source = given if isinstance(given, bytes) else given.encode()
    accepted = shell.run(shell.COMMANDS[name], io.BytesIO(source), out)
    return accepted, out.getvalue().decode()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_written_strictly_comes_back_to_the_letter(text):
    assert truco.write(truco.read(text)) == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_json_and_back_is_the_same_record(text):
    record = truco.read(text)
    data = json.loads(json.dumps(truco.to_json(record)))

    assert truco.record_from(data) == record
    accepted, written = command("truco-read", text)
    assert (accepted, json.loads(written)) == (True, data)
    assert command("truco-write", written) == (True, text)


def test_each_hand_that_was_read_is_played_as_it_is():
    record = truco.to_json(truco.read(MATCH))

    played = [truco.play_again(each, default=truco.ruleset("paulista")) for each in record["hands"]]

    assert [(each["hand_winner"], each["points"]) for each in played] == [
        ("A", 1), ("B", 6), ("B", 1), ("A", 9), ("A", 1), ("B", 1), ("B", 3), ("A", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("case", HANDS, ids=lambda case: case["id"])
def test_every_collected_hand_is_written_and_read_back(case):
    playable = {"events": _events_until_the_end(case)}
    record = truco.record_from(case | playable)

    text = truco.write(record)

    assert truco.read(text) == record
    assert truco.write(truco.read(text)) == text
    assert truco.record_from(json.loads(json.dumps(truco.to_json(record)))) == record


def _events_until_the_end(case: dict) -> list[str]:
    events, whole = case["events"], case["expected"]
    if refused := whole.get("refused"):
        place = max(
            n
            for n, event in enumerate(events)
            if event == refused
            and not truco.play_again(
                case | {"events": events[:n]}, default=truco.ruleset("paulista")
            )["refused"]
        )
        return events[:place]
    for count in range(len(events) + 1):
        cut = truco.play_again(case | {"events": events[:count]}, default=truco.ruleset("paulista"))
        if cut["hand_winner"]:
            return events[:count]
    raise AssertionError(case["id"])


# Random matches


def random_record(seed: int, name: str) -> MatchRecord:
    """Play a match of any preset with every kind of line."""
    rules, random, draw = truco.ruleset(name), Random(seed), chance(seed)
    match, lines = Match(ruleset=rules, first_dealer=random.randrange(rules.players)), []
    while match.winner is None:
        lines.append(_random_line(random, match, draw, number=len(lines) + 1))
    return MatchRecord(
        ruleset=rules, lines=tuple(lines), tags=truco.rules_tags(rules) | {"Site": "Jaú"}
    )


def _random_line(random: Random, match: Match, draw, *, number: int):
    score, dealer, rules = match.score, match.dealer, match.ruleset
    note = random.choice(("", "", "empate?"))
    if random.random() < 0.1:
        punished = random.choice(list(Pair))
        match.give_tento(punished)
        points = match.lines[-1].points
        return Tento(number=number, score=score, punished=punished, points=points, note=note)
    if random.random() < 0.4:
        winner = random.choice((Pair.A, Pair.B, None))
        points = random.choice(match.possible_points(winner))
        match.record(winner, points)
        return NotedHand(
            number=number, dealer=dealer, score=score, winner=winner, points=points, note=note
        )
    cards = truco.deal_cards(rules, dealer=dealer, pack=truco.shuffled_pack(draw))
    hand = match.begin_hand(cards)
    while match.hand is hand:
        match.take(_random_event(random, hand))
    known = tuple(each if random.random() < 0.8 else None for each in hand.dealt)
    start = Start(
        ruleset=rules,
        vira=cards.vira,
        first=hand.first,
        score=score,
        hands=known if any(each is not None for each in known) else None,
    )
    return PlayedHand(number=number, start=start, events=tuple(hand.recorded), note=note)


def _random_event(random: Random, hand: truco.Hand) -> truco.Event:
    if hand.question is not None:
        pair = hand.question.pair
        answers = [truco.Answer.ACCEPT, truco.Answer.RUN]
        if hand.may_raise(pair):
            answers.append(truco.Answer.RAISE)
        answer = random.choice(answers)
        late = answer is truco.Answer.RUN and random.random() < 0.5
        return truco.Reply(pair=pair, answer=answer, by_clock=late)
    if hand.may_call(hand.turn) and random.random() < 0.1:
        return truco.Call(seat=hand.turn)
    played = random.choice(hand.held_by(hand.turn))
    covered = hand.may_cover(hand.turn) and random.random() < 0.2
    return truco.PlayCard(seat=hand.turn, card=played, covered=covered)


@pytest.mark.parametrize("name", truco.PRESETS)
def test_random_matches_survive_text_and_json(name):
    for seed in range(6):
        record = random_record(seed, name)

        text = truco.write(record)

        assert truco.read(text) == record
        assert truco.write(truco.read(text)) == text
        assert truco.record_from(json.loads(json.dumps(truco.to_json(record)))) == record


@pytest.mark.parametrize("name", truco.PRESETS)
def test_a_masked_record_shows_no_hand_and_no_covered_card(name):
    covered_cards = 0
    for seed in range(6):
        record = random_record(seed, name)
        masked = truco.masked(record)

        lines = truco.write(masked).splitlines()[-len(record.lines) :]

        assert truco.write(truco.read(truco.write(masked))) == truco.write(masked)
        for line, whole in zip(lines, record.lines, strict=True):
            if not isinstance(whole, PlayedHand):
                continue
            plays = [each for each in whole.events if isinstance(each, truco.PlayCard)]
            shown = {truco.code_of(each.card) for each in plays if not each.covered}
            vira = () if whole.start.vira is None else (truco.code_of(whole.start.vira),)
            # A code may also be the end of nothing else: words are set apart by spaces.
            words = {word.removeprefix("v") for word in line.partition("{")[0].split()}
            assert words & set(truco.CODES) == shown | set(vira)
            assert "[" not in line
            covered_cards += sum(each.covered for each in plays)
    assert covered_cards > 0


def test_the_shell_writes_a_masked_record():
    record = truco.to_json(truco.read(IN_PLAY))

    accepted, text = command("truco-write", json.dumps(record | {"masked": True}))

    assert accepted
    assert "4O" not in text
    assert "[B1:" not in text
    assert command("truco-write", json.dumps(record | {"masked": 1}))[1].startswith('{"error"')


# Rules of a house


HOUSE = truco.Ruleset(
    name="clube/da vila",
    version=3,
    call_when="any_time",
    special_call="forfeit",
    ladder=(1, 3, 6),
    call_names=("truco", "seis"),
    cover_limit_per_pair=1,
)
HOUSE_TEXT = """\
[TRN "1"]
[Rules "clube/da vila/3"]
[Target "12"]
[Start "11-3"]

1. A1 v7O M11A- => B+1 11-4
2. B1 v4E M11A+ A2: !3 => B+8 11-12 {called: the match is lost}
"""
HOUSE_CALLS = """\
[TRN "1"]
[Rules "clube/da vila/3"]
[Target "12"]

1. A1 v7O B1: B2!3+ QP A1!6+ 4C KE 5O >B1 / B1: ## ?? KP 6E >A2 / A2: 3P 2P
"""


@pytest.mark.parametrize("text", [HOUSE_TEXT, HOUSE_CALLS])
def test_a_match_by_the_rules_of_a_house_is_read_with_them(text):
    record = truco.read(text, ruleset=HOUSE)

    assert truco.write(record) == text
    data = json.loads(json.dumps(truco.to_json(record)))
    assert truco.record_from(data, ruleset=HOUSE) == record
    with pytest.raises(RulesError) as refused:
        truco.read(text)
    assert refused.value.code == "unknown_ruleset"


def test_what_is_read_with_the_rules_of_a_house_does_not_name_others():
    assert truco.read("1. A1 => A+6", ruleset=HOUSE).tags["Rules"] == "clube/da vila/3"
    for tags in ('[Rules "paulista/1"]', '[Rules "clube/da vila/3"] [Target "15"]'):
        with pytest.raises(RulesError) as refused:
            truco.read(tags, ruleset=HOUSE)
        assert refused.value.code == "another_ruleset"
    with pytest.raises(RulesError) as refused:
        truco.read('[Rules "clube/da vila/2"]', ruleset=HOUSE)
    assert refused.value.code == "unknown_version"


# Leniency


def test_what_can_be_derived_may_be_left_out():
    loose = """
    [Rules "paulista-barajamos/1"] [dealer "b2"]
    1. v6♠ a1: 4c 12c 3♣ 11o a2: 10C 2p 3E 2e ; no marks, no result
    2. vQO  kp 2O !3+ 4C JP   AE JE !6!9-
    3. A+1
    """.replace("3. A+1", "")

    record = truco.read(loose)

    assert truco.write(record).splitlines()[-2:] == [
        "1. B2 v6E A1: 4C KC 3P JO >A2 / A2: QC 2P 3E 2E >A1 => A+1 1-0 {no marks, no result}",
        "2. A1 vQO B1: KP 2O !3+ 4C JP >A1 / A1: AE JE !6!9- => B+6 1-6",
    ]


def test_tags_may_stand_anywhere_and_several_on_a_line():
    text = '1. A2 => A+12 12-0 [Result "A 12-0"] [TRN "1"] [Site "Jaú"]'

    assert truco.read(text).tags == {"Site": "Jaú", "Result": "A 12-0"}


def test_a_hand_of_which_no_card_was_noted_may_be_written_with_question_marks():
    record = truco.read("1. B2 v6E [A1:?.?.? B1:7P.2E.KC] A1: 4C")

    assert truco.write(record).endswith("1. B2 v6E [B1:7P.2E.KC] A1: 4C\n")


def test_a_fragment_tells_its_own_score():
    text = '[TRN "1"]\n\n7. B1 => A+3 9-4\n8. A2 => B+1 9-5\n'

    assert truco.write(truco.read(text)) == text
    assert truco.read(text).lines[0].score == (6, 4)


# Refusals


@pytest.mark.parametrize(
    ("hands", "code", "line"),
    [
        ("1. B2 v6E A1: 4C KC 3P JO >A1", "wrong_round_winner", 1),
        ("1. B2 v6E A1: 4C KC 3P JO =", "wrong_round_winner", 1),
        ("1. B2 v6E A1: 4C KC 3P JO >A2 >A2", "misplaced_word", 1),
        ("1. B2 v6E A1: 4C >A1", "misplaced_word", 1),
        ("1. B2 v6E B1: 4C", "wrong_leader", 1),
        ("1. B2 v6E A1: 4C A1: KC", "wrong_leader", 1),
        ("1. B2 v6E A1: 4C 4C", "duplicate_card", 1),
        ("1. B2 v6E A1: 6E", "card_is_vira", 1),
        ("1. B2 v6E A1: ##", "cover_in_first_round", 1),
        ("1. B2 v6E A1: !6+", "wrong_step", 1),
        ("1. B2 v6E A1: !3!6!9!12!15+", "max_reached", 1),
        ("1. B2 v6E A1: !3+ B1!6+", "not_your_turn", 1),
        ("1. B2 v6E A1: !3+ !6+", "raise_not_yours", 1),
        ("1. B2 v6E A1: !3 4C", "call_pending", 1),
        ("1. B2 v6E A1: 4C => A+1", "hand_unfinished", 1),
        ("1. B2 v6E A1: 4C\n2. A1 => A+1", "hand_unfinished", 1),
        ("1. B2 v6E A1: !3- => A+3", "wrong_points", 1),
        ("1. B2 v6E A1: !3- => B+1", "wrong_points", 1),
        ("1. B2 v6E A1: !3- => A+1 0-1", "wrong_score", 1),
        ("1. B2 v6E A1: 4C KC 3P JO / A2: QC 2P 3E 2E / A1: AO", "hand_over", 1),
        ("1. B2 A1: 4C", "vira_missing", 1),
        ("1. B2 v6E [A1:4C.7E] A1: 4C", "hand_partly_noted", 1),
        ("1. B2 v6E [A1:4C.7E.??] A1: 4C", "hand_partly_noted", 1),
        ("1. B2 v6E [A1:4C.7E.6E] A1: 4C", "card_is_vira", 1),
        ("1. B2 v6E [A1:4C.7E.3E B1:4C.4E.4O] A1: 4C", "duplicate_card", 1),
        ("1. B2 v6E [A1:4C.7E.3E A1:4P.4E.4O] A1: 4C", "misplaced_word", 1),
        ("1. B2 v6E [A3:4C.7E.3E] A1: 4C", "seat_not_there", 1),
        ("1. B2 v6E [A1:4C.7E.9E] A1: 4C", "unknown_card", 1),
        ("1. B2 v6E [A1:4C.7E.3E] A1: 5C", "card_not_in_hand", 1),
        ("1. B2 v6E M11A+ A1: 5C", "another_kind", 1),
        ("1. B2 v6E FERRO A1: 5C", "another_kind", 1),
        ("1. B2 v6E A1: !3+!6+", "raise_not_yours", 1),
        ("1. B2 v6E A1: 4C M11A-", "misplaced_word", 1),
        ("1. B2 => A+9\n2. A1 => A+3\n3. B1 M11A+", "match_over", 3),
        ("1. B2 => A+9\n2. A1 => A+1\n3. B1 => A+1\n4. A2 M11A+~ => A+3", "misplaced_word", 4),
        ("1. B2 => A+9\n2. A1 => A+1\n3. B1 => A+1\n4. A2 M10A+ => A+3", "another_kind", 4),
        ("1. B2 => A+9\n2. A1 => A+1\n3. B1 => A+1\n4. A2 M11B+ => A+3", "another_kind", 4),
        ("1. B2 => A+9\n2. A1 => A+1\n3. B1 => A+1\n4. A2 M11A- => A+3", "impossible_points", 4),
        ("1. B2 => A+9\n2. A1 => A+1\n3. B1 => A+1\n4. A2 M11A+ => B+1", "impossible_points", 4),
        ("1. B2 => A+9\n2. A1 => A+1\n3. B1 => A+1\n4. A2 !3+ => A+3", "another_kind", 4),
        ("1. B2 v6E A1: 4C !3~ KC", "unknown_word", 1),
        ("1. B2 v6E A1: ?? KC 3P JO / A2: QC", "round_not_noted", 1),
        ("1. B2 => A+2", "impossible_points", 1),
        ("1. B2 !3+ => A+1", "impossible_points", 1),
        ("1. B2 !3- => A+3", "impossible_points", 1),
        ("1. B2 !3- => 0", "impossible_points", 1),
        ("1. B2 !6+ => A+6", "wrong_step", 1),
        ("1. B2 !3- !6+ => A+6", "wrong_step", 1),
        ("1. B2 !3 => A+3", "misplaced_word", 1),
        ("1. B2", "result_missing", 1),
        ("1. => A+1", "dealer_missing", 1),
        ("1. A3 => A+1", "seat_not_there", 1),
        ("1. B2 => A+1\n3. A1 => A+1", "wrong_number", 2),
        ("1. B2 => A+12\n2. A1 => A+1", "match_over", 2),
        ("1. B2 => A+12\n2. PEN A tento => B+1", "match_over", 2),
        ("1. B2 => A+12\n2. v6E A1: 4C", "match_over", 2),
        ("1. PEN A tento => A+1", "wrong_points", 1),
        ("1. PEN A tento => B+13", "impossible_tento", 1),
        ("1. PEN A tento", "result_missing", 1),
        ("1. PEN A cartão => B+1", "misplaced_word", 1),
        ("1. B2 PEN A tento => B+1", "misplaced_word", 1),
        ("1. B2 v6E v6E A1: 4C", "misplaced_word", 1),
        ("1. B2 => A+1 1-0 4C", "misplaced_word", 1),
        ("B2 => A+1", "misplaced_word", 1),
        ("1. B2 A+1", "misplaced_word", 1),
        ("1. B2 => A+1 ($)", "unknown_word", 1),
        ("1. B2 => A+1234567", "unknown_word", 1),
        ("\n\n1. B2 v6E A1: 4C * KC", "unknown_word", 3),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(hands, code, line):
    with pytest.raises(RulesError) as refused:
        truco.read(hands)
    assert (refused.value.code, refused.value.field) == (code, f"line {line}")
    assert refused.value.message


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ('[TRN "2"]', "bad_tag"),
        ('[\u017fite "Jaú"]', "bad_tag"),  # no s, though it counts as one without regard to case
        ('[Site "a"] [Site "b"]', "tag_twice"),
        ('[Rules "gaúcho/1"]', "unknown_ruleset"),
        ('[Rules "paulista/2"]', "unknown_version"),
        ('[Target "none"]', "bad_tag"),
        ('[Target "0"]', "impossible_rule"),
        ('[Start "none"]', "bad_tag"),
        ('[Start "12-0"] 1. B2 => A+1', "match_over"),
        ('[Dealer "C1"]', "bad_tag"),
        ('[Dealer "A1"] 1. B2 => A+1', "wrong_dealer"),
        ('[Result "C 12-0"]', "bad_tag"),
        ('[Result "A 12-0"] 1. B2 => A+1', "wrong_result"),
        ('[Result "B 12-0"] 1. B2 => A+12', "wrong_result"),
        ('[Site "a\tb"]', "bad_tag"),
        ("".join(f'[T{n} ""]' for n in range(65)), "too_many_tags"),
        ("".join(f"{n}. " for n in range(501)), "too_many_hands"),
    ],
)
def test_tags_that_say_something_impossible_are_refused(tags, code):
    with pytest.raises(RulesError) as refused:
        truco.read(tags)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "result", ["A 12-4", "B 12-4", "B 4-12", "B WO", "* cancelled", "?", "A WO"]
)
def test_a_result_may_be_told_in_several_ways(result):
    hands = "1. B2 => A+12" if result == "A 12-4" else "1. B2 => B+12"
    start = "0-4" if result == "A 12-4" else "4-0"

    record = truco.read(f'[Start "{start}"] [Result "{result}"] {hands}')

    assert record.tags["Result"] == result


HAND = {
    "number": 1,
    "players": 4,
    "vira": "7O",
    "first": 0,
    "score_before": [0, 0],
    "hands": None,
    "events": ["r:0", "q:1"],
}
NOTED = {"number": 1, "dealer": 0, "score_before": [0, 0], "winner": "A", "points": 1}


@pytest.mark.parametrize(
    ("value", "code", "field"),
    [
        ([], "not_an_object", ""),
        ({"tags": []}, "not_an_object", "tags"),
        ({"tags": {"Site": 1}, "hands": []}, "bad_tag", "tags"),
        ({"tags": {"TRN": "1"}, "hands": []}, "bad_tag", "tags"),
        ({"tags": {"a b": "1"}, "hands": []}, "bad_tag", "tags"),
        ({"tags": {"site": "1"}, "hands": []}, "bad_tag", "tags"),
        ({"tags": {"Site": "a\nb"}, "hands": []}, "bad_tag", "tags"),
        ({"tags": {}, "hands": {}}, "not_a_list", "hands"),
        ({"tags": {}, "hands": [], "x": 1}, "unknown_field", "x"),
        ({"tags": {}, "hands": [NOTED | {"number": -1}]}, "number_too_small", "hands[0].number"),
        ({"tags": {}, "hands": [NOTED | {"note": "a}"}]}, "bad_note", "hands[0].note"),
        ({"tags": {}, "hands": [NOTED | {"calls": ["3+"]}]}, "bad_calls", "hands[0].calls"),
        ({"tags": {}, "hands": [NOTED | {"decision": "?"}]}, "bad_calls", "hands[0].decision"),
        ({"tags": {}, "hands": [NOTED | {"winner": "C"}]}, "not_a_pair", "hands[0].winner"),
        ({"tags": {}, "hands": [NOTED | {"dealer": 4}]}, "seat_not_there", "hands[0]"),
        ({"tags": {}, "hands": [NOTED | {"points": 2}]}, "impossible_points", "hands[0]"),
        ({"tags": {}, "hands": [NOTED | {"score_before": [1, 0]}]}, "wrong_score", "hands[0]"),
        ({"tags": {}, "hands": [NOTED, NOTED]}, "wrong_number", "hands[1]"),
        ({"tags": {}, "hands": [HAND | {"events": ["p:0:4C"]}, NOTED | {"number": 2}]},
         "hand_unfinished", "hands[0]"),
        ({"tags": {}, "hands": [HAND | {"events": ["p:1:4C"]}]}, "not_your_turn",
         "hands[0].events[0]"),
        ({"tags": {}, "hands": [HAND | {"ruleset": "paulista-aberto"}]}, "another_ruleset",
         "hands[0]"),
        (HAND | {"events": ["p:1:4C"]}, "not_your_turn", "events[0]"),
        (HAND | {"events": ["p:0"]}, "unknown_event", "events[0]"),
        ({"tags": {}, "hands": [NOTED | {"decision": "+"}]}, "another_kind", "hands[0]"),
        ({"tags": {"Start": "12-0"}, "hands": [NOTED | {"score_before": [12, 0]}]}, "match_over",
         "hands[0]"),
        (HAND | {"events": ["p:4:4C"]}, "unknown_event", "events[0]"),
        (HAND | {"events": [4]}, "unknown_event", "events[0]"),
        (HAND | {"events": ["ya:0"]}, "nothing_to_answer", "events[0]"),
        (HAND | {"players": 3}, "players_out_of_range", "players"),
        (HAND | {"vira": "8O"}, "unknown_card", "vira"),
        (HAND | {"first": 4}, "seat_not_there", "first"),
        (HAND | {"score_before": [0]}, "not_a_score", "score_before"),
        (HAND | {"score_before": [0, True]}, "not_a_score", "score_before"),
        (HAND | {"hands": {"0": None, "1": None, "2": None}}, "missing_field", "hands.3"),
        (HAND | {"ruleset": 3}, "not_a_text", "ruleset"),
        (HAND | {"ruleset": truco.ruleset("paulista").to_json() | {"reply_seconds": 20}},
         "ruleset_without_name", "ruleset"),
    ],
)  # fmt: skip
def test_json_that_is_no_record_is_refused_with_its_field(value, code, field):
    accepted, answer = command("truco-write", json.dumps(value))

    error = json.loads(answer)["error"]
    assert not accepted
    assert (error["code"], error["field"]) == (code, field)


def test_a_record_and_its_tags_agree():
    record = truco.read(SHEET)

    with pytest.raises(RulesError) as refused:
        replace(record, ruleset=truco.ruleset("mineiro"))

    assert refused.value.code == "another_ruleset"


# Whatever is read, nothing ends in a traceback


def mutated(random: Random, text: str) -> str:
    """Change, drop, double or swap some pieces of a text."""
    pieces = list(text)
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(pieces))
        change = random.randrange(4)
        if change == 0:
            pieces[place] = random.choice('0123456789ABCEOPQKJ!+-~=>#?[]{}";:./ \n♣é\\\0')
        elif change == 1:
            del pieces[place : place + random.randrange(1, 6)]
        elif change == 2:
            pieces[place:place] = pieces[place : place + random.randrange(1, 12)]
        else:
            other = random.randrange(len(pieces))
            pieces[place], pieces[other] = pieces[other], pieces[place]
        pieces = pieces or [" "]
    return "".join(pieces)


def test_mutated_notation_is_read_or_refused():
    random, answers = Random(3), [0, 0]
    for _ in range(1500):
        text = mutated(random, random.choice(list(TEXTS.values())))
        try:
            written = truco.write(truco.read(text))
        except RulesError:
            answers[0] += 1
        else:
            assert truco.write(truco.read(written)) == written
            answers[1] += 1
    assert min(answers) > 40


def test_mutated_json_is_written_or_refused():
    random, answers = Random(4), [0, 0]
    sources = [command("truco-read", text)[1] for text in TEXTS.values()]
    for _ in range(300):
        command("truco-write", mutated(random, random.choice(sources)))
    for _ in range(600):
        value = json.loads(random.choice(sources))
        _change_somewhere(random, value)
        accepted, _ = command("truco-write", json.dumps(value))
        answers[accepted] += 1
    assert min(answers) > 10


def _change_somewhere(random: Random, value: dict | list) -> None:
    """Replace one value, anywhere inside, by another one."""
    places = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not places:
        return
    place = random.choice(places)
    if isinstance(value[place], dict | list) and random.random() < 0.9:
        _change_somewhere(random, value[place])
    else:
        value[place] = random.choice((*ODD_VALUES, 1, 2, "r:0", "q:1", "3P", "A", "+", "["))


ODD_VALUES = (
    *(None, True, -1, 3, 10**7, 1.5, "", "A", "p:0:3P"),
    *([], [0], {}, {"0": []}, [None] * 3),
)


def test_values_of_any_type_in_a_hand_are_answered_or_refused():
    random = Random(6)
    case = {name: HANDS[0][name] for name in ("players", "vira", "first", "score_before")}
    case |= {"hands": HANDS[0]["hands"], "events": HANDS[0]["events"]}
    refused = 0
    for _ in range(600):
        changed = dict(case)
        for name in random.sample([*case, "ruleset", "x"], random.randrange(1, 3)):
            changed[name] = random.choice(ODD_VALUES)
        accepted, _ = command("truco-play", json.dumps(changed))
        refused += not accepted
    assert 300 < refused < 600
