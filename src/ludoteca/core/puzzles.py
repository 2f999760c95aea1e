"""Puzzles: positions in which one decision is clearly the best, and easily missed.

A game's `puzzles.json` holds them as journals cut off where somebody is asked, with what each possible decision was found
to be worth. `ludoteca puzzles <game>` makes it; what a puzzle shows is made from the record as its seat may see it.
"""

from __future__ import annotations

import functools
import hashlib
import pathlib

import msgspec

from .engine import Engine
from .errors import BadData
from .game import Game
from .play import Play


class Weighed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A possible decision: how often it wins, and the standard error of that; both in hundredths."""

    action: str  # as a terminal reads it
    chance: float
    error: float


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, whose decision it is, and what can be decided, best first."""

    seats: int
    seat: int
    options: dict[str, str]
    seed: int
    decisions: tuple[tuple[int, int], ...]
    round: int
    weighed: tuple[Weighed, ...]
    answers: tuple[str, ...]  # the best, and those that differ only by some tokens and are not clearly worse
    found: dict[str, int]  # by level of bots: how many in a hundred find the best decision

    @property
    def best(self) -> Weighed:
        """The decision to be found."""
        return self.weighed[0]

    @property
    def id(self) -> str:
        """A name that stays its own, whichever others are made."""
        written = msgspec.json.encode([self.seed, self.seats, sorted(self.options.items()), self.decisions])
        return hashlib.blake2b(written, digest_size=5).hexdigest()

    @property
    def grade(self) -> int:
        """1 to 3: the fewer of the bots' levels find it, the higher."""
        share = sum(self.found.values()) / max(1, 100 * len(self.found))
        return 1 if share > 0.6 else 2 if share > 0.35 else 3

    def opened(self, engine: Engine) -> Play:
        """The game as it stands in the puzzle."""
        play = Play.deal(engine, self.seats, self.options, self.seed)
        for seat, action in self.decisions:
            play.again(seat, action)
        return play


class Collection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The puzzles of one game, and how they were made."""

    version: str  # of the rules
    made: str  # the command
    guesses: int  # in which each possible decision was tried
    puzzles: tuple[Puzzle, ...]

    def written(self) -> bytes:
        """As a file: a line for each puzzle, so that changes can be read."""
        head = {"version": self.version, "made": self.made, "guesses": self.guesses}
        lines = ",\n  ".join(msgspec.json.encode(puzzle).decode() for puzzle in self.puzzles)
        return (msgspec.json.encode(head).decode()[:-1] + ',\n "puzzles": [\n  ' + lines + "\n]}\n").encode()


def place_of(game: Game) -> pathlib.Path:
    """Where a game's puzzles are."""
    return game.folder / "puzzles.json"


@functools.cache
def collection_of(game: Game) -> Collection | None:
    """The puzzles in a game's folder, if it brings any; those of other rules are left out."""
    if not place_of(game).is_file():
        return None
    try:
        found = msgspec.json.decode(place_of(game).read_bytes(), type=Collection)
    except msgspec.MsgspecError as problem:
        raise BadData(f"The puzzles of {game.key} cannot be read: {problem}", "bad_puzzles") from problem
    return found if found.version == game.version else None


def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """Every puzzle of a game."""
    collection = collection_of(game)
    return () if collection is None else collection.puzzles
