"""The games of the house. Every installed package announces its own through the entry-point group `ludoteca.games`:

    [project.entry-points."ludoteca.games"]
    pig = "ludoteca_pig:GAME"

This package's games are found in the same way, so nothing here names a game. A package whose game cannot be loaded is
reported with a sentence and left out; the others play on.
"""

from __future__ import annotations

import functools
import logging
import pathlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .core.decks import Deck, from_text, read_file, with_deck
from .core.errors import BadData, Refusal, Unknown
from .core.game import DECK, Game, game_at

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


# With a deck of one's own.


def with_file(found: Game, path: pathlib.Path | str) -> Game:
    """The game with the deck in a file."""
    meant, deck = read_file(pathlib.Path(path), [found])
    return with_deck(meant, deck)


def with_text(found: Game, text: str | None) -> Game:
    """The game with the deck that a record or a store has kept, if it has one."""
    return with_deck(found, from_text(found, text)) if text else found


def with_options(which: Which, options: Mapping[str, Any] | None) -> tuple[Game, dict[str, str]]:
    """The game that is meant, and the other options: `{"deck": …}` may be a file, a Deck or what `Deck.text` says."""
    found, others = game(which), dict(options or {})
    deck = others.pop(DECK, None)
    if deck is None or deck == found.variant:
        return found, others
    if isinstance(deck, Deck):
        return with_deck(found, deck), others
    if isinstance(deck, str) and deck.lstrip().startswith("{"):
        return with_text(found, deck), others
    try:
        return with_file(found, deck), others
    except (OSError, TypeError):
        raise BadData(f"There is no deck «{str(deck)[:80]}»: give a file or a Deck.", "no_such_deck") from None


# What somebody types.

DECK_HELP = "a deck of your own: a file as ludoteca deck new writes it"
HELP = "the key of an installed game (ludoteca games lists them), or the place of any: my_module:GAME"


def typed(name: str, deck: pathlib.Path | None = None) -> Game:
    """The game somebody typed, with the deck in a file if they named one; a place may be in a module of their folder."""
    if ":" in name:
        look_here()
    return with_file(game(name), deck) if deck else game(name)


def look_here() -> None:
    """Modules of the folder somebody is in can be named."""
    if "" not in sys.path:
        sys.path.insert(0, "")


def named(wanted: str | Sequence[Which]) -> list[Game]:
    """The games of a list: keys and places with commas, as somebody typed them, or one by one."""
    names = [name.strip() for name in wanted.split(",") if name.strip()] if isinstance(wanted, str) else wanted
    return [typed(which) if isinstance(which, str) else which for which in names]


def known(key: str, games: Iterable[Game] = ()) -> Game:
    """The game that a store or a record calls so: one of these, else the installed one. (A file may not choose a module.)"""
    return next((game for game in games if game.key == key), None) or listed(key)


def typed_games(names: Sequence[str]) -> list[Game]:
    """The games somebody typed; if none, all that are installed and can be played."""
    return [typed(name) for name in names] or list(games().values())
