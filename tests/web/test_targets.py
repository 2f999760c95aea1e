"""Everything that can be pressed is as large as a fingertip on the smallest phone: 44 by 44 pixels at a width of 360."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ludoteca.games.challengers.actions import CHOOSE_LEVEL
from web.access import settle
from web.positions import POSITIONS, at_random, lay, stand
from web.targets import too_small

Guest = Callable[..., Page]
TABLES = ("jokers", "too_many_tokens", "two_nobles", "four_sheets", "abilities", "king_of_con", "challengers")


def phone(guest: Guest) -> Page:
    return guest(width=360, height=740, touch=True)


def opened(page: Page, database: pathlib.Path, where: str) -> None:
    if where in POSITIONS:
        stand(page, database, where)
    else:
        page.goto(f"/table/{lay(page, database, at_random(where, 4, 60))}")
        page.wait_for_selector(".table .action__text")


@pytest.mark.parametrize("where", TABLES)
def test_at_the_table(guest: Guest, database: pathlib.Path, where: str) -> None:
    page = phone(guest)
    opened(page, database, where)
    assert not (small := too_small(page)), "\n".join(["", *small])


@pytest.mark.parametrize("where", ["jokers", "four_sheets", "king_of_con", "challengers"])
@pytest.mark.parametrize("what", ["log", "chat"])
def test_beside_the_table(guest: Guest, database: pathlib.Path, where: str, what: str) -> None:
    page = phone(guest)
    opened(page, database, where)
    page.locator(f".t-head .btn:has(use[href='#i-{what}'])").click()
    page.wait_for_selector(".side.is-open")
    settle(page)
    assert not (small := too_small(page)), "\n".join(["", *small])


def test_what_is_unfolded_in_splendor(guest: Guest, database: pathlib.Path) -> None:
    page = phone(guest)
    stand(page, database, "jokers")
    page.locator(".tray__handle").click()
    expect(page.locator(".tray__handle")).to_have_attribute("aria-expanded", "true")
    settle(page)
    assert not (small := too_small(page)), "\n".join(["", *small])


def test_in_a_match_of_challengers(guest: Guest, database: pathlib.Path) -> None:
    page = phone(guest)
    page.goto(f"/table/{lay(page, database, at_random('challengers', 4, until=CHOOSE_LEVEL + 1))}")
    page.get_by_role("button", name="Last match").click()
    page.wait_for_selector(".piles")
    assert not (small := too_small(page)), "\n".join(["", *small])


def test_at_home(guest: Guest) -> None:
    page = phone(guest)
    page.goto("/")
    page.wait_for_selector(".game .btn")
    assert not (small := too_small(page)), "\n".join(["", *small])


def test_in_the_lobby(guest: Guest, house: str) -> None:
    page = phone(guest)
    wish = {"game": "splendor", "seats": 3, "options": {}, "public": True, "bots": [None, "novice", None]}
    table = page.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
    page.goto(f"/table/{table}")
    page.wait_for_selector(".sitting")
    assert not (small := too_small(page)), "\n".join(["", *small])


@pytest.mark.parametrize("where", ["/learn", "/puzzles", "/players", "/tournaments", "/about", "/you", "/studio"])
def test_on_the_pages_beside_the_tables(guest: Guest, where: str) -> None:
    page = phone(guest)
    page.goto(where)
    page.wait_for_selector("main h1, main h2")
    settle(page)
    assert not (small := too_small(page)), "\n".join(["", *small])


def test_while_looking_back(guest: Guest, database: pathlib.Path) -> None:
    page = phone(guest)
    page.goto(f"/table/{lay(page, database, at_random('splendor', 2))}/again?at=5")
    page.wait_for_selector(".replay__bar")
    settle(page)
    assert not (small := too_small(page)), "\n".join(["", *small])
