"""Gymnasium: one seat of a table; bots of a chosen level sit on the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from ludoteca import catalogue
from ludoteca.bots.levels import read_bot
from ludoteca.core.errors import Refusal

from .pictures import MODES, Pictures
from .table import Observation, Table, spaces


class SeatEnv(gymnasium.Env[Observation, int]):
    """`step` does one decision of ours and then every decision of the bots until we are asked again.

    An action that is not legal ends the game with the lowest reward and `info["refused"]`, the sentence why;
    `illegal="raise"` raises it instead.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: catalogue.Which,
        seats: int | None = None,
        seat: int = 0,
        opponents: str = "novice",
        options: Mapping[str, str] | None = None,
        form: str = "float",
        perfect: bool = False,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        found = catalogue.game(game)
        self.table = Table(found, seats, options, form, perfect)
        if not 0 <= seat < self.table.seats:
            raise ValueError(f"There is no seat {seat} at a table of {self.table.seats}.")
        if illegal not in ("lose", "raise"):
            raise ValueError("«illegal» is lose or raise.")
        self.seat, self.illegal, self.render_mode = seat, illegal, render_mode
        self._pictures = Pictures(render_mode)
        self.bot = read_bot(found, opponents)
        self.observation_space, self.action_space = spaces(found, form)
        self.decisions = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.table.seed(int(self.np_random.integers(2**62)))
        self.table.deal()
        self.decisions = 0
        self._let_bots_play()
        return self.table.observe(self.seat), self._info()

    def _info(self) -> dict[str, Any]:
        return {"legal": self.table.legal(self.seat)}

    def _let_bots_play(self) -> None:
        while not self.table.is_over() and self.seat not in self.table.waiting():
            self._let_bot_decide(self.table.waiting()[0])

    def _let_bot_decide(self, seat: int) -> None:
        self.decisions += 1
        redacted = self.table.game.redact(self.table.states, 0, seat)
        seed = self.table.seed_of_bot(self.decisions, seat)
        self.table.act(seat, self.bot.choose(self.table.engine, redacted, seat, seed))

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        try:
            self.table.act(self.seat, int(action))
        except Refusal as refusal:
            if self.illegal == "raise":
                raise
            return self.table.observe(self.seat), -1.0, True, False, {"refused": refusal.sentence, "legal": []}
        self._let_bots_play()
        over = self.table.is_over()
        reward = self.table.rewards()[self.seat] if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self.table.observe(self.seat), reward, over, False, self._info()

    def render(self) -> Any:
        return self._pictures.draw(self.table, self.seat)

    def close(self) -> None:
        self._pictures.close()

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The mask where some libraries look for it."""
        return self.table.mask(self.seat).astype(np.bool_)
