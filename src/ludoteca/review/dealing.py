"""The same game with other luck: what nobody at the table could know is dealt again.

    again = redealt(engine.game, states, seed)

Numbers still to be drawn come from another stream, and what lies face down for everybody (`secret` fields, and those that
the game names in `dealt_face_down`) lies in another order. What somebody knows stays, so every seat sees the same as before.
"""

from __future__ import annotations

import functools

import numpy as np

from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.core.game import Game
from ludoteca.core.record import Field, See, States, copied

ALIKE = 24  # deals that look all the same: chance has no part in it


def redealt(game: Game, states: States, seed: int) -> States:
    """A copy in which chance will speak otherwise."""
    again = copied(states)
    chance = np.random.default_rng(seed)
    for number, name in enumerate(game.streams):
        shape = again[name].shape
        again[name] = np.array([derive(seed, number, place) for place in range(again[name].size)]).reshape(shape)
    for field in face_down(game):
        values = again[field.name][0]
        unseen = values >= 0
        if field.marks:
            unseen &= again[field.marks][0] == 0
        for row, free in zip(values.reshape(-1, values.shape[-1]), unseen.reshape(-1, values.shape[-1]), strict=True):
            row[free] = chance.permutation(row[free])
    return again


@functools.cache
def face_down(game: Game) -> tuple[Field, ...]:
    """The fields whose values lie in an order that nobody knows."""
    secret = (field for field in game.fields if field.see is See.NOBODY and not field.stream and field.shape)
    return (*secret, *(field for field in game.fields if field.name in game.dealt_face_down))


def in_sight(engine: Engine, states: States) -> bytes:
    """What at least one of the seats can see."""
    raw = states.tobytes()
    hidden = -1
    for seat in range(int(states["seats"][0])):
        hidden &= engine.game.redact.mask(raw, seat)
    return (int.from_bytes(raw, "little") | hidden).to_bytes(len(raw), "little")


def spread(engine: Engine, states: States, seat: int, action: int, seed: int, deals: int) -> list[tuple[States, int]]:
    """What could have come of a step: each outcome that somebody can tell from the others, and how often it came."""
    found: dict[bytes, tuple[States, int]] = {}
    for deal in range(deals):
        if deal == ALIKE and len(found) == 1:
            break
        again = redealt(engine.game, states, derive(seed, deal))
        engine.apply(again, 0, seat, action)
        seen = in_sight(engine, again)
        first, count = found.get(seen, (again, 0))
        found[seen] = first, count + 1
    return list(found.values())
