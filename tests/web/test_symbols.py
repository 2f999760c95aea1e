"""Every symbol explains itself: under the pointer, with the keyboard's focus, and under a finger that rests on it."""

from __future__ import annotations

import contextlib
import pathlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Locator, Page, TimeoutError, expect

from ludoteca import catalogue
from web.positions import POSITIONS, at_random, lay, stand

Guest = Callable[..., Page]
GAMES = catalogue.keys(of=catalogue.HOUSE)

# What, where it stands, which one, and what it says in English and in Italian.
SYMBOLS = {
    "the ring of a row in Loot": (
        "four_sheets", ".rings li",
        r"^Row 1: \d of 7 squares marked, 3 points when complete$", r"^Riga 1: ",
    ),
    "the ring of a column in Loot": ("four_sheets", ".rings li >> nth=7", r"^Column 1: ", r"^Colonna 1: "),
    "a hall of Loot's combos": ("four_sheets", ".combo td.v", r"\d points?", r"\d punt[oi]"),
    "the rings of a combo in Loot": ("four_sheets", ".combo .prize", r"^\d circles? gives? ", r"^\d cerchi\w* d"),
    "the prize of Loot's Meeps track": (
        "four_sheets", ".meeps-box .track li >> nth=1",
        r"\d points?|plus|wrap", r"\d punt[oi]|più|bordo",
    ),
    "plus or minus one, held in Loot": (
        "abilities", ".chip[data-ability=plus_minus]",
        r"±1.*one step more or fewer", r"±1.*un passo in più o in meno",
    ),
    "an ability used in Loot": ("abilities", ".chip.used", r", used$", r", usata$"),
    "a die of Loot": ("four_sheets", ".dice li", r"^This turn: \d steps?$", r"^Questo turno: \d pass[oi]$"),
    "a neighbour's Meeps in Loot": ("four_sheets", ".side .bits li", r"^\d Meeps$", r"^\d Meeps$"),
    "a neighbour's plus or minus one in Loot": (
        "beside abilities", ".side .bits li:has(svg.ab) >> nth=1",
        r"^plus or minus one$", r"^più o meno uno$",
    ),
    "a neighbour's wrap around in Loot": (
        "beside abilities", ".side .bits li:has(svg.ab)",
        r"^wrap around$", r"^oltre il bordo$",
    ),
    "the round strip of King of Con": ("king_of_con", ".goal .track", r"[Rr]ound", r"[Tt]urno|[Rr]ound"),
    "the seals of King of Con": ("king_of_con", ".seals li", r"choosing|sealed", r"."),
    "the key of King of Con's Quadrant": (
        "king_of_con", ".qkey li",
        r", the seal of an edition$", r", il sigillo di un’edizione$",
    ),
    "a bonus of Splendor": (
        "jokers", ".tray span.bonus",
        r"^(1 \w+ bonus|[02-9] \w+ bonuses)$", r"^\d bonus di colore \w+$",
    ),
    "a token held in Splendor": (
        "jokers", ".side .player >> nth=0 >> span.held >> nth=0",
        r"^(1 \w+ gem|[02-9] \w+ gems)$", r"^(1 gettone|[02-9] gettoni) di colore \w+$",
    ),
    "the round strip of Challengers!": ("challengers", ".goal .rounds li", r"^Round 1", r"^Round 1"),
    "the fans of a player of Challengers!": ("challengers", ".side .fans", r"^fan tokens \d+$", r"^\w+ (\w+ )?\d+$"),
    "the deck of a player of Challengers!": ("challengers", ".side .decksize", r"^deck \d+$", r"^mazzo \d+$"),
}  # fmt: skip


GLUED = """() => [...document.querySelectorAll('.visually-hidden')].flatMap((hidden) => {
    const read = (node) => {
        if (!node || node.nodeType === Node.COMMENT_NODE) return '';
        if (node.nodeType === Node.TEXT_NODE) return node.data;
        return node.matches('svg, [aria-hidden=true], caption, thead, tbody, li, div, p') ? ' ' : node.textContent;
    };
    const beside = (step) => {
        let node = hidden[step];
        while (node && read(node) === '') node = node[step];
        return read(node);
    };
    const sentence = `${beside('previousSibling')}|${hidden.textContent}|${beside('nextSibling')}`;
    return /[\\p{L}\\p{N}]\\|[\\p{L}\\p{N}]/u.test(sentence) ? [sentence] : [];
})"""


def opened(page: Page, database: pathlib.Path, where: str) -> None:
    if where == "beside abilities":
        stand(page, database, "abilities", seat=1)
        return
    if where in POSITIONS:
        stand(page, database, where)
        return
    page.goto(f"/table/{lay(page, database, at_random(where, 3, 30 if where == 'king_of_con' else 0))}")
    page.wait_for_selector(".table .action__text")
    if where == "king_of_con":
        expect(page.locator(".seals li.is-sealed")).to_have_count(2)  # the others have decided: nothing moves by itself


def walk_to(page: Page, target: Locator) -> None:
    """With the keyboard: to the one tab stop of the group, then by arrows."""
    page.evaluate("document.querySelector('[data-mark]')?.removeAttribute('data-mark')")
    target.evaluate("(e) => e.setAttribute('data-mark', 'here')")
    stops = """() => {
        const here = document.querySelector('[data-mark]');
        if (here.matches('button')) return [here];
        let group = here.parentElement;
        while (group.querySelectorAll('[data-symbol][tabindex="0"]').length === 0) group = group.parentElement;
        return [...group.querySelectorAll('[data-symbol][tabindex="0"]')];
    }"""
    assert page.evaluate(f"({stops})().length") == 1, "one tab stop for the group"
    for _ in range(200):
        if page.evaluate(f"document.activeElement === ({stops})()[0]"):
            break
        page.keyboard.press("Tab")
    else:
        raise AssertionError("Tab does not lead to it.")
    way = """() => {
        const middle = (e) => { const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; };
        const [x, y] = middle(document.activeElement), [tx, ty] = middle(document.querySelector('[data-mark]'));
        const [dx, dy] = [tx - x, ty - y];
        if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 'ArrowRight' : 'ArrowLeft';
        return dy > 0 ? 'ArrowDown' : 'ArrowUp';
    }"""
    for _ in range(60):
        if page.evaluate("document.activeElement.hasAttribute('data-mark')"):
            return
        page.keyboard.press(page.evaluate(way))
    raise AssertionError("Arrows do not lead to it.")


def hover(page: Page, target: Locator) -> None:
    """Points at it; once more, if somebody's move has drawn it anew under the pointer."""
    for _ in range(4):
        target.hover()
        with contextlib.suppress(TimeoutError):
            page.wait_for_selector(".hint", timeout=1500)
            return
        page.mouse.move(0, 0)


def rest_a_finger_on(page: Page, target: Locator, answer: str = ".hint") -> None:
    """A long press, as a finger makes it: it rests until there is an answer."""
    for _ in range(3):
        with contextlib.suppress(Error):  # drawn anew just then
            target.scroll_into_view_if_needed()
            break
    box = target.bounding_box()
    assert box
    line = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.wait_for_timeout(700)  # long enough for the browser too: it makes no click of it
    with contextlib.suppress(TimeoutError):  # what it says is looked at afterwards
        page.wait_for_selector(answer, timeout=5000)
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


PLACES = list(dict.fromkeys(where for where, *_ in SYMBOLS.values()))
WAYS = [(where, way) for where in PLACES for way in ("focus", "long press", "hover in Italian")]


@pytest.mark.parametrize(("where", "way"), WAYS, ids=["-".join(way) for way in WAYS])
def test_symbols_explain_themselves(guest: Guest, database: pathlib.Path, where: str, way: str) -> None:
    touch = way == "long press"
    page = guest(width=1280, height=860, touch=touch, language="it" if "Italian" in way else "en")
    sent: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    opened(page, database, where)
    before = page.locator(".action__text").inner_text()
    for what, (there, selector, english, italian) in SYMBOLS.items():
        if there == where:
            symbol = page.locator(selector).first
            expect(symbol, what).to_be_visible()
            ask(page, symbol, way, re.compile(italian if "Italian" in way else english), what)
            if touch:
                assert symbol.get_attribute("aria-pressed") != "true", what
    if touch:
        assert page.locator(".action__text").inner_text() == before, "a long press does not press"
        assert not [frame for frame in sent if '"do"' in frame]
    else:
        assert page.evaluate(GLUED) == [], "hidden words do not stick to numbers"


def ask(page: Page, symbol: Locator, way: str, words: re.Pattern[str], what: str) -> None:
    """Has a symbol explain itself; once more if others, who go on playing meanwhile, have it drawn anew with its hint."""
    for tries_left in (2, 1, 0):
        if way == "long press":
            rest_a_finger_on(page, symbol)
        elif way == "focus":
            walk_to(page, symbol)
        else:
            hover(page, symbol)
        try:
            expect(page.locator(".hint"), what).to_have_text(words, timeout=5000)
            break
        except AssertionError:
            if not tries_left:
                raise
            page.mouse.move(0, 0)


def test_the_empty_table_beside_the_round_strip_said_the_whole_page(guest: Guest, database: pathlib.Path) -> None:
    """What is told to screen readers beside the table was taken for its words; of the strip only the gaps had any."""
    page = guest(width=1900)
    opened(page, database, "king_of_con")
    words, strip = page.locator(".hint"), page.locator(".goal .track")
    for part in (".phases .now b", ".phases .now em"):
        ask(page, strip.locator(part), "hover", re.compile(r"[Rr]ound \d"), part)
        strip.locator(part).evaluate("(part) => part.remove()")  # as when the phase ends under the pointer
        page.mouse.move(4, 450)
        page.wait_for_timeout(500)  # longer than it takes to ask
        expect(words).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "card of the starting deck"), ("it", "carta del mazzo di partenza")]
)
def test_p_on_a_card_of_challengers_explains_itself(
    guest: Guest, database: pathlib.Path, language: str, words: str
) -> None:
    page = guest(language=language)
    opened(page, database, "challengers")
    sign = page.locator(".lvl--P:visible").first
    expect(sign.locator("[aria-hidden]")).to_have_text("P", use_inner_text=True)
    sign.hover()
    expect(page.locator(".hint")).to_have_text(words)
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")
    sign.locator("xpath=ancestor::button").focus()  # the card it stands on is looked at, sign and all
    expect(page.locator(".look")).to_contain_text(words)


def test_a_finger_on_a_card_of_challengers_looks_and_does_not_press(guest: Guest, database: pathlib.Path) -> None:
    page = guest(width=1280, height=860, touch=True)
    opened(page, database, "challengers")
    before = page.locator(".action__text").inner_text()
    rest_a_finger_on(page, page.locator(".lvl--P:visible").first, "dialog[open]")
    expect(page.locator("dialog[open]")).to_contain_text("card of the starting deck")
    assert page.locator(".action__text").inner_text() == before


def test_a_finger_on_a_button_that_explains_itself_does_not_press_it(guest: Guest, database: pathlib.Path) -> None:
    page = guest(width=1280, height=860, touch=True)
    stand(page, database, "abilities")
    chip = page.locator(".chip[data-ability=plus_minus]")
    page.evaluate("addEventListener('click', () => (window.clicked = true), true)")
    rest_a_finger_on(page, chip)
    expect(page.locator(".hint")).to_contain_text("one step more or fewer")
    # Some browsers send a click after the finger has left: it is swallowed, and only that one.
    if not page.evaluate("window.clicked"):
        chip.dispatch_event("click")
    expect(chip).to_have_attribute("aria-pressed", "false")
    chip.dispatch_event("click")  # as programs for voice and screen readers press, without a finger
    expect(chip).to_have_attribute("aria-pressed", "true")
    chip.tap()
    expect(chip).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("language", ["en", "it"])
def test_hidden_words_on_the_home_page_do_not_stick_to_numbers(guest: Guest, language: str) -> None:
    page = guest(language=language)
    page.goto("/")
    page.wait_for_selector(".game__meta")
    assert page.locator(".visually-hidden").count() > 3
    assert page.evaluate(GLUED) == []


@pytest.mark.parametrize("game", GAMES)
def test_symbols_add_few_tab_stops(guest: Guest, database: pathlib.Path, game: str) -> None:
    page = guest()
    page.goto(f"/table/{lay(page, database, at_random(game, 3, 30))}")
    page.wait_for_selector(".table .action__text")
    page.wait_for_selector("[data-symbol]")
    stops = page.locator("[data-symbol][tabindex='0']").count()
    everything = page.locator("[data-symbol]").count()
    assert 0 < stops <= 12 and stops * 2 < everything
