"""Opening and changing accounts."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from clubs.actions.clubs import start_club
from clubs.models import Club, User


@transaction.atomic
def open_account(*, email: str, password: str, name: str, language: str) -> User:
    """Open an account; refuses a weak password and an address that already has one."""
    account = User(email=email.strip().lower(), name=name.strip(), language=language)
    if User.objects.filter(email=account.email).exists():
        raise _taken()
    _refuse_weak(password, account)
    account.set_password(password)
    account.full_clean()
    try:
        with transaction.atomic():
            account.save()
    except IntegrityError as exc:  # two forms were sent in the same moment
        raise _taken() from exc
    return account


def _taken() -> ValidationError:
    return ValidationError(
        {"email": _("There is already an account with this address.")}, code="unique"
    )


def _refuse_weak(password: str, account: User) -> None:
    try:
        validate_password(password, account)
    except ValidationError as weak:
        raise ValidationError({"password": weak.error_list}) from weak


@transaction.atomic
def sign_up(
    *, email: str, password: str, name: str, language: str, club_name: str, town: str, on: date
) -> tuple[User, Club]:
    """Open an account and start its club; pressed twice it gives the same account and club."""
    try:
        account = open_account(email=email, password=password, name=name, language=language)
    except ValidationError as refusal:
        known = _known(email, password)
        if known is None:
            raise refusal from None
        account = known
    club = start_club(owner=account, name=club_name, town=town, language=language, on=on)
    return account, club


def _known(email: str, password: str) -> User | None:
    """The account of this address, for who knows its password."""
    account = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    return account if account is not None and account.check_password(password) else None


@transaction.atomic
def change_account(*, account: User, name: str, language: str) -> User:
    """Change the name and the language of an account."""
    account.name = name.strip()
    account.language = language
    account.full_clean()
    account.save(update_fields=["name", "language"])
    return account
