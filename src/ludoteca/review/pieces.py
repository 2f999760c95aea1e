"""What a review is made of: a piece for each step of the game, each made by itself and always in the same way.

Chances are parts of one; `errors` are standard errors. A list of numbers has one for each seat.
"""

from __future__ import annotations

from typing import Any

import msgspec

Numbers = list[float]
Words = dict[str, str]  # by language

FORCED = "forced"  # there was no choice
AS_GOOD = "as_good"  # nothing was better by more than the error
COSTLY = "costly"  # something was better, beyond the error


class ReviewPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everybody's chance to win, as those who have to decide next can judge it."""

    chances: Numbers
    errors: Numbers


class ReviewOption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that could have been done: what it was worth to whoever decided, and how much less than the best."""

    action: int
    chance: float
    error: float
    loss: float
    loss_error: float


class HintFact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that matters.

    `next`: another seat can do this and is likely to (the words stand after «can»); `then`: so are you, on your next turn;
    `end`: the game may be over before it.
    """

    kind: str
    seat: int | None
    times: int  # in a hundred guesses
    words: Words


class ReviewDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision, judged from what its seat could see then."""

    verdict: str
    options: list[ReviewOption]  # the best first; those that were not looked at are missing
    left_out: int  # legal options that were not looked at
    best: int  # the action that did best
    loss: float  # what the chosen one cost, 0 within the error
    error: float
    change: Numbers  # what the choice changed for everybody, against `before`, as measured, within the error too
    sealed: bool  # decided together with others: against what the bot would choose in their place
    before: ReviewPoint | None = (
        None  # everybody's chances with the best option; sealed, with the mixture that the bot plays
    )
    choices: list[dict[str, Any]] = []  # each option as a page offers it
    words: dict[str, list[str]] = {}  # by language, each option as a sentence
    leads: list[HintFact] = []  # where it was costly: what the chosen option leads to and the best one does not ...
    spares: list[HintFact] = []  # ... and what the best one leads to


class ReviewStroke(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance did with a step: everybody's chance after it, less what could be expected."""

    luck: Numbers
    errors: Numbers
    outcomes: int  # different ones that were looked at
    all_of_them: bool  # whether these are all there are


class ReviewPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the game (0: the deal), and what was found out about it."""

    step: int
    seat: int
    action: int
    decision: ReviewDecision | None = None
    after: ReviewPoint | None = None  # where the next decision is another's, or chance has spoken
    stroke: ReviewStroke | None = None
    round: int = 0  # of the game; 0 in the deal


class ReviewTotal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat's account: start + own + others + luck + residue = end."""

    start: float
    own: float  # minus what the own decisions cost
    others: float  # what the others' decisions gave, or took
    luck: float
    residue: float
    end: float
    error: float  # of own, others and luck together
    accuracy: int | None  # 0 to 100; none without a decision to judge
    decisions: int  # with a choice
    as_good: int
    costly: int
    forced: int
    strokes: float = 0.0  # strokes of luck as measured by themselves, beside `luck`, which is taken from the chances


class ReviewMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment that decided the game."""

    step: int
    kind: str  # "choice" or "luck"
    seat: int  # who chose; by luck: whom it moved most
    size: float  # how much the chance of that seat changed
    error: float


class Review(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole review, or as much of it as there is."""

    game: str
    version: str
    seats: int
    judge: str  # who judged, and a sign of how (`judging.judge_of`)
    steps: list[int]  # the steps that stand; steps that were taken back are missing
    pieces: list[ReviewPiece]
    done: bool
    totals: list[ReviewTotal] = []  # when it is done
    moments: list[ReviewMoment] = []
    verdicts: list[str] = []  # for each seat, what is to be said about it: `best_least`, `good_most` … (summing.py)
