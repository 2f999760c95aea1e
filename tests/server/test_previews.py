"""What a messenger shows of a link: only what anybody with that link may know, escaped, with absolute addresses."""

from __future__ import annotations

import asyncio
import builtins
import html
import io
import pathlib
import re
from typing import Any

import msgspec
import pytest
from PIL import Image

from ludoteca import catalogue
from ludoteca.core.canvas import Scene
from ludoteca.core.engine import interpreted
from ludoteca.core.record import SPECTATOR
from ludoteca.server.pictures import HEIGHT, WIDTH, png
from server.house import House, Person, house, run, until

TAG = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)" />')
UGLY = '<b>"Sun\'day"&amp'  # a name that would break out of an attribute


def page_in(folder: pathlib.Path) -> str:
    page = folder / "page"
    page.mkdir(exist_ok=True)
    (page / "index.html").write_text(
        "<!doctype html><html><head><title>Ludoteca</title>\n  </head><body></body></html>"
    )
    (page / "preview.png").write_bytes(b"\x89PNG")
    return str(page)


async def told(person: Person, path: str, **headers: str) -> dict[str, str]:
    """The tags at an address."""
    answer = await person.http.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    return {key: html.unescape(value) for key, value in TAG.findall(answer.text)}


async def picture(person: Person, address: str) -> Image.Image:
    answer = await person.http.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    found = Image.open(io.BytesIO(answer.content))
    assert found.size == (WIDTH, HEIGHT)
    return found.convert("RGB")


def test_the_house_and_the_rules_are_told(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, page=page_in(tmp_path)) as h:
            home = await told(h.anybody(), "/")
            assert home["og:image"] == f"{h.origin}/preview.png"
            assert home["og:title"].startswith("Ludoteca") and home["twitter:card"] == "summary_large_image"
            assert (await told(h.anybody(), "/", **{"Accept-Language": "fr, it;q=0.8"}))["og:locale"] == "it_IT"
            learn = await told(h.anybody(), "/learn/loot")
            assert learn["og:title"] == "How to play Loot"
            await picture(h.anybody(), learn["og:image"])
            assert await told(h.anybody(), "/learn/chess") == home, "the house, where there is no such game"
            assert (await h.anybody().http.get("/pictures/games/chess.png")).status_code == 404

    run(scene())


def test_an_invitation_shows_the_box_and_who_is_there(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, page=page_in(tmp_path)) as h:
            anna = await h.person("Anna")
            info = await anna.open(3, public=False, bots=[None, "club"], name="Sunday")
            tags = await told(h.anybody(), f"/table/{info['id']}?invite={info['invite']}")
            assert tags["og:title"] == "Come and play Splendor: Marvel: Sunday"
            assert tags["og:description"] == "At the table: Anna, Ada. One chair is free."
            assert tags["og:image"] == f"{h.origin}/pictures/games/splendor.png"
            await picture(h.anybody(), tags["og:image"])

    run(scene())


def test_a_private_table_without_its_invitation_gives_nothing_away(tmp_path: pathlib.Path) -> None:
    """To the last byte like a table that is not there; not even whoever sits at it gets more, so no cache can leak it."""

    async def scene() -> None:
        async with house(tmp_path, page=page_in(tmp_path)) as h:
            anna = await h.person("Anna")
            info = await anna.open(2, public=False, bots=[None, "novice"], name="Sunday")
            await anna.post(f"/api/tables/{info['id']}/start")
            for who in (h.anybody(), anna):
                unknown = (await who.http.get("/table/none")).content
                for path in ("", "?invite=wrong", "/again?at=1"):
                    assert (await who.http.get(f"/table/{info['id']}{path}")).content == unknown
                for query in ("", "?invite=wrong", "?at=1"):
                    there = await who.http.get(f"/pictures/tables/{info['id']}.png{query}")
                    nowhere = await who.http.get(f"/pictures/tables/none.png{query}")
                    assert (there.status_code, there.content) == (404, nowhere.content)
            assert (await h.anybody().http.get(f"/table/{'x' * 4000}")).status_code == 200

    run(scene())


def test_names_cannot_break_out_of_an_attribute(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, page=page_in(tmp_path)) as h:
            anna = await h.person(UGLY)
            info = await anna.open(2, name=UGLY)
            answer = (await h.anybody().http.get(f"/table/{info['id']}")).text
            assert UGLY not in answer and "<b>" not in answer
            tags = {key: html.unescape(value) for key, value in TAG.findall(answer)}
            assert tags["og:title"].endswith(UGLY) and UGLY in tags["og:description"]
            assert "<" not in re.sub(r"<[^<>]+>", "", answer), "every tag is whole"

    run(scene())


async def started(h: House, public: bool = False) -> tuple[Person, dict[str, Any]]:
    anna = await h.person("Anna")
    info = await anna.open(2, public=public, bots=[None, "novice"])
    await anna.post(f"/api/tables/{info['id']}/start")
    return anna, info


def test_a_running_table_is_drawn_as_a_spectator_sees_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, page=page_in(tmp_path)) as h:
            anna, info = await started(h)
            address = f"/table/{info['id']}?invite={info['invite']}"
            tags = await told(h.anybody(), address)
            assert tags["og:description"] == "Anna, Ada are playing. Have a look."
            before = await picture(h.anybody(), tags["og:image"])
            table = await h.table(info["id"])
            line = await anna.line(info["id"])
            position = await line.next("update")
            await line.do(position["choices"][0]["action"], 0)
            await until(lambda: table.seq >= 2)
            after = await told(h.anybody(), address)
            assert after["og:image"] != tags["og:image"], "messengers keep pictures by their address"
            assert (await picture(h.anybody(), after["og:image"])).tobytes() != before.tobytes()
            moment = await told(h.anybody(), f"/table/{info['id']}/again?at=0&invite={info['invite']}")
            assert "at=0" in moment["og:image"] and "invite=" in moment["og:image"]
            assert (await picture(h.anybody(), moment["og:image"])).tobytes() == before.tobytes(), "the deal"
            assert (await picture(anna, moment["og:image"])).tobytes() == before.tobytes(), "her cookie shows no more"
            assert (await h.anybody().http.get(f"{moment['og:image']}&at=x")).status_code == 400

    run(scene())


def test_a_picture_is_drawn_once_and_only_so_often(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def draw(*_: object) -> bytes:
        drawn.append(1)
        return b"\x89PNG drawn"

    monkeypatch.setattr("ludoteca.server.pictures.png", draw)

    async def scene() -> None:
        async with house(tmp_path, page=page_in(tmp_path), pictures_a_minute=2) as h:
            _, info = await started(h, public=True)
            http, address = h.anybody().http, f"/pictures/tables/{info['id']}.png"
            answers = await asyncio.gather(*(http.get(address) for _ in range(5)))
            assert {answer.content for answer in answers} == {b"\x89PNG drawn"} and len(drawn) == 1
            await http.get(f"{address}?at=0")
            box = (await http.get("/pictures/games/splendor.png")).content
            assert (await http.get(f"{address}?at=1")).content == box, "no more in this minute"
            assert (await http.get(address)).content == b"\x89PNG drawn", "what is drawn stays"
            assert len(drawn) == 2

    run(scene())


def test_without_pillow_the_box_is_shown(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name.partition(".")[0] == "PIL":
            raise ImportError(name)
        return own(name, *more)

    async def scene() -> None:
        async with house(tmp_path, page=page_in(tmp_path)) as h:
            _, info = await started(h, public=True)
            monkeypatch.setattr(builtins, "__import__", without)
            answer = await h.anybody().http.get(f"/pictures/tables/{info['id']}.png")
            box = await h.anybody().http.get("/pictures/games/splendor.png")
            assert answer.status_code == 200 and answer.content == box.content

    run(scene())


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_the_longest_names_fit_into_every_drawing(key: str) -> None:
    game = catalogue.game(key)
    engine = interpreted(game)
    seats = max(game.seats)
    names = ["W" * 24] * seats
    states = engine.start(seats, game.full_options({}), 3)
    for number in range(120):
        waiting = engine.waiting(states)
        if number % 8 == 0:
            png(game, Scene(engine.view(states, 0, SPECTATOR), names, waiting, []))
        engine.apply(states, 0, waiting[0], engine.legal(states, 0, waiting[0])[0])


def test_a_shared_moment_of_a_running_private_game_shows_what_is_public(tmp_path: pathlib.Path) -> None:
    """The link carries the invitation: a friend looks back as a spectator, and nothing of the sharer's own hand is told."""

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, friend = await h.person("Anna"), await h.person("Marco")
            info = await anna.post("/api/play-now", {"game": "king_of_con", "seats": 3})
            moments = f"/api/tables/{info['id']}/moments?first=0&invite={info['invite']}"
            [own, *_] = (await anna.get(moments))["moments"]
            [shared, *_] = (await friend.get(moments))["moments"]
            table = await h.table(info["id"])
            assert table.play is not None
            public = table.play.from_the_start(table.engine).position(SPECTATOR).view()
            assert shared["view"] == msgspec.json.decode(msgspec.json.encode(public))
            assert own["view"] != shared["view"], "she sees her Passions"
            assert (await friend.get(f"{moments}&seat=0", 409))["key"] == "not_over"

    run(scene())
