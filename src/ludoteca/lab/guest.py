"""A bot as a guest of a house: it sits down at a table and plays over the network, against people or other bots.

    ludoteca bot "http://localhost:8000/table/abc?invite=xyz" --bot my_module:my_bot

It comes as a guest of its own, with a token of its own; with `--token` it comes back as the same guest and takes the same
chair. Any bot will do (bots/own.py): the server sends the record as the bot's seat may see it, and the rules on this side
make the same choices of it.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludoteca import catalogue
from ludoteca.bots import levels
from ludoteca.bots.own import AnyBot, name_of, resolve, typed
from ludoteca.core.errors import BadData
from ludoteca.core.game import DECK, Game, Json
from ludoteca.core.record import States

PATIENCE = 30.0  # seconds to wait for an answer
BREATH = 1.0  # seconds to wait when the house says that we are too fast
MOST_REFUSALS = 20  # in a row
UNKNOWN = "This house knows no guest with that token; without --token the bot comes as a new one."
COMING_BACK = 5  # times in a row that a lost line is opened again


@dataclass(frozen=True)
class Place:
    """A table's address, taken apart."""

    house: str
    table: str
    invite: str

    @classmethod
    def read(cls, address: str) -> Place:
        """As it is copied from the page: the address of the table, or the invite link."""
        parts = urllib.parse.urlsplit(address)
        found = re.fullmatch(r"/table/([^/]+)/?", parts.path)
        if parts.scheme not in ("http", "https") or not found:
            raise BadData(
                f"«{address}» is no table's address; one is like http://localhost:8000/table/abc.", "bad_address"
            )
        invite = urllib.parse.parse_qs(parts.query).get("invite", [""])[0]
        return cls(f"{parts.scheme}://{parts.netloc}", urllib.parse.unquote(found[1]), invite)


class Guest:
    """Somebody at the door: asks the house over HTTP."""

    def __init__(self, house: str, token: str = "") -> None:
        self.house = house
        self.token = token or self._welcomed()

    def _welcomed(self) -> str:
        """The token of a new guest: what a browser would keep as its cookie."""
        with self._open(urllib.request.Request(f"{self.house}/api/me")) as answer:
            found = re.search(r"ludoteca=([^;]+)", answer.headers.get("Set-Cookie") or "")
        if not found:
            raise BadData(f"{self.house} is no house of Ludoteca's: it gives no token.", "bad_address")
        return found[1]

    def ask(self, path: str, body: Json | None = None) -> Any:
        """What the house answers; its refusal is ours."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with self._open(urllib.request.Request(self.house + path, data, headers)) as answer:
            return json.load(answer)

    def game_of(self, table: Json) -> Game:
        """The game of a table, with its deck."""
        game, deck = catalogue.game(table["game"]), table["options"].get(DECK)
        if deck is None:
            return game
        found = self.ask(f"/api/decks/{deck}")
        return catalogue.with_text(game, json.dumps({part: found[part] for part in ("game", "form", "content")}))

    def _open(self, request: urllib.request.Request) -> Any:
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            try:
                said = json.load(error)
                raise BadData(UNKNOWN if said["key"] == "who_are_you" else said["sentence"], said["key"]) from None
            except (ValueError, KeyError, TypeError):
                raise BadData(f"{self.house} answers {error.code}.", "bad_address") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise BadData(f"There is no house at {self.house}: {reason}", "bad_address") from None


class Player:
    """A bot on its chair."""

    def __init__(self, place: Place, guest: Guest, bot: AnyBot, seat: int | None = None) -> None:
        self.place, self.guest = place, guest
        where, invited = f"/api/tables/{place.table}", {"invite": place.invite} if place.invite else {}
        self.game = guest.game_of(guest.ask(f"{where}?{urllib.parse.urlencode(invited)}"))
        self.bot = resolve(self.game, bot)  # before a chair is taken that nobody would play on
        wish: Json = {"seat": seat} if seat is not None else {}
        self.seat = int(guest.ask(f"{where}/sit", wish | invited)["you"])
        self.result: Json | None = None
        self._order: Json | None = None  # on its way; the next one waits until it is answered
        self._asked = False  # by the newest update
        self._refusals = 0

    def play(self) -> Json:
        """Until the end; returns the result. A line that is lost is opened again."""
        from websockets.exceptions import ConnectionClosed
        from websockets.sync.client import connect

        lost = 0
        while self.result is None:
            query = urllib.parse.urlencode({"since": 0, "invite": self.place.invite})
            address = f"{self.place.house.replace('http', 'ws', 1)}/api/tables/{self.place.table}/socket?{query}"
            try:
                with connect(address, additional_headers={"Authorization": f"Bearer {self.guest.token}"}) as socket:
                    for message in socket:
                        lost = 0
                        for order in self.heard(json.loads(message)):
                            socket.send(json.dumps(order))
                        if self.result is not None:
                            return self.result
            except (ConnectionClosed, OSError):
                pass
            lost, self._order = lost + 1, None
            if lost > COMING_BACK:
                raise BadData(f"The line to {self.place.house} is lost.", "bad_address")
            time.sleep(BREATH)
        return self.result

    def heard(self, news: Json) -> list[Json]:
        """What to say to this message."""
        if news["type"] == "update":
            self.result = news.get("result")
            self._asked = bool(news["choices"]) and self.result is None
            return self._decision() if self._asked and self._order is None else []
        if news["type"] == "done":
            self._refusals, self._order = 0, None
            return self._decision() if self._asked else []
        if news["type"] == "refused":
            self._refusals += 1
            if self._refusals > MOST_REFUSALS:
                raise BadData(f"The house refuses again and again: {news['sentence']}", news["key"])
            if news["key"] == "too_fast" and self._order is not None:  # the same again: it takes effect once
                time.sleep(BREATH)
                return [self._order]
            self._order = None  # things have changed meanwhile
            return self._decision()
        return []

    def _decision(self) -> list[Json]:
        """What to do now, if we are asked."""
        seq, redacted = self.sight()
        engine = levels.engine_of(self.game)
        if engine.is_over(redacted) or not redacted["waiting"][0, self.seat]:
            return []
        action = self.bot.choose(engine, redacted, self.seat, secrets.randbits(62))
        self._asked = False  # until we hear again
        self._order = {"type": "do", "id": secrets.token_hex(16), "action": action, "at": seq}
        return [self._order]

    def sight(self) -> tuple[int, States]:
        """The number of the last step, and the record as our seat may see it."""
        found = self.guest.ask(f"/api/tables/{self.place.table}/sight")
        if found["version"] != self.game.version:
            raise BadData(
                f"The house plays rules {found['version']} of {self.game.title}, here are {self.game.version}.",
                "other_version",
            )
        data = base64.b64decode(found["record"])
        if len(data) != self.game.dtype.itemsize:
            raise BadData(f"The house's record of {self.game.title} is another than ours.", "other_version")
        return found["seq"], np.frombuffer(data, self.game.dtype).copy()


# The command.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca bot http://localhost:8000/table/abc --bot club`"""
    parser.add_argument("address", metavar="URL", help="the table's address, or its invite link")
    parser.add_argument(
        "--bot", type=typed, default="club", help="who plays: club (default), my_module:my_bot, learned:weights.npz …"
    )
    parser.add_argument("--name", help="what the bot is called at the table (default: its own name)")
    parser.add_argument("--seat", type=int, metavar="N", help="which chair, from 0 (default: the first free one)")
    parser.add_argument("--token", default="", help="come back as this guest (default: a new one, whose token is said)")


def run_command(args: argparse.Namespace) -> int:
    """Sits down, plays and says how it went."""
    place = Place.read(args.address)
    guest = Guest(place.house, args.token)
    guest.ask("/api/me", {"name": args.name or name_of(args.bot).rpartition(":")[2]})
    player = Player(place, guest, args.bot, args.seat)
    if not args.token:
        print(f"Token of this bot, to come back as the same guest: --token {guest.token}", flush=True)
    print(
        f"On chair {player.seat + 1}: {player.game.title}. (--seat {player.seat}: programs count from 0.)", flush=True
    )
    result = player.play()
    print(f"Rank {result['ranks'][player.seat]} of {len(result['ranks'])}; ranks {result['ranks']}.")
    return 0
