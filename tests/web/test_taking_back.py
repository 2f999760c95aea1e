"""Taking back, at the page: allowed, refused with a reason, folded in the log, by consent, and alone."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect

from web.access import shot, violations
from web.hand import wait_until
from web.splendor_hand import Hand, open_table

Guest = Callable[..., Page]


def test_two_people_take_back_what_nobody_has_learnt_from(guest: Guest, house: str, axe: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", language="it", width=390, height=844)
    origin = {"Origin": house}
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": [], "take_back": "consent"}
    table = ada.request.post("/api/tables", data=wish, headers=origin).json()["id"]
    bruno.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    for page in (ada, bruno):
        page.goto(f"/table/{table}")
    ada.request.post(f"/api/tables/{table}/start", headers=origin)
    for page in (ada, bruno):
        page.wait_for_selector(".market [data-card]")
    back = ada.get_by_role("button", name="Take back")
    held = ada.locator(".tray [data-spot^='held:']")
    before = held.all_text_contents()
    expect(back).to_have_count(0)

    Hand(ada).take_gems()
    expect(back).to_be_visible()
    expect(held).not_to_have_text(before)
    shot(ada, "undo-offered")
    ada.keyboard.press("u")
    expect(ada.locator(".tray.is-turn")).to_be_visible()
    expect(back).to_have_count(0)
    expect(held).to_have_text(before)
    for page, said in ((ada, "You take the last decision back."), (bruno, "Ada annulla l’ultima decisione.")):
        expect(page.locator(".log p", has_text=said)).to_have_count(1)
    fold = ada.locator(".log__gone")
    fold.locator("summary").click()
    expect(fold.locator("s").first).to_be_visible()
    expect(bruno.locator("[role=log] p", has_text="Ada annulla")).to_have_count(1)  # heard by a screen reader
    shot(ada, "undo-folded")
    assert violations(ada, axe) == []

    Hand(ada).take_gems()
    expect(back).to_be_visible()
    Hand(bruno).take_gems()
    expect(ada.locator(".action__back small")).to_have_text("Bruno has moved since.")
    expect(back).to_have_attribute("aria-disabled", "true")
    expect(bruno.get_by_role("button", name="Annulla mossa")).to_be_visible()
    shot(ada, "undo-gone")
    shot(bruno, "undo-phone")
    assert violations(bruno, axe) == []

    ada.get_by_role("button", name="Ask the others").click()
    expect(ada.locator(".action__text")).to_contain_text("Asked. Waiting for Bruno.")
    expect(bruno.locator(".action__text")).to_contain_text("Ada chiede di annullare")
    shot(bruno, "undo-asked")
    bruno.get_by_role("button", name="D’accordo").click()
    expect(ada.locator(".tray.is-turn")).to_be_visible()
    expect(held).to_have_text(before)


def test_alone_with_bots_one_goes_back_and_back(guest: Guest, house: str) -> None:
    page = guest(width=390, height=844)
    offered: list[int | None] = []

    def hear(frame: str | bytes) -> None:
        message = json.loads(frame)
        offered.extend([message["to"]] if message["type"] == "may_take_back" else [])

    page.on("websocket", lambda line: line.on("framereceived", hear))
    open_table(page, house)
    hand = Hand(page)
    for _ in range(2):
        assert hand.wait_for_turn()
        before = hand.seq()
        hand.take_gems()
        page.wait_for_function("(before) => document.querySelector('.market').dataset.seq !== before", arg=before)
    assert hand.wait_for_turn()
    for left in (1, 0):
        expect(page.get_by_role("button", name="Take back")).to_have_count(1)
        wait_until(page, lambda: offered and offered[-1] is not None)  # the verdict comes a moment after the position
        offered.clear()
        page.keyboard.press("u")
        expect(page.locator(".log p", has_text="You take the last decision back.")).to_have_count(1)
        expect(page.get_by_role("button", name="Take back")).to_have_count(left)
    shot(page, "undo-alone")
