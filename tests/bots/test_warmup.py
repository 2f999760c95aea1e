"""Games are compiled side by side, in two parts each: rules before the search, the longest first; who fails fails alone."""

import queue
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.bots import warmup
from ludoteca.bots.warmup import RULES, SEARCH, Step, compile_games, longest_first

Steps = queue.SimpleQueue[Step]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What was run, in order; the first of all games cannot be compiled."""
    found: list[tuple[str, str]] = []
    broken = catalogue.keys()[0]

    def run(key: str, part: str, steps: Steps) -> bool:
        found.append((key, part))
        steps.put(Step(key, part, int(part == SEARCH), 1, failed=key == broken))
        return key != broken

    monkeypatch.setattr(warmup, "_run", run)
    return found


def test_all_rules_come_before_the_first_search_and_a_game_that_fails_has_none(ran: list[Any]) -> None:
    broken, *others = games = list(catalogue.keys())
    steps = list(compile_games(games, workers=1))
    order = longest_first(games)
    assert ran == [(key, RULES) for key in order] + [(key, SEARCH) for key in order if key != broken]
    assert {step.game for step in steps if step.failed} == {broken}
    assert {step.game for step in steps if step.done == step.of} == set(others)


def test_a_process_that_dies_is_a_step_that_failed() -> None:
    steps: Steps = queue.SimpleQueue()
    assert not warmup._run("nowhere:GAME", RULES, steps)
    assert steps.get_nowait() == Step("nowhere:GAME", RULES, 0, 1, failed=True)
