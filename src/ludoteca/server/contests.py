"""Tournaments: made by a guest, played by people and bots, and carried on by the house.

Rounds follow each other unattended. One of the servers looks every second whether there is something to do: a tournament
begins, a table of its round is to be dealt, a game has ended, the next round is drawn. Everything it goes by is stored, and
what it stores is refused if somebody else was faster (`contest_rows.py`): so a restart, or another server, goes on where
the last one was. Who meets whom and how everybody stands is `pairing.py`'s.

There is always a clock, so it always ends. Whoever leaves a table, or whose time runs out, is played for by a stand-in and
counts as last there; whoever has decided nothing at all in a game takes part no more, but may come back to a Swiss.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections.abc import Awaitable, Callable
from fractions import Fraction

from ludoteca.core.errors import Refusal
from ludoteca.core.game import Game

from . import contest_rows, fair, queries
from .clock_choice import checked as checked_clock
from .clocks import AN_HOUR, read_terms
from .contest_rows import NOTHING, Beside, Changed, EntrantRow, MeetingRow, TournamentRow
from .guests import Guest
from .limits import Limit
from .lobby import LONGEST_TABLE_NAME, Lobby, check_rated, checked, possible
from .names import tidy, told_apart, visible
from .pairing import Form, Line, Meeting, Round, next_round, round_points, standings
from .projections import SEATS_IN
from .rating import NEW, Strength, strength_of_bot
from .refusals import BadRequest, NotAllowed, NotFound, NotNow, TooMuch
from .seats import bot_name
from .signs import Sign, sign_of
from .wire import (
    COLOURS,
    SYMBOLS,
    AddBot,
    Cell,
    CellInfo,
    EntrantInfo,
    MakeTournament,
    MeetingInfo,
    RoundInfo,
    StandingInfo,
    Tournament,
    TournamentInfo,
)

LOOK_EVERY = 1.0  # seconds
TRIES = 8  # of something that others get ahead of
MOST_LISTED = 60
MOST_ENTRANTS = 64
MOST_BOTS = 16  # that take part in one
MOST_ROUNDS = 15  # of a Swiss
MOST_ENTERED = 20  # in which somebody takes part at a time
LONGEST_WAIT = 7 * 24 * 3600  # seconds until one begins by itself

SIGNS = [Sign(symbol, n % COLOURS) for n, symbol in enumerate(SYMBOLS)]

log = logging.getLogger("ludoteca.contests")


class Contests:
    """The tournaments of this house."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._house, self._store = lobby, lobby.house, lobby.house.store

    # ── Reading ──────────────────────────────────────────────

    async def all(self, guest: Guest | None) -> list[TournamentInfo]:
        """Those that are played, those to come, the last that are over."""
        rows = await self._store.read(contest_rows.list_tournaments, MOST_LISTED)
        return await asyncio.to_thread(lambda: [self._info(row, guest) for row in rows])

    async def one(self, guest: Guest | None, id: str) -> Tournament:
        """One of them, as this guest may see it."""
        row = await self._row(id)
        return await asyncio.to_thread(self._told, row, guest, await self._store.read(contest_rows.find_beside, row))

    async def _row(self, id: str) -> TournamentRow:
        row = await self._store.read(contest_rows.find_tournament, id) if possible(id) else None
        if row is None:
            raise NotFound("no_such_tournament")
        return row

    # ── Making and entering ──────────────────────────────────

    async def make(self, guest: Guest, wish: MakeTournament) -> Tournament:
        """A new tournament."""
        row = self._new(guest, wish)
        settings = self._house.settings
        unfinished = Limit("too_many_tournaments", guest.id, settings.tournaments_a_guest)
        an_hour = Limit("too_many_tournaments_made", guest.id, settings.tournaments_an_hour, AN_HOUR)
        try:
            await self._store.write(contest_rows.add_tournament, row, unfinished, [an_hour])
        except queries.Exceeded as exceeded:
            raise TooMuch(exceeded.limit.what, most=exceeded.limit.most) from None
        return self._told(row, guest)

    def _new(self, guest: Guest, wish: MakeTournament) -> TournamentRow:
        self._house.drain.check()
        game, name = self._house.engines.game(wish.game), tidy(wish.name, LONGEST_TABLE_NAME)
        game.check_seats(wish.seats)
        if wish.seats < 2:
            raise BadRequest("tournament_alone")
        if not name or not visible(name):
            raise BadRequest("tournament_name")
        if wish.kind == "swiss" and not 1 <= wish.rounds <= MOST_ROUNDS:
            raise BadRequest("tournament_rounds", most=MOST_ROUNDS)
        if len(wish.bots) > MOST_BOTS:
            raise BadRequest("tournament_bots", most=MOST_BOTS)
        if wish.wait is not None and wish.wait > LONGEST_WAIT:
            raise BadRequest("tournament_wait")
        clock = checked_clock(wish.clock, wish.seats)
        if not clock:
            raise BadRequest("tournament_clock")
        check_rated(wish.rated, wish.seats, game)
        now = self._house.clock()
        row = TournamentRow(
            secrets.token_urlsafe(8), name, game.key, wish.kind, wish.seats,
            wish.rounds if wish.kind == "swiss" else 0, game.full_options(wish.options), clock, wish.rated, guest.id,
            "open", now, None if wish.wait is None else now + wish.wait, fair.new_seed(),
        )  # fmt: skip
        if wish.play:
            row.entrants.append(_person(row, guest))
        for level in wish.bots:
            row.entrants.append(_bot(row, checked(level)))
        return row

    async def join(self, guest: Guest, id: str) -> Tournament:
        """A guest takes part: before it begins, in a Swiss also later, or again."""
        return await self._changed(guest, id, lambda row: self._join(row, guest))

    async def _join(self, row: TournamentRow, guest: Guest) -> None:
        mine = row.entrant_of(guest.id)
        if mine is not None and mine.gone is None:
            return
        _check_open_to(row, mine)
        if await self._store.read(contest_rows.count_entered, guest.id) >= MOST_ENTERED:
            raise TooMuch("too_many_entered", most=MOST_ENTERED)
        if mine is not None:
            await self._store.write(contest_rows.come_back, row, mine.n)
        else:
            await self._store.write(contest_rows.enter, row, _person(row, guest))

    async def leave(self, guest: Guest, id: str) -> Tournament:
        """A guest takes part no more; where they play now, a stand-in goes on for them."""
        told = await self._changed(guest, id, lambda row: self._leave(row, guest))
        if told.info.table is not None:
            await self._lobby.leave(guest, told.info.table)
        return told

    async def _leave(self, row: TournamentRow, guest: Guest) -> None:
        mine = row.entrant_of(guest.id)
        if mine is None or mine.gone is not None:
            raise NotNow("not_entered")
        if row.phase == "over":
            raise NotNow("tournament_over")
        await self._store.write(contest_rows.part, row, mine.n)

    async def add_bot(self, guest: Guest, id: str, wish: AddBot) -> Tournament:
        """Whoever made it lets one more bot take part."""
        level = checked(wish.level)
        return await self._changed(guest, id, lambda row: self._add_bot(row, guest, level))

    async def _add_bot(self, row: TournamentRow, guest: Guest, level: str) -> None:
        _check_host(row, guest)
        if sum(entrant.level is not None for entrant in row.entrants) >= MOST_BOTS:
            raise NotNow("tournament_bots", most=MOST_BOTS)
        _check_open_to(row, None)
        await self._store.write(contest_rows.enter, row, _bot(row, level))

    async def begin(self, guest: Guest, id: str) -> Tournament:
        """Whoever made it begins it now."""
        return await self._changed(guest, id, lambda row: self._begin(row, guest))

    async def _begin(self, row: TournamentRow, guest: Guest) -> None:
        _check_host(row, guest)
        if len(row.present) < self._form(row).least:
            raise NotNow("too_few_entrants", least=self._form(row).least)
        await self._draw(row)

    async def cancel(self, guest: Guest, id: str) -> Tournament:
        """Whoever made it calls it off before it has begun."""
        return await self._changed(guest, id, lambda row: self._cancel(row, guest))

    async def _cancel(self, row: TournamentRow, guest: Guest) -> None:
        _check_host(row, guest)
        await self._store.write(contest_rows.end, row)

    async def _changed(self, guest: Guest, id: str, change: Callable[[TournamentRow], Awaitable[None]]) -> Tournament:
        """Changes a tournament as it is now; once more if somebody else was faster."""
        for _ in range(TRIES):
            try:
                await change(await self._row(id))
                return await self.one(guest, id)
            except Changed:
                continue
        raise NotNow("reloading")

    # ── Going on by itself ───────────────────────────────────

    async def run(self) -> None:
        """Forever: looks whether a tournament waits for the house."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if await self._house.neighbours.first():
                await self.look()

    async def look(self) -> None:
        """Sees to every tournament that waits for something."""
        for id in await self._store.read(contest_rows.find_at_work, self._house.clock()):
            try:
                await self._see_to(await self._row(id))
            except (Refusal, Changed) as refused:
                log.info("Tournament %s was not seen to: %r", id, refused)
            except self._store.errors as error:
                log.warning("Tournament %s could not be stored: %r", id, error)

    async def _see_to(self, row: TournamentRow) -> None:
        if row.phase == "playing":
            open_tables = [meeting for meeting in row.meetings if meeting.phase == "open"]
            for meeting in open_tables:
                await self._deal(row, meeting)
            if open_tables:
                return
            if row.begins is None:
                next_at = self._house.clock() + self._house.settings.tournament_break
                await self._store.write(contest_rows.note_results, row, next_at)
                return
        if row.begins is not None and row.begins <= self._house.clock():
            await self._draw(row)

    async def _draw(self, row: TournamentRow) -> None:
        """The next round, dealt; or the end, if there is none or the house does not have the game any more."""
        drawn = None
        if self._house.engines.has(row.game):
            drawn = await asyncio.to_thread(next_round, self._form(row), row.played, row.present, row.seed)
        if drawn is None:
            await self._store.write(contest_rows.end, row)
            return
        tables = [self._table(row, meeting) for meeting in drawn.meetings]
        await self._store.write(contest_rows.open_round, row, drawn, tables)
        for meeting in (await self._row(row.id)).meetings:
            if meeting.phase == "open":
                await self._deal(row, meeting)

    def _table(self, row: TournamentRow, meeting: Meeting) -> tuple[queries.TableRow, bytes]:
        """A table of the house for one meeting."""
        number = len(row.played) + 1
        table, seed = self._lobby.new_row(
            row.host, self._game(row), row.options, True, _chairs(row, meeting.entrants), f"{row.name} · {number}"
        )
        table.clock, table.rated, table.tournament = row.clock, row.rated, row.id
        return table, seed

    async def _deal(self, row: TournamentRow, meeting: MeetingRow) -> None:
        """A table begins, with those who were drawn whoever has sat down there meanwhile."""
        assert meeting.table is not None
        table = await self._lobby.table(meeting.table)

        async def deal() -> None:
            if table.row.phase == "open":
                await table.begin(_chairs(row, meeting.entrants))

        await table.settled(deal)

    def _game(self, row: TournamentRow) -> Game:
        return self._house.engines.game(row.game)

    def _form(self, row: TournamentRow) -> Form:
        least = min(self._game(row).seats) if self._house.engines.has(row.game) else 2
        return Form(row.kind, row.seats, max(2, least), row.rounds)

    # ── Telling ──────────────────────────────────────────────

    def _info(self, row: TournamentRow, guest: Guest | None) -> TournamentInfo:
        mine = row.entrant_of(guest.id if guest else None)
        first = self._standings(row)[:1] if row.phase == "over" and row.meetings else []
        begins = None if row.begins is None else max(0.0, row.begins - self._house.clock())
        return TournamentInfo(
            row.id, row.name, row.game, row.kind, row.seats, read_terms(row.clock), row.rated,
            row.phase, row.created, begins, len(row.entrants), len(row.played), _planned(row),  # type: ignore[arg-type]
            mine is not None and mine.gone is None, _table_of(row, mine),
            _names(row)[_index(row, first[0].entrant)] if first else None,
        )  # fmt: skip

    def _standings(self, row: TournamentRow) -> list[Line]:
        return standings(self._form(row), row.played, [entrant.n for entrant in row.entrants], row.seed)

    def _told(self, row: TournamentRow, guest: Guest | None, beside: Beside = NOTHING) -> Tournament:
        mine = row.entrant_of(guest.id if guest else None)
        lines, form, played = self._standings(row), self._form(row), row.played
        brought = [round_points(form, round, row.seed, number) for number, round in enumerate(played, 1)]
        return Tournament(
            self._info(row, guest), guest is not None and row.host == guest.id, mine.n if mine else None,
            _may_join(row, mine), row.options,
            self._entrants(row, beside), [_standing(line, played, brought) for line in lines],
            [self._round(row, number, beside) for number in range(1, len(played) + 1)], fair.commit(row.seed),
            row.seed.hex() if row.phase == "over" else None, self._ends(row, beside),
        )  # fmt: skip

    def _ends(self, row: TournamentRow, beside: Beside) -> float | None:
        """In how many seconds the round is likely to be over, as long as it is."""
        running = [meeting.dealt for meeting in row.meetings if meeting.table is not None and meeting.ranks is None]
        if beside.lasts is None or not running:
            return None
        left = max(running) + beside.lasts - self._house.clock()
        return left if left > 0 else None

    def _round(self, row: TournamentRow, number: int, beside: Beside) -> RoundInfo:
        now = self._house.clock()
        theirs = [meeting for meeting in row.meetings if meeting.round == number]
        meetings = [
            MeetingInfo(
                meeting.table, list(meeting.entrants), None if meeting.ranks is None else list(meeting.ranks),
                meeting.phase, SEATS_IN[meeting.waiting], beside.scores.get(meeting.table),  # type: ignore[arg-type]
                None if meeting.due is None else max(0.0, meeting.due - now),
            )
            for meeting in theirs
            if meeting.table is not None
        ]  # fmt: skip
        return RoundInfo(meetings, [n for meeting in theirs if meeting.table is None for n in meeting.entrants])

    def _entrants(self, row: TournamentRow, beside: Beside) -> list[EntrantInfo]:
        """Everybody who takes part, each with a sign of their own as far as there are enough."""
        told = list[EntrantInfo]()
        signs = [sign for sign in SIGNS if sign not in {_sign(entrant) for entrant in row.entrants}] or list(SIGNS)
        free = itertools.cycle(signs)
        for entrant, name in zip(row.entrants, _names(row), strict=True):
            told.append(_entrant(entrant, name, _sign(entrant) or next(free), self._strength(row, entrant, beside)))
        return told

    def _strength(self, row: TournamentRow, entrant: EntrantRow, beside: Beside) -> Strength | None:
        """How strong somebody is with so many seats, where that is known."""
        if entrant.level is None:
            return beside.strengths.get(entrant.n)
        strength = strength_of_bot(self._house.engines.game(row.game), row.seats, entrant.level)
        return None if strength == NEW else strength


# ── Who may, and who is who ──────────────────────────────────


def _check_host(row: TournamentRow, guest: Guest) -> None:
    if row.host != guest.id:
        raise NotAllowed("only_maker")
    if row.phase != "open":
        raise NotNow("tournament_begun")


def _may_join(row: TournamentRow, mine: EntrantRow | None) -> bool:
    late = row.phase == "playing" and row.kind == "swiss" and len(row.played) < row.rounds
    full = mine is None and len(row.entrants) >= MOST_ENTRANTS
    return (row.phase == "open" or late) and not full and (mine is None or mine.gone is not None)


def _check_open_to(row: TournamentRow, mine: EntrantRow | None) -> None:
    """Refuses whoever comes too late, or to a tournament that is full."""
    if row.phase == "over":
        raise NotNow("tournament_over")
    if mine is None and len(row.entrants) >= MOST_ENTRANTS:
        raise NotNow("tournament_full", most=MOST_ENTRANTS)
    if not _may_join(row, mine):
        raise NotNow("too_late_to_enter")


def _next_number(row: TournamentRow) -> int:
    return max((entrant.n for entrant in row.entrants), default=-1) + 1


def _person(row: TournamentRow, guest: Guest) -> EntrantRow:
    symbol, colour = guest.symbol, guest.colour
    return EntrantRow(_next_number(row), guest.id, guest.name, None, len(row.played) + 1, None, symbol, colour)


def _bot(row: TournamentRow, level: str) -> EntrantRow:
    taken = [queries.ChairRow(None, entrant.name) for entrant in row.entrants if entrant.guest is None]
    return EntrantRow(_next_number(row), None, bot_name(taken), level, len(row.played) + 1)


def _chairs(row: TournamentRow, entrants: tuple[int, ...]) -> list[queries.ChairRow]:
    """The chairs of a table, by seat."""
    sitting = [row.entrants[_index(row, n)] for n in entrants]
    return [queries.ChairRow(one.guest, one.name, one.level, sign=_sign(one)) for one in sitting]


def _names(row: TournamentRow) -> list[str]:
    """Everybody's, as they are told apart."""
    return told_apart([entrant.name for entrant in row.entrants])


def _index(row: TournamentRow, n: int) -> int:
    return next(index for index, entrant in enumerate(row.entrants) if entrant.n == n)


def _table_of(row: TournamentRow, mine: EntrantRow | None) -> str | None:
    """Where somebody plays now."""
    if mine is None:
        return None
    return next((m.table for m in row.meetings if m.table and m.phase != "over" and mine.n in m.entrants), None)


def _planned(row: TournamentRow) -> int | None:
    """How many rounds there will be, where that is known."""
    if row.kind == "swiss":
        return row.rounds
    if row.kind == "robin" and row.seats == 2:
        begun = row.played[0] if row.meetings else None
        number = sum(len(m.entrants) for m in begun.meetings) + len(begun.byes) if begun else len(row.entrants)
        return max(1, number - 1 + number % 2)
    return None


# ── As it is told ────────────────────────────────────────────


def _sign(entrant: EntrantRow) -> Sign | None:
    """A person's own; bots take what is left."""
    return None if entrant.guest is None else sign_of(entrant.guest, entrant.symbol, entrant.colour)


def _entrant(entrant: EntrantRow, name: str, sign: Sign, strength: Strength | None) -> EntrantInfo:
    person = None if entrant.former else entrant.guest
    rating = (round(strength.points), round(strength.margin)) if strength else (None, None)
    return EntrantInfo(
        entrant.n, name, person, entrant.level, *sign, entrant.since, entrant.gone,  # type: ignore[arg-type]
        entrant.former, *rating,
    )  # fmt: skip


def _standing(line: Line, played: list[Round], brought: list[dict[int, Fraction]]) -> StandingInfo:
    """`brought`: what each round has brought everybody."""
    cells = list[CellInfo]()
    for round, had in zip(played, brought, strict=True):
        sat = next((meeting for meeting in round.meetings if line.entrant in meeting.entrants), None)
        what: Cell = "free" if line.entrant in round.byes else "missed"
        if sat is not None:
            what = "running" if sat.ranks is None else "played"
        cells.append(CellInfo(what, float(had.get(line.entrant, 0))))
    return StandingInfo(
        line.entrant, line.place, float(line.points), float(line.opponents), line.direct, line.by_lot, cells
    )
