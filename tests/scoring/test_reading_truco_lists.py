"""Lists of truco are read as Brazilian clubs have them, and French and English ones."""

from __future__ import annotations

import pytest

from scoring.imports import (
    Role,
    guessed,
    read_lines,
    read_table,
    side_size_in,
    starts_at,
    tells_games,
)

LIST = [
    ["Class.", "Dupla", "J", "V", "D", "PG", "Tentos a favor", "Tentos contra", "Saldo"],
    ["1º", "Ana Souza / Tião Costa", "4", "3", "1", "9", "88", "61", "+27"],
    ["2º", "Bia Lima / João Costa e Silva", "4", "2", "2", "6", "79", "70", "9"],
    ["3º", "Caio Reis / Dora Nunes", "4", "1", "3", "3", "54", "90", "-36"],
]


def reading(content: bytes):
    table = read_table(content)
    head = starts_at(table.rows)
    plays_games = tells_games(table.rows, head)
    roles = guessed(table.rows, head, plays_games=plays_games)
    size = side_size_in(table.rows[head + 1 :], roles, (2, 1, 3))
    return read_lines(table.rows, roles, head=head, plays_games=plays_games, side_size=size)


def written(rows, delimiter: str = ";", end: str = "\n") -> bytes:
    return (end.join(delimiter.join(row) for row in rows) + end).encode()


def told(found) -> list[tuple]:
    return [(line.names, line.won.wins, line.won.losses, line.total) for line in found.lines]


EXPECTED = [
    (("Ana Souza", "Tião Costa"), 3, 1, 9),
    (("Bia Lima", "João Costa e Silva"), 2, 2, 6),
    (("Caio Reis", "Dora Nunes"), 1, 3, 3),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_a_list_reads_the_same_however_it_was_stored(delimiter: str, end: str, encoding: str):
    found = reading(written(LIST, delimiter, end).decode().encode(encoding))

    assert told(found) == EXPECTED
    assert [line.won.points for line in found.lines] == [(88, 61), (79, 70), (54, 90)]
    assert [line.place for line in found.lines] == [1, 2, 3]
    assert found.errors == ()
    assert found.warnings == ()


@pytest.mark.parametrize(
    "head",
    [
        "Joueur;Joués;Victoires;Défaites;Parties gagnées;Parties perdues;Points",
        "Player;Played;Won;Lost;Games won;Games lost;Points",
        "Jogador;Jogos;Vitórias;Derrotas;Partidas ganhas;Partidas perdidas;Pontos",
        "Atleta;Confrontos;Ganhas;Perdidas;Partidas a favor;Partidas contra;Total",
        "Jogador;J;V;D;Jogos ganhos;Jogos perdidos;P",
        "Nome;Nº de jogos;Nº de vitórias;Derrotas;Pernas pró;Pernas contra;Total de pontos",
        "Joueur;Matchs;Nombre de victoires;Perdus;Manches gagnées;Manches perdues;Pts",
    ],
)
def test_columns_are_known_in_three_languages(head: str):
    found = reading(f"{head}\nAna;3;2;1;5;3;6\nBia;3;1;2;3;5;3\n".encode())

    assert told(found) == [(("Ana",), 2, 1, 6), (("Bia",), 1, 2, 3)]
    assert [line.won.games for line in found.lines] == [(5, 3), (3, 5)]


@pytest.mark.parametrize(
    "names",
    ["Ana/Bia", "Ana & Bia", "Ana + Bia", "Ana e Bia", "Ana et Bia", "Ana and Bia", "Ana - Bia"],
)
def test_a_pair_is_parted_however_it_is_joined(names: str):
    found = reading(f"Dupla;Vitórias\n{names};2\nCaio e Dora;0\n".encode())

    assert found.lines[0].names == ("Ana", "Bia")


def test_a_pair_may_have_a_column_for_each_player_and_a_name_of_its_own():
    found = reading(
        b"Dupla;Jogador 1;Jogador 2;V;D\nOs Zapes;Ana;Bia;2;0\nCaio e Dora;Caio;Dora;0;2\n"
    )

    assert [(line.called, line.names) for line in found.lines] == [
        ("Os Zapes", ("Ana", "Bia")), ("", ("Caio", "Dora")),
    ]  # fmt: skip


def test_a_trio_is_three_names():
    found = reading("Trio;V;D\nAna, Bia e Caio;1;0\nDora, Edu e Fábio;0;1\n".encode())

    assert [line.names for line in found.lines] == [
        ("Ana", "Bia", "Caio"), ("Dora", "Edu", "Fábio"),
    ]  # fmt: skip


def test_a_line_with_too_few_names_is_pointed_at():
    found = reading(b"Dupla;V;D\nAna / Bia;1;0\nCaio;0;1\nDora / Edu;1;1\n")

    assert [(e.code, e.row, e.gaps["count"]) for e in found.errors] == [("side_size", 3, 1)]


def test_nobody_plays_in_two_pairs():
    found = reading(b"Dupla;V;D\nAna / Bia;1;0\nAna / Caio;0;1\n")

    assert [(e.code, e.row, e.gaps["first"]) for e in found.errors] == [("twice", 3, 2)]


def test_without_losses_they_are_what_was_played_and_not_won():
    found = reading("Jogador;Jogos;Vitórias\nAna;4;3\nBia;4;1\n".encode())

    assert told(found) == [(("Ana",), 3, 1, 3), (("Bia",), 1, 3, 1)]
    assert [w.code for w in found.warnings] == ["points_of_wins"]


def test_equal_points_are_parted_by_wins_then_games_then_tentos():
    found = reading(
        b"Jogador;V;D;Partidas ganhas;Partidas perdidas;Tentos;Tentos contra;Pontos\n"
        b"Ana;2;1;4;3;80;70;6\nBia;2;1;5;3;70;60;6\nCaio;2;1;5;3;72;60;6\nDora;3;0;6;3;60;92;6\n"

    )  # fmt: skip

    assert [line.name for line in found.lines] == ["Dora", "Caio", "Bia", "Ana"]
    assert [line.place for line in found.lines] == [1, 2, 3, 4]


def test_the_printed_ranks_of_a_knockout_count_and_are_told():
    found = reading(b"Class.;Jogador;V;D\n1;Ana;3;0\n2;Bia;1;1\n3;Caio;2;1\n")

    assert [(line.name, line.place) for line in found.lines] == [
        ("Ana", 1), ("Bia", 2), ("Caio", 3),
    ]  # fmt: skip
    assert {w.code for w in found.warnings} >= {"own_place"}


def test_what_does_not_add_up_is_told_not_refused():
    found = reading(b"Jogador;J;V;D;Tentos;Tentos contra\nAna;4;3;1;40;30\nBia;5;1;2;20;40\n")

    assert [(w.code, w.row) for w in found.warnings] == [
        ("points_of_wins", 0), ("sum_wins", 0), ("sum_points", 0), ("other_played", 3),
    ]  # fmt: skip
    assert len(found.lines) == 2


def test_a_list_that_tells_no_wins_says_so():
    found = reading(b"Dupla;Pontos;Tentos a favor\nAna e Bia;6;40\nCaio e Dora;3;30\n")

    assert [(line.total, line.won.wins) for line in found.lines] == [(6, 0), (3, 0)]
    assert [w.code for w in found.warnings] == ["no_wins"]


@pytest.mark.parametrize(("cell", "code"), [("-1", "below_zero"), ("2,5", "no_number")])
def test_what_is_no_count_is_pointed_at_with_its_row(cell: str, code: str):
    found = reading(f"Jogador;V;D\nAna;{cell};0\nBia;0;1\n".encode())

    assert [(e.code, e.row, e.gaps["cell"]) for e in found.errors] == [(code, 2, cell)]


def test_a_list_of_deals_is_not_taken_for_one_of_games():
    table = read_table(b"Joueur;Equipe;P1;D;Total;Donnes\nAna;A;10;2;10;5\n")

    assert not tells_games(table.rows, 0)
    assert guessed(table.rows, 0)[1] == Role.TEAM


def test_a_list_of_games_needs_wins_or_points():
    found = read_lines([["Ana", "3"]], [Role.PLAYER, Role.LOSSES], head=-1, plays_games=True)

    assert [error.code for error in found.errors] == ["no_wins_or_points"]


@pytest.mark.parametrize(
    ("won", "lost"),
    ["VD", "vd", "WL", "GP", ("2x0", "0x2"), ("2 a 1", "1 a 2"), ("2-0", "0–2"),
     ("Vitória", "Derrota")],
)  # fmt: skip
def test_rounds_may_say_who_won_instead_of_points(won: str, lost: str):
    rows = [["Dupla", "Rodada 1", "Rodada 2", "Vitórias"],
            ["Ana/Bia", won, won, "2"], ["Caio/Dora", lost, lost, "0"]]  # fmt: skip

    found = reading(written(rows))

    assert [(line.rounds, line.won.wins, line.won.losses, line.total) for line in found.lines] == [
        ((1, 1), 2, 0, 2), ((0, 0), 0, 2, 0),
    ]  # fmt: skip
    assert found.errors == ()


@pytest.mark.parametrize("head", ["1;2;3", "R1;R2;R3", "Jogo 1;Confronto 2;Rencontre 3"])
def test_a_list_that_only_says_who_won_each_round_is_one_of_games(head: str):
    found = reading(f"Dupla;{head}\nAna/Bia;V;2x1;\nCaio/Dora;D;1x2;2x0\n".encode())

    assert [(line.names, line.won.wins, line.won.losses) for line in found.lines] == [
        (("Ana", "Bia"), 2, 0), (("Caio", "Dora"), 1, 2),
    ]  # fmt: skip
    assert [line.won.games for line in found.lines] == [(2, 1), (3, 2)]
    assert [line.won.played for line in found.lines] == [2, 3]


def test_a_score_that_no_games_have_is_of_tentos():
    found = reading(b"Dupla;Rodada 1;Rodada 2\nAna/Bia;12x8;12 x 10\nCaio/Dora;8x12;10 x 12\n")

    assert [(line.won.wins, line.won.points) for line in found.lines] == [
        (2, (24, 18)), (0, (18, 24)),
    ]  # fmt: skip


def test_wins_in_the_rounds_may_give_other_points_than_one():
    found = reading(b"Dupla;Rodada 1;Rodada 2;Pontos\nAna/Bia;V;V;6\nCaio/Dora;D;D;0\n")

    assert [(line.total, line.won.wins) for line in found.lines] == [(6, 2), (0, 0)]
    assert found.warnings == ()


def test_what_is_neither_a_result_nor_points_is_pointed_at():
    found = reading("Dupla;Rodada 1;Vitórias\nAna/Bia;V?;1\nCaio/Dora;D;0\n".encode())

    assert [(e.code, e.row, e.gaps["cell"]) for e in found.errors] == [("no_number", 2, "V?")]
