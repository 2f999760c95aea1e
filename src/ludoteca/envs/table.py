"""A game in progress as agents meet it: the part that all environments share."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.canvas import Scene
from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine, compiled
from ludoteca.core.facts import Fact
from ludoteca.core.game import Game
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR, Record, See, States
from ludoteca.core.words import Telling

Observation = dict[str, npt.NDArray[Any]]
FORMS = ("float", "integer")


def rewards_of(ranks: list[int], scores: list[int]) -> list[float]:
    """The end as rewards: 1 for the first, -1 for the last, evenly between; shared ranks share; alone, the points."""
    seats = len(ranks)
    if seats == 1:
        return [float(scores[0])]
    shared = []
    for rank in ranks:
        places = [rank + k for k in range(ranks.count(rank))]
        mean = sum(places) / len(places)
        shared.append(1.0 - 2.0 * (mean - 1.0) / (seats - 1))
    return shared


def rewards_at_end(engine: Engine, states: States) -> list[float]:
    """The rewards of the game that has ended; alone against the game itself, 1 for beating it and -1 for losing."""
    result = engine.result(states)
    if engine.game.rival_alone and len(result.ranks) == 1:
        chances = np.zeros(engine.game.max_seats)
        engine.call("outlook", states, 0, chances)
        return [2.0 * float(chances[0]) - 1.0]
    return rewards_of(result.ranks, result.scores)


class Table:
    """One game: who is asked, what they see, what they may do."""

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        form: str = "float",
        perfect: bool = False,
    ) -> None:
        if form not in FORMS:
            raise ValueError(f"An observation's form is one of {', '.join(FORMS)}; not {form!r}.")
        self.game: Game = game
        self.engine: Engine = compiled(game)
        self.seats = min(game.seats) if seats is None else seats
        game.check_seats(self.seats)
        self.options = game.full_options(options or {})
        self.form, self.perfect = form, perfect
        self.play = Play(self.engine, self.engine.new())  # empty until the first deal
        self.happened: list[Fact] = []
        self._stream = 0
        self._games = 0

    # A game.

    def seed(self, seed: int | None) -> None:
        """Fixes the deals to come; without a number they are made of chance from outside."""
        self._stream = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))
        self._games = 0

    def deal(self) -> None:
        """The next game."""
        self._games += 1
        self.begin_at(self.engine.start(self.seats, self.options, derive(self._stream, self._games)))

    def seed_of_bot(self, decision: int, seat: int) -> int:
        """Where a bot's chance comes from when it takes that decision of this game."""
        return derive(self._stream, self._games, decision, seat)

    def begin_at(self, states: States) -> None:
        """A game that begins here."""
        self.play, self.happened = Play(self.engine, states), []

    @property
    def states(self) -> States:
        """The game as it stands."""
        return self.play.states

    def waiting(self) -> list[int]:
        """The seats that are asked."""
        return self.engine.waiting(self.states)

    def is_over(self) -> bool:
        return self.engine.is_over(self.states)

    def legal(self, seat: int) -> list[int]:
        """What this seat may do."""
        return self.engine.legal(self.states, 0, seat)

    def act(self, seat: int, action: int) -> None:
        """Does it, or raises the sentence why not."""
        self.happened = self.play.decide(seat, [int(action)])

    def rewards(self) -> list[float]:
        """At the end."""
        return rewards_at_end(self.engine, self.states)

    # What a seat sees.

    def redacted(self, seat: int) -> States:
        """The record as this seat may see it; the whole one where perfect information was asked for."""
        return self.states.copy() if self.perfect else self.game.redact(self.states, 0, seat)

    def numbers(self, seat: int) -> npt.NDArray[Any]:
        """The observation proper."""
        if self.form == "float":
            return self.engine.observe(self.redacted(seat), seat)
        return integers(self.game, self.redacted(seat))

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for each legal action; all 0 while the seat is not asked."""
        mask = np.zeros(len(self.game.actions), np.int8)
        mask[self.legal(seat)] = 1
        return mask

    def observe(self, seat: int) -> Observation:
        """Numbers and mask."""
        return {"observation": self.numbers(seat), "action_mask": self.mask(seat)}

    # Tools for those who search.

    def clone(self) -> Table:
        """An independent copy."""
        twin = copy.copy(self)
        twin.play = self.play.copy()
        return twin

    def serialise(self) -> bytes:
        """The state as bytes."""
        return self.states.tobytes()

    def restore(self, data: bytes) -> None:
        """The state from bytes."""
        self.begin_at(np.frombuffer(data, self.game.dtype).copy())

    def determinize(self, seat: int, seed: int) -> Table:
        """A copy with everything this seat cannot see guessed anew."""
        twin, guess = copy.copy(self), self.game.redact(self.states, 0, seat)
        self.engine.determinize(guess, seat, seed)
        twin.begin_at(guess)
        return twin

    @property
    def names(self) -> list[str]:
        """What the players are called here."""
        return [f"seat {number}" for number in range(self.seats)]

    def words(self, seat: int, action: int, language: str = "en") -> str:
        """A legal action in words."""
        plain = Record(self.game.redact(self.states, 0, seat))
        arguments = self.game.actions.arguments(action)
        choice = {"kind": self.game.actions.decode(action).kind, **arguments, **self.game.choice(plain, seat, action)}
        return Telling(self.game, plain, self.names, language).choice(choice)

    def picture(self, seat: int | None = None) -> str:
        """The table as text."""
        view = self.engine.view(self.states, 0, SPECTATOR if seat is None else seat)
        if self.game.picture is not None:
            return self.game.picture(view, self.names, "en")
        return "\n".join(f"{key}: {value}" for key, value in view.items())

    def scene(self, seat: int | None = None) -> Scene:
        """What a picture of the table is made of: what this seat sees, or a spectator."""
        view = self.engine.view(self.states, 0, SPECTATOR if seat is None else seat)
        ranks = self.engine.result(self.states).ranks if self.is_over() else []
        return Scene(view, self.names, self.waiting(), ranks)


def integers(game: Game, redacted: States) -> npt.NDArray[np.int32]:
    """Every field but the stream, in declared order, as whole numbers; hidden ones read -1."""
    parts = [np.ravel(redacted[f.name][0]).astype(np.int32) for f in game.fields if f.name != "rng"]
    return np.concatenate(parts)


def integer_names(game: Game) -> list[tuple[str, int, str]]:
    """Field, size and meaning of the integer form, for the docs."""
    found = []
    for f in game.fields:
        if f.name != "rng":
            seen = "" if f.see is See.PUBLIC else f" (seen by {f.see.value})"
            found.append((f.name, int(np.prod(f.shape or (1,))), f.meaning + seen))
    return found


def spaces(game: Game, form: str) -> tuple[Any, Any]:
    """The observation space and the action space."""
    from gymnasium.spaces import Box, Dict, Discrete

    actions = len(game.actions)
    numbers: Box[Any]
    if form == "float":
        numbers = Box(-np.inf, np.inf, (game.observation,), np.float32)
    else:
        size = sum(size for _, size, _ in integer_names(game))
        numbers = Box(np.iinfo(np.int32).min, np.iinfo(np.int32).max, (size,), np.int32)
    return Dict({"observation": numbers, "action_mask": Box(0, 1, (actions,), np.int8)}), Discrete(actions)
