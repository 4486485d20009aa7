"""Who sits where and when: evenings and tournaments, entries, rounds, tables and rulings."""

from __future__ import annotations

from tournaments.models.entries import Entry, EntryPlayer, ProhibitedPair, Team
from tournaments.models.events import CancelledEvent, Event, Placement, Stage
from tournaments.models.fixtures import Fixture
from tournaments.models.journal import JournalLine
from tournaments.models.phones import Ended, JoinLink, Phone
from tournaments.models.referee import RefereeCall, Ruling
from tournaments.models.results import ResultVersion
from tournaments.models.rounds import Round, Seat, SitOut, Table

__all__ = [
    "CancelledEvent",
    "Ended",
    "Entry",
    "EntryPlayer",
    "Event",
    "Fixture",
    "JoinLink",
    "JournalLine",
    "Phone",
    "Placement",
    "ProhibitedPair",
    "RefereeCall",
    "ResultVersion",
    "Round",
    "Ruling",
    "Seat",
    "SitOut",
    "Stage",
    "Table",
    "Team",
]
