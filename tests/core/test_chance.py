from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.core import chance
from ludoteca.core.compiler import Compiler, core_sources
from ludoteca.core.contract import looks_uniform

compiled_below = Compiler("test-chance", core_sources()).compile(chance.below_from)
NUMBERS = st.integers(0, chance.MASK)


@given(NUMBERS)
def test_mixing_is_splitmix_in_63_bits(z: Any) -> None:
    whole = ((z ^ (z >> 30)) * 0x3F58476D1CE4E5B9) & chance.MASK
    whole = ((whole ^ (whole >> 27)) * 0x14D049BB133111EB) & chance.MASK
    assert chance.mixed(z) == whole ^ (whole >> 31)
    assert chance.stepped(z) == (z + chance.STEP) & chance.MASK


@settings(deadline=None)  # the first example compiles
@given(NUMBERS, st.integers(1, 200))
def test_both_speeds_draw_the_same(seed: int, n: Any) -> None:
    slow, fast = np.array([seed]), np.array([seed])
    drawn = [chance.below_from(slow, n) for _ in range(20)]
    assert drawn == [compiled_below(fast, n) for _ in range(20)]
    assert slow[0] == fast[0]
    assert all(0 <= number < n for number in drawn)


def test_draws_are_fair() -> None:
    stream = np.array([7])
    for n in (2, 3, 7, 90):
        assert looks_uniform(Counter(chance.below_from(stream, n) for _ in range(300 * n)))


def test_numbers_that_would_favour_the_low_ones_are_thrown_away() -> None:
    """With n just above half the range almost every second draw must be repeated."""
    n = (1 << 62) + 1
    stream = np.array([1])
    assert all(chance.below_from(stream, n) < n for _ in range(100))
    steps = (int(stream[0]) - 1) * pow(chance.STEP, -1, 1 << 63) % (1 << 63)
    assert steps > 130


def test_seeds_derived_from_several_numbers_differ() -> None:
    seeds = {chance.derive(a, b) for a in range(50) for b in range(50)}
    assert len(seeds) == 2500
