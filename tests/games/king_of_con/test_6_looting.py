"""§6 Looting."""

from typing import Any

from games.king_of_con.scene import BOOK, GAME_BOX, ROBOT, SWORD, Table


def at_the_looting(seats: int = 3, **options: Any) -> Table:
    """Seat 0 owns the robot (4), seat 1 the sword (2), the board game is on the Stall; nobody has more than ten tokens."""
    table = Table(seats, **options)
    table.monkeys(*range(1, seats + 1))
    table.own(0, **{ROBOT: 4})
    table.own(1, **{SWORD: 2})
    table.stall(GAME_BOX)
    table.looting()
    return table


def test_any_items_in_collections_and_on_the_stall_take_offers() -> None:  # §6.1
    table = at_the_looting()
    assert {a.split()[1] for a in table.legal(0) if a != "seal"} == {ROBOT, SWORD, GAME_BOX}
    assert table.view(0)["you"]["offers"] == {
        SWORD: {"kind": "attack", "least": 3},
        ROBOT: {"kind": "defend", "least": 1},
        GAME_BOX: {"kind": "buy", "least": 3},
    }
    assert table.refuses(0, f"place {BOOK} 1") == "This Item is in no Collection and not on the Stall."
    assert "sold" in table.refuses(0, "pass")


def test_everybody_composes_behind_the_screen_and_seals() -> None:  # §6.1
    table = at_the_looting()
    table.do(0, f"place {SWORD} 3")
    assert table.events == []
    assert table.waiting() == [0, 1, 2]
    assert table.view(1)["players"][0] == at_the_looting().view(1)["players"][0]
    assert table.view(0)["you"]["quadrant"] == {SWORD: 3}
    table.do(0, "seal")
    assert table.waiting() == [1, 2]
    assert table.view(1)["players"][0]["sealed"]


def test_all_offers_together_come_out_of_the_supply() -> None:  # §6.2
    table = at_the_looting()
    table.do(0, f"place {SWORD} 7")
    assert table.view(0)["you"]["left"] == 3
    assert [a for a in table.legal(0) if a.startswith(f"place {ROBOT}")] == [f"place {ROBOT} {n}" for n in (1, 2, 3)]
    assert table.refuses(0, f"place {ROBOT} 4") == "You have only 3 tokens left."


def test_every_set_of_offers_the_supply_allows_can_be_made() -> None:  # §6.2
    table = at_the_looting()
    table.supplies(3, 10, 10)
    found = set()

    def explore(states: Any, made: Any) -> None:
        table.states = states
        for action in table.legal(0):
            if action == "seal":
                found.add(made)
                continue
            _, name, tokens = action.split()
            after = states.copy()
            table.states = after
            table.do(0, action)
            explore(after, (*made, (name, int(tokens))))
            table.states = states

    explore(table.states, ())
    in_order = (SWORD, ROBOT, GAME_BOX)
    possible = [(a, b, c) for a in range(4) for b in range(4) for c in range(4) if a + b + c <= 3]
    wanted = {tuple((n, t) for n, t in zip(in_order, each, strict=True) if t) for each in possible}
    assert found == wanted


def test_an_offer_too_small_to_win_is_allowed_and_wasted() -> None:  # §6.2, §6.4
    table = at_the_looting()
    table.loot({SWORD: 2}, {}, {})
    assert table.owner(SWORD) == 1
    assert table.told("wasted") == [{"kind": "wasted", "seat": 0, "item": SWORD, "tokens": 2, "why": "not_enough"}]


def test_own_tokens_raise_the_value_before_offers_are_compared() -> None:  # §6.3
    table = at_the_looting()
    table.loot({}, {SWORD: 3}, {SWORD: 5})
    assert table.told("reinforced") == [{"kind": "reinforced", "seat": 1, "item": SWORD, "tokens": 3, "value": 5}]
    assert table.owner(SWORD) == 1
    assert table.worth(SWORD) == 4  # devalued


def test_own_tokens_are_not_given_back_when_the_item_is_lost() -> None:  # §6.3, §6.6
    table = at_the_looting()
    table.loot({}, {SWORD: 3}, {SWORD: 6})
    assert table.owner(SWORD) == 2
    assert table.told("looted")[0] == {
        "kind": "looted", "seat": 2, "item": SWORD, "tokens": 6, "from": 1, "added": 1
    }  # fmt: skip


def test_an_offer_must_pass_the_value() -> None:  # §6.4
    table = at_the_looting()
    table.loot({SWORD: 3}, {}, {})
    assert table.owner(SWORD) == 0


def test_the_highest_offer_takes_it_and_the_others_are_wasted() -> None:  # §6.5
    table = at_the_looting(4)
    table.loot({SWORD: 3}, {}, {SWORD: 5}, {SWORD: 4})
    assert table.owner(SWORD) == 2
    assert [(e["seat"], e["tokens"], e["why"]) for e in table.told("wasted")] == [(0, 3, "beaten"), (3, 4, "beaten")]


def test_the_offer_goes_to_the_former_owner_and_the_pool_fills_up_the_value() -> None:  # §6.6
    table = at_the_looting()
    pool = table.state.pool
    table.loot({}, {}, {ROBOT: 7})
    assert table.told("looted")[0]["added"] == 3
    assert table.told("devalued", item=ROBOT)[0]["value"] == 6
    assert table.supply()[0] == 10 + 7 + 1  # and the consolation
    assert table.state.pool == pool - 3 - 1 - 6  # the Item, a consolation, six dominances


def test_an_item_of_the_stall_costs_three() -> None:  # §6.7
    table = at_the_looting()
    table.loot({GAME_BOX: 2}, {}, {})
    assert table.told("wasted")[0]["why"] == "not_enough"
    assert GAME_BOX in table.on_stall()
    table = at_the_looting()
    table.loot({GAME_BOX: 3}, {}, {})
    assert table.told("bought_stall") == [{"kind": "bought_stall", "seat": 0, "item": GAME_BOX, "tokens": 3}]
    assert table.told("devalued", item=GAME_BOX)[0]["value"] == 2


def test_the_tokens_for_a_stall_item_stay_on_it() -> None:  # §6.7
    table = at_the_looting()
    pool = table.state.pool
    table.loot({GAME_BOX: 5}, {}, {})
    assert table.worth(GAME_BOX) == 4  # devalued
    assert table.supply()[0] == 10 - 5 + 2 + 5  # two devalued tokens recovered, dominances 4, 5, 8, 9 and 12
    assert table.state.pool == pool - 5 - 3 - 1  # five dominances, those of the sword, and a consolation


def test_items_with_one_winner_come_first_then_ties() -> None:  # §6.8
    table = at_the_looting(4)
    table.loot({SWORD: 3}, {ROBOT: 5}, {SWORD: 3}, {GAME_BOX: 3})
    took = [e["item"] for e in table.events if e["kind"] in ("looted", "bought_stall")]
    assert took == [ROBOT, GAME_BOX, SWORD]


def two_ties() -> Table:
    """Seats 0, 1 and 2 tie for the robot of seat 3, 0 and 2 for the game on the Stall."""
    table = Table(4)
    table.monkeys(2, 1, 3, 4)
    table.own(3, **{ROBOT: 1})
    table.stall(GAME_BOX)
    table.looting()
    table.loot({ROBOT: 3, GAME_BOX: 4}, {ROBOT: 3}, {ROBOT: 3, GAME_BOX: 4}, {})
    return table


def test_who_has_only_one_tied_item_is_not_asked_and_then_the_next_picks() -> None:  # §6.9
    table = two_ties()
    # Seat 1 has the lowest Monkey and only the robot: it takes it. Monkeys 1, 2, 3 rotate to 3, 1, 2; seat 0 takes the game.
    assert [(e["seat"], e["item"]) for e in table.told("claimed")] == [(1, ROBOT), (0, GAME_BOX)]
    assert table.told("swapped")[0]["after"][:4] == [1, 3, 2, 4]
    assert table.told("swapped")[1]["after"][:4] == [2, 3, 1, 4]


def test_the_lowest_monkey_of_all_tied_players_picks_one_item() -> None:  # §6.9
    table = Table(3)
    table.monkeys(2, 1, 3)
    table.own(2, **{ROBOT: 1, SWORD: 1})
    table.looting()
    table.loot({ROBOT: 3, SWORD: 2}, {ROBOT: 3, SWORD: 2}, {})
    assert table.phase() == "spoils"
    assert table.waiting() == [1]
    assert table.legal(1) == [f"claim {SWORD}", f"claim {ROBOT}"]
    assert table.view()["ties"] == [
        {"item": SWORD, "seats": [0, 1], "tokens": 2},
        {"item": ROBOT, "seats": [0, 1], "tokens": 3},
    ]
    assert table.tokens() == 100
    assert "Monkey Control" in table.refuses(1, f"concede {ROBOT}")
    assert "not deciding that tie" in table.refuses(1, f"claim {BOOK}")
    table.do(1, f"claim {ROBOT}")
    assert table.owner(ROBOT) == 1
    assert table.owner(SWORD) == 0  # after the swap seat 0 has the lower Monkey
    wasted = [(e["seat"], e["item"], e["tokens"]) for e in table.told("wasted")]
    assert wasted == [(0, ROBOT, 3), (1, SWORD, 2)], "who loses a tie wastes the offer"
    assert table.monkey() == [2, 1, 3]


def test_the_first_and_the_last_item_of_the_quadrant_are_picked_like_the_others() -> None:  # §6.9
    table = Table(3)
    table.monkeys(2, 1, 3)
    table.own(2, I01=1, I25=1)
    table.looting()
    table.loot({"I01": 2, "I25": 2}, {"I01": 2, "I25": 2}, {})
    assert table.waiting() == [1]
    assert table.legal(1) == ["claim I01", "claim I25"]


def test_offers_go_on_behind_the_first_item_too() -> None:  # §6.2
    table = Table(2)
    table.own(1, I01=1, I02=1)
    table.looting()
    table.do(0, "place I01 2")
    assert {action.split()[1] for action in table.legal(0) if action != "seal"} == {"I02"}


def test_who_offers_nothing_is_named_and_nobody_else() -> None:  # §6.1
    table = at_the_looting()
    table.loot({SWORD: 3}, {}, {GAME_BOX: 3})
    assert [event["seat"] for event in table.told("passed")] == [1]


def test_offers_are_gone_from_the_quadrant_when_the_screens_are_up() -> None:  # §6.3
    table = at_the_looting()
    table.loot({SWORD: 3}, {}, {})
    assert table.state.quadrant.sum() == 0


def test_devaluation_goes_to_the_trash_of_the_new_owner() -> None:  # §6.10
    table = at_the_looting()
    table.loot({SWORD: 3}, {}, {})
    assert [(e["seat"], e["item"], e["value"]) for e in table.told("devalued")] == [(0, SWORD, 2), (0, ROBOT, 3)]
    assert table.told("recovered") == [{"kind": "recovered", "seat": 0, "tokens": 2, "rest": 0}]


def test_an_item_without_tokens_stays_and_can_be_looted_for_one() -> None:  # §6.11
    table = Table(2)
    table.own(0, **{ROBOT: 0})
    table.looting()
    table.nobody_loots()
    assert table.told("devalued") == []
    assert table.owner(ROBOT) == 0
    table.nobody_bids()
    table.loot({}, {ROBOT: 1})
    assert table.told("looted")[0]["added"] == 1
    assert table.owner(ROBOT) == 1


def test_the_stall_is_not_devalued() -> None:  # §6.11
    table = at_the_looting()
    table.nobody_loots()
    assert GAME_BOX not in [e["item"] for e in table.told("devalued")]
    table.nobody_bids()
    assert table.view(0)["you"]["offers"][GAME_BOX]["least"] == 3


def test_tokens_on_items_not_in_play_are_wasted() -> None:  # §6.12
    table = at_the_looting(bluffing_by_mistake="on")
    table.loot({BOOK: 2, SWORD: 3}, {}, {})
    assert table.told("wasted") == [{"kind": "wasted", "seat": 0, "item": BOOK, "tokens": 2, "why": "not_in_play"}]
    assert table.owner(SWORD) == 0
