"""Puzzles at their addresses: which there are, the one of the day, one on the table, and what an answer is worth.

What lies on the table is made from the record as the puzzle's seat may see it. What the moves are worth is told only to
whoever has answered.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import logging
from collections.abc import Callable, Iterable

import msgspec
import numpy as np

from ludoteca.bots.levels import engine_of
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game
from ludoteca.core.play import Play
from ludoteca.core.puzzles import Puzzle, Weighed, collection_of, puzzles_of
from ludoteca.core.record import Record
from ludoteca.core.words import LANGUAGES, Telling
from ludoteca.review.hinting import apart, what_follows
from ludoteca.review.pieces import HintFact

from . import wire
from .executor import Overrun, Runner
from .hints import game_of
from .queue import Turn
from .refusals import NotFound, Trouble
from .teaching import names_around, practice_table, seen
from .wire import PuzzleAnswer, PuzzleInfo, PuzzleMove, PuzzleOption, PuzzleWhy

log = logging.getLogger("ludoteca.puzzles")

A_DAY = 24 * 3600  # seconds
WHY_LIMIT = 120.0  # seconds, the first one with compiling
SAME_GUESSES = 1  # moves are played on in the same guesses
SHOWN = 4  # moves that are shown with an answer
BOTS = ("Ada", "Marco", "Sofia", "Luca", "Nina", "Teo", "Iris", "Hugo")  # what the others of a puzzle are called


@functools.cache
def puzzles_in(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles in a game's box; those that cannot be read are named in the log and left out."""
    try:
        return puzzles_of(game)
    except BadData as problem:
        log.warning("%s", problem)
        return ()


def info_of(game: Game, puzzle: Puzzle) -> PuzzleInfo:
    """What is told of a puzzle before it is solved."""
    return PuzzleInfo(puzzle.id, game.key, puzzle.seats, puzzle.round, puzzle.found, puzzle.grade)


class Puzzles:
    """The puzzles of the games that are served."""

    def __init__(self, games: Iterable[Game], clock: Callable[[], float]) -> None:
        self._clock = clock
        shelves = [[(game, puzzle) for puzzle in puzzles_in(game)] for game in games]
        in_turn = itertools.chain.from_iterable(itertools.zip_longest(*shelves))  # every day another game
        self._all = {found[1].id: found for found in in_turn if found is not None}
        self._open: dict[str, Play] = {}
        self._follows: dict[tuple[str, int], list[HintFact]] = {}

    def all(self) -> list[PuzzleInfo]:
        """Every puzzle."""
        return [info_of(game, puzzle) for game, puzzle in self._all.values()]

    def today(self, ago: int = 0) -> PuzzleInfo:
        """The one of the day, or of so many days ago, the same for everybody: the days since 1970 go round all of them."""
        if not 0 <= ago < len(self._all):
            raise NotFound("no_such_address")
        day = int(self._clock()) // A_DAY - ago
        return info_of(*list(self._all.values())[day % len(self._all)])

    async def puzzle(self, id: str) -> wire.Puzzle:
        """A puzzle on the table."""
        game, puzzle = self._found(id)
        play = await self._play(game, puzzle)
        update = seen(play, puzzle.seat, [])
        update.fresh = True
        table = practice_table(f"puzzle-{id}", game, puzzle.options, puzzle.seat, BOTS[: puzzle.seats - 1])
        return wire.Puzzle(info_of(game, puzzle), table, update, moves_of(game, play, puzzle))

    async def answer(self, id: str, actions: list[int]) -> PuzzleAnswer:
        """What a move is worth, and which ones are the best; what the rules do not allow is refused."""
        game, puzzle = self._found(id)
        play = await self._play(game, puzzle)
        play.check(puzzle.seat, actions)
        chosen = chosen_of(game, puzzle, actions)
        yours = next(option for option in puzzle.weighed if option.action == chosen)
        best = [in_words(game, play, puzzle, option) for option in to_weigh(puzzle)]
        collection = collection_of(game)
        assert collection is not None
        return PuzzleAnswer(chosen in puzzle.answers, in_words(game, play, puzzle, yours), best, collection.guesses)

    async def why(self, id: str, actions: list[int], workers: Runner, turn: Turn) -> PuzzleWhy:
        """What tells the best move apart from this one, or from the next best where this is the best."""
        game, puzzle, play = await self.opened(id)
        play.check(puzzle.seat, actions)
        chosen = chosen_of(game, puzzle, actions)
        if chosen in puzzle.answers:
            chosen = next(option.action for option in puzzle.weighed if option.action not in puzzle.answers)
        best, other = (game.actions.read(written) for written in (puzzle.best.action, chosen))
        for action in {best, other} - {action for known, action in self._follows if known == id}:
            record, names = play.position(puzzle.seat).redacted.tobytes(), names_around(puzzle.seat, BOTS)
            try:
                told = await workers.run(
                    WHY_LIMIT, follows, game.place, game.version, record, puzzle.seat, action,
                    names[: puzzle.seats], turn=turn,
                )  # fmt: skip
            except Overrun:
                raise Trouble("no_hint_now") from None
            self._follows[id, action] = msgspec.json.decode(told, type=list[HintFact])
        one, two = self._follows[id, best], self._follows[id, other]
        return PuzzleWhy(apart(one, two), apart(two, one))

    async def opened(self, id: str) -> tuple[Game, Puzzle, Play]:
        """A puzzle, and the game as it stands in it."""
        game, puzzle = self._found(id)
        return game, puzzle, await self._play(game, puzzle)

    def _found(self, id: str) -> tuple[Game, Puzzle]:
        if id not in self._all:
            raise NotFound("no_such_address")
        return self._all[id]

    async def _play(self, game: Game, puzzle: Puzzle) -> Play:
        if puzzle.id not in self._open:
            self._open[puzzle.id] = await asyncio.to_thread(puzzle.opened, interpreted(game))
        return self._open[puzzle.id]


def chosen_of(game: Game, puzzle: Puzzle, actions: list[int]) -> str:
    """The move of an answer; its steps may come in any order: what counts is whether one of them is the answer."""
    steps = [game.actions.write(action) for action in actions]
    return next((step for step in steps if step in puzzle.answers), steps[0])


def follows(place: str, version: str, record: bytes, seat: int, action: int, names: list[str]) -> str:
    """What a move leads to, from nothing but what the seat may see; in a worker."""
    engine = engine_of(game_of(place, version))
    redacted = np.frombuffer(bytearray(record), engine.game.dtype)
    return msgspec.json.encode(what_follows(engine, redacted, seat, action, SAME_GUESSES, names)).decode()


def to_weigh(puzzle: Puzzle) -> list[Weighed]:
    """The best move, and the next best that are not as good."""
    others = [option for option in puzzle.weighed if option.action not in puzzle.answers]
    return [puzzle.best, *others][:SHOWN]


def moves_of(game: Game, play: Play, puzzle: Puzzle) -> list[PuzzleMove]:
    """The moves to weigh in the order of the rules, which says nothing of what they are worth."""
    told = [in_words(game, play, puzzle, option) for option in to_weigh(puzzle)]
    return [PuzzleMove(one.action, one.words) for one in sorted(told, key=lambda one: one.action)]


def in_words(game: Game, play: Play, puzzle: Puzzle, option: Weighed) -> PuzzleOption:
    """A move as its seat would be told of it."""
    number, position = game.actions.read(option.action), play.position(puzzle.seat)
    choice = next(choice for choice in position.choices() if choice["action"] == number)
    names = names_around(puzzle.seat, BOTS[: puzzle.seats - 1])
    told = {
        language: Telling(game, Record(position.redacted), names, language, puzzle.seat).choice(choice)
        for language in LANGUAGES
    }
    return PuzzleOption(number, told, round(option.chance), max(1, round(2 * option.error)))
