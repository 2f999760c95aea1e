"""Every fact, action and refusal of Splendor has words, in both languages."""

from __future__ import annotations

import random
import re

import pytest

from ludoteca.core.engine import interpreted
from ludoteca.core.record import Record
from ludoteca.core.words import catalogue, fill
from ludoteca.games.splendor import GAME
from ludoteca.games.splendor.components import EDITIONS, TOKENS

LANGUAGES = ("en", "it")


def reasons_met_in_play() -> dict[str, set[str]]:
    """Keys of refusals that come up in random games, each with the names of its facts."""
    engine, met = interpreted(GAME), dict[str, set[str]]()
    for seed in range(4):
        chance = random.Random(seed)
        state = engine.start(2 + seed % 3, {"edition": EDITIONS[seed % 2]}, seed)
        for _ in range(120):
            if engine.is_over(state):
                break
            seat = engine.waiting(state)[0]
            legal = engine.legal(state, 0, seat)
            seen = Record(GAME.redact(state, 0, seat))
            for action in chance.sample(range(len(GAME.actions)), 12):
                if action not in legal:
                    key, facts = GAME.explain(seen, seat, action)  # type: ignore[misc]
                    met.setdefault(key, set()).update(facts)
            engine.apply(state, 0, seat, chance.choice(legal))
    return met


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_and_action_has_words(language: str) -> None:
    words = catalogue(GAME.folder, language)
    wanted = {f"event.{kind}" for kind in GAME.events}
    wanted |= {f"action.{GAME.actions.decode(n).kind}" for n in range(len(GAME.actions))}
    wanted |= {f"{way}.{name}" for tokens in TOKENS for name in tokens for way in ("colour", "count")}
    assert wanted <= set(words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_a_sentence(language: str) -> None:
    words = catalogue(GAME.folder, language)
    met = reasons_met_in_play()
    assert len(met) >= 10
    for key, facts in met.items():
        said = fill(words[f"why.{key}"], {name: 2 for name in facts})
        assert re.fullmatch(r"[A-ZÈ].*\.", said) and "{" not in said, (key, said)


def test_both_languages_have_the_same_keys() -> None:
    english, italian = (catalogue(GAME.folder, language) for language in LANGUAGES)
    assert set(english) == set(italian)
