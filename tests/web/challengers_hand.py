"""A simple player of Challengers! who looks at the page as people do: what lies there, what glows, what the buttons say."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

from playwright.sync_api import Error, Page, TimeoutError

from web.hand import PRIMARY, Keys, PointerHand, open_table_of

LAST = ".action__buttons .btn >> nth=-1"
QUIET = """() => {
  const ch = document.querySelector('.ch');
  return ch && !ch.dataset.sending && !document.querySelector('.action .wheel');
}"""
CHANGED = """([seq, at]) => document.querySelector('.table.is-over') || document.querySelector('.ch').dataset.seq !== seq
  || (document.querySelector('.match')?.dataset.at ?? '') !== at"""
LOOK = """() => {
  const ch = document.querySelector('.ch');
  return {
    over: !!document.querySelector('.table.is-over'), screen: ch.dataset.screen, step: ch.dataset.step, seq: ch.dataset.seq,
    ask: document.querySelector('.ask')?.dataset.ask ?? null, bench: !!document.querySelector('button.seat.can'),
    at: document.querySelector('.match')?.dataset.at ?? '',
    primary: !!document.querySelector('.action__buttons .btn--primary'),
  };
}"""


open_table = functools.partial(open_table_of, "challengers", ".ch")
PITCH = 392  # the flag


def begin(page: Page, again: bool = False) -> None:
    """Keeps no card, up to the press that sends it: it asks by itself, then the table asks."""
    if not again:
        page.keyboard.press("b")
    page.keyboard.press("b")


class Hand(PointerHand):
    """Decides; how things are pressed is left to `press`."""

    def __init__(self, page: Page, touch: bool = False) -> None:
        super().__init__(page, touch)
        self.seen: set[str] = set()

    def look(self) -> dict[str, Any]:
        self.page.wait_for_function(QUIET)
        found: dict[str, Any] = self.page.evaluate(LOOK)
        self.seen.add(f"{found['screen']} {found['ask'] or ('bench' if found['bench'] else found['step'])}".strip())
        return found

    def confirm(self) -> None:
        self.press(self.page.locator(LAST))

    def decide(self) -> bool:
        """One decision, or a moment's wait for the others; false when the game is over."""
        now = self.look()
        if now["over"]:
            return False
        try:
            if now["screen"] == "deck":
                getattr(self, now["step"])()
                self.stored(now["seq"])
            elif now["screen"] == "match" and (now["ask"] or now["bench"]):
                self.answer(now)
                self.stored(now["seq"])
            elif now["screen"] == "match" and now["primary"]:
                self.confirm()  # seen: on to what comes next
            else:
                self.wait(now)
        except Error:
            if not self.page.locator(".table.is-over").count():  # the game may end while we reach for a button
                raise
        return True

    def wait(self, now: dict[str, Any]) -> None:
        """Until the page shows something new, or for a second."""
        with contextlib.suppress(TimeoutError):
            self.page.wait_for_function(CHANGED, arg=[now["seq"], now["at"]], timeout=1000)

    def stored(self, seq: str) -> None:
        """The page shows what came of it."""
        self.page.wait_for_function("(seq) => document.querySelector('.ch').dataset.seq !== seq", arg=seq)

    # The deck phase

    def level(self) -> None:
        self.press(self.page.locator("[data-level]").last)
        self.confirm()

    def draft(self) -> None:
        """The strongest cards, after a redraw of the weakest one if there is still one."""
        if self.page.locator("[data-do=redraw]").count():
            self.mark(self.weakest(), "redraw")
            self.press(self.page.locator(".action__buttons .btn").first)
            return
        for place in self.strongest():
            self.mark(place, "keep")
        self.confirm()

    redraw = draft

    def powers(self) -> dict[int, int]:
        script = "(l) => l.map(e => [+e.dataset.place, parseInt(e.querySelector('.fighter__power').textContent)])"
        return {int(place): int(power) for place, power in self.page.locator("[data-place]").evaluate_all(script)}

    def weakest(self) -> int:
        powers = self.powers()
        return min(powers, key=lambda place: powers[place])

    def strongest(self) -> list[int]:
        powers = self.powers()
        allowed = 2 if "2" in self.page.locator(".level[aria-checked=true] b").inner_text() else 1
        return sorted(powers, key=lambda place: -powers[place])[:allowed]

    def mark(self, place: int, what: str) -> None:
        self.press(self.page.locator(f"[data-place='{place}'] [data-do={what}]"))

    def exchange(self) -> None:
        """Gives up the first card that fits, as often as asked."""
        for _ in range(2):
            if self.page.locator(f"{PRIMARY}[aria-disabled=true]").count():
                self.press(self.page.locator("[data-swap]").first)
        self.confirm()

    def trim(self) -> None:
        newcomers = self.page.locator("[data-remove='city-newcomer-p']")
        if newcomers.count():
            self.press(newcomers.first)
        self.confirm()

    # Questions in a match

    def answer(self, now: dict[str, Any]) -> None:
        if now["ask"] == "reorder":
            self.press(self.page.locator(".ask__move .btn").nth(1))
        elif now["ask"]:
            self.press(self.page.locator("[data-answer]").first)
        else:
            self.press(self.page.locator("button.seat.can").first)
        self.confirm()

    def play_on(self, most: int = 2000) -> None:
        for _ in range(most):
            if not self.decide():
                return
        raise AssertionError(f"No end after {most} decisions: {sorted(self.seen)}")


class LosingHand(Hand):
    """Takes no card and keeps one Newcomer."""

    def draft(self) -> None:
        self.confirm()  # «keep none» …
        self.confirm()  # … «yes»

    def level(self) -> None:
        self.press(self.page.locator("[data-level]").first)
        self.confirm()

    def trim(self) -> None:
        for card in ("champion-p", "dog-p", "talent-p", "newcomer-p", "newcomer-p"):
            button = self.page.locator(f"[data-remove='city-{card}']")
            if button.count() and self.page.locator("[data-row]").count() > 1:
                self.press(button)
        self.confirm()


class KeyboardHand(Keys, Hand):
    """The same player without a pointer."""

    def mark(self, place: int, what: str) -> None:
        self.page.keyboard.press(str(place))
        self.page.keyboard.press("k" if what == "keep" else "r")

    def draft(self) -> None:
        if self.page.locator("[data-do=redraw]").count():
            self.mark(self.weakest(), "redraw")
            self.confirm()  # while cards are marked, this redraws
            return
        super().draft()

    redraw = draft
