"""Notices: who is awaited and not there is told, once a turn, wherever they have asked to be.

Several servers may see the same turn begin; a row in the store says who has been told of what, and whoever writes it sends.
A notice names the game and the people at the table, and nothing that happened there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args
from weakref import WeakKeyDictionary

import msgspec

from ludoteca.core.words import LANGUAGES, catalogue, fill

from . import quiet
from .database import Connection, one_at_a_time
from .limits import Limit
from .push import BadEndpoint, Push, Subscription, from_base64url, house_push_key, new_key
from .queries import Exceeded
from .refusals import WORDS, BadRequest, TooMuch
from .settings import Settings
from .store import Store
from .wire import Muted, NoticeKind, NoticesInfo, QuietHours, Subscribe

if TYPE_CHECKING:
    from .table import Table

NOTHING: Mapping[str, str] = MappingProxyType({})
MOST = 10  # browsers of one guest that are told
KINDS: tuple[NoticeKind, ...] = get_args(NoticeKind)
FIRST_TURN = 2  # the number of the first turn of a game

log = logging.getLogger("ludoteca.notices")


@dataclass(frozen=True)
class Occasion:
    """Something to be told to one seat; `number` grows with each."""

    kind: NoticeKind
    seat: int
    number: int


class Notices:
    """Tells people who are not there."""

    def __init__(self, store: Store, push: Push, delay: float) -> None:
        self._store, self._push, self._delay = store, push, delay
        self._tasks: set[asyncio.Task[None]] = set()
        self._seen: WeakKeyDictionary[Table, dict[int, int]] = WeakKeyDictionary()  # what each seat is being told of

    @property
    def public_key(self) -> str:
        """What a browser must know of us."""
        return self._push.public_key

    # ── What is told ─────────────────────────────────────────

    def look(self, table: Table, started: bool = False) -> None:
        """Something has happened at a table: in a moment, those whom it concerns and who are not there are told."""
        if table.row.hot:
            return  # those who share one screen sit around it
        online = table.presence.is_online
        absent = [
            seat
            for seat, chair in enumerate(table.row.chairs)
            if chair.guest is not None and not online(chair.guest) and not chair.standin
        ]
        for occasion in occasions(table, absent, started) if absent else ():
            self._soon(table, occasion)

    def warn(self, table: Table) -> None:
        """Clocks are nearly out: those whose they are and who are not there are told, once a turn."""
        low = [] if table.row.hot else [seat for seat in table.timing.low() if self._absent(table, seat)]
        for seat, number in turns_of(table, low).items():
            self._soon(table, Occasion("low", seat, number + 1))

    def _soon(self, table: Table, occasion: Occasion) -> None:
        seen = self._seen.setdefault(table, {})
        if seen.get(occasion.seat, -1) < occasion.number:
            seen[occasion.seat] = occasion.number
            self._begin(self._tell(table, occasion))

    def _begin(self, telling: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(telling)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def invited(self, table: Table, guest: str, by: str) -> None:
        """A friend asks somebody to a table: they are told at once, unless they are there."""
        if not table.presence.is_online(guest):
            self._begin(self._tell_invited(table, guest, by))

    async def _tell_invited(self, table: Table, guest: str, by: str) -> None:
        try:
            if await self._is_held(table, guest):
                return  # it stands on the home page
            for browser in await self._store.read(wanting, guest, "invited", table.row.id):
                await self._send(browser, table, asked_by(table, by, browser.language))
        except Exception:
            log.exception("Somebody could not be told.")

    def close(self) -> None:
        """The server stops."""
        for task in self._tasks:
            task.cancel()

    @staticmethod
    def _absent(table: Table, seat: int) -> bool:
        chair = table.row.chairs[seat]
        return chair.guest is not None and not chair.standin and not table.presence.is_online(chair.guest)

    async def _tell(self, table: Table, occasion: Occasion) -> None:
        """After a while, if it is still so, and nobody else has."""
        await asyncio.sleep(self._delay)
        guest = table.row.chairs[occasion.seat].guest
        still = {"turn": table.waiting, "low": table.timing.low}.get(occasion.kind, lambda: [occasion.seat])()
        if guest is None or occasion.seat not in still or table.closed or not self._absent(table, occasion.seat):
            return
        try:
            if await self._is_held(table, guest):
                self._seen.get(table, {}).pop(occasion.seat, None)  # when the hours are over somebody looks again
                return
            browsers = await self._store.write(claim, table.row.id, guest, occasion)
            for browser in browsers:
                await self._send(browser, table, written(table, occasion, browser.language))
        except Exception:
            log.exception("Somebody could not be told.")

    async def _is_held(self, table: Table, guest: str) -> bool:
        """Whether it can wait until somebody's quiet hours are over."""
        if not quiet.waits_for_morning(table):
            return False
        return quiet.is_quiet(await self._store.read(quiet.quiet_of, guest), table.house.clock())

    async def _send(self, to: Subscription, table: Table, notice: bytes) -> None:
        try:
            stays = await self._push.send(to, notice, table.row.id)
        except (OSError, TimeoutError, BadEndpoint, asyncio.IncompleteReadError) as error:
            log.info("A push service could not be reached: %s", type(error).__name__)  # its address is somebody's
            return
        if not stays:
            await self._store.write(forget_browser, None, to.endpoint)

    # ── Who is told ──────────────────────────────────────────

    async def of(self, guest: str) -> NoticesInfo:
        """How a guest is told."""
        browsers = await self._store.read(browsers_of, guest)
        kinds, tables = await self._store.read(mutes_of, guest)
        hours = await self._store.read(quiet.quiet_of, guest)
        return NoticesInfo(self.public_key, len(browsers), kinds, tables, hours)

    async def unsubscribe(self, guest: str, endpoint: str) -> None:
        """A browser does not want to be told any more."""
        await self._store.write(forget_browser, guest, endpoint)

    async def mute(self, guest: str, what: Muted) -> None:
        """Of this they want to be told, or not."""
        await self._store.write(mute, guest, what)

    async def set_quiet(self, guest: str, hours: QuietHours | None) -> None:
        """In these hours they want to be told of nothing that can wait."""
        await self._store.write(quiet.set_quiet, guest, hours and quiet.checked(hours))

    async def subscribe(self, guest: str, device: bytes, wish: Subscribe) -> None:
        """A browser wants to be told."""
        try:
            keys = from_base64url(wish.p256dh), from_base64url(wish.auth)
            browser = Subscription(wish.endpoint, *keys, wish.language)
            self._push.check(browser)
        except (BadEndpoint, ValueError):
            raise BadRequest("bad_endpoint") from None
        try:
            await self._store.write(add_browser, guest, device, browser)
        except Exceeded:
            raise TooMuch("too_many_browsers", most=MOST) from None


def occasions(table: Table, people: Sequence[int], started: bool) -> list[Occasion]:
    """What there is to tell these seats now; the number is the same however often, and by whomever, it is asked."""
    if table.play is None:
        return []
    if table.row.phase == "over":
        return [Occasion("over", seat, 2 * (table.seq + 2)) for seat in people]
    turns = turns_of(table, [seat for seat in table.waiting() if seat in people])
    found = [Occasion("turn", seat, number) for seat, number in turns.items()]
    if started:
        found += [Occasion("start", seat, 0) for seat in people if seat not in turns]
    return found


def turns_of(table: Table, waiting: Sequence[int]) -> dict[int, int]:
    """The number of each one's turn: since what they have decided last it is one, and it grows by two at least."""
    assert table.play is not None or not waiting
    last = dict.fromkeys(waiting, 0)
    for n, (seat, _, _) in enumerate(table.play.decided() if table.play and waiting else (), 1):
        if seat in last:
            last[seat] = n
    return {seat: 2 * (n + 1) for seat, n in last.items()}


def written(table: Table, occasion: Occasion, language: str) -> bytes:
    """The notice, as the page's service worker shows it."""
    others = [chair.name for seat, chair in enumerate(table.row.chairs) if seat != occasion.seat and chair.name]
    first = table.row.tournament is not None and occasion.kind in ("turn", "start") and occasion.number <= FIRST_TURN
    return _in_words(table, "round" if first else occasion.kind, others, language, {"name": table.row.name})


def asked_by(table: Table, name: str, language: str) -> bytes:
    """That a friend asks to a table, with what opens it."""
    others = [chair.name for chair in table.row.chairs if chair.name]
    return _in_words(table, "invited", others, language, {"name": name}, {"invite": table.row.invite})


def _in_words(
    table: Table, kind: NoticeKind | Literal["round"], others: Sequence[str], language: str,
    facts: Mapping[str, str] = NOTHING, more: Mapping[str, str] = NOTHING,
) -> bytes:  # fmt: skip
    words = catalogue(WORDS, language if language in LANGUAGES else "en")
    told = {"game": table.game.title, "names": ", ".join(others), **facts}
    notice = {
        "title": fill(words[f"notice.{kind}"], told),
        "body": fill(words["notice.with"], told) if others else "",
        "table": table.row.id,
        "mute": words["notice.mute"],
        **more,
    }
    return msgspec.json.encode(notice)


# ── What the store is asked ──────────────────────────────────


def claim(db: Connection, table: str, guest: str, occasion: Occasion) -> list[Subscription]:
    """Where to tell a guest of something, if nobody has been told of it, or of something later, and they want to be."""
    browsers = wanting(db, guest, occasion.kind, table)
    if not browsers:
        return []
    told = db.execute(
        """INSERT INTO told (table_id, seat, number) VALUES (?, ?, ?)
           ON CONFLICT (table_id, seat) DO UPDATE SET number = excluded.number WHERE told.number < excluded.number""",
        (table, occasion.seat, occasion.number),
    )
    return browsers if told.rowcount == 1 else []


def wanting(db: Connection, guest: str, kind: NoticeKind, table: str) -> list[Subscription]:
    """Where a guest wants to be told of this kind of thing at this table."""
    query = "SELECT COUNT(*) FROM mutes WHERE guest = ? AND what IN (?, ?)"
    muted = db.execute(query, (guest, kind, _of_table(table))).fetchone()[0]
    return [] if muted else browsers_of(db, guest)


def add_browser(db: Connection, guest: str, device: bytes, browser: Subscription) -> None:
    """A browser that wants to be told: each once, and of one guest."""
    one_at_a_time(db, [guest])
    [there] = db.execute(
        "SELECT COUNT(*) FROM browsers WHERE guest = ? AND endpoint <> ?", (guest, browser.endpoint)
    ).fetchone()
    if there >= MOST:
        raise Exceeded(Limit("browsers", guest, MOST))
    db.execute("DELETE FROM browsers WHERE endpoint = ?", (browser.endpoint,))
    db.execute(
        "INSERT INTO browsers (endpoint, guest, device, p256dh, auth, language) VALUES (?, ?, ?, ?, ?, ?)",
        (browser.endpoint, guest, device, browser.p256dh, browser.auth, browser.language),
    )


def browsers_of(db: Connection, guest: str) -> list[Subscription]:
    """The browsers of a guest that want to be told."""
    rows = db.execute("SELECT endpoint, p256dh, auth, language FROM browsers WHERE guest = ?", (guest,)).fetchall()
    return [Subscription(endpoint, bytes(key), bytes(auth), language) for endpoint, key, auth, language in rows]


def forget_browser(db: Connection, guest: str | None, endpoint: str) -> None:
    """A browser does not want to be told any more; of a guest, only their own."""
    db.execute("DELETE FROM browsers WHERE endpoint = ? AND guest = COALESCE(?, guest)", (endpoint, guest))


def mute(db: Connection, guest: str, what: Muted) -> None:
    """A kind of notice, or a table, is to be told of or not."""
    names: Sequence[str] = [*([what.kind] if what.kind else []), *([_of_table(what.table)] if what.table else [])]
    for name in names:
        db.execute("DELETE FROM mutes WHERE guest = ? AND what = ?", (guest, name))
        if what.muted:
            db.execute("INSERT INTO mutes (guest, what) VALUES (?, ?)", (guest, name))


def mutes_of(db: Connection, guest: str) -> tuple[list[NoticeKind], list[str]]:
    """The kinds, and the tables, of which a guest does not want to be told."""
    names = [
        name for (name,) in db.execute("SELECT what FROM mutes WHERE guest = ? ORDER BY what", (guest,)).fetchall()
    ]
    tables = [name.removeprefix(_of_table("")) for name in names if name.startswith(_of_table(""))]
    return [kind for kind in KINDS if kind in names], tables


def _of_table(table: str) -> str:
    return f"table {table}"


# ── At the start ─────────────────────────────────────────────


async def notices_of(settings: Settings, store: Store) -> Notices:
    """Those of this house, with its own key."""
    key = await store.write(house_push_key, new_key())
    names = [name for name in settings.hosts.replace(",", " ").split() if "." in name]
    contact = settings.push_contact or f"https://{names[0] if names else 'localhost'}"
    return Notices(store, Push(key, contact, settings.push_local), settings.notice_delay)
