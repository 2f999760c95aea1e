"""A simple player of Loot who looks at the page as people do: squares that glow, and what they say they are worth."""

from __future__ import annotations

import functools

from playwright.sync_api import Page

from web.hand import PointerHand, begin_with, open_table_of

ARROWS = {"up": "ArrowUp", "right": "ArrowRight", "down": "ArrowDown", "left": "ArrowLeft"}


open_table = functools.partial(open_table_of, "loot", ".cell")
begin = functools.partial(begin_with, ".cell.can")
PITCH = 210  # dice roll


class Hand(PointerHand):
    """Reads the sheet and decides; how squares are pressed is left to `press`."""

    def __init__(self, page: Page, touch: bool = False) -> None:
        super().__init__(page, touch)
        self.turns = 0
        self.abilities_used = 0

    # What the page shows.

    def wait_for_turn(self) -> bool:
        """True when a decision of ours is awaited, false when the game is over."""
        self.page.wait_for_selector(".cell.can, .orders, .table.is-over, .action:has-text('Stay here')", timeout=60_000)
        return self.page.locator(".table.is-over").count() == 0

    def turn(self) -> str:
        """The round, and whether we have moved in it."""
        return self.page.locator(".paper").get_attribute("data-turn") or ""

    def wait_until_moved(self, before: str) -> None:
        self.page.wait_for_function("(was) => document.querySelector('.paper').dataset.turn !== was", arg=before)

    def worths(self) -> dict[int, float]:
        """The squares that can be chosen, by what they promise; an ability counts as one and a half."""
        script = """(all) => all.map(e => { const w = e.querySelector('.worth');
            return [+e.dataset.square, w ? (parseInt(w.textContent) || 0) + 1.5 * w.querySelectorAll('svg').length : 0] })"""
        return {int(square): worth for square, worth in self.page.locator(".cell.can").evaluate_all(script)}

    # Pressing.

    def choose(self, square: int) -> None:
        self.press(self.page.locator(f".cell[data-square='{square}']"))

    def ready(self, ability: str) -> bool:
        """Presses the button of an ability; false if it cannot be used now."""
        chip = self.page.locator(f".chip[data-ability='{ability}']")
        if not chip.count() or chip.is_disabled():
            return False
        self.press(chip)
        return chip.get_attribute("aria-pressed") == "true"

    # Deciding.

    def play_turn(self) -> None:
        """One decision: the most points in sight; an ability where the plain walk brings nothing."""
        before = self.turn()
        self.turns += 1
        if self.page.locator(".orders").count():
            self.press(self.page.locator(".order").last)
        else:
            self.choose_best()
        self.confirm()
        self.wait_until_moved(before)

    def choose_best(self) -> None:
        best = self.worths()
        if not best:
            return  # nothing but to stay
        if max(best.values()) == 0 and self.turns > 1:
            for ability in ("plus_minus", "wrap"):
                if self.ready(ability):
                    if max(self.worths().values(), default=0) > 0:
                        best = self.worths()
                        self.abilities_used += 1
                        break
                    self.ready(ability)  # put it back
        self.choose(max(best, key=lambda square: (best[square], (square * 31 + self.turns) % 49)))

    def play_on(self) -> None:
        for _ in range(200):
            if not self.wait_for_turn():
                return
            self.play_turn()
        raise AssertionError("the game does not end")


class KeyboardHand(Hand):
    """The same player without a pointer: arrows choose a direction, w and p an ability, Enter walks."""

    def choose(self, square: int) -> None:
        keyboard = self.page.keyboard
        chosen = "(s) => document.querySelector('.cell.is-pick')?.dataset.square === String(s)"
        for arrow in ARROWS.values():
            for _ in range(2):  # with plus or minus one a direction may lead to two squares
                keyboard.press(arrow)
                if self.page.evaluate(chosen, square):
                    return
        # Placing the pawn: n goes from one possible square to the next.
        for _ in range(50):
            keyboard.press("n")
            if self.page.evaluate("document.activeElement.dataset.square") == str(square):
                keyboard.press("Enter")
                assert self.page.evaluate(chosen, square)
                return
        raise AssertionError(f"square {square} cannot be reached by keyboard")

    def confirm(self) -> None:
        self.page.keyboard.press("Enter")

    def ready(self, ability: str) -> bool:
        self.page.keyboard.press({"wrap": "w", "plus_minus": "p"}[ability])
        return self.page.locator(f".chip[data-ability='{ability}'][aria-pressed='true']").count() == 1
