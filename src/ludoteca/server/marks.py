"""When each step of a game was decided, and by whom: the log shows the time, and where a bot played for somebody.

What was stored together has one time: of a decision behind a screen nobody learns more than when the screens went up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ludoteca.core.game import Json

from .queries import ChairRow

Decider = Literal["person", "bot", "standin"]


class Mark(NamedTuple):
    """Of one step."""

    at: float
    decider: str | None  # not known of steps that earlier servers have stored


class Together(NamedTuple):
    """Steps that were stored together: when, and who decided at each seat."""

    at: float
    deciders: Mapping[int, str | None]

    def marked(self, facts: list[Json]) -> list[Json]:
        """What came of these steps, with the time and with whoever decided for the seat that a fact is about."""
        return [{**fact, "at": self.at, "decider": self.deciders.get(fact["seat"])} for fact in facts]


def decider_of(chair: ChairRow, command: str | None) -> Decider:
    """Who decides here: people give their commands names, bots do not."""
    if command is not None:
        return "person"
    return "bot" if chair.guest is None else "standin"
