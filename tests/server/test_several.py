"""Several servers of one house on Postgres: nobody notices which one serves them."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from ludoteca.core.errors import BadData
from ludoteca.games.king_of_con import GAME as CON
from ludoteca.server import bots, bus, following, health, neighbours, queries
from ludoteca.server.app import create_app
from ludoteca.server.lobby import Lobby
from ludoteca.server.presence import Presence
from ludoteca.server.settings import Settings
from ludoteca.server.store import Store
from ludoteca.server.table import Table
from server.house import House, Json, Line, Person, answers, first_legal, house, newer, play, run, threads, until

pytestmark = pytest.mark.usefixtures("fast_hands")


@pytest.fixture(params=["redis", "notifications"])
def buses(request: pytest.FixtureRequest) -> str:
    """The address of a bus; empty: Postgres' own."""
    return str(request.getfixturevalue("redis")) if request.param == "redis" else ""


@contextlib.asynccontextmanager
async def servers(number: int, database: str, bus: str = "", **settings: Any) -> AsyncIterator[list[House]]:
    """So many servers of one house."""
    async with contextlib.AsyncExitStack() as stack:
        folder = pathlib.Path("unused")
        chosen = {"database": database, "bus": bus} | settings
        yield [await stack.enter_async_context(house(folder, threads, **chosen)) for _ in range(number)]


async def elsewhere(person: Person, other: House) -> Person:
    """The same person with another server."""
    return await other.person(secret=person.secret)


async def seated(here: House, there: House, **wish: Any) -> tuple[Json, list[Person], list[Line]]:
    """Anna with one server and Bruno with another, at one table, started."""
    anna, bruno = await here.person("Anna"), await there.person("Bruno")
    table = await anna.open(**wish)
    await bruno.post(f"/api/tables/{table['id']}/sit", {})
    lines = [await anna.line(table["id"]), await bruno.line(table["id"])]
    await anna.post(f"/api/tables/{table['id']}/start")
    for line in lines:
        await line.next("update")
    return table, [anna, bruno], lines


def test_people_with_different_servers_play_one_game_and_hear_the_same(postgres: str, buses: str) -> None:
    async def scene() -> None:
        async with servers(2, postgres, buses) as (one, two):
            table, [anna, _], [a, b] = await seated(one, two)
            beside = await (await elsewhere(anna, two)).line(table["id"])  # Anna's other window
            watching = [await (await server.person("Carla")).line(table["id"]) for server in (one, two)]
            for line in (beside, *watching):
                await line.next("update")
            last = await play({0: a, 1: b}, 30)
            for line in (a, b, beside, *watching):
                await line.next("update", lambda update: update["seq"] == last) if last > _latest(line) else None
            for mine, other in ((a, beside), (watching[0], watching[1])):
                assert _told(mine) == _told(other), "the same messages in the same order"
            assert [update["seq"] for update in b.of("update")] == [update["seq"] for update in a.of("update")]

    run(scene())


def said(text: str) -> Callable[[Json], bool]:
    """Whether a message is this line of chat."""
    return lambda message: bool(message["text"] == text)


def _latest(line: Line) -> int:
    return int(line.of("update")[-1]["seq"])


def _told(line: Line) -> list[Json]:
    return [update for update in line.of("update") if not update["fresh"]]


def test_whoever_is_overtaken_goes_on_without_a_refusal(postgres: str, redis: str) -> None:
    """Everybody moves at once in Loot: with every roll, several servers write the same next number."""

    async def scene() -> None:
        async with servers(2, postgres, redis) as (one, two):
            _, _, lines = await seated(one, two, game="loot")
            for _ in range(12):
                positions = [line.of("update")[-1] for line in lines]
                asked = [seat for seat in (0, 1) if positions[seat]["choices"]]
                if not asked:
                    break
                ids = {
                    seat: await lines[seat].do(positions[seat]["choices"][0]["action"], positions[seat]["seq"])
                    for seat in asked
                }
                for seat, id in ids.items():
                    answer = await lines[seat].next_of(("done", "refused"), answers(id))
                    assert answer["type"] == "done", answer
                await _level(lines)

    run(scene())


async def _level(lines: list[Line]) -> None:
    """Waits until both know the same and somebody is asked."""
    await until(
        lambda: (
            len({_latest(line) for line in lines}) == 1
            and (lines[0].of("update")[-1]["result"] or any(line.of("update")[-1]["choices"] for line in lines))
        )
    )


def test_sealed_offers_work_across_servers_and_stay_secret(postgres: str, redis: str) -> None:
    async def scene() -> None:
        async with servers(2, postgres, redis) as (one, two):
            options = {"bluffing_by_mistake": "on", "passions": "two_first_game"}
            _, _, [a, b] = await seated(one, two, game="king_of_con", options=options)
            heard = len(b.of("update"))
            await _decide(a, "place", "I05", 1)
            await asyncio.sleep(0.3)
            assert len(b.of("update")) == heard, "half-made offers make no noise, not even on the bus' other end"
            await _decide(a, "seal")
            seen = await b.next("update", lambda update: update["view"]["players"][0]["sealed"])
            assert (seen["seq"], seen["waiting"], seen["events"]) == (0, [1], [])
            await a.send(type="open_again", id="again", at=0)
            assert (await b.next("update", lambda u: not u["view"]["players"][0]["sealed"]))["waiting"] == [0, 1]
            await _decide(a, "place", "I18", 2)
            await _decide(a, "seal")
            await _decide(b, "pass")
            up = await a.next("update", newer(0))
            assert up["seq"] == (await b.next("update", newer(0)))["seq"]

    run(scene())


def test_taking_back_and_asking_work_across_servers(postgres: str, redis: str) -> None:
    async def scene() -> None:
        async with servers(2, postgres, redis) as (one, two):
            table, _, [a, b] = await seated(one, two, take_back="consent")
            first = a.of("update")[-1]
            await a.do(first["choices"][0]["action"], 0)
            offer = await a.next("may_take_back")
            await b.next("update", newer(0))
            await a.send(type="take_back", id="back", to=offer["to"])
            for line in (a, b):
                assert [event["kind"] for event in (await line.next("update", newer(1)))["events"]] == ["taken_back"]
            await a.do(first["choices"][0]["action"], 2)
            await b.do((await b.next("update", newer(2)))["choices"][0]["action"], 3)
            await a.next("may_take_back", lambda offer: bool(offer["ask"]))
            await a.send(type="ask_back")
            await b.next("table", lambda message: message["table"]["asks"] is not None)
            await b.send(type="answer_back", yes=True, at=4)
            for line, server in ((a, one), (b, two)):
                await line.next("update", newer(4))
                live = await server.table(table["id"])
                assert live.play is not None
                assert (live.seq, live.play.depth) == (5, 0)

    run(scene())


async def _decide(line: Line, *words: str | int) -> None:
    id = await line.do(CON.actions.encode(*words), 0)  # type: ignore[arg-type]
    assert (await line.next_of(("done", "refused"), answers(id)))["type"] == "done"


def test_one_chair_is_never_given_to_two_people(postgres: str, redis: str) -> None:
    async def scene() -> None:
        async with servers(3, postgres, redis) as houses:
            host = await houses[0].person("Host")
            for _ in range(5):
                table = await host.open(3)
                people = [await houses[number % 3].person(f"P{number}") for number in range(6)]
                answers = await asyncio.gather(
                    *(person.http.post(f"/api/tables/{table['id']}/sit", json={"seat": 1}) for person in people)
                )
                assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
                [seated] = [n for n, answer in enumerate(answers) if answer.status_code == 200]
                for server in houses:
                    info = await (await elsewhere(host, server)).get(f"/api/tables/{table['id']}")
                    assert info["chairs"][1]["name"] == f"P{seated}"

    run(scene())


def test_chat_presence_and_readiness_reach_everybody_once(postgres: str, buses: str) -> None:
    async def scene() -> None:
        async with servers(2, postgres, buses) as (one, two):
            anna, bruno = await one.person("Anna"), await two.person("Bruno")
            table = await anna.open()
            await bruno.post(f"/api/tables/{table['id']}/sit", {})
            a, b = await anna.line(table["id"]), await bruno.line(table["id"])
            for line in (a, b):
                await line.next("table", lambda m: all(chair["online"] for chair in m["table"]["chairs"]))
            await bruno.post(f"/api/tables/{table['id']}/ready", {"ready": True})
            await a.next("table", lambda m: m["table"]["chairs"][1]["ready"])
            for number in range(4):
                await (a if number % 2 else b).send(type="say", text=f"line {number}")
                for line in (a, b):
                    await line.next("said", said(f"line {number}"))
            await asyncio.sleep(0.3)
            for line in (a, b):
                assert [m["text"] for m in line.of("said")] == [f"line {number}" for number in range(4)]
            late = await (await one.person("Carla")).line(table["id"])
            await late.next("said", lambda m: m["text"] == "line 3")
            assert len(late.of("said")) == 4
            await b.next("table", lambda m: m["table"]["spectators"] == 1)
            await b.close()
            await a.next("table", lambda m: not m["table"]["chairs"][1]["online"])

    run(scene())


def test_names_rematches_and_invitations_are_the_same_everywhere(postgres: str, redis: str) -> None:
    async def scene() -> None:
        async with servers(2, postgres, redis) as (one, two):
            anna = await one.person("Anna")
            await (await elsewhere(anna, two)).post("/api/me", {"name": "Annamaria"})
            assert (await anna.get("/api/me"))["name"] == "Annamaria"
            table = await anna.open(public=False)
            stranger = two.anybody()
            await stranger.get(f"/api/tables/{table['id']}?invite={table['invite']}")
            await anna.post(f"/api/tables/{table['id']}/invite", {})
            await stranger.get(f"/api/tables/{table['id']}?invite={table['invite']}", 404)

            over, [anna, bruno], lines = await seated(one, two)
            await two.app.lobby.house.store.write(queries.end_table, over["id"], 0, "rules")
            wishes = (
                anna.post(f"/api/tables/{over['id']}/rematch", {}),
                bruno.post(f"/api/tables/{over['id']}/rematch", {}),
            )
            assert len({info["id"] for info in await asyncio.gather(*wishes)}) == 1
            for line in lines:
                await line.closed()

    run(scene())


def test_what_the_bus_has_lost_is_found_within_seconds(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silence(self: bus.Bus, message: bytes) -> None:
        """Nothing arrives."""

    monkeypatch.setattr(bus.PostgresBus, "send", silence)

    async def scene() -> None:
        async with servers(2, postgres) as (one, two):
            _, _, [a, b] = await seated(one, two)
            await a.do(a.of("update")[-1]["choices"][0]["action"], 0)
            assert (await b.next("update", newer(0)))["events"] == (await a.next("update", newer(0)))["events"]
            await b.send(type="say", text="still here")
            await a.next("said")

    run(scene())


def test_what_a_server_that_died_had_not_said_is_found_at_once(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silence(self: bus.Bus, message: bytes) -> None:
        """Nothing arrives."""

    async def scene() -> None:
        async with servers(2, postgres) as (one, two):
            _, _, [a, b] = await seated(one, two)
            dying, there = Store(postgres), two.app.lobby.house.neighbours
            await dying.write(neighbours.sign_of_life, "dying")
            await dying.write(_just_alive, "dying")
            monkeypatch.setattr(bus.PostgresBus, "send", silence)
            monkeypatch.setattr(following, "LOOK_EVERY", 600.0)
            monkeypatch.setattr(following, "WITHOUT_BUS", 600.0)
            async with asyncio.timeout(60):
                while "dying" not in there._alive:
                    await asyncio.sleep(0.05)
                await asyncio.sleep(1.5)  # until the last of the usual looks is over
                await a.do(a.of("update")[-1]["choices"][0]["action"], 0)
                await a.next("update", newer(0))
                assert not [update for update in b.of("update") if update["seq"]]
                dying.close()
                await b.next("update", newer(0))

    run(scene())


def test_a_server_reads_games_that_are_played_before_guests_are_sent_to_it(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with servers(1, postgres) as [one]:
            table, _, [a, _] = await seated(one, one)
            await a.do(a.of("update")[-1]["choices"][0]["action"], 0)
            await a.next("update", newer(0))
            asked, slow = asyncio.Event(), Lobby.table

            async def table_in_a_while(self: Lobby, id: str) -> Table:
                await asked.wait()
                return await slow(self, id)

            monkeypatch.setattr(Lobby, "table", table_in_a_while)
            async with servers(1, postgres) as [two], asyncio.timeout(60):
                assert await _ready(two) == {"tables": f"no answer within {health.PATIENCE:g} s"}
                asked.set()
                while await _ready(two):
                    await asyncio.sleep(0.05)
                assert two.app.lobby.tables[table["id"]].seq == 1, "though nobody is there"

    run(scene())


async def _ready(h: House) -> Json:
    """What a server still lacks before guests may be sent to it."""
    return dict(await health.troubles(h.app._checks))


def test_a_bot_is_asked_by_one_server_and_by_another_when_that_dies(
    postgres: str, redis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counted(place: str, level: str, redacted: Any, seat: int, seed: int) -> int:
        asked.append(seat)
        return first_legal(place, level, redacted, seat, seed)

    monkeypatch.setattr(bots, "choose", counted)
    monkeypatch.setattr(neighbours, "OVERDUE", 600.0)  # however slow this machine is

    async def scene() -> None:
        async with servers(2, postgres, redis, bot_pause=0.2) as (one, two):
            anna = await one.person("Anna")
            table = await anna.open(2, bots=[None, "novice"])
            a = await anna.line(table["id"])
            beside = await (await elsewhere(anna, two)).line(table["id"])
            await anna.post(f"/api/tables/{table['id']}/start")
            update = await a.next("update")
            await a.do(update["choices"][0]["action"], 0)
            await beside.next("update", lambda u: u["waiting"] == [0] and u["seq"] > 0)
            assert len(asked) <= 2, "a decision is asked for once, in a step or two"

            dead = two.app.lobby.house.neighbours.me  # a server that asked, and never will again
            update = await a.next("update", lambda u: bool(u["choices"]) and u["seq"] > 0)
            monkeypatch.setattr(neighbours.Neighbours, "may_ask_bots", _never)
            await a.do(update["choices"][0]["action"], update["seq"])
            await a.next("update", lambda u: u["waiting"] == [1])
            store = one.app.lobby.house.store
            await store.write(_asked_by, table["id"], f"{dead}-that-died")
            monkeypatch.undo()
            monkeypatch.setattr(bots, "choose", counted)
            monkeypatch.setattr(neighbours, "OVERDUE", 600.0)
            await a.next("update", lambda u: u["waiting"] == [0] and u["seq"] > update["seq"])

    run(scene())


def test_a_server_that_forgets_a_table_leaves_its_bots_to_the_others(
    postgres: str, redis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "OVERDUE", 600.0)
    asked, goes_on = list[int](), threading.Event()

    def first_one_hangs(place: str, level: str, redacted: Any, seat: int, seed: int) -> int:
        asked.append(seat)
        if len(asked) == 1:
            goes_on.wait(60)
        return first_legal(place, level, redacted, seat, seed)

    monkeypatch.setattr(bots, "choose", first_one_hangs)

    async def scene() -> None:
        async with servers(2, postgres, redis, bot_pause=0.01) as both:
            try:
                anna = await both[0].person("Anna")
                table = await anna.open(2, bots=[None, "novice"])
                lines = [await (await elsewhere(anna, server)).line(table["id"]) for server in both]
                await anna.post(f"/api/tables/{table['id']}/start")
                update = await lines[0].next("update")
                await lines[0].do(update["choices"][0]["action"], 0)
                await until(lambda: len(asked) == 1)
                asker = await both[0].app.lobby.house.store.read(_asker, table["id"])
                [forgets] = [server for server in both if server.app.lobby.house.neighbours.me == asker]
                forgets.app.lobby.tables[table["id"]].close()
                stays = lines[1 - both.index(forgets)]
                await stays.next("update", lambda u: u["waiting"] == [0] and u["seq"] > 0)
            finally:
                goes_on.set()

    run(scene())


def _asker(db: Any, table: str) -> str:
    return str(db.execute("SELECT asker FROM tables WHERE id = ?", (table,)).fetchone()[0])


async def _never(self: neighbours.Neighbours, table: str) -> bool:
    return False


def _asked_by(db: Any, table: str, server: str) -> None:
    db.execute("UPDATE tables SET asker = ?, asked = seq WHERE id = ?", (server, table))


def test_a_claim_lasts_for_one_decision_and_as_long_as_its_server(postgres: str) -> None:
    async def scene() -> None:
        async with servers(1, postgres) as [one]:
            anna = await one.person("Anna")
            table = await anna.open(2, bots=[None, "novice"])
            await anna.post(f"/api/tables/{table['id']}/start")
            store = one.app.lobby.house.store
            for server in ("s1", "s2"):
                await store.write(neighbours.sign_of_life, server)
            assert await store.write(neighbours.claim_bots, table["id"], "s1")
            assert not await store.write(neighbours.claim_bots, table["id"], "s2")
            await store.write(_long_ago, table["id"])  # s1 is alive, but has forgotten it
            assert await store.write(neighbours.claim_bots, table["id"], "s2")
            await store.write(_just_now, table["id"])
            assert not await store.write(neighbours.claim_bots, table["id"], "s1")
            await store.write(neighbours.farewell, "s2")
            assert await store.write(neighbours.claim_bots, table["id"], "s1")
            await store.write(_moved_on, table["id"])
            assert await store.write(neighbours.claim_bots, table["id"], "s3")

    run(scene())


def test_the_bots_of_a_server_whose_process_is_gone_are_asked_by_others_at_once(postgres: str) -> None:
    async def scene() -> None:
        async with servers(1, postgres) as [one]:
            anna = await one.person("Anna")
            table = await anna.open(2, bots=[None, "novice"])
            await anna.post(f"/api/tables/{table['id']}/start")
            store, other = one.app.lobby.house.store, Store(postgres)
            await store.write(neighbours.sign_of_life, "s2")
            await other.write(neighbours.sign_of_life, "s1")
            await other.write(_asked_by, table["id"], "s1")
            await other.write(_just_alive, "s1")
            assert not await store.write(neighbours.claim_bots, table["id"], "s2")
            other.close()  # without a word, as by `kill -9`
            while not await store.write(
                neighbours.claim_bots, table["id"], "s2"
            ):  # as soon as the system tells Postgres
                await asyncio.sleep(0.01)

    run(scene())


def _just_alive(db: Any, server: str) -> None:
    """So that nobody is given up for being silent, or slow, however slow this machine is."""
    db.execute("UPDATE servers SET seen = seen + 600 WHERE id = ?", (server,))
    db.execute("UPDATE tables SET moved = moved + 600 WHERE asker = ?", (server,))


def _long_ago(db: Any, table: str) -> None:
    db.execute("UPDATE tables SET moved = moved - 60 WHERE id = ?", (table,))


def _just_now(db: Any, table: str) -> None:
    db.execute("UPDATE tables SET moved = moved + 60 WHERE id = ?", (table,))


def test_a_bot_whose_people_are_at_another_server_does_not_think_in_the_background() -> None:
    presence = Presence(lambda: 0.0)
    assert not presence.watched
    presence.are_elsewhere("another", ["anna"], 0)
    assert presence.watched
    presence.are_elsewhere("another", [], 0)
    assert not presence.watched


def _moved_on(db: Any, table: str) -> None:
    db.execute("UPDATE tables SET seq = seq + 1 WHERE id = ?", (table,))


def test_a_limit_of_the_house_holds_over_all_its_servers(postgres: str, redis: str) -> None:
    async def scene() -> None:
        async with servers(2, postgres, redis, tables_a_guest=10) as (one, two):
            anna = await one.person("Anna")
            hands = [anna, await elsewhere(anna, two)]
            wish = {"game": "splendor", "seats": 2, "options": {}, "public": False, "bots": []}
            answers = await asyncio.gather(*(hands[n % 2].http.post("/api/tables", json=wish) for n in range(24)))
            assert sum(answer.status_code == 200 for answer in answers) == 10

    run(scene())


def test_a_bus_without_a_shared_database_is_refused_with_a_sentence(tmp_path: pathlib.Path) -> None:
    app = create_app(Settings(database=str(tmp_path / "games.db"), bus="redis://127.0.0.1:1/0"))

    async def scene() -> None:
        with pytest.raises(BadData, match="LUDOTECA_DATABASE"):
            await app._neighbours(app.open_store())

    run(scene())
    app.open_store().close()


@pytest.mark.parametrize("address", ["tcp://here", "redis:/here", "nonsense"])
def test_a_bus_that_cannot_be_is_refused_with_a_sentence(address: str) -> None:
    with pytest.raises(BadData, match="LUDOTECA_BUS"):
        bus.bus_at(address, "")


def test_a_long_word_goes_over_the_bus_in_parts() -> None:
    word = neighbours.Word("me", {f"table-{n}": n for n in range(900)}, {"t": neighbours.Here(["g"], 1)}, ["x"])
    said = neighbours.parts(word)
    assert len(said) > 1
    assert all(len(part) <= bus.MOST_BYTES for part in said)
    heard: dict[str, int] = {}
    for part in said:
        heard |= neighbours._decoder.decode(part).changed
    assert heard == word.changed
