"""Fair chance in a real browser: promised before the deal, mixed by this browser too, and checked here at the end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from web.access import violations
from web.loot_hand import Hand

Guest = Callable[..., Page]


def play_bots(page: Page, game: str) -> str:
    """Presses «play bots» on the home page; the id of the table it leads to."""
    page.goto("/")
    page.evaluate("""localStorage.setItem('ludoteca.against', '{"loot": {"seats": 2, "level": "novice"}}')""")
    page.goto("/")
    page.get_by_role("button", name=re.compile(rf"^Play bots now\s*: {game}$")).click()
    page.wait_for_url("**/table/*")
    return table_of(page)


def table_of(page: Page) -> str:
    return page.url.rpartition("/table/")[2]


def noted(page: Page, table: str) -> dict[str, Any]:
    """What the browser wrote down about a table."""
    kept = page.evaluate("JSON.parse(localStorage.getItem('ludoteca.promises') ?? '{}')")
    found: dict[str, Any] = kept[table]
    return found


def check_promise(page: Page, table: str, seat: int) -> None:
    """The browser wrote down the commitment, and what it threw in is part of the deal."""
    fair = page.request.get(f"/api/tables/{table}").json()["fair"]
    promise = noted(page, table)
    assert promise["commitment"] == fair["commitment"]
    assert len(fair["entropy"][seat]) == 32
    assert promise["shares"] == [fair["entropy"][seat]]


def test_play_bots_and_play_again_are_fair_from_the_promise_to_the_check(guest: Guest, axe: str) -> None:
    page = guest()
    asked: list[tuple[str, str | None]] = []
    page.on("request", lambda r: asked.append((r.url, r.post_data)) if r.method == "POST" else None)
    table = play_bots(page, "Loot")
    page.wait_for_selector(".cell")
    assert [url.rpartition("/")[2] for url, _ in asked] == ["play-now", "start"]
    check_promise(page, table, 0)

    Hand(page).play_on()
    expect(page.locator(".fair summary b")).to_have_text("All chance follows from the secret locked before the start")
    expect(page.get_by_role("link", name="Download the record"), "without unfolding anything").to_be_visible()
    page.locator(".fair summary").click()
    steps = page.locator(".fair li").all_inner_texts()
    assert len(steps) == 5 and page.locator(".fair li.wrong").count() == 0
    assert "wrote down before the start" in steps[1] and "threw in is part of it" in steps[2]
    assert re.match(r"All \d+ numbers drawn at the start and in \d+ moves", steps[3])
    assert re.match(r"All \d+ dice you saw fall: the very numbers drawn", steps[4])
    assert not violations(page, axe)

    record = page.request.get(page.locator(".fairrecord a").get_attribute("href") or "").json()
    drawn = sum(len(step["drawn"].split()) for step in record["fair"]["draws"])
    assert f"All {drawn} numbers" in steps[3]

    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: table not in url)
    page.wait_for_selector(".cell")  # dealt at once, without another press
    check_promise(page, table_of(page), 1)


def test_another_promise_than_the_one_shown_before_the_deal_is_found_out(guest: Guest) -> None:
    page = guest(language="it")
    page.goto("/")
    page.evaluate("""localStorage.setItem('ludoteca.against', '{"loot": {"seats": 1, "level": "novice"}}')""")
    page.goto("/")
    page.get_by_role("button", name=re.compile(r": Loot$")).first.click()
    page.wait_for_selector(".cell")
    table = table_of(page)
    Hand(page).play_on()
    expect(page.locator(".fair summary b")).to_have_text("Tutto il caso segue dal segreto chiuso prima dell’inizio")
    other = {table: noted(page, table) | {"commitment": "00" * 32, "shares": ["mine"]}}
    page.evaluate("(kept) => localStorage.setItem('ludoteca.promises', kept)", json.dumps(other))
    page.reload()
    page.get_by_role("button", name="Mostra il risultato").click()
    expect(page.locator(".fair--bad summary b")).to_have_text("I conti non tornano")
    wrong = page.locator(".fair li.wrong").all_inner_texts()
    assert len(wrong) == 2
    assert "Non è l’impronta" in wrong[0] and "lasciato fuori" in wrong[1]
