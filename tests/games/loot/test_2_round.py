"""§2 The round."""

import itertools

from games.loot.scene import Table


def test_everybody_walks_at_once_on_a_sheet_of_their_own():  # §2.1
    table = Table(3, dice=(2, 5, 6))
    assert table.waiting() == [0, 1, 2]
    table.do(1, "walk up")
    assert table.waiting() == [0, 2]
    assert (table.mark(1, 2, 4), table.mark(0, 2, 4)) == ("/", ".")
    assert table.legal(1) == []
    table.do(0, "walk up")  # the same square on another sheet
    assert table.mark(0, 2, 4) == "/"


def test_the_order_of_the_moves_changes_nothing():  # §2.1
    chosen = {0: "walk up", 1: "walk right", 2: "walk down"}
    ends = set()
    for order in itertools.permutations(chosen):
        table = Table(3, dice=(2, 5, 6), seed=4)
        for seat in order:
            table.do(seat, chosen[seat])
        ends.add(table.states.tobytes())
    assert len(ends) == 1


def test_moves_are_public_while_others_still_think():  # §2.1
    table = Table(2, dice=(2, 5, 6))
    table.do(1, "walk up")
    seen = table.view(0)["players"]
    assert [player["moved"] for player in seen] == [False, True]


def test_only_the_active_die_counts():  # §2.2
    table = Table(2, dice=(2, 1, 3))
    assert set(table.walks().values()) == {(2, 4), (4, 6), (6, 4), (4, 2)}


def test_the_active_die_is_rolled_into_the_last_place():  # §2.3
    table = Table(2, dice=(2, 5, 6))
    table.do(0, "walk up")
    assert table.view()["dice"] == [2, 5, 6]
    assert table.do(1, "walk up")[-2:] == ["rolled", "new_round"]
    dice = table.view()["dice"]
    assert dice[:2] == [5, 6]
    assert 1 <= dice[2] <= 6
    assert (table.view()["round"], table.waiting()) == (2, [0, 1])
