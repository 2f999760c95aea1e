"""A view in parts, each a function of some fields of the record: a server makes and writes only those that have changed.

    def market(edition: int, market: Values) -> Json: …                # an array comes as its numbers in a row
    def panel(seat: int, edition: int, tokens: Values) -> Json: …      # of `of_seat` fields, the seat's own row

    VIEW = ViewInParts(
        State,
        table=[Part(market, ("edition", "market"))],                   # keys of the view
        players=[Part(panel, ("edition",), ("tokens",))],              # keys of each of its `players`
        you=[Part(own, ("edition", "market"), ("tokens", "hand"))],    # keys of `you`
        offer=Part(offering, ("edition", "market"), ("hand",)),        # what says of an action what a page needs to offer it
    )

Where a part is made with functions of the rules, it is `opened`: it gets a state with these fields and no others, as numbers
and lists of them (without any named, the whole record, and is made anew for every position).

A decision changes little of what lies on the table. A server keeps a `Memory` for each table, and a `Writer` writes of the
next position what is not found there. What a part is given comes from the viewer's own redacted record, and what was written
before is used for whoever would be given the same: so nobody is shown what was made for somebody who sees more.
"""

from __future__ import annotations

import functools
import math
import operator
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np

from .record import SPECTATOR, Field, Record, See, bytes_of

Json = dict[str, Any]
Values = list[int]

_encode = msgspec.json.Encoder().encode
_LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}  # as `struct` has them


@dataclass(frozen=True)
class Part:
    """Some keys of a view: how they are made, and of which fields; of those in `of_seat` only the seat's own row."""

    make: Callable[..., Any]
    whole: tuple[str, ...] = ()
    of_seat: tuple[str, ...] = ()
    opened: bool = False  # given a state, and then the seat, instead of values
    rest: tuple[str, int, Json] | None = None  # a field, the value that it mostly has, and the part as it is then

    @property
    def fields(self) -> tuple[str, ...]:
        """All that it is made of."""
        return self.whole + self.of_seat


class Memory:
    """What was written of a table's last position."""

    def __init__(self) -> None:
        self.known: dict[_Row, _Written] = {}
        self.public = -1  # the bits that all could see when ...
        self.table = b""  # ... this was written, and
        self.players: list[bytes] = []  # this of each player
        self.hands: dict[
            int, tuple[int, list[bytes]]
        ] = {}  # by viewer: the bits of all hands, and each as it was written


class _Written:
    """Parts in a row: the bits that they were made of, each as it was written, and all of them."""

    __slots__ = ("bits", "pieces", "whole")

    def __init__(self, bits: int, pieces: list[bytes]) -> None:
        self.bits, self.pieces, self.whole = bits, pieces, b",".join(pieces)


class _Place:
    """A part in its place: of the table, or of one seat."""

    def __init__(self, part: Part, fields: Sequence[tuple[Field, slice]], seat: int | None) -> None:
        self._make, self._seat = part.make, () if seat is None else (seat,)
        own = part.of_seat if seat is not None else ()
        self._read = _reader([(piece, field.kind, field.shape[field.name in own :]) for field, piece in fields])
        self.mask = _all_bits(_mask(piece) for _, piece in fields)  # the bits that it is made of
        self._rests = [
            (piece, int(part.rest[1]).to_bytes(piece.stop - piece.start, sys.byteorder, signed=True))
            for field, piece in fields
            if part.rest is not None and field.name == part.rest[0]
        ]
        self._at_rest = b"" if part.rest is None else _encode(part.rest[2])[1:-1]

    def piece(self, raw: bytes) -> bytes:
        """The part as JSON, without the brackets around it."""
        for piece, value in self._rests:
            if raw[piece] == value:
                return self._at_rest
        return _encode(self.made(raw))[1:-1]

    def made(self, raw: bytes) -> Any:
        """The part, from the bytes of the record."""
        return self._make(*self._seat, *self._read(raw))


class _OpenedPlace(_Place):
    """A part that is made of a state with the fields that were named, or of the whole record."""

    def __init__(
        self, part: Part, fields: Sequence[tuple[Field, slice]], record: type[Record], seat: int | None
    ) -> None:
        super().__init__(part, fields, seat)
        self._names, self._record = part.whole, record
        if not fields:
            self.mask = _mask(slice(0, record.DTYPE.itemsize))

    def made(self, raw: bytes) -> Any:
        state: Any
        if self._names:
            state = SimpleNamespace(**dict(zip(self._names, self._read(raw))))
        else:
            state = self._record(np.frombuffer(bytearray(raw), self._record.DTYPE))
        return self._make(state, *self._seat)


class _Row:
    """Places whose parts are written one after the other."""

    def __init__(self, places: Sequence[_Place]) -> None:
        self.places = places
        self.mask = _all_bits(place.mask for place in places)


def _mask(piece: slice) -> int:
    """All bits of these bytes of a record, as a whole number has them (the first byte is its lowest)."""
    return int((1 << 8 * piece.stop) - (1 << 8 * piece.start))


def _all_bits(masks: Iterable[int]) -> int:
    found: int = functools.reduce(operator.or_, masks, 0)
    return found


def _reader(pieces: Sequence[tuple[slice, str, tuple[int, ...]]]) -> Callable[[bytes], Sequence[Any]]:
    """What makes numbers of these pieces of a record (kind and shape of each): one number, or several in a row.

    All of them are unpacked at once, in the order of the record; what lies between them is skipped.
    """
    letters, places, count, end = "=", dict[int, int | slice](), 0, 0
    for piece, kind, shape in sorted(pieces, key=lambda one: one[0].start):
        assert piece.start >= end, "a part names a field once"
        size = math.prod(shape)
        letters += f"{piece.start - end}x{size}{_LETTERS[kind]}"
        places[piece.start] = slice(count, count + size) if shape else count
        count, end = count + size, piece.stop
    unpack, wanted = struct.Struct(letters).unpack_from, [places[piece.start] for piece, _, _ in pieces]
    chosen = operator.itemgetter(*wanted, 0) if wanted else None  # one more, so that there are always several

    def read(raw: bytes) -> Sequence[Any]:
        return chosen(list(unpack(raw)))[:-1] if chosen is not None else ()

    return read


class ViewInParts:
    """The parts of a game's view."""

    def __init__(
        self,
        state: type[Record],
        table: Sequence[Part],
        players: Sequence[Part],
        you: Sequence[Part],
        offer: Part | None = None,
    ) -> None:
        self._state = state
        self._fields = {field.name: field for field in state.FIELDS}
        for_all = [part for part in table if self._is_public(part)]
        for_some = [part for part in table if not self._is_public(part)]
        in_public = [part for part in players if self._is_public(part)]
        in_secret = [part for part in players if not self._is_public(part)]
        seats = range(self._fields["waiting"].shape[0])
        self.of_table = self._row(for_all)
        self.of_eyes = {viewer: self._row(for_some) for viewer in (*seats, SPECTATOR)}
        self.of_players = [self._row(in_public, seat) for seat in seats]
        self.of_hands = {viewer: [self._row(in_secret, seat) for seat in seats] for viewer in (*seats, SPECTATOR)}
        self.of_you = [self._row(you, seat) for seat in seats]
        self._offers = [self._place(offer, seat) for seat in seats] if offer is not None else []
        of_seats, self.size = self._bytes_of("seats"), state.DTYPE.itemsize
        self._seats_at: int = 8 * of_seats.start
        self.public = _all_bits([_mask(of_seats), self.of_table.mask, *(row.mask for row in self.of_players)])
        self.hands = _all_bits(row.mask for row in self.of_hands[SPECTATOR])

    def view(self, record: Any, viewer: int) -> Json:
        """The whole of it, as plain JSON."""
        raw = record.tobytes()
        found = _made(self.of_table, raw) | _made(self.of_eyes[viewer], raw)
        found["players"] = [
            _made(public, raw) | _made(hand, raw)
            for _, public, hand in zip(
                range(self.seats_in(int.from_bytes(raw, "little"))), self.of_players, self.of_hands[viewer]
            )
        ]
        found["you"] = None if viewer == SPECTATOR else _made(self.of_you[viewer], raw)
        return found

    def offer(self, record: Any, seat: int) -> Callable[[int], Json] | None:
        """What says of each action what a page needs to offer it to this seat; None where a game says it otherwise."""
        if not self._offers:
            return None
        offer: Callable[[int], Json] = self._offers[seat].made(record.tobytes())
        return offer

    def seats_in(self, bits: int) -> int:
        """How many play."""
        return bits >> self._seats_at & 0xFF

    def _is_public(self, part: Part) -> bool:
        return bool(part.fields) and all(self._fields[name].see is See.PUBLIC for name in part.fields)

    def _row(self, parts: Sequence[Part], seat: int | None = None) -> _Row:
        return _Row([self._place(part, seat) for part in parts])

    def _place(self, part: Part, seat: int | None) -> _Place:
        pieces = [self._bytes_of(name) for name in part.whole]
        pieces += [self._row_of(name, seat or 0) for name in part.of_seat]
        fields = list(zip([self._fields[name] for name in part.fields], pieces))
        if part.opened:
            assert not part.of_seat, "an opened state has whole fields"
            return _OpenedPlace(part, fields, self._state, seat)
        return _Place(part, fields, seat)

    def _bytes_of(self, name: str) -> slice:
        return bytes_of(self._state.DTYPE, name)

    def _row_of(self, name: str, seat: int) -> slice:
        whole = self._bytes_of(name)
        size = (whole.stop - whole.start) // self._fields[name].shape[0]
        return slice(whole.start + size * seat, whole.start + size * (seat + 1))


def _made(row: _Row, raw: bytes) -> Json:
    found: Json = {}
    for place in row.places:
        found |= place.made(raw)
    return found


class Writer:
    """One position, written for one viewer after the other."""

    def __init__(self, parts: ViewInParts, memory: Memory) -> None:
        self._parts, self._memory = parts, memory
        self._players: dict[int, bytes] = {}  # all of them, by what is seen of their hands

    def view(self, bits: int, viewer: int) -> bytes:
        """The view of whoever sees this record, which is redacted (its bytes as one whole number)."""
        parts, memory = self._parts, self._memory
        public = bits & parts.public
        changed = public ^ memory.public
        if changed:  # a new position; and behind its screen a seat may be ahead of the others
            self._write_public(bits, changed)
            memory.public = public
            self._players.clear()
        hands = bits & parts.hands
        players = self._players.get(hands)
        if players is None:
            players = self._players[hands] = self._with_hands(viewer, bits, hands)
        you = b"null" if viewer == SPECTATOR else b"{%b}" % self._written(parts.of_you[viewer], bits)
        table, own = memory.table, parts.of_eyes[viewer]
        if own.places:
            table = b"%b,%b" % (table, self._written(own, bits))
        return b'{%b,"players":[{%b}],"you":%b}' % (table, players, you)

    def _write_public(self, bits: int, changed: int) -> None:
        """What all can see, where these bits of it have changed."""
        parts, memory = self._parts, self._memory
        if memory.public < 0:  # nothing was written yet
            memory.players, changed = [b""] * parts.seats_in(bits), parts.public
        if changed & parts.of_table.mask:
            memory.table = self._written(parts.of_table, bits)
        for seat in range(len(memory.players)):
            if changed & parts.of_players[seat].mask:
                memory.players[seat] = self._written(parts.of_players[seat], bits)

    def _with_hands(self, viewer: int, bits: int, hands: int) -> bytes:
        """All players, with what this viewer sees of their hands, which seldom changes."""
        public, rows = self._memory.players, self._parts.of_hands[viewer]
        if not rows[0].places:
            return b"},{".join(public)
        known, written = self._memory.hands.get(viewer, (-1, []))
        if known != hands:
            written = [self._written(row, bits) for row in rows[: len(public)]]
            self._memory.hands[viewer] = hands, written
        return b"},{".join([b"%b,%b" % both for both in zip(public, written, strict=True)])

    def _written(self, row: _Row, bits: int) -> bytes:
        """These parts, one after the other, without the brackets around them; made anew where their bits have changed."""
        last, of_row = self._memory.known.get(row), bits & row.mask
        if last is not None and last.bits == of_row:
            return last.whole
        raw = bits.to_bytes(self._parts.size, "little")
        if last is None:
            last = self._memory.known[row] = _Written(of_row, [place.piece(raw) for place in row.places])
            return last.whole
        changed, pieces = last.bits ^ of_row, last.pieces
        for n, place in enumerate(row.places):
            if changed & place.mask:
                pieces[n] = place.piece(raw)
        last.bits, last.whole = of_row, b",".join(pieces)
        return last.whole
