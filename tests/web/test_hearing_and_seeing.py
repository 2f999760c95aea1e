"""Without eyes, without a pointer, without colours, without a network: the table still says what is going on."""

from __future__ import annotations

import io
import itertools
import pathlib
from collections.abc import Callable

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from ludoteca import catalogue
from web.access import settle
from web.hand import PRIMARY
from web.positions import at_random, lay, stand
from web.splendor_hand import Hand, open_table

Guest = Callable[..., Page]
GAMES = catalogue.keys(catalogue.HOUSE)
OFFERED = {
    "splendor": ".board :is(.can, .is-playable)",
    "king_of_con": ".bigpassion",
    "loot": ".cell.can",
    "challengers": ".fan__card",
}
NEWS = "[role=log][aria-live=polite]"


# Hearing


def test_moves_of_others_are_read_out_in_splendor(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    assert hand.wait_for_turn()
    expect(page.locator(f"{NEWS} p")).to_have_count(0)
    hand.play_turn()
    assert hand.wait_for_turn()
    expect(page.locator(f"{NEWS} p")).not_to_have_count(0)
    assert not [line for line in page.locator(f"{NEWS} p").all_inner_texts() if line.startswith("You ")]


def test_moves_of_others_are_read_out_in_loot(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    stand(page, database, "no_way")
    page.locator(".cell.can").first.click()
    page.locator(PRIMARY).click()
    expect(page.locator(f"{NEWS} p")).not_to_have_count(0)


def test_what_is_said_is_read_out_unless_it_is_muted(guest: Guest, house: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno")
    origin = {"Origin": house}
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
    table = ada.request.post("/api/tables", data=wish, headers=origin).json()["id"]
    bruno.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    for page in (ada, bruno):
        page.goto(f"/table/{table}")
    ada.request.post(f"/api/tables/{table}/start", headers=origin)
    for page in (ada, bruno):
        page.get_by_role("tab", name="Chat").click()
    say(bruno, "Good evening")
    expect(ada.locator(NEWS)).to_contain_text("Bruno says: Good evening")
    expect(bruno.locator(NEWS)).not_to_contain_text("Good evening")
    ada.get_by_text("Mute…").click()
    ada.get_by_role("switch", name="Mute Bruno").check()
    say(bruno, "Psst")
    expect(bruno.locator(".chat")).to_contain_text("Psst")
    expect(ada.locator(".chat")).not_to_contain_text("Psst")
    expect(ada.locator(NEWS)).not_to_contain_text("Psst")


def test_those_who_watch_talk_apart(guest: Guest, house: str) -> None:
    ada, carla = guest(name="Ada"), guest(name="Carla")
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": [None, "novice"]}
    table = ada.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
    ada.request.post(f"/api/tables/{table}/start", headers={"Origin": house})
    for page in (ada, carla):
        page.goto(f"/table/{table}")
        page.get_by_role("tab", name="Chat").click()
    say(ada, "Your move")
    say(carla, "She should reserve")
    expect(carla.locator(".chat")).to_contain_text("She should reserve")
    expect(carla.get_by_role("group", name="Who is talking")).to_be_visible()
    ada.get_by_role("tab", name="Moves").click()
    say(carla, "Really")
    expect(carla.locator(".chat")).to_contain_text("Really")
    ada.reload()
    ada.wait_for_selector(".log")
    expect(ada.locator(NEWS)).not_to_contain_text("reserve")
    expect(ada.locator(".badge")).to_have_count(0)
    ada.get_by_role("tab", name="Chat").click()
    expect(ada.locator(".chat")).to_contain_text("Your move")
    expect(ada.locator(".chat")).not_to_contain_text("She should reserve")


def say(page: Page, words: str) -> None:
    page.locator("#say").fill(words)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("game", ["king_of_con", "challengers"])
def test_after_a_phase_the_focus_is_still_at_the_table(
    guest: Guest, house: str, database: pathlib.Path, game: str
) -> None:
    page = guest()
    page.goto(f"/table/{lay(page, database, at_random(game, 2, 0))}")
    button = PRIMARY if game == "king_of_con" else ".action__buttons .btn:has-text('none')"
    page.wait_for_selector(button)
    before = page.locator(".action__text").inner_text()
    if game == "king_of_con":
        page.locator(".bigpassion").first.click()
    for _ in range(2 if game == "challengers" else 1):  # «keep none» asks once more
        page.locator(button).focus()
        page.keyboard.press("Enter")
    expect(page.locator(".action__text")).not_to_have_text(before)
    page.wait_for_function("document.activeElement.closest('.table') !== null && document.activeElement.isConnected")


# Seeing


@pytest.mark.parametrize("game", GAMES)
def test_with_forced_colours_focus_and_what_may_be_taken_are_outlined(
    house: str, chromium: Browser, guest: Guest, database: pathlib.Path, game: str
) -> None:
    page = guest()
    page.emulate_media(forced_colors="active")
    page.goto(f"/table/{lay(page, database, at_random(game, 3, 0))}")
    page.wait_for_selector(OFFERED[game])
    page.keyboard.press("Tab")
    settle(page)
    outline = "(e) => [getComputedStyle(e).outlineStyle, parseFloat(getComputedStyle(e).outlineWidth)]"
    assert page.locator(":focus").evaluate(outline) == ["solid", 3]
    assert page.locator(".action").evaluate(outline) == ["solid", 3], "your turn"
    offered = page.locator(OFFERED[game]).all()
    assert offered, "something may be taken"
    for one in offered[:3]:
        assert one.evaluate(outline)[1] == 3 or one.evaluate("(e) => getComputedStyle(e).forcedColorAdjust") == "none"


@pytest.mark.parametrize("game", ["king_of_con", "challengers"])
def test_with_forced_colours_round_and_phase_are_marked(guest: Guest, database: pathlib.Path, game: str) -> None:
    page = guest()
    page.emulate_media(forced_colors="active")
    page.goto(f"/table/{lay(page, database, at_random(game, 3, 30 if game == 'king_of_con' else 0))}")
    now = page.locator("[aria-current=step], .goal .track .now")
    expect(now).to_have_count(2)
    assert now.evaluate_all("(all) => all.map((e) => getComputedStyle(e).outlineStyle)") == ["solid", "solid"]


@pytest.mark.parametrize("what", [".combo .prize .need", ".combo td.v", ".combo .prize", ".meeps-box .track li"])
def test_with_forced_colours_loots_rings_and_boxes_are_painted(
    guest: Guest, house: str, database: pathlib.Path, what: str
) -> None:
    page = guest()
    page.emulate_media(forced_colors="active")
    stand(page, database, "four_sheets")
    things = page.locator(what).all()
    assert len(things) > 3
    for thing in things[:6]:
        assert edges(thing) > 0, "its edge differs from what is around it"
    for ring in (".prize .need i", ".side .bar i"):
        filled = [inks(one) for one in page.locator(f"{ring}.on").all()[:3]]
        empty = [inks(one) for one in page.locator(f"{ring}:not(.on)").all()[:3]]
        assert filled and empty and min(filled) > max(empty), "what is had has more ink than what is not"


def inks(thing: Locator) -> int:
    """How many pixels of its picture are nearer to black than to white."""
    picture = Image.open(io.BytesIO(thing.screenshot())).convert("L")
    return sum(picture.histogram()[:128])


def edges(thing: Locator) -> int:
    """How many pixels of its picture differ much from the one before."""
    picture = Image.open(io.BytesIO(thing.screenshot())).convert("L")
    width, height = picture.size
    row = [picture.getpixel((x, height // 2)) for x in range(width)]
    return sum(abs(int(a) - int(b)) > 60 for a, b in itertools.pairwise(row))  # type: ignore[arg-type]


# The network


def test_a_lost_network_is_told_at_once_and_once(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_have_text("You are offline", timeout=2_000)
    expect(page.locator(".offline small")).to_have_attribute("aria-hidden", "true")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)


# The log


def test_the_first_round_has_its_name(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    assert hand.wait_for_turn()
    hand.play_turn()
    expect(page.locator(".log .round").last).to_have_text("Round 1")


def test_that_others_have_sealed_is_one_line(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    page.goto(f"/table/{lay(page, database, at_random('king_of_con', 4, 60))}")
    page.wait_for_selector(".log p")
    told = ["has sealed" in line for line in page.locator(".log li").all_inner_texts()]
    assert any(told)
    assert not any(one and other for one, other in itertools.pairwise(told))


def test_a_line_of_the_log_leads_to_its_moment(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    page.goto(f"/table/{lay(page, database, at_random('splendor', 2))}")
    line = page.locator(".log li.has-moment").nth(20)
    words = line.locator("p").inner_text().strip()
    line.hover()
    line.get_by_role("button", name="Look back at this moment").click(force=True)
    expect(page.locator(".replay__bar")).to_be_visible()
    newest = page.locator(".log li.has-moment").first.locator("p")
    expect(newest).to_have_text(words)


def test_the_moves_of_a_stand_in_are_marked(guest: Guest, house: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno")
    origin = {"Origin": house}
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
    table = ada.request.post("/api/tables", data=wish, headers=origin).json()["id"]
    bruno.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    bruno.goto(f"/table/{table}")
    ada.request.post(f"/api/tables/{table}/start", headers=origin)
    bruno.wait_for_selector(".market [data-card]")
    ada.request.post(f"/api/tables/{table}/leave", headers=origin)
    marked = bruno.locator(".log li.has-moment").first
    expect(marked).to_contain_text("stand-in", timeout=60_000)  # it thinks in plain Python
    said = marked.locator("p").inner_text(), marked.locator("time").get_attribute("title")
    assert said[1], "and says when"

    bruno.reload()
    again = bruno.locator(".log li.has-moment", has_text=said[0].split(chr(10))[0]).last
    expect(again).to_contain_text("stand-in")
    assert again.locator("time").get_attribute("title") == said[1], "the server knows it, not the browser"

    again.hover()
    again.locator(".log__go").click()
    bruno.wait_for_selector(".replay")
    past = bruno.locator(".log li.has-moment", has_text=said[0].split(chr(10))[0]).last
    expect(past).to_contain_text("stand-in")
    assert past.locator("time").get_attribute("title") == said[1], "looking back too"
