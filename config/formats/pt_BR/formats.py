"""Brazilian Portuguese: hours with an h, without a space; months in numbers.

Django's names of the months begin with a capital, which is wrong in Portuguese.
"""

from __future__ import annotations

DATE_FORMAT = "d/m/Y"
TIME_FORMAT = "G\\hi"
DATETIME_FORMAT = "d/m/Y, G\\hi"
SHORT_DATETIME_FORMAT = "d/m/Y, G\\hi"
