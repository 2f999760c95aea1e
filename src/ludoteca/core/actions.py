"""Actions are small integers; each has a kind and arguments, and a way to be written.

A game lists its kinds of action once, each with every combination of arguments it can have:

    ACTIONS = Actions()
    TAKE_TWO_ALIKE = ACTIONS.kind("take_two_alike", ("colour",), [("yellow",), ("red",)])
    PASS = ACTIONS.kind("pass")

`kind` returns the number of the first one, which is what the rules compute with. Rules are never bent to keep the number
of actions small: a big decision is chained out of several small ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .errors import BadData

Argument = int | str


@dataclass(frozen=True, slots=True)
class Action:
    """What an action number means."""

    kind: str
    arguments: tuple[Argument, ...] = ()


class Actions:
    """All numbered actions of a game: `decode`, `encode`, `write` and `read` are inverses of each other."""

    def __init__(self) -> None:
        self._all: list[Action] = []
        self._number: dict[Action, int] = {}
        self._written: dict[str, int] = {}
        self._described: dict[int, dict[str, Argument]] = {}
        self.names: dict[str, tuple[str, ...]] = {}  # kind → names of its arguments

    def kind(self, kind: str, names: tuple[str, ...] = (), combinations: Iterable[tuple[Argument, ...]] = ((),)) -> int:
        """Adds a kind of action; returns the number of its first combination."""
        first = len(self._all)
        self.names[kind] = names
        for arguments in combinations:
            assert len(arguments) == len(names), f"{kind} has the arguments {names}, not {arguments}"
            action = Action(kind, arguments)
            self._number[action] = len(self._all)
            self._written[self._write(action)] = len(self._all)
            self._all.append(action)
        return first

    def __len__(self) -> int:
        return len(self._all)

    def decode(self, number: int) -> Action:
        """What this number means."""
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(self._all):
            raise BadData(f"There is no action {number!r}.", "no_such_action", action=str(number)[:40])
        return self._all[number]

    def encode(self, kind: str, *arguments: Argument) -> int:
        """The number of this action."""
        try:
            return self._number[Action(kind, arguments)]
        except KeyError:
            raise BadData(f"There is no action {kind} {arguments}.", "no_such_action", action=kind) from None

    def described(self, number: int) -> dict[str, Argument]:
        """The action as a page gets it: number, kind and arguments by name."""
        if number not in self._described:
            self._described[number] = {"action": number, "kind": self.decode(number).kind, **self.arguments(number)}
        return self._described[number]

    def arguments(self, number: int) -> dict[str, Argument]:
        """The arguments by name."""
        action = self.decode(number)
        return dict(zip(self.names[action.kind], action.arguments, strict=True))

    @staticmethod
    def _write(action: Action) -> str:
        return " ".join([action.kind, *map(str, action.arguments)])

    def write(self, number: int) -> str:
        """The action as it is typed: `recruit 2 3`."""
        return self._write(self.decode(number))

    def read(self, text: str) -> int:
        """The number of an action as it is typed."""
        try:
            return self._written[" ".join(text.split())]
        except KeyError:
            raise BadData(f"«{text}» is no action of this game.", "no_such_action", action=text[:40]) from None
