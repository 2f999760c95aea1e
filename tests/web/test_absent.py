"""Somebody who is awaited has closed the page: the others need not wait for ever."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

Guest = Callable[..., Page]


def test_a_bot_may_play_for_somebody_who_is_away(guest: Guest, house: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno")
    origin = {"Origin": house}
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
    table = ada.request.post("/api/tables", data=wish, headers=origin).json()["id"]
    bruno.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    for page in (ada, bruno):
        page.goto(f"/table/{table}")
    ada.request.post(f"/api/tables/{table}/start", headers=origin)
    let = bruno.get_by_role("button", name="Let a bot play for Ada")
    expect(bruno.locator(".action__text")).to_contain_text("Ada is choosing")
    expect(let).to_have_count(0)
    ada.close()
    expect(bruno.locator(".action__text")).to_contain_text("Ada is away")
    let.click()
    expect(bruno.get_by_text("Ada has only just left.")).to_be_visible()
