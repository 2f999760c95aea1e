"""The search over any game: two deciding at once, wide action spaces, playing alone, forced moves."""

import dataclasses
import importlib.util
import pathlib
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.bots import levels, search
from ludoteca.bots.search import Settings, Thought


def load_toy() -> Any:
    path = pathlib.Path(__file__).with_name("hide_and_seek.py")
    spec = importlib.util.spec_from_file_location("hide_and_seek", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["hide_and_seek"] = module
    spec.loader.exec_module(module)
    return module


toy = load_toy()


@pytest.fixture(scope="module")
def engine() -> Any:
    return levels.prepare(toy.GAME)


@pytest.fixture(scope="module")
def splendor() -> Any:
    return levels.prepare(catalogue.game("splendor"))


def choose(engine: Any, states: Any, seat: int, seed: int = 1, **settings: Any) -> int:
    return search.choose(engine, engine.game.redact(states, 0, seat), seat, seed, Settings(**settings))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nobody_answers_a_choice_that_is_still_sealed(engine: Any, seed: int) -> None:
    """A seeker who saw the hiding place would always find it, and staying at home would look best."""
    assert choose(engine, engine.start(2), 0, seed) != toy.AT_HOME


def test_the_last_to_decide_does_not_see_what_is_sealed(engine: Any) -> None:
    states = engine.start(2)
    engine.apply(states, 0, 0, 77)
    other = engine.start(2)
    engine.apply(other, 0, 0, 1234)
    assert choose(engine, states, 1) == choose(engine, other, 1)


def test_alone_it_goes_for_points(engine: Any) -> None:
    assert choose(engine, engine.start(1), 0, iterations=500) == toy.BEST_ALONE


def test_at_a_table_of_four_the_end_seemed_better_than_any_position_before_it() -> None:
    """Ends were worth 0.375 on average and positions 0.25, so that whoever could end the game was too fond of it."""
    for chances, ranks in (([0.25] * 4, [1, 1, 1, 1]), ([1.0, 0.0, 0.0, 0.0], [1, 2, 2, 2])):
        before, end = np.array(chances), np.empty(4)
        search.count_ranks_too(4, before)
        search.judge_ranks(4, np.array(ranks), end)
        assert before == pytest.approx(end)
    third = np.array([0.6, 0.3, 0.1])
    search.count_ranks_too(3, third)
    assert third == pytest.approx([0.3 + (2 / 3 + 6 / 7) / 4, 0.15 + (1 / 3 + 3 / 4) / 4, 0.05 + (1 / 7 + 1 / 4) / 4])


def test_mixing_draws_by_visits_among_the_best() -> None:
    tried = [search.Tried(70, 60, 0.5), search.Tried(71, 30, 0.6), search.Tried(72, 10, 0.9)]
    assert {search.favourite(tried, 0.0, seed) for seed in range(900)} == {70}
    mixed = Counter(search.favourite(tried, 2 / 3, seed) for seed in range(900))
    assert mixed == {70: 600, 71: 300}


def test_several_trees_are_added_up() -> None:
    lines = [{1: (10, 5.0), 2: (30, 12.0)}, {1: (25, 20.0), 3: (1, 1.0)}]
    found = search.added_up(lines)
    assert [(one.action, one.visits) for one in found] == [(1, 35), (2, 30), (3, 1)]
    assert found[0].worth == pytest.approx(25 / 35)


def think(engine: Any, states: Any, seat: int, seed: int = 1, **settings: Any) -> Thought:
    return search.think(engine, engine.game.redact(states, 0, seat), seat, seed, Settings(**settings))


def test_threads_search_trees_of_their_own(splendor: Any) -> None:
    states = splendor.start(2, {}, 3)
    one, two = (think(splendor, states, 0, iterations=300, threads=n) for n in (1, 2))
    assert sum(t.visits for t in one.tried) == 300
    assert sum(t.visits for t in two.tried) == 600
    assert think(splendor, states, 0, iterations=300, threads=2) == two, "which thread is quicker makes no difference"


def test_time_ends_a_search_that_has_iterations_left(splendor: Any) -> None:
    states = splendor.start(2, {}, 3)
    hurried = think(splendor, states, 0, iterations=1_000_000, seconds=1e-6)
    assert sum(t.visits for t in hurried.tried) == search.BETWEEN_CLOCKS
    unhurried = think(splendor, states, 0, iterations=300, seconds=1000.0)
    assert unhurried == think(splendor, states, 0, iterations=300), "in parts or at once is the same"


def test_a_prior_spends_less_on_what_looks_bad(splendor: Any) -> None:
    """PUCT is told apart from UCB: it tries as many actions and thinks longest about those that look best."""
    states = splendor.start(2, {}, 3)
    plain, led = (
        think(splendor, states, 0, iterations=600, exploration=0.6, prior=p, temperature=0.1) for p in (0.0, 1.0)
    )
    redacted = splendor.game.redact(states, 0, 0)

    def looks(thought: Any) -> Any:
        return sum(t.visits * splendor.appraise(redacted, 0, t.action) for t in thought.tried) / 600

    assert led != plain
    assert looks(led) > looks(plain)


def test_it_mixes_only_where_others_decide_at_the_same_time(engine: Any) -> None:
    for seats in (1, 2):
        states = engine.start(seats)
        mixed = [choose(engine, states, 0, seed, iterations=500, mixing=1.0) for seed in range(6)]
        favourites = [choose(engine, states, 0, seed, iterations=500) for seed in range(6)]
        assert (mixed == favourites) == (seats == 1)


def test_alone_against_the_game_it_goes_for_the_victory(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "game", dataclasses.replace(engine.game, rival_alone=True))
    assert choose(engine, engine.start(1), 0, iterations=500) == toy.BEATEN_ALONE
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=toy.ALONE) == toy.BEATEN_ALONE


def test_seconds_had_no_effect_where_candidates_are_compared(engine: Any) -> None:
    states, many = engine.start(1), {"candidates": toy.ALONE}
    hurried = think(engine, states, 0, iterations=1_000_000, seconds=1e-6, **many)
    assert sum(one.visits for one in hurried.tried) <= search.BETWEEN_CLOCKS + toy.ALONE
    unhurried = think(engine, states, 0, iterations=500, seconds=1000.0, **many)
    assert unhurried == think(engine, states, 0, iterations=500, **many)


def test_without_a_tree_the_candidates_are_compared(engine: Any) -> None:
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=toy.ALONE) == toy.BEST_ALONE
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=3) == 2, "the best of the first three"
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=1) == 0, "the best looking needs no proof"


def test_a_turn_is_judged_before_the_action_that_ends_it(engine: Any) -> None:
    best = f"place {toy.BEST_ALONE}"
    assert (
        choose(engine, engine.start(1), 0, iterations=500, candidates=toy.ALONE, until="place 1999") == toy.BEST_ALONE
    )
    chosen = choose(engine, engine.start(1), 0, iterations=500, candidates=toy.ALONE, until=best)
    assert chosen in (toy.BEST_ALONE - 1, toy.BEST_ALONE + 1), "nothing has been chosen yet where the turn would end"


@pytest.mark.parametrize(
    "settings", [{"rounds": 1}, {"rounds": 2, "looks": 0}, {"rounds": 1, "looks": 0, "candidates": 4}]
)
def test_play_outs_may_end_with_a_round(splendor: Any, settings: dict[str, int]) -> None:
    states = splendor.start(2, {}, 3)
    chosen = choose(splendor, states, 0, iterations=200, **settings)
    assert chosen in splendor.legal(states, 0, 0) and chosen == choose(splendor, states, 0, iterations=200, **settings)


def test_alone_games_are_played_to_their_end_whatever_ends_a_play_out() -> None:
    loot = levels.prepare(catalogue.game("loot"))
    to_the_end, by_rounds = (
        think(loot, loot.start(1, {}, 3), 0, iterations=64, candidates=4, rounds=r) for r in (0, 1)
    )
    assert to_the_end == by_rounds


def test_a_closed_node_takes_no_child_unless_nothing_tried_is_possible() -> None:
    tree = np.zeros(2, search.NODE).view(np.recarray)
    tree[0].visits = 100
    assert search.may_try_another(tree, 0, 2, 5, 50, 1.0)
    assert not search.may_try_another(tree, 0, 2, 5, 5, 1.0), "all have been tried"
    assert not search.may_try_another(tree, 0, 2, 11, 50, 1.0), "enough for a hundred visits"
    tree[0].closed = 1 << 2
    assert not search.may_try_another(tree, 0, 2, 5, 50, 1.0)
    assert search.may_try_another(tree, 0, 1, 5, 50, 1.0), "another seat has its own"
    assert search.may_try_another(tree, 0, 2, 0, 50, 1.0), "another guess may leave nothing else"


def test_same_seed_same_choice_and_other_seeds_differ(engine: Any) -> None:
    states = engine.start(2)
    assert choose(engine, states, 0, 5) == choose(engine, states, 0, 5)
    assert len({choose(engine, states, 0, seed) for seed in range(8)}) > 1


def test_a_forced_action_is_made_at_once(splendor: Any) -> None:
    states = splendor.start(2)
    states["bank"][0, :5] = 0
    states["bank"][0, 0] = 1
    states["in_hand"][0, 0] = 3
    assert splendor.legal(states, 0, 0) == [splendor.game.actions.encode("take_one", 1)]
    redacted = splendor.game.redact(states, 0, 0)
    room_for_none = Settings(iterations=0)  # a search of nothing could choose nothing
    assert search.choose(splendor, redacted, 0, 1, room_for_none) == splendor.legal(states, 0, 0)[0]


def a_win_on_the_table(splendor: Any) -> tuple[Any, list[Any]]:
    """A position in which seat 1 can win at once, and the actions that do it."""
    states = splendor.start(2, {"edition": "base"}, 4)
    states["points"][0, 0] = 14
    states["points"][0, 1] = 13
    states["turn"], states["waiting"][0] = 1, (0, 1, 0, 0)
    states["tokens"][0, 1, :5] = 3
    states["points"][0, 1] = 14
    cards = [a for a in splendor.legal(states, 0, 1) if splendor.game.actions.decode(a).kind == "recruit"]
    winning = []
    for action in cards:
        after = states.copy()
        splendor.apply(after, 0, 1, action)
        if splendor.is_over(after) and splendor.result(after).ranks[1] == 1:
            winning.append(action)
    assert winning, "the scene offers a win"
    return states, winning


def test_it_sees_the_win_that_lies_on_the_table(splendor: Any) -> None:
    """§9.1 Whoever can recruit the last point needed does so."""
    states, winning = a_win_on_the_table(splendor)
    assert choose(splendor, states, 1) in winning


def test_more_thought_beats_less(splendor: Any) -> None:
    from ludoteca.lab import arena

    result = arena.run(splendor.game, ["greedy", "search:iterations=60"], 24, seed=3, workers=1)
    assert result.standings[1].wins >= 16


def compared(gains: list[list[float]], expected: list[float]) -> tuple[Any, Any]:
    """The table that `compare` keeps, of what each candidate gained in each guess, and the candidates."""
    sums = [[sum(one) for one in gains], [sum(gain**2 for gain in one) for one in gains], expected]
    return np.array(sums), np.arange(len(gains))


def test_what_experience_expects_counts_as_so_many_guesses() -> None:
    gained, tried = compared([[0.0] * 4, [0.2, 0.0, 0.2, 0.0]], [0.0, -0.05])
    assert search.gain(gained, 1, 4, 0, 2, 0.0) == pytest.approx(0.1)
    assert search.gain(gained, 1, 4, 4, 2, 0.0) == pytest.approx((0.1 - 0.05) / 2)
    assert search.clear_winner(gained, tried, 2, 4, 4, 2) == 1
    assert search.clear_winner(gained, tried, 2, 4, 12, 2) == 0, "four lucky guesses are less than what many games say"


def test_what_experience_thinks_hopeless_is_not_even_tried() -> None:
    gained, tried = compared([[], [], []], [0.0, -0.5, -0.01])
    assert search.drop_losers(gained, tried, 3, 0, 64, 2) == 2
    assert tried[:2].tolist() == [0, 2]
    assert gained[2, :2].tolist() == [0.0, -0.01]
