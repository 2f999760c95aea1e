"""The benchmark says what it promises."""

import argparse
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from ludoteca.lab import bench, peers


def command(*words: str) -> int:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return bench.run_command(parser.parse_args(words))


def test_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("splendor", "--json", "--quick", "--no-cold") == 0
    figures = json.loads(capsys.readouterr().out)["games"]["splendor"]
    for key in ("compiled_steps_per_s", "call_steps_per_s", "batch_steps_per_s", "mcts_1000_ms", "warm_start_s"):
        assert figures[key] > 0, key
    assert figures["cold_start_s"] is None, "skipped"
    assert min(figures["compiled_steps_per_s"], figures["batch_steps_per_s"]) > figures["call_steps_per_s"] > 50_000


FIGURES = dict.fromkeys((key for key, _label, _unit in bench.ROWS), 1200.0) | {"seats": 2, "cold_start_s": None}


def test_a_report_for_people() -> None:
    said = bench.report("splendor", FIGURES)
    assert "random play, compiled driver" in said
    assert "1,200" in said


def test_ratios_are_of_medians() -> None:
    ours = {"a": dict.fromkeys(bench.WAYS, 100.0), "b": dict.fromkeys(bench.WAYS, 400.0)}
    (row,) = bench.compare(ours, {"OpenSpiel, Python": {"x": 1.0, "y": 5.0, "z": 16.0}})
    assert (row["theirs"], row["slowest"], row["fastest"]) == pytest.approx((5, 1, 16))
    assert row["times"] == pytest.approx(dict.fromkeys(bench.WAYS, 50))
    said = bench.report_peers([row], {"OpenSpiel, Python": {"x": 1.0, "y": 5.0, "z": 16.0}}, [])
    assert re.search(r"OpenSpiel, Python +5 +1 +16 +50\* +50 +50 +\(target 10\)", said)
    assert "x 1, y 5, z 16" in said


def test_peers_that_are_there_are_measured_and_others_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [replace(peer, games=peer.games[:1]) for peer in peers.PEERS if peer.name != "Pgx on the CPU, 1024 games"]

    def absent(name: str) -> Callable[[int], int]:
        raise ImportError("there is no such module")

    monkeypatch.setattr(bench, "PEERS", [*few, replace(few[0], name="Nobody", games=("go",), player=absent)])
    monkeypatch.setattr(bench, "measure", lambda *_, **__: FIGURES)
    assert command("splendor", "--peers", "--quick") == 0
    said = capsys.readouterr().out
    assert "Nobody, go: not measured (there is no such module)." in said
    assert "pip install 'ludoteca[peers]'" in said
    assert "OpenSpiel, C++ roll-outs after the deal: crazy_eights" in said


def test_decisions_of_whole_games_are_counted_to_the_last() -> None:
    play = peers.counted(lambda games: games, 2.5)
    assert [play(1), play(1), play(3), play(0)] == [2, 3, 7, 0]
    assert play(1) == 3, "the half that was carried over"
