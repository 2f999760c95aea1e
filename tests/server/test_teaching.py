"""Lessons and puzzles at their addresses: without an account, refereed by the rules, nothing hidden told."""

from __future__ import annotations

import pathlib

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.lessons import lesson_of
from ludoteca.core.puzzles import puzzles_of
from server.house import house, run


def test_a_lesson_is_refereed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        game = catalogue.game("loot")
        lesson = lesson_of(game)
        assert lesson is not None
        async with house(tmp_path) as h:
            anybody = h.anybody()
            told = await anybody.get("/api/games/loot/lesson")
            assert len(told["steps"]) == len(lesson.script.steps)
            begun = await anybody.get("/api/games/loot/lesson/0")
            right = lesson.decision(lesson.script.steps[0])
            otherwise = {"actions": [begun["choices"][0]["action"]]}
            assert await anybody.post("/api/games/loot/lesson/0", otherwise) == {"right": False, "updates": []}
            impossible = {"actions": [game.actions.read("stay")]}
            assert (await anybody.post("/api/games/loot/lesson/0", impossible, 409))["sentence"]
            went_on = await anybody.post("/api/games/loot/lesson/0", {"actions": right})
            assert went_on["right"] and went_on["updates"][-1]["seq"] == 2
            again = await anybody.get("/api/games/loot/lesson/0")
            assert again == begun, "nothing of it is stored"

    run(scene())


def test_a_lesson_tells_what_the_learner_may_see_and_nothing_else(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        lesson = lesson_of(catalogue.game("king_of_con"))
        assert lesson is not None
        plays = [play.copy() for _, play in lesson.played(interpreted(lesson.game))]
        async with house(tmp_path) as h:
            for number, play in enumerate(plays):
                told = await h.anybody().get(f"/api/games/king_of_con/lesson/{number}")
                assert told["view"] == play.position(lesson.script.seat).view()

    run(scene())


def test_the_puzzle_of_the_day_is_the_same_for_all_and_changes_at_midnight(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            days = []
            for day in range(3):
                h.app.clock = lambda day=day: (20_000 + day) * 86_400.0  # type: ignore[misc]
                days.append([(await h.anybody().get("/api/puzzles/today"))["id"] for _ in range(2)])
            assert all(first == second for first, second in days)
            assert len({first for first, _ in days}) == 3

    run(scene())


def test_an_answer_tells_what_it_was_worth(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        game = catalogue.game("loot")
        puzzle = puzzles_of(game)[0]
        async with house(tmp_path) as h:
            shown = await h.anybody().get(f"/api/puzzles/{puzzle.id}")
            assert str(puzzle.best.chance) not in str(shown), "before the answer nothing is told of the chances"
            best, worse = (game.actions.read(puzzle.weighed[n].action) for n in (0, -1))
            right = await h.anybody().post(f"/api/puzzles/{puzzle.id}", {"actions": [best]})
            assert right["right"] and right["yours"] == right["best"][0]
            other = await h.anybody().post(f"/api/puzzles/{puzzle.id}", {"actions": [worse]})
            assert not other["right"] and other["yours"]["chance"] < other["best"][0]["chance"]
            await h.anybody().post(f"/api/puzzles/{puzzle.id}", {"actions": [game.actions.read("start 1 1")]}, 409)

    run(scene())
