"""Inviting a player, and the page behind the link."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from clubs import actions, attempts
from clubs.forms.accounts import InvitedAccountForm
from clubs.forms.players import InvitationForm
from clubs.models import Invitation, User
from clubs.permissions import MemberRequest, get_player_to_change
from clubs.views.accounts import BACKEND, chosen_language
from clubs.views.answers import answers_in, too_many
from clubs.views.players import show_player_form


@login_required
@require_POST
def invite_player(request: MemberRequest, pk: int) -> HttpResponse:
    player = get_player_to_change(request.user, pk)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This is not an e-mail address. Nothing was sent."))
        return show_player_form(request, pk, status=422)
    try:
        invitation = actions.invite_player(
            player=player,
            email=form.cleaned_data["email"],
            by=request.user,
            at=timezone.now(),
            site=request.build_absolute_uri("/").rstrip("/"),
        )
    except ValidationError as refusal:
        for sentence in refusal.messages:
            messages.error(request, sentence)
        return show_player_form(request, pk, status=422)
    said = _("The link is ready.")
    if invitation.email:
        said = _("The invitation goes to %(email)s.") % {"email": invitation.email}
    messages.success(request, said)
    return redirect("edit-player", pk)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, key: str) -> HttpResponse:
    """Explain the invitation and let it be accepted, with a new account or the own one."""
    found = get_object_or_404(Invitation.objects.select_related("player__club"), key=key)
    if isinstance(request.user, User):
        return accept_with_own_account(request, found, request.user)
    return accept_with_new_account(request, found)


def show(
    request: HttpRequest, found: Invitation, form: InvitedAccountForm | None, status: int
) -> HttpResponse:
    now = timezone.now()
    context = {
        "invitation": found,
        "player": found.player,
        "host": found.player.club,
        "form": form,
        "is_good": found.is_good(now) and found.player.account_id is None,
        "is_used": found.accepted_at is not None or found.player.account_id is not None,
        "is_mine": request.user.is_authenticated and found.player.account_id == request.user.pk,
    }
    return render(request, "clubs/invitation.html", context, status=status)


def accept_with_own_account(request: HttpRequest, found: Invitation, account: User) -> HttpResponse:
    if request.method != "POST":
        return show(request, found, None, 200)
    try:
        actions.accept_invitation(invitation=found, account=account, at=timezone.now())
    except ValidationError as refusal:
        for sentence in refusal.messages:
            messages.error(request, sentence)
        found.player.refresh_from_db()
        return show(request, found, None, 409)
    return welcome(request, found)


def accept_with_new_account(request: HttpRequest, found: Invitation) -> HttpResponse:
    guess = {"email": found.email, "name": found.player.name}
    form = InvitedAccountForm(answers_in(request), initial=guess)
    place = attempts.address_of(request)
    if request.method == "POST":
        if attempts.NEW_ACCOUNTS.is_reached(place):
            return too_many(request, form, "accounts/too_many.html")
        attempts.NEW_ACCOUNTS.count(place)
    if form.is_valid():
        try:
            account = actions.open_invited_account(
                invitation=found,
                **form.cleaned_data,
                language=chosen_language(request),
                at=timezone.now(),
            )
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            login(request, account, BACKEND)
            return welcome(request, found)
    return show(request, found, form, 422 if form.errors else 200)


def welcome(request: HttpRequest, found: Invitation) -> HttpResponse:
    club = found.player.club
    messages.success(request, _("Welcome to %(club)s.") % {"club": club.name})
    return redirect("club", club.slug)
