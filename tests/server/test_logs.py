"""What is written about the house: with time and level; and what clients do wrong is their fault, not an error of ours."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import pathlib
import re
from collections.abc import Iterator

import pytest
from uvicorn.protocols.http import h11_impl
from uvicorn.protocols.websockets import websockets_sansio_impl

from ludoteca.core.errors import BadData
from ludoteca.server import logs
from server.house import PATIENCE, house, run, two_at_a_table

SOCKET = (
    "GET /api/tables/{table}/socket HTTP/1.1\r\n{who}Upgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CLIENTS: dict[str, tuple[str, bytes]] = {
    "half a body": ("POST /api/tables HTTP/1.1\r\n{who}Content-Length: 500\r\n\r\n", b"{"),
    "no request": ("", b"\x00\x01\x02 nonsense\r\n\r\n"),
    "a bad length": ("POST /api/me HTTP/1.1\r\n{who}Content-Length: x\r\n\r\n", b""),
    "a bad chunk": ("POST /api/me HTTP/1.1\r\n{who}Transfer-Encoding: chunked\r\n\r\n", b"ZZ\r\n"),
    "a strange path": ("GET /api/tables/%ff%00 HTTP/1.1\r\n{who}\r\n", b""),
    "a stranger path": ("", b"GET /api/\xff\xfe HTTP/1.1\r\n\r\n"),
    "a request that goes on for ever": ("", b"GET /" + b"x" * 70000 + b" HTTP/1.1\r\n\r\n"),
    "a surrogate": ("POST /api/me HTTP/1.1\r\n{who}Content-Length: 17\r\n\r\n", b'{"name":"\\ud800"}'),
    "an origin that is none": ("POST /api/me HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://[\r\n\r\n", b""),
    "frames before the handshake": (SOCKET, b"\xff" * 300),
    "no mask": (SOCKET, b"\x81\x04abcd"),
    "no UTF-8": (SOCKET, b"\x81\x84\0\0\0\0\xff\xfe\xff\xfe"),
    "no key": (
        "GET /api/tables/{table}/socket HTTP/1.1\r\n{who}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"",
    ),
}
AFTER_THE_HANDSHAKE = (b"\xff" * 300, b"\x81\x04abcd", b"\x81\x84\0\0\0\0\xff\xfe\xff\xfe")


@pytest.fixture
def as_a_server() -> Iterator[None]:
    logger, theirs = logging.getLogger("uvicorn.error"), logs.TheirFault()
    logger.addFilter(theirs)
    yield
    logger.removeFilter(theirs)


def test_what_uvicorn_says_of_bad_clients_is_what_we_listen_for() -> None:
    said = inspect.getsource(h11_impl) + inspect.getsource(websockets_sansio_impl)
    assert [words for words in logs.THEIR_FAULT if f'"{words}' not in said] == []


async def send(port: int, data: bytes, more: bytes = b"") -> None:
    """Says something, hears something, and is gone."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    await writer.drain()
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        async with asyncio.timeout(PATIENCE):
            if more:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(more)
            await reader.read()  # until the house has dealt with it, and closes: at the latest for want of patience
    writer.transport.abort()


@pytest.mark.usefixtures("as_a_server")
def test_no_client_makes_a_traceback(tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with house(tmp_path, request_patience=1.0) as h:
            anna, _, info, a, _ = await two_at_a_table(h)
            who = f"Host: 127.0.0.1:{h.port}\r\nOrigin: {h.origin}\r\nCookie: ludoteca={anna.secret}\r\n"
            for name, (head, rest) in CLIENTS.items():
                said = head.format(table=info["id"], who=who, port=h.port).encode() + rest
                await send(h.port, said)
                check(caplog, name)
            for rest in AFTER_THE_HANDSHAKE:
                await send(h.port, SOCKET.format(table=info["id"], who=who).encode(), rest)
                check(caplog, repr(rest[:8]))
            await a.send(type="ping", at=0)  # nobody else is affected
            await a.next("pong")
        check(caplog, "the end")

    run(scene())


def check(caplog: pytest.LogCaptureFixture, name: str) -> None:
    loud = [r for r in caplog.records if r.exc_info or r.levelno >= logging.WARNING]
    assert not loud, f"after {name}: {loud[0].getMessage()}"


def test_lines_have_time_level_and_source(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    root, ours, uvicorn = logging.getLogger(), logging.getLogger("ludoteca"), logging.getLogger("uvicorn.error")
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(ours, "level", ours.level)
    monkeypatch.setattr(uvicorn, "filters", [])
    logs.set_up("info")
    logging.getLogger("ludoteca.lobby").info("Hello.")
    uvicorn.warning("Invalid HTTP request received.")
    lines = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} INFO ludoteca.lobby: Hello.", lines[0])
    assert lines[1].endswith("INFO ludoteca.door: Invalid HTTP request received.")
    ours.setLevel(logging.NOTSET)
    with pytest.raises(BadData, match="LUDOTECA_LOG can be debug"):
        logs.set_up("loud")
