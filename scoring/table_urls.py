"""Addresses of one table: what a hall's phones ask for again and again, found first."""

from __future__ import annotations

from django.urls import path

from scoring.views import confirmations, deals, director, dropping, referee, sheets, signing
from tournaments.http import kept_for_everybody

urlpatterns = [
    path("", kept_for_everybody(sheets.sheet), name="sheet"),
    path("deals/", deals.record_deal, name="record-deal"),
    path("entering/", confirmations.entering, name="entering"),
    path("sign/", signing.sign_sheet, name="sign-sheet"),
    path("unsign/", signing.unsign_sheet, name="unsign-sheet"),
    path("referee/", referee.call_referee, name="call-referee"),
    path("dealer/", deals.choose_dealer, name="choose-dealer"),
    path("dropped/", dropping.drop_kept, name="drop-kept"),
    path("undo/", deals.undo_deal, name="undo-deal"),
    path("print/", kept_for_everybody(sheets.print_sheet), name="print-sheet"),
    path("deals/<int:row>/correct/", deals.correct_deal, name="correct-deal"),
    path(
        "deals/<int:row>/confirm/",
        confirmations.confirm_deal,
        name="confirm-deal",
    ),
    path(
        "deals/<int:row>/object/",
        confirmations.object_to_deal,
        name="object-to-deal",
    ),
    path(
        "deals/<int:row>/agreement/",
        confirmations.agreement,
        name="agreement",
    ),
    path("take-over/", director.take_over_table, name="take-over"),
    path("deals/<int:row>/void/", deals.void_deal, name="void-deal"),
]
