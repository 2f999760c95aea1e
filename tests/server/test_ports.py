"""A port that is taken is said in a sentence, before anything is promised."""

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
