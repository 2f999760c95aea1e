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


# What the token that stands for any colour is called, Marvel and base, and what it was called besides.
ITS_NAME = {
    "en": (r"S\.H\.I\.E\.L\.D\. tokens?", r"gold tokens?"),
    "it": (r"S\.H\.I\.E\.L\.D\.", r"d'oro"),
}
ANY_NAME = re.compile(r"\b(jokers?|jolly|grey|grigi\w*|gold|oro)\b|S\.H\.I\.E\.L\.D\.", re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_name_in_each_edition_for_the_token_of_any_colour(language: str) -> None:
    marvel, base = ITS_NAME[language]
    by_edition = re.compile(rf"\{{edition, select, base \{{{base}\}} other \{{{marvel}\}}\}}")
    words, named = catalogue(GAME.folder, language), 0
    for key, template in words.items():
        of_one_edition = {"grey": "S.H.I.E.L.D.", "gold": "gold" if language == "en" else "oro"}.get(key.split(".")[-1])
        left, found = by_edition.subn("", template.replace("{grey, select,", ""))
        named += found
        assert {name[0] for name in ANY_NAME.finditer(left)} <= {of_one_edition}, (key, template)
    assert named >= 12, "it is spoken of"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_in_words_have_one_name_for_it_too(language: str) -> None:
    told = (GAME.folder / "docs" / f"{language}.md").read_text("utf-8").split("<!-- generated")[0]
    told = re.sub(r"`[^`]*`", "", told)  # names of the wire
    names = {name[0].lower() for name in ANY_NAME.finditer(told)}
    assert names == {"s.h.i.e.l.d.", "gold" if language == "en" else "oro"}


def test_both_languages_have_the_same_keys() -> None:
    english, italian = (catalogue(GAME.folder, language) for language in LANGUAGES)
    assert set(english) == set(italian)
