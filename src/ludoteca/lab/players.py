"""Players and spectators for measuring a server: bare websockets that read as little as they can.

They are Python too, and must not be what is measured: a message is looked at where its number stands, and read as JSON only
when its player has to decide.
"""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

import msgspec

SEATS = 4
PING_EVERY = 15.0
PATIENCE = 2.0  # seconds that a move which was late may take beyond the end
UPDATE = b'{"type":"update","seq":'
DONE = b'{"type":"done"'
REFUSED = b'{"type":"refused"'
NOT_ASKED = b'"choices":[]'


@dataclass
class Told:
    """What players have to tell."""

    moves: int = 0
    seen: list[float] = field(default_factory=list)  # seconds from when a move was due until the last player saw it
    stored: list[float] = field(default_factory=list)  # until it was acknowledged
    watched: list[float] = field(default_factory=list)  # until a spectator saw it
    dropped: int = 0  # sockets lost
    refused: int = 0


class Choice(msgspec.Struct):
    """As much of a choice as a player needs who takes any."""

    action: int


class Asked(msgspec.Struct):
    """As much of a position as a player needs who is asked."""

    choices: list[Choice] = []


understand = msgspec.json.Decoder(Asked).decode


class Line(asyncio.Protocol):
    """A websocket with next to nothing in it."""

    def __init__(self, desk: Desk, port: int, secret: str = "", invite: str = "") -> None:
        self.desk = desk
        self.seq = -1
        self.position = b""  # the last one, as it came
        self._open = False
        self._buffer = b""
        who = f"Authorization: Bearer {secret}" if secret else f"Origin: http://127.0.0.1:{port}"
        self._request = (
            f"GET /api/tables/{desk.table}/socket?since=0&invite={invite} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"{who}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    async def connect(self, port: int) -> Line:
        """Connects; the answer comes when it comes."""
        given = functools.partial(_given, self)
        await asyncio.get_running_loop().create_connection(given, "127.0.0.1", port)
        return self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request.encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.desk.closing:
            self.desk.told.dropped += 1

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            head, gap, buffer = buffer.partition(b"\r\n\r\n")
            if not gap:
                self._buffer = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head + buffer
            self._open = True
        at = 0
        while len(buffer) - at >= 2:
            opcode, size, start = buffer[at] & 15, buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if start > len(buffer) or start + size > len(buffer):
                break
            at = start + size
            if opcode == 1:
                self._heard(buffer[start:at])
            elif opcode == 9:
                self._frame(10, buffer[start:at])
        self._buffer = buffer[at:]

    def _heard(self, message: bytes) -> None:
        if message.startswith(UPDATE):
            self.seq = int(message[len(UPDATE) : message.index(b",", len(UPDATE))])
            self.position = message
            self.desk.saw(self)
        elif message.startswith(DONE):
            self.desk.stored()
        elif message.startswith(REFUSED):
            self.desk.refused()

    def choices(self) -> list[Choice]:
        """What this player may do now."""
        return [] if NOT_ASKED in self.position else understand(self.position).choices

    def send(self, message: str) -> None:
        """One message, unless the line is lost; masked with zeros, which is allowed and costs nothing."""
        if not self.transport.is_closing():
            self._frame(1, message.encode())

    def _frame(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        head = bytes([128 | opcode, 128 | size]) if size < 126 else bytes([128 | opcode, 254]) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + payload)


def _given(line: Line) -> Line:
    return line


class Spectator(Line):
    """Somebody who only watches."""

    def _heard(self, message: bytes) -> None:
        if message.startswith(UPDATE):
            self.seq = int(message[len(UPDATE) : message.index(b",", len(UPDATE))])
            self.desk.watched(self)


class Desk:
    """One table, seen from the players' side: makes a move whenever one is due."""

    def __init__(self, table: str, dice: random.Random) -> None:
        self.table = table
        self.told = Told()
        self.closing = False
        self.seq = -1
        self.arrived = 0  # players who have seen this position
        self.finished = False
        self.lines: list[Line] = []
        self.spectators: list[Line] = []
        self._dice = dice
        self._clock = asyncio.get_running_loop().time
        self._due = 0.0  # when the move in the air was due
        self._on_its_way = False
        self._waits: asyncio.Future[None] | None = None  # until everybody has seen the last move
        self._pinged, self._turn = 0.0, 0  # when somebody last pinged, and how many have

    async def sit(self, secrets: Sequence[str], port_of: Callable[[int], int]) -> None:
        """Four players connect, each to their server."""
        for seat, secret in enumerate(secrets):
            self.lines.append(await Line(self, port_of(seat), secret).connect(port_of(seat)))

    async def watch(self, count: int, invite: str, port: int) -> None:
        """So many spectators come."""
        for _ in range(count):
            self.spectators.append(await Spectator(self, port, invite=invite).connect(port))

    @property
    def settled(self) -> bool:
        """Whether everybody has seen the last move."""
        return not self._on_its_way and self.arrived >= len(self.lines)

    async def play(self, told: Told, start: float, end: float, every: float) -> None:
        """A move every so many seconds; what is late is done at once, but counted from when it was due."""
        self.told = told
        due, self._pinged = start + self._dice.random() * every, start
        while due < end and not self.finished:
            await asyncio.sleep(max(0.0, due - self._clock()))
            if not await self._settle(end + PATIENCE):
                return
            self._ping()
            self._decide(due)
            due += every

    async def _settle(self, latest: float) -> bool:
        """Waits until everybody has seen the last move, up to that time; whether they have."""
        if not self.settled:
            loop = asyncio.get_running_loop()
            self._waits = loop.create_future()
            timer = loop.call_at(latest, self._go_on)
            await self._waits
            timer.cancel()
        return self.settled

    def _go_on(self) -> None:
        if self._waits is not None:
            self._waits.set_result(None)
            self._waits = None

    def _ping(self) -> None:
        """Everybody now and then, one after the other: pages do not ping at the same moment."""
        everybody = [*self.lines, *self.spectators]
        pause = PING_EVERY / len(everybody)
        while self._pinged + pause < self._clock():
            self._pinged += pause
            self._turn += 1
            everybody[self._turn % len(everybody)].send(f'{{"type":"ping","at":{self.seq}}}')

    def _decide(self, due: float) -> None:
        for line in self.lines:
            choices = line.choices()
            if choices:
                action = self._dice.choice(choices).action
                self._due, self._on_its_way = due, True
                line.send(f'{{"type":"do","id":"{self._dice.getrandbits(64):x}","action":{action},"at":{self.seq}}}')
                return
        self.finished = True

    def saw(self, line: Line) -> None:
        """A player sees a position."""
        if line.seq > self.seq:
            self.seq, self.arrived = line.seq, 0
        self.arrived += line.seq == self.seq
        if self.arrived == len(self.lines) and self._on_its_way:
            self._on_its_way = False
            self.told.moves += 1
            self.told.seen.append(self._clock() - self._due)
            self._go_on()

    def watched(self, line: Line) -> None:
        """A spectator sees a position."""
        if self._due and line.seq == self.seq:
            self.told.watched.append(self._clock() - self._due)

    def stored(self) -> None:
        """The last move is acknowledged."""
        self.told.stored.append(self._clock() - self._due)

    def refused(self) -> None:
        """The last move was refused."""
        self.told.refused += 1
        self._on_its_way = False
        if self.settled:
            self._go_on()

    def leave(self) -> None:
        """Everybody goes."""
        self.closing = True
        for line in (*self.lines, *self.spectators):
            line.transport.abort()
