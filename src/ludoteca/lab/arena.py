"""Bots against each other: seat-balanced games, the same deals for everybody, results with their uncertainty.

At each table the bots change seats, and every deal is played once with each seating. Few bots sit down together; more bots
than seats meet in every combination (a *round robin*), or in drawn ones where there are too many; on a *ladder* neighbours
meet and change places. A win shared by two counts one half to each, and so on.

A game's seed is made of the arena's, the number of the table and that of the deal, and results are counted in the order of
the games. So the standings are the same to the last bit wherever the games were played: see `pools`.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import os
import pathlib
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, Json

from . import chart
from .bar import Bar
from .pools import Workers
from .rating import AVERAGE, CONFIDENCE, Rating, ratings

AVERAGE_RATING = Rating(AVERAGE, AVERAGE, AVERAGE)
Progress = Callable[[int, int], None]  # (games played, games in all)


@dataclass(frozen=True)
class Standing:
    """What one bot made of its games; a seat at a table is a game."""

    bot: str
    games: int
    wins: float  # shared wins in fractions
    milliseconds: float = field(compare=False)  # of one core, for a decision, on average
    mean_rank: float = 0.0  # 1 is always first; ranks that are shared count as their mean
    rating: Rating = AVERAGE_RATING

    @property
    def rate(self) -> float:
        """Wins per game."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The rate's 95 % confidence interval."""
        return wilson(self.wins, self.games)

    def figures(self) -> dict[str, float]:
        """Everything by name."""
        low, high = self.interval
        return {
            "games": self.games, "wins": self.wins, "rate": self.rate, "low": low, "high": high,
            "mean_rank": self.mean_rank, "rating": self.rating.points, "rating_low": self.rating.low,
            "rating_high": self.rating.high, "ms_per_decision": self.milliseconds,
        }  # fmt: skip


@dataclass(frozen=True)
class ArenaResult:
    """How an arena went."""

    game: str
    seats: int
    games: int
    seed: int
    options: dict[str, str]
    standings: list[Standing]
    ladder: list[str] = field(default_factory=list)  # from the top, if there was one

    def best_first(self) -> list[Standing]:
        """By place on the ladder, or by rating."""
        if self.ladder:
            return sorted(self.standings, key=lambda s: self.ladder.index(s.bot))
        return sorted(self.standings, key=lambda s: (-s.rating.points, -s.rate))

    def title(self) -> str:
        """What was played."""
        played = " ".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.game} {played} · {self.seats} seats · {self.games} games · seed {self.seed}"

    def as_json(self) -> Json:
        """For machines."""
        return {
            "game": self.game, "seats": self.seats, "games": self.games, "seed": self.seed, "options": self.options,
            "fair_share": 1 / self.seats, "bots": {s.bot: s.figures() for s in self.standings},
            **({"ladder": self.ladder} if self.ladder else {}),
        }  # fmt: skip

    def table(self) -> str:
        """For people."""
        width = max(3, *(len(s.bot) for s in self.standings))
        lines = [
            self.title(),
            "",
            f"{'bot':{width}}  {'games':>6}  {'wins':>7}  {'rate':>6}  {'95 % interval':>15}  {'mean rank':>9}  "
            f"{'rating':>6}  {'95 % interval':>13}  {'ms/decision':>11}",
        ]
        for s in self.best_first():
            low, high = s.interval
            between = f"{low:6.1%} – {high:6.1%}"
            rated = f"{s.rating.low:.0f} – {s.rating.high:.0f}"
            lines.append(
                f"{s.bot:{width}}  {s.games:6}  {s.wins:7.1f}  {s.rate:6.1%}  {between:>15}  {s.mean_rank:9.2f}  "
                f"{s.rating.points:6.0f}  {rated:>13}  {s.milliseconds:11.2f}"
            )
        lines += ["", f"A win shared counts in fractions; equal bots would win {1 / self.seats:.1%} each."]
        lines += ["Ratings are on Elo's scale around 1500: 400 points more are ten times the strength."]
        if self.ladder:
            lines += ["The order is that of the ladder: each met its neighbours."]
        return "\n".join(lines)

    def as_csv(self) -> str:
        """For a spreadsheet: a line for each bot, best first."""
        paper = io.StringIO()
        writer = csv.writer(paper, lineterminator="\n")
        writer.writerow(["bot", *self.standings[0].figures()])
        writer.writerows([s.bot, *s.figures().values()] for s in self.best_first())
        return paper.getvalue()

    def plot(self) -> chart.Chart:
        """The ratings with their intervals."""
        rows = [(s.bot, s.rating.points, s.rating.low, s.rating.high) for s in self.best_first()]
        return chart.intervals(self.title(), rows, "Rating on Elo's scale, with its 95 % interval.")


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson's, which is right for few games and for rates near 0 and 1)."""
    if games == 0:
        return 0.0, 1.0
    rate, z2 = wins / games, CONFIDENCE**2
    centre = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = CONFIDENCE / (1 + z2 / games) * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games**2))
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


# Who meets whom.


def rotations(bots: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """These bots at one table, in turn, so that each has every seat equally often: (0, 1) and (1, 0)."""
    return [tuple(bots[(seat + turn) % len(bots)] for seat in range(seats)) for turn in range(len(bots))]


def pairings(bots: int, seats: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Who sits down together: all, if there is room; else everybody with everybody, or, above `most`, drawn by lot."""
    if bots <= seats:
        return [tuple(range(bots))]
    if math.comb(bots, seats) <= most:
        return list(combinations(range(bots), seats))
    return drawn(bots, seats, most, seed)


def drawn(bots: int, seats: int, tables: int, seed: int) -> list[tuple[int, ...]]:
    """So many tables by lot: the bots queue in a random order, again and again, so all play equally often (or once more)."""
    lot, queue, found = random.Random(seed), list[int](), list[tuple[int, ...]]()
    while len(found) < tables:
        while len(set(queue)) < seats:
            queue += lot.sample(range(bots), bots)
        table = list(dict.fromkeys(queue))[:seats]
        for bot in table:
            queue.remove(bot)
        found.append(tuple(sorted(table)))
    return found


def neighbours(order: Sequence[int], seats: int, turn: int) -> list[Sequence[int]]:
    """Those who meet on a ladder: neighbours, counted from the top and from further down by turns."""
    start = 0 if turn % 2 == 0 else len(order) % seats or seats // 2
    return [order[k : k + seats] for k in range(start, len(order) - seats + 1, seats)]


# The arena.


@dataclass(frozen=True)
class Table:
    """One game to be played."""

    game: str  # its key, or its place
    bots: list[str]  # by seat
    options: dict[str, str]
    seed: int
    version: str = ""  # of the rules, for workers elsewhere


@dataclass(frozen=True)
class Played:
    """One game played: by seat, the share in the win, seconds spent, decisions made and ranks."""

    shares: list[float]
    seconds: list[float]
    decisions: list[int]
    ranks: list[int]


class Tally:
    """Counts games, in the order in which they are noted."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = list(bots)
        self.games: list[tuple[tuple[int, ...], list[int]]] = []  # who sat where, and the ranks
        self.played = [0] * len(bots)
        self.wins, self.ranks, self.seconds = ([0.0] * len(bots) for _ in range(3))
        self.decisions = [0] * len(bots)

    def note(self, seated: tuple[int, ...], played: Played) -> None:
        """One game more."""
        self.games.append((seated, played.ranks))
        for seat, bot in enumerate(seated):
            rank = played.ranks[seat]
            self.played[bot] += 1
            self.wins[bot] += played.shares[seat]
            self.ranks[bot] += rank + (played.ranks.count(rank) - 1) / 2
            self.seconds[bot] += played.seconds[seat]
            self.decisions[bot] += played.decisions[seat]

    def standings(self) -> list[Standing]:
        """What each bot made of its games."""
        rated = ratings(len(self.bots), self.games)
        return [
            Standing(
                bot,
                self.played[n],
                self.wins[n],
                1000 * self.seconds[n] / max(1, self.decisions[n]),
                self.ranks[n] / max(1, self.played[n]),
                rated[n],
            )
            for n, bot in enumerate(self.bots)
        ]


@dataclass
class Arena:
    """Bots, tables and the tally."""

    game: Game
    bots: Sequence[str]
    seats: int
    options: dict[str, str]
    seed: int
    workers: Workers
    progress: Progress | None
    tally: Tally
    total: int = 0  # games to be played

    def round_robin(self, games: int) -> None:
        """At least so many games, up to whole rounds."""
        met = pairings(len(self.bots), self.seats, math.ceil(games / self.seats), derive(self.seed))
        seatings = [(number, seated) for number, bots in enumerate(met) for seated in rotations(bots, self.seats)]
        deals = math.ceil(games / len(seatings))
        self.total = deals * len(seatings)
        self.play([(seated, number, deal) for deal in range(deals) for number, seated in seatings])

    def ladder(self, games: int) -> list[str]:
        """As many rounds as bots, so that the lowest can climb to the top; whoever did better stands above."""
        order = list(range(len(self.bots)))
        tables = [len(neighbours(order, self.seats, turn)) for turn in range(len(order))]
        deals = math.ceil(games / (sum(tables) * self.seats))
        self.total = sum(tables) * self.seats * deals
        for turn in range(len(order)):
            met = neighbours(order, self.seats, turn)
            numbered = list(enumerate(met, sum(tables[:turn])))
            first = len(self.tally.games)
            self.play(
                [
                    (seated, number, deal)
                    for number, bots in numbered
                    for deal in range(deals)
                    for seated in rotations(bots, self.seats)
                ]
            )
            order = climbed(order, met, self.tally.games[first:])
        return [self.bots[bot] for bot in order]

    def play(self, games: list[tuple[tuple[int, ...], int, int]]) -> None:
        """Plays games (who sits where, the table's number, the deal's) and notes them."""
        tables = [
            Table(
                self.game.place,
                [self.bots[bot] for bot in seated],
                self.options,
                derive(self.seed, number << 32 | deal),
                self.game.version,
            )
            for seated, number, deal in games
        ]
        for (seated, _, _), played in zip(games, play_all(tables, self.workers), strict=True):
            self.tally.note(seated, played)
            if self.progress:
                self.progress(len(self.tally.games), self.total)


def climbed(
    order: Sequence[int], met: list[Sequence[int]], games: Sequence[tuple[tuple[int, ...], list[int]]]
) -> list[int]:
    """The ladder after a round: of those who met, the lower sum of ranks stands above; equals keep their places."""
    total = dict.fromkeys(order, 0)
    for seated, ranks in games:
        for bot, rank in zip(seated, ranks, strict=True):
            total[bot] += rank
    after = list(order)
    for group in met:
        first = order.index(group[0])
        after[first : first + len(group)] = sorted(group, key=lambda bot: total[bot])
    return after


def run(
    which: catalogue.Which,
    bots: Sequence[str],
    games: int,
    seats: int = 2,
    options: Mapping[str, str] | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
    ladder: bool = False,
) -> ArenaResult:
    """Plays at least so many games (up to whole rounds of seatings) between these bots."""
    game = catalogue.game(which)
    game.check_seats(seats)
    full = game.full_options(options or {})
    if len(set(bots)) < len(bots) or not bots:
        raise BadData("Name the bots, each once.", "no_such_bot")
    for name in bots:
        levels.read_bot(game, name)
    if ladder and (len(bots) <= seats or seats < 2):
        raise BadData("A ladder needs more bots than seats, and two seats at least.", "no_such_value")
    levels.prepare(game)  # so that the workers only have to load
    with Workers(workers or os.cpu_count() or 1, cluster) as whoever:
        arena = Arena(game, bots, seats, full, seed, whoever, progress, Tally(bots))
        order: list[str] = []
        if ladder:
            order = arena.ladder(games)
        else:
            arena.round_robin(games)
    return ArenaResult(game.key, seats, arena.total, seed, full, arena.tally.standings(), order)


def play_all(tables: list[Table], workers: Workers) -> Iterator[Played]:
    """The results, in order, as they come."""
    return workers.in_order(play, tables)


def play(table: Table) -> Played:
    """Plays one game; each bot is handed what its seat may see, and nothing else."""
    game, engine, bots = at_table(table)
    seats = len(bots)
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
    return Played([(rank == 1) / ranks.count(1) for rank in ranks], seconds, decisions, ranks)


def at_table(table: Table) -> tuple[Game, Engine, list[levels.Bot]]:
    """What is needed to play there: the game, its engine and the bots by seat."""
    game = catalogue.game(table.game)
    if table.version not in ("", game.version):
        raise BadData(f"This worker has rules {game.version} of {game.key}, not {table.version}.", "other_version")
    return game, levels.prepare(game), [levels.read_bot(game, name) for name in table.bots]


# The command.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca arena GAME novice club expert --games 1200 --plot ratings.svg`"""
    parser.add_argument("game", metavar="GAME", help=catalogue.HELP)
    parser.add_argument(
        "bots",
        nargs="+",
        help="uniform, greedy, novice, club, expert, search:iterations=500,cut=20, learned:weights.npz",
    )
    parser.add_argument("--games", type=int, default=400, help="how many games (default 400)")
    parser.add_argument("--seats", type=int, help="seats at each table (default: for all bots if they fit, else two)")
    parser.add_argument("--ladder", action="store_true", help="neighbours meet and climb, instead of all meeting all")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other deals (default 0)")
    parser.add_argument(
        "--processes", "--workers", dest="workers", type=int, metavar="N", help="processes (default: one for each core)"
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster: tcp://scheduler:8786")
    parser.add_argument("--progress", action="store_true", help="show progress even without a terminal")
    parser.add_argument("--json", action="store_true", help="figures for machines")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE", help="write the standings to this file too")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="draw the ratings: a file .svg or .png")


def run_command(args: argparse.Namespace) -> int:
    """Runs the arena as asked and prints the table."""
    game = catalogue.typed(args.game)
    options = dict(option.partition("=")[::2] for option in args.option)
    if args.games < 1:
        raise BadData("An arena needs at least one game.", "no_such_value")
    bar = Bar(args.games, "games", asked=args.progress)

    def progress(done: int, total: int) -> None:
        bar.total = total
        bar.show(done)

    if args.plot and args.plot.suffix.lower() not in chart.ENDINGS:
        raise BadData(f"A plot is a file {' or '.join(chart.ENDINGS)}, not {args.plot.name}.", "no_such_value")
    seats = args.seats or seats_for(game, len(args.bots), args.ladder)
    result = run(
        game, args.bots, args.games, seats, options, args.seed, args.workers, progress, args.cluster, args.ladder
    )
    bar.close()
    if args.csv:
        args.csv.write_text(result.as_csv(), "utf-8")
    if args.plot:
        result.plot().save(args.plot)
    sys.stdout.write((json.dumps(result.as_json(), indent=1) if args.json else result.table()) + "\n")
    return 0


def seats_for(game: Game, bots: int, ladder: bool) -> int:
    """All at one table if they fit, else two at each (or the fewest that the game has)."""
    if bots in game.seats and bots > 1 and not ladder:
        return bots
    return max(2, min(game.seats))
