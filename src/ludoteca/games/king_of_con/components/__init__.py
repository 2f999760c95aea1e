"""What is printed on the components, read from `cards.csv`: a row an Item or a Passion.

The Items fill the Quadrant: row genre, column category, one Item for each pair. A characteristic is a number from 0
(Sci-Fi) to 14 (Mint), in the order in which dominances are checked; people count from 1.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludoteca.core.errors import BadData
from ludoteca.core.forms import Cells, Column, Form, Mistake, Words, chosen
from ludoteca.core.record import Grid, Row
from ludoteca.core.sheets import read_sheet
from ludoteca.core.words import LANGUAGES, catalogue

if TYPE_CHECKING:
    from ludoteca.core.decks import Deck

HERE = pathlib.Path(__file__).parent

GENRES = ("Sci-Fi", "SuperHeroes", "Fantasy", "MangAnime", "Horror")
CATEGORIES = ("ComicsBooks", "HomeVideo", "ActionFigures", "Games", "Gadgets")
EDITIONS = ("Vintage", "SignedEdition", "LimitedEdition", "DeluxeEdition", "Mint")
CHARACTERISTICS = GENRES + CATEGORIES + EDITIONS

ITEMS = 25
PASSIONS = 15
GENRE_COUNT = len(GENRES)
SHARING = 5  # Items that share a characteristic
TOKENS = 100
BOOTHS = 4


@dataclass(frozen=True)
class Item:
    """One Item: `Item("I15", ("Fantasy", "Gadgets", "DeluxeEdition"))` is the broadsword."""

    id: str
    characteristics: tuple[str, str, str]


def read_components(path: pathlib.Path) -> list[dict[str, str]]:
    """The printed Items as rows of a deck, with their titles; the file names the Passions too, one a characteristic."""
    rows = read_sheet(path, ("kind", "id", "genre", "category", "edition", "characteristic"))
    passions = [row["characteristic"] for row in rows if row["kind"] == "passion"]
    if passions != list(CHARACTERISTICS):
        raise BadData(f"{path.name}: there is one Passion for each characteristic, in their order.", "bad_components")
    titles = {language: catalogue(HERE.parent, language) for language in LANGUAGES}
    return [
        {column: row[column] for column in ("id", "genre", "category", "edition")}
        | {column: titles[language].get(f"item.{row['id']}", row["id"]) for column, language in TITLES.items()}
        for row in rows
        if row["kind"] == "item"
    ]


def check_table(rows: list[Cells]) -> Iterator[Mistake]:
    """§1.1 The Quadrant has one Item for each genre and category; five share an edition: an Epic Collection."""
    if len(rows) != ITEMS:
        yield Mistake(0, "", "items", {"found": len(rows), "needed": ITEMS})
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        pair = row["genre"], row["category"]
        if pair in first:
            yield row.wrong("category", "pair_twice", genre=pair[0], category=pair[1], line=first[pair])
        first.setdefault(pair, row.line)
    for edition in EDITIONS:
        found = sum(row["edition"] == edition for row in rows)
        if found != SHARING:
            yield Mistake(0, "edition", "sharing", {"edition": edition, "found": found, "needed": SHARING})


def titles_of(content: list[dict[str, str]]) -> Words:
    """The Items' titles; where there is no Italian one, the other serves."""
    return {
        language: {f"item.{row['id']}": row[column] or row["name"] for row in content}
        for column, language in TITLES.items()
    }


TITLES = {"name": "en", "name_it": "it"}  # the columns with titles, and their languages
FORM = Form(
    "items",
    (
        Column("id", "id"),
        Column("name", "text"),
        Column("name_it", "text", empty=""),
        Column("genre", "choice", values=GENRES),
        Column("category", "choice", values=CATEGORIES),
        Column("edition", "choice", values=EDITIONS),
    ),
    check=check_table,
    printed=lambda: read_components(HERE / "cards.csv"),
    words=titles_of,
)

DECK: Deck | None = chosen(__name__)
_content = FORM.printed() if DECK is None else DECK.content
OWN_WORDS: Words = {} if DECK is None else titles_of(_content)
ITEM_LIST = sorted(
    [Item(row["id"], (row["genre"], row["category"], row["edition"])) for row in _content],
    key=lambda item: (GENRES.index(item.characteristics[0]), CATEGORIES.index(item.characteristics[1])),
)
assert not FORM.again(_content), FORM.again(_content)

# The three characteristics of each Item, and the five Items that share each characteristic.
TRAITS: Grid = np.array([[CHARACTERISTICS.index(c) for c in item.characteristics] for item in ITEM_LIST], np.int64)
SHARED_BY: Grid = np.array([[i for i in range(ITEMS) if c in TRAITS[i]] for c in range(PASSIONS)], np.int64)
# Each Item's characteristics in one number, four bits for each: the sum over a Collection counts all of them at once.
COUNTED: Row = np.array([sum(1 << 4 * int(c) for c in traits) for traits in TRAITS], np.int64)
