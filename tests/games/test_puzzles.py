"""The puzzles in the games' folders, against the rules as they are now."""

from __future__ import annotations

import argparse
import itertools
import pathlib
from collections.abc import Iterable, Iterator

import pytest

from ludoteca import catalogue
from ludoteca.bots.levels import LEVELS, prepare
from ludoteca.core.puzzles import collection_of, puzzles_of
from ludoteca.lab import puzzles as making
from ludoteca.lab.puzzles import option_of, weigh

GAMES = catalogue.keys(of=catalogue.HOUSE)
LEAST = 8  # of each game
LOOKED_AT = 2  # of each game, in other guesses than those it was found in
GUESSES = 320
SURE = 2.0  # standard errors
GAP = 6.9  # hundredths between the best decision and the next, rounded


@pytest.mark.parametrize("key", GAMES)
def test_every_puzzle_can_be_laid_out_and_has_one_clear_answer(key: str) -> None:
    game = catalogue.game(key)
    engine, puzzles = prepare(game), puzzles_of(game)
    assert len(puzzles) >= LEAST, f"{key} needs puzzles of this version: ludoteca puzzles {key}"
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        play = puzzle.opened(engine)
        assert puzzle.seat in play.waiting()
        legal = {game.actions.write(action) for action in engine.legal(play.states, 0, puzzle.seat)}
        assert {option.action for option in puzzle.weighed} == legal
        others = [option for option in puzzle.weighed if option.action not in puzzle.answers]
        assert puzzle.best.action in puzzle.answers and len(others) >= 2
        assert all(puzzle.best.chance - other.chance >= GAP for other in others)


@pytest.mark.parametrize("key", GAMES)
def test_every_collection_says_how_it_was_made(key: str) -> None:
    collection = collection_of(catalogue.game(key))
    assert collection is not None and collection.made.startswith(f"ludoteca puzzles {key} ")
    for puzzle in collection.puzzles:
        assert list(puzzle.found) == list(LEVELS), f"grade them anew: ludoteca puzzles {key} --again"
        assert all(0 <= share <= 100 for share in puzzle.found.values())
        assert 1 <= puzzle.grade <= 3


@pytest.mark.parametrize("key", GAMES)
def test_the_best_decision_is_the_best_in_other_guesses_too(key: str) -> None:
    engine, puzzles = prepare(catalogue.game(key)), puzzles_of(catalogue.game(key))
    for puzzle in puzzles[:: max(1, len(puzzles) // LOOKED_AT)]:
        seen = engine.game.redact(puzzle.opened(engine).states, 0, puzzle.seat)
        weighed = weigh(engine, seen, puzzle.seat, 4711, GUESSES)
        first, answer = next(iter(weighed.values())), option_of(engine, engine.game.actions.read(puzzle.best.action))
        assert option_of(engine, next(iter(weighed))) == answer, puzzle.id
        others = [chance for action, chance in weighed.items() if option_of(engine, action) != answer]
        assert all(first.won - other.won > SURE * other.apart for other in others), puzzle.id


def test_grading_anew_looks_for_no_new_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """It went on through bots' games for as many as had not stood the test, however long that took."""
    looked_at: list[object] = []

    def made(_: object, games: Iterable[object], *rest: object) -> Iterator[object]:
        looked_at.extend(itertools.islice(games, 99))
        return iter(())

    monkeypatch.setattr(making, "made", made)
    parser = argparse.ArgumentParser()
    making.add_arguments(parser)
    making.run_command(parser.parse_args(["loot", "--again", "--out", str(tmp_path / "puzzles.json")]))
    assert len(looked_at) == len(puzzles_of(catalogue.game("loot")))
    making.run_command(parser.parse_args(["loot", "--again", "--count", "3", "--out", str(tmp_path / "puzzles.json")]))
    assert len(looked_at) > 99, "who says how many wants new ones too"
