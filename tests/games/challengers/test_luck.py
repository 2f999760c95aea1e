"""How much of Challengers! is luck: what somebody wins who may choose from far more cards than the rules allow.

    .venv/bin/python tests/games/challengers/test_luck.py 2000

prints the table of docs/performance.md. Both take what looks best; one of them first has the best looking of so many cards
of the level deck laid into the display. Nobody can choose that well from five cards.
"""

import random
import sys
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.bots import greedy
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, compiled
from ludoteca.games.challengers.actions import PICK
from ludoteca.games.challengers.state import DRAFT, DRAWN

GAME = catalogue.game("challengers")
ALL = 1000  # more cards than a level deck has
AT_MOST = 0.95  # what the strongest bot was hoped to win


def lay_out_the_best(engine: CompiledEngine, states: Any, seat: int, cards: int, chance: random.Random) -> None:
    """The best looking of so many cards come into the seat's display; what lay there goes back among the others."""
    display, stack = states["display"][0, seat], states["stack"][0, int(states["level"][0, seat])]
    lying = [place for place in range(len(stack)) if stack[place] >= 0]
    lying = chance.sample(lying, min(len(lying), cards - DRAWN))
    kinds = [int(kind) for kind in display] + [int(stack[place]) for place in lying]
    worth = {}
    for kind in set(kinds):
        display[0] = kind
        worth[kind] = engine.appraise(states, seat, PICK)
    kinds.sort(key=lambda kind: -worth[kind])
    rest = kinds[DRAWN:]
    chance.shuffle(rest)
    display[:] = kinds[:DRAWN]
    stack[lying] = rest


def share_won(engine: CompiledEngine, cards: int, games: int, seed: int) -> float:
    """The part of the games for two that is won by who chooses from so many cards in each round, instead of from five."""
    chance = random.Random(seed)
    won = 0
    for game in range(games):
        spoilt = game % 2
        states = engine.start(2, {}, derive(seed, game // 2))
        before, number = 0, 0
        while not engine.is_over(states):
            seat, round_number = engine.waiting(states)[0], int(states["round_number"][0])
            if seat == spoilt and states["step"][0, seat] == DRAFT and round_number > before:
                before = round_number
                if states["display"][0, seat].min() >= 0:
                    lay_out_the_best(engine, states, seat, cards, chance)
            number += 1
            action = greedy.best(engine, states, seat, engine.legal(states, 0, seat), derive(seed, game, number))
            engine.apply(states, 0, seat, action)
        won += engine.result(states).ranks[spoilt] == 1
    return won / games


@pytest.mark.parametrize(("cards", "least"), [(DRAWN, 0.40), (ALL, 0.70)])
def test_not_even_the_best_of_a_whole_level_deck_wins_nearly_always(cards: int, least: float) -> None:
    assert least < share_won(compiled(GAME), cards, 300, 42) < AT_MOST


if __name__ == "__main__":
    for wanted in (5, 10, 20, 40, ALL):
        print(wanted, f"{share_won(compiled(GAME), wanted, int(sys.argv[1]), 42):.1%}")
