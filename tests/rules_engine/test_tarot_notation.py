"""The text notation of tarot deals: the published examples, strict writer, lenient reader."""

from __future__ import annotations

import dataclasses

import pytest

from rules_engine import tarot
from rules_engine.errors import RulesError, Unreadable
from tests.rules_engine.tarot_tables import CASES, cards

FFT, FIVE = tarot.ruleset("fft"), tarot.ruleset("fft-5")

#: The five worked deals of seed 000.
EVENING = """\
[TDN "1"]
[Players "A B C D"]
[Rules "fft4"]
1. dD G@A 58/2 => +252 -84 -84 -84
2. dA P@C 59/3 pb+ => -58 -58 +174 -58
3. dB GS@D 61/1 po2:D => -170 -170 -170 +510
4. dC G@B 44/2 pb- => -36 +108 -36 -36
5. dD GS@D 49/1 pb+ po1:D => +88 +88 +88 -264
"""

WHOLE_DEAL = """\
[TDN "1"]
[Rules "fft4"]

[Dealer "4"]
[Hand1 "E:864 C:9 O:RC75 P:CV107432 T:12,8,4"]
[Hand2 "E:RDC7 C:D108752 O:84 P:5 T:19,16,3,2,1"]
[Hand3 "E:V531 C:RC64 O:V1091 P:D81 T:18,15,X"]
[Hand4 "E:1092 C:V1 O:D62 P:R9 T:21,17,13,11,10,9,7,6"]
[Dog "E: C:3 O:3 P:6 T:20,14,5"]
[Bids "1:- 2:- 3:- 4:G"]
[Ecart "E:1092 C:V1 O: P:9 T:"]
[Poignee "4:1"]
1. 1: 5O 4O 10O DO >4
2. 4: 3C 9C 2C CC >3
3. 3: 15T 17T 4T 19T >2
4. 2: 2T 18T 21T 8T >4
5. 4: 20T 12T 3T 1O >4
6. 4: 14T RO 16T 3E >2
7. 2: 5C 6C 11T 7P >4
8. 4: 13T 4P 1T 1P >4
9. 4: 10T 2P 5P 1E >4
10. 4: 7T 3P 7E 4C >4
11. 4: 6T 4E CE 5E >4
12. 4: 9T 6E 7C 8P >4
13. 4: 5T 7O 8C 9O >4
14. 4: 2O CO 8O VO >1
15. 1: 8E DE VE RP >2
16. 2: 10C RC 6O 10P >3
17. 3: XT 3O VP DC >4
18. 4: 6P CP RE DP >3
d4 G@4 43/2 po1:4 => -74 -74 -74 +222
"""


def refusal_of(text: str) -> RulesError:
    with pytest.raises(RulesError) as refusal:
        tarot.read_tdn(text)
    return refusal.value


# The published examples


def test_the_evening_of_seed_000_is_read_and_adds_up():
    document = tarot.read_tdn(EVENING)

    assert document.players == ("A", "B", "C", "D")
    totals = [sum(column) for column in zip(*(deal.scores for deal in document.deals), strict=True)]
    assert totals == [76, -116, -28, 68]
    assert tarot.write_tdn(document) == EVENING


def test_the_whole_deal_is_read_card_by_card():
    document = tarot.read_tdn(WHOLE_DEAL)

    (record,) = document.deals
    assert record.level is tarot.Level.EVERY_CARD
    assert (record.count.half_points, record.count.bouts) == (86, 2)
    assert record.scores == (-74, -74, -74, 222)
    assert record.discard == cards("S10 S9 S2 HV H1 C9")
    assert tarot.write_tdn(document) == WHOLE_DEAL


# Everything that can be told


def sheet(line: str, *, players: int = 4, rules: str | None = None) -> tarot.DealRecord:
    return tarot.read_tdn(f'[Rules "{rules or f"fft{players}"}"]\n{line}').deals[0]


@pytest.mark.parametrize(
    ("line", "players", "rules"),
    [
        ("1. P@1 51/1 => +75 -25 -25 -25", 4, None),
        ("1. d2 GC@4 0/0 chX chD => +886 +886 +886 -2658", 4, "fft4"),
        ("1. G@1 90/3 chX => -126 +42 +42 +42", 4, None),
        ("1. G@1 91/3 chA => +1680 -560 -560 -560", 4, None),
        ("1. P@2 87/2 chN => -271 +813 -271 -271", 4, None),
        ("1. G@1 40.5/2 => -104 +52 +52", 3, None),
        ("1. G@1+3 41.5/2 => +104 -52 +52 -52 -52", 5, None),
        ("1. G@1+3(RE) 41.5/2 => +104 -52 +52 -52 -52", 5, None),
        ("1. G@1(RE) 41.5/2 => +208 -52 -52 -52 -52", 5, None),
        ("1. PU@1 51/1 => +114 -38 -38 -38", 4, "pousse4"),
        ("1. G@1 51/1 po1:+ po1:- => +270 -90 -90 -90", 4, None),
        ("1. G@1 51/1 po1:1 po1:2 => +270 -90 -90 -90", 4, None),
        ("1. P@1 51/1 mt:2 => +65 +5 -35 -35", 4, "misere4"),
        ("1. P@1 51/1 pcX => -225 +75 +75 +75", 4, "petit-chelem4"),
        ("1. P@1 89/3 pcA => +834 -278 -278 -278", 4, "petit-chelem4"),
        ("1. P@1 89/3 pcN => +534 -178 -178 -178", 4, "petit-chelem4"),
        ("1. 0", 4, None),
        ("1. d3 PS", 4, None),
        ("1. d3 MD", 4, None),
        ("1. d3 CT", 4, None),
        ("1. d3 CU", 4, None),
        ("1. d3 WD", 4, None),
        ("1. d3 ?", 4, None),
        ("1. d3 G@1 ?", 4, None),
        ("1. d3 G@1 ? po1:2 ch?", 4, None),
    ],
)
def test_a_line_is_written_as_it_was_read(line, players, rules):
    document = tarot.read_tdn(f'[TDN "1"]\n[Rules "{rules or f"fft{players}"}"]\n{line}\n')

    text = tarot.write_tdn(document)

    assert text.splitlines()[-1] == line
    assert tarot.read_tdn(text) == document


def test_scores_are_worked_out_where_they_are_not_told():
    assert sheet("G@1 58/2").scores == (252, -84, -84, -84)


def test_a_bidding_with_parole_and_an_unfinished_deal_are_written_as_they_were_read():
    text = (
        '[TDN "1"]\n[Rules "parole4"]\n\n[Dealer "4"]\n'
        '[Bids "1:* 2:- 3:P 4:- 1:G"]\n[Poignee "2:1=21,20,19,18,17,16,15,14,13,X"]\n'
        "1. 1: 5O 4O\nd4 G@1 ? po1:2\n"
    )

    assert tarot.write_tdn(tarot.read_tdn(text)) == text


def test_shown_trumps_of_a_hidden_discard_and_a_leader_are_kept():
    text = (
        '[TDN "1"]\n[Rules "fft4"]\n\n[Leader "2"]\n[Hand1 "?"]\n'
        f'[Hand2 "{tarot.write_tdn(tarot.read_tdn(WHOLE_DEAL)).split(chr(34))[9]}"]\n'
        '[Hand3 "?"]\n[Hand4 "?"]\n[Shown "E: C: O: P: T:20,14"]\nG@4 ?\n'
    )

    assert tarot.write_tdn(tarot.read_tdn(text)) == text


@pytest.mark.parametrize("case", CASES[::9])
def test_every_case_and_every_view_of_it_comes_back_the_same(case):
    facts = ("players", "first_leader", "taker", "partner", "called_card", "contract")
    told = {name: case[name] for name in (*facts, "hands", "dog", "discard", "plays")}
    record = tarot.record_from_json(told)
    views = [record.masked(seat, plays=plays) for seat in (None, 0, 2) for plays in (0, 9, None)]
    document = tarot.Notation(ruleset=record.ruleset, deals=(record, *views))

    assert tarot.read_tdn(tarot.write_tdn(document)) == document
    assert tarot.notation_from_json(tarot.notation_to_json(document)) == document


# Leniency


@pytest.mark.parametrize(
    "line",
    [
        "dD G@A 58/2 => +252 -84 -84 -84",
        "dd g@A 58/2",
        "  7.   dD   G @ A   58 / 2  =>  252  −84 -84 –84  ; a comment",
        "dD {the dealer} G@A {multi} 58,0/2",
        "G@1 58/2 d4",
        "dD G@A 58/2 ?",
    ],
)
def test_case_spacing_order_numbers_and_comments_do_not_matter(line):
    text = f'\ufeff[Rules "fft4"] [Players "A B C D"]\r\n{line}\r\n'.replace("dd", "dD")

    (record,) = tarot.read_tdn(text).deals

    assert record.scores == (252, -84, -84, -84)
    assert record.dealer in {3, None}


def test_comments_may_span_lines_and_quotes_keep_their_signs():
    text = '[Event "Club; {A}"]\n{one\ntwo} G@1 58/2 ; end\n0'

    document = tarot.read_tdn(text)

    assert document.tags == {"Event": "Club; {A}"}
    assert len(document.deals) == 2


def test_suit_signs_may_be_written_in_tags():
    text = WHOLE_DEAL.replace("E:864 C:9 O:RC75 P:CV107432", "♠:864 ♥:9 ♦:RC75 ♣:CV107432")

    assert tarot.read_tdn(text) == tarot.read_tdn(WHOLE_DEAL)


def test_winners_numbers_and_the_dealers_tag_may_be_left_out():
    lines = [line.partition(" >")[0] for line in WHOLE_DEAL.splitlines()]
    bare = [line.partition(". ")[2] or line for line in lines if not line.startswith("[Dealer")]

    record = tarot.read_tdn("\n".join(bare)).deals[0]

    assert record.scores == (-74, -74, -74, 222)


def test_the_first_trick_tells_who_opened_where_no_dealer_is_named():
    lines = WHOLE_DEAL.replace("d4 G@4", "G@4").splitlines()
    bare = [line for line in lines if not line.startswith(("[Dealer", "[Bids"))]

    record = tarot.read_tdn("\n".join(bare)).deals[0]

    assert (record.dealer, record.first_leader) == (None, 0)
    assert record.scores == (-74, -74, -74, 222)


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ('[Rules "fft4"]', "fft"),
        ('[Rules "fft"]', "fft"),
        ("", "fft"),
        ('[Rules "fft5"]', "fft-5"),
        ('[Rules "fft-5"]', "fft-5"),
        ('[Rules "seed-0003"]', "seed-000-3"),
        ('[Players "A B C"]', "fft-3"),
        ('[Rules "one-sits-out4"]', "one-sits-out"),
    ],
)
def test_the_ruleset_is_named_with_the_number_of_players(tag, name):
    ruleset = tarot.read_tdn(tag).ruleset

    assert ruleset.for_players(ruleset.players) == tarot.ruleset(name).for_players(ruleset.players)
    assert ruleset.players == tarot.ruleset(name).players


# Refusals


def changed(old: str, new: str, text: str = WHOLE_DEAL) -> str:
    assert old in text
    return text.replace(old, new, 1)


#: Seat 4 trumps the first diamond, and plays its diamond in a later trick.
REVOKED = changed("12. 4: 9T", "12. 4: DO", changed("10O DO >4", "10O 9T >4"))


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ('[TDN "2"]', "another_version", "line 1"),
        ('[Rules "bridge4"]\n0', "unknown_ruleset", "line 2"),
        ('[Rules "fft6"]\n0', "unknown_ruleset", "line 2"),
        ("[Rules fft4]", "tag_unreadable", "line 1"),
        ('[Event "a"][Event "b"]', "tag_twice", "line 1"),
        ('0\n[Rules "fft4"]', "tag_twice", "line 2"),
        ("hello", "unknown_word", "line 1"),
        ("G@9 58/2", "no_such_seat", "line 1"),
        ("G@1 58/2 => a b c d", "unknown_word", "line 1"),
        ("G@1 58/2 => 1 2 3", "scores_contradict", "line 1"),
        ("G@1 58/2 => +252 -84 -84 -85", "scores_contradict", "line 1"),
        ("0 => 1 2 3 4", "scores_contradict", "line 1"),
        ("G@1 92/2", "points_outside_the_pack", "line 1"),
        ("G@1 40.5/2", "half_point_at_four", "line 1"),
        ("G@1(ZZ) 58/2", "unknown_card", "line 1"),
        ("po1:1 x:2", "unknown_word", "line 1"),
        (changed("[Dog", '[Hand5 "?"]\n[Dog'), "hands_of_other_players", "line 32"),
        (changed("C:V1 O: P:9 T:", "C:V1 O: P:9 Z:"), "cards_unreadable", "line 31"),
        (changed("C:V1 O:", "C:VK O:"), "cards_unreadable", "line 31"),
        (changed("T:12,8,4", "T:12,8,40"), "cards_unreadable", "line 31"),
        (changed("T:12,8,4", "T:12,8,8"), "card_named_twice", "line 31"),
        (changed("E:864 C:9", "E:864 C:R"), "card_twice", "line 31"),
        (changed("4:G", "4:X"), "unknown_word", "line 31"),
        (changed('Poignee "4:1"', 'Poignee "4:7"'), "unknown_word", "line 31"),
        (changed("po1:4", "po1:3"), "two_poignees", "line 31"),
        (changed("d4 G@4", "d3 G@4"), "two_dealers", "line 31"),
        (changed("DO >4", "DO >3"), "another_winner", "line 13"),
        (changed("2. 4:", "2. 3:"), "another_leader", "line 14"),
        (REVOKED, "must_follow", "line 31"),
        (changed("5O 4O 10O DO >4", "5O 4O 10O >4"), "trick_incomplete", "line 13"),
        (changed("5O 4O 10O DO >4", "5O 4O 10O ZZ >4"), "unknown_card", "line 13"),
        (changed("43/2", "45/2"), "points_contradict_cards", "line 31"),
        (changed("=> -74 -74 -74 +222", "=> -75 -75 -75 +225"), "scores_contradict", "line 31"),
        (WHOLE_DEAL.rsplit("d4", 1)[0], "deal_not_ended", "line 30"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_its_line(text, code, field):
    refusal = refusal_of(text)

    assert (refusal.code, refusal.field) == (code, field)
    assert refusal.message


def test_a_document_that_is_far_too_long_is_refused():
    assert refusal_of("0\n" * 600_000).code == "too_large"


# What can be written


#: Seat 4 trumps the first diamond, and plays its diamond in a later trick.
REVOKED = changed("12. 4: 9T", "12. 4: DO", changed("10O DO >4", "10O 9T >4"))


@pytest.mark.parametrize(
    "names", [("A", "B", "C"), ("A", "A", "B", "C"), ("A", "B", "C", "D E"), ("1", "2", "3", "4")]
)
def test_players_are_single_words_no_two_alike(names):
    with pytest.raises(Unreadable):
        tarot.Notation(ruleset=FFT, players=names)


@pytest.mark.parametrize(
    "tags", [{"Rules": "x"}, {"Hand1": "?"}, {"A B": "x"}, {"Event": 'a"b'}, {"Event": "a\nb"}]
)
def test_tags_are_words_and_texts_on_one_line(tags):
    with pytest.raises(Unreadable):
        tarot.Notation(ruleset=FFT, tags=tags)


def test_all_deals_of_a_document_share_a_ruleset():
    with pytest.raises(Unreadable) as refusal:
        tarot.Notation(ruleset=FIVE, deals=(tarot.DealRecord(ruleset=FFT),))

    assert refusal.value.code == "another_ruleset"


def test_free_tags_and_names_with_accents_are_kept():
    document = tarot.Notation(
        ruleset=FFT,
        players=("José", "Zoé", "Ana", "Dédé"),
        tags={"Event": "Soirée"},
        deals=(sheet("G@1 58/2"),),
    )

    assert tarot.read_tdn(tarot.write_tdn(document)) == document


def test_a_json_document_may_be_one_record_or_a_list():
    record = tarot.record_to_json(sheet("G@1 58/2"))

    assert tarot.notation_from_json(record) == tarot.notation_from_json([record])
    assert tarot.notation_from_json([]).ruleset == FFT


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (7, ""),
        ({"deals": [{"players": 9}]}, "deals[0].players"),
        ({"deals": [], "players": [1]}, "players"),
        ({"deals": [], "tags": {"Event": 1}}, "tags"),
        ({"deals": [], "tags": []}, "tags"),
        ({"deals": [], "more": 1}, "more"),
    ],
)
def test_a_json_document_that_cannot_be_read_is_refused(value, field):
    with pytest.raises(RulesError) as refusal:
        tarot.notation_from_json(value)

    assert refusal.value.field == field


def test_the_last_trick_with_a_hidden_excuse_says_no_winner():
    """In a slam the Excuse may win it, which the table alone does not tell."""
    case = next(
        c for c in CASES if c["players"] == 4 and any(p[1] == "EX" for p in c["plays"][68:])
    )
    facts = ("players", "first_leader", "taker", "contract", "hands", "dog", "discard", "plays")
    record = tarot.record_from_json({name: case[name] for name in facts})

    open_text = tarot.write_tdn(tarot.Notation(ruleset=FFT, deals=(record,)))
    hidden = tarot.write_tdn(tarot.Notation(ruleset=FFT, deals=(record.masked(),)))

    assert ">" in open_text.splitlines()[-2]
    assert ">" not in hidden.splitlines()[-2]
    assert dataclasses.replace(record.masked(), result=None).scores is None
