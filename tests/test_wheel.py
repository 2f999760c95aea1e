"""The wheel holds the page, and what it installs works from an empty folder."""

import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The wheel, unpacked as an installer would."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def environment(installed: pathlib.Path, tmp_path: pathlib.Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed), "XDG_DATA_HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}


def test_the_page_and_the_data_are_inside(installed: Any) -> None:
    package = installed / "ludoteca"
    assert (package / "page" / "index.html").exists()
    assert (package / "words" / "it.json").exists()
    assert (package / "games" / "splendor" / "components" / "marvel.csv").exists()
    assert (package / "py.typed").exists()
    assert not list(installed.rglob("node_modules"))


def test_the_licences_travel_with_what_they_are_about(installed: Any) -> None:
    (metadata,) = installed.glob("*.dist-info/METADATA")
    assert "License-Expression: MIT AND OFL-1.1" in metadata.read_text("utf-8")
    licences = {path.name for path in metadata.parent.joinpath("licenses").rglob("*") if path.is_file()}
    assert licences == {"LICENSE", "LICENSE-bricolage-grotesque.txt", "LICENSE-figtree.txt"}


def test_the_command_works_from_an_empty_folder(installed: Any, tmp_path: pathlib.Path) -> None:
    code = "import ludoteca, sys; from ludoteca.cli import main; print(ludoteca.__file__); main(['play', 'splendor'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(installed, tmp_path),
        input="q\n", capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert str(installed) in done.stdout
    assert "Your turn." in done.stdout


def test_the_site_is_served_from_an_empty_folder(installed: Any, tmp_path: pathlib.Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "ludoteca", "serve", "--port", str(port)],
        cwd=tmp_path, env={**environment(installed, tmp_path), "LUDOTECA_WARMUP": "0"},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        page = fetch(f"http://127.0.0.1:{port}/")
        assert b"Ludoteca" in page and b"/assets/" in page
        assert b"splendor" in fetch(f"http://127.0.0.1:{port}/api/games")
    finally:
        server.terminate()
        server.communicate(timeout=20)


def fetch(address: str) -> bytes:
    for _ in range(200):
        try:
            with urllib.request.urlopen(address) as answer:
                found: bytes = answer.read()
                return found
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")
