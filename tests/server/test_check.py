"""`ludoteca check`: a house as it should be passes, and every kind of damage is named with its place."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import re
import shutil
import sqlite3

import pytest

from ludoteca.cli import main
from ludoteca.server.schema import link_rows
from ludoteca.server.store import Store
from server.house import run
from server.lived import Lived, lived_in
from server.test_file import nobody
from server.test_store import make_file
from services import Postgres


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, Lived]:
    """A house as it should be; not to be changed."""
    folder = tmp_path_factory.mktemp("lived")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludoteca.server.sockets.LIMITS", ((10**6, 1.0),))
        return folder / "games.db", run(lived_in(folder, str(folder / "games.db")))


@pytest.fixture
def copy(lived: tuple[pathlib.Path, Lived], tmp_path: pathlib.Path) -> tuple[pathlib.Path, Lived]:
    """A house to be damaged."""
    shutil.copy(lived[0], tmp_path / "games.db")
    return tmp_path / "games.db", lived[1]


def checked(database: pathlib.Path | str, capsys: pytest.CaptureFixture[str], status: int = 0) -> list[str]:
    """What `ludoteca check` says."""
    assert main(["check", "--database", str(database)]) == status
    return capsys.readouterr().out.splitlines()


def test_a_house_as_it_should_be_passes(lived: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]) -> None:
    before = lived[0].read_bytes()
    said = checked(lived[0], capsys)
    assert said[-1] == "All is well."
    assert said[0].startswith("8 tables (2 not begun, ")
    assert "tables/s" in said[0]
    assert lived[0].read_bytes() == before


def test_a_running_server_is_not_disturbed(
    copy: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(Store(copy[0])) as running:
        assert checked(copy[0], capsys)[-1] == "All is well."
        running.now(lambda db: db.execute("UPDATE house SET hours = hours + 1").rowcount)


def test_a_file_that_may_only_be_read_is_checked(
    copy: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]
) -> None:
    data = copy[0].read_bytes()
    with nobody() as folder:
        (folder / "games.db").write_bytes(data)
        (folder / "games.db").chmod(0o400)
        folder.chmod(0o500)
        assert checked(folder / "games.db", capsys)[-1] == "All is well."
        assert [path.name for path in folder.iterdir()] == ["games.db"]


# ── Damage ───────────────────────────────────────────────────

# What is done to the file, with names of tables; then what is said, one line each.
DAMAGE: dict[str, tuple[str, list[str]]] = {
    "a changed decision": (
        "UPDATE decisions SET action = action + 1 WHERE table_id = '{splendor}' AND seq = 4",
        ["table {splendor}: row 4 is not as it was written"],
    ),
    "a changed trace": (
        "UPDATE decisions SET trace = x'00' WHERE table_id = '{loot}' AND seq = 5",
        ["table {loot}: row 5 is not as it was written"],
    ),
    "a gap": (
        "DELETE FROM decisions WHERE table_id = '{challengers}' AND seq = 7",
        ["table {challengers}: row 7 is not there"],
    ),
    "a lost end": (
        "DELETE FROM decisions WHERE table_id = '{splendor}' AND seq = 40",
        ["table {splendor}: 39 steps are stored, and 40 are noted"],
    ),
    "a row before the first": (
        "UPDATE decisions SET seq = 0 WHERE table_id = '{splendor}' AND seq = 1",
        ["table {splendor}: row 0 is there twice, or was never written"],
    ),
    "another phase": (
        "UPDATE tables SET phase = 'playing' WHERE id = '{over}'; UPDATE chairs SET over = 0 WHERE table_id = '{over}'",
        ["table {over}: … decisions, over; noted are …, playing"],
    ),
    "a phase that is none": (
        "UPDATE tables SET phase = 'asleep' WHERE id = '{open}'",
        ["table {open}: there is no phase «asleep»"],
    ),
    "others asked": (
        "UPDATE tables SET waiting = 3 WHERE id = '{splendor}'",
        ["table {splendor}: seats [.] are asked, and [0, 1] are noted"],
    ),
    "a changed share of chance": (
        "UPDATE chairs SET entropy = 'mine' WHERE table_id = '{splendor}' AND seat = 0",
        ["table {splendor}: another deal"],
    ),
    "another secret": (
        "UPDATE seeds SET server_seed = x'00', dealt = NULL WHERE table_id = '{open}'",
        ["table {open}: its secret is not the one whose hash was shown"],
    ),
    "no seed": (
        "DELETE FROM seeds WHERE table_id = '{splendor}'",
        ["table {splendor}: it has no seed, and so its game is lost"],
    ),
    "a lost chair": (
        "DELETE FROM chairs WHERE table_id = '{open}' AND seat = 1",
        ["table {open}: its chairs are 0, 2"],
    ),
    "a chair of nobody": (
        "UPDATE chairs SET guest = 'ghost' WHERE table_id = '{open}' AND seat = 2",
        ["table {open}, chair 2: there is no guest ghost"],
    ),
    "a chair of another time": (
        "UPDATE chairs SET over = 0 WHERE table_id = '{over}' AND seat = 0",
        ["table {over}, chair 0: the game is over, and somebody counts as playing there"],
    ),
    "rows of no table": (
        """INSERT INTO chairs (table_id, seat, bot, entropy) VALUES ('gone', 0, '', '');
           INSERT INTO seeds (table_id, server_seed) VALUES ('gone', x'00');
           INSERT INTO decisions (table_id, seq, seat, action, at) VALUES ('gone', 1, 0, 0, 0);
           INSERT INTO screened VALUES ('gone', 'name', 0, '[]', 1);
           INSERT INTO chat (n, table_id, name, text, at) VALUES (99, 'gone', '', '', 0)""",
        [
            "chairs gone, 0: there is no such table",
            "decisions gone, row 1: there is no such table",
            "screened gone, name: there is no such table",
            "seeds gone: there is no such table",
            "chat 99: there is no table gone",
        ],
    ),
    "a rematch that leads nowhere": (
        "UPDATE tables SET rematch = 'gone' WHERE id = '{over}'",
        ["table {over}: its rematch gone is not there"],
    ),
    "drafts that are not readable": (
        "UPDATE tables SET drafts = '{{' WHERE id = '{screened}'",
        ["table {screened}: what is behind its screens is not readable"],
    ),
    "drafts that are not possible": (
        """UPDATE tables SET drafts = replace(drafts, ':[[', ':[[0,null],[0,null],[') WHERE id = '{screened}'""",
        ["table {screened}: what is behind its screens is not possible: …"],
    ),
    "drafts of no action": (
        """UPDATE tables SET drafts = replace(drafts, ':[[', ':[[9999,null],[') WHERE id = '{screened}'""",
        ["table {screened}: what is behind its screens is not possible: …"],
    ),
    "a command behind a screen that is not readable": (
        "INSERT INTO screened VALUES ('{loot}', 'name', 0, '[', 1)",
        ["table {loot}: the command name behind a screen is not readable"],
    ),
    "a command behind a screen from nowhere": (
        "INSERT INTO screened VALUES ('{loot}', 'name', 7, '[1]', 1)",
        ["table {loot}: the command name behind a screen is of seat 7 and step 1, which are not there"],
    ),
    "options that are not readable": (
        "UPDATE tables SET options = '' WHERE id = '{splendor}'",
        ["table {splendor}: its options are not readable"],
    ),
    "something decided before the beginning": (
        "UPDATE tables SET waiting = 1 WHERE id = '{open}'",
        ["table {open}: it has not begun, and yet something is decided there or asked for"],
    ),
    "two houses": ("INSERT INTO house (hours) VALUES (1)", ["house: has 2 rows and should have one"]),
}


def names(lived: Lived) -> dict[str, str]:
    return {**dataclasses.asdict(lived), **lived.running}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named_with_its_place(
    copy: tuple[pathlib.Path, Lived], damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, lived = copy
    statements, expected = DAMAGE[damage]
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(statements.format_map(names(lived)))
    said = checked(path, capsys, 1)
    assert said[-1].startswith("Wrong: ")
    for line in expected:
        pattern = re.escape(line.format_map(names(lived))).replace("…", ".+").replace(r"\[\.\]", r"\[\d\]")
        assert any(re.fullmatch(pattern, found) for found in said), said
    assert said[-1] == f"Wrong: {len(expected)}."


def test_a_key_that_is_gone_is_missed_and_what_it_let_in_is_named(
    copy: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]
) -> None:
    path, lived = copy
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(
            """CREATE TABLE other AS SELECT * FROM decisions; DROP TABLE decisions; ALTER TABLE other RENAME TO decisions;
               UPDATE decisions SET command = 'same' WHERE seq IN (2, 3);"""
        )
        link_rows(db)
        db.commit()
    said = checked(path, capsys, 1)
    assert "decisions (table_id, seq): is no unique key any more" in said
    assert "decisions (table_id, command): is no unique key any more" in said
    assert f"decisions (table_id, command) = ({lived.over}, same): is there 2 times" in said


def test_a_damaged_file_is_said_to_be_damaged(
    copy: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(copy[0].read_bytes())
    for page in range(3, len(data) // 4096, 2):
        data[page * 4096 : page * 4096 + 512] = bytes(512)
    copy[0].write_bytes(data)
    assert re.search(r"^the file: |is damaged", checked(copy[0], capsys, 1)[0])


# ── What is no damage ────────────────────────────────────────


def test_games_of_other_rules_are_counted_apart(
    copy: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]
) -> None:
    path, lived = copy
    with contextlib.closing(sqlite3.connect(path)) as db:
        for id in (lived.running["splendor"], lived.running["loot"], lived.over):
            db.execute("UPDATE tables SET version = 'earlier' WHERE id = ?", (id,))
        db.execute("UPDATE decisions SET trace = x'00' WHERE table_id = ? AND seq = 9", (lived.running["loot"],))
        link_rows(db)
        db.commit()
    said = checked(path, capsys)
    assert said[1] == (
        "of other rules: 1 running games can be carried over, 1 will have to end; "
        "1 finished ones replay by today's rules, 0 do not"
    )


def test_games_that_have_ended_and_games_that_are_not_installed_are_counted(
    copy: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]
) -> None:
    path, lived = copy
    with contextlib.closing(sqlite3.connect(path)) as db:
        ended = lived.running["splendor"]
        db.execute("DELETE FROM decisions WHERE table_id = ? AND seq > 30", (ended,))
        db.execute("UPDATE tables SET phase = 'over', ended = 'damaged', waiting = 0 WHERE id = ?", (ended,))
        db.execute("UPDATE chairs SET over = 1 WHERE table_id = ?", (ended,))
        db.execute("UPDATE tables SET game = 'mikado' WHERE id = ?", (lived.running["loot"],))
        db.commit()
    said = checked(path, capsys)
    assert "ended before their time, noted as «damaged»: 1" in said
    assert "of «mikado», which is not installed here, and so not replayed: 1" in said


def test_what_cannot_be_checked_is_refused_with_a_sentence(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_file(tmp_path / "old.db", 3)
    assert main(["check", "--database", str(tmp_path / "old.db")]) == 2
    assert "old.db is of an earlier version: start a server on it once." in capsys.readouterr().err
    assert main(["check", "--database", str(tmp_path / "nowhere.db")]) == 2
    assert "There is no file" in capsys.readouterr().err
    assert main(["check", "--database", "postgresql://x:secret@127.0.0.1:1/house"]) == 2
    said = capsys.readouterr().err
    assert "cannot be reached" in said
    assert "secret" not in said


# ── Postgres ─────────────────────────────────────────────────


def test_a_house_in_postgres_is_checked_too(
    postgres_server: Postgres, copy: tuple[pathlib.Path, Lived], capsys: pytest.CaptureFixture[str]
) -> None:
    import psycopg

    address = postgres_server.create()
    assert main(["check", "--database", address]) == 2
    assert "There are no games in postgresql://" in capsys.readouterr().err
    assert main(["move-house", str(copy[0]), address]) == 0
    capsys.readouterr()
    assert checked(address, capsys)[-1] == "All is well."
    with psycopg.connect(address) as db:
        db.execute("ALTER TABLE decisions DROP CONSTRAINT decisions_table_id_command_key")
        gap = "DELETE FROM decisions WHERE table_id = %s AND seq = 7"
        db.execute(gap, (copy[1].running["loot"],))
        db.execute("UPDATE tables SET rematch = 'gone' WHERE id = %s", (copy[1].over,))
    assert checked(address, capsys, 1)[:3] == [
        "decisions (table_id, command): is no unique key any more",
        f"table {copy[1].over}: its rematch gone is not there",
        f"table {copy[1].running['loot']}: row 7 is not there",
    ]
    postgres_server.drop(address)
