"""What comes from outside, form by form."""

from __future__ import annotations

from tournaments.forms.evenings import (
    PRESETS,
    BoardForm,
    DealsForm,
    DrawForm,
    EventForm,
    GuestForm,
    PresenceForm,
    RoundForm,
    SearchForm,
    SwapForm,
    change_event_form,
    new_event_form,
)

__all__ = [
    "PRESETS",
    "BoardForm",
    "DealsForm",
    "DrawForm",
    "EventForm",
    "GuestForm",
    "PresenceForm",
    "RoundForm",
    "SearchForm",
    "SwapForm",
    "change_event_form",
    "new_event_form",
]
