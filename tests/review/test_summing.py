"""What the pieces of a review come to: accounts add up, forced choices are no mistakes, moments are picked fairly."""

import math

import msgspec
import pytest

from ludoteca.review.pieces import (
    AS_GOOD,
    COSTLY,
    FORCED,
    ReviewDecision,
    ReviewPiece,
    ReviewPoint,
    ReviewStroke,
    ReviewTotal,
)
from ludoteca.review.summing import accuracy, sum_up, verdict_on


def point(*chances: float) -> ReviewPoint:
    return ReviewPoint(list(chances), [0.01] * len(chances))


def decided(
    verdict: str, loss: float = 0.0, change: tuple[float, float] = (0.0, 0.0), sealed: bool = False
) -> ReviewDecision:
    return ReviewDecision(verdict, [], 0, 0, loss, 0.01, list(change), sealed)


def stroke(*luck: float, error: float = 0.01) -> ReviewStroke:
    return ReviewStroke(list(luck), [error] * len(luck), 6, True)


GAME = [
    ReviewPiece(0, -1, -1, after=point(0.5, 0.5)),
    ReviewPiece(1, 0, 7, decided(COSTLY, 0.1, (-0.1, 0.1)), point(0.42, 0.58), stroke(0.03, -0.03)),
    ReviewPiece(2, 1, 8, decided(AS_GOOD), point(0.4, 0.6)),
    ReviewPiece(3, 0, 9, decided(FORCED)),
    ReviewPiece(4, 1, 3, decided(COSTLY, 0.2, (0.2, -0.2)), point(0.6, 0.4)),
    ReviewPiece(5, 0, 3, decided(AS_GOOD), point(1.0, 0.0), stroke(0.38, -0.38)),
]


def test_the_account_of_every_seat_adds_up() -> None:
    totals, _, _ = sum_up(2, GAME)
    for total in totals:
        assert math.isclose(
            total.start + total.own + total.others + total.luck + total.residue, total.end, abs_tol=1e-12
        )
    first, second = totals
    assert [first.own, first.others] == pytest.approx([-0.1, 0.2])
    assert [second.own, second.others] == pytest.approx([-0.2, 0.1])
    assert first.luck == pytest.approx(0.02 + 0.4), "what changed where chance spoke, less what was decided"
    assert first.strokes == pytest.approx(0.41), "as each of them was measured"
    assert first.residue == pytest.approx(-0.02), "what changed where nothing came between"


def test_how_sealed_choices_met_is_luck() -> None:
    met = [
        GAME[0],
        ReviewPiece(1, 0, 7, decided(AS_GOOD, sealed=True)),
        ReviewPiece(2, 1, 8, decided(COSTLY, 0.1, (0.1, -0.1)), point(0.9, 0.1)),
        ReviewPiece(3, 0, 9, decided(FORCED), point(1.0, 0.0)),
    ]
    first = sum_up(2, met)[0][0]
    assert [first.others, first.luck, first.residue] == pytest.approx([0.1, 0.3, 0.1])


def test_what_left_no_choice_is_counted_apart_and_never_a_mistake() -> None:
    first, second = sum_up(2, GAME)[0]
    assert (first.decisions, first.as_good, first.costly, first.forced) == (2, 1, 1, 1)
    assert (second.decisions, second.costly, second.forced) == (2, 1, 0)


def test_accuracy_falls_with_what_was_lost_and_is_none_without_a_choice() -> None:
    assert accuracy([]) is None
    assert accuracy([0.0, 0.0]) == 100
    assert accuracy([0.05]) == 80
    assert accuracy([0.2]) == 40
    assert accuracy([1.0]) == 0


def test_three_moments_of_at_most_two_kinds_in_the_order_of_time() -> None:
    _, moments, _ = sum_up(2, GAME)
    assert [(moment.step, moment.kind) for moment in moments] == [(1, "choice"), (4, "choice"), (5, "luck")]
    assert moments[1].seat == 1
    assert moments[1].size == pytest.approx(-0.2)


def test_luck_within_its_error_decides_nothing() -> None:
    loud = [*GAME[:5], ReviewPiece(5, 0, 3, decided(AS_GOOD), point(1.0, 0.0), stroke(0.38, -0.38, error=0.3))]
    assert [moment.step for moment in sum_up(2, loud)[1]] == [1, 4]


def test_the_verdict_praises_who_lost_least_and_knows_who_was_lucky() -> None:
    assert sum_up(2, GAME)[2] == ["best_most", "other_least"]
    clean = [piece for piece in GAME if piece.step not in (1, 4)]
    assert sum_up(2, clean)[2] == ["clean_most", "clean_least"]


def test_who_is_said_to_have_played_best_has_the_best_accuracy() -> None:
    """Somebody with the highest accuracy beside their name read that others had found more."""
    game = ReviewTotal(0.4, -0.5, 0.0, 0.0, 0.0, 0.0, 0.05, 93, 9, 8, 1, 0, 0.0)
    totals = [msgspec.structs.replace(game, accuracy=96, own=-0.7), game]
    assert [verdict_on(seat, totals) for seat in range(2)] == ["best_even", "other_even"]
    level = [msgspec.structs.replace(game, own=-0.7), game]
    assert [verdict_on(seat, level) for seat in range(2)] == ["other_even", "best_even"]


def test_luck_between_that_of_the_others_is_not_called_even() -> None:
    """Somebody with −33, between −73 and +107, read «luck was about even»."""
    totals = [ReviewTotal(0.4, -0.5, 0.0, luck, 0.0, 0.0, 0.05, 93, 9, 8, 1, 0, luck) for luck in (-0.33, -0.73, 1.07)]
    assert [verdict_on(seat, totals).split("_")[1] for seat in range(3)] == ["between", "least", "most"]
    alike = [msgspec.structs.replace(total, luck=total.luck / 50) for total in totals]
    assert [verdict_on(seat, alike).split("_")[1] for seat in range(3)] == ["even"] * 3
