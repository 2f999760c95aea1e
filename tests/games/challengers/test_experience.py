"""What was learned of drafting: the same in Python and machine code, sensible in plain cases, and better than looks."""

import pathlib
from typing import Any

import numpy as np

from games.challengers.scene import ME, Table
from ludoteca.bots.search import BY_EXPERIENCE, Settings, think
from ludoteca.core.engine import compiled
from ludoteca.core.record import Record
from ludoteca.games.challengers import GAME, experience
from ludoteca.games.challengers.components import CARDS
from ludoteca.lab import arena

AT_SIGHT = "search:candidates=1,iterations=1,rounds=1,looks=-1"


def liked(table: Table, seat: int) -> str:
    """What the player with experience does."""
    legal = table.engine.legal(table.states, 0, seat)
    worth = np.zeros(len(legal))
    plain: Any = Record(GAME.redact(table.states, 0, seat))
    experience.experience(plain, seat, np.array(legal, np.int16), len(legal), worth)
    return GAME.actions.write(legal[int(np.argmax(worth))])


def test_all_but_the_best_are_redrawn_and_then_the_best_is_picked() -> None:
    table = Table(2)
    table.display(ME, ["Butler", "Gangster", "Reporter", "Pig", "Sailor"])
    done: list[str] = []
    while not done or not done[-1].startswith("pick"):
        done.append(liked(table, ME))
        table.do(ME, done[-1])
    assert "redraw" in done
    assert "mark 2" not in done  # the Gangster is the best card of its level
    assert sorted(done[: done.index("redraw")]) == done[: done.index("redraw")]


def test_the_newcomers_go_when_the_rounds_count_more() -> None:
    table = Table(2)
    table.deck(ME, ["Newcomer", "Newcomer", "Dragon", "Horse", "Horse", "Bat", "Bat", "Shark", "Lion"])
    table.do(ME, "stop")
    table.set(round_number=6)
    assert liked(table, ME) == "remove city-newcomer-p"


def test_machine_code_asks_the_same_experience() -> None:
    engine, table = compiled(GAME), Table(2)
    settings = Settings(candidates=1, iterations=1, rounds=1, looks=BY_EXPERIENCE)
    for _ in range(40):
        seat = table.waiting()[0]
        if len(table.engine.legal(table.states, 0, seat)) > 1 and table.state.phase == 0:
            best = liked(table, seat)
            found = think(engine, GAME.redact(table.states, 0, seat), seat, 1, settings).action
            assert GAME.actions.write(found) == best
        else:
            best = GAME.actions.write(table.engine.legal(table.states, 0, seat)[0])
        table.do(seat, best)


def test_with_faith_enough_guesses_change_nothing_and_without_they_do() -> None:
    engine, changed = compiled(GAME), {0: 0, 1_000_000: 0}
    at_sight = Settings(candidates=1, iterations=1, rounds=1, looks=BY_EXPERIENCE)
    states = engine.start(2, {}, 3)
    for number in range(60):
        seat = engine.waiting(states)[0]
        best = engine.legal(states, 0, seat)[0]
        if len(engine.legal(states, 0, seat)) > 1:
            redacted = GAME.redact(states, 0, seat)
            best = think(engine, redacted, seat, number, at_sight).action
            for faith in changed:
                settings = Settings(candidates=8, iterations=64, rounds=2, looks=BY_EXPERIENCE, faith=faith)
                changed[faith] += think(engine, redacted, seat, number, settings).action != best
        engine.apply(states, 0, seat, best)
    assert changed[1_000_000] == 0
    assert changed[0] > 0


def test_numbers_are_read_as_they_were_written(tmp_path: pathlib.Path) -> None:
    numbers = experience.beginners_numbers()
    numbers[experience.PAIR + 1] = numbers[experience.PAIR + len(CARDS)] = 0.5
    (tmp_path / "numbers.json").write_text(experience.written_numbers(numbers, {}))
    np.testing.assert_allclose(experience.read_numbers(tmp_path / "numbers.json"), numbers, atol=0.006)


def test_with_experience_one_wins_at_sight_as_the_record_says() -> None:
    mine, theirs = arena.run(GAME, [AT_SIGHT, "greedy"], games=400, seed=5, workers=1).standings
    assert mine.rate > theirs.rate
