"""The next round of a tournament, placed as its stage says."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import User
from tournaments import history, placing, seating
from tournaments.actions.draws import SEEDS, refuse_changed_meanwhile, standing_answer
from tournaments.actions.journal import write_line
from tournaments.actions.ways import PLACEMENTS, Asked, Placed, as_data, in_order
from tournaments.cuts import Tie, decision_on, tie_at
from tournaments.models import (
    Entry,
    Event,
    JournalLine,
    Placement,
    Round,
    Seat,
    SitOut,
    Stage,
    Table,
)
from tournaments.placing import Place
from tournaments.reasons import listed, names_of
from tournaments.rules import Conflict, refuse_closed, refuse_while_playing
from tournaments.seating import Reason
from tournaments.seating.reasons import Gap
from tournaments.stages import (
    GOES_ON,
    earlier_rounds,
    next_stage,
    pairs_of,
    players_by_entry,
    present_entries,
    ranking_of,
    teams_of,
)
from tournaments.teams import TEAM_SIZES, team_problem, team_sizes, teams_follow

MOST_DEALS = 50
#: No table plays a deal in less: so many fit into a timed round at the most.
SHORTEST_DEAL = 2
FEWEST_PLAYERS = 3
SEATS = tuple(placing.Seat)


def place_round(
    *,
    event: Event,
    by: User | None,
    placement: str | None = None,
    leftovers: str | None = None,
    seed: int | None = None,
    beyond_limit: bool = False,
    without_pairs: bool = False,
    instead: int | None = None,
) -> Round:
    """Propose the tables of the next round of a tournament, in the place of an earlier proposal.

    ``placement`` is for this round alone, and so is ``without_pairs``, which lets those meet who
    may not; ``instead`` is the key of the proposal that the page showed, 0 for none: one page
    draws once. Refuses while a round is played, when all rounds have
    been, a movement beyond what it lasts unless told so, and what a placement cannot do; then an
    earlier proposal stays.
    """
    event = Event.objects.select_related("season__club").get(pk=event.pk)
    refuse_closed(event)
    refuse_while_playing(event)
    asked = _what_is_asked(event, placement, leftovers, seed, beyond_limit=beyond_limit)
    asked = _letting_meet(asked) if without_pairs else asked
    _refuse_out_of_turn(asked)
    if not asked.tonight:
        _refuse_odd_teams(event)
    if asked.goes_by_ranking:
        refuse_uncounted(event)
    asked, placed = _place(asked)
    return _keep(event=event, asked=asked, placed=placed, by=by, typed_seed=seed, instead=instead)


def _what_is_asked(
    event: Event,
    placement: str | None,
    leftovers: str | None,
    seed: int | None,
    *,
    beyond_limit: bool,
) -> Asked:
    stage = next_stage(event)
    if stage is None:
        raise ValidationError(
            _("All the rounds of the tournament have been played. Add a round to its last stage."),
            code="all_played",
        )
    before = earlier_rounds(stage)
    entries = list(present_entries(stage).order_by("number"))
    players = players_by_entry(event)
    return Asked(
        stage=stage,
        placement=placement or stage.placement_at(len(before) + 1),
        number=len(before) + 1,
        seed=secrets.randbelow(SEEDS) if seed is None else seed,
        roster=tuple(sorted(players[entry.pk] for entry in entries)),
        roster_version=event.roster_version,
        tonight=history.rounds_of_tonight(event),
        before=tuple(before),
        policy=seating.Leftovers(leftovers or event.leftovers),
        ranking=tuple(ranking_of(present_entries(stage))),
        chosen={
            players[e.pk]: Place(e.start_table, placing.Seat(e.start_line))
            for e in entries
            if e.start_table and e.start_line
        },
        fixed={players[e.pk]: e.fixed_table for e in entries if e.fixed_table},
        teams=tuple(teams_of(event, players)),
        prohibited=tuple(pairs_of(event, players)),
        replaced={
            players[gone]: players[came]
            for came, gone in event.entries.exclude(replaces=None).values_list("pk", "replaces_id")
        },
        beyond_limit=beyond_limit,
    )


def _letting_meet(asked: Asked) -> Asked:
    """The same with nobody kept apart but team-mates; the round says whom that is about."""
    here = set(asked.roster)
    pairs = tuple(pair for pair in asked.prohibited if here.issuperset(pair))
    said = Reason(code="pairs_let_meet", gaps={"count": len(pairs), "pairs": pairs})
    return replace(asked, prohibited=(), said=as_data((said,)) if pairs else ())


def _refuse_out_of_turn(asked: Asked) -> None:
    if len(asked.roster) < FEWEST_PLAYERS:
        raise ValidationError(
            _("A round needs at least 3 players; %(players)s are present."),
            code="too_few_players",
            params={"players": len(asked.roster)},
        )
    goes_on = asked.placement in GOES_ON
    kinds = {one.placement for one in asked.before}
    if goes_on and asked.before and kinds != {asked.placement}:
        raise ValidationError(
            _(
                "A movement is not taken up again after a position that was placed in another "
                "way: place this one by lot or by the ranking."
            ),
            code="movement_interrupted",
        )
    if asked.teams and asked.placement in (Placement.DRAWN, Placement.BEST_WITH_BEST):
        raise ValidationError(teams_follow(len(asked.roster)), code="teams_by_lot")


def _refuse_odd_teams(event: Event) -> None:
    odd = sorted((t, n) for t, n in team_sizes(event).items() if n not in TEAM_SIZES)
    if odd:
        raise ValidationError([team_problem(team, size) for team, size in odd], code="team_size")


def refuse_uncounted(event: Event) -> None:
    """Pass a ranking that holds every deal and every ruling; a worker counts a moment later."""
    sheets = event.rounds.published().values("seats__entry").annotate(points=Sum("seats__points"))
    on_sheets = {each["seats__entry"]: each["points"] for each in sheets}
    ledger = event.rulings.filter(withdrawn_at=None).values("entry").annotate(points=Sum("points"))
    ruled = {each["entry"]: each["points"] for each in ledger}
    for entry in event.entries.exclude(seats=None).distinct():
        # Whoever has not played yet has no line, and no ruling in it.
        is_ruled = not entry.deals_played or -entry.ruled_points == ruled.get(entry.pk, 0)
        if not is_ruled or entry.sheet_points != on_sheets.get(entry.pk, 0):
            raise Conflict(
                _("The last sheets are still being counted. Draw again in a moment."),
                code="not_counted",
            )


def _place(asked: Asked) -> tuple[Asked, Placed]:
    """The placing, and what it was asked for once the cut is made."""
    try:
        if asked.is_first and asked.stage.qualifiers:
            asked = _after_the_cut(asked)
        return asked, PLACEMENTS[asked.placement](asked)
    except seating.SeatingError as refusal:
        raise ValidationError(
            _(refusal.sentence), code=refusal.code, params=dict(refusal.gaps)
        ) from refusal


def _after_the_cut(asked: Asked) -> Asked:
    """The same for those who qualify alone, the best first."""
    tie = tie_at(asked.stage)
    decided = decision_on(tie) if tie is not None else None
    if tie is not None and decided is None:
        raise _equal_at_the_cut(tie)
    best = placing.cut(
        asked.ranking, asked.stage.qualifiers or 0, decided=decided["players"] if decided else ()
    )
    through = set(best.finalists)
    return replace(
        asked,
        roster=tuple(sorted(through)),
        ranking=tuple(one for one in asked.ranking if one.player in through),
        chosen={},
        said=(*asked.said, *as_data(best.reasons), *as_data(_decided_at_the_cut(decided))),
    )


def _equal_at_the_cut(tie: Tie) -> ValidationError:
    names = names_of(tie.equal)
    return ValidationError(
        ngettext(
            "%(names)s are equal at the last place of %(stage)s, and %(count)s goes on: let an "
            "extra deal or the lot decide.",
            "%(names)s are equal at the last places of %(stage)s, and %(count)s go on: let an "
            "extra deal or the lot decide.",
            tie.places,
        ),
        code="equal_at_the_cut",
        params={
            "names": listed([names[player] for player in tie.equal]),
            "stage": tie.stage,
            "count": tie.places,
        },
    )


def _decided_at_the_cut(decided: Mapping[str, Any] | None) -> tuple[Reason, ...]:
    if decided is None:
        return ()
    players = tuple(decided["players"])
    gaps: dict[str, Gap] = {"count": len(players), "players": players}
    if decided["seed"] is None:
        return (Reason(code="cut_by_extra_deal", gaps=gaps),)
    return (Reason(code="cut_by_lot", gaps={**gaps, "seed": int(decided["seed"])}),)


# Writing it down


@transaction.atomic
def _keep(
    *,
    event: Event,
    asked: Asked,
    placed: Placed,
    by: User | None,
    typed_seed: int | None = None,
    instead: int | None = None,
) -> Round:
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    refuse_while_playing(event)
    refuse_changed_meanwhile(event, roster_version=asked.roster_version, rounds=len(asked.tonight))
    stage = event.stages.filter(pk=asked.stage.pk).first()
    if stage is None or stage.rounds_planned < asked.number:
        raise Conflict(
            _("Something changed while the tables were being drawn. Draw again."),
            code="changed_meanwhile",
        )
    wanted = {
        "leftovers": asked.policy.value, "placement": asked.placement, "seed": typed_seed,
    }  # fmt: skip
    standing = standing_answer(event, instead=instead, wanted=wanted)
    if standing is not None:
        return standing
    event.rounds.proposed().delete()
    proposal = _row(event, stage, asked, placed)
    proposal.full_clean()
    proposal.save()
    _lay(proposal, stage, placed)
    if asked.is_first and stage.qualifiers:
        _qualify(event, stage, placed)
    write_line(
        event,
        JournalLine.Kind.DRAWN,
        by,
        round=proposal.number,
        seed=asked.seed,
        placement=asked.placement,
        stage=stage.number,
        leftovers=asked.policy.value,
        players=list(asked.roster),
        apart=[sorted(pair) for pair in asked.prohibited],
        fixed=sorted(asked.fixed.items()),
        ranking=[one.player for one in in_order(asked)],
    )
    return proposal


def _seated(placed: Placed) -> list[int]:
    tables = placed.placing.tables
    return [*(player for table in tables for player in table.players), *placed.placing.sit_out]


def _row(event: Event, stage: Stage, asked: Asked, placed: Placed) -> Round:
    last = event.rounds.aggregate(last=Max("number"))["last"] or 0
    reasons = [*asked.said, *placed.said, *as_data(placed.placing.reasons)]
    if placed.waits:
        gaps = {"count": len(placed.waits), "players": list(placed.waits)}
        reasons.append({"code": "waits_for_a_place", "gaps": gaps})
    return Round(
        event=event,
        stage=stage,
        placement=asked.placement,
        number=last + 1,
        seed=asked.seed,
        leftovers=asked.policy.value,
        roster_version=event.roster_version,
        reasons=_once(reasons),
        chart=placed.chart,
        minutes=stage.minutes_per_round,
    )


def _once(reasons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The movement's promises and the round's findings may be the same sentence."""
    return [reason for at, reason in enumerate(reasons) if reason not in reasons[:at]]


def deals_planned(stage: Stage) -> int:
    """How many deals a sheet of the stage has room for; as many as fit into timed rounds."""
    if stage.deals_per_round is not None:
        return stage.deals_per_round
    return min(MOST_DEALS, max(1, (stage.minutes_per_round or 0) // SHORTEST_DEAL))


def _lay(proposal: Round, stage: Stage, placed: Placed) -> None:
    entries = {player: entry for entry, player in players_by_entry(proposal.event).items()}
    laid = placed.placing.tables
    tables = Table.objects.bulk_create(
        Table(
            round=proposal,
            number=table.number,
            players_per_deal=table.per_deal,
            deals_planned=deals_planned(stage),
        )
        for table in laid
    )
    # A table of 3 keeps the letters of the movement: without its North it has E, S and W.
    Seat.objects.bulk_create(
        Seat(
            round=proposal,
            table=row,
            place=SEATS.index(seat) + 1,
            entry_id=entries[player],
            player_id=player,
        )
        for row, table in zip(tables, laid, strict=True)
        for seat, player in table.by_seat.items()
    )
    SitOut.objects.bulk_create(
        SitOut(round=proposal, entry_id=entries[player])
        for player in (*placed.placing.sit_out, *placed.waits)
    )


def _qualify(event: Event, stage: Stage, placed: Placed) -> None:
    """Write down who has passed the cut; drawn again, the cut is made again."""
    through = _seated(placed)
    event.entries.filter(reached_stage=stage.number).update(reached_stage=stage.number - 1)
    inside = Entry.objects.filter(event=event, entry_players__player__in=through)
    Entry.objects.filter(pk__in=list(inside.values_list("pk", flat=True))).update(
        reached_stage=stage.number
    )
