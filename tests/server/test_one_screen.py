"""One screen, passed around: what it is told while it is covered, and while it is uncovered for somebody."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludoteca import catalogue
from server.house import House, Json, Line, Person, house, run, until


async def uncovered(person: Person, table: str, seat: int) -> Line:
    """The screen, for that seat."""
    address = f"ws://127.0.0.1:{person.house.port}/api/tables/{table}/socket?since=0&seat={seat}"
    headers = {"Cookie": f"ludoteca={person.secret}"}
    line = Line(await connect(address, origin=person.house.origin, additional_headers=headers, max_size=None))  # type: ignore[arg-type]
    person._lines.append(line)
    return line


async def around(h: House, game: str, *others: str, **more: Any) -> tuple[Person, Json]:
    anna = await h.person("Anna")
    return anna, await anna.post("/api/one-screen", {"game": game, "others": list(others), **more})


def told(line: Line) -> list[Json]:
    """The positions it was told."""
    return line.of("update")


async def play_turn(screen: Line) -> None:
    """Decides until the screen is another's, or nothing is asked any more."""
    while screen.code is None and (mine := screen.of("update")[-1])["choices"]:
        positions = len(screen.of("update"))
        await screen.do(mine["choices"][0]["action"], mine["seq"])
        await until(lambda: screen.code is not None or len(screen.of("update")) > positions)  # noqa: B023


@pytest.mark.parametrize("game", catalogue.keys(of=catalogue.HOUSE))
def test_covered_it_is_told_what_spectators_are_told_and_nothing_else(
    tmp_path: pathlib.Path, game: str, fast_hands: None
) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await around(h, game, "Bruno", "Carla")
            assert table["phase"] == "playing" and table["one_screen"] and not table["rated"] and table["quiet"]
            assert [chair["name"] for chair in table["chairs"]] == ["Anna", "Bruno", "Carla"]
            dora = await h.person("Dora")
            covered, watching = await anna.line(table["id"]), await dora.line(table["id"], invite=table["invite"])
            await covered.next("update")
            await watching.next("update")
            asked = list[int]()
            for _ in range(8):
                position = told(covered)[-1]
                if position["result"]:
                    break
                seat = position["waiting"][0]
                asked.append(seat)
                screen = await uncovered(anna, table["id"], seat)
                await screen.next("update")
                assert screen.of("update")[0]["choices"] and screen.of("table")[0]["table"]["you"] == seat
                await play_turn(screen)
                if screen.code is not None:
                    assert screen.code == 4001
                    assert screen.heard[-1]["type"] == "done"
                    await until(lambda: seat not in told(covered)[-1]["waiting"])  # noqa: B023
                await screen.close()
            assert len(set(asked)) > 1
            await until(lambda: len(told(covered)) == len(told(watching)))
            assert told(covered) == told(watching)
            assert all(m["choices"] == [] and not m["sealed"] for m in told(covered))
            assert all(m["table"]["you"] is None for m in covered.of("table"))
            assert not covered.of("may_take_back")

    run(scene())


def test_who_may_uncover_the_screen_and_for_whom(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await around(h, "splendor", "Bruno")
            dora = await h.person("Dora")
            first = (await anna.get(f"/api/tables/{table['id']}"))["waiting"][0]
            for person, seat, status in ((anna, 1 - first, 409), (anna, 7, 409), (dora, first, 404)):
                with pytest.raises(InvalidStatus) as refused:
                    await uncovered(person, table["id"], seat)
                assert refused.value.response.status_code == status
            screen = await uncovered(anna, table["id"], first)
            await screen.next("update")
            other = await uncovered(anna, table["id"], first)  # on another device: one screen at a time
            await other.next("update")
            assert await screen.closed() == 4001
            covered = await anna.line(table["id"])
            await covered.next("update")
            await covered.do(0, 0)
            assert (await covered.next("refused"))["key"] == "only_seated"
            assert (await anna.get(f"/api/tables/{table['id']}/sight", 409))["key"] == "screen_covered"
            moments = await anna.get(f"/api/tables/{table['id']}/moments")
            spectator = await dora.get(f"/api/tables/{table['id']}/moments?invite={table['invite']}")
            assert moments["moments"] == spectator["moments"]
            refused_alone = await anna.post("/api/one-screen", {"game": "splendor", "others": []}, 400)
            assert refused_alone["key"] == "one_screen_names"
            plain = await anna.open()
            with pytest.raises(InvalidStatus) as wrong:
                await uncovered(anna, plain["id"], 0)
            assert wrong.value.response.status_code == 400

    run(scene())


def test_clocks_stand_still_while_the_screen_is_covered_also_after_a_restart(tmp_path: pathlib.Path) -> None:
    clock = {"kind": "live", "bank": 600, "increment": 5}

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await around(h, "splendor", "Bruno", clock=clock)
            id, timing = table["id"], (await h.table(table["id"])).timing
            assert timing.now().running == 0
            first = table["waiting"][0]
            screen = await uncovered(anna, id, first)
            await screen.next("update")
            await until(lambda: timing.now().running == 1 << first)
            await screen.close()
            await until(lambda: timing.now().running == 0)
            again = await uncovered(anna, id, first)
            await again.next("update")
            await until(lambda: timing.now().running == 1 << first)
            await play_turn(again)
            assert timing.now().running == 0  # with the very row of the decision
            assert timing._rows[-1].what == "turn"
            last = await uncovered(anna, id, 1 - first)
            await last.next("update")
            await until(lambda: timing.now().running == 1 << 1 - first)
            kinds = [row.what for row in timing._rows]
            assert kinds.count("uncover") == 3 and kinds[0] == "deal"
        async with house(tmp_path) as h:
            timing = (await h.table(id)).timing
            await until(lambda: timing.now().running == 0)

    run(scene())


def test_who_has_the_screen_leaves_with_all_who_share_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await around(h, "splendor", "Bruno", bots=["novice"])
            left = await anna.post(f"/api/tables/{table['id']}/leave")
            assert all(chair["level"] for chair in left["chairs"])

    run(scene())


def test_the_commitment_comes_before_the_deal_with_ones_own_entropy(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await around(h, "splendor", "Bruno", bots=["newcomer"], wait=True)
            assert (table["phase"], table["seq"]) == ("open", 0)
            begun = await anna.post(f"/api/tables/{table['id']}/start", {"entropy": "mine"})
            assert begun["phase"] == "playing"
            assert begun["fair"]["commitment"] == table["fair"]["commitment"]
            assert "mine" in begun["fair"]["entropy"]

    run(scene())
