"""A baseline that learns: a small network plays a game against itself and gets better, by PPO with masked actions.

    ludoteca learn GAME --out runs/GAME

One loop: `collect` plays some steps in all games at once (the network decides for every seat), `advantages` says which
decisions turned out better than expected, `improve` makes those likelier. Nothing is told to the network but what its seat
may see, which actions are legal, and the ranks at the end. Now and then the arena lets it play against a named bot.

It is meant to be read, copied and changed. A seed gives the same curve on the same machine, also after `--resume`.
"""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ludoteca import catalogue, envs
from ludoteca.bots import learned
from ludoteca.bots.own import resolve
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game

from . import arena, chart, reports
from .curve import Events, check_plan, write_table

NEVER = -1e9  # the preference for an illegal action: its probability is exactly zero
Row = dict[str, float | None]  # a line of the curve
Progress = Callable[[int, int, str], None]  # (decisions made, in all, how it stands)


@dataclass(frozen=True)
class Plan:
    """Everything the outcome depends on."""

    game: catalogue.Which  # a Game is kept by its place, so that a plan can be written down
    seats: int = 2
    options: dict[str, str] = field(default_factory=dict)
    seed: int = 1
    decisions: int = 12_000_000

    rival: str = "greedy"  # who it is measured against; it never learns from these games
    measure_every: int = 20  # updates
    measure_games: int = 400
    final_games: int = 2000

    tables: int = 512  # games at once
    steps: int = 64  # decisions at each table between two updates
    hidden: int = 128  # width of the two hidden layers
    rate: float = 2.5e-3  # of learning; falls to 0 in a straight line
    curiosity: float = 0.01  # worth of entropy, so that it goes on trying things; falls likewise
    lookahead: float = 0.95  # lambda of GAE: how far a surprise is credited back; games are short, so gamma is 1
    clip: float = 0.2  # how far one update may change the odds of a decision
    epochs: int = 2
    batch: int = 1024
    threads: int = 1  # of the network; sums, and so the curve, depend on it

    @property
    def updates(self) -> int:
        """How often it learns."""
        return max(1, self.decisions // (self.tables * self.steps))

    def __post_init__(self) -> None:
        if isinstance(self.game, Game):
            object.__setattr__(self, "game", self.game.place)


@dataclass(frozen=True)
class Batch:
    """What happened at all tables in some steps; the first axis is the step, the second the table."""

    seen: Tensor  # observations
    legal: Tensor  # masks
    chosen: Tensor
    likelihood: Tensor  # logarithm of how likely the choice was
    expected: Tensor  # what the deciding seat was thought to get
    seat: Any  # who decided
    ended: Any  # whether that ended the game
    rewards: Any  # and if so, for each seat: 1 for the first, -1 for the last
    ahead: Any  # for each table and seat: what it is thought to get from here on, if it is asked now


class Learner:
    """A network, the tables it plays at, and how far it has come."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        if plan.seats < 2:
            raise BadData("Alone there are no ranks to learn from: take at least two seats.", "no_such_value")
        resolve(plan.game, plan.rival)  # refuses an unknown one before the work
        torch.set_num_threads(plan.threads)
        torch.use_deterministic_algorithms(True)
        self.chance = torch.Generator().manual_seed(plan.seed)
        self.env = envs.vector(plan.game, plan.tables, seats=plan.seats, options=plan.options)
        self.env.reset(seed=plan.seed)
        inputs, actions = self.env.game.observation, len(self.env.game.actions)
        self.network = make_network((inputs, plan.hidden, plan.hidden, actions + 1), self.chance)
        self.optimiser = torch.optim.Adam(self.network.parameters(), eps=1e-5)
        self.updates = self.games = 0
        self.seconds = self.core_seconds = 0.0
        self.curve: list[Row] = []

    @property
    def decisions(self) -> int:
        """Made so far, at all tables."""
        return self.updates * self.plan.tables * self.plan.steps

    def now(self) -> tuple[Tensor, Tensor]:
        """What those who are asked see, and what they may do."""
        return torch.from_numpy(self.env.observations).clone(), torch.from_numpy(self.env.masks).clone()

    def collect(self) -> Batch:
        """Plays some steps at every table."""
        moments: list[tuple[Any, ...]] = []
        with torch.no_grad():
            for _ in range(self.plan.steps):
                seen, legal = self.now()
                odds, expected = judge(self.network, seen, legal)
                chosen = torch.multinomial(odds.exp(), 1, generator=self.chance)[:, 0]
                likelihood = odds.gather(1, chosen[:, None])[:, 0]
                seat = self.env.asked.copy()
                _, _, ended, _, info = self.env.step(chosen.numpy())
                moments.append((seen, legal, chosen, likelihood, expected, seat, ended, info["rewards"]))
            ahead = np.full((self.plan.tables, self.plan.seats), np.nan)
            ahead[np.arange(self.plan.tables), self.env.asked] = judge(self.network, *self.now())[1].numpy()
        columns = list(zip(*moments, strict=True))
        parts: list[Any] = [*map(torch.stack, columns[:5]), *map(np.stack, columns[5:]), ahead]
        return Batch(*parts)

    def improve(self, batch: Batch) -> Row:
        """Learns from what happened; returns how that went."""
        plan, left = self.plan, 1.0 - self.updates / self.plan.updates
        for group in self.optimiser.param_groups:
            group["lr"] = plan.rate * left
        better = torch.from_numpy(
            advantages(batch.expected.numpy(), batch.seat, batch.ended, batch.rewards, batch.ahead, plan.lookahead)
        )
        outcome = batch.expected + better
        everything = (batch.seen, batch.legal, batch.chosen, batch.likelihood, better, outcome)
        flat = [tensor.flatten(0, 1) for tensor in everything]
        went = []
        for _ in range(plan.epochs):
            for some in torch.randperm(len(flat[0]), generator=self.chance).split(plan.batch):
                loss, figures = ppo_loss(self.network, [tensor[some] for tensor in flat], plan, plan.curiosity * left)
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimiser.step()
                went.append(figures)
        self.updates += 1
        self.games += int(batch.ended.sum())
        mean = dict(zip(("policy_loss", "value_loss", "entropy", "change"), torch.tensor(went).mean(0).tolist()))
        unexplained = float((outcome - batch.expected).var() / outcome.var().clamp_min(1e-8))
        return {"update": self.updates, "decisions": self.decisions, "games": self.games, **mean,
                "explained": 1.0 - unexplained}  # fmt: skip

    # Files.

    def layers(self) -> list[learned.Layer]:
        """The network as the bot `learned` reads it."""
        linear = [part for part in self.network if isinstance(part, nn.Linear)]
        return [(part.weight.detach().numpy(), part.bias.detach().numpy()) for part in linear]

    def save(self, path: pathlib.Path) -> None:
        """Everything that is needed to go on exactly from here."""
        tables = [torch.from_numpy(array.view(np.uint8).copy()) for array in self._tables()]
        going = (self.updates, self.games, self.seconds, self.core_seconds)
        half = path.with_suffix(".half")
        torch.save(
            {"plan": asdict(self.plan), "network": self.network.state_dict(), "optimiser": self.optimiser.state_dict(),
             "chance": self.chance.get_state(), "tables": tables, "going": going, "curve": self.curve},
            half,
        )  # fmt: skip
        os.replace(half, path)

    def restore(self, path: pathlib.Path) -> None:
        """Goes back to where `save` was called; only with the same plan."""
        kept = torch.load(path, weights_only=True)
        check_plan(asdict(self.plan), kept["plan"], path.parent)
        self.network.load_state_dict(kept["network"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.chance.set_state(kept["chance"])
        for array, tensor in zip(self._tables(), kept["tables"], strict=True):
            array.view(np.uint8)[...] = tensor.numpy()
        self.updates, self.games, self.seconds, self.core_seconds = kept["going"]
        self.curve = kept["curve"]

    def _tables(self) -> tuple[Any, ...]:
        return self.env.states, self.env.observations, self.env.masks, self.env.asked


# The network.


def make_network(sizes: tuple[int, ...], chance: torch.Generator) -> nn.Sequential:
    """Layers with rectifiers between them; in the beginning every action is as good as any other."""
    parts: list[Any] = []
    for size, following in pairwise(sizes):
        layer = nn.Linear(size, following)
        nn.init.zeros_(layer.bias)
        nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=chance)
        parts += [layer, nn.ReLU()]
    nn.init.zeros_(layer.weight)
    return nn.Sequential(*parts[:-1])


def judge(network: nn.Sequential, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
    """The logarithms of the probabilities of all actions, and the outlook between -1 and 1."""
    out = network(seen)
    return torch.log_softmax(out[:, :-1].masked_fill(legal == 0, NEVER), 1), torch.tanh(out[:, -1])


# PPO.


def advantages(expected: Any, seat: Any, ended: Any, rewards: Any, ahead: Any, lookahead: float) -> Any:
    """How much better than expected each decision turned out for the seat that made it (GAE, seat by seat, from the end).

    From one decision of a seat to its next one: what the others do between them is part of the world. The last decision
    of a seat that is not asked again within these steps tells nothing yet.
    """
    better = np.zeros_like(expected)
    every = np.arange(expected.shape[1])
    ahead, credit = ahead.copy(), np.zeros_like(ahead)
    for step in reversed(range(len(expected))):
        over, decider = ended[step], seat[step]
        ahead[over], credit[over] = rewards[step][over], 0.0
        then = ahead[every, decider]
        then = np.where(np.isnan(then), expected[step], then)
        better[step] = then - expected[step] + lookahead * credit[every, decider]
        ahead[every, decider], credit[every, decider] = expected[step], better[step]
    return better


def ppo_loss(network: nn.Sequential, batch: list[Tensor], plan: Plan, curiosity: float) -> tuple[Tensor, list[float]]:
    """PPO's loss for some decisions, and its parts."""
    seen, legal, chosen, before, better, outcome = batch
    odds, worth = judge(network, seen, legal)
    now = odds.gather(1, chosen[:, None])[:, 0]
    better = (better - better.mean()) / (better.std() + 1e-8)
    ratio = (now - before).exp()
    policy = -torch.min(ratio * better, ratio.clamp(1 - plan.clip, 1 + plan.clip) * better).mean()
    value = (worth - outcome).square().mean()
    entropy = -(odds.exp() * odds).sum(1).mean()
    loss = policy + 0.5 * value - curiosity * entropy
    return loss, [part.item() for part in (policy, value, entropy, (before - now).mean())]


# A run.


def run(plan: Plan, folder: pathlib.Path, resume: bool = False, progress: Progress | None = None) -> arena.ArenaResult:
    """Learns as planned.

    Leaves `weights.npz`, `curve.csv`, `curve.svg`, TensorBoard's events and `checkpoint.pt` in the folder.
    """
    checkpoint = folder / "checkpoint.pt"
    if checkpoint.exists() and not resume:
        raise BadData(f"There is a run in {folder} already: --resume goes on with it.", "no_such_value")
    learner = Learner(plan)
    if resume:
        learner.restore(checkpoint)
    reports.make_folder(folder)
    events = Events(folder, "decisions")
    began, core_began = time.monotonic() - learner.seconds, time.process_time() - learner.core_seconds
    stands, total = how_it_stands(learner.curve, plan), plan.updates * plan.tables * plan.steps
    if progress:
        progress(learner.decisions, total, stands)
    while learner.updates < plan.updates:
        row = learner.improve(learner.collect())
        due = learner.updates % plan.measure_every == 0 or learner.updates in (1, plan.updates)
        if due:
            standing = measure(learner, folder, plan.measure_games).standings[1]
            row |= {"win_rate": standing.rate, "low": standing.interval[0], "high": standing.interval[1]}
        learner.seconds, learner.core_seconds = time.monotonic() - began, time.process_time() - core_began
        learner.curve.append(row | {"seconds": learner.seconds, "core_seconds": learner.core_seconds})
        if due:
            write_table(learner.curve, COLUMNS, folder / "curve.csv")
            events.write(learner.curve)
            draw_curve(learner.curve, plan).save(folder / "curve.svg")
            learner.save(checkpoint)
            stands = how_it_stands(learner.curve, plan)
        if progress:
            progress(learner.decisions, total, stands)
    return measure(learner, folder, plan.final_games, deals=2)


def how_it_stands(curve: list[Row], plan: Plan) -> str:
    """As last measured."""
    rates = [row["win_rate"] for row in curve if row.get("win_rate") is not None]
    return f"{rates[-1]:.0%} against {plan.rival}" if rates else "…"


def measure(learner: Learner, folder: pathlib.Path, games: int, deals: int = 1) -> arena.ArenaResult:
    """The rival against what was learnt so far, in the arena, on the same deals each time; another number, other deals."""
    plan, weights = learner.plan, folder / "weights.npz"
    learned.save(weights, learner.env.game, learner.layers())
    return arena.run(
        learner.env.game, [plan.rival, f"learned:{weights}"], games, plan.seats, plan.options, seed=deals, workers=1
    )


# Of `curve.csv`, a line for each update; the win rate and its interval where it was measured. `change` is how far the policy
# moved (an estimate of KL), `explained` the part of the outcome's variance that was expected, `core_seconds` the time of the
# processor, whoever else uses it.
COLUMNS = ("update", "decisions", "games", "policy_loss", "value_loss", "entropy", "change", "explained",
           "win_rate", "low", "high", "seconds", "core_seconds")  # fmt: skip


def draw_curve(curve: list[Row], plan: Plan) -> chart.Chart:
    """The win rate by decisions made, with its intervals; a dark line where equal players would be."""
    columns = ("decisions", "win_rate", "low", "high")
    measured = [[number for name in columns if (number := row.get(name)) is not None] for row in curve]
    points = [(row[0] / 1e6, row[1], row[2], row[3]) for row in measured if len(row) == len(columns)]
    title = f"{plan.game} · {plan.seats} seats · games won against {plan.rival}"
    note = "million decisions, in games against itself; 95 % intervals"
    return chart.rates(title, points, note, 1 / plan.seats, plan.updates * plan.tables * plan.steps / 1e6)
