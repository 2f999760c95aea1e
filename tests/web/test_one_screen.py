"""King of Con on one screen that is passed around: nobody gets a glimpse, neither on the page nor in what it is sent."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from web.access import violations
from web.king_of_con_hand import Hand

Guest = Callable[..., Page]

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
HIDDEN = """() => {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
  Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
}"""

ITALIAN = """() => {
  const prefs = JSON.parse(localStorage.getItem('ludoteca.prefs'));
  localStorage.setItem('ludoteca.prefs', JSON.stringify({ ...prefs, lang: 'it' }));
}"""


class Heard:
    """Everything that a page is sent by socket: through whose eyes, and what."""

    def __init__(self, page: Page) -> None:
        self.messages: list[tuple[str | None, dict[str, Any]]] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        seat = socket.url.partition("seat=")[2] or None
        socket.on("framereceived", lambda frame: self.messages.append((seat, json.loads(frame))))

    def of(self, seat: int | None) -> list[dict[str, Any]]:
        """What came for this seat; for none: while the screen was covered."""
        return [message for eyes, message in self.messages if eyes == (None if seat is None else str(seat))]


def uncover(page: Page) -> None:
    button = page.locator(".cover__button")
    button.hover()
    page.mouse.down()
    page.wait_for_selector(".tray", timeout=60_000)
    page.mouse.up()


def covered_for(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Pass the screen to {name}", timeout=60_000)
    for drawn in (".tray", ".board", ".log", ".toast"):
        expect(page.locator(drawn)).to_have_count(0)


def test_nobody_gets_a_glimpse(guest: Guest, house: str, axe: str, tmp_path: pathlib.Path) -> None:
    page, watching = guest("Ada"), guest("Zoe")
    heard = Heard(page)
    page.goto("/")
    page.get_by_role("button", name="Open a new table").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("radio", name="King of Con").check()
    sheet.get_by_role("group", name="Players").get_by_role("button", name="3 players").click()
    sheet.get_by_role("button", name="One screen").click()
    sheet.get_by_label("Name of player 2").fill("Bea")
    sheet.get_by_label("Name of player 3").fill("Carlo")
    assert violations(page, axe) == []
    sheet.get_by_role("button", name="Open the table").click()

    names = ["Ada", "Bea", "Carlo"]
    covered_for(page, "Ada")
    assert violations(page, axe) == []
    page.screenshot(path=tmp_path / "cover.png")
    table = page.url.rpartition("/")[2]
    invite = page.request.get(f"/api/tables/{table}").json()["invite"]

    # Everybody chooses a Passion in secret, one after the other.
    hand, secrets = Hand(page), list[set[str]]()
    for seat, name in enumerate(names):
        covered_for(page, name)
        assert not heard.of(seat), "nothing of a seat is sent before the screen is uncovered for it"
        if seat == 1:  # by keyboard
            page.locator(".cover__button").focus()
            page.keyboard.press("Enter")
            expect(page.locator(".cover__button")).to_contain_text("Once more")
            page.keyboard.press("Enter")
        else:
            uncover(page)
        assert hand.question() == "passions"
        mine = set(page.locator("button.bigpassion > b").all_inner_texts())
        assert len(mine) == 3
        secrets.append(mine)
        if seat == 2:  # leaving the window covers it, and it can be uncovered again
            page.evaluate(HIDDEN)
            covered_for(page, name)
            assert not any(word in page.content() for word in mine)
            uncover(page)
        if seat == 2:  # with the last seal all screens go up; the next secret decision may be made at once
            assert hand.decide() == "passions" and hand.question() != "passions"
            expect(page.locator(".cover")).to_have_count(0)
            hand.decide()
        else:
            hand.answer("passions")
            covered_for(page, names[seat + 1])
            assert heard.of(seat)[-1]["type"] == "done", "nothing more is sent to those eyes"
            assert not any(word in page.content() for word in mine)
            for other in range(seat + 1, 3):
                assert not heard.of(other)

    # The screen is Ada's again.
    covered_for(page, "Ada")
    assert not any(word in page.content() for known in secrets for word in known)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(SIDEWAYS) == 0
    assert violations(page, axe) == []
    page.screenshot(path=tmp_path / "cover-phone.png")
    uncover(page)
    hand.answer(hand.question())
    covered_for(page, "Bea")

    # What came while it was covered is what any spectator is told, word by word.
    moments = watching.request.get(f"/api/tables/{table}/moments?invite={invite}").json()["moments"]
    seen = {moment["seq"]: moment["view"] for moment in moments}
    updates = [message for message in heard.of(None) if message["type"] == "update"]
    assert updates and all(not update["choices"] and not update["sealed"] for update in updates)
    compared = [update for update in updates if update["seq"] in seen and update["fresh"] is False and update["events"]]
    assert compared and all(update["view"] == seen[update["seq"]] for update in compared)
    assert all(message["table"]["you"] is None for message in heard.of(None) if message["type"] == "table")

    # In the other language; a page that was loaded anew is covered.
    page.evaluate(ITALIAN)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Passa lo schermo a Bea")
