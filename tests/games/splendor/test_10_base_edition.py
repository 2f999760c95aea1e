"""§10 The base edition."""

import pytest

from games.splendor.scene import Table
from ludoteca.games.splendor.components import CARD_LIST, PLACE_LIST


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_noble_more_than_players(seats: int) -> None:  # §10.1
    tiles = Table(seats, "base").view()["tiles"]
    assert len({tile["id"] for tile in tiles}) == seats + 1


def test_nobles_are_won_like_locations() -> None:  # §10.1
    table = Table(2, "base")
    table.places("Mary Stuart")
    table.bonuses(0, green=4, red=4)
    assert table.do(0, "take_three 1 2 3") == ["took", "received"]
    assert table.score(0) == 3


def test_gold_is_the_joker_and_there_is_no_time_gem() -> None:  # §10.2
    table = Table(2, "base")
    assert table.left("gold") == 5
    assert table.state.bank[6] == 0
    table.do(0, "reserve 3 1")
    assert table.held(0) == {"gold": 1}


def test_a_card_of_level_3_brings_no_gem_and_no_tile() -> None:  # §10.2
    table = Table(2, "base")
    table.bonuses(0, white=7, blue=7, green=7, red=7, black=7)
    table.places()
    assert table.do(0, "recruit 3 1") == ["recruited"]
    assert table.state.avengers == -1


def test_fifteen_points_end_the_game_after_the_round() -> None:  # §10.3
    table = Table(2, "base")
    table.points(0, 15)
    assert table.do(0, "take_three 1 2 3") == ["took", "assembled"]
    assert not table.over()
    table.do(1, "take_three 1 2 3")
    assert table.over()


def test_fourteen_points_do_not() -> None:  # §10.3
    table = Table(2, "base")
    table.points(1, 14)
    table.turn(1)
    table.do(1, "take_three 1 2 3")
    assert not table.over()


@pytest.mark.parametrize(
    ("points", "cards", "ranks"),
    [((15, 17), (9, 12), [2, 1]), ((15, 15), (9, 12), [1, 2]), ((15, 15), (9, 9), [1, 1])],
)
def test_most_points_then_fewer_cards_then_shared(
    points: tuple[int, ...], cards: tuple[int, ...], ranks: list[int]
) -> None:  # §10.4
    table = Table(2, "base")
    for seat in range(2):
        table.points(seat, points[seat])
        table.recruits(seat, cards[seat])
    table.turn(1)
    table.do(1, "take_three 1 2 3")
    assert table.over()
    assert table.ranks() == ranks


def test_the_printed_base_cards_add_up() -> None:  # §10
    for level, each in ((1, 33), (2, 41), (3, 43)):
        costs = [card.cost for card in CARD_LIST[1] if card.level == level]
        assert [sum(column) for column in zip(*costs)] == [each] * 5
    assert sorted(sum(place.cost) for place in PLACE_LIST[1]) == [8] * 5 + [9] * 5
