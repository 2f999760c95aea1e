"""What if: a table that goes on from a moment of another game, marked, unrated, with a journal that verifies."""

from __future__ import annotations

import dataclasses
import pathlib

from ludoteca.server.fair import verify
from ludoteca.server.wire import Record, read
from server.house import House, Json, Person, house, run, until


async def finished(h: House) -> tuple[Person, Json]:
    """A game that bots have played for Anna, who has left."""
    anna = await h.person("Anna")
    table = await anna.open(2, game="loot", bots=[None, "novice"])
    await anna.post(f"/api/tables/{table['id']}/start")
    await over(h, anna, table)
    return anna, table


async def over(h: House, person: Person, table: Json) -> None:
    await person.post(f"/api/tables/{table['id']}/leave")
    live = await h.table(table["id"])
    await until(lambda: live.row.phase == "over")


def test_from_a_moment_of_a_finished_game(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table = await finished(h)
            carla = await h.person("Carla")
            branch = await carla.post(f"/api/tables/{table['id']}/branch", {"step": 7, "seat": 1})
            assert branch["branch"] == {"table": table["id"], "step": 7, "guessed": False, "puzzle": ""}
            assert (branch["you"], branch["rated"], branch["public"], branch["phase"]) == (1, False, False, "playing")
            first = (await h.table(table["id"])).play
            again = (await h.table(branch["id"])).play
            assert first is not None and again is not None
            before = first.from_the_start()
            for seat, action, step in list(first.decided())[:7]:
                before.follow(seat, [action], step)
            assert again.beginning.tobytes() == before.states.tobytes()
            await over(h, carla, branch)
            found = (await carla.http.get(f"/api/tables/{branch['id']}/record")).content
            record = read(found, Record)
            assert record.origin is not None and record.origin.table == table["id"]
            assert all(step.ok for step in verify(record))
            secret = carla.secret
        async with house(tmp_path) as h:  # it is read back from the store as it was played
            carla = await h.person(secret=secret)
            assert (await carla.http.get(f"/api/tables/{branch['id']}/record")).content == found
            where = (await carla.post("/api/records", record_of(found)))["table"]
            assert (await carla.get(f"/api/tables/{where}"))["branch"]["table"] == table["id"]
            late = await carla.http.post(f"/api/tables/{table['id']}/branch", json={"step": 9999})
            assert late.json()["key"] == "no_such_step"

    run(scene())


def test_with_the_same_people_on_their_chairs(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            table = await anna.open(2, game="loot", public=True)
            where = f"/api/tables/{table['id']}"
            await bruno.post(f"{where}/sit", {})
            await anna.post(f"{where}/start")
            early = await anna.http.post(f"{where}/branch", json={"people": True})
            assert early.json()["key"] == "no_branch_now", "others would learn what one sees"
            live = await h.table(table["id"])
            seated = live.row.chairs
            await bruno.post(f"{where}/leave")
            await over(h, anna, table)
            live.row = dataclasses.replace(live.row, chairs=[seated[0], live.row.chairs[1]])  # Anna stayed to the end
            stranger = await carla.http.post(f"{where}/branch", json={"step": 5, "people": True})
            assert stranger.json()["key"] == "only_seated"
            branch = await bruno.post(f"{where}/branch", {"step": 5, "people": True})
            assert (branch["you"], branch["phase"], branch["rated"]) == (1, "open", False)
            assert [(chair["kind"], chair["name"]) for chair in branch["chairs"]] == [
                ("person", "Anna"),
                ("person", "Bruno"),
            ]
            here = f"/api/tables/{branch['id']}"
            for wish in ({"seats": 3}, {"rated": True}):
                assert (await bruno.http.post(f"{here}/arrange", json=wish)).json()["key"] == "branch_is_fixed"
            assert (await bruno.post(f"{here}/start"))["phase"] == "playing"
            begun = (await h.table(branch["id"])).play
            assert begun is not None and live.play is not None
            before = live.play.from_the_start()
            for seat, action, step in list(live.play.decided())[:5]:
                before.follow(seat, [action], step)
            assert begun.waiting() == before.waiting()

    run(scene())


def test_nobody_is_called_like_another_who_sat_there(tmp_path: pathlib.Path) -> None:
    """Who tried Ada's turn met a bot named Ada, on the chair that had been their own."""

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            table = await anna.open(3, game="loot", bots=[None, "novice", "novice"])
            await anna.post(f"/api/tables/{table['id']}/start")
            await over(h, anna, table)
            branch = await anna.post(f"/api/tables/{table['id']}/branch", {"step": 3, "seat": 1})
            assert [chair["name"] for chair in branch["chairs"]] == ["Cleo", "Anna", "Bruno"]

    run(scene())


def record_of(found: bytes) -> Json:
    import msgspec

    return dict(msgspec.json.decode(found))


def test_from_a_running_game_only_what_one_sees(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            table = await anna.open(2, hints=True)
            await bruno.post(f"/api/tables/{table['id']}/sit", {})
            await anna.post(f"/api/tables/{table['id']}/start")
            branch = await bruno.post(f"/api/tables/{table['id']}/branch", {"step": 0, "seat": 0})
            assert (branch["you"], branch["branch"]["guessed"]) == (1, True), "nobody's eyes but one's own"
            true, guess = (await h.table(table["id"])).play, (await h.table(branch["id"])).play
            assert true is not None and guess is not None
            seen = [play.game.redact(play.beginning, 0, 1).tobytes() for play in (true, guess)]
            assert seen[0] == seen[1]
            assert true.beginning["deck"].tobytes() != guess.beginning["deck"].tobytes()
            carla = await h.person("Carla")
            refused = await carla.http.post(f"/api/tables/{table['id']}/branch", json={})
            assert refused.json()["key"] == "no_branch_now"
            plain = await anna.open(2)
            await bruno.post(f"/api/tables/{plain['id']}/sit", {})
            await anna.post(f"/api/tables/{plain['id']}/start")
            refused = await anna.http.post(f"/api/tables/{plain['id']}/branch", json={})
            assert refused.json()["key"] == "no_branch_now"

    run(scene())
