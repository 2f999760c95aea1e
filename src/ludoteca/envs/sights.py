"""What a seat sees, in machine code: what it may not know is covered in the record itself, and uncovered afterwards.

While it is covered the record is, for all that the game's `observe` and `legal` look at, what `core.record.Redactor` would
make of it, from the same declarations. What neither of them names is left alone: nothing is copied that nobody reads.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.game import Game
from ludoteca.core.kernel import kernel
from ludoteca.core.record import Field, See, bytes_of

# For each seat rows of four: first byte, how many; first byte of the marks, distance to the next.
Covers = npt.NDArray[np.uint64]


@functools.cache
def covers(game: Game, seats: int, perfect: bool) -> Covers:
    """What is covered from each seat of so many; a row without a distance is covered whatever the marks say."""
    named, teams = names(game.observe) | names(game.legal), game.teams(seats)
    fields = [field for field in game.fields if field.name in named and not perfect]
    rows = [[row for field in fields for row in _rows(game, field, seat, teams) if row[1] > 0] for seat in range(seats)]
    found = np.zeros((seats, max(map(len, rows)), 4), np.uint64)
    for seat, covered in enumerate(rows):
        found[seat, : len(covered)] = np.array(covered, np.uint64).reshape(-1, 4)
    return found


def names(function: Any) -> frozenset[str]:
    """Every name that a kernel, or one that it calls, has in its code: all fields that it reads are among them."""
    found, todo = set[str](), [getattr(function, "__compiled_as__", function)]
    seen = set[Any]()
    while todo:
        each = todo.pop()
        if each in seen:
            continue
        seen.add(each)
        found |= {*each.__code__.co_names, *(const for const in each.__code__.co_consts if isinstance(const, str))}
        called = [each.__globals__.get(name) for name in each.__code__.co_names]
        todo += [getattr(other, "__compiled_as__", other) for other in called if getattr(other, "__kernel__", False)]
    return frozenset(found)


def _rows(game: Game, field: Field, seat: int, teams: int) -> Iterator[tuple[int, int, int, int]]:
    """What of this field a seat may not see; of what belongs to seats, only the rows of so many teams."""
    place = bytes_of(game.dtype, field.name)
    size = place.stop - place.start
    if field.see is See.NOBODY:
        yield place.start, size, 0, 0
    elif field.see is See.OWNER:
        own = size // field.shape[0]
        yield place.start, seat * own, 0, 0
        yield place.start + (seat + 1) * own, (teams - seat - 1) * own, 0, 0
    elif field.see is See.MARKED:  # all of it, unless the game says that its rows are the seats'
        marks = bytes_of(game.dtype, field.marks)
        covered = size // field.shape[0] * teams if field.name in game.by_seat else size
        yield place.start, covered, marks.start, (marks.stop - marks.start) // size


@kernel
def cover(record: Any, covers: Any, kept: Any, seat: Any) -> None:
    """Sets all bits of what the seat may not see; `kept`, as long as the record, has it from now on.

    No index has a sign, and every number is a byte: so the machine takes many at a time.
    """
    bit, one, all_bits = np.uint8(seat), np.uint8(1), np.uint8(255)
    for row in range(covers.shape[1]):
        place, count = covers[seat, row, 0], covers[seat, row, 1]
        mark, distance = covers[seat, row, 2], covers[seat, row, 3]
        for k in range(count):
            kept[place + k] = record[place + k]
        if distance == 0:
            for k in range(count):
                record[place + k] = all_bits
        else:
            for k in range(count):
                unseen = np.uint8(np.uint8(record[mark + distance * k] >> bit) & one) ^ one
                record[place + k] = record[place + k] | np.uint8(unseen * all_bits)


@kernel
def uncover(record: Any, covers: Any, kept: Any, seat: Any) -> None:
    """Puts back what was covered from this seat."""
    for row in range(covers.shape[1]):
        place, count = covers[seat, row, 0], covers[seat, row, 1]
        for k in range(count):
            record[place + k] = kept[place + k]
