"""§8 The Avengers tile."""

from games.splendor.scene import Table

FREE = {"yellow": 7, "red": 7, "orange": 7, "blue": 7, "purple": 7}


def recruit(table: Table, seat: int, name: str) -> list[str]:
    """The card for nothing, so that only its symbols matter."""
    table.turn(seat)
    table.show(name)
    table.places()
    table.bonuses(seat, **FREE)
    level = 1 + [name in table.face_up(n) for n in (1, 2, 3)].index(True)
    return table.do(seat, f"recruit {level} 1")


def test_the_first_with_three_symbols_takes_the_tile() -> None:  # §8.1
    table = Table(4)
    table.stars(0, 2)
    assert "avengers" in recruit(table, 0, "Wasp")
    assert table.view()["avengers"] == 0
    assert table.score(0) == 3


def test_two_symbols_are_not_enough() -> None:  # §8.1
    table = Table(4)
    table.stars(0, 1)
    assert "avengers" not in recruit(table, 0, "Wasp")
    assert table.score(0) == 0


def test_saras_lucas_and_micheles_example() -> None:  # §8.2, §8.3
    """Sara has 4 and the tile; Luca reaches 4 with Wasp: nothing; Michele reaches 5 with Captain America: it is his."""
    table = Table(4)
    sara, luca, michele = 0, 1, 2
    table.stars(sara, 4, tile=True)
    table.stars(luca, 3)
    table.stars(michele, 3)
    before = table.score(sara)
    assert "avengers" not in recruit(table, luca, "Wasp")
    assert table.view()["avengers"] == sara
    captain = table.card("Captain America")
    assert "avengers" in recruit(table, michele, "Captain America")
    assert table.view()["players"][michele]["stars"] == 5
    assert table.view()["avengers"] == michele
    assert table.score(sara) == before - 3
    from ludoteca.games.splendor.components import POINTS

    assert table.score(michele) == 3 + POINTS[0, captain]


def test_the_owner_keeps_it_without_counting_twice() -> None:  # §8.3
    table = Table(4)
    table.stars(0, 3, tile=True)
    assert "avengers" not in recruit(table, 0, "Wasp")
    assert table.score(0) == 3


def test_it_can_move_back_and_forth() -> None:  # §8.3
    table = Table(4)
    table.stars(0, 3, tile=True)
    table.stars(1, 3)
    recruit(table, 1, "Wasp")
    assert (table.score(0), table.score(1)) == (0, 3)
    table.stars(0, 4)
    recruit(table, 0, "Hawkeye")
    assert (table.score(0), table.score(1)) == (3, 0)


def test_the_tile_is_not_needed_to_win() -> None:  # §8.4
    table = Table(2)
    table.ready_to_win(1, points=16)
    table.stars(0, 5, tile=True)
    table.turn(1)
    table.do(1, "take_three 1 2 3")
    assert table.over()
    assert table.ranks() == [2, 1]
