"""Whole games of Splendor in a real browser: by mouse, by keyboard, on a phone, and two people at one table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.splendor_hand import Hand, KeyboardHand, open_table

Guest = Callable[..., Page]


def ranking(page: Page) -> list[str]:
    page.wait_for_selector(".ranking li")
    return page.locator(".ranking li").all_inner_texts()


def test_a_whole_game_against_bots_by_mouse(guest: Guest, house: str) -> None:
    page = guest()
    page.goto("/")
    open_table(page, house)
    hand = Hand(page)
    hand.play_on()
    ranks = ranking(page)
    assert len(ranks) == 2 and any("Giulia" in line for line in ranks)
    assert "Gauntlet assembled" in ranks[0], "the ranking gives its reasons"
    log = page.locator(".log").inner_text()
    assert "You recruited" in log and "You took" in log and "last round" in log


def test_a_whole_game_with_the_keyboard_only(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, edition="base")
    KeyboardHand(page, "base").play_on()
    ranks = ranking(page)
    assert "Reached the goal" in ranks[0]


@pytest.mark.long
def test_a_whole_game_on_a_phone(guest: Guest, house: str) -> None:
    page = guest(width=390, height=844, touch=True)
    open_table(page, house)
    hand = Hand(page, touch=True)
    widths: set[int] = set()
    for _ in range(400):
        if not hand.wait_for_turn():
            break
        widths.add(page.evaluate("document.documentElement.scrollWidth"))
        hand.play_turn()
    assert widths == {390}, "the page never scrolls sideways"
    assert ranking(page)


def test_two_browsers_at_one_table(guest: Guest, house: str) -> None:
    anna, marco = guest("Anna"), guest("Marco", theme="dark", language="it")
    wish = {"game": "splendor", "seats": 2, "options": {"edition": "marvel"}, "public": False, "bots": [None, None]}
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    anna.goto(f"/table/{table['id']}")
    marco.goto(f"/table/{table['id']}?invite={table['invite']}")
    sat = marco.request.post(
        f"/api/tables/{table['id']}/sit", data={"invite": table["invite"]}, headers={"Origin": house}
    )
    assert sat.ok, sat.text()
    started = anna.request.post(f"/api/tables/{table['id']}/start", headers={"Origin": house})
    assert started.ok, started.text()
    for page in (anna, marco):
        page.wait_for_selector(".market [data-card]")

    first, second = Hand(anna), Hand(marco)
    for _ in range(4):
        for hand in (first, second):
            assert hand.wait_for_turn()
            while hand.page.locator(".tray.is-turn").count():
                hand.play_turn()
    markets = [
        p.locator(".market [data-card]").evaluate_all("(l) => l.map(e => e.dataset.card)") for p in (anna, marco)
    ]
    assert markets[0] == markets[1]
    expect(anna.locator(".log")).to_contain_text("You took", use_inner_text=True)
    expect(marco.locator(".log")).to_contain_text("Anna ha preso", use_inner_text=True)

    # A card reserved from the top of a deck is Anna's secret; Marco sees a back of level 3.
    assert first.wait_for_turn()
    anna.click(".deck--3")
    anna.click(".action__buttons .btn--primary")
    anna.wait_for_selector(".reserved [data-card]")
    secret = anna.locator(".reserved [data-card]").last.get_attribute("data-card")
    anna.wait_for_selector("[data-give], .tray:not(.is-turn)")
    while anna.locator(".tray.is-turn").count():  # she held ten tokens
        first.play_turn()
    marco.wait_for_selector(".tray.is-turn, [data-give]")
    marco.click("[data-spot='team:0']")
    marco.wait_for_selector(".team .cardback.deck--3")
    assert secret and secret not in marco.content()
