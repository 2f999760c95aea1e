"""Bots against each other: seat-balanced games, the same deals for everybody, results with their uncertainty.

Game by game the bots change seats, and every deal is played once with each seating. A win shared by two counts one half
to each, and so on. The seeds come from the number of the game, so results do not depend on how many processes play.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import permutations

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.core.chance import derive
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, Json

from .bar import Bar

CONFIDENCE = 1.959964  # standard deviations of a 95 % interval
Progress = Callable[[int, int], None]  # (games played, games in all)


@dataclass(frozen=True)
class Standing:
    """What one bot made of its games; a seat at a table is a game."""

    bot: str
    games: int
    wins: float  # shared wins in fractions
    milliseconds: float = field(compare=False)  # of one core, for a decision, on average

    @property
    def rate(self) -> float:
        """Wins per game."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The rate's 95 % confidence interval."""
        return wilson(self.wins, self.games)


@dataclass(frozen=True)
class ArenaResult:
    """How an arena went."""

    game: str
    seats: int
    games: int
    seed: int
    options: dict[str, str]
    standings: list[Standing]

    def as_json(self) -> Json:
        """For machines."""
        bots = {}
        for s in self.standings:
            low, high = s.interval
            bots[s.bot] = {"games": s.games, "wins": s.wins, "rate": s.rate, "low": low, "high": high}
            bots[s.bot]["ms_per_decision"] = s.milliseconds
        return {
            "game": self.game, "seats": self.seats, "games": self.games, "seed": self.seed, "options": self.options,
            "fair_share": 1 / self.seats, "bots": bots,
        }  # fmt: skip

    def table(self) -> str:
        """For people."""
        width = max(3, *(len(s.bot) for s in self.standings))
        played = " ".join(f"{key}={value}" for key, value in self.options.items())
        lines = [
            f"{self.game} {played} · {self.seats} seats · {self.games} games · seed {self.seed}",
            "",
            f"{'bot':{width}}  {'games':>6}  {'wins':>7}  {'rate':>6}  {'95 % interval':>15}  {'ms/decision':>11}",
        ]
        for s in sorted(self.standings, key=lambda s: -s.rate):
            low, high = s.interval
            between = f"{low:6.1%} – {high:6.1%}"
            lines.append(
                f"{s.bot:{width}}  {s.games:6}  {s.wins:7.1f}  {s.rate:6.1%}  {between:>15}  {s.milliseconds:11.2f}"
            )
        lines += ["", f"A win shared counts in fractions; equal bots would win {1 / self.seats:.1%} each."]
        return "\n".join(lines)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson's, which is right for few games and for rates near 0 and 1)."""
    if games == 0:
        return 0.0, 1.0
    rate, z2 = wins / games, CONFIDENCE**2
    centre = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = CONFIDENCE / (1 + z2 / games) * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games**2))
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def seatings(bots: int, seats: int) -> list[tuple[int, ...]]:
    """Who sits where, in turn, so that each bot has every seat equally often: `seatings(2, 2)` is (0, 1) and (1, 0)."""
    if bots > seats:
        return list(permutations(range(bots), seats))
    return [tuple((seat + turn) % bots for seat in range(seats)) for turn in range(bots)]


def run(
    game: Game,
    bots: Sequence[str],
    games: int,
    seats: int = 2,
    options: Mapping[str, str] | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ArenaResult:
    """Plays at least so many games (up to whole rounds of seatings) between these bots."""
    game.check_seats(seats)
    full = game.full_options(options or {})
    if len(set(bots)) < len(bots) or not bots:
        raise BadData("Name the bots, each once.", "no_such_bot")
    for name in bots:
        levels.read_bot(game.key, name)
    turns = seatings(len(bots), seats)
    games = math.ceil(games / len(turns)) * len(turns)
    levels.prepare(game)  # so that the workers only have to load
    tables = [
        Table(game.key, [bots[b] for b in turns[n % len(turns)]], full, derive(seed, n // len(turns)))
        for n in range(games)
    ]
    wins = dict.fromkeys(bots, 0.0)
    seated = dict.fromkeys(bots, 0)
    spent = dict.fromkeys(bots, 0.0)
    decisions = dict.fromkeys(bots, 0)
    for done, played in enumerate(play_all(tables, workers or os.cpu_count() or 1), 1):
        table = tables[done - 1]
        for seat, name in enumerate(table.bots):
            seated[name] += 1
            wins[name] += played.shares[seat]
            spent[name] += played.seconds[seat]
            decisions[name] += played.decisions[seat]
        if progress:
            progress(done, games)
    standings = [Standing(b, seated[b], wins[b], 1000 * spent[b] / max(1, decisions[b])) for b in bots]
    return ArenaResult(game.key, seats, games, seed, full, standings)


@dataclass(frozen=True)
class Table:
    """One game to be played."""

    game: str
    bots: list[str]  # by seat
    options: dict[str, str]
    seed: int


@dataclass(frozen=True)
class Played:
    """One game played: by seat, the share in the win, seconds spent and decisions made."""

    shares: list[float]
    seconds: list[float]
    decisions: list[int]


def play_all(tables: list[Table], workers: int) -> Iterable[Played]:
    """The results, in order, as they come."""
    workers = min(workers, len(tables))
    if workers <= 1:
        yield from map(play, tables)
        return
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(play, tables, chunksize=max(1, min(8, len(tables) // (4 * workers))))


def play(table: Table) -> Played:
    """Plays one game; each bot is handed what its seat may see, and nothing else."""
    game = catalogue.game(table.game)
    engine = levels.prepare(game)
    seats = len(table.bots)
    bots = [levels.read_bot(table.game, name) for name in table.bots]
    seconds, decisions = [0.0] * seats, [0] * seats
    states = engine.start(seats, table.options, table.seed)
    number = 0
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        redacted = game.redact(states, 0, seat)
        began = time.thread_time()  # of this core, whoever else uses the machine
        action = bots[seat].choose(engine, redacted, seat, derive(table.seed, number, seat))
        seconds[seat] += time.thread_time() - began
        decisions[seat] += 1
        number += 1
        engine.decide(states, 0, seat, action)
    ranks = engine.result(states).ranks
    return Played([(rank == 1) / ranks.count(1) for rank in ranks], seconds, decisions)


# The command.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca arena splendor novice club --games 400`"""
    parser.add_argument("game", help="the game: splendor …")
    parser.add_argument(
        "bots", nargs="+", help="uniform, greedy, novice, club, expert, or with settings: search:iterations=500,cut=20"
    )
    parser.add_argument("--games", type=int, default=400, help="how many games (default 400)")
    parser.add_argument("--seats", type=int, help="seats at each table (default: as many as bots, at least two)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="as edition=base")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other deals (default 0)")
    parser.add_argument("--workers", type=int, help="processes (default: one for each core)")
    parser.add_argument("--progress", action="store_true", help="show progress even without a terminal")
    parser.add_argument("--json", action="store_true", help="figures for machines")


def run_command(args: argparse.Namespace) -> int:
    """Runs the arena as asked and prints the table."""
    game = catalogue.game(args.game)
    options = dict(option.partition("=")[::2] for option in args.option)
    if args.games < 1:
        raise BadData("An arena needs at least one game.", "no_such_value")
    bar = Bar(args.games, "games", asked=args.progress)

    def progress(done: int, total: int) -> None:
        bar.total = total
        bar.show(done)

    seats = args.seats or max(2, len(args.bots))
    result = run(game, args.bots, args.games, seats, options, args.seed, args.workers, progress)
    bar.close()
    sys.stdout.write((json.dumps(result.as_json(), indent=1) if args.json else result.table()) + "\n")
    return 0
