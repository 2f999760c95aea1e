"""Who may do what: every address and message for everybody. An address without a row here fails."""

from __future__ import annotations

import asyncio
import pathlib

import pytest
from websockets.exceptions import InvalidStatus

from ludoteca.server.app import App
from ludoteca.server.settings import Settings
from server.house import House, Json, Line, Person, house, run, until

WHO = ("anonymous", "guest", "spectator", "other seat", "host")
WISH = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}

# Address, body → the status for each of WHO, at a private table that has not begun. A spectator has the invitation.
MATRIX: dict[str, tuple[Json | None, tuple[int, int, int, int, int]]] = {
    "GET /api/me": (None, (200, 200, 200, 200, 200)),
    "POST /api/me": ({"name": "X"}, (401, 200, 200, 200, 200)),
    "GET /api/games": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/words": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/rules": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/cover": (None, (200, 200, 200, 200, 200)),
    "GET /api/warmup": (None, (200, 200, 200, 200, 200)),
    "GET /api/tables": (None, (200, 200, 200, 200, 200)),
    "POST /api/tables": (WISH, (401, 200, 200, 200, 200)),
    "GET /api/my/tables": (None, (401, 200, 200, 200, 200)),
    "POST /api/play-now": ({"game": "splendor"}, (401, 200, 200, 200, 200)),
    "GET /api/tables/{table}": (None, (404, 404, 200, 200, 200)),
    "GET /api/tables/{table}/moments": (None, (404, 404, 409, 409, 409)),
    "GET /api/tables/{table}/record": (None, (404, 404, 409, 409, 409)),
    "POST /api/tables/{table}/rematch": (None, (401, 404, 404, 409, 409)),
    "POST /api/tables/{table}/stand-in": ({"seat": 0}, (401, 404, 404, 409, 409)),
    "POST /api/tables/{table}/chair": ({"seat": 2, "level": "novice"}, (401, 404, 404, 403, 200)),
    "POST /api/tables/{table}/arrange": ({"seats": 3}, (401, 404, 404, 403, 200)),
    "POST /api/tables/{table}/ready": ({"ready": True}, (401, 404, 404, 200, 200)),
    "POST /api/tables/{table}/invite": (None, (401, 404, 404, 403, 200)),
    "POST /api/tables/{table}/leave": (None, (401, 404, 404, 200, 200)),
    "POST /api/tables/{table}/sit": ({}, (401, 404, 200, 200, 200)),
    "POST /api/tables/{table}/start": (None, (401, 404, 404, 403, 200)),
}


def test_every_address_has_its_row() -> None:
    served = {
        f"{method} {route.path}"
        for route in App(Settings(database="unused.db"))._routes()
        for method in (route.methods or set()) - {"HEAD"}
        if route.path.startswith("/api/") and "{rest" not in route.path
    }
    assert served == MATRIX.keys()


async def cast(h: House) -> tuple[dict[str, Person], Json]:
    """Everybody, and a private table of three chairs where host and other seat sit."""
    people = {who: h.anybody() if who == "anonymous" else await h.person(who) for who in WHO}
    table = await people["host"].open(3, public=False)
    await people["other seat"].post(f"/api/tables/{table['id']}/sit", {"invite": table["invite"]})
    return people, table


@pytest.mark.parametrize("address", MATRIX)
def test_who_may_ask_for_what(tmp_path: pathlib.Path, address: str) -> None:
    async def scene() -> None:
        body, statuses = MATRIX[address]
        method, path = address.split()
        async with house(tmp_path) as h:
            for who, status in zip(WHO, statuses, strict=True):
                people, table = await cast(h)
                where, sent = path.replace("{table}", table["id"]).replace("{game}", "splendor"), body
                if who == "spectator" and "{table}" in path:  # shows the invitation, where one can
                    where += f"?invite={table['invite']}"
                    sent = {"invite": table["invite"]} if path.endswith("/sit") else body
                http = people[who].http
                answer = await (http.get(where) if method == "GET" else http.post(where, json=sent))
                assert answer.status_code == status, f"{who}: {answer.status_code} {answer.text}"
                assert status < 400 or answer.json()["sentence"]
                seated = who in ("other seat", "host") or path.endswith("/sit")
                assert seated or table["invite"] not in answer.text

    run(scene())


def test_who_may_open_a_socket_and_say_what(tmp_path: pathlib.Path) -> None:
    messages: dict[str, Json] = {
        "do": {"type": "do", "id": "x", "action": 0, "at": 0},
        "say": {"type": "say", "text": "hello"},
        "entropy": {"type": "entropy", "text": "dice"},
        "ping": {"type": "ping", "at": 0},
    }
    answers = {  # before the start: what each hears first
        "anonymous": {"do": "only_seated", "say": "only_guests", "entropy": "only_seated", "ping": "pong"},
        "guest": {"do": "only_seated", "say": "said", "entropy": "only_seated", "ping": "pong"},
        "spectator": {"do": "only_seated", "say": "said", "entropy": "only_seated", "ping": "pong"},
        "other seat": {"do": "not_started", "say": "said", "entropy": "table", "ping": "pong"},
        "host": {"do": "not_started", "say": "said", "entropy": "table", "ping": "pong"},
    }

    async def answer_to(line: Line, message: Json) -> str:
        before = len(line.heard)
        await line.send(**message)
        await until(lambda: len(line.heard) > before)
        heard = line.heard[before]
        return str(heard["key"] if heard["type"] == "refused" else heard["type"])

    async def scene() -> None:
        async with house(tmp_path) as h:
            people, private = await cast(h)
            for who in ("anonymous", "guest", "spectator"):
                with pytest.raises(InvalidStatus, match="404"):
                    await people[who].line(private["id"])
            for who in ("spectator", "anonymous"):
                await (await people[who].line(private["id"], invite=private["invite"])).next("table")
            public = await people["host"].open(3)
            await people["other seat"].post(f"/api/tables/{public['id']}/sit", {})
            for who in WHO:
                line = await people[who].line(public["id"])
                await line.next("table")
                for name, message in messages.items():
                    await asyncio.sleep(0.12)  # let news of people coming and going pass
                    assert await answer_to(line, message) == answers[who][name], (who, name)
                await line.close()

    run(scene())
