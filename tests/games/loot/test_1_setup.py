"""§1 Set-up."""

from collections import Counter
from typing import Any

from games.loot.scene import Table, square
from ludoteca.core.engine import interpreted
from ludoteca.games.loot import GAME
from ludoteca.games.loot.state import State


def fresh(seats: int = 2, seed: int = 1, **options: Any) -> Any:
    """A table before the pawns are put down."""
    table = Table(seats, seed=seed)
    table.states = table.engine.start(seats, options, seed)
    return table


def test_the_sheet_has_49_squares_and_a_hall_of_each_size_and_colour() -> None:  # §1.1
    sheet = fresh().view()["sheet"]
    assert len(sheet["grid"]) == 49
    halls = Counter((hall["colour"], hall["size"]) for hall in sheet["halls"])
    assert halls == {(colour, size): 1 for colour in ("red", "yellow", "green", "blue") for size in (1, 2, 3, 4)}
    assert sheet["grid"].count("M") == len(sheet["meeps_track"]) == 9


def test_the_symmetric_sheet_favours_no_colour_and_no_side() -> None:  # §1.1
    grid = fresh().view()["sheet"]["grid"]
    turned = "".join(grid[(6 - column) * 7 + row] for row in range(7) for column in range(7))
    assert turned.translate(str.maketrans("RYGB", "YGBR")) == grid


def test_pawns_start_on_any_border_square_and_leave_no_mark() -> None:  # §1.2
    table = fresh()
    assert table.waiting() == [0, 1]
    starts = [tuple(map(int, action.split()[1:])) for action in table.legal(0)]
    assert sorted(starts) == sorted((r, c) for r in range(1, 8) for c in range(1, 8) if r in (1, 7) or c in (1, 7))
    assert len(starts) == 24
    assert table.do(0, "start 1 4") == []
    assert table.refused(1, "walk up") == "choose_start"
    assert table.do(1, "start 7 1")[:2] == ["started", "started"]
    assert [player["pawn"] for player in table.view()["players"]] == [square(1, 4), square(7, 1)]
    assert table.player(0)["marks"] == "." * 49


def test_two_pawns_may_start_from_the_same_square() -> None:  # §1.2, everybody has a sheet of their own
    table = fresh()
    table.do(0, "start 1 4")
    assert "started" in table.do(1, "start 1 4")


def test_then_three_dice_are_rolled() -> None:  # §1.3
    table = fresh()
    table.do(0, "start 1 4")
    assert table.view()["dice"] == [0, 0, 0]
    assert table.do(1, "start 7 1") == ["started", "started", "rolled"]
    assert all(1 <= die <= 6 for die in table.view()["dice"])
    assert table.view()["dice"] == table.last("rolled")["dice"]
    assert (table.view()["phase"], table.waiting()) == ("order", [0])


def test_with_the_option_the_dice_lie_as_they_fell() -> None:  # §1.4
    table = fresh(first_dice="rolled")
    table.do(0, "start 1 4")
    assert table.do(1, "start 7 1") == ["started", "started", "rolled", "new_round"]
    assert (table.view()["round"], table.waiting()) == (1, [0, 1])


def test_all_faces_fall_equally_often() -> None:  # §1.3
    engine, found = interpreted(GAME), Counter[int]()
    for seed in range(1200):
        states = engine.start(1, {}, seed)
        engine.apply(states, 0, 0, 0)
        found.update(State(states).dice.tolist())
    assert set(found) == {1, 2, 3, 4, 5, 6}
    assert max(found.values()) < 1.2 * 600
    assert min(found.values()) > 0.8 * 600


def test_the_first_player_puts_the_dice_in_order() -> None:  # §1.3
    table = fresh()
    table.do(1, "start 1 4")
    assert table.do(0, "start 7 1") == ["started", "started", "rolled"]
    assert table.waiting() == [0]
    state = table.state
    state.dice[:] = (2, 5, 6)
    assert table.refused(0, "walk up") == "choose_order"
    assert table.choice("order 3 1 2")["dice"] == [6, 2, 5]
    assert table.do(0, "order 3 1 2") == ["ordered", "new_round"]
    assert table.view()["dice"] == [6, 2, 5]
    assert (table.view()["phase"], table.waiting()) == ("move", [0, 1])
    assert table.refused(0, "order 1 2 3") == "not_now_order"


def test_equal_dice_are_not_offered_twice() -> None:  # §1.3
    table = fresh()
    table.do(0, "start 1 4"), table.do(1, "start 7 1")
    table.state.dice[:] = (4, 4, 1)
    assert [choice["dice"] for choice in table.choices(0)] == [[4, 4, 1], [4, 1, 4], [1, 4, 4]]
    assert table.refused(0, "order 2 1 3") == "same_order"
    table.state.dice[:] = (4, 4, 4)
    assert table.legal(0) == ["order 1 2 3"]


def test_one_player_can_play_alone() -> None:  # §1.5
    table = fresh(seats=1)
    assert table.do(0, "start 4 1") == ["started", "rolled"]
    table.do(0, "order 1 2 3")
    assert table.waiting() == [0]
    table.state.dice[:] = (3, 1, 1)
    assert "new_round" in table.do(0, "walk right")
    assert table.ranks() == [1]
