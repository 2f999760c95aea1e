"""Many games in one compiled call: decisions in, observations and masks out, ended games dealt anew at once.

In each game one seat is asked at a time (the lowest waiting one); the agent plays all seats, and `info["seat"]` says for
which it decides. The observation is made from the redacted record, inside the compiled call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ludoteca import catalogue
from ludoteca.core.chance import derive, mixed
from ludoteca.core.engine import CompiledEngine, compiled
from ludoteca.core.events import NO_LOG
from ludoteca.core.game import Game
from ludoteca.core.record import See

from .table import spaces

KERNELS = ("setup", "legal", "apply", "is_over", "ranks", "scores", "observe")


class TablesEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """`step(actions)` decides in every game. The reward is the deciding seat's; `info["rewards"]` has all seats'."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str,
        num_envs: int = 1024,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        perfect: bool = False,
        first_game: int = 0,
    ) -> None:
        found = catalogue.game(game)
        self.game = found
        self.engine: CompiledEngine = compiled(found)
        self.seats = min(found.seats) if seats is None else seats
        found.check_seats(self.seats)
        self.num_envs, self.first_game = num_envs, first_game
        self._options = found.read_options(options or {})
        self.single_observation_space, self.single_action_space = spaces(found, "float")
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        actions = len(found.actions)
        self.states = self.engine.new(num_envs)
        self._raw = self.states.view(np.uint8).reshape(num_envs, -1)
        self._seen = self.engine.new(1)
        self._seen_raw = self._seen.view(np.uint8).reshape(1, -1)
        self._hidden, self._marked = redaction(found, perfect)
        self._list = np.zeros(actions, np.int16)
        self._scores = np.zeros(found.max_seats, np.int64)
        self.observations = np.zeros((num_envs, found.observation), np.float32)
        self.masks = np.zeros((num_envs, actions), np.int8)
        self.asked = np.zeros(num_envs, np.int64)
        self.ended = np.zeros((num_envs, found.max_seats), np.int64)  # ranks where a game ended in this step
        self.points = np.zeros((num_envs, found.max_seats), np.int64)
        self.refused = np.zeros(num_envs, np.int8)
        self._step = self._bind()

    def _bind(self) -> Any:
        from numba import types

        def array(kind: Any, dimensions: int) -> Any:
            return types.Array(kind, dimensions, "C")

        i8, u1, i1, f4, i2 = types.int64, types.uint8, types.int8, types.float32, types.int16
        games = self.engine.states_type
        arguments = (
            games, array(u1, 2), games, array(u1, 2), games, array(u1, 2), array(i8, 2), array(i8, 1), array(i8, 1),
            array(i8, 1), array(i2, 1), array(f4, 2), array(i1, 2), array(i8, 2), array(i8, 2), array(i8, 1),
            array(i1, 1), array(types.int32, 2), i8, i8,
        )  # fmt: skip
        return self.engine.bind(step_tables, i8, KERNELS, arguments)

    def _call(self, chosen: npt.NDArray[np.int64], start: int, seed: int) -> int:
        return int(
            self._step(
                self.states, self._raw, self._seen, self._seen_raw, self.engine.new(1), self._hidden, self._marked,
                chosen, self.asked, self._options, self._list, self.observations, self.masks, self.ended, self.points,
                self._scores, self.refused, NO_LOG, start, seed,
            )
        )  # fmt: skip

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        first = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))
        for i in range(self.num_envs):
            self.states["rng"][i] = derive(first, self.first_game + i)
        self._call(np.zeros(self.num_envs, np.int64), self.seats, 0)
        return self._observation(), self._info()

    def _observation(self) -> dict[str, npt.NDArray[Any]]:
        return {"observation": self.observations, "action_mask": self.masks}

    def _info(self) -> dict[str, Any]:
        return {"seat": self.asked, "refused": self.refused}

    def step(self, actions: npt.NDArray[Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """An illegal action is not done: `info["refused"]` is 1 there and the same seat is asked again."""
        decided = self.asked.copy()
        over = self._call(np.ascontiguousarray(actions, np.int64), 0, 0)
        rewards = np.zeros((self.num_envs, self.seats))
        terminated = self.ended[:, 0] > 0
        if over:
            rewards[terminated] = rewards_of_ranks(self.ended[terminated, : self.seats], self.points[terminated])
        info = {**self._info(), "rewards": rewards, "ranks": self.ended[:, : self.seats]}
        mine = rewards[np.arange(self.num_envs), decided]
        return self._observation(), mine, terminated, np.zeros(self.num_envs, np.bool_), info


def rewards_of_ranks(ranks: npt.NDArray[np.int64], points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """As `table.rewards_of`, for many games."""
    seats = ranks.shape[1]
    if seats == 1:
        return points[:, :1].astype(np.float64)
    shared = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    mean = ranks + (shared - 1) / 2.0
    result: npt.NDArray[np.float64] = 1.0 - 2.0 * (mean - 1.0) / (seats - 1)
    return result


def redaction(game: Game, perfect: bool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """What hides: for each viewer the bits to set, and for each marked element its bytes and those of its mark."""
    size = game.dtype.itemsize
    hidden = np.zeros((16, size), np.uint8)
    marked: list[tuple[int, int, int, int]] = []
    if perfect:
        return hidden, np.zeros((0, 4), np.int64)
    for viewer in range(16):
        hidden[viewer] = game.redact.hidden_bytes(viewer)
    fields = game.dtype.fields
    assert fields is not None
    for field in game.fields:
        if field.see is See.MARKED:
            count = int(np.prod(field.shape or (1,)))
            (kind, start), (mark_kind, mark_start) = fields[field.name][:2], fields[field.marks][:2]
            width, mark_width = kind.itemsize // count, mark_kind.itemsize // count
            marked += [(start + n * width, width, mark_start + n * mark_width, mark_width) for n in range(count)]
    return hidden, np.array(marked, np.int64).reshape(-1, 4)


def step_tables(
    setup: Any, legal: Any, apply: Any, is_over: Any, ranks: Any, scores: Any, observe: Any,
    states: Any, raw: Any, seen: Any, seen_raw: Any, blank: Any, hidden: Any, marked: Any, chosen: Any, asked: Any,
    options: Any, listed: Any, observations: Any, masks: Any, ended: Any, points: Any, out: Any, refused: Any, log: Any,
    start: int, seed: int,
) -> int:  # fmt: skip
    """One decision in every game (or, with `start` seats, a first deal from each game's own stream)."""
    over = 0
    size = raw.shape[1]
    for i in range(states.shape[0]):
        state = states[i]
        for seat in range(ended.shape[1]):
            ended[i, seat] = 0
        refused[i] = 0
        fresh = start > 0
        seats = start
        if start == 0:
            if chosen[i] < 0 or chosen[i] >= masks.shape[1] or masks[i, chosen[i]] == 0:
                refused[i] = 1
                continue
            apply(state, asked[i], chosen[i], log)
            if is_over(state):
                over += 1
                fresh = True
                seats = state.seats
                ranks(state, ended[i])
                scores(state, points[i])
        if fresh:
            stream = mixed(state.rng)
            states[i] = blank[0]
            setup(state, seats, options, stream)
        seat = 0
        while state.waiting[seat] == 0:
            seat += 1
        asked[i] = seat
        mine, hides, sight = raw[i], hidden[seat], seen_raw[0]
        for b in range(size):
            sight[b] = mine[b] | hides[b]
        for k in range(marked.shape[0]):
            if (sight[marked[k, 2] + seat // 8] >> (seat % 8)) & 1 == 0:
                for b in range(marked[k, 0], marked[k, 0] + marked[k, 1]):
                    sight[b] = 255
        observe(seen[0], seat, observations[i])
        count = legal(seen[0], seat, listed)
        mask = masks[i]
        for action in range(mask.shape[0]):
            mask[action] = 0
        for k in range(count):
            mask[listed[k]] = 1
    return over
