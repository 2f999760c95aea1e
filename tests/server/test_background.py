"""Bots where nobody looks: alone with one person they pause, among several they play on, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import collections
import pathlib
import time
from typing import Any

import pytest

from ludoteca.server import bots, lobby, queries
from server.house import House, Json, first_legal, house, newer, run, until

HOSTS, EACH = 4, 50
SLOW = 0.1  # seconds that an expert thinks here


@pytest.fixture
def thought(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Bots that take their time; the levels that have thought."""
    levels: list[str] = []

    def slow(place: str, level: str, redacted: Any, seat: int, seed: int) -> int:
        levels.append(level)
        time.sleep(0.0 if level == "novice" else SLOW)
        return first_legal(place, level, redacted, seat, seed)

    monkeypatch.setattr(bots, "choose", slow)
    return levels


async def open_and_leave(h: House, number: int) -> tuple[list[str], Json | None]:
    """Two people open games with an expert and leave them; the tables, and with what it was refused."""
    hog, friend, opened = await h.person("Hog"), await h.person("Friend"), list[str]()
    for _ in range(number):
        table = f"/api/tables/{(await hog.open(3, bots=[None, 'expert']))['id']}"
        await friend.post(f"{table}/sit", {})
        answer = await hog.http.post(f"{table}/start")
        if answer.status_code != 200:
            return opened, answer.json()
        opened.append(answer.json()["id"])
        await hog.post(f"{table}/leave")
        await friend.post(f"{table}/leave")
    return opened, None


async def jobs_before_a_novice(h: House, thought: list[str], moves: int = 5) -> int:
    """How many experts' jobs are done, at most, while a stranger waits for a novice."""
    anna, most = await h.person("Anna"), 0
    info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2, "level": "novice"})
    line = await anna.line(info["id"])
    position = await line.next("update", lambda m: m["waiting"] == [0])
    for _ in range(moves):
        while position["waiting"] == [0]:
            await line.do(position["choices"][0]["action"], position["seq"])
            position = await line.next("update", newer(position["seq"]))
        before = len(thought)
        position = await line.next("update", lambda m: m["waiting"] == [0])
        most = max(most, sum(level != "novice" for level in thought[before:]))
    return most


def test_two_hundred_games_that_were_left_delay_nobody_also_after_a_restart(
    tmp_path: pathlib.Path, thought: list[str]
) -> None:
    async def scene() -> None:
        async with house(tmp_path, bot_turns_a_host=1000) as h:
            left = await asyncio.gather(*(open_and_leave(h, EACH) for _ in range(HOSTS)))
            assert [len(tables) for tables, _ in left] == [EACH] * HOSTS
            assert await jobs_before_a_novice(h, thought) <= 3, "the one at work, and few more"
        thought.clear()
        async with house(tmp_path) as h:
            assert await jobs_before_a_novice(h, thought) <= 3
            assert len(h.app.lobby.tables) <= lobby.LANES + 1, "the others stay in the store until it is their turn"
            assert sum(h.app.lobby.house.bots.owed.values()) <= lobby.LANES + 1
            await until(lambda: "expert" in thought and "club" in thought)  # they do go on

    run(scene())


def test_games_begun_at_once_count_in_the_limit_of_what_bots_owe(tmp_path: pathlib.Path, thought: list[str]) -> None:
    async def scene() -> None:
        async with house(tmp_path, bot_turns_a_host=4) as h:
            anna = await h.person("Anna")
            wish = {"game": "splendor", "seats": 2, "level": "expert"}
            answers = await asyncio.gather(*(anna.http.post("/api/play-now", json=wish) for _ in range(45)))
            begun = sum(answer.status_code == 200 for answer in answers)
            assert 4 <= begun < 45, "whoever is just beginning one counts"
            refused = {answer.json()["key"] for answer in answers if answer.status_code != 200}
            assert refused == {"too_many_bot_turns"}

    run(scene())


def test_what_bots_owe_counts_in_the_limit_and_is_said(tmp_path: pathlib.Path, thought: list[str]) -> None:
    async def scene() -> None:
        async with house(tmp_path, bot_turns_a_host=7) as h:
            opened, refused = await open_and_leave(h, 20)
            assert refused is not None
            assert (refused["key"], refused["facts"]) == ("too_many_bot_turns", {"most": 7})
            assert "7" in refused["sentence"]
            assert 7 <= len(opened) < 20
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            table = await anna.open(2)
            h.app.lobby.house.bots.owed[(await anna.get("/api/me"))["id"]] += 7
            where = f"/api/tables/{table['id']}"
            assert (await anna.post(f"{where}/start", status=429))["key"] == "too_many_bot_turns"
            await bruno.post(f"{where}/sit", {})
            await anna.post(f"{where}/start")  # without bots she may

    run(scene())


def test_bots_pause_where_one_person_has_left_them_and_go_on_when_somebody_comes(
    tmp_path: pathlib.Path, thought: list[str]
) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 3, "level": "expert"})
            line = await anna.line(info["id"])
            position = await line.next("update", lambda m: m["waiting"] == [0])
            await line.do(position["choices"][0]["action"], position["seq"])
            await line.next("done")
            await line.close()
            table = h.app.lobby.tables[info["id"]]
            await until(lambda: not table.presence and not table.bots)  # the one that was thinking has decided
            done = len(thought)
            await asyncio.sleep(5 * SLOW)
            assert (table.waiting() != [0], len(thought)) == (True, done), "the others wait for her"
        async with house(tmp_path) as h:
            await asyncio.sleep(5 * SLOW)
            assert len(thought) == done, "also after a restart"
            anna.house = h
            line = await anna.line(info["id"])
            await line.next("update", lambda m: m["waiting"] == [0])
            assert len(thought) > done

    run(scene())


def test_among_several_people_bots_play_on_up_to_a_persons_turn(tmp_path: pathlib.Path, thought: list[str]) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(4, bots=[None, "expert", "expert"]))["id"]
            await bruno.post(f"/api/tables/{id}/sit", {})
            await anna.post(f"/api/tables/{id}/start")
            line = await anna.line(id)
            position = await line.next("update", lambda m: m["waiting"] == [0])
            await line.do(position["choices"][0]["action"], position["seq"])
            await line.next("done")
            await line.close()
            await until(lambda: h.app.lobby.tables[id].waiting() == [3])

    run(scene())


def test_after_a_restart_hosts_take_turns_and_games_with_people_come_first(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, bot_pause=600.0) as h:  # no bot ever decides here
            alone, _ = await open_and_leave(h, 3)
            [hers], _ = await open_and_leave(h, 1)
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            theirs = await anna.open(3, bots=[None, "novice"], game="king_of_con")  # the bot is asked at once
            await bruno.post(f"/api/tables/{theirs['id']}/sit", {})
            await anna.post(f"/api/tables/{theirs['id']}/start")
            order = await h.app.lobby.house.store.read(queries.waiting_for_bots)
            assert order[0] == theirs["id"]
            assert hers in order[1:3], "not after all of the other's"
            assert collections.Counter(order) == collections.Counter([*alone, hers, theirs["id"]])

    run(scene())
