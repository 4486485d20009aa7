"""The doors through which a sheet's data comes in; each hands over values of the engine."""

from __future__ import annotations

from scoring.forms.evenings import CloseEventForm, PublicationForm, ReopenEventForm
from scoring.forms.papers import JobForm, PaperForm
from scoring.forms.rankings import PresetForm, RankingForm, WaysForm
from scoring.forms.referee import CallForm, GameRulingForm, RulingForm, WithdrawForm, ruling_form
from scoring.forms.results import FinalForm, ProvisionalForm, ResultsForm, TieBreaksForm
from scoring.forms.sheets import DealerForm, DroppedForm, SheetForm, UndoForm, VoidDealForm
from scoring.forms.tarot import DealSeats, PointsField, TarotDealForm, answers_of, read_points

__all__ = [
    "CallForm",
    "CloseEventForm",
    "DealSeats",
    "DealerForm",
    "DroppedForm",
    "FinalForm",
    "GameRulingForm",
    "JobForm",
    "PaperForm",
    "PointsField",
    "PresetForm",
    "ProvisionalForm",
    "PublicationForm",
    "RankingForm",
    "ReopenEventForm",
    "ResultsForm",
    "RulingForm",
    "SheetForm",
    "TarotDealForm",
    "TieBreaksForm",
    "UndoForm",
    "VoidDealForm",
    "WaysForm",
    "WithdrawForm",
    "answers_of",
    "read_points",
    "ruling_form",
]
