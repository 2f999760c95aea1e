"""A report that could not be written is refused before anything is played."""

import pathlib

import pytest

from ludoteca import cli


@pytest.mark.parametrize(
    "command",
    [
        ["balance", "loot", "--games", "1", "--html"],
        ["arena", "loot", "uniform", "--games", "1", "--csv"],
        ["arena", "loot", "uniform", "--games", "1", "--keep"],
    ],
)
def test_where_nothing_can_be_written(
    command: list[str], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*command, str(tmp_path / "nowhere" / "report")]) == 2
    assert f"there is no folder {tmp_path / 'nowhere'}." in capsys.readouterr().err
    assert cli.main([*command, str(tmp_path)]) == 2
    assert "is a folder: name a file to write to." in capsys.readouterr().err


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="a disk that is always full is Linux's")
@pytest.mark.parametrize(
    "command",
    [["balance", "loot", "--bot", "uniform", "--save"], ["arena", "loot", "uniform", "greedy", "--csv"]],
)
def test_a_disk_that_is_full_in_the_end(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*command, "/dev/full", "--games", "1", "--seats", "2", "--processes", "1"]) == 2
    assert "ludoteca: /dev/full cannot be written: No space left on device." in capsys.readouterr().err
