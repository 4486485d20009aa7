"""Lists of past results are read as clubs have them."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from scoring.imports import Role, Unreadable, guessed, read_lines, read_table, starts_at
from scoring.imports.numbers import place_in, points_in

LIST = [
    ["Clt", "N°", "Joueur", "Position 1", "Position 2", "Total"],
    ["1er", "12", "Zoé Le Dantec", "120", "-40", "80"],
    ["2", "3", "Inês Carvalho", "-20", "60", "40"],
    ["3", "41", "Émile Guivarc’h", "-100", "-20", "-120"],
]


def reading(content: bytes):
    table = read_table(content)
    head = starts_at(table.rows)
    return read_lines(table.rows, guessed(table.rows, head), head=head)


def told(found) -> list[tuple[str, int]]:
    return [(line.name, line.total) for line in found.lines]


EXPECTED = [("Zoé Le Dantec", 80), ("Inês Carvalho", 40), ("Émile Guivarc’h", -120)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_a_list_reads_the_same_however_it_was_stored(delimiter: str, end: str, encoding: str):
    text = end.join(delimiter.join(row) for row in LIST) + end

    found = reading(text.encode(encoding))

    assert told(found) == EXPECTED
    assert [line.rounds for line in found.lines] == [(120, -40), (-20, 60), (-100, -20)]
    assert [line.number for line in found.lines] == [12, 3, 41]
    assert found.errors == found.warnings == ()


def test_a_decimal_comma_parts_no_cells():
    text = "Joueur;P1;P2;Total\nAna;12,0;-4,00;8,0\nBia;-12,0;4,0;-8,0\n"

    assert told(reading(text.encode())) == [("Ana", 8), ("Bia", -8)]


def test_half_a_point_is_pointed_at_with_its_row():
    found = reading(b"Joueur;Total\nAna;12,5\nBia;-12\n")

    assert [(e.code, e.row, e.gaps["cell"]) for e in found.errors] == [("no_number", 2, "12,5")]


@pytest.mark.parametrize(
    ("cell", "points"),
    [
        ("-40", -40), ("−40", -40), ("– 40", -40), ("+ 40", 40), ("'-40", -40), ("(40)", -40),
        ("1 240", 1240), ("1\u202f240", 1240), ("1.240,0", 1240), ("1,240.0", 1240), ("40,0", 40),
        ("0,000", 0), ("1000.000", 1000), ("", None), ("-", None), ("abs", None), ("0", 0),
    ],
)  # fmt: skip
def test_points_are_read_as_people_write_them(cell: str, points: int | None):
    assert points_in(cell) == points


@pytest.mark.parametrize(
    "cell", ["12,5", "1.234", "1.000", "-2,000", "douze", "4/5", "1e9", "9999999"]
)
def test_what_is_no_number_of_points_is_refused(cell: str):
    with pytest.raises(ValueError, match=r".+"):
        points_in(cell)


@pytest.mark.parametrize("cell", ["1.000", "-2.000", "1,000", "2.500", "- 2,000", "(2.000)"])
def test_what_may_be_thousands_or_ones_is_asked_for_and_never_guessed(cell: str):
    found = reading(f"Joueur;Total\nAna;{cell}\nBia;0\n".encode())

    assert [(e.code, e.row, e.gaps["cell"]) for e in found.errors] == [("which_number", 2, cell)]


def test_a_number_that_stands_twice_is_told_with_both_rows_before_all_are_numbered_anew():
    found = reading(b"No;Joueur;Total\n3;Ana;0\n17;Bia;0\n17;Caio;0\n")

    assert [(w.code, w.row, w.gaps["number"], w.gaps["first"]) for w in found.warnings] == [
        ("number_twice", 4, 17, 3)
    ]


def test_a_number_that_is_missing_among_others_is_told_and_a_list_without_any_is_not_odd():
    holed = reading(b"No;Joueur;Total\n3;Ana;0\n;Bia;0\n;Caio;0\n")
    bare = reading(b"No;Joueur;Total\n;Ana;0\n;Bia;0\n")

    assert [(w.code, w.row) for w in holed.warnings] == [("no_own_number", 3)]
    assert bare.warnings == ()


@pytest.mark.parametrize(
    ("cell", "place"), [("1er", 1), ("2e", 2), ("=3", 3), ("4.", 4), ("5º", 5), ("x", None)]
)
def test_printed_ranks_are_read(cell: str, place: int | None):
    assert place_in(cell) == place


def test_titles_above_sums_below_and_repeated_headings_are_left_out():
    text = (
        "Soirée du 3 décembre;;;\n;;;\nRang;Nom;Prénom;Total\n1;LE DANTEC;Zoé;40\n"
        "Rang;Nom;Prénom;Total\n2;CARVALHO;Inês;-40\n;Total;;0\n;;;7\n"
    )

    found = reading(text.encode())

    assert told(found) == [("Zoé LE DANTEC", 40), ("Inês CARVALHO", -40)]
    assert [warning.code for warning in found.warnings] == ["sum_line", "nobody"]


def test_a_list_that_does_not_add_up_to_nothing_is_told_not_refused():
    found = reading(b"Joueur;Total\nAna;100\nBia;-30\n")

    assert told(found) == [("Ana", 100), ("Bia", -30)]
    assert [(w.code, w.gaps) for w in found.warnings] == [("sum", {"sum": 70})]


def test_penalties_are_no_part_of_the_sum():
    found = reading("Joueur;P1;Pénalités;Total\nAna;100;-40;60\nBia;-100;;-100\n".encode())

    assert [(line.penalty, line.total) for line in found.lines] == [(-40, 60), (0, -100)]
    assert found.warnings == ()


def test_another_total_than_the_rounds_is_told_and_the_printed_one_counts():
    found = reading(b"Joueur;P1;P2;Total\nAna;10;10;30\nBia;-15;-15;-30\n")

    assert told(found) == [("Ana", 30), ("Bia", -30)]
    assert [w.code for w in found.warnings] == ["other_total"]


def test_ranks_that_part_equal_points_are_kept_and_wrong_ones_counted_again():
    kept = reading(b"Clt;Joueur;Total\n2;Bia;0\n1;Ana;0\n")
    wrong = reading(b"Clt;Joueur;Total\n1;Bia;-10\n2;Ana;10\n")

    assert [(line.name, line.place) for line in kept.lines] == [("Ana", 1), ("Bia", 2)]
    assert [(line.name, line.place) for line in wrong.lines] == [("Ana", 1), ("Bia", 2)]
    assert {warning.code for warning in wrong.warnings} == {"other_place"}


def test_a_name_that_stands_twice_is_refused_whatever_the_order_of_its_words():
    found = reading("Joueur;Total\nZoé Martin;10\nMARTIN Zoe;-10\n".encode())

    assert [(e.code, e.row, e.gaps["first"]) for e in found.errors] == [("twice", 3, 2)]


def test_columns_that_are_headed_by_a_day_are_rounds():
    found = reading(b"Joueur;05/10;12/10/2026;2026-10-19;Total\nAna;10;5;1;16\nBia;-10;-5;-1;-16\n")

    assert [line.rounds for line in found.lines] == [(10, 5, 1), (-10, -5, -1)]


def test_a_list_without_headings_is_read_by_what_stands_in_it():
    found = reading(b"1;Ana;50;-10;40\n2;Bia;-50;10;-40\n")

    assert told(found) == [("Ana", 40), ("Bia", -40)]
    assert found.rounds == 2


def test_somebody_who_was_not_there_has_no_line():
    found = reading(b"Joueur;P1;P2;Total\nAna;10;abs;10\nBia;-10;;-10\nCaio;abs;abs;\n")

    assert [line.rounds for line in found.lines] == [(10, None), (-10, None)]
    assert [w.code for w in found.warnings] == ["not_played"]


def test_a_workbook_is_read():
    book = Workbook()
    for row in LIST:
        book.active.append([int(c) if c.lstrip("-").isdecimal() else c for c in row])
    out = io.BytesIO()
    book.save(out)

    assert told(reading(out.getvalue())) == EXPECTED


def test_a_sheet_of_libre_office_is_read():
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value="{c}"><text:p>{c}</text:p></table:table-cell>'
            if c.lstrip("-").isdecimal()
            else f"<table:table-cell><text:p>{c}</text:p></table:table-cell>"
            for c in row
        )
        + '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
        for row in LIST
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f"<office:document-content {spaces}><table:table>{cells}"
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/>'
        "</table:table-row></table:table></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as parts:
        parts.writestr("content.xml", content)

    assert told(reading(out.getvalue())) == EXPECTED


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("content.xml", b"0" * 50_000_000)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"), (b";;;\n;;;\n", "empty"), (b"\x00\x01\x02", "not_a_table"),
        (b"PK\x03\x04 broken", "not_a_table"), (b"a;b\n" * 3001, "too_big"),
        (b"x" * 4_000_001, "too_big"), (_bomb(), "too_big"),
        (b"Ana;3\n" + b"x" * 131_073, "not_a_table"), (b"x" * 131_073, "not_a_table"),
    ],
)  # fmt: skip
def test_what_is_no_list_is_refused_with_the_reason(content: bytes, code: str):
    with pytest.raises(Unreadable) as refused:
        read_table(content)

    assert refused.value.code == code


@settings(max_examples=60)
@given(content=st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
def test_whatever_is_sent_is_read_or_refused(content: bytes):
    try:
        table = read_table(content)
    except Unreadable:
        return
    head = starts_at(table.rows)
    read_lines(table.rows, guessed(table.rows, head), head=head)


def test_columns_that_nobody_named_are_missed():
    found = read_lines([["Ana", "3"]], [Role.NOTHING, Role.NOTHING], head=-1)

    assert [error.code for error in found.errors] == ["no_player", "no_points"]
