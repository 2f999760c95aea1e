"""Hints at a table: only where it was agreed, only for whoever is to decide, and only from what they see."""

from __future__ import annotations

import pathlib
from typing import Any

from ludoteca.core.engine import interpreted
from ludoteca.core.record import copied
from ludoteca.review.hinting import advise
from server.house import House, Json, Person, house, run


async def begun(h: House, **wish: Any) -> tuple[Person, Person, Json]:
    """A game of Splendor in which Anna is to decide, and Bruno waits."""
    anna, bruno = await h.person("Anna"), await h.person("Bruno")
    table = await anna.open(2, **wish)
    await bruno.post(f"/api/tables/{table['id']}/sit", {})
    found = await anna.post(f"/api/tables/{table['id']}/start")
    first, other = (anna, bruno) if found["waiting"] == [0] else (bruno, anna)
    return first, other, table


async def asked(person: Person, table: Json, strength: int) -> tuple[int, Json]:
    answer = await person.http.post(f"/api/tables/{table['id']}/hint", json={"strength": strength})
    return answer.status_code, answer.json()


def test_whoever_is_to_decide_may_ask_where_it_was_agreed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, hints_a_minute=3) as h:
            anna, bruno, table = await begun(h, hints=True)
            assert (await bruno.get(f"/api/tables/{table['id']}"))["hints"], "everybody sees that it is so"
            status, told = await asked(anna, table, 1)
            assert status == 200
            assert {may["kind"] for may in told["may"]} >= {"take_three", "reserve"}
            assert all(may["words"]["it"] and may["words"]["en"] for may in told["may"])
            status, told = await asked(anna, table, 2)
            assert (status, told["strength"], told["may"]) == (200, 2, [])
            assert (await asked(bruno, table, 1))[1]["key"] == "not_your_turn"
            assert (await asked(anna, table, 4))[0] == 400
            assert (await asked(anna, table, 1))[0] == 200, "what was asked before is not counted again"

    run(scene())


def test_there_are_none_in_rated_games_nor_where_nobody_agreed_on_them(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            for wish in ({}, {"hints": True, "rated": True}):
                anna, _, table = await begun(h, **wish)
                assert (await asked(anna, table, 1))[1]["key"] == "no_hints"
                assert not (await anna.get(f"/api/tables/{table['id']}"))["hints"]

    run(scene())


def test_so_many_a_minute(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, hints_a_minute=1) as h:
            anna, _, table = await begun(h, hints=True)
            assert (await asked(anna, table, 1))[0] == 200
            assert (await asked(anna, table, 2))[1]["key"] == "too_many_hints"

    run(scene())


def test_worlds_that_look_alike_get_the_same_hint() -> None:
    from ludoteca.catalogue import game

    engine = interpreted(game("splendor"))
    one = engine.start(2, {}, 5)
    other = copied(one)
    other["deck"][0, 0, :20] = other["deck"][0, 0, :20][::-1]
    seat = engine.waiting(one)[0]
    told = [
        advise(engine, engine.game.redact(states, 0, seat), seat, strength, 3)
        for states in (one, other)
        for strength in (1, 2)
    ]
    assert told[:2] == told[2:]
