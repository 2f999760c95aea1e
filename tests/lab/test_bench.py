"""The benchmark says what it promises."""

import argparse
import json

from ludoteca.lab import bench


def command(*words):
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return bench.run_command(parser.parse_args(words))


def test_figures(capsys):
    assert command("splendor", "--json", "--quick", "--no-cold", "--no-peers") == 0
    figures = json.loads(capsys.readouterr().out)["games"]["splendor"]
    for key in ("compiled_steps_per_s", "call_steps_per_s", "batch_steps_per_s", "mcts_1000_ms", "warm_start_s"):
        assert figures[key] > 0, key
    assert figures["cold_start_s"] is None, "skipped"
    assert figures["compiled_steps_per_s"] > figures["batch_steps_per_s"] > figures["call_steps_per_s"] > 50_000


def test_a_report_for_people():
    figures = dict.fromkeys((key for key, _label, _unit in bench.ROWS), 1234.5) | {"seats": 2, "cold_start_s": None}
    said = bench.report("splendor", figures, {"some peer": 100.0})
    assert "random play, compiled driver" in said
    assert "1,234" in said
    assert "against some peer" in said
    assert "12.3 ×" in said
