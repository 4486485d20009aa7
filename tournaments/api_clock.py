"""The clock of a round over the API: how it runs, and what a director does with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, cast

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.api import ErrorSerializer, StrictSerializer
from clubs.models import Role, User
from clubs.permissions import require_role, role_in
from tournaments import actions, clock
from tournaments.actions.clock import MOST_MINUTES
from tournaments.models import Round, Table

REFUSALS = {
    400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer, 404: ErrorSerializer,
    409: ErrorSerializer,
}  # fmt: skip
COMMANDS: Mapping[str, Callable[..., Round]] = {
    "start": actions.start_clock,
    "pause": actions.pause_clock,
    "resume": actions.resume_clock,
    "call_time": actions.call_time,
    "take_time_back": actions.take_time_back,
}


def _told(moment: datetime | None) -> str | None:
    """Give a moment as the API writes one."""
    return None if moment is None else str(serializers.DateTimeField().to_representation(moment))


class TableTimeSerializer(serializers.ModelSerializer[Table]):
    """How long a table plays on after the end of time."""

    over_at = serializers.SerializerMethodField(
        help_text="From then on no deal starts; null until the end of time is called."
    )

    class Meta:
        model = Table
        fields = ("id", "number", "extra_minutes", "over_at")

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_over_at(self, table: Table) -> str | None:
        return _told(clock.over_at(table))


class ClockSerializer(serializers.ModelSerializer[Round]):
    """The clock of a round."""

    is_running = serializers.SerializerMethodField()
    ends_at = serializers.SerializerMethodField(
        help_text="Later and later while the clock stands still; null without a clock."
    )
    seconds_left = serializers.SerializerMethodField(help_text="Null without a clock.")
    tables = TableTimeSerializer(many=True, read_only=True)

    class Meta:
        model = Round
        fields = (
            "id", "minutes", "clock_started_at", "clock_paused_at", "seconds_paused",
            "time_called_at", "is_running", "ends_at", "seconds_left", "tables",
        )  # fmt: skip

    def get_is_running(self, this_round: Round) -> bool:
        return clock.is_running(this_round)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_ends_at(self, this_round: Round) -> str | None:
        return _told(clock.ends_at(this_round, at=timezone.now()))

    def get_seconds_left(self, this_round: Round) -> int | None:
        left = clock.time_left(this_round, at=timezone.now())
        return None if left is None else int(left.total_seconds())


class ClockCommandSerializer(StrictSerializer):
    """What is done with the clock."""

    do = serializers.ChoiceField(choices=list(COMMANDS))
    minutes = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text="How long the round lasts; to start the clock only.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["do"] == "start" and "minutes" not in given:
            raise serializers.ValidationError(
                {"minutes": [_("Say how long the round lasts.")]}, code="required"
            )
        if given["do"] != "start" and "minutes" in given:
            raise serializers.ValidationError(
                {"minutes": [_("Only to start the clock.")]}, code="not_here"
            )
        return given


class ExtraMinutesSerializer(StrictSerializer):
    """How many minutes a table may play on after the end of time."""

    minutes = serializers.IntegerField(min_value=0, max_value=MOST_MINUTES)


class ClockView(APIView):
    """The clock of a round."""

    @extend_schema(
        summary="The clock of a round", responses={200: ClockSerializer, 404: ErrorSerializer}
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give how long the round and each of its tables still play."""
        this_round = _visible_round(request, pk)
        return Response(ClockSerializer(this_round).data)

    @extend_schema(
        summary="Start, stop or end the clock of a round",
        request=ClockCommandSerializer,
        responses={200: ClockSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Do one thing with the clock; a director may. Done already, it stays done."""
        this_round = _visible_round(request, pk)
        require_role(request.user, this_round.event.club, Role.DIRECTOR)
        given = ClockCommandSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        command = partial(COMMANDS[given.validated_data.pop("do")], this_round=this_round)
        command(by=cast("User", request.user), **given.validated_data)
        return Response(ClockSerializer(_visible_round(request, pk)).data)


class ExtraMinutesView(APIView):
    """The time of one table."""

    @extend_schema(
        summary="Give a table more time",
        request=ExtraMinutesSerializer,
        responses={200: TableTimeSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Say how many minutes the table plays on; 0 takes them back. A director may."""
        tables = Table.objects.exclude(round__state=Round.State.DRAWN)
        table = get_object_or_404(tables.select_related("round__event__season__club"), pk=pk)
        require_role(request.user, table.event.club, Role.DIRECTOR)
        given = ExtraMinutesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        table = actions.extend_table(
            table=table, by=cast("User", request.user), **given.validated_data
        )
        return Response(TableTimeSerializer(table).data)


def _visible_round(request: Request, pk: int) -> Round:
    rounds = Round.objects.published().select_related("event__season__club")
    this_round = get_object_or_404(rounds.prefetch_related("tables"), pk=pk)
    event = this_round.event
    if not event.is_public and role_in(request.user, event.club) is None:
        raise Http404
    return this_round
