"""How good actions are is learned by doing them: `ludoteca learn GAME`, for a game that has experience.

Such a game has a module `learning.py` beside its rules: it plays whole games in machine code, drawing what it does, and
makes likelier what went well. Here is what every run has: jobs for processes or a cluster, a ladder, files, and going on
after a stop. The mean of the last third of all steps is what is kept, because single steps stagger around what they are
after.

As many games with the same seed give the same numbers on one machine, wherever they are played and also after `--resume`.
How long a step is depends on how much of the run is over, so a longer run is another run and not the same one gone on with.
"""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca import __version__, catalogue
from ludoteca.bots import levels
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game

from . import arena, chart, reports
from .curve import Events, check_plan, write_table
from .expert_iteration import commit
from .pools import Workers

Row = dict[str, float]  # a line of the curve
Progress = Callable[[int, int, str], None]  # (games played, in all, how it stands)

GAMES = 1_000_000  # where nothing else is asked for
MEASURED = 20  # times on the way …
MEASURE_GAMES = 4_000  # … in so many games,
FINAL_GAMES = 10_000  # and what is kept, in so many others
LADDER, FINAL_LADDER = 77, 1_000_077  # their seeds
LAST = 3  # the mean of the last third is kept
COLUMNS = ("games", "win_rate", "low", "high", "seconds")


@dataclass(frozen=True)
class Plan:
    """Everything the outcome depends on."""

    game: catalogue.Which  # a Game is kept by its place, so that a plan can be written down
    seed: int = 1
    games: int = GAMES

    def __post_init__(self) -> None:
        if isinstance(self.game, Game):
            object.__setattr__(self, "game", self.game.place)


def has_learning(game: Game) -> bool:
    """Whether a game comes with a way to learn experience."""
    return game.experience is not None and (game.folder / "learning.py").is_file()


def module_of(game: Game, name: str) -> ModuleType:
    """One of a game's modules."""
    return importlib.import_module(f"{game.place.partition(':')[0]}.{name}")


class Run:
    """What was learned so far, and its curve; everything is kept in a folder."""

    def __init__(self, plan: Plan, folder: pathlib.Path) -> None:
        self.plan, self.folder = plan, folder
        self.game = catalogue.game(plan.game)
        if not has_learning(self.game):
            raise BadData(f"{self.game.title} has no way to learn experience.", "no_such_value")
        if plan.games < 1:
            raise BadData("There must be a game to learn from.", "no_such_value")
        self.learning, self.experience = module_of(self.game, "learning"), module_of(self.game, "experience")
        self.learner = self.learning.Learner(np.random.default_rng(plan.seed))
        self.steps: int = max(1, plan.games // self.learner.batch)
        self.step = self.counted = 0
        self.total: npt.NDArray[np.float64] = np.zeros_like(self.learner.numbers)  # of the steps that count
        self.curve: list[Row] = []
        self.seconds = 0.0
        self.commit = commit()  # now: the sources may change while it learns

    @property
    def games(self) -> int:
        """Played so far."""
        return int(self.step * self.learner.batch)

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        """What is kept: the mean of the last steps, or before there are any, what there is."""
        return self.total / self.counted if self.counted else self.learner.numbers

    def take_step(self, workers: Workers) -> None:
        """Some games, and what they teach."""
        done, chance = self.step / self.steps, np.random.default_rng((self.plan.seed, self.step))
        jobs = self.learner.jobs(chance, done)
        self.learner.learn(jobs, workers.in_order(self.learning.play_games, jobs), done, chance)
        if LAST * self.step >= (LAST - 1) * self.steps:
            self.total, self.counted = self.total + self.learner.numbers, self.counted + 1
        self.step += 1

    @property
    def is_due(self) -> bool:
        """Whether it is time for the ladder."""
        return self.step == self.steps or self.step % max(1, self.steps // MEASURED) == 0

    def measure(self, workers: Workers, games: int, seed: int) -> Row:
        """The ladder: what is learned so far plays at sight against `greedy`, on the same deals each time."""
        jobs = self.learner.measuring(games, seed, self.mean)
        wins = sum(float(found.wins[0]) for found in workers.in_order(self.learning.play_games, jobs))
        low, high = arena.wilson(wins, games)
        return {"games": self.games, "win_rate": wins / games, "low": low, "high": high}

    # Files.

    def save(self) -> None:
        """Everything that is needed to go on exactly from here."""
        going = {"plan": asdict(self.plan), "step": self.step, "counted": self.counted, "seconds": self.seconds,
                 "commit": self.commit, "curve": self.curve}  # fmt: skip
        half = self.folder / "checkpoint.half.npz"
        np.savez(half, going=np.array(json.dumps(going)), total=self.total, **self.learner.kept())
        os.replace(half, self.folder / "checkpoint.npz")

    def restore(self) -> None:
        """Goes back to where `save` was called last; only with the same plan."""
        with np.load(self.folder / "checkpoint.npz", allow_pickle=False) as kept:
            going = json.loads(str(kept["going"]))
            check_plan(asdict(self.plan), going["plan"], self.folder)
            self.total = kept["total"]
            self.learner.take_up({name: kept[name] for name in self.learner.kept()})
        self.step, self.counted, self.seconds = going["step"], going["counted"], going["seconds"]
        self.commit, self.curve = going["commit"], going["curve"]

    def record(self, final: Row | None = None) -> dict[str, Any]:
        """How these numbers came about, and the command that makes them again."""
        return {
            "game": self.game.key, "rules": self.game.version, "ludoteca": __version__, "commit": self.commit,
            "command": f"ludoteca learn {self.plan.game} --games {self.plan.games} --seed {self.plan.seed}",
            "games": self.games, "seconds": round(self.seconds),
            **({"at_sight_against_greedy": {"games": FINAL_GAMES, "won": round(final["win_rate"], 4)}} if final else {}),
            "curve": [[int(row["games"]), round(row["win_rate"], 4)] for row in self.curve],
        }  # fmt: skip

    def write_down(self, events: Events, final: Row | None = None) -> None:
        """Everything in the folder."""
        self.save()
        write_table(self.curve, COLUMNS, self.folder / "curve.csv")
        events.write(self.curve)
        draw_curve(self).save(self.folder / "curve.svg")
        record = self.record(final)
        (self.folder / "record.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
        (self.folder / "experience.json").write_text(self.experience.written_numbers(self.mean, record), "utf-8")


def run(
    plan: Plan,
    folder: pathlib.Path,
    resume: bool = False,
    progress: Progress | None = None,
    processes: int | None = None,
    cluster: str | None = None,
) -> Run:
    """Learns as planned.

    Leaves `experience.json` (for the game's folder; in it, and by itself, `record.json`), `curve.csv`, `curve.svg`,
    TensorBoard's events and what is needed to go on in the folder.
    """
    if (folder / "checkpoint.npz").exists() and not resume:
        raise BadData(f"There is a run in {folder} already: --resume goes on with it.", "no_such_value")
    going = Run(plan, folder)
    if resume:
        going.restore()
    reports.make_folder(folder)
    levels.prepare(going.game)
    events = Events(folder, "games")
    began = time.monotonic() - going.seconds
    final: Row | None = None
    with Workers(processes or os.cpu_count() or 1, cluster) as workers:
        if progress:
            progress(going.games, plan.games, how_it_stands(going))
        while going.step < going.steps:
            going.take_step(workers)
            due = going.is_due
            if due:
                row = going.measure(workers, MEASURE_GAMES, LADDER)
                going.seconds = time.monotonic() - began
                going.curve.append(row | {"seconds": round(going.seconds, 1)})
            if going.step == going.steps:
                final = going.measure(workers, FINAL_GAMES, FINAL_LADDER)
            if due:
                going.write_down(events, final)
            if progress:
                progress(going.games, plan.games, how_it_stands(going))
    return going


def how_it_stands(going: Run) -> str:
    """As last measured."""
    return f"{going.curve[-1]['win_rate']:.1%} against greedy at sight" if going.curve else "…"


def draw_curve(going: Run) -> chart.Chart:
    """The games won on the ladder, by games learned from."""
    points = [(row["games"], row["win_rate"], row["low"], row["high"]) for row in going.curve]
    title = f"{going.game.title} · games won at sight against greedy"
    return chart.rates(title, points, "games learned from; 95 % intervals")
