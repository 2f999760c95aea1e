"""The players' sheet, read from `<name>.json` beside this file: any sheet that passes the checks below can be played.

Put a file into the folder and its name is a value of the option `sheet`; one with a mistake is left out. To check one
while you draw it:

    ludoteca deck check my_sheet.json

The tables for the rules are indexed by sheet, then by square (0 to 48, row by row), hall, combo line or space. A *hall*
is a group of stands of one colour; halls are numbered by colour, then size, then where they lie. The *place* of a hall in
the combo grid is 4 × colour + size - 1; several halls may share one.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoteca.core.errors import BadData
from ludoteca.core.forms import Form, Json, Mistake, Wrong, chosen, in_a_line, plain, shown
from ludoteca.core.record import Cube, Grid, Row
from ludoteca.core.sheets import plain_text
from ludoteca.core.words import LANGUAGES

if TYPE_CHECKING:
    from ludoteca.core.decks import Deck

log = logging.getLogger("ludoteca.loot")

HERE = pathlib.Path(__file__).parent
DEFAULT = "symmetric"
OWN_SHEET = "own"  # the key of the sheet of a deck
HOUSE_SHEETS = (DEFAULT, "irregular")  # our own designs, because the printed sheet was not available

SIDE = 7  # §1.1
SQUARES = SIDE * SIDE
COLOURS = ("red", "yellow", "green", "blue")
LETTERS = "RYGB"
MEEPS = "M"
SIZES = 4  # halls have 1 to 4 stands
PLACES = len(COLOURS) * SIZES  # of the combo grid
MOST_HALLS = SQUARES
COMBO_LINES = (*COLOURS, "1", "2", "3", "4")  # rows of the combo grid, then its columns
ABILITIES = ("wrap", "plus_minus")
WRAP, PLUS_MINUS = 0, 1
NOTHING = -1
DIRECTIONS = ("up", "right", "down", "left")
STEP = ((-1, 0), (0, 1), (1, 0), (0, -1))
MOST_SPACES = 24  # of the score track
MOST_REWARD = 9

Reward = int | str  # points, or the name of an ability


@dataclass(frozen=True)
class Hall:
    """Connected stands of one colour: closed when all of them are visited."""

    colour: str
    size: int
    squares: tuple[int, ...]

    @property
    def place(self) -> int:
        """In the combo grid: the row of its colour, the column of its size."""
        return COLOURS.index(self.colour) * SIZES + self.size - 1


@dataclass(frozen=True)
class Sheet:
    """What is printed on one kind of sheet."""

    key: str
    name: dict[str, str]
    grid: str  # 49 letters, row by row
    halls: tuple[Hall, ...]
    meeps_track: tuple[Reward, ...]
    combos: tuple[tuple[int, Reward] | None, ...]  # circles needed and reward, or nothing, in the order of COMBO_LINES
    score_spaces: int


# Reading a sheet: every mistake in it is found, with the part it stands in.

Path = tuple[str | int, ...]  # to a part of the file: ("grid", 3) is the fourth row


class Reader:
    """Reads the parts of a sheet and collects what is wrong with them."""

    def __init__(self, line: Callable[[Path], int]) -> None:
        self._line = line
        self.mistakes: list[Mistake] = []

    def wrong(self, path: Path, what: str, **facts: Any) -> None:
        """One mistake more."""
        place = " ".join(str(part + 1) if isinstance(part, int) else part for part in path)
        self.mistakes.append(Mistake(self._line(path), place, what, facts))

    def has(self, printed: Any, path: Path, keys: tuple[str, ...], may: tuple[str, ...] = ()) -> bool:
        """All of these keys and no others, but those that may be there."""
        if not isinstance(printed, dict):
            self.wrong(path, "object", keys=", ".join(keys or may))
            return False
        for key in printed:
            if key not in (*keys, *may):
                self.wrong((*path, key), "unknown_key", key=shown(str(key)), keys=", ".join((*keys, *may)))
        missing = [key for key in keys if key not in printed]
        for key in missing:
            self.wrong(path, "missing_key", key=key)
        return not missing

    def whole(self, number: Any, low: int, high: int) -> bool:
        """Whether this is a whole number within bounds."""
        return isinstance(number, int) and not isinstance(number, bool) and low <= number <= high

    def sheet(self, printed: Any) -> Json | None:
        """The parts that make the sheet, if there is nothing wrong with them."""
        if not self.has(printed, (), KEYS, may=("status",)):
            return None
        self.name(printed["name"])
        grid = self.grid(printed["grid"])
        if grid is not None:
            halls = self.halls(grid)
            self.track(printed["meeps_track"], grid.count(MEEPS))
            self.combos(printed["combos"], halls)
        if not self.whole(printed["score_spaces"], 3, MOST_SPACES):  # §6.1 a start, a penultimate and a last one
            self.wrong(("score_spaces",), "spaces", most=MOST_SPACES, value=told(printed["score_spaces"]))
        return None if self.mistakes else {key: printed[key] for key in KEYS}

    def name(self, name: Any) -> None:
        """In both languages, plain text."""
        for language in LANGUAGES:
            text = name.get(language) if isinstance(name, dict) else None
            if not isinstance(text, str) or not text.strip():
                self.wrong(("name", language), "sheet_name")
                continue
            try:
                plain(text)
            except Wrong as wrong:
                self.wrong(("name", language), wrong.key, **wrong.facts)

    def grid(self, rows: Any) -> str | None:
        """§1.1 Seven rows of seven squares."""
        before = len(self.mistakes)
        if not isinstance(rows, list) or len(rows) != SIDE:
            self.wrong(("grid",), "grid", side=SIDE, found=len(rows) if isinstance(rows, list) else told(rows))
            return None
        letters = list[str]()
        for number, row in enumerate(rows):
            squares = row.split() if isinstance(row, str) else []
            if len(squares) != SIDE:
                self.wrong(("grid", number), "grid_row", side=SIDE, found=len(squares))
            for column, square in enumerate(squares[:SIDE], 1):
                if square not in (*LETTERS, MEEPS):
                    self.wrong(("grid", number), "square", column=column, value=shown(square))
            letters += squares
        return "".join(letters) if len(self.mistakes) == before else None

    def halls(self, grid: str) -> tuple[Hall, ...]:
        """§4.4 Stands of one colour that touch along a side: at most four."""
        halls = find_halls(grid)
        for hall in halls:
            if hall.size > SIZES:
                row, column = divmod(hall.squares[0], SIDE)
                self.wrong(("grid", row), "hall", found=hall.size, colour=hall.colour, column=column + 1, most=SIZES)
        return halls

    def reward(self, path: Path, reward: Any) -> None:
        """Points or an ability."""
        if not (isinstance(reward, str) and reward in ABILITIES) and not self.whole(reward, 1, MOST_REWARD):
            self.wrong(path, "reward", most=MOST_REWARD, value=told(reward))

    def track(self, track: Any, squares: int) -> None:
        """§4.3 One space for each Meeps square."""
        if not isinstance(track, list) or len(track) != squares:
            self.wrong(
                ("meeps_track",), "track", squares=squares, found=len(track) if isinstance(track, list) else told(track)
            )
            return
        for n, reward in enumerate(track):
            self.reward(("meeps_track", n), reward)

    def combos(self, combos: Any, halls: tuple[Hall, ...]) -> None:
        """§4.5 A row (colour) or column (size) of the combo grid asks for circles and pays once; §8.5 or pays nothing."""
        if not self.has(combos, ("combos",), (), may=COMBO_LINES):
            return
        for line in COMBO_LINES:
            path: Path = ("combos", line)
            if line not in combos or not self.has(combos[line], path, ("need", "reward")):
                continue
            there = sum(line in (hall.colour, str(hall.size)) for hall in halls)
            if there == 0:
                self.wrong(path, "no_hall")
            elif not self.whole(combos[line]["need"], 1, there):
                self.wrong((*path, "need"), "need", most=there, value=told(combos[line]["need"]))
            self.reward((*path, "reward"), combos[line]["reward"])


KEYS = ("name", "grid", "meeps_track", "combos", "score_spaces")


def told(part: Any) -> str:
    """A part of a file, fit to be repeated."""
    return shown(json.dumps(part))


def checked(printed: Any, line: Callable[[Path], int]) -> tuple[Json | None, list[Mistake]]:
    """A sheet's content in order, and every mistake in it."""
    reader = Reader(line)
    found = reader.sheet(printed)
    return found, reader.mistakes


def make_sheet(key: str, printed: Json) -> Sheet:
    """A sheet of checked content."""
    grid = "".join("".join(row.split()) for row in printed["grid"])
    combos = [printed["combos"].get(line) for line in COMBO_LINES]
    return Sheet(
        key,
        {language: printed["name"][language] for language in LANGUAGES},
        grid,
        find_halls(grid),
        tuple(printed["meeps_track"]),
        tuple((combo["need"], combo["reward"]) if combo else None for combo in combos),
        printed["score_spaces"],
    )


FORM = Form("sheet", printed=lambda: read_content(HERE / f"{DEFAULT}.json"), read_sheet=checked)


def read_content(path: pathlib.Path) -> Json:
    """The content of a file, which must be without a mistake."""
    try:
        content, wrong = FORM.read(plain_text(path))
    except OSError as error:
        raise BadData(f"{path.name}: {error.strerror}.", "bad_sheet") from None
    if wrong:
        raise BadData(in_a_line(wrong[0], path.name, HERE.parent), "bad_sheet")
    found: Json = content
    return found


def read_sheet(path: pathlib.Path) -> Sheet:
    """One sheet of a file, checked."""
    return make_sheet(path.stem, read_content(path))


def find_halls(grid: str) -> tuple[Hall, ...]:
    """§4.4 Stands of one colour that touch along a side."""
    halls: list[Hall] = []
    seen: set[int] = set()
    for first, letter in enumerate(grid):
        if letter == MEEPS or first in seen:
            continue
        squares = [first]
        for square in squares:
            squares += [n for n in neighbours(square) if grid[n] == letter and n not in squares]
        seen.update(squares)
        halls.append(Hall(COLOURS[LETTERS.index(letter)], len(squares), tuple(sorted(squares))))
    return tuple(sorted(halls, key=lambda hall: (hall.place, hall.squares)))


def neighbours(square: int) -> list[int]:
    """The squares that share a side with this one."""
    row, column = divmod(square, SIDE)
    around = [(row + down, column + right) for down, right in STEP]
    return [r * SIDE + c for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE]


def read_sheets(folder: pathlib.Path) -> tuple[Sheet, ...]:
    """The default sheet, then the others by name. One that somebody is still drawing is left out, with a sentence."""
    sheets = [read_sheet(folder / f"{DEFAULT}.json")]
    for path in sorted(folder.glob("*.json")):
        if path.stem == DEFAULT:
            continue
        try:
            sheets.append(read_sheet(path))
        except BadData as mistake:
            if multiprocessing.parent_process() is None:  # said once, not by each helper process
                log.warning("Loot goes on without the sheet %s", mistake)
    return tuple(sheets)


# With a deck of one's own there is one sheet, the deck's.
DECK: Deck | None = chosen(__name__)
SHEETS = read_sheets(HERE) if DECK is None else (make_sheet(OWN_SHEET, DECK.content),)
SHEET_NAMES = tuple(sheet.key for sheet in SHEETS)
SHEET_TITLES = {sheet.key: sheet.name for sheet in SHEETS if sheet.key not in HOUSE_SHEETS}


# Tables for the rules.


def _points(reward: Reward) -> int:
    return reward if isinstance(reward, int) else 0


def _ability(reward: Reward) -> int:
    return NOTHING if isinstance(reward, int) else ABILITIES.index(reward)


_tables = len(SHEETS)
_lines = len(COMBO_LINES)
HALL: Grid = np.full((_tables, SQUARES), NOTHING, np.int64)  # the hall of a square, or NOTHING: a Meeps square
HALL_COUNT: Row = np.array([len(sheet.halls) for sheet in SHEETS], np.int64)
HALL_MASK: Grid = np.full((_tables, MOST_HALLS), -1, np.int64)  # its squares as bits
HALL_PLACE: Grid = np.full((_tables, MOST_HALLS), NOTHING, np.int64)  # in the combo grid
TRACK_POINTS: Grid = np.zeros((_tables, SQUARES), np.int64)
TRACK_ABILITY: Grid = np.full((_tables, SQUARES), NOTHING, np.int64)
COMBO_MASK: Grid = np.zeros(
    (_tables, _lines), np.int64
)  # the halls of a line as bits: rows are colours, columns are sizes
COMBO_NEED: Grid = np.zeros(
    (_tables, _lines), np.int64
)  # circles; a line that pays nothing needs none and never gets there
COMBO_POINTS: Grid = np.zeros((_tables, _lines), np.int64)
COMBO_ABILITY: Grid = np.full((_tables, _lines), NOTHING, np.int64)
SCORE_SPACES: Row = np.array([sheet.score_spaces for sheet in SHEETS], np.int64)
for _s, _sheet in enumerate(SHEETS):
    for _n, _hall in enumerate(_sheet.halls):
        HALL_MASK[_s, _n] = sum(1 << square for square in _hall.squares)
        HALL_PLACE[_s, _n] = _hall.place
        for _square in _hall.squares:
            HALL[_s, _square] = _n
        COMBO_MASK[_s, _hall.place // SIZES] |= 1 << _n
        COMBO_MASK[_s, len(COLOURS) + _hall.place % SIZES] |= 1 << _n
    for _n, _reward in enumerate(_sheet.meeps_track):
        TRACK_POINTS[_s, _n] = _points(_reward)
        TRACK_ABILITY[_s, _n] = _ability(_reward)
    for _n, _combo in enumerate(_sheet.combos):
        if _combo is not None:
            COMBO_NEED[_s, _n] = _combo[0]
            COMBO_POINTS[_s, _n] = _points(_combo[1])
            COMBO_ABILITY[_s, _n] = _ability(_combo[1])

ROW_MASK: Row = np.array([0b1111111 << SIDE * row for row in range(SIDE)], np.int64)
COLUMN_MASK: Row = np.array([sum(1 << SIDE * row + column for row in range(SIDE)) for column in range(SIDE)], np.int64)
BORDER: Row = np.array([s for s in range(SQUARES) if len(neighbours(s)) < 4], np.int64)

# Where a walk ends, by square, steps (0 to 7) and direction: inside the grid, or over its edge; NOTHING if it does not.
INSIDE: Cube = np.full((SQUARES, SIDE + 1, 4), NOTHING, np.int64)
OVER_EDGE: Cube = np.full((SQUARES, SIDE + 1, 4), NOTHING, np.int64)
for _square in range(SQUARES):
    for _steps in range(1, SIDE):
        for _d, (_down, _right) in enumerate(STEP):
            _row, _column = _square // SIDE + _down * _steps, _square % SIDE + _right * _steps
            if 0 <= _row < SIDE and 0 <= _column < SIDE:
                INSIDE[_square, _steps, _d] = _row * SIDE + _column
            else:
                OVER_EDGE[_square, _steps, _d] = _row % SIDE * SIDE + _column % SIDE
