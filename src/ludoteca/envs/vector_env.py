"""Many games in one compiled call: decisions in, observations and masks out, ended games dealt anew at once.

In each game one seat is asked at a time (the lowest waiting one); the agent plays all seats, and `info["seat"]` says for
which it decides. The observation is made from the redacted record, inside the compiled call.

Observations, masks and what `info` holds are written over by the next step, in place: nothing is allocated for them. Copy
what you keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ludoteca import catalogue
from ludoteca.core.chance import derive, mixed
from ludoteca.core.engine import CompiledEngine, compiled
from ludoteca.core.game import Game
from ludoteca.core.kernel import kernel
from ludoteca.core.record import See
from ludoteca.core.rules import apply, is_over, legal, observe, outlook, ranks, scores, setup

from .table import spaces


class TablesEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """`step(actions)` decides in every game. The reward is the deciding seat's; `info["rewards"]` has all seats'."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: catalogue.Which,
        num_envs: int = 1024,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        perfect: bool = False,
        first_game: int = 0,
        threads: int = 1,  # how many play at once: the results are the same
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
        actions, most = len(found.actions), found.max_seats
        self.states = self.engine.new(num_envs)
        self._raw = self.states.view(np.uint8).reshape(num_envs, -1)
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
        self._seen = self.engine.new(
            len(self._shares) + 1
        )  # room for each thread's redacted record; the last stays blank
        self._seen_raw = self._seen.view(np.uint8).reshape(len(self._seen), -1)
        self._pool = ThreadPoolExecutor(len(self._shares)) if len(self._shares) > 1 else None

    def _call(self, chosen: npt.NDArray[np.int64], start: int = 0) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """All seats' rewards and the deciding seats'."""
        rewards, mine = np.zeros((self.num_envs, self.seats)), np.zeros(self.num_envs)

        def play(worker: int) -> int:
            arguments = (
                self.states, self._raw, self._seen, self._seen_raw, self._hidden, self._marked, chosen, self.asked,
                self._options, self.legal, self.counts, self.observations, self.masks, self.ended, self.points,
                rewards, mine, self.refused, self.engine.no_log, int(self.game.rival_alone), start, worker,
                *self._shares[worker],
            )  # fmt: skip
            return int(self.engine.bind(step_tables, arguments=arguments)(*arguments))

        if self._pool is None:
            play(0)
        else:
            list(self._pool.map(play, range(len(self._shares))))
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


def shares(games: int, threads: int) -> list[tuple[int, int]]:
    """The games of each thread: from, to."""
    bounds = [games * k // threads for k in range(threads + 1)]
    return [(first, last) for first, last in pairwise(bounds) if first < last]


def redaction(game: Game, perfect: bool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """What hides: for each viewer the bits to set, and the rows of bytes that marks decide about.

    A row is: first byte, distance to the next, how many; first byte of the marks, distance to the next.
    """
    hidden = np.zeros((16, game.dtype.itemsize), np.uint8)
    rows: list[tuple[int, ...]] = []
    if perfect:
        return hidden, np.zeros((0, 5), np.int64)
    for viewer in range(16):
        hidden[viewer] = game.redact.hidden_bytes(viewer)
    fields = game.dtype.fields
    assert fields is not None
    for field in game.fields:
        if field.see is See.MARKED:
            count = int(np.prod(field.shape or (1,)))
            (kind, start), (mark_kind, mark_start) = fields[field.name][:2], fields[field.marks][:2]
            width, mark_width = kind.itemsize // count, mark_kind.itemsize // count
            rows += [(start + byte, width, count, mark_start, mark_width) for byte in range(width)]
    return hidden, np.array(rows, np.int64).reshape(-1, 5)


def step_tables(
    states: Any, raw: Any, seen: Any, seen_raw: Any, hidden: Any, marked: Any, chosen: Any, asked: Any,
    options: Any, listed: Any, counts: Any, observations: Any, masks: Any, ended: Any, points: Any,
    rewards: Any, mine: Any, refused: Any, logs: Any, rival_alone: int, start: int, worker: int, first: int, last: int,
) -> int:  # fmt: skip
    """One decision in the games from `first` to `last` (or, with `start` seats, a first deal from each game's stream)."""
    log = logs[0]
    over = 0
    blank = seen.shape[0] - 1
    sight = seen_raw[worker]
    chances = np.zeros(8, np.float64)
    for i in range(first, last):
        state = states[i]
        for seat in range(ended.shape[1]):
            ended[i, seat] = 0
        refused[i] = 0
        fresh = start > 0
        seats = start
        mask, actions = masks[i], listed[i]
        if start == 0:
            if chosen[i] < 0 or chosen[i] >= masks.shape[1] or mask[chosen[i]] == 0:
                refused[i] = 1
                continue
            apply(state, asked[i], chosen[i], log)
            if is_over(state):
                over += 1
                fresh = True
                seats = int(state.seats)
                ranks(state, ended[i])
                scores(state, points[i])
                if seats == 1 and rival_alone:
                    outlook(state, chances)
                    rewards[i, 0] = 2.0 * chances[0] - 1.0
                else:
                    reward(ended[i], points[i], rewards[i])
                mine[i] = rewards[i, asked[i]]
        if fresh:
            stream = mixed(state.rng)
            states[i] = seen[blank]
            setup(state, seats, options, stream)
        seat = 0
        while state.waiting[seat] == 0:
            seat += 1
        asked[i] = seat
        redact(raw[i], hidden[seat], marked, seat, sight)
        observe(seen[worker], seat, observations[i])
        for action in range(mask.shape[0]):
            mask[action] = 0
        counts[i] = legal(seen[worker], seat, actions)
        for k in range(counts[i]):
            mask[actions[k]] = 1
    return over


@kernel
def redact(whole: Any, hides: Any, marked: Any, seat: Any, sight: Any) -> None:
    """As `core.record.Redactor`: what is hidden has all bits set."""
    for b in range(whole.shape[0]):
        sight[b] = whole[b] | hides[b]
    byte, bit = seat // 8, seat % 8
    for row in range(marked.shape[0]):
        place, step, count = marked[row, 0], marked[row, 1], marked[row, 2]
        mark, mark_step = marked[row, 3], marked[row, 4]
        for k in range(count):
            seen = sight[mark + byte + k * mark_step] >> bit & 1
            sight[place + k * step] |= seen - 1


@kernel
def reward(ranks: Any, points: Any, out: Any) -> None:
    """As `table.rewards_of`."""
    seats = out.shape[0]
    if seats == 1:
        out[0] = points[0]
        return
    for seat in range(seats):
        shared = 0
        for other in range(seats):
            shared += ranks[other] == ranks[seat]
        mean = ranks[seat] + (shared - 1) / 2.0
        out[seat] = 1.0 - 2.0 * (mean - 1.0) / (seats - 1)
