"""King of Con's levels: offers are hidden and made together, so a good player is neither wasteful nor foreseen."""

from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.games.king_of_con.advice import FOLLY
from ludoteca.lab import arena

GAME = catalogue.game("king_of_con")


@pytest.fixture(scope="module")
def engine() -> Any:
    return levels.prepare(GAME)


def chosen(engine: Engine, bot: str, redacted: Any, seat: int, seed: int) -> int:
    return levels.read_bot(GAME.key, bot).choose(engine, redacted, seat, seed)


def first_hid_bid(engine: Any, seed: int) -> Any:
    states = engine.start(2, {"passions": "two_first_game"}, seed)
    return GAME.redact(states, 0, 0)


@pytest.mark.parametrize(("level", "seats"), [("novice", 5), ("club", 2), ("club", 5)])
def test_nobody_throws_tokens_away(engine: Any, level: str, seats: int) -> None:
    """No offer that has lost before the screens go up."""
    offers = 0
    for seed in range(3):
        states = engine.start(seats, {}, seed)
        number = 0
        while not engine.is_over(states):
            seat = engine.waiting(states)[0]
            redacted = GAME.redact(states, 0, seat)
            action = chosen(engine, level, redacted, seat, derive(seed, number))
            assert engine.appraise(redacted, seat, action) > FOLLY / 2
            offers += GAME.actions.decode(action).kind in ("bid", "place")
            engine.apply(states, 0, seat, action)
            number += 1
    assert offers > 30


def test_the_same_table_is_not_always_played_in_the_same_way(engine: Any) -> None:
    redacted = first_hid_bid(engine, 4)
    offers = {chosen(engine, "expert:iterations=300", redacted, 0, seed) for seed in range(12)}
    assert len(offers) > 2


def test_a_seat_that_sealed_first_is_not_taken_for_a_fool(engine: Any) -> None:
    """Whether the other has sealed or not, the search thinks the same."""
    states = engine.start(2, {"passions": "two_first_game"}, 4)
    before = GAME.redact(states, 0, 0)
    engine.apply(states, 0, 1, GAME.actions.read("bid 3 10"))
    after = GAME.redact(states, 0, 0)
    assert before.tobytes() != after.tobytes()
    for seed in range(4):
        answers = {chosen(engine, "expert:iterations=200", redacted, 0, seed) for redacted in (before, after)}
        assert len(answers) == 1


def test_club_beats_novice() -> None:
    result = arena.run(GAME, ["novice", "club"], 20, seed=3, workers=1)
    assert result.standings[1].wins >= 14
