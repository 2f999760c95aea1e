"""PettingZoo, one agent after the other: whoever is asked, the lowest seat first where several are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from ludoteca.core.game import Game

from .pictures import MODES, Pictures
from .stepping import FIRST, OVER
from .table import Observation, Table, check_illegal, spaces, state_space


class TableAEC(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table whose seats are agents `seat_0`, `seat_1`, …; rewards come at the end.

    An action that is not legal raises its sentence; with `illegal="lose"` the game ends, with -1 for whoever chose it and 0
    for the others; with `illegal="replace"` another action is drawn in its place. Either way `infos[agent]["refused"]` is
    the sentence.
    """

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        form: str = "float",
        perfect: bool = False,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: str = "raise",
        reward: str = "rank",
        key: str = "observation",
    ) -> None:
        super().__init__()
        check_illegal(illegal)
        self.table = Table(game, seats, options, form, perfect, reward, key=key)
        self.metadata = {
            "render_modes": list(MODES),
            "name": f"ludoteca_{game.key}_v1",
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode, self._pictures = render_mode, Pictures(render_mode)
        self.max_cycles = max_cycles  # after which a game is cut short: each as many decisions as there are seats
        self.illegal = illegal
        self.possible_agents = list(self.table.agents)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_space, _ = spaces(game, form, key=key)
        self._action_spaces = {agent: spaces(game, form, key=key)[1] for agent in self.possible_agents}
        self.state_space = state_space(game)
        self._seeded = False

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
        self.agent_selection = self.possible_agents[self.table.asked[0]]

    def observe(self, agent: str) -> Observation:
        return self.table.observe(self._seat_of[agent])

    def state(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Everything about the game, hidden or not, between -1 and 1."""
        return self.table.state()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        if self.illegal != "raise":
            action = self._allowed(agent, int(action))
        if action is not None:
            self.table.act(self._seat_of[agent], action)
        self.steps += 1
        desk = self.table.turns.desk
        if action is None:
            self._end({agent: -1.0})
        elif desk[OVER]:
            self._end(dict(zip(self.possible_agents, self.table.rewards(), strict=True)))
        else:
            if self.max_cycles is not None and self.steps >= self.max_cycles * self.table.seats:
                self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[desk[FIRST]]
        if self.render_mode == "human":
            self.render()

    def _allowed(self, agent: str, action: int) -> int | None:
        """The action, or what is done in its place; None: the game is lost with it."""
        seat = self._seat_of[agent]
        self.infos[agent] = {}
        if 0 <= action < len(self.table.game.actions) and action in self.table.legal(seat):
            return action
        self.infos[agent] = {"refused": self.table.why_not(seat, action)}
        return None if self.illegal == "lose" else self.table.legal_instead(seat)

    def _end(self, rewards: Mapping[str, float]) -> None:
        """The only rewards of the game; until here all were 0."""
        for agent in self.agents:
            self.rewards[agent] = self._cumulative_rewards[agent] = rewards.get(agent, 0.0)
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def render(self) -> str | np.ndarray[Any, Any] | None:
        return self._pictures.draw(self.table)

    def close(self) -> None:
        self._pictures.close()
