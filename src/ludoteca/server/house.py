"""What all tables of a server share."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .bots import Bots
from .drain import Drain
from .engines import Engines
from .ledger import Ledger
from .metrics import Metrics
from .missed import Missed
from .moments import Past
from .neighbours import Neighbours
from .notices import Notices
from .settings import Settings
from .sparing import Sparing
from .store import Store
from .uptime import Uptime


@dataclass
class House:
    """What every table of a server may use: settings, store, bots, other servers, what was missed, counts, clocks."""

    settings: Settings
    store: Store
    engines: Engines
    bots: Bots
    neighbours: Neighbours
    uptime: Uptime
    clock: Callable[[], float] = time.time  # the time of day: for what is written down
    ticks: Callable[[], float] = time.monotonic  # for how long something takes: nobody sets it forwards or back
    missed: Missed = field(default_factory=Missed)
    metrics: Metrics = field(default_factory=Metrics)
    drain: Drain = field(default_factory=Drain)
    past: Past = field(default_factory=Past)
    sparing: Sparing = field(default_factory=Sparing)
    notices: Notices | None = None  # where nobody can be told, nobody is

    @functools.cached_property
    def ledger(self) -> Ledger:
        """Everybody's ratings."""
        return Ledger(self.store, self.engines)
