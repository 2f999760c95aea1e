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
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.bots.greedy import PatientEngine
from ludoteca.bots.own import AnyBot, Chooser, can_travel, name_of, resolve, typed
from ludoteca.core import shares
from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine, compiled, is_compiled
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, Json

from . import chart, reports
from .bar import Bar
from .driven import can_drive, is_made
from .pools import Workers
from .rating import AVERAGE, CONFIDENCE, Rating, ratings
from .trajectories import Episode, Trajectories

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
    points: float = 0.0  # at the end, on average …
    points_error: float = 0.0  # … and the standard error of that

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
            "rating_high": self.rating.high, "points": self.points, "points_error": self.points_error,
            "ms_per_decision": self.milliseconds,
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
        if self.seats == 1:
            return sorted(self.standings, key=lambda s: (-s.rate, -s.points))
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

    def table_alone(self) -> str:
        """For people, where everybody sits alone: how often the game itself was beaten, if it can be, and the points."""
        width = max(3, *(len(s.bot) for s in self.standings))
        beatable = catalogue.game(self.game).rival_alone
        beaten = f"{'beaten':>7}  {'95 % interval':>15}  " if beatable else ""
        lines = [
            self.title(),
            "",
            f"{'bot':{width}}  {'games':>6}  {beaten}{'points':>7}  {'± error':>7}  {'ms/decision':>11}",
        ]
        for s in self.best_first():
            low, high = s.interval
            beaten = f"{s.rate:7.1%}  {f'{low:6.1%} – {high:6.1%}':>15}  " if beatable else ""
            lines.append(
                f"{s.bot:{width}}  {s.games:6}  {beaten}{s.points:7.2f}  {s.points_error:7.2f}  {s.milliseconds:11.2f}"
            )
        lines += [
            "",
            "Alone there is no first place: "
            + ("beating the game counts, then points." if beatable else "points count."),
        ]
        return "\n".join(lines)

    def table(self) -> str:
        """For people."""
        if self.seats == 1:
            return self.table_alone()
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
        """The ratings with their intervals; alone, the points."""
        if self.seats == 1:
            alone = [
                (s.bot, s.points, s.points - 2 * s.points_error, s.points + 2 * s.points_error)
                for s in self.best_first()
            ]
            return chart.intervals(self.title(), alone, "Points at the end, with two standard errors.")
        rows = [(s.bot, s.rating.points, s.rating.low, s.rating.high) for s in self.best_first()]
        return chart.intervals(self.title(), rows, "Rating on Elo's scale, with its 95 % interval.")


def mean_and_error(numbers: Sequence[int]) -> tuple[float, float]:
    """The mean, and its standard error."""
    if len(numbers) < 2:
        return float(sum(numbers)), 0.0
    return statistics.fmean(numbers), statistics.stdev(numbers) / math.sqrt(len(numbers))


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate."""
    return shares.wilson(wins, games, CONFIDENCE)


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
    bots: list[AnyBot]  # by seat
    options: dict[str, str]
    seed: int
    version: str = ""  # of the rules, for workers elsewhere
    exchanged: tuple[str, str] | None = None  # the ids of two cards that change places after the deal
    plain: bool = False  # played by plain Python: slower, and at once where there is no machine code yet


@dataclass(frozen=True)
class Played:
    """One game played: by seat, the share in the win, seconds spent, decisions made and ranks."""

    shares: list[float]
    seconds: list[float]
    decisions: list[int]
    ranks: list[int]
    scores: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)  # seat, action, seat, action …


class Tally:
    """Counts games, in the order in which they are noted."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = list(bots)
        self.games: list[tuple[tuple[int, ...], list[int]]] = []  # who sat where, and the ranks
        self.played = [0] * len(bots)
        self.wins, self.ranks, self.seconds = ([0.0] * len(bots) for _ in range(3))
        self.decisions = [0] * len(bots)
        self.points: list[list[int]] = [[] for _ in bots]

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
            self.points[bot].append(played.scores[seat] if played.scores else 0)

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
                *mean_and_error(self.points[n]),
            )
            for n, bot in enumerate(self.bots)
        ]


@dataclass
class Arena:
    """Bots, tables and the tally."""

    game: Game
    bots: Sequence[AnyBot]
    seats: int
    options: dict[str, str]
    seed: int
    workers: Workers
    progress: Progress | None
    tally: Tally
    keep: Trajectories | None = None  # where the games go
    plain: bool = False  # the few games of a new deck are played sooner than its machine code is made
    total: int = 0  # games to be played

    def round_robin(self, games: int, seconds: float = math.inf) -> None:
        """At least so many games, up to whole rounds; none begins a round after so many seconds."""
        met = pairings(len(self.bots), self.seats, math.ceil(games / self.seats), derive(self.seed))
        seatings = [(number, seated) for number, bots in enumerate(met) for seated in rotations(bots, self.seats)]
        deals = math.ceil(games / len(seatings))
        self.total = deals * len(seatings)
        if seconds == math.inf:
            self.play([(seated, number, deal) for deal in range(deals) for number, seated in seatings])
            return
        ends = time.monotonic() + seconds
        for deal in range(deals):
            self.play([(seated, number, deal) for number, seated in seatings])
            if time.monotonic() >= ends:
                break
        self.total = len(self.tally.games)

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
        return [self.tally.bots[bot] for bot in order]

    def play(self, games: list[tuple[tuple[int, ...], int, int]]) -> None:
        """Plays games (who sits where, the table's number, the deal's) and notes them."""
        tables = [
            Table(
                self.game.place,
                [self.bots[bot] for bot in seated],
                self.options,
                derive(self.seed, number << 32 | deal),
                self.game.version,
                plain=self.plain,
            )
            for seated, number, deal in games
        ]
        for (seated, _, _), table, played in zip(games, tables, play_all(tables, self.workers), strict=True):
            self.tally.note(seated, played)
            if self.keep is not None:
                names = [self.tally.bots[bot] for bot in seated]
                ended = Episode(table.seed, self.seats, played.steps, played.ranks, played.scores, names)
                self.keep.episodes.append(ended)
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
    bots: Sequence[AnyBot],
    games: int,
    seats: int = 2,
    options: Mapping[str, str] | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
    ladder: bool = False,
    keep: Trajectories | None = None,
    seconds: float = math.inf,
) -> ArenaResult:
    """Plays at least so many games (up to whole rounds of seatings) between these bots.

    Where there are `seconds`, the round that is being played when they are over is the last: its games are the first of
    those that would have been played without.

    A bot that cannot be sent to another process, such as a function typed at a prompt, plays in this one.
    """
    game = catalogue.game(which)
    game.check_seats(seats)
    full = game.full_options(options or {})
    names = [name_of(bot) for bot in bots]
    if len(set(names)) < len(names) or not bots:
        raise BadData("Name the bots, each once (an object may have a «name» of its own).", "no_such_bot")
    for bot in bots:
        resolve(game, bot)
    if ladder and (len(bots) <= seats or seats < 2):
        raise BadData("A ladder needs more bots than seats, and two seats at least.", "no_such_value")
    if keep is not None and (keep.game is not game or keep.options != full):
        raise BadData("The trajectories to keep are of another game or other options.", "other_game")
    resolved = [resolve(game, bot) for bot in bots]
    plain = games <= PLAIN_DEALS and all(map(is_simple, resolved)) and not is_compiled(game)
    if not plain:
        engine_for(game, resolved)  # so that the workers only have to load
    with Workers(processes_for(bots, workers, cluster), cluster) as whoever:
        arena = Arena(game, bots, seats, full, seed, whoever, progress, Tally(names), keep, plain=plain)
        order: list[str] = []
        if ladder:
            order = arena.ladder(games)
        else:
            arena.round_robin(games, seconds)
    return ArenaResult(game.key, seats, arena.total, seed, full, arena.tally.standings(), order)


def processes_for(bots: Sequence[AnyBot], wanted: int | None, cluster: str | None = None) -> int:
    """How many processes play: as many as wanted, or one for each core; one, if these bots cannot be sent elsewhere."""
    if can_travel(bots):
        return wanted or os.cpu_count() or 1
    if cluster:
        raise BadData("These bots cannot be sent to a cluster: give them as «module:name».", "bad_bot")
    return 1


def play_all(tables: list[Table], workers: Workers) -> Iterator[Played]:
    """The results, in order, as they come."""
    return workers.in_order(play, tables)


def play(table: Table) -> Played:
    """Plays one game; each bot is handed what its seat may see, and nothing else."""
    game, engine, bots = at_table(table)
    seats = len(bots)
    seconds, decisions, steps = [0.0] * seats, [0] * seats, list[int]()
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
        steps += (seat, action)
    result = engine.result(states)
    shares = [(rank == 1) / result.ranks.count(1) for rank in result.ranks]
    if seats == 1:  # then everybody is first: what counts is beating the game, where it can be beaten
        shares = [float(engine.outlook(states)[0] > 0.5) if game.rival_alone else 0.0]
    return Played(shares, seconds, decisions, result.ranks, result.scores, steps)


def at_table(table: Table, driven: bool = False) -> tuple[Game, Engine, list[Chooser]]:
    """What is needed to play there: the game, its engine and the bots by seat.

    Where whole games are `driven` in machine code, plain Python deals and counts.
    """
    game = catalogue.game(table.game)
    if table.version not in ("", game.version):
        raise BadData(f"This worker has rules {game.version} of {game.key}, not {table.version}.", "other_version")
    bots = [resolve(game, bot) for bot in table.bots]
    plain = table.plain or (driven and can_drive(bots))
    return game, PatientEngine(game) if plain else engine_for(game, bots), bots


def engine_for(game: Game, bots: Sequence[Chooser]) -> Engine:
    """Machine code of the game, and of the search where one of these bots needs it: that takes half as long again."""
    return compiled(game) if all(map(is_simple, bots)) else levels.prepare(game)


def is_simple(bot: Chooser) -> bool:
    """Whether a bot only looks at what it may do now: then it plays in plain Python as it does in machine code."""
    return isinstance(bot, levels.Bot) and bot.kind in ("uniform", "glance", "greedy")


PLAIN_DEALS = 150  # of a deck without machine code: these are played sooner than it is made (about 20 s)
PLAIN_DRIVEN = 80  # the same where whole games are driven, whose machine code takes half as long


def plays_plainly(game: Game, bots: Sequence[AnyBot], deals: int) -> bool:
    """Whether so few deals are best played in plain Python; the games are the same."""
    found = [resolve(game, bot) for bot in bots]
    if can_drive(found):
        return deals <= PLAIN_DRIVEN and not is_made(game)
    return all(map(is_simple, found)) and deals <= PLAIN_DEALS and not is_compiled(game)


# The command.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca arena GAME novice club expert --games 1200 --plot ratings.svg`"""
    parser.add_argument("game", metavar="GAME", help=catalogue.HELP)
    parser.add_argument(
        "bots",
        nargs="+",
        type=typed,
        help="uniform, greedy, newcomer to master, search:iterations=500,cut=20, learned:weights.npz, my_module:my_bot",
    )
    parser.add_argument("--games", type=int, default=400, help="how many games (default 400)")
    parser.add_argument("--deck", type=pathlib.Path, metavar="FILE", help=catalogue.DECK_HELP)
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
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE", help="keep every game, for learning: a file .npz")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="draw the ratings: a file .svg or .png")


def run_command(args: argparse.Namespace) -> int:
    """Runs the arena as asked and prints the table."""
    game = catalogue.typed(args.game, args.deck)
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
    reports.check_places(args.csv, args.plot, args.keep)
    keep = Trajectories(game, options) if args.keep else None
    result = run(
        game, args.bots, args.games, seats, options, args.seed, args.workers, progress, args.cluster, args.ladder, keep
    )
    bar.close()
    if keep is not None:
        keep.save(args.keep)
    if args.csv:
        reports.write(args.csv, result.as_csv())
    if args.plot:
        result.plot().save(args.plot)
    sys.stdout.write((json.dumps(result.as_json(), indent=1) if args.json else result.table()) + "\n")
    return 0


def seats_for(game: Game, bots: int, ladder: bool) -> int:
    """All at one table if they fit, else two at each (or the fewest that the game has)."""
    if bots in game.seats and bots > 1 and not ladder:
        return bots
    return max(2, min(game.seats))
