"""What machine code shows a seat is made from a record in which all that it may not know is covered."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.record import Record, bytes_of
from ludoteca.envs.sights import cover, covers, names, uncover


def positions(key: str, seats: int) -> Iterator[Any]:
    """A random game, decision by decision: the record, and whoever is asked."""
    engine, luck = interpreted(catalogue.game(key)), random.Random(seats)
    states = engine.start(seats, seed=seats)
    for _ in range(120):
        if engine.is_over(states):
            break
        seat = luck.choice(engine.waiting(states))
        yield engine, states, seat
        engine.apply(states, 0, seat, luck.choice(engine.legal(states, 0, seat)))


def seen(engine: Any, states: Any, seat: int) -> tuple[Any, Any]:
    return engine.observe(states, seat).tolist(), engine.legal(states, 0, seat)


@pytest.mark.parametrize(
    ("key", "seats"), [("splendor", 2), ("king_of_con", 3), ("loot", 2), ("challengers", 3), ("challengers", 1)]
)
def test_a_covered_record_shows_what_a_redacted_one_does_and_is_whole_again(key: str, seats: int) -> None:
    game = catalogue.game(key)
    rows, kept = covers(game, seats, False).astype(np.int64), np.zeros(game.dtype.itemsize, np.uint8)
    hidden = 0
    for engine, states, seat in positions(key, seats):
        before, raw = states.tobytes(), states.view(np.uint8)
        cover(raw, rows, kept, seat)
        assert seen(engine, states, seat) == seen(engine, game.redact(states, 0, seat), seat)
        hidden += states.tobytes() != before
        uncover(raw, rows, kept, seat)
        assert states.tobytes() == before
    assert hidden or key == "loot"  # where neither looks at anything that is hidden


@pytest.mark.parametrize("key", catalogue.keys())
def test_every_field_that_is_read_is_named(key: str) -> None:
    game = catalogue.game(key)
    named = names(game.observe) | names(game.legal)
    out, actions = np.zeros(game.observation, np.float32), np.zeros(len(game.actions), np.int16)
    for _, states, seat in positions(key, 2):
        record = Record(states)
        game.observe(record, seat, out)
        game.legal(record, seat, actions)
        assert {name for name in vars(record) if name[0] != "_"} <= named


def test_perfect_information_covers_nothing() -> None:
    assert not covers(catalogue.game("splendor"), 2, True).any()


def test_rows_of_seats_that_nobody_has_are_not_covered() -> None:
    game = catalogue.game("challengers")
    place, deck = bytes_of(game.dtype, "pile"), game.dtype["pile"].shape[1]
    for seats, teams in ((2, 2), (3, 4), (8, 8)):
        rows = covers(game, seats, False)
        assert [row[1] for row in rows[0].tolist() if row[0] == place.start] == [teams * deck]
