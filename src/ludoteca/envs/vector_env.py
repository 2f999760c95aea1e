"""Many games in one compiled call: decisions in, observations and masks out, ended games dealt anew at once.

In each game one seat is asked at a time (the lowest waiting one); the agent plays all seats, and `info["seat"]` says for
which it decides. The observation is made from the redacted record, inside the compiled call.

Observations, masks and what `info` holds are written over by the next step, in place: nothing is allocated for them. Copy
what you keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ludoteca import catalogue
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, compiled

from .stepping import REWARDS, redaction, shares, step_tables
from .table import check_reward, spaces


class TablesEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """`step(actions)` decides in every game. The reward is the deciding seat's; `info["rewards"]` has all seats'."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: catalogue.Which,
        num_envs: int = 1024,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        perfect: bool = False,
        first_game: int = 0,
        threads: int = 1,  # how many play at once: the results are the same
        reward: str = "rank",
    ) -> None:
        found, options = catalogue.with_options(game, options)
        self.game = found
        self.engine: CompiledEngine = compiled(found)
        self.seats = min(found.seats) if seats is None else seats
        found.check_seats(self.seats)
        check_reward(reward)
        self.num_envs, self.first_game, self._worth = num_envs, first_game, REWARDS.index(reward)
        self._options = found.read_options(options)
        self.single_observation_space, self.single_action_space = spaces(found, "float")
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        actions, most = len(found.actions), found.max_seats
        self.states = self.engine.new(num_envs)
        self._hidden, self._marked = redaction(found, perfect)
        self.observations = np.zeros((num_envs, found.observation), np.float32)
        self.masks = np.zeros((num_envs, actions), np.int8)
        self.legal = np.zeros((num_envs, actions), np.int16)  # in each game what may be done, ascending …
        self.counts = np.zeros(num_envs, np.int64)  # … and how many
        self.asked = np.zeros(num_envs, np.int64)
        self.ended = np.zeros((num_envs, most), np.int64)  # ranks where a game ended in this step
        self.points = np.zeros((num_envs, most), np.int64)
        self.refused = np.zeros(num_envs, np.int8)
        self._shares = shares(num_envs, threads)
        self._raw = self.states.view(np.uint8).reshape(num_envs, -1)
        self._seen = self.engine.new(len(self._shares))  # room for what a seat may see, one for each thread
        self._seen_raw = self._seen.view(np.uint8).reshape(len(self._shares), -1)
        self._pool = ThreadPoolExecutor(len(self._shares) - 1) if len(self._shares) > 1 else None

    def _call(self, chosen: npt.NDArray[np.int64], start: int = 0) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """All seats' rewards and the deciding seats'."""
        rewards, mine = np.zeros((self.num_envs, self.seats)), np.zeros(self.num_envs)

        def play(worker: int) -> int:
            arguments = (
                self.states, self._raw, self._seen, self._seen_raw, self._hidden, self._marked, chosen, self.asked,
                self._options, self.legal, self.counts, self.observations, self.masks, self.ended, self.points,
                rewards, mine, self.refused, self.engine.no_log, int(self.game.rival_alone), self._worth, start, worker,
                *self._shares[worker],
            )  # fmt: skip
            return int(self.engine.bind(step_tables, arguments=arguments)(*arguments))

        others = [self._pool.submit(play, worker) for worker in range(1, len(self._shares))] if self._pool else []
        play(0)  # in this thread
        for other in others:
            other.result()
        return rewards, mine

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        first = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))
        for i in range(self.num_envs):
            self.states["rng"][i] = derive(first, self.first_game + i)
        self._call(np.zeros(self.num_envs, np.int64), self.seats)
        return self._observation(), self._info()

    def _observation(self) -> dict[str, npt.NDArray[Any]]:
        return {"observation": self.observations, "action_mask": self.masks}

    def _info(self) -> dict[str, Any]:
        return {"seat": self.asked, "refused": self.refused, "legal": self.legal, "count": self.counts}

    def step(self, actions: npt.NDArray[Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """An illegal action is not done: `info["refused"]` is 1 there and the same seat is asked again."""
        rewards, mine = self._call(np.ascontiguousarray(actions, np.int64))
        info = {**self._info(), "rewards": rewards, "ranks": self.ended[:, : self.seats]}
        return self._observation(), mine, self.ended[:, 0] > 0, np.zeros(self.num_envs, np.bool_), info

    def close_extras(self, **kwargs: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown()
