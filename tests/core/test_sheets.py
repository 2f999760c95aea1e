"""Mistakes in a card file are said in one sentence, with file, line and column."""

import pathlib
from typing import Any

import pytest

from ludoteca.core.errors import BadData
from ludoteca.core.sheets import plain_text, read_sheet

COLUMNS = ("id", "name", "points")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"id,name,points\na,Hermit,x\n", "cards.csv, line 2, column points: «x» is no whole number."),
        (b"id,name,points\na,Hermit,1\nb,Fool,\n", "cards.csv, line 3, column points: «» is no whole number."),
        (b"id,name\na,Hermit\n", "cards.csv, line 1, column points: this column is missing; there is id, name."),
        (b"", "cards.csv, line 1, column id: this column is missing; there is nothing."),
        (b"id,name,points\na,Hermit\n", "cards.csv, line 2, column 3: there are 2 cells under 3 columns."),
        (
            b"\xef\xbb\xbfid,name,points\n",
            "cards.csv, line 1, column 1: the file begins with a byte-order mark; save it as plain UTF-8, without it.",
        ),
        (
            "id,name,points\na,H\u00e9ros,1\n".encode("latin-1"),
            "cards.csv, line 2, column 4: this is no UTF-8, perhaps Latin-1; save it as plain UTF-8.",
        ),
        (
            "id,name,points\n".encode("utf-16"),
            "cards.csv, line 1, column 1: the file is UTF-16; save it as plain UTF-8.",
        ),
    ],
)
def test_a_mistake_has_its_place(data: Any, sentence: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_bytes(data)
    with pytest.raises(BadData) as refused:
        print([row.number("points") for row in read_sheet(path, COLUMNS)])
    assert refused.value.sentence == sentence


def test_what_a_line_is_found_wrong_with_has_its_place_too(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text('id,name,points\n\na,"The\nHermit",7\n', "utf-8")
    [row] = read_sheet(path, COLUMNS)
    assert (row["name"], row.number("points"), plain_text(path)[:2]) == ("The\nHermit", 7, "id")
    with pytest.raises(BadData, match=r"cards\.csv, line 4: too strong\."), row.checked():
        raise ValueError("too strong")
