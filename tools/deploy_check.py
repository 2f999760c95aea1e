"""Runs the steps of deploy/Dockerfile without Docker: `make deploy-check`.

    python3 tools/deploy_check.py [--python PYTHON] [--keep]

Each step is done as it is written, in a folder that stands for the image's root: absolute paths of the image lead there,
`python` is one of this machine, and there is no Node. Then the image's command is started (as its user, where we are root
and that user can reach this Python), its health is asked as the image says, the page is fetched, and it is seen whether the
machine code of the build was used as it is. What this cannot show: that the base image is there, and what else is in it.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from subprocess import PIPE, STDOUT

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
KNOWN = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}
OF_THE_IMAGE = re.compile(r"(?:(?<![\w.:/-])|(?<=\w:))/(?=(?:opt|src|wheels|data|var|usr)/?)")
NOT_IN_IT = re.compile(r"(node|npm|npx|corepack|python|pip|uv)\b.*")  # commands of this machine
IGNORED = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text("utf-8").split()
PATIENCE = 90.0  # seconds for a server to be well
LEAVE = 15.0  # seconds for it to end


@dataclass(frozen=True)
class Step:
    """One instruction: `RUN`, its options such as `--from=build`, and the rest."""

    word: str
    options: dict[str, str]
    rest: str


def read_steps(text: str) -> list[Step]:
    """The instructions of a Dockerfile."""
    joined = re.sub(r"\\\n\s*", " ", re.sub(r"(?m)^\s*#.*\n", "", text))
    steps = []
    for line in filter(None, map(str.strip, joined.splitlines())):
        word, _, rest = line.partition(" ")
        if word not in KNOWN:
            raise SystemExit(
                f"{DOCKERFILE.name}: «{word}» is not known here; teach tools/deploy_check.py what it means."
            )
        options = dict[str, str]()
        while word != "RUN" and (found := re.match(r"--([\w-]+)=(\S+)\s+", rest)):
            options[found[1]] = found[2]
            rest = rest[found.end() :]
        steps.append(Step(word, options, rest))
    return steps


@dataclass
class Image:
    """The image as far as it is built: a folder for its root, and what its instructions have set."""

    root: pathlib.Path
    python: str
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: int | None = None
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def inside(self, text: str) -> str:
        """A command or value of the image, with the paths that it has here."""
        return OF_THE_IMAGE.sub(f"{self.root}/", text)

    def place(self, path: str) -> pathlib.Path:
        """Where a path of the image is here."""
        return pathlib.Path(f"{self.root}/{os.path.normpath(os.path.join(self.folder, path))}")

    def settings(self) -> dict[str, str]:
        """What a process of the image has in its environment, and how this machine reaches its package registries."""
        reach = re.compile(r"(PIP|UV|NPM|NODE|SSL|HTTPS?|NO)_", re.I)
        ours = {key: value for key, value in os.environ.items() if reach.match(key)}
        if (own := pathlib.Path.home() / ".npmrc").exists():
            ours["NPM_CONFIG_USERCONFIG"] = str(own)
        return {**ours, "HOME": str(self.root), **self.environment}

    def do(self, step: Step) -> None:
        """One instruction."""
        rest = step.rest
        match step.word:
            case "FROM":
                self._begin()
            case "WORKDIR":
                self.folder = rest
                self.place(".").mkdir(parents=True, exist_ok=True)
            case "ENV":
                key, _, value = rest.partition("=")
                self.environment[key] = self.inside(value).replace("$PATH", self.environment["PATH"])
            case "COPY":
                self._copy(step.options, *rest.split())
            case "RUN":
                self._run(rest)
            case "USER":
                self.user = int(rest.split(":")[0])
            case "HEALTHCHECK":
                self.health = json.loads(rest.removeprefix("CMD "))
            case "CMD":
                self.command = json.loads(rest)
            case "VOLUME":
                assert self.place(rest).is_dir(), f"{rest} is not made, so its owner would be root"

    def _begin(self) -> None:
        """A stage: there are a Python and the usual commands, and nothing is set."""
        self.environment = {"PATH": self.inside("/usr/local/bin") + ":" + self.inside("/usr/bin")}
        self.folder, self.user = "/", None
        shutil.rmtree(self.place("/usr"), ignore_errors=True)
        for folder in ("/usr/local/bin", "/usr/bin"):
            self.place(folder).mkdir(parents=True)
        self.place("/usr/local/bin/python").symlink_to(self.python)
        for command in pathlib.Path("/usr/bin").iterdir():
            if not NOT_IN_IT.fullmatch(command.name):
                self.place("/usr/bin").joinpath(command.name).symlink_to(command)

    def _copy(self, options: dict[str, str], source: str, target: str) -> None:
        if "from" in options:  # of another stage, which is in the same folder here
            assert source == target and self.place(source).exists(), source
            if "chown" in options and os.geteuid() == 0:
                subprocess.run(["chown", "-R", options["chown"], str(self.place(target))], check=True)
            return
        for name in files_of(ROOT) if source == "." else [source]:
            copy = self.place(target) / name if source == "." else self.place(target)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy)

    def _run(self, command: str) -> None:
        print(f"  RUN {command}", flush=True)
        start = time.monotonic()
        command = self.inside(command)
        if os.geteuid() != 0:  # then nothing can be given to another user
            command = re.sub(r"--(owner|group)=\d+ ", "", command)
        done = subprocess.run(
            ["/bin/sh", "-ec", command], cwd=self.place("."), env=self.settings(), stdout=PIPE, stderr=STDOUT, text=True
        )
        if done.returncode != 0:
            sys.stdout.write(done.stdout[-6000:])
            raise SystemExit(f"This step failed with status {done.returncode}.")
        print(f"      {time.monotonic() - start:.0f} s", flush=True)


def files_of(folder: pathlib.Path) -> Iterator[str]:
    """The files of the checkout that the build gets."""
    for base, folders, files in os.walk(folder):
        here = pathlib.Path(base).relative_to(folder)
        folders[:] = [name for name in folders if not ignored((here / name).as_posix())]
        yield from (path.as_posix() for name in files if not ignored((path := here / name).as_posix()))


def ignored(path: str) -> bool:
    """Whether a file or folder of the checkout stays out of the build."""
    name = path.rpartition("/")[2]
    for pattern in IGNORED:
        if fnmatch.fnmatchcase(name, pattern[3:]) if pattern.startswith("**/") else path == pattern:
            return True
    return False


# What is built is tried.


def try_it(image: Image, user: int | None) -> None:
    """Starts the server, asks how it is, and ends it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = {**image.settings(), "LUDOTECA_PORT": port, "LUDOTECA_HOST": "127.0.0.1"}
    before = machine_code(image)
    assert before, "the build has compiled nothing"
    log = image.root / "server.log"
    with log.open("wb") as said:
        server = subprocess.Popen(
            image.command, cwd=image.place("."), env=environment, stdout=said, stderr=said, user=user
        )
    try:
        wait_until("it is well", lambda: healthy(image, environment, port, user), server)
        page = fetch(port, "/")
        assert b"Ludoteca" in page and b"/assets/" in page, "the page is not in the wheel"
        wait_until("its games are loaded", lambda: json.loads(fetch(port, "/api/warmup"))["ready"], server)
        assert machine_code(image) == before, "the machine code of the build was not used"
        start = time.monotonic()
        server.send_signal(signal.SIGTERM)
        server.wait(LEAVE)
        print(f"  it ended {time.monotonic() - start:.1f} s after SIGTERM")
    except BaseException:
        sys.stdout.write(log.read_text("utf-8", "replace")[-6000:])
        raise
    finally:
        server.kill()
        server.wait()


def machine_code(image: Image) -> dict[str, float]:
    """Every file of machine code, with its time."""
    cache = image.place(image.settings()["LUDOTECA_CACHE"].removeprefix(str(image.root)))
    return {str(path): path.stat().st_mtime for path in cache.rglob("*.nb[ci]")}


def healthy(image: Image, environment: dict[str, str], port: str, user: int | None) -> bool:
    """Whether the image's own question is answered."""
    command = [word.replace(":8000/", f":{port}/") for word in image.health]
    quiet = subprocess.DEVNULL
    return subprocess.run(command, env=environment, stdout=quiet, stderr=quiet, user=user).returncode == 0


def fetch(port: str, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return bytes(answer.read())


def wait_until(what: str, condition: Callable[[], bool], server: subprocess.Popen[bytes]) -> None:
    start = time.monotonic()
    while not condition():
        assert server.poll() is None, "the server has ended"
        assert time.monotonic() - start < PATIENCE, f"not after {PATIENCE} s: {what}"
        time.sleep(0.2)
    print(f"  {what} after {time.monotonic() - start:.1f} s", flush=True)


def reaches(user: int, python: str) -> bool:
    """Whether that user can run this Python."""
    try:
        return subprocess.run([python, "-c", ""], user=user, capture_output=True).returncode == 0
    except PermissionError:
        return False


def real_path(python: str) -> str | None:
    """The interpreter behind this command, if it works."""
    try:
        found = subprocess.run([python, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
    except OSError:
        return None
    return found.stdout.strip() if found.returncode == 0 else None


def main() -> None:
    """Builds and tries it."""
    text = DOCKERFILE.read_text("utf-8")
    (version,) = set(re.findall(r"^FROM python:(3\.\d+)-slim", text, re.M))
    asked = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    asked.add_argument("--python", help="to be used as the image's (default: one of its version, or this one)")
    asked.add_argument("--keep", action="store_true", help="leave the folder")
    options = asked.parse_args()
    python = real_path(options.python or f"python{version}") or sys.executable
    here = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"The image has Python {version}; here it is {here}.")
    root = pathlib.Path(tempfile.mkdtemp(prefix="ludoteca-image-"))
    root.chmod(0o755)
    try:
        image = Image(root, python)
        for step in read_steps(text):
            image.do(step)
        user = image.user if os.geteuid() == 0 and image.user and reaches(image.user, python) else None
        print(f"  it runs as user {user}" if user else "  it runs as whoever started this, not as the image's user")
        try_it(image, user)
        sizes = {name: size_of(image.place(name)) for name in ("/opt/ludoteca", "/var/cache/ludoteca")}
        print("  on top of the base image: " + ", ".join(f"{name} {size} MB" for name, size in sizes.items()))
    finally:
        if options.keep:
            print(f"  left in {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)


def size_of(folder: pathlib.Path) -> int:
    """In megabytes."""
    return round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6)


if __name__ == "__main__":
    main()
