"""A game from a package of its own, installed beside ours: searched, rated, learnt from and checked, with no line here."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from installed import PIG, ROOT, install


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Runs Python where Pig is installed: `pig("-m", "ludoteca", …)`; what it says."""
    site = install(PIG, tmp_path_factory.mktemp("pig"))
    path = os.pathsep.join([str(ROOT / "src"), str(site), os.environ.get("PYTHONPATH", "")])

    def run(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": path}
        command = [sys.executable, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=site)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


def test_it_is_small_enough_to_be_read_at_once() -> None:
    lines = [line for path in (PIG / "ludoteca_pig").glob("*.py") for line in path.read_text("utf-8").splitlines()]
    assert len(lines) <= 150


def test_it_passes_its_own_tests_and_the_contract(pig: Any) -> None:
    told = pig("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(PIG / "tests"))
    assert " passed" in told


def test_the_arena_rates_its_bots(pig: Any) -> None:
    command = ("arena", "pig", "uniform", "expert", "--games", "60", "--processes", "2", "--json")
    told = json.loads(pig("-m", "ludoteca", *command))
    assert told["game"] == "pig" and told["bots"]["expert"]["rate"] > 0.75


def test_it_is_played_in_the_terminal_in_both_languages(pig: Any) -> None:
    watch = ("-m", "ludoteca", "play", "pig", "--watch", "--level", "novice", "--seed", "1", "--language")
    assert "Ada keeps" in pig(*watch, "en") and "Ada tiene" in pig(*watch, "it")


def test_every_environment_has_it(pig: Any) -> None:
    pig("-c", ENVIRONMENTS)


ENVIRONMENTS = """
import gymnasium, numpy as np
from pettingzoo.test import api_test, parallel_api_test
from ludoteca import envs
from ludoteca_pig import GAME

for which in ("pig", GAME, "ludoteca_pig:GAME"):
    env = envs.vector(which, 8)
    _, info = env.reset(seed=1)
    for _ in range(300):
        _, _, ended, _, info = env.step(info["legal"][np.arange(8), info["count"] - 1])
    assert not env.refused.any()
    single = envs.single(which, opponents="club")
    seen, info = single.reset(seed=2)
    over = False
    while not over:
        seen, reward, over, _, info = single.step(info["legal"][-1])
    assert reward in (-1.0, 1.0)
    state = envs.openspiel(which, seats=2).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert sorted(state.returns()) == [-1.0, 1.0]
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()):
    api_test(envs.aec("pig", seats=3), num_cycles=200)
    parallel_api_test(envs.parallel(GAME, seats=3), num_cycles=200)
assert "ludoteca/pig-v1" in envs.register()
gymnasium.make("ludoteca/pig-v1").reset(seed=1)
"""
