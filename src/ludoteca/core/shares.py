"""How sure one can be of a share: so many won of so many games."""

from __future__ import annotations

import math


def wilson(won: float, games: int, deviations: float) -> tuple[float, float]:
    """Where the true rate should lie (Wilson's interval, which is right for few games and for rates near 0 and 1)."""
    if games == 0:
        return 0.0, 1.0
    rate, squared = won / games, deviations**2
    centre = (rate + squared / (2 * games)) / (1 + squared / games)
    half = deviations / (1 + squared / games) * math.sqrt(rate * (1 - rate) / games + squared / (4 * games**2))
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))
