"""A simple player of King of Con who looks at the page as people do: what is lit, and what the buttons say."""

from __future__ import annotations

import functools
import random

from playwright.sync_api import Locator, Page

from web.hand import Keys, PointerHand, begin_with, open_table_of

open_table = functools.partial(open_table_of, "king_of_con", ".quad")
begin = functools.partial(begin_with, ".bigpassion")
PITCH = 330  # screens go up


class Hand(PointerHand):
    """Decides by what the page asks; how things are pressed is left to `press`."""

    def __init__(self, page: Page, seed: int = 1, touch: bool = False) -> None:
        super().__init__(page, touch)
        self.luck = random.Random(seed)
        self.asked: set[str] = set()  # every kind of question met so far

    def question(self) -> str:
        """What is asked of us: waits for the first thing there is."""
        self.page.wait_for_selector(".reveal, .tray.is-turn .mycoll, .table.is-over", timeout=60_000)
        for name, mark in (
            ("over", ".table.is-over"),
            ("reveal", ".reveal"),
            ("passions", "button.bigpassion"),
            ("tie", ".ties"),
            ("looting", ".offers"),
        ):
            if self.page.locator(mark).count():
                return name
        return "hid-bid"

    def occasion(self) -> str:
        """Changes with every decision asked of us."""
        return self.page.locator(".board [data-occasion]").first.get_attribute("data-occasion") or ""

    def play_on(self, decisions: int = 400) -> bool:
        """Plays until the game is over; true if it is."""
        for _ in range(decisions):
            if self.decide() == "over":
                return True
        return False

    def decide(self) -> str:
        """One decision, and then until the page shows it done; returns what was asked."""
        question = self.question()
        self.asked.add(question)
        if question == "over":
            return question
        before = self.occasion()
        self.answer(question)
        self.page.wait_for_function(
            """(before) => document.querySelector('.table.is-over, .reveal')
            || document.querySelector('.board [data-occasion]')?.dataset.occasion !== before""",
            arg=before,
            timeout=60_000,
        )
        return question

    def answer(self, question: str) -> None:
        if question == "passions":
            self.press(self.page.locator("button.bigpassion").nth(self.luck.randrange(3)))
        elif question == "tie" and self.page.locator(".ties .booth__press").count():
            self.press(self.page.locator(".ties .booth__press").first)
        elif question == "looting":
            self.offer_in_the_looting()
        elif question == "hid-bid":
            self.offer_at_a_booth()
        self.confirm()

    def offer_at_a_booth(self) -> None:
        booths = self.page.locator(".booth.can .booth__press")
        if booths.count() and self.luck.random() < 0.8:
            self.press(booths.nth(self.luck.randrange(booths.count())))
            more = self.page.locator(".bid .stepper .btn").last
            for _ in range(self.luck.randrange(3)):
                if more.get_attribute("aria-disabled") == "false":
                    self.press(more)

    def offer_in_the_looting(self) -> None:
        for _ in range(2):
            lit = self.page.locator(".quad button.cell")
            if lit.count():
                self.press(lit.nth(self.luck.randrange(lit.count())))


class KeyboardHand(Keys, Hand):
    """The same with keys only."""

    def press(self, target: Locator) -> None:
        target.focus()
        self.page.keyboard.press("Enter")

    def offer_at_a_booth(self) -> None:
        if self.page.locator(".booth.can").count() and self.luck.random() < 0.8:
            self.page.keyboard.press(str(self.luck.randrange(4) + 1))
            self.page.keyboard.press("+")

    def offer_in_the_looting(self) -> None:
        lit = self.page.locator(".quad button.cell")
        if lit.count():
            lit.first.focus()
            self.page.keyboard.press(self.luck.choice(["ArrowRight", "ArrowDown", "ArrowLeft"]))
            self.page.keyboard.press("2")
