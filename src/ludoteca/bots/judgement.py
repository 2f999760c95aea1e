"""What bots learned of judging positions: a small network that corrects a game's `outlook`, and the file it is kept in.

A position is looked at seat by seat: the game's `features` are some dozens of numbers about one seat (how far it is, what is
near for it). The network hears the features of a seat, of the one that decides after it, and of all others added up, and
says how much better that seat stands than `outlook` thinks. In logarithmic odds:

    judged(seat) = outlook(seat) + heard(seat) - mean of heard over all seats + a constant for so many seats

So it begins as `outlook` itself (an untrained network says nothing), cannot favour a chair, and serves any number of seats.
Two hidden layers of rectifiers; numbers of 32 bits in one flat array, which machine code reads in a microsecond or two:

    features, width, narrow | own, next, others (features × width each) | width | width × narrow | narrow × 2 | constants

`ludoteca learn GAME` makes the file; the one that a game's folder has in `learned/weights.npz` is used wherever bots search.
"""

from __future__ import annotations

import functools
import math
import os
import pathlib
import zipfile

import numpy as np
import numpy.typing as npt

from ludoteca.core.errors import BadData
from ludoteca.core.game import MOST_SEATS, Game
from ludoteca.core.kernel import ChanceList, NumberList, NumberTable, ScoreList, ScoreTable, kernel
from ludoteca.core.rules import State, features

WIDTH, NARROW = 48, 16  # of the two hidden layers
HEAD = 3  # numbers that say how large the network is
CONSTANTS = MOST_SEATS + 1  # one for each number of seats, from 0
NOT_LEARNED = 1  # an array no longer than this holds no network
NONE = "-"  # the name of no weights at all
SURE = 1e-4  # nobody is thought to have won or lost before the end
Weights = npt.NDArray[np.float32]


@kernel
def correct(state: State, seats: int, weights: NumberList, room: NumberTable, value: ChanceList) -> None:
    """Corrects each seat's chance by what was learned; `room` has a row for each seat's features and one more."""
    count = int(weights[0])
    places = np.empty((seats + 1, count + 1), np.int64)
    numbers = np.empty(MOST_SEATS + 1, np.int64)
    for seat in range(seats):
        for k in range(count):
            room[seat, k] = 0.0
        features(state, seat, room[seat])
        numbers[seat] = find_features(room, seat, count, places)
    heard = np.empty(MOST_SEATS, np.float64)
    mean = 0.0
    for seat in range(seats):
        heard[seat] = hear(seat, seats, count, weights, room, places, numbers)
        mean += heard[seat] / seats
    constant = weights[weights.shape[0] - CONSTANTS + seats]
    for seat in range(seats):
        chance = min(max(value[seat], SURE), 1.0 - SURE)
        odds = math.log(chance / (1.0 - chance)) + heard[seat] - mean + constant
        value[seat] = 1.0 / (1.0 + math.exp(-odds))


@kernel
def hear(
    seat: int, seats: int, count: int, weights: NumberList, room: NumberTable, places: ScoreTable, numbers: ScoreList
) -> float:
    """What the network says of a seat; the features of all seats stand in `room`, and in `places` which are not zero."""
    matrix = count * WIDTH
    biases = HEAD + 3 * matrix
    first = np.empty(WIDTH, np.float32)
    for j in range(WIDTH):
        first[j] = weights[biases + j]
    following = (seat + 1) % seats
    add_features(room, seat, places, numbers[seat], weights, HEAD, first)
    add_features(room, following, places, numbers[following], weights, HEAD + matrix, first)
    if seats > 2:
        for k in range(count):
            room[seats, k] = 0.0
            for step in range(2, seats):
                room[seats, k] += room[(seat + step) % seats, k]
        found = find_features(room, seats, count, places)
        add_features(room, seats, places, found, weights, HEAD + 2 * matrix, first)
    middle = biases + WIDTH
    after = middle + WIDTH * NARROW
    second = np.empty(NARROW, np.float32)
    for j in range(NARROW):
        second[j] = weights[after + j]
    for i in range(WIDTH):
        number = first[i]
        if number > 0.0:
            row = middle + i * NARROW
            for j in range(NARROW):
                second[j] += number * weights[row + j]
    last = after + NARROW
    said = 0.0
    for j in range(NARROW):
        if second[j] > 0.0:
            said += second[j] * weights[last + j]
    return said


@kernel
def find_features(room: NumberTable, row: int, count: int, places: ScoreTable) -> int:
    """Notes which features of a row are not zero, and how many; without a branch that could be foretold wrongly."""
    found = 0
    for k in range(count):
        places[row, found] = k
        found += room[row, k] != 0.0
    return found


@kernel
def add_features(
    room: NumberTable, row: int, places: ScoreTable, found: int, weights: NumberList, matrix: int, out: NumberList
) -> None:
    """One part of the first layer; features that are zero cost nothing.

    The width is a constant and `out` an array of its own: then the compiler takes eight numbers at a time; and two features
    go through `out` together.
    """
    for n in range(0, found - 1, 2):
        one, other = places[row, n], places[row, n + 1]
        number, another = room[row, one], room[row, other]
        start, second = matrix + one * WIDTH, matrix + other * WIDTH
        own, its = weights[start : start + WIDTH], weights[second : second + WIDTH]
        for j in range(WIDTH):
            out[j] += number * own[j] + another * its[j]
    if found % 2 == 1:
        one = places[row, found - 1]
        number = room[row, one]
        start = matrix + one * WIDTH
        for j in range(WIDTH):
            out[j] += number * weights[start + j]


# The file.


def size_of(count: int) -> int:
    """How many numbers a network for so many features has."""
    return HEAD + 3 * count * WIDTH + WIDTH + WIDTH * NARROW + 2 * NARROW + CONSTANTS


def own_file(game: Game) -> pathlib.Path:
    """Where a game has what its bots learned."""
    return game.folder / "learned" / "weights.npz"


def weights_of(game: Game, name: str = "") -> NumberList:
    """The weights in a file, or those that the game comes with; an empty array if there are none."""
    if name == NONE or game.features is None:
        return nothing()
    path = pathlib.Path(name) if name else own_file(game)
    if not name and not _has_own(path):
        return nothing()
    if not name:
        return _read(game, str(path), (0, 0))
    try:
        found = os.stat(path)
    except OSError:
        raise BadData(f"There is no file {path} of learned weights.", "no_such_bot") from None
    return _read(game, name, (found.st_ino, found.st_mtime_ns))


@functools.cache
def nothing() -> NumberList:
    """The weights of who has learned nothing."""
    return np.zeros(NOT_LEARNED, np.float32)


@functools.cache
def _has_own(path: pathlib.Path) -> bool:
    return path.is_file()  # it comes with the package: that does not change while we run


@functools.lru_cache(maxsize=16)
def _read(game: Game, path: str, _version: tuple[int, int]) -> NumberList:
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as found:
            made_for, weights = str(found["game"]), np.ascontiguousarray(found["weights"], np.float32)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadData(f"{path} is not a file of learned weights.", "no_such_bot") from None
    if made_for != game.key:
        raise BadData(f"{path} has learned {made_for}, not {game.key}.", "no_such_bot")
    made = [game.feature_count, WIDTH, NARROW]
    if weights[:HEAD].tolist() != made or weights.shape != (size_of(game.feature_count),):
        raise BadData(f"{path} has learned another version of {game.title}; let it learn anew.", "no_such_bot")
    return weights


def save(path: pathlib.Path, game: Game, weights: Weights) -> None:
    """Writes weights down; whoever reads meanwhile finds the old ones or the new ones, never a half."""
    half = path.with_suffix(".half.npz")
    np.savez_compressed(half, game=np.array(game.key), weights=weights)
    os.replace(half, path)
