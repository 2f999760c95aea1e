"""Projections: a table, and the game on it, as one viewer may see them. Messages are made here, from redacted records."""

from __future__ import annotations

import hmac
from typing import cast

from msgspec import Raw

from ludoteca.core.facts import Fact
from ludoteca.core.game import Json
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR, Record

from .guests import Guest
from .queries import TableRow
from .screens import Screens
from .seats import seat_of
from .wire import ChairInfo, Fair, Result, TableInfo, Update, packed

SEATS_IN = [[seat for seat in range(8) if bits >> seat & 1] for bits in range(256)]


# ── The table ────────────────────────────────────────────────


def may_see(row: TableRow, guest: Guest | None, invite: str | None) -> bool:
    """Public tables are for everybody; private ones for those who sit there or have the invitation."""
    if row.public or seat_of(row.chairs, guest.id if guest else None) is not None:
        return True
    return invite is not None and hmac.compare_digest(invite.encode(), row.invite.encode())


def viewer_of(row: TableRow, guest: Guest | None) -> int:
    """Whose eyes this guest has: a seat's, or a spectator's."""
    seat = seat_of(row.chairs, guest.id if guest else None)
    return SPECTATOR if seat is None else seat


def promise_of(row: TableRow) -> Fair:
    """What is shown of the shuffle before the end."""
    return Fair(row.commitment, [chair.entropy for chair in row.chairs])


def table_info(row: TableRow, viewer: int, online: set[str], ready: set[str], spectators: int) -> TableInfo:
    """A table as this viewer may see it, the same for all spectators; who is online and ready: guests' ids."""
    you = None if viewer == SPECTATOR else viewer
    chairs = [
        ChairInfo(
            seat, "empty" if chair.empty else "bot" if chair.guest is None else "person", chair.name, chair.level,
            chair.guest in online if chair.guest else chair.bot_plays, chair.standin, chair.guest in ready,
        )
        for seat, chair in enumerate(row.chairs)
    ]  # fmt: skip
    return TableInfo(
        row.id, row.game, row.name, row.options, row.public, row.phase, chairs, you,  # type: ignore[arg-type]
        you is not None and row.chairs[you].guest == row.host, row.invite if you is not None else None, spectators,
        SEATS_IN[row.waiting], row.seq, row.created, row.moved, promise_of(row), row.rematch,
        row.ended,  # type: ignore[arg-type]
    )  # fmt: skip


# ── The game ─────────────────────────────────────────────────


def result_of(play: Play) -> Result:
    """How the game ended."""
    found = play.result()
    return Result(found.ranks, found.scores, play.game.reasons(Record(play.states)))


def news(
    row: TableRow, play: Play, screens: Screens, result: Result | None, viewer: int, happened: list[Fact]
) -> Update:
    """The position after something happened."""
    return _update(row, play, screens, result, viewer, happened, None)


def snapshot(
    row: TableRow, play: Play, screens: Screens, result: Result | None, viewer: int, missed: list[Raw]
) -> Update:
    """The position for somebody who comes, with the facts they have missed."""
    return _update(row, play, screens, result, viewer, [], missed)


def _update(
    row: TableRow, play: Play, screens: Screens, result: Result | None, viewer: int,
    happened: list[Fact], missed: list[Raw] | None,
) -> Update:  # fmt: skip
    position = screens.play_of(play, viewer).position(viewer)
    asked = viewer != SPECTATOR and row.waiting >> viewer & 1 and not row.chairs[viewer].bot_plays
    return Update(
        row.seq, position.view(), packed(position.choices()) if asked else [], SEATS_IN[row.waiting],
        position.facts(happened, play.told) if missed is None else cast(list[Json], missed), missed is not None, result,
        screens.sealed(viewer),
    )  # fmt: skip
