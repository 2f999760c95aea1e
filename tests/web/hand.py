"""What the simple players of all games share: how they come to a table, and how they press things.

A game's own `<game>_hand.py` makes a `Hand` that looks at its board and decides, and a `KeyboardHand` without a pointer. It
also says how a first decision is begun (`begin`), and the pitch of a sound that comes early in the game (`PITCH`).
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from types import ModuleType

from playwright.sync_api import Locator, Page

PRIMARY = ".action__buttons .btn--primary"  # the button that sends what was chosen
A_MOMENT = 0.26  # seconds between two decisions of the quickest player: the house takes four a second


def open_table_of(
    game: str, board: str, page: Page, house: str, seats: int = 2, level: str = "novice", **options: str
) -> str:
    """A table full of bots, started at once; waits for its board and returns its id."""
    wish = {"game": game, "seats": seats, "level": level, "options": options}
    answer = page.request.post("/api/play-now", data=wish, headers={"Origin": house})
    assert answer.ok, answer.text()
    table = str(answer.json()["id"])
    page.goto(f"/table/{table}")
    page.wait_for_selector(board)
    return table


def hand_of(game: str) -> ModuleType:
    """The simple player of a game: its `<game>_hand.py`."""
    return importlib.import_module(f"web.{game}_hand")


def begin_with(first: str, page: Page, again: bool = False) -> None:
    """Makes the first decision, up to the press that sends it; the second time what is pressed first is chosen already."""
    if not again:
        page.locator(first).first.click()
    page.locator(PRIMARY).click()


def wait_until(page: Page, happened: Callable[[], object]) -> None:
    """Until something that the page does not show has happened."""
    for _ in range(1800):
        if happened():
            return
        page.wait_for_timeout(50)
    raise AssertionError("It does not happen.")


class PointerHand:
    """Presses with a mouse, or with a finger."""

    def __init__(self, page: Page, touch: bool = False) -> None:
        self.page, self.touch = page, touch
        self._confirmed = 0.0

    def press(self, target: Locator) -> None:
        target.tap() if self.touch else target.click()

    def confirm(self) -> None:
        """Sends what was chosen, once the last decision is acknowledged and a moment has passed."""
        self.pause()
        self.press(self.page.locator(f"{PRIMARY}:not([aria-disabled='true'])"))

    def pause(self) -> None:
        """Waits until the house takes another decision."""
        self.page.wait_for_timeout(max(0.0, self._confirmed + A_MOMENT - time.monotonic()) * 1000)
        self._confirmed = time.monotonic()


class Keys(PointerHand):
    """Presses with the keyboard alone: Tab to whatever it is, Enter; `b` confirms."""

    def press(self, target: Locator) -> None:
        target.evaluate("(e) => e.setAttribute('data-mark', 'here')")
        self.reach("[data-mark='here']")
        target.evaluate("(e) => e.removeAttribute('data-mark')")
        self.page.keyboard.press("Enter")

    def reach(self, selector: str) -> None:
        for _ in range(200):
            if self.page.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("Something that can be pressed cannot be reached with Tab.")

    def confirm(self) -> None:
        self.pause()
        self.page.keyboard.press("b")
