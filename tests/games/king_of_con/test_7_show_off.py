"""§7 Show Off."""

import random

import pytest

from games.king_of_con.scene import BOOK, GAME_BOX, ROBOT, SWORD, Table
from ludoteca.games.king_of_con.components import ITEMS, PASSIONS
from ludoteca.games.king_of_con.rules.ending import sharing
from ludoteca.games.king_of_con.rules.show_off import NO_SEAT, SEVERAL, most_items
from ludoteca.games.king_of_con.state import IN_DECK


def test_recovery_is_five_less_one_for_each_item() -> None:  # §7.1
    table = Table(3)
    table.own(1, **{ROBOT: 0, SWORD: 0})
    table.trash(7, 7, 2)
    table.show_off()
    assert [(e["seat"], e["tokens"]) for e in table.told("recovered")] == [(0, 5), (1, 3), (2, 2)]


def test_a_single_token_is_recovered_and_told() -> None:  # §7.1
    table = Table(2)
    table.trash(1, 0)
    table.show_off()
    assert table.told("recovered") == [{"kind": "recovered", "seat": 0, "tokens": 1, "rest": 0}]


def test_with_five_items_or_more_nothing_is_recovered() -> None:  # §7.1
    table = Table(2)
    table.own(0, I01=0, I02=0, I03=0, I06=0, I12=0, I18=0)
    table.trash(4, 0)
    table.show_off()
    assert table.told("recovered") == [{"kind": "recovered", "seat": 0, "tokens": 0, "rest": 4}]


def test_the_rest_of_the_trash_goes_to_the_pool() -> None:  # §7.2
    table = Table(2)
    table.trash(8, 1)
    pool = table.state.pool
    table.show_off()
    assert table.told("recovered")[0]["rest"] == 3
    assert table.supply() == [10 + 5 + 1, 10 + 1 + 1]
    assert table.trashes() == [0, 0]
    assert table.state.pool == pool + 3 - 2  # two consolations


def test_most_items_dominate_in_the_order_of_the_characteristics() -> None:  # §7.3
    table = Table(2)
    table.own(0, **{BOOK: 5, ROBOT: 1})
    table.own(1, **{SWORD: 0, GAME_BOX: 1})
    table.show_off()
    dominated = [(e["characteristic"], e["seat"]) for e in table.told("dominated")]
    assert dominated == [
        (1, 0),
        (3, 1),
        (4, 0),
        (5, 1),
        (6, 0),
        (8, 0),
        (9, 1),
        (10, 1),
        (11, 0),
        (12, dominated[9][1]),
        (14, 1),
    ]
    assert table.told("dominated", characteristic=1)[0]["by"] == "items"


def test_each_dominance_brings_a_token_from_the_pool() -> None:  # §7.3
    table = Table(2)
    table.own(0, **{ROBOT: 0})
    pool = table.state.pool
    table.show_off()
    assert table.supply() == [13, 11]
    assert table.state.pool == pool - 4


def test_more_items_beat_more_tokens() -> None:  # §7.3
    table = Table(2)
    table.own(0, I01=9)
    table.own(1, I02=1, I03=1)  # Sci-Fi: two against one
    table.show_off()
    assert table.told("dominated", characteristic=1)[0] == {
        "kind": "dominated", "seat": 1, "characteristic": 1, "items": 2, "by": "items", "tokens": 0
    }  # fmt: skip


def test_a_tie_goes_to_the_tokens_on_just_those_items() -> None:  # §7.4
    table = Table(2)
    table.monkeys(2, 1)
    table.own(0, I01=4)
    table.own(1, I02=3, I18=9)  # the robot's tokens do not count for Sci-Fi
    table.show_off()
    assert table.told("dominated", characteristic=1)[0]["seat"] == 0
    assert table.told("dominated", characteristic=1)[0]["by"] == "tokens"


def test_then_the_monkeys_and_their_swap_counts_for_the_next_characteristic() -> None:  # §7.4
    table = Table(2)
    table.monkeys(1, 2)
    table.own(0, I01=3, I06=2)  # Sci-Fi Comics Vintage, SuperHeroes Comics Signed
    table.own(1, I02=3, I07=2)  # Sci-Fi Video Mint, SuperHeroes Video Vintage
    table.show_off()
    assert [(e["characteristic"], e["seat"]) for e in table.told("claimed")] == [(1, 0), (2, 1)]
    assert table.monkey() == [1, 2]


def test_the_board_shows_who_would_dominate_and_what_breaks_the_tie() -> None:  # §7.4
    table = Table(2)
    table.monkeys(1, 2)
    table.own(0, I01=3, I06=2)
    table.own(1, I02=3, I07=4)
    dominance = table.view()["dominance"]
    assert dominance[0] == {"characteristic": 1, "seat": 0, "items": 1, "tokens": 3, "tie": "monkeys"}
    assert dominance[1] == {"characteristic": 2, "seat": 1, "items": 1, "tokens": 4, "tie": "tokens"}
    assert dominance[5] == {"characteristic": 6, "seat": 0, "items": 2, "tokens": 5, "tie": None}
    assert dominance[2] == {"characteristic": 3, "seat": None, "items": 0, "tokens": 0, "tie": None}


def test_what_nobody_has_brings_nothing() -> None:  # §7.5
    table = Table(2)
    table.own(0, **{ROBOT: 0})
    table.show_off()
    assert len(table.told("undominated")) == 12
    assert len(table.told("dominated")) == 3


def test_who_has_no_items_gets_a_consolation_the_lower_monkey_first() -> None:  # §7.6
    table = Table(3)
    table.monkeys(3, 2, 1)
    table.own(1, **{ROBOT: 0})
    table.show_off()
    assert [e["seat"] for e in table.told("consoled")] == [2, 0]
    assert table.supply() == [11, 13, 11]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_who_has_most_is_found_for_all_characteristics_at_once(seats: int) -> None:  # §7.3
    state, luck = Table(seats).state, random.Random(seats)
    for _ in range(60):
        for item in range(ITEMS):
            state.location[item] = luck.choice([IN_DECK, *range(seats)])
        found = most_items(state)
        for characteristic in range(PASSIONS):
            have = [sharing(state, seat, characteristic) for seat in range(seats)]
            leader = have.index(max(have)) if have.count(max(have)) == 1 else SEVERAL
            assert found >> 4 * characteristic & 15 == (leader if max(have) > 0 else NO_SEAT)
