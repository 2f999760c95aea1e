"""All chance of a game comes from here: a stream of 63-bit numbers that lives in the record's own field `rng`.

Whoever sees the stream sees the future, so `rng` is seen by nobody and `determinize` reseeds it. Numbers never pass 63
bits, so compiled code (which wraps around) and plain Python (which does not) agree bit for bit. The same few lines stand
in `web/src/fair.ts`, where the browser checks that a deal was fair.
"""

from __future__ import annotations

from typing import Any

from .kernel import kernel

MASK = (1 << 63) - 1
STEP = 0x1E3779B97F4A7C15
MIX_1 = 0x3F58476D1CE4E5B9
MIX_2 = 0x14D049BB133111EB


@kernel
def mixed(z: int) -> int:
    """A number that looks unrelated to `z` (the finisher of splitmix, in 63 bits)."""
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


@kernel
def seed_stream(state: Any, seed: int) -> None:
    """Starts the game's stream."""
    state.rng = seed & MASK


@kernel
def below(state: Any, n: int) -> int:
    """A fair number from 0 to n - 1; the few numbers that would favour the low ones are thrown away."""
    while True:
        state.rng = (state.rng + STEP) & MASK
        z = mixed(state.rng)
        low = z % n
        if z - low <= MASK - (n - 1):
            return low


@kernel
def shuffle(state: Any, items: Any, n: int) -> None:
    """Puts the first `n` items in a fair random order."""
    for i in range(n - 1, 0, -1):
        j = below(state, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


# Algorithms have streams of their own: an array of one number, so that they never touch a game's.


@kernel
def below_from(stream: Any, n: int) -> int:
    """As `below`, from a stream that is not a game's."""
    while True:
        stream[0] = (int(stream[0]) + STEP) & MASK
        z = mixed(int(stream[0]))
        low = z % n
        if z - low <= MASK - (n - 1):
            return low


def derive(*parts: int) -> int:
    """A seed made of several numbers, for the one who must start many games from one seed."""
    z = 0
    for part in parts:
        z = mixed((z * 0x2545F4914F6CDD1D + part + STEP) & MASK)
    return z
