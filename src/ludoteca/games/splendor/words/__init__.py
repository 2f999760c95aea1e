"""How Splendor speaks: the values of sentences as words; the sentences themselves lie beside it, a file a language."""

from __future__ import annotations

import functools
import pathlib

from ludoteca.core.game import Json
from ludoteca.core.words import Speaker, Telling, word_of

from ..components import CARD_LIST, EDITIONS, PLACE_LIST, TOKENS, Card

word = functools.partial(word_of, pathlib.Path(__file__).parents[1], {})


@functools.cache
def printed(edition: int) -> dict[str, Card]:
    """The cards by id."""
    return {card.id: card for card in CARD_LIST[edition]}


def card_name(edition: int, card_id: str | None, level: int, language: str) -> str:
    """A card's name; an unnamed one by level and colour, a hidden one by level."""
    if card_id is None:
        return word(language, "card.of_level", level=level)
    card = printed(edition)[card_id]
    if card.name:
        return card.name
    unnamed = word(language, "card.unnamed", level=card.level, colour=card.bonus)
    return word(language, "card.some", card=unnamed)


def token_words(edition: int, counts: list[int], language: str) -> str:
    """`2 yellow, 1 blue`."""
    kinds = zip(counts, TOKENS[edition], strict=True)
    return ", ".join(word(language, f"count.{kind}", n=n) for n, kind in kinds if n)


def say_card(telling: Telling, card: str | None, said: Json) -> str:
    return card_name(telling.seen.edition, card, said.get("level") or 0, telling.language)


def say_place(telling: Telling, place: str, said: Json) -> str:
    edition: int = telling.seen.edition
    return next(one.name for one in PLACE_LIST[edition] if one.id == place)


def say_tokens(telling: Telling, counts: list[int], said: Json) -> str:
    return token_words(telling.seen.edition, counts, telling.language)


def say_colour(telling: Telling, colour: int, said: Json) -> str:
    return word(telling.language, f"colour.{TOKENS[telling.seen.edition][colour - 1]}")


SPOKEN: dict[str, Speaker] = {
    "card": say_card,
    "place": say_place,
    "tokens": say_tokens,
    "colour": say_colour,
    "free": lambda telling, paid, said: "no" if any(paid) else "yes",
    "holder": lambda telling, seat, said: "none" if seat is None else telling.who(seat),
    "loser": lambda telling, seat, said: "" if seat is None else telling.names[seat],
    "edition": lambda telling, nothing, said: EDITIONS[telling.seen.edition],
}
