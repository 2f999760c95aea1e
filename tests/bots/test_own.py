"""Bots of one's own are taken wherever a bot's name is: as functions, objects, places, or a list with one for each seat."""

from typing import Any

import pytest

from bots import my_bots
from ludoteca import catalogue, envs
from ludoteca.bots import own
from ludoteca.bots.own import Sight
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData, Refusal
from ludoteca.lab import arena, balance
from ludoteca.terminal import Session

GAME = catalogue.game("loot")
PLACE = "bots.my_bots:first"


def test_the_arena_takes_functions_objects_places_and_names() -> None:
    counting = my_bots.Counting()
    result = arena.run(GAME, ["uniform", my_bots.first, "bots.my_bots:Counting", counting], 4, seats=4, workers=1)
    assert [s.bot for s in result.standings] == ["uniform", PLACE, "bots.my_bots:Counting", "counting"]
    assert counting.asked > 10
    typed = arena.run(GAME, ["uniform", PLACE], 2, workers=1)
    given = arena.run(GAME, ["uniform", my_bots.first], 2, workers=1)
    assert typed.standings == given.standings


def test_what_cannot_be_sent_to_another_process_plays_in_this_one() -> None:
    asked: list[int] = []

    def noting(sight: Sight) -> int:
        asked.append(sight.seat)
        return sight.legal[-1]

    result = arena.run(GAME, ["uniform", noting], 2, workers=2)
    assert asked and result.games == 2
    assert not own.can_travel([lambda sight: 0])
    assert own.can_travel([my_bots.first, "club", my_bots.Counting()])
    with pytest.raises(BadData, match="cannot be sent to a cluster"):
        arena.run(GAME, ["uniform", lambda sight: 0], 2, cluster="tcp://nowhere:1")


def test_balance_takes_one_for_each_seat() -> None:
    report = balance.run(GAME, ["uniform", my_bots.first], 2, 2, {}, workers=1)
    assert report.bots == ["uniform", PLACE]
    with pytest.raises(BadData, match="2 bots for 3 seats"):
        balance.run(GAME, ["uniform", my_bots.first], 2, 3, {}, workers=1)


def test_opponents_may_differ_from_seat_to_seat() -> None:
    asked = []

    def spy(sight: Any) -> Any:
        asked.append(sight.seat)
        assert (sight.redacted["rng"] == -1).all(), "only what the seat may see"
        return sight.legal[0]

    for opponents in (["uniform", spy], ["uniform", None, spy]):
        env = envs.single("loot", seats=3, seat=1, opponents=opponents)
        _, info = env.reset(seed=1)
        env.step(info["legal"][0])
    assert set(asked) == {2}
    with pytest.raises(BadData, match="1 bots for 3 seats"):
        envs.single("loot", seats=3, opponents=["uniform"])
    with pytest.raises(BadData, match="no bot for seat 0"):
        envs.single("loot", seats=3, seat=1, opponents=[None, None, "uniform"])


def test_a_bot_of_ones_own_plays_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Session(GAME, 2, {}, 1, ["uniform", my_bots.first], "en").run(watch=True)
    assert "1." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("bots.my_bots:nobody", "There is no bot at «bots.my_bots:nobody»: .*"),
        ("no_such_module:bot", "There is no bot at «no_such_module:bot»: No module named"),
        (
            "bots.my_bots:NUMBER",
            "A bot is a name, a function of what its seat may see, or an object with «choose»; not 5",
        ),
        ("bots.my_bots:Needy", "The class «bots.my_bots:Needy» cannot be made into a bot without arguments"),
        ("bots.my_bots:slow", "is asynchronous"),
        ("bots.my_bots:nothing", "must take one argument"),
        ("grandmaster", "There is no bot called «grandmaster»"),
        (17, "not 17"),
    ],
)
def test_what_cannot_play_is_refused_with_a_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        own.resolve(GAME, given)


@pytest.mark.parametrize(("chosen", "sentence"), [(30_000, "chose 30000, which seat 0 may not do"), ("x", "chose 'x'")])
def test_an_answer_that_is_no_legal_action_names_the_bot(chosen: Any, sentence: str) -> None:
    engine = interpreted(GAME)
    redacted = GAME.redact(engine.start(2, {}, 1), 0, 0)
    with pytest.raises(BadData, match=sentence):
        own.resolve(GAME, lambda sight: chosen).choose(engine, redacted, 0, 1)


def test_a_bot_that_fails_is_named_with_the_line_where_it_did() -> None:
    engine = interpreted(GAME)
    redacted = GAME.redact(engine.start(2, {}, 1), 0, 0)

    def careless(sight: Any) -> Any:
        return {}[sight.seat]

    line = careless.__code__.co_firstlineno + 1
    with pytest.raises(BadData, match=rf"«.*careless» failed: KeyError: 0 \(.*test_own\.py, line {line}\)") as failed:
        own.resolve(GAME, careless).choose(engine, redacted, 0, 1)
    assert isinstance(failed.value.__cause__, KeyError)  # whoever calls it from Python sees all of it


def test_a_bot_cannot_change_the_record() -> None:
    engine = interpreted(GAME)
    redacted = GAME.redact(engine.start(2, {}, 1), 0, 0)
    before = redacted.tobytes()

    def vandal(sight: Any) -> Any:
        sight.redacted["seats"] = 1
        return sight.legal[0]

    own.resolve(GAME, vandal).choose(engine, redacted, 0, 1)
    assert redacted.tobytes() == before
