"""Websocket frames on their way in: a short message that comes whole, as nearly all do, is read past the general parser.

The parser of the websockets library knows fragments, control frames and every way to be wrong, and takes longer for a short
message than the rules for a move. The door (`door.py`) passes on whole frames where they are short, so most of them can be
told at a glance: final, of text, masked, complete. Everything else goes the library's way.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from .door import frame_head

FINAL_TEXT = 0x81  # the first byte of a whole message of text (RFC 6455, 5.2)
MASKED = 0x80  # of the second byte: as browsers send
UNREAD = 2  # messages that may wait before no more is read


class Frames(WebSocketsSansIOProtocol):
    """uvicorn's protocol with a short way for short messages."""

    def __init__(self, *arguments: Any, **given: Any) -> None:
        super().__init__(*arguments, **given)
        self._upgraded = False  # the head of the request has come: after it there are frames
        self._left = 0  # bytes that the frame which is being passed on still has

    def data_received(self, data: bytes) -> None:
        """What the door passes on: the handshake, then frames, each whole or in pieces, of which the first has its head."""
        if not self._upgraded:
            self._upgraded = True
        elif self._left:
            self._left -= len(data)
        elif (head := frame_head(data)) is not None:
            start, size = head
            self._left = start + size - len(data)
            if not self._left and data[0] == FINAL_TEXT and data[1] & MASKED and self._takes(data, start):
                return
        super().data_received(data)

    def _takes(self, data: bytes, start: int) -> bool:
        """Reads a whole message; not within a fragmented one, after the end, or if it is no text."""
        if not self.handshake_complete or self.frames or self.close_sent or self.conn.state is not State.OPEN:
            return False
        try:
            text = unmasked(data[start - 4 : start], data[start:]).decode()
        except UnicodeDecodeError:
            return False
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.queue.qsize() >= UNREAD:
            self.read_paused = True
            self.transport.pause_reading()
        return True


def unmasked(mask: bytes, data: bytes) -> bytes:
    """What was masked with these four bytes, again and again."""
    size = len(data)
    key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(data, "big") ^ key).to_bytes(size, "big")
