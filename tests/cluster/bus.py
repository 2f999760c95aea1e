"""A server's way to Redis: a TCP relay in the harness that can be cut and mended.

Cut, it neither closes anything nor refuses anybody: bytes just do not arrive, as when a switch between two machines has
failed. That is harder on a server than a connection that is closed, because nothing tells it.
"""

from __future__ import annotations

import asyncio
import contextlib

CHUNK = 64 * 1024


class Way:
    """Relays every connection to one port of loopback, as long as the way is whole."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._whole = asyncio.Event()
        self._whole.set()
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def open(self) -> None:
        """Listens."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            await self._whole.wait()
            back, onward = await asyncio.open_connection("127.0.0.1", self._target)
            there = asyncio.create_task(self._relay(reader, onward))
            here = asyncio.create_task(self._relay(back, writer))
            await asyncio.wait((there, here), return_when=asyncio.FIRST_COMPLETED)
            there.cancel()
            here.cancel()
            onward.transport.abort()
        except OSError:
            pass  # Redis is away: the server is told by the closed connection
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()

    @property
    def whole(self) -> bool:
        """Whether bytes arrive."""
        return self._whole.is_set()

    def cut(self) -> None:
        """From now on nothing arrives, in either direction."""
        self._whole.clear()

    def mend(self) -> None:
        """What waited arrives, and what comes."""
        self._whole.set()

    async def close(self) -> None:
        """Ends every connection."""
        self._server.close()
        self.mend()
        while self._open:
            for writer in self._open:
                writer.transport.abort()
            await asyncio.sleep(0.01)
