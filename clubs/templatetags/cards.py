"""What templates draw again and again: icons, suits, signed scores, chips, pips, fields."""

from __future__ import annotations

import re
from decimal import Decimal

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.http import HttpRequest
from django.template.context import Context
from django.templatetags.static import static
from django.utils.formats import number_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext, pgettext

register = template.Library()

MINUS = "\u2212"
RED_SUITS = frozenset({"heart", "diamond"})
THEMES = ("light", "dark")
LARGEST_UNGROUPED = 9999

type Number = int | Decimal


#: A range of numbers, as a season of two years: lines may break behind its dash otherwise.
RANGE = re.compile(r"\d+–\d+")


@register.filter
def unbroken(text: object) -> SafeString:
    """Write a text whose ranges, as "2026–27" or "12–8", stay on one line each."""
    # A row is written by its name; a text that is markup already stays it.
    written = conditional_escape(text if isinstance(text, str) else str(text))
    return mark_safe(RANGE.sub(r'<span class="nowrap">\g<0></span>', written))  # noqa: S308 - escaped


# Numbers


def grouped(number: Number) -> str:
    """Write a number from 0 up in the reader's language; thousands are set apart from 10 000 on."""
    if isinstance(number, int) and number <= LARGEST_UNGROUPED:
        return str(number)  # as every language writes it
    text = number_format(number, use_l10n=True, force_grouping=number > LARGEST_UNGROUPED)
    return text.replace("\xa0", "\u202f")


@register.filter
def signed(number: Number | None) -> str:
    """Write a score with its sign, a true minus, and zero without one; nothing for None."""
    if number is None:
        return ""
    sign = "+" if number > 0 else MINUS if number < 0 else ""
    return sign + grouped(-number if number < 0 else number)


@register.simple_tag
def colon() -> str:
    """Write the colon after a name as the language has it: French sets a space before it."""
    return pgettext("after a name", ":")


@register.filter
def card_points(half_points: int | None) -> str:
    """Write half-points as card points: 93 is 46.5, or 46,5 where the language has a comma."""
    if half_points is None:
        return ""
    whole, half = divmod(half_points, 2)
    return str(number_format(Decimal(whole) + Decimal("0.5"), 1) if half else whole)


@register.simple_tag
def score(number: Number | None) -> SafeString:
    """Show a score, green or red besides its sign; a dash for none."""
    if number is None:
        return SafeString('<span class="score">\u2013</span>')
    kind = " score--plus" if number > 0 else " score--minus" if number < 0 else ""
    return format_html('<span class="score{}">{}</span>', kind, signed(number))


@register.simple_tag
def move(places: int | None) -> SafeString:
    """Show how many places somebody went up or down; nothing for somebody new."""
    if places is None:
        return SafeString("")
    if places == 0:
        return format_html(
            '<span class="soft"><span aria-hidden="true">=</span>'
            '<span class="hide">{}</span></span>',
            gettext("same place"),
        )
    kind, picture, word = (
        ("rise", "up", gettext("up")) if places > 0 else ("fall", "down", gettext("down"))
    )
    return format_html(
        '<span class="{}">{}<span class="hide">{}</span> {}</span>',
        kind,
        icon(picture),
        word,
        abs(places),
    )


# Pictures


def picture_address(name: str) -> str:
    return f"{static('sprite.svg')}#{name}"


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Show a line picture of the sprite; silent beside a word, spoken when it has a label."""
    spoken = (
        format_html('role="img" aria-label="{}"', label)
        if label
        else SafeString('aria-hidden="true"')
    )
    return format_html('<svg class="icon" {}><use href="{}"/></svg>', spoken, picture_address(name))


@register.simple_tag
def suit(name: str) -> SafeString:
    """Show a filled picture of the sprite: a suit, the star, a table."""
    return format_html(
        '<svg class="suit{}" aria-hidden="true"><use href="{}"/></svg>',
        " suit--red" if name in RED_SUITS else "",
        picture_address(name),
    )


@register.simple_tag
def index(number: int | str, suit_name: str) -> SafeString:
    """Show the corner of a card: a number over its suit."""
    return format_html(
        '<span class="index" aria-hidden="true"><span>{}</span>{}</span>', number, suit(suit_name)
    )


@register.simple_tag
def chip(kind: str, picture: str, text: str) -> SafeString:
    """Show a state as a word, a shape and a colour: ok, wait, bad or plain."""
    return format_html(
        '<span class="chip{}">{}{}</span>',
        f" chip--{kind}" if kind else "",
        icon(picture) if picture else "",
        text,
    )


#: More little cards than these make a phone's page wider than its window.
MOST_PIPS = 12


@register.simple_tag
def pips(done: int, planned: int, part: int = 0) -> SafeString:
    """Show one little card for each deal of a round: done, under way, to come.

    Shows none where there are too many: the count stands beside them in words.
    """
    total = max(planned, done + part)
    if total > MOST_PIPS:
        return SafeString("")
    classes = ["done"] * done + ["part"] * part + [""] * (total - done - part)
    cards = format_html_join(
        "", "<i{}></i>", ((format_html(' class="{}"', c) if c else "",) for c in classes)
    )
    label = ngettext("%(done)s of %(planned)s deal", "%(done)s of %(planned)s deals", planned) % {
        "done": done,
        "planned": planned,
    }
    return format_html('<span class="pips" role="img" aria-label="{}">{}</span>', label, cards)


# Forms


@register.filter
def is_group(field: BoundField) -> bool:
    """Is the field answered by choosing among boxes, not by typing?"""
    return isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)


@register.filter
def is_box(field: BoundField) -> bool:
    """Is the field a single box to tick?"""
    return isinstance(field.field.widget, CheckboxInput)


@register.simple_tag
def control(field: BoundField, classes: str = "") -> SafeString:
    """Render a field's input in our clothes; what it wears already stays on."""
    own = field.field.widget.attrs.get("class", "")
    plain = is_group(field) or is_box(field)
    worn = " ".join(filter(None, ("" if plain else "input", own, classes)))
    return field.as_widget(attrs={"class": worn} if worn else {})


# Preferences


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """Give the colours that the visitor has chosen; empty for the system's own."""
    request: HttpRequest | None = context.get("request")
    chosen = request.COOKIES.get("theme", "") if request is not None else ""
    return chosen if chosen in THEMES else ""
