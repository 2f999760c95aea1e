"""What somebody has missed: the facts since they were last here.

Facts are made by playing the game again from there, so that each is told as it was told then. What was made for one pair of
eyes is kept: a step is played again once for all who look through them, and not for everybody who comes back or asks; only
whoever has missed more has it played again from further back. When it is too much, what nobody asked for longest goes.
"""

from __future__ import annotations

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Raw

from ludoteca.core.play import Play

from .marks import Together
from .wire import encode

if TYPE_CHECKING:
    from .table import Table

AT_ONCE = 50  # steps played again before others get a turn of the event loop
MOST_BYTES = 32 << 20  # of facts that are kept, over all tables
OF_A_FACT = 64  # bytes that a fact takes beside its text


class Told:
    """The facts of one game as one viewer was told them, after the step `again` stands at, as far as somebody asked."""

    def __init__(self, again: Play, viewer: int) -> None:
        self._again = again
        self._viewer = viewer
        self.first = again.seq
        self._facts: list[Raw] = []
        self._ends = array("l", [0])  # how many facts there were after each step from there on
        self.bytes = 0

    @property
    def seq(self) -> int:
        """The last step that was played again."""
        return self._again.seq

    def follow(self, seat: int, action: int, step: int, together: Callable[[int], Together]) -> None:
        """Plays the next step again; `together` says when it was stored, and with which others."""
        happened = self._again.follow(seat, [action], step)
        if happened:
            told = self._again.position(self._viewer).facts(happened, self._again.told)
            self._facts += [Raw(encode(fact)) for fact in together(self.seq).marked(told)]
            self.bytes += sum(len(bytes(fact)) + OF_A_FACT for fact in self._facts[self._ends[-1] :])
        self._ends.append(len(self._facts))

    def since(self, seq: int) -> list[Raw]:
        """The facts after that step."""
        return self._facts[self._ends[min(seq, self.seq) - self.first] :]


class Missed:
    """What is kept of all tables."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[str, dict[int, Told]] = OrderedDict()  # by table and viewer; the last asked for is last
        self._bytes = 0

    async def facts(self, table: Table, viewer: int, since: int) -> list[Raw]:
        """The facts after step `since`; also those that come up while one looks for them."""
        if table.play is None or since >= table.seq:
            return []
        told = self._of(table, viewer, since)
        while told.seq < table.seq:
            before = told.bytes
            told.follow(*next(table.play.decided(told.seq)), table.together)
            if self._kept.get(table.row.id, {}).get(viewer) is told:
                self._bytes += told.bytes - before
            if told.seq % AT_ONCE == 0:
                await asyncio.sleep(0)
        while self._bytes > self._most and len(self._kept) > 1:
            self.forget(next(iter(self._kept)))
        return told.since(since)

    def _of(self, table: Table, viewer: int, since: int) -> Told:
        assert table.play is not None
        kept = self._kept.setdefault(table.row.id, {})
        self._kept.move_to_end(table.row.id)
        if viewer not in kept or since < kept[viewer].first:
            if viewer in kept:
                self._bytes -= kept[viewer].bytes
            kept[viewer] = Told(table.play.as_after(since, table.engine), viewer)
        return kept[viewer]

    def forget(self, table: str) -> None:
        """A table leaves the memory, or has not been asked for longest."""
        for told in self._kept.pop(table, {}).values():
            self._bytes -= told.bytes
