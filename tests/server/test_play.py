"""Playing over the wire: from the first visit to the last card."""

from __future__ import annotations

import asyncio
import pathlib
import random

import msgspec
import pytest

from ludoteca.catalogue import HOUSE, game, keys
from ludoteca.core.engine import interpreted
from ludoteca.core.journal import Journal, finish
from ludoteca.core.keyed import Keyed
from ludoteca.core.words import catalogue
from ludoteca.server import fair, queries
from ludoteca.server.refusals import WORDS
from ludoteca.server.wire import Record
from server.house import House, Json, Line, answers, house, newer, play, run, two_at_a_table


@pytest.mark.usefixtures("fast_hands")
def test_a_game_against_bots_from_first_visit_to_the_record(tmp_path: pathlib.Path) -> None:
    async def scene(h: House) -> None:
        anna = await h.person("Anna")
        table = await anna.post("/api/play-now", {"game": "splendor", "seats": 3, "level": "novice"})
        assert [chair["kind"] for chair in table["chairs"]] == ["person", "bot", "bot"]
        line = await anna.line(table["id"])
        assert (await line.next("table"))["table"]["phase"] == "playing"
        position = await line.next("update")
        assert position["fresh"]
        assert position["events"] == []
        while not position["result"]:
            if position["choices"]:
                await line.do(position["choices"][-1]["action"], position["seq"])
            position = await line.next("update", newer(position["seq"]))
            assert not position["fresh"]
        assert position["waiting"] == []
        assert sorted(position["result"]["ranks"])[0] == 1
        assert (await line.next("table"))["table"]["phase"] == "over"
        revealed = await line.next("revealed")
        record = await anna.get(f"/api/tables/{table['id']}/record")
        assert record["fair"] == revealed["fair"]
        assert record["result"] == position["result"]
        assert len(record["decisions"]) == position["seq"]

    async def in_house() -> None:
        async with house(tmp_path) as h:
            await scene(h)

    run(in_house())


@pytest.mark.usefixtures("fast_hands")
@pytest.mark.parametrize("key", keys(HOUSE))
def test_every_game_of_the_house_is_played_to_its_end_by_people_and_bots(tmp_path: pathlib.Path, key: str) -> None:
    """Whether one decides at a time or all at once: two people and, where there is a third chair, a bot."""

    async def person(line: Line, dice: random.Random) -> Json:
        position = await line.next("update")
        while not position["result"]:
            if position["choices"]:
                command = await line.do(dice.choice(position["choices"])["action"], position["seq"])
                answer = await line.next_of(("done", "refused"), answers(command))
                assert answer["type"] == "done", answer
            position = await line.next("update")  # what comes after `done` shows the decision
        return position

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            seats = min(3, max(game(key).seats))
            info = await anna.open(seats, game=key)
            await bruno.post(f"/api/tables/{info['id']}/sit", {})
            lines = await anna.line(info["id"]), await bruno.line(info["id"])
            await anna.post(f"/api/tables/{info['id']}/start")
            ends = await asyncio.gather(*(person(line, random.Random(n)) for n, line in enumerate(lines)))
            assert ends[0]["result"] == ends[1]["result"]
            assert len(ends[0]["result"]["ranks"]) == seats
            record = await anna.http.get(f"/api/tables/{info['id']}/record")
            steps = fair.verify(msgspec.json.decode(record.content, type=Record))
            assert [step for step in steps if not step.ok] == []

    run(scene())


@pytest.mark.usefixtures("fast_hands")
def test_everybody_sees_one_order_without_gaps(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, a, b = await two_at_a_table(h)
            last = await play({0: a, 1: b}, 30)
            for line in (a, b):
                updates = line.of("update")
                assert [u["seq"] for u in updates] == list(range(last + 1))
                numbers = [e["n"] for u in updates for e in u["events"]]
                assert numbers == list(range(1, len(numbers) + 1))

    run(scene())


@pytest.mark.usefixtures("fast_hands")
def test_the_game_played_is_the_game_stored(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, info, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 25)
            table = await h.table(info["id"])
            kept = await h.app.lobby.house.store.read(queries.find_game, info["id"])
            decisions = [(seat, action) for seat, action, _ in kept.decided]
            chance = fair.chance_of(table.row, kept)
            assert isinstance(chance, Keyed)
            journal = Journal("splendor", table.game.version, 2, table.row.options, None, decisions, keyed=chance)
            assert table.play is not None
            assert finish(interpreted(table.game), journal).tobytes() == table.play.states.tobytes()

    run(scene())


def test_done_comes_before_the_update_and_only_to_the_one_who_decided(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, a, b = await two_at_a_table(h)
            id = await a.do(a.of("update")[-1]["choices"][0]["action"], 0)
            await b.next("update", lambda m: m["seq"] == 1)
            await a.next("update", lambda m: m["seq"] == 1)
            assert [m["type"] for m in a.heard if m["type"] in ("done", "update")][-2:] == ["done", "update"]
            assert a.of("done") == [{"type": "done", "id": id, "seq": 1}]
            assert b.of("done") == []

    run(scene())


def test_a_repeated_command_takes_effect_once_and_gets_the_same_answer(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, info, a, b = await two_at_a_table(h)
            action = a.of("update")[-1]["choices"][0]["action"]
            again = await anna.line(info["id"])
            await again.next("update")
            for line in (a, again, a, again):
                await line.do(action, 0, "mine")
            first, second = await again.next("done"), await again.next("done")
            assert first == second == {"type": "done", "id": "mine", "seq": 1}
            await b.next("update", lambda m: m["seq"] == 1)
            await play({0: a, 1: b}, 1)  # Bruno
            await a.do(action, 0, "mine")  # even when it is Anna's turn again and the action may be legal
            assert (await a.next("done", lambda m: m["seq"] == 1))["id"] == "mine"
            assert (await h.table(info["id"])).seq == 2
            await a.do(action + 1, 2, "mine")
            assert (await a.next("refused"))["key"] == "id_used"

    run(scene())


def test_a_decision_on_choices_that_have_changed_is_stale(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 2)
            choices = a.of("update")[-1]["choices"]
            await a.do(choices[0]["action"], 0)
            refused = await a.next("refused")
            assert refused["key"] == "stale"
            assert refused["sentence"] == catalogue(WORDS, "en")["why.stale"]
            await a.do(choices[0]["action"], 99)
            assert (await a.next("refused"))["key"] == "stale"

    run(scene())


@pytest.mark.parametrize(
    ("who", "action", "key"),
    [("b", 0, "not_your_turn"), ("a", 10**6, "no_such_action"), ("a", None, "not_now_pay"), ("c", 0, "only_seated")],
)
def test_a_refusal_is_a_sentence_and_changes_nothing(
    tmp_path: pathlib.Path, who: str, action: int | None, key: str
) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, info, a, b = await two_at_a_table(h)
            carla = await h.person("Carla")
            c = await carla.line(info["id"])
            await c.next("update")
            line = {"a": a, "b": b, "c": c}[who]
            number = (await h.table(info["id"])).game.actions.encode("pay") if action is None else action
            id = await line.do(number, 0)
            refused = await line.next("refused")
            assert (refused["id"], refused["key"]) == (id, key)
            assert refused["sentence"].endswith(".")
            assert (await h.table(info["id"])).seq == 0

    run(scene())


def test_choices_are_only_for_the_seat_that_waits(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, info, a, b = await two_at_a_table(h)
            c = await (await h.person("Carla")).line(info["id"])
            seen = await c.next("update")
            assert a.of("update")[-1]["choices"]
            assert b.of("update")[-1]["choices"] == []
            assert seen["choices"] == []
            assert seen["view"]["you"] is None

    run(scene())


def test_people_talk_and_newcomers_read_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, info, a, b = await two_at_a_table(h)
            await a.send(type="say", text="  hello\u202e \n you ")
            said = await b.next("said")
            assert (said["seat"], said["name"], said["text"]) == (0, "Anna", "hello you")
            c = await (await h.person("Carla")).line(info["id"])
            assert (await c.next("said")) == said
            await c.send(type="say", text="good luck")
            assert (await c.next("said", lambda m: m["name"] == "Carla"))[
                "seat"
            ] is None  # while they play: for her alone
            for text, key in (("", "no_text"), ("x" * 501, "text_too_long")):
                await a.send(type="say", text=text)
                assert (await a.next("refused"))["key"] == key

    run(scene())
