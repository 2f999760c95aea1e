"""What the scenes of all games share: a table set up, arranged by hand, played as typed and looked at.

A game's own `scene.py` makes a `Table` of it, with the game's ways to arrange a position.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ludoteca.core.engine import Result, interpreted
from ludoteca.core.errors import IllegalAction
from ludoteca.core.facts import Fact
from ludoteca.core.game import Game, Json
from ludoteca.core.record import SPECTATOR, Record

S = TypeVar("S", bound=Record)


class Scene(Generic[S]):
    """A game that can be arranged before it is played; interpreted, so that a failing rule shows where."""

    def __init__(self, game: Game, state: type[S], seats: int, options: dict[str, str], seed: int) -> None:
        self.game, self.seats = game, seats
        self.engine = interpreted(game)
        self.states = self.engine.start(seats, options, seed)
        self.facts: list[Fact] = []
        self.events: list[Json] = []  # all that has happened
        self.latest: list[Json] = []  # by the last `do`
        self._state = state

    # Arranging.

    @property
    def state(self) -> S:
        """The record, opened; whoever changes a scalar of it calls `close`, or `set` instead."""
        return self._state(self.states)

    def set(self, **scalars: int) -> None:
        """Changes fields without axes: set(round_number=6)."""
        for name, value in scalars.items():
            self.states[name][0] = value

    # Playing.

    def do(self, seat: int, *written: str) -> list[str]:
        """Decides, as typed: do(0, "pick 2", "ready"); returns the kinds of what happened."""
        before = len(self.events)
        for action in written:
            self.tell(self.engine.decide(self.states, 0, seat, self.game.actions.read(action)))
        self.latest = self.events[before:]
        return [event["kind"] for event in self.latest]

    def tell(self, happened: list[Fact]) -> None:
        """Keeps what happened."""
        self.facts += happened
        self.events += [self.game.event(self.state, fact) for fact in happened]

    def legal(self, seat: int = 0) -> list[str]:
        """What the seat may do, as it would be typed."""
        return [self.game.actions.write(action) for action in self.engine.legal(self.states, 0, seat)]

    def refusal(self, seat: int, action: str) -> IllegalAction:
        """How the action is refused; nothing may change."""
        before = self.states.tobytes()
        try:
            self.do(seat, action)
        except IllegalAction as refusal:
            assert self.states.tobytes() == before
            return refusal
        raise AssertionError(f"{action} was not refused")

    def refused(self, seat: int, action: str) -> str:
        """The key of the refusal."""
        return self.refusal(seat, action).key

    # Looking.

    def told(self, kind: str, **facts: Any) -> list[Json]:
        """The events of this kind in which these facts are so."""
        return [e for e in self.events if e["kind"] == kind and all(e[k] == v for k, v in facts.items())]

    def choices(self, seat: int = 0) -> list[Json]:
        """What the page would be offered."""
        return self.engine.choices(self.states, 0, seat)

    def view(self, viewer: int = SPECTATOR) -> Json:
        """What the viewer sees."""
        return self.engine.view(self.states, 0, viewer)

    def waiting(self) -> list[int]:
        """Who owes a decision."""
        return self.engine.waiting(self.states)

    def over(self) -> bool:
        """Whether the game has ended."""
        return self.engine.is_over(self.states)

    def result(self) -> Result:
        """Ranks and points."""
        return self.engine.result(self.states)

    def ranks(self) -> list[int]:
        """1 is first; equal when shared."""
        return self.result().ranks
