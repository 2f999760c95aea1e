"""OpenSpiel's own checks, for every game."""

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts, mcts

from ludoteca import catalogue, envs
from ludoteca.core.errors import BadData

GAMES = catalogue.keys(catalogue.HOUSE)


@pytest.mark.parametrize("at_once", [False, True], ids=["in turn", "at once"])
@pytest.mark.parametrize("key", GAMES)
def test_random_simulation(key: str, at_once: bool) -> None:
    game = envs.openspiel(key, seats=2, simultaneous=at_once)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("key", GAMES)
def test_serialisation_and_clones(key: str) -> None:
    game = envs.openspiel(key, seats=2, seed=3)
    state = game.new_initial_state()
    state.apply_action(17)
    for _ in range(12):
        state.apply_action(state.legal_actions()[-1])
    twin = state.clone()
    again = game.deserialize_state(state.serialize())
    for other in (twin, again):
        assert other.states.tobytes() == state.states.tobytes()
        assert str(other) == str(state)
    twin.apply_action(twin.legal_actions()[0])
    assert twin.states.tobytes() != state.states.tobytes()


@pytest.mark.parametrize("key", GAMES)
def test_resampled_states_look_the_same_to_the_player(key: str) -> None:
    game = envs.openspiel(key, seats=2, seed=5)
    state = game.new_initial_state()
    state.apply_action(0)
    luck = np.random.RandomState(1)
    for _ in range(20):
        state.apply_action(luck.choice(state.legal_actions()))
    player = state.current_player()
    other = state.resample_from_infostate(player, luck.random_sample)
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.observation_tensor(player) == state.observation_tensor(player)
    assert other.legal_actions() == state.legal_actions()
    assert other.states.tobytes() != state.states.tobytes()


def test_a_playthrough_can_be_written() -> None:
    text = generate_playthrough.playthrough("python_ludoteca_splendor", action_sequence=None, seed=1)
    assert "take_three" in text
    assert "IsTerminal() = True" in text


@pytest.mark.parametrize("key", GAMES)
def test_openspiels_own_search_plays_a_game(key: str) -> None:
    game = envs.openspiel(key, seats=2, seed=2)
    luck = np.random.RandomState(2)
    evaluator = mcts.RandomRolloutEvaluator(1, luck)
    bot = ismcts.ISMCTSBot(game=game, evaluator=evaluator, uct_c=1.0, max_simulations=2, random_state=luck)
    state = game.new_initial_state()
    state.apply_action(1)
    for number in range(4000):
        if state.is_terminal():
            break
        if state.current_player() == 0 and number < 20:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(luck.choice(state.legal_actions()))
    assert state.is_terminal()
    assert len(state.returns()) == game.num_players()


# What OpenSpiel knows of a game.


def test_zero_sum_is_said_where_it_is() -> None:
    zero = pyspiel.GameType.Utility.ZERO_SUM
    assert envs.openspiel("splendor").get_type().utility == zero
    assert envs.openspiel("loot", seats=3).get_type().utility == zero
    assert envs.openspiel("loot", seats=3).utility_sum() == 0
    assert envs.openspiel("loot", seats=1).get_type().utility != zero
    assert envs.openspiel("splendor", reward="points").get_type().utility != zero


def test_names_are_known_in_a_fresh_process() -> None:
    """By import, and to whoever reads a game or a state that another process wrote down."""
    game = envs.openspiel("loot", seats=2, seed=3, deals=8)
    state = game.new_initial_state()
    state.apply_action(5)
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
    written = pyspiel.serialize_game_and_state(game, state)
    script = f"""if True:
        import pickle, pyspiel, ludoteca.envs.openspiel_game
        game, state = pyspiel.deserialize_game_and_state({written!r})
        assert str(pickle.loads({pickle.dumps(game)!r})) == str(game)
        print(state.information_state_string(0), pyspiel.load_game("python_ludoteca_loot(players=3)").num_players())
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == f"{state.information_state_string(0)} 3\n", done.stderr


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"options": {"edition": "golden"}}, "«edition» can be marvel, base; not «golden»"),
        ({"options": {"colour": "red"}}, "has no option «colour»"),
        ({"seats": 7}, "is for 2 to 4 players"),
        ({"deals": "many"}, "«deals» is a whole number, not «many»"),
        ({"seats": "two"}, "«players» is a whole number, not «two»"),
        ({"deals": 0}, "«deals» is at least 1, not 0"),
        ({"reward": "glory"}, "rank, win, points, margin"),
    ],
)
def test_what_cannot_be_played_is_a_sentence(settings: Any, sentence: str) -> None:
    with pytest.raises(BadData, match=sentence):
        envs.openspiel("splendor", **settings)


def test_deals_and_options_are_taken() -> None:
    game = envs.openspiel("splendor", deals=3, options={"edition": "base"})
    state = game.new_initial_state()
    assert len(state.chance_outcomes()) == game.max_chance_outcomes() == 3
    state.apply_action(2)
    assert state.states["edition"][0] == 1
    with pytest.raises(BadData, match="not «golden»"):
        pyspiel.load_game("python_ludoteca_splendor(edition=golden)")


@pytest.mark.parametrize("key", GAMES)
def test_joint_nodes_have_an_action_for_everybody(key: str) -> None:
    game = envs.openspiel(key, seats=2, simultaneous=True)
    state = game.new_initial_state()
    state.apply_action(0)
    waited, luck = 0, np.random.RandomState(3)
    for _ in range(60):
        if state.is_terminal():
            break
        assert state.is_simultaneous_node()
        legal = [state.legal_actions(player) for player in range(2)]
        assert all(legal)
        waited += [game.num_distinct_actions() - 1] in legal
        assert all(any(state.legal_actions_mask(player)) for player in range(2))
        state.apply_actions([luck.choice(actions) for actions in legal])
    assert waited or key in ("loot", "challengers")


def test_an_information_state_remembers() -> None:
    """Two ways to the same position: what is seen is the same, what is known is not."""
    game = envs.openspiel("splendor", seed=3)
    state = game.new_initial_state()
    state.apply_action(1)
    before = state.information_state_tensor(0)
    assert len(before) == game.information_state_tensor_shape()[0] > len(state.observation_tensor(0))
    twin = state.clone()
    for one, action in ((state, 0), (twin, 1)):
        one.apply_action(one.legal_actions()[action])
    size = len(state.observation_tensor(0))
    assert before[size:] != state.information_state_tensor(0)[size:] != twin.information_state_tensor(0)[size:]
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 0)
    assert np.allclose(observer.tensor, state.information_state_tensor(0))


def test_a_small_game_can_be_solved() -> None:
    """Few deals that look alike, late in a game, few decisions: exact exploitability, and CFR brings it down."""
    game = envs.openspiel("splendor", deals=2, common=True, after=50, width=2, decisions=4)
    at_first = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRSolver(game)
    for _ in range(6):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < at_first / 2
    states = [game.new_initial_state() for _ in range(2)]
    for deal, state in enumerate(states):
        state.apply_action(deal)
        assert len(state.legal_actions()) == 2
    assert states[0].observation_string(0) == states[1].observation_string(0), "nobody can tell the deals apart"
    assert states[0].states.tobytes() != states[1].states.tobytes()
