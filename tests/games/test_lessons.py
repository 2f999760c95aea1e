"""Every lesson, played against the rules as they are now: a change that breaks one fails here, with the step's name."""

from __future__ import annotations

import re

import pytest

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData
from ludoteca.core.lessons import SAYS, Lesson, lesson_of
from ludoteca.core.words import LANGUAGES, rules_page

LESSONS = {key: lesson_of(catalogue.game(key)) for key in catalogue.keys(of=catalogue.HOUSE)}
MOST_WORDS = 46  # a bubble is read at a glance


def lesson(key: str) -> Lesson:
    found = LESSONS[key]
    assert found is not None, f"{key} has no lesson"
    return found


@pytest.mark.parametrize("key", LESSONS)
def test_the_learner_is_asked_at_every_step_and_may_decide_as_the_lesson_says(key: str) -> None:
    taught = lesson(key)
    for step, play in taught.played(interpreted(taught.game)):
        assert taught.script.seat in play.waiting(), f"at «{step.name}» the learner is not asked"
        if step.do:
            play.check(taught.script.seat, taught.decision(step))


@pytest.mark.parametrize("key", LESSONS)
def test_every_step_is_said_in_both_languages_and_cites_a_paragraph(key: str) -> None:
    taught = lesson(key)
    steps = taught.script.steps
    assert len({step.name for step in steps}) == len(steps)
    for language in LANGUAGES:
        page = rules_page(taught.game, language)
        assert page is not None
        paragraphs = set(re.findall(r"\*\*§([\d.]+)\*\*", page[1]))
        wanted = {f"{step.name}.{part}" for step in steps for part in SAYS if part != "other" or step.do}
        assert taught.words[language].keys() == wanted
        for step in steps:
            assert step.rule in paragraphs, f"«{step.name}» cites §{step.rule}"
            assert len(taught.said(step, language)["text"].split()) <= MOST_WORDS, step.name


@pytest.mark.parametrize("key", LESSONS)
def test_what_is_pressed_and_looked_at_is_little(key: str) -> None:
    for step in lesson(key).script.steps:
        assert bool(step.press) == bool(step.do), step.name
        assert len(step.look) <= 2, step.name
        assert step.do or not step.then, f"«{step.name}» is only read: nothing may happen in it"


def test_a_step_that_the_rules_refuse_is_named() -> None:
    taught = lesson("loot")
    broken = Lesson(taught.game, taught.script, taught.words)
    with pytest.raises(BadData, match="«start»: «0 walk up» is not possible"):
        for _ in broken.decided(broken.opened(interpreted(taught.game)), ("0 walk up",), "start"):
            pass
