"""A progress bar with rate and time left; plain lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 30
SECONDS_BETWEEN_LINES = 10.0


class Bar:
    """Shows how far something long has come: `bar.show(done)`, then `bar.close()`."""

    def __init__(
        self, total: int, unit: str, asked: bool = False, stream: TextIO | None = None, after: float = 0.0
    ) -> None:
        """`asked`: also where there is no terminal; `after` so many seconds: what is quicker than that is not shown."""
        self.total, self.unit = total, unit
        self.start: int | None = None  # how much was done before, where that is not nothing
        self.stream = stream or sys.stderr
        self.lively = self.stream.isatty()
        self.wanted = asked or self.lively
        self.after = after
        self._started = self._shown = time.monotonic()

    def show(self, done: int) -> None:
        """Draws the bar, or now and then a line."""
        if not self.wanted:
            return
        now = time.monotonic()
        if now - self._started < self.after:
            return
        if not self.lively and done < self.total and now - self._shown < SECONDS_BETWEEN_LINES:
            return
        self._shown = now
        line = self.line(done, now - self._started)
        self.stream.write(f"\r{line}\x1b[K" if self.lively else line + "\n")
        self.stream.flush()

    def line(self, done: int, seconds: float) -> str:
        """`████████░░░░ 120/400 games · 3.1/s · 1:30 left`"""
        full = WIDTH * done // max(1, self.total)
        rate = (done - (self.start or 0)) / seconds if seconds > 0 else 0.0
        left = f"{clock((self.total - done) / rate)} left" if rate > 0 else "…"
        return f"{'█' * full}{'░' * (WIDTH - full)} {done}/{self.total} {self.unit} · {rate:.3g}/s · {left}"

    def close(self) -> None:
        """Leaves the bar behind."""
        if self.wanted and self.lively and self._shown > self._started:
            self.stream.write("\n")


def clock(seconds: float) -> str:
    """Seconds as minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
