"""Truco over the API: the same sheet, the same refusals as the pages."""

from __future__ import annotations

import uuid

import pytest

from tests.factories import SeasonFactory
from tests.scoring.truco import game, hand, record, truco_table
from tournaments.models import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club) -> Table:
    return truco_table(SeasonFactory(club=club))


@pytest.fixture
def api(caller, scorer):
    return caller(scorer)


def line(**given) -> dict[str, object]:
    return {"entry_key": str(uuid.uuid4()), "winner": "a", "points": 1, **given}


def post(api, table, **given):
    return api.post(f"/api/v1/tables/{table.pk}/deals/", line(**given))


def test_a_hand_is_written_and_read(api, table):
    written = post(api, table, points=3, ending="rounds")

    assert written.status_code == 201
    assert (written.data["number"], written.data["points"], written.data["table_version"]) == (
        1, 3, 1,
    )  # fmt: skip
    read = api.get(f"/api/v1/truco-lines/{written.data['id']}/").data
    assert (read["winner"], read["kind"]) == ("a", "hand")
    sheet = api.get(f"/api/v1/tables/{table.pk}/").data
    assert [row["id"] for row in sheet["deals"]] == [written.data["id"]]


def test_the_same_key_twice_is_one_line(api, table):
    given = line()

    codes = [api.post(f"/api/v1/tables/{table.pk}/deals/", given).status_code for _ in range(2)]

    assert codes == [201, 200]
    assert table.truco_lines.count() == 1


def test_a_final_score_a_hand_in_notation_and_the_end_of_the_time(api, table):
    game_line = {"kind": "game", "winner": "", "points": 0, "points_a": 12, "points_b": 9}
    assert post(api, table, **game_line).status_code == 201
    noted = {"notation": "B1 v6E A2: 4C KC 3P JO / A1: QC 2P 3E 2E", "winner": "", "points": 0}
    written = post(api, table, **noted)
    assert written.status_code == 201, written.data
    assert written.data["winner"] in {"a", "b"}
    cap = {"kind": "cap", "cap": "leader_wins", "winner": "", "points": 0}
    assert post(api, table, **cap).status_code == 201
    table.refresh_from_db()
    assert table.decided_at is not None


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"points": 5}, ""),
        ({"winner": "c"}, "winner"),
        ({"kind": "game", "points_a": 12}, "points_b"),
        ({"kind": "cap"}, "cap"),
        ({"notation": "nonsense"}, None),
        ({"surplus": 1}, "surplus"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field(api, table, given, field):
    refused = post(api, table, **given)

    assert refused.status_code == 400, refused.data
    assert refused.data["message"]
    if field is not None:
        assert field in refused.data["fields"]
    assert not table.truco_lines.exists()


def test_an_old_version_is_told_what_stands(api, table, scorer):
    record(table, scorer, hand("b", 3))

    refused = post(api, table, number=1)

    assert refused.status_code == 409
    assert (refused.data["standing"]["points"], refused.data["next_number"]) == (3, 2)


def test_a_line_is_corrected_and_declared_void(api, table, scorer):
    row = record(table, scorer, hand("b", 3))

    corrected = api.post(f"/api/v1/truco-lines/{row.pk}/correct/", line(winner="b", points=6))
    assert corrected.status_code == 200, corrected.data
    void = api.post(
        f"/api/v1/truco-lines/{corrected.data['id']}/void/", {"reason": "Entered twice."}
    )

    assert void.status_code == 200
    assert api.get(f"/api/v1/truco-lines/{row.pk}/").data["corrected_by"] == corrected.data["id"]
    assert not table.truco_lines.standing().exists()


def test_a_correction_that_breaks_a_later_line_names_it(api, table, scorer):
    record(table, scorer, hand("a", 9), hand("a", 1))
    third = record(table, scorer, hand("a", 1))
    record(table, scorer, hand("b", 1, "declined"))

    refused = api.post(f"/api/v1/truco-lines/{third.pk}/correct/", line(winner="b", points=6))

    assert refused.status_code == 400
    assert "Line 4 does not fit" in refused.data["message"]


def test_a_decided_meeting_is_full(api, table, scorer):
    record(table, scorer, game(12, 0), game(12, 0))

    refused = post(api, table)

    assert refused.status_code == 400
    assert refused.data["fields"][""][0]["code"] == "sheet_full"


def test_strangers_see_nothing(caller, stranger, table, scorer):
    row = record(table, scorer, hand("a", 1))

    assert caller(stranger).get(f"/api/v1/truco-lines/{row.pk}/").status_code == 404
    assert post(caller(stranger), table).status_code == 404
