"""Taking back at a table: allowed and refused, once, over restarts and servers, and in the proof."""

from __future__ import annotations

import pathlib
import random
import runpy
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.play import Play
from ludoteca.core.undo import before_decisions, judged
from ludoteca.games.splendor import GAME as SPLENDOR
from ludoteca.server import bots
from ludoteca.server.audit import audit
from ludoteca.server.check import check
from ludoteca.server.fair import verify
from ludoteca.server.sparing import Sparing
from ludoteca.server.taking_back import NOTHING, TakingBack
from ludoteca.server.wire import MayTakeBack, Record
from server.house import House, Json, Line, answers, first_legal, house, newer, run, two_at_a_table

VERIFIER = pathlib.Path(__file__).parents[2] / "docs" / "verify_chance.py"


def of_kind(update: Json, kind: str) -> int:
    return next(int(choice["action"]) for choice in update["choices"] if choice["kind"] == kind)


async def offered(line: Line) -> Json:
    return await line.next("may_take_back")


async def take(line: Line, to: int, id: str = "back") -> Json:
    await line.send(type="take_back", id=id, to=to)
    return await line.next_of(("done", "refused"), answers(id))


def test_a_decision_is_taken_back_and_everybody_sees_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, table, anna, bruno = await two_at_a_table(h)
            first, theirs = anna.of("update")[-1], bruno.of("update")[-1]
            await anna.do(of_kind(first, "take_three"), 0)
            assert await offered(anna) == {"type": "may_take_back", "to": 0, "why": None, "ask": False}
            assert (await take(anna, 0))["seq"] == 2
            for line, was in (anna, first), (bruno, theirs):
                now = await line.next("update", newer(1))
                assert (now["view"], now["choices"], now["waiting"]) == (was["view"], was["choices"], was["waiting"])
                [event] = now["events"]
                assert (event["kind"], event["seat"], event["after"], event["decider"]) == (
                    "taken_back",
                    0,
                    0,
                    "person",
                )
            assert (await offered(anna))["to"] is None
            assert bruno.of("may_take_back") == [], "nobody else hears of it"
            assert await take(anna, 0) == {"type": "done", "id": "back", "seq": 2}, "a retry is answered alike"
            assert (await h.table(table["id"])).seq == 2
            await anna.do(of_kind(first, "take_three"), 2)
            await bruno.do(of_kind(await bruno.next("update", newer(2)), "reserve"), 3)
            why = (await anna.next("may_take_back", lambda message: message["why"] is not None))["why"]
            assert (why["key"], why["sentence"]) == ("back_moved", "Bruno has moved since.")
            assert (await take(anna, 2, "late"))["key"] == "back_moved"
            why = (await offered(bruno))["why"]
            assert why["key"] == "back_seen"
            assert (await take(bruno, 3, "seen"))["key"] == "back_seen"

    run(scene())


def test_a_stale_wish_and_a_stranger_s_are_refused(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, table, anna, bruno = await two_at_a_table(h)
            assert (await take(anna, 0, "early"))["key"] == "back_nothing"
            await anna.do(of_kind(anna.of("update")[-1], "take_three"), 0)
            assert (await take(anna, 7, "where"))["key"] == "stale"
            assert (await take(bruno, 0, "not mine"))["key"] == "back_nothing"
            watcher = await (await h.person("Carla")).line(table["id"])
            assert (await take(watcher, 0, "watching"))["key"] == "only_seated"

    run(scene())


@pytest.mark.parametrize("game", catalogue.keys(of=catalogue.HOUSE))
def test_in_each_game_what_was_seen_stays(tmp_path: pathlib.Path, game: str) -> None:
    """People play on; what the server offers works, and what it refuses is refused with the same sentence."""

    async def scene() -> None:
        async with house(tmp_path) as h:
            seats = 3 if game == "king_of_con" else 2
            people = [await h.person(name) for name in ("Anna", "Bruno", "Carla")[:seats]]
            table = await people[0].open(seats, game=game)
            for person in people[1:]:
                await person.post(f"/api/tables/{table['id']}/sit", {})
            lines = [await person.line(table["id"]) for person in people]
            await people[0].post(f"/api/tables/{table['id']}/start")
            for line in lines:
                await line.next("update")
            live = await h.table(table["id"])
            found = {"taken": 0, "refused": 0}
            for number in range(40):
                if live.play is None or live.play.is_over() or min(found.values()) >= 2:
                    break
                seat = live.waiting()[0]
                position = live.play_of(seat).position(seat)
                chosen = position.choices()
                action = chosen[number * 5 % len(chosen)]["action"]
                await live.decide(seat, [action], None, f"{number}", None)
                offer, before = live.back.offer(seat), live.seq
                if offer.to is None or (offer.why is None and found["taken"] == 2):
                    continue  # the game shall go on
                answer = await take(lines[seat], offer.to, f"back {number}")
                why = offer.why
                assert answer.get("key") == (why and why.key)
                assert live.seq == before + (why is None)
                found["refused" if why else "taken"] += 1
            assert found["refused"] >= 1
            if game in ("splendor", "challengers"):
                assert found["taken"] >= 1

    run(scene())


def test_alone_with_bots_one_goes_back_to_any_decision(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(bots, "choose", first_legal)

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            table = await anna.post("/api/play-now", {"game": "splendor", "seats": 3, "level": "novice"})
            line = await anna.line(table["id"])
            start = await line.next("update")
            mine = table["you"]
            position = start
            for _ in range(3):
                while mine not in position["waiting"] or not position["choices"]:
                    position = await line.next("update", newer(position["seq"]))
                await line.do(position["choices"][0]["action"], position["seq"])
                position = await line.next("update", newer(position["seq"]))
            live = await h.table(table["id"])
            await live.bots.rest()
            assert live.play is not None
            befores = [*before_decisions(live.play, mine)]
            assert (await take(line, befores[-1]))["type"] == "done"
            assert live.play.stands_after == befores[-1]
            assert live.waiting() == [mine]

    run(scene())


def test_with_consent_the_rest_can_be_taken_back(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            people = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            table = await people[0].open(3, take_back="consent")
            for person in people[1:]:
                await person.post(f"/api/tables/{table['id']}/sit", {})
            anna, bruno, carla = [await person.line(table["id"]) for person in people]
            await people[0].post(f"/api/tables/{table['id']}/start")
            first = await anna.next("update")
            assert (await refusal(anna, type="ask_back"))["key"] == "back_nothing"
            await anna.do(of_kind(first, "reserve"), 0)
            assert (await anna.next("may_take_back"))["ask"] is True
            assert (await refusal(bruno, type="answer_back", yes=True, at=1))["key"] == "back_not_asked"
            await anna.send(type="ask_back")
            asks = {"seat": 0, "agreed": [], "asked": [1, 2]}
            await bruno.next("table", lambda message: message["table"]["asks"] == asks)
            await bruno.send(type="answer_back", yes=False, at=1)
            await anna.next("table", lambda message: message["table"]["asks"] == asks)
            await anna.next("table", lambda message: message["table"]["asks"] is None)
            assert (await refusal(anna, type="ask_back"))["key"] == "back_refused", "the same is not asked twice"
            live = await h.table(table["id"])
            await live.decide(1, [of_kind(bruno.of("update")[-1], "take_three")], None, "on", None)
            await anna.send(type="ask_back")
            await bruno.next("table", lambda message: message["table"]["asks"] == asks)
            await bruno.send(type="answer_back", yes=True, at=2)
            await carla.next("table", lambda message: message["table"]["asks"] == asks | {"agreed": [1]})
            await carla.send(type="answer_back", yes=True, at=2)
            for line in anna, bruno, carla:
                back = await line.next("update", newer(2))
                assert [event["kind"] for event in back["events"]] == ["taken_back"]
            assert (live.seq, live.play and live.play.stands_after) == (3, 0)

    run(scene())


async def refusal(line: Line, **message: Any) -> Json:
    await line.send(**message)
    return await line.next("refused")


def test_a_restart_and_the_proof_know_what_was_taken_back(tmp_path: pathlib.Path) -> None:
    async def beginning() -> tuple[str, str, bytes]:
        async with house(tmp_path) as h:
            anna, _, table, line, _ = await two_at_a_table(h)
            await line.do(of_kind(line.of("update")[-1], "take_three"), 0)
            await take(line, 0)
            live = await h.table(table["id"])
            assert live.play is not None and anna.secret is not None
            return table["id"], anna.secret, live.play.states.tobytes()

    async def afterwards(id: str, secret: str, states: bytes) -> None:
        async with house(tmp_path) as h:
            live = await h.table(id)
            assert live.play is not None
            assert (live.play.states.tobytes(), live.seq, live.play.depth) == (states, 2, 0)
            anna = await h.person(secret=secret)
            line = await anna.line(id)
            heard = await line.next("update")
            assert [event["kind"] for event in heard["events"]][-1] == "taken_back"
            assert await take(line, 0) == {"type": "done", "id": "back", "seq": 2}
            moments = await anna.get(f"/api/tables/{id}/moments")
            assert [moment["seq"] for moment in moments["moments"]] == [0, 1, 2]
            await finish(h, id)
            written = await anna.get(f"/api/tables/{id}/record")
            alone = runpy.run_path(str(VERIFIER))
            assert alone["check_record"](written).startswith("All ")
            assert alone["steps_that_stand"](written["decisions"]) == (await h.table(id)).seq - 2
            record = msgspec.convert(written, Record)
            assert record.decisions[1] == [0, -1]
            assert all(step.ok for step in verify(record))
            assert next(draws.seq for draws in record.fair.draws or []) == 0

    id, secret, states = run(beginning())
    run(afterwards(id, secret, states))
    problems: list[str] = []
    check(tmp_path / "games.db", problems.append, lambda _: None, lambda *_: None)
    assert problems == []
    told = audit(tmp_path / "games.db", id)
    assert not told.problem
    assert [step.written for step in told.steps if step.action < 0] == ["taken back to step 0"]
    assert told.steps[1].views == told.dealt, "everybody is shown what they were shown before it"


async def finish(h: House, id: str) -> None:
    """Plays a game to its end."""
    live, number = await h.table(id), 0
    while live.play is not None and not live.play.is_over():
        seat = live.waiting()[0]
        chosen = live.play_of(seat).position(seat).choices()
        await live.decide(seat, [chosen[number * 7 % len(chosen)]["action"]], None, f"end {number}", None)
        number += 1


def test_what_is_found_at_once_is_what_looking_into_worlds_would_find() -> None:
    play, dice = Play.deal(interpreted(SPLENDOR), 3, {}, 5), random.Random(2)
    back = TakingBack(cast(Any, TableOf(play)))

    def found_at_once() -> int:
        found = 0
        for seat in range(play.seats):
            if back._at_once(seat) is None:
                list(back._find(seat))
            else:
                found += 1
            assert back._verdict(seat) == judged(play, seat)
        return found

    at_once = taken_back = 0
    for _ in range(14):
        seat = play.waiting()[0]
        play.decide(seat, [dice.choice(play.engine.legal(play.states, 0, seat))])
        at_once += found_at_once()
        verdict = judged(play, seat)
        if verdict.may and dice.random() < 0.5:  # then others' decisions stand as they did before
            play.follow(seat, [verdict.action])
            taken_back += 1
            found_at_once()
    assert at_once > 20 and taken_back > 1


def test_whoever_could_not_be_told_in_time_hears_it_with_the_next_look() -> None:
    play, dice = Play.deal(interpreted(SPLENDOR), 3, {}, 5), random.Random(4)
    table = ListeningTable(play)
    back, looks = TakingBack(cast(Any, table)), 0
    for _ in range(40):
        for _ in range(dice.choice([1, 1, 2])):
            seat = play.waiting()[0]
            play.decide(seat, [dice.choice(play.engine.legal(play.states, 0, seat))])
        table.has_time = dice.random() < 0.5
        back._tell(back._happened)
        if table.has_time:
            assert [table.heard.get(seat, NOTHING) for seat in range(3)] == [back.offer(seat) for seat in range(3)]
            looks += 1
    assert looks > 10


def test_whoever_could_take_back_hears_with_the_next_decision_that_others_have_moved() -> None:
    play, dice = Play.deal(interpreted(SPLENDOR), 3, {}, 5), random.Random(4)
    table = ListeningTable(play)
    back, voided = TakingBack(cast(Any, table)), 0
    for _ in range(12):
        seat = play.waiting()[0]
        offered = [other for other, told in table.heard.items() if told.to is not None and told.why is None]
        play.decide(seat, [dice.choice(play.engine.legal(play.states, 0, seat))])
        back._tell_others()  # as `publish` does, before any time is spared for the rest
        for other in offered:
            if other != seat:
                why = table.heard[other].why
                assert why is not None and why.key == "back_moved" and why.facts["seat"] == seat
                voided += 1
        back._tell(back._happened)
    assert voided > 2


class TableOf:
    """As much of a table as taking back looks at."""

    seats = 3
    row = SimpleNamespace(rated=True, hot=False, drafts="", chairs=[])

    def __init__(self, play: Play) -> None:
        self.play, self.house = play, SimpleNamespace(sparing=Sparing(1.0))

    @property
    def seq(self) -> int:
        return self.play.seq

    def has_sealed(self, seat: int) -> bool:
        return False

    def name_of(self, seat: int) -> str:
        return f"Seat {seat}"


class ListeningTable(TableOf):
    """With three people, who hear what they may take back; what takes time is found out, or not."""

    row = SimpleNamespace(
        rated=True, hot=False, drafts="", phase="playing", take_back="free", asking="",
        chairs=[SimpleNamespace(guest=f"g{seat}", bot_plays=False) for seat in range(3)],
    )  # fmt: skip

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        self.house = SimpleNamespace(sparing=SimpleNamespace(add=self._work))
        self.heard, self.has_time = dict[int, MayTakeBack](), True

    def _work(self, task: Iterator[None]) -> None:
        if self.has_time:
            list(task)

    def by_eyes(self) -> dict[int, list[str]]:
        return {seat: [f"g{seat}"] for seat in range(3)}

    def tell_by_eyes(self, written: Callable[[int], bytes], only: int) -> None:
        self.heard[only] = msgspec.json.decode(written(only), type=MayTakeBack)
