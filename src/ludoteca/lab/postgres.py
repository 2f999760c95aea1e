"""A Postgres of our own for measuring: from the machine's packages, in a folder of its own, on a free port of loopback.

    with started() as address:          # None where Postgres is not installed
        ...

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
from collections.abc import Iterator, Sequence

PATIENCE = 30.0  # seconds in which it must come up or go down
OF_DEBIAN = "/usr/lib/postgresql"  # the programs are not in the path there, but in a folder for each version


def program(name: str) -> str | None:
    """Where one of Postgres' programs is; of the newest version, if there are several."""
    folders = sorted(pathlib.Path(OF_DEBIAN).glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    return next((str(folder / name) for folder in folders if (folder / name).exists()), shutil.which(name))


@contextlib.contextmanager
def started(beside: str | None = None, core: int | None = None) -> Iterator[str | None]:
    """Runs a Postgres, on that core, with its folder beside the others there; the address of an empty database."""
    if program("postgres") is None or program("initdb") is None:
        yield None
        return
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ludoteca-postgres-", dir=beside))
    try:
        with _running(folder, core) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _running(folder: pathlib.Path, core: int | None) -> Iterator[str]:
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
        if core is not None and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(process.pid, {core})  # before it has children: they inherit it
        address = f"postgresql://ludoteca:{password}@127.0.0.1:{port}/postgres"
        _await(address, process)
        yield address
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


def processor_time() -> float:
    """Seconds of processor time that Postgres' processes of this machine have had so far."""
    ticks = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, fields = stat.read_text().rsplit(")", 1)
            if name.endswith("(postgres"):
                ticks += int(fields.split()[11]) + int(fields.split()[12])
    return ticks / os.sysconf("SC_CLK_TCK")
