"""The referee over the API: the list of faults, calls, and the ledger of rulings."""

from __future__ import annotations

from typing import Any, cast

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from clubs.api import ErrorSerializer, StrictSerializer
from clubs.models import Role, User
from clubs.permissions import require_role
from scoring import actions
from scoring.permissions import get_table_to_score
from scoring.rules.rulings import barred_deal
from tournaments import actions as tournament_actions
from tournaments import faults
from tournaments.games import facts_of
from tournaments.models import Entry, Event, RefereeCall, Ruling, Table
from tournaments.permissions import get_event, get_ruling

LARGEST = 32_767
REFUSALS = {
    400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer, 404: ErrorSerializer,
    409: ErrorSerializer,
}  # fmt: skip


# The list of faults


class FaultSerializer(serializers.Serializer[Any]):
    """A fault of the federation's list, or something that the referee grants."""

    code = serializers.CharField()
    words = serializers.SerializerMethodField()
    amounts = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Points of the first, second … penalty; the last one for all that follow.",
    )
    warning_first = serializers.BooleanField()
    may_be_waived = serializers.BooleanField()
    deal = serializers.ChoiceField(choices=[(str(d), str(d)) for d in faults.Deal])
    poignee = serializers.ChoiceField(choices=[(str(p), str(p)) for p in faults.Poignee])
    barred = serializers.BooleanField(help_text="May the offender not bid on the next deal?")
    granted = serializers.BooleanField(help_text="No fault: something that the referee grants.")
    consequences = serializers.SerializerMethodField(help_text="What follows, in words.")

    def get_words(self, fault: faults.Fault) -> str:
        return _(fault.words)

    def get_consequences(self, fault: faults.Fault) -> list[str]:
        return [_(said) for said in faults.consequences(fault)]


class FaultsView(APIView):
    """The list of faults."""

    permission_classes = (AllowAny,)

    @extend_schema(
        summary="The faults and what they cost", responses={200: FaultSerializer(many=True)}
    )
    def get(self, request: Request) -> Response:
        """Give every fault that a ruling can be about, in the order of the list."""
        return Response(FaultSerializer(list(faults.FAULTS.values()), many=True).data)


# Rulings


class RulingSerializer(serializers.ModelSerializer[Ruling]):
    """A ruling; one that was withdrawn stays readable."""

    entry = serializers.PrimaryKeyRelatedField[Entry](read_only=True, allow_null=True)
    table = serializers.PrimaryKeyRelatedField[Table](read_only=True, allow_null=True)
    round = serializers.IntegerField(source="round.number", read_only=True, allow_null=True)
    player = serializers.SerializerMethodField(help_text="Who is at fault; empty for nobody.")
    words = serializers.SerializerMethodField(help_text="The fault in the caller's language.")
    stands = serializers.BooleanField(read_only=True)
    barred_deal = serializers.SerializerMethodField(
        help_text="The deal of this table on which the player may not bid."
    )

    class Meta:
        model = Ruling
        fields = (
            "id", "kind", "effect", "fault", "words", "entry", "player", "round", "table",
            "deal_number",
            "outcome", "points", "note", "barred_deal", "ruled_at", "stands", "withdrawn_at",
            "withdrawn_why",
        )  # fmt: skip

    def get_player(self, ruling: Ruling) -> str:
        return str(ruling.entry) if ruling.entry else ""

    def get_words(self, ruling: Ruling) -> str:
        fault = faults.FAULTS.get(ruling.fault)
        return _(fault.words) if fault else ruling.fault

    def get_barred_deal(self, ruling: Ruling) -> int | None:
        return barred_deal(ruling)


class RecordRulingSerializer(StrictSerializer):
    """A ruling to be written; what is left out follows from the list of faults."""

    entry_key = serializers.UUIDField(
        help_text="Made by you for this ruling: sent twice, it is one ruling."
    )
    fault = serializers.ChoiceField(
        choices=list(faults.FAULTS), required=False, help_text="Asked for where points are taken."
    )
    effect = serializers.ChoiceField(
        choices=Ruling.Effect.choices,
        required=False,
        allow_blank=True,
        help_text="What it costs where games are won; left out there: a warning.",
    )
    entry = serializers.IntegerField(
        required=False, allow_null=True, help_text="The entry at fault, or to whom it is granted."
    )
    table = serializers.IntegerField(required=False, allow_null=True)
    deal_number = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=LARGEST
    )
    outcome = serializers.ChoiceField(
        choices=Ruling.Outcome.choices,
        required=False,
        allow_null=True,
        help_text="What becomes of the deal; left out: as the list says.",
    )
    kind = serializers.ChoiceField(
        choices=Ruling.Kind.choices,
        required=False,
        allow_null=True,
        help_text="Left out: as the list says, by what came before.",
    )
    points = serializers.IntegerField(
        required=False, min_value=1, max_value=10_000, help_text="Of a penalty with a `kind`."
    )
    note = serializers.CharField(required=False, allow_blank=True, max_length=300)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        event: Event = self.context["event"]
        if facts_of(event.game).effects:
            return self._of_games(given, event)
        if "fault" not in given:
            raise serializers.ValidationError({"fault": [_("Choose a fault of the list.")]})
        if "effect" in given:
            raise serializers.ValidationError(
                {"effect": [_("This game knows no such penalty.")]}, code="not_here"
            )
        if "points" in given and given.get("kind") != Ruling.Kind.PENALTY:
            raise serializers.ValidationError(
                {"points": [_("Only a penalty takes points.")]}, code="not_here"
            )
        given["entry"] = self._found(given, "entry", event.entries.all())
        given["table"] = self._found(
            given, "table", Table.objects.filter(round__in=event.rounds.published())
        )
        return {"outcome": None, "kind": None, **given}

    def _of_games(self, given: dict[str, Any], event: Event) -> dict[str, Any]:
        for name in ("fault", "kind", "outcome"):
            if given.get(name) is not None and (name, given[name]) != ("fault", faults.OTHER):
                raise serializers.ValidationError(
                    {name: [_("Games are won here: say the effect.")]}, code="not_here"
                )
        entry = self._found(given, "entry", event.entries.all())
        if entry is None:
            raise serializers.ValidationError({"entry": [_("Say who is at fault.")]})
        tables = Table.objects.filter(round__in=event.rounds.published())
        return {
            "entry_key": given["entry_key"],
            "entry": entry,
            "table": self._found(given, "table", tables.select_related("round")),
            "effect": given.get("effect", ""),
            "note": given.get("note", ""),
            "points": given.get("points"),
            "hand": given.get("deal_number"),
        }

    @staticmethod
    def _found(given: dict[str, Any], name: str, rows: Any) -> Any:
        pk = given.get(name)
        row = None if pk is None else rows.filter(pk=pk).first()
        if pk is not None and row is None:
            raise serializers.ValidationError(
                {name: [_("It is not of this evening.")]}, code="another_evening"
            )
        return row


class WithdrawSerializer(StrictSerializer):
    """Why a ruling is withdrawn."""

    why = serializers.CharField(max_length=200)


class RulingsView(APIView):
    """The ledger of an evening."""

    @extend_schema(
        summary="The rulings of an evening",
        responses={200: RulingSerializer(many=True), 403: ErrorSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give every ruling, the latest first, also those that were withdrawn."""
        event = get_event(request.user, pk, at_least=Role.MEMBER)
        return Response(RulingSerializer(event.rulings.for_ledger(), many=True).data)

    @extend_schema(
        summary="Record a ruling",
        request=RecordRulingSerializer,
        responses={201: RulingSerializer, 200: RulingSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write a ruling: 201, or 200 when this `entry_key` is already there. A director may."""
        event = get_event(request.user, pk, at_least=Role.DIRECTOR)
        sent = RecordRulingSerializer(data=request.data, context={"event": event})
        sent.is_valid(raise_exception=True)
        given = sent.validated_data
        known = event.rulings.filter(entry_key=given["entry_key"]).exists()
        act = actions.penalise_entry if facts_of(event.game).effects else actions.record_ruling
        ruling = act(event=event, by=cast("User", request.user), **given)
        code = status.HTTP_200_OK if known else status.HTTP_201_CREATED
        return Response(RulingSerializer(ruling).data, status=code)


class RulingViewSet(ViewSet):
    """Single rulings."""

    lookup_value_converter = "int"

    @extend_schema(
        summary="A ruling",
        responses={200: RulingSerializer, 403: ErrorSerializer, 404: ErrorSerializer},
    )
    def retrieve(self, request: Request, pk: int) -> Response:
        """Give a ruling of an evening of your club."""
        ruling = get_ruling(request.user, pk, at_least=Role.MEMBER)
        return Response(RulingSerializer(ruling).data)

    @extend_schema(
        summary="Withdraw a ruling",
        request=WithdrawSerializer,
        responses={200: RulingSerializer, **REFUSALS},
    )
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """Strike it through, with the reason; a deal that it declared void counts again."""
        ruling = get_ruling(request.user, pk, at_least=Role.DIRECTOR)
        given = WithdrawSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        ruling = actions.withdraw_ruling(
            ruling=ruling, by=cast("User", request.user), **given.validated_data
        )
        return Response(RulingSerializer(ruling).data)


# Calls


class CallSerializer(serializers.ModelSerializer[RefereeCall]):
    """A call for the referee."""

    table = serializers.PrimaryKeyRelatedField[Table](read_only=True)
    table_number = serializers.IntegerField(source="table.number", read_only=True)
    is_answered = serializers.SerializerMethodField()
    somebody_goes = serializers.SerializerMethodField(help_text="Is somebody on the way?")

    class Meta:
        model = RefereeCall
        fields = (
            "id", "table", "table_number", "reason", "is_problem", "called_at", "somebody_goes",
            "is_answered", "answered_at",
        )  # fmt: skip

    def get_is_answered(self, call: RefereeCall) -> bool:
        return call.answered_at is not None

    def get_somebody_goes(self, call: RefereeCall) -> bool:
        return call.on_the_way is not None


class AskSerializer(StrictSerializer):
    """Why the referee is called."""

    reason = serializers.CharField(required=False, allow_blank=True, max_length=200)
    is_problem = serializers.BooleanField(
        default=False, help_text="Something is wrong, but it can wait."
    )


class CallsView(APIView):
    """The calls of an evening."""

    @extend_schema(
        summary="Calls for the referee",
        responses={200: CallSerializer(many=True), 403: ErrorSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Give the calls that nobody has settled, the longest waiting first."""
        event = get_event(request.user, pk, at_least=Role.MEMBER)
        calls = RefereeCall.objects.of_event(event).waiting().for_list()
        return Response(CallSerializer(calls, many=True).data)


class TableCallView(APIView):
    """The call of a table."""

    @extend_schema(
        summary="Call the referee to a table",
        request=AskSerializer,
        responses={200: CallSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Call the referee; the table's players and the scorers may. A table calls once."""
        table = get_table_to_score(request.user, pk)
        given = AskSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        call = tournament_actions.call_referee(
            table=table, by=cast("User", request.user), **given.validated_data
        )
        return Response(CallSerializer(call).data)


class CallViewSet(ViewSet):
    """Single calls; a director goes to them."""

    lookup_value_converter = "int"

    @extend_schema(
        summary="Go to a call", request=None, responses={200: CallSerializer, **REFUSALS}
    )
    @action(detail=True, methods=["post"])
    def go(self, request: Request, pk: int) -> Response:
        """Say that you are on the way; 409 when somebody else is."""
        call = _call(request, pk)
        call = tournament_actions.go_to_call(call=call, by=cast("User", request.user))
        return Response(CallSerializer(call).data)

    @extend_schema(
        summary="Settle a call", request=None, responses={200: CallSerializer, **REFUSALS}
    )
    @action(detail=True, methods=["post"])
    def answer(self, request: Request, pk: int) -> Response:
        """Settle the call; one that is settled stays as it was settled."""
        call = _call(request, pk)
        call = tournament_actions.answer_call(call=call, by=cast("User", request.user))
        return Response(CallSerializer(call).data)


def _call(request: Request, pk: int) -> RefereeCall:
    calls = RefereeCall.objects.select_related("table__round__event__season__club")
    call = get_object_or_404(calls, pk=pk)
    require_role(request.user, call.table.event.club, Role.DIRECTOR)
    return call
