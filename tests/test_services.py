"""The services that tests stand on: fresh each time, and gone at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

import services
from services import Postgres, Redis, need


def test_every_test_gets_an_empty_database(postgres_server: Postgres) -> None:
    psycopg = pytest.importorskip("psycopg")
    first, second = postgres_server.create(), postgres_server.create()
    with psycopg.connect(first) as connection:
        connection.execute("CREATE TABLE mine (n INTEGER)")
    with psycopg.connect(second) as connection:
        assert connection.execute("SELECT to_regclass('mine')").fetchone() == (None,)
    for url in (first, second):
        postgres_server.drop(url)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(first)


def test_a_durable_postgres_keeps_what_was_committed_through_kill_minus_nine() -> None:
    need("postgresql")
    psycopg = pytest.importorskip("psycopg")
    server = Postgres(durable=True)
    try:
        server.start()
        url = server.create()
        with psycopg.connect(url) as connection:
            assert connection.execute("SHOW fsync").fetchone() == ("on",)
            assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
            connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
        server.stop(signal.SIGQUIT)  # «immediate»: as a crash
        server.start()
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT n FROM kept").fetchone() == (7,)
    finally:
        server.close()
    assert not server.folder.exists()


def test_redis_is_empty_for_each_test(redis: str, redis_server: Redis) -> None:
    client = pytest.importorskip("redis").Redis.from_url(redis)
    client.set("key", "value")
    redis_server.empty()
    assert client.get("key") is None
    client.close()


STARTS_ONE = """
import services, time
server = services.Redis()
server.start()
print(server.process.pid, server.folder, flush=True)
time.sleep(60)
"""


def test_a_service_ends_with_who_started_it_even_by_kill_minus_nine() -> None:
    need("redis-server")
    path = os.pathsep.join(filter(None, sys.path))
    parent = subprocess.Popen(
        [sys.executable, "-c", STARTS_ONE], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert parent.stdout is not None
    pid, _, folder = parent.stdout.readline().partition(" ")
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 10
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.02)
    assert not os.path.exists(f"/proc/{pid}")
    subprocess.run(["rm", "-r", folder.strip()], check=True)


def test_without_the_packages_a_test_is_left_out_and_fails_only_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "program", lambda name: None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"LEFT OUT: there is no postgresql and no redis-server"):
        need("postgresql", "redis-server")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="LEFT OUT"):
        need("postgresql")
