"""`ludoteca backup`: a copy of a house while it is open, whole and of one moment."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator

import pytest

from ludoteca.cli import main
from ludoteca.server import backup, queries
from ludoteca.server.store import Store
from server.house import house, play, run, two_at_a_table
from server.test_store import make_file, table_row

COLUMNS = "table_id, seq, seat, action, command, at, step, trace, hash"


def journals(path: pathlib.Path) -> dict[str, list[tuple[object, ...]]]:
    """Every journal of a file, with all columns."""
    found: dict[str, list[tuple[object, ...]]] = {}
    with contextlib.closing(sqlite3.connect(path)) as db:
        for row in db.execute(f"SELECT {COLUMNS} FROM decisions ORDER BY table_id, seq"):
            found.setdefault(row[0], []).append(row)
    return found


@contextlib.contextmanager
def busy(path: pathlib.Path, tables: int) -> Iterator[list[int]]:
    """A house in which decisions are stored at every table as fast as the disk allows; how many so far."""
    stored, over = [0], threading.Event()

    async def write_on() -> None:
        kept = Store(path)
        for n in range(tables):
            await kept.write(queries.add_table, table_row(f"t{n}"), b"secret")
            await kept.write(queries.start_table, table_row(f"t{n}"), 42, 1, 2.0)

        async def play_on(id: str) -> None:
            seq = 0
            while not over.is_set():
                name = f"{id} {seq}" + "x" * 200
                await kept.write(queries.append, id, seq + 1, seq % 2, [seq % 9, 1], name, 3.0, 1, "playing")
                seq, stored[0] = seq + 2, stored[0] + 2

        await asyncio.gather(*(play_on(f"t{n}") for n in range(tables)))
        kept.close()

    writer = threading.Thread(target=run, args=(write_on(),))
    writer.start()
    try:
        yield stored
    finally:
        over.set()
        writer.join()


def test_the_copy_of_a_busy_house_is_of_one_moment(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "PAGES", 4)
    path, during = tmp_path / "games.db", list[int]()
    with busy(path, 8) as stored:
        while stored[0] < 2000:
            threading.Event().wait(0.01)

        def slowly(done: int, total: int) -> None:
            during.append(stored[0])
            if len(during) < 40:
                threading.Event().wait(0.01)

        backup.back_up(path, tmp_path / "copy.db", False, slowly)
    assert len(during) > 10, "in many steps"
    assert during[-1] > during[0] + 100, "the house was not kept waiting"
    copied, played = journals(tmp_path / "copy.db"), journals(path)
    assert copied.keys() == played.keys()
    for id, rows in copied.items():
        assert played[id][: len(rows)] == rows, "what is in the copy is the beginning of what was played"
    assert sum(map(len, copied.values())) >= 2000
    with contextlib.closing(Store(tmp_path / "copy.db")) as kept:
        for id, rows in copied.items():
            row, game = kept.now(queries.find_table, id), kept.now(queries.find_game, id)
            assert row is not None
            assert (row.seq, len(game.decided), game.whole) == (len(rows), len(rows), None), "hashes link"


@pytest.mark.usefixtures("fast_hands")
def test_a_server_plays_on_from_the_copy(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scene() -> None:
        async with house(tmp_path, database=str(tmp_path / "games.db")) as h:
            anna, bruno, table, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 6)
            copy = ["backup", str(tmp_path / "copy.db"), "--database", str(tmp_path / "games.db")]
            assert await asyncio.to_thread(main, copy) == 0
            await play({0: a, 1: b}, 2)
        assert await asyncio.to_thread(main, ["check", "--database", str(tmp_path / "copy.db")]) == 0
        async with house(tmp_path, database=str(tmp_path / "copy.db")) as h:
            lines = [await (await h.person(secret=person.secret)).line(table["id"]) for person in (anna, bruno)]
            assert [(await line.next("update"))["seq"] for line in lines] == [6, 6]
            assert await play(dict(enumerate(lines)), 4) == 10

    run(scene())
    assert "Copied to" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="permissions are otherwise there")
def test_the_copy_is_one_file_for_its_owner_only(tmp_path: pathlib.Path) -> None:
    kept = Store(tmp_path / "games.db")
    before = os.umask(0)
    try:
        (tmp_path / "copies").mkdir()
        assert main(["backup", str(tmp_path / "copies" / "c.db"), "--database", str(tmp_path / "games.db")]) == 0
    finally:
        os.umask(before)
        kept.close()
    [copy] = (tmp_path / "copies").iterdir()
    assert (copy.name, stat.S_IMODE(copy.stat().st_mode)) == ("c.db", 0o600)


def test_a_file_of_an_earlier_version_is_copied_as_it_is(tmp_path: pathlib.Path) -> None:
    make_file(tmp_path / "games.db", 3)
    assert main(["backup", str(tmp_path / "copy.db"), "--database", str(tmp_path / "games.db")]) == 0
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (3,)
        assert db.execute("SELECT action FROM decisions").fetchall() == [(7,)]


# ── What is refused ──────────────────────────────────────────


@pytest.fixture
def refused(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Tries to copy a house there; what is said. Nothing may have changed."""
    Store(tmp_path / "games.db").close()

    def files() -> dict[pathlib.Path, bytes]:
        companions = ("-wal", "-shm", ".lock")
        return {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and not p.name.endswith(companions)}

    def attempt(copy: str, *more: str, database: str = str(tmp_path / "games.db")) -> str:
        before = files()
        assert main(["backup", copy, "--database", database, *more]) == 2
        assert files() == before
        return capsys.readouterr().err

    return attempt


def test_nothing_is_overwritten_unless_told_to(tmp_path: pathlib.Path, refused: Callable[..., str]) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("something else")
    assert "copy.db is there already; --force replaces it." in refused(str(copy))
    assert main(["backup", str(copy), "--force", "--database", str(tmp_path / "games.db")]) == 0
    Store(copy).close()


def test_the_house_itself_is_no_place_for_the_copy(tmp_path: pathlib.Path, refused: Callable[..., str]) -> None:
    assert "is the house itself" in refused(str(tmp_path / "games.db"), "--force")
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    assert "is the house itself" in refused(str(tmp_path / "link.db"), "--force")


def test_a_file_that_a_server_has_open_is_not_replaced(tmp_path: pathlib.Path, refused: Callable[..., str]) -> None:
    with contextlib.closing(Store(tmp_path / "other.db")):
        assert "a server has" in refused(str(tmp_path / "other.db"), "--force")


def test_where_nothing_can_be_read_or_written_a_sentence_says_so(
    tmp_path: pathlib.Path, refused: Callable[..., str]
) -> None:
    assert "No such file or directory" in refused(str(tmp_path / "nowhere" / "copy.db"))
    assert "There is no file" in refused(str(tmp_path / "copy.db"), database=str(tmp_path / "nothing.db"))
    (tmp_path / "diary.db").write_text("Dear diary" * 500)
    assert "not a file of games" in refused(str(tmp_path / "copy.db"), database=str(tmp_path / "diary.db"))
    (tmp_path / "empty.db").touch()
    assert "There are no games in" in refused(str(tmp_path / "copy.db"), database=str(tmp_path / "empty.db"))


def test_of_a_postgres_database_its_own_tools_make_copies(refused: Callable[..., str]) -> None:
    said = refused("copy.dump", database="postgresql://ludoteca:secret@localhost/house")
    assert "pg_dump -Fc" in said
    assert "secret" not in said
