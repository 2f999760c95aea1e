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
from .neighbours import Neighbours
from .settings import Settings
from .store import Store


@dataclass
class House:
    """Settings, store, engines, bots, other servers, what was missed, what is counted, whether it closes, two clocks."""

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
