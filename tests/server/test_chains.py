"""One message is one decision of a person: all of its steps or none, one commit, one broadcast, one answer."""

from __future__ import annotations

import asyncio
import pathlib
import time
from typing import Any

import pytest

from ludoteca.bots.levels import engine_of
from ludoteca.catalogue import game as find_game
from ludoteca.server import bots, queries
from server.house import House, Json, Line, Person, house, run, two_at_a_table

CHALLENGERS, CON = find_game("challengers").actions, find_game("king_of_con").actions


async def at_the_park(h: House) -> tuple[list[Person], Json, Line, Line]:
    """Anna and Bruno before the first deck phase of Challengers!"""
    people = [await h.person(name) for name in ("Anna", "Bruno")]
    table = await people[0].open(2, game="challengers")
    await people[1].post(f"/api/tables/{table['id']}/sit", {})
    lines = [await person.line(table["id"]) for person in people]
    await people[0].post(f"/api/tables/{table['id']}/start")
    for line in lines:
        await line.next("update")
    return people, table, lines[0], lines[1]


def steps(*written: str) -> Json:
    first, *then = [CHALLENGERS.read(action) for action in written]
    return {"action": first, "then": then}


WHOLE = steps("pick 2", "stop", "remove city-dog-p", "ready")


def test_all_steps_are_told_at_once(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table, a, b = await at_the_park(h)
            await a.send(type="do", id="mine", at=0, **WHOLE)
            assert await a.next("done") == {"type": "done", "id": "mine", "seq": 4}
            for line in (a, b):
                told = await line.next("update")
                assert (told["seq"], told["waiting"]) == (4, [1])
                assert [e["kind"] for e in told["events"]] == ["picked", "stopped", "removed", "ready"]
                assert [e["n"] for e in told["events"]] == [1, 2, 3, 4]
                assert len(line.of("update")) == 2, "the deal and the decision"
            kept = await h.app.lobby.house.store.read(queries.find_game, table["id"])
            assert [(seat, step) for seat, _, step in kept.decided] == [(0, 0), (0, 1), (0, 2), (0, 3)]

    run(scene())


def test_a_repeated_decision_is_answered_again_also_after_a_restart(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        done = {"type": "done", "id": "mine", "seq": 4}
        async with house(tmp_path) as h:
            people, table, a, b = await at_the_park(h)
            for _ in range(3):
                await a.send(type="do", id="mine", at=0, **WHOLE)
                assert await a.next("done") == done
            await b.send(type="do", id="mine", at=0, **WHOLE)
            assert (await b.next("refused"))["key"] == "id_used"
            secret = people[0].secret
        async with house(tmp_path) as h:
            a = await (await h.person(secret=secret)).line(table["id"])
            await a.send(type="do", id="mine", at=0, **WHOLE)
            assert await a.next("done") == done
            await a.send(type="do", id="mine", at=0, **steps("pick 2", "stop"))
            assert (await a.next("refused"))["key"] == "id_used", "another decision by the same name"
            assert (await h.table(table["id"])).seq == 4

    run(scene())


@pytest.mark.parametrize(
    ("written", "key"),
    [
        (["pick 2", "stop", "remove city-dog-p", "remove city-dog-p", "ready"], "not_in_deck"),
        (["mark 1", "redraw", "pick 1"], "look_first"),
        (["mark 1"] * 65, "too_many_steps"),
    ],
)
def test_a_decision_with_a_bad_step_leaves_nothing_behind(tmp_path: pathlib.Path, written: list[str], key: str) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table, a, b = await at_the_park(h)
            heard = [m for m in b.heard if m["type"] != "table"]
            await a.send(type="do", id="bad", at=0, **steps(*written))
            refused = await a.next("refused")
            assert (refused["id"], refused["key"]) == ("bad", key)
            assert (await h.table(table["id"])).seq == 0
            await a.send(type="do", id="bad", at=0, **WHOLE)  # the name is still free
            assert (await a.next("done"))["seq"] == 4
            await b.next("update", lambda m: m["seq"] == 4)
            assert len([m for m in b.heard if m["type"] != "table"]) == len(heard) + 1

    run(scene())


def test_a_decision_on_an_older_position_is_stale_as_a_whole(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, a, b = await at_the_park(h)
            await a.send(type="do", id="first", at=0, **steps("pick 2"))
            assert (await a.next("done"))["seq"] == 1
            await a.send(type="do", id="late", at=0, **steps("stop", "ready"))
            assert (await a.next("refused"))["key"] == "stale"
            await b.send(type="do", id="his", at=0, **steps("stop", "ready"))
            assert (await b.next("done"))["seq"] == 3, "what Anna did has not changed Bruno's choices"

    run(scene())


def test_taking_tokens_and_giving_some_back_is_one_message(tmp_path: pathlib.Path) -> None:
    """Splendor: beyond ten tokens some go back at once, chosen together with what is taken."""
    read = find_game("splendor").actions.read

    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, _, a, b = await two_at_a_table(h)
            takes = ("take_three 1 2 3", "take_three 1 4 5", "take_three 2 3 4")
            for turn, (take, card) in enumerate(zip(takes, ("1 1", "1 2", "1 3"))):
                await a.send(type="do", id=f"a{turn}", at=2 * turn, action=read(take), then=[])
                assert (await a.next("done"))["seq"] == 2 * turn + 1
                await b.send(type="do", id=f"b{turn}", at=2 * turn + 1, action=read(f"reserve {card}"), then=[])
                assert (await b.next("done"))["seq"] == 2 * turn + 2
            before = len(b.heard)
            back = [read("give_back 1"), read("give_back 3")]
            await a.send(type="do", id="whole", at=6, action=read(takes[0]), then=back)
            assert (await a.next("done"))["seq"] == 9, "three steps"
            await b.next("update", lambda m: m["seq"] == 9)
            assert [m["seq"] for m in b.heard[before:] if m["type"] == "update" and m["seq"] > 6] == [9], "told once"

    run(scene())


# ── Bots ─────────────────────────────────────────────────────

PAUSE = 1.0
LOOTING = {"bluffing_by_mistake": "on", "passions": "two_first_game"}  # any number of offers may be made


async def sealed_by_a_bot(h: House) -> tuple[list[str], float]:
    """What Anna hears while a bot seals and Bruno still thinks, and after how many seconds the last of it came."""
    anna, bruno = await h.person("Anna"), await h.person("Bruno")
    table = await anna.open(3, game="king_of_con", options=LOOTING, bots=[None, None, "club"])
    await bruno.post(f"/api/tables/{table['id']}/sit", {})
    line = await anna.line(table["id"])
    await line.next("table", lambda m: m["table"]["chairs"][1]["kind"] == "person")
    await asyncio.sleep(0.2)  # nobody is coming any more
    before, started = len(line.heard), time.perf_counter()
    await anna.post(f"/api/tables/{table['id']}/start")
    await line.next("update", lambda m: m["waiting"] == [0, 1])
    took = time.perf_counter() - started
    await asyncio.sleep(0.2)  # nothing follows
    return [f"{message['type']} {message.get('waiting')}" for message in line.heard[before:]], took


def test_what_a_bot_seals_shows_neither_in_messages_nor_in_time(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many offers it makes could be told from the time it took, when each was a decision of its own."""
    heard = []
    for number, written in enumerate((["pass"], ["bid 1 3"], ["place I05 1", "place I18 2", "place I19 1", "seal"])):
        plan = [CON.read(action) for action in written]

        def scripted(game_key: str, level: str, redacted: Any, seat: int, seed: int, plan: list[int] = plan) -> int:
            time.sleep(0.05)
            placed = int((redacted["quadrant"][0, seat] > 0).sum())
            return plan[placed]

        monkeypatch.setattr(bots, "choose", scripted)

        async def scene(folder: pathlib.Path) -> None:
            async with house(folder, bot_pause=PAUSE) as h:
                heard.append(await sealed_by_a_bot(h))

        run(scene(tmp_path / str(number)))
    kinds = [kinds for kinds, _ in heard]
    assert kinds[0] == kinds[1] == kinds[2]
    assert kinds[0][-1] == "update [0, 1]"
    assert all(took >= PAUSE for _, took in heard), heard


def test_a_bot_decides_as_far_as_it_can_see(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("challengers")
    engine = engine_of("challengers")
    redacted = game.redact(engine.start(2, {}, 3), 0, 0)
    plan = ["mark 1", "mark 3", "redraw", "pick 1", "stop", "ready"]
    left = [CHALLENGERS.read(action) for action in plan]
    monkeypatch.setattr(bots, "choose", lambda *_: left.pop(0))
    version = find_game("challengers").version
    thought = bots.think("challengers", version, "club", redacted.tobytes(), 0, 1)
    assert thought.actions == [CHALLENGERS.read(a) for a in plan[:3]]


@pytest.mark.parametrize(
    "written", [["pass"], ["place I05 1", "seal"], ["place I05 1", "place I18 2", "place I19 1", "seal"]]
)
def test_steps_that_would_cross_a_pause_are_found_in_a_hurry(
    monkeypatch: pytest.MonkeyPatch, written: list[str]
) -> None:
    """Each thought takes more than half of a pause, so two of them would tell that there were two."""
    engine, now, levels = engine_of("king_of_con"), [100.0], list[str]()
    left = [CON.read(action) for action in written]

    def slow(place: str, level: str, redacted: Any, seat: int, seed: int) -> int:
        levels.append(level)
        now[0] += 0.001 if level == bots.HURRIED else 0.4
        return left.pop(0)

    monkeypatch.setattr(bots, "choose", slow)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    redacted = engine.game.redact(engine.start(3, LOOTING, 3), 0, 0)
    decided = bots.think("king_of_con", engine.game.version, "master", redacted.tobytes(), 0, 1, 0.7)
    assert decided.actions == [CON.read(action) for action in written]
    assert decided.first == pytest.approx(0.4)
    assert decided.whole <= bots.until_whole(decided.first, 0.7) == pytest.approx(0.7)
    assert levels == ["master"] + [bots.HURRIED] * (len(written) - 1)


@pytest.mark.parametrize(("thought", "comes"), [(0.0, 0.7), (0.69, 0.7), (0.71, 1.4), (3.0, 3.5)])
def test_a_decision_comes_at_the_end_of_a_whole_pause(thought: float, comes: float) -> None:
    assert bots.until_whole(thought, 0.7) == pytest.approx(comes)
    assert bots.until_whole(thought, 0.0) == thought
