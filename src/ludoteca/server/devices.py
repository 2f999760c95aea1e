"""Devices: a guest can be at home on several, each with a secret of its own that can be taken away from it.

A further device comes by a one-time link that an earlier one shows (also as a QR code), or by a passkey (`passkeys.py`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from . import tickets
from .database import Connection, Unwritten, one_at_a_time
from .guests import SECRET_BYTES, Guest, Guests, hashed
from .house import House
from .links import Links
from .names import tidy
from .queries import DeviceRow, add_device
from .refusals import NotFound, TooMuch
from .sockets import Sockets
from .wire import DeviceInfo, How

LINK = "link"  # a kind of ticket
LOOK = 5.0  # seconds between two looks for devices that another server has signed out
AT_ONCE = 500  # devices asked for in one question


class NoTicket(Unwritten):
    """It is used up, too old, or never was one."""


@dataclass(frozen=True)
class Entered:
    """A device that has become somebody's, and its secret."""

    guest: Guest
    secret: str


class Devices:
    """Where guests are at home."""

    def __init__(self, house: House, guests: Guests, sockets: Sockets) -> None:
        self._house, self._guests, self._sockets = house, guests, sockets
        self.links = Links(house, LINK, house.settings.link_seconds, alone=True)

    async def of(self, guest: Guest, here: bytes) -> list[DeviceInfo]:
        """A guest's devices, this one first, then those used last."""
        rows = await self._house.store.read(devices_of, guest.id)
        found = [DeviceInfo(d.id, d.name, d.how, d.created, d.seen, key == here) for d, key in rows]  # type: ignore[arg-type]
        return sorted(found, key=lambda device: (not device.here, -device.seen))

    async def rename(self, guest: Guest, id: str, name: str) -> None:
        """Another name for a device."""
        if not await self._house.store.write(name_device, guest.id, id, tidy(name)):
            raise NotFound("no_such_device")

    async def sign_out(self, guest: Guest, here: bytes, id: str | None) -> None:
        """Takes the secret away from one device, or from all but this one; whoever is connected with it is not any more."""
        gone = await self._house.store.write(sign_out, guest.id, here, id)
        if id is not None and not gone:
            raise NotFound("no_such_device")
        self.gone(gone)

    def gone(self, keys: Sequence[bytes]) -> None:
        """These are nobody's any more."""
        self._guests.sign_out(keys)
        self._sockets.sign_out(keys)

    async def watch(self) -> None:
        """Forever: closes the sockets of devices that another server has signed out; requests ask the store anyway."""
        while True:
            await asyncio.sleep(LOOK)
            here = self._sockets.devices()
            for first in range(0, len(here), AT_ONCE):
                some = here[first : first + AT_ONCE]
                known = await self._house.store.read(still_known, some)
                self.gone([key for key in some if key not in known])

    # ── By link ──────────────────────────────────────────────

    async def use_link(self, code: str, name: str, before: bytes | None) -> Entered:
        """This device becomes that of whoever the link is from; `before`: the secret it had until now."""
        try:
            return await self.enter(Taking(LINK, code), "link", name, before)
        except NoTicket:
            raise NotFound("no_such_link") from None

    async def enter(self, by: Taking, how: How, name: str, before: bytes | None) -> Entered:
        """A further device, with a fresh secret."""
        secret, now = secrets.token_urlsafe(SECRET_BYTES), self._house.clock()
        device = DeviceRow(secrets.token_hex(8), tidy(name), how, now, now)
        most = self._house.settings.devices_a_guest
        try:
            await self._house.store.write(enter, by, device, hashed(secret), before, most)
        except TooManyDevices:
            raise TooMuch("too_many_devices", most=most) from None
        if before is not None:
            self.gone([before])
        guest = await self._guests.find(secret)
        assert guest is not None
        return Entered(guest, secret)


# ── What the store is asked ──────────────────────────────────


class TooManyDevices(Unwritten):
    """One has to be signed out first."""


@dataclass(frozen=True)
class Taking:
    """A ticket that opens a guest's games; of a passkey's, the guest is known by then, and its use is noted."""

    kind: str
    ticket: str
    guest: str | None = None
    passkey: bytes | None = None
    counter: int = 0


def enter(db: Connection, by: Taking, device: DeviceRow, secret: bytes, before: bytes | None, most: int) -> None:
    """Uses a ticket up, and adds the device it is for; what this device was before it is no more."""
    known = tickets.look_at(db, by.ticket, by.kind, device.created)
    guest = by.guest or (known.guest if known else None)
    if known is None or guest is None:
        raise NoTicket
    one_at_a_time(db, [guest])
    [there] = db.execute(
        "SELECT COUNT(*) FROM devices WHERE guest = ? AND secret <> ?", (guest, before or b"")
    ).fetchone()
    if there >= most:
        raise TooManyDevices
    if tickets.take(db, by.ticket, by.kind, device.created) is None:  # another server, a moment ago
        raise NoTicket
    if before is not None:
        db.execute("DELETE FROM devices WHERE secret = ?", (before,))
        db.execute("DELETE FROM browsers WHERE device = ?", (before,))
    if by.passkey is not None:
        db.execute("UPDATE passkeys SET counter = ?, used = ? WHERE id = ?", (by.counter, device.created, by.passkey))
    add_device(db, guest, device, secret)


def devices_of(db: Connection, guest: str) -> list[tuple[DeviceRow, bytes]]:
    """A guest's devices, each with its hashed secret."""
    rows = db.execute("SELECT id, name, how, created, seen, secret FROM devices WHERE guest = ?", (guest,)).fetchall()
    return [(DeviceRow(*row[:-1]), bytes(row[-1])) for row in rows]


def name_device(db: Connection, guest: str, id: str, name: str) -> bool:
    """Another name for a device; false if it is not this guest's."""
    return db.execute("UPDATE devices SET name = ? WHERE guest = ? AND id = ?", (name, guest, id)).rowcount == 1


def sign_out(db: Connection, guest: str, here: bytes, id: str | None) -> list[bytes]:
    """Drops one device of a guest, or all but the one that is here; returns their hashed secrets."""
    which, value = ("id = ?", id) if id is not None else ("secret <> ?", here)
    gone = db.execute(f"DELETE FROM devices WHERE guest = ? AND {which} RETURNING secret", (guest, value)).fetchall()
    db.executemany("DELETE FROM browsers WHERE device = ?", gone)
    return [bytes(secret) for (secret,) in gone]


def still_known(db: Connection, keys: Sequence[bytes]) -> set[bytes]:
    """Which of these hashed secrets are some device's."""
    marks = ", ".join("?" * len(keys))
    rows = db.execute(f"SELECT secret FROM devices WHERE secret IN ({marks})", list(keys)).fetchall()
    return {bytes(secret) for (secret,) in rows}
