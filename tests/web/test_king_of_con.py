"""King of Con in a real browser: whole games by mouse, by keyboard and on a phone, the reveal, secrets, accessibility."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.access import settle, violations
from web.hand import PRIMARY
from web.king_of_con_hand import Hand, KeyboardHand, open_table
from web.positions import at_random, lay

Guest = Callable[..., Page]


def ranking(page: Page) -> list[str]:
    page.wait_for_selector(".ranking li")
    return page.locator(".ranking li").all_inner_texts()


# Whole games


def test_a_whole_game_against_a_bot_by_mouse(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    assert hand.play_on()
    ranks = ranking(page)
    assert len(ranks) == 2 and any("Giulia" in line for line in ranks)
    assert "Passions" in ranks[0], "the ranking gives its reasons"
    expect(page.locator(".finale .scores tbody tr"), "the whole count stands on the board").to_have_count(2)
    assert {"passions", "hid-bid", "looting"} <= hand.asked
    log = page.locator(".log").inner_text()
    assert "All screens go up" in log and "You sealed" in log and "dominate" in log


def test_a_whole_game_with_the_keyboard_only(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    assert KeyboardHand(page, seed=2).play_on()
    assert ranking(page)


@pytest.mark.long
def test_a_whole_game_with_five_seats_and_monkey_control(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, seats=5, monkey_control="on")
    assert Hand(page, seed=4).play_on()
    assert len(ranking(page)) == 5
    expect(page.locator(".log"), "ties are told in words").to_contain_text("tie for", use_inner_text=True)


def test_a_whole_game_on_a_phone_in_italian(guest: Guest, house: str) -> None:
    page = guest(width=360, height=740, touch=True, language="it", theme="dark")
    open_table(page, house, seats=3)
    hand = Hand(page, seed=3, touch=True)
    widths: set[int] = set()
    small: set[str] = set()
    for _ in range(400):
        if hand.decide() == "over":
            break
        widths.add(page.evaluate("document.documentElement.scrollWidth"))
        small |= set(
            page.locator(".board button, .action button:not(.para)").evaluate_all(
                "(l) => l.filter(e => { const b = e.getBoundingClientRect();"
                " return b.width && !e.matches('.again, .mini__press') && (b.height < 44 || b.width < 44); })"
                ".map(e => e.className)"
            )
        )
    assert widths == {360}, "the page never scrolls sideways"
    assert small == set(), "targets a finger can hit"
    assert "Passioni" in ranking(page)[0]


# Choosing


def test_tokens_can_be_typed_stepped_and_dragged(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    assert hand.decide() == "passions"
    assert hand.question() == "hid-bid"
    seal = page.locator(PRIMARY)
    expect(seal).to_have_text("Seal a pass", use_inner_text=True)
    page.locator(".booth.can .booth__press").nth(2).click()
    expect(seal).to_have_text("Seal 1", use_inner_text=True)
    page.fill(".stepper__n", "7")
    expect(seal).to_have_text("Seal 7", use_inner_text=True)
    page.click(".stepper .btn >> nth=0")
    expect(seal).to_have_text("Seal 6", use_inner_text=True)
    page.fill(".stepper__n", "99")
    expect(seal, "never more than the supply").to_have_text("Seal 10", use_inner_text=True)
    row = page.locator(".coins").bounding_box()
    assert row
    page.mouse.move(row["x"] + row["width"] - 3, row["y"] + 9)
    page.mouse.down()
    page.mouse.move(row["x"] + row["width"] * 0.3, row["y"] + 9, steps=6)
    page.mouse.up()
    expect(seal).to_have_text("Seal 3", use_inner_text=True)
    expect(page.locator(".booth.is-picked .plus")).to_have_text("+3", use_inner_text=True)
    page.keyboard.press("Escape")
    expect(seal).to_have_text("Seal a pass", use_inner_text=True)


def looting(page: Page, house: str) -> Hand:
    """A table at its first looting, with tokens left to offer."""
    open_table(page, house, passions="two_first_game")
    hand = Hand(page)
    for booth in (0, 1, 0):
        hand.question()
        if page.locator(".offers").count():
            break
        before = hand.occasion()
        if page.locator(".booth.can .booth__press").count() > booth:
            page.locator(".booth.can .booth__press").nth(booth).click()
        hand.confirm()
        page.wait_for_function(
            "(b) => document.querySelector('.board [data-occasion]')?.dataset.occasion !== b", arg=before
        )
    assert hand.question() == "looting"
    return hand


def test_looting_on_the_quadrant_adds_up(guest: Guest, house: str) -> None:
    page = guest()
    hand = looting(page, house)
    supply = int(page.locator(".purse__main dd").inner_text())
    cells = page.locator(".quad button.cell")
    cells.first.focus()
    page.keyboard.press("2")
    expect(page.locator(".gauge p b")).to_have_text("2", use_inner_text=True)
    expect(page.locator(".left b")).to_have_text(str(supply - 2))
    expect(page.locator(".offers .offer")).to_have_count(1)
    cells.last.click()
    expect(page.locator(PRIMARY)).to_contain_text("Seal 2 offers")
    assert int(page.locator(".gauge p b").inner_text()) > 2
    cells.first.focus()
    page.keyboard.press("Delete")
    expect(page.locator(PRIMARY)).to_contain_text("Seal 1 offer", use_inner_text=True)
    page.reload()
    page.wait_for_selector(".offers")
    assert page.locator(".offers .offer").count() == 0, "what is not sealed was only on this page"
    assert hand.decide() == "looting"


LAY_ONE = """async () => {
  const table = location.pathname.replace('table', 'tables');
  const line = new WebSocket(`${location.origin.replace('http', 'ws')}/api${table}/socket?since=0`);
  const heard = (type) => new Promise((resolve) => line.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === type) resolve(message);
  }));
  const { choices, seq } = await heard('update');
  const { action } = choices.find((choice) => choice.kind === 'place');
  line.send(JSON.stringify({ type: 'do', id: 'laid', action, at: seq }));
  await heard('done');
  line.close();
}"""


def test_an_offer_laid_in_another_window_is_there_and_goes_with_the_rest(guest: Guest, house: str) -> None:
    page = guest()
    hand = looting(page, house)
    page.evaluate(LAY_ONE)
    page.wait_for_selector(".offer__laid")
    expect(page.locator(".offers .offer")).to_have_count(1)
    page.reload()
    page.wait_for_selector(".offer__laid")
    assert hand.decide() == "looting"


# The reveal


def test_the_reveal_is_told_scene_by_scene_and_can_be_skipped(guest: Guest, house: str) -> None:
    page = guest(speed="slow")
    open_table(page, house, passions="two_first_game")
    page.wait_for_selector(".tray.is-turn")
    page.locator(".booth.can .booth__press").first.click()
    page.locator(PRIMARY).click()
    # At one moment, since the story goes on by itself.
    log = page.wait_for_function(
        """() => document.querySelectorAll('.reveal--lift .lift').length === 2
            && document.querySelector('.action__text').innerText.includes('All screens go up')
            && document.querySelector('.log').innerText"""
    ).json_value()
    assert log and "All screens go up" not in log, "the log waits for the reveal"
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".booths .booth")
    expect(page.locator(".log")).to_contain_text("All screens go up", use_inner_text=True)
    page.get_by_role("button", name="Show again").click()
    page.wait_for_selector(".reveal--lift")
    page.keyboard.press("Escape")
    page.wait_for_selector(".booths .booth")


def test_without_movement_the_result_is_there_at_once(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, passions="two_first_game")
    page.wait_for_selector(".tray.is-turn")
    page.locator(".booth.can .booth__press").first.click()
    page.locator(PRIMARY).click()
    page.wait_for_selector(".phases .now >> text=II")
    assert page.locator(".reveal").count() == 0
    expect(page.locator(".action__text"), "the sentence carries the story").to_contain_text(
        "You: 1 on Booth 1", use_inner_text=True
    )


# Secrets


def test_two_people_see_who_has_sealed_but_not_what(guest: Guest, house: str) -> None:
    anna, marco = guest("Anna"), guest("Marco")
    wish = {
        "game": "king_of_con",
        "seats": 2,
        "options": {"passions": "two_first_game"},
        "public": False,
        "bots": [None, None],
    }
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    anna.goto(f"/table/{table['id']}")
    marco.goto(f"/table/{table['id']}?invite={table['invite']}")
    assert marco.request.post(
        f"/api/tables/{table['id']}/sit", data={"invite": table["invite"]}, headers={"Origin": house}
    ).ok
    assert anna.request.post(f"/api/tables/{table['id']}/start", headers={"Origin": house}).ok
    for page in (anna, marco):
        page.wait_for_selector(".booth.can")
    anna.locator(".booth.can .booth__press").nth(1).click()
    anna.fill(".stepper__n", "7")
    anna.locator(PRIMARY).click()
    marco.wait_for_selector(".side .chip-k--sealed")
    expect(anna.locator(".action__text")).to_contain_text("Sealed. Waiting for Marco", use_inner_text=True)
    expect(anna.locator(".booth .plus")).to_have_text("+7", use_inner_text=True)
    expect(marco.locator(".action__text")).to_contain_text("Sealed so far: Anna", use_inner_text=True)
    assert marco.locator(".booth .plus").count() == 0
    expect(marco.locator(".side .stat--purse")).to_have_text(re.compile(r"^\s*\?"), use_inner_text=True)
    anna.reload()  # what is sealed is kept by the server, and may be changed until the last one seals
    anna.get_by_role("button", name="Change my offer").click()
    anna.wait_for_selector(PRIMARY)
    expect(anna.locator(PRIMARY)).to_contain_text("Seal 7", use_inner_text=True)
    marco.wait_for_selector(".side .chip-k--sealed", state="detached")
    anna.fill(".stepper__n", "5")
    anna.locator(PRIMARY).click()
    marco.wait_for_selector(".side .chip-k--sealed")
    marco.locator(PRIMARY).click()
    marco.wait_for_selector(".ladder >> text=5")
    expect(marco.locator(".log")).to_contain_text("Anna has sealed", use_inner_text=True)


# Accessibility


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_no_violations(guest: Guest, house: str, axe: str, theme: str, width: int) -> None:
    page = guest(theme=theme, width=width, height=900 if width > 1000 else 844, touch=width < 1000)
    open_table(page, house, seats=3)
    hand = Hand(page, touch=width < 1000)
    seen: set[str] = set()
    for _ in range(12):
        question = hand.question()
        if question not in seen:
            seen.add(question)
            if question == "hid-bid":
                hand.press(page.locator(".booth.can .booth__press").first)
            if question == "looting" and page.locator(".quad button.cell").count():
                hand.press(page.locator(".quad button.cell").first)
            assert violations(page, axe) == [], question
            page.keyboard.press("Escape")
        if {"passions", "hid-bid", "looting"} <= seen:
            break
        hand.decide()
    assert {"passions", "hid-bid", "looting"} <= seen
    page.keyboard.press("r")
    for _ in range(20):
        if not page.locator(".reveal").count():
            break
        assert violations(page, axe) == [], page.locator(".reveal").get_attribute("class")
        page.keyboard.press("ArrowRight")


def test_an_offer_on_top_of_the_lead_stays_inside_its_booth(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(width=390, height=844, touch=True)
    page.goto(f"/table/{lay(page, database, at_random('king_of_con', 4, 12))}")
    page.locator(".can").first.click()
    expect(page.locator(".ladder .plus").first).to_be_visible()
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        settle(page)
        over = page.locator(".ladder li").evaluate_all(
            """(all) => all.filter((row) => [...row.children].some((part) =>
              part.getBoundingClientRect().right > row.closest('.booth').getBoundingClientRect().right)).length"""
        )
        assert over == 0, f"at {width}"
