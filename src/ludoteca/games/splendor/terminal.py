"""Splendor without pictures: the table as text."""

from __future__ import annotations

from ludoteca.core.game import Json

from .components import EDITIONS, PLACE_LIST, TOKENS
from .words import printed, word

SIGNS = (("Y", "R", "O", "B", "P", "#", "T"), ("W", "U", "G", "R", "K", "*", "-"))  # a letter a token, by edition


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
    lines.append(f"  {word(language, 'terminal.tokens')}: {bank}")
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
