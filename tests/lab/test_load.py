"""The load test itself: a few tables for a moment, and what its report makes of good and bad figures."""

from __future__ import annotations

import asyncio
import pathlib

import pytest

from ludoteca.lab.load import BY_FAR, Measured, Plan, own_cores, run


def test_a_few_tables_are_played_at_and_every_move_reaches_all_four(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = Plan("few", tables=6, rate=30, seconds=2, most_ms=5000)
    [measured] = asyncio.run(run("splendor", (few,), tmp_path, own_cores()[0]))
    assert measured.moves >= 20
    assert len(measured.seen) == measured.moves <= len(measured.stored)
    assert (measured.dropped, measured.refused) == (0, 0)
    assert 0 < measured.cpu < measured.seconds
    assert all(stored > 0 for stored in measured.stored)
    assert "moves a second" in capsys.readouterr().out


def quiet(**more: object) -> Measured:
    """A thousand moves a second for ten seconds, each seen within 40 ms, by a server with a machine of its own."""
    measured = Measured(Plan("thousand", 250, 1000, 10), 10_000, 10.0, 8.0, 5.0, 0.5, [0.04] * 10_000, [0.03] * 10_000)
    for name, value in more.items():
        setattr(measured, name, value)
    return measured


def test_good_figures_are_ok() -> None:
    assert "MISSED" not in quiet().report()
    assert "QUIET" not in quiet().report()
    assert not quiet().missed_by_far


@pytest.mark.parametrize(
    "bad",
    [
        {"moves": 7_000},
        {"moves": 0},
        {"seen": [0.04] * 9_000 + [0.2] * 1_000},
        {"seen": []},
        {"dropped": 1},
        {"refused": 1},
    ],
)
def test_a_target_missed_by_far_is_an_error_on_a_quiet_machine_only(bad: dict[str, object]) -> None:
    assert "MISSED" in quiet(**bad).report()
    assert quiet(**bad).missed_by_far
    assert not quiet(**bad, others_cpu=9.0).missed_by_far
    assert "NOT A QUIET MACHINE" in quiet(**bad, others_cpu=9.0).report()


def test_a_target_missed_by_little_is_said_and_no_error() -> None:
    measured = quiet(seen=[0.1 * (1 + BY_FAR) / 2] * 10_000)
    assert "MISSED" in measured.report()
    assert not measured.missed_by_far


def test_memory_of_idle_tables_is_a_target_where_it_is_measured() -> None:
    measured = quiet(plan=Plan("idle", 1000, 1000, 10, most_idle=1000), idle=50_000.0)
    assert "an idle table" in measured.report()
    assert measured.missed_by_far
    assert "an idle table" not in quiet(idle=50_000.0).report()
