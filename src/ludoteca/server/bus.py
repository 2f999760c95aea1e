"""The bus: how the servers of one house wake each other.

It carries no truth. What it says is looked up in the store, and what it loses is found there a little later; so a bus that
is slow, restarts or drops messages costs time and nothing else. Redis where there is one; otherwise Postgres' own
notifications, which take one lock of the whole database at each sending: good enough for a small house.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any

from ludoteca.core.errors import BadData

CHANNEL = "ludoteca"
PATIENCE = 2.0  # seconds for one message
MOST_BYTES = 7500  # of one message: Postgres takes 8000

log = logging.getLogger("ludoteca.bus")


class Bus(ABC):
    """Brings short messages to all servers of the house, this one too; some may get lost."""

    @abstractmethod
    async def send(self, message: bytes) -> None:
        """Sends a message; raises if that is not possible now."""

    @abstractmethod
    def heard(self) -> AsyncIterator[bytes | None]:
        """What is said from now on; None when listening has begun. Ends, or raises, when the line is lost."""

    @abstractmethod
    async def ping(self) -> None:
        """Raises if the bus cannot be reached."""

    @abstractmethod
    async def close(self) -> None:
        """Hangs up."""


def bus_at(address: str, database: str) -> Bus:
    """The bus with this address; without one, the database's own notifications."""
    if not address:
        return PostgresBus(database)
    if address.startswith(("redis://", "rediss://", "unix://")):
        return RedisBus(address)
    raise BadData(
        f"LUDOTECA_BUS should be redis://host:port, not «{address.partition('@')[2] or address}».", "bad_setting"
    )


class RedisBus(Bus):
    """Redis' publish and subscribe."""

    def __init__(self, address: str) -> None:
        try:
            import redis.asyncio as redis
        except ImportError:
            raise BadData("For a Redis bus a driver is needed: pip install ludoteca[servers]", "no_driver") from None
        given: dict[str, Any] = {"socket_connect_timeout": PATIENCE, "socket_timeout": PATIENCE}
        self._redis = redis.Redis.from_url(address, **given)
        self._ears = redis.Redis.from_url(address, socket_connect_timeout=PATIENCE)

    async def send(self, message: bytes) -> None:
        await self._redis.publish(CHANNEL, message)

    async def heard(self) -> AsyncIterator[bytes | None]:
        async with self._ears.pubsub(ignore_subscribe_messages=True) as line:
            await line.subscribe(CHANNEL)
            yield None
            while True:
                said = await line.get_message(timeout=PATIENCE)
                if said is not None:
                    yield said["data"]
                else:
                    await self.ping()  # nothing said, or nothing heard?

    async def ping(self) -> None:
        await self._redis.ping()

    async def close(self) -> None:
        await self._redis.aclose()
        await self._ears.aclose()


class PostgresBus(Bus):
    """Postgres' LISTEN and NOTIFY, outside the transactions that write."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._mouth: Any = None
        self._sending = asyncio.Lock()

    async def _line(self) -> Any:
        import psycopg

        async with asyncio.timeout(PATIENCE):
            return await psycopg.AsyncConnection.connect(self._database, autocommit=True)

    async def _said(self, statement: str, *values: Any) -> None:
        async with self._sending:
            try:
                if self._mouth is None:
                    self._mouth = await self._line()
                async with asyncio.timeout(PATIENCE):
                    await self._mouth.execute(statement, values)
            except BaseException:
                mouth, self._mouth = self._mouth, None
                if mouth is not None:
                    with contextlib.suppress(Exception):
                        await mouth.close()
                raise

    async def send(self, message: bytes) -> None:
        await self._said("SELECT pg_notify(%s, %s)", CHANNEL, message.decode())

    async def heard(self) -> AsyncIterator[bytes | None]:
        line = await self._line()
        try:
            await line.execute(f"LISTEN {CHANNEL}")
            yield None
            async for said in line.notifies():
                yield said.payload.encode()
        finally:
            await line.close()

    async def ping(self) -> None:
        await self._said("SELECT 1")

    async def close(self) -> None:
        if self._mouth is not None:
            await self._mouth.close()
