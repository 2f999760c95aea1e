"""What bots learned of judging positions: a small network that corrects a game's `outlook`, and the file it is kept in.

A position is looked at seat by seat: the game's `features` are some dozens of numbers about one seat (how far it is, what is
near for it). The network hears the features of a seat, of the one that decides after it, and of all others added up, and
says how much better that seat stands than `outlook` thinks. In logarithmic odds:

    judged(seat) = outlook(seat) + heard(seat) - mean of heard over all seats + a constant for so many seats

So it begins as `outlook` itself (an untrained network says nothing), cannot favour a chair, and serves any number of seats.
Two hidden layers of rectifiers; numbers of 32 bits in one flat array, which machine code reads in a microsecond or two:

    features, 3 × width, narrow | for each feature own, next, others (width each) | width | narrow × width | narrow × 2 |
    constants

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
from ludoteca.core.kernel import ChanceList, NumberList, NumberTable, ScoreList, in_any_order, kernel
from ludoteca.core.rules import State, features

WIDTH, NARROW = 48, 16  # of the two hidden layers
OF_TWO, HEARD = 2 * WIDTH, 3 * WIDTH  # what a feature says to its own seat and the one before it, and to all seats
HEAD = 3  # numbers that say how large the network is
CONSTANTS = MOST_SEATS + 1  # one for each number of seats, from 0
NOT_LEARNED = 1  # an array no longer than this holds no network
NONE = "-"  # the name of no weights at all
SURE = 1e-4  # nobody is thought to have won or lost before the end
Weights = npt.NDArray[np.float32]


@kernel
def room_for(seats: int, weights: NumberList) -> NumberTable:
    """Where `correct` works: for each seat a row of features and one of what they add up to, and two rows more."""
    count = int(weights[0]) if weights.shape[0] > NOT_LEARNED else 0
    return np.empty((2 * seats + 2, max(count, HEARD)), np.float32)


@kernel
def correct(state: State, seats: int, weights: NumberList, room: NumberTable, value: ChanceList) -> None:
    """Corrects each seat's chance by what was learned; `room` is of `room_for`."""
    count = int(weights[0])
    places = np.empty(count + 1, np.int64)
    for seat in range(seats):
        own = room[seat]
        for k in range(count):
            own[k] = 0.0
        features(state, seat, own)
        found = find_features(own, count, places)
        add_features(own, places, found, weights, seats, room[seats + seat])
    heard = room[2 * seats]
    mean = 0.0
    for seat in range(seats):
        heard[seat] = hear(seat, seats, count, weights, room, room[2 * seats + 1])
        mean += heard[seat] / seats
    constant = weights[weights.shape[0] - CONSTANTS + seats]
    for seat in range(seats):
        chance = min(max(value[seat], SURE), 1.0 - SURE)
        odds = math.log(chance / (1.0 - chance)) + heard[seat] - mean + constant
        value[seat] = 1.0 / (1.0 + math.exp(-odds))


@kernel
def find_features(own: NumberList, count: int, places: ScoreList) -> int:
    """Notes which features are not zero, and how many; without a branch that could be foretold wrongly."""
    found = 0
    for k in range(count):
        places[found] = k
        found += own[k] != 0.0
    return found


@kernel
def add_features(
    own: NumberList, places: ScoreList, found: int, weights: NumberList, seats: int, out: NumberList
) -> None:
    """What a seat's features bring to the first layer: of itself, of the seat before it, and of all others.

    Features that are zero cost nothing. The widths are constants, and two features go through `out` together: then the
    compiler takes eight numbers at a time.
    """
    for j in range(HEARD):
        out[j] = 0.0
    for n in range(0, found - 1, 2):
        number, another = own[places[n]], own[places[n + 1]]
        start, second = HEAD + places[n] * HEARD, HEAD + places[n + 1] * HEARD
        its, other = weights[start : start + HEARD], weights[second : second + HEARD]
        for j in range(OF_TWO):
            out[j] += number * its[j] + another * other[j]
        if seats > 2:
            for j in range(OF_TWO, HEARD):
                out[j] += number * its[j] + another * other[j]
    if found % 2 == 1:
        number = own[places[found - 1]]
        start = HEAD + places[found - 1] * HEARD
        its = weights[start : start + HEARD]
        for j in range(HEARD):
            out[j] += number * its[j]


@kernel
def hear(seat: int, seats: int, count: int, weights: NumberList, room: NumberTable, layer: NumberList) -> float:
    """What the network says of a seat, from what each seat's features bring to the first layer."""
    biases = HEAD + count * HEARD
    own, following = room[seats + seat], room[seats + (seat + 1) % seats]
    for j in range(WIDTH):
        layer[j] = weights[biases + j] + own[j] + following[WIDTH + j]
    for step in range(2, seats):
        other = room[seats + (seat + step) % seats]
        for j in range(WIDTH):
            layer[j] += other[OF_TWO + j]
    return say(weights, biases + WIDTH, layer)


@in_any_order
def say(weights: NumberList, middle: int, layer: NumberList) -> float:
    """What the last two layers make of the first one."""
    after = middle + WIDTH * NARROW
    said = 0.0
    for j in range(NARROW):
        row = weights[middle + j * WIDTH : middle + (j + 1) * WIDTH]
        total = weights[after + j]
        for i in range(WIDTH):
            total += max(layer[i], np.float32(0.0)) * row[i]
        said += max(total, np.float32(0.0)) * weights[after + NARROW + j]
    return said


# The file.


def size_of(count: int) -> int:
    """How many numbers a network for so many features has."""
    return HEAD + count * HEARD + WIDTH + WIDTH * NARROW + 2 * NARROW + CONSTANTS


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
    made = [game.feature_count, HEARD, NARROW]
    if weights[:HEAD].tolist() != made or weights.shape != (size_of(game.feature_count),):
        raise BadData(f"{path} has learned another version of {game.title}; let it learn anew.", "no_such_bot")
    return weights


def save(path: pathlib.Path, game: Game, weights: Weights) -> None:
    """Writes weights down; whoever reads meanwhile finds the old ones or the new ones, never a half."""
    half = path.with_suffix(".half.npz")
    np.savez_compressed(half, game=np.array(game.key), weights=weights)
    os.replace(half, path)
