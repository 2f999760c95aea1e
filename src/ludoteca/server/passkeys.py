"""Passkeys: a guest's games, opened by the screen lock of any device that has the passkey. No passwords, no e-mail.

WebAuthn is read and checked by Yubico's `fido2`. A passkey belongs to a name of the house, the one in the address bar: the
host must be one that the house answers to, and the origin that signs must be the one that asks. By an address in
numbers there can be none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from . import tickets
from .database import Connection, Unwritten, one_at_a_time
from .devices import Devices, Entered, NoTicket, Taking
from .guests import Guest
from .hosts import is_address, name_in
from .house import House
from .limits import Limit, household
from .names import tidy
from .queries import Exceeded
from .refusals import BadRequest, NotAllowed, NotFound, NotNow, TooMuch
from .wire import Ceremony, PasskeyInfo

MAKING, OPENING = "passkey", "sign in"  # kinds of tickets
PATIENCE = 300.0  # seconds in which an authenticator must have answered
MOST = 20  # of one guest
A_MINUTE = 60.0


@dataclass(frozen=True)
class Place:
    """By which name, and from which page, somebody asks."""

    host: str  # as the request has it, and the house answers to it
    origin: str | None  # of our own page; it was checked before

    @property
    def has_passkeys(self) -> bool:
        """Whether there can be any."""
        return not is_address(name_in(self.host))

    def server(self) -> Fido2Server:
        """The one who asks authenticators, by this name of the house."""
        if not self.has_passkeys:
            raise NotNow("no_passkeys_here")
        rp = PublicKeyCredentialRpEntity(id=name_in(self.host), name="Ludoteca")
        return Fido2Server(rp, verify_origin=lambda origin: origin == self.origin)


class Passkeys:
    """Those of all guests."""

    def __init__(self, house: House, devices: Devices) -> None:
        self._house, self._devices = house, devices

    async def of(self, guest: Guest) -> list[PasskeyInfo]:
        """A guest's passkeys, those used last first."""
        rows = await self._house.store.read(passkeys_of, guest.id)
        return [PasskeyInfo(websafe_encode(row.id), row.name, row.created, row.used) for row in rows]

    async def forget(self, guest: Guest, id: str) -> None:
        """This passkey opens nothing any more."""
        if not await self._house.store.write(forget_passkey, guest.id, _bytes(id)):
            raise NotFound("no_such_passkey")

    # ── Making one ───────────────────────────────────────────

    async def begin(self, guest: Guest, place: Place) -> Ceremony:
        """What the browser is to ask for a new passkey; none on an authenticator that has one of this guest already."""
        rows = await self._house.store.read(passkeys_of, guest.id)
        if len(rows) >= MOST:
            raise TooMuch("too_many_passkeys", most=MOST)
        user = PublicKeyCredentialUserEntity(id=guest.id.encode(), name=guest.name, display_name=guest.name)
        options, state = place.server().register_begin(
            user,
            [AttestedCredentialData(row.credential) for row in rows],
            ResidentKeyRequirement.REQUIRED,
            UserVerificationRequirement.PREFERRED,
        )
        limits = [Limit("passkey", guest.id, MOST, A_MINUTE)]
        return await self._ask(MAKING, guest.id, options, state, limits)

    async def make(self, guest: Guest, place: Place, ticket: str, credential: Any, name: str) -> None:
        """Keeps the passkey that an authenticator has made."""
        server, now = place.server(), self._house.clock()
        written = await self._house.store.write(tickets.take, ticket, MAKING, now)
        if written is None or written.guest != guest.id:
            raise NotFound("no_such_ceremony")
        try:
            made = server.register_complete(msgspec.json.decode(written.facts), credential)
            found = made.credential_data
            assert found is not None
        except Exception:  # whatever is wrong with it: it comes from anybody
            raise BadRequest("bad_passkey") from None
        row = PasskeyRow(
            found.credential_id, guest.id, name_in(place.host), bytes(found), made.counter, tidy(name), now, now
        )
        try:
            await self._house.store.write(add_passkey, row)
        except Exceeded:
            raise TooMuch("too_many_passkeys", most=MOST) from None
        except KnownPasskey:
            raise BadRequest("bad_passkey") from None

    # ── Coming in with one ───────────────────────────────────

    async def challenge(self, place: Place, address: str) -> Ceremony:
        """What the browser is to ask for, of somebody who has not said who they are."""
        options, state = place.server().authenticate_begin(user_verification=UserVerificationRequirement.PREFERRED)
        limits = [Limit(OPENING, household(address), self._house.settings.sign_ins_a_minute, A_MINUTE)]
        return await self._ask(OPENING, None, options, state, limits)

    async def enter(self, place: Place, ticket: str, credential: Any, name: str, before: bytes | None) -> Entered:
        """This device becomes that of the passkey's guest."""
        server, now = place.server(), self._house.clock()
        written = await self._house.store.read(tickets.look_at, ticket, OPENING, now)
        if written is None:
            raise NotFound("no_such_ceremony")
        try:
            answer = AuthenticationResponse.from_dict(credential)
        except Exception:
            raise BadRequest("bad_passkey") from None
        row = await self._house.store.read(find_passkey, answer.raw_id)
        if row is None or row.house != name_in(place.host):
            raise NotAllowed("unknown_passkey")
        counter = answer.response.authenticator_data.counter
        try:
            server.authenticate_complete(
                msgspec.json.decode(written.facts), [AttestedCredentialData(row.credential)], answer
            )
        except Exception:
            raise NotAllowed("wrong_passkey") from None
        if (counter or row.counter) and counter <= row.counter:  # there are two of it, and there should be one
            raise NotAllowed("wrong_passkey")
        taking = Taking(OPENING, ticket, row.guest, row.id, counter)
        try:
            return await self._devices.enter(taking, "passkey", name, before)
        except NoTicket:
            raise NotFound("no_such_ceremony") from None

    async def _ask(self, kind: str, guest: str | None, options: Any, state: Any, limits: list[Limit]) -> Ceremony:
        ticket, now = tickets.new_ticket(), self._house.clock()
        written = tickets.Ticket(guest, msgspec.json.encode(state).decode())
        try:
            await self._house.store.write(tickets.issue, ticket, kind, written, now, now + PATIENCE, limits)
        except Exceeded:
            raise TooMuch("too_fast") from None
        return Ceremony(ticket, _plain(options.public_key))


def _plain(value: Any) -> Any:
    """The library's own objects as JSON has them."""
    if hasattr(value, "keys"):
        return {key: _plain(value[key]) for key in value if value[key] is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value


def _bytes(id: str) -> bytes:
    try:
        return websafe_decode(id)
    except Exception:
        raise NotFound("no_such_passkey") from None


# ── What the store is asked ──────────────────────────────────


@dataclass(frozen=True)
class PasskeyRow:
    """A passkey."""

    id: bytes
    guest: str
    house: str
    credential: bytes
    counter: int
    name: str
    created: float
    used: float


_COLUMNS = "id, guest, house, credential, counter, name, created, used"


class KnownPasskey(Unwritten):
    """There is one of that id."""


def add_passkey(db: Connection, row: PasskeyRow) -> None:
    """A new passkey."""
    one_at_a_time(db, [row.guest])
    [there] = db.execute("SELECT COUNT(*) FROM passkeys WHERE guest = ?", (row.guest,)).fetchone()
    if there >= MOST:
        raise Exceeded(Limit("passkey", row.guest, MOST))
    added = db.execute(
        f"INSERT INTO passkeys ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        (row.id, row.guest, row.house, row.credential, row.counter, row.name, row.created, row.used),
    )
    if added.rowcount != 1:
        raise KnownPasskey


def find_passkey(db: Connection, id: bytes) -> PasskeyRow | None:
    """The passkey of this id."""
    found = db.execute(f"SELECT {_COLUMNS} FROM passkeys WHERE id = ?", (id,)).fetchone()
    return _row(found) if found else None


def passkeys_of(db: Connection, guest: str) -> list[PasskeyRow]:
    """A guest's passkeys, those used last first."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM passkeys WHERE guest = ? ORDER BY used DESC", (guest,)).fetchall()
    return [_row(row) for row in rows]


def _row(found: Any) -> PasskeyRow:
    id, guest, house, credential, *rest = found
    return PasskeyRow(bytes(id), guest, house, bytes(credential), *rest)


def forget_passkey(db: Connection, guest: str, id: bytes) -> bool:
    """Drops a passkey; false if it is not this guest's."""
    return db.execute("DELETE FROM passkeys WHERE guest = ? AND id = ?", (guest, id)).rowcount == 1
