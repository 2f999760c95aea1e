"""Moments that a game seldom comes to, and screens of every size: choices, counts, and nothing on top of anything else."""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from ludoteca import catalogue
from web.access import settle
from web.hand import PRIMARY
from web.positions import at_random, lay, stand

Guest = Callable[..., Page]

# Pairs of elements that lie over each other, and those that stick out of the box or of the window.
CROWDED = """([box, parts]) => {
  const inside = document.querySelector(box).getBoundingClientRect();
  const shown = parts.flatMap((part) => [...document.querySelectorAll(part)].map((e) => [part, e.getBoundingClientRect()]))
    .filter(([, r]) => r.width && r.height);
  const told = shown.filter(([, r]) => r.left < inside.left - 1 || r.right > inside.right + 1 || r.top < inside.top - 1
    || r.bottom > inside.bottom + 1 || r.right > innerWidth + 1).map(([part]) => part + ' sticks out');
  shown.forEach(([a, r], n) => shown.slice(n + 1).forEach(([b, q]) => {
    const wide = Math.min(r.right, q.right) - Math.max(r.left, q.left);
    const high = Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top);
    if (wide > 1 && high > 1) told.push(a + ' lies over ' + b);
  }));
  return told;
}"""


def crowded(page: Page, box: str, *parts: str) -> list[str]:
    """What lies over something else or out of its box."""
    found: list[str] = page.evaluate(CROWDED, [box, list(parts)])
    return found


# Choices


@pytest.mark.parametrize("name", ["two_places", "two_nobles"])
def test_one_of_several_places_is_chosen(guest: Guest, house: str, database: pathlib.Path, name: str) -> None:
    page = guest()
    stand(page, database, name)
    offered = page.locator(".place.is-playable")
    expect(offered).to_have_count(2)
    expect(page.locator(".action__text")).to_contain_text("nobles" if name == "two_nobles" else "places")
    page.locator(".place:not(.is-playable)").first.click()  # this one is not among them: it says how it is won
    expect(page.locator(".toast").last).to_contain_text("needs bonuses" if name == "two_nobles" else "Avengers symbols")
    offered.first.click()
    expect(page.locator(PRIMARY)).to_contain_text("Receive")
    page.keyboard.press("Escape")
    expect(page.locator(PRIMARY)).to_have_count(0)
    other, mine = (one.get_attribute("data-spot") for one in offered.all())
    title = page.locator(f"[data-spot='{mine}'] .place__name").inner_text()
    page.focus(f"[data-spot='{mine}']")
    page.keyboard.press("Enter")
    page.keyboard.press("b")
    expect(page.locator(f"[data-spot='{mine}'].is-taken")).to_be_visible()
    expect(page.locator(f"[data-spot='{other}'].is-taken")).to_have_count(0)
    expect(page.locator(".log")).to_contain_text(f"You received {title}")


def test_tokens_chosen_to_go_back_are_counted_off(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    stand(page, database, "too_many_tokens")
    held = page.locator(".tray__total")
    expect(held).to_have_text("13 of 10 tokens")
    for _ in range(2):
        page.locator("[data-give]:not(.held--0)").first.click()
    expect(held).to_have_text("11 of 10 tokens")
    page.keyboard.press("Escape")
    expect(held).to_have_text("13 of 10 tokens")
    for _ in range(3):
        page.locator("[data-give]:not(.held--0)").last.click()
    expect(held).to_have_text("10 of 10 tokens")
    page.locator(PRIMARY).click()
    expect(page.locator("[data-give]")).to_have_count(0)
    expect(page.locator(".log")).to_contain_text("You gave back")


def test_the_last_round_is_announced(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(language="it")
    stand(page, database, "last_round")
    expect(page.locator(".final")).to_contain_text("ha completato il Guanto dell'Infinito")


def test_where_no_way_leads_on_the_pawn_goes_to_a_clean_square(
    guest: Guest, house: str, database: pathlib.Path
) -> None:
    page = guest()
    stand(page, database, "no_way")
    expect(page.locator(".action__text")).to_contain_text("No way out")
    clean = page.locator(".cell.can").count()
    assert clean > 10
    page.locator(".chip:not(.used)").first.click()  # or an ability instead: other squares glow
    expect(page.locator(".cell.can")).not_to_have_count(clean)
    page.locator(".chip:not(.used)").first.click()
    expect(page.locator(".cell.can")).to_have_count(clean)
    total = page.locator(".me .total b").inner_text()
    page.locator(".cell.can").first.click()
    page.locator(PRIMARY).click()
    expect(page.locator(".log")).to_contain_text("You had no way out and stand on")
    expect(page.locator(".me .total b")).to_have_text(total)


def test_those_who_watch_are_told_so(guest: Guest, house: str) -> None:
    host, watcher = guest("Anna"), guest("Bea")
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": [None, "novice"]}
    table = host.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
    assert host.request.post(f"/api/tables/{table}/start", headers={"Origin": house}).ok
    watcher.goto(f"/table/{table}")
    for thing in ("[data-pile='1']", "[data-spot='market:1:1']", ".deck--1"):
        watcher.click(thing)
        expect(watcher.locator(".toast")).to_have_text("You are watching.")
        watcher.click(".toast")
        expect(watcher.locator(".toast")).to_have_count(0)


# Screens of every size

SIZES = [(1440, 900), (1280, 720), (1024, 768), (834, 1112), (760, 1000)]


def every_size(page: Page, sizes: list[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """The same page at one size after the other: its width, and what to say if something is wrong there."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        yield width, f"at {width} × {height}"


def test_the_sheet_has_room_for_everything(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(language="it")
    stand(page, database, "four_sheets")
    page.wait_for_selector(".cell.can")
    parts = (".paper > .plan", ".paper > .me", ".meeps-box", ".combo-box", ".abil-box", ".fold > .score", ".house")
    for _, where in every_size(page, SIZES):
        assert crowded(page, ".paper", *parts) == [], where
    page.locator(".chip:not(.used)").first.click()
    page.locator(".cell.can").first.click()
    for width, where in every_size(page, SIZES):
        assert crowded(page, ".action", ".action__text", ".action .dice", ".action__buttons") == [], where
        assert page.locator(".action__text").evaluate("(e) => e.getBoundingClientRect().width") >= 150, where
        assert crowded(page, ".paper", *parts) == [], where
        if width >= 1000:  # the whole leaf is in sight
            assert page.locator(".house").evaluate("(e) => e.getBoundingClientRect().bottom <= innerHeight"), where


def test_the_table_has_room_for_words_and_panels(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(language="it")
    stand(page, database, "jokers")
    for card in page.locator(".market .card.is-playable").all():
        card.click()
        if page.locator("[data-swap]").count():
            break
    for _, where in every_size(page, SIZES):
        assert page.locator(".action__text").evaluate("(e) => e.getBoundingClientRect().width") >= 150, where
        parts = (".action__text", ".payment", ".action__buttons", ".action__aside")
        assert crowded(page, ".action", *parts) == [], where
        for n in range(1, 4):
            panel = f".side .player:nth-of-type({n})"
            who = [f"{panel} {part}" for part in (".player__name b", ".gauntlet", ".player__score")]
            assert crowded(page, panel, *who) == [], where
            whole = page.locator(who[0]).evaluate("(e) => e.scrollWidth <= e.clientWidth")
            assert whole, f"the name is not whole {where}"


def test_panels_have_room_for_a_score_of_two_digits(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    stand(page, database, "last_round")
    for _, where in every_size(page, SIZES):
        for n in range(1, 4):
            panel = f".side .player:nth-of-type({n})"
            parts = (".player__name b", ".gauntlet", ".player__score", ".player__bot")
            assert crowded(page, panel, *(f"{panel} {part}" for part in parts)) == [], where


def test_nobles_are_all_of_one_size(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(width=760, height=1000)
    stand(page, database, "two_nobles")
    page.wait_for_selector(".place")
    widths = page.locator(".place").evaluate_all("(all) => all.map(e => Math.round(e.getBoundingClientRect().width))")
    assert max(widths) - min(widths) <= 1 and min(widths) > 80


def test_on_a_phone_nothing_moves_under_the_finger(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(width=390, height=844, touch=True)
    stand(page, database, "jokers")
    at = "(e) => e.getBoundingClientRect().top"
    pile = page.locator("[data-pile='1']")
    before = pile.evaluate(at)
    pile.tap()
    expect(page.locator(".slots .slot--full")).to_have_count(1)
    assert abs(pile.evaluate(at) - before) < 22, "the next pile is where it was"
    assert crowded(page, ".action", ".action__text", ".slots", ".action .btn") == []
    page.locator(".action .btn--undo").tap()
    expect(page.locator(".slots .slot--full")).to_have_count(0)


# What a player met: things that ran off the screen or under another thing

GAMES = catalogue.keys(catalogue.HOUSE)
EVERY_SIZE = [(1440, 900), (1024, 768), (844, 390), (390, 844), (360, 740)]


def ended(page: Page, database: pathlib.Path, game: str) -> None:
    page.goto(f"/table/{lay(page, database, at_random(game, 4))}")
    page.wait_for_selector(".table.is-over .action .btn--primary", timeout=60_000)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "it"])
def test_at_the_end_the_page_is_as_wide_as_the_screen(
    guest: Guest, house: str, database: pathlib.Path, game: str, language: str
) -> None:
    page = guest(language=language)
    ended(page, database, game)
    for width, height in EVERY_SIZE:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for button in page.locator(".action .btn").all():
            inner, outer = button.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
            assert inner <= outer, f"«{button.inner_text()}» runs out of its button at {width}"


def test_the_words_over_the_final_count_do_not_collide(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(language="it")
    ended(page, database, "king_of_con")
    for _, where in every_size(page, EVERY_SIZE):
        over = page.locator(".scores thead th:visible").evaluate_all(
            """(heads) => heads.map((head) => {
                 const words = document.createRange();
                 words.selectNodeContents(head);
                 return [head.textContent, words.getBoundingClientRect().left, words.getBoundingClientRect().right];
               }).filter(([text], n) => n)"""
        )
        for (left, _, end), (right, start, _) in itertools.pairwise(over):
            assert end <= start + 1, f"«{left}» lies over «{right}» {where}"
        table, box = (
            page.locator(part).evaluate("(e) => e.getBoundingClientRect().right")
            for part in (".scores table", ".finale")
        )
        assert table <= box, where


def test_the_counts_of_the_bank_are_above_the_tray(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(width=360, height=740, touch=True, language="it")
    stand(page, database, "jokers")
    lowest = page.locator(".bank .count").evaluate_all(
        "(all) => Math.max(...all.map((e) => e.getBoundingClientRect().bottom))"
    )
    assert lowest <= page.locator(".tray").evaluate("(e) => e.getBoundingClientRect().top")


@pytest.mark.parametrize("game", ["splendor", "king_of_con"])
@pytest.mark.parametrize("decisions", [0, 40, 5000])
def test_on_a_tablet_ones_own_area_is_in_sight(
    guest: Guest, house: str, database: pathlib.Path, game: str, decisions: int
) -> None:
    page = guest(width=1024, height=768)
    page.goto(f"/table/{lay(page, database, at_random(game, 4, decisions))}")
    page.wait_for_selector(".tray")
    assert page.locator(".tray").evaluate("(e) => e.getBoundingClientRect().bottom") <= 768
    assert page.locator(".tray").evaluate("(e) => e.getBoundingClientRect().height") <= 140
    parts = (".mine__who", ".purse", ".passions", ".mycoll", ".epic") if game == "king_of_con" else (".tray > *",)
    assert crowded(page, ".tray", *(f".tray > {part.removeprefix('.tray > ')}" for part in parts)) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_held_sideways_has_room_for_the_board(
    guest: Guest, house: str, database: pathlib.Path, game: str
) -> None:
    page = guest(width=844, height=390, touch=True, language="it")
    page.goto(f"/table/{lay(page, database, at_random(game, 4, 40))}")
    page.wait_for_selector(".action__text")
    settle(page)
    action = page.locator(".table > .action").evaluate("(e) => e.getBoundingClientRect().bottom")
    board = page.locator(".board > *").evaluate_all(
        "(all) => Math.min(...all.map((e) => e.getBoundingClientRect()).filter((r) => r.height).map((r) => r.top))"
    )
    assert action <= board + 1, "nothing lies under the action line"
    assert board <= 390 * 0.4
