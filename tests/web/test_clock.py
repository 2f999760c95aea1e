"""Clocks at the table: one of two is there for the eye and the ear, warns, runs out, and the chair can be taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from playwright.sync_api import Page, expect

from .access import shot, violations

Guest = Callable[..., Page]


def test_a_clock_warns_runs_out_and_the_chair_is_taken_back(guest: Guest, house: str, axe: str) -> None:
    ada, bruno = guest(name="Ada", width=360, height=780), guest(name="Bruno")
    origin = {"Origin": house}
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
    clock = {"kind": "live", "bank": 20, "increment": 5}
    table = ada.request.post("/api/tables", data=wish | {"clock": clock}, headers=origin).json()["id"]
    bruno.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    for page in (ada, bruno):
        page.goto(f"/table/{table}")
    expect(bruno.get_by_text("Clock: 20 s each, +5 s a turn, a bot plays on")).to_be_visible()
    ada.request.post(f"/api/tables/{table}/start", headers=origin)

    expect(bruno.locator(".t-head")).to_contain_text("friendly, 20 s each, +5 s a turn")

    # It runs, beside the name and in the action line.
    expect(ada.locator(".action .clk--running.clk--big")).to_be_visible()
    expect(bruno.locator(".player .clk--running")).to_contain_text("running")

    # Little is left: another shape, a thick edge, one sentence for the ear.
    expect(ada.locator(".action .clk--low.clk--big")).to_be_visible()
    expect(ada.locator(".action--low .drain")).to_be_attached()
    expect(ada.locator("p[role=status].visually-hidden")).to_contain_text("seconds left; then a bot plays for you.")
    assert violations(ada, axe) == []

    # It runs out: a bot has decided, and the chair is still Ada's.
    expect(ada.get_by_text("Your time ran out")).to_be_visible()
    expect(ada.locator(".action__text")).to_contain_text("it costs you no rating")
    expect(bruno.locator(".player .clk--out")).to_be_visible()
    expect(bruno.locator(".action__text")).to_contain_text("Your turn")
    assert violations(ada, axe) == []
    ada.get_by_role("button", name="Take my chair back").click()
    expect(ada.locator(".action__text")).to_contain_text("Bruno is choosing")

    # An opponent gives more time with one press, and `t` says all clocks.
    give = ada.get_by_role("button", name="Give 1 min", exact=True)
    expect(give).to_be_visible()
    give.click()
    expect(bruno.get_by_text("Ada gave Bruno 1 min more.").first).to_be_visible()
    when = bruno.locator(".log li:has(p) time")  # every line says when it was
    assert when.count() == bruno.locator(".log li:has(p)").count() >= 3
    told = [datetime.fromisoformat(str(one.get_attribute("datetime"))) for one in when.all()]
    assert told == sorted(told, reverse=True) and (datetime.now(UTC) - told[-1]).total_seconds() < 600
    expect(when.first).to_have_text(re.compile(r"^\d\d:\d\d$"))
    expect(bruno.locator(".action .clk--running")).to_contain_text("1:")
    bruno.keyboard.press("t")
    expect(bruno.get_by_text("Ada: 15 seconds left").first).to_be_attached()
    assert violations(ada, axe) == []
    assert ada.evaluate("document.documentElement.scrollWidth") <= 360


def test_clocks_that_run_at_once_stand_under_their_symbols(guest: Guest, house: str, axe: str) -> None:
    """In King of Con all who choose pay: one's own clock is large, the others' stand with their symbols and names."""
    people = [guest(name=name) for name in ("Ada", "Bruno", "Carla")]
    ada, bruno, _ = people
    wish = {"game": "king_of_con", "seats": 3, "options": {}, "public": True, "bots": []}
    clock = {"kind": "live", "bank": 600, "increment": 5}
    origin = {"Origin": house}
    table = ada.request.post("/api/tables", data=wish | {"clock": clock}, headers=origin).json()["id"]
    for page in people[1:]:
        page.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    ada.request.post(f"/api/tables/{table}/start", headers=origin)
    for page in (ada, bruno):
        page.goto(f"/table/{table}")
        page.wait_for_selector("button.bigpassion")
    expect(ada.locator(".action .clk--running.clk--big")).to_be_visible()
    others = ada.locator(".seals__time")
    expect(others).to_have_count(3)
    assert [one.is_visible() for one in others.all()] == [False, True, True]  # one's own is the large one
    expect(ada.locator(".side .player__time .clk--running")).to_have_count(2)
    bruno.locator("button.bigpassion").first.click()
    bruno.locator(".action__buttons .btn--primary").click()
    expect(others).to_have_count(2)
    expect(ada.locator(".seals .seals__lock")).to_have_count(1)
    shot(ada, "clocks-at-once")
    assert violations(ada, axe) == []
