"""Locks what a server (or several) installs: `make lock` writes requirements.lock, every package with version and hashes.

    pip install --require-hashes -r requirements.lock && pip install --no-deps .

`deploy/requirements.lock` is the same with what a cluster of bots needs: it is for the image.

uv (the machine's, or one in an environment of its own in `build/`) resolves for every Python and system that pyproject.toml
allows, from the index it is set up with (`UV_DEFAULT_INDEX`); which one that was does not appear in the file. An index
that has files for one system only makes a lock for that system only, which is said. `tests/test_lock.py` says when the file
lags behind pyproject.toml.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

from floor import uv

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
IMAGE_LOCK = ROOT / "deploy" / "requirements.lock"
HEAD = "# Written by `make lock`; install with: pip install --require-hashes -r {}\n"
ONE_FILE = re.compile(r"^(\S+)==\S+.*\\\n    --hash=\S+$(?!\n    --hash)", re.M)


def main(more: list[str]) -> None:
    """Writes both files; `more` are further options of `uv pip compile`."""
    write(LOCK, more)
    write(IMAGE_LOCK, [*more, "--extra", "cluster", "--constraints", LOCK.name])  # what is in both has one version


def write(lock: pathlib.Path, more: list[str]) -> None:
    """Resolves and writes one file."""
    command = [uv(), "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-annotate", "--no-header", "--quiet", "--extra", "servers", "pyproject.toml", *more]
    found = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    name = lock.relative_to(ROOT).as_posix()
    if found.returncode != 0:
        raise SystemExit(f"{name} was not written: the index could not be asked, or the versions do not fit together.")
    lock.write_text(HEAD.format(name) + found.stdout, "utf-8")
    print(f"{name}: {len(re.findall('^[a-z]', found.stdout, re.M))} packages.")
    if single := ONE_FILE.findall(found.stdout):
        print(
            f"This index has one file only of {', '.join(single)}: other systems could not install them.",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
