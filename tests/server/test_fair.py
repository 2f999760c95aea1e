"""Fair chance: what was promised before the deal is what is opened after the end."""

from __future__ import annotations

import hashlib
import pathlib
import random
import secrets
import subprocess
import sys
import time
from typing import Any

import msgspec
import pytest

from ludoteca.cli import main
from ludoteca.server import fair, guests, queries
from ludoteca.server.wire import DrawsInfo, Record, ShuffleInfo
from server.house import House, Json, answers, house, run, until

DOCS = pathlib.Path(__file__).parents[2] / "docs"
replaced = msgspec.structs.replace


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
            await ended(h, info["id"])
            await a.next("revealed")
            return await record_of(anna, info["id"]), before

    return run(scene())


async def ended(h: House, id: str) -> None:
    table = await h.table(id)
    await until(lambda: table.row.phase == "over")


async def record_of(person: Any, id: str) -> Record:
    answer = await person.http.get(f"/api/tables/{id}/record")
    return msgspec.json.decode(answer.content, type=Record)


def played_by_bots(folder: pathlib.Path, key: str, seats: int) -> Record:
    """A finished game against bots, left to them."""

    async def scene() -> Record:
        async with house(folder) as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": key, "seats": seats, "wait": True})
            await anna.post(f"/api/tables/{info['id']}/start", {"entropy": "ἀνάγκη"})
            await anna.post(f"/api/tables/{info['id']}/leave")
            await ended(h, info["id"])
            return await record_of(anna, info["id"])

    return run(scene())


@pytest.fixture(scope="module")
def loot(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """A finished game with dice."""
    return played_by_bots(tmp_path_factory.mktemp("loot"), "loot", 2)


def failing(record: Record) -> list[str]:
    return [step.what for step in fair.verify(record) if not step.ok]


def test_an_honest_game_passes_every_step(finished: tuple[Record, Json]) -> None:
    record, before = finished
    steps = fair.verify(record)
    assert failing(record) == []
    assert [step.what for step in steps] == ["commitment", "draws", *["shuffle"] * 4, "deal", "game"]
    assert record.fair.commitment == before["fair"]["commitment"]
    assert record.fair.entropy == before["fair"]["entropy"]
    told = before["fair"]
    assert told["server_seed"] is told["seed"] is told["shuffles"] is told["draws"] is told["chance"] is None


def test_every_game_passes_and_says_what_it_drew(tmp_path: pathlib.Path, loot: Record) -> None:
    assert failing(loot) == []
    assert loot.fair.draws is not None
    assert loot.fair.draws[0] == DrawsInfo(0, "")  # the first dice are rolled by the first decision
    assert loot.fair.draws[1].drawn.count("/6") == 3
    assert {draws.drawn.partition("/")[2] for draws in loot.fair.draws[2:]} == {"6"}
    tournament = played_by_bots(tmp_path / "c", "challengers", 3)
    assert failing(tournament) == []
    assert len(tournament.fair.draws or []) > 7  # every round
    assert failing(played_by_bots(tmp_path / "k", "king_of_con", 3)) == []


def test_an_altered_secret_is_detected(finished: tuple[Record, Json]) -> None:
    record, _ = finished
    for at in (0, 17, 63):
        text = record.fair.server_seed or ""
        other = text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]
        altered = replaced(record, fair=replaced(record.fair, server_seed=other))
        assert {"commitment", "draws", "shuffle"} <= set(failing(altered))
    none = replaced(record, fair=replaced(record.fair, server_seed="not hex"))
    assert "commitment" in failing(none)


def tampered(record: Record) -> dict[str, tuple[str, Record]]:
    """Records in which one thing is not as it was, by the sentence of the stand-alone verifier."""
    proof = record.fair
    assert proof.shuffles is not None and proof.draws is not None
    swapped = [ShuffleInfo(s.name, [*s.order[1:], s.order[0]]) for s in proof.shuffles]
    deal = proof.draws[0]
    value, _, rest = deal.drawn.partition("/")
    other = DrawsInfo(0, f"{int(value) ^ 1}/{rest}")

    def with_fair(**changes: Any) -> Record:
        return replaced(record, fair=replaced(proof, **changes))

    return {
        "opened secret": ("commitment", with_fair(server_seed="00" * 32)),
        "fingerprint": ("commitment", with_fair(commitment="00" * 32)),
        "in the deal is said to be": ("draws", with_fair(entropy=["", "42"])),  # the first one may come out the same
        "Draw 1 in the deal is said to be": ("draws", with_fair(draws=[other, *proof.draws[1:]])),
        "lies in another order": ("shuffle", with_fair(shuffles=swapped)),
        "is not among the draws": (
            "game",
            with_fair(draws=[DrawsInfo(0, rest.partition(" ")[2][:0]), *proof.draws[1:]]),
        ),
        "each once and in order": ("game", with_fair(draws=[deal, DrawsInfo(10**6, ""), *proof.draws[1:]])),
    }


def test_altered_entropy_draws_shuffles_decisions_and_results_are_detected(finished: tuple[Record, Json]) -> None:
    record, _ = finished
    altered = [*tampered(record).values()]
    altered += [
        ("deal", replaced(record, fair=replaced(record.fair, shuffles=[]))),
        ("game", replaced(record, decisions=record.decisions[:-1])),
        ("game", replaced(record, decisions=record.decisions[1:])),
        ("game", replaced(record, result=replaced(record.result, ranks=record.result.ranks[::-1]))),
        ("draws", replaced(record, fair=replaced(record.fair, draws=[DrawsInfo(0, "nonsense")]))),
        ("draws", replaced(record, fair=replaced(record.fair, draws=[DrawsInfo(0, "1/0")]))),
    ]
    for what, changed in altered:
        assert what in failing(changed), what


def test_a_die_that_fell_otherwise_or_was_kept_quiet_is_detected(loot: Record) -> None:
    draws = loot.fair.draws or []
    value, _, bound = draws[3].drawn.partition("/")
    fell = [*draws[:3], DrawsInfo(draws[3].seq, f"{(int(value) + 1) % 6}/{bound}"), *draws[4:]]
    assert "draws" in failing(replaced(loot, fair=replaced(loot.fair, draws=fell)))
    quiet = [*draws[:3], *draws[4:]]
    assert failing(replaced(loot, fair=replaced(loot.fair, draws=quiet))) == ["game"]


# The verifier that stands alone.


def stand_alone(path: pathlib.Path, *more: str) -> tuple[int, str]:
    command = [sys.executable, "-I", str(DOCS / "verify_chance.py"), str(path), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_verifier_that_stands_alone(finished: tuple[Record, Json], loot: Record, tmp_path: pathlib.Path) -> None:
    assert stand_alone(DOCS / "chance_vectors.json") == (0, "All 3 vectors agree.\n")
    record, before = finished
    file = tmp_path / "game.json"
    file.write_bytes(msgspec.json.encode(record))
    code, said = stand_alone(file, before["fair"]["commitment"])
    assert (code, "and 0 steps, follow from the secret and 2 shares" in said) == (0, True)
    assert stand_alone(file, "ab" * 32) == (
        1, "Wrong: The fingerprint of this record is not the one you wrote down before the deal.\n",
    )  # fmt: skip
    file.write_bytes(msgspec.json.encode(loot))
    code, said = stand_alone(file)
    assert (code, f"and {len(loot.fair.draws or []) - 1} steps" in said) == (0, True)


def test_the_verifier_that_stands_alone_finds_what_was_altered(
    finished: tuple[Record, Json], tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "game.json"
    for sentence, (_, record) in tampered(finished[0]).items():
        file.write_bytes(msgspec.json.encode(record))
        code, said = stand_alone(file)
        assert (code, said[:7]) == (1, "Wrong: ")
        assert sentence in said
    for text in ("", "[]", '{"fair": {}}', '{"fair": {"chance": "keyed"}}'):
        file.write_text(text)
        assert stand_alone(file)[0] in (1, 2)
    vectors = (DOCS / "chance_vectors.json").read_text("utf-8")
    file.write_text(vectors.replace("10/12", "11/12"), "utf-8")
    assert stand_alone(file) == (1, "Wrong: Draw 1 in the deal is said to be 11 of 12; it should be 10.\n")


def test_commands_read_the_record(loot: Record, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(msgspec.json.encode(loot))
    assert main(["verify", str(file)]) == 0
    assert "This game was fair." in capsys.readouterr().out
    assert main(["replay", str(file)]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 20
    file.write_bytes(msgspec.json.encode(replaced(loot, fair=replaced(loot.fair, server_seed=None))))
    assert main(["replay", str(file)]) == 2
    assert "where its chance came from" in capsys.readouterr().err


# Before the deal.


def test_against_bots_the_commitment_comes_first_and_ones_own_entropy_is_in_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2, "wait": True})
            assert (info["phase"], info["seq"]) == ("open", 0)
            assert (await anna.post(f"/api/tables/{info['id']}/start", {"entropy": "x" * 65}, 400))["key"] == (
                "entropy_too_long"
            )
            begun = await anna.post(f"/api/tables/{info['id']}/start", {"entropy": "mine"})
            assert begun["phase"] == "playing"
            assert begun["fair"]["commitment"] == info["fair"]["commitment"]
            assert begun["fair"]["entropy"] == ["mine", ""]
            await anna.post(f"/api/tables/{info['id']}/leave")
            await ended(h, info["id"])
            table = await h.table(info["id"])
            table.row.chairs[0].level = None  # as if she had stayed
            again = await anna.post(f"/api/tables/{info['id']}/rematch", {"wait": True})
            assert (again["phase"], again["fair"]["entropy"]) == ("open", ["", ""])
            assert (await anna.post(f"/api/tables/{info['id']}/rematch", {"wait": True}))["id"] == again["id"]
            begun = await anna.post(f"/api/tables/{again['id']}/start", {"entropy": "mine again"})
            assert begun["fair"]["entropy"] == ["", "mine again"]
            assert begun["fair"]["commitment"] == again["fair"]["commitment"] != info["fair"]["commitment"]
            assert (await h.table(again["id"])).play is not None
            record = await record_of(anna, info["id"])
            assert (record.fair.entropy, failing(record)) == (["mine", ""], [])

    run(scene())


def test_other_entropy_deals_other_cards(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair, "new_seed", lambda: bytes(32))

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            deals = []
            for entropy in ("a", "a", "b"):
                info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2, "wait": True})
                await anna.post(f"/api/tables/{info['id']}/start", {"entropy": entropy})
                table = await h.table(info["id"])
                assert table.play is not None
                deals.append(table.play.beginning.tobytes())
            assert deals[0] == deals[1] != deals[2]

    run(scene())


# After a restart.


@pytest.mark.usefixtures("fast_hands")
def test_a_game_goes_on_with_the_same_chance_after_a_restart(tmp_path: pathlib.Path) -> None:
    dice = random.Random(4)

    async def some(h: House, secret: str | None, id: str | None, most: int) -> tuple[str, str, bytes]:
        anna = await h.person("" if secret else "Anna", secret)
        if id is None:
            info = await anna.post("/api/play-now", {"game": "loot", "seats": 1, "wait": True})
            id = str(info["id"])
            await anna.post(f"/api/tables/{id}/start", {"entropy": "mine"})
        line = await anna.line(id)
        position = await line.next("update")
        for _ in range(most):
            if position["result"]:
                break
            command = await line.do(dice.choice(position["choices"])["action"], position["seq"])
            assert (await line.next_of(("done", "refused"), answers(command)))["type"] == "done"
            position = await line.next("update")
        table = await h.table(id)
        assert table.play is not None
        return anna.secret or "", id, table.play.states.tobytes()

    async def scene() -> None:
        async with house(tmp_path) as h:
            secret, id, stood = await some(h, None, None, 6)
        async with house(tmp_path) as h:
            table = await h.table(id)
            assert table.play is not None
            assert table.play.states.tobytes() == stood
            await some(h, secret, id, 1000)
            await ended(h, id)
            assert failing(await record_of(await h.person("", secret), id)) == []

    run(scene())


# Tables of earlier servers.


def test_a_game_that_began_with_a_seed_goes_on_and_is_checked_as_then(tmp_path: pathlib.Path) -> None:
    async def scene() -> Record:
        secret, cookie, now = secrets.token_bytes(32), secrets.token_urlsafe(16), time.time()
        chairs = [queries.ChairRow("guest", "Anna", None, "mine"), queries.ChairRow(None, "Ada", "novice")]
        row = queries.TableRow(
            id="old", game="splendor", version="", options={"edition": "marvel"}, public=False, name="", host="guest",
            phase="open", invite="invite", commitment=fair.commit(secret), created=now, moved=now, chairs=chairs,
        )  # fmt: skip
        async with house(tmp_path) as h:
            row.version = h.app.lobby.house.engines.game("splendor").version
            write = h.app.lobby.house.store.write
            await write(queries.add_guest, "guest", guests.hashed(cookie), "Anna", now)
            await write(queries.add_table, row, secret)
            await write(queries.start_table, row, fair.mix(secret, ["mine", ""]), 1, now)
            anna = await h.person("", cookie)
            await anna.post("/api/tables/old/leave")
            await ended(h, "old")
            return await record_of(anna, "old")

    record = run(scene())
    assert (record.fair.chance, record.fair.draws, record.seed == record.fair.seed) == ("seed", None, True)
    secret = bytes.fromhex(record.fair.server_seed or "")
    mixed = hashlib.sha256(secret + b"\0mine\0").digest()
    assert record.seed == int.from_bytes(mixed[:8], "big") & ((1 << 63) - 1)
    assert failing(record) == []
    assert [s.what for s in fair.verify(record)] == ["commitment", "seed", *["shuffle"] * 4, "deal", "game"]
    as_written_then = replaced(record, fair=replaced(record.fair, chance=None))
    assert failing(as_written_then) == []
    assert record.seed is not None
    assert "seed" in failing(replaced(record, seed=record.seed ^ 1))
    assert {"seed", "shuffle", "game"} <= set(failing(replaced(record, fair=replaced(record.fair, entropy=["", ""]))))
