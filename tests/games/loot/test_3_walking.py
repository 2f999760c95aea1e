"""§3 Walking."""

from typing import Any

import pytest

from games.loot.scene import CLEAN, FULL, Table

EXAMPLE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . x . . . / .
    . . . . / . .
    . . . . . . .
    . . . . x . .
"""


@pytest.mark.parametrize(
    ("die", "ends"),
    [
        (1, {"walk up": (3, 5), "walk right": (4, 6), "walk down": (5, 5), "walk left": (4, 4)}),
        (2, {"walk up": (2, 5), "walk right": (4, 7), "walk down": (6, 5), "walk left": (4, 3)}),
        (3, {"walk up": (1, 5)}),
        (4, {"walk left": (4, 1)}),
        (5, {}),
        (6, {}),
    ],
)
def test_the_worked_example_of_the_rulebook(die: int, ends: Any) -> None:  # §3.10
    table = Table(1, dice=(die, 1, 1))
    table.sheet(0, EXAMPLE, at=(4, 5))
    assert table.walks() == ends
    relocations = [action for action in table.legal() if action.startswith("relocate")]
    assert len(relocations) == (0 if ends else 45)


def test_the_marks_of_the_worked_example() -> None:  # §3.10
    marks = {}
    for direction in ("up", "right", "down", "left"):
        table = Table(1, dice=(1, 1, 1))
        table.sheet(0, EXAMPLE, at=(4, 5))
        marks[direction] = table.choice(f"walk {direction}")["mark"]
    assert marks == {"up": "/", "left": "/", "right": "x", "down": "x"}


def test_exactly_the_number_in_a_straight_line() -> None:  # §3.1
    table = Table(1, dice=(3, 1, 1))
    table.sheet(0, at=(4, 4))
    assert table.walks() == {"walk up": (1, 4), "walk right": (4, 7), "walk down": (7, 4), "walk left": (4, 1)}
    assert table.choice("walk right")["path"] == [25, 26, 27]
    assert table.do(0, "walk right")[0] == "walked"
    assert table.last("walked") == {
        "kind": "walked", "seat": 0, "from": 24, "to": 27, "direction": "right", "steps": 3,
    }  # fmt: skip
    assert table.player()["pawn"] == 27


def test_crosses_on_the_way_do_not_matter() -> None:  # §3.2
    table = Table(1, dice=(3, 1, 1))
    table.sheet(0, CLEAN.replace(". . . . . . .", ". . x x . . .", 1), at=(1, 2))
    assert table.walks()["walk right"] == (1, 5)


def test_first_a_slash_then_a_cross() -> None:  # §3.3
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, at=(4, 4))
    assert "slashed" in table.do(0, "walk up")
    assert table.mark(0, 3, 4) == "/"
    table.do(0, "walk down")
    assert table.mark(0, 4, 4) == "/"  # the start of the scene was not marked
    table.state.dice[:] = 1
    assert "crossed" in table.do(0, "walk up")
    assert table.mark(0, 3, 4) == "x"
    assert table.player()["crosses"] == 1


def test_squares_passed_over_are_not_marked() -> None:  # §3.3
    table = Table(1, dice=(3, 1, 1))
    table.do(0, "walk right")
    assert table.player()["marks"].count("/") == 1


def test_nobody_stands_on_a_square_a_third_time() -> None:  # §3.4
    table = Table(1, dice=(2, 1, 1))
    table.sheet(0, EXAMPLE, at=(4, 4))
    assert "walk left" not in table.walks()
    assert table.refused(0, "walk left") == "crossed"


def test_nobody_leaves_the_grid() -> None:  # §3.5
    table = Table(1, dice=(2, 1, 1))
    table.sheet(0, at=(1, 2))
    assert set(table.walks()) == {"walk right", "walk down"}
    assert table.refused(0, "walk up") == "off_grid"


def test_who_can_walk_must_even_for_a_cross() -> None:  # §3.6
    table = Table(1, dice=(6, 1, 1))
    drawing = CLEAN.replace(". . . . . . .", ". . . . . . /", 1)
    table.sheet(0, drawing, at=(1, 1))
    table.state.crossed[0] = 1 << 42  # row 7, column 1
    table.state.visited[0] |= 1 << 42
    assert table.legal() == ["walk right"]
    assert table.refused(0, "relocate 3 3") == "not_stuck"
    assert table.refused(0, "stay") == "not_stuck"


def test_an_ability_may_take_the_place_of_the_walk() -> None:  # §3.6
    table = Table(1, dice=(2, 1, 1))
    table.sheet(0, at=(4, 4))
    table.abilities(0, plus_minus=1)
    assert len(table.walks()) == 4 + 8


def test_without_a_way_the_pawn_stands_on_any_clean_square_without_a_mark() -> None:  # §3.7
    table = Table(1, dice=(6, 2, 1))
    table.sheet(0, EXAMPLE, at=(4, 5))
    assert table.view(0)["you"]["stuck"]
    assert len(table.legal()) == 45
    for marked in ("4 2", "7 5", "4 6", "5 5"):
        assert table.refused(0, f"relocate {marked}") == "not_clean"
    assert table.turn("relocate 1 2") == ["relocated"]  # a Meeps square: nothing is met
    assert (table.mark(0, 1, 2), table.player()["pawn"], table.score(), table.player()["meeps"]) == (".", 1, 0, 0)


def test_an_ability_may_be_used_instead_of_relocating() -> None:  # §3.7
    table = Table(1, dice=(5, 1, 1))
    table.sheet(0, EXAMPLE, at=(4, 5))
    table.abilities(0, wrap=1, plus_minus=1)
    assert table.walks() == {"walk_wrap up": (6, 5), "walk_wrap right": (4, 3), "walk_wrap down": (2, 5),
                             "walk_wrap left": (4, 7), "walk_minus left": (4, 1)}  # fmt: skip
    assert sum(action.startswith("relocate") for action in table.legal()) == 45


def test_the_pawn_may_be_put_back_on_its_own_clean_square() -> None:  # §3.8
    table = Table(1, dice=(6, 1, 1))
    table.sheet(0, EXAMPLE, at=(4, 5))
    assert "relocate 4 5" in table.legal()
    table.do(0, "relocate 4 5")
    assert table.player()["pawn"] == 25


def test_without_a_way_and_a_clean_square_the_pawn_stays() -> None:  # §3.9
    table = Table(1, dice=(6, 1, 1))
    table.sheet(0, FULL, at=(4, 4))
    assert table.legal() == ["stay"]
    before = table.player()["marks"]
    assert table.turn("stay") == ["stayed"]
    assert table.player()["marks"] == before


def test_a_turn_without_a_walk_has_no_points() -> None:  # §3.7, §3.9
    for drawing, action in ((EXAMPLE, "relocate 1 2"), (FULL, "stay")):
        table = Table(1, dice=(6, 1, 1))
        table.sheet(0, drawing, at=(4, 5))
        table.state.turn_points[0] = 3  # of the turn before
        table.turn(action)
        assert table.player()["turn_points"] == 0


def test_who_has_clean_squares_cannot_stay() -> None:  # §3.9
    table = Table(1, dice=(6, 1, 1))
    table.sheet(0, EXAMPLE, at=(4, 5))
    assert table.refused(0, "stay") == "clean_left"


def test_an_ability_may_be_used_instead_of_staying() -> None:  # §3.9
    table = Table(1, dice=(6, 1, 1))
    table.sheet(0, FULL.replace("x", "/", 49), at=(4, 4))
    table.abilities(0, wrap=1)
    assert table.legal() == ["walk_wrap up", "walk_wrap right", "walk_wrap down", "walk_wrap left", "stay"]
