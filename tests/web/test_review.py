"""The review of a finished game in a browser: words, graph, board and moments, by mouse, by keys and on a phone."""

from __future__ import annotations

import itertools
import json
import pathlib
import re
import sqlite3
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from ludoteca import catalogue
from ludoteca.core.journal import Journal
from ludoteca.review.judging import judge_of
from ludoteca.server import reviews
from web.access import violations
from web.positions import lay

Guest = Callable[..., Page]
# A game of Splendor that bots have played, and its review as the workers made it; `tools/review_fixture.py` writes it.
KEPT = json.loads((pathlib.Path(__file__).parent / "review.json").read_text("utf-8"))


TODAY = judge_of(catalogue.game(KEPT["journal"]["game"]))


def reviewed(page: Page, database: pathlib.Path, parts: int | None = None, judge: str = TODAY) -> str:
    """A table with that game, whose review is there, or so many parts of it."""
    table = lay(page, database, Journal(**KEPT["journal"]))
    there = len(KEPT["parts"]) if parts is None else parts
    with sqlite3.connect(database, timeout=10) as db:
        reviews.begin(db, table, judge, len(KEPT["parts"]), "elsewhere", 4e9, None)
        for number, pieces in enumerate(KEPT["parts"][:there]):
            reviews.add_part(db, table, judge, number, json.dumps(pieces), "elsewhere", 4e9)
    return table


def test_the_whole_review_is_read_and_walked_through(
    guest: Guest, database: pathlib.Path, house: str, axe: str
) -> None:
    page = guest()
    table = reviewed(page, database)
    page.goto(f"/table/{table}/review")
    expect(page.locator(".rv-head h2")).not_to_have_text(re.compile("again, step"))
    expect(page.locator(".rv-head p")).to_have_text(re.compile(r"won\.$"))
    expect(page.locator(".rv-seat")).to_have_count(2)
    expect(page.locator(".rv-mom")).to_have_count(3)
    expect(page.locator(".rv-sum tbody tr")).to_have_count(2)
    for row in page.locator(".rv-sum tbody tr").all():
        start, own, others, luck, rest, end = (
            int(cell.replace("−", "-").replace("+", "")) for cell in row.locator("td").all_inner_texts()
        )
        assert abs(start + own + others + luck + rest - end) <= 3, "the account adds up, but for rounding"

    choice = page.locator(".rv-mom").filter(has=page.locator(".rv-opt--better")).first
    if choice.get_by_role("button", name="Show").count():
        choice.get_by_role("button", name="Show").click()
    expect(page.locator(".rv-now .rv-opt--better")).to_be_visible()
    expect(page.locator('.rv-scene [data-review="played"]').first).to_be_attached()
    expect(page.locator('.rv-scene [data-review="better"]').first).to_be_attached()
    assert violations(page, axe) == []

    plot = page.get_by_role("slider", name="Moment of the game")
    plot.focus()
    page.keyboard.press("Home")
    expect(plot).to_have_attribute("aria-valuetext", re.compile(r"^The deal\. .* and .* %\.$"))
    page.keyboard.press("ArrowRight")
    expect(plot).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("2")
    expect(page.locator(".rv-mom").nth(1)).to_have_class(re.compile("is-sel"))
    page.locator(".rv-seat").nth(1).click()
    expect(page.locator(".rv-seat").nth(1)).to_have_attribute("aria-pressed", "true")
    more = page.get_by_role("button", name=re.compile("more option"))
    if more.count():
        more.click()
        expect(page.get_by_role("button", name="Fewer options")).to_be_visible()


def test_it_grows_and_fits_a_phone_in_italian(guest: Guest, database: pathlib.Path, house: str, axe: str) -> None:
    page = guest(width=360, height=780, touch=True, language="it", theme="dark")
    table = reviewed(page, database, parts=3)
    page.goto(f"/table/{table}/review")
    expect(page.get_by_role("status")).to_contain_text("Passo 23 di")
    expect(page.locator(".rv-head h2")).to_have_text("Rigiochiamo la tua partita, passo per passo")
    expect(page.locator(".rv-later")).to_have_text("ancora da rigiocare")
    expect(page.locator(".rv-seat").first).to_contain_text("punti")  # how it ended is known before it is judged
    with sqlite3.connect(database, timeout=10) as db:
        for number, pieces in enumerate(KEPT["parts"]):
            reviews.add_part(db, table, TODAY, number, json.dumps(pieces), "elsewhere", 4e9)
    expect(page.locator(".rv-mom")).to_have_count(3, timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page, axe) == []


def test_a_review_that_was_judged_otherwise_says_so(guest: Guest, database: pathlib.Path, house: str, axe: str) -> None:
    page = guest(language="it")
    table = reviewed(page, database, judge="yesterday's")
    page.goto(f"/table/{table}/review")
    expect(page.locator(".rv-earlier")).to_contain_text("diversamente")
    expect(page.get_by_role("button", name="Rifai l'analisi")).to_be_visible()
    assert violations(page, axe) == []
    page.goto(f"/table/{reviewed(page, database)}/review")
    expect(page.locator(".rv-mom")).to_have_count(3)
    expect(page.locator(".rv-earlier")).to_have_count(0)


def test_words_come_before_numbers_and_a_moment_says_why(guest: Guest, database: pathlib.Path, house: str) -> None:
    page = guest()
    page.goto(f"/table/{reviewed(page, database)}/review")
    for figure in page.locator(".rv-fig__n").all():
        expect(figure).to_have_text(re.compile(r"^[a-z, ]+[-+−0-9]"))
    expect(page.locator(".rv-mom").filter(has_text="After «").first).to_contain_text("of 100")
    expect(page.locator(".rv-name--won")).to_have_text(re.compile("wins$"))
    # Symbols in what was told are as large as its letters: games size them within their own class.
    expect(page.locator(".rv-mom .sentence").first).to_have_class(re.compile(r"\bgame-splendor\b"))


def test_it_is_printed_on_white_paper_at_night_too(guest: Guest, database: pathlib.Path, house: str) -> None:
    page = guest(theme="dark")
    page.goto(f"/table/{reviewed(page, database)}/review")
    expect(page.locator(".rv-mom")).to_have_count(3)
    page.emulate_media(media="print")
    expect(page.locator("html")).to_have_css("color-scheme", "light")
    wood = "['::before', '::after'].map((part) => getComputedStyle(document.body, part).backgroundImage)"
    assert page.evaluate(wood) == ["none", "none"]
    expect(page.get_by_role("button", name="Try it from here")).to_be_hidden()


def test_whoever_asks_for_too_many_reads_why_and_stays_on_the_page(
    guest: Guest, database: pathlib.Path, house: str, axe: str
) -> None:
    """The page was gone, under the title that the table cannot be shown."""
    page = guest(language="it")
    table = lay(page, database, Journal(**KEPT["journal"]))
    refusal = {"key": "too_many_reviews", "facts": {"most": 20}, "sentence": ""}
    page.goto(f"/table/{table}/review")
    ask = page.get_by_role("button", name="Fai analizzare questa partita")
    expect(ask).to_be_visible()
    page.route("**/api/tables/*/review", lambda asked: asked.fulfill(status=429, json=refusal))
    ask.click()
    expect(page.get_by_role("alert")).to_contain_text("Hai chiesto 20 analisi in un’ora")
    expect(ask).to_be_visible()
    assert violations(page, axe) == []


def test_what_is_drawn_stays_while_the_house_cannot_be_reached(
    guest: Guest, database: pathlib.Path, house: str
) -> None:
    page = guest()
    table = reviewed(page, database, parts=3)
    page.goto(f"/table/{table}/review")
    expect(page.get_by_role("status")).to_contain_text("Step 23 of")
    page.context.route("**/api/tables/*/review*", lambda asked: asked.abort())
    page.wait_for_timeout(4000)
    expect(page.get_by_role("status")).to_contain_text("Step 23 of")
    page.context.unroute("**/api/tables/*/review*")
    with sqlite3.connect(database, timeout=10) as db:
        for number, pieces in enumerate(KEPT["parts"]):
            reviews.add_part(db, table, TODAY, number, json.dumps(pieces), "elsewhere", 4e9)
    expect(page.locator(".rv-mom")).to_have_count(3, timeout=30_000)


def test_words_on_the_board_can_be_read_and_flags_do_not_hide_each_other(
    guest: Guest, database: pathlib.Path, house: str
) -> None:
    page = guest()
    page.goto(f"/table/{reviewed(page, database)}/review")
    expect(page.locator(".rv-mom")).to_have_count(3)
    choice = page.locator(".rv-mom").filter(has=page.locator(".rv-opt--better")).first
    if choice.get_by_role("button", name="Show").count():
        choice.get_by_role("button", name="Show").click()
    for mark in ("played", "better"):  # the board is made small, what is said on it is not
        label = page.locator(f".rv-mark--{mark}")
        expect(label).to_be_visible()
        assert label.evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)") >= 11
    lefts = [flag.bounding_box()["x"] for flag in page.locator(".rv-flag").all()]  # type: ignore[index]
    assert all(right - left >= 24 for left, right in itertools.pairwise(lefts))
    plot = page.locator(".rv-plot")
    chosen, tip = plot.get_attribute("aria-valuenow"), page.locator(".rv-tip").inner_text()
    plot.hover(position={"x": 300, "y": 60})  # the line and its words follow the pointer, the board does not
    expect(page.locator(".rv-tip")).not_to_have_text(tip)
    expect(plot).to_have_attribute("aria-valuenow", chosen or "")


def test_one_press_at_the_end_of_a_game_asks_and_nothing_is_made_before(
    guest: Guest, database: pathlib.Path, house: str
) -> None:
    page = guest()
    table = lay(page, database, Journal(**KEPT["journal"]))
    page.goto(f"/table/{table}/review")
    expect(page.get_by_role("button", name="Have this game reviewed")).to_be_visible()
    page.goto(f"/table/{table}")
    page.get_by_role("button", name="Show the result").click()
    asked: list[str] = []

    def answer(call: Route) -> None:
        """Says that it is being made, so that no worker really begins."""
        if call.request.method == "GET":
            call.continue_()
            return
        asked.append(call.request.url)
        ends = list(range(len(KEPT["journal"]["decisions"]) + 1))
        so_far = {"state": "running", "parts": 0, "of": 9, "first": 0, "pieces": [], "ends": ends, "judge": TODAY}
        call.fulfill(json=so_far | {"totals": [], "moments": [], "verdicts": [], "earlier": False})

    page.route("**/api/tables/*/review*", answer)
    page.get_by_role("link", name="Review it").click()
    expect(page.get_by_role("heading", name="Playing your game again, step by step")).to_be_visible()
    expect(page.locator(".rv-later")).to_have_text("still to be played out")  # the graph has its place at once
    assert len(asked) == 1
    assert "ask" not in page.url
