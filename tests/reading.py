"""What a page says to whoever reads it."""

from __future__ import annotations

import re
from html import unescape


def text_of(response) -> str:
    """The words of a page, without its tags, and without what only a script may show later."""
    shown = re.sub(r"<template\b.*?</template>", " ", response.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", shown)).split())
