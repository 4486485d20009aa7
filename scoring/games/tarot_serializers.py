"""Deals of tarot over the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api import StrictSerializer
from rules_engine import tarot
from scoring.models import Mark, TarotDeal
from scoring.rules.tarot import in_score_order, ruleset_of
from tournaments.models import Seat, Table

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
    why = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Why it is corrected; a director who does not sit at the table says so.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        table: Table = self.context["table"]
        seats = {seat.pk: seat for seat in table.seats.all()}
        entry_key: UUID = given.pop("entry_key")
        found = {name: self._seat(seats, name, given.pop(name, None)) for name in self._seat_names}
        number, version = given.pop("number", None), given.pop("version", None)
        why = {"why": given.pop("why")} if "why" in given else {}
        if given.get("called") is None and found["partner"] is not None:
            given["called"] = str(tarot.Called.PARTNER)
        if given.get("miseres"):
            given["miseres"] = list(self._miseres(seats, given["miseres"], **found))
        rules = ruleset_of(table)
        deal = tarot.Deal.from_json({**given, "players": rules.players}, rules=rules)
        seen = {"number": number, "version": version}
        return {"entry_key": entry_key, "deal": deal, **seen, **why, **found}

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

    why = None  # type: ignore[assignment]  # a new row corrects nothing
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


class WrittenSerializer(DealSerializer):
    """A deal that was just written, with the sheet's new version."""

    table_version = serializers.IntegerField(source="table.version", read_only=True)

    class Meta(DealSerializer.Meta):
        fields = (*DealSerializer.Meta.fields, "table_version")  # type: ignore[assignment]
