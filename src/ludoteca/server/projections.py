"""Projections: a table, and the game on it, as one viewer may see them. Messages are made here, from redacted records."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

import msgspec
from msgspec import Raw

from ludoteca.core.engine import NOWHERE
from ludoteca.core.facts import Fact
from ludoteca.core.play import Play, Position
from ludoteca.core.record import EVERYONE, SPECTATOR, Record
from ludoteca.core.view_parts import Memory, Writer

from .asking import asks
from .clocks import read_terms
from .guests import Guest
from .marks import Together
from .origin import origin_of
from .queries import TableRow
from .screens import Screens
from .seats import names_on, seat_of
from .wire import FEW, Avatar, ChairInfo, Fair, Outcome, Result, TableInfo, encode, packed

SEATS_IN = [[seat for seat in range(8) if bits >> seat & 1] for bits in range(256)]
WAITING_FOR = [encode(seats) for seats in SEATS_IN]  # as JSON
IN_JSON = {False: b"false", True: b"true"}


# ── The table ────────────────────────────────────────────────


def may_see(row: TableRow, guest: Guest | None, invite: str | None) -> bool:
    """Public tables are for everybody; private ones for those who sit there or have the invitation."""
    if row.public or seat_of(row.chairs, guest.id if guest else None) is not None:
        return True
    return invite is not None and hmac.compare_digest(invite.encode(), row.invite.encode())


def viewer_of(row: TableRow, guest: Guest | None) -> int:
    """Whose eyes this guest has: a seat's, or a spectator's."""
    seat = seat_of(row.chairs, guest.id if guest else None)
    return SPECTATOR if seat is None else seat


def promise_of(row: TableRow) -> Fair:
    """What is shown of the shuffle before the end."""
    return Fair(row.commitment, [chair.entropy for chair in row.chairs])


def table_info(row: TableRow, viewer: int, online: set[str], spectators: int, due: float | None = None) -> TableInfo:
    """A table as this viewer may see it, the same for all spectators; who is online: guests' ids; `due` in seconds."""
    you, origin = None if viewer == SPECTATOR else viewer, origin_of(row.branch)
    chairs = [
        ChairInfo(
            seat, "empty" if chair.empty else "bot" if chair.guest is None and chair.bot_plays else "person", name,
            chair.level, chair.guest in online if chair.guest else chair.bot_plays or row.hot, chair.standin,
            chair.former, chair.ready, None if chair.former else chair.guest,
            chair.guest is not None and chair.guest == row.host,
            None if chair.sign is None else Avatar(chair.sign.symbol, chair.sign.colour),
        )
        for seat, (chair, name) in enumerate(zip(row.chairs, names_on(row.chairs), strict=True))
    ]  # fmt: skip
    return TableInfo(
        row.id, row.game, row.name, row.options, row.public, row.phase, chairs, you,  # type: ignore[arg-type]
        you is not None and row.chairs[you].guest == row.host, row.invite if you is not None else None, spectators,
        SEATS_IN[row.waiting], row.seq, row.created, row.moved, promise_of(row), row.rematch,
        row.ended, _outcome(row.result), read_terms(row.clock), due, row.take_back, asks(row),  # type: ignore[arg-type]
        row.quiet, row.rated, row.imported, row.tournament, row.hot, row.hints and not row.rated,
        None if origin is None else origin.told(),
    )  # fmt: skip


def _outcome(written: str | None) -> Outcome | None:
    """As it was stored; a damaged one is left out, and the game itself says how it ended."""
    try:
        return msgspec.json.decode(written, type=Outcome) if written else None
    except msgspec.MsgspecError:
        return None


# ── The game ─────────────────────────────────────────────────


def result_of(play: Play) -> Result:
    """How the game ended."""
    found = play.result()
    return Result(found.ranks, found.scores, play.game.reasons(Record(play.states)))


def outcome_of(play: Play) -> str:
    """The same in short, as it is stored with the table."""
    found = play.result()
    against_the_game = play.seats == 1 and play.game.rival_alone
    return encode(Outcome(found.ranks, found.scores, play.outlook()[0] > 0.5 if against_the_game else None)).decode()


class Sights:
    """One position for all who look at it: what several of them see alike is made, and written as JSON, once.

    A view is made of a redacted record and nothing else, so whoever has the same record sees the same but for `you`.
    """

    def __init__(
        self, row: TableRow, play: Play, screens: Screens, result: Result | None,
        happened: list[Fact] | None = None, missed: list[Raw] | None = None, together: Together | None = None,
        memory: Memory | None = None,
    ) -> None:  # fmt: skip
        """After something happened (if nothing is said of it, the position is for somebody who comes), or was missed."""
        self._row, self._play, self._screens, self._result = row, play, screens, result
        self._happened, self._missed, self._together = happened, missed or [], together
        self._writer = Writer(play.game.parts, memory or Memory()) if play.game.parts is not None else None
        self._raw = play.raw()
        self._truth = int.from_bytes(self._raw, "little")
        self._hidden = bool(screens.steps)
        self._machine = play.game.write is not None  # writes
        self._pieces: dict[int, tuple[bytes, bytes]] = {}  # by viewer: what machine code has written, view and choices
        self._views: dict[int, bytes] = {}  # by record: what is in common
        self._events: list[tuple[list[Fact], bytes]] = []  # what was heard, and its JSON
        self._open = all(fact.audience == EVERYONE for fact in happened or ())  # everybody hears the same
        self._begins = b'{"type":"update","seq":%d,"view":' % row.seq
        self._ends = b""  # of a message that offers no choices: for all who hear the same and have not sealed

    def written(self, viewer: int) -> bytes:
        """What this viewer may see: the JSON of an `Update`, the end of which is written once for all who have it alike."""
        if self._machine:
            begins, choices = self._by_machine(viewer)
        else:
            position = self._position(viewer)
            begins, choices = (
                self._begins + self._view(position),
                self._choices(position) if self._asks(viewer) else b"",
            )
        if choices:
            return begins + self._end(viewer, choices)
        if self._hidden or not self._open:
            return begins + self._end(viewer, b"[]")
        if not self._ends:
            self._ends = self._end(viewer, b"[]")
        return begins + self._ends

    def _asks(self, viewer: int) -> bool:
        """Whether this viewer is asked what to do."""
        row = self._row
        return viewer != SPECTATOR and row.waiting >> viewer & 1 != 0 and not row.chairs[viewer].bot_plays

    def prepare(self, viewers: Sequence[int]) -> None:
        """Where machine code writes, it writes for all of these in one call: they will be asked for next."""
        if not self._machine:
            return
        seen, looks = list[int](), list[int]()
        for viewer in viewers:
            bits = self._bits(viewer)
            if bits not in seen:
                seen.append(bits)
            looks += NOWHERE if viewer == SPECTATOR else viewer, seen.index(bits), self._asks(viewer)
        size = len(self._raw)
        views, sent = self._play.engine.written_for_all([bits.to_bytes(size, "little") for bits in seen], looks)
        common = [b'%b%b,"you":' % (self._begins, view[:-1]) for view in views]  # still open
        for viewer, of, (own, count, choices) in zip(viewers, looks[1::3], sent):
            if count >= FEW:
                choices = encode(packed(msgspec.json.decode(choices)))
            self._pieces[viewer] = b"%b%b}" % (common[of], own), choices

    def _bits(self, viewer: int) -> int:
        """The record as this viewer may see it, as one whole number."""
        if self._hidden:
            return self._position(viewer).bits
        return self._truth | self._play.game.redact.mask(self._raw, viewer)

    def _by_machine(self, viewer: int) -> tuple[bytes, bytes]:
        """The message up to the end of the view, and the choices of whoever is asked."""
        if viewer not in self._pieces:
            self.prepare([viewer])
        return self._pieces[viewer]

    def _end(self, viewer: int, choices: bytes) -> bytes:
        fresh, sealed = self._happened is None, self._hidden and self._screens.sealed(viewer)
        return b',"choices":%b,"waiting":%b,"events":%b,"fresh":%b,"result":%b,"sealed":%b}' % (
            choices, WAITING_FOR[self._row.waiting], self._facts(viewer), IN_JSON[fresh], encode(self._result),
            IN_JSON[sealed],
        )  # fmt: skip

    def _position(self, viewer: int) -> Position:
        """The game as it stands for this viewer: with what is behind their own screen."""
        if self._hidden:
            return self._screens.play_of(self._play, viewer).position(viewer)
        return Position(self._play.engine, self._raw, viewer, self._truth)

    def _view(self, position: Position) -> bytes:
        if self._writer is not None:
            return self._writer.view(position.bits, position.viewer)
        if self._play.game.own is None:
            return encode(position.view())
        common = self._views.get(position.bits)
        if common is None:
            common = self._views[position.bits] = encode(position.in_common())[:-1]  # still open
        return b'%b,"you":%b}' % (common, encode(position.own()))

    def _choices(self, position: Position) -> bytes:
        """What may be done; the description of an action, which never changes, is written once."""
        offers, in_json = position.offers(), self._play.engine.in_json
        if len(offers) >= FEW:
            described = self._play.game.actions.described
            return encode(packed([described(action) | more for action, more in offers]))
        written = [
            b"%b,%b" % (in_json[action][:-1], encode(more)[1:]) if more else in_json[action] for action, more in offers
        ]
        return b"[%b]" % b",".join(written)

    def _facts(self, viewer: int) -> bytes:
        if not self._happened:
            return encode(self._missed)
        if self._open and self._events:
            return self._events[0][1]
        heard = [fact.seen_by(viewer) for fact in self._happened]
        for others, written in self._events:
            if others == heard:
                return written
        public = Position(
            self._play.engine, self._raw, SPECTATOR, self._truth
        )  # whoever hears the same is told the same
        facts = public.named(heard, self._play.told)
        self._events.append((heard, encode(self._together.marked(facts) if self._together else facts)))
        return self._events[-1][1]
