"""For all tests: Postgres and Redis, where the machine has them.

A test that asks for `postgres` or `redis` gets the address of a fresh one. Without the packages it is skipped, which is said
loudly at the end; where `CI=true` it fails, so that nobody believes it has run.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services import LEFT_OUT, Postgres, Redis, need


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A Postgres for all tests of this worker: quick, because no test pulls the plug."""
    need("postgresql")
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def postgres(postgres_server: Postgres) -> Iterator[str]:
    """The address of an empty database, for one test."""
    url = postgres_server.create()
    yield url
    postgres_server.drop(url)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """A Redis for all tests of this worker."""
    need("redis-server")
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def redis(redis_server: Redis) -> str:
    """The address of an empty Redis, for one test."""
    redis_server.empty()
    return redis_server.url


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was left out, and why, where nobody can miss it."""
    reasons = [str(report.longrepr[-1]) for report in terminalreporter.stats.get("skipped", []) if report.longrepr]
    for reason in sorted({reason for reason in reasons if LEFT_OUT in reason}):
        count = reasons.count(reason)
        terminalreporter.write_line(f"{reason.removeprefix('Skipped: ')}: {count} tests", red=True, bold=True)
