"""When and by whom each step was decided, and how a game ended: stored, and told to whoever comes later."""

from __future__ import annotations

import pathlib
import sqlite3

from ludoteca.games.king_of_con import GAME as CON
from server.house import house, play, run, two_at_a_table
from server.test_screens import at_the_con, decide
from server.test_seats import finished


def test_times_and_deciders_are_the_same_live_after_a_reload_and_looking_back(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 6)
            while a.of("update")[-1]["waiting"] != [1]:
                await play({0: a, 1: b}, 1)
            await bruno.post(f"/api/tables/{info['id']}/leave")
            await a.next("update", lambda m: any(e["decider"] == "standin" for e in m["events"]))
            live = {e["n"]: e for update in a.of("update") for e in update["events"]}
            assert {e["decider"] for e in live.values()} >= {"person", "standin"}
            assert all(e["at"] > 1e9 for e in live.values())
            later = await anna.line(info["id"])
            snapshot = await later.next("update")
            assert [live[e["n"]] for e in snapshot["events"] if e["n"] in live] == [
                e for e in snapshot["events"] if e["n"] in live
            ]
            page = await anna.get(f"/api/tables/{info['id']}/moments")
            back = [e for moment in page["moments"] for e in moment["events"]]
            assert [e for e in back if e["n"] in live] == [live[e["n"]] for e in back if e["n"] in live]
            secret = anna.secret
        async with house(tmp_path) as h:  # and after a restart
            again = await (await h.person("Anna", secret)).line(info["id"])
            events = (await again.next("update"))["events"]
            assert [e for e in events if e["n"] in live] == [live[e["n"]] for e in events if e["n"] in live]

    run(scene())


def test_sealed_decisions_have_the_time_when_the_screens_went_up(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table, (anna, bruno, carla) = await at_the_con(h)
            await decide(anna, "bid", 1, 3)
            await decide(bruno, "pass")
            await carla.do(CON.actions.encode("pass"), 0)
            up = await bruno.next("update", lambda m: m["seq"] == 3)
            assert len({e["at"] for e in up["events"]}) == 1
            late = await (await h.person("Walter")).line(table["id"])
            assert len({e["at"] for e in (await late.next("update"))["events"] if e["n"] >= up["events"][0]["n"]}) == 1

    run(scene())


def test_finished_games_show_their_result_in_the_list(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, info, line = await finished(h)
            final = (await line.next("update", lambda m: m["result"]))["result"]
            wanted = {"ranks": final["ranks"], "scores": final["scores"], "won": None}
            assert (await anna.get("/api/my/tables"))[0]["result"] == wanted
            secret = anna.secret
        async with house(tmp_path) as h:
            anna = await h.person("Anna", secret)
            assert (await anna.get("/api/my/tables"))[0]["result"] == wanted
            assert not h.app.lobby.tables, "no game was played again for it"
        with sqlite3.connect(tmp_path / "games.db") as db:
            db.execute("UPDATE tables SET result = NULL")  # as an earlier server has left it
        async with house(tmp_path) as h:
            anna = await h.person("Anna", secret)
            assert (await anna.get("/api/my/tables"))[0]["result"] is None
            assert (await anna.get(f"/api/tables/{info['id']}"))["result"] == wanted, (
                "whoever looks at it brings it back"
            )
            h.app.lobby.tables.clear()
            assert (await anna.get("/api/my/tables"))[0]["result"] == wanted

    run(scene())
