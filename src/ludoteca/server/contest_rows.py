"""The rows of tournaments, and what the store is asked about them.

Whoever changes one holds its name until the commit (`one_at_a_time`) and looks first whether it still may: so two servers
that draw the same round, or somebody who enters while it is drawn, cannot both be right.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from . import queries
from .clock_choice import REMEMBERED, lengths
from .clock_rows import find_lengths
from .clocks import read_terms
from .database import Connection, Unwritten, one_at_a_time, one_moment
from .ledger import shares, standing
from .limits import Limit
from .pairing import Meeting, Round
from .rating import Share, Strength, ranks_that_count
from .wire import Outcome

ENOUGH_GAMES = 10  # played, before it is told how long such games take
LEFT, ABSENT = "left", "absent"  # why somebody takes part no more


class Changed(Unwritten):
    """Somebody else has changed the tournament in between."""


@dataclass
class EntrantRow:
    """Somebody who takes part."""

    n: int
    guest: str | None
    name: str
    level: str | None
    since: int
    gone: str | None = None
    symbol: str | None = None
    colour: int | None = None
    former: bool = False


@dataclass
class MeetingRow:
    """A table of a round (none: free rounds), and how it stands there."""

    round: int
    table: str | None
    entrants: tuple[int, ...]
    ranks: tuple[int, ...] | None
    phase: str = "over"  # of the table
    waiting: int = 0
    due: float | None = None  # when the first clock there runs out, while one runs
    dealt: float = 0.0  # when the table was made


@dataclass
class TournamentRow:
    """A tournament, with everybody and everything in it."""

    id: str
    name: str
    game: str
    kind: Any
    seats: int
    rounds: int
    options: dict[str, str]
    clock: str
    rated: bool
    host: str | None
    phase: str
    created: float
    begins: float | None
    seed: bytes
    revision: int = 0
    entrants: list[EntrantRow] = field(default_factory=list)
    meetings: list[MeetingRow] = field(default_factory=list)

    @property
    def played(self) -> list[Round]:
        """Its rounds, as they are drawn and judged."""
        found = []
        for _, rows in itertools.groupby(self.meetings, key=lambda row: row.round):
            theirs = list(rows)
            meetings = tuple(Meeting(row.entrants, row.ranks) for row in theirs if row.table is not None)
            free = tuple(n for row in theirs if row.table is None for n in row.entrants)
            found.append(Round(meetings, free))
        return found

    @property
    def present(self) -> list[int]:
        """Who takes part in the next round."""
        return [entrant.n for entrant in self.entrants if entrant.gone is None]

    def entrant_of(self, guest: str | None) -> EntrantRow | None:
        """As whom this guest takes part, or has."""
        return next((entrant for entrant in self.entrants if guest is not None and entrant.guest == guest), None)


_COLUMNS = "id, name, game, kind, seats, rounds, options, clock, rated, host, phase, created, begins, seed, revision"


# ── What is written ──────────────────────────────────────────


def add_tournament(db: Connection, row: TournamentRow, unfinished: Limit, limits: Sequence[Limit]) -> None:
    """A new one, if its maker has not too many that are not over, and has not made too many lately."""
    one_at_a_time(db, [unfinished.who])
    query = "SELECT COUNT(*) FROM tournaments WHERE host = ? AND phase <> 'over'"
    if db.execute(query, (unfinished.who,)).fetchone()[0] >= unfinished.most:
        raise queries.Exceeded(unfinished)
    queries.spend(db, limits, row.created)
    options = msgspec.json.encode(row.options).decode()
    values = (row.id, row.name, row.game, row.kind, row.seats, row.rounds, options, row.clock, int(row.rated), row.host)
    db.execute(
        f"INSERT INTO tournaments ({_COLUMNS}) VALUES ({', '.join('?' * 15)})",
        (*values, row.phase, row.created, row.begins, row.seed, row.revision),
    )
    for entrant in row.entrants:
        _add_entrant(db, row.id, entrant)


def _add_entrant(db: Connection, tournament: str, entrant: EntrantRow) -> None:
    name = "" if entrant.guest is not None else entrant.name
    db.execute(
        "INSERT INTO entrants (tournament, n, guest, bot, level, since) VALUES (?, ?, ?, ?, ?, ?)",
        (tournament, entrant.n, entrant.guest, name, entrant.level, entrant.since),
    )


def _revise(db: Connection, row: TournamentRow, change: str = "", *values: Any) -> None:
    """Something about a tournament changes, if it is as `row` has it."""
    one_at_a_time(db, [f"tournament {row.id}"])
    revised = db.execute(
        f"UPDATE tournaments SET {change}revision = revision + 1 WHERE id = ? AND revision = ?",
        (*values, row.id, row.revision),
    )
    if revised.rowcount != 1:
        raise Changed


def enter(db: Connection, row: TournamentRow, entrant: EntrantRow) -> None:
    """One more takes part."""
    _revise(db, row)
    _add_entrant(db, row.id, entrant)


def come_back(db: Connection, row: TournamentRow, n: int) -> None:
    """Somebody who was gone takes part again."""
    _revise(db, row)
    db.execute("UPDATE entrants SET gone = NULL WHERE tournament = ? AND n = ?", (row.id, n))


def part(db: Connection, row: TournamentRow, n: int) -> None:
    """Somebody takes part no more; before it has begun they never did."""
    _revise(db, row)
    if row.phase == "open":
        db.execute("DELETE FROM entrants WHERE tournament = ? AND n = ?", (row.id, n))
    else:
        db.execute("UPDATE entrants SET gone = ? WHERE tournament = ? AND n = ?", (LEFT, row.id, n))


def end(db: Connection, row: TournamentRow) -> None:
    """It is over."""
    _revise(db, row, "phase = 'over', begins = NULL, ")


def open_round(
    db: Connection, row: TournamentRow, drawn: Round, tables: Sequence[tuple[queries.TableRow, bytes]]
) -> None:
    """The next round, with its tables, if nothing has changed since it was drawn."""
    _revise(db, row, "phase = 'playing', begins = NULL, ")
    number = len(row.played) + 1
    rows: list[tuple[Any, ...]] = []
    for n, (meeting, (table, seed)) in enumerate(zip(drawn.meetings, tables, strict=True)):
        queries.add_table(db, table, seed)
        rows.append((row.id, number, n, table.id, msgspec.json.encode(meeting.entrants).decode()))
    if drawn.byes:
        rows.append((row.id, number, len(rows), None, msgspec.json.encode(drawn.byes).decode()))
    db.executemany("INSERT INTO meetings (tournament, round, n, table_id, entrants) VALUES (?, ?, ?, ?, ?)", rows)


def note_results(db: Connection, row: TournamentRow, next_at: float) -> None:
    """Games of the round that have ended count from now on; when all have, it is known when the next one begins.

    Whoever was stood in for at the end is last there; who has decided nothing at all takes part no more. A game that ended
    before its time is a tie.
    """
    over = [meeting for meeting in row.meetings if meeting.ranks is None and meeting.phase == "over" and meeting.table]
    if len(over) < sum(meeting.ranks is None and meeting.table is not None for meeting in row.meetings):
        _revise(db, row)
    else:
        _revise(db, row, "begins = ?, ", next_at)
    for meeting in over:
        ranks, absent = _ranks_of(db, meeting)
        db.execute(
            "UPDATE meetings SET ranks = ? WHERE tournament = ? AND table_id = ?",
            (msgspec.json.encode(ranks).decode(), row.id, meeting.table),
        )
        db.executemany(
            "UPDATE entrants SET gone = ? WHERE tournament = ? AND n = ? AND gone IS NULL",
            [(ABSENT, row.id, n) for n in absent],
        )


def _ranks_of(db: Connection, meeting: MeetingRow) -> tuple[list[int], list[int]]:
    """The ranks of a finished game as they count here, and who has decided nothing in it."""
    assert meeting.table is not None
    found = db.execute("SELECT result, ended FROM tables WHERE id = ?", (meeting.table,)).fetchone()
    if found is None or found[0] is None or found[1] is not None:
        return [1] * len(meeting.entrants), []
    decided = shares(db, meeting.table)
    chairs = db.execute("SELECT guest FROM chairs WHERE table_id = ? ORDER BY seat", (meeting.table,)).fetchall()
    theirs = [decided.get(seat, Share()) if guest is not None else Share() for seat, (guest,) in enumerate(chairs)]
    ranks = msgspec.json.decode(found[0], type=Outcome).ranks
    absent = [n for n, share in zip(meeting.entrants, theirs, strict=True) if share.others and not share.own]
    return ranks_that_count(ranks, [share.left for share in theirs]), absent


# ── What is read ─────────────────────────────────────────────


def find_tournament(db: Connection, id: str) -> TournamentRow | None:
    """One, with everything."""
    with one_moment(db):
        found = _tournaments(db, "WHERE id = ?", id)
    return found[0] if found else None


class Beside(NamedTuple):
    """What is told of a tournament, and no part of it: how strong its people are, and the points at its tables."""

    strengths: dict[int, Strength]  # by number; nobody's who is new
    scores: dict[str, list[int]]  # by table, where the game is over
    lasts: float | None = None  # seconds after which 19 of 20 such games were over, if some were played


NOTHING = Beside({}, {})


def find_beside(db: Connection, row: TournamentRow) -> Beside:
    """Read for one tournament that somebody looks at."""
    strengths = {
        entrant.n: standing(db, entrant.guest, row.game, row.seats)
        for entrant in row.entrants
        if entrant.guest is not None
    }
    scores = {}
    for meeting in row.meetings:
        if meeting.table is not None and meeting.ranks is not None:
            found = db.execute("SELECT result FROM tables WHERE id = ?", (meeting.table,)).fetchone()
            if found is not None and found[0] is not None:
                scores[meeting.table] = msgspec.json.decode(found[0], type=Outcome).scores
    return Beside({n: strength for n, (strength, games) in strengths.items() if games}, scores, lasting(db, row))


def lasting(db: Connection, row: TournamentRow) -> float | None:
    """How long such games take at most, as far as those that were played here tell: all but one in twenty."""
    terms = read_terms(row.clock)
    if row.phase != "playing" or terms is None:
        return None
    alike = lengths(terms, find_lengths(db, row.game, REMEMBERED))
    return next((60.0 * one.high for one in alike if one.seats == row.seats and one.games >= ENOUGH_GAMES), None)


def list_tournaments(db: Connection, most: int) -> list[TournamentRow]:
    """Those that have not begun, those that are played, and the last that are over; newest first in each."""
    with one_moment(db):
        order = "CASE phase WHEN 'playing' THEN 0 WHEN 'open' THEN 1 ELSE 2 END"
        return _tournaments(db, f"ORDER BY {order}, created DESC LIMIT ?", most)


def find_at_work(db: Connection, now: float) -> list[str]:
    """Those that somebody should look at: that are played, or begin now."""
    waits = "SELECT 1 FROM meetings WHERE tournament = t.id AND table_id IS NOT NULL AND ranks IS NULL"
    rows = db.execute(
        f"""SELECT id FROM tournaments AS t WHERE (phase = 'open' AND begins <= ?) OR (phase = 'playing' AND (
               begins <= ? OR (begins IS NULL AND NOT EXISTS ({waits}))
               OR EXISTS ({waits} AND table_id NOT IN (SELECT id FROM tables WHERE phase = 'playing'))))
           ORDER BY created, id""",
        (now, now),
    )
    return [id for (id,) in rows.fetchall()]


def count_entered(db: Connection, guest: str) -> int:
    """In how many tournaments that are not over somebody takes part."""
    found = db.execute(
        """SELECT COUNT(*) FROM entrants JOIN tournaments ON id = tournament
           WHERE guest = ? AND gone IS NULL AND phase <> 'over'""",
        (guest,),
    )
    return int(found.fetchone()[0])


def tournaments_of(db: Connection, guest: str) -> list[dict[str, Any]]:
    """Where a guest has taken part, or what they have made: for their own file."""
    rows = db.execute(
        """SELECT id, name, game, kind, created, n, since, gone FROM tournaments
           LEFT JOIN entrants ON tournament = id AND guest = ? WHERE guest = ? OR host = ? ORDER BY created, id""",
        (guest, guest, guest),
    ).fetchall()
    names = ("id", "name", "game", "kind", "created", "number", "since", "gone")
    return [dict(zip(names, row, strict=True)) for row in rows]


def forget_entrant(db: Connection, guest: str, former: str) -> int:
    """Nobody knows this guest any more; returns in how many tournaments a former guest is left."""
    db.execute(
        """UPDATE tournaments SET host = CASE host WHEN ? THEN NULL ELSE host END, revision = revision + 1
           WHERE host = ? OR id IN (SELECT tournament FROM entrants WHERE guest = ?)""",
        (guest, guest, guest),
    )
    mine = "SELECT id FROM tournaments WHERE phase = 'open'"
    db.execute(f"DELETE FROM entrants WHERE guest = ? AND tournament IN ({mine})", (guest,))
    left = db.execute("UPDATE entrants SET guest = ?, gone = COALESCE(gone, ?) WHERE guest = ?", (former, LEFT, guest))
    return int(left.rowcount)


def _tournaments(db: Connection, where: str, *arguments: Any) -> list[TournamentRow]:
    """Tournaments with everything, in three questions however many they are."""
    found: dict[str, TournamentRow] = {}
    for row in db.execute(f"SELECT {_COLUMNS} FROM tournaments {where}", arguments).fetchall():
        *first, options, clock, rated, host, phase, created, begins, seed, revision = row
        values: list[Any] = [*first, queries.read_options(options), clock, bool(rated), host, phase, created, begins]
        values += [bytes(seed), revision]
        found[row[0]] = TournamentRow(*values)
    if not found:
        return []
    marks, ids = ", ".join("?" * len(found)), list(found)
    entrants = db.execute(
        f"""SELECT tournament, n, guest, COALESCE(guests.name, bot), level, since, gone, symbol, colour, COALESCE(former, 0)
            FROM entrants LEFT JOIN guests ON guests.id = guest WHERE tournament IN ({marks}) ORDER BY tournament, n""",
        ids,
    )
    for id, *entrant in entrants.fetchall():
        found[id].entrants.append(EntrantRow(*entrant))
        found[id].entrants[-1].former = bool(entrant[-1])
    meetings = db.execute(
        f"""SELECT meetings.tournament, round, table_id, entrants, ranks, COALESCE(phase, 'over'), COALESCE(waiting, 0),
                due, COALESCE(tables.created, 0)
            FROM meetings LEFT JOIN tables ON tables.id = table_id WHERE meetings.tournament IN ({marks})
            ORDER BY meetings.tournament, round, n""",
        ids,
    )
    for id, round, table, theirs, ranks, *stands in meetings.fetchall():
        seated = msgspec.json.decode(theirs, type=tuple[int, ...])
        counted = msgspec.json.decode(ranks, type=tuple[int, ...]) if ranks is not None else None
        found[id].meetings.append(MeetingRow(round, table, seated, counted, *stands))
    return list(found.values())
