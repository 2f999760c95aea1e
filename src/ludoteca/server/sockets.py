"""Sockets: one for each open page at a table.

Every socket has an outbox of its own and its own sender, so a browser that stops reading is dropped and nobody else
notices. Where a connection comes from is checked before it is accepted; messages are small, strict and not too many.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ludoteca.core.errors import Refusal

from .guests import Guest
from .lobby import Lobby
from .refusals import BadRequest, NotAllowed, TooBig, TooMuch, status_of
from .table import Table
from .wire import MOST_BYTES, Do, FromBrowser, OpenAgain, Ping, Refused, RefusedMessage, Say, encode, understand

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LIMITS = ((20, 5.0), (100, 20.0))  # messages in so many seconds
CHAT_LIMITS = ((5, 10.0),)
PENALTY = 0.05  # seconds that the next message of somebody too fast waits
PATIENCE = 40  # messages refused for their number before the socket is closed

GOING_AWAY, POLICY, TOO_BIG, SERVICE_RESTART = 1001, 1008, 1009, 1012

log = logging.getLogger("ludoteca.sockets")


class Rate:
    """How many in how many seconds."""

    def __init__(self, limits: tuple[tuple[int, float], ...]) -> None:
        self._limits = limits
        self._times: deque[float] = deque(maxlen=max(count for count, _ in limits))

    def allows(self, now: float) -> bool:
        """Counts one more, if it may be."""
        times = self._times
        for count, seconds in self._limits:
            if len(times) >= count and now - times[-count] < seconds:
                return False
        times.append(now)
        return True


class Socket:
    """One connection of a guest (or of somebody unknown, who only watches) to a table."""

    def __init__(
        self, table: Table, guest: Guest | None, invite: str | None, receive: Receive, send: Send, outbox: int
    ) -> None:
        self.table = table
        self.guest = guest
        self.invite = invite
        self.away = False  # silent for too long
        self._loop = asyncio.get_running_loop()
        self.heard = self._loop.time()
        self._receive = receive
        self._send = send
        self._outbox: deque[bytes] = deque()
        self._most = outbox
        self._filled = asyncio.Event()
        self._sending = False  # the sender holds a message
        self._dropped = False
        self._transport: asyncio.Transport | None = getattr(getattr(send, "__self__", None), "transport", None)
        self._rate = Rate(LIMITS)
        self._chat_rate = Rate(CHAT_LIMITS)
        self._too_many = 0
        self._pong_seq = 0  # what the last pong said

    # ── Sending ──────────────────────────────────────────────

    def push(self, message: bytes) -> None:
        """Sends it, at once if the line is free; else into the outbox, and whoever lets that overflow is dropped."""
        if self._dropped:
            return
        if self._is_free():
            assert self._transport is not None
            self._transport.write(framed(message))
        elif len(self._outbox) >= self._most:
            self.drop()
        else:
            self._outbox.append(message)
            self._filled.set()

    def _is_free(self) -> bool:
        """Whether everything sent so far has left for the network.

        Then a message can go straight to the server's transport, which saves a fifth of the work of a move. Where there
        is no such transport (another server, a test), everything goes through the outbox.
        """
        transport = self._transport
        return (
            transport is not None
            and not self._outbox
            and not self._sending
            and not transport.get_write_buffer_size()
            and not transport.is_closing()
        )

    def drop(self) -> None:
        """Ends the connection without waiting for the other side; the browser comes back with `since`."""
        if self._dropped:
            return
        self._dropped = True
        self._outbox.clear()
        self._filled.set()
        if self._transport is not None:
            self._transport.abort()  # a close handshake would wait for somebody who does not read

    async def _send_all(self) -> None:
        """The sender of what could not go at once."""
        while not self._dropped:
            await self._filled.wait()
            self._filled.clear()
            while self._outbox:
                self._sending = True
                try:
                    await self._send({"type": "websocket.send", "text": self._outbox.popleft().decode()})
                except (OSError, RuntimeError):
                    return  # gone; whoever reads this connection will notice
                finally:
                    self._sending = False

    # ── Receiving ────────────────────────────────────────────

    async def run(self, since: int) -> None:
        """From the greeting to the end of the connection."""
        sender = self._loop.create_task(self._send_all())
        try:
            await self.table.join(self, since)
            while True:
                message = await self._receive()
                if message["type"] == "websocket.disconnect":
                    return
                if not await self._handle(message.get("text"), message.get("bytes")):
                    await self._close_after_sending(POLICY)
                    return
        finally:
            self.table.leave(self)
            sender.cancel()

    async def _close_after_sending(self, code: int) -> None:
        await asyncio.sleep(0)  # the refusal goes out first
        if not self._dropped:
            await self._send({"type": "websocket.close", "code": code})

    async def _handle(self, text: str | None, data: bytes | None) -> bool:
        """One message; false if this socket should be closed."""
        self.heard = self._loop.time()
        if self.away:
            self.away = False
            self.table.announce_soon()
        command: str | None = None
        try:
            if not self._rate.allows(self.heard):
                self._too_many += 1
                raise TooMuch("too_fast")
            if text is None:
                raise BadRequest("garbled", problem="text expected, not bytes")
            if len(text) > MOST_BYTES or len(text.encode()) > MOST_BYTES:
                raise TooBig("too_big", most=MOST_BYTES)
            message = understand(text)
            if isinstance(message, Do | OpenAgain):
                command = message.id
            await self._obey(message)
        except Refusal as refusal:
            self.push(encode(RefusedMessage(command, refusal.key, refusal.facts, refusal.sentence)))
            if refusal.key == "too_fast":
                await asyncio.sleep(PENALTY)  # meanwhile nothing more is read from this connection
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("A message could not be dealt with.")
            self.push(encode(RefusedMessage(command, "failed", {}, "The server could not do that.")))
        return self._too_many < PATIENCE

    async def _obey(self, message: FromBrowser) -> None:
        table = self.table
        if isinstance(message, Do):
            await table.decide(self._seat(), [message.action, *message.then], message.at, message.id, self)
        elif isinstance(message, OpenAgain):
            await table.open_again(self._seat(), message.at, message.id, self)
        elif isinstance(message, Ping):
            lost = message.at < self._pong_seq  # told so at the last ping, and still does not have it
            self._pong_seq = table.seq
            table.pong(self)
            if lost:
                await table.fill_gap(self, message.at)
        elif isinstance(message, Say):
            if not self._chat_rate.allows(self.heard):
                raise TooMuch("chat_too_fast")
            await table.say(self.guest, message.text)
        else:
            await table.add_entropy(self.guest, message.text)

    def _seat(self) -> int:
        seat = self.table.seat_of(self.guest)
        if seat is None:
            raise NotAllowed("only_seated")
        return seat


class Sockets:
    """Accepts connections, and knows how many there are."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._open: set[Socket] = set()
        self._count: Counter[tuple[str, str]] = Counter()  # by table and guest

    async def connect(
        self, table_id: str, since: int, invite: str | None, guest: Guest | None, receive: Receive, send: Send
    ) -> None:
        """Checks, accepts and serves one connection; refusals are answered before it is accepted."""
        settings = self._lobby.house.settings
        await receive()  # websocket.connect
        mine = (table_id, guest.id if guest else "")
        try:
            table = await self._lobby.seen_by(guest, table_id, invite)
            if guest is not None and self._count[mine] >= settings.sockets_a_seat:
                raise TooMuch("too_many_sockets", most=settings.sockets_a_seat)
        except Refusal as refusal:
            await deny(send, refusal)
            return
        self._count[mine] += 1
        socket = Socket(table, guest, invite, receive, send, settings.outbox)
        self._open.add(socket)
        try:
            await send({"type": "websocket.accept"})
            await socket.run(since)
        except OSError:
            pass  # gone before it was greeted
        finally:
            self._open.discard(socket)
            self._count[mine] -= 1
            if not self._count[mine]:
                del self._count[mine]

    async def watch_silence(self) -> None:
        """Forever: whoever has said nothing for a while counts as away."""
        silent = self._lobby.house.settings.silent
        while True:
            await asyncio.sleep(silent / 6)
            now = asyncio.get_running_loop().time()
            for socket in list(self._open):
                if not socket.away and now - socket.heard > silent:
                    socket.away = True
                    socket.table.announce_soon()

    def close(self) -> None:
        """The server stops."""
        for socket in list(self._open):
            socket.drop()


def framed(text: bytes) -> bytes:
    """A websocket frame of text, as a server sends it: neither masked nor zipped (RFC 6455, 5.2)."""
    size = len(text)
    if size < 126:
        return b"\x81%c" % size + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


async def deny(send: Send, refusal: Refusal) -> None:
    """Refuses a connection before it is accepted, with a sentence."""
    body = encode(Refused(refusal.key, refusal.facts, refusal.sentence))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "websocket.http.response.start", "status": status_of(refusal), "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
