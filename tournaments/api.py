"""Evenings, rounds and who sits where, over the API."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet, ReadOnlyModelViewSet

from clubs.api import ErrorSerializer, StrictSerializer
from clubs.models import Role, User
from clubs.permissions import require_role
from tournaments import actions
from tournaments.models import Event, Round, Seat, Table
from tournaments.querysets import EventQuerySet, RoundQuerySet

REFUSALS = {
    400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer, 404: ErrorSerializer,
    409: ErrorSerializer,
}  # fmt: skip


class EventSerializer(serializers.ModelSerializer[Event]):
    """An evening or a tournament."""

    club = serializers.SlugField(source="season.club.slug", read_only=True)
    season = serializers.PrimaryKeyRelatedField[Any](read_only=True)
    name = serializers.CharField(read_only=True)
    deals_per_round = serializers.IntegerField(
        source="deals_in_a_round",
        read_only=True,
        allow_null=True,
        help_text="Null where games are won, and for an evening from a list: it has no deals.",
    )

    class Meta:
        model = Event
        fields = (
            "id", "club", "season", "kind", "game", "name", "place", "starts_at", "state",
            "publication", "deals_per_round", "rounds_planned", "leftovers", "ruleset",
            "standings_at", "closed_at",
        )  # fmt: skip


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A seat with its running total; places count from 1 in the order of play."""

    player = serializers.PrimaryKeyRelatedField[Any](read_only=True)
    name = serializers.CharField(source="player.shown_name", read_only=True)

    class Meta:
        model = Seat
        fields = ("id", "place", "player", "name", "points", "deals_played")


class TableSerializer(serializers.ModelSerializer[Table]):
    """A table of a round; `version` grows with each change of its sheet."""

    round = serializers.PrimaryKeyRelatedField[Any](read_only=True)
    seats = SeatSerializer(many=True, read_only=True)
    suit = serializers.SerializerMethodField()
    unconfirmed = serializers.IntegerField(
        source="rows_waiting",
        read_only=True,
        help_text="Rows that wait for somebody to agree; none on a signed sheet.",
    )
    objections = serializers.IntegerField(
        read_only=True, help_text="Players who object to the sheet."
    )

    class Meta:
        model = Table
        fields = (
            "id", "round", "number", "suit", "state", "players_per_deal", "deals_planned",
            "deals_recorded", "unconfirmed", "objections", "version", "changed_at", "seats",
        )  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=[(s, s) for s in Table.SUITS]))
    def get_suit(self, table: Table) -> str:
        return table.suit


class RoundSerializer(serializers.ModelSerializer[Round]):
    """A round with its tables; a draw that is still a proposal is not shown."""

    event = serializers.PrimaryKeyRelatedField[Any](read_only=True)
    tables = TableSerializer(many=True, read_only=True)

    class Meta:
        model = Round
        fields = (
            "id", "event", "number", "state", "seed", "leftovers", "published_at", "closed_at",
            "tables",
        )  # fmt: skip


class CloseRoundSerializer(StrictSerializer):
    """What is given up when a round ends."""

    without_missing = serializers.BooleanField(
        default=False, help_text="Of a club night: end it without the deals that are missing."
    )
    without = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        default=list,
        help_text="Numbers of the tables that are closed as they stand, although they are not "
        "complete, signed or confirmed, or a player objects.",
    )

    def validate_without(self, given: list[int]) -> list[int]:
        known = {table.number for table in self.context["round"].tables.all()}
        if not known.issuperset(given):
            raise serializers.ValidationError(
                _("There is no such table in this round."), code="no_such_table"
            )
        return given


class EventQuerySerializer(serializers.Serializer[Any]):
    """Which evenings are asked for."""

    club = serializers.SlugField(required=False, help_text="The address of a club.")
    season = serializers.IntegerField(required=False, min_value=1)
    state = serializers.ChoiceField(choices=Event.State.choices, required=False)


@extend_schema_view(
    list=extend_schema(
        summary="Evenings, the latest first",
        parameters=[EventQuerySerializer],
        responses={200: EventSerializer(many=True), 400: ErrorSerializer},
    ),
    retrieve=extend_schema(
        summary="An evening", responses={200: EventSerializer, 404: ErrorSerializer}
    ),
)
class EventViewSet(ReadOnlyModelViewSet[Event]):
    """Evenings that are published, and those of your own clubs."""

    serializer_class = EventSerializer
    lookup_value_converter = "int"
    queryset = Event.objects.none()

    def get_queryset(self) -> EventQuerySet:
        events = Event.objects.visible_to(self.request.user).select_related("season__club")
        if self.action == "list":
            asked = EventQuerySerializer(data=self.request.query_params)
            asked.is_valid(raise_exception=True)
            names = {"club": "season__club__slug", "season": "season__pk", "state": "state"}
            events = events.filter(**{names[k]: v for k, v in asked.validated_data.items()})
        return events.latest_first()

    @extend_schema(
        summary="The rounds of an evening",
        responses={200: RoundSerializer(many=True), 404: ErrorSerializer},
    )
    @action(detail=True, pagination_class=None)
    def rounds(self, request: Request, pk: int) -> Response:
        """Give the published rounds in order, with their tables and seats."""
        rounds = self.get_object().rounds.published().in_order()
        rounds = rounds.prefetch_related("tables__seats__player")
        return Response(RoundSerializer(rounds, many=True).data)


@extend_schema_view(
    retrieve=extend_schema(
        summary="A round", responses={200: RoundSerializer, 404: ErrorSerializer}
    ),
)
class RoundViewSet(RetrieveModelMixin, GenericViewSet[Round]):
    """Published rounds of the evenings that you may see."""

    serializer_class = RoundSerializer
    lookup_value_converter = "int"
    queryset = Round.objects.none()

    def get_queryset(self) -> RoundQuerySet:
        visible = Event.objects.visible_to(self.request.user)
        rounds = Round.objects.published().filter(event__in=visible)
        rounds = rounds.select_related("event__season__club")
        return rounds.prefetch_related("tables__seats__player")

    @extend_schema(
        summary="End a round",
        request=CloseRoundSerializer,
        responses={200: RoundSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def close(self, request: Request, pk: int) -> Response:
        """Close the round and its sheets; closed already, it stays so. A director may.

        Tables that are not ready are named in the refusal: each is let pass by its number only.
        """
        this_round = self.get_object()
        require_role(request.user, this_round.event.club, Role.DIRECTOR)
        given = CloseRoundSerializer(data=request.data, context={"round": this_round})
        given.is_valid(raise_exception=True)
        by = cast("User", request.user)
        actions.close_round(this_round=this_round, by=by, **given.validated_data)
        return Response(RoundSerializer(self.get_object()).data)
