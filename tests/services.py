"""Postgres and Redis for tests: real ones from the machine's packages, each in its own folder, on a free port of loopback.

The fixtures `postgres` and `redis` (in `conftest.py`) give a test the address of a fresh, empty database on a server that is
started once for each worker. `make cluster` starts, stops and kills servers of its own with the same classes.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

if sys.platform != "win32":
    import pwd

PATIENCE = 30.0  # seconds in which a service must come up or go down


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


# ── What the machine has ─────────────────────────────────────


def program(name: str) -> str | None:
    """Where a service's program is; Debian keeps Postgres' own out of the path, in a folder for each version."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/sbin")
    if found is None:
        versions = pathlib.Path("/usr/lib/postgresql").glob("*/bin")
        for folder in sorted(versions, key=lambda path: int(path.parent.name), reverse=True):
            if (folder / name).exists():
                return str(folder / name)
    return found


PACKAGES = {"postgresql": "postgres", "redis-server": "redis-server", "haproxy": "haproxy"}  # Debian's, and its program


def missing(*packages: str) -> list[str]:
    """Which of these packages are not installed."""
    return [package for package in packages if program(PACKAGES[package]) is None]


LEFT_OUT = "LEFT OUT"  # how the reason begins for which a test is skipped; `conftest.py` repeats it at the end


def why_not(*packages: str) -> str | None:
    """Why a test that needs these packages cannot run here, or nothing if it can."""
    gone = missing(*packages)
    if not gone:
        return None
    return f"{LEFT_OUT}: there is no {' and no '.join(gone)} on this machine (apt-get install {' '.join(gone)})"


def need(*packages: str) -> None:
    """Leaves a test out where these packages are not installed; in CI that is a failure."""
    import pytest

    if reason := why_not(*packages):
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


def need_all(*packages: str) -> None:
    """As `need`, for a command: says what is missing, and ends; with an error in CI."""
    if reason := why_not(*packages):
        print(reason, file=sys.stderr)
        raise SystemExit(1 if os.environ.get("CI") == "true" else 0)


# ── A process that does not outlive us ───────────────────────


def bound_to_us(command: Sequence[str], farewell: signal.Signals, user: str | None = None) -> list[str]:
    """That command, ended by the system when the thread that starts it ends, even by `kill -9`."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return list(command)
    become = ["--reuid", user, "--regid", str(pwd.getpwnam(user).pw_gid), "--clear-groups"] if user else []
    return [setpriv, *become, "--pdeathsig", farewell.name.removeprefix("SIG"), "--", *command]


class Service:
    """A program that listens on a port, with its folder and its log."""

    name = "service"
    polite = signal.SIGTERM  # what asks it to end

    def __init__(self, **environment: str) -> None:
        self.environment = environment  # beside ours
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"ludoteca-{self.name}-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> pathlib.Path:
        """Where it writes what it has to say."""
        return self.folder / f"{self.name}.log"

    def command(self) -> list[str]:
        """How it is started."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether it is up."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1.0):
            return True
        return False

    def start(self) -> None:
        """Starts it and waits until it answers."""
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Starts it, without waiting."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, cwd=self.folder, env=os.environ | self.environment
            )

    def wait(self) -> None:
        """Waits until it answers."""
        end = time.monotonic() + PATIENCE
        while not self.answers():
            if self.process is None or self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{self.name} did not start: {self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.02)

    def stop(self, how: signal.Signals | None = None) -> None:
        """Ends it: politely, or as told; whoever does not go is killed."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(how or self.polite)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def close(self) -> None:
        """Ends it for good, with everything it has written."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


# ── Postgres ─────────────────────────────────────────────────


class Postgres(Service):
    """A Postgres of its own; `durable` keeps every promise about the disk, otherwise it is quick and forgetful."""

    name = "postgres"
    polite = signal.SIGINT  # «fast»: whoever is connected is sent away

    def __init__(self, durable: bool = False) -> None:
        super().__init__()
        self._durable = durable
        self._password = secrets.token_urlsafe(12)
        self._numbers = itertools.count(1)
        # Postgres does not run as root.
        users = {user.pw_name for user in pwd.getpwall()}
        self._user = ("postgres" if "postgres" in users else "nobody") if os.geteuid() == 0 else None
        self._initialise()

    def _initialise(self) -> None:
        password = self.folder / "password"
        password.write_text(self._password)
        if self._user:
            for path in (self.folder, password):
                shutil.chown(path, self._user)
        command = [self._program("initdb"), "--pgdata", str(self.folder / "data"), "--username", "ludoteca"]
        command += ["--pwfile", str(password), "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8"]
        command += ["--no-sync"]
        made = subprocess.run(
            bound_to_us(command, signal.SIGKILL, self._user), cwd=self.folder, capture_output=True, check=False
        )
        if made.returncode:
            raise RuntimeError(f"initdb: {made.stderr.decode(errors='replace')[-2000:]}")

    def _program(self, name: str) -> str:
        found = program(name)
        assert found is not None, f"no {name} on this machine"
        return found

    def command(self) -> list[str]:
        promise = "on" if self._durable else "off"
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": str(self.folder),
            "max_connections": 200,
            "fsync": promise,
            "full_page_writes": promise,
            "synchronous_commit": "on",
        }
        command = [self._program("postgres"), "-D", str(self.folder / "data")]
        for key, value in settings.items():
            command += ["-c", f"{key}={value}"]
        return bound_to_us(command, signal.SIGINT, self._user)

    def answers(self) -> bool:
        if not super().answers():
            return False
        import psycopg

        try:
            with psycopg.connect(self.url("postgres"), connect_timeout=2):
                return True
        except psycopg.Error:
            return False  # it listens, but is still busy with what it did not finish the last time

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://ludoteca:{self._password}@127.0.0.1:{self.port}/{database}"

    def create(self) -> str:
        """A fresh, empty database; its address."""
        name = f"house_{next(self._numbers)}"
        self._administer(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Deletes a database; whoever is connected is sent away."""
        self._administer(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def _administer(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)


# ── Redis ────────────────────────────────────────────────────


class Redis(Service):
    """Keeps nothing on the disk: to us it is a bus, not a store."""

    name = "redis"

    def command(self) -> list[str]:
        found = program("redis-server")
        assert found is not None, "no redis-server on this machine"
        command = [found, "--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder)]
        command += ["--save", "", "--appendonly", "no", "--daemonize", "no", "--maxmemory", "256mb"]
        return bound_to_us(command, signal.SIGKILL)

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1.0) as line:
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def empty(self) -> None:
        """Forgets everything."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line:
            line.sendall(b"FLUSHALL\r\n")
            line.recv(16)
