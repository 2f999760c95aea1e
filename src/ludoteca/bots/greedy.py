"""The bot that takes what looks best, by the game's own `appraise`."""

from __future__ import annotations

from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.core.record import States


def choose(engine: Engine, redacted: States, seat: int, seed: int) -> int:
    """The best looking action; the seed chooses among equals."""
    return best(engine, redacted, seat, engine.legal(redacted, 0, seat), seed)


def glance(engine: Engine, redacted: States, seat: int, seed: int, looks: int) -> int:
    """The best looking of a few actions drawn at random: who looks at few of them misses something now and then."""
    actions = engine.legal(redacted, 0, seat)
    for k in range(min(looks, len(actions))):
        drawn = k + derive(seed, k) % (len(actions) - k)
        actions[k], actions[drawn] = actions[drawn], actions[k]
    return best(engine, redacted, seat, actions[:looks], seed)


def best(engine: Engine, redacted: States, seat: int, actions: list[int], seed: int) -> int:
    """The best looking of these."""
    if len(actions) == 1:
        return actions[0]
    worth = [engine.appraise(redacted, seat, action) for action in actions]
    top = max(worth)
    equals = [action for action, w in zip(actions, worth, strict=True) if w == top]
    return equals[derive(seed) % len(equals)]
