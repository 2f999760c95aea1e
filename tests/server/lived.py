"""A house in which all games were played: some over, some running, one behind screens, one not begun, and things said.

Not a test itself; `test_check.py` and `test_moving.py` begin with it.
"""

from __future__ import annotations

import pathlib
import random
from dataclasses import dataclass, field

from ludoteca import catalogue
from ludoteca.server import admin, invitations, notices, passkeys, quick, social, tickets
from ludoteca.server.limits import Limit
from ludoteca.server.push import Subscription
from ludoteca.server.table import Table
from ludoteca.server.wire import Muted
from server.house import House, Person, house

GAMES = catalogue.keys(of=catalogue.HOUSE)
STEPS = 40  # of a game that is left running


@dataclass
class Lived:
    """Who was there, and at which tables."""

    secrets: list[str] = field(default_factory=list)  # of Anna and Bruno
    running: dict[str, str] = field(default_factory=dict)  # by game
    over: str = ""
    screened: str = ""  # somebody has sealed there, and somebody has not
    open: str = ""
    rematch: str = ""  # of the one that is over


async def lived_in(folder: pathlib.Path, database: str) -> Lived:
    """Opens a house, lets Anna and Bruno play, and closes it."""
    found, chance = Lived(), random.Random(7)
    async with house(folder, database=database, games=",".join(GAMES)) as h:
        people = [await h.person("Anna"), await h.person("Bruno")]
        found.secrets = [person.secret or "" for person in people]
        for game in GAMES:
            table = await seated(h, people, game)
            await played(table, chance, STEPS)
            found.running[game] = table.row.id
        ended = await seated(h, people, "splendor")
        await played(ended, chance, 10_000)
        found.over = ended.row.id
        found.rematch = (await people[0].post(f"/api/tables/{found.over}/rematch"))["id"]
        screened = await seated(h, people, "king_of_con")
        while not screened.row.drafts:
            await played(screened, chance, 1)
        found.screened = screened.row.id
        found.open = (await people[0].open(3, game="loot"))["id"]
        line = await people[0].line(found.running["loot"])
        for text in ("Ciao", "Perché no? 🎲", "Ecco"):
            await line.send(type="say", text=text)
            await line.next("said")
        cup = {"name": "Cup", "game": "loot", "kind": "robin", "seats": 2, "clock": {"kind": "days", "bank": 86400}}
        await people[1].post("/api/tournaments", cup)
        await arranged(h, people, found.running["loot"])
    return found


async def arranged(h: House, people: list[Person], table: str) -> None:
    """Anna has a passkey and is told of her turns; she and Bruno are friends; Carla is blocked and reported.

    Bruno is asked to a table, and Carla looks for others to play with.
    """
    anna, bruno, carla = [(await person.get("/api/me"))["id"] for person in (*people, await h.person("Carla"))]
    write = h.app.lobby.house.store.write
    await write(passkeys.add_passkey, passkeys.PasskeyRow(b"id", anna, "localhost", b"key", 3, "Keyring", 1.0, 2.0))
    for code in ("used", "not yet"):
        await write(tickets.issue, code, social.FRIEND, tickets.Ticket(anna, "{}"), 1.0, 9e9, [], False)
    await write(social.befriend, bruno, "used", 2.0)
    await write(social.block, anna, carla)
    await write(social.add_report, social.Report(3.0, anna, carla, table, "Perché?", "Insult"), [])
    await write(admin.settle, "1", "spoke to her", 4.0)
    browser = Subscription("https://push.example/anna", bytes(65), bytes(16), "it")
    await write(notices.add_browser, anna, bytes(32), browser)
    await write(notices.mute, anna, Muted(True, "over"))
    await write(notices.claim, table, anna, notices.Occasion("turn", 0, 1))
    await write(invitations.ask, table, invitations.Asking(anna, bruno, False, 5.0), Limit("invitation", anna, 1, 1.0))
    wish = quick.Wish(carla, quick.Terms("loot", 2, "easy", True), True, 6.0, 7.0)
    await write(quick.make_wish, wish, Limit("too_many_tables", carla, 9), [])


async def seated(h: House, people: list[Person], game: str) -> Table:
    """A table where these people have begun."""
    info = await people[0].open(len(people), game=game)
    for person in people[1:]:
        await person.post(f"/api/tables/{info['id']}/sit", {})
    await people[0].post(f"/api/tables/{info['id']}/start")
    return await h.table(info["id"])


async def played(table: Table, chance: random.Random, most: int) -> None:
    """So many decisions by chance, or fewer if the game is over."""
    for _ in range(most):
        if not table.waiting():
            return
        seat = table.waiting()[0]
        play = table.play_of(seat)
        action = chance.choice(play.engine.legal(play.states, 0, seat))
        await table.decide(seat, [action], None, f"{chance.random()}", None)
