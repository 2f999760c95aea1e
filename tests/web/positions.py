"""Games that stand where a test wants them.

`positions.json` has the decisions of real games, from their start to the moment that is wanted. They are put into the
server's store as if they had been played there; the server finds the table when somebody opens it.
"""

from __future__ import annotations

import functools
import json
import pathlib
import random
import secrets
import sqlite3
import time

from playwright.sync_api import Page

from ludoteca.catalogue import game as find_game
from ludoteca.core.engine import interpreted
from ludoteca.core.journal import Journal, finish, load
from ludoteca.server import fair, queries, seats
from ludoteca.server.app import COOKIE
from ludoteca.server.guests import hashed

POSITIONS = json.loads((pathlib.Path(__file__).parent / "positions.json").read_text("utf-8"))


def stand(page: Page, database: pathlib.Path, name: str, seat: int | None = None) -> str:
    """Opens the position in this visitor's browser: they have the seat in turn, or another, and novices the others."""
    kept = dict(POSITIONS[name])
    in_turn = kept.pop("seat")
    table = lay(page, database, Journal(**kept), in_turn if seat is None else seat)
    page.goto(f"/table/{table}")
    page.wait_for_selector(".table .action__text", timeout=60_000)
    return table


@functools.cache
def at_random(game: str, seats: int, most: int = 5000, seed: int = 1, until: int = -1) -> Journal:
    """A game played by chance alone, to its end, for so many decisions, or until the first seat may choose that action."""
    engine, chance = interpreted(find_game(game)), random.Random(seed)
    state = engine.start(seats, engine.game.full_options({}), seed)
    decisions: list[tuple[int, int]] = []
    while not engine.is_over(state) and len(decisions) < most:
        seat = engine.waiting(state)[0]
        if seat == 0 and until in engine.legal(state, 0, seat):
            break
        decisions.append((seat, chance.choice(engine.legal(state, 0, seat))))
        engine.apply(state, 0, *decisions[-1])
    return Journal(game, engine.game.version, seats, engine.game.full_options({}), seed, decisions)


@functools.cache
def standing(written: bytes) -> tuple[int, bool]:
    """Who is to decide at the end of a record, as bits, and whether it is over: many tests lay out the same one."""
    journal = load(written)
    engine = interpreted(find_game(journal.game))
    state = finish(engine, journal)
    return sum(1 << owing for owing in engine.waiting(state)), engine.is_over(state)


def lay(page: Page, database: pathlib.Path, journal: Journal, seat: int = 0) -> str:
    """Puts a game into the store, with this visitor on that seat; returns the table's id."""
    waiting, over = standing(journal.dump())
    chairs = [queries.ChairRow() for _ in range(journal.seats)]
    for other in range(journal.seats):
        if other != seat:
            chairs = seats.with_bot(chairs, other, "novice")
    secret, now = fair.new_seed(), time.time()
    cookie = next(c["value"] for c in page.context.cookies() if c["name"] == COOKIE)
    with sqlite3.connect(database, timeout=10) as db:
        guest = queries.find_guest(db, hashed(cookie))
        assert guest is not None
        chairs[seat] = queries.ChairRow(guest.id, guest.name)
        row = queries.TableRow(
            id=secrets.token_urlsafe(8), game=journal.game, version=journal.version, options=journal.options,
            public=False, name="", host=guest.id, phase="open", invite=secrets.token_urlsafe(16),
            commitment=fair.commit(secret), created=now, moved=now, chairs=chairs,
        )  # fmt: skip
        queries.add_table(db, row, secret)
        queries.start_table(db, row, journal.seed, waiting, now)
        last = len(journal.decisions)
        for seq, (who, action) in enumerate(journal.decisions, 1):
            phase = "over" if seq == last and over else "playing"
            queries.append(db, row.id, seq, who, [action], None, now, waiting, phase)
    return row.id
