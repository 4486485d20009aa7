"""Who may be meant by a name is found among thousands as among a few."""

from __future__ import annotations

from cProfile import Profile
from difflib import SequenceMatcher
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Player
from clubs.names import fold_name
from tournaments.namesakes import ALIKE, Namesakes

NAMES = st.text(alphabet="anoelij ", min_size=1, max_size=14).map(fold_name).filter(bool)


FIRST = ("Ba", "De", "Fi", "Go", "Hu", "Ja", "Ke", "Li", "Mo", "Nu")
WORDS = [a + b for a, b in product(("ra", "vi", "to", "lu", "se", "ni", "co", "da"), "bdlmt")]


def players(*names: str) -> list[Player]:
    return [Player(name=name, sort_name=fold_name(name)) for name in names]


@given(name=NAMES, others=st.lists(NAMES, max_size=12), data=st.data())
def test_no_name_with_one_letter_off_is_passed_over(name: str, others: list[str], data):
    """Left out, put in, another one, or two that changed places; a space is one as well."""
    place = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from("anoelij"))
    rest = name[place + 1 :]
    typed = data.draw(
        st.sampled_from([
            name[:place] + rest, name[:place] + letter + rest, name[:place] + letter + name[place:],
            name[:place] + rest[:1] + name[place] + rest[1:],
        ]).map(fold_name).filter(bool)
    )  # fmt: skip

    almost = SequenceMatcher(None, name, typed).ratio() >= ALIKE
    near = Namesakes(players(*{name, *others})).near(typed)

    assert not almost or len(name.split()) != len(typed.split()) or name in near


def test_two_words_written_as_one_and_one_as_two_are_near():
    club = Namesakes(players("Anne Marie Duval", "Zoé Lebihan"))

    assert [player.name for player in club.of("Annemarie Duval")] == ["Anne Marie Duval"]
    assert [player.name for player in club.of("Zoé Le Bihan")] == ["Zoé Lebihan"]


def test_twice_as_many_names_among_twice_as_many_cost_no_more_than_twice_the_steps():
    def steps(count: int) -> int:
        """Count the calls for half of so many unlike names, looked up among the others."""
        names = [f"{FIRST[n % 10]}{WORDS[n // 10 % 40]} {WORDS[n % 37]}{WORDS[n // 7 % 39]}ec"
                 for n in range(count)]  # fmt: skip
        club = Namesakes(players(*names[::2]))
        fold_name.cache_clear()  # what is remembered of the other count costs no steps
        profile = Profile()
        profile.runcall(lambda: [club.of(name) for name in names[1::2]])
        return sum(entry.callcount for entry in profile.getstats())

    assert steps(2400) < 2.5 * steps(1200)


def test_those_who_may_be_meant_come_in_the_order_of_the_club():
    club = Namesakes(players("Zoé Martin", "Anne Marie Duval", "Zoe Martine", "Luc Duval"))

    assert [player.name for player in club.of("Zoé Martim")] == ["Zoé Martin", "Zoe Martine"]
    assert [player.name for player in club.of("Duval")] == ["Anne Marie Duval", "Luc Duval"]
    assert club.of("Odile") == []
