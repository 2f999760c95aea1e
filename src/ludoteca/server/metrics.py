"""What a house counts about itself: plain numbers, which `scrape.py` shows to Prometheus.

They are added up where things happen, on the way of every decision, so they are our own integers and lists of buckets, and
the library makes its objects of them only when somebody asks. Measured side by side on one core of a busy machine: a counter
of ours takes 0.3 µs and a histogram 0.3 µs, the library's own (with labels and locks) 2.9 µs and 1.7 µs. A decision needs a
counter, two looks at the clock and a histogram: 0.8 µs; a commit, which several share, two histograms: 0.6 µs.

There are no locks: each number is added to by one thread only (the event loop, or the one that writes to the store), and who
reads it sees it as it was a moment ago. No label is anything that a client can make up, or that tells one from another: no
guest, no table, no address.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter

SECONDS = (
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
WRITES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)  # in one commit
OTHER = "other"


class Histogram:
    """How often something was how much."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)  # one for each bound, and one for what is beyond the last
        self.total = 0.0

    def add(self, value: float) -> None:
        """Counts one more, of that size."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def up_to(self) -> list[tuple[str, float]]:
        """For each bound, how many were not above it; the last is «+Inf», and counts all."""
        found, count = [], 0
        for bound, here in zip((*map(repr, self.bounds), "+Inf"), self.counts, strict=True):
            count += here
            found.append((bound, float(count)))
        return found


class Metrics:
    """The numbers of one house."""

    def __init__(self) -> None:
        self.moves: Counter[tuple[str, str]] = Counter()  # by game and kind
        self.commits = Histogram(SECONDS)  # from the beginning of a transaction until it is on the disk
        self.writes = Histogram(WRITES)  # in one commit
        self.publications = Histogram(SECONDS)  # from «it is stored» until it is in everybody's outbox
        self.bot_waits = Histogram(SECONDS)  # until a worker was free
        self.bot_thoughts = Histogram(SECONDS)  # in the worker
        self.refusals: Counter[str] = Counter()  # by the key of their sentence
        self.requests: Counter[tuple[str, int]] = Counter()  # by the pattern of their address, and status

    def moved(self, game: str, behind_screen: bool) -> float:
        """A decision is stored; when that was."""
        self.moves[game, "screen" if behind_screen else "open"] += 1
        return time.perf_counter()

    def published(self, stored: float) -> float:
        """What was stored at that time is in all outboxes; 0, the time of nothing. (So was nothing: it is not counted.)"""
        if stored:
            self.publications.add(time.perf_counter() - stored)
        return 0.0

    def committed(self, writes: int, seconds: float) -> None:
        """So many writes have reached the disk together."""
        self.writes.add(writes)
        self.commits.add(seconds)

    def thought(self, waited: float, seconds: float) -> None:
        """A bot's turn has waited for a worker, and then been thought about."""
        self.bot_waits.add(waited)
        self.bot_thoughts.add(seconds)

    def refused(self, key: str) -> None:
        """Something was not done."""
        self.refusals[key] += 1

    def answered(self, route: str | None, status: int) -> None:
        """A request has its answer; `route` is the pattern of its address, never the address."""
        self.requests[route or OTHER, status] += 1
