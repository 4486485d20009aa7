"""The draw of a round: proposed, looked at, mended, dropped or published."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments import history, seating
from tournaments.actions.journal import write_line
from tournaments.actions.sides import SidesDraw, draw_sides, in_sides
from tournaments.models import EntryPlayer, Event, JournalLine, Round, Seat, SitOut, Table
from tournaments.rules import (
    Conflict,
    refuse_another_roster,
    refuse_closed,
    refuse_fixtures_at,
    refuse_while_playing,
)

#: Short enough to be read out and typed again.
SEEDS = 1_000_000
#: How many rounds a club plays in an evening when nobody has said.
USUAL_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Everything that a draw depends on; the same again gives the same tables."""

    roster: tuple[int, ...]
    roster_version: int
    tonight: tuple[seating.PastRound, ...]
    earlier: tuple[seating.PastRound, ...]
    policy: seating.Leftovers
    rounds_left: int
    seed: int


def draw_round(
    *,
    event: Event,
    by: User | None,
    leftovers: str | None = None,
    seed: int | None = None,
    instead: int | None = None,
) -> Round:
    """Propose tables for those present; takes the place of an earlier proposal.

    ``instead`` is the key of the proposal that the page showed, 0 for none: one page draws once.
    Refuses while a round is being played, a closed evening and fewer than 3 players; then an
    earlier proposal stays. The draw itself happens before the transaction: it may take a second,
    and nobody at a table should wait for it.
    """
    event = Event.objects.select_related("season__club").get(pk=event.pk)
    refuse_closed(event)
    refuse_while_playing(event)
    asked = _what_is_asked(event, leftovers or event.leftovers, seed)
    drawn = draw_sides(event, seed=asked.seed) if in_sides(event) else _draw(asked)
    return _keep_proposal(
        event=event, asked=asked, draw=drawn, by=by, typed_seed=seed, instead=instead
    )


def _what_is_asked(event: Event, leftovers: str, seed: int | None) -> Asked:
    tonight = history.rounds_of_tonight(event)
    planned = event.rounds_planned or USUAL_ROUNDS
    return Asked(
        roster=tuple(
            EntryPlayer.objects.filter(event=event, entry__state="present")
            .order_by("player")
            .values_list("player_id", flat=True)
        ),
        roster_version=event.roster_version,
        tonight=tonight,
        earlier=history.rounds_of_earlier_evenings(event),
        policy=seating.Leftovers.SIT_OUT if in_sides(event) else seating.Leftovers(leftovers),
        rounds_left=max(1, planned - len(tonight)),
        seed=secrets.randbelow(SEEDS) if seed is None else seed,
    )


def _draw(asked: Asked) -> seating.Draw:
    try:
        return seating.draw_round(
            asked.roster,
            asked.tonight,
            seed=asked.seed,
            policy=asked.policy,
            earlier=asked.earlier,
            rounds_left=asked.rounds_left,
        )
    except seating.SeatingError as refusal:
        raise ValidationError(
            _(refusal.sentence), code=refusal.code, params=dict(refusal.gaps)
        ) from refusal


@transaction.atomic
def _keep_proposal(
    *,
    event: Event,
    asked: Asked,
    draw: seating.Draw | SidesDraw,
    by: User | None,
    typed_seed: int | None = None,
    instead: int | None = None,
) -> Round:
    event = Event.objects.locked().get(pk=event.pk)
    refuse_closed(event)
    refuse_while_playing(event)
    refuse_changed_meanwhile(event, roster_version=asked.roster_version, rounds=len(asked.tonight))
    wanted = {"leftovers": asked.policy.value, "seed": typed_seed}
    standing = standing_answer(event, instead=instead, wanted=wanted)
    if standing is not None:
        return standing
    event.rounds.proposed().delete()
    last = event.rounds.aggregate(last=Max("number"))["last"] or 0
    proposal = Round(
        event=event,
        number=last + 1,
        seed=asked.seed,
        leftovers=draw.policy.value,
        roster_version=event.roster_version,
        reasons=[reason.as_data() for reason in draw.reasons],
    )
    proposal.full_clean()
    proposal.save()
    _lay_tables(proposal, draw)
    write_line(
        event,
        JournalLine.Kind.DRAWN,
        by,
        round=proposal.number,
        seed=asked.seed,
        leftovers=asked.policy.value,
        players=list(asked.roster),
        rounds_left=asked.rounds_left,
    )
    return proposal


def standing_answer(
    event: Event, *, instead: int | None, wanted: dict[str, str | int | None]
) -> Round | None:
    """Give the proposal that an equal press of the same page has made, if there was one.

    ``instead`` is the key of the proposal that the page showed, 0 for none; None asks nothing.
    What is None in ``wanted`` was left open. Refuses a page after which another draw was made.
    """
    standing = event.rounds.proposed().first()
    if instead is None or instead == (standing.pk if standing else 0):
        return None
    drawn = event.journal.filter(kind=JournalLine.Kind.DRAWN).order_by("-pk").first()
    is_equal = drawn is not None and all(
        value is None or drawn.details.get(name) == value for name, value in wanted.items()
    )
    if standing is None or not is_equal or standing.roster_version != event.roster_version:
        raise Conflict(
            _("Something changed while the tables were being drawn. Draw again."),
            code="changed_meanwhile",
        )
    return standing


def refuse_changed_meanwhile(event: Event, *, roster_version: int, rounds: int) -> None:
    """Pass an event in which nobody came or left, and no round started, since it was read."""
    published = event.rounds.published().count()
    if event.roster_version != roster_version or published != rounds:
        raise Conflict(
            _("Something changed while the tables were being drawn. Draw again."),
            code="changed_meanwhile",
        )


def _lay_tables(proposal: Round, draw: seating.Draw | SidesDraw) -> None:
    entries = dict(
        EntryPlayer.objects.filter(event=proposal.event).values_list("player_id", "entry_id")
    )
    tables = Table.objects.bulk_create(
        Table(
            round=proposal,
            number=number,
            players_per_deal=drawn.per_deal,
            deals_planned=proposal.event.deals_per_round,
            best_of=proposal.event.best_of,
            target=proposal.event.target,
        )
        for number, drawn in enumerate(draw.tables, start=1)
    )
    # Places follow the draw's seats, which it keeps even: the first seat deals first.
    Seat.objects.bulk_create(
        Seat(round=proposal, table=table, place=place, entry_id=entries[player], player_id=player)
        for table, drawn in zip(tables, draw.tables, strict=True)
        for place, player in enumerate(drawn.players, start=1)
    )
    SitOut.objects.bulk_create(
        SitOut(round=proposal, entry_id=entry)
        for entry in dict.fromkeys(entries[player] for player in draw.sit_out)
    )


def _present_state(event: Event, seen: Round) -> Round:
    """The round as it is now; refuses one that another draw has replaced."""
    now = event.rounds.select_related("event").filter(pk=seen.pk).first()
    if now is None:
        raise Conflict(_("This draw is gone: somebody drew again or dropped it."), code="draw_gone")
    return now


def publish_round(*, proposal: Round, by: User | None) -> Round:
    """Start the proposed round; a second press finds it started.

    Refuses a proposal that was replaced, and one from before somebody came or left.
    """
    return start_round(proposal=proposal, by=by)[0]


@transaction.atomic
def start_round(*, proposal: Round, by: User | None) -> tuple[Round, bool]:
    """Start the proposed round as ``publish_round`` does, and say whether this press did it."""
    event = Event.objects.locked().get(pk=proposal.event_id)
    now = _present_state(event, proposal)
    if not now.is_proposal:
        return now, False
    refuse_closed(event)
    refuse_another_roster(event, now)
    at = timezone.now()
    claimed = event.rounds.filter(pk=now.pk, state=Round.State.DRAWN)
    is_started = claimed.update(state=Round.State.PLAYING, published_at=at) == 1
    if is_started:
        now.tables.update(changed_at=at)
        event.state = Event.State.RUNNING
        event.save(update_fields=["state"])
        write_line(event, JournalLine.Kind.PUBLISHED, by, round=now.number, seed=now.seed)
    now.refresh_from_db(fields=["state", "published_at"])
    return now, is_started


@transaction.atomic
def discard_draw(*, proposal: Round, by: User | None) -> None:
    """Drop a proposal; one that is gone already stays gone. Refuses a round that has started."""
    event = Event.objects.locked().get(pk=proposal.event_id)
    now = event.rounds.filter(pk=proposal.pk).first()
    if now is None:
        return
    if not now.is_proposal:
        raise Conflict(
            _("Round %(number)s has started meanwhile."),
            code="already_published",
            params={"number": now.number},
        )
    now.delete()
    write_line(event, JournalLine.Kind.DISCARDED, by, round=now.number, seed=now.seed)


@transaction.atomic
def withdraw_round(*, this_round: Round, by: User | None) -> Round:
    """Make a started round a proposal again; refuses once a sheet has been written on.

    The tables are laid anew: a page opened on the old ones can no longer write anywhere.
    """
    event = Event.objects.locked().get(pk=this_round.event_id)
    now = _present_state(event, this_round)
    if now.is_proposal:
        return now
    if now.state == Round.State.CLOSED:
        raise Conflict(
            _("Round %(number)s is already closed."),
            code="round_closed",
            params={"number": now.number},
        )
    refuse_fixtures_at(now)
    # What was ruled stays in the ledger, also when another draw takes the place of this round.
    now.rulings.update(round=None, table=None, deal_number=None)
    _lay_again(now)
    event.rounds.filter(pk=now.pk).update(
        state=Round.State.DRAWN,
        published_at=None,
        clock_started_at=None,
        clock_paused_at=None,
        seconds_paused=0,
        time_called_at=None,
    )
    if not event.rounds.published().exists():
        event.state = Event.State.CHECK_IN
        event.save(update_fields=["state"])
    write_line(event, JournalLine.Kind.WITHDRAWN, by, round=now.number)
    now.refresh_from_db(fields=["state", "published_at"])
    return now


def _lay_again(this_round: Round) -> None:
    tables = list(this_round.tables.locked().prefetch_related("seats"))
    written = [table for table in tables if table.version or table.deals_recorded]
    if written:
        raise _has_deals(written[0])
    laid = [(table, list(table.seats.all())) for table in tables]
    this_round.tables.all().delete()
    for table, seats in laid:
        new = Table.objects.create(
            round=this_round,
            number=table.number,
            players_per_deal=table.players_per_deal,
            deals_planned=table.deals_planned,
            best_of=table.best_of,
            target=table.target,
        )
        Seat.objects.bulk_create(
            Seat(
                round=this_round,
                table=new,
                place=seat.place,
                entry_id=seat.entry_id,
                player_id=seat.player_id,
            )
            for seat in seats
        )


def _has_deals(table: Table) -> Conflict:
    return Conflict(
        _("Table %(number)s has already written on its sheet: the round can no longer be undone."),
        code="sheet_written",
        params={"number": table.number},
    )


@transaction.atomic
def swap_players(*, proposal: Round, one: int, other: int, by: User | None) -> Round:
    """Let two players of a proposal change places, or one with somebody who sits out.

    ``one`` and ``other`` are keys of players. Refuses a round that has started, people who are
    not in it, and two who both sit out.
    """
    event = Event.objects.locked().get(pk=proposal.event_id)
    now = _present_state(event, proposal)
    if not now.is_proposal:
        raise Conflict(
            _("Round %(number)s has started meanwhile."),
            code="already_published",
            params={"number": now.number},
        )
    seats = list(now.seats.filter(player__in=(one, other)))
    waiting = list(now.sit_outs.filter(entry__entry_players__player__in=(one, other)))
    if one == other or not seats or len(seats) + len(waiting) != 2:  # noqa: PLR2004 - a swap takes two
        raise ValidationError(_("Choose two players of this round."), code="not_two_players")
    if waiting:
        _let_sit(seats[0], waiting[0])
    else:
        _exchange(*seats)
    now.reasons = [*now.reasons, {"code": "swapped", "gaps": {"players": [one, other]}}]
    now.save(update_fields=["reasons"])
    write_line(event, JournalLine.Kind.SWAPPED, by, round=now.number, players=[one, other])
    return now


def _exchange(one: Seat, other: Seat) -> None:
    # A place holds one player at any moment: the first steps aside to place 0.
    (table, place), there = (one.table_id, one.place), (other.table_id, other.place)
    Seat.objects.filter(pk=one.pk).update(place=0)
    Seat.objects.filter(pk=other.pk).update(table=table, place=place)
    Seat.objects.filter(pk=one.pk).update(table=there[0], place=there[1])


def _let_sit(seat: Seat, waiting: SitOut) -> None:
    comes, goes = waiting.entry_id, seat.entry_id
    SitOut.objects.filter(pk=waiting.pk).update(entry=goes)
    Seat.objects.filter(pk=seat.pk).update(
        entry=comes, player=EntryPlayer.objects.get(entry=comes).player_id
    )
