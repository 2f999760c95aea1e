"""What everybody is expected to choose who decides together: the mixture that the strongest bot plays.

Whoever always takes the same is foreseen, so the bot draws among its best (`mixing`), and no two of its searches end alike
either. Both are part of what it plays. So its mixture is read from searches of its own, others for every look: how badly it
is known is then seen in how the looks differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludoteca.bots import search
from ludoteca.bots.judgement import weights_of
from ludoteca.bots.weigh import Mixture
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.record import States

PLACES = 64  # in the list that stands for a mixture of one's own


class Expected(NamedTuple):
    """For one look: how likely each action of the others is, and a list that has one's own as often as they are played."""

    others: Mixture
    own: list[int]


def expect(
    engine: CompiledEngine,
    redacted: States,
    seat: int,
    seed: int,
    settings: search.Settings,
    searches: int,
    looks: range,
) -> list[Expected]:
    """What is expected for each look. The others' part and one's own are of different searches, as if each had its own."""
    found = [
        mixture(engine, redacted, seat, [derive(seed, look, number) for number in range(searches)], settings)
        for look in looks
    ]
    return [Expected(others, as_list(found[place - 1].get(seat, {}))) for place, others in enumerate(found)]


def mixture(
    engine: CompiledEngine, redacted: States, seat: int, seeds: Sequence[int], settings: search.Settings
) -> Mixture:
    """For each seat that decides now, how likely the bot is to choose each of its actions."""
    machine, weights = search.bound(engine, settings), weights_of(engine.game, settings.weights)
    found: Mixture = {}
    for seed in seeds:
        line = search.Line(engine, redacted, seat, seed, settings, weights)
        line.search(machine)
        for mover, visits in first_choices(line).items():
            drawn = {a: count for a, count in visits.items() if count >= (1.0 - settings.mixing) * max(visits.values())}
            for action, count in drawn.items():
                chances = found.setdefault(mover, {})
                chances[action] = chances.get(action, 0.0) + count / sum(drawn.values()) / len(seeds)
    return found


def first_choices(line: search.Line) -> dict[int, dict[int, int]]:
    """For each seat, how often each of its first choices was visited."""
    found: dict[int, dict[int, int]] = {}
    child = int(line.tree["first"][0])
    while child != 0:
        node = line.tree[child]
        found.setdefault(int(node["mover"]), {})[int(node["action"])] = int(node["visits"])
        child = int(node["following"])
    return found


def as_list(chances: dict[int, float]) -> list[int]:
    """A list in which each action is as often as it is likely."""
    actions, ends = list(chances), np.cumsum(list(chances.values()))
    places = (np.arange(PLACES) + 0.5) * ends[-1] / PLACES
    return [actions[number] for number in np.searchsorted(ends, places)]


def most_played(mixtures: Sequence[Expected]) -> list[int]:
    """One's own actions, the likeliest first."""
    return [action for action, _ in Counter(action for one in mixtures for action in one.own).most_common()]
