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

import functools
import logging
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ludoteca.core import undo
from ludoteca.core.play import Play, taken_back_to
from ludoteca.core.record import SPECTATOR
from ludoteca.core.undo import OTHERS_MOVED, Verdict

from .asking import Asking, asked_of, asking_at, by_consent
from .queries import TableRow
from .refusals import NotNow, TooMuch
from .wire import MayTakeBack, Refused, encode

if TYPE_CHECKING:
    from .table import Table

log = logging.getLogger("ludoteca.table")

MOST_TIMES = 200  # that one seat takes back in one game: each time is a row that is kept

NOTHING = MayTakeBack(None, None)


class TakingBack:
    """What every seat may take back, and what those who are here were told of it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._told: dict[int, MayTakeBack] = {}
        self._known: dict[int, Verdict] = {}  # by seat, and ...
        self._known_at = (-1, "")  # ... of which place
        self._looked: tuple[int, object] = (0, None)  # up to which step everybody was told, and on which chairs
        self._owed: set[int] = set()  # seats for which something has changed and who were not told anything since
        self._happened = 0  # how often something has
        self._waits = False  # until those who are here are told
        self._closed = False

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
        known = self._known_here()
        if seat not in known:
            known[seat] = self._at_a_glance(seat) or undo.judged(self._play, seat)
        return known[seat]

    def _at_once(self, seat: int) -> Verdict | None:
        """As `_verdict`, if it takes no time."""
        known = self._known_here()
        found = known.get(seat) or self._at_a_glance(seat) or undo.at_once(self._play, seat)
        if found is not None:
            known[seat] = found
        return found

    def _find(self, seat: int) -> Iterator[None]:
        """As `_verdict`, little by little; leaves off when something has happened."""
        place, judging = self._place, undo.judge(self._play, seat)
        while place == self._place:
            try:
                next(judging)
            except StopIteration as end:
                self._known_here()[seat] = end.value
                return
            yield

    def _known_here(self) -> dict[int, Verdict]:
        """What was found out about the position as it is now, by seat."""
        if self._known_at != self._place:
            self._known_at, self._known = self._place, {}
        return self._known

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
        screens = range(table.seats) if table.row.drafts else ()
        sealed = [other for other in screens if other != seat and table.has_sealed(other)]
        if not is_alone and not sealed:
            return None
        to = next(undo.before_decisions(self._play, seat), None)
        if to is None:
            return Verdict(None, undo.NOTHING_TO_TAKE_BACK)
        return Verdict(to) if is_alone else Verdict(to, OTHERS_MOVED, {"seat": sealed[0]})

    def _refusal(self, verdict: Verdict) -> NotNow:
        return NotNow(verdict.why, **self._named(verdict))

    def _named(self, verdict: Verdict) -> dict[str, Any]:
        """What is to be said of why not, with everybody's name."""
        facts = dict(verdict.facts)
        if "seat" in facts:
            facts["name"] = self._table.name_of(facts["seat"])
        return facts

    # ── Telling ──────────────────────────────────────────────

    def tell_soon(self, decided: bool = False) -> None:
        """Something has happened: whoever is here hears what it means for them, unless more happens at once.

        Somebody has `decided`: whoever could take back until then, or knew why not, hears with the new position that
        others have moved.
        """
        self._happened += 1
        if decided and not self._table.row.drafts:
            self._tell_others()
        if not self._waits:
            self._wait()

    def greet(self, viewer: int) -> None:
        """Somebody has come, and has heard nothing yet."""
        if viewer != SPECTATOR:
            self._told.pop(viewer, None)
            self.tell_soon()

    def close(self) -> None:
        """The table is forgotten."""
        self._happened += 1
        self._closed = True

    def _wait(self) -> None:
        self._waits = True
        self._table.house.sparing.soon(self._tell, self._happened)

    def _tell_others(self) -> None:
        """Those for whom it was the last decision until now."""
        for seat in [seat for seat, told in self._told.items() if told.to is not None and not _says_moved(told)]:
            verdict = self._at_once(seat)
            if verdict is not None and verdict.why == OTHERS_MOVED:
                self._tell_seat(seat)

    def _tell(self, happened: int) -> None:
        """Everybody is told when there is time for it, unless something has happened since."""
        self._waits = False
        if self._closed:
            return
        if happened != self._happened:
            self._wait()
        else:
            self._table.house.sparing.add(self._find_out(happened))

    def _concerned(self) -> Iterable[int]:
        """The seats for which something may have changed: nothing has for those who know that others have moved, as long
        as only others go on."""
        table = self._table
        (looked, chairs), self._looked = self._looked, (table.seq, table.row.chairs)
        goes_on = chairs is table.row.chairs and not table.row.drafts and table.row.phase == "playing"
        for seat, action, _ in self._play.decided(looked) if goes_on else ():
            self._owed.add(seat)
            goes_on = goes_on and action >= 0
        if not goes_on:
            self._owed.update(range(table.seats))
        owed, told = self._owed, self._told
        return self._here(
            [seat for seat in range(table.seats) if seat in owed or seat not in told or not _says_moved(told[seat])]
        )

    def look_at_all(self) -> None:
        """Somebody is called otherwise: next time everybody is told again."""
        self._looked = (0, None)

    def _here(self, seats: Iterable[int]) -> list[int]:
        """Those of these seats with whose eyes somebody looks."""
        eyes = self._table.by_eyes()
        return [seat for seat in seats if eyes.get(seat)]

    def _tell_at_once(self, seat: int) -> bool:
        """Tells a seat, unless that takes time to find out."""
        if self._can_offer(seat) and self._at_once(seat) is None:
            return False
        self._tell_seat(seat)
        return True

    def _find_out(self, happened: int) -> Iterator[None]:
        """Tells everybody what is known at once, then finds out the rest, little by little; unless something happens."""
        try:
            here = self._concerned() if happened == self._happened else ()
            for seat in [seat for seat in here if not self._tell_at_once(seat)]:
                yield from self._find(seat)
                if happened != self._happened:
                    return
                self._tell_seat(seat)
        except Exception:
            log.exception("What can be taken back could not be found.")  # then nothing is offered

    def _tell_seat(self, seat: int) -> None:
        """Whoever was told the same before hears nothing."""
        self._owed.discard(seat)
        offer = self.offer(seat)
        if offer != self._told.get(seat, NOTHING):
            self._told[seat] = offer
            written = encode(offer)
            self._table.tell_by_eyes(lambda _: written, seat)

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


def _says_moved(told: MayTakeBack) -> bool:
    """Whether somebody was told that others have moved."""
    return told.why is not None and told.why.key == OTHERS_MOVED


@functools.lru_cache(maxsize=1024)
def refused(why: str, facts: tuple[tuple[str, Any], ...]) -> Refused:
    """The same sentence is said after most moves."""
    refusal = NotNow(why, **dict(facts))
    return Refused(refusal.key, refusal.facts, refusal.sentence)


def alone(row: TableRow, seat: int) -> bool:
    """Whether only bots play with this seat, and for nothing: nobody else has a chair here."""
    return (
        not row.rated
        and not row.hot
        and all((chair.guest is not None) == (other == seat) for other, chair in enumerate(row.chairs))
    )
