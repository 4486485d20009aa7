"""What the console says of requests that were refused."""

from __future__ import annotations

import logging

#: The site's ordinary answers: no role for it, the page is too old, the form is to be mended.
ORDINARY = frozenset({403, 409, 422})


class OrdinaryRefusals(logging.Filter):
    """Tells a refusal that is part of the day in one line, without a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass; an ordinary refusal as plain information."""
        if getattr(record, "status_code", None) in ORDINARY:
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
        return True
