"""A game, looked back at: its moments one by one, at a jump, and through other eyes."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ludoteca import catalogue
from web.access import violations
from web.hand import wait_until
from web.positions import at_random, lay
from web.splendor_hand import Hand, open_table

Guest = Callable[..., Page]
GAMES = catalogue.keys(catalogue.HOUSE)


def finished(page: Page, database: pathlib.Path, game: str) -> str:
    """A table whose game is over, with the visitor on the first chair."""
    return lay(page, database, at_random(game, 2))


def played_by_bots(page: Page, house: str, game: str) -> str:
    """A table whose game bots have played to its end, in the visitor's name."""
    headers = {"Origin": house}
    table = page.request.post("/api/play-now", data={"game": game, "seats": 2}, headers=headers).json()["id"]
    page.request.post(f"/api/tables/{table}/leave", headers=headers)
    wait_until(page, lambda: page.request.get(f"/api/tables/{table}").json()["phase"] == "over")
    return str(table)


def slider(page: Page) -> tuple[int, int]:
    bar = page.locator(".replay__bar")
    return int(bar.input_value()), int(bar.get_attribute("max") or 0)


def at(page: Page, moment: int) -> None:
    expect(page.locator(".replay__bar")).to_have_value(str(moment))


@pytest.mark.parametrize("game", GAMES)
def test_from_the_end_to_the_deal_and_forth(guest: Guest, house: str, database: pathlib.Path, game: str) -> None:
    page = guest()
    table = finished(page, database, game)
    page.goto(f"/table/{table}")
    page.get_by_role("button", name="Look back").first.click()
    at(page, 0)
    expect(page.locator(".action__text strong")).to_have_text("The beginning")
    _, last = slider(page)
    assert last > 4
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at(page, 2)
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    page.locator(".replay__bar").fill(str(last // 2))
    at(page, last // 2)
    expect(page.locator(".action__text strong")).to_have_text(f"Moment {last // 2} of {last}")
    expect(page.locator(".log li:not(.round)")).not_to_have_count(0)
    page.keyboard.press("End")
    page.locator("body").focus()
    page.keyboard.press("End")
    at(page, last)
    expect(page.get_by_role("button", name="Show the result")).to_be_visible()
    page.keyboard.press("Home")
    at(page, 0)
    page.get_by_role("link", name="Back to the table").click()
    expect(page.get_by_role("button", name="Look back").first).to_be_visible()


def test_a_finished_game_shows_its_result_in_the_list(guest: Guest, house: str) -> None:
    page = guest()
    played_by_bots(page, house, "loot")
    page.goto("/")
    page.get_by_role("button", name="1 finished").click()
    expect(page.locator(".mine .ended span")).to_have_text(re.compile(r"^(\w+ won|Shared win), \d+–\d+$"))


def test_the_address_is_that_of_the_moment(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    table = finished(page, database, "splendor")
    page.goto(f"/table/{table}/again?at=7")
    at(page, 7)
    page.get_by_role("button", name="One moment on").click()
    at(page, 8)
    page.reload()
    at(page, 8)


@pytest.mark.parametrize("way", ["browser", "page"])
def test_whoever_has_left_the_past_stays_in_the_present(
    guest: Guest, house: str, database: pathlib.Path, way: str
) -> None:
    page = guest()
    table = finished(page, database, "splendor")
    page.goto(f"/table/{table}")
    page.get_by_role("button", name="Look back").first.click()
    at(page, 0)
    page.get_by_role("button", name="One moment on").click()
    at(page, 1)
    page.go_back() if way == "browser" else page.get_by_role("link", name="Back to the table").click()
    expect(page.get_by_role("button", name="Look back").first).to_be_visible()
    expect(page).to_have_url(f"{house}/table/{table}")
    page.reload()
    expect(page.get_by_role("button", name="Look back").first).to_be_visible()


def test_a_shared_moment_of_a_bot_table_opens_for_a_friend(
    guest: Guest, house: str, database: pathlib.Path, axe: str
) -> None:
    page, friend = guest("Giulia"), guest("Marco")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = lay(page, database, at_random("splendor", 2))
    page.goto(f"/table/{table}/again?at=5")
    at(page, 5)
    page.get_by_role("button", name="Share this moment").click()
    page.get_by_label("Say something with it").fill("Would you <b>take</b> it?")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator(".toast")).to_contain_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    friend.goto(f"/table/{table}/again?at=5")
    expect(friend.get_by_text("you need its invite link")).to_be_visible()
    friend.goto(link)

    # The moment itself, and nothing of what came next until it is asked for.
    expect(friend.get_by_role("heading", level=1)).to_have_text("“Would you <b>take</b> it?”")
    expect(friend.locator(".shared__board [role=img]")).to_be_visible()
    expect(friend.locator(".shared__who .is-turn")).to_have_count(1)
    assert violations(friend, axe) == []
    friend.get_by_role("link", name="What came next").click()
    at(friend, 5)
    friend.get_by_role("link", name="Back to the table").click()
    expect(friend.get_by_role("button", name="Look back").first).to_be_visible()
    expect(friend.get_by_text("you need its invite link")).to_have_count(0)


def test_where_the_system_shares_a_link_can_still_be_copied(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    page.add_init_script("navigator.share = () => new Promise(() => {})")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = lay(page, database, at_random("splendor", 2))
    page.goto(f"/table/{table}/again?at=5")
    at(page, 5)
    page.get_by_role("button", name="Share this moment").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator(".toast")).to_contain_text("Link copied")
    assert f"/table/{table}/again?at=5" in page.evaluate("navigator.clipboard.readText()")


def test_a_running_game_is_looked_back_at_from_now(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    for _ in range(2):
        assert hand.wait_for_turn()
        hand.play_turn()
    assert hand.wait_for_turn()
    page.get_by_role("button", name="Look back").first.click()
    page.wait_for_selector(".replay__bar")
    here, last = slider(page)
    assert here == last > 2
    page.keyboard.press("ArrowLeft")
    at(page, last - 1)


def test_through_other_eyes(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(name="Giulia")
    table = finished(page, database, "king_of_con")
    page.goto(f"/table/{table}/again?at=2")
    eyes = page.get_by_label("Through the eyes of")
    expect(eyes).to_have_value("0")
    own = page.locator(".tray").inner_text()
    eyes.select_option("1")
    expect(page.locator(".tray")).not_to_have_text(own)
    at(page, 2)
    eyes.blur()
    page.keyboard.press("f")
    expect(eyes).to_have_value("0")


def test_it_plays_by_itself_and_stops_at_the_end(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(speed="fast")
    table = finished(page, database, "loot")
    page.goto(f"/table/{table}/again?at=99999")
    _, last = slider(page)
    page.goto(f"/table/{table}/again?at={last - 2}")
    at(page, last - 2)
    page.get_by_role("button", name="Play").click()
    at(page, last)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (360, 640)])
def test_no_violations_and_nothing_beside_the_page(
    guest: Guest, house: str, database: pathlib.Path, axe: str, width: int, height: int
) -> None:
    page = guest(width=width, height=height)
    page.goto(f"/table/{finished(page, database, 'splendor')}/again?at=9")
    at(page, 9)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling"


def test_a_running_game_only_through_ones_own_eyes(guest: Guest, house: str) -> None:
    page = guest()
    table = page.request.post("/api/play-now", data={"game": "splendor"}, headers={"Origin": house}).json()["id"]
    page.goto(f"/table/{table}/again?at=0")
    at(page, 0)
    expect(page.get_by_label("Through the eyes of")).to_have_count(0)
    page.goto(f"/table/{table}/again?seat=1")
    expect(page.get_by_text("The game is not over yet.")).to_be_visible()
