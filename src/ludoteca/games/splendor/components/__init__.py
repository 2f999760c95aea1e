"""What is printed on the components, read from `<edition>.csv`: a row a card or tile.

Both editions have three decks and five colours; the tables below are indexed by edition, then by card or tile.
"""

from __future__ import annotations

import csv
import itertools
import pathlib
from dataclasses import dataclass

import numpy as np

from ludoteca.core.errors import BadData
from ludoteca.core.record import Cube, Grid, Row

HERE = pathlib.Path(__file__).parent

EDITIONS = ("marvel", "base")
MARVEL, BASE = 0, 1
COLOURS = (("yellow", "red", "orange", "blue", "purple"), ("white", "blue", "green", "red", "black"))
GREY = 5  # S.H.I.E.L.D. tokens (gold in the base edition): jokers
GREEN = 6  # the time gem (Marvel only)
TOKENS = tuple((*colours, joker, "green") for colours, joker in zip(COLOURS, ("grey", "gold"), strict=True))

LEVELS = 3
DECK_SIZES = (40, 30, 20)
CARDS = sum(DECK_SIZES)
FIRST_OF_LEVEL = tuple(itertools.accumulate((0, *DECK_SIZES)))  # cards are numbered level by level: 0, 40, 70, 90
MOST_TILES = 10
TILE_POINTS = 3


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


def read_components(path: pathlib.Path, colours: tuple[str, ...]) -> tuple[list[Card], list[Place]]:
    """Cards (sorted by level) and tiles of one file, checked; a mistake is said with its line."""
    cards: list[Card] = []
    places: list[Place] = []
    with path.open(newline="", encoding="utf-8") as file:
        for line, row in enumerate(csv.DictReader(file), 2):
            try:
                cost = tuple(int(row[colour]) for colour in colours)
                if min(cost) < 0 or max(cost) > 9:
                    raise ValueError("a cost is from 0 to 9")
                if row["kind"] == "card":
                    if row["bonus"] not in colours:
                        raise ValueError(f"the bonus is one of {', '.join(colours)}")
                    if row["level"] not in ("1", "2", "3"):
                        raise ValueError("the level is 1, 2 or 3")
                    points, stars = int(row["points"]), int(row["avengers"] or 0)
                    cards.append(Card(row["id"], row["name"], int(row["level"]), row["bonus"], points, cost, stars))
                elif row["kind"] == "place":
                    places.append(Place(row["id"], row["name"], int(row["points"]), cost, int(row["tile"])))
                else:
                    raise ValueError("the kind is card or place")
            except (KeyError, TypeError, ValueError) as error:
                raise BadData(f"{path.name}, line {line}: {error}.", "bad_components") from None
    check_components(path.name, cards, places)
    return sorted(cards, key=lambda card: card.level), places


def check_components(name: str, cards: list[Card], places: list[Place]) -> None:
    """Refuses files that the rules cannot play with."""
    for level, size in enumerate(DECK_SIZES, 1):
        found = sum(card.level == level for card in cards)
        if found != size:
            raise BadData(f"{name}: level {level} has {found} cards; it needs {size}.", "bad_components")
    ids = [card.id for card in cards] + [place.id for place in places]
    for twice in {i for i in ids if ids.count(i) > 1}:
        raise BadData(f"{name}: the id {twice} is used twice.", "bad_components")
    if not 5 <= len(places) <= MOST_TILES:
        raise BadData(f"{name}: there are {len(places)} places; 5 to {MOST_TILES} are possible.", "bad_components")
    for place in places:
        if place.points != TILE_POINTS:
            raise BadData(
                f"{name}: {place.id} has {place.points} points; every tile has {TILE_POINTS}.", "bad_components"
            )


_read = [read_components(HERE / f"{name}.csv", COLOURS[i]) for i, name in enumerate(EDITIONS)]
CARD_LIST = tuple(cards for cards, _ in _read)  # by edition
PLACE_LIST = tuple(places for _, places in _read)

LEVEL: Row = np.array([card.level - 1 for card in CARD_LIST[0]], np.int64)  # the same in both editions
COST: Cube = np.array([[card.cost for card in cards] for cards in CARD_LIST], np.int64)
# Eight bits a colour, as `purse` in the rules packs what a player has.
PACKED_COST: Grid = (np.asarray(COST) << (8 * np.arange(5))).sum(axis=2)
BONUS: Grid = np.array([[COLOURS[e].index(c.bonus) for c in cards] for e, cards in enumerate(CARD_LIST)], np.int64)
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
