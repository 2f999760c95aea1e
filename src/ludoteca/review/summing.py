"""What the pieces of a review come to: an account for each seat, and the moments that decided the game.

From one point to the next, everybody's chance changes by what was decided, and by what nobody decided. Where a card, a die
or a shuffle came between, or sealed choices met, that is luck: the chance after it less what was to be expected before.
Where nothing came between, it is a rest: what the judge saw only later, what some knew and others did not, and the error of
the estimates. So for each seat start + own + others + luck + residue = end, to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .pieces import COSTLY, FORCED, ReviewMoment, ReviewPiece, ReviewPoint, ReviewTotal

MOMENTS = 3
MOST_ALIKE = 2  # moments of one kind
CERTAIN = 2.0  # standard errors


def sum_up(seats: int, pieces: Sequence[ReviewPiece]) -> tuple[list[ReviewTotal], list[ReviewMoment], list[str]]:
    """The accounts, the moments and the verdicts of a whole review."""
    totals = [total(seat, pieces) for seat in range(seats)]
    return totals, deciding(pieces), [verdict_on(seat, totals) for seat in range(seats)]


def verdict_on(seat: int, totals: Sequence[ReviewTotal]) -> str:
    """What is said about a seat: how it chose (clean, best, other), and its luck (most, least, even, between)."""
    mine, others = totals[seat], [total for other, total in enumerate(totals) if other != seat]
    best = bool(others) and all(how_well(mine) > how_well(other) for other in others)
    chose = "clean" if mine.costly == 0 else "best" if best else "other"
    luck = "even"
    if others and all(mine.luck - other.luck > CERTAIN * mine.error for other in others):
        luck = "most"
    elif others and all(other.luck - mine.luck > CERTAIN * mine.error for other in others):
        luck = "least"
    elif any(abs(mine.luck - other.luck) > CERTAIN * mine.error for other in others):
        luck = "between"
    return f"{chose}_{luck}"


def how_well(total: ReviewTotal) -> tuple[float, float]:
    """By what somebody played best: the accuracy that stands beside it, then what the own choices came to."""
    return -1.0 if total.accuracy is None else total.accuracy, total.own


class Stretch(NamedTuple):
    """The steps from one point to the next."""

    start: ReviewPoint
    pieces: list[ReviewPiece]
    end: ReviewPoint

    @property
    def by_chance(self) -> bool:
        """Whether something came between that nobody could know."""
        sealed = any(piece.decision is not None and piece.decision.sealed for piece in self.pieces)
        return sealed or any(piece.stroke is not None for piece in self.pieces)

    def decided(self, seat: int) -> float:
        """What choices changed for this seat."""
        return math.fsum(piece.decision.change[seat] for piece in self.pieces if piece.decision is not None)

    def beyond(self, seat: int) -> float:
        """What changed for this seat that nobody chose."""
        return self.end.chances[seat] - self.start.chances[seat] - self.decided(seat)


def stretches(pieces: Sequence[ReviewPiece]) -> Iterator[Stretch]:
    """The game from point to point."""
    start, since = pieces[0].after, list[ReviewPiece]()
    for piece in pieces[1:]:
        since.append(piece)
        if piece.after is not None and start is not None:
            yield Stretch(start, since, piece.after)
            start, since = piece.after, []


def edges(way: Sequence[Stretch]) -> Iterator[ReviewPoint]:
    """The points where luck begins or ends: between two stretches of luck a point's error falls out."""
    lucky = [False, *(stretch.by_chance for stretch in way), False]
    for number, stretch in enumerate(way, 1):
        if lucky[number] and not lucky[number - 1]:
            yield stretch.start
        if lucky[number] and not lucky[number + 1]:
            yield stretch.end


def total(seat: int, pieces: Sequence[ReviewPiece]) -> ReviewTotal:
    """One seat's account."""
    points = [piece.after.chances[seat] for piece in pieces if piece.after is not None]
    judged = [(piece, piece.decision) for piece in pieces if piece.decision is not None]
    own = math.fsum(decision.change[seat] for piece, decision in judged if piece.seat == seat)
    others = math.fsum(decision.change[seat] for piece, decision in judged if piece.seat != seat)
    way = list(stretches(pieces))
    luck = math.fsum(stretch.beyond(seat) for stretch in way if stretch.by_chance)
    strokes = math.fsum(piece.stroke.luck[seat] for piece in pieces if piece.stroke is not None)
    errors = [decision.error for _, decision in judged] + [point.errors[seat] for point in edges(way)]
    mine = [decision for piece, decision in judged if piece.seat == seat]
    chosen = [decision for decision in mine if decision.verdict != FORCED]
    costly = sum(decision.verdict == COSTLY for decision in chosen)
    start, end = points[0], points[-1]
    return ReviewTotal(
        start, own, others, luck, end - start - own - others - luck, end, math.hypot(*errors) if errors else 0.0,
        accuracy([decision.loss for decision in chosen]), len(chosen), len(chosen) - costly, costly, len(mine) - len(chosen),
        strokes,
    )  # fmt: skip


def accuracy(losses: Sequence[float]) -> int | None:
    """One number for how well somebody decided: 100 without a loss, and less the more each decision cost.

    The curve is that of lichess: a decision that costs 5 in a hundred counts 80, one that costs 20 counts 40.
    """
    if not losses:
        return None
    found = [103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669 for loss in losses]
    return round(min(100.0, max(0.0, sum(found) / len(found))))


def deciding(pieces: Sequence[ReviewPiece]) -> list[ReviewMoment]:
    """The moments with the largest certain change, by choice or by chance, in the order of time."""
    found = []
    for piece in pieces:
        if piece.decision is not None and piece.decision.verdict == COSTLY:
            found.append(ReviewMoment(piece.step, "choice", piece.seat, -piece.decision.loss, piece.decision.error))
        if piece.stroke is not None:
            luck = piece.stroke.luck
            seat = max(range(len(luck)), key=lambda other: abs(luck[other]))
            if abs(luck[seat]) > CERTAIN * piece.stroke.errors[seat]:
                found.append(ReviewMoment(piece.step, "luck", seat, luck[seat], piece.stroke.errors[seat]))
    picked: list[ReviewMoment] = []
    for moment in sorted(found, key=lambda moment: (-abs(moment.size), moment.step)):
        alike = sum(other.kind == moment.kind for other in picked)
        if len(picked) < MOMENTS and alike < MOST_ALIKE and moment.step not in [other.step for other in picked]:
            picked.append(moment)
    return sorted(picked, key=lambda moment: moment.step)
