"""How Loot speaks: the values of sentences as words; the sentences themselves lie beside it, a file a language."""

from __future__ import annotations

import functools
import pathlib

from ludoteca.core.game import Json
from ludoteca.core.words import Speaker, Telling, word_of

from ..components import SIDE

word = functools.partial(word_of, pathlib.Path(__file__).parents[1], {})


def place(language: str, square: int) -> str:
    """A square by row and column."""
    return word(language, "square", row=square // SIDE + 1, column=square % SIDE + 1)


def say_hall(telling: Telling, colour: str, said: Json) -> str:
    return telling.word("the_hall", colour=colour, size=said["size"])


SPOKEN: dict[str, Speaker] = {
    "square": lambda telling, square, said: place(telling.language, square),
    "ability": lambda telling, ability, said: f"«{telling.word(f'ability.{ability}')}»" if ability else "none",
    "line": lambda telling, line, said: telling.word("the_combo", line=line),
    "hall": say_hall,
}
