"""Looking back at a game: every moment is what the table showed then, and nobody sees more than they may."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from msgspec import Raw

from ludoteca import catalogue
from ludoteca.core.facts import Fact
from ludoteca.core.play import Play
from ludoteca.server.moments import A_PAGE, Eyes, Past, Story, look_back
from ludoteca.server.wire import encode
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


@pytest.mark.parametrize("game", catalogue.keys(of=catalogue.HOUSE))
def test_every_moment_is_what_was_shown_then(tmp_path: pathlib.Path, game: str) -> None:
    options = {"passions": "two_first_game"} if game == "king_of_con" else {}

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
            last = await anna.get(f"/api/tables/{table['id']}/moments?first=own")
            assert last["own"] <= len(moments) - 1
            assert last["first"] == max(last["own"], len(moments) - A_PAGE)
            assert [one["seq"] for one in last["moments"]] == [one["seq"] for one in moments[last["first"] :]]

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


def test_looking_back_plays_a_game_again_once_for_everybody(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    real = Play.follow

    def noted(self: Play, seat: int, actions: list[int], step: int = 0) -> list[Fact]:
        steps.append(self.seq)
        return real(self, seat, actions, step)

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, table, _ = await played(h, "splendor", 2, {})
            live = await h.table(table["id"])
            monkeypatch.setattr(Play, "follow", noted)
            first = await all_moments(anna, table)
            assert len(first) > 2 * A_PAGE
            assert len(steps) <= 2 * live.seq, "once to find the moments, and once to tell them"
            steps.clear()
            assert await all_moments(anna, table) == first
            for number in (1, 7, 30, 10_000):
                await anna.get(f"/api/tables/{table['id']}/moments?first={number}")
            assert not steps, "from what is kept"
            await all_moments(bruno, table)
            assert len(steps) <= live.seq, "his own eyes, the same moments"
            live.close()
            assert not h.app.lobby.house.past._stories, "kept as long as the table is in memory"

    run(scene())


def test_a_running_game_can_be_looked_back_at_after_every_step(tmp_path: pathlib.Path) -> None:
    """The last moment is not yet sure to be one: what comes next may belong to it."""

    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, table, _ = await played(h, "challengers", 2, {})
            live = await h.table(table["id"])
            assert live.play is not None
            whole, game = live.play, live.play.from_the_start(live.engine)
            result, live.play, live.result = live.result, game, None
            for seat, action, step in whole.decided():
                game.follow(seat, [action], step)
                followed = (await look_back(live, Eyes(0), 0)).total, len(h.app.lobby.house.past.of(live))
                fresh = Story(live)
                await fresh.read_on()
                assert followed == (len(fresh), len(fresh)), game.seq
            live.play, live.result = whole, result
            kept: list[Any] = list((await look_back(live, Eyes(0), 0)).moments)
            assert [Raw(encode(update)) for _, update, _ in fresh.page(Eyes(0), 0, range(A_PAGE))][:5] == kept[:5]

    run(scene())


def test_what_is_kept_to_look_back_is_bounded(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            past = h.app.lobby.house.past = Past(most=1000)
            for _ in range(2):
                anna, _, table, _ = await played(h, "splendor", 2, {})
                await all_moments(anna, table)
                assert list(past._stories) == [table["id"]]

    run(scene())
