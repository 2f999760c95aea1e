"""What is printed on the components; a card file with a mistake is refused in a sentence that names the line."""

import csv
import hashlib
import pathlib
from collections import Counter
from dataclasses import astuple

import pytest

from ludoteca.core.errors import BadData
from ludoteca.games.splendor.components import (
    CARD_LIST,
    COLOURS,
    EDITIONS,
    HERE,
    PLACE_LIST,
    Card,
    Place,
    made_of,
    read_rows,
)

GOOD = (HERE / "marvel.csv").read_text("utf-8").splitlines()


def read(tmp_path: pathlib.Path, lines: list[str]) -> tuple[list[Card], list[Place]]:
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(lines), "utf-8")
    return made_of(read_rows(path, 0), COLOURS[0])


def test_the_printed_file_is_read(tmp_path: pathlib.Path) -> None:
    cards, places = read(tmp_path, GOOD)
    assert (len(cards), len(places)) == (90, 8)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("M102,Rocket,1,yellow,0,1,2", "M102,Rocket,1,pink,0,1,2", "line 3, column bonus: «pink» is not known here"),
        ("M102,Rocket,1,yellow,0,1,2", "M102,Rocket,4,yellow,0,1,2", "line 3, column level: «4» is not known here"),
        ("M102,Rocket,1,yellow,0,1,2", "M102,Rocket,1,yellow,0,1,x", "line 3, column red: «x» is no whole number"),
        (
            "M102,Rocket,1,yellow,0,1,2",
            "M102,Rocket,1,yellow,0,1,-2",
            "line 3, column red: -2 stands here; it can be 0 to 9",
        ),
        ("M102,Rocket,1", "M101,Rocket,1", "line 3, column id: the id M101 is used twice, first in line 2"),
        ("card,M102", "hero,M102", "line 3, column kind: «hero» is not known here; it can be card, place"),
        (
            ",3,3,0,3,0,3,,1,",
            ",4,3,0,3,0,3,,1,",
            "column points: a place with 4 points; by the rules every tile is worth 3",
        ),
    ],
)
def test_mistakes_are_named(tmp_path: pathlib.Path, old: str, new: str, complaint: str) -> None:
    lines = [line.replace(old, new) for line in GOOD]
    assert lines != GOOD
    with pytest.raises(BadData, match=complaint):
        read(tmp_path, lines)


def shapes(edition: int, level: int) -> Counter[tuple[int, ...]]:
    """How the costs of a level are made up, whatever the colours: 7, 7+3, 6+3+3 …"""
    return Counter(
        (card.points, *sorted(filter(None, card.cost), reverse=True))
        for card in CARD_LIST[edition]
        if card.level == level
    )


def test_the_colours_are_balanced() -> None:
    for edition, colours in enumerate(COLOURS):
        for level, each in ((1, 8), (2, 6), (3, 4)):
            bonuses = Counter(card.bonus for card in CARD_LIST[edition] if card.level == level)
            assert bonuses == dict.fromkeys(colours, each)
    costs = [card.cost for card in CARD_LIST[0] if card.level == 1]
    assert [sum(column) for column in zip(*costs)] == [32, 32, 33, 33, 34]  # base: 33 each
    stars = Counter[str]()
    for card in CARD_LIST[0]:
        stars[card.bonus] += card.stars
    assert stars == dict.fromkeys(COLOURS[0], 7)


def test_both_editions_have_costs_of_the_same_shapes() -> None:
    """All but one: in place of a card for 2+2 Marvel has one more for 2+1."""
    assert shapes(0, 1) - shapes(1, 1) == {(0, 2, 1): 1}
    assert shapes(1, 1) - shapes(0, 1) == {(0, 2, 2): 1}
    assert shapes(0, 2) == shapes(1, 2)
    assert shapes(0, 3) == shapes(1, 3)


@pytest.mark.parametrize(("edition", "checksum"), [(0, "e429d21508f9629d"), (1, "51f063692b8674be")], ids=EDITIONS)
def test_no_printed_figure_has_changed(edition: int, checksum: str) -> None:
    """Every name, level, bonus, point, cost and symbol; whoever corrects one from a box writes the new sum here."""
    printed = [astuple(card) for card in CARD_LIST[edition]] + [astuple(place) for place in PLACE_LIST[edition]]
    assert hashlib.sha256(repr(printed).encode()).hexdigest()[:16] == checksum


def test_disputed_printed_facts() -> None:  # §1.8
    rows = {row["name"]: row for row in csv.DictReader(GOOD)}
    cost = {name: [int(rows[name][c]) for c in ("yellow", "red", "orange", "blue", "purple")] for name in rows}
    assert cost["Gamora"] == [0, 7, 3, 0, 0]
    assert [int(rows[name]["avengers"]) for name in ("Doctor Strange", "Nova")] == [1, 0]
    assert cost["Kingpin"] == cost["Spider-Ham"]
    for name in ("Gamora", "Doctor Strange", "Nova"):
        assert "disputed" in rows[name]["source"] or "third has" in rows[name]["source"]
