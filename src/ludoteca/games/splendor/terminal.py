"""Splendor without pictures: values as words, and the table as text."""

from __future__ import annotations

import functools
import pathlib

from ludoteca.core.game import Json
from ludoteca.core.words import Speaker, Telling, catalogue, fill

from .components import CARD_LIST, EDITIONS, PLACE_LIST, TOKENS, Card

SIGNS = (("Y", "R", "O", "B", "P", "#", "T"), ("W", "U", "G", "R", "K", "*", "-"))  # a letter a token, by edition
SIGN_NAMES = {"en": "Tokens", "it": "Gettoni"}


@functools.cache
def printed(edition: int) -> dict[str, Card]:
    """The cards by id."""
    return {card.id: card for card in CARD_LIST[edition]}


def word(language: str, key: str) -> str:
    return catalogue(pathlib.Path(__file__).parent, language).get(key, key)


def card_name(edition: int, card_id: str | None, level: int, language: str) -> str:
    """A card's name; an unnamed one by level and colour, a hidden one by level."""
    if card_id is None:
        return {"en": f"a card of level {level}", "it": f"una carta di livello {level}"}[language]
    card = printed(edition)[card_id]
    if card.name:
        return card.name
    unnamed = fill(word(language, "card.unnamed"), {"level": card.level, "colour": card.bonus})
    return fill(word(language, "card.some"), {"card": unnamed})


def token_words(edition: int, counts: list[int], language: str) -> str:
    """`2 yellow, 1 blue`."""
    kinds = zip(counts, TOKENS[edition], strict=True)
    return ", ".join(fill(word(language, f"count.{kind}"), {"n": n}) for n, kind in kinds if n)


def say_card(telling: Telling, card: str | None, said: Json) -> str:
    return card_name(telling.seen.edition, card, said.get("level") or 0, telling.language)


def say_place(telling: Telling, place: str, said: Json) -> str:
    return next(one.name for one in PLACE_LIST[telling.seen.edition] if one.id == place)


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


def picture(view: Json, names: list[str], language: str) -> str:
    """The table as text."""
    edition = EDITIONS.index(view["edition"])
    lines = []
    tiles = [place_line(edition, tile, names) for tile in view["tiles"]]
    lines.append("  ".join(tiles))
    for level in (2, 1, 0):
        cells = [card_cell(edition, card) for card in view["market"][level]]
        lines.append(f"  {'I' * (level + 1):3} ({view['decks'][level]:2})  " + "".join(f"{cell:33}" for cell in cells))
    bank = tokens_line(edition, view["bank"])
    lines.append(f"  {SIGN_NAMES[language]}: {bank}")
    for seat, player in enumerate(view["players"]):
        mark = ">" if view["turn"] == seat and not view["over"] else " "
        bonuses = tokens_line(edition, player["bonuses"])
        stars = f" ★{player['stars']}{'!' if view['avengers'] == seat else ''}" if edition == 0 else ""
        hand = " ".join(
            card_cell(edition, held["card"]) if held["card"] else f"[{held['level']}]" for held in player["hand"]
        )
        held = tokens_line(edition, player["tokens"])
        lines.append(f"{mark} {names[seat]:12} {player['points']:2} p{stars}  bonus {bonuses:20} {held:24} {hand}")
    return "\n".join(lines)


def tokens_line(edition: int, counts: list[int]) -> str:
    return " ".join(f"{n}{sign}" for n, sign in zip(counts, SIGNS[edition], strict=False) if n) or "–"


def card_cell(edition: int, card_id: str | None) -> str:
    """`Rocket Y 0p (1Y 2R)`."""
    if card_id is None:
        return "–"
    card = printed(edition)[card_id]
    sign = SIGNS[edition][TOKENS[edition].index(card.bonus)]
    extra = "★" * card.stars
    return f"{card.name or card.id} {sign}{extra} {card.points}p ({tokens_line(edition, list(card.cost))})"


def place_line(edition: int, tile: Json, names: list[str]) -> str:
    place = next(p for p in PLACE_LIST[edition] if p.id == tile["id"])
    owner = "" if tile["owner"] is None else f" → {names[tile['owner']]}"
    return f"{place.name} 3p ({tokens_line(edition, list(place.cost))}){owner}"
