"""Sockets: one for each open page at a table.

Every socket has an outbox of its own, so a browser that stops reading is dropped and nobody else notices. Where a
connection comes from is checked before it is accepted; messages are small, strict and not too many.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any, NamedTuple

from ludoteca.core.errors import Refusal

from . import logs
from .door import Line
from .drain import SERVICE_RESTART
from .guests import Guest
from .limits import Rate, household
from .lobby import Lobby
from .refusals import BadRequest, NotAllowed, NotNow, TooBig, TooMuch, status_of
from .settings import Settings
from .table import Table
from .unread import Unread
from .wire import (
    MOST_BYTES,
    AnswerBack,
    AskBack,
    Do,
    FromBrowser,
    OpenAgain,
    Ping,
    Refused,
    RefusedMessage,
    Say,
    TakeBack,
    encode,
    name_in,
    understand,
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LIMITS = ((20, 5.0), (100, 20.0))  # messages in so many seconds
GAP_LIMITS = ((2, 15.0),)  # gaps filled; a browser pings every 15 seconds
PENALTY = 0.05  # seconds that the next message of somebody too fast waits
HELD_BY_THE_SYSTEM = 32 * 1024  # bytes on their way to one socket; Linux takes it twice
OF_A_CROWD = 64  # spectators written to in one turn of the event loop
LOOK_AGAIN = 0.02  # seconds between two looks whether everybody is gone
LOOKS = 4  # at each socket, in the time that a slow reader has
AT_ONCE = 200  # sockets looked at in one turn of the event loop
PATIENCE = 40  # messages refused for their number before the socket is closed

PATTERN = "/api/tables/{table}/socket"  # the address of a socket, as requests are counted
COVERED = 4001  # the close code for a screen that is to be passed on
POLICY = 1008  # the close code for who breaks the limits (RFC 6455, 7.4.1)

log = logging.getLogger("ludoteca.sockets")


class Post:
    """Brings what has been put into outboxes to the network: once in a turn of the event loop, for all sockets together.

    So a player's «done» and the new position make one write, and a machine that reads is woken once for many messages
    instead of once for each; writing is a fifth of the work of a move. A crowd of spectators is served after everybody else,
    some at a time.
    """

    def __init__(self) -> None:
        self._waiting: list[Socket] = []
        self._crowd: deque[Socket] = deque()
        self._coming = False  # in this turn of the loop or the next

    def collect(self, socket: Socket, later: bool) -> None:
        """There is something in this socket's outbox."""
        if not self._coming:
            self._come(socket.loop)
        (self._crowd if later else self._waiting).append(socket)

    def _come(self, loop: asyncio.AbstractEventLoop) -> None:
        self._coming = True
        loop.call_soon(self._deliver, loop)

    def _deliver(self, loop: asyncio.AbstractEventLoop) -> None:
        self._coming = False
        waiting, self._waiting = self._waiting, []
        for socket in waiting:
            socket.empty_outbox()
        for _ in range(min(OF_A_CROWD, len(self._crowd))):
            self._crowd.popleft().empty_outbox()
        if self._crowd:
            self._come(loop)


class Socket:
    """One connection of a guest (or of somebody unknown, who only watches) to a table."""

    def __init__(
        self,
        table: Table,
        guest: Guest | None,
        invite: str | None,
        receive: Receive,
        send: Send,
        settings: Settings,
        post: Post,
        address: str,
        device: bytes | None = None,
        eyes: int | None = None,
    ) -> None:
        self.table = table
        self.device = device  # by its hashed secret
        self.address = address
        self.guest = guest
        self.invite = invite
        self.away = False  # silent for too long
        self.eyes = eyes
        self.loop = asyncio.get_running_loop()
        self.heard = self.loop.time()
        self._receive = receive
        self._send = send
        self._post = post
        self._outbox: deque[bytes] = deque()
        self._outbox_bytes = 0
        self._settings = settings
        self._sender: asyncio.Task[None] | None = None  # at work while the line is not free
        self._ended = False  # nothing more is sent
        self._transport: asyncio.Transport | None = getattr(getattr(send, "__self__", None), "transport", None)
        self._bound_what_waits()
        self._unread = Unread(self.heard)
        self._rate = Rate(LIMITS)
        self._gap_rate = Rate(GAP_LIMITS)
        self._too_many = 0
        self._pong_seq = 0  # what the last pong said
        self._obeying = False  # at work on a message
        self._parting = False  # to be closed when that is done
        self._covered: asyncio.Task[None] | None = None  # being closed, since the screen is another's

    # ── Sending ──────────────────────────────────────────────

    def _bound_what_waits(self) -> None:
        """The system holds little for this socket, and whoever leaves anything unread has to catch up in time."""
        if self._transport is None:
            return
        self._transport.set_write_buffer_limits(high=0)
        line = self._transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(SOL_SOCKET, SO_SNDBUF, HELD_BY_THE_SYSTEM)

    def unread_for(self) -> float:
        """For how many seconds the other side has taken nothing of what waits for it."""
        if not isinstance(self._transport, Line):
            return 0.0
        return self._unread.seconds(self._transport.sent, self._transport.untaken, self.loop.time())

    def push(self, message: bytes, later: bool = False) -> None:
        """Sends it with the next post, or with that for the crowd; whoever lets the outbox overflow is dropped."""
        if self._ended or self._covered:
            return
        outbox = self._outbox
        self._outbox_bytes += len(message)
        if not outbox:
            if self._sender is None:
                self._post.collect(self, later)
        elif len(outbox) >= self._settings.outbox or self._outbox_bytes > self._settings.outbox_bytes:
            self.drop()
            return
        outbox.append(message)

    def empty_outbox(self) -> None:
        """Everything at once if the line is free; otherwise it is left to a sender of this socket's own, who waits."""
        if self._ended or not self._outbox or self._sender is not None:
            return
        outbox, line = self._outbox, self._transport
        frames = framed(outbox[0]) if len(outbox) == 1 else b"".join(map(framed, outbox))
        if isinstance(line, Line) and line.write_if_free(frames):
            self._clear_outbox()
        else:
            self._sender = self.loop.create_task(self._send_all())

    def _clear_outbox(self) -> None:
        self._outbox.clear()
        self._outbox_bytes = 0

    def drop(self) -> None:
        """Ends the connection without waiting for the other side; the browser comes back with `since`."""
        self._ended = True
        self._clear_outbox()
        if self._transport is not None:
            self._transport.abort()  # a close handshake would wait for somebody who does not read

    def cover(self) -> None:
        """Ends the connection, after what is on its way: the screen is another's."""
        if self._covered is None:
            self._covered = self.loop.create_task(self._close_covered())

    async def _close_covered(self) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # gone already
            await self._close_after_sending(COVERED)

    async def _send_all(self) -> None:
        """The sender of what could not go at once; whoever reads nothing for a while is dropped."""
        try:
            while self._outbox:
                message = self._outbox.popleft()
                self._outbox_bytes -= len(message)
                async with asyncio.timeout(self._settings.slow):
                    await self._send({"type": "websocket.send", "text": message.decode()})
        except TimeoutError:
            self.drop()
        except (OSError, RuntimeError):
            self._clear_outbox()  # gone; whoever reads this connection will notice
        finally:
            self._sender = None

    # ── Receiving ────────────────────────────────────────────

    async def run(self, since: int) -> None:
        """From the greeting to the end of the connection."""
        self.table.presence.expect(self)
        try:
            await self._send({"type": "websocket.accept"})
            self.table.house.metrics.answered(PATTERN, 101)
            await self.table.join(self, since)
            while True:
                message = await self._receive()
                if message["type"] == "websocket.disconnect":
                    return
                self._obeying = True
                goes_on = await self._handle(message.get("text"), message.get("bytes"))
                self._obeying = False
                if not goes_on or self._parting:
                    await self._close_after_sending(SERVICE_RESTART if goes_on else POLICY)
                    return
        finally:
            self.table.leave(self)
            if self._sender is not None:
                self._sender.cancel()

    async def part(self, wait: float, patience: float) -> None:
        """Tells the other side, in a while, to come again; what it has just asked for is done first."""
        await asyncio.sleep(wait)
        self._parting = True
        if self._obeying:
            return
        try:
            async with asyncio.timeout(patience):
                await self._close_after_sending(SERVICE_RESTART)
        except (TimeoutError, OSError, RuntimeError):
            self.drop()  # does not read, or is gone

    async def _close_after_sending(self, code: int) -> None:
        self.empty_outbox()  # the refusal goes out first
        await asyncio.sleep(0)
        if not self._ended:
            self._ended = True
            await self._send({"type": "websocket.close", "code": code})

    async def _handle(self, text: str | None, data: bytes | None) -> bool:
        """One message; false if this socket should be closed."""
        self.heard = self.loop.time()
        if self.away:
            self.away = False
            self.table.announce_soon()
        logs.obeying(None)
        try:
            if not self._rate.allows(self.heard):
                self._too_many += 1
                raise TooMuch("too_fast")
            if text is None:
                raise BadRequest("garbled", problem="text expected, not bytes")
            if len(text) > MOST_BYTES or len(text.encode()) > MOST_BYTES:
                raise TooBig("too_big", most=MOST_BYTES)
            await self._obey(understand(text))
        except Refusal as refusal:
            self.table.house.metrics.refused(refusal.key)
            self.push(encode(RefusedMessage(name_in(text), refusal.key, refusal.facts, refusal.sentence)))
            if refusal.key == "too_fast":
                await asyncio.sleep(PENALTY)  # meanwhile nothing more is read from this connection
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("A message could not be dealt with.")
            self.push(encode(RefusedMessage(name_in(text), "failed", {}, "The server could not do that.")))
        return self._too_many < PATIENCE

    async def _obey(self, message: FromBrowser) -> None:
        table = self.table
        if isinstance(message, Do):
            logs.obeying(message.id)
            await table.decide(self._seat(), [message.action, *message.then], message.at, message.id, self)
        elif isinstance(message, OpenAgain):
            logs.obeying(message.id)
            await table.open_again(self._seat(), message.at, message.id, self)
        elif isinstance(message, TakeBack):
            logs.obeying(message.id)
            await table.take_back(self._seat(), message.to, message.id, self)
        elif isinstance(message, AskBack):
            await table.ask_back(self._seat(), self)
        elif isinstance(message, AnswerBack):
            await table.answer_back(self._seat(), message.yes, message.at, self)
        elif isinstance(message, Ping):
            lost = message.at < self._pong_seq  # told so at the last ping, and still does not have it
            self._pong_seq = table.seq
            table.pong(self)
            if lost and self._gap_rate.allows(self.heard):
                await table.fill_gap(self, message.at)
        elif isinstance(message, Say):
            await table.say(self.guest, message.text, self.address)
        else:
            await table.add_entropy(self.guest, message.text)

    def _seat(self) -> int:
        if self._covered is not None:
            raise NotNow("screen_covered")
        seat = self.eyes if self.table.row.hot else self.table.seat_of(self.guest)
        if seat is None:
            raise NotAllowed("only_seated")
        return seat


class Cap(NamedTuple):
    """So many sockets of something, and what whoever comes too late is told."""

    what: tuple[str, ...]
    most: int
    why: str


def caps_of(settings: Settings, table: str, guest: Guest | None, home: str) -> list[Cap]:
    """What one more socket counts for."""
    everybody = Cap(("home", home), settings.sockets_an_address_in_all, "too_many_windows_here")
    if guest is None:
        return [Cap(("unknown", home), settings.sockets_an_address, "too_many_sockets"), everybody]
    return [
        Cap(("seat", table, guest.id), settings.sockets_a_seat, "too_many_sockets"),
        Cap(("guest", guest.id), settings.sockets_a_guest, "too_many_windows"),
        everybody,
    ]


def cap_of_spectators(settings: Settings, table: str, home: str) -> Cap:
    """What the socket of somebody without a chair counts for beside that."""
    return Cap(("watching", table, home), settings.spectators_a_table_an_address, "too_many_spectators_here")


class Sockets:
    """Accepts connections, and knows how many there are."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._open: set[Socket] = set()
        self._count: Counter[tuple[str, ...]] = Counter()  # by what a limit counts
        self._post = Post()
        self._closed = 0  # since garbage was last collected

    def __len__(self) -> int:
        return len(self._open)

    async def connect(
        self,
        address: str,
        table_id: str,
        since: int,
        invite: str | None,
        guest: Guest | None,
        receive: Receive,
        send: Send,
        device: bytes | None = None,
        eyes: int | None = None,
    ) -> None:
        """Checks, accepts and serves one connection; raises a refusal before it is accepted."""
        settings = self._lobby.house.settings
        await receive()  # websocket.connect
        caps = caps_of(settings, table_id, guest, household(address))
        self._check(caps)
        table = await self._lobby.seen_by(guest, table_id, invite)
        if table.seat_of(guest) is None:
            caps.append(cap_of_spectators(settings, table_id, household(address)))
            if table.crowd >= settings.spectators_a_table:
                raise TooMuch("too_many_spectators", most=settings.spectators_a_table)
        table.screen.check(guest, eyes)
        self._check(caps)  # others may have come meanwhile
        counted = [cap.what for cap in caps]
        self._count.update(counted)
        socket = Socket(table, guest, invite, receive, send, settings, self._post, address, device, eyes)
        self._open.add(socket)
        try:
            await socket.run(since)
        except OSError:
            pass  # gone before it was greeted
        finally:
            self._open.discard(socket)
            self._closed += 1
            self._count.subtract(counted)
            for what in counted:
                if not self._count[what]:
                    del self._count[what]

    def _check(self, caps: list[Cap]) -> None:
        for cap in caps:
            if self._count[cap.what] >= cap.most:
                raise TooMuch(cap.why, most=cap.most)

    async def watch_silence(self) -> None:
        """Forever: whoever has said nothing for a while counts as away; those who are gone leave nothing behind."""
        silent = self._lobby.house.settings.silent
        while True:
            await asyncio.sleep(silent / 6)
            now = asyncio.get_running_loop().time()
            for socket in list(self._open):
                if not socket.away and now - socket.heard > silent:
                    socket.away = True
                    socket.table.gone_silent(socket)
            if self._closed > 100 + len(self._open):
                self._closed = 0
                gc.collect()  # a closed connection is a circle; looking for it takes time for each that is open

    async def take_leave(self, spread: float, patience: float) -> None:
        """Tells everybody to come again, one after another within `spread` seconds, and waits until they are gone."""
        here = list(self._open)
        async with asyncio.TaskGroup() as told:
            for number, socket in enumerate(here):
                told.create_task(socket.part(spread * number / len(here), patience))
        end = asyncio.get_running_loop().time() + patience
        while self._open and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(LOOK_AGAIN)

    async def watch_readers(self) -> None:
        """Forever: drops whoever takes nothing of what waits for it, also when that is little and the table quiet."""
        slow = self._lobby.house.settings.slow
        while True:
            await asyncio.sleep(slow / LOOKS)
            for number, socket in enumerate(list(self._open), 1):
                if socket.unread_for() > slow:
                    socket.drop()
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)

    def devices(self) -> list[bytes]:
        """The devices that are connected, by their hashed secrets."""
        return list({socket.device for socket in self._open if socket.device is not None})

    def sign_out(self, devices: Collection[bytes]) -> None:
        """These are nobody's any more."""
        for socket in list(self._open):
            if socket.device in devices:
                socket.drop()

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


async def deny(send: Send, refusal: Refusal, more: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Refuses a connection before it is accepted, with a sentence."""
    body = encode(Refused(refusal.key, refusal.facts, refusal.sentence))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "websocket.http.response.start", "status": status_of(refusal), "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
