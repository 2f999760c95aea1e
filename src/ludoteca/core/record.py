"""The state of a game: one flat record whose every field says what it means and who may see it.

A game declares each field once, in a class:

    class State(Record):
        rng = stream("i8", (), "the game's random stream")
        seats = public("i1", (), "number of players")
        waiting = public("i1", (SEATS,), "1 while this seat owes a decision")
        purse = private("i2", (SEATS,), "coins, known to their owner")
        hand = marked_by("hand_seen")("i1", (SEATS, 3), "cards, or -1")
        hand_seen = public("i4", (SEATS, 3), "audience bits: who knows the card")

The numpy dtype, the redacted copy that a viewer gets and the tests for leaks derive from that (`State.FIELDS`,
`State.DTYPE`); so do the types: a field without axes is an `int`, one with a single axis a `Row`, one with two a `Grid`,
and mypy finds a field that is misspelt or has an index too few. `State(states, i)` opens a record for plain Python;
compiled rules get the record itself.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, overload

import numpy as np
import numpy.typing as npt

States = npt.NDArray[Any]  # an array of records, one for each game

SPECTATOR = 15  # the viewer who sits nowhere; seats are 0..7
EVERYONE = (1 << 16) - 1  # audience bits: bit v is set if viewer v may see
HIDDEN = -1  # what a redacted record holds where its viewer may not look


class See(Enum):
    """Who may see a field."""

    PUBLIC = "everyone"
    OWNER = "its own seat"  # the first axis is the seat
    NOBODY = "nobody"
    MARKED = "whoever is marked"  # element by element, in a companion field of audience bits


@dataclass(frozen=True)
class Field:
    """One field of the state, as `public`, `private`, `secret`, `stream` or `marked_by` declare it."""

    name: str
    kind: str  # "i1", "i2", "i4" or "i8"
    shape: tuple[int, ...]
    see: See
    meaning: str
    marks: str = ""  # for See.MARKED: the name of the companion field
    stream: bool = False  # numbers still to be drawn come from it


def record(fields: Sequence[Field]) -> np.dtype[Any]:
    """The packed dtype of a game's state (packed, because padding would break the comparison of bytes)."""
    names = [field.name for field in fields]
    for field in fields:
        if names.count(field.name) > 1:
            raise ValueError(f"The field {field.name} is listed twice.")
        if any(hasattr(other, field.name) for other in (np.ndarray, np.record, Record)):
            raise ValueError(
                f"A field may not be called {field.name}: arrays or records have an attribute of that name."
            )
        if field.kind not in ("i1", "i2", "i4", "i8"):
            raise ValueError(f"The field {field.name} is of kind {field.kind}; use i1, i2, i4 or i8 (flags: i1).")
        if field.see is See.MARKED:
            if field.marks not in names:
                raise ValueError(f"The field {field.name} needs a companion field of audience bits.")
            marks = fields[names.index(field.marks)]
            if field.kind != "i1" or marks.kind not in ("i2", "i4") or marks.shape != field.shape:
                raise ValueError(
                    f"{field.name} is marked, so it is of kind i1, and {field.marks} of its shape and i2 or i4."
                )
    for needed in ("rng", "seats", "waiting"):
        if needed not in names:
            raise ValueError(f"Every game's state has a field called {needed}.")
    return np.dtype((np.record, [(f.name, f.kind, f.shape) if f.shape else (f.name, f.kind) for f in fields]))


def bytes_of(dtype: np.dtype[Any], name: str) -> slice:
    """Where the bytes of a field stand in a record."""
    assert dtype.fields is not None
    kind, start = dtype.fields[name][:2]
    return slice(start, start + kind.itemsize)


class Redactor:
    """Copies a record as a viewer may see it: what is hidden reads HIDDEN, whatever the truth is.

    HIDDEN is all bits set, so hiding is an «or» of bits: with bytes and whole numbers that takes half as long as with
    small arrays.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        self.dtype = record(fields)
        self._hidden = [self._hidden_bytes(fields, viewer) for viewer in range(16)]
        self._masks = [int.from_bytes(hidden.tobytes(), "little") for hidden in self._hidden]
        marked = [f for f in fields if f.see is See.MARKED]
        self._marked = [[self._bytes_of(field, viewer) for field in marked] for viewer in range(16)]

    def _hidden_bytes(self, fields: Sequence[Field], viewer: int) -> npt.NDArray[np.uint8]:
        hidden = np.zeros(1, self.dtype)
        for field in fields:
            if field.see in (See.NOBODY, See.OWNER):
                hidden[field.name] = HIDDEN  # all bits set
            if field.see is See.OWNER and viewer < field.shape[0]:
                hidden[field.name][0, viewer] = 0
        return hidden.view(np.uint8)

    def _bytes_of(self, field: Field, viewer: int) -> tuple[int, slice]:
        """Where the values of a marked field begin, and where the bytes are that have this viewer's bits."""
        values, marks = bytes_of(self.dtype, field.name), bytes_of(self.dtype, field.marks)
        size = self.dtype[field.marks].base.itemsize
        byte = viewer // 8 if sys.byteorder == "little" else size - 1 - viewer // 8
        return values.start, slice(marks.start + byte, marks.stop, size)

    def hidden_bytes(self, viewer: int) -> npt.NDArray[np.uint8]:
        """All bits set wherever this viewer may never look (marked elements are decided one by one)."""
        return self._hidden[viewer]

    def __call__(self, states: States, i: int, viewer: int) -> States:
        """A new array of one record: game `i` as `viewer` may see it."""
        raw = states[i : i + 1].tobytes()
        seen = (int.from_bytes(raw, "little") | self.mask(raw, viewer)).to_bytes(len(raw), "little")
        return np.frombuffer(bytearray(seen), self.dtype)

    def mask(self, raw: bytes, viewer: int) -> int:
        """The bits of a record that this viewer may not see now."""
        mask = self._masks[viewer]
        for at, marks in self._marked[viewer]:
            unseen = int.from_bytes(raw[marks].translate(UNSEEN[viewer % 8]), "little")
            if unseen:  # a shift makes a number as long as the record
                mask |= unseen << 8 * at
        return mask


# For each bit of a byte of audience: what the byte hides from whoever has that bit; nothing, or all bits of a value.
UNSEEN = [bytes(0 if byte >> bit & 1 else 255 for byte in range(256)) for bit in range(8)]


def copied(states: States) -> States:
    """A copy, byte by byte; `copy` goes from field to field and takes thirty times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


# The arrays of a record and of printed tables, by the number of their axes.


class IntArray(np.ndarray[Any, Any]):
    """An array whose elements read as Python's whole numbers: a lone np.int8 would overflow where machine code does not."""

    def __getitem__(self, index: Any, _element: Any = np.ndarray.__getitem__) -> Any:
        found = _element(self, index)
        return found if type(found) is IntArray else int(found)


# What rules and views do with such arrays; whoever needs more of numpy says `np.asarray(state.bank)`. Protocols, because
# the same rules run over arrays of IntArray, of plain numpy and in machine code.


class Row(Protocol):
    """Whole numbers along one axis."""

    @property
    def shape(self) -> tuple[int]: ...
    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Row: ...
    def __setitem__(self, index: int | slice, value: int | Sequence[int] | Row) -> None: ...
    def __iter__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...
    def __array__(self) -> npt.NDArray[Any]: ...
    def sum(self) -> int: ...
    def tolist(self) -> list[int]: ...


class Grid(Protocol):
    """Whole numbers along two axes."""

    @property
    def shape(self) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, index: tuple[int, int]) -> int: ...
    @overload
    def __getitem__(self, index: int | tuple[int, slice] | tuple[slice, int]) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Grid: ...
    def __setitem__(
        self,
        index: int | slice | tuple[int, int] | tuple[int, slice] | tuple[slice, int],
        value: int | Sequence[int] | Sequence[Sequence[int]] | Row | Grid,
    ) -> None: ...
    def __iter__(self) -> Iterator[Row]: ...
    def __len__(self) -> int: ...
    def __array__(self) -> npt.NDArray[Any]: ...
    def sum(self) -> int: ...
    def tolist(self) -> list[list[int]]: ...


class Cube(Protocol):
    """Whole numbers along three axes; printed tables have them."""

    @property
    def shape(self) -> tuple[int, int, int]: ...
    @overload
    def __getitem__(self, index: tuple[int, int, int]) -> int: ...
    @overload
    def __getitem__(self, index: tuple[int, int]) -> Row: ...
    @overload
    def __getitem__(self, index: int) -> Grid: ...
    def __setitem__(self, index: tuple[int, int, int], value: int) -> None: ...
    def __iter__(self) -> Iterator[Grid]: ...
    def __len__(self) -> int: ...
    def __array__(self) -> npt.NDArray[Any]: ...
    def tolist(self) -> list[list[list[int]]]: ...


# How a field is declared: one of five words says who may see it.

Kind = Literal["i1", "i2", "i4", "i8"]


class Declare:
    """Declares a field of a `Record`; to a type checker it is what the field holds."""

    def __init__(self, see: See, marks: str = "", stream: bool = False) -> None:
        self._see, self._marks, self._stream = see, marks, stream

    @overload
    def __call__(self, kind: Kind, shape: tuple[()], meaning: str) -> int: ...
    @overload
    def __call__(self, kind: Kind, shape: tuple[int], meaning: str) -> Row: ...
    @overload
    def __call__(self, kind: Kind, shape: tuple[int, int], meaning: str) -> Grid: ...
    def __call__(self, kind: Kind, shape: tuple[int, ...], meaning: str) -> Any:
        return Field(
            "", kind, shape, self._see, meaning, self._marks, self._stream
        )  # the class that it stands in names it


public = Declare(See.PUBLIC)
private = Declare(See.OWNER)
secret = Declare(See.NOBODY)
stream = Declare(See.NOBODY, stream=True)  # seen by nobody, and at a table empty between two steps (keyed.py)


def marked_by(companion: str) -> Declare:
    """Who may see an element is said by the audience bits in the same place of the companion field."""
    return Declare(See.MARKED, companion)


class Record:
    """One record opened for plain Python: array fields are views into it, scalar fields are ints.

    Rules run on it unchanged, some hundred times slower than compiled. Call `close` to write the scalars back.
    """

    FIELDS: ClassVar[tuple[Field, ...]] = ()
    DTYPE: ClassVar[np.dtype[Any]]

    if TYPE_CHECKING:  # what every game's state has
        rng: int
        seats: int
        waiting: Row

    def __init_subclass__(cls) -> None:
        declared = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        cls.FIELDS += tuple(dataclasses.replace(field, name=name) for name, field in declared.items())
        cls.DTYPE = record(cls.FIELDS)
        for name in declared:
            delattr(cls, name)  # so that `__getattr__` finds the value in the record

    def __init__(self, states: States, i: int = 0, stream: Any = None) -> None:
        """`stream`: where the rules draw from instead of `rng` (see keyed.py)."""
        self.__dict__["_states"], self.__dict__["_i"], self.__dict__["_stream"] = states, i, stream

    @property
    def keyed_stream(self) -> Any:
        """Where the rules draw from; None: from `rng`."""
        return self.__dict__["_stream"]

    if not TYPE_CHECKING:  # a type checker knows the fields that are declared, and no others

        def __getattr__(self, name: str) -> Any:
            """A field is opened when it is first asked for: most rules and views look at a few only."""
            try:
                value = self.__dict__["_states"][name][self._i]
            except (KeyError, ValueError):
                raise AttributeError(name) from None
            self.__dict__[name] = found = value.view(IntArray) if isinstance(value, np.ndarray) else int(value)
            return found

    @classmethod
    def bytes_of(cls, name: str) -> slice:
        """Where the bytes of a field stand in the record."""
        return bytes_of(cls.DTYPE, name)

    def tobytes(self) -> bytes:
        """The record; scalars as they were when it was opened or last closed."""
        states, i = self.__dict__["_states"], self.__dict__["_i"]
        return bytes(states[i : i + 1].tobytes())

    def copy(self) -> Self:
        """The same, on a record of its own."""
        return type(self)(np.frombuffer(bytearray(self.tobytes()), self.__dict__["_states"].dtype))

    def opened(self) -> Self:
        """Every field at once, for reading only: a view looks at most of them, and one by one they cost three times that."""
        fields = self.__dict__
        states, i = fields["_states"], fields["_i"]
        for name, value in zip(states.dtype.names or (), states[i : i + 1].tolist()[0]):
            fields[name] = value.view(IntArray) if type(value) is np.ndarray else value
        return self

    def close(self) -> None:
        """Writes the scalar fields back into the record."""
        states, i = self.__dict__["_states"], self.__dict__["_i"]
        for name, value in self.__dict__.items():
            if name[0] != "_" and not isinstance(value, np.ndarray):
                states[name][i] = value
