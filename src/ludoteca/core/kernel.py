"""What a kernel is: a rule written as a plain Python function that can also be compiled to machine code.

    @kernel
    def may_reserve(state: State, seat: int) -> bool:
        return state.in_hand[seat] < HAND

The decorator only marks the function: it runs as it is in tests, in debuggers and in the first game on a fresh machine.
`compiler.py` makes machine code of the same source. A kernel calls other kernels by their plain names, and its signature is
read from its annotations, so that it is compiled once and not once for every width of integer that it is called with.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])

# The arrays that kernels are handed; the compiler knows their types by these names.
ActionList = npt.NDArray[np.int16]  # what a seat may do
OptionList = npt.NDArray[np.int64]  # the options of a game, as numbers
ScoreList = npt.NDArray[np.int64]  # a number for each seat
ChanceList = npt.NDArray[np.float64]  # a chance for each seat
NumberList = npt.NDArray[np.float32]  # an observation
ActionTable = npt.NDArray[np.int16]  # a list of actions for each of many games
ScoreTable = npt.NDArray[np.int64]  # a number for each seat of many games
ChanceTable = npt.NDArray[np.float64]  # chances, or sums of them, in rows
NumberTable = npt.NDArray[np.float32]  # features or observations in rows
PlaceList = npt.NDArray[np.int32]  # places in a tree
Logs = npt.NDArray[Any]  # an array of one log's record
Pages = npt.NDArray[Any]  # an array of one page's record


def kernel(function: F) -> F:
    """Marks a function as a kernel."""
    function.__kernel__ = True  # type: ignore[attr-defined]  # a mark on the function itself
    return function


def in_any_order(function: F) -> F:
    """Marks a kernel whose sums machine code may add up in any order, many numbers at a time: never for rules."""
    function.__in_any_order__ = True  # type: ignore[attr-defined]  # a mark on the function itself
    return kernel(function)


def compiled_as(machine: Callable[..., Any]) -> Callable[[F], F]:
    """Marks a plain function in whose place compiled kernels call another kernel: one that needs what only Python has."""

    def mark(function: F) -> F:
        function.__kernel__ = True  # type: ignore[attr-defined]  # marks, as above
        function.__compiled_as__ = machine  # type: ignore[attr-defined]
        return function

    return mark


class Log:
    """Rows of whole numbers that rules write into: `used` of them, in `room` for so many; see log.py.

    Machine code works on `records`, an array of one record with these three fields. A record is handed from kernel to
    kernel as one pointer; an array would be nine numbers and a count of its references.
    """

    def __init__(self, rows: int, columns: int, room: int | None = None) -> None:
        self.records = np.zeros(1, log_dtype(rows, columns))
        self.room = rows if room is None else room
        self.rows, self._used = self.records["rows"][0], self.records["used"]
        self.records["room"] = self.room

    @property
    def used(self) -> int:
        """How many rows were written; more than `room` if some found no place."""
        return int(self._used[0])

    @used.setter
    def used(self, rows: int) -> None:
        self._used[0] = rows

    def taken(self) -> list[list[int]]:
        """The rows, oldest first; empties the log."""
        used, self.used = self.used, 0
        assert used <= self.room, f"{used} facts in a log with room for {self.room}"
        rows: list[list[int]] = self.rows[:used].tolist()
        return rows


@functools.cache
def log_dtype(rows: int, columns: int) -> np.dtype[Any]:
    """The record of a log."""
    return np.dtype((np.record, [("room", "i4"), ("used", "i4"), ("rows", "i4", (rows, columns))]))


ROOM = 1 << 16  # bytes on a page
PAGE = np.dtype((np.record, [("used", "i8"), ("bytes", "u1", (ROOM,))]))


class Page:
    """What kernels write JSON on: `used` of its bytes; see pen.py. Machine code works on `records`, as it does for a log."""

    def __init__(self) -> None:
        self.records = np.zeros(1, PAGE)
        self.bytes, self._used = self.records["bytes"][0], self.records["used"]
        self._memory = memoryview(self.bytes)

    @property
    def used(self) -> int:
        """How many bytes were written; all of them if some found no place."""
        return int(self._used[0])

    @used.setter
    def used(self, size: int) -> None:
        self._used[0] = size

    def taken(self) -> bytes:
        """What was written; empties the page."""
        used, self.used = self.used, 0
        assert used < ROOM, "a page has no room for all that was to be written"
        return bytes(self._memory[:used])
