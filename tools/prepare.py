"""Prepares a checkout: `python3 tools/prepare.py python [extra …]`, `… chromium` or `… services`. Needs nothing but Python.

Called by the Makefile; every step is skipped when it is already done.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def run(what: str, command: list[str], **more: object) -> None:
    """Runs a command behind a line that shows what is going on and for how long; its output only if it fails."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT, **more)  # type: ignore[call-overload]
    output: list[bytes] = []
    reader = threading.Thread(target=lambda: output.extend(process.stdout))
    reader.start()
    show = sys.stderr.isatty()
    while process.poll() is None:
        if show:
            print(f"\r  {what} … {time.monotonic() - start:3.0f} s ", end="", file=sys.stderr, flush=True)
        time.sleep(0.2)
    reader.join()
    line = f"  {what}: {'done' if process.returncode == 0 else 'FAILED'} in {time.monotonic() - start:.0f} s"
    print(("\r" if show else "") + line + "   ", file=sys.stderr, flush=True)
    if process.returncode != 0:
        sys.stderr.buffer.write(b"".join(output))
        raise SystemExit(process.returncode)


def python(extras: list[str]) -> None:
    """A virtual environment with the package in it (editable) and what the extras name."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this file is run by whatever Python there is)
        raise SystemExit(
            f"Ludoteca needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try make PYTHON=python3.12"
        )
    wanted = ",".join(sorted(extras))
    stamp = VENV / f".ready-{wanted or 'play'}"
    newest = (ROOT / "pyproject.toml").stat().st_mtime
    if stamp.exists() and stamp.stat().st_mtime >= newest:
        return
    uv = shutil.which("uv")
    if not (BIN / "python").exists():
        if uv:
            run("virtual environment", [uv, "venv", "--python", sys.executable, str(VENV)])
        else:
            run("virtual environment", [sys.executable, "-m", "venv", str(VENV)])
    package = f".[{wanted}]" if wanted else "."
    environment = {**os.environ, "LUDOTECA_NO_PAGE": "1"}  # the page is built by its own step
    if uv:
        command = [uv, "pip", "install", "--compile-bytecode", "--python", str(BIN / "python"), "-e", package]
    else:
        command = [str(BIN / "python"), "-m", "pip", "install", "--disable-pip-version-check", "-e", package]
    run("Python packages", command, env=environment)
    stamp.touch()


def may_install() -> bool:
    """Whether this user may install Debian's packages."""
    return bool(shutil.which("apt-get")) and hasattr(os, "geteuid") and os.geteuid() == 0


def install(what: str, *packages: str) -> None:
    """Debian's packages; what they would start by themselves is not started."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    run("list of Debian's packages", ["apt-get", "update", "-qq"], env=environment)
    run(what, ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], env=environment)


def chromium() -> None:
    """A browser for the browser tests: the machine's own, or Debian's package where we may install it."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    if may_install():
        install("Chromium", "chromium")
        return
    print(
        "  There is no Chromium on this machine, and this user may not install it: the browser tests will fail.\n"
        "  Install it (on Debian or Ubuntu: sudo apt-get install chromium) and run make test again.",
        file=sys.stderr,
    )


def services() -> None:
    """Postgres, Redis and a balancer for the tests of several servers, likewise; each test starts its own."""
    sys.path.insert(0, str(ROOT / "tests"))
    from services import PACKAGES, missing

    gone = missing(*PACKAGES)
    if not gone:
        return
    if may_install():
        install("Postgres, Redis, haproxy", *gone)
        return
    print(
        f"  LEFT OUT: there is no {' and no '.join(gone)} on this machine, and this user may not install it.\n"
        "  Tests of several servers will be left out, and fail where CI=true.\n"
        f"  On Debian or Ubuntu: sudo apt-get install {' '.join(gone)}",
        file=sys.stderr,
    )


STEPS = {"chromium": chromium, "services": services}

if __name__ == "__main__":
    step, *rest = sys.argv[1:]
    python(rest) if step == "python" else STEPS[step]()
