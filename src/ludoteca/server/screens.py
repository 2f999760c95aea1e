"""Behind the screens: what seats have decided while others still think.

Where a game has sealed decisions (`Game.behind_screen`), they are stored, but they are not part of the game yet. The others
can tell who has sealed, and nothing else: not what, and not in how many steps. Whoever has sealed may open again until the
last one seals; then all of it becomes decisions at once, in the order of the seats.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from ludoteca.core.game import Game
from ludoteca.core.play import Decided, Play

Step = tuple[int, str | None]  # an action, and the command that it began

_decoder = msgspec.json.Decoder(dict[int, list[Step]])


@dataclass(frozen=True)
class Screens:
    """The steps of each seat so far. Never changed: a change is stored first, and then there are new screens."""

    game: Game
    steps: dict[int, list[Step]] = field(default_factory=dict)

    @classmethod
    def read(cls, game: Game, written: str) -> Screens:
        """As they were stored."""
        return cls(game, _decoder.decode(written) if written else {})

    def written(self) -> str:
        """For the store; nothing at all when no screen hides anything."""
        return msgspec.json.encode(self.steps).decode() if self.steps else ""

    def covers(self, action: int) -> bool:
        """Whether this action is one of those made behind a screen; to take back is none."""
        return (
            bool(self.game.behind_screen)
            and action >= 0
            and self.game.actions.decode(action).kind in self.game.behind_screen
        )

    def seals(self, action: int) -> bool:
        """Whether this action ends what its seat does behind the screen."""
        return self.game.behind_screen[self.game.actions.decode(action).kind]

    def sealed(self, seat: int) -> bool:
        """Whether this seat has sealed."""
        return seat in self.steps and self.seals(self.steps[seat][-1][0])

    def command_of(self, seat: int) -> str | None:
        """A name that this seat has given to any of its steps; bots give none."""
        return next((command for _, command in self.steps[seat] if command is not None), None)

    def adding(self, seat: int, actions: list[int], command: str | None) -> Screens:
        """With more steps of one seat; the first bears the command's name."""
        more = [(action, None if n else command) for n, action in enumerate(actions)]
        return Screens(self.game, {**self.steps, seat: self.steps.get(seat, []) + more})

    def without(self, seat: int) -> Screens:
        """With this seat's screen cleared."""
        return Screens(self.game, {other: steps for other, steps in self.steps.items() if other != seat})

    def check(self, play: Play) -> None:
        """Raises a sentence if these steps cannot have been made in this game."""
        for seat, steps in self.steps.items():
            after = play.copy()
            for action, _ in steps:
                after.engine.check(after.states, 0, seat, action)
                after.follow(seat, [action])

    def changed(self, before: Screens) -> list[int]:
        """The seats behind whose screens something is different."""
        seats = sorted(self.steps.keys() | before.steps.keys())
        return [seat for seat in seats if self.steps.get(seat) != before.steps.get(seat)]

    def decided(self) -> list[Decided]:
        """All of it, in the order of the seats: the order does not matter to the game."""
        found: list[Decided] = []
        for seat in sorted(self.steps):
            step = 0
            for number, (action, command) in enumerate(self.steps[seat]):
                step = 0 if number == 0 or command is not None else step + 1
                found.append((seat, action, step))
        return found

    def play_of(self, play: Play, viewer: int) -> Play:
        """The game as it stands for this viewer: with what is sealed (redacted like everything) and their own steps."""
        if not self.steps:
            return play
        seats = [seat for seat in sorted(self.steps) if seat == viewer or self.sealed(seat)]
        after = play.copy()
        for seat in seats:
            after.follow(seat, [action for action, _ in self.steps[seat]])
        return after
