"""§3 Monkeys."""

import pytest

from games.king_of_con.scene import DIRK, GREG, LULU, TODD, ZAK, Table


def test_the_lower_monkey_wins_and_the_two_swap() -> None:  # §3.1, §3.2
    table = Table(3)
    table.monkeys(3, 1, 2)
    table.bid((1, 4), (2, 1), (1, 4))
    table.nobody_bids()
    assert table.told("bought", booth=1)[0]["seat"] == 2
    assert table.monkey() == [2, 1, 3]
    [swap] = table.told("swapped")
    assert swap["before"][:3] == [3, 1, 2]
    assert swap["after"][:3] == [2, 1, 3]


def test_monkeys_swap_in_looting_and_in_the_show_off_too() -> None:  # §3.2
    table = Table(3)
    table.monkeys(1, 2, 3)
    table.own(2, I18=1)
    table.looting()
    table.loot({"I18": 3}, {"I18": 3}, {})
    assert table.told("swapped", item="I18")[0]["after"][:3] == [2, 1, 3]

    table = Table(2)
    table.monkeys(1, 2)
    table.own(0, I01=3)
    table.own(1, I02=3)  # both Sci-Fi, both worth as much
    table.show_off()
    assert table.told("dominated", characteristic=1)[0]["by"] == "monkeys"
    assert table.told("swapped", characteristic=1)[0]["after"][:2] == [2, 1]


def test_three_tied_players_move_their_monkeys_as_in_the_book() -> None:  # §3.3
    table = Table(5)
    table.monkeys(1, 3, 5, 2, 4)  # Todd 2, Lulu 3, Greg 5
    table.bid(None, (1, 2), (1, 2), (1, 2), None)
    table.nobody_bids()
    assert table.told("bought", booth=1)[0]["seat"] == TODD
    assert table.monkey() == [1, 2, 3, 5, 4]
    assert table.monkey()[LULU] == 2
    assert table.monkey()[GREG] == 3
    assert (table.monkey()[DIRK], table.monkey()[ZAK]) == (1, 4)


def test_the_next_tie_is_settled_with_the_new_monkeys() -> None:  # §3.4
    table = Table(2)
    table.monkeys(1, 2)
    table.bid((1, 2), (1, 2))
    table.bid((2, 3), (2, 3))
    table.nobody_bids()
    assert [e["seat"] for e in table.told("bought")] == [0, 1]
    assert table.monkey() == [1, 2]


# Monkey Control


def tie_at_a_booth(*tied: int) -> Table:
    table = Table(5, monkey_control="on")
    table.monkeys(5, 4, 3, 2, 1)
    table.bid(*[(1, 2) if seat in tied else None for seat in range(5)])
    table.nobody_bids()
    return table


def test_without_the_option_nobody_is_asked() -> None:  # §3.5
    table = Table(2)
    table.bid((1, 2), (1, 2))
    table.nobody_bids()
    assert table.phase() == "looting"


def test_who_concedes_keeps_the_monkey_and_the_other_wins() -> None:  # §3.5
    table = tie_at_a_booth(1, 3)
    assert table.phase() == "buying"
    assert table.waiting() == [3]
    book = table.view()["contest"]["item"]
    assert table.view()["contest"] == {"seat": 3, "item": book, "booth": 1, "characteristic": None, "seats": [1, 3]}
    assert table.legal(3) == [f"claim {book}", f"concede {book}"]
    assert "First the tie" in table.refuses(3, "pass")
    assert "not deciding that tie" in table.refuses(3, "claim_dominance 1")
    table.do(3, f"concede {book}")
    assert table.owner(book) == 1
    assert table.monkey() == [5, 4, 3, 2, 1]
    assert table.trashes() == [0, 0, 0, 2, 0]
    assert table.phase() == "looting"


def test_who_insists_wins_and_swaps() -> None:  # §3.5
    table = tie_at_a_booth(1, 3)
    book = table.view()["contest"]["item"]
    table.do(3, f"claim {book}")
    assert table.owner(book) == 3
    assert table.monkey() == [5, 2, 3, 4, 1]


def test_among_three_the_right_passes_on_and_the_others_rotate_without_the_first() -> None:  # §3.6
    table = tie_at_a_booth(0, 2, 4)
    book = table.view()["contest"]["item"]
    table.do(4, f"concede {book}")
    assert table.waiting() == [2]
    assert table.view()["contest"]["seats"] == [0, 2]
    table.do(2, f"claim {book}")
    assert table.owner(book) == 2
    assert table.monkey() == [3, 4, 5, 2, 1]


def test_the_last_one_left_wins_without_a_swap() -> None:  # §3.6
    table = tie_at_a_booth(0, 2, 4)
    book = table.view()["contest"]["item"]
    table.do(4, f"concede {book}")
    table.do(2, f"concede {book}")
    assert table.owner(book) == 0
    assert table.monkey() == [5, 4, 3, 2, 1]
    assert table.told("swapped") == []


def test_a_concession_in_the_show_off_as_in_the_book() -> None:  # §3.7
    table = Table(5, monkey_control="on")
    table.monkeys(2, 3, 1, 4, 5)  # Greg 1, Zak 5
    table.own(GREG, I01=3)
    table.own(ZAK, I02=3)
    table.show_off()
    assert table.phase() == "show_off"
    assert table.waiting() == [GREG]
    assert table.legal(GREG) == ["claim_dominance 1", "concede_dominance 1"]
    before = table.supply()
    table.do(GREG, "concede_dominance 1")
    assert table.told("dominated", characteristic=1) == [
        {"kind": "dominated", "seat": ZAK, "characteristic": 1, "items": 1, "by": "concession", "tokens": 2}
    ]
    assert table.monkey() == [2, 3, 1, 4, 5]
    assert table.supply()[ZAK] == before[ZAK] + 3  # dominances 1, 7 and 15 are Zak's


def test_insisting_on_a_dominance_swaps() -> None:  # §3.7
    table = Table(2, monkey_control="on")
    table.monkeys(1, 2)
    table.own(0, I01=3)
    table.own(1, I02=3)
    table.show_off()
    table.do(0, "claim_dominance 1")
    assert table.monkey() == [2, 1]
    assert table.told("dominated", characteristic=1)[0]["seat"] == 0


def spoils_with_control() -> Table:
    table = Table(4, monkey_control="on")
    table.monkeys(1, 2, 3, 4)
    table.own(3, I18=1, I24=1)
    table.looting()
    table.loot({"I18": 2, "I24": 2}, {"I18": 2, "I24": 2}, {"I18": 2}, {})
    return table


def test_in_the_looting_each_tied_item_can_be_claimed_or_conceded() -> None:  # §3.7
    table = spoils_with_control()
    assert table.phase() == "spoils"
    assert table.waiting() == [0]
    assert table.legal(0) == ["claim I18", "claim I24", "concede I18", "concede I24"]
    table.do(0, "concede I24")  # only seat 1 is left there: it takes the game without a swap
    assert table.owner("I24") == 1
    assert table.monkey() == [1, 2, 3, 4]
    assert table.trashes()[0] == 2
    assert table.waiting() == [0]
    assert table.legal(0) == ["claim I18", "concede I18"]


def test_after_a_concession_in_the_looting_the_lowest_of_all_tied_goes_on() -> None:  # §3.6
    table = spoils_with_control()
    table.do(0, "concede I18")  # seats 1 and 2 are left for the robot, 0 and 1 for the game
    assert table.waiting() == [0]
    table.do(0, "claim I24")
    assert table.monkey() == [2, 1, 3, 4]
    assert table.waiting() == [1]
    assert table.legal(1) == ["claim I18", "concede I18"]
    table.do(1, "claim I18")
    assert table.told("looted", item="I18")[0]["seat"] == 1
    assert table.monkey() == [2, 3, 1, 4]


@pytest.mark.parametrize("answer", ["claim", "concede"])
def test_tokens_are_counted_while_a_tie_waits(answer: str) -> None:  # §3.7
    table = spoils_with_control()
    assert table.tokens() == 100
    table.do(0, f"{answer} I18")
    assert table.tokens() == 100
