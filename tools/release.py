"""Builds what would be published, and tries it: `make release`. Nothing is published.

    git tag v0.3.0 && make release

The tag on this commit says the version: it is written into what is built, and the changelog must have its section, which
becomes the text of the release. Wheel and source archive are built from what is committed, each is installed with every
Python from 3.11 on that is here, and tried from an empty folder: games are listed, one is begun in the terminal, the page
is served. Once pyproject.toml says the project's address (`Repository` of `project.urls`), the README's links lead there.
Beside them in `dist/`: checksums, a list of everything that is installed with it (CycloneDX), the text.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tarfile
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Iterator

from floor import PYTHONS, installed_python, uv

ROOT = pathlib.Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PATIENCE = 300.0  # seconds until the page must be there, also on a machine with other work


class Unfit(Exception):
    """Something speaks against this release; the sentence says what."""


def asked(*command: str) -> str:
    """What a program answers."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def tagged() -> str:
    """The version that the tag on this commit says."""
    tags = re.findall(r"^v(\d+\.\d+\.\d+\S*)$", asked("git", "tag", "--points-at", "HEAD"), re.M)
    if len(tags) != 1:
        raise Unfit("This commit has no tag of a version (or several): git tag v0.3.0, say, and try again.")
    if changed := asked("git", "status", "--porcelain"):
        raise Unfit(f"Not everything is committed: {changed.splitlines()[0].strip()}.")
    return str(tags[0])


def section(changes: str, version: str) -> str:
    """What the changelog says of a version, without its heading."""
    found = re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n(.+?)(?=^## |\Z)", changes, re.M | re.S)
    if found is None:
        raise Unfit(f"CHANGELOG.md has no section «## {version} (date)».")
    return found[1].strip() + "\n"


STAMPED = {  # where the version stands: a line that begins so
    "src/ludoteca/__init__.py": '__version__ = "{}"',
    "CITATION.cff": "version: {}",
}


def stamp(source: pathlib.Path, version: str) -> None:
    """Writes the version into what is to be built."""
    for name, line in STAMPED.items():
        path, beginning = source / name, re.escape(line.partition("{}")[0])
        text, found = re.subn(rf"^{beginning}.*$", line.format(version), path.read_text("utf-8"), flags=re.M)
        if found != 1:
            raise Unfit(f"{name} has no line, or several, that say the version.")
        path.write_text(text, "utf-8")


def address_of(source: pathlib.Path) -> str | None:
    """Where pyproject.toml says that the project is; None as long as it has no address."""
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    found = project.get("urls", {}).get("Repository")
    return None if found is None else str(found).rstrip("/")


def absolute(text: str, address: str, version: str) -> str:
    """A page whose links into the project lead to this version at its address, as GitHub and GitLab have them."""
    at = {"!": f"{address}/raw/v{version}/", "": f"{address}/blob/v{version}/"}
    inside = r"(!?)(\[[^]\n]*\])\((?![a-z]+:|#|/)([^)\s]+)\)"
    return re.sub(inside, lambda link: f"{link[1]}{link[2]}({at[link[1]]}{link[3]})", text)


def build(folder: pathlib.Path, version: str) -> list[pathlib.Path]:
    """Wheel and source archive of what is committed, with this version."""
    source = folder / "source"
    source.mkdir()
    archive = folder / "committed.tar"
    asked("git", "archive", "--output", str(archive), "HEAD")
    with tarfile.open(archive) as committed:
        committed.extractall(source, filter="data")
    stamp(source, version)
    if address := address_of(source):  # registries show the README, and know nothing of what lies beside it
        readme = source / "README.md"
        readme.write_text(absolute(readme.read_text("utf-8"), address, version), "utf-8")
    subprocess.run([uv(), "build", "--quiet", "--out-dir", str(DIST), str(source)], check=True)
    built = sorted([*DIST.glob(f"*-{version}-*.whl"), *DIST.glob(f"*-{version}.tar.gz")])
    if len(built) != 2:
        found = ", ".join(sorted(path.name for path in DIST.iterdir()))
        raise Unfit(f"A wheel and a source archive of {version} were expected, not {found}.")
    return built


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def served(ludoteca: str, folder: pathlib.Path, environment: dict[str, str]) -> Iterator[str]:
    """A server of the installed package; its address."""
    port = free_port()
    server = subprocess.Popen(
        [ludoteca, "serve", "--port", str(port)], cwd=folder, env={**environment, "LUDOTECA_WARMUP": "0"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait(20)


def fetched(address: str) -> bytes:
    """A page, as soon as it is there."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bytes(answer.read())
        except OSError:
            if time.monotonic() > until:
                raise Unfit(f"Nobody answers at {address}.") from None
            time.sleep(0.2)


def attempt(package: pathlib.Path, python: str, folder: pathlib.Path) -> pathlib.Path:
    """Installs it and tries it from an empty folder; the environment it was installed in."""
    folder.mkdir(parents=True)
    venv, empty = folder / "venv", folder / "empty"
    empty.mkdir()
    subprocess.run([uv(), "venv", "-q", "--python", python, str(venv)], check=True)
    subprocess.run([uv(), "pip", "install", "-q", "--python", str(venv), str(package)], check=True)
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment["XDG_DATA_HOME"] = str(empty / "data")
    ludoteca = str(venv / "bin" / "ludoteca")

    def told(*words: str, typed: str = "") -> str:
        done = subprocess.run(
            [ludoteca, *words], cwd=empty, env=environment, input=typed, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise Unfit(f"{package.name} on {python}: ludoteca {' '.join(words)} ends with {done.stderr[-500:]}")
        return done.stdout

    games = [line.split()[0] for line in told("games").splitlines() if line.strip()]
    if "Your turn" not in told("play", games[0], typed="q\n"):
        raise Unfit(f"{package.name} on {python}: no game can be begun in the terminal.")
    with served(ludoteca, empty, environment) as address:
        if b"/assets/" not in fetched(address):
            raise Unfit(f"{package.name} on {python}: the page is not in it.")
    return venv


def bill_of_materials(venv: pathlib.Path, target: pathlib.Path) -> None:
    """Everything that is installed with the wheel, with versions and licences, in CycloneDX."""
    command = [uv(), "tool", "run", "--from", "cyclonedx-bom", "cyclonedx-py", "environment", str(venv / "bin/python")]
    subprocess.run([*command, "--output-reproducible", "--of", "JSON", "-o", str(target)], check=True)


def checksums(files: list[pathlib.Path]) -> str:
    """As `sha256sum --check` reads them."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def main() -> None:
    """Builds, tries and writes."""
    parser = argparse.ArgumentParser(description="build what would be published, and try it")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="only with this one (may be repeated)")
    chosen = parser.parse_args()
    version = tagged()
    text = section((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        built, venv = build(folder, version), None
        for number in chosen.python or PYTHONS:
            python = installed_python(number)
            if python is None:
                print(f"Python {number}: LEFT OUT, it is not installed on this machine", flush=True)
                continue
            for package in built:
                tried = attempt(package, python, folder / f"{number}-{package.suffix[1:]}")
                venv = venv or tried
                print(f"Python {number}: {package.name} installs, plays and serves", flush=True)
        if venv is None:
            raise Unfit("There was no Python to try it with.")
        materials = DIST / f"ludoteca-{version}.cdx.json"
        bill_of_materials(venv, materials)
    (DIST / "SHA256SUMS").write_text(checksums([*built, materials]), "utf-8")
    (DIST / "RELEASE.md").write_text(text, "utf-8")
    made = [*built, materials, DIST / "SHA256SUMS", DIST / "RELEASE.md"]
    print("\n".join(str(path.relative_to(ROOT)) for path in sorted(made)))


if __name__ == "__main__":
    try:
        main()
    except Unfit as unfit:
        raise SystemExit(str(unfit)) from None
    except subprocess.CalledProcessError as failed:
        raise SystemExit(f"It failed at: {' '.join(map(str, failed.cmd))}\n{failed.stderr or ''}") from None
