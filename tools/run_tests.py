"""Runs every Python test, three at a time; a few that fell are tried once more, alone: `make test`.

The browser's and the server's tests look at real time, and two busy cores can be slower than any patience. What falls alone
as well has failed. What passes only alone is named at the end: it is a test that should be made more patient. A run that
says nothing for ten minutes has lost one of its processes (pytest-xdist then waits for ever) and is ended.
"""

from __future__ import annotations

import json
import os
import pathlib
import select
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FELL = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
FEW = 8  # more than that is no accident
SOME_FAILED = 1  # pytest's exit status: the tests ran, and some failed
BROKEN_OFF = 2  # and: it was interrupted
SILENCE = 600  # seconds


def pytest(*arguments: str) -> int:
    """Runs the tests and shows what they say; pytest's exit status."""
    command = [sys.executable, "-m", "pytest", *arguments]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True)
    assert run.stdout is not None
    try:
        while select.select([run.stdout], [], [], SILENCE)[0]:
            said = os.read(run.stdout.fileno(), 65536)
            if not said:
                return run.wait()
            sys.stdout.buffer.write(said)
            sys.stdout.flush()
        print(f"\nNothing was said for {SILENCE} s: a process of the tests has died, and pytest waits for it.")
        return BROKEN_OFF
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)


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
