"""The command from an empty folder, as somebody who has just installed it would use it."""

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from ludoteca.cli import main


def ludoteca(folder: pathlib.Path, *arguments: Any, typed: str = "") -> subprocess.CompletedProcess[Any]:
    return subprocess.run(
        [sys.executable, "-m", "ludoteca", *arguments], cwd=folder, input=typed, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("record") / "game.json"
    done = ludoteca(
        path.parent, "play", "splendor", "--watch", "--level", "novice", "--seed", "1", "--record", str(path)
    )
    assert done.returncode == 0, done.stderr
    assert "The game is over." in done.stdout
    return path


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    told = capsys.readouterr().out
    for command in ("serve", "play", "arena", "replay", "verify", "warmup", "bench"):
        assert command in told
    assert "examples:" in told


@pytest.mark.parametrize("command", ["serve", "play", "arena", "replay", "verify", "warmup", "bench"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert len(capsys.readouterr().out.splitlines()) > 5


def test_an_option_misspelt_is_answered_by_the_command_it_was_given_to(capsys: pytest.CaptureFixture[str]) -> None:
    """It was answered with the usage of all commands together."""
    for typed, meant in (("--bots", "--bot"), ("--gmaes=3", "--games"), ("--teapot", "")):
        with pytest.raises(SystemExit) as stop:
            main(["balance", "loot", typed])
        told = capsys.readouterr().err
        assert stop.value.code == 2 and told.startswith("usage: ludoteca balance")
        assert told.rstrip().endswith(f"did you mean {meant}?" if meant else "«--teapot» is not known here.")


def test_a_game_in_the_terminal(tmp_path: pathlib.Path) -> None:
    done = ludoteca(
        tmp_path, "play", "splendor", "--seed", "42", "--level", "novice", typed="recruit 1 1\nhello\n1\nq\n"
    )
    assert done.returncode == 0, done.stderr
    assert "You cannot pay for this card: 3 tokens are missing." in done.stdout
    assert "There is no such action in this game." in done.stdout
    assert "You took 1 yellow, 1 red, 1 orange" in done.stdout


def test_a_game_in_italian(tmp_path: pathlib.Path) -> None:
    done = ludoteca(tmp_path, "play", "splendor", "--seed", "42", "--language", "it", typed="q\n")
    assert "Tocca a te." in done.stdout


def test_replay_tells_the_game(record: Any) -> None:
    told = ludoteca(record.parent, "replay", str(record))
    assert told.returncode == 0, told.stderr
    assert "The game is over." in told.stdout
    assert "Ada" in told.stdout
    events = ludoteca(record.parent, "replay", "--json", str(record)).stdout.splitlines()
    assert json.loads(events[-1])["kind"] == "ended"


def test_verify_finds_a_changed_decision(record: Any, tmp_path: pathlib.Path) -> None:
    assert ludoteca(tmp_path, "verify", str(record)).returncode == 0
    changed = json.loads(record.read_text())
    changed["decisions"][5][1] = 92  # passing is not allowed there
    (tmp_path / "changed.json").write_text(json.dumps(changed))
    done = ludoteca(tmp_path, "verify", "changed.json")
    assert done.returncode == 2
    assert "Decision 6 of this record is not possible" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["play", "splendor", "--seats", "7"], "Splendor: Marvel is for 2 to 4 players."),
        (["play", "splendor", "--option", "edition=deluxe"], "«edition» can be marvel, base; not «deluxe»."),
        (["play", "splendor", "--option", "moon=full"], "has no option «moon»"),
        (["play", "splendor", "--level", "god"], "There is no bot called «god»"),
        (["arena", "chess", "novice"], "There is no game called «chess»"),
        (["replay", "nowhere.json"], "there is no file nowhere.json"),
        (["replay", "."], ". cannot be opened: Is a directory."),
        (["replay", "no/game.json"], "there is no file no/game.json, for there is no folder no."),
        (["deck", "new", "splendor", "no/my.csv"], "no/my.csv cannot be written: there is no folder no."),
        (["learn", "loot", "--out", "/dev/null/run"], "The folder /dev/null/run cannot be made: Not a directory."),
        (["balance", "loot", "--before", "old.json"], "--before is for two decks that are compared"),
        (["balance", "loot", "--levels", "club"], "--levels is for two decks that are compared"),
        (["puzzles", "loot", "--count", "0"], "Puzzles are counted from 1 on."),
        (["play", "splendor", "--record", "no/game.json"], "no/game.json cannot be written: there is no folder no."),
    ],
)
def test_mistakes_are_answered_in_sentences(
    arguments: list[str],
    complaint: str,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert complaint in capsys.readouterr().err


def test_a_file_that_is_no_record(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.json"
    for written, said in (
        (b"hello", ", line 1, column 1: this is not a game record: Expecting value."),
        (b'{\n  "game": }', ", line 2, column 11: this is not a game record: Expecting value."),
        (b"[]", ": this is not a game record: Expected"),
        (b'{"game": "loot"}', ": this is not a game record: Object missing required field"),
        (b"\xff\xfe\x80", ": this is not a game record, nor text in UTF-8."),
    ):
        path.write_bytes(written)
        assert main(["replay", str(path)]) == 2
        assert f"{path}{said}" in capsys.readouterr().err
