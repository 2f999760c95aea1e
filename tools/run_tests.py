"""Runs every Python test, three at a time; a few that fell are tried once more, alone: `make test`.

The browser's and the server's tests look at real time, and two busy cores can be slower than any patience. What falls alone
as well has failed. What passes only alone is named at the end: it is a test that should be made more patient.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FELL = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
FEW = 8  # more than that is no accident
SOME_FAILED = 1  # pytest's exit status: the tests ran, and some failed


def pytest(*arguments: str) -> int:
    """Runs the tests; pytest's exit status."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT).returncode


def fallen() -> list[str]:
    """Which tests failed in the last run."""
    return sorted(json.loads(FELL.read_text())) if FELL.exists() else []


def main() -> int:
    """The exit status of the tests."""
    FELL.unlink(missing_ok=True)
    status = pytest("-n", "3", "--dist", "loadfile", "--durations", "25", *sys.argv[1:])
    names = fallen()
    if status != SOME_FAILED or not names or len(names) > FEW:
        return status
    print(f"\nOnce more, alone: {', '.join(names)}", flush=True)
    status = pytest(*names)
    if status == 0:
        print(f"Passed only alone, and should be made more patient: {', '.join(names)}")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
