"""The players' sheet, read from `<name>.json` beside this file: any sheet that passes the checks below can be played.

Put a file into the folder and its name is a value of the option `sheet`; one with a mistake is left out. To check one
while you draw it:

    python -m ludoteca.games.loot my_sheet.json

The tables for the rules are indexed by sheet, then by square (0 to 48, row by row), hall, combo line or space. A *hall*
is a group of stands of one colour; halls are numbered by colour, then size, then where they lie. The *place* of a hall in
the combo grid is 4 × colour + size - 1; several halls may share one.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import pathlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludoteca.core.errors import BadData
from ludoteca.core.record import Cube, Grid, Row

log = logging.getLogger("ludoteca.loot")

HERE = pathlib.Path(__file__).parent
DEFAULT = "symmetric"
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


# Reading a sheet; every mistake is said in a sentence that names the file and the place.


def read_sheet(path: pathlib.Path) -> Sheet:
    """One sheet of a file, checked."""
    try:
        return make_sheet(path.stem, json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise BadData(f"{path.name}: {error.strerror}.", "bad_sheet") from None
    except json.JSONDecodeError as error:
        raise BadData(f"{path.name}: this is no JSON: {error}.", "bad_sheet") from None
    except ValueError as error:  # also UnicodeDecodeError
        raise BadData(f"{path.name}: {error}.", "bad_sheet") from None


def make_sheet(key: str, printed: Any) -> Sheet:
    """A sheet from the contents of its file; a ValueError says what is wrong."""
    require(printed, ("name", "grid", "meeps_track", "combos", "score_spaces"), "a sheet", may=("status",))
    name = printed["name"]
    if not isinstance(name, dict) or not all(isinstance(name.get(code), str) and name[code] for code in ("en", "it")):
        raise ValueError("the name is given in English (en) and Italian (it)")
    grid = read_grid(printed["grid"])
    halls = find_halls(grid)
    return Sheet(
        key,
        {language: name[language] for language in ("en", "it")},
        grid,
        halls,
        read_track(printed["meeps_track"], grid.count(MEEPS)),
        read_combos(printed["combos"], halls),
        read_spaces(printed["score_spaces"]),
    )


def require(printed: Any, keys: tuple[str, ...], what: str, may: tuple[str, ...] = ()) -> None:
    """All of these keys and no others, but those that may be there."""
    known = ", ".join(keys or may)
    if not isinstance(printed, dict):
        raise ValueError(f"{what} is an object with {known}")
    for key in keys:
        if key not in printed:
            raise ValueError(f"{what} has {known}; {key} is missing")
    for key in printed:
        if key not in (*keys, *may):
            raise ValueError(f"{what} has {known}; «{key}» is not known")


def read_grid(rows: Any) -> str:
    """§1.1 Seven rows of seven squares."""
    if not isinstance(rows, list) or len(rows) != SIDE:
        found = len(rows) if isinstance(rows, list) else json.dumps(rows)
        raise ValueError(f"the grid is a list of {SIDE} rows; not {found}")
    letters = []
    for number, row in enumerate(rows, 1):
        squares = row.split() if isinstance(row, str) else []
        if len(squares) != SIDE:
            raise ValueError(f"row {number} needs {SIDE} squares, with spaces between them; not {len(squares)}")
        for column, square in enumerate(squares, 1):
            if square not in (*LETTERS, MEEPS):
                raise ValueError(f"row {number}, column {column} is «{square}»; it can be R, Y, G, B or M")
        letters += squares
    return "".join(letters)


def find_halls(grid: str) -> tuple[Hall, ...]:
    """§4.4 Stands of one colour that touch along a side: at most four."""
    halls: list[Hall] = []
    seen: set[int] = set()
    for first, letter in enumerate(grid):
        if letter == MEEPS or first in seen:
            continue
        squares = [first]
        for square in squares:
            squares += [n for n in neighbours(square) if grid[n] == letter and n not in squares]
        seen.update(squares)
        colour = COLOURS[LETTERS.index(letter)]
        if len(squares) > SIZES:
            raise ValueError(
                f"{len(squares)} {colour} stands touch at {place(first)}; a hall has at most {SIZES}, "
                "and two halls of one colour must not touch"
            )
        halls.append(Hall(colour, len(squares), tuple(sorted(squares))))
    return tuple(sorted(halls, key=lambda hall: (hall.place, hall.squares)))


def neighbours(square: int) -> list[int]:
    """The squares that share a side with this one."""
    row, column = divmod(square, SIDE)
    around = [(row + down, column + right) for down, right in STEP]
    return [r * SIDE + c for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE]


def place(square: int) -> str:
    """A square as people say it."""
    return f"row {square // SIDE + 1}, column {square % SIDE + 1}"


def read_reward(reward: Any, where: str) -> Reward:
    """Points or an ability."""
    if reward in ABILITIES and isinstance(reward, str):
        return reward
    if isinstance(reward, int) and not isinstance(reward, bool) and 1 <= reward <= MOST_REWARD:
        return reward
    raise ValueError(f"{where} pays 1 to {MOST_REWARD} points, wrap or plus_minus; not {json.dumps(reward)}")


def read_track(track: Any, squares: int) -> tuple[Reward, ...]:
    """§4.3 One space for each Meeps square."""
    if not isinstance(track, list) or len(track) != squares:
        found = f"{len(track)} spaces" if isinstance(track, list) else "no list of spaces"
        raise ValueError(f"the Meeps track has {found}; the grid has {squares} Meeps squares")
    return tuple(read_reward(reward, f"space {n} of the Meeps track") for n, reward in enumerate(track, 1))


def read_combos(combos: Any, halls: tuple[Hall, ...]) -> tuple[tuple[int, Reward] | None, ...]:
    """§4.5 A row (colour) or column (size) of the combo grid asks for circles and pays once; §8.5 some may pay nothing."""
    require(combos, (), "combos", may=COMBO_LINES)
    found: list[tuple[int, Reward] | None] = []
    for line in COMBO_LINES:
        if line not in combos:
            found.append(None)
            continue
        combo = combos[line]
        require(combo, ("need", "reward"), f"combo {line}")
        there = sum(line in (hall.colour, str(hall.size)) for hall in halls)
        need = combo["need"]
        if there == 0:
            raise ValueError(f"combo {line} can never be filled: the grid has no such hall")
        if not isinstance(need, int) or isinstance(need, bool) or not 1 <= need <= there:
            raise ValueError(f"combo {line} can need 1 to {there} circles, as it has halls; not {json.dumps(need)}")
        found.append((need, read_reward(combo["reward"], f"combo {line}")))
    return tuple(found)


def read_spaces(spaces: Any) -> int:
    """§6.1 A start space, a penultimate and a last one at least."""
    if not isinstance(spaces, int) or isinstance(spaces, bool) or not 3 <= spaces <= MOST_SPACES:
        raise ValueError(f"the score track has 3 to {MOST_SPACES} spaces; not {json.dumps(spaces)}")
    return spaces


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


SHEETS = read_sheets(HERE)
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
