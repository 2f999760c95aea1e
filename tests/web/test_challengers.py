"""Challengers! in a real browser: one, two, three with the Robot, eight; mouse, keyboard, phone; watching; access."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.access import violations
from web.challengers_hand import LAST, Hand, KeyboardHand, LosingHand, open_table
from web.positions import at_random, lay

Guest = Callable[..., Page]
SMALL = """(list) => list
  .filter(e => e.checkVisibility())
  .filter(e => !e.matches('.inl, button.spent, button.back, .nm__look, .seg *'))  // words; what reaches farther
  .filter(e => { const box = e.getBoundingClientRect(); return box.height < 40 || box.width < 40; })
  .map(e => `${e.className} ${e.getAttribute('aria-label')}`)"""


def ranking(page: Page) -> list[str]:
    page.wait_for_selector(".ranking li")
    return page.locator(".ranking li").all_inner_texts()


def until(hand: Hand, wanted: str, most: int = 400) -> None:
    """Plays until the page shows this screen."""
    for _ in range(most):
        if hand.look()["screen"] == wanted:
            return
        assert hand.decide(), f"the game was over before {wanted}"
    raise AssertionError(f"never saw {wanted}")


# Whole games


def test_a_game_alone_against_the_robot_can_be_lost(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, seats=1)
    expect(page.locator(".nextup")).to_contain_text("Robot", use_inner_text=True)
    LosingHand(page).play_on()
    first, second = ranking(page)
    assert first.startswith("1\nRobot") and second.startswith("2\nGiulia") and "Beaten by the Robot" in second
    expect(page.locator("dialog[open] h2")).to_have_text("Robot wins", use_inner_text=True)
    page.keyboard.press("Escape")
    expect(page.locator(".action__text")).to_contain_text("Robot wins", use_inner_text=True)
    expect(page.locator(".stage h2")).to_have_text("The Robot wins the tournament", use_inner_text=True)
    expect(page.locator(".podium li"), "the Robot has its place on the podium").to_have_count(2)
    assert page.locator(".confetti").count() == 0
    log = page.locator(".log").inner_text()
    assert "Robot wins at once" in log and "takes the flag" in log


def test_a_game_of_two_with_the_keyboard_only(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, seats=2)
    KeyboardHand(page).play_on()
    ranks = ranking(page)
    assert len(ranks) == 2 and "trophies with" in ranks[0]
    expect(page.locator(".rounds li"), "two players have no final").to_have_count(7)


@pytest.mark.long
def test_a_game_of_three_with_the_robot_on_a_phone(guest: Guest, house: str) -> None:
    page = guest(width=390, height=844, touch=True)
    open_table(page, house, seats=3)
    hand = Hand(page, touch=True)
    widths: set[int] = set()
    for _ in range(2000):
        widths.add(page.evaluate("document.documentElement.scrollWidth"))
        if not hand.decide():
            break
    assert widths == {390}, "the page never scrolls sideways"
    assert len(ranking(page)) == 3


@pytest.mark.long
def test_a_game_of_eight_by_mouse(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, seats=8)
    hand = Hand(page)
    until(hand, "match")
    while hand.look()["ask"] or hand.look()["bench"]:
        hand.decide()
    expect(page.locator(".parks .tile"), "four parks at once").to_have_count(4)
    # Another park's match can be watched, step by step.
    page.locator(".parks .tile[aria-pressed=false]").first.click()
    expect(page.locator(".tile[aria-pressed=true]")).to_have_attribute("aria-label", re.compile("against"))
    hand.play_on()
    ranks = ranking(page)
    assert len(ranks) == 8 and "Won the final" in ranks[0] and "Lost the final" in ranks[1]
    page.keyboard.press("Escape")
    expect(page.locator(".podium li")).to_have_count(3)
    how = page.locator(".stage__sub").inner_text()
    assert "took the last flag" in how or "kept the flag to the end" in how
    expect(page.locator(".podium .first")).to_contain_text("of 8 matches won", use_inner_text=True)
    assert int(page.locator(".after .star dd").nth(1).inner_text()) > 0, "power played"
    page.locator(".after .btn", has_text="Tournament").click()
    expect(page.locator(".sched tbody tr")).to_have_count(7)
    expect(page.locator(".duel .is-won"), "every match of the seven rounds has its winner").to_have_count(28)


# Watching


def test_a_match_is_a_battle_with_visible_arithmetic(guest: Guest, house: str) -> None:
    page = guest(speed="fast")
    open_table(page, house, seats=2)
    hand = Hand(page)
    until(hand, "match")
    sums: list[tuple[int, int, int]] = []
    script = "(e) => [+e.dataset.attack, +e.dataset.flag, +e.dataset.sum]"
    page.keyboard.press("ArrowRight")  # pauses, and goes step by step
    log = page.locator(".log").inner_text()
    assert "You win" not in log and "Ada wins" not in log, "the log does not run ahead"
    at = page.locator(".match").get_attribute("data-at")
    page.wait_for_timeout(900)
    assert page.locator(".match").get_attribute("data-at") == at, "a pause is a pause"
    for _ in range(400):
        attack, flag, sum_ = page.locator(".tug").evaluate(script)
        sums.append((attack, flag, sum_))
        before = hand.look()
        if before["ask"] or before["bench"]:
            hand.decide()
            page.keyboard.press("ArrowRight")
        elif page.locator(".result").count():
            break
        else:
            page.keyboard.press("ArrowRight")
    assert len(sums) > 10 and all(attack == sum_ for attack, _, sum_ in sums if attack), sums
    assert any(attack >= flag > 0 for attack, flag, _ in sums), "the flag changed hands"
    expect(page.locator(".action__buttons .btn--primary")).to_have_count(1)
    # Once more, at double speed, and to the end at once.
    page.locator(".action__buttons .btn", has_text="Replay").click()
    page.locator(".speed .seg button", has_text="2×").click()
    expect(page.locator(".speed .seg [aria-pressed=true]")).to_have_text("2×", use_inner_text=True)
    page.locator(".speed__skip").click()
    page.wait_for_selector(".result")


def test_two_people_choose_cards_at_the_same_time(guest: Guest, house: str) -> None:
    anna, marco = guest("Anna"), guest("Marco", language="it", theme="dark")
    wish = {"game": "challengers", "seats": 2, "options": {}, "public": False, "bots": [None, None]}
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    anna.goto(f"/table/{table['id']}")
    marco.goto(f"/table/{table['id']}?invite={table['invite']}")
    sat = marco.request.post(
        f"/api/tables/{table['id']}/sit", data={"invite": table["invite"]}, headers={"Origin": house}
    )
    assert sat.ok, sat.text()
    started = anna.request.post(f"/api/tables/{table['id']}/start", headers={"Origin": house})
    assert started.ok, started.text()
    hands = [Hand(anna), Hand(marco)]
    for page in (anna, marco):
        page.wait_for_selector("[data-place]")
    while hands[1].look()["screen"] == "deck":
        hands[1].decide()
    expect(marco.locator(".ch"), "whoever is ready sees the tournament").to_have_attribute("data-screen", "tour")
    expect(marco.locator(".action__text")).to_contain_text("Anna", use_inner_text=True)
    expect(anna.locator("[data-place]"), "nobody's pace touches anybody else").to_have_count(5)
    expect(anna.locator(".log")).to_contain_text("Marco is ready", use_inner_text=True)
    expect(marco.locator(".log")).to_contain_text("Hai scelto", use_inner_text=True)
    expect(anna.locator(".log")).not_to_contain_text("picked", use_inner_text=True)
    while hands[0].look()["screen"] == "deck":
        hands[0].decide()
    for page in (anna, marco):
        page.wait_for_selector(".match")


@pytest.mark.parametrize(
    ("language", "buttons"), [("en", ("Keep 1 of 2", "Keep 2 of 2")), ("it", ("Tieni 1 su 2", "Tieni 2 su 2"))]
)
def test_with_one_card_chosen_the_button_keeps_one_of_two_and_with_two_none_is_lost(
    guest: Guest, database: pathlib.Path, language: str, buttons: tuple[str, str]
) -> None:
    page = guest(language=language)
    page.goto(f"/table/{lay(page, database, at_random('challengers', 4, 0))}")
    keep = page.locator("[data-place] [data-do=keep]")
    mine = page.locator(".log p", has_text="You picked" if language == "en" else "Hai scelto")
    for n, label in enumerate(buttons):
        keep.nth(n).click()
        expect(page.locator(LAST)).to_have_text(label)
    page.locator(LAST).click()
    expect(mine).to_have_count(2)


def test_every_card_can_be_looked_at(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house, seats=2)
    page.locator("[data-place='1'] .fan__card").hover()
    page.wait_for_selector(".look")
    expect(page.locator(".look")).to_contain_text("copies in the box", use_inner_text=True)
    page.mouse.move(5, 5)
    page.wait_for_selector(".look", state="detached")
    page.locator(".row__look").first.click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("power", use_inner_text=True)
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.wait_for_selector(".look")
    page.keyboard.press("i")  # also where pressing the card would choose it
    expect(dialog).to_contain_text("copies in the box", use_inner_text=True)
    page.keyboard.press("Escape")
    page.locator(".board").focus()
    page.keyboard.press("i")
    page.wait_for_selector(".album .card-btn")
    assert page.locator(".album .card-btn").count() > 60, "all titles of the sets in play"
    page.locator(".album .card-btn").last.click()
    expect(dialog).to_have_count(2)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(1)
    page.wait_for_selector(".look")  # the focus is on the card again, so it is looked at, and put away first
    page.keyboard.press("Escape")
    expect(page.locator(".look")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    # What was seen of the rival's deck; and a long press on a phone.
    page.locator(".nextup__do .btn").nth(1).click()
    expect(dialog).to_contain_text("Deck of", use_inner_text=True)
    page.keyboard.press("Escape")
    card = page.locator("[data-place='2'] .fan__card")
    card.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    page.wait_for_selector("dialog[open] .facts")
    assert card.get_attribute("aria-pressed") == "false", "looking is not choosing"


# Accessibility


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_violations(guest: Guest, house: str, axe: str, theme: str) -> None:
    page = guest(theme=theme)
    open_table(page, house, seats=4)
    hand = Hand(page)
    hand.look()
    assert violations(page, axe) == []
    hand.mark(1, "keep")
    hand.mark(2, "redraw")
    assert violations(page, axe) == []
    hand.mark(2, "redraw")
    page.keyboard.press("t")
    assert violations(page, axe) == []
    page.keyboard.press("t")
    until(hand, "match")
    assert violations(page, axe) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert violations(page, axe) == []


def test_360_pixels_are_enough(guest: Guest, house: str) -> None:
    page = guest(width=360, height=740, touch=True, language="it")
    open_table(page, house, seats=8)
    hand = Hand(page, touch=True)
    for _ in range(14):
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        small = page.locator(".ch button:visible, .action button:not(.para):visible").evaluate_all(SMALL)
        assert small == [], "targets a finger can hit"
        assert hand.decide()


@pytest.mark.parametrize("language", ["en", "it"])
def test_on_a_phone_held_sideways_the_tabs_stay_in_their_boxes(
    guest: Guest, house: str, database: pathlib.Path, language: str
) -> None:
    page = guest(width=844, height=390, touch=True, language=language)
    page.goto(f"/table/{lay(page, database, at_random('challengers', 4, 60))}")
    page.wait_for_selector(".talk [role=tab]")
    tabs = page.locator(".talk [role=tab]")
    expect(tabs).to_have_count(3)
    assert tabs.evaluate_all("(all) => all.every((e) => e.scrollWidth <= e.clientWidth)")
    row = "(e) => e.getBoundingClientRect().right"
    assert tabs.last.evaluate(row) <= page.locator(".talk .seg").evaluate(row)
