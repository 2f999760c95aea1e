"""Lessons and puzzles at their addresses: without an account, refereed by the rules, nothing hidden told."""

from __future__ import annotations

import pathlib

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.lessons import lesson_of
from ludoteca.core.puzzles import puzzles_of
from ludoteca.server.fair import verify
from ludoteca.server.wire import Record, read
from server.house import house, run, until


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
            for ago in range(3):
                assert (await h.anybody().get(f"/api/puzzles/today?ago={ago}"))["id"] == days[2 - ago][0]
            for ago in (-1, 100_000):
                assert (await h.anybody().http.get(f"/api/puzzles/today?ago={ago}")).status_code in (400, 404)


def test_the_box_says_how_much_there_is_to_read(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            for game in await h.anybody().get("/api/games"):
                page = (await h.anybody().get(f"/api/games/{game['key']}/rules?language=en"))["text"]
                assert game["rules"]["chapters"] == page.count("\n## ")
                assert abs(game["rules"]["minutes"] - len(page.split()) / 200) <= 1

    run(scene())


def test_an_answer_tells_what_it_was_worth(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        game = catalogue.game("loot")
        puzzle = puzzles_of(game)[0]
        async with house(tmp_path) as h:
            shown = await h.anybody().get(f"/api/puzzles/{puzzle.id}")
            assert str(puzzle.best.chance) not in str(shown), "before the answer nothing is told of the chances"
            best, worse = (game.actions.read(puzzle.weighed[n].action) for n in (0, -1))
            weigh = [move["action"] for move in shown["moves"]]
            assert best in weigh and weigh == sorted(weigh), "their order does not tell which is the best"
            assert all(set(move) == {"action", "words"} for move in shown["moves"])
            right = await h.anybody().post(f"/api/puzzles/{puzzle.id}", {"actions": [best]})
            assert right["right"] and right["yours"] == right["best"][0]
            other = await h.anybody().post(f"/api/puzzles/{puzzle.id}", {"actions": [worse]})
            assert not other["right"] and other["yours"]["chance"] < other["best"][0]["chance"]
            await h.anybody().post(f"/api/puzzles/{puzzle.id}", {"actions": [game.actions.read("start 1 1")]}, 409)

    run(scene())


def test_an_answer_is_explained_by_what_follows_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        game = catalogue.game("splendor")
        puzzle = next(puzzle for puzzle in puzzles_of(game) if puzzle.seats == 2)
        at = f"/api/puzzles/{puzzle.id}/why"
        async with house(tmp_path) as h:
            best, worse = (game.actions.read(puzzle.weighed[n].action) for n in (0, -1))
            why = await h.anybody().post(at, {"actions": [worse]})
            assert why["best"] and why["other"], "another move, other consequences"
            for fact in why["best"] + why["other"]:
                assert fact["kind"] in ("end", "next", "then") and 40 <= fact["times"] <= 100
                assert (fact["kind"] == "then") == (fact["seat"] == puzzle.seat)
                assert all(fact["words"].values()) and (fact["kind"] == "end") == (not fact["words"])
                assert why["best"].count(fact) + why["other"].count(fact) == 1, "what is the same tells nothing apart"
            found = await h.anybody().post(at, {"actions": [best]})
            second = next(option.action for option in puzzle.weighed if option.action not in puzzle.answers)
            assert found == await h.anybody().post(at, {"actions": [game.actions.read(second)]})
            await h.anybody().post(at, {"actions": [10**6]}, 400)

    run(scene())


def test_a_puzzle_is_played_on_at_a_table_of_ones_own(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        game = catalogue.game("splendor")
        puzzle = puzzles_of(game)[0]
        true = puzzle.opened(interpreted(game))
        async with house(tmp_path) as h:
            await h.anybody().post(f"/api/puzzles/{puzzle.id}/table", {}, 401)
            anna = await h.person("Anna")
            table = await anna.post(f"/api/puzzles/{puzzle.id}/table", {})
            assert table["branch"] == {"table": "", "step": true.seq, "guessed": True, "puzzle": puzzle.id}
            assert (table["you"], table["rated"], table["public"]) == (puzzle.seat, False, False)
            assert [chair["kind"] for chair in table["chairs"]].count("bot") == puzzle.seats - 1
            begun = (await h.table(table["id"])).play
            assert begun is not None
            seen = [game.redact(states, 0, puzzle.seat).tobytes() for states in (true.states, begun.beginning)]
            assert seen[0] == seen[1], "it goes on where the puzzle stands"
            assert true.states["deck"].tobytes() != begun.beginning["deck"].tobytes(), "the unknown is dealt again"
            await anna.post(f"/api/tables/{table['id']}/leave")
            live = await h.table(table["id"])
            await until(lambda: live.row.phase == "over")
            record = read((await anna.http.get(f"/api/tables/{table['id']}/record")).content, Record)
            assert all(step.ok for step in verify(record))

    run(scene())
