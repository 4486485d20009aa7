"""Addresses of evenings: plan, check-in, draw, tables, journal, paper."""

from __future__ import annotations

from django.urls import path

from tournaments.views import check_in, clock, draws, entries, evenings, printing, stages, tables

urlpatterns = [
    path("clubs/<slug:slug>/evenings/", evenings.evenings, name="evenings"),
    path("clubs/<slug:slug>/evenings/new/", evenings.create_event, name="create-event"),
    path("evenings/<int:pk>/edit/", evenings.edit_event, name="edit-event"),
    path("evenings/<int:pk>/cancel/", evenings.cancel_event, name="cancel-event"),
    path("evenings/<int:pk>/journal/", evenings.journal, name="journal"),
    path("evenings/<int:pk>/check-in/", check_in.check_in, name="check-in"),
    path("evenings/<int:pk>/check-in/presence/", check_in.presence, name="presence"),
    path("evenings/<int:pk>/check-in/guests/", check_in.add_guest, name="add-guest"),
    path("clubs/<slug:slug>/tournaments/new/", stages.create_tournament, name="create-tournament"),
    path("evenings/<int:pk>/stages/", stages.stages, name="stages"),
    path("evenings/<int:pk>/stages/new/", stages.add_stage, name="add-stage"),
    path("stages/<int:pk>/", stages.change_stage, name="change-stage"),
    path("stages/<int:pk>/remove/", stages.remove_stage, name="remove-stage"),
    path("evenings/<int:pk>/entries/", entries.entries, name="entries"),
    path("evenings/<int:pk>/entries/new/", entries.enter_player, name="enter-player"),
    path("evenings/<int:pk>/entries/presence/", entries.entry_presence, name="entry-presence"),
    path(
        "evenings/<int:pk>/entries/everybody/",
        entries.check_in_everybody,
        name="check-in-everybody",
    ),
    path("evenings/<int:pk>/entries/list/", entries.import_entries, name="import-entries"),
    path("evenings/<int:pk>/entries/partners/", entries.draw_partners, name="draw-partners"),
    path("evenings/<int:pk>/leave/", entries.leave_event, name="leave-event"),
    path("entries/<int:pk>/", entries.entry, name="entry"),
    path("entries/<int:pk>/withdraw/", entries.withdraw_entry, name="withdraw-entry"),
    path("entries/<int:pk>/return/", entries.return_entry, name="return-entry"),
    path("entries/<int:pk>/replace/", entries.replace_entry, name="replace-entry"),
    path("entries/<int:pk>/apart/", entries.prohibit_pair, name="prohibit-pair"),
    path("entries/<int:pk>/together/", entries.allow_pair, name="allow-pair"),
    path("evenings/<int:pk>/draw/", draws.draw, name="draw"),
    path("evenings/<int:pk>/draw/new/", draws.draw_round, name="draw-round"),
    path("evenings/<int:pk>/draw/cut/", draws.decide_cut, name="decide-cut"),
    path("evenings/<int:pk>/draw/start/", draws.publish_round, name="publish-round"),
    path("evenings/<int:pk>/draw/drop/", draws.discard_draw, name="discard-draw"),
    path("evenings/<int:pk>/draw/swap/", draws.swap_players, name="swap-players"),
    path("evenings/<int:pk>/draw/take-back/", draws.withdraw_round, name="withdraw-round"),
    path("evenings/<int:pk>/tables/", tables.tables, name="tables"),
    path("evenings/<int:pk>/tables/<int:number>/", tables.current_sheet, name="table-sheet"),
    path("evenings/<int:pk>/tables/close/", tables.close_round, name="close-round"),
    path("evenings/<int:pk>/tables/reopen/", tables.reopen_round, name="reopen-round"),
    path("evenings/<int:pk>/tables/deals/", tables.change_deals, name="change-deals"),
    path("evenings/<int:pk>/clock/", clock.change_clock, name="change-clock"),
    path("evenings/<int:pk>/clock/tables/", clock.extend_table, name="extend-table"),
    path("evenings/<int:pk>/table-cards/", printing.print_table_cards, name="print-table-cards"),
    path("evenings/<int:pk>/seating/", printing.print_seating, name="print-seating"),
]
