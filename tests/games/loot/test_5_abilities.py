"""§5 Abilities."""

from games.loot.scene import CLEAN, Table


def test_an_ability_works_once_and_is_crossed_out() -> None:  # §5.1
    table = Table(1, dice=(2, 2, 2))
    table.sheet(0, at=(4, 4))
    table.abilities(0, plus_minus=1)
    assert table.do(0, "walk_plus up")[:2] == ["used", "walked"]
    assert table.held() == {"wrap": 0, "plus_minus": 0}
    assert table.player()["used"] == {"wrap": 0, "plus_minus": 1}
    assert table.refused(0, "walk_plus down") == "no_plus_minus"


def test_an_ability_can_be_used_from_the_next_turn_on() -> None:  # §5.1
    table = Table(2, dice=(1, 1, 1))
    table.sheet(0, CLEAN.replace(". .", ". /", 1), at=(2, 4))
    assert table.refused(0, "walk_plus right") == "no_plus_minus"
    table.do(0, "walk right")  # the second Meeps: plus or minus one
    assert table.legal(0) == []  # the turn is over: nothing more can be done in it
    table.do(1, "walk up")
    assert "walk_plus up" not in table.legal(0)  # from row 2 two steps up lead out of the grid
    assert "walk_plus down" in table.legal(0)


def test_two_abilities_cannot_be_combined() -> None:  # §5.2
    table = Table(1, dice=(5, 1, 1))
    table.sheet(0, at=(4, 4))
    table.abilities(0, wrap=1, plus_minus=1)
    walks = table.walks()
    assert {action.split()[0] for action in walks} == {"walk_wrap"}  # 4 and 6 lead out, and may not wrap as well
    table.do(0, "walk_wrap up")
    assert table.held() == {"wrap": 0, "plus_minus": 1}


def test_wrap_goes_on_at_the_opposite_side_of_the_same_line() -> None:  # §5.3
    table = Table(1, dice=(4, 1, 1))
    table.sheet(0, at=(2, 6))
    table.abilities(0, wrap=1)
    walks = table.walks()
    assert walks["walk_wrap up"] == (5, 6)
    assert walks["walk_wrap right"] == (2, 3)
    assert table.choice("walk_wrap right")["path"] == [13, 7, 8, 9]
    table.do(0, "walk_wrap right")
    assert table.mark(0, 2, 3) == "/"


def test_wrap_only_for_a_walk_over_the_edge() -> None:  # §5.3
    table = Table(1, dice=(4, 1, 1))
    table.sheet(0, at=(2, 6))
    table.abilities(0, wrap=1)
    assert {a for a in table.walks() if "wrap" in a} == {"walk_wrap up", "walk_wrap right"}
    assert table.refused(0, "walk_wrap left") == "no_edge"


def test_wrap_cannot_land_on_a_cross() -> None:  # §5.3
    table = Table(1, dice=(4, 1, 1))
    drawing = CLEAN.split()
    drawing[9] = "x"
    table.sheet(0, " ".join(drawing), at=(2, 6))
    table.abilities(0, wrap=1)
    assert table.refused(0, "walk_wrap right") == "crossed"


def test_without_wrap_there_is_no_way_over_the_edge() -> None:  # §5.3
    table = Table(1, dice=(4, 1, 1))
    table.sheet(0, at=(2, 6))
    assert table.refused(0, "walk_wrap right") == "no_wrap"


def test_one_more_or_one_less() -> None:  # §5.4
    table = Table(1, dice=(2, 1, 1))
    table.sheet(0, at=(4, 4))
    table.abilities(0, plus_minus=1)
    walks = table.walks()
    assert (walks["walk_minus up"], walks["walk up"], walks["walk_plus up"]) == ((3, 4), (2, 4), (1, 4))
    assert table.choice("walk_plus up")["steps"] == 3


def test_a_one_cannot_be_lessened_and_seven_leads_out() -> None:  # §5.4
    table = Table(1, dice=(1, 1, 1))
    table.abilities(0, plus_minus=1)
    assert not any(action.startswith("walk_minus") for action in table.legal())
    assert table.refused(0, "walk_minus up") == "no_zero"
    table = Table(1, dice=(6, 1, 1))
    table.sheet(0, at=(1, 1))
    table.abilities(0, plus_minus=1)
    assert not any(action.startswith("walk_plus") for action in table.legal())
    assert table.refused(0, "walk_plus right") == "off_grid"


def test_several_of_a_kind_may_be_held_and_are_worth_nothing_at_the_end() -> None:  # §5.5
    table = Table(1, dice=(1, 1, 1))
    table.sheet(0, at=(1, 2))
    table.abilities(0, wrap=2, plus_minus=2)
    table.entries(0, *range(1, 11))
    table.do(0, "walk left")
    assert table.over()
    assert table.score() == 10 + 1 + 3
    table = Table(1, dice=(2, 1, 1))
    table.abilities(0, wrap=0, plus_minus=2)
    table.do(0, "walk_minus up")
    assert table.held()["plus_minus"] == 1
