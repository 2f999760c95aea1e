"""How quick the studio is, with a deck that nobody has had yet: `make studio`, on a machine that does nothing else.

Three promises: one's first move after «Play it», a report with its machine code still to be made, and the first figures of
both decks by `club`. Where `club` takes what looks best of what it sees (Loot, Challengers!) they are its own; where it
thinks (Splendor, King of Con) a bot that needs no machine code compares the decks until its own is there, and the report
says so; how long that takes is told without a bar. The printed games' machine code must be there (`ludoteca warmup`), as in
any house that has run a while.
"""

from __future__ import annotations

import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

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


def lines_of(deck: pathlib.Path, game: str) -> Iterator[tuple[float, Any]]:
    """What the report by `club` shows, as a house asks for it: after how many seconds, and what."""
    asked = command("balance", game, "--deck", str(deck), "--bot", "club", "--games", "200")
    began = time.monotonic()
    with subprocess.Popen(
        [*asked, "--processes", "1", "--stream"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # it is cut off in the middle of its work
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                yield time.monotonic() - began, json.loads(line)["report"]
        finally:
            os.killpg(process.pid, signal.SIGTERM)


def is_compared(report: Any) -> bool:
    """Whether it says something of both decks, whoever played them."""
    early = report.get("early")
    found = report if early is None else (early["sight"] or {}).get("report")
    return bool(found and found["deals"] > 0 and all(one["of"] != [0, 0] for one in found["chairs"]))


def first_compared(folder: pathlib.Path) -> float:
    """Until both decks of Splendor stand side by side."""
    return next(after for after, report in lines_of(new_deck(folder), GAME) if is_compared(report))


def first_compared_sheet(folder: pathlib.Path) -> float:
    """The same with a sheet of Loot, by `club` itself."""
    game = catalogue.game("loot")
    form = form_of(game, "")
    title = {"en": new_title(), "it": new_title()}
    file = folder / "sheet.json"
    file.write_text(as_file(game, form, form.printed() | {"name": title, "score_spaces": 14}), "utf-8")
    return next(after for after, report in lines_of(file, game.key) if "early" not in report)


def first_own(folder: pathlib.Path) -> float:
    """Until both decks of Splendor stand side by side, played by `club` itself."""
    return next(after for after, report in lines_of(new_deck(folder), GAME) if "early" not in report)


MEASURED: dict[str, tuple[str, Callable[[pathlib.Path], float], float]] = {
    "move": ("first move after «Play it»", first_move, FIRST_MOVE),
    "report": (f"{GAMES} deals with greedy, and the report", report, REPORT),
    "figures": ("first compared figures, club asked for", first_compared, FIRST_FIGURES),
    "sheet": ("first compared figures by club (Loot)", first_compared_sheet, FIRST_FIGURES),
    "own": ("first compared figures by club (Splendor)", first_own, math.inf),
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
        bar = f"at most {most:.0f} s   {'held' if took <= most else 'MISSED'}" if most < math.inf else "no bar"
        print(f"{label:44} {took:6.1f} s   {bar}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
