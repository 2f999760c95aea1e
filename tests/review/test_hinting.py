"""Hints: what a rival may do is told as somebody else's, in both languages of every game."""

from __future__ import annotations

import pytest

from ludoteca import catalogue
from ludoteca.core import words
from ludoteca.core.engine import interpreted
from ludoteca.core.words import LANGUAGES
from ludoteca.review.hinting import NEXT, advise

HOUSE = catalogue.keys(of=catalogue.HOUSE)


@pytest.mark.parametrize("key", HOUSE)
def test_every_kind_of_action_can_be_told_of_a_rival(key: str) -> None:
    game = catalogue.game(key)
    for language in LANGUAGES:
        known = words.catalogue(game.folder, language)
        for kind in game.actions.names:
            said = known[f"rival.{kind}"]
            assert said[0].islower() or said[0] == "{", "it stands after «can»"
            assert said != known[f"action.{kind}"]


def test_what_a_rival_may_do_is_not_told_as_ones_own() -> None:
    engine = interpreted(catalogue.game("splendor"))
    states = engine.start(2, {}, 5)
    seat = engine.waiting(states)[0]
    facts = advise(engine, engine.game.redact(states, 0, seat), seat, 2, 3).facts
    told = [fact for fact in facts if fact.kind == NEXT]
    assert told
    assert all(fact.words["en"].split()[0] in ("take", "reserve", "recruit") for fact in told)
    assert all(fact.words["it"].split()[0] in ("prendere", "prenotare", "reclutare") for fact in told)
