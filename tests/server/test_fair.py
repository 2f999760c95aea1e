"""The fair shuffle: what was promised before the deal is what is opened after the end."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from ludoteca.server import fair
from ludoteca.server.wire import Record, ShuffleInfo
from server.house import Json, house, run, until


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Record, Json]:
    """A finished game, and the table as it was before the start."""

    async def scene() -> tuple[Record, Json]:
        async with house(tmp_path_factory.mktemp("fair")) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            info = await anna.open(2)
            await bruno.post(f"/api/tables/{info['id']}/sit", {})
            a, b = await anna.line(info["id"]), await bruno.line(info["id"])
            await a.send(type="entropy", text="first thought")
            await a.send(type="entropy", text="Anna’s dice ⚄")
            await b.send(type="entropy", text="42")
            before = (await a.next("table", lambda m: m["table"]["fair"]["entropy"] == ["Anna’s dice ⚄", "42"]))[
                "table"
            ]
            for text in ("x" * 65, "a\0b"):
                await a.send(type="entropy", text=text)
                assert (await a.next("refused"))["key"] == "entropy_too_long"
            await anna.post(f"/api/tables/{info['id']}/start")
            await a.next("update")
            await a.send(type="entropy", text="too late")
            assert (await a.next("refused"))["key"] == "already_started"
            for person in (anna, bruno):
                await person.post(f"/api/tables/{info['id']}/leave")
            table = await h.table(info["id"])
            await until(lambda: table.row.phase == "over")
            await a.next("revealed")
            record = await anna.http.get(f"/api/tables/{info['id']}/record")
            return msgspec.json.decode(record.content, type=Record), before

    return run(scene())


def failing(record: Record) -> list[str]:
    return [step.what for step in fair.verify(record) if not step.ok]


def test_an_honest_game_passes_every_step(finished: tuple[Record, Json]) -> None:
    record, before = finished
    steps = fair.verify(record)
    assert failing(record) == []
    assert [step.what for step in steps] == ["commitment", "seed", *["shuffle"] * 4, "deal", "game"]
    assert record.fair.commitment == before["fair"]["commitment"]
    assert record.fair.entropy == before["fair"]["entropy"]
    assert before["fair"]["server_seed"] is before["fair"]["seed"] is before["fair"]["shuffles"] is None


def test_the_seed_is_made_as_documented(finished: tuple[Record, Json]) -> None:
    record, _ = finished
    secret = bytes.fromhex(record.fair.server_seed or "")
    assert hashlib.sha256(secret).hexdigest() == record.fair.commitment
    mixed = hashlib.sha256(secret + b"\0" + "Anna’s dice ⚄".encode() + b"\0" + b"42").digest()
    assert record.seed == int.from_bytes(mixed[:8], "big") & ((1 << 63) - 1)


def test_an_altered_server_seed_is_detected(finished: tuple[Record, Json]) -> None:
    record, _ = finished
    for at in (0, 17, 63):
        text = record.fair.server_seed or ""
        other = text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]
        altered = msgspec.structs.replace(record, fair=msgspec.structs.replace(record.fair, server_seed=other))
        assert {"commitment", "seed", "shuffle"} <= set(failing(altered))
    none = msgspec.structs.replace(record, fair=msgspec.structs.replace(record.fair, server_seed="not hex"))
    assert "commitment" in failing(none)


def test_altered_entropy_seed_shuffles_decisions_and_results_are_detected(finished: tuple[Record, Json]) -> None:
    record, _ = finished
    replaced = msgspec.structs.replace
    assert record.fair.shuffles is not None
    swapped = [ShuffleInfo(s.name, [*s.order[1:], s.order[0]]) for s in record.fair.shuffles]
    altered = {
        "seed": replaced(record, fair=replaced(record.fair, entropy=["", "42"])),
        "seed ": replaced(record, seed=record.seed ^ 1),
        "shuffle": replaced(record, fair=replaced(record.fair, shuffles=swapped)),
        "deal": replaced(record, fair=replaced(record.fair, shuffles=[])),
        "game": replaced(record, decisions=record.decisions[:-1]),
        "game ": replaced(record, decisions=record.decisions[1:]),
        "game  ": replaced(record, result=replaced(record.result, ranks=record.result.ranks[::-1])),
    }
    for what, changed in altered.items():
        assert what.strip() in failing(changed), what
