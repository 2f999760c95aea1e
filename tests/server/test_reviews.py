"""Reviews in the house: who may see them, that they grow, are stored, and are never made twice."""

from __future__ import annotations

import pathlib
import threading
import time
from typing import Any

import msgspec
import pytest

from ludoteca.core.journal import load
from ludoteca.review.judging import judge_of
from ludoteca.review.pieces import AS_GOOD, ReviewDecision, ReviewPiece, ReviewPoint
from ludoteca.server import reviews
from server.house import House, Json, Person, house, run, until

made: list[int] = []


def pretended(place: str, version: str, journal: bytes, first: int, end: int) -> str:
    """Pieces as a worker would make them, without a search."""
    made.append(first)
    steps = len(load(journal).decisions)
    decision = ReviewDecision(AS_GOOD, [], 0, 0, 0.0, 0.01, [0.0, 0.0], False)
    pieces = [
        ReviewPiece(
            n, -1 if n == 0 else 0, 0, decision if n else None, ReviewPoint([n / steps, 1 - n / steps], [0.0, 0.0])
        )
        for n in range(first, min(end, steps + 1))
    ]
    return msgspec.json.encode(pieces).decode()


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    made.clear()
    monkeypatch.setattr(reviews, "pieces_of", pretended)


async def finished(h: House, public: bool = False) -> tuple[Person, Json]:
    """A game that two bots have played for Anna, who has left."""
    anna = await h.person("Anna")
    table = await anna.open(2, game="loot", bots=[None, "novice"], public=public)
    await anna.post(f"/api/tables/{table['id']}/start")
    await anna.post(f"/api/tables/{table['id']}/leave")
    live = await h.table(table["id"])
    await until(lambda: live.row.phase == "over")
    return anna, await anna.get(f"/api/tables/{table['id']}")


async def whole(person: Person, where: str) -> Json:
    """The review when it is done."""
    while True:
        found: Json = await person.get(where)
        if found["state"] != "running":
            return found


def test_a_review_is_asked_for_once_grows_and_stays(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await finished(h)
            where = f"/api/tables/{table['id']}/review"
            assert (await anna.get(where))["state"] == "none"
            asked = await anna.post(where)
            assert asked["of"] > 1
            await anna.post(where)
            found = await whole(anna, where)
            assert found["state"] == "done"
            assert [piece["step"] for piece in found["pieces"]] == list(range(len(found["pieces"])))
            assert len(found["totals"]) == len(found["verdicts"]) == 2
            late = await anna.get(f"{where}?first={found['of'] - 1}")
            assert late["pieces"] == found["pieces"][-len(late["pieces"]) :]
            assert sorted(made) == sorted(set(made)), "no part is made twice"
            secret, count = anna.secret, len(made)
        async with house(tmp_path) as h:
            again = await h.person(secret=secret)
            assert await again.get(where) == found
            assert (await again.post(where))["state"] == "done"
            assert len(made) == count

    run(scene())


def test_who_sat_there_sees_it_and_others_only_by_link_or_at_a_public_table(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await finished(h)
            carla = await h.person("Carla")
            where = f"/api/tables/{table['id']}/review"
            await anna.post(where)
            assert (await carla.http.get(where)).status_code == 404
            assert (await carla.http.get(f"{where}?invite=wrong")).status_code == 404
            assert (await carla.get(f"{where}?invite={table['invite']}"))["state"] in ("running", "done")
            _, shown = await finished(h, public=True)
            assert (await carla.get(f"/api/tables/{shown['id']}/review"))["state"] == "none"

    run(scene())


def test_one_guest_asks_for_so_many_an_hour(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, reviews_an_hour=1) as h:
            anna, first = await finished(h)
            await anna.post(f"/api/tables/{first['id']}/review")
            bruno, second = await finished(h, public=True)
            refused = await anna.http.post(f"/api/tables/{second['id']}/review")
            assert (refused.status_code, refused.json()["key"]) == (429, "too_many_reviews")
            assert (await bruno.post(f"/api/tables/{second['id']}/review"))["state"] in ("running", "done")

    run(scene())


def test_whoever_asks_for_several_delays_a_stranger_by_one_part(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_asked, order = threading.Event(), list[bytes]()

    def waits(place: str, version: str, journal: bytes, first: int, end: int) -> str:
        order.append(journal)
        all_asked.wait(20)
        time.sleep(0.03)  # longer than it takes to store a part and ask for the next
        return pretended(place, version, journal, first, end)

    async def scene() -> None:
        async with house(tmp_path, reviews_an_hour=9) as h:
            anna, one = await finished(h, public=True)
            _, two = await finished(h, public=True)
            bruno, his = await finished(h, public=True)
            monkeypatch.setattr(reviews, "pieces_of", waits)
            for table in (one, two):
                await anna.post(f"/api/tables/{table['id']}/review")
            await until(lambda: len(order) == 1)
            await bruno.post(f"/api/tables/{his['id']}/review")
            theirs = reviews.nameless(await h.table(his["id"]))
            all_asked.set()
            assert (await whole(bruno, f"/api/tables/{his['id']}/review"))["state"] == "done"
            until_done = order[: len(order) - order[::-1].index(theirs)]
            assert len(until_done) - until_done.count(theirs) <= until_done.count(theirs) + 1, "turn and turn about"
            for table in (one, two):
                assert (await whole(anna, f"/api/tables/{table['id']}/review"))["state"] == "done"

    run(scene())


def test_what_could_not_be_made_is_tried_again_from_where_it_stopped(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(place: str, version: str, journal: bytes, first: int, end: int) -> Any:
        if first > 0:
            raise RuntimeError("no more")
        return pretended(place, version, journal, first, end)

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await finished(h)
            where = f"/api/tables/{table['id']}/review"
            monkeypatch.setattr(reviews, "pieces_of", breaks)
            await anna.post(where)
            failed = await whole(anna, where)
            assert (failed["state"], failed["parts"]) == ("failed", 1)
            assert failed["pieces"], "what is there stays"
            monkeypatch.setattr(reviews, "pieces_of", pretended)
            await anna.post(where)
            assert (await whole(anna, where))["state"] == "done"
            assert made.count(0) == 1

    run(scene())


def test_a_server_goes_on_where_another_has_stopped(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await finished(h)
            where, store = f"/api/tables/{table['id']}/review", h.app.lobby.house.store
            steps = len((await anna.get(f"/api/tables/{table['id']}/record"))["decisions"])
            parts = -(-(steps + 1) // reviews.A_PART)
            judge = judge_of((await h.table(table["id"])).game)
            await store.write(reviews.begin, table["id"], judge, parts, "gone", 0.0, None)
            journal = reviews.nameless(await h.table(table["id"]))
            await store.write(
                reviews.add_part, table["id"], judge, 0, pretended("", "", journal, 0, reviews.A_PART), "gone", 0.0
            )
            made.clear()
            assert (await whole(anna, where))["state"] == "done"
            assert 0 not in made

    run(scene())


def test_a_review_judged_otherwise_says_so_and_is_made_anew_when_somebody_asks(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await finished(h)
            where = f"/api/tables/{table['id']}/review"
            await anna.post(where)
            before = await whole(anna, where)
            assert not before["earlier"]
            made.clear()
            monkeypatch.setattr(reviews, "judge_of", lambda game: "tomorrow's")
            stays = await anna.get(where)
            assert (stays["state"], stays["earlier"], made) == ("done", True, [])
            assert (await anna.post(where))["judge"] == "tomorrow's"
            anew = await whole(anna, where)
            assert (anew["state"], anew["earlier"]) == ("done", False)
            assert len(made) == before["of"]

    run(scene())


def test_a_review_that_was_begun_by_another_judge_is_not_finished_by_todays(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, table = await finished(h)
            where, store = f"/api/tables/{table['id']}/review", h.app.lobby.house.store
            journal = reviews.nameless(await h.table(table["id"]))
            await store.write(reviews.begin, table["id"], "yesterday's", 2, "gone", 0.0, None)
            part = pretended("", "", journal, 0, reviews.A_PART)
            await store.write(reviews.add_part, table["id"], "yesterday's", 0, part, "gone", 0.0)
            made.clear()
            assert (await anna.get(where))["earlier"]
            found = await whole(anna, where)
            assert (found["state"], found["earlier"]) == ("done", False)
            assert 0 in made, "its first part too"
            await store.write(reviews.add_part, table["id"], "yesterday's", 0, "[]", "late", 0.0)
            assert await anna.get(where) == found

    run(scene())
