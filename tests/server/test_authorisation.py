"""Who may do what: every address and message for everybody. An address without a row here fails."""

from __future__ import annotations

import pathlib

import pytest
from websockets.exceptions import InvalidStatus

from ludoteca.server.app import App
from ludoteca.server.settings import Settings
from server.house import House, Json, Line, Person, house, run, until

WHO = ("anonymous", "guest", "spectator", "other seat", "host")
WISH = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
CUP = {
    "name": "Cup",
    "game": "splendor",
    "kind": "knockout",
    "seats": 2,
    "clock": {"kind": "live", "bank": 600, "increment": 5},
}  # made by the host, entered by the other seat

BROWSER = {
    "endpoint": "https://127.0.0.1/x",
    "p256dh": "AA",
    "auth": "AA",
    "language": "en",
}  # an address we do not send to

# Address, body → the status for each of WHO, at a private table that has not begun. A spectator has the invitation.
MATRIX: dict[str, tuple[Json | None, tuple[int, int, int, int, int]]] = {
    "GET /api/me": (None, (200, 200, 200, 200, 200)),
    "POST /api/me": ({"name": "X"}, (401, 200, 200, 200, 200)),
    "GET /api/you": (None, (401, 200, 200, 200, 200)),
    "POST /api/you/avatar": ({"symbol": "moon", "colour": 1}, (401, 200, 200, 200, 200)),
    "GET /api/you/export": (None, (401, 200, 200, 200, 200)),
    "POST /api/you/forget": ({"name": "X"}, (401, 400, 400, 400, 400)),
    "POST /api/you/devices/name": ({"id": "x", "name": "y"}, (401, 404, 404, 404, 404)),
    "POST /api/you/devices/sign-out": ({}, (401, 200, 200, 200, 200)),
    "POST /api/you/link": (None, (401, 200, 200, 200, 200)),
    "POST /api/link/whose": ({"code": "x"}, (404, 404, 404, 404, 404)),
    "POST /api/link": ({"code": "x"}, (404, 404, 404, 404, 404)),
    "POST /api/you/passkeys/begin": (None, (401, 409, 409, 409, 409)),  # by an address in numbers there are none
    "POST /api/you/passkeys": ({"ticket": "x", "credential": {}}, (401, 409, 409, 409, 409)),
    "POST /api/you/passkeys/forget": ({"id": "x"}, (401, 404, 404, 404, 404)),
    "POST /api/passkey/begin": (None, (409, 409, 409, 409, 409)),
    "POST /api/passkey": ({"ticket": "x", "credential": {}}, (409, 409, 409, 409, 409)),
    "POST /api/you/friends/link": (None, (401, 200, 200, 200, 200)),
    "POST /api/you/friends/whose": ({"code": "x"}, (404, 404, 404, 404, 404)),
    "POST /api/you/friends": ({"code": "x"}, (401, 404, 404, 404, 404)),
    "POST /api/you/friends/part": ({"id": "x"}, (401, 200, 200, 200, 200)),
    "POST /api/you/blocked/forget": ({"id": "x"}, (401, 200, 200, 200, 200)),
    "POST /api/you/chat": ({"on": True}, (401, 200, 200, 200, 200)),
    "POST /api/you/notices/subscribe": (BROWSER, (401, 400, 400, 400, 400)),
    "POST /api/you/notices/unsubscribe": ({"endpoint": "x"}, (401, 200, 200, 200, 200)),
    "POST /api/you/notices/quiet": (
        {"quiet": {"begin": 1320, "end": 480, "zone": "UTC"}},
        (401, 200, 200, 200, 200),
    ),
    "POST /api/you/notices/mute": ({"muted": True, "kind": "turn"}, (401, 200, 200, 200, 200)),
    "POST /api/tables/{table}/block": ({"seat": 0}, (401, 404, 404, 200, 400)),
    "POST /api/tables/{table}/report": ({"seat": 0, "text": "x"}, (401, 404, 404, 200, 200)),
    "POST /api/tables/{table}/hush": ({"quiet": True}, (401, 404, 404, 403, 200)),
    "GET /api/my/invitations": (None, (401, 200, 200, 200, 200)),
    "GET /api/tables/{table}/invitations": (None, (401, 404, 404, 200, 200)),
    "POST /api/tables/{table}/invitations": ({"friend": "x"}, (401, 404, 404, 403, 403)),  # nobody's friend
    "POST /api/tables/{table}/invitations/withdraw": ({"id": "x"}, (401, 404, 404, 200, 200)),
    "POST /api/tables/{table}/invitations/accept": (None, (401, 404, 404, 404, 404)),
    "POST /api/tables/{table}/invitations/decline": (None, (401, 404, 404, 404, 404)),
    "GET /api/around": (None, (401, 200, 200, 200, 200)),
    "POST /api/quick": ({"game": "splendor", "seats": 2}, (401, 200, 200, 200, 200)),
    "GET /api/quick": (None, (401, 200, 200, 200, 200)),
    "GET /api/quick/news": (None, (401, 200, 200, 200, 200)),
    "POST /api/quick/cancel": (None, (401, 200, 200, 200, 200)),
    "POST /api/quick/come": ({"entropy": "x"}, (401, 409, 409, 409, 409)),
    "GET /api/games": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/words": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/rules": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/cover": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/forms": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/clocks": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/lesson": (None, (200, 200, 200, 200, 200)),
    "GET /api/games/{game}/lesson/{step:int}": (None, (200, 200, 200, 200, 200)),
    "POST /api/games/{game}/lesson/{step:int}": ({"actions": [0]}, (200, 200, 200, 200, 200)),
    "GET /api/puzzles": (None, (200, 200, 200, 200, 200)),
    "GET /api/puzzles/today": (None, (200, 200, 200, 200, 200)),
    "GET /api/puzzles/{puzzle}": (None, (404, 404, 404, 404, 404)),  # none is called so
    "POST /api/puzzles/{puzzle}": ({"actions": [0]}, (404, 404, 404, 404, 404)),
    "POST /api/puzzles/{puzzle}/why": ({"actions": [0]}, (404, 404, 404, 404, 404)),
    "POST /api/puzzles/{puzzle}/table": (None, (401, 404, 404, 404, 404)),
    "GET /api/warmup": (None, (200, 200, 200, 200, 200)),
    "GET /api/tables": (None, (200, 200, 200, 200, 200)),
    "POST /api/tables": (WISH, (401, 200, 200, 200, 200)),
    "GET /api/my/tables": (None, (401, 200, 200, 200, 200)),
    "POST /api/play-now": ({"game": "splendor"}, (401, 200, 200, 200, 200)),
    "GET /api/tables/{table}": (None, (404, 404, 200, 200, 200)),
    "GET /api/tables/{table}/moments": (None, (404, 404, 409, 409, 409)),
    "GET /api/tables/{table}/review": (None, (404, 404, 409, 409, 409)),
    "POST /api/tables/{table}/review": (None, (401, 404, 409, 409, 409)),
    "POST /api/tables/{table}/branch": ({}, (401, 404, 409, 409, 409)),
    "POST /api/tables/{table}/hint": ({"strength": 1}, (401, 404, 404, 403, 403)),
    "GET /api/tables/{table}/sight": (None, (401, 404, 404, 409, 409)),
    "GET /api/tables/{table}/record": (None, (404, 404, 409, 409, 409)),
    "GET /api/tables/{table}/ratings": (None, (404, 404, 200, 200, 200)),
    "POST /api/records": ({}, (401, 400, 400, 400, 400)),
    "GET /api/decks": (None, (401, 200, 200, 200, 200)),
    "POST /api/decks": ({"game": "loot", "text": "{", "name": "x"}, (401, 400, 400, 400, 400)),
    "POST /api/decks/check": ({"game": "loot", "text": "{"}, (401, 200, 200, 200, 200)),
    "POST /api/decks/put-away": ({"hash": "x"}, (401, 200, 200, 200, 200)),
    "POST /api/reports": ({"game": "loot", "deck": "x"}, (401, 404, 404, 404, 404)),
    "GET /api/reports/{report}": (None, (404, 404, 404, 404, 404)),
    "GET /api/reports/{report}/files": (None, (404, 404, 404, 404, 404)),
    "POST /api/reports/{report}/stop": (None, (401, 404, 404, 404, 404)),
    "POST /api/searches": (
        {"game": "loot", "deck": "x", "wishes": ["28 rounds"], "cells": ["points 0..1"]},
        (401, 404, 404, 404, 404),
    ),
    "GET /api/searches/{search}": (None, (404, 404, 404, 404, 404)),
    "POST /api/searches/{search}/stop": (None, (401, 404, 404, 404, 404)),
    "POST /api/searches/{search}/on": ({"tries": 1}, (401, 404, 404, 404, 404)),
    "GET /api/decks/{deck}": (None, (404, 404, 404, 404, 404)),
    "GET /api/people/{person}": (None, (200, 200, 200, 200, 200)),
    "GET /api/people/{person}/rating": (None, (200, 200, 200, 200, 200)),
    "GET /api/people/{person}/games": (None, (200, 200, 200, 200, 200)),
    "GET /api/people/{person}/shares": (None, (200, 200, 200, 200, 200)),
    "GET /api/people/{person}/openings": (None, (200, 200, 200, 200, 200)),
    "GET /api/leaderboard/{game}/{seats:int}": (None, (200, 200, 200, 200, 200)),
    "POST /api/one-screen": ({"game": "splendor", "others": ["Ada"]}, (401, 200, 200, 200, 200)),
    "GET /api/tournaments": (None, (200, 200, 200, 200, 200)),
    "POST /api/tournaments": (CUP, (401, 200, 200, 200, 200)),
    "GET /api/tournaments/{tournament}": (None, (200, 200, 200, 200, 200)),
    "POST /api/tournaments/{tournament}/join": (None, (401, 200, 200, 200, 200)),
    "POST /api/tournaments/{tournament}/leave": (None, (401, 409, 409, 200, 200)),
    "POST /api/tournaments/{tournament}/bot": ({"level": "novice"}, (401, 403, 403, 403, 200)),
    "POST /api/tournaments/{tournament}/begin": (None, (401, 403, 403, 403, 200)),
    "POST /api/tournaments/{tournament}/cancel": (None, (401, 403, 403, 403, 200)),
    "POST /api/tables/{table}/rematch": (None, (401, 404, 404, 409, 409)),
    "POST /api/tables/{table}/stand-in": ({"seat": 0}, (401, 404, 404, 409, 409)),
    "POST /api/tables/{table}/more-time": ({"seat": 0}, (401, 404, 404, 409, 409)),
    "POST /api/tables/{table}/day-off": (None, (401, 404, 404, 409, 409)),
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
                where = (
                    where.replace("{person}", table["chairs"][0]["person"])
                    .replace("{seats:int}", "2")
                    .replace("{step:int}", "1")
                )
                where += "?game=splendor" if path.endswith("/openings") else ""
                if "{tournament}" in path:
                    cup = (await people["host"].post("/api/tournaments", CUP))["info"]["id"]
                    await people["other seat"].post(f"/api/tournaments/{cup}/join")
                    where = where.replace("{tournament}", cup)
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

        def answers() -> list[Json]:  # news of people who come and go are none, but to who shares in the shuffle
            return [one for one in line.heard[before:] if one["type"] != "table" or message["type"] == "entropy"]

        await until(lambda: bool(answers()))
        heard = answers()[0]
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
                    assert await answer_to(line, message) == answers[who][name], (who, name)
                await line.close()

    run(scene())
