"""How Challengers! speaks: the values of sentences as words; the sentences themselves lie beside it, a file a language."""

from __future__ import annotations

import functools
import pathlib

from ludoteca.core.game import Json
from ludoteca.core.words import Speaker, Telling, word_of

from ..components import LEVEL_NAMES, OWN_WORDS
from ..state import State

word = functools.partial(word_of, pathlib.Path(__file__).parents[1], OWN_WORDS)


def card_name(language: str, card: str | None, level: str | None) -> str:
    """A card by its name, or by its level where the viewer may not know it."""
    if card is not None:
        return word(language, f"card.{card}")
    return word(language, "card.level", level=level) if level in LEVEL_NAMES else word(language, "card.hidden")


def team_name(state: State, names: list[str], language: str, team: int) -> str:
    return names[team] if team < state.seats else word(language, "robot")


def say_card(telling: Telling, card: str | None, said: Json) -> str:
    return card_name(telling.language, card, said.get("level"))


def say_team(telling: Telling, team: int, said: Json) -> str:
    return team_name(telling.seen, telling.names, telling.language, team)


SPOKEN: dict[str, Speaker] = {
    "card": say_card,
    "team": say_team,
    "signed": lambda telling, amount, said: f"{amount:+d}",
}
