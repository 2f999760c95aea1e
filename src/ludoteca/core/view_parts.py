"""A view in parts, each a function of some fields of the record: a server makes and writes only those that have changed.

    def market(edition: int, market: Values) -> Json: …                # an array comes as its numbers in a row
    def panel(seat: int, edition: int, tokens: Values) -> Json: …      # of `of_seat` fields, the seat's own row

    VIEW = ViewInParts(
        State,
        table=[Part(market, ("edition", "market"))],                   # keys of the view
        players=[Part(panel, ("edition",), ("tokens",))],              # keys of each of its `players`
        you=[Part(own, ("edition", "market"), ("tokens", "hand"))],    # keys of `you`
    )

A decision changes little of what lies on the table. A server keeps a `Memory` for each table, and a `Writer` writes of the
next position what is not found there. What a part is given comes from the viewer's own redacted record, and what was written
before is used for whoever would be given the same: so nobody is shown what was made for somebody who sees more.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from .record import SPECTATOR, Field, Record, See, bytes_of

Json = dict[str, Any]
Values = list[int]

_encode = msgspec.json.Encoder().encode
_LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}  # as `struct` has them


@dataclass(frozen=True)
class Part:
    """Some keys of a view: how they are made, and of which fields; of those in `of_seat` only the seat's own row."""

    make: Callable[..., Json]
    whole: tuple[str, ...] = ()
    of_seat: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """All that it is made of."""
        return self.whole + self.of_seat


class Memory:
    """What was written of a table's last position."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, bytes]] = {}  # by place: the bytes that it was made of, and what came of them
        self.seen: Any = None  # the bytes that were public when ...
        self.table = b""  # ... this was written, and
        self.players: list[bytes] = []  # this of each player


class _Place:
    """A part in its place: of the table, or of one seat."""

    def __init__(self, number: int, part: Part, fields: Sequence[tuple[Field, slice]], seat: int | None) -> None:
        self.number = number
        self._make, self._seat = part.make, () if seat is None else (seat,)
        pieces = [piece for _, piece in fields]
        self.key: Callable[[bytes], Any] = operator.itemgetter(*pieces, slice(0, 0))  # more than one: always a tuple
        self._read = [_reader(field, seat is not None and field.name in part.of_seat) for field, _ in fields]

    def made(self, key: Sequence[bytes]) -> Json:
        """The part, from the bytes of its fields."""
        return self._make(*self._seat, *[read(piece) for read, piece in zip(self._read, key)])


def _reader(field: Field, of_seat: bool) -> Callable[[bytes], Any]:
    """What makes numbers of a field's bytes, or of one row of them: one number, or several in a row."""
    shape, count = field.shape[1:] if of_seat else field.shape, 1
    for length in shape:
        count *= length
    unpack = struct.Struct(f"={count}{_LETTERS[field.kind]}").unpack
    return (lambda piece: list(unpack(piece))) if shape else lambda piece: unpack(piece)[0]


class ViewInParts:
    """The parts of a game's view."""

    def __init__(
        self, state: type[Record], table: Sequence[Part], players: Sequence[Part], you: Sequence[Part]
    ) -> None:
        self._state = state
        self._fields = {field.name: field for field in state.FIELDS}
        self._places = 0
        assert all(map(self._is_public, table)), "what is on the table is there for all"
        in_public = [part for part in players if self._is_public(part)]
        in_secret = [part for part in players if not self._is_public(part)]
        seats = range(self._fields["waiting"].shape[0])
        self.of_table = [self._place(part) for part in table]
        self.of_players = [[self._place(part, seat) for part in in_public] for seat in seats]
        self.of_hands = {
            viewer: [[self._place(part, seat) for part in in_secret] for seat in seats]
            for viewer in (*seats, SPECTATOR)
        }
        self.of_you = [[self._place(part, seat) for part in you] for seat in seats]
        self.in_public = self._all_of([*table, *in_public])
        self.in_hands = self._all_of(in_secret)
        self.seats_at = self._bytes_of("seats").start

    def view(self, record: Any, viewer: int) -> Json:
        """The whole of it, as plain JSON."""
        raw = record.tobytes()
        found = _made(self.of_table, raw)
        found["players"] = [
            _made(public, raw) | _made(hand, raw)
            for _, public, hand in zip(range(raw[self.seats_at]), self.of_players, self.of_hands[viewer])
        ]
        found["you"] = None if viewer == SPECTATOR else _made(self.of_you[viewer], raw)
        return found

    def _is_public(self, part: Part) -> bool:
        return all(self._fields[name].see is See.PUBLIC for name in part.fields)

    def _place(self, part: Part, seat: int | None = None) -> _Place:
        self._places += 1
        pieces = [self._bytes_of(name) for name in part.whole]
        pieces += [self._row_of(name, seat or 0) for name in part.of_seat]
        return _Place(self._places, part, list(zip([self._fields[name] for name in part.fields], pieces)), seat)

    def _all_of(self, parts: Sequence[Part]) -> Callable[[bytes], Any]:
        """What takes the bytes of everything that these are made of out of a record; what touches is taken as one."""
        named = {name for part in parts for name in part.fields} | {"seats"}
        joined: list[slice] = []
        for piece in sorted(map(self._bytes_of, named), key=lambda piece: int(piece.start)):
            if joined and joined[-1].stop == piece.start:
                piece = slice(joined.pop().start, piece.stop)
            joined.append(piece)
        return operator.itemgetter(*joined)

    def _bytes_of(self, name: str) -> slice:
        return bytes_of(self._state.DTYPE, name)

    def _row_of(self, name: str, seat: int) -> slice:
        whole = self._bytes_of(name)
        size = (whole.stop - whole.start) // self._fields[name].shape[0]
        return slice(whole.start + size * seat, whole.start + size * (seat + 1))


def _made(places: Iterable[_Place], raw: bytes) -> Json:
    found: Json = {}
    for place in places:
        found |= place.made(place.key(raw))
    return found


class Writer:
    """One position, written for one viewer after the other."""

    def __init__(self, parts: ViewInParts, memory: Memory) -> None:
        self._parts, self._memory = parts, memory
        self._players: dict[Any, bytes] = {}  # all of them, by what is seen of their hands

    def view(self, raw: bytes, viewer: int) -> bytes:
        """The view of whoever sees this record, which is redacted."""
        parts, memory = self._parts, self._memory
        seen = parts.in_public(raw)
        if seen != memory.seen:  # a new position; and behind its screen a seat may be ahead of the others
            memory.table = self._written(parts.of_table, raw)
            memory.players = [self._written(places, raw) for places in parts.of_players[: raw[parts.seats_at]]]
            memory.seen = seen
            self._players.clear()
        hands = parts.in_hands(raw)
        players = self._players.get(hands)
        if players is None:
            players = self._players[hands] = self._with_hands(parts.of_hands[viewer], raw)
        you = b"null" if viewer == SPECTATOR else b"{%b}" % self._written(parts.of_you[viewer], raw)
        return b'{%b,"players":[{%b}],"you":%b}' % (memory.table, players, you)

    def _with_hands(self, hands: Sequence[Sequence[_Place]], raw: bytes) -> bytes:
        public = self._memory.players
        if hands[0]:
            public = [b"%b,%b" % (one, self._written(places, raw)) for one, places in zip(public, hands)]
        return b"},{".join(public)

    def _written(self, places: Sequence[_Place], raw: bytes) -> bytes:
        """These parts, one after the other, without the brackets around them."""
        known, found = self._memory.known, []
        for place in places:
            key, last = place.key(raw), known.get(place.number)
            if last is None or last[0] != key:
                last = known[place.number] = key, _encode(place.made(key))[1:-1]
            found.append(last[1])
        return b",".join(found)
