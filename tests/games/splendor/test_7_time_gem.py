"""§7 The time gem."""

from games.splendor.scene import Table
from ludoteca.games.splendor.components import CARD_LIST


def test_the_first_character_of_level_3_brings_the_time_gem() -> None:  # §7.1
    table = Table()
    table.show("Doctor Strange")
    table.bonuses(0, purple=7)
    assert table.do(0, "recruit 3 1") == ["recruited", "time_gem"]
    assert table.held(0) == {"green": 1}
    assert table.left("green") == 1


def test_lower_levels_bring_none() -> None:  # §7.1
    table = Table()
    table.show("Miles Morales")
    table.bonuses(0, purple=5)
    assert table.do(0, "recruit 2 1") == ["recruited"]
    assert table.held(0) == {}


def test_a_reserved_character_of_level_3_brings_it_when_recruited() -> None:  # §7.1
    table = Table()
    table.hand(0, "Doctor Strange")
    table.bonuses(0, purple=7)
    assert table.do(0, "recruit_hand 1") == ["recruited", "time_gem"]


def test_the_second_one_brings_nothing_more() -> None:  # §7.2
    table = Table()
    table.show("Doctor Strange")
    table.bonuses(0, purple=7)
    table.tokens(0, green=1)
    assert table.do(0, "recruit 3 1") == ["recruited"]
    assert table.held(0) == {"green": 1}


def test_there_is_always_one_left_for_who_has_none() -> None:  # §7.2, §1.5
    table = Table(4)
    for seat in range(3):
        table.tokens(seat, green=1)
    table.turn(3)
    table.show("Doctor Strange")
    table.bonuses(3, purple=7)
    assert table.do(3, "recruit 3 1") == ["recruited", "time_gem"]


def test_nothing_costs_or_gives_green() -> None:  # §7.3
    assert all(len(card.cost) == 5 and card.bonus != "green" for card in CARD_LIST[0])
    table = Table()
    table.show("Rocket")
    table.tokens(0, yellow=1, red=1, green=1)
    assert not table.may(0, "recruit 1 1"), "the time gem is no joker"
