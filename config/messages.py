"""The sentences that people read: which there are in the sources, and what a translation must keep.

Python is read by its syntax tree, templates through Django's own reader; no system package is used.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

APPS = ("config", "clubs", "tournaments", "scoring", "rules_engine")
# Which argument is what, by the name of the function without its _lazy or _noop.
ARGUMENTS = {
    "_": ("text",),
    "gettext": ("text",),
    "ngettext": ("text", "plural"),
    "pgettext": ("context", "text"),
    "npgettext": ("context", "text", "plural"),
}
CALL = re.compile(r"(?<![\w.])(?:_|n?p?gettext)\(")
GAP = re.compile(r"%\((\w+)\)[sd]")
TAG = re.compile(r"<[^>]+>")
NOISE = tuple(
    f'"{name}:'.encode()
    for name in (
        "Report-Msgid-Bugs-To",
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Last-Translator",
        "Language-Team",
        "Generated-By",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of the sources in English, with its plural and its context if it has them."""

    text: str
    plural: str = ""
    context: str = ""


class NotASentenceError(ValueError):
    """Something is put together where a whole sentence belongs."""


def in_python(source: str) -> Iterator[Sentence]:
    """Give the sentences that a module marks; refuses one that is put together."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            names = ARGUMENTS.get(_called(node.func))
            if names and len(node.args) >= len(names):
                yield from _sentence(names, node.args)


def _called(function: ast.expr) -> str:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name.removesuffix("_lazy").removesuffix("_noop")


def _sentence(names: tuple[str, ...], given: list[ast.expr]) -> Iterator[Sentence]:
    parts: dict[str, str] = {}
    for name, value in zip(names, given, strict=False):
        if isinstance(value, ast.JoinedStr | ast.BinOp):
            raise NotASentenceError(ast.unparse(value))
        # A variable is a sentence that was marked elsewhere.
        if not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
            return
        parts[name] = value.value
    yield Sentence(**parts)


def in_template(source: str) -> Iterator[Sentence]:
    """Give the sentences of a template, as the tags ask for them."""
    code = templatize(source)
    for found in CALL.finditer(code):
        yield from in_python(_expression(code, found.start()))


def _expression(code: str, start: int) -> str:
    """Give the call that begins here; what is not sentence in the reader's output is noise."""
    for end in range(start, len(code)):
        if code[end] == ")":
            try:
                ast.parse(code[start : end + 1], mode="eval")
            except SyntaxError:
                continue
            return code[start : end + 1]
    return ""


def gather(root: Path) -> dict[Sentence, list[str]]:
    """Give every sentence of the project with the files in which it stands."""
    places: dict[Sentence, list[str]] = {}
    for path in sources(root):
        read = in_python if path.suffix == ".py" else in_template
        name = path.relative_to(root).as_posix()
        for sentence in read(path.read_text(encoding="utf-8")):
            if name not in (known := places.setdefault(sentence, [])):
                known.append(name)
    return places


def sources(root: Path) -> Iterator[Path]:
    """Give the files that may hold sentences."""
    for app in APPS:
        yield from (p for p in sorted((root / app).rglob("*.py")) if "migrations" not in p.parts)
    yield from sorted(p for p in (root / "templates").rglob("*") if p.suffix in {".html", ".txt"})


def update(source: Path, sentences: dict[Sentence, list[str]]) -> None:
    """Bring a catalogue up to date: new sentences come in empty, those that are gone leave."""
    catalogue = read(source)
    wanted = Catalog()
    for sentence, places in sentences.items():
        key = (sentence.text, sentence.plural) if sentence.plural else sentence.text
        wanted.add(key, context=sentence.context or None, locations=[(p, 0) for p in places])
    catalogue.update(wanted, no_fuzzy_matching=True, update_creation_date=False)
    written = BytesIO()
    write_po(written, catalogue, width=0, include_lineno=False, ignore_obsolete=True)
    # Header lines that change with the day or the tool would be noise in every comparison.
    told = [line for line in written.getvalue().splitlines(True) if not line.startswith(NOISE)]
    source.write_bytes(b"".join(told))


def read(source: Path) -> Catalog:
    """Read a catalogue; one that cannot be read raises."""
    with source.open("rb") as lines:
        return read_po(lines, locale=source.parent.parent.name, abort_invalid=True)


def untranslated(catalogue: Catalog, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Give the sentences without a translation that counts; a fuzzy one does not."""
    for sentence in sentences:
        message = catalogue.get(sentence.text, sentence.context or None)
        if message is None or message.fuzzy or not is_translated(message, sentence):
            yield sentence


def left_over(catalogue: Catalog, sentences: Iterable[Sentence]) -> Iterator[str]:
    """Give what the catalogue translates though nobody says it any more."""
    said = {(sentence.text, sentence.context) for sentence in sentences}
    for message in catalogue:
        text = message.id if isinstance(message.id, str) else message.id[0]
        if text and (text, message.context or "") not in said:
            yield text


def is_translated(message: Message, sentence: Sentence) -> bool:
    """Is every form there, and are they as many as the sentence has?"""
    return all(forms(message)) and (len(forms(message)) > 1) == bool(sentence.plural)


def forms(message: Message) -> tuple[str, ...]:
    """Give the translation, in each of its plural forms."""
    if isinstance(message.string, str):
        return (message.string,)
    return tuple(message.string or ("",))


def faults(message: Message) -> Iterator[str]:
    """Say what a translation lost or added: gaps and tags are those of the English sentence."""
    english = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    for form in filter(None, forms(message)):
        for mark in (GAP, TAG):
            if not any(sorted(mark.findall(form)) == sorted(mark.findall(e)) for e in english):
                yield f"{english[0]} -> {form}"
                break
