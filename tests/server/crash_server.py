"""A server made to be killed: forks a new one for each line it reads, so that starting again takes no time.

Not a test itself; `test_crash.py` runs it. The listening socket belongs to this parent and outlives every child.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys

import uvicorn

from ludoteca.server import sockets
from ludoteca.server.app import configured, create_app
from ludoteca.server.settings import Settings
from server.house import threads

sockets.LIMITS = ((10**6, 1.0), (10**6, 1.0))


def serve(listening: socket.socket, database: str) -> None:
    settings = Settings(database=database, warmup=False, bot_pause=0.0, guests_a_minute=10**6)
    app = create_app(settings, threads)
    asyncio.run(uvicorn.Server(configured(app, settings)).serve(sockets=[listening]))


def main(database: str) -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(256)
    configured(create_app(Settings(database=database)), Settings()).load()  # games and modules are read once, for all
    print(listening.getsockname()[1], flush=True)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            serve(listening, database)
            os._exit(0)
        print(child, flush=True)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1])
