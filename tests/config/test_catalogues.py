"""Catalogues are compiled by the set-up, when they have changed."""

from __future__ import annotations

import gettext
import os
from pathlib import Path

import pytest

from config import catalogues

SOURCE = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

msgid "A table"
msgstr "Une table"

#, fuzzy
msgid "A chair"
msgstr "Une chaise ?"

msgid "%(n)d deal"
msgid_plural "%(n)d deals"
msgstr[0] "%(n)d donne"
msgstr[1] "%(n)d donnes"
"""


@pytest.fixture
def source(tmp_path) -> Path:
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    path = folder / "django.po"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_a_compiled_catalogue_translates_and_counts_as_its_language_does(source, tmp_path):
    catalogues.compile_stale([tmp_path])

    french = gettext.translation("django", tmp_path, languages=["fr"])
    assert french.gettext("A table") == "Une table"
    assert french.ngettext("%(n)d deal", "%(n)d deals", 0) == "%(n)d donne"
    assert french.ngettext("%(n)d deal", "%(n)d deals", 2) == "%(n)d donnes"


def test_a_guess_is_not_shown(source, tmp_path):
    catalogues.compile_stale([tmp_path])

    assert gettext.translation("django", tmp_path, languages=["fr"]).gettext("A chair") == "A chair"


def test_only_what_has_changed_is_compiled_again(source, tmp_path):
    assert catalogues.compile_stale([tmp_path]) == [source]
    assert catalogues.compile_stale([tmp_path]) == []

    later = source.stat().st_mtime + 10
    os.utime(source, (later, later))

    assert catalogues.compile_stale([tmp_path]) == [source]
