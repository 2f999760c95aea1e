"""The short form of `make cluster`: two servers, thirty people, three times `kill -9`, a bus restarted, a server drained."""

from __future__ import annotations

import asyncio
import pathlib
import sys

import pytest

from cluster.__main__ import PACKAGES, errors_in, remarks, report, run
from cluster.bus import Way
from cluster.checks import Books, gaps, lost_or_doubled
from cluster.disturbances import Outcome
from cluster.witness import Acknowledged, Witness
from ludoteca.lab.load import raise_limit
from services import need

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes, and comes from many addresses")


def test_the_house_outlives_its_servers() -> None:
    need(*PACKAGES)
    raise_limit()
    rows, field = asyncio.run(run(quick=True))
    assert all(outcome.held for *_, outcome in rows), f"{report(rows)}\n{remarks(field)}"


# The harness itself: it must see what is wrong.


def update(seq: int, *events: int, fresh: bool = False, waiting: int = 0) -> dict[str, object]:
    """A position as the server tells it."""
    facts = [{"n": n, "kind": "taken", "seat": 0} for n in events]
    return {"seq": seq, "events": facts, "fresh": fresh, "waiting": [waiting], "result": None}


def test_a_gap_in_what_is_told_is_seen() -> None:
    witness = Witness()
    anna = witness.watch("table", "splendor", "Anna")
    anna.connected("server-1")
    anna.updated(update(1, 1, fresh=True))
    anna.updated(update(3, 3))
    assert any("fact 3 after 1" in sentence for sentence in witness.contradictions)


def test_a_fact_told_twice_is_seen() -> None:
    witness = Witness()
    anna = witness.watch("table", "splendor", "Anna")
    anna.connected("server-1")
    anna.updated(update(1, 1, fresh=True))
    anna.updated(update(2, 1, 2))
    assert any("fact 1 again" in sentence for sentence in witness.contradictions)


def test_who_comes_back_is_told_what_they_missed_and_no_more() -> None:
    witness = Witness()
    anna = witness.watch("table", "splendor", "Anna")
    anna.connected("server-1")
    anna.updated(update(1, 1, fresh=True))
    anna.connected("server-2")
    anna.updated(update(3, 2, 3, fresh=True))
    anna.updated(update(4, 4))
    assert witness.contradictions == [] and anna.seq == 4


def test_two_who_are_told_different_stories_are_seen() -> None:
    witness = Witness()
    for who, told in (("Anna", (1, 2)), ("Bruno", (1,))):
        watching = witness.watch("table", "splendor", who)
        watching.connected("server-1")
        watching.updated(update(2, *told, fresh=True))
    assert any("1 facts, others had 2" in sentence for sentence in witness.contradictions)


def test_what_is_lost_doubled_or_missing_in_the_store_is_seen(tmp_path: pathlib.Path) -> None:
    import sqlite3

    database = str(tmp_path / "games.db")
    with sqlite3.connect(database) as db:
        db.execute("CREATE TABLE tables (id, seq)")
        db.execute("CREATE TABLE decisions (table_id, seq, command, step)")
        db.execute("CREATE TABLE screened (table_id, command, seq)")
        db.execute("INSERT INTO tables VALUES ('whole', 3), ('gap', 2)")
        rows = [("whole", 1, "a", 0), ("whole", 2, None, 1), ("whole", 3, "b", 0), ("gap", 2, "c", 0)]
        db.executemany("INSERT INTO decisions VALUES (?, ?, ?, ?)", rows)
        db.execute("INSERT INTO screened VALUES ('whole', 'b', 3)")
    db.close()
    books = Books(database)
    assert gaps(books) == ["gap: 1 steps from 2 to 2, noted are 2"]

    def fate(table: str, command: str, seq: int) -> str:
        return " ".join(lost_or_doubled(books, [Acknowledged(table, command, seq, 0.0)]))

    assert fate("whole", "a", 2) == ""  # of two steps
    assert "doubled" in fate("whole", "b", 3)
    assert "lost" in fate("whole", "z", 4)
    assert "answered as 1, stored as 2" in fate("gap", "c", 1)


def test_a_way_that_is_cut_keeps_what_is_sent_until_it_is_mended() -> None:
    async def scene() -> None:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(100):
                writer.write(data)
            writer.close()

        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        way = Way(server.sockets[0].getsockname()[1])
        await way.open()
        reader, writer = await asyncio.open_connection("127.0.0.1", way.port)
        writer.write(b"one")
        assert await reader.readexactly(3) == b"one"
        way.cut()
        writer.write(b"two")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await reader.readexactly(3)
        way.mend()
        assert await reader.readexactly(3) == b"two"
        writer.close()
        await way.close()
        server.close()

    asyncio.run(scene())


def test_the_report_says_what_fell_and_what_servers_complained_about() -> None:
    table = report([("a server dies", "nothing is lost", Outcome("1 lost", False))])
    assert "FELL" in table and "0 of 1 held" in table
    logs = "2026-01-01T00:00:00 ERROR ludoteca.bots: It failed.\nTraceback\n  deep down\nValueError: no\n"
    assert errors_in(logs * 2) == {"ERROR ludoteca.bots: It failed. · ValueError: no": 2}
