"""Days and times are written as each language writes them."""

from __future__ import annotations

import re
from datetime import time
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.formats import time_format

TEMPLATES = Path(settings.BASE_DIR) / "templates"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "04:59"), ("fr", "4\xa0h\xa059"), ("pt-br", "4h59")]
)
def test_a_time_is_written_as_the_language_writes_it(language, said):
    with translation.override(language):
        assert time_format(time(4, 59)) == said


def test_no_page_writes_a_time_in_a_way_of_its_own():
    used = {
        form
        for page in TEMPLATES.rglob("*.html")
        for form in re.findall(r'\|(?:date|time):"([^"]*[GHhg][^"]*)"', page.read_text())
    }

    assert used <= {"TIME_FORMAT", "SHORT_DATETIME_FORMAT", "SHORT_DATE_FORMAT"}
