"""What all tables of a server share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .bots import Bots
from .drain import Drain
from .engines import Engines
from .metrics import Metrics
from .missed import Missed
from .moments import Past
from .neighbours import Neighbours
from .settings import Settings
from .store import Store


@dataclass
class House:
    """What every table of a server may use: settings, store, bots, other servers, what was missed, counts, clocks."""

    settings: Settings
    store: Store
    engines: Engines
    bots: Bots
    neighbours: Neighbours
    clock: Callable[[], float] = time.time  # the time of day: for what is written down
    ticks: Callable[[], float] = time.monotonic  # for how long something takes: nobody sets it forwards or back
    missed: Missed = field(default_factory=Missed)
    metrics: Metrics = field(default_factory=Metrics)
    drain: Drain = field(default_factory=Drain)
    past: Past = field(default_factory=Past)
