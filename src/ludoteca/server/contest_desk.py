"""The addresses of tournaments; `app.py` serves them as it does those of the desk."""

from __future__ import annotations

from .desk import Desk, DeskRoute, Visit
from .pace import DEAR
from .wire import AddBot, MakeTournament, Tournament, TournamentInfo


async def tournaments(desk: Desk, visit: Visit) -> list[TournamentInfo]:
    """All of them, or the last."""
    return await desk.contests.all(visit.guest)


async def tournament(desk: Desk, visit: Visit, tournament: str) -> Tournament:
    """One of them."""
    return await desk.contests.one(visit.guest, tournament)


async def make(desk: Desk, visit: Visit, wish: MakeTournament) -> Tournament:
    """A new one."""
    return await desk.contests.make(visit.known, wish)


async def join(desk: Desk, visit: Visit, tournament: str) -> Tournament:
    """You take part."""
    return await desk.contests.join(visit.known, tournament)


async def leave(desk: Desk, visit: Visit, tournament: str) -> Tournament:
    """You take part no more."""
    return await desk.contests.leave(visit.known, tournament)


async def add_bot(desk: Desk, visit: Visit, wish: AddBot, tournament: str) -> Tournament:
    """So does a bot."""
    return await desk.contests.add_bot(visit.known, tournament, wish)


async def begin(desk: Desk, visit: Visit, tournament: str) -> Tournament:
    """It begins now."""
    return await desk.contests.begin(visit.known, tournament)


async def cancel(desk: Desk, visit: Visit, tournament: str) -> Tournament:
    """It does not take place."""
    return await desk.contests.cancel(visit.known, tournament)


_ONE = "/api/tournaments/{tournament}"
ROUTES = (
    DeskRoute("GET", "/api/tournaments", tournaments, cost=DEAR),
    DeskRoute("POST", "/api/tournaments", make, MakeTournament),
    DeskRoute("GET", _ONE, tournament),
    DeskRoute("POST", f"{_ONE}/join", join),
    DeskRoute("POST", f"{_ONE}/leave", leave),
    DeskRoute("POST", f"{_ONE}/bot", add_bot, AddBot),
    DeskRoute("POST", f"{_ONE}/begin", begin),
    DeskRoute("POST", f"{_ONE}/cancel", cancel),
)
