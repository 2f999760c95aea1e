"""What people have seen and been promised, kept from the first minute to the last, and compared while it comes in.

Every watcher of a table tells the same story: fact number n is of the same kind and seat for all of them, and after step s
so many facts have been told. Whatever does not fit is written down as a contradiction, with the table and the numbers.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Acknowledged:
    """A command that was answered with «done»."""

    table: str
    command: str
    seq: int
    at: float


@dataclass
class Story:
    """One table's journal, as everybody there tells it."""

    game: str
    facts: list[tuple[str, int | None]] = field(default_factory=list)  # kind and seat; fact n stands at n - 1
    told: dict[int, int] = field(default_factory=dict)  # by step: how many facts there were after it
    first_seen: dict[int, float] = field(default_factory=dict)  # by step: when somebody saw it first
    lines: dict[str, str] = field(default_factory=dict)  # what was said, by whom


class Witness:
    """Everything that all players and spectators have seen."""

    def __init__(self) -> None:
        self.acknowledged: list[Acknowledged] = []
        self.refused: list[tuple[str, str, str]] = []  # table, command, key: refused for good
        self.refusals: Counter[str] = Counter()  # by key, also those that were tried again
        self.contradictions: list[str] = []
        self.stories: dict[str, Story] = {}
        self.views: list[Watching] = []
        self.lags: list[tuple[float, float]] = []  # when, and how much later than the first somebody saw a step
        self.healed = 0  # gaps that were filled by a snapshot, on a line that had held
        self.repeated = 0  # commands sent again after a reconnect
        self._numbers = itertools.count(1)

    def story(self, table: str, game: str) -> Story:
        """The story of this table."""
        return self.stories.setdefault(table, Story(game))

    def contradict(self, sentence: str) -> None:
        """Something does not fit."""
        self.contradictions.append(f"{time.monotonic():.2f} {sentence}")

    def line(self) -> str:
        """Something to say that nobody has said before."""
        return f"line {next(self._numbers)}"

    def watch(self, table: str, game: str, who: str) -> Watching:
        """Somebody begins to watch a table."""
        watching = Watching(self, table, game, who)
        self.views.append(watching)
        return watching

    def of_tables(self) -> dict[str, list[Watching]]:
        """Who has watched which table."""
        found = defaultdict(list)
        for watching in self.views:
            found[watching.table].append(watching)
        return found


class Watching:
    """One table as one person has seen it, over any number of connections."""

    def __init__(self, witness: Witness, table: str, game: str, who: str) -> None:
        self.witness, self.table, self.game, self.who = witness, table, game, who
        self.story = witness.story(table, game)
        self.seq = 0  # the last step seen
        self.facts: list[Json] = []  # every fact seen
        self.last: Json | None = None  # the last position
        self.heard: list[str] = []  # what was said, each once
        self.advances: list[float] = []  # when the game was seen to go on
        self.left_at: float | None = None  # when they went, by the clock on the wall
        self.server = ""
        self.seat: int | None = None  # None: only watches
        self.bots: frozenset[int] = frozenset()  # the seats where a bot plays
        self._of_line: set[str] = set()  # what was said on this connection
        self._greeted = False

    @property
    def left(self) -> bool:
        """Whether they have gone: the game is over, or they went home."""
        return self.left_at is not None

    def leave(self) -> None:
        """They go."""
        if self.left_at is None:
            self.left_at = time.time()

    def connected(self, server: str) -> None:
        """A new connection."""
        self.server, self._greeted = server, False
        self._of_line = set()

    def at_table(self, table: Json) -> None:
        """Who sits where."""
        self.seat = table["you"]
        self.bots = frozenset(chair["seat"] for chair in table["chairs"] if chair["level"] is not None)

    @property
    def awaits_a_bot(self) -> bool:
        """Whether the game, as it was last seen, cannot go on without a bot."""
        return self.last is not None and not self.bots.isdisjoint(self.last["waiting"])

    def said(self, text: str) -> None:
        """Somebody has said something."""
        if text in self._of_line:
            self.witness.contradict(f"{self.table}: {self.who} heard «{text}» twice on one connection")
        self._of_line.add(text)
        if text not in self.heard:
            self.heard.append(text)

    def updated(self, update: Json) -> None:
        """The next position has come."""
        now, seq, story = time.monotonic(), update["seq"], self.story
        where = f"{self.table} ({self.game}), {self.who} at {self.server}, step {self.seq} → {seq}"
        if seq < self.seq:
            self.witness.contradict(f"{where}: back in time")
        greeting, self._greeted = not self._greeted, True
        self._facts(update, where, greeting)
        told = story.told.setdefault(seq, len(self.facts))
        if told != len(self.facts):
            self.witness.contradict(f"{where}: {len(self.facts)} facts, others had {told}")
        if seq > self.seq or self.last is None or update["waiting"] != self.last["waiting"]:
            self.advances.append(now)  # a step, or somebody has sealed
        if seq > self.seq:
            self._count_lag(seq, now, greeting)
        if update["fresh"] and not greeting:
            self.witness.healed += 1
        self.seq, self.last = seq, update

    def _facts(self, update: Json, where: str, greeting: bool) -> None:
        for fact in update["events"]:
            n, known = fact["n"], len(self.facts)
            if n <= known and not update["fresh"]:
                self.witness.contradict(f"{where}: fact {n} again")
            if n > known + 1:
                self.witness.contradict(f"{where}: fact {n} after {known}")
            same = self.story.facts
            if n - 1 < len(same) and same[n - 1] != (fact["kind"], fact.get("seat")):
                self.witness.contradict(f"{where}: fact {n} is {fact['kind']}, for others {same[n - 1]}")
            if n == len(same) + 1:
                same.append((fact["kind"], fact.get("seat")))
            if n == known + 1:
                self.facts.append(fact)

    def _count_lag(self, seq: int, now: float, greeting: bool) -> None:
        seen = self.story.first_seen
        missing = [seen[step] for step in range(self.seq + 1, seq + 1) if step in seen]
        if missing and not greeting:
            self.witness.lags.append((now, now - min(missing)))
        seen.setdefault(seq, now)
