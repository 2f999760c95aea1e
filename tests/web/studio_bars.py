"""How quick the studio is, with a deck that nobody has had yet: `make studio`, on a machine that does nothing else.

Three promises: one's first move after «Play it», a report with its machine code still to be made, and the first figures by
a bot that thinks. The printed games' machine code must be there (`ludoteca warmup`), as in any house that has run a while.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from ludoteca import catalogue
from ludoteca.core.decks import as_file, form_of
from web.conftest import browsing, serving
from web.hand import PRIMARY

GAME, CARD = "splendor", "Venom"
FIRST_MOVE, REPORT, FIRST_FIGURES = 3.0, 20.0, 5.0  # seconds
GAMES = 2000


def new_title() -> str:
    """A title that no deck has had: so its content is new."""
    return f"{CARD} {random.SystemRandom().randrange(10**9)}"


def new_deck(folder: pathlib.Path) -> pathlib.Path:
    """The printed deck with one card made dearer to have: a file of one's own."""
    game = catalogue.game(GAME)
    form = form_of(game, "")
    title = new_title()
    rows = [row | {"name": title, "points": "5"} if row["name"] == CARD else row for row in form.printed()]
    file = folder / f"{title}.csv"
    file.write_text(as_file(game, form, rows), "utf-8")
    return file


def command(*words: str) -> list[str]:
    """The command, as people type it."""
    return [sys.executable, "-m", "ludoteca", *words]


def first_move(folder: pathlib.Path) -> float:
    """From «Play it» until one's own first move has been made, in a browser and an ordinary house."""
    with serving(folder / "games.db", settings={}) as address, browsing() as browser:
        page = browser.new_page(base_url=address, viewport={"width": 1440, "height": 900}, locale="en")
        page.goto(f"/studio/{GAME}")
        edit(page)
        began = time.monotonic()
        page.get_by_role("button", name="Play it").click()
        page.wait_for_selector(".tray.is-turn")
        before = page.locator(".market[data-seq]").get_attribute("data-seq") or ""
        page.locator(".market button[data-card]").first.click()
        page.locator(PRIMARY).first.click()
        expect(page.locator(".market[data-seq]")).not_to_have_attribute("data-seq", before)
        return time.monotonic() - began


def edit(page: Page) -> None:
    """Another title and other points, by keyboard."""
    page.locator("[role=grid] tr", has_text=CARD).locator("td").nth(1).click()
    page.keyboard.type(new_title())
    page.keyboard.press("Enter")
    expect(page.locator(".studio__state")).to_have_text("1 cell changed · ready to be played")


def report(folder: pathlib.Path) -> float:
    """All deals of both decks, the exchanges, and the report as text and as a page."""
    deck, page = new_deck(folder), folder / "report.html"
    began = time.monotonic()
    asked = command("balance", GAME, "--deck", str(deck), "--games", str(GAMES), "--html", str(page))
    subprocess.run(asked, check=True, stdout=subprocess.DEVNULL)
    assert page.exists()
    return time.monotonic() - began


def first_figures(folder: pathlib.Path) -> float:
    """Until the report of a thinking bot shows something, as a house asks for it."""
    asked = command("balance", GAME, "--deck", str(new_deck(folder)), "--bot", "club", "--games", "200")
    began = time.monotonic()
    with subprocess.Popen(
        [*asked, "--processes", "1", "--stream"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # it is cut off in the middle of its work
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        shown = json.loads(process.stdout.readline())
        took = time.monotonic() - began
        os.killpg(process.pid, signal.SIGTERM)
    assert shown["report"]
    return took


MEASURED: dict[str, tuple[str, Callable[[pathlib.Path], float], float]] = {
    "move": ("first move after «Play it»", first_move, FIRST_MOVE),
    "report": (f"{GAMES} deals with greedy, and the report", report, REPORT),
    "figures": ("first figures by club", first_figures, FIRST_FIGURES),
}


def main(chosen: list[str]) -> int:
    """Measures these (all, if none is named); how many are too slow."""
    missed = 0
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for key in chosen or MEASURED:
        label, measure, most = MEASURED[key]
        with tempfile.TemporaryDirectory() as folder:
            took = measure(pathlib.Path(folder))
        missed += took > most
        print(f"{label:44} {took:6.1f} s   at most {most:.0f} s   {'held' if took <= most else 'MISSED'}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
