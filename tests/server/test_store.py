"""The store against a model of it: whatever is written in whatever order, two keys hold."""

from __future__ import annotations

import asyncio
import itertools
import pathlib
import shutil
import sqlite3
import tempfile

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from ludoteca.server import queries, schema
from ludoteca.server.queries import ChairRow, ChatRow, Overtaken, Repeated, TableRow
from ludoteca.server.sqlite import Sqlite
from ludoteca.server.store import Store
from server.house import run
from services import Postgres

COMMANDS = st.sampled_from([None, *"abcdefgh"])
ACTIONS = st.lists(st.integers(0, 9), min_size=1, max_size=3)


def table_row(id: str, **more: object) -> TableRow:
    row = TableRow(id, "splendor", "1", {"edition": "marvel"}, True, "", "g", "open", "invite", "hash", 1.0, 1.0)
    row.chairs = [ChairRow("g", "Anna"), ChairRow()]
    for name, value in more.items():
        setattr(row, name, value)
    return row


def file_of(store: Store) -> Sqlite:
    """The SQLite file behind a store."""
    assert isinstance(store._database, Sqlite)
    return store._database


class Model(RuleBasedStateMachine):
    """One real store and what it should hold: by table, the decisions' steps (seat, action, step, command)."""

    def __init__(self) -> None:
        super().__init__()
        self.place = self.make_place()
        self.store = Store(self.place)
        self.runner = asyncio.Runner()
        self.tables: dict[str, list[tuple[int, int, int, str | None]]] = {}
        self.phase: dict[str, str] = {}
        self.chat: dict[str, list[str]] = {}

    def make_place(self) -> pathlib.Path | str:
        """Where an empty store can be."""
        self.folder = pathlib.Path(tempfile.mkdtemp())
        return self.folder / "games.db"

    def drop_place(self) -> None:
        """Nobody needs it any more."""
        shutil.rmtree(self.folder)

    @rule()
    def open_table(self) -> None:
        id = f"t{len(self.tables)}"
        self.runner.run(self.store.write(queries.add_table, table_row(id), b"secret"))
        self.tables[id], self.phase[id], self.chat[id] = [], "open", []

    @rule(data=st.data())
    def start(self, data: st.DataObject) -> None:
        if not self.tables:
            return
        id = data.draw(st.sampled_from(sorted(self.tables)))
        newest = self.runner.run(self.store.read(queries.find_table, id))
        assert newest is not None
        started = self.runner.run(self._try(queries.start_table, table_row(id, revision=newest.revision), 42, 1, 2.0))
        assert started == ("ok" if self.phase[id] == "open" else "overtaken")
        if self.phase[id] == "open":
            self.phase[id] = "playing"

    @rule(
        data=st.data(), command=COMMANDS, seat=st.integers(0, 1), actions=ACTIONS, ahead=st.integers(-1, 2),
        knows=st.booleans(),
    )  # fmt: skip
    def append(
        self, data: st.DataObject, command: str | None, seat: int, actions: list[int], ahead: int, knows: bool
    ) -> None:
        if not self.tables:
            return
        id = data.draw(st.sampled_from(sorted(self.tables)))
        mine = self.tables[id]
        seq = len(mine) + ahead
        link = self.link(id, len(actions)) if knows else ()
        outcome = self.runner.run(self._try(queries.append, id, seq, seat, actions, command, 3.0, 1, "playing", *link))
        if command is not None and any(row[3] == command for row in mine):
            assert outcome == "repeated"
        elif self.phase[id] != "playing" or seq != len(mine) + 1:
            assert outcome == "overtaken"
        else:
            assert outcome == "ok"
            mine += [(seat, action, step, None if step else command) for step, action in enumerate(actions)]

    def link(self, id: str, steps: int) -> tuple[list[None], bytes]:
        """What a referee passes on that knows the row before: the traces (there are none here), and its hash."""
        return [None] * steps, self.runner.run(self.store.read(queries.find_game, id)).hash

    @rule(command=COMMANDS, actions=ACTIONS, behind=st.sets(st.integers(0, 3)))
    def append_everywhere(self, command: str | None, actions: list[int], behind: set[int]) -> None:
        """A decision at every table, in one commit; some referees have been overtaken."""
        jobs, expected = [], []
        for number, (id, mine) in enumerate(self.tables.items()):
            seq = len(mine) + 1 - (number in behind)
            jobs.append((id, seq, 1, actions, command, 3.0, 1, "playing", *self.link(id, len(actions))))
            if command is not None and any(row[3] == command for row in mine):
                expected.append("repeated")
            elif self.phase[id] != "playing" or number in behind:
                expected.append("overtaken")
            else:
                expected.append("ok")
                mine += [(1, action, step, None if step else command) for step, action in enumerate(actions)]

        async def all_at_once() -> list[object]:
            return await asyncio.gather(*(self._try(queries.append, *job) for job in jobs))

        assert self.runner.run(all_at_once()) == expected

    @rule(data=st.data(), batch=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9)), min_size=2, max_size=6))
    def append_at_once(self, data: st.DataObject, batch: list[tuple[int, int]]) -> None:
        """Several referees write the same next decision in one commit: one of them wins."""
        if not self.tables:
            return
        id = data.draw(st.sampled_from(sorted(self.tables)))
        seq = len(self.tables[id]) + 1

        link = self.link(id, 1)

        async def all_at_once() -> list[object]:
            jobs = [(id, seq, seat, [action], None, 3.0, 1, "playing", *link) for seat, action in batch]
            return await asyncio.gather(*(self._try(queries.append, *job) for job in jobs))

        outcomes = self.runner.run(all_at_once())
        if self.phase[id] == "playing":
            assert outcomes == ["ok"] + ["overtaken"] * (len(batch) - 1)
            self.tables[id].append((*batch[0], 0, None))
        else:
            assert outcomes == ["overtaken"] * len(batch)

    @rule(data=st.data(), text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5))
    def say(self, data: st.DataObject, text: str) -> None:
        if self.tables:
            id = data.draw(st.sampled_from(sorted(self.tables)))
            self.runner.run(self.store.write(queries.add_chat, id, ChatRow(0, "Anna", text, 4.0)))
            self.chat[id].append(text)

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = Store(self.place)

    @invariant()
    def the_store_holds_what_was_written(self) -> None:
        for id, decisions in self.tables.items():
            row = self.runner.run(self.store.read(queries.find_table, id))
            kept = self.runner.run(self.store.read(queries.find_game, id))
            assert row is not None
            assert kept.decided == [row[:3] for row in decisions]
            assert kept.whole is None, "the hashes of its rows are linked"
            assert (row.seq, row.phase, kept.seed) == (
                len(decisions), self.phase[id], None if self.phase[id] == "open" else 42,
            )  # fmt: skip
            for seq, (seat, action, _, command) in enumerate(decisions, 1):
                if command is not None:
                    more = itertools.takewhile(lambda row: row[2] > 0, decisions[seq:])
                    stored = queries.StoredCommand(seq, seat, [action, *(row[1] for row in more)])
                    assert self.runner.run(self.store.read(queries.find_command, id, command)) == stored
            said = self.runner.run(self.store.read(queries.find_chat, id, 3))
            assert [line.text for line in said] == self.chat[id][-3:]

    async def _try(self, *job: object) -> object:
        try:
            await self.store.write(*job)  # type: ignore[arg-type]
        except Overtaken:
            return "overtaken"
        except Repeated:
            return "repeated"
        return "ok"

    def teardown(self) -> None:
        self.store.close()
        self.runner.close()
        self.drop_place()


def test_postgres_passes_the_same_model(postgres_server: Postgres) -> None:
    class OnPostgres(Model):
        def make_place(self) -> str:
            self.address = postgres_server.create()
            return self.address

        def drop_place(self) -> None:
            postgres_server.drop(self.address)

    few = settings(max_examples=10, stateful_step_count=25, deadline=None)
    run_state_machine_as_test(OnPostgres, settings=few)


Model.TestCase.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
TestModel = Model.TestCase


def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        await kept.write(queries.add_table, table_row("t"), b"secret")
        await kept.write(queries.start_table, table_row("t"), 42, 1, 2.0)
        pages = file_of(kept).write_to.execute("PRAGMA page_count").fetchone()[0]
        await kept.write(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchone())
        stored = 0
        while stored < 10_000:
            try:
                await kept.write(
                    queries.append, "t", stored + 1, 0, [1], f"command {stored}" + "x" * 40, 3.0, 1, "playing"
                )
            except sqlite3.OperationalError:
                break
            stored += 1
        assert 0 < stored < 10_000
        with pytest.raises(sqlite3.OperationalError, match="full"):  # the other of one commit is told as well
            await asyncio.gather(
                kept.write(queries.append, "t", stored + 1, 0, [1], "x" * 5000, 3.0, 1, "playing"),
                kept.write(queries.append, "t", stored + 2, 0, [1], "y" * 5000, 3.0, 1, "playing"),
            )
        assert len((await kept.read(queries.find_game, "t")).decided) == stored
        await kept.write(lambda db: db.execute("PRAGMA max_page_count = 100000").fetchone())  # there is room again
        await kept.write(queries.append, "t", stored + 1, 0, [1], "again", 3.0, 1, "playing")
        assert len((await kept.read(queries.find_game, "t")).decided) == stored + 1
        kept.close()

    run(scene())


def test_a_write_that_goes_wrong_does_not_end_the_writer(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        with pytest.raises(ZeroDivisionError):
            await kept.write(lambda db: 1 // 0)
        await kept.write(queries.add_guest, "g", b"hash", "Anna", 1.0)
        guest = await kept.read(queries.find_guest, b"hash")
        assert guest is not None
        assert guest.name == "Anna"
        kept.close()

    run(scene())


def test_whatever_piles_up_goes_into_one_commit(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        commits: list[str] = []
        file_of(kept).write_to.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        await asyncio.gather(*(kept.write(queries.add_guest, f"g{n}", b"%d" % n, "x", 1.0) for n in range(200)))
        assert len(commits) < 100
        kept.close()

    run(scene())


def test_every_write_is_synced_to_the_disk(tmp_path: pathlib.Path) -> None:
    kept = Store(tmp_path / "games.db")
    assert file_of(kept).write_to.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert file_of(kept).write_to.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    kept.close()


def test_tables_that_never_began_and_that_nobody_uses_are_forgotten_after_a_day(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        for id in ("left", "visited", "watched", "played"):
            await kept.write(queries.add_table, table_row(id, rematch="left"), b"secret")
        await kept.write(queries.start_table, table_row("played"), 42, 1, 2.0)
        for hour in range(24):
            assert await kept.write(queries.drop_unused, ["watched"], 24) == []
            if hour == 20:
                assert await kept.write(queries.use_table, "visited")
        assert await kept.write(queries.drop_unused, ["watched"], 24) == ["left"]
        there = [id for id in ("left", "visited", "watched", "played") if await kept.read(queries.find_table, id)]
        assert there == ["visited", "watched", "played"]
        assert not await kept.write(queries.use_table, "left")
        played = await kept.read(queries.find_table, "played")
        assert played is not None and played.rematch is None
        kept.close()

    run(scene())


def make_file(path: pathlib.Path, version: int) -> None:
    """A file as that version of the store left it, with a game of one decision in it."""
    with sqlite3.connect(path) as db:
        db.executescript(pathlib.Path(__file__).with_name("schema_1.sql").read_text("utf-8"))
        db.execute("INSERT INTO tables VALUES ('t','splendor','1','{}',1,'','','playing','','',0,0,1,2,NULL)")
        db.execute("INSERT INTO seeds VALUES ('t', x'00', 42)")
        db.execute("INSERT INTO decisions VALUES ('t', 1, 0, 7, 'mine', 1.0)")
        for earlier in range(1, version):
            for statement in schema.statements([schema.CHANGES[earlier]]):
                db.execute(statement) if isinstance(statement, str) else statement(db)
        db.execute(f"PRAGMA user_version = {version}")
    db.close()


@pytest.mark.parametrize("version", range(1, schema.SCHEMA_VERSION))
def test_a_game_in_a_file_of_an_earlier_version_goes_on(tmp_path: pathlib.Path, version: int) -> None:
    make_file(tmp_path / "games.db", version)

    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        assert await kept.read(queries.find_command, "t", "mine") == queries.StoredCommand(1, 0, [7])
        await kept.write(queries.append, "t", 2, 1, [8, 9], "yours", 2.0, 1, "playing")
        assert (await kept.read(queries.find_game, "t")).decided == [(0, 7, 0), (1, 8, 0), (1, 9, 1)]
        found = await kept.read(queries.find_table, "t")
        assert found is not None
        assert (found.seq, found.drafts) == (3, "")
        kept.close()

    run(scene())


def test_an_older_file_becomes_like_a_new_one(tmp_path: pathlib.Path) -> None:
    make_file(tmp_path / "old.db", 1)
    columns = []
    for name in ("old.db", "new.db"):
        Store(tmp_path / name).close()
        with sqlite3.connect(tmp_path / name) as db:
            names = [row[0] for row in db.execute("SELECT name FROM sqlite_schema ORDER BY name")]
            kinds = [set(db.execute(f"SELECT name, type, dflt_value FROM pragma_table_info('{n}')")) for n in names]
            columns.append(dict(zip(names, kinds)))
        db.close()
    assert columns[0] == columns[1]
