"""The door: what every connection may cost before anybody looks at what it says.

Between the network and the web server stands one `asyncio.Protocol` for each connection. It counts bytes, requests and
websocket frames (a ping is a frame too, and so is a fragment of a message that never ends) against two allowances, the
connection's own and its household's, and passes on only what both cover, a little of a household in each turn of the event
loop, so that between two of its requests everybody else gets their turn. The rest waits, unread: a flood costs its sender
time and nobody else, and coming again with a new connection brings nothing. Connections that ask for nothing are closed,
and there are only so many, in all and of one household.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
from collections import deque
from collections.abc import Callable
from typing import Any, cast

from .allowance import Allowance
from .limits import household, unmapped
from .settings import Settings
from .unread import held_by_system

# What is sent costs its bytes, and beside them what so many bytes would cost:
FRAME = 512  # a websocket frame
REQUEST = 1024  # a request
LINE = 64  # a line of a request's head
PIECE = 64  # a piece that is passed on, however small

BURST = 64 * 1024  # what a connection may send at once
A_SECOND = 32 * 1024  # what it may send for long: 64 pings a second, or two messages of the largest size
CONNECTIONS_EACH = 25  # of those a household may have: for so many it may send what one of them may, and at least ...
AT_LEAST = 8  # ... so many times that
MANY_HOUSEHOLDS = 10**6  # behind a trusted balancer: no limit but that of each connection
A_TURN = 4 * 1024  # what is passed on in one turn of the event loop, of a connection and of an ordinary household
TOO_LONG = 10.0  # seconds of sending more than its own allowance, without a pause, after which a connection is closed
SWEEP = 1.0  # seconds between two looks for idle connections
END_OF_HEAD = re.compile(rb"\n\r?\n")  # as h11 reads it

log = logging.getLogger("ludoteca.door")


class Departures:
    """The connections that could go to make room: the longest idle first, after them those whose answer takes longest."""

    def __init__(self) -> None:
        self._idle: dict[Guarded, None] = {}  # in the order of their last answers
        self._asking: dict[Guarded, None] = {}  # in the order of their questions

    def idle(self, connection: Guarded) -> None:
        """It has come, or has got an answer."""
        self.stays(connection)
        self._idle[connection] = None

    def asks(self, connection: Guarded) -> None:
        """It has asked something."""
        self.stays(connection)
        self._asking[connection] = None

    def stays(self, connection: Guarded) -> None:
        """It is a socket now, which has its own rules, or gone."""
        self._idle.pop(connection, None)
        self._asking.pop(connection, None)

    def next(self) -> Guarded | None:
        """Whose turn it would be."""
        return next(iter(self._idle), None) or next(iter(self._asking), None)


class Home:
    """A household, by its address or network: its connections, and what they may send together."""

    def __init__(self, times: float, most: float, loop: asyncio.AbstractEventLoop) -> None:
        self.allowance = Allowance(times * BURST, times * A_SECOND, loop.time())
        self.most = most
        self.open = 0
        self.departures = Departures()
        self._loop = loop
        self._a_turn = A_TURN * max(1.0, times / AT_LEAST)
        self._passed = 0.0  # in this turn of the loop
        self._queue: deque[Guarded] = deque()  # for the next turns
        self._serving = False  # the queue

    def has_turn(self, cost: float) -> bool:
        """Whether this much may be passed on in this turn of the loop; whoever waits in the queue comes first."""
        return (self._serving or not self._queue) and (not self._passed or self._passed + cost <= self._a_turn)

    def passes(self, cost: float) -> None:
        """So much is passed on now."""
        self._come(again=not self._passed and not self._queue)
        self._passed += cost

    def queue_up(self, connection: Guarded) -> None:
        """It goes on when it is its turn."""
        self._come(again=not self._passed and not self._queue)
        self._queue.append(connection)

    def _come(self, again: bool) -> None:
        if again and not self._serving:
            self._loop.call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._passed, self._serving = 0.0, True
        for _ in range(len(self._queue)):
            if self._passed >= self._a_turn:
                break
            self._queue.popleft().go_on()
        self._serving = False
        self._come(again=bool(self._passed or self._queue))


class Door:
    """Makes the protocols of new connections, and knows all that are open: give it to uvicorn as `http`."""

    def __init__(self, settings: Settings, make_inner: Callable[..., asyncio.Protocol]) -> None:
        self._make_inner = make_inner
        self._most = most_connections(settings.connections)
        self._most_of_one = settings.connections_an_address
        self._patience = settings.request_patience
        self._proxies = frozenset(map(unmapped, settings.proxies.replace(",", " ").split()))
        self._open: set[Guarded] = set()
        self._homes: dict[str, Home] = {}
        self._departures = Departures()
        self._sweeping: asyncio.TimerHandle | None = None

    def __call__(self, **given: Any) -> Guarded:
        return Guarded(self, self._make_inner(**given))

    def home_of(self, address: str, loop: asyncio.AbstractEventLoop) -> Home:
        """The household at this address; behind a trusted balancer are many, and each connection has its own allowance."""
        name = household(address)
        if name not in self._homes:
            trusted = unmapped(address) in self._proxies
            times = MANY_HOUSEHOLDS if trusted else max(AT_LEAST, self._most_of_one / CONNECTIONS_EACH)
            self._homes[name] = Home(times, math.inf if trusted else self._most_of_one, loop)
        return self._homes[name]

    def admits(self, connection: Guarded) -> bool:
        """Whether there is room for one more; the longest idle one makes room, of the same household if that is full."""
        home = connection.home
        if home.open >= home.most and not self._make_room(home.departures):
            return False
        if len(self._open) >= self._most and not self._make_room(self._departures):
            return False
        self._open.add(connection)
        home.open += 1
        self.answered(connection)
        if self._sweeping is None:
            self._sweeping = connection.loop.call_later(SWEEP, self._sweep, connection.loop)
        return True

    def asked(self, connection: Guarded) -> None:
        """A whole head of a request has come."""
        if connection in self._open and not connection.upgraded:
            connection.home.departures.asks(connection)
            self._departures.asks(connection)

    def answered(self, connection: Guarded) -> None:
        """Something was written."""
        if connection in self._open and not connection.upgraded:
            connection.home.departures.idle(connection)
            self._departures.idle(connection)

    def upgraded(self, connection: Guarded) -> None:
        """It is a websocket now."""
        connection.home.departures.stays(connection)
        self._departures.stays(connection)

    def forget(self, connection: Guarded) -> None:
        """A connection has ended."""
        if connection in self._open:
            self._open.remove(connection)
            connection.home.open -= 1
            self.upgraded(connection)

    def _make_room(self, departures: Departures) -> bool:
        goes = departures.next()
        if goes is None:
            return False
        self.forget(goes)
        goes.end()
        return True

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Closes whoever has neither asked a whole question nor got an answer for a while (sockets have their pings)."""
        now = loop.time()
        for connection in [c for c in self._open if not c.upgraded and now - c.answered > self._patience]:
            connection.end()
        self._homes = {name: home for name, home in self._homes.items() if home.open or not home.allowance.whole(now)}
        self._sweeping = loop.call_later(SWEEP, self._sweep, loop) if self._homes else None


class Guarded(asyncio.Protocol):
    """One connection: passes what it may send on to the protocol of the web server."""

    def __init__(self, door: Door, inner: asyncio.Protocol) -> None:
        self.loop = asyncio.get_running_loop()
        self.home: Home
        self.upgraded = False  # to a websocket
        self.answered = self.loop.time()  # when something was last written
        self._door = door
        self._inner = inner
        self._transport: asyncio.Transport
        self._admitted = False
        self._held = bytearray()  # read, and not yet passed on
        self._tail = b""  # what was passed on last of a head: its end may come in halves
        self._frame_left = 0  # bytes that the frame at the beginning of `_held` still has
        self._allowance = Allowance(BURST, A_SECOND, self.answered)
        self._over_since = 0.0  # since when there has been no pause; 0: there is one
        self._waiting: asyncio.TimerHandle | None = None  # until the allowances cover the next piece
        self._queued = False  # until it is its turn
        self._inner_paused = False

    # ── From the network ─────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.home = self._door.home_of(self.address, self.loop)
        self._admitted = self._door.admits(self)
        if self._admitted:
            self._inner.connection_made(Line(self, self._transport))
        else:
            self._transport.abort()

    @property
    def address(self) -> str:
        """Where it comes from."""
        peer = self._transport.get_extra_info("peername")
        return str(peer[0]) if isinstance(peer, tuple) else ""

    def data_received(self, data: bytes) -> None:
        if self._admitted:
            self._held += data
            if self._inner_paused:
                self._transport.pause_reading()
            elif not self._waits:
                self._pass_on()

    @property
    def _waits(self) -> bool:
        return self._queued or self._waiting is not None

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
        """Passes on what the allowances cover, and no more than a turn's share; meanwhile nothing more is read."""
        passed = 0
        while self._held and not self._inner_paused:
            size, cost, frame_left, ends_head = self._next_piece()
            if not size:
                return  # the head of a frame, in two halves
            if (passed and passed + cost > A_TURN) or not self.home.has_turn(cost):
                self._queue_up()
                return
            if not self._afford(cost):
                return
            self.home.passes(cost)
            self._frame_left = frame_left
            piece = bytes(self._held[:size])
            del self._held[:size]
            self._tail = b"" if ends_head else piece[-2:]
            if ends_head:
                self._door.asked(self)
            if not self._received(piece):
                return
            passed = A_TURN if ends_head else passed + cost  # the request is looked at before its body is read
        if not self._held:
            self._over_since = 0.0

    def _afford(self, cost: int) -> bool:
        """Spends it, if both allowances cover it; otherwise waits until they do."""
        now = self.loop.time()
        mine, ours = self._allowance.wait(cost, now), self.home.allowance.wait(cost, now)
        if not mine and not ours:
            self._allowance.spend(cost)
            self.home.allowance.spend(cost)
            return True
        if mine:
            self._over_since = self._over_since or now
        if self._over_since and now - self._over_since > TOO_LONG:
            self.end()
        else:
            self._wait(max(mine, ours, 0.02))
        return False

    def _received(self, piece: bytes) -> bool:
        """Hands it to the web server; whoever sends what it cannot read, or goes on after the end, is disconnected."""
        try:
            self._inner.data_received(piece)
        except Exception as error:  # of its parsers: our own work is done in tasks
            log.info("A connection from %s was ended: %r", self.address, error)
            self.end()
            return False
        return True

    def _next_piece(self) -> tuple[int, int, int, bool]:
        """How many bytes to pass on together, what they cost, what their frame has left, and whether they end a head."""
        held = self._held
        if not self.upgraded:  # up to the end of a request's head, where it may become a websocket
            end = END_OF_HEAD.search(self._tail + held[:A_TURN])
            size = min(len(held), A_TURN) if end is None else end.end() - len(self._tail)
            cost = size + PIECE + LINE * held.count(b"\n", 0, size)
            return (size, cost, 0, False) if end is None else (size, cost + REQUEST, 0, True)
        if self._frame_left:
            size = min(self._frame_left, len(held), A_TURN)
            return size, size + PIECE, self._frame_left - size, False
        head = frame_head(held)
        if head is None:
            return 0, 0, 0, False
        size, payload = head
        here = min(payload, len(held) - size, A_TURN)  # a short message comes whole, and is read once
        cost = size + FRAME + (here + PIECE if here else 0)
        return size + here, cost, payload - here, False

    def _wait(self, seconds: float) -> None:
        if not self._waits:
            self._transport.pause_reading()
            self._waiting = self.loop.call_later(seconds, self.go_on)

    def _queue_up(self) -> None:
        if not self._waits:
            self._transport.pause_reading()
            self._queued = True
            self.loop.call_soon(self.home.queue_up, self)  # after what was begun with the piece before

    def go_on(self) -> None:
        """The allowances may cover the next piece, or it is its turn."""
        self._waiting, self._queued = None, False
        if self._transport.is_closing():
            return
        self._pass_on()
        if not self._waits and not self._inner_paused and not self._transport.is_closing():
            self._transport.resume_reading()

    # ── From the web server ──────────────────────────────────

    def become(self, protocol: asyncio.BaseProtocol) -> None:
        """The web server goes on with another protocol: that of websockets."""
        self._inner, self.upgraded = cast(asyncio.Protocol, protocol), True
        self._door.upgraded(self)

    def wrote(self) -> None:
        """Something was written to the other side."""
        self.answered = self.loop.time()
        self._door.answered(self)

    def hold(self, paused: bool) -> None:
        """The web server wants to read nothing for a while, or go on.

        It does so with every message. Most have come alone, and the next one comes after the answer: as long as nothing is
        held back, the network is not told.
        """
        self._inner_paused = paused
        if paused:
            if self._held:
                self._transport.pause_reading()
        elif not self._waits and (self._held or not self._transport.is_reading()):
            self.loop.call_soon(self._resume)

    def _resume(self) -> None:
        if not self._waits and not self._inner_paused:
            self.go_on()

    def end(self) -> None:
        """Ends the connection without waiting for the other side."""
        self._transport.abort()


class Line(asyncio.Transport):
    """The transport as the web server sees it: reading is agreed with the allowance, and writing is noticed."""

    def __init__(self, guarded: Guarded, transport: asyncio.Transport) -> None:
        super().__init__()
        self._guarded, self._transport = guarded, transport
        self._line = transport.get_extra_info("socket")
        self.sent = 0  # bytes written
        self._protocol: asyncio.BaseProtocol = guarded

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._guarded.upgraded:  # a socket has its pings
            self._guarded.wrote()
        self.sent += len(data)
        self._transport.write(data)

    def write_if_free(self, data: bytes) -> bool:
        """Writes it if nothing written before still waits; whether it did."""
        transport = self._transport
        if transport.get_write_buffer_size() or transport.is_closing():
            return False
        self.sent += len(data)
        transport.write(data)
        return True

    def untaken(self) -> int:
        """Bytes written that the other side has not taken, as far as the system tells."""
        held = held_by_system(self._line.fileno()) if self._line is not None and not self.is_closing() else 0
        return held + self._transport.get_write_buffer_size()

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


def frame_head(data: bytes | bytearray) -> tuple[int, int] | None:
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
