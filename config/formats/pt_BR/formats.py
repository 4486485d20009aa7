"""Brazilian Portuguese: hours with an h, without a space."""

from __future__ import annotations

TIME_FORMAT = "G\\hi"
DATETIME_FORMAT = "j \\d\\e F \\d\\e Y, G\\hi"
SHORT_DATETIME_FORMAT = "d/m/Y, G\\hi"
