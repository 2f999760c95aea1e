"""What a server installs is locked, and the lock does not lag; known holes are told, or that nobody could be asked."""

import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tomllib
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[1]
Json = dict[str, Any]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
IMAGE_LOCK = (ROOT / "deploy" / "requirements.lock").read_text("utf-8")
PIN = re.compile(r"^([a-z0-9.-]+)==([0-9][^ ;\\]*)", re.M)
PINS = dict(PIN.findall(LOCK))


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def test_every_dependency_is_locked_at_a_version_that_is_allowed() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    for line in wanted:
        found = re.match(r"([\w.-]+)>=([\d.]+)(?:;.*)?$", line)
        assert found, f"{line}: teach this test what it means"
        name, least = found.groups()
        assert name in PINS, f"{name} is not locked: make lock"
        assert numbers(PINS[name]) >= numbers(least), f"{name} is locked at {PINS[name]}: make lock"


@pytest.mark.parametrize("lock", [LOCK, IMAGE_LOCK])
def test_every_lock_has_a_hash_and_no_index_is_named(lock: str) -> None:
    entries = re.split(r"\n(?=[a-z])", lock.split("\n", 1)[1])
    assert len(entries) >= len(PINS) > 7  # of some there is a version for each Python
    for entry in entries:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
    assert not re.search(r"://|index-url|find-links", lock)


def test_the_image_has_the_same_and_what_several_servers_need() -> None:
    assert set(PIN.findall(LOCK)) <= set(PIN.findall(IMAGE_LOCK)), "make lock"
    assert {"psycopg", "psycopg-binary", "redis", "distributed"} <= set(dict(PIN.findall(IMAGE_LOCK)))


def fake(folder: pathlib.Path, name: str, answer: str, status: int) -> None:
    """A program of that name that gives this answer."""
    path = folder / name
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\nexit {status}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


FINE = {"dependencies": [{"name": "numpy", "version": "1", "vulns": []}]}
HOLE = {"dependencies": [{"name": "numpy", "version": "1", "vulns": [{"id": "CVE-1"}]}]}
NPM_FINE, NPM_HOLE = (
    {"metadata": {"vulnerabilities": {"high": 0}}},
    {"metadata": {"vulnerabilities": {"high": 2, "total": 2}}},
)


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
@pytest.mark.parametrize(
    ("python", "npm", "status", "said"),
    [
        (FINE, NPM_FINE, 0, ["Python: no known holes in 1 packages.", "page: no known holes."]),
        (HOLE, NPM_FINE, 1, ["Python: numpy 1: CVE-1.", "page: no known holes."]),
        (FINE, NPM_HOLE, 1, ["Python: no known holes in 1 packages.", "page: 2 high."]),
        (None, None, 0, ["Python: not checked: the database could not be asked.",
         "page: not checked: the database could not be asked."]),
    ],
)  # fmt: skip
def test_an_audit_says_what_is_known_and_what_could_not_be_asked(
    tmp_path: pathlib.Path, python: Json | None, npm: Json | None, status: int, said: list[str]
) -> None:
    fake(tmp_path, "pip-audit", json.dumps(python) if python else "no network", 1)
    fake(tmp_path, "npm", json.dumps(npm) if npm else "no network", 1)
    environment = {**os.environ, "PATH": f"{tmp_path}:/bin:/usr/bin"}
    command = [sys.executable, str(ROOT / "tools" / "audit.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert (done.returncode, done.stdout.splitlines()) == (status, said), done.stderr
