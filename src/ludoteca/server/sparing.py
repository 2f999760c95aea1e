"""A small share of the server's time for what can wait, whoever asks for it, and however many do."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

log = logging.getLogger("ludoteca.sparing")

SHARE = 0.02  # of the time of the event loop
AT_A_STRETCH = 0.001  # seconds before others get a turn
BUSY = 0.6  # of a core: then ...
BUSY_PAUSE = 4  # ... the pauses are so many times as long
SOON = 0.05  # seconds


class Sparing:
    """Works on one task after the other for a moment, then pauses so many times as long. Tasks give way by yielding."""

    def __init__(self, share: float = SHARE) -> None:
        self._pause = 1 / share - 1
        self._tasks: deque[Iterator[None]] = deque()  # whoever has waited longest is next
        self._at_work = False
        self._last = 0.0, 0.0  # when we last worked, and the processor time until then
        self._soon: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def add(self, task: Iterator[None]) -> None:
        """It is worked on when it is its turn."""
        self._tasks.append(task)
        if not self._at_work:
            self._at_work = True
            loop = asyncio.get_running_loop()
            loop.call_soon(self._work, loop)

    def soon(self, call: Callable[..., None], *arguments: Any) -> None:
        """Calls it in a moment, with all others that are to be called then: a timer for each of them costs more."""
        if not self._soon:
            asyncio.get_running_loop().call_later(SOON, self._call_all)
        self._soon.append((call, arguments))

    def _call_all(self) -> None:
        calls, self._soon = self._soon, []
        for call, arguments in calls:
            try:
                call(*arguments)
            except Exception:
                log.exception("Something that was to be done soon could not be done.")  # the others' is

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        began, used = time.perf_counter(), 0.0
        self._at_work = bool(self._tasks)
        while self._tasks and used < AT_A_STRETCH:
            task = self._tasks.popleft()
            for _ in task:
                used = time.perf_counter() - began
                if used >= AT_A_STRETCH:
                    self._tasks.append(task)
                    break
            else:
                used = time.perf_counter() - began
        if self._at_work:
            loop.call_later(used * self._pause * (BUSY_PAUSE if self._is_busy(began) else 1), self._work, loop)

    def _is_busy(self, now: float) -> bool:
        """Whether the server has had much to do since we last worked."""
        (since, worked), self._last = self._last, (now, time.process_time())
        return self._last[1] - worked > BUSY * (now - since)
