"""French: hours with an h, set apart by a space that does not break."""

from __future__ import annotations

TIME_FORMAT = "G\u00a0\\h\u00a0i"
DATETIME_FORMAT = "j F Y, G\u00a0\\h\u00a0i"
SHORT_DATETIME_FORMAT = "d/m/Y, G\u00a0\\h\u00a0i"
