"""Whether anybody can listen where the settings say, before anything is promised."""

from __future__ import annotations

import errno
import socket

from ludoteca.core.errors import BadData

LAST = 65535


def check_port(host: str, port: int) -> None:
    """Refuses, with a sentence, an address where nobody can listen."""
    if not 0 <= port <= LAST:  # some systems would take what is left of it after 65536, and listen elsewhere
        raise BadData(
            f"There is no port {port}: ports are numbers from 1 to {LAST}, or 0 for any free one.", "bad_setting"
        )
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(found[0], socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(found[4])
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BadData(
                f"Port {port} is taken by another program: choose another one with --port.", "port_taken"
            ) from None
        raise BadData(f"Nobody can listen at {host}, port {port}: {error.strerror or error}.", "bad_setting") from None
