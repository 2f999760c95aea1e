"""Why this move: the best alternatives with their chances, as data, for review, hints and whoever is curious.

    reasons = why(engine, redacted, seat, seed)            # as the strongest level; or settings=Settings(iterations=500)
    reasons.choice                                         # the action that the bot would play
    reasons.alternatives[0].action, .chance, .share, .error
    reasons.as_json(game.actions)                          # {"choice": …, "alternatives": [{"action": …, "chance": …}]}

A chance is 0 to 1: what the action promises the seat, half for winning and half for the seats left behind (with two seats,
the chance to win). It is an average over guesses of what the seat cannot see: nothing but the redacted record is looked at,
and the same seed gives the same reasons. `error` is a standard error; what lies within two of them is as good.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from ludoteca.core.actions import Actions
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.game import Json
from ludoteca.core.record import States

from . import search

AS_GOOD = 2.0  # standard errors: nobody can tell what lies within them apart


@dataclass(frozen=True)
class Alternative:
    """An action that was considered."""

    action: int
    chance: float  # what it promises the seat, 0 to 1
    error: float  # a standard error of the chance
    share: float  # of the thinking that went to it, 0 to 1: most goes to what looks best
    visits: int


@dataclass(frozen=True)
class Reasons:
    """A decision and what was weighed: alternatives, the most considered first; none where there was nothing to choose."""

    seat: int
    choice: int
    alternatives: tuple[Alternative, ...]

    def of(self, action: int) -> Alternative | None:
        """What was found of an action; None if it was not worth a thought."""
        return next((one for one in self.alternatives if one.action == action), None)

    def loss(self, action: int) -> float | None:
        """How much less an action promises than the choice, at least 0; None if it was not worth a thought."""
        chosen, other = self.of(self.choice), self.of(action)
        if chosen is None or other is None:
            return None
        return max(0.0, chosen.chance - other.chance)

    def as_good(self) -> tuple[Alternative, ...]:
        """The choice, and what cannot be told apart from it."""
        chosen = self.of(self.choice)
        if chosen is None:
            return ()
        return tuple(
            one
            for one in self.alternatives
            if one.chance + AS_GOOD * math.hypot(one.error, chosen.error) >= chosen.chance
        )

    def as_json(self, actions: Actions, most: int = 5) -> Json:
        """For a page or a file: the choice and the best alternatives, described as the game describes its actions."""
        return {
            "seat": self.seat,
            "choice": actions.described(self.choice),
            "alternatives": [
                {
                    "action": actions.described(one.action),
                    "chance": round(one.chance, 4),
                    "error": round(one.error, 4),
                    "share": round(one.share, 4),
                }
                for one in self.alternatives[:most]
            ],
        }


def why(
    engine: CompiledEngine, redacted: States, seat: int, seed: int, settings: search.Settings | None = None
) -> Reasons:
    """What the search weighs for this seat, and what it would play; `settings` are those of the strongest level."""
    actions = engine.legal(redacted, 0, seat)
    if len(actions) == 1:
        return Reasons(seat, actions[0], ())
    thought = search.think(engine, redacted, seat, seed, settings or strongest(engine))
    total = sum(one.visits for one in thought.tried)
    found = tuple(
        Alternative(one.action, one.worth, error_of(one), one.visits / total, one.visits)
        for one in thought.tried
        if one.visits > 0
    )
    return Reasons(seat, thought.action, found)


def error_of(tried: search.Tried) -> float:
    """Of a mean of so many numbers between 0 and 1; at most, since judged positions differ less than wins and losses."""
    spread = max(tried.worth * (1.0 - tried.worth), 0.25 / tried.visits)
    return math.sqrt(spread / tried.visits)


def strongest(engine: CompiledEngine) -> search.Settings:
    """How the strongest level of this game searches."""
    from .levels import STRONGEST, read_bot  # here, because levels knows every kind of bot

    settings = read_bot(engine.game, STRONGEST).settings or search.Settings()
    return dataclasses.replace(settings, seconds=0.0)  # a clock would give other reasons on another machine
