"""How King of Con speaks: the values of sentences as words; the sentences themselves lie beside it, a file a language."""

from __future__ import annotations

import functools
import pathlib

from ludoteca.core.game import Json
from ludoteca.core.words import Speaker, Telling, word_of

from ..components import OWN_WORDS

word = functools.partial(word_of, pathlib.Path(__file__).parents[1], OWN_WORDS)


def say_what(telling: Telling, item: str | None, said: Json) -> str:
    """What a tie is about: an Item or a characteristic."""
    return telling.word(f"item.{item}" if item else f"characteristic.{said['characteristic']}")


def say_passions(telling: Telling, passions: list[int], said: Json) -> str:
    return ", ".join(telling.word(f"characteristic.{passion}") for passion in passions)


def say_moves(telling: Telling, seats: list[int], said: Json) -> str:
    """Whose Monkey is which now."""
    moves = [(telling.names[seat], said["before"][seat], said["after"][seat]) for seat in seats]
    return "; ".join(
        telling.word("monkey.moves", who="other", name=name, before=before, after=after)
        for name, before, after in moves
    )


SPOKEN: dict[str, Speaker] = {"what": say_what, "passions": say_passions, "moves": say_moves}
