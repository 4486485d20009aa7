"""Lines of truco sheets over the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from clubs.api import StrictSerializer
from scoring.models import TrucoLine
from scoring.rules.truco import CAP_RULES, KIND, Entered, hand_in_notation, meeting_of
from tournaments.fixtures import CapRule
from tournaments.models import Table

#: What a column for a number or a version of a sheet holds.
LARGEST = 32_767
PAIRS = [("a", "a"), ("b", "b")]


class TrucoLineSerializer(serializers.ModelSerializer[TrucoLine]):
    """A line of a truco sheet; one that was corrected or is void stays readable."""

    table = serializers.PrimaryKeyRelatedField[Table](read_only=True)
    corrected_by = serializers.PrimaryKeyRelatedField[TrucoLine](read_only=True, allow_null=True)
    winner = serializers.CharField(
        read_only=True, help_text="`a` (the pair of the first seat), `b`, or empty for nobody."
    )

    class Meta:
        model = TrucoLine
        fields = (
            "id", "table", "number", "state", "kind", "winner", "points", "ending", "points_a",
            "points_b", "notation", "recorded_at", "corrected_by", "void_reason", "voided_at",
        )  # fmt: skip


class TrucoWrittenSerializer(TrucoLineSerializer):
    """A line that was just written, with the sheet's new version."""

    table_version = serializers.IntegerField(source="table.version", read_only=True)

    class Meta(TrucoLineSerializer.Meta):
        fields = (*TrucoLineSerializer.Meta.fields, "table_version")  # type: ignore[assignment]


class TrucoReportSerializer(StrictSerializer):
    """A line as the table reports it: a hand, a final score, a tento, or the end of the time."""

    entry_key = serializers.UUIDField(
        help_text="Made by you for this line: sent twice, it is one line."
    )
    kind = serializers.ChoiceField(choices=TrucoLine.Kind.choices, default=KIND.HAND)
    winner = serializers.ChoiceField(
        choices=PAIRS,
        required=False,
        allow_blank=True,
        default="",
        help_text="`a` is the pair of the first seat; empty where nobody scores.",
    )
    points = serializers.IntegerField(
        min_value=0, max_value=99, required=False, default=0, help_text="Of a hand or a tento."
    )
    ending = serializers.ChoiceField(
        choices=TrucoLine.Ending.choices, required=False, allow_blank=True, default=""
    )
    points_a = serializers.IntegerField(
        min_value=0, max_value=99, required=False, help_text="The final score of a game."
    )
    points_b = serializers.IntegerField(min_value=0, max_value=99, required=False)
    notation = serializers.CharField(
        max_length=1000,
        required=False,
        allow_blank=True,
        default="",
        help_text="A whole hand in notation (TRN); the rest follows from it.",
    )
    cap = serializers.ChoiceField(
        choices=[(str(rule), str(rule)) for rule in CAP_RULES],
        required=False,
        help_text="With the kind `cap`: what happens now that the time is over.",
    )
    why = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Why it is corrected; a director who does not sit at the table says so.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        return {
            "entry_key": given["entry_key"],
            "line": self._line(given),
            "number": given.get("number"),
            "version": given.get("version"),
            **({"why": given["why"]} if "why" in given else {}),
        }

    def _line(self, given: dict[str, Any]) -> Entered:
        if given["notation"]:
            return self._noted(given["notation"])
        if given["kind"] == KIND.GAME:
            return Entered(kind=KIND.GAME, final=self._final(given))
        if given["kind"] == KIND.CAP:
            if "cap" not in given:
                raise serializers.ValidationError(
                    {"cap": [_("Say what happens now that the time is over.")]}, code="required"
                )
            return Entered(kind=KIND.CAP, cap=CapRule(given["cap"]))
        return Entered(
            kind=KIND(given["kind"]),
            winner=given["winner"],
            points=given["points"],
            ending=given["ending"],
        )

    def _final(self, given: dict[str, Any]) -> tuple[int, int]:
        for name in ("points_a", "points_b"):
            if name not in given:
                raise serializers.ValidationError({name: [_("How many points?")]}, code="required")
        return given["points_a"], given["points_b"]

    def _noted(self, notation: str) -> Entered:
        table: Table = self.context["table"]
        corrected: TrucoLine | None = self.context.get("row")
        rows = table.truco_lines.standing().in_play_order()
        before = [r for r in rows if corrected is None or r.number < corrected.number]
        return hand_in_notation(meeting_of(table, before), notation)


class TrucoRecordSerializer(TrucoReportSerializer):
    """A new line; `number` or `version` says which sheet you have seen, and an old one is 409."""

    why = None  # type: ignore[assignment]  # a new row corrects nothing
    number = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        help_text="The line you mean; left out: the next.",
    )
    version = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="The sheet's version that you have seen.",
    )
