"""The bot that takes what looks best, by the game's own `appraise`."""

from __future__ import annotations

import statistics

from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.core.record import States

from .search import FOLLY

PLAIN_LOOKS = 250  # actions looked at in plain Python, where one may take a quarter of a millisecond


class PatientEngine(Engine):
    """Plain Python whose bots take the time they need: what looks best to them is what looks best in machine code."""


def choose(engine: Engine, redacted: States, seat: int, seed: int) -> int:
    """The best looking action; the seed chooses among equals."""
    actions = engine.legal(redacted, 0, seat)
    if not (engine.compiled or isinstance(engine, PatientEngine)) and len(actions) > PLAIN_LOOKS:
        actions = evenly(actions, PLAIN_LOOKS)
    return best(engine, redacted, seat, actions, seed)


def evenly(actions: list[int], most: int) -> list[int]:
    """So many of them, from all over the list; the last too, which is often to do no more."""
    return [actions[(k + 1) * len(actions) // most - 1] for k in range(most)]


def glance(engine: Engine, redacted: States, seat: int, seed: int, looks: int, noise: float = 0.0) -> int:
    """The best looking of a few actions drawn at random: who looks at few of them misses something now and then.

    With `noise` they are also misjudged, by about so many times what they differ. Nobody does what is surely good for
    nothing only because nothing else was looked at: then one looks on.
    """
    actions = engine.legal(redacted, 0, seat)
    for k in range(len(actions) - 1):
        drawn = k + derive(seed, k) % (len(actions) - k)
        actions[k], actions[drawn] = actions[drawn], actions[k]
        if k + 1 >= looks and engine.appraise(redacted, seat, actions[k]) > FOLLY:
            actions = actions[: k + 1]
            break
    return best(engine, redacted, seat, actions, seed, noise)


def best(engine: Engine, redacted: States, seat: int, actions: list[int], seed: int, noise: float = 0.0) -> int:
    """The best looking of these."""
    if len(actions) == 1:
        return actions[0]
    worth = [engine.appraise(redacted, seat, action) for action in actions]
    if noise > 0.0:
        worth = misjudged(worth, noise, seed)
    top = max(worth)
    equals = [action for action, w in zip(actions, worth, strict=True) if w == top]
    return equals[derive(seed) % len(equals)]


def misjudged(worth: list[float], noise: float, seed: int) -> list[float]:
    """Each worth as somebody unsure sees it: off by about `noise` times the spread of those that make sense."""
    sensible = [w for w in worth if w > FOLLY] or worth
    spread = noise * statistics.pstdev(sensible)
    off = [sum(derive(seed, k, n) % 1001 / 500.0 - 1.0 for n in range(3)) for k in range(len(worth))]  # variance 1
    return [w + spread * o for w, o in zip(worth, off, strict=True)]
