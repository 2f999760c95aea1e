"""§6 The score track."""

from games.loot.scene import CLEAN, Table


def test_a_turn_with_points_takes_the_next_space_with_the_new_total() -> None:  # §6.1
    table = Table(1, dice=(1, 6, 1))
    table.sheet(0, at=(1, 2))
    table.do(0, "walk left")  # the blue single
    assert table.last("wrote") == {"kind": "wrote", "seat": 0, "space": 1, "points": 1, "total": 1}
    table.do(0, "walk right")  # with the 6: the red single in the other corner
    assert table.player()["track"] == [1, 2]
    assert table.last("wrote")["space"] == 2


def test_several_sources_make_one_entry() -> None:  # §6.2
    table = Table(1, dice=(1, 1, 1))
    drawing = CLEAN.split()
    drawing[0:7] = ["/", "/", "/", ".", "/", "/", "/"]
    table.sheet(0, " ".join(drawing), at=(1, 3))
    happened = table.do(0, "walk right")  # row 1 and the yellow pair
    assert happened.count("wrote") == 1
    assert table.player()["track"] == [5]
    assert table.player()["turn_points"] == 5


def test_a_turn_without_points_takes_no_space() -> None:  # §6.3
    table = Table(1, dice=(1, 1, 1))
    table.entries(0, 3)
    table.sheet(0, at=(1, 2))
    assert "wrote" not in table.do(0, "walk right")
    assert table.player()["track"] == [3]


def test_an_ability_alone_takes_no_space() -> None:  # §6.3
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, CLEAN.replace(". .", ". /", 1), at=(2, 4))
    happened = table.do(0, "walk right")
    assert "gained" in happened
    assert "wrote" not in happened
    assert table.player()["track"] == []
