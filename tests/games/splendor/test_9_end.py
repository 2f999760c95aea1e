"""§9 The end of the game."""

import pytest

from games.splendor.scene import Table
from ludoteca.games.splendor.rules.decisions import qualifies


def nearly() -> Table:
    table = Table(2)
    table.ready_to_win(1, points=16)
    table.turn(1)
    return table


def test_the_conditions_together_end_the_game() -> None:  # §9.1
    table = nearly()
    assert table.do(1, "take_three 1 2 3") == ["took", "assembled", "ended"]
    assert table.over()


def test_after_the_end_nobody_is_asked_and_no_round_begins() -> None:  # §9.3
    table = nearly()
    table.do(1, "take_three 1 2 3")
    assert (table.waiting(), table.told("new_round"), table.view()["round"]) == ([], [], 1)
    assert [event["why"] for event in table.told("ended")] == ["rules"]


def test_fifteen_points_are_not_enough() -> None:  # §9.1
    table = Table(2)
    table.ready_to_win(1, points=15)
    assert not qualifies(table.state, 1)


@pytest.mark.parametrize("colour", ["yellow", "red", "orange", "blue", "purple"])
def test_a_bonus_of_every_colour_is_needed(colour: str) -> None:  # §9.1
    table = Table(2)
    table.ready_to_win(1, points=20)
    table.bonuses(1, **{colour: -1})
    assert not qualifies(table.state, 1)


def test_the_time_gem_is_needed() -> None:  # §9.1
    table = Table(2)
    table.ready_to_win(1, points=20)
    table.tokens(1, green=-1)
    assert not qualifies(table.state, 1)
    table.turn(1)
    table.do(1, "take_three 1 2 3")
    assert not table.over()


def test_the_round_is_completed() -> None:  # §9.2
    table = Table(3)
    table.ready_to_win(0, points=16)
    assert table.do(0, "take_three 1 2 3") == ["took", "assembled"]
    assert table.view()["final_round"]
    table.do(1, "take_three 1 2 3")
    assert not table.over()
    table.do(2, "take_three 1 2 3")
    assert table.over()
    assert table.ranks() == [1, 2, 2]


def test_the_last_of_the_round_ends_it_at_once() -> None:  # §9.3
    table = nearly()
    table.do(1, "take_three 1 2 3")
    assert table.over()
    assert table.ranks() == [2, 1]


def test_most_points_among_those_who_qualify() -> None:  # §9.4
    table = Table(3)
    table.ready_to_win(0, points=16)
    table.ready_to_win(1, points=18)
    table.points(2, 25)  # without the time gem: cannot win
    for seat in range(3):
        table.do(seat, "take_three 1 2 3")
    assert table.ranks() == [2, 1, 3]


@pytest.mark.parametrize("points", [16, 17])
def test_one_point_more_outweighs_the_avengers_tile(points: int) -> None:  # §9.4, §9.5
    table = Table(2)
    for seat in (0, 1):
        table.ready_to_win(seat, points=points + seat)
    table.set(avengers=0)
    assert table.ranks() == [2, 1]


def test_a_tie_goes_to_the_avengers_tile() -> None:  # §9.5
    table = Table(2)
    table.ready_to_win(0, points=17)
    table.ready_to_win(1, points=14)
    table.stars(1, 3, tile=True)
    table.recruits(0, 5)
    table.recruits(1, 15)
    table.do(0, "take_three 1 2 3")
    table.do(1, "take_three 1 2 3")
    assert table.ranks() == [2, 1]


def test_then_to_fewer_characters() -> None:  # §9.6
    table = Table(2)
    table.ready_to_win(0, points=17)
    table.ready_to_win(1, points=17)
    table.recruits(0, 15)
    table.recruits(1, 14)
    table.do(0, "take_three 1 2 3")
    table.do(1, "take_three 1 2 3")
    assert table.ranks() == [2, 1]


def test_an_avengers_tile_with_a_third_player_breaks_no_tie() -> None:  # §9.5, §9.6
    table = Table(3)
    table.ready_to_win(0, points=17)
    table.ready_to_win(1, points=17)
    table.stars(2, 5, tile=True)
    table.recruits(0, 12)
    table.recruits(1, 14)
    for seat in range(3):
        table.do(seat, "take_three 1 2 3")
    assert table.ranks() == [1, 2, 3]


def test_otherwise_the_victory_is_shared() -> None:  # §9.7
    table = Table(2)
    for seat in range(2):
        table.ready_to_win(seat, points=17)
        table.recruits(seat, 14)
    table.do(0, "take_three 1 2 3")
    table.do(1, "take_three 1 2 3")
    assert table.ranks() == [1, 1]


def losing_the_tile() -> Table:
    """Seat 0 has 13 points, the tile and all the rest; seat 1 is about to take the tile with Wasp."""
    table = Table(2)
    table.ready_to_win(0, points=13)
    table.stars(0, 3, tile=True)
    table.stars(1, 3)
    table.show("Wasp")
    table.places()
    table.bonuses(1, yellow=7, orange=7, blue=7)
    assert table.do(0, "take_three 1 2 3") == ["took", "assembled"]
    return table


def test_who_loses_the_tile_and_falls_below_does_not_end_the_game() -> None:  # §9.8
    table = losing_the_tile()
    assert table.do(1, "recruit 1 1") == ["recruited", "avengers", "fell_short"]
    assert table.score(0) == 13
    assert not table.over()
    assert not table.view()["final_round"]
    assert table.engine.waiting(table.states) == [0]


def test_the_game_may_end_all_the_same_by_another() -> None:  # §9.8
    table = losing_the_tile()
    table.ready_to_win(1, points=14)  # the tile makes it 17
    assert table.do(1, "recruit 1 1") == ["recruited", "avengers", "assembled", "ended"]
    assert table.over()
    assert table.ranks() == [2, 1]


def test_who_holds_the_gauntlet_now_is_told_when_one_falls_short_and_another_qualifies() -> None:  # §9.8
    table = Table(3)
    table.ready_to_win(0, points=13)
    table.stars(0, 3, tile=True)
    table.stars(1, 3)
    table.show("Wasp")
    table.places()
    table.bonuses(1, yellow=7, orange=7, blue=7)
    table.do(0, "take_three 1 2 3")
    table.ready_to_win(1, points=14)
    assert table.do(1, "recruit 1 1")[-1] == "assembled"
    assert (table.events[-1]["seat"], table.events[-1]["points"]) == (1, 17)
    assert "assembled" not in table.do(2, "take_three 1 2 3")  # nothing has changed
    assert table.ranks()[1] == 1


def test_the_game_ends_when_nothing_moves_any_more() -> None:  # §9.9
    table = Table(2)
    for seat, names in enumerate((("Iron Man", "Gamora", "Black Panther"), ("Doctor Strange", "Thor", "Nova"))):
        for name in names:
            table.hand(seat, name)
    table.bank(yellow=0, red=0, orange=0, blue=0, purple=0)
    table.points(1, 5)
    for turn in range(2 * 30):
        assert not table.over(), f"after {turn} turns"
        table.do(turn % 2, "pass")
    assert table.over()
    assert table.ranks() == [2, 1]
    assert table.latest[-1]["why"] == "idle"


def test_a_reservation_starts_the_count_anew() -> None:  # §9.9
    table = Table(2)
    table.do(0, "take_three 1 2 3")
    assert table.state.idle_turns == 1
    table.do(1, "reserve 1 1")
    assert table.state.idle_turns == 0


def test_a_recruit_starts_the_count_anew() -> None:  # §9.9
    table = Table(2)
    table.do(0, "take_three 1 2 3")
    table.show("Rocket")
    table.bonuses(1, yellow=1, red=2)
    table.do(1, "recruit 1 1")
    assert table.state.idle_turns == 0


def test_rounds_are_counted_one_by_one() -> None:  # §9.2
    table = Table(3)
    assert table.view()["round"] == 1
    for number in (2, 3):
        for seat in range(3):
            table.do(seat, next(action for action in table.legal(seat) if action.startswith("take")))
        assert table.view()["round"] == number
    assert [event["round"] for event in table.told("new_round")] == [2, 3]


def test_recruits_are_counted() -> None:  # §9.6
    table = Table(2)
    table.bonuses(0, **dict.fromkeys(table.kinds[:5], 7))
    table.do(0, "recruit 1 1")
    assert table.state.recruits.tolist()[:2] == [1, 0]
