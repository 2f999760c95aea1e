"""A deck of one's own through every door: `options={"deck": "my.json"}` (docs/balance.md)."""

from __future__ import annotations

import json
import pathlib
import random
from typing import Any

import gymnasium
import numpy as np
import pytest

from ludoteca import catalogue, envs
from ludoteca.core.decks import as_file, form_of
from ludoteca.core.errors import BadData

SHORT = 5  # spaces of the score track: far fewer than the printed sheet has


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The options of a sheet on which games are soon over."""
    loot = catalogue.listed("loot")
    form = form_of(loot, "")
    sheet = {**json.loads(as_file(loot, form, form.printed())), "score_spaces": SHORT}
    path: pathlib.Path = tmp_path_factory.mktemp("decks") / "short.json"
    path.write_text(json.dumps(sheet), "utf-8")
    return {"deck": str(path)}


def drawn(mask: Any, luck: random.Random) -> int:
    return luck.choice(np.flatnonzero(mask).tolist())


def points_of(table: Any) -> int:
    """The most that anybody has at the end."""
    assert table.game.deck is not None and table.is_over()
    return int(max(table.engine.result(table.states).scores))


def test_pettingzoo_one_after_the_other(deck: dict[str, str]) -> None:
    env, luck = envs.aec("loot", seats=2, options=deck), random.Random(1)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else drawn(seen["action_mask"], luck))
        assert agent in env.possible_agents
    assert points_of(env.table) >= SHORT


def test_pettingzoo_all_at_once(deck: dict[str, str]) -> None:
    env, luck = envs.parallel("loot", seats=2, options=deck), random.Random(2)
    seen, _ = env.reset(seed=2)
    while env.agents:
        seen, *_ = env.step({agent: drawn(each["action_mask"], luck) for agent, each in seen.items()})
    assert points_of(env.table) >= SHORT


@pytest.mark.parametrize("by", ["single", "make"])
def test_gymnasium(deck: dict[str, str], by: str) -> None:
    settings: dict[str, Any] = {"seats": 2, "opponents": "uniform", "options": deck}
    env: Any = envs.single("loot", **settings) if by == "single" else gymnasium.make("ludoteca/loot-v1", **settings)
    luck = random.Random(3)
    seen, _ = env.reset(seed=3)
    over = False
    while not over:
        seen, _, over, _, _ = env.step(drawn(seen["action_mask"], luck))
    assert points_of(env.unwrapped.table) >= SHORT


def test_vectors_of_games_end_as_soon(deck: dict[str, str]) -> None:
    def games_over(options: dict[str, str]) -> int:
        env, luck = envs.vector("loot", 16, seats=2, options=options), random.Random(4)
        seen, _ = env.reset(seed=4)
        ended = 0
        for _ in range(120):
            actions = np.array([drawn(mask, luck) for mask in seen["action_mask"]])
            seen, _, over, _, _ = env.step(actions)
            ended += int(over.sum())
        return ended

    assert games_over(deck) > games_over({})


def test_openspiel(deck: dict[str, str]) -> None:
    game, luck = envs.openspiel("loot", seats=2, options=deck), random.Random(5)
    assert game.get_type().short_name != envs.openspiel("loot", seats=2).get_type().short_name
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(luck.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(luck.choice(state.legal_actions()))
    assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])


def test_a_deck_that_is_not_there_is_refused_in_words() -> None:
    for door in (envs.aec, envs.parallel, envs.single, envs.vector, envs.openspiel):
        with pytest.raises(BadData, match="There is no deck"):
            door("loot", options={"deck": "nowhere.json"})
