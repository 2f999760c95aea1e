"""Advice that a player would nod at: no tokens thrown away, none too many, and the richer seat is ahead."""

from typing import Any

import numpy as np
import pytest

from games.king_of_con.scene import ENGINE, Table
from ludoteca.bots import greedy
from ludoteca.games.king_of_con import GAME
from ludoteca.games.king_of_con.advice import FOLLY


def worth(table: Any, seat: int, action: str) -> float:
    """How good an action looks to whoever sees everything."""
    return ENGINE.appraise(table.states, seat, GAME.actions.read(action))


def taken(table: Any, seat: int, seed: int = 1) -> str:
    """What looks best to the seat."""
    return GAME.actions.write(greedy.choose(ENGINE, GAME.redact(table.states, 0, seat), seat, seed))


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("round_number", [1, 3, 6])
def test_no_item_is_worth_a_whole_treasure(seats: int, round_number: int) -> None:
    table = Table(seats)
    table.set(round_number=round_number)
    table.supplies(40, *[3] * (seats - 1))
    kind, *offer = taken(table, 0).split()
    assert kind == "pass" or 0 < int(offer[1]) <= 12
    assert worth(table, 0, "bid 1 40") < worth(table, 0, "pass")


def test_a_last_hid_bid_below_the_highest_is_folly_and_a_tie_is_not() -> None:
    table = Table(2)
    table.bid((1, 4), (1, 1))
    table.bid((2, 1), (2, 1))
    assert worth(table, 1, "bid 1 2") < FOLLY / 2
    assert worth(table, 1, "bid 1 3") > FOLLY / 2


def test_against_an_empty_supply_one_token_more_is_enough() -> None:
    table = Table(2)
    table.bid((1, 10), None)
    table.bid(None, (2, 1))
    gains = [worth(table, 1, f"bid 3 {tokens}") for tokens in range(1, 9)]
    assert max(gains) == gains[0] > 0


def test_loot_that_cannot_win_is_folly() -> None:
    table = Table(3)
    table.own(1, I18=3)
    table.stall("I01")
    table.looting()
    for offer in ("place I18 3", "place I01 2"):
        assert worth(table, 0, offer) < FOLLY / 2 < worth(table, 0, "seal")
    for offer in ("place I18 4", "place I01 3"):
        assert worth(table, 0, offer) > FOLLY / 2


def test_what_nobody_can_pay_for_needs_no_defence() -> None:
    table = Table(2)
    table.own(0, I18=2)
    table.looting()
    table.supplies(10, 2)
    assert all(worth(table, 0, f"place I18 {tokens}") < 0 for tokens in range(1, 11))


def test_mistakes_are_folly() -> None:
    table = Table(2, bluffing_by_mistake="on")
    hidden = next(i for i in range(25) if table.state.location[i] < 0)
    assert worth(table, 0, f"place I{hidden + 1:02} 1") < FOLLY / 2


@pytest.mark.parametrize("better", ["supply", "items", "tokens_on_items"])
def test_more_is_better(better: str) -> None:
    table = Table(2)
    table.own(0, I18=3)
    table.own(1, I02=3)
    table.looting()
    before = chances(table)
    if better == "supply":
        table.supplies(12, 10)
    elif better == "items":
        table.own(0, I13=3)
    else:
        table.state.worth[17] += 1
    after = chances(table)
    assert after[0] > before[0] and after.sum() == pytest.approx(1.0)


def chances(table: Any) -> Any:
    out = np.zeros(5)
    ENGINE.call("outlook", table.states, 0, out)
    return out


def test_in_plain_python_long_lists_are_looked_through_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest list has two thousand offers; a first game on a fresh machine must not wait for all of them."""
    table = Table(2)
    for seat, number in ((0, 1), (1, 2), (0, 3), (1, 4), (0, 5)):
        table.own(seat, **{f"I{number:02}": 2})
    table.looting()
    table.supplies(70, 10)
    redacted = GAME.redact(table.states, 0, 0)
    legal, seen = ENGINE.legal(redacted, 0, 0), list[int]()
    assert len(legal) > greedy.PLAIN_LOOKS
    appraise = ENGINE.appraise

    def watched(redacted: Any, seat: int, action: int) -> Any:
        seen.append(action)
        return appraise(redacted, seat, action)

    monkeypatch.setattr(ENGINE, "appraise", watched)
    assert greedy.choose(ENGINE, redacted, 0, 1) in legal
    assert len(set(seen)) == len(seen) == greedy.PLAIN_LOOKS
    assert seen[-1] == legal[-1] == GAME.actions.read("seal")
