"""Tournaments of fixtures over the API: stages with their tables, brackets, and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from clubs.api import ErrorSerializer, StrictSerializer
from clubs.models import Role, User
from scoring import actions
from scoring.forms.fixtures import ENDINGS, MOST_TENTOS
from scoring.games import game_of
from scoring.permissions import get_table_to_score
from tournaments.meetings import stages_with_fixtures
from tournaments.models import Entry, Event, Fixture, Stage, Table
from tournaments.permissions import get_fixture, get_visible_event
from tournaments.rules import Conflict

MOST_GAMES = 7
REFUSALS = {
    400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer, 404: ErrorSerializer,
    409: ErrorSerializer,
}  # fmt: skip

type Entries = Mapping[int, Entry]


def _entries(event: Event) -> Entries:
    return {entry.pk: entry for entry in event.entries.with_sides()}


def _name(entries: Entries, key: int | None) -> str:
    entry = entries.get(key or 0)
    return "" if entry is None else str(entry)


# Stages


class DecidedSerializer(serializers.Serializer[Any]):
    """What parted an entry from others, with its value; an average is a fraction as text."""

    code = serializers.CharField()
    value = serializers.CharField()


class StageLineSerializer(serializers.Serializer[Any]):
    """A line of a group's table, or of that of a Swiss."""

    section = serializers.CharField(help_text="The letter of the group.")
    place = serializers.IntegerField()
    shared = serializers.BooleanField()
    entry = serializers.IntegerField()
    name = serializers.SerializerMethodField()
    played = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    points = serializers.IntegerField()
    games = serializers.ListField(child=serializers.IntegerField(), help_text="Games won and lost.")
    tentos = serializers.ListField(
        child=serializers.IntegerField(), help_text="Tentos for and against."
    )
    decided_by = DecidedSerializer(many=True, help_text="The last parted it from its neighbours.")
    is_out = serializers.BooleanField(help_text="Has it withdrawn, or was it expelled?")
    goes_on = serializers.BooleanField()

    def get_name(self, line: dict[str, Any]) -> str:
        return _name(self.context["entries"], line["entry"])


class PlaceSerializer(serializers.Serializer[Any]):
    """A place of a bracket that is certain: equals share those from `place` to `last`."""

    place = serializers.IntegerField()
    last = serializers.IntegerField()
    entry = serializers.IntegerField()
    name = serializers.SerializerMethodField()

    def get_name(self, place: dict[str, Any]) -> str:
        return _name(self.context["entries"], place["entry"])


class StageSerializer(serializers.ModelSerializer[Stage]):
    """A stage in which two sides meet: how it is played, and its table or its places."""

    name = serializers.SerializerMethodField(help_text="In the caller's language.")
    lines = serializers.SerializerMethodField(help_text="Of groups and of a Swiss, best first.")
    places = serializers.SerializerMethodField(help_text="Of a bracket, as far as certain.")

    class Meta:
        model = Stage
        fields = (
            "id", "number", "kind", "name", "settings", "seed", "drawn_at", "lines", "places",
        )  # fmt: skip

    def get_name(self, stage: Stage) -> str:
        return str(stage)

    @extend_schema_field(StageLineSerializer(many=True))
    def get_lines(self, stage: Stage) -> Any:
        lines = [line for line in stage.standings if "section" in line]
        return StageLineSerializer(lines, many=True, context=self.context).data

    @extend_schema_field(PlaceSerializer(many=True))
    def get_places(self, stage: Stage) -> Any:
        places = [place for place in stage.standings if "section" not in place]
        return PlaceSerializer(places, many=True, context=self.context).data


class StagesView(APIView):
    """The stages of a tournament of fixtures."""

    @extend_schema(
        summary="The stages of a tournament of fixtures",
        responses={200: StageSerializer(many=True), 404: ErrorSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give the stages in order with their tables and places as last counted."""
        event = get_visible_event(request.user, pk)
        context = {"entries": _entries(event)}
        stages = stages_with_fixtures(event)
        return Response(StageSerializer(stages, many=True, context=context).data)


# Fixtures


class FixtureSerializer(serializers.ModelSerializer[Fixture]):
    """Two sides meet. `home_from` and `away_from` say where each comes from.

    They are the lines of the bracket: `winner:W1-2` is who wins that fixture.
    """

    stage = serializers.IntegerField(source="stage.number", help_text="The number of the stage.")
    home = serializers.PrimaryKeyRelatedField[Entry](read_only=True, allow_null=True)
    away = serializers.PrimaryKeyRelatedField[Entry](read_only=True, allow_null=True)
    home_name = serializers.SerializerMethodField(help_text="Empty until it is known.")
    away_name = serializers.SerializerMethodField(help_text="Empty until it is known.")
    table = serializers.PrimaryKeyRelatedField[Table](read_only=True, allow_null=True)
    scores = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Of each game, the first named side first.",
    )
    best_of = serializers.IntegerField(source="format.best_of", default=1)
    target = serializers.IntegerField(source="format.target", default=12)
    seen = serializers.DateTimeField(
        source="changed_at", help_text="Send it back with a result: a change in between is told."
    )

    class Meta:
        model = Fixture
        fields = (
            "id", "stage", "code", "section", "round", "order", "home_from", "away_from", "home",
            "home_name", "away", "away_name", "best_of", "target", "table", "state", "ending",
            "winner", "scores", "note", "decided_at", "seen",
        )  # fmt: skip
        read_only_fields = fields

    def get_home_name(self, row: Fixture) -> str:
        return _name(self.context["entries"], row.home_id)

    def get_away_name(self, row: Fixture) -> str:
        return _name(self.context["entries"], row.away_id)


class FixtureQuerySerializer(serializers.Serializer[Any]):
    """Which fixtures are asked for."""

    stage = serializers.IntegerField(required=False, min_value=1, max_value=1000)


class FixturesView(APIView):
    """The fixtures of a tournament."""

    @extend_schema(
        summary="The fixtures of a tournament",
        parameters=[FixtureQuerySerializer],
        responses={200: FixtureSerializer(many=True), 400: ErrorSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give the fixtures in playing order, of one stage if its number is given."""
        event = get_visible_event(request.user, pk)
        asked = FixtureQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        rows = Fixture.objects.filter(stage__event=event).select_related("stage")
        if "stage" in asked.validated_data:
            rows = rows.filter(stage__number=asked.validated_data["stage"])
        rows = rows.order_by("stage__number", "wave", "section", "round", "order", "pk")
        context = {"entries": _entries(event)}
        return Response(FixtureSerializer(rows, many=True, context=context).data)


class DecideFixtureSerializer(StrictSerializer):
    """How a fixture ended."""

    ending = serializers.ChoiceField(choices=ENDINGS)
    winner = serializers.ChoiceField(
        choices=Fixture.Side.choices, required=False, allow_blank=True, default=""
    )
    scores = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=0, max_value=MOST_TENTOS),
            min_length=2,
            max_length=2,
        ),
        max_length=MOST_GAMES,
        required=False,
        default=list,
        help_text="Of each game, the first named side first.",
    )
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    seen = serializers.DateTimeField(required=False, allow_null=True, default=None)


class SeenFixtureSerializer(StrictSerializer):
    """The moment of the fixture that the caller has seen."""

    seen = serializers.DateTimeField(required=False, allow_null=True, default=None)


class ConfirmFixtureSerializer(StrictSerializer):
    """Which version of the sheet is agreed with; left out: the present one."""

    version = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)
    for_all = serializers.BooleanField(
        default=False,
        help_text="The table has signed on paper, says a scorer who plays at it himself.",
    )


class FixtureViewSet(ViewSet):
    """Fixtures of the tournaments that you may see."""

    lookup_value_converter = "int"

    @extend_schema(summary="A fixture", responses={200: FixtureSerializer, 404: ErrorSerializer})
    def retrieve(self, request: Request, pk: int) -> Response:
        """Give who meets, where it is played and how it ended."""
        return _told(get_fixture(request.user, pk))

    @extend_schema(
        summary="Decide a fixture",
        request=DecideFixtureSerializer,
        responses={200: FixtureSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def decide(self, request: Request, pk: int) -> Response:
        """Write a result down; the same again changes nothing. A director may."""
        row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
        given = _read(DecideFixtureSerializer, request)
        given["scores"] = [(score[0], score[1]) for score in given["scores"]]
        actions.decide_fixture(fixture=row, by=cast("User", request.user), **given)
        return _told(get_fixture(request.user, pk))

    @extend_schema(
        summary="Take a result back",
        request=SeenFixtureSerializer,
        responses={200: FixtureSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: int) -> Response:
        """Take a result back, or call the sides away from their table. A director may."""
        row = get_fixture(request.user, pk, at_least=Role.DIRECTOR)
        given = _read(SeenFixtureSerializer, request)
        actions.undo_fixture(fixture=row, by=cast("User", request.user), **given)
        return _told(get_fixture(request.user, pk))

    @extend_schema(
        summary="Confirm what the sheet says",
        request=ConfirmFixtureSerializer,
        responses={200: FixtureSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, pk: int) -> Response:
        """Sign the sheet of its table: from one's seat, or as a scorer for the whole table."""
        row = get_fixture(request.user, pk)
        if row.table_id is None:
            # Who may not score anywhere is told no more than that.
            get_fixture(request.user, pk, at_least=Role.SCORER)
            raise Conflict(_("This fixture is not being played."), code="not_playing")
        table = get_table_to_score(request.user, row.table_id)
        given = _read(ConfirmFixtureSerializer, request)
        by = cast("User", request.user)
        actions.sign(game_of(table).sheet, table=table, by=by, **given)
        return _told(get_fixture(request.user, pk))


def _read(kind: type[StrictSerializer], request: Request) -> dict[str, Any]:
    given = kind(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def _told(row: Fixture) -> Response:
    entries = {entry.pk: entry for entry in (row.home, row.away) if entry is not None}
    return Response(FixtureSerializer(row, context={"entries": entries}).data)
