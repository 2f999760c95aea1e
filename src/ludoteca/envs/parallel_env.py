"""PettingZoo, all at once: every seat that is asked decides in the same step; others' actions are not looked at.

Nobody has a mask of zeros alone: with `idle="noop"` (as it is unless you say otherwise) there is one action more, the last,
which means to wait and is the only one of a seat that is not asked. `idle="zero"` is without it, as in the other
environments.

What a game decides behind screens (`Game.behind_screen`) stays there until all have sealed, in however many steps: a
seat sees its own offers grow and everybody else still choosing. So nobody learns who sealed first, or with how many offers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from ludoteca.core.game import Game

from .pictures import MODES, Pictures
from .stepping import OVER
from .table import Observation, Table, check_illegal, spaces, state_space

IDLE = ("noop", "zero")
NOTHING_REFUSED: Mapping[int, str] = {}


class TableParallel(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table whose seats are agents; `infos[agent]["waiting"]` says who is asked.

    No masks stand in `infos`: TorchRL's wrapper stumbles over masks in both places.

    `illegal` as in the AEC environment: `raise`, `lose` or `replace`.
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
        idle: str = "noop",
        illegal: str = "raise",
        reward: str = "rank",
        key: str = "observation",
    ) -> None:
        check_illegal(illegal)
        if idle not in IDLE:
            raise ValueError(f"«idle» is one of {', '.join(IDLE)}; not «{idle}».")
        self.idle, self.illegal = idle, illegal
        self.table = Table(game, seats, options, form, perfect, reward, wait=idle == "noop", key=key)
        self.metadata = {
            "render_modes": list(MODES),
            "name": f"ludoteca_{game.key}_v1",
            "render_fps": 1,
        }
        self.render_mode, self._pictures = render_mode, Pictures(render_mode)
        self.max_cycles = max_cycles
        self.possible_agents = list(self.table.agents)
        self._observation_space, _ = spaces(game, form, idle == "noop", key)
        self._action_spaces = {agent: spaces(game, form, idle == "noop", key)[1] for agent in self.possible_agents}
        self.state_space = state_space(game)
        self._seeded = False
        self.agents: list[str] = []
        # What is handed out at every step, to be copied from: that takes a fourth of the time of making it anew.
        self._nothing = dict.fromkeys(self.possible_agents, 0.0).copy
        self._no = dict.fromkeys(self.possible_agents, False).copy

    def observation_space(self, agent: str) -> Any:
        return self._observation_space

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        if seed is not None or not self._seeded:
            self.table.seed(seed)
            self._seeded = True
        self.table.deal()
        self.agents = list(self.possible_agents)
        self.steps = 0
        return self.table.observe_all()

    def state(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Everything about the game, hidden or not, between -1 and 1."""
        return self.table.state()

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        table = self.table
        wrong = table.act_all(actions)
        refused, loser = (NOTHING_REFUSED, None) if wrong is None else self._mend(actions, wrong)
        self.steps += 1
        if refused or table.turns.desk[OVER] or self.steps == self.max_cycles or self.render_mode == "human":
            return self._after(refused, loser)
        no = self._no
        observations, infos = table.observe_all()
        return observations, self._nothing(), no(), no(), infos

    def _after(self, refused: Mapping[int, str], loser: int | None) -> tuple[Any, Any, Any, Any, Any]:
        """What a step returns with which the game ended, or after which something is to be said or drawn."""
        table, agents = self.table, self.possible_agents
        observations, infos = table.observe_all()
        if self.render_mode == "human":
            self.render()
        over, cut = table.over or loser is not None, self.steps == self.max_cycles
        for seat, sentence in refused.items():
            infos[agents[seat]]["refused"] = sentence
        rewards = dict(zip(agents, table.rewards(), strict=True)) if table.over else self._nothing()
        if loser is not None:
            rewards[agents[loser]] = -1.0
        if over or cut:
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut and not over), infos

    def _mend(self, actions: Mapping[str, int], first: int) -> tuple[Mapping[int, str], int | None]:
        """Another action for each that is not legal; the sentences why, and who has lost by that."""
        table, agents = self.table, self.possible_agents
        chosen, refused = dict(actions), dict[int, str]()
        wrong: int | None = first
        while wrong is not None:
            action = int(chosen[agents[wrong]])
            if self.illegal == "raise":
                table.check(wrong, action)
            refused[wrong] = table.why_not(wrong, action)
            if self.illegal == "lose":
                return refused, wrong
            chosen[agents[wrong]] = table.legal_instead(wrong)
            wrong = table.act_all(chosen)
        return refused, None

    def render(self) -> str | np.ndarray[Any, Any] | None:
        return self._pictures.draw(self.table)

    def close(self) -> None:
        self._pictures.close()
