"""A Postgres of our own for measuring: from the machine's packages, in a folder of its own, on a free port of loopback.

    with running("", core) as own:          # None where Postgres is not installed
        address = own.new()

It keeps every promise about the disk, as one that is served from would, and is gone afterwards with all it has written.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .machine import children, pin, processor_time

PATIENCE = 30.0  # seconds in which it must come up or go down
OF_DEBIAN = "/usr/lib/postgresql"  # the programs are not in the path there, but in a folder for each version


def program(name: str) -> str | None:
    """Where one of Postgres' programs is; of the newest version, if there are several."""
    folders = sorted(pathlib.Path(OF_DEBIAN).glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    return next((str(folder / name) for folder in folders if (folder / name).exists()), shutil.which(name))


@dataclass
class Running:
    """A Postgres that runs."""

    address: str  # of a database in which others can be made
    process: int | None = None  # if it is our own

    def new(self) -> str:
        """A new, empty database; its address."""
        import psycopg

        name = f"ludoteca_{secrets.token_hex(4)}"
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return urllib.parse.urlsplit(self.address)._replace(path=f"/{name}").geturl()

    def cpu(self) -> float:
        """Seconds of processor time that it has had so far, as far as its processes are still there."""
        if self.process is None:
            return 0.0
        return sum(map(processor_time, [self.process, *children(self.process)]))


@contextlib.contextmanager
def running(address: str, core: int) -> Iterator[Running | None]:
    """The Postgres with that address; without one, one of our own on that core, if the machine has the programs."""
    if address:
        yield Running(address)
    elif program("postgres") is None or program("initdb") is None:
        yield None
    else:
        place = tempfile.TemporaryDirectory(prefix="ludoteca-postgres-", ignore_cleanup_errors=True)
        with place as folder, _started(pathlib.Path(folder), core) as own:
            yield own


@contextlib.contextmanager
def _started(folder: pathlib.Path, core: int) -> Iterator[Running]:
    password, data = secrets.token_urlsafe(12), folder / "data"
    (folder / "password").write_text(password)
    user = _user()
    if user:
        for path in (folder, folder / "password"):
            shutil.chown(path, user)
    made = [str(program("initdb")), "--pgdata", str(data), "--username", "ludoteca", "--encoding", "UTF8"]
    made += ["--pwfile", str(folder / "password"), "--auth", "scram-sha-256", "--locale", "C.UTF-8", "--no-sync"]
    subprocess.run(_as(user, made), cwd=folder, check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(program("postgres")), "-D", str(data), "-c", "listen_addresses=127.0.0.1", "-c", f"port={port}"]
    command += ["-c", f"unix_socket_directories={folder}", "-c", "max_connections=50"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(_as(user, command), cwd=folder, stdout=log, stderr=log)
    try:
        pin(core, process.pid)  # before it has children: they inherit it
        own = Running(f"postgresql://ludoteca:{password}@127.0.0.1:{port}/postgres", process.pid)
        _await(own.address, process)
        yield own
    finally:
        process.send_signal(signal.SIGINT)  # whoever is connected is sent away
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _user() -> str | None:
    """Postgres does not run as root: another user's name, if we are."""
    if os.geteuid() != 0:
        return None
    return "postgres" if "postgres" in {user.pw_name for user in pwd.getpwall()} else "nobody"


def _as(user: str | None, command: Sequence[str]) -> list[str]:
    """A command that ends with us, however we end, where the system can see to that."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return list(command)
    become = ["--reuid", user, "--regid", str(pwd.getpwnam(user).pw_gid), "--clear-groups"] if user else []
    return [setpriv, *become, "--pdeathsig", "INT", "--", *command]


def _await(address: str, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    end = time.monotonic() + PATIENCE
    while True:
        try:
            with psycopg.connect(address, connect_timeout=2):
                return
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.1)
