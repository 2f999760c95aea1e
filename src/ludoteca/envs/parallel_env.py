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
from .stepping import NOBODY, WAITING
from .table import Observation, Table, check_illegal, spaces, state_space

IDLE = ("noop", "zero")
NOTHING_REFUSED: Mapping[int, str] = {}
SEATS = range(8)


class TableParallel(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table whose seats are agents; `infos[agent]["waiting"]` says who is asked.

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
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.seats)]
        self._observation_space, _ = spaces(game, form, idle == "noop", key)
        self._action_spaces = {agent: spaces(game, form, idle == "noop", key)[1] for agent in self.possible_agents}
        self.state_space = state_space(game)
        kinds = {n: game.actions.decode(n).kind for n in range(len(game.actions))}
        # What is done behind a screen, and whether it seals.
        self._seals = {n: game.behind_screen[kind] for n, kind in kinds.items() if kind in game.behind_screen}
        self._stays_hidden = {n for n, at_once in self._seals.items() if not at_once}
        self._seeded = False
        wait, behind = idle == "noop", self.possible_agents if self._stays_hidden else ()
        self._own = [Table(game, seats, options, form, perfect, reward, wait, key) for _ in behind]
        self._behind: dict[int, Table] = {}  # behind its screen, a seat is at a table where only its own steps are made
        self._steps: dict[int, list[int]] = {}  # what it has decided there
        self._sealed: set[int] = set()  # of those, the seats that have sealed
        self.agents: list[str] = []
        # What is handed out at every step, to be copied from: that takes a fourth of the time of making it anew.
        self._nothing, self._no = dict.fromkeys(self.possible_agents, 0.0), dict.fromkeys(self.possible_agents, False)
        self._waiting = [
            [(agent, {"waiting": bool(bits >> seat & 1)}) for seat, agent in enumerate(self.possible_agents)]
            for bits in range(1 << self.table.seats)
        ]

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
        self._behind, self._steps, self._sealed = {}, {}, set()
        self.agents = list(self.possible_agents)
        self.steps = 0
        return self._observations(), self._infos()

    def state(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Everything about the game, hidden or not, between -1 and 1."""
        return self.table.state()

    def _observations(self) -> dict[str, Observation]:
        if not self._behind:
            return self.table.observe_all(self.possible_agents)
        return {
            agent: self._behind.get(seat, self.table).observe(seat) for seat, agent in enumerate(self.possible_agents)
        }

    def _infos(self) -> dict[str, dict[str, Any]]:
        """Who is asked. (Not the masks again: TorchRL's wrapper stumbles over masks in both places.)"""
        bits = self.table.turns.desk[WAITING]
        if self._sealed:
            bits &= ~sum(1 << seat for seat in self._sealed)
        return {agent: info.copy() for agent, info in self._waiting[bits]}

    def _asked(self) -> list[int]:
        """The seats that still decide: those who wait and have not sealed."""
        if not self._behind:
            return self.table.asked
        return [seat for seat in self.table.asked if seat not in self._sealed]

    def _decide(self, seat: int, action: int) -> None:
        """At the table, or behind the screen of this seat."""
        seals = self._seals.get(action)
        if seals is None:
            self.table.act(seat, action)
            return
        if seat not in self._behind:
            self._behind[seat], self._steps[seat] = self._own[seat], []
            self._own[seat].stand_as(self.table)
        self._behind[seat].do(seat, action, looker=seat)
        self._steps[seat].append(action)
        if seals:
            self._sealed.add(seat)

    def _do(self, chosen: Mapping[int, int]) -> int | None:
        """As `Table.act_all`, also where somebody has decided behind a screen, or does so now."""
        if not self._behind and self._stays_hidden.isdisjoint(chosen.values()):
            return self.table.act_all(chosen, SEATS)  # where all seal with their first action the screens go up at once
        wrong = next((s for s, a in chosen.items() if not self._behind.get(s, self.table).may(s, a)), None)
        if wrong is None:
            for seat, action in chosen.items():
                self._decide(seat, action)
            if self._behind and not self._asked():
                self._open()
        return wrong

    def _open(self) -> None:
        """All have sealed: what they decided happens, in the order of the seats."""
        steps = [(seat, action) for seat, actions in sorted(self._steps.items()) for action in actions]
        self._behind, self._steps, self._sealed = {}, {}, set()
        for seat, action in steps:
            self.table.do(seat, action, NOBODY)
            self.table.note(seat, action)

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        table, agents = self.table, self.possible_agents
        refused, loser = NOTHING_REFUSED, None
        wrong = self._do(self._chosen(actions)) if self._stays_hidden else table.act_all(actions, agents)
        if wrong is not None:
            refused, loser = self._mend(self._chosen(actions), wrong)
        self.steps += 1
        observations, infos = self._observations(), self._infos()
        if self.render_mode == "human":
            self.render()
        over, cut = table.over or loser is not None, self.steps == self.max_cycles
        if not over and not cut and not refused:
            return observations, self._nothing.copy(), self._no.copy(), self._no.copy(), infos
        for seat, sentence in refused.items():
            infos[agents[seat]]["refused"] = sentence
        rewards = dict(zip(agents, table.rewards(), strict=True)) if table.over else self._nothing.copy()
        if loser is not None:
            rewards[agents[loser]] = -1.0
        if over or cut:
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut and not over), infos

    def _chosen(self, actions: Mapping[str, int]) -> dict[int, int]:
        """Of these, what counts: the actions of the seats that are asked."""
        return {seat: int(actions[self.possible_agents[seat]]) for seat in self._asked()}

    def _mend(self, chosen: dict[int, int], first: int) -> tuple[Mapping[int, str], int | None]:
        """Another action for each that is not legal; the sentences why, and who has lost by that."""
        refused: dict[int, str] = {}
        wrong: int | None = first
        while wrong is not None:
            table = self._behind.get(wrong, self.table)
            if self.illegal == "raise":
                table.check(wrong, chosen[wrong])
            refused[wrong] = table.why_not(wrong, chosen[wrong])
            if self.illegal == "lose":
                return refused, wrong
            chosen[wrong] = table.legal_instead(wrong)
            wrong = self._do(chosen)
        return refused, None

    def render(self) -> str | np.ndarray[Any, Any] | None:
        return self._pictures.draw(self.table)

    def close(self) -> None:
        self._pictures.close()
