"""What placements other than the draw have to say: the sentences by their codes."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.seating.errors import gettext_noop


def ngettext_lazy(one: str, many: str) -> tuple[str, str]:
    """Give both forms back; named so that whoever collects strings to translate finds them."""
    return one, many


def _whole(sentence: str) -> tuple[str, str]:
    return sentence, ""


PLACING_SENTENCES: Mapping[str, tuple[str, str]] = {
    # the federation's movement
    "movement_lasts": _whole(
        gettext_noop(
            "With %(tables)s tables the movement lasts %(lasts)s positions before anybody "
            "meets anybody again."
        )
    ),
    "movement_exceeded": _whole(
        gettext_noop(
            "With %(tables)s tables the movement lasts %(lasts)s positions: at position "
            "%(position)s players meet again."
        )
    ),
    "movement_repaired": _whole(
        gettext_noop(
            "With %(tables)s tables the movement of the manual would let players meet again at "
            "position %(position)s; it is repaired there."
        )
    ),
    "norths_left_out": ngettext_lazy(
        "%(count)s table plays by 3, without a North: %(numbers)s.",
        "%(count)s tables play by 3, without a North: %(numbers)s.",
    ),
    "threes_once": _whole(gettext_noop("Nobody plays at a table of 3 twice.")),
    "threes_again": ngettext_lazy(
        "With so many tables %(count)s time somebody plays at a table of 3 again.",
        "With so many tables %(count)s times somebody plays at a table of 3 again.",
    ),
    "empty_places": ngettext_lazy(
        "%(count)s place is empty; its table plays by 3.",
        "%(count)s places are empty; their tables play by 3.",
    ),
    "table_too_small": _whole(gettext_noop("Table %(table)s has too few players: %(players)s.")),
    "latecomer_seated": _whole(
        gettext_noop("A latecomer takes the empty place at table %(table)s: %(players)s.")
    ),
    "first_position_left_out": _whole(
        gettext_noop("Team-mates start at the second position, so that they never meet.")
    ),
    "moves_to_empty_place": ngettext_lazy(
        "%(count)s player changes to an empty place: %(players)s.",
        "%(count)s players change to empty places: %(players)s.",
    ),
    # who may not meet
    "prohibited_apart_all_positions": ngettext_lazy(
        "%(count)s pair that may not meet is kept apart in all positions.",
        "%(count)s pairs that may not meet are kept apart in all positions.",
    ),
    "prohibited_together": ngettext_lazy(
        "%(count)s pair that may not meet could not be kept apart: %(pairs)s.",
        "%(count)s pairs that may not meet could not be kept apart: %(pairs)s.",
    ),
    "pairs_let_meet": ngettext_lazy(
        "For this position the director lets %(count)s pair meet that should not: %(pairs)s.",
        "For this position the director lets %(count)s pairs meet that should not: %(pairs)s.",
    ),
    "mates_together": ngettext_lazy(
        "%(count)s pair of team-mates could not be kept apart: %(pairs)s.",
        "%(count)s pairs of team-mates could not be kept apart: %(pairs)s.",
    ),
    # fixed tables
    "keeps_table": ngettext_lazy(
        "%(count)s player keeps the same table: %(players)s.",
        "%(count)s players keep the same table: %(players)s.",
    ),
    "tables_renumbered": _whole(
        gettext_noop(
            "Tables have changed their numbers so that whoever keeps a table can stay seated."
        )
    ),
    "cannot_keep_table": ngettext_lazy(
        "%(count)s player could not keep the same table this time: %(players)s.",
        "%(count)s players could not keep the same table this time: %(players)s.",
    ),
    # Howell
    "howell_meetings": _whole(
        gettext_noop("In %(positions)s positions everybody meets everybody exactly once.")
    ),
    "howell_spread": _whole(
        gettext_noop(
            "In %(positions)s positions every two players meet between %(fewest)s and "
            "%(most)s times."
        )
    ),
    # best with best, finals
    "by_ranking": _whole(
        gettext_noop("The best play with the best: the ranking is filled into the tables in order.")
    ),
    "equal_by_number": ngettext_lazy(
        "%(count)s player with points equal to another's is placed by number: %(players)s.",
        "%(count)s players with equal points are placed by number: %(players)s.",
    ),
    "equal_in_groups": ngettext_lazy(
        "%(count)s player in %(groups)s groups of equal points is placed by number: %(players)s.",
        "%(count)s players in %(groups)s groups of equal points are placed by number in their "
        "group: %(players)s.",
    ),
    "exchanged": ngettext_lazy(
        "%(count)s exchange of two players keeps apart those who may not meet: %(pairs)s.",
        "%(count)s exchanges of two players keep apart those who may not meet: %(pairs)s.",
    ),
    "elsewhere_than_ranked": ngettext_lazy(
        "%(count)s player sits at another table than the ranking gives, because of those who may "
        "not meet: %(players)s.",
        "%(count)s players sit at another table than the ranking gives, because of those who may "
        "not meet: %(players)s.",
    ),
    "final_seeds": _whole(
        gettext_noop(
            "The finalists are seeded: the first %(tables)s are North, then South, East and West."
        )
    ),
    "equal_at_the_cut": ngettext_lazy(
        "%(count)s player has the same points at the last place of the final: %(players)s.",
        "%(count)s players have the same points at the last place of the final: %(players)s.",
    ),
    "cut_by_extra_deal": ngettext_lazy(
        "%(count)s of them goes on after an extra deal: %(players)s.",
        "%(count)s of them go on after an extra deal: %(players)s.",
    ),
    "cut_by_lot": ngettext_lazy(
        "%(count)s of them goes on by lot (seed %(seed)s): %(players)s.",
        "%(count)s of them go on by lot (seed %(seed)s): %(players)s.",
    ),
    # what will not work, before the start
    "too_few_entries": _whole(
        gettext_noop("At least 3 players are needed; there are %(entries)s.")
    ),
    "movement_needs_five_tables": _whole(
        gettext_noop(
            "The federation's movement needs 17 players; in stage %(stage)s there are %(entries)s."
        )
    ),
    "movement_too_short": _whole(
        gettext_noop(
            "Stage %(stage)s plans %(planned)s positions of the movement; with %(tables)s tables "
            "it lasts %(lasts)s."
        )
    ),
    "movement_resumed": _whole(
        gettext_noop(
            "Round %(round)s of stage %(stage)s goes back to the movement: it cannot be resumed "
            "after another placement."
        )
    ),
    "movement_without_fives": _whole(
        gettext_noop("The movement of stage %(stage)s plays what is left over at tables of 3 only.")
    ),
    "howell_wrong_number": _whole(
        gettext_noop(
            "The Howell grids are for 12 or 16 players; in stage %(stage)s there are %(entries)s."
        )
    ),
    "howell_too_short": _whole(
        gettext_noop(
            "Stage %(stage)s plans %(planned)s Howell positions; with %(entries)s players there "
            "are %(lasts)s."
        )
    ),
    "teams_forbid_placement": _whole(
        gettext_noop(
            "Teams play the federation's movement only: it keeps team-mates apart (stage "
            "%(stage)s)."
        )
    ),
    "teams_incomplete": _whole(
        gettext_noop("%(entries)s players do not make whole teams of %(size)s.")
    ),
    "final_only_first": _whole(
        gettext_noop("Seeding a final is for its first round (stage %(stage)s).")
    ),
    "final_wrong_number": _whole(
        gettext_noop("A seeded final needs full tables of 4; in stage %(stage)s %(entries)s play.")
    ),
    "fewer_than_the_best": _whole(
        gettext_noop("Stage %(stage)s is for the best %(best)s; there are %(entries)s.")
    ),
    "unusual_final": _whole(
        gettext_noop(
            "The federation knows finals of 12, 16 or 20; stage %(stage)s is for %(best)s."
        )
    ),
    "tables_of_five_not_homologable": _whole(
        gettext_noop("A tournament with tables of 5 cannot be homologated.")
    ),
    "sitting_out_not_homologable": _whole(
        gettext_noop("The federation knows no sitting out in free deals, only tables of 3.")
    ),
    "meetings_unavoidable": _whole(
        gettext_noop(
            "In stage %(stage)s some players must meet twice: %(rounds)s rounds are more than "
            "%(entries)s players allow."
        )
    ),
    "threes_unavoidable": ngettext_lazy(
        "In stage %(stage)s %(count)s time somebody plays at a table of 3 again: the number of "
        "tables allows no better.",
        "In stage %(stage)s %(count)s times somebody plays at a table of 3 again: the number of "
        "tables allows no better.",
    ),
}
