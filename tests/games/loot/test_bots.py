"""Bots at a table where everybody decides at once."""

from typing import Any

from ludoteca.bots import greedy, levels, search
from ludoteca.core.engine import Result, compiled
from ludoteca.games.loot import GAME

ENGINE = compiled(GAME)


def play(seats: int, bots: list[Any], seed: int) -> Result:
    """One game; bots[seat](redacted, seat, seed) decides. Returns the result."""
    states = ENGINE.start(seats, {}, seed)
    turn = 0
    while not ENGINE.is_over(states):
        for seat in ENGINE.waiting(states):
            turn += 1
            redacted = GAME.redact(states, 0, seat)
            ENGINE.decide(states, 0, seat, bots[seat](redacted, seat, 1000 * seed + turn))
    return ENGINE.result(states)


def thinking(redacted: Any, seat: int, seed: int) -> int:
    return search.choose(ENGINE, redacted, seat, seed, search.Settings(iterations=60))


def looking(redacted: Any, seat: int, seed: int) -> int:
    return greedy.choose(ENGINE, redacted, seat, seed)


def test_a_searching_bot_never_plays_the_choice_of_another_seat() -> None:
    """Choices made together hang from one node of the tree; only one's own may come out of it."""
    for seats in (1, 2, 4):
        result = play(seats, [thinking] * seats, seats)
        assert len(result.ranks) == seats


def chance(redacted: Any, seat: int, seed: int) -> Any:
    legal = ENGINE.legal(redacted, 0, seat)
    return legal[seed * 7919 % len(legal)]


def test_looking_at_three_dice_beats_chance() -> None:
    won = sum(play(2, [looking, chance] if n % 2 else [chance, looking], n).ranks[n % 2 == 0] == 1 for n in range(40))
    assert won >= 34


def test_alone_points_count_and_nobody_hurries() -> None:
    """Who plays alone as in a race fills the score track with single points, and makes fewer than by chance."""

    def points(bot: Any, games: Any) -> Any:
        return sum(play(1, [bot], seed).scores[0] for seed in range(games)) / games

    by_chance, at_sight = points(chance, 20), points(looking, 20)
    assert at_sight > 1.4 * by_chance
    assert points(thinking, 3) > 1.4 * by_chance, "the search looks to the end, not at the next points"


def test_every_level_can_play() -> None:
    for level in levels.LEVELS:
        states = ENGINE.start(2, {}, 3)
        action = levels.choose("loot", level, GAME.redact(states, 0, 0), 0, 1)
        assert action in ENGINE.legal(states, 0, 0)
    kinds = [levels.read_bot("loot", level).kind for level in levels.LEVELS]
    assert kinds == ["glance", "glance", "glance", "search", "search"]
