"""A small share of the server's time for what can wait, whoever asks for it, and however many do."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator

SHARE = 0.02  # of the time of the event loop
AT_A_STRETCH = 0.001  # seconds before others get a turn


class Sparing:
    """Works on one task after the other for a moment, then pauses so many times as long. Tasks give way by yielding."""

    def __init__(self, share: float = SHARE) -> None:
        self._pause = 1 / share - 1
        self._tasks: deque[Iterator[None]] = deque()  # whoever has waited longest is next
        self._at_work = False

    def add(self, task: Iterator[None]) -> None:
        """It is worked on when it is its turn."""
        self._tasks.append(task)
        if not self._at_work:
            self._at_work = True
            loop = asyncio.get_running_loop()
            loop.call_soon(self._work, loop)

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
            loop.call_later(used * self._pause, self._work, loop)
