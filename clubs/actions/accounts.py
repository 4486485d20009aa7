"""Opening and changing accounts."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.actions.clubs import start_club
from clubs.models import Club, User, fold_name
from clubs.names import one_line

#: Within this a second form is a double press; later the password is the sign-in page's business.
SAME_PRESS = timedelta(minutes=2)


@transaction.atomic
def open_account(*, email: str, password: str, name: str, language: str) -> User:
    """Open an account; refuses a weak password and an address that already has one."""
    account = User(email=email.strip().lower(), name=one_line(name), language=language)
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
    *,
    email: str,
    password: str,
    name: str,
    language: str,
    club_name: str,
    town: str,
    on: date,
    own_language: str = "",
    at: datetime | None = None,
) -> tuple[User, Club]:
    """Open an account and start its club; pressed twice it gives the same account and club.

    The language is the club's; the account has one of its own only when its owner chose it.
    An address that has an account is refused even with the right password: who could guess here
    would go round the patience of the sign-in page.
    """
    try:
        account = open_account(email=email, password=password, name=name, language=own_language)
    except ValidationError as refusal:
        known = _opened_just_now(email, club_name, at or timezone.now())
        if known is None or not known.check_password(password):
            raise refusal from None
        account = known
    club = start_club(owner=account, name=club_name, town=town, language=language, on=on)
    return account, club


def _opened_just_now(email: str, club_name: str, at: datetime) -> User | None:
    """The account that the same form has opened a moment ago, with its club."""
    account = User.objects.filter(
        email=email.strip().lower(), is_active=True, date_joined__gt=at - SAME_PRESS
    ).first()
    if account is None:
        return None
    clubs = Club.objects.owned_by(account)
    is_same = any(fold_name(club.name) == fold_name(club_name) for club in clubs)
    return account if is_same else None


@transaction.atomic
def change_account(*, account: User, name: str, language: str) -> User:
    """Change the name and the language of an account; without one it follows each browser."""
    account.name = one_line(name)
    account.language = language
    account.full_clean()
    account.save(update_fields=["name", "language"])
    return account


@transaction.atomic
def renew_calendar(*, account: User) -> User:
    """Give the account's calendar another address: the one before ends at once."""
    User.objects.filter(pk=account.pk).update(calendar_number=F("calendar_number") + 1)
    account.refresh_from_db(fields=["calendar_number"])
    return account
