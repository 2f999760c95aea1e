"""Short messages are read past the general parser, and only those: everything else goes the library's way."""

from __future__ import annotations

import asyncio
import os
from types import SimpleNamespace
from typing import Any, cast

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from ludoteca.server.frames import UNREAD, Frames, unmasked


def frame(payload: bytes, first: int = 0x81, mask: bytes = b"\x01\x02\x03\x04") -> bytes:
    """A frame as browsers send it."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2, "big")
    return bytes([first]) + length + mask + unmasked(mask, payload)


class Line:
    """A connection after the handshake, with what was read at a glance and what was left to the library."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: list[bytes] = []
        self.paused = 0
        monkeypatch.setattr(WebSocketsSansIOProtocol, "__init__", lambda _: None)
        monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", lambda _, data: self.left.append(data))
        self.protocol = Frames()
        self.protocol.handshake_complete, self.protocol.close_sent, self.protocol.read_paused = True, False, False
        self.protocol.frames, self.protocol.queue = [], asyncio.Queue()
        self.protocol.conn = cast(Any, SimpleNamespace(state=State.OPEN))
        self.protocol.transport = cast(Any, SimpleNamespace(pause_reading=self.pause))
        self.protocol.data_received(b"GET / HTTP/1.1\r\n\r\n")
        assert self.left.pop()

    def pause(self) -> None:
        self.paused += 1

    def read(self) -> list[str]:
        queue = self.protocol.queue
        return [cast(Any, queue.get_nowait())["text"] for _ in range(queue.qsize())]


def test_a_mask_is_taken_off_whatever_the_length() -> None:
    for size in (0, 1, 3, 4, 5, 125, 126, 1000):
        data, mask = os.urandom(size), os.urandom(4)
        assert unmasked(mask, data) == bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))


def test_whole_messages_of_text_are_read_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(monkeypatch)
    for text in ("", "«done»", "x" * 3000):
        line.protocol.data_received(frame(text.encode()))
        assert line.read() == [text] and not line.left
    unmasked_frame = b"\x81\x02hi"
    others = [
        frame(b"part", first=0x01),  # of a message in several frames
        frame(b"bytes", first=0x82),
        frame(b"", first=0x89),  # a ping
        frame(b"zipped", first=0xC1),
        frame(b"\xff\xff"),  # no text
        unmasked_frame,
    ]
    for other in others:
        line.protocol.data_received(other)
    assert line.left == others and line.read() == []


def test_a_frame_that_comes_in_pieces_is_the_librarys_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(monkeypatch)
    inner, whole = frame(b"inside"), frame(b"a" * 30 + frame(b"inside") + b"b" * 30)
    pieces = [whole[:38], whole[38 : 38 + len(inner)], whole[38 + len(inner) :]]
    for piece in pieces:  # the second looks like a frame of its own
        line.protocol.data_received(piece)
    assert line.left == pieces and line.read() == []
    line.protocol.data_received(frame(b"next"))
    assert line.read() == ["next"]


def test_within_a_message_of_several_frames_and_after_the_end_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(monkeypatch)
    line.protocol.frames = [b"begun"]
    line.protocol.data_received(frame(b"within"))
    line.protocol.frames = []
    line.protocol.conn.state = State.CLOSING
    line.protocol.data_received(frame(b"after"))
    assert len(line.left) == 2 and line.read() == []


def test_whoever_does_not_read_is_sent_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(monkeypatch)
    for n in range(UNREAD - 1):
        line.protocol.data_received(frame(b"%d" % n))
    before = line.paused
    line.protocol.data_received(frame(b"one more"))
    assert (before, line.paused, line.protocol.read_paused) == (0, 1, True)
