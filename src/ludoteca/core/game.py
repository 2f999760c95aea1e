"""A game is an object of data and functions: everything the rest of the house needs to know about it."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .actions import Actions
from .errors import BadData
from .events import Fact
from .record import Field, Plain, Redactor, States, record

Json = dict[str, Any]


@dataclass(frozen=True)
class Option:
    """A choice made before the game: `Option("edition", ("marvel", "base"))`; the first value is the default."""

    key: str
    values: tuple[str, ...]
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)  # of values without words


@dataclass(frozen=True)
class Game:
    """Data first, then the rules (kernels: plain functions over the record), then what makes words and pictures of them."""

    key: str  # the same string as folder, docs page, tests, web folder and wire value
    title: str
    seats: range
    minutes: int
    version: str  # of the rules; a journal is replayed by the version that wrote it
    folder: pathlib.Path
    options: tuple[Option, ...]
    fields: tuple[Field, ...]
    actions: Actions
    events: tuple[str, ...]  # the kinds of fact, by number

    # The rules.
    setup: Callable[..., None]  # (state, seats, options, seed): the record is all zero before
    legal: Callable[..., int]  # (state, seat, actions) → how many; ascending; may look only at what the seat may see
    apply: Callable[..., None]  # (state, seat, action, log)
    is_over: Callable[..., bool]  # (state)
    scores: Callable[..., None]  # (state, out): points of each seat
    ranks: Callable[..., None]  # (state, out): 1 for the first, equal when shared
    determinize: Callable[..., None]  # (redacted, seat, seed): fills in what the seat cannot see, fairly, in place
    observe: Callable[..., None]  # (redacted, seat, out): numbers for a network
    observation: int  # how many
    appraise: Callable[..., float]  # (redacted, seat, action): how good it looks; the greedy bot takes the best
    outlook: Callable[
        ..., None
    ]  # (state, out): each seat's chance to win at a glance, 0..1; search cuts play-outs with it

    # Words and pictures, in ordinary Python, from the redacted record only.
    view: Callable[[Plain, int], Json]  # (redacted, viewer) → JSON
    choice: Callable[[Plain, int, int], Json]  # (redacted, seat, action) → facts the page needs to offer it
    event: Callable[[Plain, Fact], Json]  # (redacted, a fact as its viewer may know it) → named JSON
    reasons: Callable[[Plain], list[Json]]  # (final record): for each seat, the facts behind its rank
    shuffles: Callable[[Plain], list[tuple[str, list[int]]]]  # (record just set up): every shuffle, in the order made
    components: Callable[[Plain], Json]  # (full record): every component counted; must never change
    explain: Callable[[Plain, int, int], tuple[str, Json]] | None = None  # why an action is not legal: key and facts
    spoken: Callable[[Plain, Json, list[str], str], Json] | None = (
        None  # (redacted, event or choice, names, language) → its facts as words
    )
    picture: Callable[[Json, list[str], str], str] | None = None  # (view, names, language) → the table as text
    draw: Callable[..., None] | None = None  # (canvas, scene): the table as a picture; see canvas.py
    observation_names: tuple[tuple[str, int], ...] = ()  # named parts of the observation and their sizes
    behind_screen: Mapping[str, bool] = field(default_factory=dict)
    # Kinds of action that are secret, and can be taken back, until every seat that is asked has sealed; true: it seals.
    rival_alone: bool = False  # alone one plays against the game itself and can lose: `outlook` says how it stands
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # What a player comes to have, for the balance report: kinds of event, and the parts of it that name the thing.
    log_rows: int = 512
    longest: int = 20_000  # decisions no game passes
    levels: Mapping[str, Json] = field(default_factory=dict)  # settings of the named bots, where they differ
    imagine: Callable[..., None] | None = None
    # (redacted, seat, seed): how search fills in what is hidden, if not by `determinize`: as experience would guess; what
    # others have sealed may be opened again, so that they decide within the search.
    stays_secret: Callable[[States, int], None] | None = None
    # (redacted, seat): covers what others may not see through this seat's eyes when they look back at a finished game.

    @functools.cached_property
    def dtype(self) -> np.dtype[Any]:
        """The record."""
        return record(self.fields)

    @functools.cached_property
    def redact(self) -> Redactor:
        """(states, i, viewer) → the record as this viewer may see it."""
        return Redactor(self.fields)

    @property
    def max_seats(self) -> int:
        """The most seats this game has."""
        return max(self.seats)

    def read_options(self, chosen: Mapping[str, str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Options by name → the numbers that `setup` reads."""
        known = {option.key: option for option in self.options}
        for key in chosen:
            if key not in known:
                raise BadData(f"{self.title} has no option «{key}».", "no_such_option", option=key)
        numbers = []
        for option in self.options:
            value = chosen.get(option.key, option.values[0])
            if value not in option.values:
                raise BadData(
                    f"«{option.key}» can be {', '.join(option.values)}; not «{value}».",
                    "no_such_value",
                    option=option.key,
                    value=str(value),
                )
            numbers.append(option.values.index(value))
        return np.array(numbers, np.int64)

    def full_options(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value, checked."""
        numbers = self.read_options(chosen)
        return {option.key: option.values[n] for option, n in zip(self.options, numbers.tolist(), strict=True)}

    def check_seats(self, seats: int) -> None:
        """Refuses a number of seats the game is not made for."""
        if seats not in self.seats:
            few, many = min(self.seats), max(self.seats)
            raise BadData(f"{self.title} is for {few} to {many} players.", "seats_out_of_range", few=few, many=many)
