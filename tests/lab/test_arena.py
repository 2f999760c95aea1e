"""The arena: balanced seats, results that do not depend on the number of processes, honest intervals."""

import argparse
import io
import json
from collections import Counter

import pytest

from ludoteca import catalogue
from ludoteca.core.errors import BadData
from ludoteca.lab import arena
from ludoteca.lab.bar import Bar

GAME = catalogue.game("splendor")


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (4, 4), (4, 2)])
def test_every_bot_has_every_seat_equally_often(bots, seats):
    turns = arena.seatings(bots, seats)
    for seat in range(seats):
        assert set(Counter(turn[seat] for turn in turns).values()) == {len(turns) // bots}


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(50, 100, 0.4038, 0.5962), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (280, 400, 0.6533, 0.7429)],
)
def test_intervals(wins, games, low, high):
    """Values of Wilson's interval computed elsewhere."""
    assert arena.wilson(wins, games) == pytest.approx((low, high), abs=5e-4)


def test_no_games_no_knowledge():
    assert arena.wilson(0, 0) == (0.0, 1.0)


def test_results_do_not_depend_on_the_number_of_processes():
    one, two = (arena.run(GAME, ["uniform", "novice"], 12, seed=5, workers=n) for n in (1, 2))
    assert one == two
    assert one.standings[0].games == one.standings[1].games == 12
    assert sum(s.wins for s in one.standings) == pytest.approx(12)
    assert arena.run(GAME, ["uniform", "novice"], 12, seed=6, workers=1) != one


def test_every_deal_is_played_with_every_seating(monkeypatch):
    tables = []

    def note(waiting, workers):
        tables.extend(waiting)
        return [arena.Played([1.0, 0.0], [0.0, 0.0], [1, 1]) for _ in waiting]

    monkeypatch.setattr(arena, "play_all", note)
    result = arena.run(GAME, ["uniform", "greedy"], 5, workers=1)
    assert result.games == 6, "whole rounds of seatings"
    assert [t.bots for t in tables[:2]] == [["uniform", "greedy"], ["greedy", "uniform"]]
    assert [t.seed for t in tables[0::2]] == [t.seed for t in tables[1::2]]
    assert len({t.seed for t in tables}) == 3
    assert [s.wins for s in result.standings] == [3.0, 3.0]


def test_shared_wins_count_in_fractions(monkeypatch):
    monkeypatch.setattr(
        arena, "play_all", lambda tables, workers: [arena.Played([0.5, 0.5], [0.0] * 2, [1, 1]) for _ in tables]
    )
    assert [s.wins for s in arena.run(GAME, ["uniform", "greedy"], 4).standings] == [2.0, 2.0]


def test_more_than_two_at_the_table():
    result = arena.run(GAME, ["uniform", "greedy"], 4, seats=3, options={"edition": "base"}, workers=1)
    assert [s.games for s in result.standings] == [6, 6]
    assert sum(s.wins for s in result.standings) == pytest.approx(4)


def command(*words):
    parser = argparse.ArgumentParser()
    arena.add_arguments(parser)
    return arena.run_command(parser.parse_args(words))


def test_figures_for_machines(capsys):
    assert command("splendor", "uniform", "novice", "--games", "4", "--workers", "1", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert set(said["bots"]) == {"uniform", "novice"}
    for figures in said["bots"].values():
        assert {"games", "wins", "rate", "low", "high"} <= set(figures)
        assert figures["games"] == 4
        assert figures["low"] <= figures["rate"] <= figures["high"]


def test_a_table_for_people(capsys):
    command("splendor", "uniform", "novice", "--games", "2", "--workers", "1", "--option", "edition=base")
    said = capsys.readouterr()
    assert "splendor edition=base · 2 seats · 2 games · seed 0" in said.out
    assert "95 % interval" in said.out
    assert said.err == "", "no bar without a terminal"


@pytest.mark.parametrize("words", [("splendor", "uniform", "uniform"), ("splendor", "greedy", "club", "--games", "0")])
def test_nonsense_is_refused_in_words(words):
    with pytest.raises(BadData):
        command(*words)


def test_the_bar_tells_rate_and_time_left():
    bar = Bar(400, "games")
    assert bar.line(100, 20.0) == "███████" + "░" * 23 + " 100/400 games · 5/s · 1:00 left"
    assert bar.line(0, 0.0).endswith("…")


def test_without_a_terminal_the_bar_writes_lines_if_asked():
    paper = io.StringIO()
    bar = Bar(2, "games", asked=True, stream=paper)
    bar.show(1)
    bar.show(2)
    bar.close()
    assert paper.getvalue().count("\n") == 1, "not a line for every game, but one for the last"
    assert "\r" not in paper.getvalue()
