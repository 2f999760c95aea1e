"""Real-browser tests: one server on a free port with a database of its own and quick bots, one Chromium, fresh guests."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import types
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

pytest.importorskip("playwright")
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

PATIENCE = 40_000  # milliseconds: a machine may be busy
expect.set_options(timeout=PATIENCE)

ROOT = pathlib.Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
QUICK = {
    "LUDOTECA_BOT_PAUSE": "0",
    "LUDOTECA_WARMUP": "no",  # plain Python is fast enough for a few tables
    "LUDOTECA_WORKERS": "1",
    "LUDOTECA_GUESTS_A_MINUTE": "1000",
    "LUDOTECA_TOURNAMENT_BREAK": "0.5",
    "LUDOTECA_QUICK_BOTS": "5",
}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The file in which the running server keeps its tables."""
    return tmp_path_factory.mktemp("house") / "games.db"


@pytest.fixture(scope="session")
def house(database: pathlib.Path) -> Iterator[str]:
    """The address of a running server, with the page as its sources are now."""
    with serving(database) as address:
        yield address


def build() -> None:
    """The page as its sources are now."""
    if not os.environ.get("LUDOTECA_PAGE"):
        subprocess.run([sys.executable, str(ROOT / "tools" / "build_page.py")], check=True)


@contextlib.contextmanager
def serving(
    database: pathlib.Path, *packages: pathlib.Path, settings: Mapping[str, str] = types.MappingProxyType(QUICK)
) -> Iterator[str]:
    """A server that finds these further packages; its address."""
    build()
    folder = database.parent
    port = free_port()
    environment = {**os.environ, **settings, "LUDOTECA_PORT": str(port), "LUDOTECA_DATABASE": str(database)}
    environment.pop("LUDOTECA_PAGE", None)  # to the server it would be a folder
    places = [str(ROOT / "src"), *map(str, packages), os.environ.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(places)
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-c", "from ludoteca.cli import main; main(['serve'])"],
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, server, folder / "server.log")
            yield address
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def wait_for(address: str, server: subprocess.Popen[bytes], log: pathlib.Path) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api/games", timeout=2):
            return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise AssertionError(f"The server did not start:\n{log.read_text()}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The distribution's Chromium, or the one Playwright has fetched.

    One for each file: while it lives an event loop runs in this process, and no other test could start its own.
    """
    with browsing() as browser:
        yield browser


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    """A browser without a window."""
    own = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=FLAGS, executable_path=own)
        yield browser
        browser.close()


@pytest.fixture
def guest(house: str, chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Makes a visitor with a cookie of their own: `guest(name="Ada", width=390, height=844, touch=True)`."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def visit(
        name: str = "Giulia",
        width: int = 1440,
        height: int = 900,
        touch: bool = False,
        theme: str = "light",
        language: str = "en",
        **prefs: Any,
    ) -> Page:
        context = chromium.new_context(
            base_url=house,
            viewport={"width": width, "height": height},
            has_touch=touch,
            is_mobile=touch,
            color_scheme="dark" if theme == "dark" else "light",
            locale=language,
            service_workers="block",  # `test_you.py` looks at ours; nobody else waits for it
        )
        contexts.append(context)
        chosen = json.dumps({"speed": "off", "forced": False, "theme": theme, "lang": language} | prefs)
        context.add_init_script(
            f"localStorage.getItem('ludoteca.prefs') || localStorage.setItem('ludoteca.prefs', {chosen!r})"
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: problems.extend([line.text] if "Content Security Policy" in line.text else []))
        context.request.get("/api/me")
        context.request.post("/api/me", data={"name": name}, headers={"Origin": house})
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker, to be put into a page."""
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
