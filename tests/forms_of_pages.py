"""The forms that pages send, as a browser reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from types import SimpleNamespace

from django.test import Client
from django.urls import reverse

from tests.factories import PhoneFactory
from tests.test_permissions import GET, OF_A_CLUB, address_of
from tournaments.models import Phone, RefereeCall

#: Forms that go their own ways: parts of pages, rows of a sheet.
OTHER_WAYS = {"hx-post", "data-keeps", "data-settles"}


@dataclass(kw_only=True)
class Form:
    """What one form sends when its first button is pressed, with what the page put into it."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)


class Reader(HTMLParser):
    """Reads the forms of a page that are sent as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.now: Form | None = None
        self.select: str | None = None
        self.chosen: list[str] = []
        self.text: str | None = None
        self.pressed = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            is_sent = has.get("method", "").lower() == "post" and not OTHER_WAYS & has.keys()
            self.now = Form(action=has.get("action", "")) if is_sent else None
            self.pressed = False
        elif self.now and tag in {"input", "button", "select", "option", "textarea"}:
            getattr(self, f"_{tag}")(has)

    def handle_data(self, data: str) -> None:
        if self.text and self.now:
            self.now.fields.append((self.text, data.removeprefix("\n")))
            self.text = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self.now:
            self.forms.append(self.now)
            self.now = None
        elif tag == "select" and self.now and self.select:
            self.now.fields += [(self.select, value) for value in self.chosen[-1:]]
            self.select = None
        elif tag == "textarea":
            self.text = None

    def _input(self, has: dict[str, str]) -> None:
        kind, name = has.get("type", "text"), has.get("name")
        if not name or kind in {"file", "submit"} or "disabled" in has:
            return
        if kind not in {"radio", "checkbox"} or "checked" in has:
            self.now.fields.append((name, has.get("value", "on" if kind == "checkbox" else "")))

    def _button(self, has: dict[str, str]) -> None:
        if self.pressed or has.get("type", "submit") != "submit" or "disabled" in has:
            return
        self.pressed = True
        if "name" in has:
            self.now.fields.append((has["name"], has.get("value", "")))

    def _select(self, has: dict[str, str]) -> None:
        self.select, self.chosen = has.get("name"), []

    def _option(self, has: dict[str, str]) -> None:
        if not self.chosen or "selected" in has:
            self.chosen.append(has.get("value", ""))

    def _textarea(self, has: dict[str, str]) -> None:
        self.text = has.get("name")


def forms_of(page: str) -> list[Form]:
    """Read a page."""
    reader = Reader()
    reader.feed(page)
    return reader.forms


def pages_of(world: SimpleNamespace) -> Iterator[str]:
    """Give the address of each page about a world, and of those about the visitor."""
    yield from (address_of(name, world) for name, is_of in OF_A_CLUB.items() if is_of.method == GET)
    yield from map(reverse, ("home", "account", "password-change", "password-reset", "sign-in"))
    yield from map(reverse, ("sign-up", "join", "preferences"))
    yield reverse("own-place", args=[world.event.pk])


def pages_with_forms(client: Client, world: SimpleNamespace) -> dict[str, list[Form]]:
    """Give, by address, the forms of each page that has some beside those at its foot."""
    found = {}
    for address in pages_of(world):
        answer = client.get(address)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if answer.status_code == 200 and is_page:
            found[address] = [each for each in forms_of(answer.text) if not at_the_foot(each)]
    return {address: forms for address, forms in found.items() if forms}


def seated_phone(world: SimpleNamespace) -> Phone:
    """Give a phone that sits at the table of a world, which calls nobody yet."""
    RefereeCall.objects.all().delete()
    return PhoneFactory(link=world.link, seat=world.table.seats.get(place=2))


def at_the_foot(form: Form) -> bool:
    """Is this one of the two choices that each page offers?"""
    return form.action in {reverse("set_language"), reverse("preferences")}
