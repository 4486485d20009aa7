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
from tournaments.forms.running import ChangeSeatsForm, ClockForm, CloseRoundForm, ExtendForm

__all__ = [
    "PRESETS",
    "BoardForm",
    "ChangeSeatsForm",
    "ClockForm",
    "CloseRoundForm",
    "DealsForm",
    "DrawForm",
    "EventForm",
    "ExtendForm",
    "GuestForm",
    "PresenceForm",
    "RoundForm",
    "SearchForm",
    "SwapForm",
    "change_event_form",
    "new_event_form",
]
