"""kill -9, at any moment, as often as you like: what was acknowledged is there, once, in order.

People play all four games, in the open and behind screens, and take back what they have sealed now and then.
LUDOTECA_KILLS=500 asks for more than the few of every day (`make soak` does).
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import random
import secrets
import signal
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from ludoteca import catalogue
from ludoteca.catalogue import game
from ludoteca.core.engine import interpreted
from ludoteca.core.play import Play
from ludoteca.server import fair, queries
from ludoteca.server.screens import Screens

NO_CERTIFICATES = ssl.create_default_context()
KILLS = int(os.environ.get("LUDOTECA_KILLS", "50"))
KEYS = catalogue.keys(catalogue.HOUSE)
TABLES = [(key, 2 + place % 2) for place, key in enumerate((*KEYS, *KEYS[1::2]))]  # for two and for three, in turns
OPEN_AGAIN = 0.2  # of what is sealed is taken back
HERE = pathlib.Path(__file__).parent


class Mortal:
    """A server that is killed and comes back, again and again."""

    def __init__(self, database: pathlib.Path) -> None:
        path = os.pathsep.join([str(HERE.parents[1] / "src"), str(HERE.parent)])
        self._parent = subprocess.Popen(
            [sys.executable, str(HERE / "crash_server.py"), str(database)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        assert self._parent.stdout is not None
        self.port = int(self._parent.stdout.readline())
        self._child = 0
        self.revive()

    def revive(self) -> None:
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        print("go", file=self._parent.stdin, flush=True)
        self._child = int(self._parent.stdout.readline())

    def kill(self) -> None:
        if self._child:
            os.kill(self._child, signal.SIGKILL)
        self._child = 0

    def bury(self) -> None:
        self.kill()
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.stdout.close()
        self._parent.wait()


@pytest.fixture
def mortal(tmp_path: pathlib.Path) -> Iterator[Mortal]:
    server = Mortal(tmp_path / "games.db")
    yield server
    server.bury()


class Player:
    """Plays whatever is legal, repeats what was not acknowledged, and remembers what was."""

    def __init__(self, port: int, secret: str, dice: random.Random) -> None:
        self.port = port
        self.secret = secret
        self.dice = dice
        self.acknowledged: list[tuple[str, str, list[int], int]] = []  # table, command, actions, seq
        self.repeated = 0

    async def ask(self, path: str, body: Any = None) -> Any:
        """A request, repeated until it is answered."""
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        address = f"http://127.0.0.1:{self.port}"
        while True:
            try:
                async with httpx.AsyncClient(base_url=address, headers=headers, verify=NO_CERTIFICATES) as http:
                    answer = await (http.get(path) if body is None else http.post(path, json=body))
                    self.secret = answer.cookies.get("ludoteca") or self.secret
                    return answer.json()
            except (httpx.HTTPError, ValueError):
                await asyncio.sleep(0.02)

    def decision(self, position: Any) -> list[int]:
        """Any choice; all tokens that must go back, go back together."""
        if position["choices"][0]["kind"] == "give_back":
            held = position["view"]["players"][position["view"]["you"]["seat"]]["tokens"]
            back = [choice for choice in position["choices"] for _ in range(held[choice["colour"] - 1])]
            return [choice["action"] for choice in back[: position["view"]["you"]["excess"]]]
        return [self.dice.choice(position["choices"])["action"]]

    def command(self, update: Any) -> dict[str, Any] | None:
        """What this player does now, if anything."""
        head = {"id": secrets.token_hex(8), "at": update["seq"]}
        if update["sealed"] and self.dice.random() < OPEN_AGAIN:
            return {"type": "open_again", **head}
        if not update["choices"]:
            return None
        action, *then = self.decision(update)
        return {"type": "do", **head, "action": action, **({"then": then} if then else {})}

    async def play(self, table: str) -> None:
        """To the end of the game, through any number of deaths of the server."""
        address = f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket?since="
        headers = {"Authorization": f"Bearer {self.secret}"}
        pending: dict[str, Any] | None = None
        seq = 0
        while True:
            try:
                async with connect(f"{address}{seq}", additional_headers=headers, open_timeout=5) as socket:
                    if pending:
                        self.repeated += 1
                        await socket.send(msgspec.json.encode(pending).decode())
                    async for text in socket:
                        message = msgspec.json.decode(text)
                        if message["type"] == "done":
                            assert pending is not None and message["id"] == pending["id"]
                            actions = [pending["action"], *pending.get("then", [])] if "action" in pending else []
                            self.acknowledged.append((table, pending["id"], actions, message["seq"]))
                            pending = None
                        elif message["type"] == "refused":
                            assert message["key"] in ("stale", "screens_up"), message
                            pending = None
                        elif message["type"] == "update":
                            seq = message["seq"]
                            if message["result"]:
                                return
                            if not pending and (pending := self.command(message)):
                                await socket.send(msgspec.json.encode(pending).decode())
            except (OSError, WebSocketException, InvalidHandshake, TimeoutError):
                await asyncio.sleep(0.005)


async def party(port: int, dice: random.Random, players: list[Player], game: str, seats: int) -> None:
    """People who play game after game."""
    ours = [Player(port, "", dice) for _ in range(seats)]
    players += ours
    for player in ours:
        await player.ask("/api/me")
    host, *others = ours
    while True:
        wish = {"game": game, "seats": seats, "options": {}, "public": True, "bots": []}
        table = (await host.ask("/api/tables", wish))["id"]
        for other in others:
            await other.ask(f"/api/tables/{table}/sit", {})
        await host.ask(f"/api/tables/{table}/start", {})
        await asyncio.gather(*(player.play(table) for player in ours))


async def die_often(server: Mortal, kills: int, dice: random.Random) -> list[Player]:
    """Load, and kill -9 at random moments."""
    players: list[Player] = []
    parties = [asyncio.create_task(party(server.port, dice, players, *which)) for which in TABLES]
    for _ in range(kills):
        await asyncio.sleep(0.05)  # what the dead server has said arrives
        before = sum(len(player.acknowledged) for player in players)
        async with asyncio.timeout(60):
            while sum(len(player.acknowledged) for player in players) == before:  # it lives
                await asyncio.sleep(0.005)
        await asyncio.sleep(dice.random() * 0.1)
        server.kill()
        server.revive()
        for task in parties:
            if task.done():
                task.result()
    for task in parties:
        task.cancel()
    await asyncio.gather(*parties, return_exceptions=True)
    return players


def test_no_acknowledged_decision_is_lost_by_kill_minus_nine(
    mortal: Mortal, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random(7)
    players = asyncio.run(die_often(mortal, KILLS, dice))
    mortal.kill()
    acknowledged = [ack for player in players for ack in player.acknowledged]
    repeated = sum(player.repeated for player in players)
    assert len(acknowledged) >= KILLS
    assert repeated > 0  # some commands were in the air
    db = sqlite3.connect(tmp_path / "games.db")
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    screened = 0
    for table, command, actions, seq in acknowledged:
        stored = queries.find_command(db, table, command)
        assert stored is not None, f"lost: {command} at {table}"
        assert (stored.actions, stored.done) == (actions, seq)
        screened += stored.screened
    assert max(len(actions) for _, _, actions, _ in acknowledged) > 1  # some were of several steps
    assert 0 < screened < len(acknowledged)  # some were behind screens
    for (table,) in db.execute("SELECT id FROM tables WHERE phase <> 'open'").fetchall():
        check_journal(db, table)
    played = dict(db.execute("SELECT game, SUM(seq) FROM tables GROUP BY game").fetchall())
    assert set(played) == {game for game, _ in TABLES} and all(played.values())
    db.close()
    with capsys.disabled():
        print(
            f"\n{KILLS} times killed: {len(acknowledged):,} acknowledged ({screened:,} behind screens, "
            f"{repeated:,} repeated), none lost or doubled; decisions {played}"
        )


def check_journal(db: sqlite3.Connection, table: str) -> None:
    """Numbers without gaps, every decision legal, and the summary of the table agrees."""
    row, kept = queries.find_table(db, table), queries.find_game(db, table)
    assert row is not None
    numbers = [seq for (seq,) in db.execute("SELECT seq FROM decisions WHERE table_id = ? ORDER BY seq", (table,))]
    assert numbers == list(range(1, len(numbers) + 1))
    engine = interpreted(game(row.game))
    play = Play.deal(engine, len(row.chairs), row.options, fair.chance_of(row, kept))
    for seat, action, step in kept.decided:
        engine.check(play.states, 0, seat, action)
        play.follow(seat, [action], step)
    screens = Screens.read(engine.game, row.drafts)
    waiting = [seat for seat in play.waiting() if not screens.sealed(seat)]
    assert row.seq == len(numbers)
    assert row.waiting == sum(1 << seat for seat in waiting)
    assert (row.phase == "over") == play.is_over()
