"""The door: what every connection may cost before anybody looks at what it says.

Between the network and the web server stands one `asyncio.Protocol` for each connection. It counts bytes and websocket
frames (a ping is a frame too, and so is a fragment of a message that never ends) against an allowance, and passes on only
what the allowance covers: the rest waits, unread, so a flood costs its sender time and nobody else. Connections that ask
for nothing are closed, and there are only so many, in all and from one address.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from .settings import Settings

FRAME = 512  # what a frame costs beside its bytes: the work it makes is that of so many
BURST = 64 * 1024  # what a connection may send at once
A_SECOND = 32 * 1024  # what it may send for long: 64 pings a second, or two messages of the largest size
TOO_LONG = 10.0  # seconds of sending more than that, without a pause, after which a connection is closed
SWEEP = 1.0  # seconds between two looks for idle connections
END_OF_HEAD = b"\r\n\r\n"

log = logging.getLogger("ludoteca.door")


class Door:
    """Makes the protocols of new connections, and knows all that are open: give it to uvicorn as `http`."""

    def __init__(self, settings: Settings, make_inner: Callable[..., asyncio.Protocol]) -> None:
        self._make_inner = make_inner
        self._most = most_connections(settings.connections)
        self._most_of_one = settings.connections_an_address
        self._patience = settings.request_patience
        self._proxies = frozenset(settings.proxies.replace(",", " ").split())
        self._open: dict[Guarded, None] = {}  # in the order in which they came
        self._of: Counter[str] = Counter()  # how many of each address
        self._sweeping: asyncio.TimerHandle | None = None

    def __call__(self, **given: Any) -> Guarded:
        return Guarded(self, self._make_inner(**given))

    def admits(self, connection: Guarded) -> bool:
        """Whether there is room for one more; the oldest of those who ask for nothing makes room."""
        address = connection.address
        if address not in self._proxies and self._of[address] >= self._most_of_one:
            return False
        if len(self._open) >= self._most and not self._make_room():
            return False
        self._open[connection] = None
        self._of[address] += 1
        if self._sweeping is None:
            self._sweeping = connection.loop.call_later(SWEEP, self._sweep, connection.loop)
        return True

    def forget(self, connection: Guarded) -> None:
        """A connection has ended."""
        if connection in self._open:
            del self._open[connection]
            self._of[connection.address] -= 1
            if not self._of[connection.address]:
                del self._of[connection.address]

    def _make_room(self) -> bool:
        idle = next((connection for connection in self._open if not connection.upgraded), None)
        if idle is None:
            return False
        idle.end()
        return True

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Closes whoever has neither asked a whole question nor got an answer for a while (sockets have their pings)."""
        now = loop.time()
        for connection in [c for c in self._open if not c.upgraded and now - c.answered > self._patience]:
            connection.end()
        self._sweeping = loop.call_later(SWEEP, self._sweep, loop) if self._open else None


class Guarded(asyncio.Protocol):
    """One connection: passes what it may send on to the protocol of the web server."""

    def __init__(self, door: Door, inner: asyncio.Protocol) -> None:
        self.loop = asyncio.get_running_loop()
        self.address = ""
        self.upgraded = False  # to a websocket
        self.answered = self.loop.time()  # when something was last written
        self._door = door
        self._inner = inner
        self._transport: asyncio.Transport
        self._admitted = False
        self._held = bytearray()  # read, and not yet passed on
        self._frame_left = 0  # bytes that the frame at the beginning of `_held` still has
        self._allowance = float(BURST)
        self._counted = self.answered  # when the allowance was last filled
        self._over_since = 0.0  # since when there has been no pause; 0: there is one
        self._waiting: asyncio.TimerHandle | None = None  # until the allowance covers the next piece
        self._inner_paused = False

    # ── From the network ─────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        self._admitted = self._door.admits(self)
        if self._admitted:
            self._inner.connection_made(Line(self, self._transport))
        else:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._admitted:
            self._held += data
            self._pass_on()

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._admitted else None

    def connection_lost(self, error: Exception | None) -> None:
        self._door.forget(self)
        if self._waiting is not None:
            self._waiting.cancel()
        if self._admitted:
            self._inner.connection_lost(error)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    # ── The allowance ────────────────────────────────────────

    def _pass_on(self) -> None:
        """Passes on what the allowance covers; the rest waits, and meanwhile nothing more is read."""
        self._fill()
        while self._held and not self._inner_paused:
            size, cost, frame_left = self._next_piece()
            if not size:
                return  # the head of a frame, in two halves
            if cost > self._allowance:
                self._wait((cost - self._allowance) / A_SECOND)
                return
            self._allowance -= cost
            self._frame_left = frame_left
            piece = bytes(self._held[:size])
            del self._held[:size]
            if not self._received(piece):
                return
        self._over_since = 0.0

    def _received(self, piece: bytes) -> bool:
        """Hands it to the web server; whoever sends what it cannot read, or goes on after the end, is disconnected."""
        try:
            self._inner.data_received(piece)
        except Exception as error:  # of its parsers: our own work is done in tasks
            log.info("A connection from %s was ended: %r", self.address, error)
            self.end()
            return False
        return True

    def _fill(self) -> None:
        now = self.loop.time()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * A_SECOND)
        self._counted = now

    def _next_piece(self) -> tuple[int, int, int]:
        """How many bytes can be passed on together, what they cost, and what is left of their frame after them."""
        held, most = self._held, BURST // 2
        if not self.upgraded:  # up to the end of a request's head, where it may become a websocket
            end = held.find(END_OF_HEAD)
            size = min(len(held) if end < 0 else end + len(END_OF_HEAD), most)
            return size, size, 0
        if self._frame_left:
            size = min(self._frame_left, len(held), most)
            return size, size, self._frame_left - size
        head = frame_head(held)
        if head is None:
            return 0, 0, 0
        size, payload = head
        return size, size + FRAME, payload

    def _wait(self, seconds: float) -> None:
        now = self.loop.time()
        self._over_since = self._over_since or now
        if now - self._over_since > TOO_LONG:
            self.end()
        elif self._waiting is None:
            self._transport.pause_reading()
            self._waiting = self.loop.call_later(max(seconds, 0.02), self._go_on)

    def _go_on(self) -> None:
        self._waiting = None
        if self._transport.is_closing():
            return
        self._pass_on()
        if self._waiting is None and not self._inner_paused:
            self._transport.resume_reading()

    # ── From the web server ──────────────────────────────────

    def become(self, protocol: asyncio.BaseProtocol) -> None:
        """The web server goes on with another protocol: that of websockets."""
        self._inner, self.upgraded = cast(asyncio.Protocol, protocol), True

    def hold(self, paused: bool) -> None:
        """The web server wants to read nothing for a while, or go on."""
        self._inner_paused = paused
        if paused:
            self._transport.pause_reading()
        elif self._waiting is None:
            self.loop.call_soon(self._go_on)

    def end(self) -> None:
        """Ends the connection without waiting for the other side."""
        self._transport.abort()


class Line(asyncio.Transport):
    """The transport as the web server sees it: reading is agreed with the allowance, and writing is noticed."""

    def __init__(self, guarded: Guarded, transport: asyncio.Transport) -> None:
        super().__init__()
        self._guarded, self._transport = guarded, transport
        self._protocol: asyncio.BaseProtocol = guarded

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._guarded.answered = self._guarded.loop.time()
        self._transport.write(data)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol
        self._guarded.become(protocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def pause_reading(self) -> None:
        self._guarded.hold(True)

    def resume_reading(self) -> None:
        self._guarded.hold(False)

    def is_reading(self) -> bool:
        return self._transport.is_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def get_write_buffer_size(self) -> int:
        return self._transport.get_write_buffer_size()

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return self._transport.get_write_buffer_limits()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._transport.set_write_buffer_limits(high, low)

    def write_eof(self) -> None:
        self._transport.write_eof()

    def can_write_eof(self) -> bool:
        return self._transport.can_write_eof()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()


def frame_head(data: bytearray) -> tuple[int, int] | None:
    """The size of a websocket frame's head and of what follows it (RFC 6455, 5.2); None if the head is not whole."""
    if len(data) < 2:
        return None
    masked, short = data[1] >> 7, data[1] & 127
    more = {126: 2, 127: 8}.get(short, 0)
    head = 2 + more + 4 * masked
    if len(data) < head:
        return None
    return head, int.from_bytes(data[2 : 2 + more], "big") if more else short


def most_connections(wanted: int) -> int:
    """How many connections this process can have open, after asking the system for as many as it gives."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < hard and soft < 4 * wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4 * wanted), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return min(wanted, max(16, soft - 128))  # the rest is for files, pipes and workers
    return wanted
