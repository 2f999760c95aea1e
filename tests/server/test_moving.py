"""`ludoteca move-house`: a house goes to Postgres or back with everything in it, or not at all."""

from __future__ import annotations

import contextlib
import pathlib
import random
import shutil
import sqlite3
from typing import Any

import pytest

from ludoteca.cli import main
from ludoteca.server import moving, neighbours, postgres, queries
from ludoteca.server.schema import described
from ludoteca.server.store import Store
from server.house import house, run
from server.lived import Lived, lived_in, played
from server.test_store import make_file, table_row

WHO = ["guests", "devices", "passkeys", "tickets", "browsers", "mutes", "friends", "blocks", "reports", "acts", "told"]
CARRIED = [*WHO, "house", "tables", "chairs", "decisions", "screened", "chat", "uses", "seeds"]
CARRIED += ["tournaments", "entrants"]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, Lived]:
    """A house in a file; not to be changed."""
    folder = tmp_path_factory.mktemp("lived")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludoteca.server.sockets.LIMITS", ((10**6, 1.0),))
        found = run(lived_in(folder, str(folder / "games.db")))
    with contextlib.closing(sqlite3.connect(folder / "games.db")) as db, db:
        db.execute("UPDATE tables SET created = 0.1 + 0.2, moved = 1e308 WHERE id = ?", (found.open,))
        db.execute("UPDATE house SET hours = 77, key = x'00ff5c'")
        db.execute("UPDATE chat SET n = 1000 WHERE n = 3")
    return folder / "games.db", found


@pytest.fixture
def old(lived: tuple[pathlib.Path, Lived], tmp_path: pathlib.Path) -> pathlib.Path:
    """A house in a file."""
    return pathlib.Path(shutil.copy(lived[0], tmp_path / "old.db"))


def everything(place: pathlib.Path | str) -> dict[str, list[Any]]:
    """Every row of a house, by table."""
    db: Any = postgres.Connection(str(place)) if "://" in str(place) else sqlite3.connect(place)
    with contextlib.closing(db):
        found = {}
        for table in CARRIED:
            about = described()[table]
            order = ", ".join(about.key or about.columns)
            query = f"SELECT {', '.join(about.columns)} FROM {table} ORDER BY {order}"
            found[table] = [tuple(row) for row in db.execute(query)]
        return found


@pytest.mark.usefixtures("fast_hands")
def test_a_house_moves_to_postgres_and_people_play_on(
    lived: tuple[pathlib.Path, Lived], old: pathlib.Path, tmp_path: pathlib.Path, postgres: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    before = everything(old)
    assert all(before.values())
    assert main(["move-house", str(old), postgres]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said[1:-1]] == [table for table in described() if table != "servers"]
    assert all(line.endswith("  same") for line in said[1:-1])
    assert said[-1].startswith("All is the same.")
    assert everything(postgres) == before == everything(old)

    async def scene() -> None:
        there = lived[1]
        async with house(tmp_path, database=postgres) as h:
            people = [await h.person(secret=secret) for secret in there.secrets]
            assert [(await person.get("/api/me"))["name"] for person in people] == ["Anna", "Bruno"]
            record = await people[0].get(f"/api/tables/{there.over}/record")
            assert len(record["decisions"]) == sum(row[0] == there.over for row in before["decisions"])
            for id in (*there.running.values(), there.screened):
                table = await h.table(id)
                seq, revision = table.seq, table.row.revision
                await played(table, random.Random(1), 6)
                assert not table.row.ended
                assert table.row.phase == "over" or table.row.revision > revision
                assert table.seq >= seq
            line = await people[0].line(there.running["loot"])
            await line.send(type="say", text="Eccoci")
            assert (await line.next("said", lambda said: said["text"] == "Eccoci"))["name"] == "Anna"
            await people[1].post(f"/api/tables/{there.open}/sit", {})

    run(scene())
    assert [row[0] for row in everything(postgres)["chat"]] == [1, 2, 1000, 1001], "numbers go on after the largest"
    assert main(["check", "--database", postgres]) == 0


def test_a_house_moves_back_into_a_file(
    old: pathlib.Path, tmp_path: pathlib.Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move-house", str(old), postgres]) == 0
    assert main(["move-house", postgres, str(tmp_path / "new.db")]) == 0
    assert everything(tmp_path / "new.db") == everything(old)
    assert main(["check", "--database", str(tmp_path / "new.db")]) == 0
    assert (tmp_path / "new.db").stat().st_mode & 0o777 == 0o600
    assert main(["move-house", postgres, str(tmp_path / "new.db")]) == 2
    assert "new.db is there already" in capsys.readouterr().err


def test_many_rows_are_carried_in_portions(
    old: pathlib.Path, tmp_path: pathlib.Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "AT_ONCE", 7)
    shown: list[tuple[int, int]] = []
    compared = moving.move(old, postgres, lambda done, total: shown.append((done, total)))
    rows = sum(table.old.rows for table in compared)
    assert rows > 200
    assert shown[-1] == (2 * rows, 2 * rows)
    assert moving.move(postgres, tmp_path / "new.db", lambda done, total: None)[4].new.rows == compared[4].old.rows


# ── All or nothing ───────────────────────────────────────────


@pytest.mark.parametrize("back", [False, True], ids=["there", "back"])
def test_what_differs_in_the_end_is_not_kept(
    old: pathlib.Path, tmp_path: pathlib.Path, postgres: str, back: bool, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A disk, a driver or a type that changes what it is given."""
    if back:
        assert main(["move-house", str(old), postgres]) == 0
    side = moving.InFile if back else moving.InPostgres
    fill = side.fill

    def careless(self: Any, table: str, rows: Any) -> None:
        fill(self, table, ((*row[:5], row[5] + 1e-6, *row[6:]) if table == "decisions" else row for row in rows))

    monkeypatch.setattr(side, "fill", careless)
    places = [postgres, str(tmp_path / "new.db")] if back else [str(old), postgres]
    assert main(["move-house", *places]) == 1
    said = capsys.readouterr().out
    assert "DIFFERENT" in said
    assert "the journal of table" in said
    assert "nothing was moved" in said
    if back:
        assert sorted(path.name for path in tmp_path.iterdir() if "new" in path.name) == []
    else:
        assert tables_in(postgres) == set()


def test_an_interrupted_move_leaves_nothing_and_can_be_tried_again(
    old: pathlib.Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = moving.InPostgres.fill

    def interrupted(self: Any, table: str, rows: Any) -> None:
        if table == "decisions":
            raise KeyboardInterrupt
        fill(self, table, rows)

    monkeypatch.setattr(moving.InPostgres, "fill", interrupted)
    assert main(["move-house", str(old), postgres]) == 130
    assert tables_in(postgres) == set()
    monkeypatch.undo()
    assert main(["move-house", str(old), postgres]) == 0


def tables_in(address: str) -> set[str]:
    with contextlib.closing(postgres.Connection(address)) as db:
        return {name for (name,) in db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}


# ── What is refused ──────────────────────────────────────────


def refusal(capsys: pytest.CaptureFixture[str], *places: str) -> str:
    assert main(["move-house", *places]) == 2
    return capsys.readouterr().err


def test_nobody_may_be_in_the_old_house(
    old: pathlib.Path, tmp_path: pathlib.Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(Store(old)):
        assert "Another server" in refusal(capsys, str(old), postgres)
    assert main(["move-house", str(old), postgres]) == 0
    with contextlib.closing(Store(postgres)) as running:
        running.now(neighbours.sign_of_life, "somebody")
        assert "1 servers are running on the old house" in refusal(capsys, postgres, str(tmp_path / "new.db"))
        running.now(neighbours.farewell, "somebody")
    assert main(["move-house", postgres, str(tmp_path / "new.db")]) == 0


def test_nobody_may_live_in_the_new_house(old: pathlib.Path, postgres: str, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.closing(Store(postgres)) as running:
        running.now(neighbours.sign_of_life, "somebody")
        assert "1 servers are running on postgresql://" in refusal(capsys, str(old), postgres)
        running.now(neighbours.farewell, "somebody")
        running.now(queries.add_guest, "g", b"secret", "Carla", 1.0)
    assert "is not empty: there is something in «guests»" in refusal(capsys, str(old), postgres)
    with contextlib.closing(Store(postgres)) as emptied:
        emptied.now(queries.drop_guests, ["g"])
    assert main(["move-house", str(old), postgres]) == 0, "tables without rows are as good as none"
    assert "is not empty" in refusal(capsys, str(old), postgres), "twice is not possible"


def test_another_programs_database_is_left_alone(
    old: pathlib.Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import psycopg

    with psycopg.connect(postgres) as db:
        db.execute("CREATE TABLE guests (hotel TEXT)")
    assert "in use by another program" in refusal(capsys, str(old), postgres)
    assert tables_in(postgres) == {"guests"}


def test_only_between_a_file_and_a_database(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "ludoteca backup" in refusal(capsys, str(tmp_path / "a.db"), str(tmp_path / "b.db"))
    assert "pg_dump" in refusal(capsys, "postgresql://localhost/a", "postgresql://localhost/b")
    assert "There is no file" in refusal(capsys, str(tmp_path / "a.db"), "postgresql://localhost/b")
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_an_earlier_version_is_copied_and_brought_up_to_date_first(
    tmp_path: pathlib.Path, postgres: str
) -> None:
    make_file(tmp_path / "old.db", 3)
    assert main(["move-house", str(tmp_path / "old.db"), postgres]) == 0
    assert (tmp_path / "old.db.version-3").is_file()
    assert everything(postgres) == everything(tmp_path / "old.db")


def test_a_text_that_postgres_does_not_take_is_named(
    tmp_path: pathlib.Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(Store(tmp_path / "old.db")) as kept:
        kept.now(queries.add_table, table_row("t", name="a\0b"), b"secret")
    assert "«tables» (t) has one in a text" in refusal(capsys, str(tmp_path / "old.db"), postgres)
    assert tables_in(postgres) == set()
