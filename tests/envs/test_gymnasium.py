"""Gymnasium's own checks, and the vector compared with single games byte for byte."""

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ludoteca import catalogue, envs
from ludoteca.bots import uniform
from ludoteca.core.chance import derive
from ludoteca.core.engine import compiled
from ludoteca.core.errors import BadData, Refusal
from ludoteca.envs.table import Table, rewards_of

GAMES = catalogue.keys(catalogue.HOUSE)


@pytest.mark.filterwarnings("ignore:.*")  # it warns of an environment that was not made by its id
@pytest.mark.parametrize("key", GAMES)
def test_check_env(key: str) -> None:
    check_env(envs.single(key, opponents="uniform"), skip_render_check=True)


@pytest.mark.parametrize("key", GAMES)
def test_uniform_bots_in_machine_code_play_as_the_bot_does(key: str) -> None:
    """Against the bot by name (machine code) and against the same bot as a function: the same games."""

    def uniformly(sight: Any) -> Any:
        return uniform.choose(sight.engine, sight.redacted, sight.seat, sight.seed)

    seats = max(catalogue.game(key).seats)
    games = []
    for opponents in ("uniform", uniformly):
        env = envs.single(key, seats=seats, seat=1, opponents=opponents)
        _, info = env.reset(seed=5)
        over = False
        for _ in range(60):
            if not over:
                assert env.observation_space["observation"].contains(env.table.observe(1)["observation"])
                _, _, over, _, info = env.step(info["legal"][-1])
        games.append((env.table.serialise(), env.table.play.decisions()))
    assert games[0] == games[1]


def test_importing_is_enough_to_make_an_environment() -> None:
    """In a fresh process, by the module's name and by the plain id."""
    script = """if True:
        import gymnasium
        env = gymnasium.make("ludoteca.envs:ludoteca/loot-v1", opponents="uniform")
        assert gymnasium.make("ludoteca/loot-v1").spec.id == "ludoteca/loot-v1"
        print(env.reset(seed=1)[1]["action_mask"].any())
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize("key", GAMES)
def test_somebody_plays_against_us_unless_we_want_to_be_alone(key: str) -> None:
    assert envs.single(key, opponents="uniform").table.seats == 2
    if 1 in catalogue.game(key).seats:
        assert envs.single(key, seats=1).table.seats == 1


def test_a_vector_of_the_same_id_is_the_same_game() -> None:
    chosen: Any = {"opponents": ["uniform", "greedy"], "seats": 3, "seat": 2, "form": "integer", "render_mode": "ansi"}
    many: Any = gymnasium.make_vec(
        "ludoteca/loot-v1", num_envs=2, vector_kwargs={"autoreset_mode": "SameStep"}, **chosen
    )
    one = gymnasium.make("ludoteca/loot-v1", **chosen)
    seen, info = many.reset(seed=[4, 5])
    alone, _ = one.reset(seed=4)
    ended = False
    while not ended:
        assert np.array_equal(seen["observation"][0], alone["observation"])
        actions = info["action_mask"].argmax(axis=1)
        seen, rewards, over, _, info = many.step(actions)
        alone, reward, ended, _, _ = one.step(actions[0])
        assert (rewards[0], over[0]) == (reward, ended)
    assert np.array_equal(info["final_obs"][0]["observation"], alone["observation"])
    assert isinstance(many.render()[0], str)
    many.close()
    selfplay = gymnasium.make_vec("ludoteca/loot-selfplay-v1", num_envs=3, seats=2)
    assert selfplay.reset(seed=1)[1]["seat"].shape == (3,)
    with pytest.raises(gymnasium.error.Error):
        gymnasium.make("ludoteca/loot-selfplay-v1")


@pytest.mark.parametrize("reward", ["rank", "win", "points", "margin"])
def test_rewards_by_choice_are_the_same_in_the_vector(reward: str) -> None:
    env = envs.vector("splendor", 8, seats=3, reward=reward)
    _, info = env.reset(seed=2)
    seen, luck = 0, np.random.default_rng(3)
    while not seen:
        _, _, ended, _, info = env.step(info["legal"][np.arange(8), (luck.random(8) * info["count"]).astype(np.int64)])
        for i in np.flatnonzero(ended):
            expected = rewards_of(info["ranks"][i].tolist(), env.points[i, :3].tolist(), reward)
            assert info["rewards"][i].tolist() == expected
            seen += 1
    assert rewards_of([1, 1, 3], [9, 9, 4], "win") == [0.5, 0.5, 0.0]
    assert rewards_of([1, 1, 3], [9, 9, 4], "margin") == [0.0, 0.0, -5.0]
    assert rewards_of([1, 1, 3], [9, 9, 4], "points") == [9.0, 9.0, 4.0]
    with pytest.raises(BadData, match="rank, win, points, margin"):
        envs.vector("splendor", 8, reward="glory")


@pytest.mark.parametrize("key", GAMES)
def test_registered_ids_make_environments(key: str) -> None:
    assert f"ludoteca/{key}-v1" in envs.register()
    env = gymnasium.make(f"ludoteca/{key}-v1", opponents="uniform")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert info["legal"] == np.flatnonzero(observation["action_mask"]).tolist()


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game_against_bots(key: str) -> None:
    env = envs.single(key, opponents="uniform", seat=0)
    luck = np.random.default_rng(1)
    _, info = env.reset(seed=4)
    over, rewards = False, []
    while not over:
        assert info["legal"], "we are asked although there is nothing to decide"
        _, reward, over, _, info = env.step(luck.choice(info["legal"]))
        rewards.append(reward)
    assert rewards[-1] == env.table.rewards()[0]
    assert not any(rewards[:-1])


def test_the_same_seed_gives_the_same_game() -> None:
    games = []
    for _ in range(2):
        env = envs.single("splendor", opponents="novice")
        _, info = env.reset(seed=9)
        for _ in range(15):
            _, _, _, _, info = env.step(info["legal"][0])
        games.append(env.table.serialise())
    assert games[0] == games[1]


def test_an_illegal_action_loses_or_raises() -> None:
    env = envs.single("splendor", opponents="uniform")
    env.reset(seed=1)
    wrong = catalogue.game("splendor").actions.read("pass")
    _, reward, over, _, info = env.step(wrong)
    assert (reward, over) == (-1.0, True)
    assert info["refused"] == "You may pass only when nothing else can be done."
    strict = envs.single("splendor", opponents="uniform", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(Refusal):
        strict.step(wrong)


# The vector.


def first_legal(masks: Any) -> Any:
    return masks.argmax(axis=1)


@pytest.mark.parametrize("key", GAMES)
def test_vector_equals_single_games_byte_for_byte(key: str) -> None:
    count, engine = 6, compiled(catalogue.game(key))
    seats = max(engine.game.seats)
    env = envs.vector(key, count, seats=seats)
    observation, info = env.reset(seed=11)
    singles = [engine.new() for _ in range(count)]
    for i, states in enumerate(singles):
        states[:] = env.states[i : i + 1]
    luck = np.random.default_rng(2)
    for _ in range(250):
        actions = np.array([luck.choice(np.flatnonzero(mask)) for mask in observation["action_mask"]])
        asked = info["seat"].copy()
        observation, mine, ended, _, info = env.step(actions)
        assert not mine[~ended].any() and not info["rewards"][~ended].any()
        for i, states in enumerate(singles):
            engine.decide(states, 0, int(asked[i]), int(actions[i]))
            if ended[i]:
                assert engine.is_over(states)
                result = engine.result(states)
                assert result.ranks == info["ranks"][i].tolist()
                assert rewards_of(result.ranks, result.scores) == info["rewards"][i].tolist()
                assert mine[i] == info["rewards"][i, asked[i]]
                states[:] = env.states[i : i + 1]  # dealt anew
            assert states.tobytes() == env.states[i : i + 1].tobytes()
            seat = engine.waiting(states)[0]
            redacted = engine.game.redact(states, 0, seat)
            assert info["seat"][i] == seat
            assert np.array_equal(observation["observation"][i], engine.observe(redacted, seat))
            legal = engine.legal(states, 0, seat)
            assert np.flatnonzero(observation["action_mask"][i]).tolist() == legal
            assert info["legal"][i, : info["count"][i]].tolist() == legal


def play_vector(key: str, count: Any, calls: Any, **settings: Any) -> tuple[list[bytes], Any]:
    """Everything a vector says in so many steps."""
    env = envs.vector(key, count, **settings)
    observation, info = env.reset(seed=8)
    luck, said = np.random.default_rng(5), []
    for _ in range(calls):
        actions = info["legal"][np.arange(count), (luck.random(count) * info["count"]).astype(np.int64)]
        observation, mine, ended, _, info = env.step(actions)
        parts = [*observation.values(), mine, ended, *(info[name] for name in ("seat", "rewards", "ranks", "count"))]
        said.append(b"".join(np.ascontiguousarray(part).tobytes() for part in parts))
    env.close()
    return said, env.states.tobytes()


@pytest.mark.parametrize("key", GAMES)
def test_threads_change_nothing(key: str) -> None:
    assert play_vector(key, 7, 150) == play_vector(key, 7, 150, threads=2) == play_vector(key, 7, 150, threads=9)


def test_alone_the_points_are_the_reward() -> None:
    env = envs.vector("loot", 4, seats=1)
    _, info = env.reset(seed=1)
    ended = np.zeros(4, np.bool_)
    while not ended.any():
        _, mine, ended, _, info = env.step(info["legal"][:, 0])
    assert np.array_equal(mine[ended], env.points[ended, 0])


def test_alone_against_the_robot_the_victory_is_the_reward() -> None:
    table = Table(catalogue.game("challengers"), 1)
    for advised, expected in ((max, 1.0), (min, -1.0)):
        table.seed(1)
        table.deal()
        while not table.is_over():
            redacted = table.redacted(0)
            table.act(0, advised(table.legal(0), key=lambda action: table.engine.appraise(redacted, 0, action)))
        assert table.rewards() == [expected] and expected == (1.0 if table.states["champion"][0] == 0 else -1.0)
    env = envs.vector("challengers", 64, seats=1)
    _, info = env.reset(seed=1)
    seen: set[float] = set()
    chance = np.random.default_rng(0)
    while len(seen) < 2:
        chosen = info["legal"][np.arange(64), (chance.random(64) * info["count"]).astype(np.int64)]
        _, mine, ended, _, info = env.step(chosen)
        seen |= set(mine[ended].tolist())
    assert seen == {-1.0, 1.0}


def test_vector_seeds_and_refusals() -> None:
    one, two = envs.vector("splendor", 8), envs.vector("splendor", 8)
    first, _ = one.reset(seed=3)
    second, _ = two.reset(seed=3)
    assert np.array_equal(first["observation"], second["observation"])
    before = one.states.tobytes()
    _, rewards, ended, _, info = one.step(np.full(8, 92))  # pass: not allowed
    assert info["refused"].all() and not ended.any() and not rewards.any()
    assert one.states.tobytes() == before
    for wrong in (-1, 93):
        assert one.step(np.full(8, wrong))[4]["refused"].all()
    assert not one.step(info["legal"][:, 0])[4]["refused"].any()


def test_what_is_handed_out_is_written_over_unless_it_is_a_copy() -> None:
    for copied in (False, True):
        env = envs.vector("splendor", 4, seats=2, copy=copied)
        seen, info = env.reset(seed=1)
        before = {name: part.copy() for name, part in (seen | info).items()}
        env.step(info["legal"][:, 0])
        same = [np.array_equal(before[name], part) for name, part in (seen | info).items()]
        assert all(same) == copied


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_a_vector_goes_on_by_itself(twin_of: Any) -> None:
    """A deep copy wrote into arrays of machine code that were another's; none could be pickled."""
    env = envs.vector("loot", 4, seats=2, threads=2, copy=True)
    _, info = env.reset(seed=1)
    env.step(info["legal"][:, 0])
    twin = twin_of(env)
    before = env.states.tobytes()
    seen = [twin.step(twin.legal[:, 0]) for _ in range(3)]
    assert env.states.tobytes() == before, "the copy plays its own games"
    for (observations, rewards, *_), (same, also, *_) in zip(seen, [env.step(env.legal[:, 0]) for _ in range(3)]):
        assert np.array_equal(observations["observation"], same["observation"]) and np.array_equal(rewards, also)
        assert np.array_equal(observations["action_mask"], same["action_mask"])


def test_a_vector_without_a_new_seed_goes_on_from_the_one_before() -> None:
    """As Gymnasium has it: a run is the same again from its first seed on; these deals were made of chance from outside."""
    deals = []
    for _ in range(2):
        env = envs.vector("splendor", 2, seats=2, copy=True)
        deals.append([env.reset(seed=seed)[0]["observation"] for seed in (4, None, None)])
    assert np.array_equal(deals[0], deals[1])
    assert len({deal.tobytes() for deal in deals[0]}) == 3, "and each is another deal"


def test_a_vector_can_be_split_between_workers() -> None:
    whole = envs.vector("splendor", 8)
    half = envs.vector("splendor", 4, first_game=4)
    all_of_it, _ = whole.reset(seed=6)
    part, _ = half.reset(seed=6)
    assert np.array_equal(all_of_it["observation"][4:], part["observation"])


@pytest.mark.parametrize("key", GAMES)
def test_tools_for_searchers(key: str) -> None:
    env = envs.aec(key)
    env.reset(seed=1)
    table = env.table
    seat = table.waiting()[0]
    twin = table.clone()
    twin.act(seat, twin.legal(seat)[0])
    assert twin.serialise() != table.serialise()
    twin.restore(table.serialise())
    assert twin.serialise() == table.serialise()
    guess = table.determinize(seat, derive(1, 2))
    assert table.game.redact(guess.states, 0, seat).tobytes() == table.redacted(seat).tobytes()
    assert all(" " in table.words(seat, action) or table.words(seat, action).istitle() for action in table.legal(seat))
