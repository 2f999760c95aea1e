"""What the store says, read past all servers, against what people were promised and have seen.

The statements are the harness's own, so that a mistake in the server's is not made twice.
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from cluster.witness import Acknowledged, Json, Watching, Witness
from ludoteca.catalogue import game
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import Refusal
from ludoteca.core.keyed import Keyed
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR
from ludoteca.server.marks import Together

AT_ONCE = 500  # commands looked up in one question
ON_THE_WAY = 5.0  # seconds in which a line may not have come before somebody left, or we look


class Books:
    """The store, opened for reading."""

    def __init__(self, database: str) -> None:
        self._database = database

    @contextlib.contextmanager
    def _open(self) -> Iterator[Any]:
        if self._database.startswith("postgresql:"):
            import psycopg

            with psycopg.connect(self._database, autocommit=True) as connection:
                yield connection
        else:
            with contextlib.closing(sqlite3.connect(self._database)) as file:
                yield file

    def rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        """The answer to a question, with ? for each value."""
        if self._database.startswith("postgresql:"):
            question = question.replace("?", "%s")
        with self._open() as connection:
            found: list[tuple[Any, ...]] = connection.execute(question, values).fetchall()
            return found

    def all_of(self, question: str, names: Sequence[str]) -> list[tuple[Any, ...]]:
        """The answers for many names; the question ends with `IN`."""
        found = []
        for at in range(0, len(names), AT_ONCE):
            some = names[at : at + AT_ONCE]
            found += self.rows(f"{question} ({', '.join('?' * len(some))})", *some)
        return found


# ── Decisions ────────────────────────────────────────────────


def stored(books: Books, commands: Sequence[str]) -> dict[tuple[str, str], list[int]]:
    """By table and command: the number of each row that bears its name, as it was to be answered."""
    found = defaultdict(list)
    lasts = {}
    for table, command, seq in books.all_of("SELECT table_id, command, seq FROM decisions WHERE command IN", commands):
        lasts[table, command] = seq
    for table, command, seq in books.all_of("SELECT table_id, command, seq FROM screened WHERE command IN", commands):
        found[table, command].append(seq)
    steps = books.rows("SELECT table_id, seq FROM decisions WHERE step > 0") if lasts else []
    more = {(table, seq) for table, seq in steps}
    for (table, command), seq in lasts.items():
        while (table, seq + 1) in more:  # further steps of the same decision
            seq += 1
        found[table, command].append(seq)
    return found


def lost_or_doubled(books: Books, acknowledged: Sequence[Acknowledged]) -> list[str]:
    """Each acknowledged command is stored once, with the number that was said."""
    found = stored(books, [ack.command for ack in acknowledged])
    wrong = []
    for ack in acknowledged:
        rows = found.get((ack.table, ack.command), [])
        if rows != [ack.seq]:
            fate = "lost" if not rows else "doubled" if len(rows) > 1 else f"answered as {ack.seq}, stored as {rows[0]}"
            wrong.append(f"{ack.table}: command {ack.command} (step {ack.seq}) is {fate}")
    return wrong


def refused_but_stored(books: Books, refused: Sequence[tuple[str, str, str]]) -> list[str]:
    """What was refused for good has had no effect."""
    found = stored(books, [command for _, command, _ in refused])
    return [
        f"{table}: command {command} was refused ({key}), but is stored as {found[table, command]}"
        for table, command, key in refused
        if (table, command) in found
    ]


def gaps(books: Books) -> list[str]:
    """Tables whose numbers do not run from 1 to the last, or whose summary disagrees."""
    rows = books.rows(
        """SELECT t.id, t.seq, COUNT(d.seq), COALESCE(MIN(d.seq), 1), COALESCE(MAX(d.seq), 0)
           FROM tables t LEFT JOIN decisions d ON d.table_id = t.id GROUP BY t.id, t.seq"""
    )
    return [
        f"{table}: {count} steps from {least} to {most}, noted are {seq}"
        for table, seq, count, least, most in rows
        if (count, least, most) != (seq, 1, seq)
    ]


# ── What was said ────────────────────────────────────────────


def chat(books: Books, witness: Witness) -> list[str]:
    """Every line is stored once, and was heard by everybody who was at the table."""
    said: dict[str, dict[str, float]] = defaultdict(dict)
    wrong = []
    for table, text, at in books.rows("SELECT table_id, text, at FROM chat ORDER BY n"):
        if text in said[table]:
            wrong.append(f"{table}: «{text}» is stored twice")
        said[table][text] = at
    for table, watchings in witness.of_tables().items():
        for watching in watchings:
            who, until = f"{table}: {watching.who} at {watching.server}", (watching.left_at or time.time()) - ON_THE_WAY
            if alien := [line for line in watching.heard if line not in said[table]]:
                wrong.append(f"{who} heard {alien}, which is not stored")
            if missing := [line for line, at in said[table].items() if at < until and line not in watching.heard]:
                wrong.append(f"{who} has not heard {missing}")
    return wrong


# ── The whole journal ────────────────────────────────────────


@dataclass
class Replayed:
    """A table's game, played again from the store."""

    play: Play
    told: list[int]  # facts after each step
    facts: dict[int, list[Json]]  # by viewer
    drafts: str
    phase: str


def replayed(books: Books, table: str, viewers: Sequence[int]) -> Replayed:
    """Plays a table's game again by the rules alone."""
    [(key, options, drafts, phase)] = books.rows("SELECT game, options, drafts, phase FROM tables WHERE id = ?", table)
    [(seed,)] = books.rows("SELECT server_seed FROM seeds WHERE table_id = ?", table)
    entropy = tuple(row[0] for row in books.rows("SELECT entropy FROM chairs WHERE table_id = ? ORDER BY seat", table))
    engine = interpreted(game(key))
    play = Play.deal(engine, len(entropy), msgspec.json.decode(options), Keyed(bytes(seed), entropy))
    facts: dict[int, list[Json]] = {viewer: [] for viewer in viewers}
    told = [0]
    stored = books.rows("SELECT seat, action, step, at, decider FROM decisions WHERE table_id = ? ORDER BY seq", table)
    for at, group in itertools.groupby(stored, key=lambda row: row[3]):
        rows = list(group)
        together = Together(at, {seat: decider for seat, _, _, _, decider in rows})
        for seat, action, step, _, _ in rows:
            engine.check(play.states, 0, seat, action)
            happened = play.follow(seat, [action], step)
            told.append(play.told)
            if happened:
                for viewer in viewers:
                    facts[viewer] += together.marked(play.position(viewer).facts(happened, play.told))
    return Replayed(play, told, facts, drafts, phase)


def journal(books: Books, table: str, watchings: Sequence[Watching], last: bool) -> list[str]:
    """Everybody at this table has seen what is stored, in its order; at the `last`, all of it."""
    seats = {each: SPECTATOR if each.seat is None else each.seat for each in watchings}
    try:
        truth = replayed(books, table, sorted(set(seats.values())))
    except Refusal as refusal:
        return [f"{table}: the journal does not replay: {refusal.sentence}"]
    wrong = []
    if (truth.phase == "over") != truth.play.is_over():
        wrong.append(f"{table}: noted as {truth.phase}")
    for watching, seat in seats.items():
        who = f"{table} ({watching.game}), {watching.who} at {watching.server}"
        facts = as_sent(truth.facts[seat][: len(watching.facts)])
        if facts != watching.facts:
            wrong.append(f"{who}: saw other facts than are stored, {differing(facts, watching.facts)}")
        if watching.seq < len(truth.told) and truth.told[watching.seq] != len(watching.facts):
            wrong.append(f"{who}: {len(watching.facts)} facts after {watching.seq}, stored {truth.told[watching.seq]}")
        if last and watching.seq != truth.play.seq:
            wrong.append(f"{who}: at the end saw step {watching.seq} of {truth.play.seq}")
        elif last and seat == SPECTATOR and not truth.drafts and watching.last is not None:
            if as_sent(truth.play.position(SPECTATOR).view()) != watching.last["view"]:
                wrong.append(f"{who}: at the end saw another position than is stored")
    return wrong


def as_sent(value: Any) -> Any:
    """As it looks after its way over the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def differing(stored: list[Json], seen: list[Json]) -> str:
    """The first of them that differ."""
    for one, other in zip(stored, seen):
        if one != other:
            return f"first {one} and {other}"
    return f"{len(stored)} and {len(seen)} of them"
