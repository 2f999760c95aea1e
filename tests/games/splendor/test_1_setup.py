"""§1 Set-up."""

import pytest

from games.splendor.scene import Table, levels_of
from ludoteca.core.engine import compiled
from ludoteca.core.errors import BadData
from ludoteca.games.splendor import GAME
from ludoteca.games.splendor.components import CARD_LIST, PLACE_LIST


def test_each_level_has_its_own_shuffled_deck() -> None:  # §1.1
    state = Table().state
    for level, size in enumerate((40, 30, 20)):
        cards = state.deck[level, : state.deck_left[level]].tolist() + state.market[level].tolist()
        assert len(set(cards)) == size
        assert levels_of(cards) == {level + 1}
        assert cards != sorted(cards)
        assert state.deck[level].tolist() != Table(seed=2).state.deck[level].tolist()


def test_four_cards_of_each_level_lie_face_up() -> None:  # §1.2
    table = Table()
    assert [len(set(row)) for row in table.view()["market"]] == [4, 4, 4]
    assert table.view()["decks"] == [36, 26, 16]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_locations_as_players(seats: int) -> None:  # §1.3
    tiles = Table(seats).view()["tiles"]
    assert len(tiles) == seats
    assert all(tile["owner"] is None for tile in tiles)


def test_a_location_tile_shows_one_of_its_two_faces_at_random() -> None:  # §1.3
    seen = set()
    for seed in range(200):
        state = Table(4, seed=seed).state
        places = [PLACE_LIST[0][n] for n in state.tiles.tolist() if n >= 0]
        assert len({place.tile for place in places}) == 4, "both faces of one tile"
        seen |= {place.id for place in places}
    assert len(seen) == 8


@pytest.mark.parametrize(("seats", "each"), [(2, 4), (3, 5), (4, 7)])
def test_tokens_by_number_of_players(seats: int, each: int) -> None:  # §1.4
    assert Table(seats).view()["bank"][:6] == [each] * 5 + [5]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_time_gem_for_each_player(seats: int) -> None:  # §1.5
    assert Table(seats).left("green") == seats


def test_the_avengers_tile_starts_with_nobody() -> None:  # §1.6
    assert Table().view()["avengers"] is None


def test_the_first_seat_begins_and_the_turn_goes_round() -> None:  # §1.7
    table = Table(3)
    turns = []
    for _ in range(6):
        seat = table.engine.waiting(table.states)[0]
        turns.append(seat)
        table.do(seat, table.legal(seat)[0])
    assert turns == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("seats", [0, 1, 5, 40])
def test_other_numbers_of_players_are_refused(seats: int) -> None:  # §1
    with pytest.raises(BadData, match="2 to 4 players"):
        Table(seats)


def test_the_printed_cards_add_up() -> None:  # §1.1
    cards = CARD_LIST[0]
    assert sum(card.points for card in cards) == 140
    assert sum(card.stars for card in cards) == 35
    assert len({card.name for card in cards}) == 90
    for level, each in ((2, 41), (3, 43)):
        costs = [card.cost for card in cards if card.level == level]
        assert [sum(column) for column in zip(*costs)] == [each] * 5


def test_every_deal_is_as_likely_as_any_other() -> None:  # §1.1
    counts = [0] * 40
    engine = compiled(GAME)
    states = engine.new()
    for seed in range(8000):
        engine.setup(states, 0, 2, {}, seed * 7919)
        counts[int(states["market"][0, 0, 0])] += 1
    assert min(counts) > 140
    assert max(counts) < 265  # 200 expected, five standard deviations
