"""Signing in, opening an account, changing it."""

from __future__ import annotations

import logging
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordResetForm as DjangoPasswordResetForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from clubs import attempts, mails
from clubs.forms.fields import LineField
from clubs.models import Club, User

log = logging.getLogger(__name__)


def email_field(**options: Any) -> forms.EmailField:
    return forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        **options,
    )


def password_field(*, is_new: bool) -> forms.CharField:
    return forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=1024,
        help_text=_("At least 8 characters; not one that everybody uses.") if is_new else "",
        widget=forms.PasswordInput(
            attrs={"autocomplete": "new-password" if is_new else "current-password"}
        ),
    )


def person_field() -> forms.CharField:
    return LineField(
        label=_("Your name"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


def too_many_wrong() -> ValidationError:
    return ValidationError(
        _("Too many attempts. Try again in 15 minutes, or choose a new password."),
        code="too-many",
    )


class SignInForm(forms.Form):
    """An address and a password; refuses after too many wrong ones."""

    email = email_field()
    password = password_field(is_new=False)

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.request = request
        self.account: User | None = None
        self.is_blocked = False
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        email, password = data.get("email"), data.get("password")
        if not email or not password:
            return data
        if attempts.is_blocked(email, self.request):
            self.is_blocked = True
            raise too_many_wrong()
        account = authenticate(self.request, username=email.lower(), password=password)
        if not isinstance(account, User):
            attempts.count_wrong(email, self.request)
            raise ValidationError(
                _("This address and this password do not belong together."), code="wrong"
            )
        attempts.forget_wrong(email, self.request)
        self.account = account
        return data


class StaffSignInForm(AdminAuthenticationForm):
    """The door of the admin, with the same patience."""

    def clean(self) -> dict[str, Any]:
        email = str(self.cleaned_data.get("username", ""))
        if attempts.is_blocked(email, self.request):
            raise too_many_wrong()
        try:
            return super().clean()
        except ValidationError:
            attempts.count_wrong(email, self.request)
            raise


class StartClubForm(forms.ModelForm):
    """A new club, in two answers."""

    name = LineField(label=_("Name of the club"), max_length=120)

    class Meta:
        model = Club
        fields = ("name", "town")
        field_classes = {"town": LineField}


class SignUpForm(forms.Form):
    """A new account with a new club."""

    name = person_field()
    email = email_field()
    password = password_field(is_new=True)
    club_name = LineField(label=_("Name of the club"), max_length=120)
    town = LineField(label=_("Town"), max_length=120, required=False)


class InvitedAccountForm(forms.Form):
    """A new account for somebody whom a club has invited."""

    name = person_field()
    email = email_field()
    password = password_field(is_new=True)


class AccountForm(forms.ModelForm):
    """What somebody may change about the own account."""

    # Whoever never chose a language must find that said, or storing a name would choose one.
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("As the browser says")), *settings.LANGUAGES],
        required=False,
    )

    class Meta:
        model = User
        fields = ("name", "language")
        field_classes = {"name": LineField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = True


class PasswordResetForm(DjangoPasswordResetForm):
    """Asks for a mail with a link; says the same whether there is an account or not."""

    email = email_field()

    def send_mail(  # type: ignore[override]  # the template names are ours alone
        self, _subject: str, _text: str, context: dict[str, Any], *_args: Any, **_kwargs: Any
    ) -> None:
        account = context["user"]
        message = mails.password_reset(account, context, language=get_language() or "en")
        try:
            message.send()
        except OSError:  # the answer must not tell which addresses have an account
            log.exception("The mail for a new password of account %s was not sent", account.pk)
