"""OpenSpiel's own checks, for every game."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts

from ludoteca import catalogue, envs

GAMES = catalogue.keys(catalogue.HOUSE)


@pytest.mark.parametrize("at_once", [False, True], ids=["in turn", "at once"])
@pytest.mark.parametrize("key", GAMES)
def test_random_simulation(key, at_once):
    game = envs.openspiel(key, seats=2, simultaneous=at_once)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("key", GAMES)
def test_serialisation_and_clones(key):
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
def test_resampled_states_look_the_same_to_the_player(key):
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


def test_a_playthrough_can_be_written():
    text = generate_playthrough.playthrough("python_ludoteca_splendor", action_sequence=None, seed=1)
    assert "take_three" in text
    assert "IsTerminal() = True" in text


@pytest.mark.parametrize("key", GAMES)
def test_openspiels_own_search_plays_a_game(key):
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
