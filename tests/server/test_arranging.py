"""Before the start everything can still be changed: the number of chairs, the options, who is ready."""

from __future__ import annotations

import pathlib

import pytest

from ludoteca.server.queries import ChairRow
from ludoteca.server.refusals import NotNow
from ludoteca.server.seats import resized
from server.house import Json, house, run

EMPTY, BOT = ChairRow(), ChairRow(None, "Ada", "club")


def person(name: str) -> ChairRow:
    return ChairRow(name, name)


def names(table: Json) -> list[str]:
    return [chair["name"] or chair["kind"] for chair in table["chairs"]]


def test_free_chairs_go_before_bots_and_people_stay() -> None:
    anna, bruno = person("Anna"), person("Bruno")
    assert resized([anna, EMPTY, bruno], 4) == [anna, EMPTY, bruno, EMPTY]
    assert resized([anna, EMPTY, bruno, EMPTY], 3) == [anna, EMPTY, bruno], "the last free one"
    assert resized([anna, EMPTY, BOT, bruno], 3) == [anna, BOT, bruno], "a free one before a bot"
    assert resized([anna, EMPTY, BOT, bruno], 2) == [anna, bruno]
    with pytest.raises(NotNow, match="2 people sit here: there cannot be fewer chairs"):
        resized([anna, EMPTY, BOT, bruno], 1)


def test_the_host_changes_the_number_of_chairs_and_everybody_sees_it_at_once(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(3, bots=[None, "novice"]))["id"]
            arrange = f"/api/tables/{id}/arrange"
            await bruno.post(f"/api/tables/{id}/sit", {})
            line = await bruno.line(id)
            assert names(await anna.post(arrange, {"seats": 4})) == ["Anna", "Ada", "Bruno", "empty"]
            told = await line.next("table", lambda m: len(m["table"]["chairs"]) == 4)
            assert told["table"]["you"] == 2
            assert names(await anna.post(arrange, {"seats": 2})) == ["Anna", "Bruno"]
            told = await line.next("table", lambda m: len(m["table"]["chairs"]) == 2)
            assert told["table"]["you"] == 1, "he sits on the chair beside her now"
            assert (await anna.post(arrange, {"seats": 5}, 400))["key"] == "seats_out_of_range"
            assert (await bruno.post(arrange, {"seats": 3}, 403))["key"] == "only_host"
            carla = await h.person("Carla")
            assert (await carla.post(arrange, {"rated": True}, 403))["key"] == "only_seated"
            started = await anna.post(f"/api/tables/{id}/start")
            assert (started["phase"], names(started)) == ("playing", ["Anna", "Bruno"])
            assert (await anna.post(arrange, {"seats": 3}, 409))["key"] == "already_started"

    run(scene())


def test_chairs_with_people_do_not_vanish(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            id = (await anna.open(4))["id"]
            for friend in (bruno, carla):
                await friend.post(f"/api/tables/{id}/sit", {})
            refused = await anna.post(f"/api/tables/{id}/arrange", {"seats": 2}, 409)
            assert refused["sentence"] == "3 people sit here: there cannot be fewer chairs."
            assert names(await anna.get(f"/api/tables/{id}")) == ["Anna", "Bruno", "Carla", "empty"]

    run(scene())


def test_options_are_checked_as_at_opening_and_the_game_is_dealt_by_them(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(2))["id"]
            arrange = f"/api/tables/{id}/arrange"
            line = await bruno.line(id)
            assert (await anna.post(arrange, {"options": {"edition": "gold"}}, 400))["key"] == "no_such_value"
            assert (await anna.post(arrange, {"options": {"dice": "two"}}, 400))["key"] == "no_such_option"
            assert (await anna.post(arrange, {"options": 7}, 400))["key"] == "garbled"
            changed = await anna.post(arrange, {"options": {"edition": "base"}})
            assert changed["options"]["edition"] == "base" and len(changed["chairs"]) == 2
            await line.next("table", lambda m: m["table"]["options"]["edition"] == "base")
            await anna.post(f"/api/tables/{id}/start")
            assert (await line.next("update"))["view"]["edition"] == "base"

    run(scene())


def test_what_was_arranged_is_there_after_a_restart(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            id = (await anna.open(4, bots=[None, "novice", None, "club"]))["id"]
            wish = {"seats": 2, "options": {"edition": "base"}}
            assert names(await anna.post(f"/api/tables/{id}/arrange", wish)) == ["Anna", "Ada"]
            secret = anna.secret
        async with house(tmp_path) as h:
            anna = await h.person(secret=secret)
            found = await anna.get(f"/api/tables/{id}")
            assert (names(found), found["options"]["edition"]) == (["Anna", "Ada"], "base")
            started = await anna.post(f"/api/tables/{id}/start")
            assert len(started["chairs"]) == 2

    run(scene())


def test_a_change_asks_again_who_is_ready(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            id = (await anna.open(3))["id"]
            ready = f"/api/tables/{id}/ready"
            await bruno.post(f"/api/tables/{id}/sit", {})
            line = await anna.line(id)
            assert (await bruno.post(ready, {"ready": True}))["chairs"][1]["ready"]
            await line.next("table", lambda m: m["table"]["chairs"][1]["ready"])
            assert (await carla.post(ready, {"ready": True}, 403))["key"] == "only_seated"
            same = await anna.post(f"/api/tables/{id}/arrange", {"seats": 3})
            assert same["chairs"][1]["ready"], "nothing has changed"
            other = await anna.post(f"/api/tables/{id}/arrange", {"options": {"edition": "base"}})
            assert not other["chairs"][1]["ready"]
            await bruno.post(ready, {"ready": True})
            assert not (await bruno.post(ready, {"ready": False}))["chairs"][1]["ready"]
            await bruno.post(ready, {"ready": True})
            await bruno.post(f"/api/tables/{id}/leave")
            assert not (await bruno.post(f"/api/tables/{id}/sit", {}))["chairs"][1]["ready"], "he has to say it again"
            await bruno.post(ready, {"ready": True})
            started = await anna.post(f"/api/tables/{id}/start")
            assert not any(chair["ready"] for chair in started["chairs"])
            assert (await bruno.post(ready, {"ready": True}, 409))["key"] == "already_started"

    run(scene())


def test_anybody_at_the_table_proposes_and_everybody_is_asked_again(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(2))["id"]
            await bruno.post(f"/api/tables/{id}/sit", {})
            line = await anna.line(id)
            for person in (anna, bruno):
                await person.post(f"/api/tables/{id}/ready", {"ready": True})
            changed = await bruno.post(f"/api/tables/{id}/arrange", {"take_back": "consent"})
            assert changed["take_back"] == "consent" and not any(chair["ready"] for chair in changed["chairs"])
            told = await line.next("table", lambda m: m["table"]["take_back"] == "consent")
            assert not told["table"]["chairs"][0]["ready"]
            await anna.post(f"/api/tables/{id}/ready", {"ready": True})
            hinted = await bruno.post(f"/api/tables/{id}/arrange", {"hints": True})
            assert hinted["hints"] and not hinted["chairs"][0]["ready"]
            assert not (await bruno.post(f"/api/tables/{id}/arrange", {"rated": True}))["hints"], "not where it counts"
            assert (await bruno.post(f"/api/tables/{id}/arrange", {"rated": False}))["hints"]
            await anna.post(f"/api/tables/{id}/ready", {"ready": True})
            same = await bruno.post(f"/api/tables/{id}/arrange", {"hints": True})
            assert same["chairs"][0]["ready"], "nothing has changed"
            await anna.post(f"/api/tables/{id}/start")
            assert (await bruno.post(f"/api/tables/{id}/arrange", {"rated": True}, 409))["key"] == "already_started"
        async with house(tmp_path) as h:
            again = await h.person(secret=anna.secret)
            kept = await again.get(f"/api/tables/{id}")
            assert kept["take_back"] == "consent" and kept["hints"]

    run(scene())
