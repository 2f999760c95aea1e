"""Asks whether what we use has known holes: `make audit`. Python packages by pip-audit, the page's by npm audit.

Both ask databases on the network. Where that is not to be had it is said, and nothing is claimed. Exit status 1: there are
holes; 0: none are known, or nobody could be asked.
"""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PATIENCE = 120  # seconds for an answer
NOT_ASKED = "not checked: the database could not be asked"


def run(command: list[str], folder: pathlib.Path) -> subprocess.CompletedProcess[str] | None:
    """A program's answer; none if it is not there or takes too long."""
    program = shutil.which(command[0]) or shutil.which(command[0], path=str(pathlib.Path(sys.executable).parent))
    if program is None:
        return None
    try:
        return subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None


def python_packages() -> tuple[str, bool]:
    """What pip-audit says of requirements.lock, and whether there are holes."""
    command = ["pip-audit", "--require-hashes", "--disable-pip", "--format", "json", "-r", "requirements.lock"]
    found = run(command, ROOT) or run(["uv", "tool", "run", *command], ROOT)
    if found is None:
        return "not checked: there is no pip-audit (pip install pip-audit)", False
    try:
        packages = json.loads(found.stdout)["dependencies"]
    except (ValueError, KeyError):
        return NOT_ASKED, False
    holes = [f"{p['name']} {p['version']}: {hole['id']}" for p in packages for hole in p.get("vulns", [])]
    return "; ".join(holes) or f"no known holes in {len(packages)} packages", bool(holes)


def page_packages() -> tuple[str, bool]:
    """What npm says of what the page is built of."""
    found = run(["npm", "audit", "--json"], ROOT / "web")
    if found is None:
        return "not checked: there is no npm", False
    try:
        counts = json.loads(found.stdout)["metadata"]["vulnerabilities"]
    except (ValueError, KeyError):
        return NOT_ASKED, False
    holes = {kind: count for kind, count in counts.items() if kind != "total" and count}
    return ", ".join(f"{count} {kind}" for kind, count in holes.items()) or "no known holes", bool(holes)


def main() -> int:
    bad = False
    for name, (said, holes) in {"Python": python_packages(), "page": page_packages()}.items():
        print(f"{name}: {said}.")
        bad = bad or holes
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main())
