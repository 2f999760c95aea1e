"""The puzzles in the games' folders, against the rules as they are now."""

from __future__ import annotations

import pytest

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.puzzles import collection_of, puzzles_of

GAMES = [key for key in catalogue.keys(of=catalogue.HOUSE) if collection_of(catalogue.game(key))]
LEAST = 12  # of each game
GAP = 6.9  # hundredths between the best decision and the next, rounded


@pytest.mark.parametrize("key", GAMES)
def test_every_puzzle_can_be_laid_out_and_has_one_clear_answer(key: str) -> None:
    game = catalogue.game(key)
    engine, puzzles = interpreted(game), puzzles_of(game)
    assert len(puzzles) >= LEAST, f"{key} needs puzzles of this version: ludoteca puzzles {key}"
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        play = puzzle.opened(engine)
        assert puzzle.seat in play.waiting()
        legal = {game.actions.write(action) for action in engine.legal(play.states, 0, puzzle.seat)}
        assert {option.action for option in puzzle.weighed} == legal
        options = {
            option: option.action.split()[:-1] if len(puzzle.answers) > 1 else option for option in puzzle.weighed
        }
        others = [option for option in puzzle.weighed if options[option] != options[puzzle.best]]
        assert puzzle.best.action in puzzle.answers and len(others) >= 2
        assert all(puzzle.best.chance - other.chance >= GAP for other in others)


@pytest.mark.parametrize("key", GAMES)
def test_every_collection_says_how_it_was_made(key: str) -> None:
    collection = collection_of(catalogue.game(key))
    assert collection is not None and collection.made.startswith(f"ludoteca puzzles {key} ")
    for puzzle in collection.puzzles:
        assert puzzle.found and all(0 <= share <= 100 for share in puzzle.found.values())
        assert 1 <= puzzle.grade <= 3
