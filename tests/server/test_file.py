"""The file of the games: one server at a time, for its owner only, and checked before anybody plays from it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import pytest

from ludoteca.core.errors import BadData
from ludoteca.server import queries, schema
from ludoteca.server.store import Store
from server.house import house, play, run, two_at_a_table
from server.test_screens import at_the_con
from server.test_store import make_file, table_row

HERE = pathlib.Path(__file__).parent
PATIENCE = 60  # seconds for a process on a busy machine
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE.parents[1] / "src"), "LUDOTECA_WARMUP": "no"}


def serve(database: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """`ludoteca serve` where it should refuse to."""
    command = [sys.executable, "-m", "ludoteca", "serve", "--port", "0", "--database", str(database)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=ENVIRONMENT)


# ── One server at a time ─────────────────────────────────────


def test_a_second_server_on_one_file_is_refused_with_a_sentence(tmp_path: pathlib.Path) -> None:
    first = Store(tmp_path / "games.db")
    refused = serve(tmp_path / "games.db")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"ludoteca: Another server (process {os.getpid()}) has ")
    assert "Traceback" not in refused.stderr
    first.close()
    Store(tmp_path / "games.db").close()


def test_another_name_for_the_same_file_is_the_same_file(tmp_path: pathlib.Path) -> None:
    first = Store(tmp_path / "games.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    with pytest.raises(BadData, match="Another server"):
        Store(tmp_path / "link.db")
    Store(tmp_path / "other.db").close()
    first.close()


def test_after_a_kill_the_next_server_starts_at_once(tmp_path: pathlib.Path) -> None:
    holds = (
        "import sys, time; from ludoteca.server.store import Store; s = Store(sys.argv[1]); print('open', flush=True)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", f"{holds}; time.sleep({PATIENCE})", str(tmp_path / "games.db")],
        stdout=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    with pytest.raises(BadData, match=f"process {process.pid}"):
        Store(tmp_path / "games.db")
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    Store(tmp_path / "games.db").close()


# ── What is not as it should be ──────────────────────────────


def a_text(path: pathlib.Path) -> None:
    path.write_text("Dear diary, today I have bought a board game." * 50)


def another_program(path: pathlib.Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (address TEXT)")


def another_program_with_versions(path: pathlib.Path) -> None:
    another_program(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 2")


def another_program_of_a_high_version(path: pathlib.Path) -> None:
    another_program(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 77")


def a_later_version(path: pathlib.Path) -> None:
    Store(path).close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def holes(path: pathlib.Path) -> None:
    full(path)
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 512] = os.urandom(512)
    path.write_bytes(data)


def half(path: pathlib.Path) -> None:
    full(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2 // 4096 * 4096])


def a_folder(path: pathlib.Path) -> None:
    path.mkdir()


def full(path: pathlib.Path) -> None:
    async def scene() -> None:
        kept = Store(path)
        for n in range(50):
            await kept.write(queries.add_table, table_row(f"t{n}", name="x" * 500), b"secret")
        kept.close()

    run(scene())


BAD: dict[Callable[[pathlib.Path], None], str] = {
    a_text: "not a file of games",
    another_program: "another program",
    another_program_with_versions: "another program",
    another_program_of_a_high_version: "another program",
    a_later_version: "later Ludoteca",
    holes: "damaged",
    half: "damaged",
    a_folder: "cannot be opened",
}


@pytest.mark.parametrize("make", BAD, ids=lambda make: make.__name__)
def test_a_bad_file_is_refused_with_a_sentence_and_left_as_it_was(
    tmp_path: pathlib.Path, make: Callable[[pathlib.Path], None]
) -> None:
    path = tmp_path / "games.db"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(BadData, match=BAD[make]):
        Store(path)
    assert (path.read_bytes() if path.is_file() else b"") == before
    (tmp_path / "other").mkdir()
    Store(tmp_path / "other" / "games.db").close()


def test_a_server_says_what_is_wrong_with_its_file_and_ends(tmp_path: pathlib.Path) -> None:
    holes(tmp_path / "games.db")
    refused = serve(tmp_path / "games.db")
    assert (refused.returncode, "is damaged" in refused.stderr, "Traceback" in refused.stderr) == (2, True, False)


@contextlib.contextmanager
def nobody() -> Iterator[pathlib.Path]:
    """A folder of somebody without rights, and their rights: root may write everywhere."""
    folder = pathlib.Path(tempfile.mkdtemp())
    was_root = os.geteuid() == 0
    if was_root:
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
    try:
        yield folder
    finally:
        if was_root:
            os.seteuid(0)
        folder.chmod(0o700)
        shutil.rmtree(folder)


@pytest.mark.parametrize("what", ["the file", "the folder"])
def test_a_file_that_may_only_be_read_is_refused_with_a_sentence(what: str) -> None:
    with nobody() as folder:
        path = folder / "games.db"
        Store(path).close()
        (folder / "games.db.lock").unlink()
        path.chmod(0o400)
        if what == "the folder":
            folder.chmod(0o500)
        with pytest.raises(BadData, match=r"may only be read|cannot be opened: Permission denied"):
            Store(path)


@pytest.mark.skipif(os.name == "nt", reason="permissions are otherwise there")
def test_the_file_and_its_companions_are_for_their_owner_only(tmp_path: pathlib.Path) -> None:
    before = os.umask(0)
    try:
        kept = Store(tmp_path / "new" / "games.db")
        files = sorted((tmp_path / "new").iterdir())
        assert [f.name for f in files] == ["games.db", "games.db-shm", "games.db-wal", "games.db.lock"]
        assert {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
        kept.close()
    finally:
        os.umask(before)


# ── Older files ──────────────────────────────────────────────


def test_a_copy_is_made_before_a_file_is_brought_up_to_date(tmp_path: pathlib.Path) -> None:
    make_file(tmp_path / "games.db", 2)
    Store(tmp_path / "games.db").close()
    copy = tmp_path / "games.db.version-2"
    with contextlib.closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
        assert db.execute("SELECT action FROM decisions").fetchall() == [(7,)]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    Store(tmp_path / "games.db").close()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["games.db", "games.db.lock", "games.db.version-2"]


def test_an_update_that_fails_changes_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_file(tmp_path / "games.db", 1)
    monkeypatch.setitem(schema.CHANGES, 2, "ALTER TABLE nowhere ADD COLUMN x;")
    with pytest.raises(BadData, match="no such table: nowhere"):
        Store(tmp_path / "games.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert "drafts" not in [row[1] for row in db.execute("PRAGMA table_info(tables)")]
    monkeypatch.undo()
    Store(tmp_path / "games.db").close()


# ── What is read back ────────────────────────────────────────

DAMAGE = {
    "a changed action": "UPDATE decisions SET action = action + 1 WHERE seq = 4",
    "a changed time": "UPDATE decisions SET at = at + 1 WHERE seq = 4",
    "a changed name of a command": "UPDATE decisions SET command = 'x' WHERE seq = 4",
    "a lost row": "DELETE FROM decisions WHERE seq = 4",
    "two rows that changed places": "UPDATE decisions SET seq = CASE seq WHEN 4 THEN -5 ELSE -4 END WHERE seq IN (4, 5)",
}


@pytest.mark.usefixtures("fast_hands")
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_game_whose_rows_were_changed_ends_where_the_damage_begins(tmp_path: pathlib.Path, damage: str) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 8)
            views = {update["seq"]: update["view"] for update in a.of("update")}
        with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
            assert db.execute(DAMAGE[damage]).rowcount > 0
            db.execute("UPDATE decisions SET seq = -seq WHERE seq < 0")
        async with house(tmp_path) as h:
            anna = await h.person(secret=anna.secret)
            info = await anna.get(f"/api/tables/{table['id']}")
            assert (info["phase"], info["ended"], info["seq"]) == ("over", "damaged", 3)
            back = await anna.get(f"/api/tables/{table['id']}/moments")
            assert back["moments"][-1]["view"] == views[3]
            assert (await anna.open(2))["phase"] == "open"  # everything else goes on

    run(scene())


@pytest.mark.usefixtures("fast_hands")
def test_a_game_whose_last_decision_is_lost_does_not_go_on_without_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 8)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
            db.execute("DELETE FROM decisions WHERE seq = 8")
        async with house(tmp_path) as h:
            anna = await h.person(secret=anna.secret)
            info = await anna.get(f"/api/tables/{table['id']}")
            assert (info["phase"], info["ended"], info["seq"]) == ("over", "damaged", 7)

    run(scene())


ELSEWHERE = {  # beside the decisions, which are linked
    "lost seeds": "DELETE FROM seeds",
    "other seeds": "UPDATE seeds SET server_seed = x'00'",
    "other options": """UPDATE tables SET options = '{"edition": "base"}'""",
    "a lost chair": "DELETE FROM chairs WHERE seat = 1",
    "changed entropy": "UPDATE chairs SET entropy = 'x'",
}


@pytest.mark.usefixtures("fast_hands")
@pytest.mark.parametrize("damage", ELSEWHERE)
def test_a_game_that_cannot_be_dealt_as_it_was_ends_with_a_reason(tmp_path: pathlib.Path, damage: str) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 4)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
            assert db.execute(ELSEWHERE[damage]).rowcount > 0
        async with house(tmp_path) as h:
            anna = await h.person(secret=anna.secret)
            info = await anna.get(f"/api/tables/{table['id']}")
            assert (info["phase"], info["ended"]) == ("over", "damaged")
            assert len(await anna.get("/api/my/tables")) == 1

    run(scene())


@pytest.mark.usefixtures("fast_hands")
def test_options_that_cannot_be_read_stop_neither_the_list_nor_a_game_of_the_usual_ones(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, _, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 4)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
            db.execute("UPDATE tables SET options = '{'")
        async with house(tmp_path) as h:
            [info] = await (await h.person(secret=anna.secret)).get("/api/my/tables")
            assert info["phase"] == "playing"

    run(scene())


@pytest.mark.usefixtures("fast_hands")
def test_who_is_asked_follows_from_the_game_and_not_from_a_damaged_note(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 4)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
            db.execute("UPDATE tables SET waiting = 0")
        async with house(tmp_path) as h:
            line = await (await h.person(secret=anna.secret)).line(table["id"])
            assert (await line.next("update"))["choices"]

    run(scene())


@pytest.mark.parametrize(
    "drafts", ['{"0": [[99999, null]]}', '{"0": [[0, null], [0, null]]}', '{"7": [[0, null]]}', "{"]
)
def test_what_cannot_have_been_sealed_is_asked_again(tmp_path: pathlib.Path, drafts: str) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            people, table, _ = await at_the_con(h)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
            db.execute("UPDATE tables SET drafts = ?, waiting = 6", (drafts,))
        async with house(tmp_path) as h:
            line = await (await h.person(secret=people[0].secret)).line(table["id"])
            shown = await line.next("update")
            assert (shown["waiting"], shown["sealed"]) == ([0, 1, 2], False)
            assert shown["choices"]

    run(scene())


def test_a_file_of_another_program_is_not_touched_nor_its_log(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "browser.db"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE bookmarks (address TEXT)")
        db.execute("PRAGMA wal_checkpoint")
        db.execute("INSERT INTO bookmarks VALUES ('here')")
        db.commit()
        before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm")}
        assert len(before) == 2
        with pytest.raises(BadData, match="another program"):
            Store(path)
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm")} == before


def test_a_file_that_others_can_read_is_mentioned(tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture) -> None:
    Store(tmp_path / "games.db").close()
    (tmp_path / "games.db").chmod(0o644)
    Store(tmp_path / "games.db").close()
    assert "chmod 600" in caplog.text


def test_rows_of_an_earlier_version_are_linked(tmp_path: pathlib.Path) -> None:
    make_file(tmp_path / "games.db", 1)

    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        await kept.write(queries.append, "t", 2, 1, [8, 9], "yours", 2.0, 1, "playing")
        assert (await kept.read(queries.find_game, "t")).whole is None
        await kept.write(lambda db: db.execute("UPDATE decisions SET action = 6 WHERE seq = 1").rowcount)
        assert (await kept.read(queries.find_game, "t")).whole == 0
        kept.close()

    run(scene())
