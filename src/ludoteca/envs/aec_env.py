"""PettingZoo, one agent after the other: whoever is asked, the lowest seat first where several are."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from ludoteca.core.game import Game

from .pictures import MODES, Pictures
from .table import Observation, Table, spaces


class TableAEC(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table whose seats are agents `seat_0`, `seat_1`, …; rewards come at the end, by rank."""

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        form: str = "float",
        perfect: bool = False,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(game, seats, options, form, perfect)
        self.metadata = {
            "render_modes": list(MODES),
            "name": f"ludoteca_{game.key}_v1",
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode, self._pictures = render_mode, Pictures(render_mode)
        self.max_cycles = max_cycles  # decisions after which a game is cut short
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.seats)]
        self._observation_space, _ = spaces(game, form)
        self._action_spaces = {agent: spaces(game, form)[1] for agent in self.possible_agents}
        self._seeded = False

    @functools.cache  # noqa: B019 (as many entries as seats)
    def observation_space(self, agent: str) -> Any:
        return self._observation_space

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None or not self._seeded:
            self.table.seed(seed)
            self._seeded = True
        self.table.deal()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.steps = 0
        self.agent_selection = self._asked()

    def _asked(self) -> str:
        waiting = self.table.waiting()
        return self.possible_agents[waiting[0] if waiting else 0]

    def observe(self, agent: str) -> Observation:
        return self.table.observe(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        assert action is not None
        self.table.act(self.possible_agents.index(agent), action)
        self.steps += 1
        if self.table.is_over():
            for other, reward in zip(self.possible_agents, self.table.rewards(), strict=True):
                self.rewards[other] = reward
                self.terminations[other] = True
        elif self.max_cycles is not None and self.steps >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._asked() if not self.table.is_over() else self.agents[0]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray[Any, Any] | None:
        return self._pictures.draw(self.table)

    def close(self) -> None:
        self._pictures.close()
