"""§7 The end."""

from typing import Any

from games.loot.scene import CLEAN, FULL, Table


def nearly_over(*totals: Any, seats: int = 2) -> Any:
    """Everybody stands beside the blue single in the corner and has written ten entries of eleven, up to this total."""
    table = Table(seats, dice=(1, 1, 1))
    for seat, total in enumerate(totals):
        table.sheet(seat, at=(1, 2))
        table.entries(seat, *range(total - 9, total + 1))
    return table


def test_the_round_is_completed() -> None:  # §7.1
    table = nearly_over(20, 25)
    assert table.choice("walk left")["ends"]
    assert table.do(0, "walk left") == []  # nobody else can tell that this was the last move
    assert not table.over()
    assert table.waiting() == [1]
    happened = table.do(1, "walk right")
    assert "last_round" in happened
    assert happened[-1] == "ended"
    assert table.over()
    assert table.waiting() == []
    assert table.last("ended")["why"] == "rules"


def test_ten_entries_are_not_enough() -> None:  # §7.1
    table = nearly_over(20, 25)
    table.do(0, "walk right"), table.do(1, "walk right")
    assert not table.over()


def test_who_got_there_gets_three_points_more() -> None:  # §7.2
    table = nearly_over(20, 22)
    table.do(0, "walk left"), table.do(1, "walk right")
    assert (table.score(0), table.score(1)) == (20 + 1 + 3, 22)
    assert table.last("bonus") == {"kind": "bonus", "seat": 0, "points": 3, "total": 24}
    assert table.player(0)["sources"]["end"] == 3
    assert table.ranks() == [1, 2]


def test_all_who_got_there_in_the_same_round_get_them() -> None:  # §7.2
    table = nearly_over(20, 22)
    table.do(0, "walk left"), table.do(1, "walk left")
    assert (table.score(0), table.score(1)) == (24, 26)


def test_all_write_their_final_total() -> None:  # §7.3
    table = nearly_over(20, 22)
    table.do(0, "walk left"), table.do(1, "walk right")
    assert [player["final"] for player in table.view()["players"]] == [24, 22]
    assert [len(player["track"]) for player in table.view()["players"]] == [11, 10]


def test_the_highest_total_wins_whoever_ended_the_game() -> None:  # §7.4
    table = nearly_over(20, 30)
    table.do(0, "walk left"), table.do(1, "walk right")
    assert table.ranks() == [2, 1]


def test_crosses_decide_a_tie() -> None:  # §7.5
    table = nearly_over(20, 24)
    state = table.state
    state.visited[0] = state.crossed[0] = 1 << 30 | 1 << 31
    state.visited[1] = 1 << 30 | 1 << 31 | 1 << 32  # more squares visited, but a single cross
    state.crossed[1] = 1 << 30
    table.do(0, "walk left"), table.do(1, "walk right")
    assert (table.score(0), table.score(1)) == (24, 24)
    assert table.ranks() == [1, 2]


def test_equal_in_both_is_shared() -> None:  # §7.6
    table = nearly_over(20, 24)
    table.do(0, "walk left"), table.do(1, "walk right")
    assert table.ranks() == [1, 1]


def test_twenty_rounds_without_a_mark_end_the_game() -> None:  # §7.7
    table = Table(2, dice=(6, 6, 6))
    for seat in (0, 1):
        table.sheet(seat, FULL)
        table.entries(seat, 5 + seat)
    for number in range(1, 21):
        assert not table.over()
        table.state.dice[:] = 6
        table.do(0, "stay"), table.do(1, "stay")
        assert table.view()["idle_left"] == 20 - number if number < 20 else table.over()
    assert table.last("ended")["why"] == "idle"
    assert (table.score(0), table.score(1)) == (5, 6)
    assert table.ranks() == [2, 1]


def test_after_twenty_such_rounds_no_die_is_rolled_and_nobody_is_asked() -> None:  # §7.7
    table = Table(2, dice=(6, 6, 6))
    for seat in (0, 1):
        table.sheet(seat, FULL)
    table.idle(19)
    table.do(0, "stay")
    assert table.do(1, "stay") == ["stayed", "stayed", "ended"]
    assert table.waiting() == []
    assert (table.view()["round"], table.state.dice.tolist()) == (1, [6, 6, 6])


def test_one_mark_by_anybody_starts_the_count_again() -> None:  # §7.7
    table = Table(2, dice=(6, 6, 6))
    table.sheet(0, FULL)
    table.sheet(1, CLEAN, at=(1, 1))
    table.idle(19)
    table.do(1, "walk right"), table.do(0, "stay")
    assert not table.over()
    assert table.view()["idle_left"] == 20
    table.state.dice[:] = 6
    table.sheet(1, FULL)
    table.do(0, "stay"), table.do(1, "stay")
    assert table.view()["idle_left"] == 19
