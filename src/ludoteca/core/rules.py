"""The rules that every game has, under the names by which algorithms call them.

An algorithm (random play-outs, search, batches of games) is written once for all games: it imports the rules from here and
calls them as if there were only one game. `CompiledEngine.bind` compiles it for a game with that game's own kernels in
their place. The annotations are the signatures with which every game's rules are compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from .kernel import ActionList, ChanceList, Log, NumberList, OptionList, Page, ScoreList, kernel

F = TypeVar("F", bound=Callable[..., Any])
State = Any  # a record of the game's state

RULES: dict[str, Callable[..., Any]] = {}


def rule(function: F) -> F:
    """Declares a rule that every game has."""
    RULES[function.__name__] = function
    function.__rule__ = True  # type: ignore[attr-defined]
    return function


def _stand_in() -> NoReturn:
    raise TypeError("A rule of no game in particular: bind the algorithm that calls it to a game.")


@rule
def setup(state: State, seats: int, options: OptionList, seed: int) -> None:
    """Sets up a game in a record that is all zero."""
    _stand_in()


@rule
def legal(state: State, seat: int, actions: ActionList) -> int:
    """Lists what the seat may do, ascending; returns how many."""
    _stand_in()


@rule
def apply(state: State, seat: int, action: int, log: Log) -> None:
    """Does it, and tells the log."""
    _stand_in()


@rule
def is_over(state: State) -> bool:
    """Whether the game has ended."""
    _stand_in()


@rule
def scores(state: State, out: ScoreList) -> None:
    """The points of each seat."""
    _stand_in()


@rule
def ranks(state: State, out: ScoreList) -> None:
    """1 for the first; equal when shared."""
    _stand_in()


@rule
def determinize(state: State, seat: int, seed: int) -> None:
    """Fills in what the seat cannot see, fairly."""
    _stand_in()


@rule
def imagine(state: State, seat: int, seed: int) -> None:
    """Fills in what the seat cannot see, as experience would guess; fairly, where a game knows no better."""
    _stand_in()


@rule
def observe(state: State, seat: int, out: NumberList) -> None:
    """The record as numbers for a network.

    `out` is all zero, or holds what an earlier observation of as many seats has left there.
    """
    _stand_in()


@rule
def appraise(state: State, seat: int, action: int) -> float:
    """How good an action looks."""
    _stand_in()


@rule
def outlook(state: State, out: ChanceList) -> None:
    """Each seat's chance to win, at a glance."""
    _stand_in()


@rule
def features(state: State, seat: int, out: NumberList) -> None:
    """What a learned judgement looks at in a seat's position; nothing, where a game has named nothing."""
    _stand_in()


@rule
def experience(state: State, seat: int, actions: ActionList, count: int, out: ChanceList) -> None:
    """How good each of these actions is, by many games; where a game has learned nothing of them, how good it looks."""
    _stand_in()


@rule
def write(state: State, page: Page) -> None:
    """A view without `you`, as JSON. Only where a game writes in machine code."""
    _stand_in()


@rule
def write_own(state: State, seat: int, page: Page) -> None:
    """Likewise `you`."""
    _stand_in()


@rule
def offer(state: State, seat: int, actions: ActionList, count: int, page: Page) -> None:
    """Likewise these actions, each with what a page needs to offer it."""
    _stand_in()


@kernel
def no_experience(state: State, seat: int, actions: ActionList, count: int, out: ChanceList) -> None:
    """The experience of a game that has none: at a glance."""
    for k in range(count):
        out[k] = appraise(state, seat, int(actions[k]))


@kernel
def no_features(state: State, seat: int, out: NumberList) -> None:
    """The features of a game that has named none."""
