"""Many games in one compiled call: decisions in, observations and masks out, ended games dealt anew at once.

In each game one seat is asked at a time (the lowest waiting one); the agent plays all seats, and `info["seat"]` says for
which it decides. The observation is made from the redacted record, inside the compiled call.

Observations, masks and what `info` holds are written over by the next step, in place: nothing is allocated for them. Copy
what you keep, or say `copy=True`: then all that is handed out is yours.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ludoteca import catalogue
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, compiled

from .sights import covers
from .stepping import REWARDS, by_row, shares, step_tables, with_bytes
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
        copy: bool = False,  # whether what is handed out stays as it is when the next step is made
    ) -> None:
        found, options = catalogue.with_options(game, options)
        self.game = found
        self.engine: CompiledEngine = compiled(found)
        self.seats = min(found.seats) if seats is None else seats
        found.check_seats(self.seats)
        check_reward(reward)
        self.copy = copy
        self.num_envs, self.first_game, self._worth = num_envs, first_game, REWARDS.index(reward)
        self._options = found.read_options(options)
        self.single_observation_space, self.single_action_space = spaces(found, "float")
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        actions, most = len(found.actions), found.max_seats
        self.states = self.engine.new(num_envs)
        self.observations = np.zeros((num_envs, found.observation), np.float32)
        self.masks = np.zeros((num_envs, actions), np.int8)
        self.legal = np.zeros((num_envs, actions), np.int16)  # in each game what may be done, ascending …
        self.counts = np.zeros(num_envs, np.int64)  # … and how many
        self.asked = np.zeros(num_envs, np.int64)
        self.ended = np.zeros((num_envs, most), np.int64)  # ranks where a game ended in this step
        self.points = np.zeros((num_envs, most), np.int64)
        self.refused = np.zeros(num_envs, np.int8)
        self._perfect, self._threads = perfect, threads
        self._backwards = 0  # by turns from the first game to the last and back
        self._bind()

    def _bind(self) -> None:
        """Binds machine code to our arrays, once for each thread."""
        found, size = self.game, self.game.dtype.itemsize
        games, hidden = with_bytes(self.states), covers(found, self.seats, self._perfect)
        steps = [
            (
                games, hidden, np.zeros(size, np.uint8), self.asked, self._options, by_row(self.legal), self.counts,
                by_row(self.observations), by_row(self.masks), self.ended, self.points, self.refused, self.engine.no_log,
                int(found.rival_alone), self._worth, *share,
            )
            for share in shares(self.num_envs, self._threads)
        ]  # fmt: skip
        changing = (
            np.zeros(self.num_envs, np.int64),
            np.zeros((self.num_envs, self.seats)),
            np.zeros(self.num_envs),
            0,
            0,
        )
        play = self.engine.bind(step_tables, arguments=(*steps[0], *changing))
        self._steps = [functools.partial(play, *fixed) for fixed in steps]  # what each thread does
        self._helpers = [Helper() for _ in steps[1:]]

    def __getstate__(self) -> dict[str, Any]:
        """All games as they stand, without machine code and threads."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ("engine", "_steps", "_helpers")}
        return kept | {"states": self.states.tobytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.engine = compiled(self.game)
        self.states = self.engine.new(self.num_envs)
        self.states[:] = np.frombuffer(kept["states"], self.states.dtype)
        self._bind()

    def _call(self, chosen: npt.NDArray[np.int64], start: int = 0) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """All seats' rewards and the deciding seats'."""
        rewards, mine = np.zeros((self.num_envs, self.seats)), np.zeros(self.num_envs)
        self._backwards ^= 1
        changing = chosen, rewards, mine, start, self._backwards
        for helper, step in zip(self._helpers, self._steps[1:], strict=True):
            helper.begin(step, *changing)
        try:
            self._steps[0](*changing)  # in this thread
        finally:
            for helper in self._helpers:
                helper.end()
        return rewards, mine

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None:  # the next ones of the seed before, as Gymnasium has it
            first = int(self.np_random.integers(1 << 63, dtype=np.uint64))
        else:
            first = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))
        for i in range(self.num_envs):
            self.states["rng"][i] = derive(first, self.first_game + i)
        self._call(np.zeros(self.num_envs, np.int64), self.seats)
        return self._observation(), self._info()

    def _observation(self) -> dict[str, npt.NDArray[Any]]:
        return self._handed({"observation": self.observations, "action_mask": self.masks})

    def _info(self, **more: npt.NDArray[Any]) -> dict[str, Any]:
        info: dict[str, npt.NDArray[Any]] = {"seat": self.asked, "refused": self.refused}
        return self._handed({**info, "legal": self.legal, "count": self.counts, **more})

    def _handed(self, arrays: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        return {name: array.copy() for name, array in arrays.items()} if self.copy else arrays

    def step(self, actions: npt.NDArray[Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """An illegal action is not done: `info["refused"]` is 1 there and the same seat is asked again."""
        rewards, mine = self._call(np.ascontiguousarray(actions, np.int64))
        info = self._info(rewards=rewards, ranks=self.ended[:, : self.seats])
        return self._observation(), mine, self.ended[:, 0] > 0, np.zeros(self.num_envs, np.bool_), info

    def close_extras(self, **kwargs: Any) -> None:
        for helper in self._helpers:
            helper.close()


class Helper:
    """A thread that does one thing at a time for us, while we do another; it ends with us."""

    def __init__(self) -> None:
        self._begun, self._ended = threading.Lock(), threading.Lock()  # free: something is to be done; it is done
        self._begun.acquire()
        self._ended.acquire()
        self._todo: list[Callable[[], Any] | None] = [None]
        self._failed: list[BaseException] = []
        parts = self._begun, self._ended, self._todo, self._failed
        threading.Thread(target=_help, args=parts, daemon=True).start()
        self.close = weakref.finalize(self, _let_go, self._begun, self._todo)

    def begin(self, do: Callable[..., Any], *arguments: Any) -> None:
        """Does it, in the other thread."""
        self._todo[0] = functools.partial(do, *arguments)
        self._begun.release()

    def end(self) -> None:
        """Waits until it is done, and fails as it failed."""
        self._ended.acquire()
        if self._failed:
            raise self._failed.pop()


def _help(begun: threading.Lock, ended: threading.Lock, todo: list[Any], failed: list[BaseException]) -> None:
    while True:
        begun.acquire()
        if todo[0] is None:
            return
        try:
            todo[0]()
        except BaseException as failure:
            failed.append(failure)
        ended.release()


def _let_go(begun: threading.Lock, todo: list[Any]) -> None:
    todo[0] = None
    begun.release()
