"""One table of four in a running round: Bernard, Odile, Yves and Ana Paula, who deal in turn."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial

import pytest

from clubs.models import Role, User
from rules_engine import tarot
from scoring import actions
from scoring.models import TarotDeal
from scoring.rules.tarot import ruleset_of
from tests.conftest import account_with
from tests.factories import EventFactory, RoundFactory, SeasonFactory, TableFactory
from tournaments.models import Round, Table

NAMES = ("Bernard", "Odile", "Yves", "Ana Paula", "Solenn")


@pytest.fixture
def round_(club) -> Round:
    season = SeasonFactory(club=club)
    return RoundFactory(event=EventFactory(season=season, running=True))


@pytest.fixture
def accounts(club) -> list[User]:
    """The accounts of the five players; all are plain members."""
    return [account_with(club, Role.MEMBER, name.replace(" ", "-")) for name in NAMES]


@pytest.fixture
def bernard(accounts) -> User:
    return accounts[0]


@pytest.fixture
def yves(accounts) -> User:
    return accounts[2]


@pytest.fixture
def make_table(round_, accounts) -> Callable[..., Table]:
    """Make a table of the first accounts: ``make_table(5, players_per_deal=4)``."""

    def make(seats: int = 4, **fields) -> Table:
        fields = {"players_per_deal": seats, **fields}
        players = [account.players.get() for account in accounts[:seats]]
        return TableFactory(round=round_, players=players, **fields)

    return make


@pytest.fixture
def table(make_table) -> Table:
    return make_table()


def garde(table: Table, *, points: float = 49, bouts: int = 2, **options) -> tarot.Deal:
    """A garde at this table; 49 points with two bouts unless said otherwise."""
    return tarot.Deal(
        ruleset=ruleset_of(table),
        contract=options.pop("contract", tarot.Contract.GARDE),
        bouts=bouts,
        half_points=int(2 * points),
        **options,
    )


@pytest.fixture
def record(table, bernard) -> Callable[..., TarotDeal]:
    """Record a garde of Bernard's on the table; every part may be given."""
    return partial(record_on, table, bernard)


def record_on(table: Table, author: User, /, *, taker: int = 0, **given) -> TarotDeal:
    """Record a deal; ``taker`` is a place counted from 0, ``points`` and ``bouts`` its garde's."""
    seats = list(table.seats.order_by("place"))
    deal = given.pop("deal", None) or garde(
        table, **{name: given.pop(name) for name in ("points", "bouts") if name in given}
    )
    return actions.record_tarot_deal(
        **{
            "table": table,
            "entry_key": uuid.uuid4(),
            "deal": deal,
            "taker": seats[taker],
            "by": author,
            **given,
        }
    )


def totals(table: Table) -> list[int]:
    """The running totals of the seats, in the order of play."""
    return list(table.seats.order_by("place").values_list("points", flat=True))


def answers(table: Table, **changes) -> dict[str, object]:
    """What a page sends for a plain garde of the first seat; None leaves an answer out."""
    seats = list(table.seats.order_by("place"))
    sent = {
        "number": 1,
        "version": 0,
        "entry_key": uuid.uuid4(),
        "taker": seats[0].pk,
        "contract": "garde",
        "bouts": "2",
        "points": "49",
        "side": "attack",
        **changes,
    }
    return {name: answer for name, answer in sent.items() if answer is not None}
