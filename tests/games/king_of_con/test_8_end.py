"""§8 The end and the score."""

from typing import Any

import pytest

from games.king_of_con.scene import GAME_BOX, ROBOT, Table, items_of
from ludoteca.core.record import SPECTATOR
from ludoteca.games.king_of_con import GAME, views
from ludoteca.games.king_of_con.components import CHARACTERISTICS
from ludoteca.games.king_of_con.state import State

SIGNED = items_of("SignedEdition")  # I05 I06 I12 I18 I24


def three_signed(**options: Any) -> Table:
    """Seat 0 has three signed Items."""
    table = Table(2, **options)
    table.monkeys(1, 2)
    table.own(0, I05=2, I06=2, I12=2)
    return table


def test_the_game_ends_after_the_sixth_round() -> None:  # §8.1
    table = Table(2)
    table.set(round_number=5)
    table.nobody_bids()
    table.nobody_loots()
    assert table.view()["round"] == 6
    table.nobody_bids()
    table.nobody_loots()
    assert table.told("ended") == [{"kind": "ended", "seat": None, "why": "rounds"}]
    assert table.view()["ended_by"] == "rounds"
    assert table.waiting() == []


def test_four_items_with_a_characteristic_end_the_game_after_buying() -> None:  # §8.2, §8.3
    table = three_signed()
    table.booths(ROBOT)
    table.bid((1, 4), (1, 3))
    table.nobody_bids()
    assert table.told("epic") == [{"kind": "epic", "seat": 0, "characteristic": 12, "items": 4}]
    assert table.view()["ended_by"] == "epic"
    assert table.phase() == "over"
    assert table.worth(ROBOT) == 4  # no looting, no devaluation
    assert table.told("scored", seat=1)[0]["points"] == 2  # seven tokens; the three in the Trash score nothing
    assert table.trashes() == [0, 3]


@pytest.mark.parametrize("number", range(len(CHARACTERISTICS)))
def test_every_characteristic_can_make_an_epic_collection(number: int) -> None:  # §8.2 §8.6
    table = Table(2)
    table.own(0, **dict.fromkeys(items_of(CHARACTERISTICS[number])[:4], 5))
    table.looting()
    table.nobody_loots()
    assert [event["characteristic"] for event in table.told("epic")] == [number + 1]
    assert table.told("scored", seat=0)[0]["epics"] == 1


def test_anybodys_epic_collection_ends_the_game() -> None:  # §8.2
    table = Table(3)
    table.own(2, I05=0, I06=0, I12=0, I18=0)
    table.nobody_bids()
    assert table.told("epic") == [{"kind": "epic", "seat": 2, "characteristic": 12, "items": 4}]
    assert table.view()["ended_by"] == "epic"


def test_all_booths_are_sold_before_the_game_ends() -> None:  # §8.2
    table = three_signed()
    table.booths(ROBOT)
    table.bid((1, 2), (4, 1))
    table.nobody_bids()
    assert [e["booth"] for e in table.told("bought")] == [1, 4]


def test_after_looting_the_devaluation_is_done_and_the_show_off_is_not() -> None:  # §8.3
    table = three_signed()
    table.own(1, **{ROBOT: 1})
    table.looting()
    table.loot({ROBOT: 3}, {})
    assert table.phase() == "over"
    assert table.told("devalued", item=ROBOT)[0]["value"] == 2
    assert table.told("recovered") == []
    assert table.told("dominated") == []
    assert table.trashes() == [4, 0]


def test_an_epic_collection_that_is_broken_in_the_same_looting_does_not_count() -> None:  # §8.3
    table = three_signed()
    table.own(1, **{ROBOT: 1})
    table.looting()
    table.loot({ROBOT: 3}, {"I05": 4})  # the robot comes, the mug goes
    assert table.owner(ROBOT) == 0
    assert table.owner("I05") == 1
    assert table.told("epic") == []
    assert table.phase() == "hid_bid"


def over(table: Table) -> Table:
    """Nobody does anything until the end of the sixth round; tokens and Items stay where they are but for dominances."""
    table.set(round_number=6)
    table.looting()
    table.nobody_loots()
    assert table.phase() == "over"
    return table


def test_a_point_for_each_item_whatever_lies_on_it() -> None:  # §8.4
    table = Table(2)
    table.own(0, I01=9, I07=1)
    assert over(table).told("scored", seat=0)[0]["items"] == 2


def test_an_item_that_matches_both_passions_gives_two_points() -> None:  # §8.5
    table = Table(2)
    table.passions(0, "MangAnime", "SignedEdition")
    table.own(0, **{ROBOT: 1, GAME_BOX: 1})
    assert over(table).told("scored", seat=0)[0]["matches"] == 3


def test_each_epic_collection_gives_a_point_to_everybody_who_has_one() -> None:  # §8.6
    table = Table(2)
    table.own(0, I01=0, I02=0, I03=0, I04=0, I06=0, I11=0, I16=0)  # four Sci-Fi, four Comics
    table.own(1, I21=0, I22=0, I23=0, I24=0)  # four Horror
    table.set(round_number=1)
    table.looting()
    table.nobody_loots()
    assert [e["epics"] for e in sorted(table.told("scored"), key=lambda e: e["seat"])] == [2, 1]


def test_a_point_for_each_three_tokens() -> None:  # §8.7
    table = Table(2)
    table.supplies(8, 7)
    table = over(table)  # a consolation each
    assert table.supply() == [9, 8]
    assert [e["tokens"] for e in sorted(table.told("scored"), key=lambda e: e["seat"])] == [3, 2]


def test_supplies_and_passions_are_uncovered_but_not_what_was_put_back() -> None:  # §8.8
    table = over(Table(3))
    seen = table.view(SPECTATOR)
    assert [p["supply"] for p in seen["players"]] == table.supply()
    assert seen["players"][1]["passions"] == [p + 1 for p in table.state.passions[1, :2].tolist()]
    assert table.told("uncovered", seat=1)[0]["passions"] == seen["players"][1]["passions"]
    assert GAME.redact(table.states, 0, SPECTATOR)["passions"][0, 1, 2] == -1
    assert GAME.redact(table.states, 0, 1)["passions"][0, 1, 2] >= 0


def test_put_back_passions_stay_unseen_through_others_eyes_too() -> None:  # §8.8
    """What looking back shows of a finished game through the eyes of a seat."""
    for table in (Table(3, choose=False), over(Table(3))):
        seen = GAME.redact(table.states, 0, 1)
        views.stays_secret(seen, 1)
        view = GAME.view(State(seen), 1)
        assert view["you"]["put_back"] is None
        kept = [] if table.phase() == "passions" else table.state.passions[1, :2].tolist()
        assert [p["passion"] - 1 for p in view["you"]["passions"]] == kept


def final(monkeys: tuple[int, int], worth: tuple[int, int]) -> list[int]:
    """Two players with as many points each; the ranks."""
    table = Table(2)
    table.monkeys(*monkeys)
    for seat in (0, 1):
        table.passions(seat, *(("Horror", "Games") if seat == 0 else ("SuperHeroes", "Gadgets")))
    table.own(0, I01=worth[0])
    table.own(1, I16=worth[1])
    over(table)
    table.state.supply[:2] = 0
    assert table.result().scores == [1, 1]
    return table.result().ranks


def test_a_tie_in_points_goes_to_the_tokens_on_items() -> None:  # §8.9
    assert final((1, 2), (3, 5)) == [2, 1]


def test_then_to_the_lower_monkey_without_a_swap() -> None:  # §8.9
    table = Table(2)
    table.monkeys(2, 1)
    table = over(table)
    assert table.monkey() == [2, 1]
    table.state.passions[:2] = -1
    assert table.result().scores[0] == table.result().scores[1]
    assert table.result().ranks == [2, 1]
