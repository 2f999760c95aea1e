"""Bots by name: what a table or an arena calls them, and how hard each thinks.

    choose("pig", "club", redacted, seat, seed)

takes only names, numbers and the record as the seat may see it, so it can be sent to another process; instead of its
key, a game may be given itself or by its place (`my_package:GAME`). A game's machine code may not be there yet (the
first minutes on a fresh machine): then the named levels take what looks best.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from ludoteca.catalogue import Which, game
from ludoteca.core import decks
from ludoteca.core.engine import CompiledEngine, Engine, compiled, interpreted, is_compiled
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, Json
from ludoteca.core.record import States

from . import greedy, learned, search, uniform

LEVELS = ("newcomer", "novice", "club", "expert", "master")
STRONGEST = LEVELS[-1]
KINDS = ("uniform", "glance", "greedy", "search", "learned")

SETTING_TYPES: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "str": str}

# The least that a setting can be, where that is not 0.
LEAST = {
    ("search", "iterations"): 1,
    ("search", "threads"): 1,
    ("search", "looks"): search.BY_EXPERIENCE,
    ("glance", "looks"): 1,
}

# What a level is where the game does not say otherwise in `Game.levels`.
# The lower ones err as people do: they overlook possibilities, misjudge what they see, and do not look far. The two
# strongest judge by what was learned, where a game has that; all but the strongest decide within 50 ms.
DEFAULTS: dict[str, Json] = {
    "newcomer": {"kind": "glance", "looks": 5, "noise": 0.8},  # sees a few possibilities, and is not sure of them
    "novice": {"kind": "glance", "looks": 12},  # looks at a few possibilities and takes the best of them
    "club": {"kind": "search", "iterations": 40, "weights": "-"},
    "expert": {"kind": "search", "iterations": 1500, "weights": "-"},
    "master": {"kind": "search", "iterations": 8000, "seconds": 0.9},
}


@dataclass(frozen=True)
class Bot:
    """A way to play: one of KINDS and its settings."""

    kind: str
    looks: int = 0
    noise: float = 0.0
    settings: search.Settings | None = None
    network: learned.Network | None = None

    def choose(self, engine: Engine, redacted: States, seat: int, seed: int) -> int:
        """Its decision, from what the seat may see."""
        if self.kind == "uniform":
            return uniform.choose(engine, redacted, seat, seed)
        if self.kind == "glance":
            return greedy.glance(engine, redacted, seat, seed, self.looks, self.noise)
        if self.network is not None:
            return learned.choose(engine, redacted, seat, self.network)
        if self.kind == "search" and isinstance(engine, CompiledEngine):
            return search.choose(engine, redacted, seat, seed, self.settings)
        return greedy.choose(engine, redacted, seat, seed)


def read_bot(which: Which, name: str) -> Bot:
    """A bot by its name: a level, `uniform`, `greedy`, with settings `search:iterations=500`, or `learned:weights.npz`."""
    head, _, tail = name.partition(":")
    if head == "learned":
        return Bot(head, network=learned.load(game(which), tail))
    return _read_bot(game(which), head, tail)


@functools.cache
def _read_bot(game: Game, head: str, tail: str) -> Bot:
    chosen: Json = {"kind": head}
    if head in LEVELS:
        own = game.levels.get(head, {})
        chosen = dict(own) if "kind" in own else {**DEFAULTS[head], **own}  # another kind has other settings
    elif head not in KINDS:
        raise BadData(f"There is no bot called «{head}»; there is {', '.join((*LEVELS, *KINDS))}.", "no_such_bot")
    if chosen["kind"] == "search":
        chosen = {**game.thinking, **chosen}
    for setting in filter(None, tail.split(",")):
        key, _, value = setting.partition("=")
        chosen[key.strip()] = value
    return make_bot(**chosen)


def make_bot(kind: str, **chosen: Any) -> Bot:
    """A bot of this kind with these settings, given as numbers or as text."""
    types: dict[str, Callable[[Any], Any]] = {}
    if kind == "search":
        types = {f.name: SETTING_TYPES[str(f.type)] for f in fields(search.Settings)}
    elif kind == "glance":
        types = {"looks": int, "noise": float}
    numbers: dict[str, Any] = {}
    for key, value in chosen.items():
        if key not in types:
            possible = ", ".join(types) or "none"
            raise BadData(f"«{kind}» has no setting «{key}»; possible: {possible}.", "no_such_setting")
        least = LEAST.get((kind, key), 0)
        try:
            numbers[key] = types[key](value)
        except ValueError:
            raise BadData(f"The setting «{key}» is a number, not «{value}».", "no_such_value") from None
        if types[key] is not str and numbers[key] < least:
            raise BadData(f"The setting «{key}» is at least {least}, not {value}.", "no_such_value")
    if kind == "search":
        return Bot(kind, settings=search.Settings(**numbers))
    return Bot(kind, **numbers)


def choose(which: Which, level: str, redacted: States, seat: int, seed: int) -> int:
    """The decision of a named bot: at full strength once the machine code is there, at sight until then."""
    return read_bot(which, level).choose(engine_of(which), redacted, seat, seed)


def searches(game: Game) -> set[Any]:
    """The algorithms that the named levels of a game search with."""
    found = [read_bot(game, level).settings for level in LEVELS]
    return {search.algorithm(settings) for settings in found if settings is not None}


def is_ready(game: Game) -> bool:
    """Whether the machine code of the game and of its levels' search is there, so that a bot thinks at full strength."""
    return is_compiled(game, *searches(game))


def prepare(game: Game, progress: Callable[[str, int, int], None] | None = None) -> CompiledEngine:
    """Compiles the game and its levels' search, or loads them; takes seconds the first time on a machine."""
    engine = compiled(game, progress)
    for algorithm in searches(game):
        engine.bind(algorithm, records=search.RECORDS)
    return engine


_engines: dict[Game, Engine] = {}


def forget(game: Game) -> None:
    """Nobody will ask for this game again."""
    _engines.pop(game, None)
    _read_bot.cache_clear()


decks.forgetting.append(forget)


def engine_of(which: Which) -> Engine:
    """The engine this process decides with: compiled as soon as that needs no waiting."""
    found = game(which)
    engine = _engines.get(found)
    if engine is None or not engine.compiled:
        if is_ready(found):
            engine = prepare(found)
        elif engine is None:
            engine = interpreted(found)
        _engines[found] = engine
    return engine
