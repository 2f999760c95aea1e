"""Finding a game: quick match with people and with bots, filters, and friends who are asked."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from web.access import shot, violations

Guest = Callable[..., Page]
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def look(page: Page, find: str, bots: bool, game: str = "Splendor: Marvel") -> None:
    """Looks for two at a game without a clock."""
    page.goto("/")
    quick = page.locator(".quick")
    quick.get_by_role("radio", name=game).check()
    quick.get_by_role("combobox").select_option("none")
    quick.get_by_role("checkbox").set_checked(bots)
    quick.get_by_role("button", name=find).click()


def test_quick_match_with_people_and_with_bots(guest: Guest, house: str, axe: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", language="it", width=360, height=780, touch=True)
    look(ada, "Find a game", bots=False)
    corner = ada.locator(".corner")
    expect(corner).to_contain_text("1 of 2 found")
    shot(ada, "quick-1440")
    assert violations(ada, axe) == []
    corner.get_by_role("button", name="Cancel").click()
    expect(corner).to_have_count(0)

    # Who goes on browsing is found all the same, and so is who comes back after a reload.
    look(ada, "Find a game", bots=False)
    ada.get_by_role("link", name="Learn").first.click()
    ada.reload()
    expect(corner).to_contain_text("1 of 2 found")
    bruno.goto("/")
    expect(bruno.locator(".quick")).to_be_visible()
    assert bruno.evaluate(SIDEWAYS) == 0
    shot(bruno, "quick-360")
    look(bruno, "Trova una partita", bots=False)
    for page in (ada, bruno):
        page.wait_for_selector(".market [data-card]")
        expect(page.locator(".corner")).to_have_count(0)
    assert ada.url.split("?")[0] == bruno.url.split("?")[0]

    # On a phone the corner can be read and left at leisure.
    look(bruno, "Trova una partita", bots=False, game="Loot")
    corner = bruno.locator(".corner")
    expect(corner).to_be_visible()
    shot(bruno, "quick-corner-360")
    assert violations(bruno, axe) == []
    corner.get_by_role("button", name="Annulla").click()
    expect(corner).to_have_count(0)

    # With nobody there bots sit down.
    look(bruno, "Trova una partita", bots=True)
    bruno.wait_for_selector(".market [data-card]")
    assert bruno.url != ada.url


def test_friends_are_asked_and_tables_are_filtered(guest: Guest, house: str, axe: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", language="it", width=360, height=780, touch=True)
    origin = {"Origin": house}
    code = ada.request.post("/api/you/friends/link", headers=origin).json()["code"]
    bruno.request.post("/api/you/friends", data={"code": code}, headers=origin)
    wish = {"game": "loot", "seats": 3, "options": {}, "public": False, "bots": []}
    table = ada.request.post("/api/tables", data=wish, headers=origin).json()["id"]
    ada.goto(f"/table/{table}")
    box = ada.locator(".askfriends")
    box.locator("li", has_text="Bruno").get_by_role("button").click()
    expect(box).to_contain_text("asked · a chair is kept")
    ada.get_by_role("group", name="Taking back").get_by_role("button", name="also if all agree").click()
    expect(ada.locator(".waitroom__head")).to_contain_text("also if all agree")
    shot(ada, "ask-1440")
    assert violations(ada, axe) == []

    bruno.goto("/")
    asked = bruno.locator(".asked")
    expect(asked).to_contain_text("Ada ti invita a Loot")
    shot(bruno, "asked-360")
    assert violations(bruno, axe) == []
    assert bruno.evaluate(SIDEWAYS) == 0
    asked.get_by_role("button", name="Siediti").click()
    expect(bruno.locator(".sitting")).to_contain_text("Bruno")
    expect(box.get_by_text("sits here")).to_be_visible()

    # He proposes something, and she is told.
    bruno.get_by_role("group", name="Annullare").get_by_role("button", name="finché nessuno").click()
    expect(ada.locator(".toasts")).to_contain_text("while nobody has learnt anything")

    # Two open tables; one of them by days.
    for more in ({}, {"clock": {"kind": "days", "bank": 86400}, "rated": True}):
        ada.request.post("/api/tables", data=wish | {"public": True, "name": "Fjord"} | more, headers=origin)
    bruno.goto("/")
    tables = bruno.locator(".open li", has_text="Fjord")
    expect(tables).to_have_count(2)
    bruno.locator(".filter summary").click()
    bruno.get_by_label("Orologio", exact=True).select_option("days")
    expect(tables).to_have_count(1)
    expect(bruno.locator(".filter summary")).to_contain_text("a giorni")
    shot(bruno, "filter-360")
    assert violations(bruno, axe) == []
    bruno.get_by_label("Conta", exact=True).select_option("no")
    expect(tables).to_have_count(0)
    bruno.get_by_role("button", name="Mostra tutti").click()
    expect(tables).to_have_count(2)
