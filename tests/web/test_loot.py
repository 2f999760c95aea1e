"""Loot in a real browser: whole games by mouse, keyboard and phone, alone, and what a screen reader is told."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.access import violations
from web.hand import PRIMARY
from web.loot_hand import Hand, KeyboardHand, open_table

Guest = Callable[..., Page]


def ranking(page: Page) -> list[str]:
    page.wait_for_selector(".ranking li")
    return page.locator(".ranking li").all_inner_texts()


# Whole games


def test_a_whole_game_against_bots_by_mouse(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, seats=3)
    Hand(page).play_on()
    ranks = ranking(page)
    assert len(ranks) == 3 and any("Giulia" in line for line in ranks)
    assert any("Closed the fair" in line for line in ranks), "the ranking gives its reasons"
    expect(page.locator(".loot-end .rank")).to_have_count(3)
    for rank in page.locator(".loot-end .rank").all():
        parts = [int(text) for text in rank.locator("dd b").all_inner_texts()]
        assert sum(parts) == int(re.sub(r"\D", "", rank.locator(".total .visually-hidden").inner_text()))
    log = page.locator(".log").inner_text()
    assert "You visited" in log and "the fair closes" in log and "The fair is closed" in log


@pytest.mark.long
def test_a_whole_game_with_the_keyboard_only(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, sheet="irregular", first_dice="ordered")
    hand = KeyboardHand(page)
    assert hand.wait_for_turn()
    hand.play_turn()  # the start
    page.wait_for_selector(".orders")
    for _ in range(60):  # the order of the dice, with Tab and Enter
        if page.evaluate("document.activeElement.matches('.order')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".order[aria-pressed='true']")).to_have_count(1)
    page.locator(PRIMARY).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".orders")).to_have_count(0)
    hand.play_on()
    assert len(ranking(page)) == 2
    assert hand.abilities_used > 0


@pytest.mark.long
def test_a_whole_game_on_a_phone(guest: Guest, house: str) -> None:
    page = guest(width=390, height=844, touch=True)
    open_table(page, house, seats=4)
    hand = Hand(page, touch=True)
    widths: set[int] = set()
    for _ in range(200):
        if not hand.wait_for_turn():
            break
        widths.add(page.evaluate("document.documentElement.scrollWidth"))
        hand.play_turn()
    assert widths == {390}, "the page never scrolls sideways"
    assert len(ranking(page)) == 4


@pytest.mark.long
def test_alone_against_ones_own_record(guest: Guest, house: str) -> None:
    page = guest()
    for game in range(2):
        open_table(page, house, seats=1)
        if game:
            expect(page.locator(".me .record")).to_contain_text("Your best")
        Hand(page).play_on()
        page.wait_for_selector(".loot-end .solo")
        said = page.locator(".loot-end .solo").inner_text()
        assert ("first record" in said) == (game == 0), said
    assert int(page.evaluate("localStorage.getItem('ludoteca.loot.best.symmetric')")) > 0


def test_two_browsers_at_one_table_see_each_other_move(guest: Guest, house: str) -> None:
    anna, marco = guest("Anna"), guest("Marco", theme="dark", language="it")
    wish = {"game": "loot", "seats": 2, "options": {"first_dice": "rolled"}, "public": False, "bots": [None, None]}
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    sat = marco.request.post(
        f"/api/tables/{table['id']}/sit", data={"invite": table["invite"]}, headers={"Origin": house}
    )
    assert sat.ok
    anna.request.post(f"/api/tables/{table['id']}/start", headers={"Origin": house})
    for page in (anna, marco):
        page.goto(f"/table/{table['id']}")
        page.wait_for_selector(".cell.can")
    expect(anna.locator(".state")).to_contain_text("thinking")
    Hand(anna).play_turn()
    expect(marco.locator(".state")).to_contain_text("mosso")
    expect(anna.locator(".action")).to_contain_text("Waiting for Marco")
    assert anna.locator(".dice").count() == 0, "no dice before all pawns stand"
    Hand(marco).play_turn()
    for page in (anna, marco):
        page.wait_for_selector(".dice")
    assert anna.locator(".dice .die i").count() == marco.locator(".dice .die i").count()


def test_a_move_is_sealed_and_can_be_changed_until_all_have_moved(guest: Guest, house: str) -> None:
    anna, marco = guest("Anna"), guest("Marco")
    wish = {"game": "loot", "seats": 2, "options": {"first_dice": "rolled"}, "public": False, "bots": [None, None]}
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    marco.request.post(f"/api/tables/{table['id']}/sit", data={"invite": table["invite"]}, headers={"Origin": house})
    anna.request.post(f"/api/tables/{table['id']}/start", headers={"Origin": house})
    for page in (anna, marco):
        page.goto(f"/table/{table['id']}")
        page.wait_for_selector(".cell.can")
    for page in (anna, marco):
        Hand(page).play_turn()
    anna.wait_for_selector(".cell.can")
    Hand(anna).play_turn()
    expect(anna.locator(".floor .feet").first).to_be_visible()  # what is sealed is still drawn, for Anna
    seen = marco.locator(".side .thumb svg").first.inner_html()
    expect(marco.locator(".state")).to_contain_text("moved")
    anna.get_by_role("button", name="Change my move").click()
    anna.wait_for_selector(".cell.can")
    expect(marco.locator(".state")).to_contain_text("thinking")
    assert marco.locator(".side .thumb svg").first.inner_html() == seen, "nothing of it was to be seen"
    Hand(anna).play_turn()
    Hand(marco).play_turn()
    for page in (anna, marco):
        expect(page.locator(".log")).to_contain_text("Round 2")


# The sheet


def test_choosing_previews_and_costs_nothing(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, first_dice="rolled")
    hand = Hand(page)
    assert hand.wait_for_turn()
    hand.play_turn()
    assert hand.wait_for_turn()
    before = hand.turn()
    square = page.locator(".cell.can").first
    square.hover()
    expect(page.locator(".note")).to_be_visible()
    expect(page.locator(".floor .feet").first).to_be_visible()
    square.click()
    expect(page.locator(PRIMARY)).to_contain_text("Walk here")
    page.keyboard.press("Escape")
    expect(page.locator(PRIMARY)).to_have_count(0)
    assert hand.turn() == before
    shown = square.locator(".worth").inner_text().strip()
    square.click()
    page.locator(PRIMARY).click()
    hand.wait_until_moved(before)
    assert hand.wait_for_turn()  # when all have moved
    expect(page.locator(".me .total b")).to_have_text(str(int(shown or 0)))  # the preview came true


@pytest.mark.parametrize("way", ["mouse", "finger", "keyboard"])
def test_a_second_press_on_the_chosen_square_walks_there(guest: Guest, house: str, way: str) -> None:
    page = guest(width=390, height=844, touch=way == "finger")
    open_table(page, house, first_dice="rolled")
    hand = KeyboardHand(page) if way == "keyboard" else Hand(page, touch=way == "finger")
    for kind in ("to begin", "to walk"):
        assert hand.wait_for_turn()
        before = hand.turn()
        square = page.locator(".cell.can").last.get_attribute("data-square")
        chosen = page.locator(f".cell[data-square='{square}']")
        other = page.locator(".cell.can").first
        if way == "keyboard":
            for one in (other, chosen, chosen):
                one.focus()
                page.keyboard.press("Enter")
                assert hand.turn() == before or one is chosen, kind
        else:
            hand.press(other)
            hand.press(chosen)
            expect(chosen).to_have_attribute("aria-selected", "true")
            assert hand.turn() == before, "a first press chooses, also after another square was chosen"
            hand.press(chosen)
        hand.wait_until_moved(before)


def test_a_square_that_is_no_target_only_says_why(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, first_dice="rolled")
    Hand(page).wait_for_turn()
    before = page.locator(".paper").get_attribute("data-turn")
    page.locator(".cell[data-square='24']").click(force=True)  # the middle: not on the border
    assert page.locator(".cell.is-pick").count() == 0
    expect(page.locator(".toast").last).to_contain_text("a square of the border")
    assert page.locator(".paper").get_attribute("data-turn") == before
    Hand(page).play_turn()
    Hand(page).wait_for_turn()
    page.locator(".cell:not(.can)").first.click(force=True)
    expect(page.locator(".toast").last).to_contain_text("in a straight line")


def test_a_neighbours_sheet_can_be_opened_and_stays_live(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    for _ in range(4):
        assert hand.wait_for_turn()
        hand.play_turn()
    page.locator(".side .thumb").first.click()
    sheet = page.locator("dialog[open] .peek-sheet")
    expect(sheet).to_be_visible()
    expect(sheet.locator(".floor")).to_have_attribute("aria-label", re.compile("squares visited"))
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_squares_say_where_they_are_and_what_they_bring(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, first_dice="rolled")
    hand = Hand(page)
    assert hand.wait_for_turn()
    hand.play_turn()
    assert hand.wait_for_turn()
    labels = [cell.get_attribute("aria-label") or "" for cell in page.locator(".cell").all()]
    assert len(labels) == 49 and all(re.match(r"Row \d, column \d, ", label) for label in labels)
    assert sum("you can walk here" in label for label in labels) == page.locator(".cell.can").count()
    assert sum("your pawn" in label for label in labels) == 1
    expect(page.locator(".cell[tabindex='0']"), "one tab stop").to_have_count(1)
    expect(page.locator(".dice")).to_contain_text("This turn: ", use_inner_text=True)


def test_the_page_says_that_the_printed_sheet_was_not_available(guest: Guest, house: str) -> None:
    for language, words in (("en", "printed sheet was not available"), ("it", "foglio stampato non era disponibile")):
        page = guest(language=language)
        open_table(page, house)
        expect(page.locator(".paper")).to_contain_text(words)


def test_with_motion_the_pawn_walks_and_the_pencil_draws(guest: Guest, house: str) -> None:
    page = guest(speed="normal")
    open_table(page, house, seats=1)
    hand = Hand(page)
    page.evaluate(
        "new MutationObserver(() => (window.drew ||= !!document.querySelector('.is-drawn')))"
        ".observe(document.body, { subtree: true, childList: true, attributes: true })"
    )
    for _ in range(3):
        assert hand.wait_for_turn()
        hand.play_turn()
    page.wait_for_function("window.drew")
    expect(page.locator(".is-drawn")).to_have_count(0)  # the stroke has become part of the sheet
    pawn = page.locator(".plan > .pawn:not(.pawn--ghost)")
    where = page.locator(".cell").evaluate_all("(all) => all.findIndex(e => e.ariaLabel.includes('your pawn'))")
    expect(pawn).to_have_css("--r", str(where // 7))
    expect(pawn).to_have_css("--c", str(where % 7))


# Access


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_no_violations(guest: Guest, house: str, axe: str, theme: str, width: int) -> None:
    page = guest(theme=theme, width=width, height=900 if width > 1000 else 844, touch=width < 1000)
    open_table(page, house, seats=3)
    hand = Hand(page, touch=width < 1000)
    assert hand.wait_for_turn()
    assert violations(page, axe) == []  # the start
    for _ in range(6):
        assert hand.wait_for_turn()
        hand.play_turn()
    assert hand.wait_for_turn()
    hand.press(page.locator(".cell.can").first)
    assert violations(page, axe) == []  # a chosen square
    page.keyboard.press("Escape")
    page.locator(".side .thumb").first.evaluate("(e) => e.click()")
    page.wait_for_selector("dialog[open] .peek-sheet")
    assert violations(page, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_violations_at_the_end(guest: Guest, house: str, axe: str, theme: str) -> None:
    page = guest(theme=theme)
    open_table(page, house, seats=2)
    Hand(page).play_on()
    page.wait_for_selector(".ranking li")
    assert violations(page, axe) == []


def test_360_pixels_are_enough(guest: Guest, house: str) -> None:
    page = guest(width=360, height=740, touch=True, language="it")
    open_table(page, house, seats=4, first_dice="rolled")
    hand = Hand(page, touch=True)
    for _ in range(4):
        assert hand.wait_for_turn()
        hand.press(page.locator(".cell.can").first)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator(".fold__handle").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator(".fold__handle").click()
        page.keyboard.press("Escape")
        hand.play_turn()
    small = page.locator(".cell.can, .fold__handle, .chip:not(.used), .action .btn").evaluate_all(
        "(all) => all.map(e => e.getBoundingClientRect()).filter(b => b.width < 43.5 || b.height < 43.5).length"
    )
    assert small == 0, "targets are at least 44 pixels"


@pytest.mark.parametrize(("host_has", "friend_has"), [((390, "en"), (360, "it")), ((360, "it"), (390, "en"))])
def test_choosing_and_sealing_do_not_move_the_board_of_a_phone(
    guest: Guest, house: str, host_has: tuple[int, str], friend_has: tuple[int, str]
) -> None:
    """Two people, so that one waits for the other: the line grows and shrinks, the plan stays under the finger."""
    host, friend = (
        guest(name, width=width, height=844, touch=True, language=language)
        for name, (width, language) in (("Anna", host_has), ("Marco", friend_has))
    )
    wish = {"game": "loot", "seats": 2, "options": {"first_dice": "rolled"}, "public": True, "bots": [None, None]}
    table = host.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
    friend.request.post(f"/api/tables/{table}/sit", data={}, headers={"Origin": house})
    host.request.post(f"/api/tables/{table}/start", headers={"Origin": house})
    for page in (host, friend):
        page.goto(f"/table/{table}")
    top = "() => document.querySelector('.cell').getBoundingClientRect().top + scrollY"
    for _ in range(2):  # the border, then a walk
        for page in (host, friend):
            tops = []
            expect(page.locator(".cell.can").first).to_be_visible()
            tops.append(page.evaluate(top))
            page.locator(".cell.can").first.dispatch_event("click")
            expect(page.locator(PRIMARY)).to_be_visible()
            tops.append(page.evaluate(top))
            page.locator(PRIMARY).click()
            if page is host:
                expect(page.locator(".action--wait .action__buttons .btn")).to_be_visible()
                tops.append(page.evaluate(top))
                expect(page.locator(".note")).to_have_count(0)  # what is sealed needs no bubble over the plan
            assert max(tops) - min(tops) < 1.5, tops
