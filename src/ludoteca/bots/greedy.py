"""The bot that takes what looks best, by the game's own `appraise`."""

from __future__ import annotations

from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.core.record import States

PLAIN_LOOKS = 250  # actions looked at in plain Python, where one may take a quarter of a millisecond


def choose(engine: Engine, redacted: States, seat: int, seed: int) -> int:
    """The best looking action; the seed chooses among equals."""
    actions = engine.legal(redacted, 0, seat)
    if not engine.compiled and len(actions) > PLAIN_LOOKS:
        actions = evenly(actions, PLAIN_LOOKS)
    return best(engine, redacted, seat, actions, seed)


def evenly(actions: list[int], most: int) -> list[int]:
    """So many of them, from all over the list; the last too, which is often to do no more."""
    return [actions[(k + 1) * len(actions) // most - 1] for k in range(most)]


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
