"""Tournaments at a real server: they go on by themselves, through restarts and with several servers, and always end."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import pathlib
from typing import Any

import pytest

from ludoteca.server import contests
from ludoteca.server.pairing import Form, Meeting, Round, next_round, standings
from server.house import House, Json, Person, house, run

PIG = pathlib.Path(__file__).parents[2] / "examples" / "pig"
CLOCK = {"kind": "live", "bank": 600, "increment": 5}
CUP: Json = {"name": "Autumn cup", "game": "pig", "kind": "swiss", "seats": 2, "rounds": 3, "clock": CLOCK}


@pytest.fixture(autouse=True)
def short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that takes moments, and a house that looks all the time."""
    monkeypatch.syspath_prepend(str(PIG))
    monkeypatch.setattr(contests, "LOOK_EVERY", 0.02)


def at_home(folder: pathlib.Path, **more: Any) -> Any:
    return house(folder, games="ludoteca_pig:GAME", **({"tournament_break": 0.0} | more))


async def make(person: Person, **more: Any) -> str:
    return str((await person.post("/api/tournaments", CUP | more))["info"]["id"])


async def over(person: Person, id: str) -> Json:
    """Waits for the end."""
    while (found := await person.get(f"/api/tournaments/{id}"))["info"]["phase"] != "over":
        await asyncio.sleep(0.02)
    return dict(found)


async def play_all(person: Person, id: str) -> None:
    """Plays one's game of each round as it comes: rolls twice, then holds."""
    while (info := (await person.get(f"/api/tournaments/{id}"))["info"])["phase"] != "over":
        if info["table"] is None:
            await asyncio.sleep(0.02)
            continue
        line = await person.line(info["table"])
        position = await line.next("update")
        while position["result"] is None:
            if position["choices"]:
                await line.do(position["choices"][-1]["action"], position["seq"])
            position = await line.next("update")


def rounds_of(told: Json) -> list[Round]:
    """As it was played, for drawing it again."""
    return [
        Round(
            tuple(Meeting(tuple(m["entrants"]), tuple(m["ranks"]) if m["ranks"] else None) for m in r["meetings"]),
            tuple(r["free"]),
        )
        for r in told["played"]
    ]


async def hurry(h: House) -> None:
    """The pause between two rounds is over."""
    await h.app.open_store().write(
        lambda db: db.execute("UPDATE tournaments SET begins = 0 WHERE begins IS NOT NULL").rowcount
    )


def test_a_swiss_of_two_people_and_two_bots_needs_nobody_and_can_be_drawn_again(
    tmp_path: pathlib.Path, fast_hands: None
) -> None:
    async def scene() -> None:
        async with at_home(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = await make(anna, bots=["novice", "novice"], rated=True)
            await bruno.post(f"/api/tournaments/{id}/join")
            begun = await anna.post(f"/api/tournaments/{id}/begin")
            assert begun["seed"] is None and begun["info"]["table"] is not None
            async with asyncio.timeout(60):
                await asyncio.gather(play_all(anna, id), play_all(bruno, id))
            told = await bruno.get(f"/api/tournaments/{id}")
            played, seed = rounds_of(told), bytes.fromhex(told["seed"])
            assert hashlib.sha256(seed).hexdigest() == told["commitment"] == begun["commitment"]
            couples = [frozenset(m.entrants) for r in played for m in r.meetings]
            assert sorted(map(sorted, couples)) == [list(c) for c in itertools.combinations(range(4), 2)]
            form = Form("swiss", 2, 2, 3)
            for number, drawn in enumerate(played):
                again = next_round(form, played[:number], range(4), seed)
                assert again is not None
                assert [m.entrants for m in again.meetings] == [m.entrants for m in drawn.meetings]
            assert [line.entrant for line in standings(form, played, range(4), seed)] == [
                line["entrant"] for line in told["standings"]
            ]
            assert sum(line["points"] for line in told["standings"]) == 6
            assert told["info"]["winner"] == told["entrants"][told["standings"][0]["entrant"]]["name"]
            signs = {(one["symbol"], one["colour"]) for one in told["entrants"]}
            assert len(signs) == len({(one["symbol"], one["colour"]) for one in told["entrants"] if one["person"]}) + 2
            assert all(one["points"] and one["margin"] for one in told["entrants"] if one["person"]), "it was rated"
            assert all(one["points"] is None for one in begun["entrants"]), "before, nobody had a rating"
            table = await anna.get(f"/api/tables/{told['played'][0]['meetings'][0]['table']}")
            assert told["played"][0]["meetings"][0]["scores"] == table["result"]["scores"]
            assert table["tournament"] == id and table["rated"] and table["clock"]["bank"] == 600

    run(scene())


def test_who_comes_late_to_a_swiss_gets_nothing_for_what_they_missed_and_a_knock_out_is_closed(
    tmp_path: pathlib.Path,
) -> None:
    async def scene() -> None:
        async with at_home(tmp_path, tournament_break=10_000.0) as h:
            anna, carla = await h.person("Anna"), await h.person("Carla")
            bots = ["novice", "novice", "novice"]
            id = await make(anna, bots=bots, play=False)
            await anna.post(f"/api/tournaments/{id}/begin")
            while (await anna.get(f"/api/tournaments/{id}"))["info"]["begins"] is None:
                await asyncio.sleep(0.02)
            late = await carla.post(f"/api/tournaments/{id}/join")
            mine = late["you"]
            assert late["entrants"][mine]["since"] == 2
            [line] = [line for line in late["standings"] if line["entrant"] == mine]
            assert line["rounds"] == [{"what": "missed", "points": 0.0}]
            await hurry(h)
            while (now := await carla.get(f"/api/tournaments/{id}"))["info"]["table"] is None:
                await asyncio.sleep(0.02)
            assert len(now["played"][1]["meetings"]) == 2

            cup = await make(anna, kind="knockout", bots=bots, play=False)
            await anna.post(f"/api/tournaments/{cup}/begin")
            refused = await carla.post(f"/api/tournaments/{cup}/join", status=409)
            assert refused["key"] == "too_late_to_enter"

    run(scene())


def test_who_does_not_come_is_last_and_takes_part_no_more_until_they_are_back(
    tmp_path: pathlib.Path, fast_hands: None
) -> None:
    async def scene() -> None:
        async with at_home(tmp_path, tournament_break=10_000.0) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = await make(anna, rounds=2)
            await bruno.post(f"/api/tournaments/{id}/join")
            begun = await anna.post(f"/api/tournaments/{id}/begin")
            table = begun["info"]["table"]
            await bruno.post(f"/api/tables/{table}/leave")  # as when his time had run out
            playing = asyncio.create_task(play_all(anna, id))
            while (told := await bruno.get(f"/api/tournaments/{id}"))["info"]["begins"] is None:
                await asyncio.sleep(0.02)
            playing.cancel()
            places = {line["entrant"]: line["place"] for line in told["standings"]}
            assert places == {0: 1, 1: 2} and told["standings"][0]["points"] == 1.0
            assert told["entrants"][1]["gone"] == "absent" and told["may_join"]
            back = await bruno.post(f"/api/tournaments/{id}/join")
            assert back["entrants"][1]["gone"] is None
            await anna.post(f"/api/tournaments/{id}/leave")
            await hurry(h)
            ended = await over(bruno, id)  # nobody is left to meet
            assert len(ended["played"]) == 1 and ended["entrants"][0]["gone"] == "left"

    run(scene())


@pytest.mark.parametrize(
    "kind", ["knockout", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("swiss", "robin"))]
)
def test_a_tournament_of_bots_goes_on_after_a_restart(tmp_path: pathlib.Path, kind: str) -> None:
    async def scene() -> None:
        async with at_home(tmp_path) as h:
            anna = await h.person("Anna")
            id = await make(anna, kind=kind, seats=3, bots=["novice"] * 5, play=False)
            await anna.post(f"/api/tournaments/{id}/begin")
        async with at_home(tmp_path) as h:
            anna = await h.person(secret=anna.secret)
            async with asyncio.timeout(60):
                told = await over(anna, id)
            assert told["played"] and all(m["ranks"] for r in told["played"] for m in r["meetings"])
            assert (await anna.get("/api/tournaments"))[0]["winner"]

    run(scene())


def test_two_servers_that_look_at_once_draw_one_round(tmp_path: pathlib.Path, postgres: str) -> None:
    async def scene() -> None:
        async with at_home(tmp_path, database=postgres) as one, at_home(tmp_path, database=postgres) as other:
            anna = await one.person("Anna")
            id = await make(anna, bots=["novice"] * 4, play=False, wait=0, rounds=1)
            async with asyncio.timeout(60):
                while (told := await anna.get(f"/api/tournaments/{id}"))["info"]["phase"] != "over":
                    await asyncio.gather(one.app.desk.contests.look(), other.app.desk.contests.look())
            assert [len(r["meetings"]) for r in told["played"]] == [2]
            tables = await one.app.open_store().read(lambda db: db.execute("SELECT COUNT(*) FROM tables").fetchone())
            assert tables[0] == 2

    run(scene())


def test_what_a_tournament_cannot_be(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with at_home(tmp_path, tournaments_an_hour=4) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            for wrong, key in (
                ({"name": "  "}, "tournament_name"),
                ({"rounds": 0}, "tournament_rounds"),
                ({"clock": {"kind": "none"}}, "tournament_clock"),
                ({"bots": ["novice"] * 17}, "tournament_bots"),
                ({"bots": ["genius"]}, "no_such_bot"),
                ({"wait": 10**7}, "tournament_wait"),
                ({"clock": {"kind": "live", "bank": 1}}, "no_such_clock"),
            ):
                assert (await anna.post("/api/tournaments", CUP | wrong, 400))["key"] == key
            for _ in range(3):
                id = await make(anna)
            assert (await anna.post("/api/tournaments", CUP, 429))["key"] == "too_many_tournaments"
            assert (await anna.post(f"/api/tournaments/{id}/begin", status=409))["key"] == "too_few_entrants"
            await anna.post(f"/api/tournaments/{id}/cancel")
            assert (await bruno.post(f"/api/tournaments/{id}/join", status=409))["key"] == "tournament_over"
            await make(anna)
            await anna.post(f"/api/tournaments/{id}/leave", status=409)
            other = (await anna.get("/api/tournaments"))[0]["id"]
            await anna.post(f"/api/tournaments/{other}/cancel")
            assert (await anna.post("/api/tournaments", CUP, 429))["key"] == "too_many_tournaments_made"

    run(scene())


def test_who_is_forgotten_stays_as_a_former_guest_and_takes_part_no_more(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with at_home(tmp_path, tournament_break=10_000.0) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id, other = await make(anna), await make(anna)
            await bruno.post(f"/api/tournaments/{id}/join")
            await bruno.post(f"/api/tournaments/{other}/join")
            await anna.post(f"/api/tournaments/{id}/begin")
            kept = await bruno.get("/api/you/export")
            assert [one["id"] for one in kept["tournaments"]] == [id, other]
            await bruno.post("/api/you/forget", {"name": "Bruno"})
            told = await anna.get(f"/api/tournaments/{id}")
            assert told["entrants"][1]["name"] == "A former guest" and told["entrants"][1]["person"] is None
            assert told["entrants"][1]["gone"] == "left"
            assert len((await anna.get(f"/api/tournaments/{other}"))["entrants"]) == 1

    run(scene())
