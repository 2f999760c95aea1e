"""Looking back at a game: every moment is what the table showed then, and nobody sees more than they may."""

from __future__ import annotations

import pathlib

import pytest

from server.house import House, Json, Line, Person, house, run, until


async def played(h: House, game: str, seats: int, options: Json) -> tuple[Person, Person, Json, Line]:
    """A game played out by bots, which Anna, whose chair one of them holds, has watched; Bruno sat beside her."""
    anna, bruno = await h.person("Anna"), await h.person("Bruno")
    table = await anna.open(seats, game=game, options=options)
    await bruno.post(f"/api/tables/{table['id']}/sit", {})
    line = await anna.line(table["id"])
    await anna.post(f"/api/tables/{table['id']}/start")
    await line.next("update")
    for person in (anna, bruno):
        await person.post(f"/api/tables/{table['id']}/leave")
    live = await h.table(table["id"])
    await until(lambda: live.row.phase == "over")
    await line.next("revealed")
    return anna, bruno, table, line


async def all_moments(person: Person, table: Json, **asked: int) -> list[Json]:
    found: list[Json] = []
    while True:
        query = "&".join(f"{name}={value}" for name, value in {**asked, "first": len(found)}.items())
        page = await person.get(f"/api/tables/{table['id']}/moments?{query}")
        assert page["first"] == len(found)
        found += page["moments"]
        if len(found) == page["total"]:
            return found
        assert len(page["moments"]) > 0, "a page that does not end"


@pytest.mark.parametrize(
    ("game", "options"),
    [("splendor", {}), ("king_of_con", {"passions": "two_first_game"}), ("loot", {}), ("challengers", {})],
)
def test_every_moment_is_what_was_shown_then(tmp_path: pathlib.Path, game: str, options: Json) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, line = await played(h, game, 2, options)
            deal, *after = line.of("update")
            shown = {0: deal, **{m["seq"]: m for m in after if m["events"]}}
            moments = await all_moments(anna, table)
            told = [event for moment in moments for event in moment["events"]]
            assert [event["n"] for event in told] == list(range(1, len(told) + 1)), "every fact once, in order"
            assert len(moments) > 5
            assert moments[0]["seq"] == 0
            assert moments[-1]["result"] == line.of("update")[-1]["result"]
            for moment in moments:
                then = shown[moment["seq"]]
                for part in ("view", "events", "waiting", "result"):
                    assert moment[part] == then[part], (moment["seq"], part)
                assert (moment["choices"], moment["fresh"], moment["sealed"]) == ([], False, False)

    run(scene())


def test_other_eyes_only_when_the_game_is_over(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            table = await anna.open(2)
            where = f"/api/tables/{table['id']}/moments"
            assert (await anna.http.get(where)).json()["key"] == "not_started"
            await bruno.post(f"/api/tables/{table['id']}/sit", {})
            await anna.post(f"/api/tables/{table['id']}/start")
            for person, seat in ((anna, 1), (bruno, 0), (carla, 0)):
                assert (await person.http.get(f"{where}?seat={seat}")).json()["key"] == "not_over"
            own = await all_moments(anna, table)
            assert own == await all_moments(anna, table, seat=0)
            assert (await anna.get(where))["chances"] == [], "a chance tells of hidden cards"
            assert (len(own), own[0]["view"]["you"]["seat"]) == (1, 0)
            assert (await all_moments(carla, table))[0]["view"]["you"] is None, "a spectator"
            assert (await anna.http.get(f"{where}?seat=7")).json()["key"] == "no_such_seat"
            assert (await anna.http.get(f"{where}?first=x")).json()["key"] == "garbled"
            assert (await anna.get(f"{where}?first=9"))["moments"] == []

    run(scene())


def test_when_it_is_over_anybody_looks_through_any_eyes(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, table, _ = await played(h, "splendor", 2, {})
            through_bruno = await all_moments(bruno, table)
            page = await anna.get(f"/api/tables/{table['id']}/moments?first={len(through_bruno) - 2}")
            before, after = page["chances"]
            assert 98 <= sum(before) <= 102
            assert sorted(after) in ([0, 100], [50, 50])
            assert await all_moments(anna, table, seat=1) == through_bruno
            assert [m["seq"] for m in await all_moments(anna, table)] == [m["seq"] for m in through_bruno]

    run(scene())


def test_what_a_game_keeps_secret_stays_so_through_others_eyes(tmp_path: pathlib.Path) -> None:
    """King of Con: the Passion that was put back (§8.8)."""

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, table, _ = await played(h, "king_of_con", 2, {})
            own, through_anna = await all_moments(bruno, table), await all_moments(anna, table, seat=1)
            assert own[-1]["view"]["you"]["put_back"] is not None
            assert all(moment["view"]["you"]["put_back"] is None for moment in through_anna)
            assert through_anna[0]["view"]["you"]["passions"] == []
            assert all(event.get("passion") is None for moment in through_anna for event in moment["events"])
            assert through_anna[-1]["view"]["you"]["passions"] == own[-1]["view"]["you"]["passions"]

    run(scene())
