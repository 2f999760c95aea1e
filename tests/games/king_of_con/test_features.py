"""What a learned judgement looks at: nearer to the end by six rounds or by an Epic Collection, and who is ahead then."""

from typing import Any

import numpy as np
import pytest

from games.king_of_con.scene import ENGINE, Table, items_of
from ludoteca.core.engine import compiled
from ludoteca.games.king_of_con import GAME
from ludoteca.games.king_of_con.features import DECIDED, EPICS, FEATURES, LEAD, MAJORITIES, MET, OWNED, at_most
from ludoteca.games.king_of_con.rules.show_off import collected


def looked_at(table: Any, seat: int) -> Any:
    return ENGINE.features(table.states, seat)


def test_the_parts_are_as_long_as_all_of_them() -> None:
    assert GAME.feature_count == FEATURES == len(looked_at(Table(2), 0))


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_at_the_beginning_nobody_has_anything(seats: int) -> None:
    table = Table(seats)
    for seat in range(seats):
        found = looked_at(table, seat)
        assert found[seats - 2] == 1.0 and found[:4].sum() == 1.0
        assert found[4:10].tolist() == [0, 0, 0, 0, 0, 1]
        assert not found[OWNED : EPICS + 4].any() and not found[MET : MET + 3].any()


def test_who_would_win_now_is_ahead() -> None:  # §8.9
    table = Table(2)
    table.supplies(9, 9)
    table.passions(0, "Horror", "Gadgets")
    table.passions(1, "Fantasy", "Mint")
    table.own(0, I01=2)
    ahead, behind = looked_at(table, 0)[LEAD], looked_at(table, 1)[LEAD]
    assert ahead == -behind == pytest.approx(1.5 / 6.0)
    table.own(1, I07=3)
    assert looked_at(table, 1)[LEAD] == pytest.approx(0.5 / 6.0), "more tokens on Items decide"


def test_the_fourth_item_counts_where_it_can_be_had() -> None:  # §8.2
    shared = items_of("Horror")
    table = Table(2)
    table.own(0, **dict.fromkeys(shared[:3], 1))
    table.own(1, **{shared[3]: 4})
    table.booths(shared[4])
    table.supplies(4, 9)
    found = looked_at(table, 0)
    assert found[EPICS : EPICS + 4].tolist() == [0.5, 0.0, 0.5, 0.0], "four tokens do not pass four"
    table.supplies(5, 9)
    assert looked_at(table, 0)[EPICS + 3] == 0.5
    assert looked_at(table, 1)[DECIDED] < 0.0 < looked_at(table, 0)[DECIDED], "both are near the end"
    assert looked_at(table, 0)[MAJORITIES + 4] == pytest.approx(0.3)


def test_most_of_each_characteristic_is_counted_at_once() -> None:
    table = Table(3)
    table.own(1, I01=1, I02=1)
    table.own(2, I03=1, I08=1, I13=1)
    counts = [collected(table.state, seat) for seat in (1, 2)]
    both = at_most(at_most(0, counts[0]), counts[1])
    for trait in range(15):
        have = [count >> 4 * trait & 15 for count in counts]
        assert both >> 4 * trait & 15 == max(have)


def test_machine_code_sees_the_same() -> None:
    engine = compiled(GAME)
    luck = np.random.default_rng(1)
    states = engine.start(3, {}, 1)
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        for one in range(3):
            assert engine.features(states, one) == pytest.approx(ENGINE.features(states, one))
        engine.apply(states, 0, seat, int(luck.choice(engine.legal(states, 0, seat))))
