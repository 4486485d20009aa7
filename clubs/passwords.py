"""What a new password ends besides the sessions."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext as _
from rest_framework.authtoken.models import Token


class TokensEnd:
    """A password validator that accepts every password and takes the account's token back.

    Django tells its validators of each new password, whether it was set on a page, in the admin
    or from the shell: a token that somebody else has found must not outlive any of them.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Refuse nothing."""

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Make the account's token worthless."""
        if user is not None and user.pk is not None:
            Token.objects.filter(user_id=user.pk).delete()

    def get_help_text(self) -> str:
        return _("A new password also ends the token of the API.")
