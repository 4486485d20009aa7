"""Rankings over the API: which a season has, their lines, and every addend of a line."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView, get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.api import ErrorSerializer
from scoring import why
from scoring.api import LeaderboardPagination
from scoring.models import Ranking, RankingRow
from scoring.querysets import RankingRowQuerySet
from scoring.views.leaderboards import shown_evenings, visible_rankings
from scoring.visibility import get_ranking_with_role, get_season_with_role


class RankingSerializer(serializers.ModelSerializer[Ranking]):
    """A ranking of a season and how it counts."""

    name = serializers.CharField(source="__str__", read_only=True)
    settings = serializers.DictField(help_text="What differs from adding up all points.")
    counts = serializers.SerializerMethodField(help_text="How it counts, in sentences.")

    class Meta:
        model = Ranking
        fields = (
            "id", "name", "game", "method", "settings", "counts", "state", "decimals", "evenings",
            "computed_at",
        )  # fmt: skip

    def get_counts(self, ranking: Ranking) -> list[str]:
        return why.rules_of(ranking, why.settings_of(ranking))


class SeasonRankingsView(APIView):
    """The rankings of a season."""

    @extend_schema(
        summary="Rankings of a season",
        responses={200: RankingSerializer(many=True), 404: ErrorSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give every ranking that you may see, in the club's order."""
        season, role = get_season_with_role(request.user, pk)
        return Response(RankingSerializer(visible_rankings(season, role), many=True).data)


class LineSerializer(serializers.ModelSerializer[RankingRow]):
    """A line of a ranking."""

    player = serializers.PrimaryKeyRelatedField[Any](read_only=True)
    name = serializers.CharField(source="player.shown_name", read_only=True)
    score = serializers.SerializerMethodField(help_text="What the place goes by.")

    class Meta:
        model = RankingRow
        fields = (
            "id", "place", "previous_place", "player", "name", "score", "points", "evenings",
            "evenings_counted", "deals_played", "made_from",
        )  # fmt: skip

    @extend_schema_field(serializers.DecimalField(max_digits=20, decimal_places=2))
    def get_score(self, row: RankingRow) -> str:
        return str(Decimal(row.shown_score(self.context["decimals"])))


@extend_schema_view(
    get=extend_schema(
        summary="Lines of a ranking",
        responses={200: LineSerializer(many=True), 404: ErrorSerializer},
    )
)
class RankingLinesView(ListAPIView[RankingRow]):
    """A ranking, the best first; whoever has not played enough for a place comes last."""

    serializer_class = LineSerializer
    pagination_class = LeaderboardPagination
    queryset = RankingRow.objects.none()

    def get_queryset(self) -> RankingRowQuerySet:
        return RankingRow.objects.filter(ranking=self.ranking).for_leaderboard()

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Give the lines of the ranking, page by page."""
        self.ranking, _role = get_ranking_with_role(request.user, kwargs["pk"])
        counted_at = self.ranking.computed_at
        cast("LeaderboardPagination", self.paginator).counted = {
            "counted_at": None
            if counted_at is None
            else serializers.DateTimeField().to_representation(counted_at),
            "evenings": self.ranking.evenings,
            "is_fresh": why.is_fresh(self.ranking),
        }
        return super().list(request, *args, **kwargs)

    def get_serializer_context(self) -> dict[str, Any]:
        ranking: Ranking | None = getattr(self, "ranking", None)
        decimals = ranking.decimals if ranking else 0
        return {**super().get_serializer_context(), "decimals": decimals}


class AddendSerializer(serializers.Serializer[Any]):
    """An evening of a line."""

    event = serializers.IntegerField(source="event.pk")
    starts_at = serializers.DateTimeField(source="event.starts_at")
    points = serializers.IntegerField(help_text="Of the evening, with rulings.")
    deals = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True)
    entries = serializers.IntegerField(help_text="How many have a place that evening.")
    adds = serializers.IntegerField(help_text="What the evening adds if it counts.")
    counts = serializers.BooleanField(help_text="False: it is dropped, others are better.")
    rating = serializers.DecimalField(
        max_digits=20, decimal_places=2, allow_null=True,
        help_text="What the evening gave the rating; they add up to the score.",
    )  # fmt: skip


class HiddenSerializer(serializers.Serializer[Any]):
    """Evenings that you may not see one by one, together."""

    count = serializers.IntegerField()
    adds = serializers.IntegerField()
    rating = serializers.DecimalField(max_digits=20, decimal_places=2, allow_null=True)


class NamedSerializer(serializers.Serializer[Any]):
    """A number with its name."""

    code = serializers.CharField()
    name = serializers.CharField()
    value = serializers.IntegerField()


class PenaltySerializer(serializers.Serializer[Any]):
    """Points that a ruling took; they are within the points of the evening."""

    event = serializers.IntegerField(source="event.pk")
    points = serializers.IntegerField()
    fault = serializers.CharField()


class LastChangeSerializer(serializers.Serializer[Any]):
    """What changed the line last."""

    cause = serializers.CharField()
    at = serializers.DateTimeField()
    event = serializers.IntegerField(source="event.pk", allow_null=True, default=None)
    table = serializers.IntegerField(
        source="sheet.table_id", allow_null=True, default=None, help_text="Of the changed sheet."
    )
    ruling = serializers.IntegerField(source="ruling.pk", allow_null=True, default=None)
    by_what = serializers.CharField(help_text="Which deal or ruling, in words; empty if unknown.")
    score_before = serializers.DecimalField(max_digits=20, decimal_places=2, allow_null=True)
    place_before = serializers.IntegerField(allow_null=True)


class ExplanationSerializer(serializers.Serializer[Any]):
    """A line with all of its addends."""

    line = serializers.SerializerMethodField()
    counts = serializers.ListField(source="rules", child=serializers.CharField())
    evenings = AddendSerializer(source="addends", many=True)
    hidden = HiddenSerializer(allow_null=True)
    dropped = serializers.IntegerField()
    extras = NamedSerializer(many=True)
    tie_breaks = NamedSerializer(many=True)
    penalties = PenaltySerializer(many=True)
    last_change = LastChangeSerializer()

    @extend_schema_field(LineSerializer)
    def get_line(self, told: why.Explanation) -> dict[str, Any]:
        context = {"decimals": told.row.ranking.decimals}
        return dict(LineSerializer(told.row, context=context).data)


class WhyView(APIView):
    """Why somebody has a place."""

    @extend_schema(
        summary="Why this place", responses={200: ExplanationSerializer, 404: ErrorSerializer}
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give every evening with what it adds, what is dropped, rulings, ties, last change."""
        row = get_object_or_404(RankingRow.objects.select_related("player"), pk=pk)
        row.ranking, role = get_ranking_with_role(request.user, row.ranking_id)
        shown = shown_evenings(row.ranking.season, role)
        return Response(ExplanationSerializer(why.explain(row, shown=shown)).data)
