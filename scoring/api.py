"""Sheets, deals, standings and rankings over the API: the pages' own actions and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
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
from rules_engine import tarot
from scoring import actions, freshness
from scoring.models import Mark, Ranking, RankingRow, TarotDeal
from scoring.permissions import get_deal_to_change, get_table_to_score
from scoring.querysets import RankingRowQuerySet
from scoring.rules import StaleSheet
from scoring.rules.tarot import in_score_order, ruleset_of
from scoring.visibility import get_event_with_role, get_season_with_role
from tournaments.api import TableSerializer
from tournaments.models import Entry, ResultVersion, Seat, Table
from tournaments.permissions import get_visible_table

SIDES = [(str(side), str(side)) for side in tarot.Side]
#: What a column for a number or a version of a sheet holds.
LARGEST = 32_767


# What a deal is made of


class PoigneeSerializer(StrictSerializer):
    """A handful of trumps that was shown."""

    size = serializers.ChoiceField(choices=[(str(s), str(s)) for s in tarot.PoigneeSize])
    side = serializers.ChoiceField(choices=SIDES)


class ChelemSerializer(StrictSerializer):
    """A slam: was it announced, and which side made one."""

    announced = serializers.BooleanField(default=False)
    achieved = serializers.ChoiceField(choices=SIDES, allow_null=True, default=None)


class MisereSerializer(StrictSerializer):
    """A misère that was announced, and the seat of whoever announced it."""

    kind = serializers.ChoiceField(choices=[(str(k), str(k)) for k in tarot.MisereKind])
    seat = serializers.IntegerField(help_text="The seat of whoever announced it.")


class MarkSerializer(serializers.ModelSerializer[Mark]):
    """What the deal gives a seat."""

    seat = serializers.PrimaryKeyRelatedField[Seat](read_only=True)

    class Meta:
        model = Mark
        fields = ("seat", "points")


class DealSerializer(serializers.ModelSerializer[TarotDeal]):
    """A deal on a sheet; one that was corrected or is void stays readable."""

    table = serializers.PrimaryKeyRelatedField[Table](read_only=True)
    taker = serializers.PrimaryKeyRelatedField[Seat](read_only=True)
    partner = serializers.PrimaryKeyRelatedField[Seat](read_only=True, allow_null=True)
    sits_out = serializers.PrimaryKeyRelatedField[Seat](read_only=True, allow_null=True)
    taker_card_points = serializers.SerializerMethodField(
        help_text="Card points of the taker's side, in steps of a half."
    )
    called = serializers.CharField(read_only=True, help_text="`partner`, `self` or empty.")
    petit_au_bout = serializers.CharField(
        read_only=True, help_text="The side that made it, or empty."
    )
    poignees = PoigneeSerializer(many=True, read_only=True)
    chelem = ChelemSerializer(read_only=True)
    petit_chelem = ChelemSerializer(
        source="house_options.petit_chelem", read_only=True, default=dict
    )
    miseres = serializers.SerializerMethodField()
    corrected_by = serializers.PrimaryKeyRelatedField[TarotDeal](read_only=True, allow_null=True)
    marks = MarkSerializer(many=True, read_only=True)

    class Meta:
        model = TarotDeal
        fields = (
            "id", "table", "number", "state", "taker", "partner", "sits_out", "called", "contract",
            "bouts", "taker_card_points", "petit_au_bout", "poignees", "chelem", "petit_chelem",
            "miseres", "is_made", "margin", "marks", "recorded_at", "corrected_by", "void_reason",
            "voided_at",
        )  # fmt: skip

    def get_taker_card_points(self, deal: TarotDeal) -> float:
        return deal.half_points / 2

    @extend_schema_field(MisereSerializer(many=True))
    def get_miseres(self, deal: TarotDeal) -> list[dict[str, Any]]:
        declared = deal.house_options.get("miseres", ())
        if not declared:
            return []
        seats = {seat.pk: seat for seat in sorted(deal.table.seats.all(), key=lambda s: s.place)}
        order = in_score_order(
            list(seats.values()),
            taker=seats[deal.taker_id],
            partner=seats.get(deal.partner_id or 0),
            sits_out=seats.get(deal.sits_out_id or 0),
        )
        return [{"kind": each["kind"], "seat": order[each["declarer"]].pk} for each in declared]


class SheetSerializer(TableSerializer):
    """A table with its sheet: every deal in the order of play, and the totals on the seats."""

    deals = DealSerializer(source="tarot_deals", many=True, read_only=True)

    class Meta(TableSerializer.Meta):
        fields = (*TableSerializer.Meta.fields, "deals")  # type: ignore[assignment]


class ReportSerializer(StrictSerializer):
    """A deal as the table reports it; `table` in the context says by which rules and seats."""

    entry_key = serializers.UUIDField(
        help_text="Made by you for this deal: sent twice, it is one deal."
    )
    taker = serializers.IntegerField(help_text="The seat of the taker.")
    partner = serializers.IntegerField(
        required=False, allow_null=True, help_text="At five: the seat of the called partner."
    )
    sits_out = serializers.IntegerField(
        required=False, allow_null=True, help_text="The seat that does not play, if one must."
    )
    called = serializers.ChoiceField(
        choices=[(str(c), str(c)) for c in tarot.Called],
        required=False,
        allow_null=True,
        help_text="At five; `partner` follows from a partner.",
    )
    contract = serializers.ChoiceField(choices=TarotDeal.Contract.choices)
    bouts = serializers.IntegerField(min_value=0, max_value=3)
    taker_card_points = serializers.FloatField(
        min_value=0, max_value=91, help_text="Of the taker's side, in steps of a half."
    )
    petit_au_bout = serializers.ChoiceField(choices=SIDES, required=False, allow_null=True)
    poignees = PoigneeSerializer(many=True, required=False)
    chelem = ChelemSerializer(required=False)
    petit_chelem = ChelemSerializer(required=False, help_text="Only where it is played.")
    miseres = MisereSerializer(many=True, required=False, help_text="Only where they are played.")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        table: Table = self.context["table"]
        seats = {seat.pk: seat for seat in table.seats.all()}
        entry_key: UUID = given.pop("entry_key")
        found = {name: self._seat(seats, name, given.pop(name, None)) for name in self._seat_names}
        number, version = given.pop("number", None), given.pop("version", None)
        if given.get("called") is None and found["partner"] is not None:
            given["called"] = str(tarot.Called.PARTNER)
        if given.get("miseres"):
            given["miseres"] = list(self._miseres(seats, given["miseres"], **found))
        rules = ruleset_of(table)
        deal = tarot.Deal.from_json({**given, "players": rules.players}, rules=rules)
        return {"entry_key": entry_key, "deal": deal, "number": number, "version": version, **found}

    def _miseres(
        self, seats: dict[int, Seat], miseres: list[dict[str, Any]], **found: Seat | None
    ) -> Iterator[dict[str, Any]]:
        """Give the misères as the rules read them: by the place in the order of the scores."""
        if found["taker"] is None:
            raise serializers.ValidationError({"taker": [_("Say who took.")]}, code="required")
        in_order = sorted(seats.values(), key=lambda seat: seat.place)
        order = in_score_order(
            in_order,
            taker=found["taker"],
            partner=found["partner"],
            sits_out=found["sits_out"],
        )
        for misere in miseres:
            declarer = self._seat(seats, "miseres", misere["seat"])
            if declarer not in order:
                raise serializers.ValidationError(
                    {"miseres": [_("Who sits out does not play.")]}, code="sits_out"
                )
            yield {"kind": misere["kind"], "declarer": order.index(declarer)}

    _seat_names = ("taker", "partner", "sits_out")

    def _seat(self, seats: dict[int, Seat], name: str, pk: int | None) -> Seat | None:
        if pk is not None and pk not in seats:
            raise serializers.ValidationError(
                {name: [_("This player does not sit at this table.")]}, code="seat"
            )
        return None if pk is None else seats[pk]


class RecordSerializer(ReportSerializer):
    """A new deal; `number` or `version` says which sheet you have seen, and an old one is 409."""

    number = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        help_text="The deal you mean; left out: the next.",
    )
    version = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="The sheet's version that you have seen.",
    )


class VoidSerializer(StrictSerializer):
    """Why a deal does not count."""

    reason = serializers.CharField(max_length=200)


class WrittenSerializer(DealSerializer):
    """A deal that was just written, with the sheet's new version."""

    table_version = serializers.IntegerField(source="table.version", read_only=True)

    class Meta(DealSerializer.Meta):
        fields = (*DealSerializer.Meta.fields, "table_version")  # type: ignore[assignment]


class StaleSerializer(ErrorSerializer):
    """The sheet went on: what holds the number now, and which is free."""

    standing = DealSerializer(allow_null=True)
    next_number = serializers.IntegerField(allow_null=True)


REFUSALS = {
    400: ErrorSerializer,
    401: ErrorSerializer,
    403: ErrorSerializer,
    404: ErrorSerializer,
    409: StaleSerializer,
}


def stale(refusal: StaleSheet) -> Response:
    """Answer 409 with the deal that stands in the way."""
    standing = refusal.standing
    body: dict[str, Any] = {
        "code": "stale",
        "message": _("The sheet has changed since you looked at it."),
        "fields": {},
        "standing": None if standing is None else DealSerializer(standing).data,
        "next_number": refusal.number,
    }
    return Response(body, status=status.HTTP_409_CONFLICT)


# Sheets


class TableViewSet(ViewSet):
    """Tables of the evenings that you may see, with their sheets."""

    lookup_value_converter = "int"

    @extend_schema(
        summary="A table with its sheet", responses={200: SheetSerializer, 404: ErrorSerializer}
    )
    def retrieve(self, request: Request, pk: int) -> Response:
        """Give the seats with their totals and every deal, also those that no longer count."""
        get_visible_table(request.user, pk)
        sheet = Table.objects.prefetch_related("seats__player", "tarot_deals__marks")
        return Response(SheetSerializer(sheet.get(pk=pk)).data)

    @extend_schema(
        summary="Record a deal",
        request=RecordSerializer,
        responses={201: WrittenSerializer, 200: WrittenSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def deals(self, request: Request, pk: int) -> Response:
        """Write a deal on the sheet: 201, or 200 when this `entry_key` is already there."""
        table = get_table_to_score(request.user, pk)
        report = RecordSerializer(data=request.data, context={"table": table})
        report.is_valid(raise_exception=True)
        given = report.validated_data
        known = TarotDeal.objects.filter(table=table, entry_key=given["entry_key"]).exists()
        try:
            deal = actions.record_tarot_deal(
                table=table, by=cast("User", request.user), **_needs_taker(given)
            )
        except StaleSheet as refusal:
            return stale(refusal)
        code = status.HTTP_200_OK if known else status.HTTP_201_CREATED
        return Response(WrittenSerializer(deal).data, status=code)


def _needs_taker(given: dict[str, Any]) -> dict[str, Any]:
    if given["taker"] is None:
        raise ValidationError({"taker": [_("Say who took.")]}, code="required")
    return given


class DealViewSet(ViewSet):
    """Single deals."""

    lookup_value_converter = "int"

    @extend_schema(summary="A deal", responses={200: DealSerializer, 404: ErrorSerializer})
    def retrieve(self, request: Request, pk: int) -> Response:
        """Give a deal with what it gave each seat."""
        deal = get_object_or_404(TarotDeal.objects.prefetch_related("marks"), pk=pk)
        get_visible_table(request.user, deal.table_id)
        return Response(DealSerializer(deal).data)

    @extend_schema(
        summary="Correct a deal",
        request=ReportSerializer,
        responses={200: WrittenSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def correct(self, request: Request, pk: int) -> Response:
        """Put another version in its place; the first one stays readable."""
        deal = get_deal_to_change(request.user, pk)
        report = ReportSerializer(data=request.data, context={"table": deal.table})
        report.is_valid(raise_exception=True)
        given = _needs_taker(report.validated_data)
        try:
            corrected = actions.correct_tarot_deal(
                deal=deal,
                corrected=given["deal"],
                entry_key=given["entry_key"],
                taker=given["taker"],
                partner=given["partner"],
                sits_out=given["sits_out"],
                by=cast("User", request.user),
            )
        except StaleSheet as refusal:
            return stale(refusal)
        return Response(WrittenSerializer(corrected).data)

    @extend_schema(
        summary="Declare a deal void",
        request=VoidSerializer,
        responses={200: WrittenSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def void(self, request: Request, pk: int) -> Response:
        """Let a deal no longer count; it stays readable with the reason."""
        deal = get_deal_to_change(request.user, pk)
        given = VoidSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        try:
            void = actions.void_deal(
                deal=deal, reason=given.validated_data["reason"], by=cast("User", request.user)
            )
        except StaleSheet as refusal:
            return stale(refusal)
        return Response(WrittenSerializer(void).data)


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
            "lines": event.entries.played().for_standings(),
        }
        return Response(StandingsSerializer(body).data)


class ResultLineSerializer(serializers.Serializer[Any]):
    """A line of a result as it was published."""

    entry = serializers.IntegerField()
    place = serializers.IntegerField()
    points = serializers.IntegerField()
    sheet_points = serializers.IntegerField()
    ruled_points = serializers.IntegerField()
    tie_breaks = TieBreakSerializer(many=True)
    rounds = RoundPointsSerializer(many=True)


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
        return Response(ResultVersionSerializer(versions, many=True).data)


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
        ranking = Ranking.objects.filter(season=season).first()
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
