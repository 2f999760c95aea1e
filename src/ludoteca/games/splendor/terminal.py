"""Splendor without pictures: the table as text, and what is printed on a card."""

from __future__ import annotations

from ludoteca.core.game import Json
from ludoteca.core.paper import Paper, padded

from .components import CARD_LIST, EDITIONS, PLACE_LIST, TOKENS
from .words import card_name, printed, token_words, word

SIGNS = (("Y", "R", "O", "B", "P", "#", "T"), ("W", "U", "G", "R", "K", "*", "-"))  # a letter a token, by edition
INKS = (
    ("yellow", "red", "orange", "blue", "purple", "grey", "green"),
    ("bold", "blue", "green", "red", "grey", "yellow", "dim"),
)
WIDE = 142  # letters that a row of the market takes in one line


def picture(view: Json, names: list[str], language: str) -> str:
    """The table as text."""
    return board(view, names, Paper(language, width=WIDE))


def board(view: Json, names: list[str], paper: Paper) -> str:
    """Places, market, tokens, players; on plain paper every card in words, in a line of its own."""
    edition = EDITIONS.index(view["edition"])
    if paper.plain:
        return "\n".join(listed(view, names, edition, paper))
    lines = [paper.flow([place_line(edition, tile, names, paper) for tile in view["tiles"]])]
    for level in (2, 1, 0):
        lines += market_lines(edition, view["market"][level], level, view["decks"][level], paper)
    lines.append(f"  {word(paper.language, 'terminal.tokens')}: {tokens_line(edition, view['bank'], paper)}")
    for seat, player in enumerate(view["players"]):
        mark = ">" if view["turn"] == seat and not view["over"] else " "
        stars = f" ★{player['stars']}{'!' if view['avengers'] == seat else ''}" if edition == 0 else ""
        pieces = [
            f"{mark} {paper.ink(f'{names[seat]:12}', 'bold')} {player['points']:2} p{stars}",
            padded(f"bonus {tokens_line(edition, player['bonuses'], paper)}", 26 if paper.width >= WIDE else 0),
            padded(tokens_line(edition, player["tokens"], paper), 24 if paper.width >= WIDE else 0),
            *(
                card_cell(edition, held["card"], paper) if held["card"] else f"[{held['level']}]"
                for held in player["hand"]
            ),
        ]
        lines.append(paper.flow(pieces, rest="      "))
    return "\n".join(lines)


def market_lines(edition: int, cards: list[str | None], level: int, left: int, paper: Paper) -> list[str]:
    """A row of the market: in one line where there is room for it, else each card in three."""
    head = f"  {'I' * (level + 1):3} ({left:2})  "
    if paper.width >= WIDE:
        cells = [padded(card_cell(edition, card, paper), 33) for card in cards]
        return [(head + "".join(cells)).rstrip()]
    width = (paper.width - len(head)) // len(cards)
    blocks = [card_block(edition, card, width - 1, paper) for card in cards]
    rows = ["".join(padded(block[n], width) for block in blocks).rstrip() for n in range(3)]
    return [head + rows[0], *(" " * len(head) + row for row in rows[1:])]


def tokens_line(edition: int, counts: list[int], paper: Paper) -> str:
    kinds = zip(counts, SIGNS[edition], INKS[edition], strict=False)
    return " ".join(paper.ink(f"{n}{sign}", ink) for n, sign, ink in kinds if n) or "–"


def card_parts(edition: int, card_id: str, paper: Paper) -> tuple[str, str, str]:
    """Name; bonus, stars and points; cost."""
    card = printed(edition)[card_id]
    kind = TOKENS[edition].index(card.bonus)
    sign = paper.ink(SIGNS[edition][kind], INKS[edition][kind], "bold")
    gives = f"{sign}{'★' * card.stars} {card.points}p"
    return card.name or card.id, gives, f"({tokens_line(edition, list(card.cost), paper)})"


def card_cell(edition: int, card_id: str | None, paper: Paper) -> str:
    """`Rocket Y 0p (1Y 2R)`."""
    return "–" if card_id is None else " ".join(card_parts(edition, card_id, paper))


def card_block(edition: int, card_id: str | None, width: int, paper: Paper) -> tuple[str, str, str]:
    """The same in three lines."""
    if card_id is None:
        return "–", "", ""
    name, gives, cost = card_parts(edition, card_id, paper)
    return paper.ink(name[:width], "bold"), gives, cost.replace(" ", "") if width < 16 else cost


def place_line(edition: int, tile: Json, names: list[str], paper: Paper) -> str:
    place = next(p for p in PLACE_LIST[edition] if p.id == tile["id"])
    owner = "" if tile["owner"] is None else f" → {names[tile['owner']]}"
    return f"{place.name} 3p ({tokens_line(edition, list(place.cost), paper)}){owner}"


# In words.


def listed(view: Json, names: list[str], edition: int, paper: Paper) -> list[str]:
    """The table in sentences."""
    language = paper.language
    lines = [place_words(edition, tile, names, language) for tile in view["tiles"]]
    for level in (2, 1, 0):
        lines.append(word(language, "deck.label", level=level + 1, n=view["decks"][level], can=0))
        lines += [card_words(view, edition, card, language) for card in view["market"][level] if card]
    lines.append(f"{word(language, 'terminal.tokens')}: {token_words(edition, view['bank'], language)}")
    for seat, player in enumerate(view["players"]):
        points = word(language, "card.points", n=player["points"])
        bonuses = token_words(edition, [*player["bonuses"], 0, 0], language) or "–"
        held = token_words(edition, player["tokens"], language) or "–"
        lines.append(f"{names[seat]}: {points}. Bonus: {bonuses}. {word(language, 'terminal.tokens')}: {held}.")
        for reserved in player["hand"]:
            known = reserved["card"]
            lines.append(
                card_words(view, edition, known, language)
                if known
                else word(language, "card.hidden", level=reserved["level"])
            )
    return lines


def card_words(view: Json, edition: int, card_id: str, language: str) -> str:
    """`Rocket, level 1, gives yellow, costs 1 yellow, 2 red`."""
    card = printed(edition)[card_id]
    you = view["players"][view["you"]["seat"]] if view["you"] else None
    return word(
        language, "card.label", name=card.name or card_name(edition, card_id, card.level, language), level=card.level,
        bonus=word(language, f"colour.{card.bonus}"), points=card.points, stars=card.stars,
        time=int(edition == 0 and card.level == 3 and you is not None and bool(you["missing"]["time"])),
        cost=token_words(edition, [*card.cost, 0, 0], language) or word(language, "card.free"), status="",
    )  # fmt: skip


def place_words(edition: int, tile: Json, names: list[str], language: str) -> str:
    place = next(p for p in PLACE_LIST[edition] if p.id == tile["id"])
    owner = tile["owner"]
    return word(
        language, "place.label", name=place.name, cost=token_words(edition, [*place.cost, 0, 0], language),
        state="none" if owner is None else "held", owner="" if owner is None else names[owner],
    )  # fmt: skip


def lookup(view: Json, language: str) -> list[tuple[str, str]]:
    """Every card and place of the edition, by name."""
    edition = EDITIONS.index(view["edition"])
    cards = [
        (card_name(edition, card.id, card.level, language), card_words(view, edition, card.id, language))
        for card in CARD_LIST[edition]
    ]
    places = [
        (place.name, place_words(edition, {"id": place.id, "owner": None}, [], language))
        for place in PLACE_LIST[edition]
    ]
    return cards + places
