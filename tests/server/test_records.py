"""Records: a game goes to another house and is the same there; a dispute is settled from what is stored alone."""

from __future__ import annotations

import contextlib
import hashlib
import json
import pathlib
import sqlite3

import msgspec
import pytest

from ludoteca.cli import main
from ludoteca.server import sockets
from ludoteca.server.audit import audit
from server.house import Json, house, play, run, two_at_a_table


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, str, Json, list[Json]]:
    """A house with a finished rated game: its file, the table, its record, and every position that Anna was sent."""
    folder = tmp_path_factory.mktemp("finished")

    async def scene() -> tuple[str, Json, list[Json]]:
        async with house(folder) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            table = await anna.open(rated=True)
            await bruno.post(f"/api/tables/{table['id']}/sit", {})
            lines = {0: await anna.line(table["id"]), 1: await bruno.line(table["id"])}
            await anna.post(f"/api/tables/{table['id']}/start")
            for line in lines.values():
                await line.next("update")
            await play(lines, 1000)
            await anna.get(f"/api/tables/{table['id']}/ratings")  # settled
            return table["id"], await anna.get(f"/api/tables/{table['id']}/record"), lines[0].of("update")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sockets, "LIMITS", ((10**6, 1.0),))
        return folder / "games.db", *run(scene())


Finished = tuple[pathlib.Path, str, Json, list[Json]]


def test_a_record_is_the_same_game_in_another_house(finished: Finished, tmp_path: pathlib.Path) -> None:
    _, _, record, sent = finished

    async def scene() -> None:
        async with house(tmp_path) as h:
            carla = await h.person("Carla")
            brought = await carla.post("/api/records", record)
            assert brought["new"]
            again = await carla.post("/api/records", record)
            assert again == {"table": brought["table"], "new": False}
            table = await h.anybody().get(f"/api/tables/{brought['table']}")
            assert table["imported"] and not table["rated"]
            assert [(chair["kind"], chair["name"]) for chair in table["chairs"]] == [
                ("person", "Anna"),
                ("person", "Bruno"),
            ]
            exported = await carla.get(f"/api/tables/{brought['table']}/record")
            assert exported | {"rated": True} == record
            back = await carla.get(f"/api/tables/{brought['table']}/moments?first=0&seat=0")
            assert back["moments"][0]["view"] == sent[0]["view"]  # dealt alike
            assert (await carla.get(f"/api/people/{(await carla.get('/api/me'))['id']}"))["finished"] == 0

    run(scene())


def test_a_record_that_was_changed_is_refused(finished: Finished, tmp_path: pathlib.Path) -> None:
    _, _, record, _ = finished
    result = record["result"]
    changed: dict[str, Json] = {
        "result": {"result": {**result, "ranks": result["ranks"][::-1], "scores": result["scores"][::-1]}},
        "decision": {"decisions": record["decisions"][:-1]},
        "seat": {"decisions": [[7, 0], *record["decisions"][1:]]},
        "secret": {"fair": {**record["fair"], "server_seed": "00" * 32}},
        "times": {"times": [1.0]},
        "backwards": {"times": record["times"][::-1]},
        "names": {"names": ["Anna"]},
        "version": {"version": "of old"},
    }
    keys = {"result": "record_game", "decision": "record_game", "seat": "record_game"}
    keys |= {"secret": "record_chance", "version": "other_version"}

    async def scene() -> None:
        async with house(tmp_path, imports_an_hour=0) as h:
            carla = await h.person("Carla")
            for what, change in changed.items():
                refused = await carla.http.post("/api/records", json=record | change)
                assert refused.status_code == 400, what
                assert refused.json()["key"] == keys.get(what, "bad_record"), what
            refused = await carla.http.post("/api/records", json=record)  # nothing is wrong with it
            assert (refused.status_code, refused.json()["key"]) == (429, "too_many_imports")

    run(scene())


def test_import_and_rate_from_the_command_line(
    finished: Finished, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database, _, record, _ = finished
    assert main(["rate", "--database", str(database)]) == 0
    assert "All 2 stored ratings are the same, to the last bit." in capsys.readouterr().out
    (tmp_path / "game.json").write_text(json.dumps(record))
    other = str(tmp_path / "other.db")
    for said in ("Brought in: /table/", "It was here already: /table/"):
        assert main(["import", str(tmp_path / "game.json"), "--database", other]) == 0
        assert said in capsys.readouterr().out
    assert main(["check", "--database", other]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "All is well."
    assert main(["rate", "--database", other]) == 0
    assert "0 rated games" in capsys.readouterr().out


def test_ratings_that_were_changed_are_noticed_and_made_anew(
    finished: Finished, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "games.db"
    copy.write_bytes(finished[0].read_bytes())
    with contextlib.closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE ratings SET points = points + 0.000001")
    assert main(["rate", "--database", str(copy)]) == 1
    assert "differ at 1 games" in capsys.readouterr().out
    assert main(["rate", "--write", "--database", str(copy)]) == 0
    assert "to the last bit" in capsys.readouterr().out


def test_the_audit_tells_who_decided_what_when_and_what_everybody_saw(
    finished: Finished, capsys: pytest.CaptureFixture[str]
) -> None:
    database, table, record, sent = finished
    found = audit(database, table)
    assert not found.problem and found.rated
    assert [[step.seat, step.action] for step in found.steps] == record["decisions"]
    assert [step.at for step in found.steps] == record["times"]
    assert {step.decider for step in found.steps} == {"person"}
    by_seq = {0: found.dealt} | {step.seq: step.views for step in found.steps}
    for update in sent:
        shown = msgspec.json.encode(update["view"], order="sorted")
        assert by_seq[update["seq"]]["0"] == hashlib.blake2b(shown, digest_size=8).hexdigest()
    assert found.clocks == []  # it was played without
    assert main(["audit", table, "--database", str(database)]) == 0
    said = capsys.readouterr().out
    assert "seat 0 Anna (person)" in said and "Every row is as it was written" in said
    assert main(["audit", table, "--json", "--database", str(database)]) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == len(record["decisions"])


def test_the_audit_stops_where_a_row_was_changed(
    finished: Finished, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "games.db"
    copy.write_bytes(finished[0].read_bytes())
    with contextlib.closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE decisions SET at = at + 1 WHERE seq = 5")
    assert main(["audit", finished[1], "--database", str(copy)]) == 1
    assert "row 5 is not as it was written" in capsys.readouterr().out


def test_a_game_in_play_is_not_audited(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scene() -> str:
        async with house(tmp_path) as h:
            _, _, table, _, _ = await two_at_a_table(h)
            return str(table["id"])

    table = run(scene())
    assert main(["audit", table, "--database", str(tmp_path / "games.db")]) == 2
    assert "not over" in capsys.readouterr().err
