"""The clocks of one table: which change of it sets which clock going, and what everybody is told about it.

Every change goes through `Table._write`; `wrapped` looks at what is to be written and, where it concerns a clock, has a row
for the clocks written in the same commit. What the rows amount to is in `clocks.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ludoteca.core.play import taken_back_to

from . import clock_rows, queries
from .clocks import DAYS_OFF, Clocks, Row, Terms, gift, low, read_terms, turns_begun
from .projections import SEATS_IN
from .queries import ChairRow
from .wire import ClockEvent, ClockInfo, ClocksMessage

if TYPE_CHECKING:
    from .table import Table

MOST_TOLD = 40  # of them, the newest
TOLD = ("more", "off", "lost", "out", "back")  # what is told besides turns

Job = tuple[Callable[..., Any], tuple[Any, ...]]


class Timing:
    """The rows of one table's clocks, and what they amount to."""

    def __init__(self, table: Table, rows: Sequence[Row] = ()) -> None:
        self._table = table
        self._rows = list(rows)
        self._clocks: Clocks | None = None  # after all rows ...
        self._version = -1  # ... with this version of when the house was up
        self._written = ""
        self._terms: Terms | None = None

    # ── Reading ──────────────────────────────────────────────

    @property
    def terms(self) -> Terms | None:
        """What the table has agreed on; none without a clock."""
        if self._table.row.clock != self._written:
            self._written = self._table.row.clock
            self._terms, self._clocks = read_terms(self._written), None
        return self._terms

    @property
    def ticking(self) -> bool:
        """Whether there is a clock, and the game runs."""
        return self.terms is not None and self._table.row.phase == "playing" and bool(self._rows)

    @property
    def keeps_awake(self) -> bool:
        """Whether the table must stay in memory for its clocks: the next one may run out soon."""
        return self.ticking and self.terms is not None and self.terms.kind == "live" and self.now().running != 0

    def now(self) -> Clocks:
        """The clocks after the last row."""
        assert self.terms is not None
        uptime = self._table.house.uptime
        if self._clocks is None or self._version != uptime.version:
            self._version = uptime.version
            self._clocks = Clocks.of(self.terms, self._table.seats, self._rows, uptime.up)
        return self._clocks

    def due(self) -> float | None:
        """When the next clock runs out."""
        return self.now().due(self._table.house.clock(), self._table.house.uptime.up) if self.ticking else None

    def due_in(self) -> float | None:
        """In how many seconds that is."""
        due = self.due()
        return None if due is None else round(max(0.0, due - self._table.house.clock()), 1)

    def expired(self) -> list[int]:
        """The seats that are awaited and have no time left."""
        return self.now().expired(self._table.house.clock(), self._table.house.uptime.up) if self.ticking else []

    def low(self) -> list[int]:
        """The seats that are awaited and have little time left, but some."""
        if not self.ticking or self.terms is None:
            return []
        clocks, now, up, little = self.now(), self._table.house.clock(), self._table.house.uptime.up, low(self.terms)
        awake = [seat for seat in SEATS_IN[clocks.running] if not clocks.held(seat, now)]
        return [seat for seat in awake if 0 < clocks.left(seat, now, up) <= little]

    def is_out(self, seat: int) -> bool:
        """Whether this seat has run out of time at a table where that is the end of it."""
        return self.terms is not None and self.terms.when_out == "out" and self.now().seats[seat].outs > 0

    def is_decided_for(self, seat: int) -> bool:
        """Whether the stand-in still owes the decision that was due when it took over: nobody stops the clock by leaving."""
        if self.terms is None or seat not in self._table.waiting():
            return False
        for row in reversed(self._rows):
            if row.begun >> seat & 1:
                return False
            if row.what in ("out", "left") and row.seat == seat:
                return True
        return False

    # ── Writing ──────────────────────────────────────────────

    def load(self, rows: Sequence[Row]) -> None:
        """As they are stored; another server may have added some."""
        if list(rows) != self._rows:
            self._rows, self._clocks = list(rows), None

    def add(self, row: Row) -> None:
        """A row is stored."""
        if row.what == "deal":
            self._rows, self._clocks = [], None
        if self.terms is not None:
            after = self.now().after(row, self._table.house.uptime.up)
            self._rows.append(row)
            self._clocks = after

    def wrapped(self, job: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Job, Row | None]:
        """What is to be written, with the row that it means for the clocks."""
        terms = read_terms(arguments[0].clock) if job is queries.start_table else self.terms
        row = self._row(terms, job, arguments) if terms is not None else None
        if terms is None or row is None:
            return (job, arguments), None
        return (clock_rows.timed, (self._table.row.id, row, self._due_after(terms, row), job, *arguments)), row

    def noted(self, row: Row) -> Job:
        """What is to be written for a row that changes nothing but clocks."""
        table, terms = self._table.row, self.terms
        assert terms is not None
        due = self._due_after(terms, row)
        return clock_rows.note, (table.id, table.revision, row, due, queries.Overtaken)

    def _due_after(self, terms: Terms, row: Row) -> float | None:
        up = self._table.house.uptime.up
        before = Clocks.begin(terms, self._table.seats) if row.what == "deal" else self.now()
        return before.after(row, up).due(row.at, up)

    def _row(self, terms: Terms, job: Callable[..., Any], arguments: tuple[Any, ...]) -> Row | None:
        """What a change of the table means for its clocks, if anything."""
        table, people = self._table.row, self._clocked(self._table.row.chairs)
        if job is queries.start_table:
            row, _, waiting, at, *_ = arguments
            return Row(at, "deal", waiting & self._clocked(row.chairs))
        if table.phase != "playing":
            return None
        if job is queries.append:
            _, _, seat, _, _, at, waiting, *_ = arguments
            return Row(at, "turn", waiting & people, turns_begun(terms, table.waiting, waiting, 1 << seat, False))
        if job is queries.append_screens:
            _, _, decided, _, at, waiting, *_ = arguments
            if taken_back_to(decided[0][1]) is not None:
                return Row(at, "undo", waiting & people)
            seats = bits(seat for seat, _, _ in decided)
            return Row(at, "turn", waiting & people, turns_begun(terms, seats, waiting, seats, True))
        now = self._table.house.clock()
        if job is queries.set_drafts and arguments[4] != table.waiting:
            return Row(now, "seal", arguments[4] & people)
        if job is queries.save_table:
            return self._reseated(now, arguments[0].chairs)
        return None

    def _clocked(self, chairs: Sequence[ChairRow]) -> int:
        """The seats whose clocks run when they are awaited (bits): people's, where one screen is passed around the one
        that it is uncovered for."""
        return people_on(chairs) & self._table.screen.open_seats

    def screen_row(self) -> Row | None:
        """Where one screen is passed around: what is to be written down when it was covered or uncovered."""
        table = self._table
        wanted = table.row.waiting & self._clocked(table.row.chairs)
        if not table.row.hot or not self.ticking or self.now().running == wanted:
            return None
        if not wanted and table.screen.is_elsewhere() and not table.screen.was_open_here:
            return None
        return Row(table.house.clock(), "uncover" if wanted else "cover", wanted)

    def _reseated(self, now: float, chairs: Sequence[ChairRow]) -> Row | None:
        """Somebody has left, or their time has run out, or they are back."""
        before, after = people_on(self._table.row.chairs), people_on(chairs)
        running = self._table.row.waiting & self._clocked(chairs)
        for seat in SEATS_IN[before & ~after]:
            return Row(now, "out" if seat in self.expired() else "left", running, seat=seat)
        for seat in SEATS_IN[after & ~before]:
            return Row(now, "back", running, seat=seat)
        return None

    # ── Telling ──────────────────────────────────────────────

    def told(self) -> ClocksMessage | None:
        """Everybody's clocks, the same for all: who has sealed is known, and nothing else is told of them."""
        if not self.ticking or self.terms is None:
            return None
        clocks = [self._told_of(seat) for seat in range(self._table.seats)]
        story = [
            ClockEvent(row.at, row.what, row.seat, row.by, row.amount)  # type: ignore[arg-type]  # one of TOLD
            for row in self._rows
            if row.what in TOLD and row.seat is not None
        ]
        return ClocksMessage(low(self.terms), gift(self.terms), clocks, story[-MOST_TOLD:])

    def _told_of(self, seat: int) -> ClockInfo:
        table, clocks, now = self._table, self.now(), self._table.house.clock()
        chair, clock, held = table.row.chairs[seat], self.now().seats[seat], self.now().held(seat, now)
        left: float | None = round(clocks.left(seat, now, table.house.uptime.up), 1)
        off = max(0, DAYS_OFF - clock.days_off) if clocks.terms.kind == "days" else 0
        if chair.guest is None and chair.bot_plays:
            return ClockInfo(None, "bot", 0.0, 0)
        if chair.standin:
            return ClockInfo(left, "out", 0.0, off)
        if table.sealed(seat):
            return ClockInfo(None, "sealed", 0.0, off)
        if not clocks.runs(seat):
            return ClockInfo(left, "waiting", max(0.0, round(clock.held - now, 1)), off)
        return ClockInfo(left, "held" if held else "running", round(held, 1), off)


def people_on(chairs: Sequence[ChairRow]) -> int:
    """The seats where a person decides (bits)."""
    return bits(seat for seat, chair in enumerate(chairs) if chair.person)


def bits(seats: Iterable[int]) -> int:
    """Seats as rows have them."""
    found = 0
    for seat in seats:
        found |= 1 << seat
    return found
