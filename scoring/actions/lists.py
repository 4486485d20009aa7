"""A list of past results before anything of it counts: what it says, and who is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from clubs.models import Club, Player
from scoring import imports
from scoring.imports import Line, Reading, Role
from scoring.models import ResultsImport
from tournaments.games import facts_of
from tournaments.models import Entry, Event
from tournaments.namesakes import Namesakes

NEW, SKIP = "new", "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A name of the list and who is meant: a player of the club, somebody new, or nobody."""

    line: Line
    name: str
    player: Player | None
    near: Sequence[Player]
    choice: str

    @property
    def words(self) -> str:
        """The name as choices are kept by it."""
        return imports.words_of(self.name)

    @property
    def is_open(self) -> bool:
        """Has somebody still to say who is meant?"""
        return not self.choice

    @property
    def is_new(self) -> bool:
        return self.choice == NEW

    @property
    def is_skipped(self) -> bool:
        return self.choice == SKIP


def reading_of(sent: ResultsImport) -> Reading:
    """Read the list as its columns are named."""
    return imports.read_lines(
        rows_of(sent),
        [Role(role) for role in sent.roles],
        head=sent.head,
        plays_games=facts_of(sent.game).plays_games,
        side_size=_side_size(sent),
    )


def rows_of(sent: ResultsImport) -> list[tuple[str, ...]]:
    return [tuple(row) for row in sent.rows]


def _side_size(sent: ResultsImport) -> int:
    """Give how many play together; players alone where the game knows no such entrants."""
    return facts_of(sent.game).entrants.get(sent.entrants, 1)


def people_of(sent: ResultsImport, lines: Sequence[Line]) -> list[Person]:
    """Say for each name who is meant: one that is known, one nearly known, or a new one."""
    known = _Known(sent.club)
    return [_person(sent, line, name, known) for line in lines for name in line.names]


class _Known:
    """The players of a club, by all that a list may mean them by."""

    def __init__(self, club: Club) -> None:
        players = list(club.players.by_name())
        keys = {player.pk: player for player in players}
        # A name that was put together with another one stands for who has its results.
        self.by_key = {
            player.pk: keys.get(player.put_together_with_id or player.pk, player)
            for player in players
        }
        self.by_words = {imports.words_of(each.name): self.by_key[each.pk] for each in players}
        self.namesakes = Namesakes(each for each in players if self.by_key[each.pk] is each)


def by_line(people: Sequence[Person]) -> list[list[Person]]:
    """Give those of one line together."""
    return [list(side) for _row, side in groupby(people, key=lambda person: person.line.row)]


def is_left_out(side: Sequence[Person]) -> bool:
    """Does the line make no entry, because one of its names was left out?"""
    return any(person.is_skipped for person in side)


def opens_season(sent: ResultsImport) -> bool:
    """Has the club no season with the day of the list, so that importing it opens one?"""
    return sent.club.seasons.current(sent.held_on) is None


def twin_of(sent: ResultsImport, lines: Sequence[Line]) -> Event | None:
    """Find a closed evening of the same day with the same points: the list is in already."""
    if not lines:
        return None
    closed = Event.objects.of_club(sent.club).closed().filter(starts_at__date=sent.held_on)
    points: dict[int, list[int]] = {}
    played = Entry.objects.filter(event__in=closed).order_by().values_list("event", "points")
    for event, total in played:
        points.setdefault(event, []).append(total)
    told = sorted(line.total for line in lines)
    twins = [event for event, totals in points.items() if sorted(totals) == told]
    return Event.objects.filter(pk__in=twins).order_by("pk").first() if twins else None


def _person(sent: ResultsImport, line: Line, name: str, known: _Known) -> Person:
    words = imports.words_of(name)
    said = sent.people.get(words)
    same = known.by_words.get(words)
    near = [same] if same is not None else known.namesakes.of(name)
    told = partial(Person, line=line, name=name, near=near)
    if isinstance(said, int) and said in known.by_key:
        return told(player=known.by_key[said], choice=str(said))
    # A name that the club has already is no new one.
    if said == SKIP or (said == NEW and same is None):
        return told(player=None, choice=said)
    if same is not None:
        return told(player=same, choice=str(same.pk))
    return told(player=None, choice="" if near else NEW)
