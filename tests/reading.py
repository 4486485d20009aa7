"""What a page says to whoever reads it."""

from __future__ import annotations

import re
from html import unescape


def text_of(response) -> str:
    """The words of a page, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", response.text)).split())
