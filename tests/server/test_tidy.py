"""What expires: nothing, unless the house says so; then finished games and guests, by the house's own days."""

from __future__ import annotations

import pathlib

import pytest

from ludoteca.cli import main
from ludoteca.server import neighbours, queries
from ludoteca.server.guests import hashed
from ludoteca.server.queries import ChairRow
from ludoteca.server.store import Store
from server.house import house, run
from server.test_store import table_row


async def lived(path: pathlib.Path | str) -> None:
    """A house with an old finished game of Anna and Bruno, a new one of Anna, and Carla, who was only there at first."""
    kept = Store(path)
    for name in ("anna", "bruno", "carla"):
        await kept.write(queries.add_guest, name, hashed(name), name.title(), 1.0)

    async def finished(id: str, *people: str) -> None:
        row = table_row(id, phase="open")
        row.chairs = [ChairRow(name, name) for name in people]
        await kept.write(queries.add_table, row, b"secret")
        await kept.write(queries.start_table, row, 42, 1, 2.0)
        await kept.write(queries.append, id, 1, 0, [1], None, 2.0, 0, "over")

    await finished("old", "anna", "bruno")
    for _ in range(24 * 10):
        await kept.write(queries.drop_unused, [], 10**6)
    await finished("new", "anna")
    row = table_row("running", phase="open")
    row.chairs = [ChairRow("anna", "anna"), ChairRow()]
    await kept.write(queries.add_table, row, b"secret")
    kept.close()


def there(path: pathlib.Path | str) -> tuple[list[str], list[str]]:
    kept = Store(path, alone=False)
    tables = kept.now(lambda db: [id for (id,) in db.execute("SELECT id FROM tables ORDER BY id")])
    guests = kept.now(lambda db: [id for (id,) in db.execute("SELECT id FROM guests ORDER BY id")])
    orphans = "SELECT COUNT(*) FROM decisions WHERE table_id NOT IN (SELECT id FROM tables)"
    assert kept.now(lambda db: db.execute(orphans).fetchone()) == (0,)
    kept.close()
    return tables, guests


ALL = ["new", "old", "running"], ["anna", "bruno", "carla"]


def test_by_default_everything_is_kept(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(lived(tmp_path / "games.db"))
    assert main(["tidy", "--database", str(tmp_path / "games.db")]) == 0
    assert "finished games: all are kept" in capsys.readouterr().out
    assert there(tmp_path / "games.db") == ALL


def test_a_dry_run_says_what_would_go_and_changes_nothing(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.db"
    run(lived(path))
    running = Store(path)  # also while a server has the file
    assert main(["tidy", "--dry-run", "--database", str(path), "--games", "7", "--guests", "7"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["finished games of more than 7 days: 1", "  splendor, 1 steps, Anna, Bruno"]
    assert said[2] == "guests of more than 7 days: 1"  # Carla; Bruno sits at the old game until it is gone
    assert there(path) == ALL
    assert main(["tidy", "--database", str(path), "--games", "7"]) == 2
    assert "Another server" in capsys.readouterr().err
    running.close()


def test_tidy_lets_it_go(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    run(lived(path))
    assert main(["tidy", "--database", str(path), "--games", "7", "--guests", "7"]) == 0
    assert "Forgotten: 1 finished games, 2 guests." in capsys.readouterr().out
    assert there(path) == (["new", "running"], ["anna"])
    assert main(["tidy", "--database", str(tmp_path / "nowhere.db")]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_a_running_server_does_it_by_itself_and_spares_those_who_are_here(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        await lived(tmp_path / "games.db")
        async with house(tmp_path, keep_games=7, keep_guests=7) as h:
            carla = await h.person(secret="carla")
            assert (await carla.get("/api/me"))["name"] == "Carla"
            await h.app.lobby.clean()
            assert (await carla.get("/api/me"))["name"] == "Carla"
        async with house(tmp_path, keep_games=7, keep_guests=7) as h:
            await h.app.lobby.clean()  # she was seen: it counts from then on

    run(scene())
    assert there(tmp_path / "games.db") == (["new", "running"], ["anna", "carla"])


def test_a_house_in_postgres_is_tidied_while_no_server_runs(postgres: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(lived(postgres))
    forget = ["tidy", "--database", postgres, "--games", "7", "--guests", "7"]
    running = Store(postgres)
    running.now(neighbours.sign_of_life, "somebody")
    assert main([*forget, "--dry-run"]) == 0
    assert "finished games of more than 7 days: 1" in capsys.readouterr().out
    assert main(forget) == 2
    assert "1 servers are running, and forget by themselves each hour" in capsys.readouterr().err
    assert there(postgres) == ALL
    running.now(neighbours.farewell, "somebody")
    running.close()
    assert main(forget) == 0
    assert "Forgotten: 1 finished games, 2 guests." in capsys.readouterr().out
    assert there(postgres) == (["new", "running"], ["anna"])
