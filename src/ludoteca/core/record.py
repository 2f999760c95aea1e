"""The state of a game: one flat record whose every field says what it means and who may see it.

A game lists its `FIELDS` once. The numpy dtype, the redacted copy that a viewer gets, the table in the docs and the
tests for leaks all derive from that list.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

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
    """One field of the state: `Field("bank", "i1", (7,), See.PUBLIC, "tokens left, by colour")`."""

    name: str
    kind: str  # "i1", "i2", "i4" or "i8"
    shape: tuple[int, ...]
    see: See
    meaning: str
    marks: str = ""  # for See.MARKED: the name of the companion field


def record(fields: Sequence[Field]) -> np.dtype[Any]:
    """The packed dtype of a game's state (packed, because padding would break the comparison of bytes)."""
    names = [field.name for field in fields]
    for field in fields:
        if names.count(field.name) > 1:
            raise ValueError(f"The field {field.name} is listed twice.")
        if hasattr(np.ndarray, field.name) or hasattr(np.record, field.name):
            raise ValueError(f"A field may not be called {field.name}: arrays have an attribute of that name.")
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
        values, marks = self.dtype.fields[field.name], self.dtype.fields[field.marks]  # type: ignore[index]
        size = marks[0].base.itemsize
        byte = viewer // 8 if sys.byteorder == "little" else size - 1 - viewer // 8
        return values[1], slice(marks[1] + byte, marks[1] + marks[0].itemsize, size)

    def hidden_bytes(self, viewer: int) -> npt.NDArray[np.uint8]:
        """All bits set wherever this viewer may never look (marked elements are decided one by one)."""
        return self._hidden[viewer]

    def __call__(self, states: States, i: int, viewer: int) -> States:
        """A new array of one record: game `i` as `viewer` may see it."""
        raw = states[i : i + 1].tobytes()
        mask = self._masks[viewer]
        for at, marks in self._marked[viewer]:
            mask |= int.from_bytes(raw[marks].translate(UNSEEN[viewer % 8]), "little") << 8 * at
        seen = (int.from_bytes(raw, "little") | mask).to_bytes(len(raw), "little")
        return np.frombuffer(bytearray(seen), self.dtype)


# For each bit of a byte of audience: what the byte hides from whoever has that bit; nothing, or all bits of a value.
UNSEEN = [bytes(0 if byte >> bit & 1 else 255 for byte in range(256)) for bit in range(8)]


def copied(states: States) -> States:
    """A copy, byte by byte; `copy` goes from field to field and takes thirty times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


class Whole(np.ndarray[Any, Any]):
    """An array whose elements read as Python's whole numbers: a lone np.int8 would overflow where machine code does not."""

    def __getitem__(self, index: Any, _element: Any = np.ndarray.__getitem__) -> Any:
        found = _element(self, index)
        return found if type(found) is Whole else int(found)


class Plain:
    """One record opened for plain Python: array fields are views into it, scalar fields are ints.

    Rules run on it unchanged, some sixty times slower than compiled. Call `close` to write the scalars back.
    """

    def __init__(self, states: States, i: int = 0) -> None:
        self.__dict__["_states"], self.__dict__["_i"] = states, i

    def __getattr__(self, name: str) -> Any:
        """A field is opened when it is first asked for: most rules and views look at a few only."""
        try:
            value = self.__dict__["_states"][name][self._i]
        except (KeyError, ValueError):
            raise AttributeError(name) from None
        self.__dict__[name] = found = value.view(Whole) if isinstance(value, np.ndarray) else int(value)
        return found

    def opened(self) -> Plain:
        """Every field at once, for reading only: a view looks at most of them, and one by one they cost three times that."""
        fields, states = self.__dict__, self._states
        for name, value in zip(states.dtype.names or (), states[self._i : self._i + 1].tolist()[0]):
            fields[name] = value.view(Whole) if type(value) is np.ndarray else value
        return self

    def close(self) -> None:
        """Writes the scalar fields back into the record."""
        for name, value in self.__dict__.items():
            if name[0] != "_" and not isinstance(value, np.ndarray):
                self._states[name][self._i] = value

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None: ...
