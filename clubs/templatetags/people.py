"""Names of people in templates: as whoever is looking may read them."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Player

register = template.Library()


@register.simple_tag
def player_link(player: Player) -> SafeString | str:
    """Show the name, as a link where the player has a page for whoever is looking."""
    if not player.has_page:
        return player.shown_name
    return format_html(
        '<a href="{}">{}</a>', reverse("player", args=[player.pk]), player.shown_name
    )
