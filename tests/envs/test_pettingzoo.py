"""PettingZoo's own suites, for every game."""

import copy
import json
import logging
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo import ParallelEnv
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from websockets.sync.client import connect
from websockets.typing import Origin

from ludoteca import catalogue, envs
from ludoteca.core.engine import compiled
from ludoteca.core.errors import IllegalAction
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR
from ludoteca.envs import window

GAMES = catalogue.keys(catalogue.HOUSE)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")  # it advises against observations with a mask


@pytest.mark.parametrize("key", GAMES)
def test_aec_api(key: str) -> None:
    api_test(envs.aec(key), num_cycles=300, verbose_progress=False)


@pytest.mark.parametrize("key", GAMES)
def test_parallel_api(key: str) -> None:
    parallel_api_test(envs.parallel(key), num_cycles=300)


@pytest.mark.parametrize("key", GAMES)
def test_seeds(key: str) -> None:
    seed_test(lambda **_: envs.aec(key), num_cycles=60)


@pytest.mark.parametrize("illegal", ["replace", "lose"])
@pytest.mark.parametrize("key", GAMES)
def test_parallel_seeds(key: str, illegal: str) -> None:
    """The suite draws actions without looking at the mask: another one is done in their place, or the game is lost."""
    parallel_seed_test(lambda: envs.parallel(key, seats=2, illegal=illegal), num_cycles=20)


class Module:
    """As PettingZoo's tests want an environment: a module with two functions."""

    @staticmethod
    def env(**settings: Any) -> Any:
        return envs.aec("loot", seats=1, illegal="replace", **settings)

    @staticmethod
    def parallel_env(**settings: Any) -> Any:
        return envs.parallel("loot", seats=1, illegal="replace", **settings)


def test_cycles_are_counted_as_pettingzoo_counts_them() -> None:
    """Alone: with others, its count takes for granted that each seat decides exactly once in a cycle."""
    max_cycles_test(Module)


@pytest.mark.parametrize("key", GAMES)
def test_nobody_has_a_mask_of_zeros(key: str) -> None:
    env = envs.parallel(key, seats=2)
    wait = len(catalogue.game(key).actions)
    luck = np.random.default_rng(2)
    seen, infos = env.reset(seed=3)
    waited = 0
    for _ in range(150):
        for agent, observation in seen.items():
            mask = observation["action_mask"]
            assert env.observation_space(agent).contains(observation)
            assert mask.any()
            assert bool(mask[wait]) != infos[agent]["waiting"], "to wait is the only action of who is not asked"
            waited += int(mask[wait])
        if not env.agents:
            break
        seen, _, _, _, infos = env.step(
            {a: int(luck.choice(np.flatnonzero(o["action_mask"]))) for a, o in seen.items()}
        )
    assert waited
    with pytest.raises(ValueError, match="noop, zero"):
        envs.parallel(key, idle="sleep")
    old = envs.parallel(key, seats=2, idle="zero")
    assert old.action_space("seat_0").n == wait


def test_what_becomes_of_an_illegal_action() -> None:
    wrong = catalogue.game("splendor").actions.read("pass")
    for make in (envs.aec, envs.parallel):
        with pytest.raises(ValueError, match="raise, lose, replace"):
            make("splendor", illegal="ignore")
    env = envs.aec("splendor", illegal="lose")
    env.reset(seed=1)
    env.step(wrong)
    assert env.rewards == {"seat_0": -1.0, "seat_1": 0.0}
    assert env.infos["seat_0"]["refused"] == "You may pass only when nothing else can be done."
    assert all(env.terminations.values())
    env = envs.aec("splendor", illegal="replace")
    env.reset(seed=1)
    env.step(wrong)
    assert env.table.play.seq == 1 and not any(env.terminations.values())
    table = envs.parallel("splendor", illegal="lose")
    table.reset(seed=1)
    _, rewards, over, _, infos = table.step({"seat_0": wrong, "seat_1": 0})
    assert (rewards, all(over.values())) == ({"seat_0": -1.0, "seat_1": 0.0}, True)
    assert "pass only" in infos["seat_0"]["refused"]


def test_a_step_without_everybody_s_action_does_nothing() -> None:
    env = envs.parallel("loot", seats=2)
    observations, infos = env.reset(seed=4)
    assert all(info["waiting"] for info in infos.values())
    before = env.table.serialise()
    with pytest.raises(KeyError):
        env.step({"seat_0": int(observations["seat_0"]["action_mask"].argmax())})
    env.table.observe_all()
    env.table.mask(1)
    assert env.table.serialise() == before and env.table.play.seq == 0


def test_what_was_handed_out_stays_as_it_is() -> None:
    """All of it is made in one tray, which the next step writes over."""
    env = envs.parallel("loot", seats=3)
    seen, _ = env.reset(seed=1)
    handed_out = []
    for _ in range(5):
        handed_out += [(array, array.copy()) for observation in seen.values() for array in observation.values()]
        seen, *_ = env.step({agent: int(found["action_mask"].argmax()) for agent, found in seen.items()})
    again = env.table.observe(1)
    again["action_mask"][:] = 1
    assert all((array == kept).all() for array, kept in handed_out)
    assert (env.table.observe(1)["action_mask"] == seen["seat_1"]["action_mask"]).all()


@pytest.mark.parametrize("key", GAMES)
def test_a_deal_is_the_one_that_the_engine_makes(key: str) -> None:
    env = envs.aec(key, seats=max(catalogue.game(key).seats))
    for _ in range(2):
        env.reset(seed=4)
        table = env.table
        assert table.serialise() == table.engine.start(table.seats, table.options, table.dealt).tobytes()
        env.step(int(env.last()[0]["action_mask"].argmax()))


def test_an_environment_can_be_copied_for_a_search() -> None:
    env = envs.aec("splendor")
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    twin.step(int(twin.last()[0]["action_mask"].argmax()))
    assert (twin.table.play.seq, env.table.play.seq) == (1, 0)
    assert twin.table.serialise() != env.table.serialise()


@pytest.mark.parametrize("key", GAMES)
def test_everything_about_a_game_is_its_state(key: str) -> None:
    for env in (envs.aec(key, seats=2), envs.parallel(key, seats=2)):
        env.reset(seed=3)
        assert env.state_space.contains(env.state())


@pytest.mark.parametrize("key", GAMES)
def test_a_step_does_what_the_rules_do(key: str) -> None:
    """The compiled step beside the plain engine: records, observations and masks, byte for byte; and its history."""
    env, engine = envs.aec(key, seats=max(catalogue.game(key).seats)), compiled(catalogue.game(key))
    env.reset(seed=6)
    states, luck = env.table.states.copy(), np.random.default_rng(7)
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        redacted = engine.game.redact(states, 0, seat)
        seen = env.observe(f"seat_{seat}")
        assert env.agent_selection == f"seat_{seat}"
        assert np.array_equal(seen["observation"], engine.observe(redacted, seat))
        assert np.flatnonzero(seen["action_mask"]).tolist() == engine.legal(states, 0, seat)
        action = int(luck.choice(engine.legal(states, 0, seat)))
        env.step(action)
        assert env.table.happened == engine.decide(states, 0, seat, action)
        assert env.table.serialise() == states.tobytes()
    assert env.table.is_over() and env.table.over
    again = env.table.play.from_the_start()
    for seat, action, _ in env.table.play.decided():
        again.decide(seat, [action])
    assert again.states.tobytes() == states.tobytes()


def looting(first: str) -> tuple[Any, list[dict[str, Any]]]:
    """King of Con, two seats, up to the looting; then seat 0 begins with `first` and seat 1 offers for two Items."""
    env = envs.parallel("king_of_con", seats=2, form="integer")
    seen, _ = env.reset(seed=4)
    read = env.table.game.actions.read
    env.step({agent: int(o["action_mask"].argmax()) for agent, o in seen.items()})  # the Passions
    env.step(dict.fromkeys(env.agents, read("pass")))
    stall = env.table.engine.view(env.table.states, 0, SPECTATOR)["stall"]
    place = [read(f"place {item} 3") for item in stall[:2]]
    story = [{"seat_0": place[0] if first == "place" else read("seal"), "seat_1": place[0]}]
    story += [{"seat_0": read("seal"), "seat_1": place[1]}, {"seat_1": read("seal")}]
    return env, story


def test_nobody_learns_in_a_parallel_step_who_sealed_first() -> None:
    """Seat 0 seals at once or after an offer: seat 1 sees the same until it has sealed itself."""
    (one, quick), (other, slow) = looting("seal"), looting("place")
    for n in range(2):
        seen, _, _, _, infos = one.step(quick[n])
        also, _, _, _, others = other.step(slow[n])
        assert infos["seat_1"] == others["seat_1"] == {"waiting": True}
        for part, numbers in seen["seat_1"].items():
            assert np.array_equal(numbers, also["seat_1"][part])
        assert not infos["seat_0"]["waiting"]
        assert not np.array_equal(seen["seat_0"]["observation"], also["seat_0"]["observation"])
    one.step(quick[2])
    seen, _, _, _, infos = other.step(slow[2])
    assert infos == {"seat_0": {"waiting": True}, "seat_1": {"waiting": True}}, (
        "the screens are up, the next round began"
    )
    assert other.table.play.seq == one.table.play.seq + 1


def test_a_copy_made_behind_a_screen_goes_on_by_itself() -> None:
    env, story = looting("place")
    env.step(story[0])
    before = env.table.redacted(1).tobytes()
    twin = copy.deepcopy(env)
    seen = [twin.step(actions)[0] for actions in story[1:]]
    assert env.table.redacted(1).tobytes() == before and env.table.play.seq < twin.table.play.seq
    for actions, also in zip(story[1:], seen, strict=True):
        for agent, observation in env.step(actions)[0].items():
            assert np.array_equal(observation["observation"], also[agent]["observation"])
    assert env.table.serialise() == twin.table.serialise()


@pytest.mark.parametrize("make", [envs.aec, envs.parallel, envs.single])
@pytest.mark.parametrize("key", GAMES)
def test_an_environment_that_was_pickled_goes_on_as_it_would_have(make: Any, key: str) -> None:
    """SuperSuit, for one, sends environments so; one that came back could not be reset, or was not to be sent at all."""
    env = make(key, seats=2, render_mode="ansi")
    env.reset(seed=3)
    twins = [env]

    def go_on(decisions: int) -> None:
        for _ in range(decisions):
            for twin in twins:
                if isinstance(env, gymnasium.Env):
                    twin.step(twin.table.listed()[0])
                elif isinstance(env, ParallelEnv):  # King of Con: amid offers behind screens
                    asked = twin.table.asked
                    twin.step(
                        {agent: twin.table.legal(n)[0] if n in asked else 0 for n, agent in enumerate(twin.agents)}
                    )
                else:
                    twin.step(twin.table.legal(twin.table.asked[0])[0])

    go_on(4)
    twins.append(pickle.loads(pickle.dumps(env)))
    assert twins[1].table.happened == env.table.happened
    twins.append(copy.deepcopy(twins[1]))
    go_on(4)
    env.reset()
    twins[1].reset()
    twins.pop()
    go_on(3)
    for seat in range(2):
        assert np.array_equal(twins[1].table.observe(seat)["observation"], env.table.observe(seat)["observation"])
    assert twins[1].table.play.decisions() == env.table.play.decisions()
    assert twins[1].table.serialise() == env.table.serialise() and twins[1].render() == env.render()


def test_what_was_told_when_screens_opened_counts_for_everybody() -> None:
    """Only what the last of several decisions told was counted."""
    env, story = looting("place")
    before = env.table.play.told
    for actions in story:
        env.step(actions)
    again = Play(env.table.engine, env.table.play.beginning)
    steps = list(env.table.play.decided())
    told = [again.follow(seat, [action], step) for seat, action, step in steps]
    assert env.table.play.told == again.told == sum(map(len, told)) > before


def test_a_parallel_step_of_single_sealed_choices_is_one_step() -> None:
    """Loot: all move, and all moves are open."""
    env = envs.parallel("loot", seats=3)
    seen, _ = env.reset(seed=2)
    env.step({agent: int(o["action_mask"].argmax()) for agent, o in seen.items()})
    assert env.table.engine.view(env.table.states, 0, SPECTATOR)["phase"] == "order"
    assert env.table.play.seq == 3


def test_who_decides_later_in_loot_does_not_see_where_others_go() -> None:
    """One agent after another: what seat 1 observes is the same wherever seat 0 goes."""
    seen = []
    for which in (0, -1):
        env = envs.aec("loot", seats=2, options={"first_dice": "rolled"})
        env.reset(seed=2)
        for _ in range(2):
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        ways = np.flatnonzero(env.observe("seat_0")["action_mask"])
        assert len(ways) > 1
        env.step(int(ways[which]))
        seen.append(env.observe("seat_1"))
    for part, numbers in seen[0].items():
        assert np.array_equal(numbers, seen[1][part])


def test_an_illegal_step_behind_a_screen_is_refused() -> None:
    env, story = looting("seal")
    with pytest.raises(IllegalAction):
        env.step({**story[0], "seat_0": env.table.game.actions.read("bid 1 1")})


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Nothing opens on the screen of whoever runs the tests."""
    opened: list[str] = []
    monkeypatch.setattr(window, "open_page", opened.append)
    return opened


class Page:
    """What the page in the browser is told."""

    def __init__(self, address: Any) -> None:
        site, _, table = address.removeprefix("http://").partition("/table/")
        self.connecting = connect(f"ws://{site}/api/tables/{table}/socket?since=0", origin=Origin(f"http://{site}"))
        self.heard: list[Any] = []

    def __enter__(self) -> Any:
        self.socket = self.connecting.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.connecting.__exit__(*error)

    def update_after(self, seq: Any, fresh: bool = False) -> Any:
        """The position with that number of decisions."""
        while True:
            message = json.loads(self.socket.recv(timeout=20))
            self.heard.append(message)
            if message["type"] == "update" and message["seq"] == seq and message["fresh"] >= fresh:
                return message


def same_position(update: Any, table: Any) -> Any:
    seen = json.loads(json.dumps(table.engine.view(table.states, 0, SPECTATOR)))
    return update["view"] == seen and update["waiting"] == table.waiting()


@pytest.mark.parametrize("key", GAMES)
def test_the_page_of_human_mode_is_where_the_environment_is(
    key: str, no_browser: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    env = envs.aec(key, render_mode="human")
    env.reset(seed=3)
    env.render()
    assert no_browser == [env._pictures._window.address]
    assert no_browser[0] in capsys.readouterr().err, "no browser could be opened: the address is said"
    luck = np.random.default_rng(4)
    with Page(no_browser[0]) as page:
        assert same_position(page.update_after(0), env.table)
        for number in range(1, 21):
            env.step(int(luck.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
            assert same_position(page.update_after(number), env.table)
        assert any(message.get("events") for message in page.heard), "the page tells what happened"
        with Page(no_browser[0]) as late:
            assert same_position(late.update_after(20, fresh=True), env.table)
        env.reset()
        env.render()
        assert same_position(page.update_after(0, fresh=True), env.table), "the next game, on the same page"
        kept = env.table.serialise()
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        page.update_after(1)
        env.table.restore(kept)
        env.render()
        assert same_position(page.update_after(0, fresh=True), env.table), "a restored position"
    env.close()
    with pytest.raises(ConnectionRefusedError), Page(no_browser[0]):
        pass


def test_the_page_leaves_the_loggers_of_its_process_alone(no_browser: Any) -> None:
    """Setting logging up afresh closes every handler, and with some of them (absl's) the standard error of the program."""
    closed = []

    class Handler(logging.NullHandler):
        def close(self) -> None:
            closed.append(True)

    handler = Handler()
    env = envs.aec("loot", render_mode="human")
    env.reset(seed=3)
    env.render()
    env.close()
    assert not closed, handler


def test_the_page_shows_the_end(no_browser: Any) -> None:
    env = envs.aec("loot", render_mode="human")
    env.reset(seed=3)
    luck = np.random.default_rng(4)
    while not env.table.is_over():
        seat = env.table.waiting()[0]
        env.table.act(seat, int(luck.choice(env.table.legal(seat))))
    env.render()
    with Page(no_browser[0]) as page:
        update = page.update_after(env.table.play.seq)
    assert update["result"]["ranks"] == env.table.engine.result(env.table.states).ranks
    env.close()


def test_no_such_mode() -> None:
    with pytest.raises(ValueError, match="ansi, rgb_array, human"):
        envs.aec("splendor", render_mode="hologram")


@pytest.mark.parametrize("key", GAMES)
def test_render(key: str, no_browser: Any) -> None:
    render_test(lambda render_mode: envs.aec(key, render_mode=render_mode))
    picture = envs.aec(key, render_mode="rgb_array")
    picture.reset(seed=1)
    drawn = picture.render()
    assert drawn.dtype == np.uint8
    assert drawn.ndim == 3
    assert drawn.std() > 5, "the picture is empty"


@pytest.mark.parametrize("key", GAMES)
def test_a_game_can_be_cut_short(key: str) -> None:
    env = envs.aec(key, max_cycles=5)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(np.flatnonzero(observation["action_mask"])[0]))
        assert agent in env.possible_agents
    assert env.steps == 5 * env.table.seats


def play(env: Any, luck: Any) -> dict[Any, float]:
    env.reset(seed=5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(luck.choice(legal)))
    return total


@pytest.mark.parametrize("key", GAMES)
def test_rewards_come_once_at_the_end(key: str) -> None:
    env = envs.aec(key, seats=max(catalogue.game(key).seats))
    total = play(env, np.random.default_rng(3))
    assert sorted(total.values()) == sorted(env.table.rewards())
    assert abs(sum(total.values())) < 1e-9 or env.table.seats == 1


def test_an_illegal_action_is_refused_with_its_sentence() -> None:
    env = envs.aec("splendor")
    env.reset(seed=1)
    wrong = catalogue.game("splendor").actions.read("pass")
    with pytest.raises(IllegalAction, match="pass only when nothing else") as refused:
        env.step(wrong)
    assert f"seat 0 chose action {wrong}" in refused.value.__notes__[0]
    table = envs.parallel("splendor")
    table.reset(seed=1)
    with pytest.raises(IllegalAction) as refused:
        table.step({"seat_0": wrong, "seat_1": 0})
    assert 'illegal="replace"' in refused.value.__notes__[0]


@pytest.mark.parametrize("key", GAMES)
def test_integer_observations_hide_what_the_seat_may_not_see(key: str) -> None:
    game = catalogue.game(key)
    env, open_env = envs.aec(key, seats=2, form="integer"), envs.aec(key, seats=2, form="integer", perfect=True)
    for e in (env, open_env):
        e.reset(seed=2)
        e.step(int(e.last()[0]["action_mask"].argmax()))  # somebody may have sealed
        agent = e.agent_selection
        assert e.observation_space(agent).contains(e.observe(agent))
    hidden = env.observe(env.agent_selection)["observation"]
    known = open_env.observe(env.agent_selection)["observation"]
    assert hidden.shape == known.shape
    if any(f.see.name != "PUBLIC" and f.name != "rng" for f in game.fields):
        assert (hidden != known).any()
