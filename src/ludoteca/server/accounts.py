"""What a guest may do with what is known of them: choose a sign, take everything along as one file, have it all forgotten.

Who is forgotten leaves their games behind: the others still have them, and where the guest sat there sits «a former guest».
In running games a bot plays on there.
"""

from __future__ import annotations

import contextlib
import secrets
from typing import Any

import msgspec

from ludoteca.core.errors import Refusal

from . import queries
from .clocks import AN_HOUR
from .contest_rows import forget_entrant, tournaments_of
from .database import Connection, one_moment
from .decks import shelf_with_texts
from .devices import Devices, devices_of
from .guests import Guest
from .house import House
from .limits import Limit
from .lobby import MOST_OWN, Lobby
from .names import tidy
from .notices import mutes_of
from .passkeys import passkeys_of
from .quiet import quiet_of
from .refusals import BadRequest, TooMuch
from .signs import Sign
from .social import people_of
from .wire import Avatar, Forgotten

FORMER = "A former guest"
EXPORTS = 6  # of one guest in an hour
FORMAT = "ludoteca guest 1"  # of what is taken along

Json = dict[str, Any]


class Accounts:
    """What is known of guests."""

    def __init__(self, house: House, lobby: Lobby, devices: Devices) -> None:
        self._house, self._lobby, self._devices = house, lobby, devices

    async def choose(self, guest: Guest, avatar: Avatar) -> None:
        """Another sign."""
        await self._house.store.write(set_avatar, guest.id, avatar.symbol, avatar.colour)
        guest.sign = Sign(avatar.symbol, avatar.colour)
        self._lobby.renamed(guest)

    async def export(self, guest: Guest) -> Json:
        """Everything a guest has left here."""
        limits = [Limit("export", guest.id, EXPORTS, AN_HOUR)]
        try:
            await self._house.store.write(queries.spend, limits, self._house.clock())
        except queries.Exceeded:
            raise TooMuch("too_many_exports") from None
        return await self._house.store.read(everything_of, guest.id)

    async def forget(self, guest: Guest, name: str) -> Forgotten:
        """Leaves every table, then nobody knows the guest any more; they must say their name, so that nobody slips."""
        if tidy(name) != guest.name:
            raise BadRequest("not_your_name")
        for row in await self._house.store.read(queries.unfinished_of, guest.id, MOST_OWN):
            with contextlib.suppress(Refusal):  # whatever stands in the way: below the chair changes hands anyway
                await self._lobby.leave(guest, row.id)
        former, level = secrets.token_hex(8), self._house.settings.standin_level
        keys, tables, games = await self._house.store.write(forget_person, guest.id, former, level, self._house.clock())
        self._devices.gone(keys)
        for id in tables:
            await self._lobby.changed_elsewhere(id)
        return Forgotten(games)


# ── What the store is asked ──────────────────────────────────


def set_avatar(db: Connection, guest: str, symbol: str, colour: int) -> None:
    """Another sign for a guest."""
    db.execute("UPDATE guests SET symbol = ?, colour = ? WHERE id = ?", (symbol, colour, guest))


def everything_of(db: Connection, guest: str) -> Json:
    """Everything a guest has left here, without secrets: neither their own nor those of games that are played."""
    with one_moment(db):
        name, created, symbol, colour = db.execute(
            "SELECT name, created, symbol, colour FROM guests WHERE id = ?", (guest,)
        ).fetchone()
        kinds, tables = mutes_of(db, guest)
        return {
            "format": FORMAT,
            "guest": {"id": guest, "name": name, "created": created, "symbol": symbol, "colour": colour},
            "devices": [
                {"name": device.name, "how": device.how, "created": device.created, "seen": device.seen}
                for device, _ in devices_of(db, guest)
            ],
            "passkeys": [
                {"name": row.name, "created": row.created, "used": row.used} for row in passkeys_of(db, guest)
            ],
            "friends": [person.name for person in people_of(db, guest, "friends", "friend")],
            "blocked": [person.name for person in people_of(db, guest, "blocks", "blocked")],
            "muted": [*kinds, *tables],
            "quiet": msgspec.to_builtins(quiet_of(db, guest)),
            "decks": [{"name": deck.name, "text": text} for deck, text in shelf_with_texts(db, guest)],
            "asked": [
                {"table": table, "friend": friend, "at": asked}
                for table, friend, asked in db.execute(
                    """SELECT table_id, name, at FROM invitations JOIN guests ON id = guest
                       WHERE by_guest = ? ORDER BY at""",
                    (guest,),
                ).fetchall()
            ],
            "tables": _tables_of(db, guest),
            "ratings": _ratings_of(db, guest),
            "tournaments": tournaments_of(db, guest),
            "said": [
                {"table": table, "at": at, "text": text}
                for table, at, text in db.execute(
                    "SELECT table_id, at, text FROM chat WHERE guest = ? ORDER BY n", (guest,)
                ).fetchall()
            ],
        }


def _ratings_of(db: Connection, guest: str) -> list[Json]:
    """What each rated game has made of a guest's rating."""
    names = ("table", "game", "seats", "ended", "rank", "points", "spread", "games")
    rows = db.execute(
        """SELECT table_id, game, seats, ended, rank, points, spread, games FROM ratings WHERE guest = ?
           ORDER BY ended, table_id""",
        (guest,),
    ).fetchall()
    return [dict(zip(names, row, strict=True)) for row in rows]


def _tables_of(db: Connection, guest: str) -> list[Json]:
    """Where a guest sits or sat, with what they have decided there."""
    found: dict[str, Json] = {}
    rows = db.execute(
        """SELECT id, game, version, options, name, phase, created, moved, result, seat, entropy
           FROM chairs JOIN tables ON id = table_id WHERE guest = ? ORDER BY created, id""",
        (guest,),
    ).fetchall()
    for id, game, version, options, name, phase, created, moved, result, seat, entropy in rows:
        found[id] = {
            "id": id, "game": game, "version": version, "options": queries.read_options(options), "name": name,
            "phase": phase, "created": created, "moved": moved, "result": queries.read_result(result), "seat": seat,
            "entropy": entropy, "decisions": [],
        }  # fmt: skip
    decided = db.execute(
        """SELECT decisions.table_id, seq, action, at, decider FROM chairs JOIN decisions
           ON decisions.table_id = chairs.table_id AND decisions.seat = chairs.seat
           WHERE guest = ? ORDER BY decisions.table_id, seq""",
        (guest,),
    ).fetchall()
    for table, *decision in decided:
        if table in found:
            found[table]["decisions"].append(dict(zip(("seq", "action", "at", "decider"), decision, strict=True)))
    return list(found.values())


def forget_person(db: Connection, guest: str, former: str, level: str, at: float) -> tuple[list[bytes], list[str], int]:
    """Nobody knows this guest any more: returns their devices, the tables that have changed, and in how many they stay."""
    seated = "SELECT table_id FROM chairs WHERE guest = ?"
    tables = [
        id
        for (id,) in db.execute(
            f"""SELECT id FROM tables WHERE host = ? OR id IN ({seated})
                OR id IN (SELECT table_id FROM chat WHERE guest = ?)""",
            (guest, guest, guest),
        ).fetchall()
    ]
    db.execute(
        f"""DELETE FROM chat WHERE guest = ? OR (guest IS NULL AND seat IS NOT NULL AND EXISTS (
                SELECT 1 FROM chairs WHERE chairs.table_id = chat.table_id AND chairs.seat = chat.seat AND guest = ?))
            OR (guest IS NULL AND table_id IN ({seated}) AND name = (SELECT name FROM guests WHERE id = ?))""",
        (guest, guest, guest, guest),
    )
    db.execute(
        """UPDATE chairs SET guest = NULL, level = NULL, entropy = '', ready = 0
           WHERE guest = ? AND table_id IN (SELECT id FROM tables WHERE phase = 'open')""",
        (guest,),
    )
    db.execute(
        """UPDATE chairs SET level = COALESCE(level, ?)
           WHERE guest = ? AND table_id IN (SELECT id FROM tables WHERE phase = 'playing')""",
        (level, guest),
    )
    games = db.execute("UPDATE chairs SET guest = ? WHERE guest = ?", (former, guest)).rowcount
    if forget_entrant(db, guest, former) or games:
        db.execute("INSERT INTO guests (id, name, created, former) VALUES (?, ?, ?, 1)", (former, FORMER, at))
    db.execute("UPDATE ratings SET guest = ? WHERE guest = ?", (former, guest))  # others' ratings stay as they are
    db.execute("UPDATE tables SET host = ? WHERE host = ?", (former if games else None, guest))
    db.executemany(
        """UPDATE tables SET listed = 0 WHERE id = ? AND phase = 'open'
           AND NOT EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest IS NOT NULL)""",
        [(id,) for id in tables],
    )
    db.executemany("UPDATE tables SET revision = revision + 1 WHERE id = ?", [(id,) for id in tables])
    db.execute("DELETE FROM uses WHERE who = ?", (guest,))
    db.execute("DELETE FROM reports WHERE guest = ?", (guest,))
    db.execute("UPDATE reports SET said = '' WHERE about = ?", (guest,))
    keys = [key for _, key in devices_of(db, guest)]
    queries.drop_guests(db, [guest])
    return keys, tables, games
