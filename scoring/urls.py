"""Addresses of sheets, deals, standings and rankings."""

from __future__ import annotations

from django.urls import path

from scoring.views import (
    clubs,
    deals,
    evenings,
    leaderboards,
    merging,
    papers,
    players,
    referee,
    results,
    seats,
    sheets,
    signing,
)

urlpatterns = [
    path("clubs/<slug:slug>/", clubs.show_club, name="club"),
    path("clubs/<slug:slug>/ranking/", leaderboards.show_ranking, name="ranking"),
    path("seasons/<int:pk>/publish/", leaderboards.publish_ranking, name="publish-ranking"),
    path("ranking/<int:pk>/why/", leaderboards.explain_rank, name="why-rank"),
    path("players/<int:pk>/", players.show_player, name="player"),
    path("players/<int:pk>/with/<int:other>/", players.head_to_head, name="head-to-head"),
    path("players/<int:pk>/merge/", merging.merge_player, name="merge-player"),
    path("evenings/<int:pk>/", evenings.show_event, name="event"),
    path("evenings/<int:pk>/standings/", leaderboards.show_standings, name="standings"),
    path("evenings/<int:pk>/close/", evenings.close_event, name="close-event"),
    path("evenings/<int:pk>/reopen/", evenings.reopen_event, name="reopen-event"),
    path("evenings/<int:pk>/publish/", evenings.publish_event, name="publish-event"),
    path("evenings/<int:pk>/referee/", referee.referee, name="referee"),
    path("evenings/<int:pk>/referee/rulings/", referee.record_ruling, name="record-ruling"),
    path("evenings/<int:pk>/seats/", seats.change_seats, name="change-seats"),
    path("evenings/<int:pk>/seats/undo/", seats.undo_change, name="undo-change"),
    path("rulings/<int:pk>/withdraw/", referee.withdraw_ruling, name="withdraw-ruling"),
    path("calls/<int:pk>/go/", referee.go_to_call, name="go-to-call"),
    path("calls/<int:pk>/answer/", referee.answer_call, name="answer-call"),
    path("tables/<int:pk>/sign/", signing.sign_sheet, name="sign-sheet"),
    path("tables/<int:pk>/unsign/", signing.unsign_sheet, name="unsign-sheet"),
    path("tables/<int:pk>/referee/", referee.call_referee, name="call-referee"),
    path("evenings/<int:pk>/results/", results.show_results, name="results"),
    path("evenings/<int:pk>/results/final/", results.make_final, name="make-final"),
    path(
        "evenings/<int:pk>/results/hours/",
        results.change_provisional_hours,
        name="provisional-hours",
    ),
    path(
        "evenings/<int:pk>/results/tie-breaks/",
        results.declare_tie_breaks,
        name="declare-tie-breaks",
    ),
    path("evenings/<int:pk>/paper/", papers.paper, name="paper"),
    path("evenings/<int:pk>/paper/print/", papers.print_paper, name="print-paper"),
    path("evenings/<int:pk>/paper/make/", papers.make_paper, name="make-paper"),
    path("evenings/<int:pk>/paper/file/", papers.paper_file, name="paper-file"),
    path("tables/<int:pk>/", sheets.sheet, name="sheet"),
    path("tables/<int:pk>/deals/", deals.record_deal, name="record-deal"),
    path("tables/<int:pk>/undo/", deals.undo_deal, name="undo-deal"),
    path("tables/<int:pk>/print/", sheets.print_sheet, name="print-sheet"),
    path("tables/<int:pk>/deals/<int:row>/correct/", deals.correct_deal, name="correct-deal"),
    path("tables/<int:pk>/deals/<int:row>/void/", deals.void_deal, name="void-deal"),
]
