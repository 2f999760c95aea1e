"""A tournament in a real browser: two people and two bots play a Swiss, and nobody has to see to its rounds."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from installed import PIG, install

from .access import violations
from .conftest import serving

Guest = Callable[..., Page]

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Decides once at a table, when it is one's turn, and leaves the rest to a stand-in; `window.decided` says so.
DECIDE = """(table) => {
  window.decided = false;
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/tables/${table}/socket?since=0`);
  let asked = false;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'done') {
      socket.close();
      fetch(`/api/tables/${table}/leave`, { method: 'POST' }).then(() => (window.decided = true));
    }
    if (message.type !== 'update' || asked || !message.choices.length) return;
    asked = true;
    socket.send(JSON.stringify({ type: 'do', id: crypto.randomUUID(), action: message.choices[0].action, at: message.seq }));
  };
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a game that bots play in a moment."""
    folder = tmp_path_factory.mktemp("pig")
    with serving(folder / "games.db", install(PIG, folder / "wheel")) as address:
        yield address


def test_a_swiss_of_two_people_and_two_bots(guest: Guest, house: str, axe: str, tmp_path: pathlib.Path) -> None:
    anna, marco = guest("Anna"), guest("Marco", width=360, height=740, touch=True, language="it", theme="dark")
    anna.goto("/tournaments")
    anna.get_by_role("button", name="New tournament").click()
    sheet = anna.get_by_role("dialog")
    sheet.get_by_label("Name").fill("Autumn cup")
    sheet.get_by_role("radio", name="Pig").check()
    sheet.get_by_label("Points to win").get_by_text("50, a short game").click()
    sheet.get_by_role("group", name="Rounds").get_by_role("button", name="2").click()
    sheet.get_by_label("Bots").select_option("2")
    sheet.get_by_label("How they play").select_option("novice")
    assert violations(anna, axe) == []
    sheet.get_by_role("button", name="Make it").click()
    expect(anna.get_by_role("heading", level=1)).to_have_text("Autumn cup")
    address = anna.url.removeprefix(house)
    told = f"/api/tournaments/{address.rpartition('/')[2]}"

    marco.goto("/tournaments")
    marco.get_by_role("link", name="Autumn cup").click()
    marco.get_by_role("button", name="Partecipa").click()
    expect(anna.locator(".standings")).to_contain_text("Marco")
    assert marco.evaluate(SIDEWAYS) == 0
    anna.get_by_role("button", name="Begin now").click()

    for number in (1, 2):
        # What is yours now stands first and glows; people decide, then a stand-in plays on for them.
        expect(anna.locator(".contest__you.is-now h2")).to_have_text(f"Your game of round {number}", timeout=60_000)
        expect(marco.locator(".contest__you.is-now h2")).to_have_text(
            f"La tua partita del turno {number}", timeout=60_000
        )
        tables = {page: page.request.get(told).json()["info"]["table"] for page in (anna, marco)}
        if number == 1:
            assert violations(anna, axe) == []
            anna.screenshot(path=tmp_path / "round.png", full_page=True)
            marco.screenshot(path=tmp_path / "round-phone.png", full_page=True)
            anna.locator(".contest__you").get_by_role("link").click()
            expect(anna).to_have_url(f"{house}/table/{tables[anna]}")
            anna.go_back()
        for page, table in tables.items():
            page.evaluate(DECIDE, table)
        for page in tables:
            page.wait_for_function("() => window.decided", timeout=60_000)

    expect(anna.locator(".contest__won")).to_contain_text("Won by", timeout=60_000)
    lines = anna.locator(".standings tbody tr")
    expect(lines).to_have_count(4)
    assert [cells.count() for cells in [line.locator(".cell") for line in lines.all()]] == [2] * 4
    expect(lines.first).not_to_contain_text("Anna")  # who was stood in for is last at a table: a bot has won
    expect(anna.locator(".contest__rules")).to_contain_text("every round can be drawn again")
    anna.get_by_role("group", name="Shown as").get_by_role("button", name="Rounds").click()
    expect(anna.locator(".meetgrid tbody tr")).to_have_count(4)
    expect(anna.locator(".meetgrid tbody tr").first.locator(".cell")).to_have_count(2)
    anna.get_by_role("button", name="Round 1").click()
    expect(anna.locator(".meeting")).to_have_count(2)
    assert violations(anna, axe) == []
    expect(marco.locator(".standings")).to_contain_text("Classifica finale", timeout=60_000)
    assert marco.evaluate(SIDEWAYS) == 0
    assert violations(marco, axe) == []
    anna.screenshot(path=tmp_path / "over.png", full_page=True)
    marco.screenshot(path=tmp_path / "over-phone.png", full_page=True)
