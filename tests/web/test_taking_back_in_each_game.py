"""Taking back in each of the four games: allowed to two people, refused with a reason, and free to whoever plays bots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from web import challengers_hand, king_of_con_hand, loot_hand, splendor_hand
from web.access import shot, violations
from web.hand import open_table_of
from web.test_over_time import begun

Guest = Callable[..., Page]

SPLENDOR, LOOT = "splendor", "loot"
KING, CHALLENGERS = "king_of_con", "challengers"
SEEN = "Everybody has seen it."
FINDING_OUT = 120_000  # milliseconds: it has a small share of the server's time (`server/sparing.py`)


@dataclass(frozen=True)
class Ways:
    """How one game is played here, and what is said of taking back."""

    game: str
    asked: str  # what is on the page while a first decision is awaited
    decide: Callable[[Page], None]
    back: str  # the button that takes it back while nobody has learnt anything
    why: str  # why it cannot be any more, once the other has decided


def take_gems(page: Page) -> None:
    splendor_hand.Hand(page).take_gems()


def put_the_pawn_down(page: Page) -> None:
    hand = loot_hand.Hand(page)
    hand.choose_best()
    hand.confirm()


def choose_passions(page: Page) -> None:
    hand, chosen = king_of_con_hand.Hand(page), page.locator("button.bigpassion[aria-pressed='true']")
    if not chosen.count():  # what was sealed and is open again is still chosen
        hand.press(page.locator("button.bigpassion").first)
    hand.confirm()


def keep_a_card(page: Page) -> None:
    hand = challengers_hand.Hand(page)
    hand.mark(hand.strongest()[0], "keep")
    hand.confirm()


GAMES = (
    Ways(SPLENDOR, ".tray.is-turn .market, .tray.is-turn", take_gems, "Take back", "Bruno has moved since."),
    Ways(LOOT, ".cell.can", put_the_pawn_down, "Change my move", SEEN),
    Ways(KING, "button.bigpassion", choose_passions, "Choose again", SEEN),
    Ways(CHALLENGERS, "[data-do=keep]", keep_a_card, "Take back", "Bruno has moved since."),
)
in_each_game = pytest.mark.parametrize("ways", GAMES, ids=lambda ways: ways.game)


@in_each_game
def test_two_people(guest: Guest, house: str, axe: str, ways: Ways) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", language="it", width=360, height=780)
    begun([ada, bruno], house, game=ways.game)
    expect(ada.locator(ways.asked).first).to_be_visible()
    ways.decide(ada)
    allowed = ada.get_by_role("button", name=ways.back)
    expect(allowed).to_be_visible(timeout=FINDING_OUT)
    shot(ada, f"undo-{ways.game}-allowed")
    allowed.click()
    expect(ada.locator(ways.asked).first).to_be_visible()
    expect(allowed).to_have_count(0)

    ways.decide(ada)
    expect(allowed).to_be_visible(timeout=FINDING_OUT)
    expect(bruno.locator(ways.asked).first).to_be_visible()
    ways.decide(bruno)
    gone = ada.get_by_role("button", name="Take back")
    expect(ada.locator(".action__back small")).to_have_text(ways.why, timeout=FINDING_OUT)
    expect(gone).to_have_attribute("aria-disabled", "true")
    shot(ada, f"undo-{ways.game}-refused")
    shot(bruno, f"undo-{ways.game}-phone")
    assert violations(ada, axe) == []
    assert bruno.evaluate("document.documentElement.scrollWidth") <= 360


@in_each_game
def test_alone_with_a_bot(guest: Guest, house: str, ways: Ways) -> None:
    page = guest(name="Ada")
    as_rolled = {"first_dice": "rolled"} if ways.game == LOOT else {}  # whoever rolls would be asked for an order first
    open_table_of(ways.game, ".table", page, house, 2, **as_rolled)
    expect(page.locator(ways.asked).first).to_be_visible()
    ways.decide(page)
    back = page.get_by_role("button", name="Take back")
    expect(back).to_be_enabled(timeout=FINDING_OUT)
    shot(page, f"undo-{ways.game}-alone")
    back.click()
    expect(page.locator(".log p", has_text="You take the last decision back.")).to_have_count(1)
    expect(page.locator(ways.asked).first).to_be_visible()
    expect(back).to_have_count(0)
