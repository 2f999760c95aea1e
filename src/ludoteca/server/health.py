"""`/healthz` and `/readyz`: is the process alive, and should it be sent guests?

Balancers ask often and by address, so both answer under any name of the host, say nothing that is not for everybody, and
cost little: alive touches nothing at all, and ready asks each thing it needs once, however many are asking.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

ALIVE, READY = "/healthz", "/readyz"
PATIENCE = 1.0  # seconds in which everything that is needed must answer
DRAINING = "the server takes leave"

log = logging.getLogger("ludoteca.health")


def trivial(db: Any) -> None:
    """A read that any store answers at once, and that none answers without its tables."""
    db.execute("SELECT 1 FROM tables LIMIT 1").fetchone()


class Check:
    """Something without which the house cannot go on: `Check("bus", house.bus.ping)`."""

    def __init__(self, name: str, ask: Callable[[], Awaitable[Any]]) -> None:
        self.name = name
        self._ask = ask
        self._asked: asyncio.Task[None] | None = None  # stays while it has no answer: what hangs is not asked again

    async def wrong(self) -> str | None:
        """What is wrong with it, in words for everybody: no address, no file, no error's own text."""
        if self._asked is None or self._asked.done():
            self._asked = asyncio.create_task(self._answered())
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(self._asked)
        except TimeoutError:
            return f"no answer within {PATIENCE:g} s"
        except Exception as error:
            return f"it failed ({type(error).__name__})"
        return None

    async def _answered(self) -> None:
        try:
            await self._ask()
        except Exception as error:
            log.warning("The %s does not answer: %r", self.name, error)
            raise

    def close(self) -> None:
        """Nobody asks any more."""
        if self._asked is not None:
            self._asked.cancel()


async def troubles(checks: Iterable[Check]) -> dict[str, str]:
    """What is wrong now, by name; empty if all is well."""
    checks = list(checks)
    found = await asyncio.gather(*(check.wrong() for check in checks))
    return {check.name: wrong for check, wrong in zip(checks, found, strict=True) if wrong is not None}
