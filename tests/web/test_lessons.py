"""Every lesson, played through on the page: whatever glows is pressed, and nothing else is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca import catalogue
from web.access import violations
from web.targets import too_small

Guest = Callable[..., Page]
GAMES = catalogue.keys(of=catalogue.HOUSE)
LONG = pytest.mark.long

# Where the middle of what glows is, once the page has drawn what the last press did.
MIDDLE = """async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const box = document.querySelector('.coach__glow').getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (document.elementFromPoint(x, y)?.closest('.coach')) throw new Error('the bubble lies over what is to be pressed');
    return [x, y];
}"""
# At which step the coach is, and how much of it is pressed; nowhere while something is to be seen.
WHERE = """(() => {
    const at = document.querySelector('.coach')?.dataset;
    return at ? [+at.step, +at.pressed] : [-1, 0];
})()"""
WENT_ON = f"([step, pressed]) => {{ const [at, now] = {WHERE}; return at !== step || now > pressed; }}"


def by_mouse(page: Page) -> None:
    page.mouse.click(*page.evaluate(MIDDLE))


def by_finger(page: Page) -> None:
    page.touchscreen.tap(*page.evaluate(MIDDLE))


def by_keyboard(page: Page) -> None:
    page.evaluate(MIDDLE)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("!document.activeElement.closest('.coach')"):
            page.keyboard.press("Enter")
            return
    raise AssertionError("Tab does not lead to what is to be pressed.")


def go_on(page: Page, press: Callable[[Page], None]) -> None:
    """Presses «Next» as this hand does."""
    if press is by_keyboard:
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('.coach footer .btn--primary')"):
                break
        page.keyboard.press("Enter")
    else:
        page.locator(".coach footer .btn--primary").click()


def begin(page: Page, game: str) -> list[Any]:
    """Opens a lesson; its steps."""
    page.goto(f"/learn/{game}/lesson")
    expect(page.locator(".coach[data-step='0']")).to_be_visible(timeout=60_000)
    steps: list[Any] = page.request.get(f"/api/games/{game}/lesson").json()["steps"]
    return steps


def play(page: Page, steps: list[Any], press: Callable[[Page], None]) -> None:
    """Plays a lesson to its end."""
    for number, step in enumerate(steps):
        expect(page.locator(f".coach[data-step='{number}']")).to_be_visible(timeout=60_000)
        if step["reads"]:
            go_on(page, press)
            continue
        done = -1
        while True:
            page.wait_for_function(WENT_ON, arg=[number, done], timeout=60_000)
            at, pressed = page.evaluate(WHERE)
            if at != number:
                break
            done = pressed
            if done < len(step["press"]):
                page.locator(".coach__glow").wait_for()
                press(page)
    expect(page.locator("dialog[open] .btn--primary")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_by_mouse(guest: Guest, game: str) -> None:
    page = guest()
    play(page, begin(page, game), by_mouse)


@pytest.mark.parametrize(
    "game", ["splendor", *(pytest.param(game, marks=LONG) for game in GAMES if game != "splendor")]
)
def test_a_lesson_by_keyboard(guest: Guest, game: str) -> None:
    page = guest(language="it")
    play(page, begin(page, game), by_keyboard)


@pytest.mark.parametrize("game", ["loot", *(pytest.param(game, marks=LONG) for game in GAMES if game != "loot")])
def test_a_lesson_on_a_phone(guest: Guest, game: str) -> None:
    page = guest(width=390, height=844, touch=True)
    play(page, begin(page, game), by_finger)


def test_a_press_elsewhere_gets_a_reason_and_the_place_is_kept(guest: Guest, axe: str) -> None:
    page = guest()
    steps = begin(page, "splendor")
    go_on(page, by_mouse)
    coach = page.locator(".coach[data-step='1']")
    expect(coach).to_be_visible()
    page.locator(".market button[data-card='M127']").click()
    expect(coach.locator(".coach__said")).to_contain_text(steps[1]["words"]["en"]["other"])
    expect(coach).to_have_attribute("data-pressed", "0")
    coach.locator(".coach__ask").click()
    expect(coach.locator("blockquote")).to_contain_text("§2.4")
    assert violations(page, axe) == []
    coach.locator("footer .btn--soft").click()  # do it for me
    expect(page.locator(".coach[data-step='2']")).to_be_visible(timeout=60_000)
    page.reload()
    expect(page.locator(".coach[data-step='2']")).to_be_visible(timeout=60_000)
    page.goto("/learn")
    begun = page.locator(".lesson.is-now")
    expect(begun).to_have_count(1)
    expect(begun).to_contain_text("Continue at step 3")


def test_learn_and_puzzles_are_found_on_a_phone(guest: Guest, axe: str) -> None:
    page = guest(width=360, height=740, touch=True)
    page.goto("/")
    page.locator(".top nav a[href='/learn']").tap()
    expect(page.locator(".lesson")).to_have_count(4)
    for game in range(4):
        page.locator(".pictures .seg button").nth(game).tap()
        expect(page.locator(".ref li").nth(8)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        height = page.locator(".pictures").bounding_box()
        assert height is not None and height["height"] <= 740, "what the pictures mean fits one screen"
        expect(page.locator(".anatomy")).to_be_hidden()
        page.get_by_text("A piece, part by part").tap()
        expect(page.locator(".anatomy")).to_be_visible()
    assert violations(page, axe) == []
    assert too_small(page) == []
    page.locator(".top nav a[href='/puzzles']").tap()
    expect(page.locator(".allpuzzles li").nth(11)).to_be_visible()
    assert violations(page, axe) == []


def test_a_puzzle_is_solved_on_the_board_and_told_what_it_was_worth(guest: Guest, axe: str) -> None:
    page = guest(width=390, height=844, touch=True)
    puzzle = next(one for one in page.request.get("/api/puzzles").json() if one["game"] == "loot")
    page.goto(f"/puzzles/{puzzle['id']}")
    expect(page.locator(".cell.can").first).to_be_visible()
    expect(page.locator(".side .weigh")).to_have_count(0)  # it squeezed the seats to a finger's breadth
    page.locator(".cell.can").first.tap()
    page.locator(".action__buttons .btn--primary").tap()
    told = page.locator("dialog[open]")
    expect(told.locator(".weighed .is-best")).to_have_count(1)
    expect(told.locator(".weighed .is-yours")).to_have_count(1)
    expect(told.locator(".why li").first).to_be_visible()
    assert violations(page, axe) == []
    refused: list[str] = []
    page.on("response", lambda answer: refused.extend([answer.url] if answer.status >= 400 else []))
    told.get_by_role("button", name="Play on from here").tap()
    expect(page.locator(f".tag[href='/puzzles/{puzzle['id']}']")).to_be_attached()
    assert refused == [], "the page that is left asked for a puzzle by the table's name"
    page.goto("/puzzles")
    expect(page.locator(f".allpuzzles a[href='/puzzles/{puzzle['id']}'] .tag")).to_be_visible()


def test_a_puzzle_is_answered_from_its_list_by_keys(guest: Guest, axe: str) -> None:
    page = guest()
    puzzle = next(one for one in page.request.get("/api/puzzles").json() if one["game"] == "splendor")
    page.goto(f"/puzzles/{puzzle['id']}")
    moves = page.locator(".weigh input")
    expect(moves).to_have_count(4)
    assert violations(page, axe) == []
    expect(page.locator(".weigh [type='submit']")).to_have_attribute("aria-disabled", "true")
    moves.first.focus()
    page.keyboard.press("ArrowDown")
    expect(moves.nth(1)).to_be_checked()
    page.keyboard.press("Enter")
    told = page.locator(".side .answer")  # beside the position, which stays in sight
    expect(told.locator(".weighed .is-yours")).to_have_count(1)
    expect(told.locator("h3")).to_be_focused()
    expect(page.locator("main.table [data-review='better']").first).to_be_attached()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert violations(page, axe) == []
    expect(page.locator(".t-head a").first).to_have_attribute("href", "/puzzles")


def test_what_is_chosen_can_be_seen_in_forced_colours(guest: Guest) -> None:
    """Shadows are not painted there: the move that was chosen looked like the others, and so did the answer."""
    page = guest()
    page.emulate_media(forced_colors="active")
    puzzle = next(one for one in page.request.get("/api/puzzles").json() if one["game"] == "splendor")
    page.goto(f"/puzzles/{puzzle['id']}")
    moves = page.locator(".weigh__move")
    moves.nth(1).click()
    expect(moves.nth(1)).to_have_css("border-top-width", "4px")
    expect(moves.nth(2)).to_have_css("border-top-width", "1px")
    answer = page.locator(".weigh [type='submit']")
    assert answer.evaluate("(it) => it.scrollWidth <= it.clientWidth"), "its word fits"
    answer.click()
    expect(page.locator(".weighed .is-yours")).to_have_css("border-top-width", "4px")


def test_a_sentence_about_king_of_con_is_no_table_on_a_phone(guest: Guest) -> None:
    """The review of a game was 6,600 pixels wide: each word of its moments stood in a column of its own."""
    page = guest(width=390, height=844, touch=True)
    puzzle = next(one for one in page.request.get("/api/puzzles").json() if one["game"] == "king_of_con")
    page.goto(f"/puzzles/{puzzle['id']}")
    expect(page.locator(".table.game-king_of_con")).to_have_css("display", "flex")
    style = page.evaluate("""() => {
        const put = document.body.appendChild(document.createElement('p'));
        put.className = 'sentence game-king_of_con';
        const { display, minHeight } = getComputedStyle(put);
        return [display, parseFloat(minHeight) || 0];
    }""")
    assert style == ["block", 0]


def test_a_hint_by_keys_takes_the_gold_and_gives_it_back(guest: Guest, house: str) -> None:
    page = guest()
    asked = {"game": "loot", "seats": 2, "options": {}, "public": False, "bots": [None, "novice"], "hints": True}
    table = page.request.post("/api/tables", data=asked, headers={"Origin": house}).json()["id"]
    page.request.post(f"/api/tables/{table}/start", headers={"Origin": house})
    page.goto(f"/table/{table}")
    square = page.locator(".cell.can").first
    expect(square).to_be_visible()
    lit = square.evaluate("node => getComputedStyle(node).getPropertyValue('--shine')")
    page.keyboard.press("h")
    expect(page.locator(".hn-step")).to_have_count(1)
    assert square.evaluate("node => getComputedStyle(node).getPropertyValue('--shine')") == "transparent" != lit
    page.keyboard.press("h")
    expect(page.locator(".hn-step")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".hn")).to_have_count(0)
    page.keyboard.press("l")
    expect(page.locator("dialog[open] .prose")).to_be_visible()
