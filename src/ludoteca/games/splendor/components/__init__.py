"""What is printed on the components, read from `<edition>.csv`: a row a card or tile.

Both editions have three decks and five colours; the tables below are indexed by edition, then by card or tile.
"""

from __future__ import annotations

import functools
import itertools
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludoteca.core.forms import Cells, Column, Form, Mistake, chosen, printed_rows
from ludoteca.core.record import Cube, Grid, Row

if TYPE_CHECKING:
    from ludoteca.core.decks import Deck

HERE = pathlib.Path(__file__).parent

EDITIONS = ("marvel", "base")
MARVEL, BASE = 0, 1
COLOURS = (("yellow", "red", "orange", "blue", "purple"), ("white", "blue", "green", "red", "black"))
GREY = 5  # S.H.I.E.L.D. tokens (gold in the base edition): jokers
GREEN = 6  # the time gem (Marvel only)
TOKENS = tuple((*colours, joker, "green") for colours, joker in zip(COLOURS, ("grey", "gold"), strict=True))

LEVELS = 3
MOST_CARDS = 126  # the record counts them in a byte
SLOTS_OF_A_LEVEL = 4  # lie face up
MOST_TILES = 10
TILE_POINTS = 3
MOST_COST = 9
GOAL = (16, 15)  # §9.1, §10.3 points that end the game, by edition


@dataclass(frozen=True)
class Card:
    """One character card (a development card in the base edition)."""

    id: str
    name: str
    level: int
    bonus: str
    points: int
    cost: tuple[int, ...]
    stars: int


@dataclass(frozen=True)
class Place:
    """One face of a location tile (a noble in the base edition)."""

    id: str
    name: str
    points: int
    cost: tuple[int, ...]
    tile: int


# What a file must look like, the printed ones and a deck of one's own.


def check_table(rows: list[Cells], edition: int) -> Iterator[Mistake]:
    """What the rules need of all cards and places together."""
    cards = [row for row in rows if row["kind"] == "card"]
    places = [row for row in rows if row["kind"] == "place"]
    for level in range(1, LEVELS + 1):
        found = sum(row["level"] == str(level) for row in cards)
        if found < SLOTS_OF_A_LEVEL:
            yield Mistake(0, "level", "few_cards", {"level": level, "found": found, "least": SLOTS_OF_A_LEVEL})
    if len(cards) > MOST_CARDS:
        yield Mistake(0, "", "many_cards", {"found": len(cards), "most": MOST_CARDS})
    points = sum(row.number("points") for row in cards)
    if points < GOAL[edition]:
        yield Mistake(0, "points", "few_points", {"found": points, "least": GOAL[edition]})
    for colour in COLOURS[edition]:
        if all(row["bonus"] != colour for row in cards):
            yield Mistake(0, "bonus", "no_bonus", {"colour": colour})
    yield from check_places(places, edition)


def check_places(places: list[Cells], edition: int) -> Iterator[Mistake]:
    """§1.3 A tile has one or two faces; §10.1 nobles are one more than players."""
    tiles: dict[str, list[Cells]] = {}
    for row in places:
        tiles.setdefault(row["tile"], []).append(row)
    least = 5 if edition == BASE else 4
    if len(tiles) < least:
        yield Mistake(0, "tile", "few_tiles", {"found": len(tiles), "least": least})
    if len(places) > MOST_TILES:
        yield Mistake(0, "", "many_places", {"found": len(places), "most": MOST_TILES})
    for tile, faces in tiles.items():
        for row in faces[2:]:
            yield row.wrong("tile", "many_faces", tile=tile)
    for row in places:  # §6 every tile is worth the same
        if row["points"] != str(TILE_POINTS):
            yield row.wrong("points", "tile_points", value=row["points"], points=TILE_POINTS)


def form(edition: int) -> Form:
    """The cards and places of one edition."""
    card, place = ("card",), ("place",)
    stars = Column("avengers", "number", 0, 3, of=card, empty="0")
    return Form(
        EDITIONS[edition],
        (
            Column("kind", "choice", values=("card", "place")),
            Column("id", "id"),
            Column("name", "text", empty=""),
            Column("level", "choice", values=("1", "2", "3"), of=card),
            Column("bonus", "choice", values=COLOURS[edition], of=card),
            Column("points", "number", 0, MOST_COST),
            *(Column(colour, "number", 0, MOST_COST) for colour in COLOURS[edition]),
            *((stars,) if edition == MARVEL else ()),
            Column("tile", "number", 1, 99, of=place),
        ),
        ("card", "place"),
        functools.partial(check_table, edition=edition),
        printed=lambda: [FORMS[edition].kept(row) for row in read_rows(HERE / f"{EDITIONS[edition]}.csv", edition)],
        options={"edition": EDITIONS[edition]},
    )


def read_rows(path: pathlib.Path, edition: int) -> list[Cells]:
    """The rows of a printed file."""
    return printed_rows(FORMS[edition], path, HERE.parent)


FORMS = tuple(form(edition) for edition in (MARVEL, BASE))


def made_of(rows: list[Cells], colours: tuple[str, ...]) -> tuple[list[Card], list[Place]]:
    """Cards (sorted by level) and tiles."""
    cards: list[Card] = []
    places: list[Place] = []
    for row in rows:
        cost = tuple(row.number(colour) for colour in colours)
        if row["kind"] == "card":
            stars = int(row.get("avengers", "0"))
            cards.append(
                Card(row["id"], row["name"], int(row["level"]), row["bonus"], row.number("points"), cost, stars)
            )
        else:
            places.append(Place(row["id"], row["name"], row.number("points"), cost, row.number("tile")))
    return sorted(cards, key=lambda card: card.level), places


# With a deck of one's own there is one edition, the deck's; its tables stand in the places of both.
DECK: Deck | None = chosen(__name__)
FIRST_EDITION = MARVEL if DECK is None else EDITIONS.index(DECK.form)  # the number of the option's first value
IN_BOX = EDITIONS if DECK is None else (DECK.form,)
OF_EDITION = (MARVEL, BASE) if DECK is None else (FIRST_EDITION, FIRST_EDITION)  # whose components each place holds

_rows = [
    read_rows(HERE / f"{EDITIONS[e]}.csv", e) if DECK is None else FORMS[e].cells(DECK.content) for e in OF_EDITION
]
_read = [made_of(rows, COLOURS[e]) for rows, e in zip(_rows, OF_EDITION, strict=True)]
CARD_LIST = tuple(cards for cards, _ in _read)  # by edition
PLACE_LIST = tuple(places for _, places in _read)
DECK_SIZES = tuple(sum(card.level == level for card in CARD_LIST[0]) for level in range(1, LEVELS + 1))
assert tuple(sum(card.level == level for card in CARD_LIST[1]) for level in range(1, LEVELS + 1)) == DECK_SIZES
DEEPEST = max(DECK_SIZES)
CARDS = sum(DECK_SIZES)
FIRST_OF_LEVEL = tuple(itertools.accumulate((0, *DECK_SIZES)))  # cards are numbered level by level: 0, 40, 70, 90

LEVEL: Row = np.array([card.level - 1 for card in CARD_LIST[0]], np.int64)  # the same in both editions
COST: Cube = np.array([[card.cost for card in cards] for cards in CARD_LIST], np.int64)
# Eight bits a colour, as `purse` in the rules packs what a player has.
PACKED_COST: Grid = (np.asarray(COST) << (8 * np.arange(5))).sum(axis=2)
BONUS: Grid = np.array(
    [[COLOURS[e].index(c.bonus) for c in cards] for e, cards in zip(OF_EDITION, CARD_LIST, strict=True)], np.int64
)
POINTS: Grid = np.array([[card.points for card in cards] for cards in CARD_LIST], np.int64)
STARS: Grid = np.array([[card.stars for card in cards] for cards in CARD_LIST], np.int64)
PLACE_COST: Cube = np.array(
    [[place.cost for place in places] + [(0,) * 5] * (MOST_TILES - len(places)) for places in PLACE_LIST], np.int64
)
PACKED_PLACE_COST: Grid = (np.asarray(PLACE_COST) << (8 * np.arange(5))).sum(axis=2)

# The two faces of each location tile, as numbers in PLACE_LIST; a noble has one face.
FACES = tuple(
    tuple(
        tuple(n for n, place in enumerate(places) if place.tile == tile)
        for tile in sorted({place.tile for place in places})
    )
    for places in PLACE_LIST
)
TILES_IN_BOX: Row = np.array([len(faces) for faces in FACES], np.int64)
FACE: Cube = np.array(
    [[list(f) * (3 - len(f)) for f in faces] + [[0, 0]] * (MOST_TILES - len(faces)) for faces in FACES], np.int64
)
