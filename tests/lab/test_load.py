"""The load test itself: a few tables for a moment, and what its report makes of good and bad figures."""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import Sequence
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.lab import load
from ludoteca.lab.load import (
    BY_FAR,
    Crowd,
    House,
    Laid,
    Lists,
    Measured,
    Report,
    Search,
    Tables,
    at_least,
    at_most,
    run,
)
from ludoteca.lab.players import Told
from services import need


def ran(plan: Search | Tables | Crowd | Lists, folder: pathlib.Path) -> Report:
    [report] = asyncio.run(run(catalogue.game("splendor"), [plan], folder))
    return report


def figures(report: Report) -> dict[str, str]:
    return {target.name: target.figure for target in report.targets}


def test_a_few_tables_are_played_at_and_every_move_reaches_all_four(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = ran(Tables(tables=6, rate=30, seconds=2, most_ms=5000, most_idle=None), tmp_path)
    assert float(figures(report)["moves a second"]) > 10
    assert figures(report)["sockets lost, moves refused"] == "0"
    assert "µs of the server a move" in capsys.readouterr().out


def test_a_search_ends_where_a_limit_cannot_be_held(tmp_path: pathlib.Path) -> None:
    report = ran(Search("few", "few", tables=6, first=4, seconds=0.5, halvings=1, limits=(0.001,)), tmp_path)
    assert "  99 of 100 within 0 ms: nothing" in report.lines
    assert "MISSED" in str(report)


def test_a_search_never_runs_out_of_games(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the games of its tables had ended, every rate seemed too much for the server."""
    monkeypatch.setattr(load, "A_GAME", 3)  # others sit down for every step
    monkeypatch.setattr(load, "FORGOTTEN", 0.0)
    seated: list[int] = []
    seat = House.seat

    async def counting(self: House, laid: Sequence[Laid], apart: bool = False) -> None:
        seated.append(len({one.table for one in laid}))
        await seat(self, laid, apart)

    monkeypatch.setattr(House, "seat", counting)
    plan = Search("few", "few", tables=6, first=16, seconds=1.0, halvings=1, limits=(0.001, 0.002))
    ran(plan, tmp_path)
    assert len(seated) >= 3 and set(seated) == {6}


def test_on_postgres_with_two_servers_players_who_are_apart_play_on(tmp_path: pathlib.Path) -> None:
    need("postgresql")
    plan = Search("few", "few", True, 2, True, tables=8, first=40, seconds=2.0, halvings=0, limits=(0.001,))
    report = ran(plan, tmp_path)
    assert "of Postgres" in str(report)


def test_every_spectator_sees_every_move(tmp_path: pathlib.Path) -> None:
    report = ran(Crowd(spectators=30, seconds=1.5, most_ms=5000, most_delay=5000), tmp_path)
    assert figures(report)["spectators who missed a move"] == "0"
    assert figures(report)["sockets lost, moves refused"] == "0"


def test_lists_are_asked_for(tmp_path: pathlib.Path) -> None:
    report = ran(Lists(tables=400, times=3, most_ms=5000), tmp_path)
    assert [target.missed <= 1 for target in report.targets] == [True] * 4


def steady(**more: Any) -> Measured:
    """A thousand moves a second for ten seconds, each seen within 40 ms, by a server with a machine of its own."""
    told = Told(10_000, [0.04] * 10_000, [0.03] * 10_000)
    for name in set(more) & set(vars(told)):
        setattr(told, name, more.pop(name))
    return Measured(**{"rate": 1000, "told": told, "seconds": 10.0, "cpu": 8.0, "players_cpu": 5.0, **more})


def test_good_figures_hold() -> None:
    assert steady().holds(50)
    assert not steady().holds(30)
    assert steady().notes() == []
    assert "800 µs of the server a move" in steady().line()


@pytest.mark.parametrize(
    "bad", [{"moves": 7_000}, {"seen": [0.04] * 9_000 + [0.2] * 1_000}, {"seen": []}, {"dropped": 1}, {"refused": 1}]
)
def test_a_server_that_falls_behind_or_loses_something_does_not_hold(bad: dict[str, Any]) -> None:
    assert not steady(**bad).holds(100)


def test_a_busy_machine_and_players_at_their_limit_are_said() -> None:
    [busy] = steady(others_cpu=9.0).notes()
    assert "NOT A QUIET MACHINE" in busy
    [tired] = steady(players_cpu=9.5).notes()
    assert "THE PLAYERS WERE AT THEIR LIMIT" in tired


def test_a_target_missed_by_far_is_an_error_on_a_quiet_machine_only() -> None:
    far = [at_most("wait", 100 * BY_FAR + 1, 100, " ms")]
    assert Report("far", far, quiet=True).missed_by_far
    assert not Report("far", far, quiet=False).missed_by_far
    little = [at_least("moves", 1000, 1000 * (1 + BY_FAR) / 2)]
    assert "MISSED" in str(Report("little", little, quiet=True))
    assert not Report("little", little, quiet=True).missed_by_far
    assert "ok" in str(at_most("lost", 0, 0))
