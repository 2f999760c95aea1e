"""A port that is taken, or that there is not, is said in a sentence, before anything is promised."""

import pathlib
import socket

import pytest

from ludoteca import cli


def test_a_busy_port_is_a_sentence(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert cli.main(["serve", "--port", port, "--database", str(tmp_path / "games.db")]) == 2
    said = capsys.readouterr().err
    assert f"Port {port} is taken by another program: choose another one with --port." in said
    assert "Ludoteca is at" not in said


@pytest.mark.parametrize("port", ["65536", "99999", "-1"])
def test_a_number_that_is_no_port_is_a_sentence(
    port: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", f"--port={port}", "--database", str(tmp_path / "games.db")]) == 2
    said = capsys.readouterr().err
    assert f"There is no port {port}: ports are numbers from 1 to 65535" in said
    assert "Ludoteca is at" not in said
