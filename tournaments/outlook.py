"""What a tournament has before it: how long its movement lasts, and what does not fit, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import placing
from tournaments.models import Entry, Event, Placement, Round, Stage
from tournaments.reasons import explained, split_in_words
from tournaments.seating import Leftovers, SeatingError, split_for
from tournaments.stages import GOES_ON, Run, runs_of
from tournaments.teams import TEAM_SIZES, team_problem, team_sizes, teams_follow

TABLE = 4
FEWEST_PLAYERS = 3
FIVES = frozenset({Event.Leftovers.FIVES, Event.Leftovers.FIVE_OF_FOUR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """A stage as it would be played by so many: what holds, and what does not fit."""

    stage: Stage
    players: int
    sentences: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return not self.problems

    @property
    def placement_words(self) -> str:
        """How the stage is placed; where positions differ, each of them."""
        runs = runs_of(self.stage)
        if len(runs) == 1:
            return str(runs[0].placement.label)
        return " · ".join(_said_of(run, str(run.placement.label)) for run in runs)


def outlook(event: Event, *, players: int | None = None) -> list[Outlook]:
    """Every stage as so many would play it; for those who are expected unless given."""
    stages = list(event.stages.order_by("number"))
    teams = team_sizes(event)
    rounds = list(event.rounds.published().in_order())
    players = _expected(event, has_started=bool(rounds)) if players is None else players
    found = []
    for stage in stages:
        players = min(players, stage.qualifiers) if stage.qualifiers else players
        played = [one for one in rounds if one.stage_id == stage.pk]
        found.append(_of(event, stage, players, teams, played))
    return found


def _expected(event: Event, *, has_started: bool) -> int:
    """Those who hold a place; once the first round has started, those who are here."""
    if has_started:
        return event.entries.present().count()
    return event.entries.exclude(state__in=("waiting", "withdrawn")).count()


def _of(
    event: Event, stage: Stage, players: int, teams: Counter[str], played: Sequence[Round]
) -> Outlook:
    said: list[str] = []
    wrong: list[str] = []
    if players < FEWEST_PLAYERS:
        wrong.append(_("A round needs at least 3 players."))
    else:
        runs = runs_of(stage)
        for run in runs:
            sentences, problems = (
                (_running(players, played), list[str]())
                if played and run.placement in GOES_ON
                else _of_run(event, stage, run, players, has_teams=bool(teams))
            )
            said += _about(run, sentences, is_whole=len(runs) == 1)
            wrong += _about(run, problems, is_whole=len(runs) == 1)
    _about_teams(teams, wrong)
    return Outlook(stage=stage, players=players, sentences=tuple(said), problems=tuple(wrong))


def _of_run(
    event: Event, stage: Stage, run: Run, players: int, *, has_teams: bool
) -> tuple[list[str], list[str]]:
    said: list[str] = []
    wrong: list[str] = []
    if run.placement == Placement.FFT:
        _movement(run, players, has_teams, said, wrong)
        if players % TABLE and event.leftovers != Event.Leftovers.THREES:
            said.extend(explained([placing.without_fives(stage.number)]))
    elif run.placement == Placement.HOWELL:
        _grid(run, players, said, wrong)
    elif run.placement == Placement.FINAL:
        _seeded(players, said, wrong)
    else:
        _by_lot(event, players, has_teams, said, wrong)
    return said, wrong


def _running(players: int, played: Sequence[Round]) -> list[str]:
    """What holds for a movement that has begun: it goes on for those it began with.

    Nothing once another way of placing has taken its place: it is not taken up again.
    """
    chart = played[-1].chart
    if chart is None:
        return []
    if "numbers" in chart:
        places = len(chart["numbers"])
        tables, lasts = places // TABLE, placing.positions_of(places)
    else:
        movement = placing.chart_from_json(chart)
        places, tables, lasts = TABLE * movement.tables, movement.tables, movement.lasts
    said = [
        _tables(tables),
        _("Position %(number)s of the %(lasts)s that the movement lasts has begun.")
        % {"number": len(played), "lasts": lasts},
    ]
    free = places - players
    if free > 0:
        said.append(
            ngettext("%(count)s place is free.", "%(count)s places are free.", free)
            % {"count": free}
        )
    if free < 0:
        said.append(
            ngettext(
                "%(count)s more player is here than the movement has places.",
                "%(count)s more players are here than the movement has places.",
                -free,
            )
            % {"count": -free}
        )
    return said


def _about(run: Run, sentences: list[str], *, is_whole: bool) -> list[str]:
    """The sentences; of a part of the stage as one, with its positions before it."""
    if is_whole or not sentences:
        return sentences
    return [_said_of(run, " ".join(sentences))]


def _said_of(run: Run, words: str) -> str:
    return _("%(positions)s: %(words)s") % {"positions": _positions_in_words(run), "words": words}


def _positions_in_words(run: Run) -> str:
    if run.length == 1:
        return _("Position %(number)s") % {"number": run.first}
    return _("Positions %(first)s to %(last)s") % {"first": run.first, "last": run.last}


def _movement(run: Run, players: int, has_teams: bool, said: list[str], wrong: list[str]) -> None:
    try:
        tables = placing.tables_for(players)
    except SeatingError as refusal:
        wrong.append(_(refusal.sentence) % refusal.gaps)
        return
    first, threes = (2 if has_teams else 1), 4 * tables - players
    lasts = placing.positions_it_lasts(tables, first=first)
    said.append(_tables(tables))
    said.append(
        _("The movement lasts %(lasts)s positions before anybody meets anybody again.")
        % {"lasts": lasts}
    )
    if run.length > lasts and has_teams:
        wrong.append(_("%(rounds)s positions are planned: plan fewer.") % {"rounds": run.length})
    elif run.length > lasts:
        wrong.append(
            _(
                "%(rounds)s positions are planned, but from position %(next)s on players meet "
                "again. Plan fewer, or place the last ones by the ranking or by lot."
            )
            % {"rounds": run.length, "next": lasts + 1}
        )
    if threes:
        said.append(_threes(threes))
        once = placing.positions_it_lasts(tables, threes, threes_once=True, first=first)
        if once < min(run.length, lasts):
            said.append(
                _("From position %(next)s on somebody plays at a table of 3 again.")
                % {"next": once + 1}
            )


def _tables(count: int) -> str:
    return ngettext("%(count)s table.", "%(count)s tables.", count) % {"count": count}


def _threes(count: int) -> str:
    return ngettext(
        "%(count)s table plays by 3, without a North.",
        "%(count)s tables play by 3, without a North.",
        count,
    ) % {"count": count}


def _grid(run: Run, players: int, said: list[str], wrong: list[str]) -> None:
    try:
        positions = placing.positions_of(players)
    except SeatingError as refusal:
        wrong.append(_(refusal.sentence) % refusal.gaps)
        return
    said.append(
        _("The grid for %(players)s players has %(positions)s positions.")
        % {"players": players, "positions": positions}
    )
    if run.length > positions:
        wrong.append(_("%(rounds)s positions are planned: plan fewer.") % {"rounds": run.length})


def _seeded(players: int, said: list[str], wrong: list[str]) -> None:
    if players % TABLE:
        wrong.append(
            _("A seeded final needs full tables of 4: %(players)s is no multiple of 4.")
            % {"players": players}
        )
        return
    said.append(_tables(players // TABLE))
    said.append(_("The first of the ranking are North, then South, East and West."))


def _by_lot(event: Event, players: int, has_teams: bool, said: list[str], wrong: list[str]) -> None:
    choice = split_for(players, Leftovers(event.leftovers))
    said.append(split_in_words(choice.split))
    if event.leftovers in FIVES and any(size > TABLE for size in choice.split.sizes):
        said.append(_("With tables of 5 the federation does not recognise the tournament."))
    if has_teams:
        wrong.append(teams_follow(players))


def _about_teams(teams: Counter[str], wrong: list[str]) -> None:
    wrong += [team_problem(team, size) for team, size in sorted(teams.items()) if _is_odd(size)]
    if {*TEAM_SIZES} <= set(teams.values()):
        wrong.append(_("Some teams have two players and others four."))


def _is_odd(size: int) -> bool:
    return size not in TEAM_SIZES


def team_of_wrong_size(entry: Entry) -> str:
    """Say that the team of the entry has one too many or too few; nothing while it is fine.

    Alone in his team somebody waits for the second.
    """
    if entry.team is None:
        return ""
    size = team_sizes(entry.event)[entry.team.name]
    return team_problem(entry.team.name, size) if size > 1 and _is_odd(size) else ""
