"""The journal of an evening: what was done to it, and to the sheets of its tables, as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, Value
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import User
from scoring.models import SheetEvent
from tournaments.journal import with_sentences
from tournaments.models import Event, JournalLine, Phone

KIND = SheetEvent.Kind
#: Of a deal and of a hand; what was entered is on the sheet itself.
SENTENCES: Mapping[tuple[bool, str], Any] = {
    (False, KIND.CORRECTED): gettext_lazy(
        "Corrected deal %(number)s at table %(table)s in round %(round)s."
    ),
    (False, KIND.VOIDED): gettext_lazy(
        "Declared deal %(number)s at table %(table)s in round %(round)s void."
    ),
    (False, KIND.UNDONE): gettext_lazy(
        "Took back deal %(number)s at table %(table)s in round %(round)s."
    ),
    (False, KIND.REINSTATED): gettext_lazy(
        "Let deal %(number)s at table %(table)s in round %(round)s count again."
    ),
    (True, KIND.CORRECTED): gettext_lazy(
        "Corrected line %(number)s at table %(table)s in round %(round)s."
    ),
    (True, KIND.VOIDED): gettext_lazy(
        "Declared line %(number)s at table %(table)s in round %(round)s void."
    ),
    (True, KIND.UNDONE): gettext_lazy(
        "Took back line %(number)s at table %(table)s in round %(round)s."
    ),
    (True, KIND.REINSTATED): gettext_lazy(
        "Let line %(number)s at table %(table)s in round %(round)s count again."
    ),
}
#: Of no row of a sheet: it never came there.
DROPPED = gettext_lazy(
    "Threw away, unsent, what %(entered_by)s had entered as number %(number)s at table %(table)s "
    "in round %(round)s: %(words)s."
)
DROPPED_UNREAD = gettext_lazy(
    "Threw away, unsent, what %(entered_by)s had entered as number %(number)s at table %(table)s "
    "in round %(round)s. What it said cannot be read."
)
SHOWN = sorted({KIND.DROPPED, *(kind for _is_line, kind in SENTENCES)})

#: Which table a line is from, and its key there.
type Key = tuple[bool, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the journal: when, who and what."""

    at: datetime
    actor: User | None
    phone: Phone | None
    sentence: str


def keys_of(event: Event) -> QuerySet[Any, Any]:
    """Give the keys of all lines of an evening, the latest first; ``lines_of`` reads a page."""
    own = event.journal.order_by().values("at", "pk", from_sheet=Value(value=False))
    sheets = SheetEvent.objects.filter(table__round__event=event, kind__in=SHOWN)
    theirs = sheets.order_by().values("at", "pk", from_sheet=Value(value=True))
    return own.union(theirs, all=True).order_by("-at", "-from_sheet", "-pk")


def lines_of(keys: Sequence[Mapping[str, Any]]) -> list[Line]:
    """Read the lines of these keys, in their order, in a few queries however many they are."""
    own = [row["pk"] for row in keys if not row["from_sheet"]]
    theirs = [row["pk"] for row in keys if row["from_sheet"]]
    people = ("actor", "phone__link", "phone__player")
    journal = JournalLine.objects.filter(pk__in=own).select_related(*people)
    sheets = SheetEvent.objects.filter(pk__in=theirs).select_related(*people, "table__round")
    read: dict[Key, Line] = {
        (False, line.pk): Line(at=line.at, actor=line.actor, phone=line.phone, sentence=said)
        for line, said in with_sentences(journal)
    }
    read |= {(True, line.pk): _of_sheet(line) for line in sheets}
    return [read[row["from_sheet"], row["pk"]] for row in keys]


def _of_sheet(line: SheetEvent) -> Line:
    gaps = {
        "number": line.details.get("number", ""),
        "table": line.table.number,
        "round": line.table.round.number,
    }
    if line.kind == KIND.DROPPED:
        told = {**line.details, "entered_by": line.details["entered_by"] or _("somebody")}
        sentence = (DROPPED if told["words"] else DROPPED_UNREAD) % {**told, **gaps}
    else:
        sentence = SENTENCES[line.truco_line_id is not None, line.kind] % gaps
    return Line(at=line.at, actor=line.actor, phone=line.phone, sentence=sentence)
