"""The games of the house. Every installed package announces its own through the entry-point group `ludoteca.games`:

    [project.entry-points."ludoteca.games"]
    pig = "ludoteca_pig:GAME"

This package's games are found in the same way, so nothing here names a game. A package whose game cannot be loaded is
reported with a sentence and left out; the others play on.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points

from .core.errors import Refusal, Unknown
from .core.game import Game, game_at

GROUP = "ludoteca.games"
HOUSE = "ludoteca"  # this package

Which = str | Game  # a game, the key of an installed one, or the place of any: "my_package.my_game:GAME"

log = logging.getLogger("ludoteca.catalogue")


@functools.cache
def announced() -> dict[str, EntryPoint]:
    """What installed packages announce, by key, in order; nothing is imported yet. Nobody can take a key of ours."""
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, package(entry) != HOUSE)):
        if entry.name in found:
            first = package(found[entry.name])
            log.warning("The game «%s» of %s is left out: %s has one.", entry.name, package(entry), first)
        else:
            found[entry.name] = entry
    if HOUSE not in map(package, found.values()):
        log.warning("Ludoteca's own games are not announced: install it again (from a checkout: pip install -e .).")
    return found


def package(entry: EntryPoint) -> str:
    """The name of the package that announces a game."""
    return entry.dist.name if entry.dist is not None else ""


def keys(of: str | None = None) -> tuple[str, ...]:
    """The keys of all announced games, or of those that one package announces."""
    return tuple(key for key, entry in announced().items() if of in (None, package(entry)))


@functools.cache
def games() -> dict[str, Game]:
    """Every installed game that can be played, by key; of each other one the log says why not."""
    found = {}
    for key in announced():
        try:
            found[key] = listed(key)
        except Refusal as refusal:
            log.warning("%s", refusal.sentence)
    return found


@functools.cache
def listed(key: str) -> Game:
    """The installed game of that key. For keys that come from outside: it imports only what is announced."""
    entry = announced().get(key)
    if entry is None:
        there = ", ".join(announced())
        raise Unknown(f"There is no game called «{key[:40]}»; there is {there}.", "no_such_game", game=key[:40])
    return load(entry)


def load(entry: EntryPoint) -> Game:
    """The game that a package announces, or a sentence saying what is wrong with it."""
    left_out = f"The game «{entry.name}» of the package {package(entry)} is left out"
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:  # whatever a stranger's package does when it is imported
        raise Unknown(f"{left_out}: {error or type(error).__name__}", "no_such_game", game=entry.name[:40]) from error
    if not isinstance(found, Game):
        raise Unknown(f"{left_out}: {entry.value} is not a Game.", "no_such_game", game=entry.name[:40])
    if found.key != entry.name:
        raise Unknown(f"{left_out}: its key is «{found.key}».", "no_such_game", game=entry.name[:40])
    return found


def game(which: Which) -> Game:
    """The game that is meant, be it given itself, by its key, or by its place `module:NAME`."""
    if isinstance(which, Game):
        return which
    return game_at(which) if ":" in which else listed(which)


# What somebody types.

HELP = "the key of an installed game (ludoteca games lists them), or the place of any: my_module:GAME"


def typed(name: str) -> Game:
    """The game somebody typed; a place may be in a module of the folder they are in."""
    if ":" in name and "" not in sys.path:
        sys.path.insert(0, "")
    return game(name)


def typed_games(names: Sequence[str]) -> list[Game]:
    """The games somebody typed; if none, all that are installed and can be played."""
    return [typed(name) for name in names] or list(games().values())
