"""The address of somebody's own calendar: programs that ask for it cannot sign in.

The address carries its proof: whose it is, which of his addresses, and a signature of the site.
"""

from __future__ import annotations

from django.core.signing import BadSignature, Signer

from clubs.models import User

SIGNER = Signer(salt="clubs.calendars")


def token_of(account: User) -> str:
    """Give what the address of the account's calendar ends with."""
    return SIGNER.sign(f"{account.pk}-{account.calendar_number}")


def account_of(token: str) -> User | None:
    """Give whose calendar it is; nobody's when it was made up, renewed, or may not sign in."""
    try:
        pk, _dash, number = SIGNER.unsign(token).partition("-")
    except BadSignature:
        return None
    return User.objects.filter(pk=pk, calendar_number=number, is_active=True).first()
