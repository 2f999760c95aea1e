"""Bots where nobody looks: they play on, and nobody else waits for it."""

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
    """Somebody opens games against experts and leaves them; the tables, and with what it was refused."""
    hog, opened = await h.person("Hog"), list[str]()
    for _ in range(number):
        answer = await hog.http.post("/api/play-now", json={"game": "splendor", "seats": 2, "level": "expert"})
        if answer.status_code != 200:
            return opened, answer.json()
        opened.append(answer.json()["id"])
        await hog.post(f"/api/tables/{opened[-1]}/leave")
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
            assert 4 <= begun < 45
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


def test_whoever_comes_back_finds_their_turn(tmp_path: pathlib.Path, thought: list[str]) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 3, "level": "expert"})
            line = await anna.line(info["id"])
            position = await line.next("update", lambda m: m["waiting"] == [0])
            await line.do(position["choices"][0]["action"], position["seq"])
            await line.next("done")
            await line.close()
            await until(lambda: h.app.lobby.tables[info["id"]].waiting() == [0])
            assert h.app.lobby.tables[info["id"]].seq > position["seq"] + 1, "bots have played up to her turn"

    run(scene())


def test_after_a_restart_hosts_take_turns_and_games_with_people_come_first(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, bot_pause=600.0) as h:  # no bot ever decides here
            hog = await h.person("Hog")
            alone = [(await hog.post("/api/play-now", {"game": "splendor"}))["id"] for _ in range(3)]
            for id in alone:
                await hog.post(f"/api/tables/{id}/leave")
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            hers = (await anna.post("/api/play-now", {"game": "splendor"}))["id"]
            await anna.post(f"/api/tables/{hers}/leave")
            theirs = await anna.open(3, bots=[None, "novice"], game="king_of_con")  # the bot is asked at once
            await bruno.post(f"/api/tables/{theirs['id']}/sit", {})
            await anna.post(f"/api/tables/{theirs['id']}/start")
            order = await h.app.lobby.house.store.read(queries.waiting_for_bots)
            assert order[0] == theirs["id"]
            assert hers in order[1:3], "not after all of the other's"
            assert collections.Counter(order) == collections.Counter([*alone, hers, theirs["id"]])

    run(scene())
