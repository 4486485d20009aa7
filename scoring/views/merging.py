"""Giving a guest's results to somebody who was already on the list."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.forms.players import PlayerSearchForm
from clubs.models import Player
from clubs.permissions import MemberRequest, get_player_to_change, role_in
from scoring import actions

PLAYERS_SHOWN = 20


def other_players(guest: Player, words: str) -> list[Player]:
    """Those who may be meant: called so, or all when nobody is."""
    others = guest.club.players.active().exclude(pk=guest.pk).select_related("membership")
    return list(others.called(words).by_name()[:PLAYERS_SHOWN])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def merge_player(request: MemberRequest, pk: int) -> HttpResponse:
    """Find the other player and, at the press of the button, put the two together."""
    guest = get_player_to_change(request.user, pk)
    status = 200
    if request.method == "POST":
        choice = forms.ModelChoiceField(guest.club.players.active())
        try:
            into = actions.merge_players(
                guest=guest,
                into=choice.clean(request.POST.get("into")),
                by=request.user,
                at=timezone.now(),
            )
        except ValidationError as refusal:
            for sentence in refusal.messages:
                messages.error(request, sentence)
            status = 422
        else:
            messages.success(
                request,
                _("The results of %(guest)s now belong to %(name)s.")
                % {"guest": guest.name, "name": into.name},
            )
            return redirect("player", into.pk)
    search = PlayerSearchForm({"q": request.GET.get("q", guest.short_name)})
    context = {
        "club": guest.club,
        "role": role_in(request.user, guest.club),
        "nav": "players",
        "guest": guest,
        "form": search,
        "others": other_players(guest, search.words()),
    }
    return render(request, "scoring/merge_player.html", context, status=status)
