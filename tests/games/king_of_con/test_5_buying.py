"""§5 Impulse Buying."""

from typing import Any

import pytest

from games.king_of_con.scene import BOOK, GAME_BOX, ROBOT, SWORD, Table
from ludoteca.core.record import SPECTATOR
from ludoteca.games.king_of_con import GAME


def at_the_booths(seats: int = 3, **options: Any) -> Table:
    table = Table(seats, **options)
    table.booths(ROBOT, SWORD, BOOK, GAME_BOX)
    table.monkeys(*range(1, seats + 1))
    return table


def test_three_hid_bids_in_which_everybody_decides_at_once() -> None:  # §5.1
    table = at_the_booths()
    for number in (1, 2, 3):
        assert (table.phase(), table.view()["hid_bid"]) == ("hid_bid", number)
        assert table.waiting() == [0, 1, 2]
        table.bid((1, 1), None, None)
    assert table.phase() == "looting"


def test_all_see_who_has_sealed_and_nobody_what() -> None:  # §5.1
    table = at_the_booths()
    table.do(2, "bid 1 4")
    assert [p["sealed"] for p in table.view(0)["players"]] == [False, False, True]
    assert table.events == [{"kind": "sealed", "seat": 2, "phase": "hid_bid", "passion": None, "tokens": 4}]
    assert table.view(0)["booths"][0]["offers"] == [0, 0, 0]
    [sealed] = [fact for fact in table.facts if GAME.events[fact.kind] == "sealed"][-1:]
    heard = [GAME.event(table.state, sealed.seen_by(viewer))["tokens"] for viewer in (0, 1, 2, SPECTATOR)]
    assert heard == [None, None, 4, None]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_the_order_of_sealing_does_not_matter(order: tuple[int, ...]) -> None:  # §5.1
    table = at_the_booths()
    for seat in order:
        table.do(seat, f"bid {seat + 1} 2")
    assert [b["offers"] for b in table.view()["booths"]] == [[2, 0, 0], [0, 2, 0], [0, 0, 2], [0, 0, 0]]


def test_any_number_of_tokens_on_one_booth_or_none() -> None:  # §5.2
    table = at_the_booths()
    table.supplies(3, 0, 10)
    assert table.legal(0) == [f"bid {b} {n}" for b in (1, 2, 3, 4) for n in (1, 2, 3)] + ["pass"]
    assert table.legal(1) == ["pass"]


def test_nobody_offers_more_than_the_supply() -> None:  # §5.3
    table = at_the_booths()
    table.supplies(3, 10, 10)
    assert table.refuses(0, "bid 1 4") == "You have only 3 tokens left."
    table.bid((1, 2), None, None)
    assert table.refuses(0, "bid 2 2") == "You have only 1 token left."


def test_revealed_tokens_stay_on_the_marker() -> None:  # §5.4
    table = at_the_booths()
    table.bid((1, 4), (1, 2), None)
    assert table.supply() == [6, 8, 10]
    assert table.view()["booths"][0]["offers"] == [4, 2, 0]
    assert table.told("offered")[0] == {
        "kind": "offered", "seat": 0, "item": ROBOT, "tokens": 4, "booth": 1, "total": 4
    }  # fmt: skip
    assert table.told("passed")[0]["seat"] == 2
    table.bid((2, 6), None, None)
    assert table.view()["booths"][0]["offers"] == [4, 2, 0]


def test_offers_at_a_booth_add_up_and_several_items_can_be_won() -> None:  # §5.5
    table = at_the_booths()
    table.bid((1, 3), (1, 4), None)
    table.bid((1, 2), None, None)
    table.bid((4, 1), None, None)
    assert table.told("bought")[0] == {"kind": "bought", "seat": 0, "item": ROBOT, "value": 5, "booth": 1}
    assert table.owner(GAME_BOX) == 0
    assert (table.worth(ROBOT), table.worth(GAME_BOX)) == (5, 1)


def test_when_nobody_offers_the_other_hid_bids_are_skipped() -> None:  # §5.6
    table = at_the_booths()
    table.bid((3, 2), None, None)
    table.nobody_bids()
    assert table.told("nobody_offered") == [{"kind": "nobody_offered", "seat": None, "hid_bid": 2}]
    assert table.phase() == "looting"
    assert table.owner(BOOK) == 0


def test_the_highest_total_buys() -> None:  # §5.7
    table = at_the_booths()
    table.bid((1, 1), (1, 3), (1, 2))
    table.nobody_bids()
    assert table.owner(ROBOT) == 1
    assert [e["booth"] for e in table.events if e["kind"] in ("bought", "unsold")] == [1, 2, 3, 4]


@pytest.mark.parametrize("buyer", [0, 1, 2])
def test_every_seat_may_have_the_highest_total(buyer: int) -> None:  # §5.7
    table = at_the_booths()
    table.bid(*[(1, 4 if seat == buyer else 2) for seat in range(3)])
    table.nobody_bids()
    assert [event["seat"] for event in table.told("bought")] == [buyer]
    assert table.told("tied") == []


def test_a_tie_goes_to_the_lower_monkey_and_the_swap_counts_at_the_next_booth() -> None:  # §5.8
    table = at_the_booths()
    table.bid((1, 2), (1, 2), None)
    table.bid((2, 2), (2, 2), None)
    table.bid((3, 2), (3, 2), None)
    assert [e["seat"] for e in table.told("bought")] == [0, 1, 0]
    assert table.told("tied")[0]["seats"] == [0, 1]
    assert table.told("tied")[0]["tokens"] == 2
    assert [e["monkey"] for e in table.told("claimed")] == [1, 1, 1]


def test_the_offer_becomes_the_value_and_the_others_are_wasted() -> None:  # §5.9
    table = at_the_booths()
    table.bid((2, 5), (2, 3), (2, 4))
    table.nobody_bids()
    assert table.worth(SWORD) == 5
    assert table.trashes() == [0, 3, 4]
    assert table.view()["players"][0]["items"] == [{"id": SWORD, "value": 5}]


def test_an_item_without_offers_goes_to_the_stall_and_can_be_bought_at_once() -> None:  # §5.10
    table = at_the_booths()
    table.bid((1, 2), None, None)
    table.nobody_bids()
    assert table.on_stall() == [BOOK, SWORD, GAME_BOX]
    table.loot({}, {SWORD: 3}, {})
    assert table.owner(SWORD) == 1


def test_without_the_option_mistakes_cannot_be_made() -> None:  # §5.11
    table = at_the_booths()
    assert table.refuses(0, f"place {ROBOT} 2") == "In a hid-bid you offer at one Booth, or pass."


def test_tokens_at_two_booths_are_all_wasted() -> None:  # §5.11
    table = at_the_booths(bluffing_by_mistake="on")
    table.do(0, f"place {SWORD} 2")
    table.do(0, f"place {ROBOT} 3")
    table.do(0, "seal")
    table.do(1, "bid 1 1")
    table.do(2, "pass")
    assert table.trashes() == [5, 0, 0]
    assert table.view()["booths"][0]["offers"] == [0, 1, 0]
    assert {e["why"] for e in table.told("wasted")} == {"two_booths"}


def test_tokens_at_a_booth_and_at_none_are_several_offers_and_all_wasted() -> None:  # §5.11
    table = at_the_booths(bluffing_by_mistake="on")
    table.do(0, "place I02 1")
    table.do(0, f"place {ROBOT} 3")
    table.do(0, "seal")
    table.do(1, "bid 2 1")
    table.do(2, "pass")
    assert table.trashes() == [4, 0, 0]
    assert table.view()["booths"][0]["offers"] == [0, 0, 0]
    assert [(e["item"], e["why"]) for e in table.told("wasted")] == [("I02", "not_in_play"), (ROBOT, "two_booths")]
    assert table.view()["hid_bid"] == 2  # the other offer stands


def test_tokens_on_an_item_of_the_stall_are_wasted_in_a_hid_bid() -> None:  # §5.11
    table = Table(2, bluffing_by_mistake="on")
    table.stall("I25")
    table.do(0, "place I25 2", "seal")
    table.do(1, "pass")
    assert [(e["item"], e["tokens"], e["why"]) for e in table.told("wasted")] == [("I25", 2, "not_in_play")]
    assert table.state.markers.sum() == 0


def test_several_offers_alone_are_no_offer_that_keeps_the_hid_bids_going() -> None:  # §5.11
    table = at_the_booths(bluffing_by_mistake="on")
    table.do(0, "place I02 1")
    table.do(0, f"place {ROBOT} 3")
    table.do(0, "seal")
    table.do(1, "pass")
    table.do(2, "pass")
    assert table.phase() == "looting"


def test_a_seat_without_tokens_seals_by_itself_with_a_notice() -> None:  # §5.12
    table = at_the_booths()
    table.bid((1, 10), (1, 2), None)
    assert table.told("no_tokens") == [{"kind": "no_tokens", "seat": 0, "phase": "hid_bid"}]
    assert table.waiting() == [1, 2]
    assert table.view()["players"][0]["sealed"]
    assert [p["supply"] for p in table.view()["players"]] == [0, None, None]
    table.nobody_bids()
    assert table.phase() == "looting"
    assert table.told("no_tokens")[1:] == [{"kind": "no_tokens", "seat": 0, "phase": "looting"}]
    assert table.waiting() == [1, 2]


def test_an_empty_supply_is_covered_again_before_tokens_come() -> None:  # §5.12 §1.7
    """Seat 0 gives all for an Item; when that is looted the price is nobody else's business."""
    table = at_the_booths()
    table.supplies(10, 15, 10)
    table.bid((1, 10), None, None)
    table.nobody_bids()
    assert table.view()["players"][0]["supply"] == 0
    table.loot({}, {ROBOT: 11}, {})
    assert table.supply()[0] >= 11
    assert table.view(1)["players"][0]["supply"] is None


def test_when_nobody_has_tokens_the_game_goes_on_by_itself() -> None:  # §5.12
    table = at_the_booths()
    table.supplies(0, 0, 1)
    table.state.waiting[:2] = 0
    table.bid(None, None, (1, 1))
    assert table.told("nobody_offered") == [{"kind": "nobody_offered", "seat": None, "hid_bid": 2}]
    assert table.told("bought", seat=2)


def test_a_mistake_is_no_offer_that_keeps_the_hid_bids_going() -> None:  # §5.11
    table = at_the_booths(bluffing_by_mistake="on")
    table.do(0, "place I02 4")
    table.do(0, "seal")
    table.do(1, "pass")
    table.do(2, "pass")
    assert table.phase() == "looting"
    assert table.trashes() == [4, 0, 0]


def test_tokens_are_placed_in_the_order_of_the_quadrant_and_then_sealed() -> None:  # §5.11
    table = at_the_booths(bluffing_by_mistake="on")
    table.supplies(4, 10, 10)
    table.do(0, "place I24 3")
    assert table.legal(0) == ["place I25 1", "seal"]
    assert "order of the Quadrant" in table.refuses(0, "place I02 1")
    assert "already put tokens" in table.refuses(0, "bid 1 1")
    assert "or pass" in table.refuses(1, "seal")
