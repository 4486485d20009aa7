from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("scoring")

    def ready(self) -> None:
        """Let memberships that change be counted anew."""
        from clubs.actions import membership_changed  # noqa: PLC0415 - models are ready by now
        from scoring.actions.players import count_membership  # noqa: PLC0415

        membership_changed.connect(count_membership, dispatch_uid="count_membership")
