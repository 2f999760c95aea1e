"""How games are found: what packages announce, what is left out and why, and whatever names a game."""

import json
import logging
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bots import hide_and_seek
from installed import announce
from ludoteca import catalogue
from ludoteca.cli import main
from ludoteca.core.errors import BadData, Unknown
from ludoteca.core.game import Game, game_at
from ludoteca.games.splendor import GAME as SPLENDOR


@pytest.fixture
def announced(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Installs packages that announce games: `announced("stranger", chess="stranger.chess:GAME")`."""

    def also(package: str, **games: str) -> None:
        monkeypatch.syspath_prepend(announce(tmp_path / package, package, **games))
        forget()

    def forget() -> None:
        for remembered in (catalogue.announced, catalogue.games, catalogue.listed):
            remembered.cache_clear()

    yield also
    monkeypatch.undo()
    forget()


def test_our_own_games_are_announced_like_any_others() -> None:
    ours = catalogue.keys(catalogue.HOUSE)
    folders = pathlib.Path(catalogue.__file__).parent / "games"
    assert set(ours) == {folder.parent.name for folder in folders.glob("*/__init__.py")}
    assert set(ours) <= catalogue.games().keys()


def test_a_strangers_game_is_found_beside_ours(announced: Any) -> None:
    announced("stranger", hide_and_seek="bots.hide_and_seek:GAME")
    assert catalogue.games()["hide_and_seek"] is hide_and_seek.GAME is catalogue.game("hide_and_seek")
    assert catalogue.keys("stranger") == ("hide_and_seek",)
    assert "hide_and_seek" not in catalogue.keys(catalogue.HOUSE)


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("nowhere.at_all:GAME", "No module named 'nowhere'"),
        ("installed:GAME", "has no attribute 'GAME'"),
        ("installed:ROOT", "installed:ROOT is not a Game"),
        ("bots.hide_and_seek:GAME", "its key is «hide_and_seek»"),
        ("unruly:GAME", "goodbye"),
    ],
)
def test_a_broken_package_is_named_with_its_reason_and_left_out(
    announced: Any,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    place: str,
    why: str,
) -> None:
    (tmp_path / "unruly.py").write_text("raise SystemExit('goodbye')")
    monkeypatch.syspath_prepend(tmp_path)
    announced("stranger", chess=place)
    with caplog.at_level(logging.WARNING):
        assert catalogue.games().keys() == set(catalogue.keys(catalogue.HOUSE))
    (said,) = caplog.messages
    assert "The game «chess» of the package stranger is left out" in said and why in said
    with pytest.raises(Unknown, match="is left out"):
        catalogue.game("chess")


def test_nobody_takes_the_key_of_one_of_our_games(announced: Any, caplog: pytest.LogCaptureFixture) -> None:
    announced("aardvark", splendor="bots.hide_and_seek:GAME")
    assert catalogue.game("splendor") is SPLENDOR
    assert "The game «splendor» of aardvark is left out: ludoteca has one." in caplog.messages


def test_a_checkout_that_is_not_installed_is_told_so(
    announced: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(catalogue, "entry_points", lambda group: [])
    announced("empty")
    assert catalogue.games() == {}
    assert "pip install -e ." in caplog.text


def test_a_game_its_key_and_its_place_are_the_same() -> None:
    place = "ludoteca.games.splendor:GAME"
    assert catalogue.game(SPLENDOR) is catalogue.game("splendor") is catalogue.game(place) is game_at(SPLENDOR.place)
    assert SPLENDOR.place == place, "though this module has it too"


@pytest.mark.parametrize("place", ["nowhere:GAME", "ludoteca:GAME", "ludoteca.catalogue:GROUP", ":GAME", "json:"])
def test_a_place_without_a_game_is_refused_with_a_sentence(place: str) -> None:
    with pytest.raises(Unknown, match=f"at «{place}»"):
        catalogue.game(place)


def test_keys_from_outside_import_nothing() -> None:
    with pytest.raises(Unknown, match=r"There is no game called «bots.hide_and_seek:GAME»"):
        catalogue.listed("bots.hide_and_seek:GAME")


def test_a_game_travels_to_another_process_by_its_place() -> None:
    assert pickle.loads(pickle.dumps(SPLENDOR)) is SPLENDOR
    homeless = Game(**{name: getattr(SPLENDOR, name) for name in Game.__dataclass_fields__})
    with pytest.raises(BadData, match="stands in no module"):
        pickle.dumps(homeless)


def test_the_command_lists_the_games_and_takes_one_from_the_folder_it_is_run_in(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games"]) == 0
    assert "Splendor: Marvel · 2–4 players" in capsys.readouterr().out
    (tmp_path / "mine.py").write_text("from ludoteca.games.loot import GAME as LOOT")
    typed = ["play", "mine:LOOT", "--watch", "--level", "uniform", "--seed", "1", "--record", "game.json"]
    done = ludoteca(tmp_path, *typed)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "game.json").read_text())["game"] == "loot"
    for command in ("replay", "verify"):
        assert ludoteca(tmp_path, command, "game.json", "--game", "mine:LOOT").returncode == 0
    refused = ludoteca(tmp_path, "replay", "game.json", "--game", "mine:CHESS")
    assert refused.returncode == 2 and "There is no game at «mine:CHESS»" in refused.stderr


PLACED = """
import dataclasses
from ludoteca.games.loot import GAME as LOOT
GAME = dataclasses.replace(LOOT, key="mine")
"""

EVERYWHERE = """
import contextlib, sys
from ludoteca.cli import main
from ludoteca.lab import puzzles
from ludoteca.server import app, audit, check, importing, rate
from ludoteca.server.engines import served
from ludoteca.server.settings import Settings

def told(what):
    def instead(*arguments, **by_name):
        games = served(by_name["games"]) if "games" in by_name else arguments[-1]
        print(what, *[game.key for game in games])
        raise SystemExit
    return instead

app.serve, check.check, audit.audit, rate.recompute = map(told, ("serve", "check", "audit", "rate"))
puzzles.levels.prepare = lambda game: told("puzzles")([game])
for typed in ["serve"], ["check"], ["audit", "a-table"], ["rate"], ["puzzles", "mine:GAME"]:
    try:
        main([*typed, *([] if "puzzles" in typed else ["--games", "mine:GAME"])])
    except SystemExit as ended:
        assert not ended.code, ended.code
with contextlib.redirect_stdout(sys.stderr):
    main(["deck", "new", "mine:GAME", "mine.json"])
    checked = main(["deck", "check", "mine.json", "--game", "mine:GAME"])
print("deck", checked)
print("environment", *[game.key for game in served(Settings.read({"LUDOTECA_GAMES": "mine:GAME, loot"}).games)])
game, = served("mine:GAME")
print("replayed", check.Check(None, check.Report(), print, print, [game])._engine("mine", None).game.key)
print("rated", rate._known("mine", [game]).key, rate._known("mine", []))
"""


def test_whoever_serves_a_game_by_its_place_can_name_it_to_every_command(tmp_path: pathlib.Path) -> None:
    """Without Python's own folder in the path (-P), as the installed command runs."""
    (tmp_path / "mine.py").write_text(PLACED)
    done = subprocess.run([sys.executable, "-P", "-c", EVERYWHERE], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "serve mine", "check mine", "audit mine", "rate mine", "puzzles mine", "deck 0", "environment mine loot",
        "replayed mine", "rated mine None",
    ], done.stderr  # fmt: skip


def test_a_record_cannot_choose_a_module(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.py").write_text("print('imported')")
    (tmp_path / "game.json").write_text(
        json.dumps({"game": "mine:GAME", "version": "1", "seats": 2, "options": {}, "seed": 1})
    )
    done = ludoteca(tmp_path, "replay", "game.json")
    assert done.returncode == 2 and "There is no game called «mine:GAME»" in done.stderr
    assert "imported" not in done.stdout


def ludoteca(folder: pathlib.Path, *arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludoteca", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_whoever_takes_games_takes_the_game_itself() -> None:
    from ludoteca.server.engines import served

    game = catalogue.listed("loot")
    assert served([game, "splendor"]) == [game, catalogue.listed("splendor")]
    assert served("loot, splendor") == served([game, "splendor"])


def test_a_plan_of_learning_keeps_a_game_by_its_place() -> None:
    learn = pytest.importorskip("ludoteca.lab.learn", reason="PyTorch is not installed", exc_type=ImportError)
    game = catalogue.listed("loot")
    assert learn.Plan(game).game == game.place
