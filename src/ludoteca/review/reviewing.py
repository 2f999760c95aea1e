"""A finished game, step by step: what was decided, what it cost, what chance did.

    story = story_of(engine, journal)
    review = reviewed(story, progress=print)

Each step is judged by itself (`Story.pieces`), so that a review can be made in parts, in any order and in any process; then
the parts are summed up (`summing.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.errors import BadData
from ludoteca.core.journal import Journal, opened
from ludoteca.core.play import Decided, Play
from ludoteca.core.record import Record, States, copied
from ludoteca.core.words import LANGUAGES, Telling

from .hinting import apart, what_follows
from .judging import Effort, Judge, judge_of
from .pieces import COSTLY, Review, ReviewDecision, ReviewPiece, ReviewPoint
from .summing import sum_up

# With more steps than these each is looked at less hard, and the errors that are said are larger.
QUITE_LONG, LONG, VERY_LONG = 80, 120, 240
SOMEWHAT_LESS = Effort(sketch=3, pairs=24)
LESS = Effort(
    options=6, search=600, guesses=48, sketch=3, deep=192, refine=4, further=6, runs=4, deals=48, pairs=16, glance=32
)
LEAST = Effort(
    options=5, search=300, guesses=32, sketch=2, deep=96, refine=4, further=4, runs=4, deals=24, pairs=12, glance=24
)
SEED = 0x5EED  # of everything that is guessed in a review


class Story:
    """The steps of a finished game that stand, and the record before and after each."""

    def __init__(
        self, engine: CompiledEngine, play: Play, names: Sequence[str] = (), effort: Effort | None = None
    ) -> None:
        if not play.is_over():
            raise BadData("Only a finished game can be reviewed.", "not_over")
        if play.seats == 1 and not play.game.rival_alone:
            raise BadData("Alone there is nobody to win against, so there are no chances to speak of.", "alone")
        self.engine, self.play = engine, play
        self.judge = Judge(engine, effort or effort_for(play))
        self.line: list[tuple[int, Decided]] = sorted(play.line())
        self.names = list(names) or [str(number) for number in range(1, play.seats + 1)]
        self.steps = [step for step, _ in self.line]
        self._weighed: dict[int, ReviewDecision] = {}  # those asked for last

    def __len__(self) -> int:
        return len(self.line) + 1  # the deal is one too

    def pieces(self, first: int, end: int) -> Iterator[ReviewPiece]:
        """The pieces number `first` (0: the deal) up to `end`, which is not among them."""
        play = self.play.from_the_start(self.engine)
        for number in range(min(end, len(self))):
            if number == 0:
                if first == 0:
                    yield ReviewPiece(0, -1, -1, after=self.point(0, play.states))
                continue
            _, (seat, action, part) = self.line[number - 1]
            before = copied(play.states)
            play.follow(seat, [action], part)
            if number >= first:
                yield self._piece(number, before, play.states)
                self._weighed.pop(number, None)

    def _piece(self, number: int, before: States, after: States) -> ReviewPiece:
        step, (seat, action, _) = self.line[number - 1]
        judge, seed = self.judge, derive(SEED, step)
        decision = self._in_words(self._decision(number, before), before, seat)
        if decision.verdict == COSTLY:
            decision = self._with_reasons(decision, before, seat, action, seed)
        outcomes = judge.outcomes(before, seat, action, after, seed)
        point = stroke = None
        if outcomes or asks_anew(self.engine, before, after):
            point = self.point(number, after)
        if outcomes:
            stroke = judge.stroke(outcomes, after, seed)
        return ReviewPiece(step, seat, action, decision, point, stroke, int(before["round_number"][0]))

    def point(self, number: int, states: States) -> ReviewPoint:
        """Everybody's chances after piece `number`: what those who decide next can get, as each of them sees it.

        The options of a decision are looked at far harder than a position is. So what a choice costs, and what it is taken
        from, come from the same look.
        """
        waiting = self.engine.waiting(states)
        known = [self._decision(next, states).before for seat in waiting if (next := self._next(number, seat))]
        found = [point for point in known if point is not None]
        if waiting and len(found) == len(waiting):
            return averaged(found)
        step = self.line[number - 1][0] if number else 0
        return self.judge.position(states, derive(SEED, step))

    def _next(self, number: int, seat: int) -> int:
        """The number of the next piece in which this seat decides, or 0."""
        found = (n for n in range(number, len(self.line)) if self.line[n][1][0] == seat)
        return next(found, -1) + 1

    def _decision(self, number: int, before: States) -> ReviewDecision:
        """The decision of piece `number`, weighed once for itself and for the piece before it.

        Those who seal earlier change nothing that its seat can see, so it may be asked for as soon as the seat is asked.
        """
        if number not in self._weighed:
            step, (seat, action, _) = self.line[number - 1]
            self._weighed[number] = self.judge.decision(before, seat, action, derive(SEED, step))
        return self._weighed[number]

    def _in_words(self, decision: ReviewDecision, states: States, seat: int) -> ReviewDecision:
        """With each option as a page offers it, and as a sentence."""
        if not decision.options:
            return decision
        game = self.engine.game
        seen: Any = Record(game.redact(states, 0, seat))
        offered = [
            game.actions.described(option.action) | game.choice(seen, seat, option.action)
            for option in decision.options
        ]
        words = {
            language: [Telling(game, seen, self.names, language, seat).choice(choice) for choice in offered]
            for language in LANGUAGES
        }
        return msgspec.structs.replace(decision, choices=offered, words=words)

    def _with_reasons(
        self, decision: ReviewDecision, states: States, seat: int, chosen: int, seed: int
    ) -> ReviewDecision:
        """With what tells the best option apart from the chosen one: both played on in the same guesses."""
        seen = self.engine.game.redact(states, 0, seat)
        played, best = (
            what_follows(self.engine, seen, seat, action, seed, self.names) for action in (chosen, decision.best)
        )
        return msgspec.structs.replace(decision, leads=apart(played, best), spares=apart(best, played))

    def review(self, pieces: Iterable[ReviewPiece]) -> Review:
        """The review as far as these pieces go."""
        found = sorted(pieces, key=lambda piece: piece.step)
        done = len(found) == len(self)
        totals, moments, verdicts = sum_up(self.play.seats, found) if done else ([], [], [])
        game = self.play.game
        return Review(
            game.key, game.version, self.play.seats, judge_of(game), self.steps, found, done, totals, moments, verdicts
        )


def effort_for(play: Play) -> Effort:
    """How hard to look: less at each step the more steps there are, so that no game takes much longer than another."""
    if play.depth > LONG:
        return LESS if play.depth <= VERY_LONG else LEAST
    return SOMEWHAT_LESS if play.depth > QUITE_LONG else Effort()


def averaged(points: Sequence[ReviewPoint]) -> ReviewPoint:
    """The mean of what several see."""
    chances = np.mean([point.chances for point in points], 0)
    errors = np.sqrt(np.square([point.errors for point in points]).sum(0)) / len(points)
    return ReviewPoint(chances.tolist(), errors.tolist())


def asks_anew(engine: CompiledEngine, before: States, after: States) -> bool:
    """Whether somebody is asked anew with this step, or the game has ended."""
    if engine.is_over(after):
        return True
    asked = set(engine.waiting(after))
    return not asked <= set(engine.waiting(before))


def story_of(engine: CompiledEngine, journal: Journal, effort: Effort | None = None) -> Story:
    """The story of a journal; a sentence if it is of another game or does not end."""
    play = opened(engine, journal)
    for seat, action in journal.decisions:
        play.again(seat, action)
    return Story(engine, play, journal.names, effort)


def reviewed(story: Story, progress: Callable[[int, int], None] | None = None) -> Review:
    """A whole review."""
    pieces = []
    for piece in story.pieces(0, len(story)):
        pieces.append(piece)
        if progress is not None:
            progress(len(pieces), len(story))
    return story.review(pieces)
