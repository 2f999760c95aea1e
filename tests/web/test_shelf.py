"""The shelf of the home page looks meant, however many boxes there are: no box stands alone at the edge of a row."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

Guest = Callable[..., Page]

# How many boxes stand in each row, by the width of the window and the number of boxes.
ROWS = {
    1440: {4: [4], 5: [5], 6: [3, 3]},
    1024: {4: [4], 5: [5], 6: [3, 3]},
    760: {4: [4], 5: [3, 2], 6: [3, 3]},
    390: {4: [2, 2], 5: [2, 2, 1], 6: [2, 2, 2]},
}


def answer(games: list[Any], route: Route) -> None:
    route.fulfill(json=games)


@pytest.mark.parametrize("width", ROWS)
def test_boxes_stand_in_rows_that_look_meant(guest: Guest, house: str, width: int) -> None:
    page = guest(width=width, height=900, touch=width < 720, language="it")
    games = page.request.get("/api/games").json()
    for number, rows in ROWS[width].items():
        strangers = [games[n] | {"key": f"stranger{n}", "title": f"Stranger {n}"} for n in range(number - len(games))]
        page.unroute_all()
        page.route("**/api/games", functools.partial(answer, games + strangers))
        page.goto("/")
        expect(page.locator(".game .against")).to_have_count(number)
        boxes = [box for box in (game.bounding_box() for game in page.locator(".game").all()) if box]
        tops = sorted({round(box["y"]) for box in boxes})
        assert [sum(round(box["y"]) == top for box in boxes) for top in tops] == rows
        last = [box for box in boxes if round(box["y"]) == tops[-1]]
        left, right = min(box["x"] for box in last), max(box["x"] + box["width"] for box in last)
        assert abs(left + right - width) < 3, "the last row stands in the middle"
        for button in page.locator(".game__do .btn").all():
            assert button.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1"), "the words fit on the button"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
