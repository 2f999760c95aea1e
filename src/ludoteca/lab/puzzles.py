"""Puzzles in bulk: `ludoteca puzzles GAME` looks through games for decisions that matter and are easily missed.

Bots play; at each decision everything that could be decided is weighed from what the seat sees, in the same guesses, as a
review weighs it (`bots/weigh.py`): sealed decisions against what the search expects of the others. A position becomes a
puzzle where

- one decision is better than any other by at least `GAP` and by more than `SURE` standard errors, in two looks that have
  nothing in common,
- it is not what looks best at sight, so that a beginner would miss it,
- and the strongest bot chooses it too.

How often each level of bots finds it is its grade. Positions may come from anybody's games: `made` takes any source of them,
and `--from` reads records, such as were reviewed.
"""

from __future__ import annotations

import argparse
import itertools
import math
import pathlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ludoteca import catalogue
from ludoteca.bots import greedy, levels
from ludoteca.bots.search import Settings
from ludoteca.bots.weigh import Scales
from ludoteca.core import journal
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.errors import BadData
from ludoteca.core.play import Play
from ludoteca.core.puzzles import Collection, Puzzle, Weighed, place_of, puzzles_of
from ludoteca.core.record import States

GUESSES = 480  # in which each decision is tried
SKETCH = 64  # guesses that show whether a position is worth a closer look
A_GLANCE = 16  # guesses that show whether what looks best may be bettered at all
BLOCK = 16  # guesses in one go; errors are those between blocks
GAP = 0.07  # of the chance to win, between the best decision and the next
SURE = 3.0  # standard errors
FEWEST, MOST = 3, 60  # possible decisions
SEATS = range(2, 5)  # a puzzle should be taken in at a glance
AMOUNT = "tokens"  # offers at the same place that differ only by this are one option: how many is a matter of degree
TRIES = 16  # of each level, to see how often it finds the decision; of the strongest, a quarter
A_GAME = 2  # puzzles from one game, at most
COUNT = 12  # puzzles, where nobody says how many
LARGEST_SEED = (1 << 53) - 1  # what any reader of JSON can count to


class Chance(NamedTuple):
    """The chance to win that a decision brings, its standard error, and that of its difference from the best."""

    won: float
    error: float
    apart: float


class Found(NamedTuple):
    """A game that stands at a decision of this seat."""

    play: Play
    seed: int
    options: dict[str, str]
    seat: int


def games_of_bots(engine: CompiledEngine, seed: int) -> Iterator[Iterator[Found]]:
    """Game after game of bots of the middle level; numbers of seats and values of the first option take turns."""
    game = engine.game
    seats = [n for n in game.seats if n in SEATS] or list(game.seats)
    editions = [{}, *({option.key: value} for option in game.options[:1] for value in option.values[1:])]
    for number in itertools.count():
        options = game.full_options(editions[number // len(seats) % len(editions)])
        yield game_of_bots(engine, seats[number % len(seats)], options, derive(seed, number) & LARGEST_SEED)


def game_of_bots(engine: CompiledEngine, seats: int, options: dict[str, str], seed: int) -> Iterator[Found]:
    """Every decision of one game."""
    bot = levels.read_bot(engine.game, levels.LEVELS[len(levels.LEVELS) // 2])
    play = Play.deal(engine, seats, options, seed)
    while not play.is_over():
        seat = play.waiting()[0]
        yield Found(play, seed, options, seat)
        seen = engine.game.redact(play.states, 0, seat)
        play.follow(seat, [bot.choose(engine, seen, seat, derive(seed, play.seq))])


def games_of_records(engine: CompiledEngine, files: Iterable[pathlib.Path]) -> Iterator[Iterator[Found]]:
    """Games from records, such as were reviewed."""
    for file in files:
        yield game_of_record(engine, journal.load(file.read_bytes()))


def game_of_record(engine: CompiledEngine, record: journal.Journal) -> Iterator[Found]:
    """Every decision of one record, whose chance must come from a seed."""
    if record.seed is None:
        raise BadData("A puzzle needs a record whose chance comes from a seed.", "bad_journal")
    play, options = journal.opened(engine, record), engine.game.full_options(record.options)
    for seat, action in record.decisions:
        yield Found(play, record.seed, options, seat)
        play.again(seat, action)


def games_of_puzzles(engine: CompiledEngine, known: Iterable[Puzzle]) -> Iterator[Iterator[Found]]:
    """The positions of puzzles that there are, to be weighed and graded anew."""
    for puzzle in known:
        yield iter([Found(puzzle.opened(engine), puzzle.seed, puzzle.options, puzzle.seat)])


def made(
    engine: CompiledEngine, games: Iterable[Iterator[Found]], seed: int, guesses: int = GUESSES
) -> Iterator[Puzzle]:
    """The puzzles in these games."""
    for game in games:
        yield from itertools.islice(filter(None, (puzzle_at(engine, found, seed, guesses) for found in game)), A_GAME)


def puzzle_at(engine: CompiledEngine, found: Found, seed: int, guesses: int = GUESSES) -> Puzzle | None:
    """The puzzle at this decision, if it is one."""
    play, seat = found.play, found.seat
    seen = engine.game.redact(play.states, 0, seat)
    if not is_one_press(engine, seen, seat):
        return None
    luck = derive(seed, found.seed, play.seq)
    at_sight = greedy.choose(engine, seen, seat, luck)
    glance = weigh(engine, seen, seat, luck, A_GLANCE)
    if next(iter(glance.values())).won - glance[at_sight].won < 2 * GAP:
        return None
    if not stands_out(engine, weigh(engine, seen, seat, derive(luck, 1), SKETCH), 1.0):
        return None
    weighed = weigh(engine, seen, seat, derive(luck, 2), guesses)
    answers = answers_of(engine, weighed)
    if not stands_out(engine, weighed, SURE) or at_sight in answers:
        return None
    again = weigh(engine, seen, seat, derive(luck, 3), guesses)  # what stood out by chance does not do so twice
    if not stands_out(engine, again, SURE) or next(iter(again)) not in answers:
        return None
    share = {level: finds(engine, level, seen, seat, luck, answers) for level in levels.LEVELS}
    if share[levels.STRONGEST] < 50 or share[levels.LEVELS[0]] > 60:
        return None
    options = tuple(
        Weighed(engine.game.actions.write(action), round(100 * chance.won, 1), round(100 * chance.error, 1))
        for action, chance in weighed.items()
    )
    return Puzzle(
        play.seats,
        seat,
        found.options,
        found.seed,
        tuple(play.decisions()),
        int(play.states["round_number"][0]),
        options,
        tuple(engine.game.actions.write(action) for action in answers),
        share,
    )


def weigh(engine: CompiledEngine, seen: States, seat: int, seed: int, guesses: int) -> dict[int, Chance]:
    """Every possible decision with its chance, the best first: all of them tried in the same guesses."""
    legal, blocks = engine.legal(seen, 0, seat), max(2, guesses // BLOCK)
    scales = Scales(engine, seen, seat, seed, strongest(engine), legal, BLOCK * (blocks + 1))
    scales.weigh(BLOCK)  # until the tree knows a little
    won = np.array([scales.weigh(BLOCK)[:, seat] for _ in range(blocks)])
    means, best = won.mean(0), int(won.mean(0).argmax())
    errors = won.std(0, ddof=1) / math.sqrt(blocks)
    apart = (won - won[:, best : best + 1]).std(0, ddof=1) / math.sqrt(blocks)
    order = sorted(range(len(legal)), key=lambda k: -means[k])
    return {legal[k]: Chance(float(means[k]), float(errors[k]), float(apart[k])) for k in order}


def strongest(engine: CompiledEngine) -> Settings:
    """How the strongest bot thinks, with no clock: puzzles are the same on every machine."""
    return replace(levels.read_bot(engine.game, levels.STRONGEST).settings or Settings(), seconds=0.0)


def is_one_press(engine: CompiledEngine, seen: States, seat: int) -> bool:
    """Whether there is something to choose, and each choice decides by itself: no offer that more follow behind a screen."""
    actions = engine.legal(seen, 0, seat)
    if not FEWEST <= len(actions) <= MOST:
        return False
    kinds = {engine.game.actions.decode(action).kind for action in actions}
    return all(engine.game.behind_screen.get(kind, True) for kind in kinds)


def option_of(engine: CompiledEngine, action: int) -> tuple[object, ...]:
    """What a decision is without how many tokens it takes."""
    arguments = engine.game.actions.arguments(action)
    return (engine.game.actions.decode(action).kind, *(value for name, value in arguments.items() if name != AMOUNT))


def stands_out(engine: CompiledEngine, weighed: dict[int, Chance], sure: float) -> bool:
    """Whether the first option is better than all others, clearly and by so many standard errors."""
    best, first = next(iter(weighed.items()))
    others = [chance for action, chance in weighed.items() if option_of(engine, action) != option_of(engine, best)]
    return all(first.won - other.won >= max(GAP, sure * other.apart) for other in others)


def answers_of(engine: CompiledEngine, weighed: dict[int, Chance]) -> list[int]:
    """The best decision, and those of the same option that are not clearly worse: everything else is."""
    best, first = next(iter(weighed.items()))
    same = [action for action in weighed if option_of(engine, action) == option_of(engine, best)]
    return [action for action in same if first.won - weighed[action].won < GAP]


def finds(engine: CompiledEngine, level: str, seen: States, seat: int, luck: int, answers: list[int]) -> int:
    """How many in a hundred of this level decide so."""
    tries = TRIES // 4 if level == levels.STRONGEST else TRIES
    bot = levels.read_bot(engine.game, level)
    if level == levels.STRONGEST:
        bot = replace(bot, settings=strongest(engine))
    return 100 * sum(bot.choose(engine, seen, seat, derive(luck, n)) in answers for n in range(tries)) // tries


# ── The command ──────────────────────────────────────────────


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of `ludoteca puzzles`."""
    command.add_argument("game")
    command.add_argument(
        "--count",
        type=int,
        help=f"how many puzzles (default: {COUNT}; with --again those that still hold, no new ones)",
    )
    command.add_argument("--seed", type=int, default=1, help="another seed, other puzzles (default: %(default)s)")
    command.add_argument(
        "--guesses", type=int, default=GUESSES, help="in which each decision is tried (default: %(default)s)"
    )
    command.add_argument(
        "--from", dest="records", nargs="+", type=pathlib.Path, help="records to look through, instead of bots' games"
    )
    command.add_argument(
        "--again", action="store_true", help="weigh and grade those that there are anew, and keep what still holds"
    )
    command.add_argument(
        "--out", type=pathlib.Path, help="where they are written (default: puzzles.json in the game's folder)"
    )


def run_command(arguments: argparse.Namespace) -> None:
    """Makes puzzles and writes them, one more each time one is found."""
    game = catalogue.typed(arguments.game)
    if arguments.count is not None and arguments.count < 1:
        raise BadData("Puzzles are counted from 1 on.", "no_such_value")
    engine = levels.prepare(game)
    games = games_of_records(engine, arguments.records) if arguments.records else games_of_bots(engine, arguments.seed)
    if arguments.again:
        known = games_of_puzzles(engine, puzzles_of(game))
        games = known if arguments.count is None else itertools.chain(known, games)
    count = COUNT if arguments.count is None and not arguments.again else arguments.count
    place = arguments.out or place_of(game)
    told = f"ludoteca puzzles {game.key} --seed {arguments.seed} --guesses {arguments.guesses}"
    told += "" if count is None else f" --count {count}"
    told += " --again" if arguments.again else ""
    puzzles: list[Puzzle] = []
    for puzzle in made(engine, games, arguments.seed, arguments.guesses):
        if puzzle.id in {known.id for known in puzzles}:
            continue
        puzzles.append(puzzle)
        place.write_bytes(Collection(game.version, told, arguments.guesses, tuple(puzzles)).written())
        share = ", ".join(f"{level} {found} %" for level, found in puzzle.found.items())
        print(
            f"{len(puzzles)}: {puzzle.best.action} in round {puzzle.round} of {puzzle.seats} seats; found by {share}.",
            file=sys.stderr,
        )
        if len(puzzles) == count:
            break
    print(f"{len(puzzles)} puzzles of {game.title} are in {place}.")
