"""The page: files, headers, and what is shown before it is built."""

from __future__ import annotations

import dataclasses
import pathlib

import pytest

from ludoteca import catalogue
from ludoteca.bots.levels import LEVELS
from ludoteca.core.errors import BadData, Unknown
from ludoteca.server import engines
from ludoteca.server.settings import Settings
from server.house import house, run, until


def test_files_are_served_with_the_headers_they_need(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>Ludoteca</title>")
    (page / "assets" / "app-1a2b.js").write_text("// " + "x" * 1000)
    (page / ".vite").mkdir()
    (page / ".vite" / "manifest.json").write_text("{}")

    async def scene() -> None:
        async with house(tmp_path, page=str(page)) as h:
            http = h.anybody().http
            home = await http.get("/")
            assert home.status_code == 200
            assert home.headers["content-type"].startswith("text/html")
            assert home.headers["cache-control"] == "no-cache"
            for header, value in {
                "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
                "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
                "x-content-type-options": "nosniff",
                "referrer-policy": "no-referrer",
            }.items():
                for path in ("/", "/api/games", "/api/nothing", "/assets/none.js"):
                    assert (await http.get(path)).headers[header] == value
            script = await http.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip"})
            assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert script.headers["content-encoding"] == "gzip"
            assert script.headers["content-type"].startswith("text/javascript")
            assert script.text.startswith("// xxx")
            plain = await http.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
            assert plain.text == script.text
            again = await http.get("/", headers={"If-None-Match": home.headers["etag"]})
            assert again.status_code == 304
            assert (await http.get("/table/abc")).text == home.text  # one of the page's own addresses
            assert (await http.get("/assets/none.js")).status_code == 404
            for hidden in ("/.vite/manifest.json", "/../games.db", "/%2e%2e/games.db", "/assets/../../games.db"):
                answer = await http.get(hidden)
                assert answer.status_code == 404 or answer.text == home.text

    run(scene())


def test_a_page_that_is_not_built_says_so_kindly_and_is_found_when_it_is(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page"

    async def scene() -> None:
        async with house(tmp_path, page=str(page)) as h:
            http = h.anybody().http
            answer = await http.get("/")
            assert answer.status_code == 503
            assert "not built yet" in answer.text
            assert (await http.get("/api/games")).status_code == 200
            page.mkdir()
            (page / "index.html").write_text("built")
            assert (await http.get("/")).text == "built"

    run(scene())


def test_a_game_s_own_board_is_handed_out_and_nothing_beside_it(tmp_path: pathlib.Path) -> None:
    folder, board = tmp_path / "drawn", tmp_path / "drawn" / "board"
    (board / "art").mkdir(parents=True)
    for name in (
        "board/board.js",
        "board/board.css",
        "board/art/die.svg",
        "board/notes.py",
        "board/page.html",
        "secret.js",
    ):
        (folder / name).write_text(f"/* {name} */")
    (board / "away.js").symlink_to(folder / "secret.js")
    drawn = dataclasses.replace(catalogue.listed("loot"), key="drawn", folder=folder)

    async def scene() -> None:
        async with house(tmp_path) as h:
            h.app.engines.add(drawn)
            http = h.anybody().http
            games = {g["key"]: g for g in await h.anybody().get("/api/games")}
            assert games["loot"]["board"] is None, "its board is built into the page"
            module, style = games["drawn"]["board"]["module"], games["drawn"]["board"]["style"]
            place = module.removesuffix("board.js")
            kinds = {module: "text/javascript", style: "text/css", f"{place}art/die.svg": "image/svg+xml"}
            for address, kind in kinds.items():
                answer = await http.get(address)
                assert answer.status_code == 200 and answer.headers["content-type"].startswith(kind)
                assert answer.headers["cache-control"].endswith("immutable")
                policy = answer.headers["content-security-policy"]
                assert policy.startswith("sandbox" if kind == "image/svg+xml" else "default-src 'self';")
                assert "unsafe" not in policy
            older = await http.get(module.replace(place, "/boards/drawn/0123/"))
            assert older.status_code == 200 and older.headers["cache-control"] == "no-cache"
            for name in (
                "notes.py",
                "page.html",
                "away.js",
                "art",
                "%2e%2e/secret.js",
                "..%2fsecret.js",
                "../secret.js",
            ):
                answer = await http.get(f"{place}{name}")
                assert answer.status_code in (404, 503) and "secret" not in answer.text, name
            assert (await http.get("/boards/nothing/0/board.js")).status_code == 404
            (board / "board.js").write_text("/* mended */")
            [mended] = [g["board"]["module"] for g in await h.anybody().get("/api/games") if g["key"] == "drawn"]
            assert mended != module and (await http.get(mended)).text == "/* mended */"

    run(scene())


def test_the_catalogue_has_every_installed_game_with_the_words_on_its_box(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            games = {g["key"]: g for g in await h.anybody().get("/api/games")}
            assert set(games) == set(catalogue.games())
            assert [g["title"] for g in games.values()] == sorted(g["title"] for g in games.values())
            splendor = games["splendor"]
            assert (splendor["seats"], splendor["levels"]) == ([2, 3, 4], list(LEVELS))
            assert (splendor["colour"], splendor["cover"]) == ("#1b1446", True)
            assert splendor["words"]["it"]["option.edition"] == "Edizione"
            assert splendor["words"]["en"]["pitch"].startswith("Collect gems")
            assert not any(key.startswith(("event.", "action.")) for key in splendor["words"]["en"])
            wanted = {"key": "edition", "values": ["marvel", "base"], "default": "marvel", "titles": {}}
            assert splendor["options"][0] == wanted
            assert await h.anybody().get("/api/warmup") == {
                "ready": False, "done": 0, "total": engines.STEPS * len(games), "what": "",
            }  # fmt: skip

    run(scene())


def test_words_rules_and_cover_come_out_of_the_box(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            http = h.anybody().http
            words = (await http.get("/api/games/loot/words")).json()["words"]
            assert words["en"].keys() == words["it"].keys() > {"pitch"}
            for asked, told in (("it", "it"), ("en", "en"), ("fr", "en"), ("../../en", "en")):
                rules = (await http.get("/api/games/loot/rules", params={"language": asked})).json()
                assert rules["language"] == told and "§1.1" in rules["text"]
            cover = await http.get("/api/games/loot/cover")
            assert cover.headers["content-type"] == "image/svg+xml" and cover.text.startswith("<svg")
            assert "sandbox; default-src 'none'" in cover.headers.get_list("content-security-policy")
            for what in ("words", "rules", "cover"):
                nothing = await http.get(f"/api/games/chess/{what}")
                assert nothing.status_code == 404 and "There is no game called «chess»" in nothing.json()["sentence"]

    run(scene())


def test_a_server_can_be_set_up_with_some_games_only(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, games="loot, bots.hide_and_seek:GAME") as h:
            assert [g["key"] for g in await h.anybody().get("/api/games")] == ["hide_and_seek", "loot"]
            anna = await h.person("Anna")
            await anna.post("/api/play-now", {"game": "hide_and_seek", "seats": 2})
            wanted = {"game": "splendor"}
            refused = await anna.http.post("/api/play-now", json=wanted, headers={"Origin": str(anna.http.base_url)})
            assert refused.status_code == 404

    run(scene())


def test_nobody_can_make_the_server_import_a_module(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            wanted = {"game": "bots.hide_and_seek:GAME"}
            refused = await anna.http.post("/api/play-now", json=wanted, headers={"Origin": str(anna.http.base_url)})
            assert refused.status_code == 404 and refused.json()["key"] == "no_such_game"

    run(scene())


def test_games_that_cannot_be_served_are_refused_before_the_server_starts() -> None:
    with pytest.raises(Unknown, match="There is no game called «chess»"):
        engines.served("loot, chess")
    with pytest.raises(BadData, match="the same key"):
        engines.served("loot, ludoteca.games.loot:GAME")


def test_a_first_game_starts_at_once_and_goes_on_compiled(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2})
            table = await h.table(info["id"])
            assert not table.engine.compiled
            line = await anna.line(info["id"])
            position = await line.next("update")
            await line.do(position["choices"][0]["action"], 0)
            await until(lambda: table.seq >= 2)
            await h.app.engines.warm_up()
            assert table.engine.compiled
            progress = await anna.get("/api/warmup")
            assert progress["ready"]
            assert progress["done"] == progress["total"]
            seq = table.seq
            while table.seq == seq:
                position = await line.next("update")
                if position["choices"] and position["seq"] == table.seq:
                    await line.do(position["choices"][0]["action"], position["seq"])
                    await until(lambda: table.seq > seq)

    run(scene())


def test_settings_come_from_the_environment_and_the_caller_wins() -> None:
    environment = {"LUDOTECA_PORT": "9000", "LUDOTECA_HOST": "0.0.0.0", "LUDOTECA_WARMUP": "no"}
    settings = Settings.read(environment, host="127.0.0.1", database=None)
    assert (settings.port, settings.host, settings.warmup) == (9000, "127.0.0.1", False)
