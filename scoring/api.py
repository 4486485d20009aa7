"""Sheets, deals, standings and rankings over the API: the pages' own actions and refusals."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import (
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.generics import ListAPIView, get_object_or_404
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from clubs.api import ErrorSerializer, StrictSerializer
from clubs.models import User
from clubs.permissions import role_in
from scoring import freshness
from scoring.games import AnyGame, every_game, game_of
from scoring.models import RankingRow, SheetRow
from scoring.permissions import get_table_to_change, get_table_to_score
from scoring.querysets import RankingRowQuerySet
from scoring.rules import StaleSheet
from scoring.rules.agreement import owes_reason
from scoring.visibility import get_event_with_role, get_season_with_role, shown_ranking
from tournaments.api import TableSerializer
from tournaments.models import Entry, ResultVersion, Table
from tournaments.permissions import get_visible_table

# Sheets


def any_game(name: str, part: str, **options: Any) -> Any:
    """Describe what is read or shown as that of one of the games."""
    return PolymorphicProxySerializer(
        component_name=name,
        serializers=[getattr(game.api, part) for game in every_game()],
        resource_type_field_name=None,
        **options,
    )


class SheetSerializer(TableSerializer):
    """A table with its sheet: every row in the order of play, and the totals on the seats."""

    deals = serializers.SerializerMethodField()

    class Meta(TableSerializer.Meta):
        fields = (*TableSerializer.Meta.fields, "deals")  # type: ignore[assignment]

    @extend_schema_field(any_game("SheetRow", "row", many=True))
    def get_deals(self, table: Table) -> Any:
        game = game_of(table)
        return game.api.row(game.rows(table).all(), many=True).data


class VoidSerializer(StrictSerializer):
    """Why a deal does not count."""

    reason = serializers.CharField(max_length=200)


class StaleSerializer(ErrorSerializer):
    """The sheet went on: what holds the number now, and which is free."""

    standing = serializers.SerializerMethodField()
    next_number = serializers.IntegerField(allow_null=True)

    @extend_schema_field(any_game("StandingRow", "row"))
    def get_standing(self, refused: dict[str, Any]) -> Any:
        """Give the row; only described here, answered by ``stale``."""
        return refused["standing"]


REFUSALS = {
    400: ErrorSerializer,
    401: ErrorSerializer,
    403: ErrorSerializer,
    404: ErrorSerializer,
    409: StaleSerializer,
}


def stale(game: AnyGame, refusal: StaleSheet) -> Response:
    """Answer 409 with the row that stands in the way."""
    standing = refusal.standing
    body: dict[str, Any] = {
        "code": "stale",
        "message": _("The sheet has changed since you looked at it."),
        "fields": {},
        "standing": None if standing is None else game.api.row(standing).data,
        "next_number": refusal.number,
    }
    return Response(body, status=status.HTTP_409_CONFLICT)


class TableViewSet(ViewSet):
    """Tables of the evenings that you may see, with their sheets."""

    lookup_value_converter = "int"

    @extend_schema(
        summary="A table with its sheet", responses={200: SheetSerializer, 404: ErrorSerializer}
    )
    def retrieve(self, request: Request, pk: int) -> Response:
        """Give the seats with their totals and every deal, also those that no longer count."""
        game = game_of(get_visible_table(request.user, pk))
        sheet = Table.objects.select_related("round__event").prefetch_related(
            "seats__player", *game.api.prefetch
        )
        return Response(SheetSerializer(sheet.get(pk=pk)).data)

    @extend_schema(
        summary="Record a deal",
        request=any_game("NewRow", "record"),
        responses={
            201: any_game("WrittenRow", "written"),
            200: any_game("WrittenRow", "written"),
            **REFUSALS,
        },
    )
    @action(detail=True, methods=["post"])
    def deals(self, request: Request, pk: int) -> Response:
        """Write a row on the sheet: 201, or 200 when this `entry_key` is already there."""
        table = get_table_to_score(request.user, pk)
        game = game_of(table)
        report = game.api.record(data=request.data, context={"table": table})
        report.is_valid(raise_exception=True)
        given = report.validated_data
        known = game.rows(table).filter(entry_key=given["entry_key"]).exists()
        try:
            row = game.record_report(table, given, by=cast("User", request.user))
        except StaleSheet as refusal:
            return stale(game, refusal)
        code = status.HTTP_200_OK if known else status.HTTP_201_CREATED
        return Response(game.api.written(row).data, status=code)


def rows_view(game: AnyGame) -> type[ViewSet]:
    """Make the addresses of single rows of a game."""

    class RowViewSet(ViewSet):
        lookup_value_converter = "int"

        @extend_schema(
            summary=f"A {game.api.name}", responses={200: game.api.row, 404: ErrorSerializer}
        )
        def retrieve(self, request: Request, pk: int) -> Response:
            """Give a row with what it gave each side."""
            row = get_object_or_404(game.row, pk=pk)
            row.table = get_visible_table(request.user, row.table_id)
            return Response(game.api.row(row).data)

        @extend_schema(
            summary=f"Correct a {game.api.name}",
            request=game.api.report,
            responses={200: game.api.written, **REFUSALS},
        )
        @action(detail=True, methods=["post"])
        def correct(self, request: Request, pk: int) -> Response:
            """Put another version in its place; the first one stays readable.

            A director who neither wrote it nor sits at the table says `why`.
            """
            row = self._to_change(request, pk)
            report = game.api.report(data=request.data, context={"table": row.table, "row": row})
            report.is_valid(raise_exception=True)
            self._require_reason(request, row, report.validated_data)
            try:
                corrected = game.correct_by_report(
                    row, report.validated_data, by=cast("User", request.user)
                )
            except StaleSheet as refusal:
                return stale(game, refusal)
            return Response(game.api.written(corrected).data)

        @extend_schema(
            summary=f"Declare a {game.api.name} void",
            request=VoidSerializer,
            responses={200: game.api.written, **REFUSALS},
        )
        @action(detail=True, methods=["post"])
        def void(self, request: Request, pk: int) -> Response:
            """Let a row no longer count; it stays readable with the reason."""
            row = self._to_change(request, pk)
            given = VoidSerializer(data=request.data)
            given.is_valid(raise_exception=True)
            try:
                void = game.void(
                    row, reason=given.validated_data["reason"], by=cast("User", request.user)
                )
            except StaleSheet as refusal:
                return stale(game, refusal)
            return Response(game.api.written(void).data)

        @staticmethod
        def _require_reason(request: Request, row: SheetRow, given: dict[str, Any]) -> None:
            by, role = cast("User", request.user), role_in(request.user, row.table.event.club)
            if owes_reason(by, row, list(row.table.seats.all()), role=role) and "why" not in given:
                raise serializers.ValidationError(
                    {"why": [_("Say why: the table reads it on its sheet.")]}, code="required"
                )

        def _to_change(self, request: Request, pk: int) -> SheetRow:
            row: SheetRow = get_object_or_404(game.row, pk=pk)
            row.table = get_table_to_change(request.user, row.table_id)
            return row

    RowViewSet.__name__ = f"{game.row.__name__}ViewSet"
    RowViewSet.__doc__ = f"A single {game.api.name} of a sheet."
    return RowViewSet


# Standings and ranking


class RoundPointsSerializer(serializers.Serializer[Any]):
    """What an entry won or lost in a round."""

    round = serializers.IntegerField()
    table = serializers.IntegerField(
        help_text="The table's id; null for a round that was missed and yet counts.",
        allow_null=True,
    )
    number = serializers.IntegerField(help_text="The number on the table's card.", allow_null=True)
    points = serializers.IntegerField()
    deals = serializers.IntegerField()


class TieBreakSerializer(serializers.Serializer[Any]):
    """A tie-break that parted an entry from others with the same points."""

    code = serializers.CharField()
    values = serializers.SerializerMethodField(help_text="What the entry has in it.")

    def get_values(self, decided: dict[str, Any]) -> list[int]:
        value = decided["value"]
        return value if isinstance(value, list) else [value]


class StandingSerializer(serializers.ModelSerializer[Entry]):
    """A line of the standings."""

    players = serializers.SerializerMethodField()
    rounds = RoundPointsSerializer(source="round_points", many=True, read_only=True)
    tie_breaks = TieBreakSerializer(many=True, read_only=True)

    class Meta:
        model = Entry
        fields = (
            "place", "previous_place", "number", "players", "points", "sheet_points",
            "ruled_points", "tie_breaks", "deals_played", "rounds",
        )  # fmt: skip

    def get_players(self, entry: Entry) -> list[str]:
        return [player.shown_name for player in entry.players.all()]


class StandingsSerializer(serializers.Serializer[Any]):
    """The standings of an evening, and how old they are."""

    counted_at = serializers.DateTimeField(allow_null=True)
    newer_sheets = serializers.IntegerField(help_text="Sheets that have changed since.")
    unconfirmed = serializers.IntegerField(
        help_text="Rows on the sheets that wait for somebody to agree."
    )
    lines = StandingSerializer(many=True)


class StandingsView(APIView):
    """The standings of an evening."""

    @extend_schema(summary="Standings", responses={200: StandingsSerializer, 404: ErrorSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Give everybody who has played, best first; equal points share a place."""
        event, _role = get_event_with_role(request.user, pk)
        fresh = freshness.of_event(event)
        body = {
            "counted_at": fresh.counted_at,
            "newer_sheets": fresh.newer,
            "unconfirmed": fresh.rows_unconfirmed,
            "lines": event.entries.played().for_standings(),
        }
        return Response(StandingsSerializer(body).data)


class ResultLineSerializer(serializers.Serializer[Any]):
    """A line of a result as it was published."""

    entry = serializers.IntegerField()
    players = serializers.SerializerMethodField(help_text="Names as whoever asks may read them.")
    place = serializers.IntegerField()
    points = serializers.IntegerField()
    sheet_points = serializers.IntegerField()
    ruled_points = serializers.IntegerField()
    tie_breaks = TieBreakSerializer(many=True)
    rounds = RoundPointsSerializer(many=True)

    def get_players(self, line: dict[str, Any]) -> list[str]:
        names: dict[int, list[str]] = self.context.get("names", {})
        return names.get(line["entry"], [])


class ChangeSerializer(serializers.Serializer[Any]):
    """What a version changed for an entry: before and after, null for not in the result."""

    entry = serializers.IntegerField()
    points = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    place = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class ResultVersionSerializer(serializers.ModelSerializer[ResultVersion]):
    """A version of the result of a tournament."""

    lines = ResultLineSerializer(many=True, read_only=True)
    changes = ChangeSerializer(many=True, read_only=True)

    class Meta:
        model = ResultVersion
        fields = ("number", "state", "made_at", "final_from", "changes", "lines")


class ResultsView(APIView):
    """The results of a tournament."""

    @extend_schema(
        summary="Results",
        responses={200: ResultVersionSerializer(many=True), 404: ErrorSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give every version, the one that holds first; none while the tournament is played."""
        event, _role = get_event_with_role(request.user, pk)
        versions = event.result_versions.order_by("-number")
        names = {
            entry.pk: [player.shown_name for player in entry.players.all()]
            for entry in event.entries.prefetch_related("players__membership")
        }
        return Response(ResultVersionSerializer(versions, many=True, context={"names": names}).data)


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """Who entered: a player, or a side that plays together."""

    players = serializers.SerializerMethodField(help_text="Names as whoever asks may read them.")
    state = serializers.CharField(read_only=True)
    name = serializers.CharField(
        source="told_name",
        read_only=True,
        help_text="What a side calls itself; empty for the names of its players.",
    )
    team = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = ("id", "number", "name", "players", "state", "series", "club_name", "team")

    def get_team(self, entry: Entry) -> str | None:
        return str(entry.team) if entry.team else None

    def get_players(self, entry: Entry) -> list[str]:
        return [player.shown_name for player in entry.players.all()]


class EntriesView(APIView):
    """The entries of an event."""

    @extend_schema(
        summary="Entries", responses={200: EntrySerializer(many=True), 404: ErrorSerializer}
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give everybody who entered, by number; to others than members whoever has played.

        Results name entries by these ids.
        """
        event, role = get_event_with_role(request.user, pk)
        entries = event.entries.with_teams().prefetch_related("players__membership")
        if role is None:
            entries = entries.played()
        return Response(EntrySerializer(entries.by_number(), many=True).data)


class RankedSerializer(serializers.ModelSerializer[RankingRow]):
    """A line of the season's ranking."""

    player = serializers.PrimaryKeyRelatedField[Any](read_only=True)
    name = serializers.CharField(source="player.shown_name", read_only=True)

    class Meta:
        model = RankingRow
        fields = (
            "place", "previous_place", "player", "name", "points", "evenings", "deals_played",
        )  # fmt: skip


class LeaderboardPagination(PageNumberPagination):
    """Pages of a ranking, each with when it was counted."""

    counted: dict[str, Any]

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        response.data = self.counted | response.data
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["properties"] = {
            "counted_at": {"type": "string", "format": "date-time", "nullable": True},
            "evenings": {"type": "integer"},
            "is_fresh": {"type": "boolean"},
        } | described["properties"]
        described["required"] = ["counted_at", "evenings", "is_fresh", *described["required"]]
        return described


@extend_schema_view(
    get=extend_schema(
        summary="Leaderboard", responses={200: RankedSerializer(many=True), 404: ErrorSerializer}
    )
)
class LeaderboardView(ListAPIView[RankingRow]):
    """The ranking of a season: the points of its closed evenings, best first."""

    serializer_class = RankedSerializer
    pagination_class = LeaderboardPagination
    queryset = RankingRow.objects.none()

    def get_queryset(self) -> RankingRowQuerySet:
        season, _role = get_season_with_role(self.request.user, self.kwargs["pk"])
        ranking = shown_ranking(season)
        fresh = freshness.of_season(season, ranking)
        paginator = cast("LeaderboardPagination", self.paginator)
        paginator.counted = {
            "counted_at": serializers.DateTimeField().to_representation(fresh.counted_at)
            if fresh.counted_at
            else None,
            "evenings": ranking.evenings if ranking else 0,
            "is_fresh": fresh.is_fresh,
        }
        return RankingRow.objects.filter(ranking=ranking).for_leaderboard()
