"""Results and rankings as files: CSV as the reader's language has it, and XLSX."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.http import HttpResponse, HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.names import fold_name
from clubs.permissions import VisitorRequest
from scoring import freshness, results, spreadsheets
from scoring.http import revalidated
from scoring.models import Ranking, RankingRow
from scoring.spreadsheets import Row
from scoring.views.limits import slowed_down
from scoring.visibility import get_event_with_role, get_ranking_with_role
from tournaments.games import facts_of
from tournaments.models import Event
from tournaments.querysets import as_entered

CSV, XLSX = "csv", "xlsx"
TYPES = {
    CSV: "text/csv; charset=utf-8",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@require_safe
@slowed_down
def download_results(request: VisitorRequest, pk: int, *, kind: str) -> HttpResponseBase:
    """The results of an evening, round by round, as they hold now."""
    event, role = get_event_with_role(request.user, pk)
    version = results.latest(event) if event.is_closed else None
    state = (event.name, event.state, event.standings_at, event.roster_version,
             freshness.of_event(event), version and version.number, role is not None)  # fmt: skip
    title = f"{event.name} {localtime(event.starts_at):%Y-%m-%d}"
    response = revalidated(
        request,
        club=event.club,
        version=(kind, title, state),
        modified=event.standings_at,
        make=lambda: _file(results_table(event), title=title, kind=kind),
    )
    return _told(response, club=event.club, title=title, kind=kind)


def results_table(event: Event) -> list[Row]:
    """Give the head and a line for everybody who has played, best first."""
    if facts_of(event.game).plays_games:
        return games_table(event)
    lines = _lines(event)
    entries = event.entries.with_teams().prefetch_related(as_entered()).in_bulk()
    numbers = sorted({part["round"] for line in lines for part in line["rounds"]})
    head: Row = [
        _("Rank"), _("No."), _("Player"), _("Club"), _("Series"), _("Team"),
        *[_("Round %(number)s") % {"number": number} for number in numbers],
        _("Penalties"), _("Total"), _("Deals"),
    ]  # fmt: skip
    rows: list[Row] = [head]
    for line in lines:
        entry = entries.get(line["entry"])
        if entry is None:
            continue
        made = {part["round"]: part["points"] for part in line["rounds"]}
        rows.append([
            line["place"], entry.number, str(entry), entry.club_name, entry.series,
            str(entry.team or ""), *[made.get(number) for number in numbers],
            line["ruled_points"], line["points"], entry.deals_played,
        ])  # fmt: skip
    return rows


def games_table(event: Event) -> list[Row]:
    """Give the same of an event of games that are won: meetings, games and tentos."""
    entries = event.entries.with_teams().prefetch_related(as_entered()).in_bulk()
    head: Row = [
        _("Rank"), _("No."), _("Side"), _("Players"), _("Club"), _("Won"), _("Lost"),
        _("Games won"), _("Games lost"), _("Tentos for"), _("Tentos against"), _("Penalties"),
        _("Points"),
    ]  # fmt: skip
    rows: list[Row] = [head]
    for line in _lines(event):
        entry = entries.get(line["entry"])
        if entry is None:
            continue
        tally = line.get("tally") or entry.tally
        rows.append([
            line["place"], entry.number, str(entry),
            " & ".join(player.shown_name for player in entry.side), entry.club_name,
            tally.get("wins", 0), tally.get("losses", 0), *tally.get("games", (0, 0)),
            *tally.get("points", (0, 0)), line["ruled_points"], line["points"],
        ])  # fmt: skip
    return rows


def _lines(event: Event) -> Sequence[results.Line]:
    version = results.latest(event) if event.is_closed else None
    return version.lines if version else results.lines_of(event)


@require_safe
@slowed_down
def download_ranking(request: VisitorRequest, pk: int, *, kind: str) -> HttpResponseBase:
    """A ranking of a season, everybody in it."""
    ranking, role = get_ranking_with_role(request.user, pk)
    club = ranking.season.club
    state = (str(ranking), ranking.computed_at, ranking.version,
             freshness.of_season(ranking.season, ranking), role is not None)  # fmt: skip
    title = f"{ranking} {ranking.season.name}"
    response = revalidated(
        request,
        club=club,
        version=(kind, title, state),
        modified=ranking.computed_at,
        make=lambda: _file(ranking_table(ranking), title=title, kind=kind),
    )
    return _told(response, club=club, title=title, kind=kind)


def ranking_table(ranking: Ranking) -> list[Row]:
    """Give the head and a line for everybody in the ranking, best first."""
    # Hands at one evening and meetings at another have no sum.
    has_deals = not facts_of(ranking.game).plays_games
    head: Row = [
        _("Rank"), _("Player"), _("Evenings"), *([_("Deals")] * has_deals), _("Points"),
        _("Counts for the rank"),
    ]  # fmt: skip
    lines = RankingRow.objects.filter(ranking=ranking).for_leaderboard()
    return [
        head,
        *(
            [
                row.place, row.player.shown_name, row.evenings,
                *([row.deals_played] * has_deals), row.points,
                row.shown_score(ranking.decimals),
            ]
            for row in lines
        ),
    ]  # fmt: skip


def _file(rows: Sequence[Row], *, title: str, kind: str) -> HttpResponse:
    if kind == XLSX:
        content = spreadsheets.to_xlsx(rows, title=title)
    else:
        content = spreadsheets.to_csv(rows, language=get_language() or "")
    return HttpResponse(content, content_type=TYPES[kind])


def _told(response: HttpResponseBase, *, club: Club, title: str, kind: str) -> HttpResponseBase:
    """Let the browser store a file with a name that every system can keep."""
    plain = "-".join(re.findall(r"[\w.]+", fold_name(f"{club.slug} {title}")))
    header = content_disposition_header(as_attachment=True, filename=f"{plain}.{kind}")
    if header and response.status_code == 200:  # noqa: PLR2004 - made, not unchanged
        response.headers["Content-Disposition"] = header
        response.headers["X-Robots-Tag"] = "noindex"
    return response
