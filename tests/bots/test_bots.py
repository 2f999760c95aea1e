"""Bots play by the rules, see only what their seat may see, and decide the same from the same seed."""

import pathlib
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.core.chance import derive
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData
from ludoteca.lab import arena

GAME = catalogue.game("splendor")
BOTS = ("uniform", "greedy", "novice", "club", "search:iterations=40,cut=30,looks=1")


@pytest.fixture(scope="module")
def engine() -> Any:
    return levels.prepare(GAME)


def moments(engine: Any, seats: int, edition: str, seed: int) -> Iterator[Any]:
    """A game of novices, before each decision: (states, seat)."""
    states = engine.start(seats, {"edition": edition}, seed)
    number = 0
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        yield states, seat
        number += 1
        redacted = GAME.redact(states, 0, seat)
        engine.apply(states, 0, seat, levels.choose(GAME.key, "novice", redacted, seat, derive(seed, number)))


@pytest.mark.parametrize("edition", ["marvel", "base"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_are_legal(seats: int, edition: str) -> None:
    """`arena.play` refuses what the rules do not allow."""
    for bot in BOTS:
        rivals = ["novice"] * (seats - 1)
        played = arena.play(arena.Table(GAME.key, [bot, *rivals], {"edition": edition}, seats))
        assert sum(played.shares) == pytest.approx(1.0)


@pytest.mark.parametrize("bot", BOTS)
def test_worlds_that_differ_only_in_secrets_get_the_same_decision(engine: Any, bot: Any) -> None:
    differing = 0
    for number, (states, seat) in enumerate(moments(engine, 3, "marvel", 11)):
        if number % 9:
            continue
        redacted = GAME.redact(states, 0, seat)
        other_world = redacted.copy()
        engine.determinize(other_world, seat, number)
        differing += other_world.tobytes() != states.tobytes()
        answers = [levels.choose(GAME.key, bot, GAME.redact(w, 0, seat), seat, 5) for w in (states, other_world)]
        assert answers[0] == answers[1]
    assert differing > 5


def test_the_arena_hands_over_nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    choose = levels.Bot.choose

    def spy(self: levels.Bot, engine: Any, redacted: Any, seat: int, seed: int) -> Any:
        seen.append((redacted.copy(), seat))
        return choose(self, engine, redacted, seat, seed)

    monkeypatch.setattr(levels.Bot, "choose", spy)
    arena.play(arena.Table(GAME.key, ["novice", "greedy"], {}, 7))
    assert len(seen) > 20
    for redacted, seat in seen:
        assert redacted["rng"][0] == -1
        assert (redacted["deck"] == -1).all()
        assert redacted.tobytes() == GAME.redact(redacted, 0, seat).tobytes()


@pytest.mark.parametrize("bot", [*BOTS, "expert"])
def test_same_seed_same_decision(engine: Any, bot: Any) -> None:
    states = engine.start(4, {}, 3)
    redacted = GAME.redact(states, 0, 0)
    before = redacted.tobytes()
    assert levels.choose(GAME.key, bot, redacted, 0, 9) == levels.choose(GAME.key, bot, redacted.copy(), 0, 9)
    assert redacted.tobytes() == before, "a bot leaves the record as it was"


def test_uniform_tries_everything(engine: Any) -> None:
    states = engine.start(2, {}, 3)
    redacted = GAME.redact(states, 0, 0)
    tried = {levels.choose(GAME.key, "uniform", redacted, 0, seed) for seed in range(600)}
    assert tried == set(engine.legal(states, 0, 0))


def test_greedy_beats_uniform() -> None:
    result = arena.run(GAME, ["uniform", "greedy"], 40, workers=1)
    assert result.standings[1].wins >= 34


def test_before_the_machine_code_is_there_bots_decide_at_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a fresh machine the first game starts at once: levels play, in plain Python, what looks best."""
    monkeypatch.setattr(levels, "is_ready", lambda game: False)
    monkeypatch.setattr(levels, "_engines", {})
    engine = interpreted(GAME)
    states = engine.start(2, {}, 3)
    redacted = GAME.redact(states, 0, 0)
    best = levels.choose(GAME.key, "greedy", redacted, 0, 1)
    assert levels.choose(GAME.key, "expert", redacted, 0, 1) == best
    for level in levels.LEVELS:
        assert levels.choose(GAME.key, level, redacted, 0, 1) in engine.legal(states, 0, 0)


def test_ready_is_what_the_cache_says(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, engine: Any) -> None:
    assert levels.is_ready(GAME)
    monkeypatch.setenv("LUDOTECA_CACHE", str(tmp_path))
    assert not levels.is_ready(GAME)


def test_a_bot_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(levels.choose)) is levels.choose
    assert pickle.loads(pickle.dumps(arena.play)) is arena.play


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("grandmaster", "There is no bot called «grandmaster»; there is newcomer, novice, club, expert, master"),
        ("search:depth=3", "«search» has no setting «depth»; possible: iterations, cut, looks"),
        ("search:iterations=many", "The setting «iterations» is a number, not «many»."),
        ("search:iterations=0", "The setting «iterations» is at least 1, not 0."),
        ("greedy:looks=3", "«greedy» has no setting «looks»; possible: none."),
    ],
)
def test_a_wrong_name_is_refused_in_words(name: str, sentence: str) -> None:
    with pytest.raises(BadData) as refused:
        levels.read_bot(GAME.key, name)
    assert refused.value.sentence.startswith(sentence)


def test_settings_are_read() -> None:
    bot = levels.read_bot(GAME.key, "search:iterations=12,exploration=0.9")
    assert bot.settings is not None
    assert (bot.settings.iterations, bot.settings.exploration) == (12, 0.9)
    expert = levels.read_bot(GAME.key, "expert:iterations=7")
    assert expert.settings is not None
    assert expert.settings.iterations == 7
