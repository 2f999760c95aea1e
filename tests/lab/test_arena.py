"""The arena: balanced seats, results that do not depend on the number of processes, honest intervals."""

import argparse
import csv
import io
import json
import math
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from ludoteca import catalogue
from ludoteca.core import decks
from ludoteca.core.errors import BadData
from ludoteca.lab import arena, pools
from ludoteca.lab.bar import Bar

GAME = catalogue.game("splendor")


@pytest.mark.parametrize(
    ("bots", "seats"), [(2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (4, 4), (4, 2), (5, 3), (8, 4), (9, 8)]
)
def test_every_bot_has_every_seat_equally_often(bots: int, seats: int) -> None:
    tables = arena.pairings(bots, seats, 1000, 1)
    turns = [turn for table in tables for turn in arena.rotations(table, seats)]
    for seat in range(seats):
        assert set(Counter(turn[seat] for turn in turns).values()) == {len(turns) // bots}
    if bots > seats:
        assert len(tables) == math.comb(bots, seats), "everybody meets everybody"
        assert all(len(set(table)) == seats for table in tables)


def test_too_many_to_meet_all_are_drawn_fairly() -> None:
    tables = arena.pairings(30, 4, 100, 7)
    assert len(tables) == 100
    assert all(len(set(table)) == 4 for table in tables)
    times = Counter(bot for table in tables for bot in table)
    assert len(times) == 30 and max(times.values()) - min(times.values()) <= 1
    assert tables == arena.pairings(30, 4, 100, 7) != arena.pairings(30, 4, 100, 8)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(50, 100, 0.4038, 0.5962), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (280, 400, 0.6533, 0.7429)],
)
def test_intervals(wins: int, games: int, low: float, high: float) -> None:
    """Values of Wilson's interval computed elsewhere."""
    assert arena.wilson(wins, games) == pytest.approx((low, high), abs=5e-4)


def test_no_games_no_knowledge() -> None:
    assert arena.wilson(0, 0) == (0.0, 1.0)


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    one, two = (arena.run(GAME, ["uniform", "novice"], 12, seed=5, workers=n) for n in (1, 2))
    assert one == two
    assert one.standings[0].games == one.standings[1].games == 12
    assert sum(s.wins for s in one.standings) == pytest.approx(12)
    assert arena.run(GAME, ["uniform", "novice"], 12, seed=6, workers=1) != one


def test_every_deal_is_played_with_every_seating(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []

    def note(waiting: Any, workers: int) -> Any:
        tables.extend(waiting)
        return [arena.Played([1.0, 0.0], [0.0, 0.0], [1, 1], [1, 2]) for _ in waiting]

    monkeypatch.setattr(arena, "play_all", note)
    result = arena.run(GAME, ["uniform", "greedy"], 5, workers=1)
    assert result.games == 6, "whole rounds of seatings"
    assert [t.bots for t in tables[:2]] == [["uniform", "greedy"], ["greedy", "uniform"]]
    assert [t.seed for t in tables[0::2]] == [t.seed for t in tables[1::2]]
    assert len({t.seed for t in tables}) == 3
    assert [s.wins for s in result.standings] == [3.0, 3.0]


def test_after_its_time_an_arena_ends_the_round_and_has_played_the_first_games_of_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = {}

    def note(waiting: Any, workers: int) -> Any:
        tables.extend(waiting)
        return [arena.Played([1.0, 0.0], [0.0, 0.0], [1, 1], [1, 2]) for _ in waiting]

    monkeypatch.setattr(arena, "play_all", note)
    for seconds in (0.0, math.inf, 3600.0):
        tables: list[object] = []
        played[seconds] = arena.run(GAME, ["uniform", "greedy", "novice"], 30, seconds=seconds).games, tables
    (few, short), (all_of_them, whole) = played[0.0], played[math.inf]
    assert (few, all_of_them) == (6, 30), "three pairs, each both ways"
    assert played[3600.0] == played[math.inf]
    assert short == whole[:6]


def test_shared_wins_count_in_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        arena, "play_all", lambda tables, workers: [arena.Played([0.5, 0.5], [0.0] * 2, [1, 1], [1, 1]) for _ in tables]
    )
    standings = arena.run(GAME, ["uniform", "greedy"], 4).standings
    assert [s.wins for s in standings] == [2.0, 2.0]
    assert [s.mean_rank for s in standings] == [1.5, 1.5]
    assert [s.rating.points for s in standings] == [1500.0, 1500.0]


def test_more_than_two_at_the_table() -> None:
    result = arena.run(GAME, ["uniform", "greedy"], 4, seats=3, options={"edition": "base"}, workers=1)
    assert [s.games for s in result.standings] == [6, 6]
    assert sum(s.wins for s in result.standings) == pytest.approx(4)


def fixed(strength: dict[Any, int]) -> Callable[[Any, Any], Any]:
    """Instead of playing: the higher of these strengths comes first."""

    def play_all(tables: Iterable[arena.Table], workers: int) -> Iterator[arena.Played]:
        for table in tables:
            ranks = [1 + sum(strength[other] > strength[bot] for other in table.bots) for bot in table.bots]
            yield arena.Played([(rank == 1) / ranks.count(1) for rank in ranks], [0.0] * 9, [1] * 9, ranks)

    return play_all


FIVE = ["uniform", "glance:looks=2", "glance:looks=4", "glance:looks=8", "greedy"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_ladder_sorts_the_bots(monkeypatch: pytest.MonkeyPatch, seats: int) -> None:
    monkeypatch.setattr(arena, "play_all", fixed({bot: n for n, bot in enumerate(FIVE)}))
    result = arena.run(GAME, FIVE, 40, seats=seats, ladder=True)
    assert result.ladder == [s.bot for s in result.best_first()] == FIVE[::-1]
    assert result.games >= 40
    assert all(s.games for s in result.standings)


@pytest.mark.parametrize("bots", range(3, 10))
@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_on_a_ladder_everybody_plays(bots: Any, seats: int) -> None:
    if bots > seats:
        order = list(range(bots))
        met = [group for turn in (0, 1) for group in arena.neighbours(order, seats, turn)]
        assert {bot for group in met for bot in group} == set(order)
        assert all(len(group) == seats for group in met)


def test_round_robin_ratings_find_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "play_all", fixed({bot: n for n, bot in enumerate(FIVE)}))
    result = arena.run(GAME, FIVE, 40, seats=3)
    assert [s.bot for s in result.best_first()] == FIVE[::-1]
    assert [s.games for s in result.standings] == [36] * 5, "two deals for each of ten tables in three seatings"
    assert [s.mean_rank for s in result.standings] == sorted([s.mean_rank for s in result.standings], reverse=True)


# A worker is killed in the middle: the standings are those of a run without troubles.


class Killer:
    """Kills a process after the first game."""

    def __init__(self, victims: Any) -> None:
        self.victims, self.killed = victims, 0

    def __call__(self, done: Any, total: Any) -> None:
        if not self.killed:
            self.killed = self.victims()[0]
            os.kill(self.killed, signal.SIGKILL)


def test_a_killed_process_changes_nothing() -> None:
    settings: dict[str, Any] = {
        "which": GAME,
        "bots": ["uniform", "novice", "greedy"],
        "games": 48,
        "seed": 4,
        "ladder": True,
    }
    killer = Killer(lambda: [child.pid for child in multiprocessing.active_children()])
    assert arena.run(**settings, workers=2, progress=killer) == arena.run(**settings, workers=1)
    assert killer.killed


@pytest.fixture
def cluster(tmp_path: pathlib.Path) -> Iterator[Any]:
    """A Dask scheduler and two workers, each a process: the address, and the workers' process numbers."""
    pytest.importorskip("distributed")
    address_file = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(address_file), "--no-dashboard"]
    here = ["--host", "127.0.0.1"]

    def dask(*words: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen([sys.executable, "-m", "dask", *words, *common, *here], stdout=quiet, stderr=quiet)

    running = [dask("scheduler", "--port", "0")]
    try:
        while not address_file.exists() or not address_file.read_text():
            assert running[0].poll() is None, "the scheduler did not start"
            time.sleep(0.05)
        running += [dask("worker", "--no-nanny", "--nthreads", "1", "--death-timeout", "60") for _ in range(2)]
        yield json.loads(address_file.read_text())["address"], [worker.pid for worker in running[1:]]
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_a_cluster_gives_the_same_standings_even_if_a_worker_is_killed(cluster: Any) -> None:
    address, workers = cluster
    settings: dict[str, Any] = {"which": GAME, "bots": ["uniform", "novice", "greedy"], "games": 96, "seed": 4}
    killer = Killer(lambda: workers)
    assert arena.run(**settings, cluster=address, progress=killer) == arena.run(**settings, workers=1)
    assert killer.killed


def test_no_cluster_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "SECONDS", 1)
    with pytest.raises(BadData, match=r"There is no Dask scheduler at tcp://127\.0\.0\.1:1"):
        command("splendor", "uniform", "novice", "--games", "2", "--cluster", "tcp://127.0.0.1:1")


def die(_job: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_that_always_die_are_given_up() -> None:
    with pools.Workers(2) as workers, pytest.raises(BadData, match="die as soon as they start"):
        list(workers.in_order(die, [1, 2]))


def test_other_rules_are_refused() -> None:
    with pytest.raises(BadData, match=r"rules .* of splendor, not 0\.0"):
        arena.play(arena.Table("splendor", ["uniform"] * 2, {}, 1, "0.0"))


def command(*words: str) -> int:
    parser = argparse.ArgumentParser()
    arena.add_arguments(parser)
    return arena.run_command(parser.parse_args(words))


def test_figures_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("splendor", "uniform", "novice", "--games", "4", "--workers", "1", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert set(said["bots"]) == {"uniform", "novice"}
    for figures in said["bots"].values():
        assert {"games", "wins", "rate", "low", "high", "mean_rank", "rating", "rating_low"} <= set(figures)
        assert figures["games"] == 4
        assert figures["rating_low"] < figures["rating"] < figures["rating_high"]
        assert figures["low"] <= figures["rate"] <= figures["high"]


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    command("splendor", "uniform", "novice", "--games", "2", "--workers", "1", "--option", "edition=base")
    said = capsys.readouterr()
    assert "splendor edition=base · 2 seats · 2 games · seed 0" in said.out
    assert "95 % interval" in said.out
    assert said.err == "", "no bar without a terminal"


def test_files_for_spreadsheets_and_eyes(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, drawing, picture = (tmp_path / name for name in ("a.csv", "a.svg", "a.png"))
    words = ("splendor", "uniform", "novice", "glance:looks=2", "--games", "6", "--workers", "1")
    command(*words, "--csv", str(sheet), "--plot", str(drawing))
    command(*words, "--plot", str(picture))
    capsys.readouterr()
    rows = list(csv.DictReader(sheet.read_text("utf-8").splitlines()))
    assert {row["bot"] for row in rows} == {"uniform", "novice", "glance:looks=2"}
    assert [float(row["rating"]) for row in rows] == sorted((float(row["rating"]) for row in rows), reverse=True)
    drawn = ElementTree.parse(drawing).getroot()
    written = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"uniform", "novice", "glance:looks=2"} <= set(written)
    assert f"{float(rows[0]['rating']):.0f}" in written
    with Image.open(picture) as image:
        assert image.width > 400 and len(image.getcolors(1 << 20) or ()) > 3


@pytest.mark.parametrize(
    "words",
    [
        ("splendor", "uniform", "uniform"),
        ("splendor", "greedy", "club", "--games", "0"),
        ("splendor", "greedy", "club", "--ladder"),
        ("splendor", "greedy", "club", "--plot", "a.pdf"),
    ],
)
def test_nonsense_is_refused_in_words(words: tuple[str, ...]) -> None:
    with pytest.raises(BadData):
        command(*words)


def test_the_bar_tells_rate_and_time_left() -> None:
    bar = Bar(400, "games")
    assert bar.line(100, 20.0) == "███████" + "░" * 23 + " 100/400 games · 5/s · 1:00 left"
    assert bar.line(0, 0.0).endswith("…")


def test_without_a_terminal_the_bar_writes_lines_if_asked() -> None:
    paper = io.StringIO()
    bar = Bar(2, "games", asked=True, stream=paper)
    bar.show(1)
    bar.show(2)
    bar.close()
    assert paper.getvalue().count("\n") == 1, "not a line for every game, but one for the last"
    assert "\r" not in paper.getvalue()


def test_alone_points_count_and_not_the_first_place_that_everybody_has() -> None:
    result = arena.run("loot", ["uniform", "greedy"], 8, seats=1, workers=1)
    uniform, greedy = result.standings
    assert (uniform.wins, greedy.wins) == (0.0, 0.0)
    assert min(uniform.points, greedy.points) > 0.0 and min(uniform.points_error, greedy.points_error) > 0.0
    by_points = sorted(result.standings, key=lambda standing: -standing.points)
    assert result.best_first() == by_points
    assert "points count" in result.table() and "rating" not in result.table()


def test_alone_against_the_game_beating_it_counts() -> None:
    standings = [arena.Standing("a", 10, 3.0, 1.0, points=12.0), arena.Standing("b", 10, 6.0, 1.0, points=9.0)]
    result = arena.ArenaResult("challengers", 1, 20, 0, {}, standings)
    assert [s.bot for s in result.best_first()] == ["b", "a"]
    assert "60.0%" in result.table() and "beating the game counts" in result.table()


def test_a_few_games_with_a_new_deck_wait_for_no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    form = decks.form_of(GAME, "marvel")
    rows = [row | {"name": "Nobody's yet"} if row["name"] == "Venom" else row for row in form.printed()]
    new = decks.with_deck(GAME, decks.read_deck(GAME, form, "new.csv", decks.as_file(GAME, form, rows)))
    whole = arena.run(GAME, ["novice", "greedy"], 2, workers=1)
    monkeypatch.setattr(arena, "is_compiled", lambda game: False)
    monkeypatch.setattr(arena, "engine_for", lambda *_: pytest.fail("machine code is made for a few games"))
    again = arena.run(new, ["novice", "greedy"], 2, workers=1)
    assert again.standings == whole.standings, "another title is no other game"
