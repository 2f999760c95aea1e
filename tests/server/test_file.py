"""The file of the games: one server at a time, for its owner only, and checked before anybody plays from it."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from ludoteca.core.errors import BadData
from ludoteca.server.store import Store

HERE = pathlib.Path(__file__).parent
PATIENCE = 60  # seconds for a process on a busy machine
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE.parents[1] / "src"), "LUDOTECA_WARMUP": "no"}


def serve(database: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """`ludoteca serve` where it should refuse to."""
    command = [sys.executable, "-m", "ludoteca", "serve", "--port", "0", "--database", str(database)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=ENVIRONMENT)


# ── One server at a time ─────────────────────────────────────


def test_a_second_server_on_one_file_is_refused_with_a_sentence(tmp_path: pathlib.Path) -> None:
    first = Store(tmp_path / "games.db")
    refused = serve(tmp_path / "games.db")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"ludoteca: Another server (process {os.getpid()}) has ")
    assert "Traceback" not in refused.stderr
    first.close()
    Store(tmp_path / "games.db").close()


def test_another_name_for_the_same_file_is_the_same_file(tmp_path: pathlib.Path) -> None:
    first = Store(tmp_path / "games.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    with pytest.raises(BadData, match="Another server"):
        Store(tmp_path / "link.db")
    Store(tmp_path / "other.db").close()
    first.close()


def test_after_a_kill_the_next_server_starts_at_once(tmp_path: pathlib.Path) -> None:
    holds = (
        "import sys, time; from ludoteca.server.store import Store; s = Store(sys.argv[1]); print('open', flush=True)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", f"{holds}; time.sleep({PATIENCE})", str(tmp_path / "games.db")],
        stdout=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    with pytest.raises(BadData, match=f"process {process.pid}"):
        Store(tmp_path / "games.db")
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    Store(tmp_path / "games.db").close()
