"""The balance report: it counts right, finds what was planted, and is not alarmed by chance."""

from __future__ import annotations

import csv
import io
import json
import pathlib
import random

import pytest

from ludoteca import catalogue
from ludoteca.cli import main
from ludoteca.lab import arena, balance
from ludoteca.lab.balance import Rate, Report, Watched


def test_a_report_of_real_games() -> None:
    game = catalogue.game("splendor")
    report = balance.run(game, "uniform", 12, 2, {}, seed=3, workers=1)
    assert len(report.games) == 12
    assert sum(rate.wins for rate in report.by_seat()) == pytest.approx(12)
    kinds = {balance.kind_of(thing) for thing in report.by_thing()}
    assert "recruited" in kinds
    assert kinds <= {"recruited", "reserved", "received"}
    assert any(thing == "recruited: Rocket" or "Rocket" in thing for thing in report.by_thing()), "cards by their names"
    assert report.figures()["possibilities at a decision"][0] > 5
    again = balance.run(game, "uniform", 12, 2, {}, seed=3, workers=1)
    assert again.as_json() == report.as_json(), "the same deals"


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_every_game_has_things_to_report(key: str) -> None:
    game = catalogue.game(key)
    seen = set()
    for deal in range(3):
        watched = balance.watch(arena.Table(key, ["uniform"] * max(2, min(game.seats)), game.full_options({}), deal))
        seen |= {thing for had in watched.things for thing in had}
    assert len(seen) > 5
    assert game.things.keys() <= set(game.events)


def planted(cards: int, strong: float, games: int = 400, seed: int = 1) -> Report:
    """Games in which each player has a few of these cards, and whoever has card 0 wins more often."""
    luck = random.Random(seed)
    report = Report("planted", ["greedy"], 2, {}, seed)
    for _ in range(games):
        hands = [{luck.randrange(cards) for _ in range(4)} for _ in range(2)]
        chances = [strong if 0 in hand else 1.0 for hand in hands]
        first = luck.random() < chances[0] / sum(chances)
        shares = [float(first), float(not first)]
        things = [sorted(f"had: card {card}" for card in hand) for hand in hands]
        report.games.append(Watched(shares, [2 - first, 1 + first], things, 40, 10.0, 2, 0.5))
    return report


def test_a_strong_card_is_found_among_many() -> None:
    assert planted(40, strong=8.0).marked() == {"had: card 0"}


def test_chance_alone_rarely_alarms() -> None:
    alarms = [len(planted(40, strong=1.0, seed=seed).marked()) for seed in range(20)]
    assert sum(map(bool, alarms)) <= 4


def test_a_change_is_seen_and_no_change_is_not() -> None:
    before, after = planted(20, 1.0, seed=2).as_json(), planted(20, 8.0, seed=2).as_json()
    assert not any(real for *_, real in balance.differences(before, before))
    assert [name for name, *_, real in balance.differences(before, after) if real] == ["wins with had: card 0"]
    gone = {**after, "things": {thing: rate for thing, rate in after["things"].items() if thing != "had: card 7"}}
    assert [name for name, *_, real in balance.differences(after, gone) if real] == ["players who had: card 7"]


def test_rates_and_rules() -> None:
    assert Rate(5, 10).rate == 0.5
    assert Rate(0, 0).interval == (0.0, 1.0)
    assert balance.standing_out({"a": 0.001, "b": 0.2, "c": 0.9}) == {"a"}
    assert balance.standing_out({}) == set()


def test_the_command(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, sheet, kept = tmp_path / "r.html", tmp_path / "r.csv", tmp_path / "r.json"
    asked = ["balance", "loot", "--games", "6", "--bot", "uniform", "--processes", "1"]
    assert main([*asked, "--html", str(page), "--csv", str(sheet), "--save", str(kept)]) == 0
    assert "6 games" in capsys.readouterr().out
    assert page.read_text("utf-8").startswith("<!doctype html>")
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8"))))
    assert [row["what"] for row in rows[:2]] == ["seat 0", "seat 1"]
    assert main([*asked, "--against", str(kept)]) == 0
    assert "nothing that chance would not do as well" in capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 6
    assert main([*asked, "--seats", "3", "--against", str(kept)]) == 2
    kept.write_text("{}")
    assert main([*asked, "--against", str(kept)]) == 2
    assert "no report" in capsys.readouterr().err
