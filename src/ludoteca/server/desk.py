"""The desk: where guests arrange who they are. Every address below `/api/you`, and the doors for further devices.

`ROUTES` lists them; `app.py` serves them with its own checks (host, origin, pace, cookie) before anything is done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from .accounts import Accounts
from .around import Goings
from .contests import Contests
from .devices import Devices, Entered
from .guests import Guest, Guests
from .house import House
from .invitations import Invitations
from .lobby import Lobby
from .pace import DEAR
from .passkeys import Passkeys, Place
from .quick import Quick
from .refusals import NoGuest
from .social import Social
from .sockets import Sockets
from .wire import (
    Around,
    AskedInfo,
    AskFriend,
    Avatar,
    Ceremony,
    ChatWish,
    Come,
    Forgotten,
    InvitationInfo,
    Me,
    Muted,
    NameDevice,
    NoticesInfo,
    OneOfYours,
    OneTimeLink,
    Passkey,
    PersonAt,
    QuickInfo,
    QuickWish,
    Quiet,
    Reported,
    ReportIt,
    Subscribe,
    Sure,
    TableInfo,
    Unsubscribe,
    UseLink,
    Whose,
    You,
)


@dataclass(frozen=True)
class Visit:
    """A request: who asks, with which device, from where, by which name of the house."""

    guest: Guest | None
    device: bytes | None  # its hashed secret, if it has one
    address: str
    place: Place

    @property
    def known(self) -> Guest:
        """Whoever asks; nobody unknown may."""
        if self.guest is None:
            raise NoGuest("who_are_you")
        return self.guest

    @property
    def here(self) -> bytes:
        """The device of somebody who is known."""
        assert self.device is not None
        return self.device


@dataclass(frozen=True)
class Download:
    """An answer to be kept as a file."""

    name: str
    content: Any


class Desk:
    """What the addresses do."""

    def __init__(self, house: House, guests: Guests, lobby: Lobby, sockets: Sockets, contests: Contests) -> None:
        self.contests = contests
        self.devices = Devices(house, guests, sockets)
        self.passkeys = Passkeys(house, self.devices)
        self.accounts = Accounts(house, lobby, self.devices)
        self.social = Social(house, lobby)
        self.quick = Quick(house, lobby)
        self.invitations = Invitations(house, lobby)
        self.goings = Goings(lobby)
        assert house.notices is not None
        self.notices = house.notices

    async def you(self, visit: Visit) -> You:
        """Everything that is yours to arrange."""
        guest = visit.known
        devices, passkeys = await self.devices.of(guest, visit.here), await self.passkeys.of(guest)
        friends, blocked = await self.social.friends_of(guest), await self.social.blocked_by(guest)
        notices = await self.notices.of(guest.id)
        return You(me_of(guest), devices, passkeys, visit.place.has_passkeys, notices, friends, blocked, guest.chat)

    async def avatar(self, visit: Visit, wish: Avatar) -> Me:
        """Another sign."""
        await self.accounts.choose(visit.known, wish)
        return me_of(visit.known)

    async def export(self, visit: Visit) -> Download:
        """All that you have left here."""
        return Download("ludoteca.json", await self.accounts.export(visit.known))

    async def forget(self, visit: Visit, wish: Sure) -> Forgotten:
        """You were never here."""
        return await self.accounts.forget(visit.known, wish.name)

    # ── Devices ──────────────────────────────────────────────

    async def name_device(self, visit: Visit, wish: NameDevice) -> You:
        """Another name for one of yours."""
        await self.devices.rename(visit.known, wish.id, wish.name)
        return await self.you(visit)

    async def sign_out(self, visit: Visit, wish: OneOfYours) -> You:
        """One of yours is yours no more; or all but this one."""
        before = await self.you(visit)
        await self.devices.sign_out(visit.known, visit.here, wish.id)
        before.devices = [d for d in before.devices if (d.id != wish.id if wish.id is not None else d.here)]
        return before

    async def link(self, visit: Visit) -> OneTimeLink:
        """A link to a further device."""
        return await self.devices.links.make(visit.known)

    async def whose(self, visit: Visit, wish: UseLink) -> Whose:
        """Who a link is from."""
        return await self.devices.links.whose(wish.code)

    async def use_link(self, visit: Visit, wish: UseLink) -> Entered:
        """This device becomes theirs."""
        return await self.devices.use_link(wish.code, wish.name, _own(visit))

    # ── Passkeys ─────────────────────────────────────────────

    async def begin_passkey(self, visit: Visit) -> Ceremony:
        """What to ask an authenticator for a new passkey."""
        return await self.passkeys.begin(visit.known, visit.place)

    async def add_passkey(self, visit: Visit, wish: Passkey) -> You:
        """A new passkey."""
        await self.passkeys.make(visit.known, visit.place, wish.ticket, wish.credential, wish.name)
        return await self.you(visit)

    async def forget_passkey(self, visit: Visit, wish: OneOfYours) -> You:
        """This one opens nothing any more."""
        await self.passkeys.forget(visit.known, wish.id or "")
        return await self.you(visit)

    async def challenge(self, visit: Visit) -> Ceremony:
        """What to ask an authenticator that has one."""
        return await self.passkeys.challenge(visit.place, visit.address)

    async def enter(self, visit: Visit, wish: Passkey) -> Entered:
        """This device becomes that of the passkey's guest."""
        return await self.passkeys.enter(visit.place, wish.ticket, wish.credential, wish.name, _own(visit))

    # ── Friends, and others ──────────────────────────────────

    async def friend_link(self, visit: Visit) -> OneTimeLink:
        """A link for one friend."""
        return await self.social.links.make(visit.known)

    async def whose_friend(self, visit: Visit, wish: UseLink) -> Whose:
        """Who would like to be friends."""
        return await self.social.links.whose(wish.code)

    async def befriend(self, visit: Visit, wish: UseLink) -> You:
        """You are friends now."""
        await self.social.befriend(visit.known, wish.code)
        return await self.you(visit)

    async def part(self, visit: Visit, wish: OneOfYours) -> You:
        """You are friends no more."""
        await self.social.part(visit.known, wish.id or "")
        return await self.you(visit)

    async def unblock(self, visit: Visit, wish: OneOfYours) -> You:
        """They may be met again."""
        await self.social.unblock(visit.known, wish.id or "")
        return await self.you(visit)

    async def set_chat(self, visit: Visit, wish: ChatWish) -> You:
        """Whether you take part in chats."""
        await self.social.set_chat(visit.known, wish.on)
        return await self.you(visit)

    async def block(self, visit: Visit, wish: PersonAt, table: str) -> You:
        """Somebody at a table whom you would rather not meet."""
        await self.social.block(visit.known, table, wish)
        return await self.you(visit)

    async def report(self, visit: Visit, wish: ReportIt, table: str) -> Reported:
        """Something for whoever keeps the house."""
        await self.social.report(visit.known, table, wish)
        return Reported(table)

    async def around(self, visit: Visit) -> Around:
        """What goes on in the house now."""
        return await self.goings.around(visit.known)

    # ── Invitations ──────────────────────────────────────────

    async def ask_friend(self, visit: Visit, wish: AskFriend, table: str) -> list[AskedInfo]:
        """One of your friends is asked to a table."""
        return await self.invitations.ask(visit.known, table, wish)

    async def asked_to(self, visit: Visit, table: str) -> list[AskedInfo]:
        """Who is asked to a table where you sit."""
        return await self.invitations.asked_to(visit.known, table)

    async def withdraw(self, visit: Visit, wish: OneOfYours, table: str) -> list[AskedInfo]:
        """They are not asked any more."""
        return await self.invitations.withdraw(visit.known, table, wish.id or "")

    async def my_invitations(self, visit: Visit) -> list[InvitationInfo]:
        """Where you are asked to."""
        return await self.invitations.of(visit.known)

    async def accept(self, visit: Visit, table: str) -> TableInfo:
        """You sit down there."""
        return await self.invitations.accept(visit.known, table)

    async def decline(self, visit: Visit, table: str) -> list[InvitationInfo]:
        """You do not come."""
        return await self.invitations.decline(visit.known, table)

    # ── Quick match ──────────────────────────────────────────

    async def wish(self, visit: Visit, wish: QuickWish) -> QuickInfo:
        """You look for others."""
        return await self.quick.wish(visit.known, visit.address, wish)

    async def wish_stands(self, visit: Visit) -> QuickInfo:
        """How your wish stands."""
        return await self.quick.stands(visit.known)

    async def wish_news(self, visit: Visit) -> QuickInfo:
        """The same, when there is news, or after some seconds."""
        return await self.quick.news(visit.known)

    async def cancel_wish(self, visit: Visit) -> QuickInfo:
        """You do not look any more."""
        return await self.quick.cancel(visit.known)

    async def come(self, visit: Visit, wish: Come) -> TableInfo:
        """You come to the table that was found."""
        return await self.quick.come(visit.known, wish)

    # ── Notices ──────────────────────────────────────────────

    async def subscribe(self, visit: Visit, wish: Subscribe) -> NoticesInfo:
        """This browser wants to be told."""
        await self.notices.subscribe(visit.known.id, visit.here, wish)
        return await self.notices.of(visit.known.id)

    async def unsubscribe(self, visit: Visit, wish: Unsubscribe) -> NoticesInfo:
        """A browser does not want to be told any more."""
        await self.notices.unsubscribe(visit.known.id, wish.endpoint)
        return await self.notices.of(visit.known.id)

    async def mute(self, visit: Visit, wish: Muted) -> NoticesInfo:
        """Of this you want to be told, or not."""
        await self.notices.mute(visit.known.id, wish)
        return await self.notices.of(visit.known.id)

    async def quiet(self, visit: Visit, wish: Quiet) -> NoticesInfo:
        """In these hours you want to be told of nothing that can wait."""
        await self.notices.set_quiet(visit.known.id, wish.quiet)
        return await self.notices.of(visit.known.id)


def _own(visit: Visit) -> bytes | None:
    """What a device was before it becomes somebody's: it is that no more."""
    return visit.device if visit.guest is not None else None


def me_of(guest: Guest) -> Me:
    """Who they are, as they are told."""
    return Me(guest.id, guest.name, guest.symbol, guest.colour)


@dataclass(frozen=True)
class DeskRoute:
    """An address, what is sent there, and what is done."""

    method: str
    path: str
    do: Callable[..., Awaitable[Any]]
    body: type | None = None
    cost: int = 1
    guessed: bool = False  # with something that others might try to guess: whoever guesses too often has to wait


ROUTES = (
    DeskRoute("GET", "/api/you", Desk.you),
    DeskRoute("POST", "/api/you/avatar", Desk.avatar, Avatar),
    DeskRoute("GET", "/api/you/export", Desk.export, cost=DEAR),
    DeskRoute("POST", "/api/you/forget", Desk.forget, Sure),
    DeskRoute("POST", "/api/you/devices/name", Desk.name_device, NameDevice),
    DeskRoute("POST", "/api/you/devices/sign-out", Desk.sign_out, OneOfYours),
    DeskRoute("POST", "/api/you/link", Desk.link),
    DeskRoute("POST", "/api/you/passkeys/begin", Desk.begin_passkey),
    DeskRoute("POST", "/api/you/passkeys", Desk.add_passkey, Passkey),
    DeskRoute("POST", "/api/you/passkeys/forget", Desk.forget_passkey, OneOfYours),
    DeskRoute("POST", "/api/you/notices/subscribe", Desk.subscribe, Subscribe),
    DeskRoute("POST", "/api/you/notices/unsubscribe", Desk.unsubscribe, Unsubscribe),
    DeskRoute("POST", "/api/you/notices/mute", Desk.mute, Muted),
    DeskRoute("POST", "/api/you/notices/quiet", Desk.quiet, Quiet),
    DeskRoute("POST", "/api/you/friends/link", Desk.friend_link),
    DeskRoute("POST", "/api/you/friends/whose", Desk.whose_friend, UseLink, guessed=True),
    DeskRoute("POST", "/api/you/friends", Desk.befriend, UseLink, guessed=True),
    DeskRoute("POST", "/api/you/friends/part", Desk.part, OneOfYours),
    DeskRoute("POST", "/api/you/blocked/forget", Desk.unblock, OneOfYours),
    DeskRoute("POST", "/api/you/chat", Desk.set_chat, ChatWish),
    DeskRoute("POST", "/api/tables/{table}/block", Desk.block, PersonAt),
    DeskRoute("POST", "/api/tables/{table}/report", Desk.report, ReportIt),
    DeskRoute("GET", "/api/around", Desk.around),
    DeskRoute("GET", "/api/my/invitations", Desk.my_invitations),
    DeskRoute("GET", "/api/tables/{table}/invitations", Desk.asked_to),
    DeskRoute("POST", "/api/tables/{table}/invitations", Desk.ask_friend, AskFriend),
    DeskRoute("POST", "/api/tables/{table}/invitations/withdraw", Desk.withdraw, OneOfYours),
    DeskRoute("POST", "/api/tables/{table}/invitations/accept", Desk.accept),
    DeskRoute("POST", "/api/tables/{table}/invitations/decline", Desk.decline),
    DeskRoute("POST", "/api/quick", Desk.wish, QuickWish),
    DeskRoute("GET", "/api/quick", Desk.wish_stands),
    DeskRoute("GET", "/api/quick/news", Desk.wish_news),
    DeskRoute("POST", "/api/quick/cancel", Desk.cancel_wish),
    DeskRoute("POST", "/api/quick/come", Desk.come, Come),
    DeskRoute("POST", "/api/link/whose", Desk.whose, UseLink, guessed=True),
    DeskRoute("POST", "/api/link", Desk.use_link, UseLink, guessed=True),
    DeskRoute("POST", "/api/passkey/begin", Desk.challenge),
    DeskRoute("POST", "/api/passkey", Desk.enter, Passkey, guessed=True),
)
