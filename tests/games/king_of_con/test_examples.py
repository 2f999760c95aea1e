"""The books' own examples: the worked round and the scoring (docs/en.md of the game says which parts they settle)."""

from typing import Any

import pytest

from games.king_of_con.scene import BOOK, DIRK, GAME_BOX, GREG, LULU, ROBOT, SWORD, TODD, ZAK, Table

MONKEYS = (2, 5, 1, 4, 3)  # Greg is before Todd and Dirk before Zak; any such deal gives the same round


@pytest.fixture
def table() -> Table:
    table = Table(5)
    table.booths(ROBOT, SWORD, BOOK, GAME_BOX)
    table.monkeys(*MONKEYS)
    return table


def bid_as_in_the_book(table: Table) -> None:
    table.bid((1, 3), (1, 2), (3, 2), (3, 3), (1, 4))
    table.bid((1, 2), (2, 4), (3, 1), None, (4, 2))
    table.bid(None, None, None, None, (4, 3))


def loot_as_in_the_book(table: Table) -> None:
    table.loot({}, {SWORD: 1}, {SWORD: 5}, {SWORD: 6}, {})


def test_the_worked_round_up_to_the_sale(table: Any) -> None:  # §5.5, §5.7, §5.8, §5.9
    bid_as_in_the_book(table)
    bought = [(e["seat"], e["item"], e["value"]) for e in table.told("bought")]
    assert bought == [(DIRK, ROBOT, 5), (LULU, SWORD, 4), (GREG, BOOK, 3), (ZAK, GAME_BOX, 5)]
    assert table.trashes() == [0, 2, 0, 3, 4]
    assert (table.monkey()[GREG], table.monkey()[TODD]) == (4, 1)


def test_the_worked_round_up_to_the_looting(table: Any) -> None:  # §6.3, §6.4, §6.6, §6.10
    bid_as_in_the_book(table)
    loot_as_in_the_book(table)
    assert table.told("looted") == [
        {"kind": "looted", "seat": TODD, "item": SWORD, "tokens": 6, "from": LULU, "added": 1}
    ]
    assert [(e["seat"], e["value"]) for e in table.told("devalued")] == [(GREG, 2), (TODD, 5), (DIRK, 4), (ZAK, 4)]
    recovered = [(e["seat"], e["tokens"], e["rest"]) for e in table.told("recovered")]
    assert recovered == [(DIRK, 1, 0), (LULU, 2, 0), (GREG, 4, 2), (TODD, 4, 0), (ZAK, 4, 1)]


def test_the_worked_round_to_its_end(table: Any) -> None:  # §7.3, §7.4, §7.5, §7.6
    bid_as_in_the_book(table)
    loot_as_in_the_book(table)
    assert [(e["characteristic"], e["seat"]) for e in table.told("dominated")] == [
        (1, GREG), (3, TODD), (4, DIRK), (5, ZAK), (6, GREG), (8, DIRK), (9, ZAK), (10, TODD), (11, GREG), (12, DIRK),
        (14, TODD),
    ]  # fmt: skip
    assert [e["characteristic"] for e in table.told("undominated")] == [2, 7, 13, 15]
    assert table.told("dominated", characteristic=12)[0]["by"] == "monkeys"  # both are worth 4: the books say otherwise
    assert [e["seat"] for e in table.told("consoled")] == [LULU]
    assert table.supply() == [9, 12, 9, 8, 7]
    assert sum(table.state.worth) == 15
    assert table.state.pool == 40
    assert table.view()["round"] == 2


def test_the_last_looting_and_the_scoring_example() -> None:  # §8.2, §8.4, §8.5, §8.6, §8.7, §8.9
    """In round V Dirk loots the board game from Zak: four signed Items of five, and the game ends with the phase.

    Dirk 11, Lulu 8, Todd 8, Greg 7, and Lulu before Todd by 7 tokens against 5, though Todd has Monkey 1. The books give
    Zak five matches and 10 points, which do not add up; four matches do.
    """
    table = Table(5)
    table.monkeys(5, 3, 4, 1, 2)
    table.passions(DIRK, "SignedEdition", "Sci-Fi")
    table.own(DIRK, I18=3, I06=2, I12=2, I01=2)  # three signed and a Sci-Fi
    table.passions(LULU, "Gadgets", "DeluxeEdition")
    table.own(LULU, I15=5, I10=2, I17=2, I08=2)  # four Items; the broadsword matches twice: 4 + 3 + 1
    table.passions(GREG, "Fantasy", "ComicsBooks")
    table.own(GREG, I11=2, I13=2, I16=2)  # three Items, four matches
    table.passions(TODD, "HomeVideo", "Mint")
    table.own(TODD, I02=3, I07=2, I20=2, I25=2)  # four Items, four matches
    table.passions(ZAK, "Horror", "Games")
    table.own(ZAK, I24=2, I22=2, I23=2, I04=1, I09=1)
    table.supplies(5, 5, 2, 1, 4)
    table.set(round_number=5)
    table.looting()
    table.loot({GAME_BOX: 3}, {}, {}, {}, {})
    assert table.told("epic") == [{"kind": "epic", "seat": DIRK, "characteristic": 12, "items": 4}]
    assert (table.view()["ended_by"], table.view()["round"]) == ("epic", 5)
    scored = {e["seat"]: (e["items"], e["matches"], e["epics"], e["tokens"], e["points"]) for e in table.told("scored")}
    assert scored == {
        DIRK: (5, 5, 1, 0, 11), LULU: (4, 3, 0, 1, 8), GREG: (3, 4, 0, 0, 7), TODD: (4, 4, 0, 0, 8), ZAK: (4, 4, 0, 2, 10),
    }  # fmt: skip
    assert [table.told("scored", seat=seat)[0]["on_items"] for seat in (LULU, TODD)] == [7, 5]
    assert table.result().ranks == [1, 3, 5, 4, 2]
