"""All chance of a game comes from here: a stream of 63-bit numbers that lives in the record's own field `rng`.

Whoever sees the stream sees the future, so `rng` is seen by nobody and `determinize` reseeds it. Numbers never pass 63
bits, so compiled code and plain Python agree bit for bit. At a table, where people must not be able to reckon on from what
they saw, every number comes from a keyed stream instead: see keyed.py.
"""

from __future__ import annotations

from typing import Any

from .kernel import ScoreList, compiled_as, kernel

MASK = (1 << 63) - 1
OWN_SEEDS = 1 << 62  # from which the streams of simultaneous players start
STEP = 0x1E3779B97F4A7C15
MIX_1 = (0x3F58476D, 0x1CE4E5B9)  # high and low 32 bits, both below 2^31: then no product below passes 63 bits
MIX_2 = (0x14D049BB, 0x133111EB)
LOW_31 = (1 << 31) - 1
LOW_32 = (1 << 32) - 1


@kernel
def times(z: int, high: int, low: int) -> int:
    """z × (high · 2^32 + low), its lowest 63 bits.

    In two halves, because signed overflow is undefined in machine code: the compiler may (and did) drop a mask after it.
    """
    straight = (z & LOW_32) * low
    crossed = ((z & LOW_32) * high & LOW_31) + ((z >> 32) * low & LOW_31)
    return (((straight >> 32) + crossed & LOW_31) << 32) | (straight & LOW_32)


@kernel
def mixed(z: int) -> int:
    """A number that looks unrelated to `z` (the finisher of splitmix, in 63 bits)."""
    z = times(z ^ (z >> 30), MIX_1[0], MIX_1[1])
    z = times(z ^ (z >> 27), MIX_2[0], MIX_2[1])
    return z ^ (z >> 31)


@kernel
def stepped(z: int) -> int:
    """The next place of a stream: z + STEP in 63 bits."""
    return z + STEP if z <= MASK - STEP else z - (MASK - STEP) - 1


@kernel
def reseed(state: Any, viewer: int, seed: int) -> None:
    """The `determinize` of a game in which nothing is hidden but its stream."""
    seed_stream(state, seed)


@kernel
def seed_stream(state: Any, seed: int) -> None:
    """Starts the game's stream."""
    state.rng = seed & MASK


@kernel
def below_in_stream(state: Any, n: int) -> int:
    """A fair number from 0 to n - 1; the few numbers that would favour the low ones are thrown away."""
    while True:
        state.rng = stepped(state.rng)
        z = mixed(state.rng)
        low = z % n
        if z - low <= MASK - (n - 1):
            return low


@compiled_as(below_in_stream)
def below(state: Any, n: int) -> int:
    """A fair number from 0 to n - 1: from the record's own stream, or from that which it was opened with."""
    stream = state.keyed_stream
    return below_in_stream(state, n) if stream is None else int(stream.below(n))


@kernel
def shuffle(state: Any, items: Any, n: int) -> None:
    """Puts the first `n` items in a fair random order."""
    for i in range(n - 1, 0, -1):
        j = below(state, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


# A game in which several decide at once may have a stream for each of them, so that nobody's pace touches anybody's luck: a
# field declared as `stream`.


@kernel
def seed_own_streams(state: Any, streams: Any, count: int) -> None:
    """Starts the first `count` of them, from the game's own."""
    for i in range(count):
        streams[i] = mixed(below_in_stream(state, OWN_SEEDS))


@compiled_as(seed_own_streams)
def begin_own(state: Any, streams: Any, count: int) -> None:
    """Starts the first `count` streams, if numbers are to come from them at all."""
    if state._stream is None:
        seed_own_streams(state, streams, count)


@kernel
def below_in_own_stream(state: Any, streams: Any, i: int, n: int) -> int:
    """As `below_in_stream`, from stream `i`."""
    while True:
        streams[i] = stepped(int(streams[i]))
        z = mixed(int(streams[i]))
        low = z % n
        if z - low <= MASK - (n - 1):
            return low


@compiled_as(below_in_own_stream)
def below_own(state: Any, streams: Any, i: int, n: int) -> int:
    """A fair number from 0 to n - 1: from stream `i`, or from that which the record was opened with."""
    return below_in_own_stream(state, streams, i, n) if state._stream is None else int(state._stream.below(n))


# Algorithms have streams of their own: an array of one number, so that they never touch a game's.


@kernel
def below_from(stream: ScoreList, n: int) -> int:
    """As `below`, from a stream that is not a game's."""
    while True:
        stream[0] = stepped(int(stream[0]))
        z = mixed(int(stream[0]))
        low = z % n
        if z - low <= MASK - (n - 1):
            return low


def derive(*parts: int) -> int:
    """A seed made of several numbers, for the one who must start many games from one seed."""
    z = 0
    for part in parts:
        z = mixed((z * 0x2545F4914F6CDD1D + part + STEP) & MASK)  # plain Python: whole numbers do not overflow
    return z
