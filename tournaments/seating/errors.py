"""How seating refuses: in the manner of the engine, with a code, a sentence and its gaps."""

from __future__ import annotations

from rules_engine.errors import Illegal, gettext_noop

__all__ = ["SeatingError", "gettext_noop"]


class SeatingError(Illegal):
    """A round that cannot be seated as asked; ``code`` is stable, ``sentence`` says why."""
