"""Bots of your own. Wherever a bot's name is taken, this will do as well:

    def careful(sight: Sight) -> int:                   # a function of what its seat may see
        return max(sight.legal, key=sight.appraise)

    class Network:                                      # an object with `choose`
        def choose(self, sight: Sight) -> int: ...

    "my_package.my_bots:careful"                        # where either is, as text

and where bots sit on several seats, a list with one for each. `resolve` makes of all of them, and of the house's own names,
one kind of thing: something that chooses. A class is made into an object first, without arguments.

A bot is given a `Sight`, which is made from the redacted record and from nothing else: it cannot look at what its seat may
not see, even by mistake.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import operator
import pickle
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ludoteca import catalogue
from ludoteca.catalogue import Which
from ludoteca.core.engine import Engine
from ludoteca.core.errors import BadData, Refusal, Unknown
from ludoteca.core.game import Game
from ludoteca.core.record import Record, States
from ludoteca.core.words import Telling

from . import levels


@dataclass(frozen=True, eq=False)
class Sight:
    """What a seat knows when it has to decide."""

    engine: Engine
    redacted: States  # the record as the seat may see it
    seat: int
    seed: int  # for bots that draw: another one for each decision, the same when a game is played again

    @property
    def game(self) -> Game:
        """Which game it is."""
        return self.engine.game

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.redacted["seats"][0])

    @functools.cached_property
    def legal(self) -> list[int]:
        """What the seat may do: the numbers of actions, ascending."""
        return self.engine.legal(self.redacted, 0, self.seat)

    @functools.cached_property
    def mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action, 0 for all others."""
        mask = np.zeros(len(self.game.actions), np.int8)
        mask[self.legal] = 1
        return mask

    @functools.cached_property
    def observation(self) -> npt.NDArray[np.float32]:
        """The record as numbers for a network, as the environments have them."""
        return self.engine.observe(self.redacted, self.seat)

    @functools.cached_property
    def state(self) -> Record:
        """The record's fields by name (`sight.state.waiting`); what is hidden reads -1."""
        return self.game.state(self.redacted)

    def appraise(self, action: int) -> float:
        """How good an action looks to the house."""
        return self.engine.appraise(self.redacted, self.seat, action)

    def guess(self, number: int = 0) -> States:
        """A world that the seat cannot tell from the true one; another number, another world."""
        world = self.redacted.copy()
        self.engine.determinize(world, self.seat, self.seed + number)
        return world

    def words(self, action: int, language: str = "en") -> str:
        """A legal action as a sentence."""
        actions, choice = self.game.actions, self.game.choice(self.state, self.seat, action)
        named = {**actions.described(action), **choice}
        return Telling(self.game, self.state, [f"seat {n}" for n in range(self.seats)], language).choice(named)


# What can be given, and what is made of it.


@runtime_checkable
class OwnBot(Protocol):
    """An object that plays: a network with its weights, a search with its tree."""

    def choose(self, sight: Sight, /) -> int: ...


AnyBot = str | Callable[[Sight], int] | OwnBot
AnyBots = AnyBot | Sequence[AnyBot | None]  # one for all seats, or one for each


class Chooser(Protocol):
    """What every bot is to those who let it play."""

    def choose(self, engine: Engine, redacted: States, seat: int, seed: int) -> int: ...


@dataclass(frozen=True, eq=False)
class Plugged:
    """Somebody's own bot among the house's."""

    name: str
    function: Callable[[Sight], Any]

    def choose(self, engine: Engine, redacted: States, seat: int, seed: int) -> int:
        """Its decision; a sentence if that is none."""
        sight = Sight(engine, redacted.copy(), seat, seed)
        try:
            chosen = self.function(sight)
        except Refusal:
            raise
        except Exception as error:  # whatever somebody's program may raise
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = traceback.format_exception_only(error)[-1].strip()
            raise BadData(
                f"The bot «{self.name}» failed: {said} ({where.filename}, line {where.lineno}).", "bad_bot"
            ) from error
        try:
            action = operator.index(chosen)
        except TypeError:
            raise BadData(f"The bot «{self.name}» chose {chosen!r}, which is no action's number.", "bad_bot") from None
        if action not in engine.legal(redacted, 0, seat):
            may = ", ".join(map(str, engine.legal(redacted, 0, seat)[:8]))
            raise BadData(
                f"The bot «{self.name}» chose {action}, which seat {seat} may not do now; it may do {may} …", "bad_bot"
            )
        return action


def resolve(which: Which, given: AnyBot) -> Chooser:
    """The bot that is meant, be it given by name, by its place, as a function or as an object."""
    if isinstance(given, str):
        head, colon, _ = given.partition(":")
        if not colon or head in (*levels.LEVELS, *levels.KINDS):
            return levels.read_bot(which, given)
        return plugged(given, bot_at(given))
    return plugged(name_of(given), given)


def plugged(name: str, given: Any) -> Plugged:
    """A function or an object that plays under this name; a sentence if it cannot."""
    if inspect.isclass(given):
        try:
            given = given()
        except TypeError as error:
            raise BadData(
                f"The class «{name}» cannot be made into a bot without arguments: {error}.", "bad_bot"
            ) from None
    function = getattr(given, "choose", given)
    if not callable(function):
        raise BadData(
            f"A bot is a name, a function of what its seat may see, or an object with «choose»; not {given!r}.",
            "bad_bot",
        )
    if inspect.iscoroutinefunction(function):
        raise BadData(f"The bot «{name}» is asynchronous; a bot is asked and answers.", "bad_bot")
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        raise BadData(f"The bot «{name}» must take one argument: what its seat may see.", "bad_bot") from None
    except ValueError:
        pass  # written in C: nobody knows what it takes
    return Plugged(name, function)


def bot_at(place: str) -> Any:
    """What is at `module:name`."""
    module, _, name = place.partition(":")
    try:
        return functools.reduce(getattr, name.split("."), importlib.import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        known = ", ".join((*levels.LEVELS, *levels.KINDS))
        raise Unknown(f"There is no bot at «{place}»: {error}. (By name there is {known}.)", "no_such_bot") from error


def name_of(given: AnyBot) -> str:
    """What a bot is called in tables: its name, its own `name`, or where it is written."""
    if isinstance(given, str):
        return given
    own = getattr(given, "name", None)
    if isinstance(own, str) and own:
        return own
    kind = given if hasattr(given, "__qualname__") else type(given)
    return f"{kind.__module__}:{kind.__qualname__}"


def seated(which: Which, given: AnyBots, seats: int, own: int | None = None) -> list[Chooser | None]:
    """A bot for every seat, from one for all or a list with one for each.

    Where one seat is not a bot's (`own`), the list may leave it out, or have anything there: it is not asked.
    """
    if isinstance(given, str) or not isinstance(given, Sequence):
        one = resolve(which, given)
        return [None if seat == own else one for seat in range(seats)]
    listed: list[AnyBot | None] = list(given)
    if own is not None and len(listed) == seats - 1:
        listed.insert(own, None)
    if len(listed) != seats:
        raise BadData(f"{len(given)} bots for {seats} seats: give one for all, or one for each seat.", "no_such_bot")
    found: list[Chooser | None] = []
    for seat, bot in enumerate(listed):
        if bot is None and seat != own:
            raise BadData(f"There is no bot for seat {seat}.", "no_such_bot")
        found.append(None if bot is None or seat == own else resolve(which, bot))
    return found


def seats_beside(game: Game, bots: int = 1) -> int:
    """How many sit at a table if nobody says it: as few as leave a seat to each of these bots, and one to somebody else."""
    return min((seats for seats in game.seats if seats > bots), default=max(game.seats))


def can_travel(bots: Sequence[AnyBot]) -> bool:
    """Whether other processes can have these bots too: what was typed at a prompt, or closes over something, cannot."""
    main = sys.modules.get("__main__")
    for bot in bots:
        if getattr(bot, "__module__", "") == "__main__" and not getattr(main, "__file__", None):
            return False
        try:
            pickle.dumps(bot)
        except Exception:  # pickle's own, or whatever the object raises
            return False
    return True


def typed(name: str) -> str:
    """A bot's name as somebody typed it; its place may be in a module of the folder they are in."""
    if ":" in name:
        catalogue.look_here()
    return name
