"""Gymnasium: one seat of a table; bots of a chosen level sit on the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from ludoteca import catalogue
from ludoteca.bots.levels import Bot
from ludoteca.bots.own import AnyBots, seated, seats_beside
from ludoteca.core.errors import Refusal

from .pictures import MODES, Pictures
from .table import Observation, Table, check_illegal, spaces


class SeatEnv(gymnasium.Env[Observation, int]):
    """`step` does one decision of ours and then every decision of the bots until we are asked again.

    Unless `seats` says otherwise there are as few as leave one to a bot; `seats=1` is alone, where a game can be played so.
    An action that is not legal ends the game with the lowest reward and `info["refused"]`, the sentence why;
    `illegal="raise"` raises it instead, `illegal="replace"` does another action in its place.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: catalogue.Which,
        seats: int | None = None,
        seat: int = 0,
        opponents: AnyBots = "novice",
        options: Mapping[str, Any] | None = None,
        form: str = "float",
        perfect: bool = False,
        illegal: str = "lose",
        render_mode: str | None = None,
        reward: str = "rank",
        key: str = "observation",
    ) -> None:
        found, options = catalogue.with_options(game, options)
        self.table = Table(
            found, seats_beside(found) if seats is None else seats, options, form, perfect, reward, key=key
        )
        if not 0 <= seat < self.table.seats:
            raise ValueError(f"There is no seat {seat} at a table of {self.table.seats}.")
        check_illegal(illegal)
        self.seat, self.illegal, self.render_mode = seat, illegal, render_mode
        self._pictures = Pictures(render_mode)
        self.bots = seated(found, opponents, self.table.seats, own=seat)
        self._all_uniform = all(isinstance(bot, Bot) and bot.kind == "uniform" for bot in self.bots if bot is not None)
        self.observation_space, self.action_space = spaces(found, form, key=key)
        self.decisions = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.table.seed(int(self.np_random.integers(2**62)))
        self.table.deal()
        self.decisions = 0
        self._act(None)
        observation = self.table.observe(self.seat)
        return observation, self._info(observation)

    def _info(self, observation: Observation) -> dict[str, Any]:
        """The mask again, where some libraries look for it, and the same as a list."""
        return {"legal": self.table.listed(), "action_mask": observation["action_mask"]}

    def _act(self, action: int | None) -> None:
        """Our decision (or none, before the first), and the bots' until we are asked again."""
        if self._all_uniform:
            self.decisions = self.table.act_among_uniform(self.seat, action, self.decisions)
            return
        if action is not None:
            self.table.act(self.seat, action)
        while not self.table.over and self.seat not in self.table.asked:
            self._let_bot_decide(self.table.asked[0])

    def _let_bot_decide(self, seat: int) -> None:
        self.decisions += 1
        redacted = self.table.game.redact(self.table.states, 0, seat)
        seed = self.table.seed_of_bot(self.decisions, seat)
        bot = self.bots[seat]
        assert bot is not None
        self.table.act(seat, bot.choose(self.table.engine, redacted, seat, seed))

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        try:
            self._act(action)
        except Refusal as refusal:
            if self.illegal == "raise":
                raise
            return self._refused(refusal)
        return self._after()

    def _after(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        over = self.table.over
        reward = self.table.rewards()[self.seat] if over else 0.0
        if self.render_mode == "human":
            self.render()
        observation = self.table.observe(self.seat)
        return observation, reward, over, False, self._info(observation)

    def _refused(self, refusal: Refusal) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.illegal == "replace":
            self._act(self.table.legal_instead(self.seat))
            observation, reward, over, cut, info = self._after()
            return observation, reward, over, cut, info | {"refused": refusal.sentence}
        observation = self.table.observe(self.seat)
        return observation, -1.0, True, False, {**self._info(observation), "legal": [], "refused": refusal.sentence}

    def render(self) -> Any:
        return self._pictures.draw(self.table, self.seat)

    def close(self) -> None:
        self._pictures.close()

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The mask where some libraries look for it."""
        return self.table.mask(self.seat).astype(np.bool_)
