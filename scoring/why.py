"""Why a player has a place: the addends of a line in words and numbers, for pages and the API.

A line is told from what was written down with it, so that it adds up even while it is old; only
rulings and what last changed a sheet are looked up beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.templatetags.cards import grouped, signed
from scoring import freshness
from scoring.models import Ranking, RankingRow, RatingStep, SheetEvent, StaleRanking
from scoring.rankings.lines import FINEST, KEY_WIDTH, KEY_ZERO, MILLIONTHS, shown_rating
from scoring.rankings.methods import Method, Settings, TieBreak
from scoring.rankings.words import EXTRA_NAMES, TIE_BREAK_NAMES
from tournaments import faults
from tournaments.games import facts_of
from tournaments.models import Event, Ruling

EXACT = "exact"
#: Digits behind the comma of which two scores that look equal need more, and never more than these.
SHOWN, MOST_DIGITS = 2, 9
#: Parts of a point in which a line's key holds what is shown in hundredths.
PARTS = {Method.AVERAGE: FINEST, Method.RATING: MILLIONTHS}
#: What is counted in points and may be below zero.
POINTS = frozenset(
    {
        TieBreak.BEST_EVENING, TieBreak.LAST_EVENING, TieBreak.GAMES, TieBreak.POINTS,
        "attendance", EXACT,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Addend:
    """An evening of a line: what it gave, what it adds, and whether it counts."""

    event: Event
    points: int
    deals: int
    meetings: int
    place: int | None
    entries: int
    adds: int
    counts: bool
    #: What the evening gave the rating, where the ranking is one.
    rating: Decimal | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """Evenings that the visitor may not see one by one, together."""

    count: int
    adds: int
    rating: Decimal | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A ruling of an evening that took points, as part of that evening's points."""

    event: Event
    points: int
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A number with what it is called."""

    code: str
    name: str
    value: int | Decimal

    @property
    def is_exact(self) -> bool:
        """Is it what two scores are that look equal when they are rounded?"""
        return self.code == EXACT

    @property
    def shown(self) -> str:
        """The number as people read it: points with their sign, a count without."""
        if self.code in POINTS:
            return signed(self.value)
        return grouped(-self.value if self.value < 0 else self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class LastChange:
    """What changed the line last, and from which score and place."""

    cause: str
    words: str
    at: datetime
    event: Event | None = None
    sheet: SheetEvent | None = None
    ruling: Ruling | None = None
    score_before: Decimal | int | None = None
    place_before: int | None = None

    @property
    def by_what(self) -> str:
        """Say which deal or ruling it was; nothing where no single one is known."""
        if self.sheet is not None:
            line = self.sheet.deal or self.sheet.truco_line
            gaps = {
                "round": self.sheet.table.round.number,
                "table": self.sheet.table.number,
                "line": line.number if line else "–",
                "what": self.sheet.get_kind_display(),
            }
            return _("Round %(round)s, table %(table)s, line %(line)s: %(what)s.") % gaps
        if self.ruling is None:
            return ""
        fault = {"fault": _fault_words(self.ruling.fault)}
        if self.ruling.withdrawn_at:
            return _("The referee withdrew a ruling (%(fault)s).") % fault
        return _("The referee ruled (%(fault)s).") % fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A line of a ranking with all of its addends."""

    row: RankingRow
    score: Decimal | int
    settings: Settings
    addends: Sequence[Addend]
    hidden: Hidden | None
    dropped: int
    extras: Sequence[Named]
    tie_breaks: Sequence[Named]
    penalties: Sequence[Penalty]
    last_change: LastChange
    rules: Sequence[str] = field(default=())

    @property
    def plays_games(self) -> bool:
        """Does an evening have meetings, and no deals?"""
        return facts_of(self.row.ranking.game).plays_games

    @property
    def played(self) -> int:
        """Deals or meetings of the evenings that count, as the points beside them."""
        plays_games = self.plays_games
        counted = [part for part in self.row.history if part["counts"]]
        return sum(_meetings(part) if plays_games else part["deals"] for part in counted)

    @property
    def gives_points(self) -> bool:
        """Does an evening add something else than its points?"""
        return self.row.ranking.method in {Method.PLACES, Method.WINS}

    @property
    def rates(self) -> bool:
        """Does an evening add to a rating, beside its points?"""
        return self.row.ranking.method == Method.RATING

    @property
    def counts_otherwise(self) -> bool:
        """Is what an evening adds a column of its own?"""
        return self.gives_points or self.rates


def explain(row: RankingRow, *, shown: Collection[int] | None) -> Explanation:
    """Tell a line; ``shown`` are the evenings that may be told apart, or all."""
    last = row.last_change.get("event")
    events = Event.objects.in_bulk(
        [*(part["event"] for part in row.history), *([last] * bool(last))]
    )
    told = [
        part
        for part in row.history
        if part["event"] in events and (shown is None or part["event"] in shown)
    ]
    rest = [part for part in row.history if part not in told]
    settings = settings_of(row.ranking)
    steps = _steps(row)
    visible = {key: each for key, each in events.items() if shown is None or key in shown}
    return Explanation(
        row=row,
        score=row.shown_score(row.ranking.decimals),
        settings=settings,
        addends=[_addend(part, events, steps) for part in told],
        hidden=_hidden(rest, steps) if rest else None,
        dropped=row.evenings - row.evenings_counted,
        extras=[_named(each, EXTRA_NAMES) for each in row.extras],
        tie_breaks=[_named(each, TIE_BREAK_NAMES) for each in row.tie_breaks],
        penalties=_penalties(row, {part["event"]: events[part["event"]] for part in told}),
        last_change=_last_change(row, visible),
        rules=rules_of(row.ranking, settings),
    )


def what_parts(row: RankingRow, other: RankingRow) -> tuple[Named, Named] | None:
    """Give what parts two lines with one score, and has each of them; nothing for other scores."""
    if row.score != other.score:
        return None
    if exact := _exact(row, other):
        return exact
    pairs = zip(row.tie_breaks, other.tie_breaks, strict=False)
    differing = ((own, its) for own, its in pairs if own["value"] != its["value"])
    own, its = next(differing, (None, None))
    return (_named(own, TIE_BREAK_NAMES), _named(its, TIE_BREAK_NAMES)) if own and its else None


def _exact(row: RankingRow, other: RankingRow) -> tuple[Named, Named] | None:
    """Give two scores with as many digits as tell them apart; nothing for equal ones."""
    if not (row.rank_key and other.rank_key):
        return None
    own, its = (_exact_score(each, row.ranking) for each in (row, other))
    if own == its:
        return None
    for digits in range(SHOWN + 1, MOST_DIGITS + 1):
        told = [_with_digits(number, digits) for number in (own, its)]
        if told[0] != told[1]:
            break
    name = row.ranking.score_name
    return Named(code=EXACT, name=name, value=told[0]), Named(code=EXACT, name=name, value=told[1])


def _exact_score(row: RankingRow, ranking: Ranking) -> Fraction:
    """Give the number that a placed line goes by, to its last digit, which no page shows."""
    parts = PARTS.get(Method(ranking.method), 1)
    return Fraction(int(row.rank_key[:KEY_WIDTH]) - KEY_ZERO, parts)


def _with_digits(number: Fraction, digits: int) -> Decimal:
    return Decimal(round(number * 10**digits)).scaleb(-digits)


def is_fresh(ranking: Ranking) -> bool:
    """Does nothing wait to be counted?"""
    return freshness.of_season(ranking.season, ranking).is_fresh


def rules_of(ranking: Ranking, settings: Settings) -> list[str]:
    """Say in sentences how a ranking counts."""
    said = [_method(ranking, settings)]
    if settings.best_of and Method(ranking.method).adds_up:
        said.append(_("Each player’s best %(count)s evenings count.") % {"count": settings.best_of})
    if settings.attendance:
        said.append(
            _("Every evening played adds %(points)s points, also one that is dropped.")
            % {"points": settings.attendance}
        )
    if settings.minimum_deals:
        said.append(
            _("A place needs at least %(count)s deals.") % {"count": settings.minimum_deals}
        )
    if settings.minimum_evenings:
        said.append(
            _("A place needs at least %(count)s evenings.") % {"count": settings.minimum_evenings}
        )
    said += _filters(settings)
    said.append(_ties(settings))
    return said


def _method(ranking: Ranking, settings: Settings) -> str:
    if ranking.method == Method.PLACES:
        return _(
            "The place of each evening gives points: %(scale)s; every other place %(rest)s."
        ) % {
            "scale": ", ".join(map(str, settings.scale)),
            "rest": settings.scale_rest,
        }
    if ranking.method == Method.WINS:
        return _("A win gives %(win)s points, a loss %(loss)s.") % {
            "win": settings.win,
            "loss": settings.loss,
        }
    return {
        Method.TOTAL: _("The points of the evenings are added up."),
        Method.AVERAGE: _("The points of all evenings are divided by the deals played."),
        Method.RATING: _(
            "The places of each evening make a rating (OpenSkill). It is shown less three times "
            "its uncertainty: whoever has played little stands lower."
        ),
    }[Method(ranking.method)]


def _filters(settings: Settings) -> list[str]:
    said = _period(settings)
    if settings.players:
        said.append(_("Only deals at tables of %(players)s count.") % {"players": settings.players})
    if settings.kinds:
        names = [str(Event.Kind(kind).label) for kind in settings.kinds if kind in Event.Kind]
        said.append(_("Only these evenings count: %(kinds)s.") % {"kinds": ", ".join(names)})
    if settings.series:
        said.append(
            _("Only these series count: %(series)s.") % {"series": ", ".join(settings.series)}
        )
    if settings.members_only:
        said.append(_("Only who was a member on the day is ranked."))
    return said


def _period(settings: Settings) -> list[str]:
    days = {
        "first": settings.first_day and date_format(settings.first_day),
        "last": settings.last_day and date_format(settings.last_day),
    }
    if settings.first_day and settings.last_day:
        return [_("Only evenings from %(first)s to %(last)s count.") % days]
    if settings.first_day:
        return [_("Only evenings from %(first)s on count.") % days]
    return [_("Only evenings up to %(last)s count.") % days] if settings.last_day else []


def _ties(settings: Settings) -> str:
    if not settings.tie_breaks:
        return _("Whoever has the same points has the same rank.")
    names = ", ".join(str(TIE_BREAK_NAMES[code]) for code in settings.tie_breaks)
    return _("Equals are parted by, in this order: %(names)s.") % {"names": names}


def settings_of(ranking: Ranking) -> Settings:
    """Give how a ranking counts; the plain way when its settings are not understood."""
    try:
        return Settings.from_json(ranking.settings)
    except ValueError:
        return Settings()


def _steps(row: RankingRow) -> dict[int, Decimal | int]:
    """Give what each evening added to the rating; nothing where the ranking is none."""
    if row.ranking.method != Method.RATING:
        return {}
    steps = RatingStep.objects.filter(ranking=row.ranking, player=row.player_id)
    return {
        step.event_id: Ranking.shown(
            shown_rating(step.mu, step.sigma) - shown_rating(step.mu_before, step.sigma_before),
            row.ranking.decimals,
        )
        for step in steps
    }


def _hidden(rest: Sequence[dict[str, Any]], steps: dict[int, Decimal | int]) -> Hidden:
    return Hidden(
        count=len(rest),
        adds=sum(part["adds"] for part in rest if part["counts"]),
        rating=sum(steps.get(part["event"], 0) for part in rest) if steps else None,
    )


def _addend(
    part: dict[str, Any], events: dict[int, Event], steps: dict[int, Decimal | int]
) -> Addend:
    return Addend(
        event=events[part["event"]],
        points=part["points"],
        deals=part["deals"],
        meetings=_meetings(part),
        place=part["place"],
        entries=part["entries"],
        adds=part["adds"],
        counts=part["counts"],
        rating=steps.get(part["event"]),
    )


def _meetings(part: dict[str, Any]) -> int:
    return int(part.get("wins", 0) + part.get("losses", 0))


def _named(each: dict[str, Any], names: dict[Any, Any]) -> Named:
    code = each["code"]
    known = TieBreak(code) if code in set(TieBreak) else code
    return Named(code=code, name=str(names.get(known, code)), value=each["value"])


def _penalties(row: RankingRow, events: dict[int, Event]) -> list[Penalty]:
    rulings = Ruling.objects.filter(
        event__in=events,
        entry__players=row.player_id,
        kind=Ruling.Kind.PENALTY,
        withdrawn_at=None,
        points__gt=0,
    ).order_by("event__starts_at", "event_id", "pk")
    return [
        Penalty(
            event=events[ruling.event_id],
            points=-ruling.points,
            fault=_fault_words(ruling.fault),
        )
        for ruling in rulings
    ]


def _fault_words(code: str) -> str:
    fault = faults.FAULTS.get(code)
    return _(fault.words) if fault else code


def _last_change(row: RankingRow, events: dict[int, Event]) -> LastChange:
    told = row.last_change
    before = told.get("before") or {}
    cause = told.get("cause", StaleRanking.Cause.REBUILD)
    event = events.get(told.get("event") or 0)
    sheet, ruling = _corrected(row, event, cause)
    return LastChange(
        cause=cause,
        words=str(StaleRanking.Cause(cause).label),
        at=row.changed_at,
        event=event,
        sheet=sheet,
        ruling=ruling,
        score_before=Ranking.shown(before["score"], row.ranking.decimals) if before else None,
        place_before=before.get("place"),
    )


def _corrected(
    row: RankingRow, event: Event | None, cause: str
) -> tuple[SheetEvent | None, Ruling | None]:
    """Find what was written or ruled in the evening since the line was counted before."""
    if event is None or cause != StaleRanking.Cause.STANDINGS:
        return None, None
    told = row.last_change.get("since")
    since = datetime.fromisoformat(told) if told else event.closed_at
    if since is None:
        return None, None
    sheet = (
        SheetEvent.objects.filter(
            table__round__event=event,
            table__seats__player=row.player_id,
            at__gt=since,
            at__lte=row.changed_at,
        )
        .select_related("table__round", "deal", "truco_line")
        .order_by("-at", "-pk")
        .first()
    )
    rulings = [
        ruling
        for ruling in Ruling.objects.filter(event=event, entry__players=row.player_id)
        if since < _moved_at(ruling) <= row.changed_at
    ]
    last = max(rulings, key=_moved_at, default=None)
    if sheet is not None and last is not None:
        return (sheet, None) if sheet.at > _moved_at(last) else (None, last)
    return sheet, last


def _moved_at(ruling: Ruling) -> datetime:
    return ruling.withdrawn_at or ruling.ruled_at
