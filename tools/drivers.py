"""Two drivers of Postgres side by side, with the house's own statement: `python tools/drivers.py` (needs asyncpg too).

What a commit of the store does (`server/appending.py`) is done by psycopg in a thread, as the store does it, and by
asyncpg in an event loop, in turns and on one Postgres of our own: decisions of so many tables in one transaction, one
transaction after the other. Told are the decisions a second on the clock, and what one costs the server's core. The choice
is decision 0010.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sys
import time
from collections.abc import Callable, Iterator

import asyncpg
import psycopg

from ludoteca.lab import postgres
from ludoteca.lab.machine import OF_POSTGRES
from ludoteca.server.appending import _APPEND, NAMES
from ludoteca.server.postgres import Postgres, in_its_words

SIZES = (1, 8, 64)  # decisions in one transaction
SECONDS = 3.0  # for each driver and size
ROUNDS = 3  # the best of so many, in turns
TABLES = max(SIZES)
COLUMNS = (
    "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'tables' AND is_nullable = 'NO'"
)


def laid(address: str) -> None:
    """The tables of a house, with as many games in play as one transaction has decisions."""
    Postgres(address).close()  # makes the tables
    with psycopg.connect(address, autocommit=True) as connection:
        needed: dict[str, str] = dict(connection.execute(COLUMNS).fetchall())
        for number in range(TABLES):
            row = {name: "" if kind == "text" else b"" if kind == "bytea" else 0 for name, kind in needed.items()}
            row |= {"id": f"table {number}", "phase": "playing", "seq": 0}
            signs = ", ".join(["%s"] * len(row))
            connection.execute(f"INSERT INTO tables ({', '.join(row)}) VALUES ({signs})", list(row.values()))


def batches(size: int) -> Iterator[tuple[str, str]]:
    """One transaction's decisions after the other, each the next of its table."""
    for seq in itertools.count(1):
        tables = [f"table {number}" for number in range(size)]
        at = time.time()
        given = [
            {
                "id": id,
                "before": seq - 1,
                "seq": seq,
                "waiting": 2,
                "phase": "playing",
                "at": at,
                "command": f"{id} {seq}",
            }
            for id in tables
        ]
        rows = [dict(zip(NAMES, [id, seq, 1, 7, f"{id} {seq}", at, 0, "00" * 8, "00" * 32, None])) for id in tables]
        yield json.dumps(given), json.dumps(rows)


def fresh(own: postgres.Running) -> str:
    """The address of a house where nothing has been played."""
    address = own.new()
    laid(address)
    return address


def by_psycopg(address: str, size: int) -> int:
    """How many transactions were made."""
    statement, made = in_its_words(_APPEND), 0
    with psycopg.connect(address, autocommit=True) as connection:
        end = time.perf_counter() + SECONDS
        for batch in batches(size):
            with connection.transaction():
                assert len(connection.execute(statement, batch).fetchall()) == size
            made += 1
            if time.perf_counter() > end:
                return made
    raise AssertionError


def by_asyncpg(address: str, size: int) -> int:
    """How many transactions were made."""
    numbers = itertools.count(1)
    statement = re.sub(r"\?", lambda _: f"${next(numbers)}", _APPEND)

    async def run() -> int:
        connection, made = await asyncpg.connect(address), 0
        end = time.perf_counter() + SECONDS
        for batch in batches(size):
            async with connection.transaction():
                assert len(await connection.fetch(statement, *batch)) == size
            made += 1
            if time.perf_counter() > end:
                break
        await connection.close()
        return made

    return asyncio.run(run())


DRIVERS: dict[str, Callable[[str, int], int]] = {"psycopg": by_psycopg, "asyncpg": by_asyncpg}


def main() -> None:
    """The table."""
    with postgres.running("", OF_POSTGRES) as own:
        if own is None:
            sys.exit("Postgres is not installed.")
        for size in SIZES:
            best: dict[str, tuple[float, float]] = {}
            for _, (name, driver) in itertools.product(range(ROUNDS), DRIVERS.items()):
                address = fresh(own)
                began, core = time.perf_counter(), time.process_time()
                made = driver(address, size) * size
                speed, cost = made / (time.perf_counter() - began), (time.process_time() - core) / made
                before = best.get(name, (0.0, 1.0))
                best[name] = (max(before[0], speed), min(before[1], cost))
            for name, (speed, cost) in best.items():
                print(
                    f"{size:3} in a transaction, {name}: {speed:7,.0f} decisions/s, {cost * 1e6:4.0f} µs of our core each"
                )


if __name__ == "__main__":
    main()
