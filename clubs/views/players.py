"""The people of a club: the list, one form for each change."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs import actions
from clubs.forms.players import (
    InvitationForm,
    NewPlayerForm,
    PlayerForm,
    PlayerSearchForm,
    RoleForm,
    ShownNameForm,
)
from clubs.models import Role
from clubs.permissions import (
    MemberRequest,
    get_club,
    get_player_to_change,
    get_player_to_name,
    require_role,
    role_in,
)
from clubs.views.answers import answer, answers_in

PLAYERS_ON_A_PAGE = 50


@login_required
@require_safe
@vary_on_headers("HX-Request")
def players(request: MemberRequest, slug: str) -> HttpResponse:
    """The people of the club by name; the search replaces the list alone."""
    club = get_club(request.user, slug, at_least=Role.MEMBER)
    form = PlayerSearchForm(request.GET)
    found = club.players.in_group(form.chosen_group()).called(form.words())
    listed = found.for_list(timezone.now()).by_name()
    role = role_in(request.user, club)
    context = {
        "club": club,
        "role": role,
        "nav": "players",
        "form": form,
        "words": form.words(),
        "group": form.chosen_group(),
        "page": Paginator(listed, PLAYERS_ON_A_PAGE).get_page(request.GET.get("page")),
        "may_change": role is not None and role.may_act_as(Role.DIRECTOR),
    }
    template = "clubs/players.html"
    if request.htmx:
        template += "#people"
    return render(request, template, context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add_player(request: MemberRequest, slug: str) -> HttpResponse:
    club = get_club(request.user, slug, at_least=Role.DIRECTOR)
    form = NewPlayerForm(answers_in(request), initial={"name": request.GET.get("name", "")})
    if form.is_valid():
        answers = dict(form.cleaned_data)
        try:
            player = actions.add_player(
                club=club,
                is_member=answers.pop("kind") == "member",
                on=timezone.localdate(),
                **answers,
            )
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("%(name)s is on the list.") % {"name": player.name})
            return redirect("add-player" if "another" in request.POST else "players", club.slug)
    role = role_in(request.user, club)
    return answer(request, "clubs/add_player.html", form, club=club, role=role, nav="players")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_player(request: MemberRequest, pk: int) -> HttpResponse:
    player = get_player_to_change(request.user, pk)
    form = PlayerForm(answers_in(request), instance=player)
    if form.is_valid():
        try:
            player = actions.change_player(player=player, **form.cleaned_data)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("%(name)s is changed.") % {"name": player.name})
            return redirect("players", player.club.slug)
    return show_player_form(request, pk, form=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def player_name(request: MemberRequest, pk: int) -> HttpResponse:
    """Choose how those outside the club read the name: the player himself, or an owner."""
    player = get_player_to_name(request.user, pk)
    form = ShownNameForm.of(player, answers_in(request))
    if form.is_valid():
        try:
            actions.choose_shown_name(player=player, **form.cleaned_data)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("Everybody outside the club now reads the name like that."))
            return redirect("player-name", pk)
    role = role_in(request.user, player.club)
    context = {"player": player, "club": player.club, "role": role, "nav": "players"}
    return answer(request, "clubs/player_name.html", form, **context)


def show_player_form(
    request: MemberRequest, pk: int, *, form: PlayerForm | None = None, status: int = 200
) -> HttpResponse:
    """The page with all that can be changed about a player."""
    player = get_player_to_change(request.user, pk)
    role = role_in(request.user, player.club)
    context = {
        "player": player,
        "club": player.club,
        "role": role,
        "nav": "players",
        "form": form or PlayerForm(instance=player),
        "role_form": RoleForm(initial={"role": player.role}),
        "invitation_form": InvitationForm(),
        "invitation": player.invitations.good(timezone.now()).latest_first().first(),
        "gives_roles": role == Role.OWNER and player.role is not None,
    }
    if form is not None and form.is_bound and not form.is_valid():
        status = 422
    return render(request, "clubs/edit_player.html", context, status=status)


def change(
    request: MemberRequest, pk: int, action: Callable[[], object], said: str
) -> HttpResponse:
    """Do one thing to a player and come back to the form; a refusal is said there."""
    try:
        action()
    except ValidationError as refusal:
        for sentence in refusal.messages:
            messages.error(request, sentence)
        return show_player_form(request, pk, status=422)
    messages.success(request, said)
    return redirect("edit-player", pk)


@login_required
@require_POST
def make_member(request: MemberRequest, pk: int) -> HttpResponse:
    player = get_player_to_change(request.user, pk)
    return change(
        request,
        pk,
        lambda: actions.make_member(player=player, on=timezone.localdate()),
        _("%(name)s is a member.") % {"name": player.name},
    )


@login_required
@require_POST
def make_guest(request: MemberRequest, pk: int) -> HttpResponse:
    player = get_player_to_change(request.user, pk)
    return change(
        request,
        pk,
        lambda: actions.make_guest(player=player, on=timezone.localdate()),
        _("%(name)s is a guest.") % {"name": player.name},
    )


@login_required
@require_POST
def change_role(request: MemberRequest, pk: int) -> HttpResponse:
    """Only owners give roles."""
    player = get_player_to_change(request.user, pk)
    require_role(request.user, player.club, Role.OWNER)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles."))
        return show_player_form(request, pk, status=422)
    role = Role(form.cleaned_data["role"])
    said = _("The role of %(name)s is now: %(role)s.") % {"name": player.name, "role": role.label}
    return change(request, pk, lambda: actions.change_role(player=player, role=role), said)


@login_required
@require_POST
def put_player_away(request: MemberRequest, pk: int) -> HttpResponse:
    player = get_player_to_change(request.user, pk)
    now = timezone.now()
    return change(
        request,
        pk,
        lambda: actions.put_away(player=player, at=now, on=timezone.localdate(now)),
        _("%(name)s is no longer on the lists.") % {"name": player.name},
    )


@login_required
@require_POST
def take_player_back(request: MemberRequest, pk: int) -> HttpResponse:
    player = get_player_to_change(request.user, pk)
    return change(
        request,
        pk,
        lambda: actions.take_back(player=player),
        _("%(name)s is on the lists again, as a guest.") % {"name": player.name},
    )
