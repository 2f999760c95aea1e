"""What is read from noisy looks: equal options cost nothing, whichever was chosen, and a better one is found."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludoteca.review.judging import crossed, verdict
from ludoteca.review.pieces import AS_GOOD, COSTLY, ReviewDecision

Table = npt.NDArray[np.float64]
LOOKS, NOISE = 6, 0.03
CHOSEN = 0


def noisy(rng: np.random.Generator, *worth: float) -> dict[int, Table]:
    """Options of these chances, seen in a few noisy looks."""
    looks = {n: chance + NOISE * rng.standard_normal(LOOKS) for n, chance in enumerate(worth)}
    return {n: np.stack([seen, 1.0 - seen], 1) for n, seen in looks.items()}


def judged(weighed: dict[int, Table]) -> ReviewDecision:
    return verdict(weighed, weighed, 0, CHOSEN, 0, False)


def test_equal_options_cost_nothing() -> None:
    rng = np.random.default_rng(3)
    seen = [noisy(rng, *[0.5] * 8) for _ in range(1500)]
    highest = np.mean([max(found[n][:, 0].mean() for n in found) - found[CHOSEN][:, 0].mean() for found in seen])
    assert highest > 0.015, "read from the same looks, something would seem better each time"
    decisions = [judged(found) for found in seen]
    assert abs(np.mean([decision.change[0] for decision in decisions])) < 0.001
    assert np.mean([decision.loss for decision in decisions]) < 0.002
    assert np.mean([decision.verdict == COSTLY for decision in decisions]) < 0.05


def test_what_is_better_is_found_and_valued_without_flattery() -> None:
    rng = np.random.default_rng(4)
    decisions = [judged(noisy(rng, 0.5, 0.62, *[0.5] * 6)) for _ in range(400)]
    assert np.mean([decision.verdict == COSTLY and decision.best == 1 for decision in decisions]) > 0.95
    assert abs(-np.mean([decision.change[0] for decision in decisions]) - 0.12) < 0.004
    assert abs(np.mean([decision.before.chances[0] for decision in decisions if decision.before]) - 0.62) < 0.004


def test_a_loss_within_its_error_is_none_but_its_measure_is_kept_for_the_account() -> None:
    rng = np.random.default_rng(5)
    found = next(
        judged(weighed)
        for weighed in (noisy(rng, 0.5, 0.51) for _ in range(100))
        if 0 < crossed(weighed, 0, CHOSEN).loss < crossed(weighed, 0, CHOSEN).error
    )
    assert found.verdict == AS_GOOD
    assert found.loss == 0.0
    assert found.change[0] < 0.0 < found.change[1]
