"""What paper shows as letters where the screen draws pictures."""

from __future__ import annotations

from django import template

register = template.Library()

SIGNS = {"spade": "♠", "heart": "♥", "diamond": "♦", "club": "♣"}


@register.filter
def suit_sign(suit: str) -> str:
    """Give the sign of a suit; nothing for none."""
    return SIGNS.get(suit, "")
