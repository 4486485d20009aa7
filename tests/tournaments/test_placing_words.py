from __future__ import annotations

import re

import pytest

from tournaments.seating import Reason
from tournaments.seating.placing_reasons import PLACING_SENTENCES

GAP = re.compile(r"%\((\w+)\)s")
#: What gaps hold players; all the others hold a number or a text.
PLAYERS = {"players": (1, 2), "pairs": ((1, 2), (3, 4))}


@pytest.mark.parametrize("code", PLACING_SENTENCES)
def test_every_sentence_of_a_placement_can_be_filled(code):
    gaps = {name: PLAYERS.get(name, 3) for name in GAP.findall("".join(PLACING_SENTENCES[code]))}

    sentence = Reason(code=code, gaps=gaps).in_english("P{}".format)

    assert "%" not in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize("code", [code for code, both in PLACING_SENTENCES.items() if both[1]])
def test_a_sentence_with_a_plural_counts_and_has_the_same_gaps_in_both(code):
    one, many = PLACING_SENTENCES[code]

    assert "count" in GAP.findall(one)
    assert sorted(GAP.findall(one)) == sorted(GAP.findall(many))
