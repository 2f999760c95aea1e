"""What all tables of a server share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .bots import Bots
from .engines import Engines
from .missed import Missed
from .settings import Settings
from .store import Store


@dataclass
class House:
    """Settings, store, engines, bots, what people have missed, and two clocks."""

    settings: Settings
    store: Store
    engines: Engines
    bots: Bots
    clock: Callable[[], float] = time.time  # the time of day: for what is written down
    ticks: Callable[[], float] = time.monotonic  # for how long something takes: nobody sets it forwards or back
    missed: Missed = field(default_factory=Missed)
