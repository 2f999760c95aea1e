"""Taking back, at a table: who may take back what now, and who is told so.

By information, as `core/undo.py` finds it: nobody has learnt anything by a decision, and nobody else has decided since.
Whoever plays with bots alone may go back to before any of their own decisions; the bots' answers go with it. Otherwise,
if the table allows it, by consent of all other people who play (`asking.py`).

To find out takes longer than a decision, so it is not done before a decision is told: a moment later, and only if nothing
else has happened by then, whoever has decided hears whether that can be taken back, and otherwise why not. Nobody else
hears anything of it. All tables together find out in a small share of the server's time (`sparing.py`): where hundreds
decide every second, whoever goes on at once is not told what nobody had time to find out.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ludoteca.core import undo
from ludoteca.core.play import Play, taken_back_to
from ludoteca.core.record import SPECTATOR
from ludoteca.core.undo import OTHERS_MOVED, Verdict

from .asking import Asking, asked_of, asking_at, by_consent
from .queries import TableRow
from .refusals import NotNow, TooMuch
from .wire import MayTakeBack, Refused

if TYPE_CHECKING:
    from .table import Table

log = logging.getLogger("ludoteca.table")

SOON = 0.05  # seconds
AT_A_STRETCH = 0.001  # seconds of finding out before others get a turn
MOST_TIMES = 200  # that one seat takes back in one game: each time is a row that is kept

NOTHING = MayTakeBack(None, None)


class TakingBack:
    """What every seat may take back, and what those who are here were told of it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._told: dict[int, MayTakeBack] = {}
        self._known: dict[tuple[int, tuple[int, str]], Verdict] = {}  # by seat and place
        self._moved: dict[
            int, tuple[int, Verdict]
        ] = {}  # by seat: that others have moved, and after which step that was found
        self._task: asyncio.Task[None] | None = None
        self._again = False  # something has happened since

    def check(self, seat: int, to: int) -> None:
        """Refuses to go back to that step if this seat may not."""
        table = self._table
        if table.play is None:
            raise NotNow("not_started")
        if table.result is not None:
            raise NotNow("game_over")
        rows = table.play.decisions()
        if sum(decider == seat and taken_back_to(action) is not None for decider, action in rows) >= MOST_TIMES:
            raise TooMuch("back_too_often", most=MOST_TIMES)
        if alone(table.row, seat) and to in undo.before_decisions(table.play, seat):
            return
        verdict = self._verdict(seat)
        if verdict.why:
            raise self._refusal(verdict)
        if verdict.to != to:
            raise NotNow("stale")

    def question(self, seat: int) -> Asking:
        """What this seat asks the others, if it may ask and needs to."""
        table = self._table
        if table.play is None or table.result is not None:
            raise NotNow("not_started" if table.play is None else "game_over")
        verdict = self._verdict(seat)
        if verdict.to is None:
            raise self._refusal(verdict)
        if not verdict.why:
            raise NotNow("back_free")
        if not by_consent(table.row) or not asked_of(table.row, seat):
            raise self._refusal(verdict)
        known = asking_at(table.row)
        if known is not None and known.seat == seat and known.refused:
            raise NotNow("back_refused")
        if known is not None and known.seat != seat and not known.refused:
            raise NotNow("back_asked", name=table.name_of(known.seat))
        return known if known is not None and known.seat == seat else Asking(seat, verdict.to, table.seq)

    def answered(self, seat: int, yes: bool, at: int) -> Asking:
        """The question with this seat's answer."""
        asking = asking_at(self._table.row)
        if asking is None or asking.refused or asking.seq != at:
            raise NotNow("back_not_asked")
        if seat not in asked_of(self._table.row, asking.seat):
            raise NotNow("back_not_asked")
        return asking.with_yes(seat) if yes else asking.with_no()

    def _verdict(self, seat: int) -> Verdict:
        """Whether this seat may take back now; mostly found already when it was told."""
        if (seat, self._place) not in self._known:
            self._known[seat, self._place] = self._at_a_glance(seat) or undo.judged(self._play, seat)
        return self._known[seat, self._place]

    async def _find(self, seat: int) -> None:
        """As `_verdict`, without keeping anybody waiting; leaves off when something has happened."""
        place = self._place
        found = self._known.get((seat, place)) or self._at_a_glance(seat) or self._still(seat)
        judging = undo.judge(self._play, seat)
        while found is None:
            async with self._table.house.sparing.turn():
                if place != self._place or self._table.play is None:
                    return
                found = _for_a_while(judging)
                if found is not None and found.why == OTHERS_MOVED:
                    self._moved[seat] = self._table.seq, found
        self._known = {key: verdict for key, verdict in self._known.items() if key[1] == place}
        self._known[seat, place] = found

    @property
    def _play(self) -> Play:
        assert self._table.play is not None
        return self._table.play

    @property
    def _place(self) -> tuple[int, str]:
        """What a verdict depends on, beside who sits there."""
        return self._table.seq, self._table.row.drafts

    def _at_a_glance(self, seat: int) -> Verdict | None:
        """Alone, or after somebody has sealed, there is nothing to be found out."""
        table = self._table
        is_alone = alone(table.row, seat)
        sealed = [other for other in range(table.seats) if other != seat and table.has_sealed(other)]
        if not is_alone and not sealed:
            return None
        to = next(undo.before_decisions(self._play, seat), None)
        if to is None:
            return Verdict(None, undo.NOTHING_TO_TAKE_BACK)
        return Verdict(to) if is_alone else Verdict(to, OTHERS_MOVED, {"seat": sealed[0]})

    def _still(self, seat: int) -> Verdict | None:
        """Others have moved, and that remains so as long as only others decide, and nobody takes anything back."""
        after, verdict = self._moved.get(seat, (self._table.seq + 1, None))
        steps = self._play.decided(after)
        goes_on = after <= self._table.seq and all(
            other != seat and taken_back_to(action) is None for other, action, _ in steps
        )
        return verdict if goes_on else None

    def _refusal(self, verdict: Verdict) -> NotNow:
        return NotNow(verdict.why, **self._named(verdict))

    def _named(self, verdict: Verdict) -> dict[str, Any]:
        """What is to be said of why not, with everybody's name."""
        facts = dict(verdict.facts)
        if "seat" in facts:
            facts["name"] = self._table.name_of(facts["seat"])
        return facts

    # ── Telling ──────────────────────────────────────────────

    def tell_soon(self) -> None:
        """Something has happened: whoever is here hears what it means for them, unless more happens at once."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._tell())
        self._again = True

    def greet(self, viewer: int) -> None:
        """Somebody has come, and has heard nothing yet."""
        if viewer != SPECTATOR:
            self._told.pop(viewer, None)
            self.tell_soon()

    def close(self) -> None:
        """The table is forgotten."""
        if self._task is not None:
            self._task.cancel()

    async def _tell(self) -> None:
        while self._again:
            self._again = False
            await asyncio.sleep(SOON)
            try:
                for seat, watchers in self._table.by_eyes().items():
                    if seat != SPECTATOR and watchers and not self._again:
                        await self._tell_seat(seat)
            except Exception:
                log.exception("What can be taken back could not be found.")  # then nothing is offered

    async def _tell_seat(self, seat: int) -> None:
        """Whoever was told the same before hears nothing."""
        if self._can_offer(seat):
            await self._find(seat)
        if self._again:
            return  # something has happened meanwhile
        offer = self.offer(seat)
        if offer != self._told.get(seat, NOTHING):
            self._told[seat] = offer
            self._table.tell_by_eyes(lambda _: offer, seat)

    def offer(self, seat: int) -> MayTakeBack:
        """What this seat may take back now; nothing while it waits behind its screen, which it can open again."""
        table = self._table
        if not self._can_offer(seat):
            return NOTHING
        verdict = self._verdict(seat)
        if verdict.to is None or not verdict.why:
            return MayTakeBack(verdict.to, None)
        ask = by_consent(table.row) and bool(asked_of(table.row, seat))
        return MayTakeBack(verdict.to, refused(verdict.why, tuple(self._named(verdict).items())), ask)

    def _can_offer(self, seat: int) -> bool:
        table = self._table
        plays = table.play is not None and table.row.phase == "playing" and not table.row.chairs[seat].bot_plays
        return plays and not table.has_sealed(seat)


@functools.lru_cache(maxsize=1024)
def refused(why: str, facts: tuple[tuple[str, Any], ...]) -> Refused:
    """The same sentence is said after most moves."""
    refusal = NotNow(why, **dict(facts))
    return Refused(refusal.key, refusal.facts, refusal.sentence)


def _for_a_while(judging: Generator[None, None, Verdict]) -> Verdict | None:
    """What is found, if it is found soon."""
    end = time.perf_counter() + AT_A_STRETCH
    try:
        while time.perf_counter() < end:
            next(judging)
    except StopIteration as found:
        verdict: Verdict = found.value
        return verdict
    return None


def alone(row: TableRow, seat: int) -> bool:
    """Whether only bots play with this seat, and for nothing: nobody else has a chair here."""
    return (
        not row.rated
        and not row.hot
        and all((chair.guest is not None) == (other == seat) for other, chair in enumerate(row.chairs))
    )
