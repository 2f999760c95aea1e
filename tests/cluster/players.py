"""People who play through the balancer as a browser does: they come back, and repeat what was not answered under its name.

A party plays one game after the other; its people sit at whichever server the balancer gives them, and change it with every
connection. Some tables have bots, some have spectators. Everybody keeps to the limits of the house.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from cluster.witness import Acknowledged, Json, Watching, Witness
from siege.field import Answer, Person

# As in the page's `socket.svelte.ts`.
PING_EVERY = 15.0
FIRST_WAIT, LONGEST_WAIT, STEADY_AFTER, AFTER_A_GREETING = 0.5, 15.0, 3.0, 2
SILENT_AFTER = 35.0

THINKS = (0.6, 2.4)  # seconds a person thinks
AT_A_GLANCE = (0.1, 0.3)  # seconds, if they had thought about it before the connection was lost
OPENS_AGAIN = 0.1  # of what is sealed is taken back
SAYS = 0.02  # of all decisions are commented on
UNANSWERED = 20.0  # seconds after which a command without an answer is held against the house
AGAIN = ("not_stored", "too_fast", "reloading", "failed")  # refusals after which the same command is sent again
HTTP_AGAIN = 0.2  # seconds until a request is made again


@dataclass(frozen=True)
class Kind:
    """A table: which game, how many people, how many bots, how many who only watch."""

    game: str
    people: int
    bots: int = 0
    spectators: int = 0


KINDS = (
    Kind("splendor", 3, 0, 1),
    Kind("loot", 2, 1),
    Kind("king_of_con", 3, 0, 1),
    Kind("splendor", 2, 1),
    Kind("splendor", 4),
    Kind("challengers", 4, 0, 1),
    Kind("loot", 3, 0, 1),
    Kind("king_of_con", 4),
    Kind("splendor", 3),
    Kind("challengers", 4),
)
# In plain Python their bots think for a tenth of a second and more: a few of them are enough.
RARE_KINDS = {7: Kind("king_of_con", 3, 1), 9: Kind("challengers", 3, 1)}
RARE = 45


def kind_of(number: int) -> Kind:
    """What is played at the table of this number."""
    return RARE_KINDS.get(number % RARE, KINDS[number % len(KINDS)])


class Player(Person):
    """Somebody at a table: plays if there is a chair for them, otherwise watches."""

    def __init__(self, town: Town, name: str) -> None:
        super().__init__(town.balancer, town.address())
        self.town, self.name = town, name
        self.dice = random.Random(name)
        self.watching: Watching | None = None
        self.connected_at = 0.0  # when the line in use was made; 0: there is none
        self.connections: list[float] = []  # when each was made
        self.history: list[Watching] = []
        self.steps: deque[tuple[float, str]] = deque(maxlen=40)  # what happened to them last, and when
        self._line: ClientConnection | None = None
        self._pending: Json | None = None
        self._sent_at = 0.0
        self._attempt = 0
        self._thinking: asyncio.TimerHandle | None = None
        self._thought: tuple[str, int, float] = ("", 0, 0.0)  # at which table, about which step, until when
        self._sending: set[asyncio.Task[None]] = set()

    # ── Requests ─────────────────────────────────────────────

    async def until(self, method: str, path: str, body: Json | None = None, fine: tuple[str, ...] = ()) -> Any:
        """A request, made until it is answered; a refusal with one of the fine keys is an answer too."""
        while True:
            answer: Answer | None = None
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, ValueError, IndexError):
                async with asyncio.timeout(10.0):
                    answer = await self.ask(method, path, body)
            if answer is not None and answer.status == 200:
                if not self.secret and "ludoteca=" in answer.cookies:
                    self.secret = answer.cookies.partition("ludoteca=")[2].partition(";")[0]
                return answer.json()
            if answer is not None and 400 <= answer.status < 500:
                key = answer.json()["key"]
                if key in fine:
                    return None
                self.town.witness.refusals[f"{path.rpartition('/')[2]}: {key}"] += 1
            await asyncio.sleep(HTTP_AGAIN * (1 + self.dice.random()))

    # ── At a table ───────────────────────────────────────────

    async def attend(self, table: str, game: str) -> None:
        """To the end of the game, or until it is closing time, through any number of lost connections."""
        self.watching = watching = self.town.witness.watch(table, game, self.name)
        self.history.append(watching)
        self._pending, self._attempt = None, 0
        while not watching.left:
            try:
                await self._connection(watching)
            except InvalidStatus as error:
                self.town.witness.refusals[f"socket: {error.response.status_code}"] += 1
                self.noted(f"refused with {error.response.status_code}")
            except (OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError) as error:
                self.noted(f"lost: {error!r}")
            finally:
                self._line, self.connected_at = None, 0.0
                self._stop_thinking()
            if not watching.left:
                wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** max(0, self._attempt - 1))
                self._attempt += 1
                wait *= 0.5 + self.dice.random() / 2
                self.noted(f"waits {wait:.2f} s")
                await asyncio.sleep(wait)

    def noted(self, what: str) -> None:
        """Something has happened to them."""
        self.steps.append((time.monotonic(), what))

    async def _connection(self, watching: Watching) -> None:
        self.noted("connects")
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        origin = f"http://127.0.0.1:{self.server.port}"
        async with connect(
            f"ws://127.0.0.1:{self.server.port}/api/tables/{watching.table}/socket?since={watching.seq}",
            additional_headers=headers,
            origin=origin,  # type: ignore[arg-type]
            local_addr=(self.address, 0),
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=10.0,
            close_timeout=1.0,
        ) as line:
            self._line, self.connected_at = line, time.monotonic()
            self.connections.append(self.connected_at)
            response = line.response
            assert response is not None
            watching.connected(response.headers.get("X-Server", ""))
            self.noted(f"is with {watching.server}")
            if self._pending is not None:
                self.town.witness.repeated += 1
                self._sent_at = time.monotonic()
                self._send(self._pending)
            await self._listen(watching, line)

    async def _listen(self, watching: Watching, line: ClientConnection) -> None:
        began = heard = time.monotonic()
        ping = began + PING_EVERY * self.dice.random()
        while not watching.left:
            now = time.monotonic()
            if now > ping:
                ping += PING_EVERY
                self._send({"type": "ping", "at": watching.seq})
            if now - began > STEADY_AFTER:
                self._attempt = 0
            if self._pending is not None and now - self._sent_at > UNANSWERED:
                self.town.witness.contradict(
                    f"{watching.table} ({watching.game}), {self.name} at {watching.server}: {self._pending} unanswered"
                )
                self._sent_at = now
                return
            if now - heard > SILENT_AFTER:
                return
            try:
                async with asyncio.timeout(1.0):
                    text = await line.recv()
            except TimeoutError:
                continue
            heard = time.monotonic()
            self._attempt = min(self._attempt, AFTER_A_GREETING)
            self._hear(watching, msgspec.json.decode(text))

    def _hear(self, watching: Watching, message: Json) -> None:
        kind = message["type"]
        if kind == "update":
            watching.updated(message)
            self.noted(f"sees step {message['seq']}, waiting for {message['waiting']}")
            if message["result"] is not None and self._pending is None:
                watching.leave()
            self._consider(message)
        elif kind == "table":
            watching.at_table(message["table"])
        elif kind == "said":
            watching.said(message["text"])
        elif kind == "done":
            self._done(watching, message)
        elif kind == "refused":
            self._refused(watching, message)

    def _done(self, watching: Watching, message: Json) -> None:
        pending = self._pending
        if pending is None or message["id"] != pending["id"]:
            return  # answered before, on another connection
        self._pending = None
        self.noted("is answered")
        ack = Acknowledged(watching.table, message["id"], message["seq"], time.monotonic())
        self.town.witness.acknowledged.append(ack)
        self._go_on(watching)

    def _refused(self, watching: Watching, message: Json) -> None:
        witness, key, pending = self.town.witness, message["key"], self._pending
        witness.refusals[key] += 1
        self.noted(f"is refused: {key}")
        if pending is None or message["id"] != pending["id"]:
            return  # of chat
        if key in AGAIN:
            asyncio.get_running_loop().call_later(1.0, self._once_more, pending)
            return
        self._pending = None
        witness.refused.append((watching.table, message["id"], key))
        self._go_on(watching)

    def _go_on(self, watching: Watching) -> None:
        """After an answer: the game may have ended meanwhile."""
        if watching.last is not None:
            if watching.last["result"] is not None:
                watching.leave()
            self._consider(watching.last)

    def _once_more(self, command: Json) -> None:
        if self._pending is command:
            self._send(command)

    # ── Deciding ─────────────────────────────────────────────

    def _consider(self, update: Json) -> None:
        """Thinks for a while, if there is something to think about."""
        self._stop_thinking()
        if self._pending is None and not self.town.closing and (update["choices"] or update["sealed"]):
            assert self.watching is not None
            now, about = time.monotonic(), (self.watching.table, update["seq"])
            if self._thought[:2] != about:
                self._thought = (*about, now + self.dice.uniform(*THINKS))
            wait = max(self._thought[2] - now, self.dice.uniform(*AT_A_GLANCE))
            self._thinking = asyncio.get_running_loop().call_later(wait, self._decide, update)

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def _decide(self, update: Json) -> None:
        self._thinking = None
        if self._pending is not None or self.town.closing:
            return
        head = {"id": secrets.token_hex(8), "at": update["seq"]}
        if update["sealed"] and self.dice.random() < OPENS_AGAIN:
            self._pending = {"type": "open_again", **head}
        elif update["choices"]:
            action, *then = self._decision(update)
            self._pending = {"type": "do", **head, "action": action, **({"then": then} if then else {})}
        else:
            return
        self._sent_at = time.monotonic()
        self._send(self._pending)
        if self.dice.random() < SAYS:
            self._say()

    def _decision(self, update: Json) -> list[int]:
        """Any choice; all tokens that must go back, go back together."""
        if update["choices"][0]["kind"] == "give_back":
            you = update["view"]["you"]
            held = update["view"]["players"][you["seat"]]["tokens"]
            back = [choice for choice in update["choices"] for _ in range(held[choice["colour"] - 1])]
            return [choice["action"] for choice in back[: you["excess"]]]
        return [self.dice.choice(update["choices"])["action"]]

    def _say(self) -> None:
        assert self.watching is not None
        self._send({"type": "say", "text": self.town.witness.line()})

    def _send(self, message: Json) -> None:
        line = self._line
        self.noted(f"sends {message['type']}" if line is not None else f"cannot send {message['type']}")
        if line is not None:
            task = asyncio.get_running_loop().create_task(self._deliver(line, message))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _deliver(self, line: ClientConnection, message: Json) -> None:
        with contextlib.suppress(OSError, WebSocketException):
            await line.send(msgspec.json.encode(message).decode())

    def reload(self) -> None:
        """Loads the page anew: the balancer sends them elsewhere."""
        if self._line is not None:
            self._line.transport.abort()

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._pending is not None

    def leave(self) -> None:
        """Goes home."""
        if self.watching is not None:
            self.watching.leave()


class Party:
    """People who play the same kind of game again and again, and those who watch them."""

    def __init__(self, town: Town, number: int, kind: Kind) -> None:
        self.town, self.kind = town, kind
        self.people = [Player(town, f"{kind.game} {number}, person {n}") for n in range(kind.people)]
        self.spectators = [Player(town, f"{kind.game} {number}, spectator {n}") for n in range(kind.spectators)]
        self.table = ""
        self.games = 0

    @property
    def everybody(self) -> list[Player]:
        """Players and spectators."""
        return self.people + self.spectators

    async def play(self) -> None:
        """Until closing time: a table, a game, a rematch, another table."""
        for player in self.people:
            await player.until("GET", "/api/me")
        while not self.town.closing:
            again = self.table if self.games % 2 else ""
            self.table = await (self._rematch(again) if again else self._open())
            self.games += 1
            await self.people[0].until("POST", f"/api/tables/{self.table}/start", {}, fine=("already_started",))
            await asyncio.gather(*(player.attend(self.table, self.kind.game) for player in self.everybody))

    async def _open(self) -> str:
        host, *others = self.people
        kind = self.kind
        chairs = [None] * kind.people + ["novice"] * kind.bots
        wish = {"game": kind.game, "seats": len(chairs), "options": {}, "public": True, "bots": chairs}
        table = str((await host.until("POST", "/api/tables", wish))["id"])
        for other in others:
            await other.until("POST", f"/api/tables/{table}/sit", {})
        return table

    async def _rematch(self, old: str) -> str:
        """Everybody asks, and all are led to one table."""
        found = {(await player.until("POST", f"/api/tables/{old}/rematch", {}))["id"] for player in self.people}
        if len(found) > 1:
            self.town.witness.contradict(f"{old}: several rematches, {sorted(found)}")
        return str(found.pop())


class Town:
    """All parties."""

    def __init__(self, balancer: Any, witness: Witness, tables: int) -> None:
        self.balancer, self.witness = balancer, witness
        self.closing = False
        self._addresses = 0
        self.parties = [Party(self, number, kind_of(number)) for number in range(tables)]
        self._tasks: list[asyncio.Task[None]] = []

    def address(self) -> str:
        """Everybody comes from an address of their own: the limits of the house count these."""
        self._addresses += 1
        return f"127.1.{self._addresses // 250}.{self._addresses % 250 + 1}"

    @property
    def everybody(self) -> list[Player]:
        """Players and spectators."""
        return [player for party in self.parties for player in party.everybody]

    async def begin(self, spread: float) -> None:
        """Everybody comes, within so many seconds."""
        for party in self.parties:
            self._tasks.append(asyncio.create_task(party.play()))
            await asyncio.sleep(spread / len(self.parties))

    def spread(self) -> None:
        """People who crowd at one server load their page anew, until all servers have their share."""
        at: dict[str, list[Player]] = {name: [] for name in self.balancer.up()}
        for player in self.everybody:
            if player.connected_at and player.watching is not None:
                at.setdefault(player.watching.server, []).append(player)
        fair = sum(map(len, at.values())) / len(at)
        for crowd in at.values():
            for player in crowd[int(fair) + 1 :]:
                player.reload()

    def check(self) -> None:
        """Raises what has gone wrong in the harness itself."""
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()

    async def close(self, within: float) -> list[Player]:
        """Nobody decides any more; waits for answers. Who has not got theirs is returned."""
        self.closing = True
        end = time.monotonic() + within
        while any(player.busy for player in self.everybody) and time.monotonic() < end:
            await asyncio.sleep(0.05)
        return [player for player in self.everybody if player.busy]

    async def go_home(self) -> None:
        """Everybody leaves."""
        for player in self.everybody:
            player.leave()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
