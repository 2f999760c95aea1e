"""Chairs: sitting, leaving, coming back, bots for people and people for bots, rematches, invitations."""

from __future__ import annotations

import asyncio
import itertools
import pathlib
import time

import pytest
from websockets.exceptions import InvalidStatus

from ludoteca.server import lobby, queries
from ludoteca.server.database import Connection
from ludoteca.server.queries import ChairRow
from server.house import House, Json, Line, Person, house, newer, play, run, two_at_a_table, until
from server.test_store import table_row

pytestmark = pytest.mark.usefixtures("fast_hands")


def kinds(table: Json) -> list[str]:
    return [chair["kind"] for chair in table["chairs"]]


def test_a_table_is_listed_while_it_has_an_empty_chair(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            info = await anna.open(2, name="  Sunday  table ")
            assert (info["name"], info["host"], info["you"], kinds(info)) == (
                "Sunday table",
                True,
                0,
                ["person", "empty"],
            )
            [listed] = await h.anybody().get("/api/tables")
            assert (listed["id"], listed["host"], listed["you"], listed["invite"]) == (info["id"], False, None, None)
            seen = await bruno.post(f"/api/tables/{info['id']}/sit", {})
            assert (seen["you"], seen["host"], seen["invite"]) == (1, False, info["invite"])
            assert await bruno.get("/api/tables") == []
            await bruno.post(f"/api/tables/{info['id']}/leave")
            assert len(await bruno.get("/api/tables")) == 1

    run(scene())


def test_chairs_can_be_chosen_changed_and_are_refused_when_taken(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = await h.person("Anna"), await h.person("Bruno"), await h.person("Carla")
            id = (await anna.open(3, bots=[None, None, "novice"]))["id"]
            sit = f"/api/tables/{id}/sit"
            assert (await bruno.post(sit, {"seat": 0}, 409))["key"] == "seat_taken"
            assert (await bruno.post(sit, {"seat": 2}, 409))["key"] == "seat_taken"
            assert (await bruno.post(sit, {"seat": 7}, 400))["key"] == "no_such_seat"
            assert (await bruno.post(sit, {"seat": 1}))["you"] == 1
            assert (await bruno.post(sit, {}))["you"] == 1  # twice changes nothing
            assert (await carla.post(sit, {}, 409))["key"] == "table_full"
            moved = await anna.post(f"/api/tables/{id}/chair", {"seat": 2, "level": None})
            assert kinds(moved) == ["person", "person", "empty"]
            assert (await bruno.post(sit, {"seat": 2}))["you"] == 2
            assert (await anna.post(f"/api/tables/{id}/chair", {"seat": 0, "level": "club"}, 409))["key"] == "own_chair"
            bad = await anna.post(f"/api/tables/{id}/chair", {"seat": 1, "level": "genius"}, 400)
            assert bad["key"] == "no_such_bot"
            with_bot = await anna.post(f"/api/tables/{id}/chair", {"seat": 1, "level": "expert"})
            assert with_bot["chairs"][1] | {"name": ""} == {
                "seat": 1, "kind": "bot", "name": "", "level": "expert", "online": True, "standin": False, "former": False,
                "ready": False, "person": None, "host": False, "sign": None,
            }  # fmt: skip

    run(scene())


def test_the_host_starts_and_empty_chairs_become_bots(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(3))["id"]
            await bruno.post(f"/api/tables/{id}/sit", {"seat": 2})
            assert (await bruno.post(f"/api/tables/{id}/start", status=403))["key"] == "only_host"
            line = await bruno.line(id)
            started = await anna.post(f"/api/tables/{id}/start")
            assert (started["phase"], kinds(started)) == ("playing", ["person", "bot", "person"])
            await line.next("table", lambda m: m["table"]["phase"] == "playing")
            assert (await line.next("update"))["fresh"]
            assert (await anna.post(f"/api/tables/{id}/start", status=409))["key"] == "already_started"
            for path, body in (("sit", {"seat": 1}), ("chair", {"seat": 1, "level": None})):
                assert (await anna.post(f"/api/tables/{id}/{path}", body, 409))["key"] == "already_started"

    run(scene())


def test_anybody_at_the_table_starts_when_the_host_is_away(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, patience=0.0) as h:
            anna, bruno, carla = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            id = (await anna.open(3, public=True))["id"]
            await bruno.post(f"/api/tables/{id}/sit", {})
            line = await anna.line(id)
            await line.next("table")
            assert (await bruno.post(f"/api/tables/{id}/start", status=403))["key"] == "only_host"
            await line.close()
            await asyncio.sleep(0.05)
            assert (await carla.post(f"/api/tables/{id}/start", status=403))["key"] == "only_host", "she only watches"
            assert (await bruno.post(f"/api/tables/{id}/start"))["phase"] == "playing"
            assert (await bruno.post(f"/api/tables/{id}/start", status=409))["key"] == "already_started"

    run(scene())


def test_nobody_starts_without_a_host_who_has_only_just_left(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, patience=60.0) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(2, public=True))["id"]
            info = await bruno.post(f"/api/tables/{id}/sit", {})
            assert [chair["host"] for chair in info["chairs"]] == [True, False]
            line = await anna.line(id)
            await line.next("table")
            await line.close()
            await asyncio.sleep(0.05)
            refused = await bruno.post(f"/api/tables/{id}/start", status=409)
            assert refused["key"] == "host_just_left" and refused["facts"] == {"seconds": 60}
            assert (await anna.post(f"/api/tables/{id}/start"))["phase"] == "playing"

    run(scene())


def test_the_next_person_is_host_when_the_host_leaves(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(2))["id"]
            await bruno.post(f"/api/tables/{id}/sit", {})
            assert not (await anna.post(f"/api/tables/{id}/leave"))["host"]
            assert (await bruno.get(f"/api/tables/{id}"))["host"]
            await bruno.post(f"/api/tables/{id}/leave")
            assert await bruno.get("/api/tables") == []  # nobody sits there
            assert (await anna.post(f"/api/tables/{id}/sit", {}))["host"]
            assert (await bruno.post(f"/api/tables/{id}/leave", status=409))["key"] == "not_seated"

    run(scene())


def test_the_others_may_let_a_bot_play_for_somebody_who_is_away(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, bot_pause=0.0) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            where = f"/api/tables/{info['id']}/stand-in"
            carla = await h.person("Carla")
            assert (await carla.post(where, {"seat": 0}, 403))["key"] == "only_seated"
            assert (await bruno.post(where, {"seat": 1}, 409))["key"] == "not_awaited"
            assert (await bruno.post(where, {"seat": 0}, 409))["sentence"] == "Anna is at the table."
            await a.close()
            await b.next("table", lambda m: not m["table"]["chairs"][0]["online"])
            early = await bruno.post(where, {"seat": 0}, 409)
            assert (early["key"], early["facts"]["name"]) == ("not_away_long", "Anna")
            assert 0 < early["facts"]["seconds"] <= 60
            table = await h.table(info["id"])
            table.presence._last_seen[table.row.chairs[0].guest or ""] -= 60
            assert (await bruno.post(where, {"seat": 0}))["chairs"][0]["standin"]
            await b.next("update", lambda m: m["waiting"] == [1])  # the bot has decided for Anna
            assert not (await anna.post(f"/api/tables/{info['id']}/sit", {}))["chairs"][0]["standin"]

    run(scene())


def test_a_bot_plays_for_whoever_left_and_gives_the_chair_back(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, bot_pause=0.05) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            id = info["id"]
            left = await anna.post(f"/api/tables/{id}/leave")
            assert (left["you"], left["chairs"][0]["standin"], left["chairs"][0]["kind"]) == (0, True, "person")
            assert left["chairs"][0]["name"] == "Anna"
            shown = await a.next("update", lambda m: m["fresh"] and m["seq"] == 0)
            assert shown["choices"] == []
            position = await b.next("update", lambda m: m["waiting"] == [1])  # the bot has decided for Anna
            await a.do(0, position["seq"])
            assert (await a.next("refused"))["key"] == "stand_in"
            assert (await bruno.post(f"/api/tables/{id}/sit", {"seat": 0}, 409))["key"] == "already_started"
            await anna.post(f"/api/tables/{id}/leave")  # twice changes nothing
            back = await anna.post(f"/api/tables/{id}/sit", {})
            assert not back["chairs"][0]["standin"]
            while position["waiting"] == [1]:
                await b.do(position["choices"][0]["action"], position["seq"])
                position = await b.next("update", newer(position["seq"]))
            mine = await a.next("update", lambda m: m["seq"] == position["seq"])
            assert mine["waiting"] == [0]
            assert mine["choices"]
            await a.do(mine["choices"][0]["action"], mine["seq"])
            assert (await a.next("done"))["seq"] == position["seq"] + 1

    run(scene())


def test_a_game_everybody_left_is_finished_by_bots(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 6)
            await anna.post(f"/api/tables/{info['id']}/leave")
            await bruno.post(f"/api/tables/{info['id']}/leave")
            table = await h.table(info["id"])
            await until(lambda: table.row.phase == "over")
            assert (await anna.get(f"/api/tables/{info['id']}/record"))["names"] == ["Anna", "Bruno"]

    run(scene())


async def finished(h: House, seats: int = 3) -> tuple[Person, Person, Json, Line]:
    """A finished game of Anna, a bot and Bruno."""
    anna, bruno = await h.person("Anna"), await h.person("Bruno")
    info = await anna.open(seats, public=False, bots=[None, "novice"])
    await bruno.post(f"/api/tables/{info['id']}/sit", {"invite": info["invite"]})
    line = await bruno.line(info["id"])
    await anna.post(f"/api/tables/{info['id']}/start")
    for person in (anna, bruno):
        await person.post(f"/api/tables/{info['id']}/leave")
    table = await h.table(info["id"])
    await until(lambda: table.row.phase == "over")
    return anna, bruno, info, line


def test_a_rematch_moves_everybody_one_chair_on(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, info, line = await finished(h)
            for person in (anna, bruno):  # they come back to look at the end
                assert (await person.post(f"/api/tables/{info['id']}/sit", {}, 409))["key"] == "game_over"
            table = await h.table(info["id"])
            table.row.chairs[0].level = table.row.chairs[2].level = None  # as if they had stayed to the end
            new = await bruno.post(f"/api/tables/{info['id']}/rematch")
            assert [c["name"] for c in new["chairs"]] == [info["chairs"][1]["name"], "Bruno", "Anna"]
            assert (new["phase"], new["you"], new["host"], new["public"]) == ("open", 1, True, False)
            assert new["fair"]["commitment"] != info["fair"]["commitment"]
            assert (await line.next("table", lambda m: m["table"]["rematch"]))["table"]["rematch"] == new["id"]
            assert (await anna.post(f"/api/tables/{info['id']}/rematch"))["id"] == new["id"]
            assert (await anna.get(f"/api/tables/{new['id']}"))["you"] == 2
            carla = await h.person("Carla")
            assert (await carla.post(f"/api/tables/{info['id']}/rematch", status=404))["key"] == "no_such_table"

    run(scene())


def test_a_rematch_with_bots_only_starts_at_once(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2})
            assert (await anna.post(f"/api/tables/{info['id']}/rematch", status=409))["key"] == "not_over"
            await anna.post(f"/api/tables/{info['id']}/leave")
            table = await h.table(info["id"])
            await until(lambda: table.row.phase == "over")
            table.row.chairs[0].level = None
            new = await anna.post(f"/api/tables/{info['id']}/rematch")
            assert (new["phase"], new["you"]) == ("playing", 1)

    run(scene())


def test_a_private_table_exists_only_for_those_invited(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            info = await anna.open(2, public=False)
            id, invite = info["id"], info["invite"]
            assert len(invite) >= 22  # 128 bits
            assert await bruno.get("/api/tables") == []
            missing = await bruno.get("/api/tables/nowhere", 404)
            for wrong in ("", "?invite=", "?invite=guess", f"?invite={invite[:-1]}"):
                assert await bruno.get(f"/api/tables/{id}{wrong}", 404) == missing
            assert (await bruno.post(f"/api/tables/{id}/sit", {}, 404)) == missing
            with pytest.raises(InvalidStatus, match="404"):
                await bruno.line(id)
            assert (await bruno.get(f"/api/tables/{id}?invite={invite}"))["invite"] is None
            watching = await bruno.line(id, invite=invite)
            await watching.next("table")
            assert (await bruno.post(f"/api/tables/{id}/sit", {"invite": invite}))["you"] == 1
            assert (await bruno.get(f"/api/tables/{id}"))["invite"] == invite

    run(scene())


def test_whoever_is_sent_from_a_private_table_hears_nothing_more(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            info = await anna.open(2, public=False)
            await bruno.post(f"/api/tables/{info['id']}/sit", {"invite": info["invite"]})
            line = await bruno.line(info["id"])  # by his chair, without showing the invitation
            await line.next("table")
            await anna.post(f"/api/tables/{info['id']}/chair", {"seat": 1, "level": None})
            await line.closed()
            with pytest.raises(InvalidStatus, match="404"):
                await bruno.line(info["id"])

    run(scene())


def test_a_new_name_is_seen_at_the_table(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, _, _, b = await two_at_a_table(h)
            await anna.post("/api/me", {"name": " Anna\u202e Maria\n"})
            await b.next("table", lambda m: m["table"]["chairs"][0]["name"] == "Anna Maria")
            assert (await anna.post("/api/me", {"name": "\u200b \t"}, 400))["key"] == "no_name"

    run(scene())


@pytest.mark.parametrize(
    ("wish", "status", "key"),
    [
        ({"game": "chess"}, 404, "no_such_game"),
        ({"seats": 9}, 400, "seats_out_of_range"),
        ({"options": {"edition": "gold"}}, 400, "no_such_value"),
        ({"options": {"speed": "fast"}}, 400, "no_such_option"),
        ({"bots": ["club"]}, 400, "bots_and_chairs"),
        ({"bots": [None, None, "club"]}, 400, "bots_and_chairs"),
        ({"bots": [None, "genius"]}, 400, "no_such_bot"),
        ({"seats": True}, 400, "garbled"),
        ({"seats": "2"}, 400, "garbled"),
        ({"colour": "red"}, 400, "garbled"),
    ],
)
def test_a_table_that_cannot_be_is_refused(tmp_path: pathlib.Path, wish: Json, status: int, key: str) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            body = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []} | wish
            refused = await anna.post("/api/tables", body, status)
            assert refused["key"] == key
            assert refused["sentence"]

    run(scene())


def test_nobody_opens_tables_without_end(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, tables_a_guest=3, guests_a_minute=2) as h:
            anna = await h.person("Anna")
            for _ in range(3):
                await anna.open(2)
            assert (await anna.post("/api/play-now", {"game": "splendor"}, 429))["key"] == "too_many_tables"
            await h.person()
            assert (await h.anybody().get("/api/me", 429))["key"] == "too_many_guests"

    run(scene())


# ── What is forgotten, and what is not ───────────────────────


def test_a_jump_of_the_clock_deletes_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        monkeypatch.setattr(lobby, "SWEEP_EVERY", 0.01)
        for jump in (0.0, 400 * 24 * 3600.0, -400 * 24 * 3600.0):
            async with house(tmp_path) as h:
                anna = await h.person("Anna")
                id = (await anna.open())["id"]
                now = time.time() + jump
                h.app.lobby.house.clock = itertools.count(now).__next__
                await asyncio.sleep(0.1)  # some sweeps
                h.app.lobby.forget_idle(h.app.lobby.house.ticks() + 10_000)
                await h.app.lobby.clean()
                assert (await anna.get(f"/api/tables/{id}"))["phase"] == "open"
        async with house(tmp_path) as h:  # also after a long time in which the server was off
            await asyncio.sleep(0.1)
            assert len(await h.anybody().get("/api/tables")) == 3

    run(scene())


def test_nothing_is_deleted_while_somebody_is_there(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            here, left = (await anna.open())["id"], (await anna.open())["id"]
            line = await bruno.line(here)  # looks on
            await line.next("table")
            for _ in range(lobby.STALE_HOURS + 2):
                h.app.lobby.forget_idle(h.app.lobby.house.ticks() + 10_000)
                await h.app.lobby.clean()
            assert line.code is None
            assert (await anna.get(f"/api/tables/{here}"))["phase"] == "open"
            assert (await anna.get(f"/api/tables/{left}", 404))["key"] == "no_such_table"
            assert [t["id"] for t in await anna.get("/api/my/tables")] == [here]

    run(scene())


def test_a_rematch_can_be_begun_again_when_its_table_was_forgotten(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, info, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 400)
            first = await anna.post(f"/api/tables/{info['id']}/rematch")
            for again in range(2):
                for _ in range(lobby.STALE_HOURS + 2):
                    h.app.lobby.forget_idle(h.app.lobby.house.ticks() + 10_000)
                    await h.app.lobby.clean()
                if again:  # also when the old table comes from the store
                    await a.close()
                    await b.close()
                    await until(lambda: not h.app.lobby.tables[info["id"]].busy)
                    h.app.lobby.forget_idle(h.app.lobby.house.ticks() + 10_000)
                assert (await anna.get(f"/api/tables/{first['id']}", 404))["key"] == "no_such_table"
                assert (await anna.get(f"/api/tables/{info['id']}"))["rematch"] is None
                second = await anna.post(f"/api/tables/{info['id']}/rematch")
                assert second["id"] != first["id"] and second["phase"] == "open"
                assert (await anna.post(f"/api/tables/{info['id']}/rematch"))["id"] == second["id"]
                first = second

    run(scene())


def test_a_rematch_is_not_a_table_too_many(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, tables_a_guest=1, tables_an_hour=2) as h:
            anna, _, info, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 400)
            await anna.open()
            await anna.post("/api/play-now", {"game": "splendor"}, 429)
            assert (await anna.post(f"/api/tables/{info['id']}/rematch"))["you"] is not None

    run(scene())


def test_a_rematch_of_a_finished_game_can_always_be_begun(tmp_path: pathlib.Path) -> None:
    """As the page does it: open, then start; bots owe her more than a guest may ask for, and the server was restarted."""

    async def scene() -> None:
        async with house(tmp_path, bot_turns_a_host=2) as h:
            anna, _, info, _ = await finished(h)
            (await h.table(info["id"])).row.chairs[0].level = None  # as if she had stayed to the end
            again = await anna.post(f"/api/tables/{info['id']}/rematch", {"wait": True})
            secret = anna.secret
        async with house(tmp_path, bot_turns_a_host=2) as h:
            anna = await h.person("Anna", secret)
            h.app.lobby.house.bots.owed[(await anna.get("/api/me"))["id"]] += 7
            other = await anna.open(2)
            assert (await anna.post(f"/api/tables/{other['id']}/start", status=429))["key"] == "too_many_bot_turns"
            assert (await anna.post(f"/api/tables/{again['id']}/start"))["phase"] == "playing"

    run(scene())


def test_a_new_invitation_ends_the_old_one(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            table = await anna.open(3, public=False)
            path, old = f"/api/tables/{table['id']}", table["invite"]
            await bruno.post(f"{path}/sit", {"invite": old})
            watching = await carla.line(table["id"], invite=old)
            await watching.next("table")
            seated = await bruno.line(table["id"], invite=old)
            await seated.next("table")
            assert (await bruno.post(f"{path}/invite", status=403))["key"] == "only_host"
            new = (await anna.post(f"{path}/invite"))["invite"]
            assert new != old
            await watching.closed()
            await seated.next("table", lambda message: message["table"]["invite"] == new)  # who sits there stays
            assert (await carla.get(f"{path}?invite={old}", 404))["key"] == "no_such_table"
            assert (await carla.post(f"{path}/sit", {"invite": old}, 404))["key"] == "no_such_table"
            with pytest.raises(InvalidStatus, match="404"):
                await carla.line(table["id"], invite=old)
            await anna.post(f"{path}/start")
            latest = (await anna.post(f"{path}/invite"))["invite"]  # also while they play
        async with house(tmp_path) as h:  # and it is stored
            carla = await h.person("Carla")
            await carla.get(f"{path}?invite={new}", 404)
            assert (await carla.get(f"{path}?invite={latest}"))["phase"] == "playing"

    run(scene())


PLAYED = 3000  # games of one guest


def played_by(db: Connection, guest: str, number: int) -> None:
    """A guest has finished so many games, several at the same moment, one in four of Loot."""
    for n in range(number):
        finish(db, guest, f"t{n:04}", 1000.0 + n // 3, "loot" if n % 4 == 0 else "splendor")


def finish(db: Connection, guest: str, id: str, at: float, game: str = "splendor") -> None:
    """A guest has finished a game."""
    row = table_row(id, game=game, host=guest, moved=at, phase="open")
    row.chairs = [ChairRow(guest, "Anna"), ChairRow()]
    queries.add_table(db, row, b"secret")
    queries.start_table(db, row, 42, 1, at)
    queries.append(db, id, 1, 0, [1], None, at, 0, "over")


def test_thousands_of_my_games_come_in_pages_and_none_twice(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            me, kept = (await anna.get("/api/me"))["id"], h.app.lobby.house.store
            await kept.write(played_by, me, PLAYED)
            running = (await anna.open())["id"]
            first = await anna.get("/api/my/tables")
            assert (first[0]["id"], len(first)) == (running, 1 + lobby.A_PAGE)
            await kept.write(finish, me, "new", 9999.0)  # another game is finished meanwhile
            seen = [table["id"] for table in first[1:]]
            while page := await anna.get(f"/api/my/tables?after={seen[-1]}"):
                seen += [table["id"] for table in page]
            assert len(seen) == len(set(seen)) == PLAYED
            assert seen == sorted(seen, reverse=True)
            sought, path = list[str](), f"/api/people/{me}/games?game=loot"
            while page := await anna.get(f"{path}&after={sought[-1]}" if sought else path):
                sought += [table["id"] for table in page]
            assert sought == [id for id in seen if int(id[1:]) % 4 == 0]
            await anna.get("/api/my/tables?after=nowhere", 404)
            await anna.get(f"/api/my/tables?after={running}")
            stranger = await (await h.person("Eve")).open(2, public=False)
            await anna.get(f"/api/my/tables?after={stranger['id']}", 404)  # as if it were not there

    run(scene())


def test_a_cleaning_that_fails_is_tried_again_and_not_an_hour_later(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "SWEEP_EVERY", 0.01)
    monkeypatch.setattr(lobby, "AN_HOUR", 0.0)
    tries: list[bool] = []

    async def fails_twice(self: lobby.Lobby) -> None:
        tries.append(True)
        if len(tries) < 3:
            raise OSError("the disk is full")
        monkeypatch.setattr(lobby, "AN_HOUR", 3600.0)

    monkeypatch.setattr(lobby.Lobby, "clean", fails_twice)

    async def scene() -> None:
        async with house(tmp_path):
            await until(lambda: len(tries) == 3)

    run(scene())


def test_a_table_whose_game_is_gone_can_be_left_and_its_link_opens_a_page(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            table = await anna.open()
        async with house(tmp_path, games="loot", tables_a_guest=1) as h:
            anna = await h.person(secret=anna.secret)
            assert (await anna.http.get(f"/table/{table['id']}")).status_code in (200, 503)  # 503: no page was built
            await anna.get(f"/api/tables/{table['id']}", 404)
            assert await anna.post(
                "/api/tables", {"game": "loot", "seats": 2, "options": {}, "public": True, "bots": []}, 429
            )
            await anna.post(f"/api/tables/{table['id']}/leave", {})
            await anna.post("/api/tables", {"game": "loot", "seats": 2, "options": {}, "public": True, "bots": []})

    run(scene())
