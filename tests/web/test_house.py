"""What the house does by itself, as people see it: games that had to end, invitations that were changed, earlier games."""

from __future__ import annotations

import pathlib
import re
import sqlite3
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.access import violations
from web.positions import at_random, lay

Guest = Callable[..., Page]


@pytest.mark.parametrize(
    ("language", "title", "look", "again"),
    [
        ("en", "This game had to end", "Look back", "Play again"),
        ("it", "Questa partita si è dovuta fermare", "Rivedi", "Giochiamo ancora"),
    ],
)
def test_a_game_of_other_rules_says_that_it_had_to_end(
    guest: Guest, database: pathlib.Path, axe: str, language: str, title: str, look: str, again: str
) -> None:
    page = guest(language=language)
    table = lay(page, database, at_random("splendor", 2, 20))
    with sqlite3.connect(database, timeout=10) as db:
        db.execute("UPDATE tables SET version = 'earlier' WHERE id = ?", (table,))
    db.close()
    page.goto(f"/table/{table}")
    expect(page.locator(".action__text strong")).to_have_text(title)
    assert violations(page, axe) == []
    page.get_by_role("button", name=look).first.click()
    expect(page.locator(".replay__bar")).to_have_attribute("max", re.compile("1.|20"))  # moments, not steps
    page.goto(f"/table/{table}")
    page.get_by_role("button", name=again).click()
    page.wait_for_url(lambda url: table not in url)
    expect(page.locator(".table .action__text")).to_be_visible(timeout=60_000)


def test_the_host_makes_a_new_link_and_the_old_one_leads_nowhere(guest: Guest, house: str) -> None:
    page = guest()
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": False, "bots": []}
    table = page.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    page.goto(f"/table/{table['id']}")
    link = page.locator(".inviting .copy input")
    old = link.input_value()
    page.get_by_role("button", name="Make a new link").click()
    expect(link).not_to_have_value(old)
    friend = guest("Bruno")
    friend.goto(old)
    expect(friend.get_by_role("heading", name="This table cannot be found")).to_be_visible()
    friend.goto(link.input_value())
    expect(friend.get_by_role("button", name="Sit here").first).to_be_visible()
