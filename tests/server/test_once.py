"""Once means once: a repeated command does nothing more and is answered alike, in the open and behind screens.

A command is repeated when its answer was lost; meanwhile other commands may have come, and the server may have gone down.
"""

from __future__ import annotations

import pathlib

from ludoteca.games.king_of_con import GAME
from server.house import Json, Line, house, run
from server.test_screens import PLACES, at_the_con, decide

BID = GAME.actions.encode("bid", 1, 3)
OTHER_BID = GAME.actions.encode("bid", 2, 5)
PLACE = [GAME.actions.encode(*words) for words in PLACES]
SEAL = GAME.actions.encode("seal")


async def answer(line: Line, **message: object) -> Json:
    """What a command is answered with."""
    await line.send(**message)
    return await line.next_of(("done", "refused"), lambda m: m["id"] == message["id"])


async def bid(line: Line, id: str, action: int = BID, **more: object) -> Json:
    return await answer(line, type="do", id=id, action=action, at=0, **more)


async def open_again(line: Line, id: str) -> Json:
    return await answer(line, type="open_again", id=id, at=0)


def test_a_repeated_seal_does_not_seal_what_was_opened_again(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table, (anna, *_) = await at_the_con(h)
            first = await bid(anna, "mine")
            await open_again(anna, "again")
            assert await bid(anna, "mine") == first
            kept = await h.table(table["id"])
            assert kept.waiting() == [0, 1, 2], "it is still open"
            assert kept.row.drafts == ""

    run(scene())


def test_a_repeated_opening_does_not_take_a_newer_offer_away(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table, (anna, *_) = await at_the_con(h)
            nothing = await open_again(anna, "nothing there yet")
            await bid(anna, "mine")
            first = await open_again(anna, "again")
            await bid(anna, "newer", OTHER_BID)
            assert await open_again(anna, "again") == first
            assert await open_again(anna, "nothing there yet") == nothing
            kept = await h.table(table["id"])
            assert kept.waiting() == [1, 2], "the newer offer stands"

    run(scene())


def test_a_name_used_for_something_else_is_refused_with_a_sentence(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, (anna, bruno, carla) = await at_the_con(h)
            await bid(anna, "mine")
            refusals = [await bid(anna, "mine", OTHER_BID), await open_again(anna, "mine"), await bid(bruno, "mine")]
            await open_again(anna, "again")
            refusals += [await bid(anna, "mine", OTHER_BID), await bid(anna, "again"), await open_again(bruno, "again")]
            await bid(anna, "newer")
            for line in (bruno, carla):
                await decide(line, "pass")
            up = await anna.next("update", lambda m: m["seq"] == 3)
            refusals.append(await open_again(anna, "mine"))
            asked = (anna, bruno, carla)[up["waiting"][0]]
            choices = asked.of("update")[-1]["choices"]
            refusals.append(await answer(asked, type="do", id="mine", action=choices[0]["action"], at=3))
            assert [(refused["type"], refused.get("key")) for refused in refusals] == [("refused", "id_used")] * 8
            assert all(refused["sentence"] for refused in refusals)

    run(scene())


def test_every_repetition_is_answered_with_the_same_number(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        commands: list[tuple[int, Json]] = [
            (0, {"type": "do", "id": "chain", "action": PLACE[0], "then": [PLACE[1], SEAL], "at": 0}),
            (0, {"type": "open_again", "id": "again", "at": 0}),
            (0, {"type": "do", "id": "half", "action": PLACE[0], "at": 0}),
            (0, {"type": "do", "id": "rest", "action": PLACE[1], "then": [SEAL], "at": 0}),
            (1, {"type": "do", "id": "his", "action": BID, "at": 0}),
            (2, {"type": "do", "id": "last", "action": GAME.actions.encode("pass"), "at": 0}),
        ]
        async with house(tmp_path) as h:
            people, table, lines = await at_the_con(h)
            answers = []
            for seat, command in commands:
                answers.append(await answer(lines[seat], **command))
                assert await answer(lines[seat], **command) == answers[-1]
            assert [answer["seq"] for answer in answers] == [1] * len(commands), "with which the screens went up"
            for (seat, command), first in zip(commands, answers, strict=True):
                assert await answer(lines[seat], **command) == first, "after the screens went up"
            assert (await h.table(table["id"])).seq == 5, "two offers and a seal, a bid, a pass"
            secrets = [person.secret for person in people]
        async with house(tmp_path) as h:
            lines = [await (await h.person(secret=secret)).line(table["id"]) for secret in secrets]
            for (seat, command), first in zip(commands, answers, strict=True):
                assert await answer(lines[seat], **command) == first, "after a restart"
            assert (await h.table(table["id"])).seq == 5

    run(scene())


def test_a_repetition_while_screens_are_down_outlives_the_server(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            people, table, (anna, *_) = await at_the_con(h)
            sealed, opened = await bid(anna, "mine"), await open_again(anna, "again")
            newer = await bid(anna, "newer", OTHER_BID)
            secret = people[0].secret
        async with house(tmp_path) as h:
            anna = await (await h.person(secret=secret)).line(table["id"])
            assert await bid(anna, "mine") == sealed
            assert await open_again(anna, "again") == opened
            assert await bid(anna, "newer", OTHER_BID) == newer
            back = await h.table(table["id"])
            assert (back.waiting(), back.seq) == ([1, 2], 0)

    run(scene())


def test_there_is_nothing_to_open_before_the_start(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            line = await anna.line((await anna.open(2))["id"])
            assert (await open_again(line, "early"))["key"] == "not_started"

    run(scene())
