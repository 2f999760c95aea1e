"""Through a restart, over days, and back to the table: what time does to a game, seen in several browsers."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from ludoteca.catalogue import game as find_game
from ludoteca.core.engine import interpreted
from ludoteca.server import bots, uptime
from ludoteca.server.clocks import A_DAY
from server.house import first_legal
from web.access import shot, violations
from web.conftest import build
from web.inside import Inside

Guest = Callable[..., Page]
HOUR = 3600.0
MUTED = "(id) => fetch('/api/you').then((answer) => answer.json()).then((you) => you.notices.muted_tables.includes(id))"
A_WHOLE_DAY = re.compile(r"1 d 0 h|23 h 5\d min")


@pytest.fixture
def inside(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    """A house whose watch the test sets: that is no machine that slept. Its bots take whatever comes first."""
    build()
    monkeypatch.setattr(uptime, "ASLEEP", 1e12)
    monkeypatch.setattr(bots, "choose", first_legal)
    monkeypatch.setattr(bots, "engine_of", lambda key: interpreted(find_game(key)))
    found = Inside(tmp_path)
    yield found
    found.end()


@pytest.fixture
def house(inside: Inside) -> str:
    """Where guests of this file go."""
    return inside.address


def begun(people: list[Page], house: str, **wish: object) -> str:
    """A table where these people have begun, each looking at it."""
    origin = {"Origin": house}
    usual = {"game": "splendor", "seats": len(people), "options": {}, "public": True, "bots": []}
    table = str(people[0].request.post("/api/tables", data=usual | wish, headers=origin).json()["id"])
    for page in people[1:]:
        page.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    for page in people:
        page.goto(f"/table/{table}")
    people[0].request.post(f"/api/tables/{table}/start", headers=origin)
    for page in people:
        expect(page.locator(".action__text")).to_be_visible()
    return table


def test_clocks_through_a_restart(guest: Guest, house: str, inside: Inside) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", width=390, height=844, touch=True)
    table = begun([ada, bruno], house, clock={"kind": "live", "bank": 900, "increment": 5})
    inside.decide(table)
    clock = bruno.locator(".action .clk--running")
    expect(clock).to_be_visible()
    inside.ahead += 300
    bruno.reload()
    expect(clock).to_contain_text(re.compile(r"\b(9:[3-5]\d|10:00)"))

    inside.close()
    expect(bruno.locator(".offline")).to_be_visible()
    inside.ahead += 3 * HOUR  # nobody loses anything by that
    inside.open()
    expect(clock).to_contain_text(re.compile(r"\b9:[0-5]\d"), timeout=30_000)
    for page in (ada, bruno):
        expect(page.locator(".clk--out")).to_have_count(0)
    inside.ahead += 120
    bruno.reload()
    expect(clock).to_contain_text(re.compile(r"\b7:[0-5]\d"))


def test_who_was_cut_off_is_told_what_was_missed(guest: Guest, house: str, inside: Inside, axe: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", width=360, height=740, touch=True)
    table = begun([ada, bruno], house, clock={"kind": "live", "bank": 900, "increment": 5})
    bruno.context.set_offline(True)
    expect(bruno.locator(".offline")).to_contain_text("You are offline")
    expect(bruno.locator(".table.is-down")).to_be_visible()  # its colours rest
    expect(bruno.locator(".player .clk--held")).to_be_visible()
    assert violations(bruno, axe) == []
    inside.decide(table, 0)
    bruno.context.set_offline(False)
    back = bruno.locator(".offline--back")
    expect(back).to_contain_text("Back at the table. One move was made.")
    expect(bruno.locator(".table.is-down")).to_have_count(0)
    assert violations(bruno, axe) == []
    assert bruno.evaluate("document.documentElement.scrollWidth") <= 360
    back.get_by_role("button", name="Show it").click()
    expect(bruno.locator(".t-head.since")).to_be_visible()


def test_a_game_over_days_with_days_off(guest: Guest, house: str, inside: Inside, axe: str) -> None:
    ada, bruno = guest(name="Ada", width=390, height=844, touch=True), guest(name="Bruno")
    table = begun([ada, bruno], house, clock={"kind": "days", "bank": int(A_DAY)})
    mine = ada.locator(".action .clk")
    expect(mine).to_contain_text(A_WHOLE_DAY)
    inside.ahead += 0.75 * A_DAY
    ada.get_by_role("button", name="Day off (7 left)").click()
    expect(ada.get_by_role("button", name="Day off (6 left)")).to_be_visible()
    expect(bruno.locator(".player .clk--held")).to_be_visible()
    ada.get_by_role("button", name="Settings").click()
    told = ada.get_by_role("switch", name="Notices from this table")
    expect(told).to_be_checked()
    told.uncheck()
    expect(told).not_to_be_checked()
    assert violations(ada, axe) == []
    ada.keyboard.press("Escape")
    ada.wait_for_function(MUTED, arg=table)

    inside.ahead += 1.1 * A_DAY  # the day off, and a little more
    inside.look_at_clocks()
    ada.goto("/")
    waits = ada.locator(".resume")
    expect(waits).to_contain_text(re.compile(r"[23] hours"))
    waits.click()
    expect(mine).to_contain_text(re.compile(r"[23] h"))
    inside.decide(table, 0)
    expect(bruno.locator(".action .clk--running")).to_contain_text(A_WHOLE_DAY)

    inside.ahead += 2 * A_DAY  # Bruno has forgotten it
    inside.look_at_clocks()
    expect(bruno.get_by_text("Your time ran out")).to_be_visible()
    bruno.get_by_role("button", name="Take my chair back").click()
    expect(bruno.get_by_text("Your time ran out")).to_have_count(0)
    expect(ada.locator(".action .clk--running")).to_contain_text(A_WHOLE_DAY)


def test_who_comes_back_is_told_step_by_step(guest: Guest, house: str, inside: Inside, axe: str) -> None:
    ada, bruno = guest(name="Ada", width=360, height=780, language="it"), guest(name="Bruno", speed="fast")
    table = begun([ada, bruno, guest(name="Carla")], house)
    inside.decide(table, 0)
    for page in (ada, bruno):
        page.goto("/")
    for seat in (1, 2, 0, 1, 2):
        inside.decide(table, seat)
    inside.decide(table, 0)

    # Ada has decided and left: whoever goes on from there sees nothing twice, and takes the steps at her own pace.
    for seat in (1, 2):
        inside.decide(table, seat)
    ada.reload()

    # The home page tells the story: the board as it is, where the game stands, and what the others have done since.
    card = ada.locator(".resume")
    expect(card.locator(".resume__line")).to_have_count(2)
    expect(card.locator(".resume__line").first).to_contain_text("Bruno")
    expect(card.locator(".resume__line").last).to_contain_text("Carla")
    expect(card.locator(".resume__where")).to_contain_text("0 punti su 16")
    expect(card.get_by_role("img", name="Il tavolo com’è adesso")).to_be_visible()
    assert violations(ada, axe) == []
    assert ada.evaluate("document.documentElement.scrollWidth") <= 360
    shot(ada, "stories-360")
    card.click()
    told = ada.locator(".t-head.since")
    expect(told).to_contain_text("0 di 2")
    shot(ada, "since-360")
    assert violations(ada, axe) == []
    assert ada.evaluate("document.documentElement.scrollWidth") <= 360
    ada.get_by_role("button", name="Avanti").click()
    expect(told).to_contain_text("1 di 2")
    ada.keyboard.press("ArrowRight")
    expect(told).to_contain_text("2 di 2")
    expect(ada.locator(".tray.is-turn")).to_have_count(0)
    ada.keyboard.press("Escape")
    expect(ada.locator(".tray.is-turn")).to_be_visible()
    assert "since" not in ada.url
    ada.goto("/")
    ada.locator(".resume").click()
    expect(ada.locator(".tray.is-turn")).to_be_visible()
    expect(told).to_have_count(0)

    # Bruno likes things to move: it plays by itself, and then the table is there.
    inside.decide(table, 0)
    bruno.reload()
    bruno.locator(".resume").click()
    expect(bruno.locator(".t-head.since")).to_contain_text("Since your last move")
    shot(bruno, "since-1440")
    expect(bruno.locator(".tray.is-turn")).to_be_visible()
    expect(bruno.locator(".t-head.since")).to_have_count(0)
