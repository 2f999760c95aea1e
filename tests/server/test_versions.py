"""New rules do not strand games: a game goes on if they give what was told when it was played, and ends kindly if not."""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ludoteca.games.splendor import GAME
from ludoteca.server.schema import link_rows
from server.house import House, Json, house, play, run, two_at_a_table, until

pytestmark = pytest.mark.usefixtures("fast_hands")

STEPS = 8


async def played(folder: pathlib.Path) -> tuple[Json, str, list[Json]]:
    """A game of two people, some steps long, in a house that has closed; Anna's secret and what she was told."""
    async with house(folder) as h:
        anna, _, table, a, b = await two_at_a_table(h)
        await play({0: a, 1: b}, STEPS, lambda position: position["choices"][0]["action"])
        return table, anna.secret or "", a.of("update")


@contextlib.contextmanager
def written(folder: pathlib.Path) -> Iterator[sqlite3.Connection]:
    """The file while no server has it."""
    db = sqlite3.connect(folder / "games.db")
    with db:
        yield db
    db.close()


def age(folder: pathlib.Path, *changes: str) -> None:
    """As if the game had been begun by an earlier version of the rules, which did this."""
    with written(folder) as db:
        for change in ("UPDATE tables SET version = 'earlier'", *changes):
            assert db.execute(change).rowcount > 0
        link_rows(db)


OTHER_RULES = {
    "another deal": ("UPDATE seeds SET dealt = x'0000000000000000'", None),
    "another outcome": ("UPDATE decisions SET trace = x'0000000000000000' WHERE seq = 4", 3),
    "a move that is not possible now": ("UPDATE decisions SET action = 0, seat = 1 - seat WHERE seq = 6", 5),
    "nothing known about it": ("UPDATE decisions SET trace = NULL", STEPS),
}


def test_a_game_goes_on_by_rules_that_give_the_same(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        table, secret, told = await played(tmp_path)
        age(tmp_path)
        async with house(tmp_path) as h:
            anna = await h.person(secret=secret)
            line = await anna.line(table["id"])
            seen = await line.next("update")
            assert (seen["seq"], seen["view"]) == (told[-1]["seq"], told[-1]["view"])
            choice = seen["choices"][0]["action"] if seen["choices"] else None
            if choice is not None:
                await line.do(choice, seen["seq"])
                await line.next("done")
            info = await anna.get(f"/api/tables/{table['id']}")
            assert (info["phase"], info["ended"]) == ("playing", None)
        with written(tmp_path) as db:
            assert db.execute("SELECT version FROM tables").fetchone() == (GAME.version,)

    run(scene())


@pytest.mark.parametrize("change", OTHER_RULES)
def test_a_game_of_other_rules_ends_with_a_reason_and_can_be_looked_back_at(
    tmp_path: pathlib.Path, change: str
) -> None:
    async def scene() -> None:
        table, secret, told = await played(tmp_path)
        statement, shown = OTHER_RULES[change]
        age(tmp_path, statement)
        async with house(tmp_path, tables_a_guest=1) as h:
            await until(lambda: ended(tmp_path))  # by itself: nobody has asked for it
            anna = await h.person(secret=secret)
            info = await anna.get(f"/api/tables/{table['id']}")
            assert (info["phase"], info["ended"], info["waiting"]) == ("over", "rules", [])
            assert [t["phase"] for t in await anna.get("/api/my/tables")] == ["over"]
            if shown is None:
                assert (await anna.get(f"/api/tables/{table['id']}/moments", 409))["key"] == "not_started"
            else:
                back = await anna.get(f"/api/tables/{table['id']}/moments")
                assert back["moments"][-1]["seq"] == shown
                assert back["moments"][-1]["view"] == next(u["view"] for u in told if u["seq"] == shown)
                assert (await (await anna.line(table["id"])).next("update"))["choices"] == []
            again = await anna.post(f"/api/tables/{table['id']}/rematch")  # its seat is free, and they may play on
            assert again["phase"] == "open"
        with written(tmp_path) as db:
            assert db.execute("SELECT COUNT(*) FROM decisions").fetchone() == (STEPS,)  # the log is kept

    run(scene())


def ended(folder: pathlib.Path) -> Any:
    with written(folder) as db:
        return db.execute("SELECT ended FROM tables").fetchone()[0]


def test_a_finished_game_of_other_rules_is_still_there(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 400)
            result = a.of("update")[-1]["result"]
            assert result
        age(tmp_path)
        async with house(tmp_path) as h:
            anna = await h.person(secret=anna.secret)
            record = await anna.get(f"/api/tables/{table['id']}/record")
            assert (record["result"], record["version"]) == (result, GAME.version)
        age(tmp_path, "UPDATE decisions SET trace = x'0000000000000000' WHERE seq = 4")
        async with house(tmp_path) as h:
            anna = await h.person(secret=anna.secret)
            info = await anna.get(f"/api/tables/{table['id']}")
            assert (info["phase"], info["ended"]) == ("over", "rules")
            assert (await anna.get(f"/api/tables/{table['id']}/moments"))["moments"][-1]["seq"] == 3

    run(scene())


def test_the_door_is_open_while_old_games_are_read(tmp_path: pathlib.Path) -> None:
    """Nobody waits for the check of games, however many there are."""
    tables = 60

    async def scene() -> None:
        await played(tmp_path)
        with written(tmp_path) as db:
            for name in ("tables", "seeds", "chairs", "decisions"):
                key = "id" if name == "tables" else "table_id"
                columns = [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
                rest = ", ".join(column for column in columns if column != key)
                for n in range(tables):
                    twin = f"SELECT {key} || '{n}', {rest} FROM {name} WHERE LENGTH({key}) = 11"
                    db.execute(f"INSERT INTO {name} ({key}, {rest}) {twin}")
        age(tmp_path)
        began = time.perf_counter()
        async with house(tmp_path) as h:
            await first_answer(h)
            waited = time.perf_counter() - began
            with written(tmp_path) as db:
                [left] = db.execute("SELECT COUNT(*) FROM tables WHERE version = 'earlier'").fetchone()
            assert left > 0, f"all were read before the first answer, after {waited:.1f} s"
            await until(lambda: not earlier(tmp_path))
            await until(lambda: not h.app.lobby.tables)  # and they are not kept in memory

    run(scene())


async def first_answer(h: House) -> None:
    await h.anybody().get("/api/games")


def earlier(folder: pathlib.Path) -> int:
    with written(folder) as db:
        return int(db.execute("SELECT COUNT(*) FROM tables WHERE version = 'earlier'").fetchone()[0])
