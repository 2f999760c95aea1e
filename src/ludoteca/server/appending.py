"""The decisions of many tables in one statement: how Postgres stores what a commit has gathered.

`queries.append` asks the database three times for each decision, and every question to a server costs a tenth of a
millisecond of the processor here and a trip there. On a busy server nearly all that a commit holds are such decisions, each
of another table: one statement takes all of them, as JSON, and says which tables have moved on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from .database import Call, Connection, Outcome
from .queries import DECISION, Overtaken, Repeated, append, find_command, free_chairs, linked, steps_of

# The rows of the tables are locked in the order of their names, so that servers do not get into each other's way. A table
# that another server has moved on meanwhile, or a command that is stored already, is left out, as in `queries.append`.
_APPEND = f"""
WITH given AS (
    SELECT * FROM json_to_recordset(CAST(? AS json)) AS given (
        id text, before bigint, seq bigint, waiting bigint, phase text, at double precision, command text,
        result text)),
locked AS (SELECT id FROM tables WHERE id IN (SELECT id FROM given) ORDER BY id FOR NO KEY UPDATE),
moved AS (
    UPDATE tables SET seq = given.seq, waiting = given.waiting, phase = given.phase, moved = given.at,
        result = given.result, revision = revision + 1
    FROM given JOIN locked ON locked.id = given.id
    WHERE tables.id = given.id AND tables.seq = given.before AND tables.phase = 'playing'
    AND NOT EXISTS (SELECT 1 FROM screened WHERE table_id = given.id AND command = given.command)
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE table_id = given.id AND command = given.command)
    RETURNING tables.id),
added AS (
    INSERT INTO decisions ({DECISION}, decider)
    SELECT table_id, row.seq, seat, action, command, at, step, decode(trace, 'hex'), decode(hash, 'hex'), decider
    FROM json_to_recordset(CAST(? AS json)) AS row (
        table_id text, seq bigint, seat bigint, action bigint, command text, at double precision, step bigint,
        trace text, hash text, decider text)
    JOIN moved ON moved.id = table_id)
SELECT id FROM moved"""

NAMES = [*DECISION.split(", "), "decider"]

BEFORE = list(inspect.signature(append).parameters).index("before") - 1  # among the arguments after the connection


def apart(calls: Sequence[Call]) -> tuple[list[int], list[int]]:
    """Which of these jobs can go together, by their numbers, and which go one by one: a table's second, say."""
    together, others, tables = list[int](), list[int](), set[str]()
    for number, (job, arguments) in enumerate(calls):
        known = job is append and len(arguments) > BEFORE and arguments[BEFORE] is not None
        table = about((job, arguments))
        (together if known and table not in tables else others).append(number)
        tables.add(table)
    return together, others


def about(call: Call) -> str:
    """The table that a job is about."""
    first = call[1][0] if call[1] else ""
    return first if isinstance(first, str) else str(getattr(first, "id", ""))


def append_all(db: Connection, decisions: Sequence[tuple[Any, ...]]) -> Callable[[], list[Outcome]]:
    """Asks for all of these at once (arguments of `queries.append`); what it returns knows what has become of each."""
    if not decisions:
        return list
    given, rows, lasts = list[dict[str, Any]](), list[dict[str, Any]](), dict[str, bytes]()
    for table, seq, seat, actions, command, at, waiting, phase, traces, before, *more in decisions:
        decider, result = [*more, None, None][:2]
        last = seq + len(actions) - 1
        given.append(
            {
                "id": table, "before": seq - 1, "seq": last, "waiting": waiting, "phase": phase, "at": at,
                "command": command, "result": result,
            }
        )  # fmt: skip
        for row in linked(before, table, seq, steps_of(seat, actions, command), at, traces):
            *plain, trace, hashed = row
            lasts[table] = hashed
            hexes = [None if trace is None else trace.hex(), hashed.hex()]
            rows.append(dict(zip(NAMES, [*plain, *hexes, decider], strict=True)))
    answer = db.execute(_APPEND, (msgspec.json.encode(given).decode(), msgspec.json.encode(rows).decode()))

    def outcomes() -> list[Outcome]:
        moved = {id for (id,) in answer.fetchall()}
        return [_outcome(db, moved, lasts, *decision) for decision in decisions]

    return outcomes


def _outcome(
    db: Connection, moved: set[str], lasts: dict[str, bytes],
    table: str, seq: int, seat: int, actions: list[int], command: str | None, at: float, waiting: int, phase: str,
    *_: Any,
) -> Outcome:  # fmt: skip
    if table not in moved:
        return None, Overtaken() if find_command(db, table, command) is None else Repeated()
    if phase == "over":
        free_chairs(db, table)
    return lasts[table], None
