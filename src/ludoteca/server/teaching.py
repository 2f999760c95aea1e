"""Lessons: the referee of a table at which everything is decided beforehand, and only the learner's presses are not.

A lesson is the same for everybody and nothing of it is stored, so each position is made once, from the redacted record of
the learner's seat, and kept. What the learner decides is compared with the script; something else that the rules allow is
not what the lesson is about, and what they do not allow is refused with the same sentence as at any table.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData
from ludoteca.core.facts import Fact
from ludoteca.core.game import Game, Json
from ludoteca.core.lessons import Lesson, lesson_of
from ludoteca.core.play import Play
from ludoteca.core.words import LANGUAGES

from . import wire
from .projections import result_of
from .refusals import NotFound
from .screens import Screens
from .wire import ChairInfo, Fair, LessonAnswer, LessonInfo, LessonStep, TableInfo, Update, packed

log = logging.getLogger("ludoteca.teaching")


@functools.cache
def lesson_in(game: Game) -> Lesson | None:
    """The lesson in a game's box; one that cannot be read is named in the log and left out."""
    try:
        return lesson_of(game)
    except BadData as problem:
        log.warning("%s", problem)
        return None


def lesson_info(game: Game) -> LessonInfo | None:
    """What a shelf tells of a game's lesson."""
    lesson = lesson_in(game)
    return None if lesson is None else LessonInfo(len(lesson.script.steps), lesson.script.minutes)


@dataclass
class Told:
    """A lesson as it is told: where each step begins, and what is seen after it."""

    lesson: Lesson
    begins: list[Play] = field(default_factory=list)
    heard: list[list[Json]] = field(default_factory=list)  # every fact so far, when a step begins
    after: list[list[Update]] = field(default_factory=list)


class Teaching:
    """The lessons of the games that are served."""

    def __init__(self) -> None:
        self._told: dict[str, Told] = {}
        self._making = asyncio.Lock()

    async def lesson(self, game: Game) -> wire.Lesson:
        """The steps of a game's lesson, and the table it is played at."""
        told = await self._of(game)
        lesson = told.lesson
        steps = [
            LessonStep(
                {language: lesson.said(step, language) for language in LANGUAGES},
                step.rule, list(step.press), list(step.look), not step.do,
            )
            for step in lesson.script.steps
        ]  # fmt: skip
        script = lesson.script
        table = practice_table(f"lesson-{game.key}", game, script.options, script.seat, script.names)
        return wire.Lesson(script.minutes, table, steps)

    async def step(self, game: Game, number: int) -> Update:
        """The table when a step begins; one more than there are: when the lesson ends."""
        told = await self._of(game)
        if number >= len(told.begins):
            raise NotFound("no_such_address")
        update = seen(told.begins[number], told.lesson.script.seat, told.heard[number])
        update.fresh = True
        return update

    async def decide(self, game: Game, number: int, actions: list[int]) -> LessonAnswer:
        """What the learner decides at a step: if it is the lesson's own decision, what happens then."""
        told = await self._of(game)
        if number >= len(told.after):
            raise NotFound("no_such_address")
        lesson = told.lesson
        if actions == lesson.decision(lesson.script.steps[number]):
            return LessonAnswer(True, told.after[number])
        told.begins[number].check(lesson.script.seat, actions)
        return LessonAnswer(False, [])

    async def _of(self, game: Game) -> Told:
        async with self._making:
            if game.key not in self._told:
                lesson = lesson_in(game)
                if lesson is None:
                    raise NotFound("no_such_address")
                self._told[game.key] = await asyncio.to_thread(told, lesson)
        return self._told[game.key]


def told(lesson: Lesson) -> Told:
    """Plays a lesson through."""
    found, play = Told(lesson), lesson.opened(interpreted(lesson.game))
    heard: list[Json] = []
    for step in lesson.script.steps:
        found.begins.append(play.copy())
        found.heard.append(heard)
        found.after.append(after(lesson, play, lesson.follows(step), step.name))
        heard = heard + [fact for update in found.after[-1] for fact in update.events]
    found.begins.append(play)
    found.heard.append(heard)
    return found


def after(lesson: Lesson, play: Play, script: tuple[str, ...], where: str) -> list[Update]:
    """What the learner sees while the script goes on; what is decided behind screens, when the screens go up."""
    screens, happened, updates = Screens(lesson.game), list[Fact](), list[Update]()
    waiting = play.waiting()
    for decider, actions, facts in lesson.decided(play, script, where):
        happened += facts
        alone, waiting = waiting == [decider], play.waiting()
        if happened and (alone or not screens.covers(actions[-1])):
            seat = lesson.script.seat
            updates.append(seen(play, seat, play.position(seat).facts(happened, play.told)))
            happened = []
    return updates


def seen(play: Play, seat: int, events: list[Json]) -> Update:
    """The table as this seat may see it."""
    position, waiting = play.position(seat), play.waiting()
    choices = packed(position.choices()) if seat in waiting else []
    result = result_of(play) if play.is_over() else None
    return Update(play.seq, position.view(), choices, waiting, events, False, result)


def names_around(seat: int, others: Sequence[str]) -> list[str]:
    """What everybody at the table is called, by seat; you are whoever you are."""
    return [*others[:seat], "", *others[seat:]]


def practice_table(id: str, game: Game, options: Mapping[str, str], seat: int, others: Sequence[str]) -> TableInfo:
    """A table of a lesson or a puzzle: you and the others, without clock, chat or anything that counts."""
    chairs = [
        ChairInfo(n, "bot" if name else "person", name, None, True, False, False, False)
        for n, name in enumerate(names_around(seat, others))
    ]
    return TableInfo(
        id, game.key, "", dict(options), False, "playing", chairs, seat, False, None, 0, [], 0, 0.0, 0.0, Fair("", []),
        None, None, None, None, None, "information", None, True,
    )  # fmt: skip
