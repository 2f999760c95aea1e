"""A game from a package of its own, in a real browser: the box, the board it brings along, the plain one, a whole game."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from installed import PIG, announce, install

from .access import violations
from .conftest import serving
from .hand import PointerHand

Guest = Callable[..., Page]


LIKE_PIG = """
import dataclasses, pathlib
from ludoteca_pig import GAME as PIG
GAME = dataclasses.replace(PIG, key="{key}", title="{key}", folder=pathlib.Path(__file__).parent / "{key}")
"""
BROKEN = "export function mount() { throw new Error('broken on purpose'); }"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server where Pig is installed too, and Pig once more without a board, and with a broken one."""
    folder = tmp_path_factory.mktemp("pig")
    site = install(PIG, folder / "wheel")
    for key in ("plain_pig", "broken_pig"):
        shutil.copytree(site / "ludoteca_pig", site / key, ignore=shutil.ignore_patterns("*.py", "board"))
        (site / f"{key}_game.py").write_text(LIKE_PIG.format(key=key))
    (site / "broken_pig" / "board").mkdir()
    (site / "broken_pig" / "board" / "board.js").write_text(BROKEN)
    announce(site, "further_pigs", plain_pig="plain_pig_game:GAME", broken_pig="broken_pig_game:GAME")
    with serving(folder / "games.db", site) as address:
        yield address


def table(page: Page, house: str, seats: int = 2, goal: str = "50", game: str = "plain_pig") -> None:
    wish = {"game": game, "seats": seats, "level": "novice", "options": {"goal": goal}}
    id = page.request.post("/api/play-now", data=wish, headers={"Origin": house}).json()["id"]
    page.goto(f"/table/{id}")


def score(page: Page, name: str) -> int:
    return int(page.locator(".plain tbody tr", has_text=name).locator("td").first.inner_text())


def test_its_box_stands_on_the_shelf_with_its_own_cover_and_rules(guest: Guest) -> None:
    page = guest(language="it")
    page.goto("/")
    box = page.locator(".shelf .game", has=page.get_by_role("heading", name="Pig", exact=True))
    cover = box.locator(".game__cover img")
    expect(cover).to_be_visible()
    assert cover.evaluate("image => image.complete && image.naturalWidth > 0")
    expect(box).to_contain_text("2–4")
    box.locator(".game__cover").click()
    expect(page.locator("article")).to_contain_text("Tira quante volte osi")
    expect(page.locator("article")).to_contain_text("Un 1 finisce il turno")


def test_a_table_is_opened_with_its_options_in_its_own_words(guest: Guest) -> None:
    page = guest()
    page.goto("/")
    page.get_by_role("button", name="Open a new table").click()
    page.get_by_role("dialog").get_by_role("radio", name="Pig", exact=True).check()
    expect(page.get_by_role("dialog")).to_contain_text("Points to win")
    page.get_by_role("dialog").get_by_label("Points to win").get_by_text("50, a short game").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Open")).click()
    short = page.locator(".waitroom").get_by_role("button", name="50, a short game")
    expect(short).to_have_attribute("aria-pressed", "true")


def test_a_whole_game_against_a_bot_is_played_by_mouse_and_keyboard(guest: Guest, house: str) -> None:
    page = guest()
    table(page, house)
    expect(page.get_by_role("button", name="Roll the die")).to_be_visible()
    hand = PointerHand(page)
    for turn in range(400):
        hand.pause()
        choices = page.locator(".plain__choices .btn:not([aria-disabled='true'])")  # the last one is acknowledged
        choices.first.or_(page.locator(".ranking")).first.wait_for()
        if page.locator(".ranking").count():
            break
        pot = int(page.locator(".facts__tile", has_text="In this turn").locator("dd").inner_text())
        hold = choices.count() == 2 and (pot >= 15 or score(page, "Giulia") + pot >= 50)
        before = page.locator(".log li").count()
        if turn % 2:
            page.keyboard.press("2" if hold else "1")
        else:
            choices.nth(1 if hold else 0).click()
        page.wait_for_function("n => document.querySelectorAll('.log li').length > n", arg=before)
    expect(page.locator(".ranking")).to_contain_text("Giulia")
    log = page.locator(".log").inner_text()
    assert "You roll a" in log and "Ada" in log and "{" not in log and "event." not in log


@pytest.mark.parametrize(("width", "theme", "language"), [(1440, "light", "en"), (390, "dark", "it")])
def test_the_plain_board_stands_in_nobodys_way(
    guest: Guest, house: str, axe: str, width: int, theme: str, language: str
) -> None:
    page = guest(width=width, height=844, touch=width < 500, theme=theme, language=language)
    table(page, house, seats=4)
    expect(page.locator(".plain__choices .btn")).to_have_count(1)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    page.locator(".plain__choices .btn").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".log")).to_contain_text("Tiri un" if language == "it" else "You roll a")


@pytest.mark.parametrize(("width", "theme", "language"), [(1440, "light", "en"), (390, "dark", "it")])
def test_a_board_that_a_game_brings_along_is_played_by_keyboard_and_named_for_the_ear(
    guest: Guest, house: str, axe: str, width: int, theme: str, language: str
) -> None:
    page = guest(width=width, height=844, touch=width < 500, theme=theme, language=language)
    table(page, house, game="pig")
    roll = page.locator(".own").get_by_role("button", name="Tira il dado" if language == "it" else "Roll the die")
    expect(roll).to_be_visible()
    expect(page.locator(".plain")).to_have_count(0)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    assert min(roll.bounding_box()[side] for side in ("width", "height")) >= 44  # type: ignore[index]
    expect(page.locator(".pig-race li")).to_have_count(2)
    roll.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".log")).to_contain_text("Tiri un" if language == "it" else "You roll a")
    expect(page.get_by_role("img", name=re.compile(r"^(Last roll|Ultimo tiro): [1-6]$"))).to_be_visible()
    expect(page.locator(".pig-die")).to_have_css("border-radius", "18px")


def test_where_a_game_s_own_board_fails_the_plain_one_steps_in(guest: Guest, house: str) -> None:
    page = guest()
    table(page, house, game="broken_pig")
    page.locator(".plain__choices .btn").first.click()
    expect(page.locator(".log")).to_contain_text("You roll a")
