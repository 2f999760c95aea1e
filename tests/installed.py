"""Packages installed for a test: built and unpacked as an installer would, without a network."""

import pathlib
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).parents[1]
PIG = ROOT / "examples" / "pig"


def install(project: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The project's wheel, unpacked; the place to put on the path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def announce(folder: pathlib.Path, package: str, **games: str) -> pathlib.Path:
    """A package that only announces games; the place to put on the path."""
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{key} = {place}" for key, place in games.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[ludoteca.games]", *lines, ""]))
    return folder
