"""Signing in and out, starting a club, one's own account and password."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import (
    PasswordChangeView,
    PasswordResetConfirmView,
    PasswordResetDoneView,
    PasswordResetView,
)
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from clubs import actions, attempts, calendars
from clubs.forms.accounts import (
    AccountForm,
    PasswordResetForm,
    SignInForm,
    SignUpForm,
    StartClubForm,
)
from clubs.models import Membership, User
from clubs.permissions import MemberRequest
from clubs.views.answers import answer, answers_in, safe_next, too_many

BACKEND = "django.contrib.auth.backends.ModelBackend"


def keep_language(response: HttpResponse, language: str) -> None:
    """Let this browser speak the account's language; without one it follows its own wishes."""
    if not language:
        response.delete_cookie(
            settings.LANGUAGE_COOKIE_NAME, path=settings.LANGUAGE_COOKIE_PATH, samesite="Lax"
        )
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


def chosen_language(request: HttpRequest) -> str:
    """The language that was chosen in this browser; empty when it only follows the browser."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return HttpResponseRedirect(safe_next(request))
    form = SignInForm(request, answers_in(request))
    if form.is_valid() and form.account is not None:
        login(request, form.account, BACKEND)
        response = HttpResponseRedirect(safe_next(request))
        if form.account.language:
            keep_language(response, form.account.language)
        return response
    context = {"form": form, "nav": "sign-in", "next": safe_next(request)}
    status = 429 if form.is_blocked else 422 if form.errors else 200
    return render(request, "accounts/sign_in.html", context, status=status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Start a club: with a new account for a visitor, with the own one for who has signed in."""
    if request.user.is_authenticated:
        return start_club(request, request.user)
    form = SignUpForm(answers_in(request))
    place = attempts.address_of(request)
    if request.method == "POST":
        if attempts.NEW_ACCOUNTS.is_reached(place):
            return too_many(request, form, "accounts/sign_up.html")
        attempts.NEW_ACCOUNTS.count(place)
    if form.is_valid():
        try:
            account, club = actions.sign_up(
                **form.cleaned_data,
                language=translation.get_language() or settings.LANGUAGE_CODE,
                own_language=chosen_language(request),
                on=timezone.localdate(),
            )
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            login(request, account, BACKEND)
            messages.success(request, _("The club is open. Now add the people who play."))
            return redirect("players", club.slug)
    return answer(request, "accounts/sign_up.html", form)


def start_club(request: HttpRequest, owner: User) -> HttpResponse:
    form = StartClubForm(answers_in(request))
    if form.is_valid():
        try:
            club = actions.start_club(
                owner=owner,
                **form.cleaned_data,
                language=translation.get_language() or settings.LANGUAGE_CODE,
                on=timezone.localdate(),
            )
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("The club is open. Now add the people who play."))
            return redirect("players", club.slug)
    return answer(request, "accounts/start_club.html", form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: MemberRequest) -> HttpResponse:
    """Name and language, the way to the password and out."""
    form = AccountForm(answers_in(request), instance=request.user)
    if form.is_valid():
        actions.change_account(account=request.user, **form.cleaned_data)
        response = redirect("account")
        language = request.user.language
        # What was chosen in this browser alone outlasts another name.
        if language or "language" in form.changed_data:
            keep_language(response, language)
        with translation.override(language or translation.get_language()):
            messages.success(request, _("Your account is changed."))
        return response
    own = Membership.objects.of(request.user).with_club()
    token = calendars.token_of(request.user)
    calendar = request.build_absolute_uri(reverse("own-calendar", args=[token]))
    return answer(
        request,
        "accounts/account.html",
        form,
        nav="account",
        own=own,
        calendar=calendar,
        # Phones open their calendar at this scheme.
        webcal="webcal:" + calendar.partition(":")[2],
    )


@login_required
@require_POST
def renew_calendar(request: MemberRequest) -> HttpResponse:
    """Give the own calendar another address."""
    actions.renew_calendar(account=request.user)
    messages.success(request, _("Your calendar has a new address; the old one has ended."))
    return redirect(reverse("account") + "#calendar")


class ResetPassword(PasswordResetView):
    """Ask for a mail with a link."""

    form_class = PasswordResetForm
    template_name = "accounts/password_reset.html"
    success_url = reverse_lazy("password-reset-done")

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        place = attempts.address_of(request)
        if attempts.RESET_MAILS.is_reached(place):
            return too_many(request, self.get_form(), self.template_name)
        attempts.RESET_MAILS.count(place)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class ResetPasswordDone(PasswordResetDoneView):
    template_name = "accounts/password_reset_done.html"


class ChooseNewPassword(PasswordResetConfirmView):
    """The page behind the link."""

    template_name = "accounts/password_choose.html"
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        messages.success(self.request, _("The new password is set. Sign in with it."))
        return super().form_valid(form)

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class ChangePassword(PasswordChangeView):
    """A new password for who knows the old one."""

    template_name = "accounts/password_change.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        messages.success(
            self.request, _("The new password is set. Other devices have to sign in again.")
        )
        return super().form_valid(form)

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)
