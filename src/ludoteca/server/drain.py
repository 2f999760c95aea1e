"""Taking leave: what a server does between SIGTERM and its end.

At once it is not ready any more (`/readyz`), opens no tables and takes no sockets. A balancer, if there is one, gets a
moment to find that out, while everybody plays on. Then all who are connected are told to come again (a close with code 1012,
«service restart»), one after another, so that they do not arrive elsewhere all at once; what is under way is finished, and
the process ends with 0. Whoever was told comes back by itself, to another server or to the next one here, and finds every
decision that was acknowledged.

Ctrl-C is for whoever sits before the machine: it ends the server at once. So does a second SIGTERM.
"""

from __future__ import annotations

import asyncio
import logging
import math
import signal
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from ludoteca.core.errors import BadData

from .refusals import Trouble

if TYPE_CHECKING:
    from .settings import Settings
    from .sockets import Sockets

SERVICE_RESTART = 1012  # the close code for «come again» (IANA's registry for RFC 6455)
UNDER_WAY = 3  # seconds for requests that are being answered and for what waits to be written; uvicorn keeps to it
LONGEST_SPREAD = 2.0  # seconds in which everybody is told
SHORTEST_PARTING = 0.5  # seconds for a close to reach somebody

log = logging.getLogger("ludoteca.drain")


class Drain:
    """Whether this server takes leave, and how."""

    def __init__(self, seconds: float = 0.0, balanced: bool = False) -> None:
        if not 0 <= seconds < math.inf:
            raise BadData("LUDOTECA_DRAIN should be a number of seconds, or 0: at once.", "bad_setting")
        self.begun = False
        self._seconds = seconds
        ours = max(0.0, seconds - UNDER_WAY)
        self.notice = 0.4 * ours if balanced else 0.0  # nobody looks at `/readyz` where there is no balancer
        self.spread = min(LONGEST_SPREAD, 0.4 * ours)
        self.parting = max(SHORTEST_PARTING, 0.2 * ours)  # for those who are slow to go
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sockets: Sockets
        self._leaving: asyncio.Task[None] | None = None

    @classmethod
    def by(cls, settings: Settings) -> Drain:
        """As the settings say."""
        return cls(settings.drain, bool(settings.proxies))

    def open(self, sockets: Sockets) -> None:
        """The house is open: from now on there is somebody to take leave of."""
        self._loop, self._sockets = asyncio.get_running_loop(), sockets

    def check(self) -> None:
        """Refuses what would begin here and could not be ended here."""
        if self.begun:
            raise Trouble("draining")

    def begin(self, then: Callable[[], None]) -> bool:
        """Takes leave, and then calls that; false if there is nothing to wait for. May be called by a signal's handler."""
        if self.begun or not self._seconds or self._loop is None:
            return False
        self.begun = True
        self._loop.call_soon_threadsafe(self._begin, then)
        return True

    def _begin(self, then: Callable[[], None]) -> None:
        assert self._loop is not None
        log.info("Taking leave of %d sockets.", len(self._sockets))
        self._leaving = self._loop.create_task(self._leave(then))

    async def _leave(self, then: Callable[[], None]) -> None:
        try:
            await asyncio.sleep(self.notice)
            await self._sockets.take_leave(self.spread, self.parting)
        except Exception:
            log.exception("Not everybody could be told to come again.")
        finally:
            then()


class Server(uvicorn.Server):
    """uvicorn, but SIGTERM takes leave first, and is then no reason to have failed."""

    def __init__(self, config: uvicorn.Config, drain: Drain) -> None:
        super().__init__(config)
        self._drain = drain

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig != signal.SIGTERM:
            super().handle_exit(sig, frame)
        elif not self._drain.begin(self._stop):
            self._stop()

    def _stop(self) -> None:
        self.should_exit = True
