"""PettingZoo, all at once: every seat that is asked decides in the same step; others' actions are not looked at.

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
from .table import Observation, Table, spaces


class TableParallel(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table whose seats are agents; `infos[agent]["waiting"]` says who is asked (its mask is not all zero)."""

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
        self.table = Table(game, seats, options, form, perfect)
        self.metadata = {
            "render_modes": list(MODES),
            "name": f"ludoteca_{game.key}_v1",
            "render_fps": 1,
        }
        self.render_mode, self._pictures = render_mode, Pictures(render_mode)
        self.max_cycles = max_cycles
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.seats)]
        self._observation_space, _ = spaces(game, form)
        self._action_spaces = {agent: spaces(game, form)[1] for agent in self.possible_agents}
        self._seeded = False
        self._behind: dict[int, Table] = {}  # behind its screen, a seat is at a table where only its own steps are made
        self.agents: list[str] = []

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
        self._behind = {}
        self.agents = list(self.possible_agents)
        self.steps = 0
        return self._observations(), self._infos()

    def _observations(self) -> dict[str, Observation]:
        return {
            agent: self._behind.get(seat, self.table).observe(seat) for seat, agent in enumerate(self.possible_agents)
        }

    def _infos(self) -> dict[str, dict[str, Any]]:
        asked = self._asked()
        return {agent: {"waiting": seat in asked} for seat, agent in enumerate(self.possible_agents)}

    def _asked(self) -> list[int]:
        """The seats that still decide: those who wait and have not sealed."""
        return [seat for seat in self.table.waiting() if not self._sealed(seat)]

    def _sealed(self, seat: int) -> bool:
        if seat not in self._behind:
            return False
        _, action = self._behind[seat].play.decisions()[-1]
        return self.table.game.behind_screen[self.table.game.actions.decode(action).kind]

    def _decide(self, seat: int, action: int) -> None:
        """At the table, or behind the screen of this seat."""
        game = self.table.game
        known = 0 <= action < len(game.actions)
        if not known or game.actions.decode(action).kind not in game.behind_screen:
            self.table.act(seat, action)
            return
        own = self._behind.get(seat, self.table).clone()
        own.act(seat, action)
        self._behind[seat] = own

    def _open(self) -> None:
        """All have sealed: what they decided happens, in the order of the seats."""
        made = self.table.play.seq
        steps = [self._behind[seat].play.decisions()[made:] for seat in sorted(self._behind)]
        self._behind = {}
        for seat, action in [step for own in steps for step in own]:
            self.table.act(seat, action)

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        for seat in self._asked():  # who is asked after these has not been asked in this step
            self._decide(seat, int(actions[self.possible_agents[seat]]))
        if self._behind and not self._asked():
            self._open()
        self.steps += 1
        over = self.table.is_over()
        cut = not over and self.max_cycles is not None and self.steps >= self.max_cycles
        rewards = self.table.rewards() if over else [0.0] * self.table.seats
        observations, infos = self._observations(), self._infos()
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            observations,
            dict(zip(self.possible_agents, rewards, strict=True)),
            dict.fromkeys(self.possible_agents, over),
            dict.fromkeys(self.possible_agents, cut),
            infos,
        )

    def render(self) -> str | np.ndarray[Any, Any] | None:
        return self._pictures.draw(self.table)

    def close(self) -> None:
        self._pictures.close()
