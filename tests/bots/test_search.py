"""The search over any game: two deciding at once, wide action spaces, playing alone, forced moves."""

import dataclasses
import importlib.util
import pathlib
import sys
from collections import Counter

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.bots import levels, search
from ludoteca.bots.search import Settings


def load_toy():
    path = pathlib.Path(__file__).with_name("hide_and_seek.py")
    spec = importlib.util.spec_from_file_location("hide_and_seek", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["hide_and_seek"] = module
    spec.loader.exec_module(module)
    return module


toy = load_toy()


@pytest.fixture(scope="module")
def engine():
    return levels.prepare(toy.GAME)


@pytest.fixture(scope="module")
def splendor():
    return levels.prepare(catalogue.game("splendor"))


def choose(engine, states, seat, seed=1, **settings):
    return search.choose(engine, engine.game.redact(states, 0, seat), seat, seed, Settings(**settings))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nobody_answers_a_choice_that_is_still_sealed(engine, seed):
    """A seeker who saw the hiding place would always find it, and staying at home would look best."""
    assert choose(engine, engine.start(2), 0, seed) != toy.AT_HOME


def test_the_last_to_decide_does_not_see_what_is_sealed(engine):
    states = engine.start(2)
    engine.apply(states, 0, 0, 77)
    other = engine.start(2)
    engine.apply(other, 0, 0, 1234)
    assert choose(engine, states, 1) == choose(engine, other, 1)


def test_alone_it_goes_for_points(engine):
    assert choose(engine, engine.start(1), 0, iterations=500) == toy.BEST_ALONE


def test_mixing_draws_by_visits_among_the_best():
    tree = np.zeros(5, search.NODE).view(np.recarray)
    for child, (seat, action, visits) in enumerate([(0, 70, 60), (0, 71, 30), (0, 72, 10), (1, 73, 100)], 1):
        search.add_child(tree, child, 0, seat, action)
        tree[child].visits = visits
    assert search.most_visits(tree, 0) == 60

    def drawn(least):
        return Counter(search.drawn_by_visits(tree, 0, least, np.array([seed])) for seed in range(900))

    assert drawn(60) == {70: 900}
    mixed = drawn(20)
    assert set(mixed) == {70, 71}
    assert 540 < mixed[70] < 660


def test_it_mixes_only_where_others_decide_at_the_same_time(engine):
    for seats in (1, 2):
        states = engine.start(seats)
        mixed = [choose(engine, states, 0, seed, iterations=500, mixing=1.0) for seed in range(6)]
        favourites = [choose(engine, states, 0, seed, iterations=500) for seed in range(6)]
        assert (mixed == favourites) == (seats == 1)


def test_alone_against_the_game_it_goes_for_the_victory(engine, monkeypatch):
    monkeypatch.setattr(engine, "game", dataclasses.replace(engine.game, rival_alone=True))
    assert choose(engine, engine.start(1), 0, iterations=500) == toy.BEATEN_ALONE
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=toy.ALONE) == toy.BEATEN_ALONE


def test_without_a_tree_the_candidates_are_compared(engine):
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=toy.ALONE) == toy.BEST_ALONE
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=3) == 2, "the best of the first three"
    assert choose(engine, engine.start(1), 0, iterations=500, candidates=1) == 0, "the best looking needs no proof"


@pytest.mark.parametrize(
    "settings", [{"rounds": 1}, {"rounds": 2, "looks": 0}, {"rounds": 1, "looks": 0, "candidates": 4}]
)
def test_play_outs_may_end_with_a_round(splendor, settings):
    states = splendor.start(2, {}, 3)
    chosen = choose(splendor, states, 0, iterations=200, **settings)
    assert chosen in splendor.legal(states, 0, 0) and chosen == choose(splendor, states, 0, iterations=200, **settings)


def test_a_closed_node_takes_no_child_unless_nothing_tried_is_possible():
    tree = np.zeros(2, search.NODE).view(np.recarray)
    tree[0].visits = 100
    assert search.may_try_another(tree, 0, 2, 5, 50, 1.0)
    assert not search.may_try_another(tree, 0, 2, 5, 5, 1.0), "all have been tried"
    assert not search.may_try_another(tree, 0, 2, 11, 50, 1.0), "enough for a hundred visits"
    tree[0].closed = 1 << 2
    assert not search.may_try_another(tree, 0, 2, 5, 50, 1.0)
    assert search.may_try_another(tree, 0, 1, 5, 50, 1.0), "another seat has its own"
    assert search.may_try_another(tree, 0, 2, 0, 50, 1.0), "another guess may leave nothing else"


def test_same_seed_same_choice_and_other_seeds_differ(engine):
    states = engine.start(2)
    assert choose(engine, states, 0, 5) == choose(engine, states, 0, 5)
    assert len({choose(engine, states, 0, seed) for seed in range(8)}) > 1


def test_a_forced_action_is_made_at_once(splendor):
    states = splendor.start(2)
    states["bank"][0, :5] = 0
    states["bank"][0, 0] = 1
    states["in_hand"][0, 0] = 3
    assert splendor.legal(states, 0, 0) == [splendor.game.actions.encode("take_one", 1)]
    redacted = splendor.game.redact(states, 0, 0)
    room_for_none = Settings(iterations=0)  # a search of nothing could choose nothing
    assert search.choose(splendor, redacted, 0, 1, room_for_none) == splendor.legal(states, 0, 0)[0]


def test_it_sees_the_win_that_lies_on_the_table(splendor):
    """§9.1 Whoever can recruit the last point needed does so."""
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
    assert choose(splendor, states, 1) in winning


def test_more_thought_beats_less(splendor):
    from ludoteca.lab import arena

    result = arena.run(splendor.game, ["greedy", "search:iterations=60"], 24, seed=3, workers=1)
    assert result.standings[1].wins >= 16
