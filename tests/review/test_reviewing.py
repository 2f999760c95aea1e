"""Whole reviews: they add up in every game, are the same each time, and what ends the game is judged exactly."""

import math

import pytest

from ludoteca import catalogue
from ludoteca.core.errors import BadData
from ludoteca.core.record import States, copied
from ludoteca.review.dealing import in_sight, redealt
from ludoteca.review.judging import Effort, Judge
from ludoteca.review.pieces import COSTLY, FORCED
from ludoteca.review.reviewing import reviewed, story_of
from review.games import engine, journal, played, positions

QUICK = Effort(options=3, search=20, guesses=6, sketch=2, refine=3, further=3, runs=2, deals=6, pairs=4, glance=8)
GAMES = catalogue.keys(of=catalogue.HOUSE)
REST = 0.4  # of the chance to win: what neither choices nor luck may leave over, in so few guesses


@pytest.mark.parametrize("key", GAMES)
def test_every_account_adds_up(key: str) -> None:
    review = reviewed(story_of(engine(key), journal(played(key)), QUICK))
    assert review.done
    ranks = played(key).result().ranks
    for seat, total in enumerate(review.totals):
        found = total.start + total.own + total.others + total.luck + total.residue
        assert math.isclose(found, total.end, abs_tol=1e-9)
        assert total.end == (ranks[seat] == 1) / ranks.count(1)
        assert abs(total.residue) < REST, "even at a glance"
        print(key, seat, total)
    for piece in review.pieces:
        if piece.after is not None:
            assert math.isclose(sum(piece.after.chances), 1.0, abs_tol=1e-6), "the bands of the graph fill it"
        if piece.decision is not None and piece.decision.verdict != COSTLY:
            assert piece.decision.loss == 0.0
        if piece.decision is not None and piece.decision.verdict == FORCED:
            assert not piece.decision.options


def test_a_review_is_the_same_each_time_and_in_parts() -> None:
    story = story_of(engine("loot"), journal(played("loot")), QUICK)
    assert list(story.pieces(0, 9)) == [*story.pieces(0, 4), *story.pieces(4, 9)]


def test_a_game_that_is_not_over_is_not_reviewed() -> None:
    begun = journal(played("loot"))
    begun.decisions = begun.decisions[:3]
    with pytest.raises(BadData, match="finished"):
        story_of(engine("loot"), begun)


@pytest.mark.parametrize("key", GAMES)
def test_dealing_again_changes_nothing_that_anybody_sees(key: str) -> None:
    game, moved = engine(key).game, 0
    for states, _, _ in list(positions(played(key)))[:40]:
        again = redealt(game, states, 5)
        assert in_sight(engine(key), again) == in_sight(engine(key), states)
        assert game.components(game.state(again)) == game.components(game.state(states))
        moved += again.tobytes() != states.tobytes()
    assert moved


def ending(key: str, states: States, seat: int) -> dict[int, float]:
    """What each option that ends the game at once is worth to this seat."""
    found, judge = {}, Judge(engine(key), QUICK)
    for option in engine(key).legal(states, 0, seat):
        world = copied(states)
        engine(key).apply(world, 0, seat, option)
        if engine(key).is_over(world):
            found[option] = judge.result(world)[seat]
    return found


def test_what_ends_a_game_of_splendor_is_judged_exactly() -> None:
    compared = 0
    for seed in (1, 2):
        for states, seat, action in list(positions(played("splendor", seed)))[-6:]:
            ends = ending("splendor", states, seat)
            for option in Judge(engine("splendor"), QUICK).decision(states, seat, action, 3).options:
                if option.action in ends:
                    compared += 1
                    assert option.chance == pytest.approx(ends[option.action], abs=1e-9)
    assert compared
