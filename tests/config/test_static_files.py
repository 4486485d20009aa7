"""The files of the site: each is named by its bytes, and scripts find those that they import."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import FileSystemStorage
from django.templatetags.static import static
from django.urls import reverse

from config import offline
from config.static_files import NamedByBytes

STATIC = Path(__file__).parent.parent.parent / "static"
OUTBOX = ["outbox.js", *(f"outbox/{each.name}" for each in sorted(STATIC.glob("outbox/*.js")))]
IMPORTED = re.compile(r'^import .* from "\./(.*)";$', re.MULTILINE)


def test_a_script_imports_others_by_the_names_that_their_bytes_give(tmp_path):
    found, kept = FileSystemStorage(STATIC), NamedByBytes(tmp_path, "/static/")
    for name in OUTBOX:
        with found.open(name) as file:
            kept.save(name, file)
    list(kept.post_process({name: (found, name) for name in OUTBOX}))
    named = {name: kept.stored_name(name) for name in OUTBOX}

    for name, hashed in named.items():
        written = (STATIC / name).read_text(encoding="utf-8")
        folder = Path(name).parent
        expected = [named[str(folder / each)] for each in IMPORTED.findall(written)]
        collected = (tmp_path / hashed).read_text(encoding="utf-8")
        assert [str(folder / each) for each in IMPORTED.findall(collected)] == expected
        assert len(expected) == written.count("\nimport ")


@pytest.mark.django_db
def test_a_page_asks_for_all_of_the_outbox_at_once_and_a_phone_keeps_it(client):
    page = client.get(reverse("sign-in")).content.decode()

    assert set(OUTBOX) <= set(offline.SHELL)
    assert len(OUTBOX) > 1
    for name in OUTBOX:
        assert f'href="{static(name)}"' in page or f'src="{static(name)}"' in page


def test_all_that_a_phone_keeps_is_there():
    assert [name for name in offline.SHELL if not finders.find(name)] == []
