"""No accessibility violations on the pages around and at a Splendor table, by day and by night; no sideways scroll."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from web.access import violations
from web.splendor_hand import Hand, open_table

Guest = Callable[..., Page]


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_no_violations(guest: Guest, house: str, axe: str, theme: str, width: int) -> None:
    page = guest(theme=theme, width=width, height=900 if width > 1000 else 844, touch=width < 1000)
    page.goto("/")
    page.wait_for_selector("h1")
    assert violations(page, axe) == []
    wish = {
        "game": "splendor",
        "seats": 3,
        "options": {"edition": "marvel"},
        "public": False,
        "bots": [None, "novice", None],
    }
    table = page.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    page.goto(f"/table/{table['id']}")
    page.wait_for_selector("h1")
    assert violations(page, axe) == []
    page.request.post(f"/api/tables/{table['id']}/start", headers={"Origin": house})
    page.wait_for_selector(".market [data-card]")
    hand = Hand(page, touch=width < 1000)
    for _ in range(3):
        assert hand.wait_for_turn()
        hand.play_turn()
    assert hand.wait_for_turn()
    assert violations(page, axe) == []
    hand.press(page.locator("[data-pile='1'], .bank .can [data-pile]").first)
    assert violations(page, axe) == []
    page.keyboard.press("Escape")
    hand.press(page.locator(".market button[data-card]").first)
    assert violations(page, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_violations_at_the_end(guest: Guest, house: str, axe: str, theme: str) -> None:
    page = guest(theme=theme)
    open_table(page, house, edition="base")
    Hand(page, "base").play_on()
    page.wait_for_selector(".ranking li")
    assert violations(page, axe) == []


@pytest.mark.parametrize("edition", ["marvel", "base"])
def test_360_pixels_are_enough(guest: Guest, house: str, edition: str) -> None:
    page = guest(width=360, height=740, touch=True, language="it")
    open_table(page, house, edition=edition, seats=4)
    hand = Hand(page, edition, touch=True)
    for _ in range(3):
        assert hand.wait_for_turn()
        hand.press(page.locator(".market button[data-card]").first)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.keyboard.press("Escape")
        hand.unfold(True)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        hand.unfold(False)
        hand.play_turn()
    small = page.locator(".market button, .bank button, .tray__handle, .action .btn").evaluate_all(
        """(list) => list.filter((e) => {
             const box = e.getBoundingClientRect();
             return box.width && (box.height < 40 || box.width < 28);
           }).map((e) => e.className)"""
    )
    assert small == [], "targets a finger can hit (the piles and decks reach 44 px with an invisible margin)"
