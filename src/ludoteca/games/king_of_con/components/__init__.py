"""What is printed on the components, read from `cards.csv`: a row an Item or a Passion.

The Items fill the Quadrant: row genre, column category, one Item for each pair. A characteristic is a number from 0
(Sci-Fi) to 14 (Mint), in the order in which dominances are checked; people count from 1.
"""

from __future__ import annotations

import csv
import pathlib
from dataclasses import dataclass

import numpy as np

from ludoteca.core.errors import BadData
from ludoteca.core.record import Grid

GENRES = ("Sci-Fi", "SuperHeroes", "Fantasy", "MangAnime", "Horror")
CATEGORIES = ("ComicsBooks", "HomeVideo", "ActionFigures", "Games", "Gadgets")
EDITIONS = ("Vintage", "SignedEdition", "LimitedEdition", "DeluxeEdition", "Mint")
CHARACTERISTICS = GENRES + CATEGORIES + EDITIONS

ITEMS = 25
PASSIONS = 15
SHARING = 5  # Items that share a characteristic
TOKENS = 100
BOOTHS = 4


@dataclass(frozen=True)
class Item:
    """One Item: `Item("I15", ("Fantasy", "Gadgets", "DeluxeEdition"))` is the broadsword."""

    id: str
    characteristics: tuple[str, str, str]


def read_components(path: pathlib.Path) -> tuple[list[Item], list[str]]:
    """Items in the order of the Quadrant and the characteristics of the Passions, checked; mistakes name their line."""
    items: list[Item] = []
    passions: list[str] = []
    with path.open(newline="", encoding="utf-8") as file:
        for line, row in enumerate(csv.DictReader(file), 2):
            try:
                if row["kind"] == "item":
                    for axis, known in (("genre", GENRES), ("category", CATEGORIES), ("edition", EDITIONS)):
                        if row[axis] not in known:
                            raise ValueError(f"the {axis} is one of {', '.join(known)}")
                    items.append(Item(row["id"], (row["genre"], row["category"], row["edition"])))
                elif row["kind"] == "passion":
                    passions.append(row["characteristic"])
                else:
                    raise ValueError("the kind is item or passion")
            except (KeyError, TypeError, ValueError) as error:
                raise BadData(f"{path.name}, line {line}: {error}.", "bad_components") from None
    check_components(path.name, items, passions)
    return items, passions


def check_components(name: str, items: list[Item], passions: list[str]) -> None:
    """Refuses files that the rules cannot play with."""
    if passions != list(CHARACTERISTICS):
        raise BadData(f"{name}: there is one Passion for each characteristic, in their order.", "bad_components")
    quadrant = [(genre, category) for genre in GENRES for category in CATEGORIES]
    if [item.characteristics[:2] for item in items] != quadrant:
        raise BadData(f"{name}: there is one Item for each genre and category, row by row.", "bad_components")
    for characteristic in CHARACTERISTICS:
        found = sum(characteristic in item.characteristics for item in items)
        if found != SHARING:
            raise BadData(f"{name}: {characteristic} is on {found} Items; it needs {SHARING}.", "bad_components")
    if len({item.id for item in items}) != ITEMS:
        raise BadData(f"{name}: every Item has an id of its own.", "bad_components")


ITEM_LIST, _passions = read_components(pathlib.Path(__file__).parent / "cards.csv")

# The three characteristics of each Item, and the five Items that share each characteristic.
TRAITS: Grid = np.array([[CHARACTERISTICS.index(c) for c in item.characteristics] for item in ITEM_LIST], np.int64)
SHARED_BY: Grid = np.array([[i for i in range(ITEMS) if c in TRAITS[i]] for c in range(PASSIONS)], np.int64)
