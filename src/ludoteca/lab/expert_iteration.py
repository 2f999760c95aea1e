"""Bots learn to judge positions from games of their own search: `ludoteca learn GAME`.

One loop (*expert iteration*): the search plays a generation of games against itself with what was learned so far; every
position is kept with what came of it; the network learns to say that; the next generation searches with the better
judgement. What came of a position is how the game ended and what the search thought on the way there, which is less noisy.
Before the first generation it may look on at some hundred thousand games that are played at sight (at_sight.py), in lessons.
Half of the games are for two, the rest for more; options vary; the network itself cannot tell chairs apart (judgement.py).

The network is small enough that numpy trains it as fast as it is fed, so nothing else is needed: see
docs/decisions/0013-learned-judgement.md. Every few generations it plays on a fixed ladder, at equal iterations, and the best
so far by that, never by the loss, is what `weights.npz` holds.

A seed gives the same weights on the same machine, wherever the games are played and also after `--resume`.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca import __version__, catalogue
from ludoteca.bots import at_sight, judgement, levels, search
from ludoteca.bots.judgement import CONSTANTS, HEARD, NARROW, WIDTH
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game

from . import arena, chart, reports
from .curve import Events, check_plan, write_table
from .pools import Workers

Floats = npt.NDArray[np.float32]
Row = dict[str, float]  # a line of the curve
Parameters = dict[str, Floats]
OF_FEATURES = ("own", "next", "others")  # what a feature says to its own seat, the one before it, and all others
Progress = Callable[[int, int, str], None]  # (games played, in all, how it stands)

AT_ONCE = 4  # games in one job
AT_SIGHT_AT_ONCE = 500  # likewise, at sight and all at one kind of table
A_LOOK = 5_000  # games at sight, and a lesson from them
LOOKS_REMEMBERED = 8
CURIOUS_AT_SIGHT = 0.05  # of the decisions by what was learned: what comes of them is to be known, not of blunders
LOOKED_AT_ONCE = 1024  # positions in a step of such a lesson: there are many …
LOOKED_AGAIN = 2  # … so that few are looked at more often than this
SETTLED_AT_SIGHT = (
    3.0  # who has looked on, or goes on, takes a quarter of the steps from the fewer games that are searched
)
AVERAGED = 500  # steps, about, of which the mean is what plays: single steps stagger around it


@dataclass(frozen=True)
class Plan:
    """Everything the outcome depends on, but for how long it goes on."""

    game: catalogue.Which  # a Game is kept by its place, so that a plan can be written down
    seed: int = 1
    iterations: int = 100  # of each decision
    cut: int = 1  # decisions played on below the tree: few, but enough that what is sealed comes to light
    until: str = ""  # where no tree is grown: the action that ends a turn, before which positions are judged
    generation: int = 200  # games between two lessons
    remembered: int = 24  # generations that lessons are taken from
    curious: float = 0.15  # of the decisions are drawn by visits, so that games differ
    lookahead: float = 0.95  # TD(λ): what was thought on the way to the end counts too, each step further less
    rate: float = 1e-3  # of learning, with Adam, at first
    settling: int = 20  # generations after which the rate is half of what it was at first, then a third, and so on
    batch: int = 256  # positions
    lessons: int = 4  # for each generation played, so many generations' positions are looked at
    decay: float = 1e-5  # of the weights, at each step
    at_sight: int = 0  # games played at sight, before the first generation …
    judged: int = 0  # … and then by what was learned from them, without a search, in many lessons
    goes_on: bool = False  # from the weights that the game comes with, instead of from nothing
    measure_every: int = 10  # generations
    measure_games: int = 200
    ladder: int = -1  # iterations on the ladder; as in the games learned from if -1, and none is climbed if 0

    def __post_init__(self) -> None:
        if isinstance(self.game, Game):
            object.__setattr__(self, "game", self.game.place)

    @property
    def rival(self) -> str:
        """Who stands on the ladder: the best search by `outlook` alone, with as many iterations."""
        return f"expert:iterations={self.on_the_ladder},weights={judgement.NONE}"

    @property
    def on_the_ladder(self) -> int:
        """Iterations of both there: what wins with few of them need not win with many."""
        return self.ladder if self.ladder > 0 else self.iterations

    @property
    def is_settled(self) -> bool:
        """Whether much has been learned before the first game of the search."""
        return self.at_sight > 0 or self.goes_on

    @property
    def looks(self) -> int:
        """Lessons before the first generation: one from games at sight, the others from judged ones."""
        return int(self.at_sight > 0) + math.ceil(self.judged / A_LOOK)


# Playing.


@dataclass(frozen=True)
class Job:
    """Some games to be played by one worker."""

    plan: Plan
    first: int  # number of the first game
    games: int
    weights: Floats


@dataclass(frozen=True)
class Positions:
    """Positions of games for so many seats; the first axis is the position, the second the seat."""

    features: npt.NDArray[np.floating[Any]]
    odds: Floats  # of `outlook`, logarithmic
    target: Floats

    @staticmethod
    def together(parts: list[Positions]) -> Positions:
        """Several lots as one."""
        return Positions(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in dataclasses.fields(Positions)))


def play_games(job: Job) -> dict[int, Positions]:
    """Plays some games and returns their positions by number of seats."""
    game = catalogue.game(job.plan.game)
    engine = levels.prepare(game)
    found: dict[int, list[Positions]] = {}
    for number in range(job.first, job.first + job.games):
        seed = derive(job.plan.seed, number)
        seats, options = table_for(game, seed)
        found.setdefault(seats, []).append(play_game(engine, job, seats, options, seed))
    return {seats: Positions.together(parts) for seats, parts in found.items()}


def watch_games(job: Job) -> dict[int, Positions]:
    """Looks on at some games played at sight."""
    game = catalogue.game(job.plan.game)
    seed = derive(job.plan.seed, 9, job.first)
    seats, options = table_for(game, seed)
    learned = len(job.weights) > judgement.NOT_LEARNED
    features, chances, came = at_sight.watch(
        levels.prepare(game), job.games, seats, options, derive(seed, 10), CURIOUS_AT_SIGHT if learned else job.plan.curious,
        job.plan.until, job.weights, job.plan.lookahead if learned else 1.0, thinking(game, job.plan).rounds > 0,
    )  # fmt: skip
    return {seats: Positions(features.astype(np.float16), log_odds(chances), came.astype(np.float32))}


def log_odds(chances: npt.NDArray[np.float64]) -> Floats:
    """Chances as the network corrects them."""
    sure = np.clip(chances, judgement.SURE, 1.0 - judgement.SURE)
    return np.log(sure / (1.0 - sure)).astype(np.float32)


def table_for(game: Game, seed: int) -> tuple[int, dict[str, str]]:
    """Two seats at half of the tables, more at the others; every option as printed or, as often, another way."""
    several = [seats for seats in game.seats if seats > 1]
    seats = several[0] if derive(seed, 1) % 2 else several[derive(seed, 2) % len(several)]
    options = {}
    for n, option in enumerate(game.options):
        if derive(seed, 3, n) % 2:
            options[option.key] = option.values[-1 - derive(seed, 4, n) % max(1, len(option.values) - 1)]
    return seats, options


def play_game(engine: CompiledEngine, job: Job, seats: int, options: dict[str, str], seed: int) -> Positions:
    """One game of the search against itself."""
    settings = thinking(engine.game, job.plan)
    states = engine.start(seats, options, derive(seed, 5))
    features, chances, movers, thoughts = [], [], [], []
    number, round_before = 0, -1
    kept = at_sight.moments_of(engine.game, job.plan.until, settings.rounds > 0)
    while not engine.is_over(states):
        number += 1
        seat = engine.waiting(states)[0]
        actions = engine.legal(states, 0, seat)
        action = actions[0]
        if len(actions) > 1:
            redacted = engine.game.redact(states, 0, seat)
            thought = search.think(engine, redacted, seat, derive(seed, 6, number), settings, job.weights)
            action = thought.action
            if derive(seed, 7, number) % 1000 < 1000 * job.plan.curious:
                action = search.favourite(thought.tried, 1.0, derive(seed, 8, number))
            if kept in (at_sight.ANY_MOMENT, action) or int(states["round_number"][0]) != round_before:
                features.append(np.stack([engine.features(states, other) for other in range(seats)]))
                chances.append(engine.outlook(states))
                movers.append(seat)
                thoughts.append(next(one.worth for one in thought.tried if one.action == thought.action))
            round_before = int(states["round_number"][0])
        engine.apply(states, 0, seat, action)
    target = returns(worth_of(engine.result(states).ranks), movers, thoughts, job.plan.lookahead)
    return Positions(np.array(features, np.float16), log_odds(np.array(chances)), target)


def returns(end: npt.NDArray[np.float64], movers: list[int], thoughts: list[float], lookahead: float) -> Floats:
    """What came of each position to every seat: of what the movers thought from there on, and of the end, TD(λ)."""
    target = np.empty((len(movers), len(end)), np.float32)
    came = end.copy()
    for n in reversed(range(len(movers))):
        mover = movers[n]
        came[mover] = lookahead * came[mover] + (1.0 - lookahead) * thoughts[n]
        if len(end) == 2:  # then the other has what is left
            came[1 - mover] = 1.0 - came[mover]
        target[n] = came
    return target


def thinking(game: Game, plan: Plan) -> search.Settings:
    """How the search thinks in the games it learns from: as the strongest level does, but for a moment only."""
    settings = levels.read_bot(game, levels.STRONGEST).settings or search.Settings()
    if plan.until:
        settings = dataclasses.replace(settings, until=plan.until, rounds=1)
    return dataclasses.replace(settings, iterations=plan.iterations, cut=plan.cut, seconds=0.0, threads=1)


def worth_of(ranks: list[int]) -> npt.NDArray[np.float64]:
    """What the end is worth to each seat, as the search counts it."""
    value = np.empty(len(ranks))
    search.judge_ranks(len(ranks), np.array(ranks), value)
    return value


# Learning.


class Network:
    """The network while it learns, and Adam's memory of how it went."""

    def __init__(self, features: int, plan: Plan) -> None:
        chance = np.random.default_rng(plan.seed)
        shapes = {
            "own": (features, WIDTH), "next": (features, WIDTH), "others": (features, WIDTH), "first": (WIDTH,),
            "middle": (WIDTH, NARROW), "second": (NARROW,), "last": (NARROW,), "constants": (CONSTANTS,),
        }  # fmt: skip
        self.parameters: Parameters = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        for name in ("own", "next", "others", "middle"):  # the last layer stays zero: nothing is corrected yet
            shape = shapes[name]
            self.parameters[name] = chance.normal(0.0, math.sqrt(2.0 / (shape[0] + shape[1])), shape).astype(np.float32)
        if plan.goes_on:
            self.take_over(judgement.weights_of(catalogue.game(plan.game)))
        self.average = {name: array.copy() for name, array in self.parameters.items()}  # this plays
        self.means = {name: np.zeros_like(array) for name, array in self.parameters.items()}
        self.squares = {name: np.zeros_like(array) for name, array in self.parameters.items()}
        self.steps = 0

    def take_over(self, weights: Floats) -> None:
        """Begins with these weights, flat as machine code reads them."""
        if len(weights) <= judgement.NOT_LEARNED:
            raise BadData("The game comes without weights to go on from.", "no_such_value")
        places = np.cumsum([judgement.HEAD, len(self.parameters["own"]) * HEARD])
        heard = weights[places[0] : places[1]].reshape(-1, HEARD)
        for n, name in enumerate(OF_FEATURES):
            self.parameters[name] = heard[:, n * WIDTH : (n + 1) * WIDTH].copy()
        read = places[1]
        for name, array in self.parameters.items():
            if name not in OF_FEATURES:
                self.parameters[name] = weights[read : read + array.size].reshape(array.T.shape).T.copy()
                read += array.size

    def flat(self) -> Floats:
        """The average of the last steps, as machine code reads it: see judgement.py."""
        head = np.array([len(self.average["own"]), HEARD, NARROW], np.float32)
        heard = np.concatenate([self.average[name] for name in OF_FEATURES], axis=1)
        others = [array.T.ravel() for name, array in self.average.items() if name not in OF_FEATURES]
        return np.concatenate([head, heard.ravel(), *others])

    def loss(self, lot: Positions) -> float:
        """How far the judgement is from what came of the positions: the mean cross-entropy."""
        chances = forward(self.average, lot)[-1]
        return cross_entropy(chances, lot.target)

    def learn(self, lot: Positions, rate: float, decay: float) -> None:
        """One step of Adam."""
        slopes = slopes_of(self.parameters, lot)
        self.steps += 1
        fade = math.sqrt(1.0 - 0.999**self.steps) / (1.0 - 0.9**self.steps)
        part = max(1.0 / AVERAGED, 1.0 / (1.0 + self.steps / 4.0))  # soon after the beginning, of few steps
        for name, slope in slopes.items():
            mean, square = self.means[name], self.squares[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            self.parameters[name] -= rate * fade * mean / (np.sqrt(square) + 1e-8) + decay * self.parameters[name]
            self.average[name] += np.float32(part) * (self.parameters[name] - self.average[name])


def forward(parameters: Parameters, lot: Positions) -> tuple[Floats, ...]:
    """The layers' inputs and the chances; see judgement.py for what is computed."""
    own = lot.features.astype(np.float32)
    following = np.roll(own, -1, axis=1)
    others = own.sum(axis=1, keepdims=True) - own - following
    first = own @ parameters["own"] + following @ parameters["next"] + parameters["first"]
    if own.shape[1] > 2:
        first += others @ parameters["others"]
    first = np.maximum(first, 0.0)
    second = np.maximum(first @ parameters["middle"] + parameters["second"], 0.0)
    heard = second @ parameters["last"]
    odds = lot.odds + heard - heard.mean(axis=1, keepdims=True) + parameters["constants"][own.shape[1]]
    return own, following, others, first, second, (1.0 / (1.0 + np.exp(-odds))).astype(np.float32)


def slopes_of(parameters: Parameters, lot: Positions) -> Parameters:
    """How the loss changes with each weight."""
    own, following, others, first, second, chances = forward(parameters, lot)
    seats = own.shape[1]
    slope = (chances - lot.target) / np.float32(chances.size)
    heard = slope - slope.mean(axis=1, keepdims=True)
    into_second = heard[:, :, None] * parameters["last"] * (second > 0.0)
    into_first = (into_second @ parameters["middle"].T) * (first > 0.0)

    def outer(inputs: Floats, outputs: Floats) -> Floats:
        return inputs.reshape(-1, inputs.shape[-1]).T @ outputs.reshape(-1, outputs.shape[-1])

    constants = np.zeros(CONSTANTS, np.float32)
    constants[seats] = slope.sum()
    return {
        "own": outer(own, into_first), "next": outer(following, into_first),
        "others": outer(others, into_first) if seats > 2 else np.zeros_like(parameters["others"]),
        "first": into_first.sum(axis=(0, 1)), "middle": outer(first, into_second),
        "second": into_second.sum(axis=(0, 1)), "last": outer(second, heard[:, :, None])[:, 0],
        "constants": constants,
    }  # fmt: skip


def cross_entropy(chances: npt.NDArray[Any], target: npt.NDArray[Any]) -> float:
    """Of chances, by what came of it."""
    sure = np.clip(chances.astype(np.float64), 1e-6, 1.0 - 1e-6)
    return float(-(target * np.log(sure) + (1.0 - target) * np.log(1.0 - sure)).mean())


# A run.


class Learner:
    """The network, the positions remembered, and how far it has come; everything is kept in a folder."""

    def __init__(self, plan: Plan, folder: pathlib.Path) -> None:
        self.plan, self.folder = plan, folder
        self.game = catalogue.game(plan.game)
        if self.game.features is None:
            raise BadData(
                f"{self.game.title} has no features for a judgement to look at: see `Game.features`.", "no_features"
            )
        self.network = Network(self.game.feature_count, plan)
        self.looks = self.generation = 0  # lessons taken from games at sight, and from those of the search
        self.lots: list[dict[int, Positions]] = []
        self.curve: list[Row] = []
        self.seconds = 0.0
        self.commit = commit()  # now: the sources may change while it learns
        self.begun = how_learned(self.game) if plan.goes_on else {}
        self.best, self.best_games = -math.inf, 0  # the highest rating on the ladder, and after how many games

    @property
    def games(self) -> int:
        """Played so far."""
        return self.generation * self.plan.generation

    @property
    def lesson(self) -> int:
        """The number of the last lesson."""
        return self.looks + self.generation

    def play_generation(self, workers: Workers) -> dict[int, Positions]:
        """Plays a generation of games with what was learned so far."""
        first, weights = self.games, self.network.flat()
        jobs = [
            Job(self.plan, first + n, min(AT_ONCE, self.plan.generation - n), weights)
            for n in range(0, self.plan.generation, AT_ONCE)
        ]
        return self.positions_of(workers, play_games, jobs)

    def look_on(self, workers: Workers) -> Row:
        """One of the first lessons: from games played at sight, or then by what was learned; the steps become smaller."""
        plan, judged = self.plan, self.looks - int(self.plan.at_sight > 0)
        if judged < 0:
            first, games, weights = 0, plan.at_sight, judgement.nothing()
        else:
            first, weights = plan.at_sight + judged * A_LOOK, self.network.flat()
            games = min(A_LOOK, plan.judged - judged * A_LOOK)
        jobs = [
            Job(plan, first + n, min(AT_SIGHT_AT_ONCE, games - n), weights) for n in range(0, games, AT_SIGHT_AT_ONCE)
        ]
        lot = self.positions_of(workers, watch_games, jobs)
        row = {"generation": 0, "games": first + games, **self.losses(lot)}
        self.lots = [*self.lots, lot][-LOOKS_REMEMBERED:] if judged > 0 else [lot]
        rate = plan.rate * max(1.0 - max(judged, 0) * A_LOOK / max(plan.judged, 1), 1.0 / (1.0 + SETTLED_AT_SIGHT))
        for some in self.batches(LOOKED_AT_ONCE, LOOKED_AGAIN):
            self.network.learn(some, rate, plan.decay)
        self.looks += 1
        return row

    @staticmethod
    def positions_of(
        workers: Workers, play: Callable[[Job], dict[int, Positions]], jobs: list[Job]
    ) -> dict[int, Positions]:
        """What games were played brought, by number of seats."""
        found: dict[int, list[Positions]] = {}
        for part in workers.in_order(play, jobs):
            for seats, positions in part.items():
                found.setdefault(seats, []).append(positions)
        return {seats: Positions.together(parts) for seats, parts in sorted(found.items())}

    def take_lesson(self, lot: dict[int, Positions]) -> Row:
        """Learns from this generation and those remembered; says first how well it had judged the new games."""
        row: Row = {"generation": self.generation + 1, "games": self.games + self.plan.generation, **self.losses(lot)}
        if self.generation == 0:
            self.lots = []  # what was looked on at is not what searches play
        self.lots = [*self.lots, lot][-self.plan.remembered :]
        settled = self.generation / self.plan.settling + (SETTLED_AT_SIGHT if self.plan.is_settled else 0.0)
        rate = self.plan.rate / (1.0 + settled)
        for some in self.batches(self.plan.batch, self.plan.lessons):
            self.network.learn(some, rate, self.plan.decay)
        self.generation += 1
        return row

    def losses(self, lot: dict[int, Positions]) -> Row:
        """How far `outlook`, and what was learned so far, are from what came of these positions."""
        counts = {seats: len(positions.target) for seats, positions in lot.items()}
        row: Row = {"positions": sum(counts.values())}
        for name, judged in (("loss_outlook", None), ("loss_learned", self.network)):
            losses = [
                n
                * (judged.loss(lot[s]) if judged else cross_entropy(1.0 / (1.0 + np.exp(-lot[s].odds)), lot[s].target))
                for s, n in counts.items()
            ]
            row[name] = sum(losses) / row["positions"]
        return row

    def batches(self, size: int, lessons: int) -> Iterator[Positions]:
        """As many positions as so many generations have, drawn from all remembered; a batch has one number of seats."""
        chance = np.random.default_rng((self.plan.seed, self.looks, self.generation))
        found = []
        for seats in sorted({seats for lot in self.lots for seats in lot}):
            known = Positions.together([lot[seats] for lot in self.lots if seats in lot])
            order = chance.integers(len(known.target), size=lessons * len(known.target) // len(self.lots))
            for n in range(0, len(order), size):
                found.append((known, order[n : n + size]))
        for n in chance.permutation(len(found)):
            known, places = found[n]
            yield Positions(known.features[places], known.odds[places], known.target[places])

    def measure(self, workers: int | None) -> Row:
        """The ladder: games against the search by `outlook` alone, on the same deals each time."""
        path = self.folder / "latest.npz"
        judgement.save(path, self.game, self.network.flat())
        settings = f"{levels.STRONGEST}:iterations={self.plan.on_the_ladder},seconds=0,weights={path}"
        if self.plan.until:
            settings += f",rounds=1,until={self.plan.until}"
        seats = next(seats for seats in self.game.seats if seats > 1)
        found = arena.run(self.game, [self.plan.rival, settings], self.plan.measure_games, seats, workers=workers)
        standing = found.standings[1]
        if standing.rating.points >= self.best:
            self.best, self.best_games = standing.rating.points, self.games
            os.replace(path, self.folder / "weights.npz")
        low, high = standing.interval
        return {"win_rate": standing.rate, "low": low, "high": high, "rating": standing.rating.points}

    def keep_last(self) -> None:
        """Without a ladder what was learned last is what stays."""
        judgement.save(self.folder / "weights.npz", self.game, self.network.flat())
        self.best_games = self.games

    # Files.

    def save(self) -> None:
        """Everything that is needed to go on exactly from here."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.lots:
            self._save_lot()
        network = self.network
        arrays: dict[str, Any] = {}
        for name in network.parameters:
            arrays |= {name: network.parameters[name], f"mean_{name}": network.means[name]}
            arrays |= {f"square_{name}": network.squares[name], f"average_{name}": network.average[name]}
        going = {"plan": asdict(self.plan), "looks": self.looks, "generation": self.generation, "steps": network.steps,
                 "seconds": self.seconds, "best": self.best, "best_games": self.best_games, "curve": self.curve}  # fmt: skip
        half = self.folder / "checkpoint.half.npz"
        np.savez(half, going=np.array(json.dumps(going)), **arrays)
        os.replace(half, self.folder / "checkpoint.npz")
        for number in range(self.lesson - len(self.lots), -1, -1):
            old = self.folder / f"lot-{number}.npz"
            if not old.exists():
                break
            old.unlink()

    def _save_lot(self) -> None:
        arrays = {
            f"{seats}_{f.name}": getattr(positions, f.name)
            for seats, positions in self.lots[-1].items()
            for f in dataclasses.fields(Positions)
        }
        half = self.folder / "lot.half.npz"
        np.savez(half, **arrays)
        os.replace(half, self.folder / f"lot-{self.lesson}.npz")

    def restore(self) -> None:
        """Goes back to where `save` was called last; only with the same plan."""
        with np.load(self.folder / "checkpoint.npz", allow_pickle=False) as kept:
            going = json.loads(str(kept["going"]))
            check_plan(asdict(self.plan), going["plan"], self.folder)
            for name in self.network.parameters:
                self.network.parameters[name], self.network.average[name] = kept[name], kept[f"average_{name}"]
                self.network.means[name], self.network.squares[name] = kept[f"mean_{name}"], kept[f"square_{name}"]
        self.looks, self.generation = going["looks"], going["generation"]
        self.network.steps, self.curve = going["steps"], going["curve"]
        self.seconds, self.best, self.best_games = going["seconds"], going["best"], going["best_games"]
        looked = max(1, self.looks - int(self.plan.at_sight > 0))
        remembered = min(self.generation, self.plan.remembered) or min(looked, LOOKS_REMEMBERED)
        for number in range(max(1, self.lesson - remembered + 1), self.lesson + 1):
            with np.load(self.folder / f"lot-{number}.npz", allow_pickle=False) as kept:
                names = [f.name for f in dataclasses.fields(Positions)]
                seats = sorted({int(key.partition("_")[0]) for key in kept.files})
                self.lots.append({n: Positions(*(kept[f"{n}_{name}"] for name in names)) for n in seats})

    def record(self) -> dict[str, Any]:
        """How these weights came about, and the command that makes them again."""
        asked = f"ludoteca learn {self.plan.game} --games {self.best_games}"
        command = f"{asked} --iterations {self.plan.iterations} --cut {self.plan.cut} --seed {self.plan.seed}"
        for name, games in (("--at-sight", self.plan.at_sight), ("--judged", self.plan.judged)):
            command += f" {name} {games}" if games > 0 else ""
        command += f" --until {self.plan.until}" if self.plan.until else ""
        command += f" --remembered {self.plan.remembered}" if self.plan.remembered != Plan.remembered else ""
        command += f" --ladder {self.plan.ladder}" if self.plan.ladder != Plan.ladder else ""
        command += " --go-on" if self.plan.goes_on else ""
        return {
            "game": self.game.key, "rules": self.game.version, "ludoteca": __version__, "commit": self.commit,
            "command": command, "plan": asdict(self.plan), "games": self.best_games, "games_in_all": self.games,
            "seconds": round(self.seconds), **({"goes_on_from": self.begun} if self.begun else {}),
            "curve": [{name: round(value, 5) for name, value in row.items()} for row in self.curve],
        }  # fmt: skip


def how_learned(game: Game) -> dict[str, Any]:
    """How the weights came about that the game comes with, without their curve."""
    path = judgement.own_file(game).with_name("record.json")
    kept = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {name: value for name, value in kept.items() if name != "curve"}


def commit() -> str:
    """What the sources are, if they come from a repository."""
    asked = ["git", "-C", str(pathlib.Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def run(
    plan: Plan,
    folder: pathlib.Path,
    games: int = 10_000,
    hours: float = 0.0,
    resume: bool = False,
    progress: Progress | None = None,
    workers: int | None = None,
    cluster: str | None = None,
) -> Learner:
    """Learns from so many games (in all, with what went before), or for so many hours of this run.

    Leaves `weights.npz` (the best on the ladder), `record.json`, `curve.csv`, `curve.svg`, TensorBoard's events and what is
    needed to go on in the folder.
    """
    if (folder / "checkpoint.npz").exists() and not resume:
        raise BadData(f"There is a run in {folder} already: --resume goes on with it.", "no_such_value")
    learner = Learner(plan, folder)
    if resume:
        learner.restore()
    reports.make_folder(folder)
    engine = levels.prepare(learner.game)
    if plan.at_sight > 0:
        engine.bind(at_sight.play_at_sight)
    events = Events(folder, "games")
    began, before = time.monotonic(), learner.seconds
    with Workers(workers or os.cpu_count() or 1, cluster) as whoever:
        while learner.looks < plan.looks:
            row = learner.look_on(whoever)
            learner.seconds = before + time.monotonic() - began
            learner.curve.append(row | {"seconds": round(learner.seconds, 1)})
            write_down(learner, events)
            if progress:
                progress(0, games, f"{int(row['games'])} at sight: {row['loss_learned']:.4f}")
        while learner.games < games or hours > 0.0:
            if progress:
                progress(learner.games, games, how_it_stands(learner))
            row = learner.take_lesson(learner.play_generation(whoever))
            if plan.ladder == 0:
                learner.keep_last()
            elif learner.generation % plan.measure_every == 0 or learner.generation == 1:
                row |= learner.measure(workers)
            learner.seconds = before + time.monotonic() - began
            learner.curve.append(row | {"seconds": round(learner.seconds, 1)})
            write_down(learner, events)
            if hours > 0.0 and time.monotonic() - began > 3600.0 * hours:
                break
    if progress:
        progress(learner.games, games, how_it_stands(learner))
    return learner


def write_down(learner: Learner, events: Events) -> None:
    """Everything in the folder, after each generation: whoever stops the run loses one."""
    learner.save()
    write_table(learner.curve, COLUMNS, learner.folder / "curve.csv")
    events.write(learner.curve)
    draw_curve(learner).save(learner.folder / "curve.svg")
    text = json.dumps(learner.record(), indent=1) + "\n"
    (learner.folder / "record.json").write_text(text, "utf-8")


def how_it_stands(learner: Learner) -> str:
    """As last measured."""
    rates = [row["win_rate"] for row in learner.curve if "win_rate" in row]
    return f"{rates[-1]:.0%} against the search without it" if rates else "…"


# Of `curve.csv`, a line for each generation: how far `outlook`, and what was learned before, were from what came of it.
COLUMNS = (
    "generation",
    "games",
    "positions",
    "loss_outlook",
    "loss_learned",
    "win_rate",
    "low",
    "high",
    "rating",
    "seconds",
)


def draw_curve(learner: Learner) -> chart.Chart:
    """The games won on the ladder, by games learned from."""
    measured = [row for row in learner.curve if "win_rate" in row]
    points = [(row["games"], row["win_rate"], row["low"], row["high"]) for row in measured]
    title = f"{learner.game.title} · games won against the search without what was learned"
    return chart.rates(title, points, "games learned from; 95 % intervals")
