"""A lesson: a fixed deal, and steps at each of which the learner makes one decision on the real table.

    lesson = lesson_of(game)              # None, if the game brings none
    for step, play in lesson.played(engine): ...

It is data in the game's folder: `lesson/script.json` has the deal, what the learner decides and what the others do, written
as a terminal reads it; `lesson/<language>.json` has what is said at each step. A step whose decision the rules would refuse
is refused with its name, so a change of the rules that breaks a lesson cannot pass unnoticed.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from .engine import Engine
from .errors import BadData, Refusal
from .facts import Fact
from .game import Game
from .play import Play
from .words import LANGUAGES

SAYS = ("title", "text", "other")  # what a step says: its heading, what to do and why, and to whoever presses elsewhere


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to learn. Without `do` there is only something to read."""

    name: str  # of its words: `<name>.title`, `<name>.text`, `<name>.other`
    rule: str  # the paragraph it comes from: `2.3`
    do: tuple[str, ...] = ()  # the learner's decision, in as many steps as the rules make of it
    press: tuple[str, ...] = ()  # what is pressed for it, in turn: parts of the table by name, as its board knows them
    look: tuple[str, ...] = ()  # what to look at meanwhile, at most two parts
    then: tuple[
        str, ...
    ] = ()  # what others decide afterwards: `1 take_three 1 2 3`; a decision of several steps with ` + `


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deal and the steps."""

    version: str  # of the rules
    minutes: int
    seats: int
    seed: int
    names: tuple[str, ...]  # of the others, in the order of their seats
    steps: tuple[Step, ...]
    seat: int = 0  # the learner's
    options: dict[str, str] = {}
    before: tuple[str, ...] = ()  # what was decided before the first step, as in `then`


@dataclass(frozen=True)
class Lesson:
    """The lesson of one game."""

    game: Game
    script: Script
    words: dict[str, dict[str, str]]  # by language, then `<step>.title` and so on

    def said(self, step: Step, language: str) -> dict[str, str]:
        """What a step says."""
        words = self.words[language]
        return {part: words[f"{step.name}.{part}"] for part in SAYS if f"{step.name}.{part}" in words}

    def opened(self, engine: Engine) -> Play:
        """The table as the learner finds it."""
        script = self.script
        if script.version != self.game.version:
            raise BadData(f"The lesson of {self.game.key} is for version {script.version} of the rules.", "bad_lesson")
        play = Play.deal(engine, script.seats, script.options, script.seed)
        for _ in self.decided(play, script.before, "before"):
            pass
        return play

    def decision(self, step: Step) -> list[int]:
        """What the learner is to decide, as numbers."""
        return [self.game.actions.read(action) for action in step.do]

    def decided(self, play: Play, script: tuple[str, ...], where: str) -> Iterator[tuple[int, list[int], list[Fact]]]:
        """Plays what stands in the script: each decision's seat and steps, and what happened."""
        for line in script:
            seat, _, actions = line.partition(" ")
            try:
                numbers = [self.game.actions.read(action) for action in actions.split(" + ")]
                yield int(seat), numbers, play.decide(int(seat), numbers)
            except (Refusal, ValueError) as problem:
                raise BadData(
                    f"The lesson of {self.game.key}, «{where}»: «{line}» is not possible: {problem}", "bad_lesson"
                ) from problem

    def follows(self, step: Step) -> tuple[str, ...]:
        """The learner's decision of a step and the others' after it, as lines of the script."""
        own = (f"{self.script.seat} {' + '.join(step.do)}",) if step.do else ()
        return own + step.then

    def played(self, engine: Engine) -> Iterator[tuple[Step, Play]]:
        """Every step, and the game as it stands when the step begins."""
        play = self.opened(engine)
        for step in self.script.steps:
            yield step, play
            for _ in self.decided(play, self.follows(step), step.name):
                pass


@functools.cache
def lesson_of(game: Game) -> Lesson | None:
    """The lesson in a game's folder, if it brings one."""
    folder = game.folder / "lesson"
    if not (folder / "script.json").is_file():
        return None
    try:
        script = msgspec.json.decode((folder / "script.json").read_bytes(), type=Script)
        words = {language: dict(json.loads((folder / f"{language}.json").read_text("utf-8"))) for language in LANGUAGES}
    except (msgspec.MsgspecError, OSError, ValueError) as problem:
        raise BadData(f"The lesson of {game.key} cannot be read: {problem}", "bad_lesson") from problem
    return Lesson(game, script, words)
