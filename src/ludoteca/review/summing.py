"""What the pieces of a review come to: an account for each seat, and the moments that decided the game.

From one point to the next, everybody's chance changes by what was decided, by chance, and by a rest that neither explains:
what sealed choices made of each other, what some knew and others did not, and the error of the estimates. So for each seat
start + own + others + luck + residue = end, to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .pieces import COSTLY, FORCED, ReviewMoment, ReviewPiece, ReviewTotal

MOMENTS = 3
MOST_ALIKE = 2  # moments of one kind
CERTAIN = 2.0  # standard errors


def sum_up(seats: int, pieces: Sequence[ReviewPiece]) -> tuple[list[ReviewTotal], list[ReviewMoment], list[str]]:
    """The accounts, the moments and the verdicts of a whole review."""
    totals = [total(seat, pieces) for seat in range(seats)]
    return totals, deciding(pieces), [verdict_on(seat, totals) for seat in range(seats)]


def verdict_on(seat: int, totals: Sequence[ReviewTotal]) -> str:
    """What is said about a seat: how it chose (clean, best, other), and its luck (most, least, even)."""
    mine, others = totals[seat], [total for other, total in enumerate(totals) if other != seat]
    best = bool(others) and all(mine.own > other.own for other in others)
    chose = "clean" if mine.costly == 0 else "best" if best else "other"
    luck = "even"
    if others and all(mine.luck - other.luck > CERTAIN * mine.error for other in others):
        luck = "most"
    elif others and all(other.luck - mine.luck > CERTAIN * mine.error for other in others):
        luck = "least"
    return f"{chose}_{luck}"


def total(seat: int, pieces: Sequence[ReviewPiece]) -> ReviewTotal:
    """One seat's account."""
    points = [piece.after.chances[seat] for piece in pieces if piece.after is not None]
    judged = [(piece, piece.decision) for piece in pieces if piece.decision is not None]
    own = math.fsum(decision.change[seat] for piece, decision in judged if piece.seat == seat)
    others = math.fsum(decision.change[seat] for piece, decision in judged if piece.seat != seat)
    luck = math.fsum(piece.stroke.luck[seat] for piece in pieces if piece.stroke is not None)
    errors = [decision.error for _, decision in judged if decision.verdict == COSTLY]
    errors += [piece.stroke.errors[seat] for piece in pieces if piece.stroke is not None]
    mine = [decision for piece, decision in judged if piece.seat == seat]
    chosen = [decision for decision in mine if decision.verdict != FORCED]
    costly = sum(decision.verdict == COSTLY for decision in chosen)
    start, end = points[0], points[-1]
    return ReviewTotal(
        start, own, others, luck, end - start - own - others - luck, end, math.hypot(*errors) if errors else 0.0,
        accuracy([decision.loss for decision in chosen]), len(chosen), len(chosen) - costly, costly, len(mine) - len(chosen),
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
