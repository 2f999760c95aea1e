"""Tables with a deck of somebody's own: opened, played, kept, written down, brought to another house, verified."""

from __future__ import annotations

import asyncio
import json
import pathlib
from typing import Any

import pytest

from ludoteca import catalogue, cli
from ludoteca.core import decks
from ludoteca.core.words import fill
from ludoteca.server import decks as shelf
from ludoteca.server import reports
from server.house import Json, Person, house, newer, run

SPLENDOR = catalogue.listed("splendor")
FORM = decks.form_of(SPLENDOR, "base")


def my_deck(points: str = "9", quick: bool = False) -> str:
    """The base edition with one strong card, whose title is new."""
    rows = [row | {"points": points, "name": "Koh-i-Noor"} if row["id"] == "B101" else row for row in FORM.printed()]
    if quick:  # two cards end the game
        rows = [row | {"points": "9"} if row.get("level") == "1" else row for row in rows]
    return decks.as_file(SPLENDOR, FORM, rows)


async def saved(person: Person, text: str, name: str = "Mine") -> str:
    kept: Json = await person.post("/api/decks", {"game": "splendor", "form": "base", "text": text, "name": name})
    return str(kept["hash"])


async def played(person: Person, options: Json) -> str:
    """A game against a bot, to its end; its table."""
    table = await person.post("/api/play-now", {"game": "splendor", "seats": 2, "level": "novice", "options": options})
    line = await person.line(table["id"])
    update = await line.next("update")
    while not update["result"]:
        if update["choices"]:
            cards = [choice for choice in update["choices"] if choice["kind"].startswith("recruit")]
            await line.do((cards or update["choices"])[0]["action"], update["seq"])
        update = await line.next("update", newer(update["seq"]))
    return str(table["id"])


def test_the_kinds_of_row_are_named_by_the_game_that_has_them() -> None:
    for game in catalogue.games().values():
        for form in game.forms:
            for language in ("en", "it"):
                words = shelf._form(game, form, language).words
                wanted = {f"{what}.{kind}" for kind in form.kinds or ("row",) for what in ("kind", "count")}
                assert words.keys() == wanted
    words = shelf._form(SPLENDOR, FORM, "it").words
    assert (words["kind.place"], fill(words["count.place"], {"n": 1})) == ("Luoghi", "1 luogo")


def test_a_deck_is_checked_kept_and_put_away(tmp_path: pathlib.Path) -> None:
    async def visit() -> None:
        async with house(tmp_path) as here:
            anna, bo = await here.person("Anna"), await here.person("Bo")
            wish = {"game": "splendor", "form": "base", "text": my_deck("99"), "language": "it"}
            wrong = await anna.post("/api/decks/check", wish)
            assert wrong["hash"] is None
            assert [(one["row"], one["column"]) for one in wrong["mistakes"]] == [(0, "points")]
            assert wrong["mistakes"][0]["sentence"] == "qui c'è 99; può essere da 0 a 9."
            bad = await anna.post(
                "/api/decks", {"game": "splendor", "form": "base", "text": my_deck("99"), "name": "Bad"}, 400
            )
            assert bad["key"] == "bad_deck" and "99 stands here" in bad["sentence"]
            hash = await saved(anna, my_deck())
            assert hash == (await anna.post("/api/decks/check", wish | {"text": my_deck()}))["hash"]
            assert await saved(bo, my_deck(), "Also mine") == hash, "the same content is kept once"
            assert [(deck["name"], deck["hash"]) for deck in await anna.get("/api/decks")] == [("Mine", hash)]
            shared = await bo.get(f"/api/decks/{hash}")
            assert shared["form"] == "base" and shared["content"][0]["name"] == "Koh-i-Noor"
            assert await anna.post("/api/decks/put-away", {"hash": hash}) == []
            assert [deck["name"] for deck in await bo.get("/api/decks")] == ["Also mine"]
            await anna.get(f"/api/decks/{'0' * 64}", 404)

    run(visit())


def test_a_table_is_played_with_a_deck_and_comes_back_with_it(tmp_path: pathlib.Path) -> None:
    async def visit() -> None:
        async with house(tmp_path) as here:
            anna = await here.person("Anna")
            hash = await saved(anna, my_deck())
            wish = {"game": "splendor", "seats": 2, "options": {"deck": hash}, "public": True, "bots": [None, "novice"]}
            refused = await anna.post("/api/tables", wish | {"rated": True}, 400)
            assert refused["key"] == "rated_deck"
            await anna.post("/api/tables", wish | {"options": {"deck": "f" * 64}}, 404)
            opened = await anna.post("/api/tables", wish)
            assert opened["options"] == {"edition": "base", "deck": hash}
            await anna.post(f"/api/tables/{opened['id']}/start")
            table = await here.table(opened["id"])
            assert table.game.variant == hash and table.engine.game.variant == hash
            assert table.play is not None
            before = table.play.states.tobytes()
            secret = anna.secret
        async with house(tmp_path) as again:
            await again.person("", secret)
            table = await again.table(opened["id"])
            assert table.play is not None
            assert (table.game.variant, table.play.states.tobytes()) == (hash, before)

    run(visit())


def test_two_houses_exchange_a_game_and_it_verifies_only_with_its_deck(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def visit() -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        async with house(tmp_path / "one") as first, house(tmp_path / "two") as second:
            anna, bo = await first.person("Anna"), await second.person("Bo")
            table = await played(anna, {"deck": await saved(anna, my_deck(quick=True))})
            record = await anna.get(f"/api/tables/{table}/record")
            (tmp_path / "game.json").write_text(json.dumps(record), "utf-8")
            brought = await bo.post("/api/records", record)
            assert brought["new"]
            looked = await bo.get(f"/api/tables/{brought['table']}")
            assert looked["options"]["deck"] == record["options"]["deck"]
            assert await bo.get(f"/api/decks/{record['options']['deck']}"), "the deck came with it"
            other = decks.read_deck(SPLENDOR, FORM, "", my_deck("0"))
            for wrong in (record | {"deck": other.text}, {key: record[key] for key in record if key != "deck"}):
                assert (await bo.post("/api/records", wrong, 400))["key"] in (
                    "bad_record",
                    "record_chance",
                    "record_game",
                    "other_deck",
                )

    run(visit())
    assert cli.main(["verify", str(tmp_path / "game.json")]) == 0
    assert "This game was fair." in capsys.readouterr().out
    record = json.loads((tmp_path / "game.json").read_text("utf-8"))
    printed = record | {"deck": None, "options": {"edition": "base"}}
    (tmp_path / "printed.json").write_text(json.dumps(printed), "utf-8")
    assert cli.main(["verify", str(tmp_path / "printed.json")]) == 1, "under the printed deck it is another game"
    assert cli.main(["check", "--database", str(tmp_path / "two" / "games.db")]) == 0


def test_what_a_deck_does_is_told_while_it_grows(tmp_path: pathlib.Path) -> None:
    async def visit() -> None:
        async with house(tmp_path) as here:
            anna, bo = await here.person("Anna"), await here.person("Bo")
            hash = await saved(anna, my_deck())
            wish = {"game": "splendor", "deck": hash, "deals": 12, "bot": "uniform"}
            assert (await anna.post("/api/reports", wish | {"bot": "nobody"}, 400))["key"] == "bad_report"
            asked = await anna.post("/api/reports", wish)
            await bo.post(f"/api/reports/{asked['id']}/stop", status=404)
            while (now := await anna.get(f"/api/reports/{asked['id']}"))["running"]:
                await asyncio.sleep(0.2)
            report = now["report"]
            assert now["done"] == now["total"] > 24, "both decks, and the changed card exchanged for others"
            assert [one["name"]["it"] for one in report["changed"]] == ["Koh-i-Noor"]
            assert len(report["chairs"]) == 2 and report["deals"] == 12
            files = await bo.get(f"/api/reports/{asked['id']}/files")  # whoever has the link
            assert files["html"].startswith("<!doctype html>") and "Koh-i-Noor" in files["html"]
            assert files["csv"].startswith("what,before,after,difference") and "Koh-i-Noor" in files["csv"]
            await bo.get("/api/reports/unknown/files", 404)
            itself = await anna.post("/api/reports", wish | {"before": hash, "deals": 2})
            while (now := await anna.get(f"/api/reports/{itself['id']}"))["running"]:
                await asyncio.sleep(0.2)
            assert now["report"]["changed"] == [] and now["done"] == 4, "a deck beside itself has not changed"
            assert (await anna.post("/api/reports", wish | {"before": "0" * 64}, 404))["key"] == "no_such_deck"
            endless = await anna.post("/api/reports", wish | {"deals": 5000})
            assert not (await anna.post(f"/api/reports/{endless['id']}/stop"))["running"]
            assert (await anna.get(f"/api/reports/{endless['id']}/files", 404))["key"] == "no_such_report"

    run(visit())


def test_a_search_for_balance_is_followed_stopped_and_goes_on(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("optuna")
    monkeypatch.setattr(reports, "CHECKED_ON", 2)

    async def visit() -> None:
        async with house(tmp_path) as here:
            anna, bo = await here.person("Anna"), await here.person("Bo")
            hash = await saved(anna, my_deck("9"))
            wish = {
                "game": "splendor", "deck": hash, "wishes": ["at most 500 rounds"], "deals": 1, "bot": "uniform",
                "cells": ["Koh-i-Noor points 0..9"], "tries": 3,
            }  # fmt: skip
            refused: list[Json] = [{"cells": []}, {"wishes": ["x" * 121]}, {"bot": "nobody"}, {"deals": 1001}]
            for wrong in refused:
                assert (await anna.post("/api/searches", wish | wrong, 400))["key"] == "bad_search"
            assert (await anna.post("/api/searches", wish | {"tries": 0}, 400))["key"] == "bad_tries"

            async def ended(id: str) -> Any:
                while (now := await anna.get(f"/api/searches/{id}"))["running"]:
                    await asyncio.sleep(0.1)
                return now

            unread = await anna.post("/api/searches", wish | {"wishes": ["a better game"]})
            assert "names no number" in (await ended(unread["id"]))["refused"]
            asked = await anna.post("/api/searches", wish)
            await bo.post(f"/api/searches/{asked['id']}/stop", status=404)
            await bo.post(f"/api/searches/{asked['id']}/on", {"tries": 5}, 404)
            first = await ended(asked["id"])
            found = first["search"]
            assert first["done"] == len(found["tried"]) == 3 and found["met"] == 3
            best = found["proposals"][0]
            assert best["met"] == best["again_met"] == [True] and best["costs"] is not None
            mended = await anna.post("/api/decks/check", {"game": "splendor", "text": best["deck"], "form": "base"})
            assert mended["hash"], "a proposal is a deck that can be played"
            await anna.post(f"/api/searches/{asked['id']}/on", {"tries": 5})
            further = await ended(asked["id"])
            assert further["search"]["tried"][:3] == found["tried"] and further["done"] == 5
            endless = await anna.post("/api/searches", wish | {"deals": 1000, "tries": 200})
            assert not (await anna.post(f"/api/searches/{endless['id']}/stop"))["running"]

    run(visit())
