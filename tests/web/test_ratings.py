"""A rated game with a leaver, and what is seen of it: at the table, on people's pages, on the leaderboard."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable

from playwright.sync_api import Page, expect

from ludoteca.bots.levels import LEVELS
from web.access import violations

Guest = Callable[..., Page]

# Plays on at a table until the game is over, whatever is offered: somebody in a hurry.
HURRY = """(table) => new Promise((done, failed) => {
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/tables/${table}/socket?since=0`);
  let asked = -1, last = null;
  const decide = () => {
    if (!last.choices.length || asked === last.seq) return;
    asked = last.seq;
    const choice = last.choices[Math.floor(Math.random() * last.choices.length)];
    socket.send(JSON.stringify({ type: 'do', id: crypto.randomUUID(), action: choice.action, at: last.seq }));
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'refused') setTimeout(() => { asked = -1; decide(); }, 500);
    if (message.type !== 'update') return;
    last = message;
    if (message.result) { socket.close(); done(message.result.ranks); } else setTimeout(decide, 150);
  };
  socket.onerror = () => failed('the socket failed');
})"""

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_rated_game_with_a_leaver(guest: Guest, house: str, axe: str, tmp_path: pathlib.Path) -> None:
    anna, marco = guest("Anna"), guest("Marco", width=360, height=740, touch=True, language="it")
    wish = {"game": "loot", "seats": 2, "options": {}, "public": True, "bots": []}
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()

    # Rated or friendly is said before one sits down, and can be changed until the start.
    anna.goto(f"/table/{table['id']}")
    expect(anna.locator(".waitroom__head")).to_contain_text("friendly")
    anna.get_by_role("group", name="What it counts").get_by_role("button", name="rated").click()
    expect(anna.locator(".waitroom__head")).to_contain_text("· rated")
    assert violations(anna, axe) == []
    marco.goto("/")
    expect(marco.locator(".open li", has_text="Anna").get_by_text("classificata")).to_be_visible()
    marco.goto(f"/table/{table['id']}")
    expect(marco.get_by_text("vale come ultimo")).to_be_visible()
    marco.get_by_role("button", name="Siediti qui").click()
    expect(anna.locator(".sitting")).to_contain_text("Marco")
    expect(anna.locator(".sitting")).to_contain_text("new: not sure yet")
    anna.get_by_role("button", name="Start the game").click()
    expect(anna.locator(".t-head")).to_contain_text("rated")

    # He leaves, and was told what that means; she plays on to the end.
    marco.request.post(f"/api/tables/{table['id']}/leave", headers={"Origin": house})
    anna.evaluate(HURRY, table["id"])
    ranking = anna.locator(".ranking li")
    expect(ranking.filter(has_text="Anna")).to_contain_text("(+")
    expect(ranking.filter(has_text="Marco")).to_contain_text("left, so it counts as last")

    # His page, from a link at the table.
    ranking.get_by_role("link", name="Marco").click()
    expect(anna.get_by_role("heading", level=1)).to_have_text("Marco")
    expect(anna.locator(".idcard")).to_contain_text("1 of them rated, 1 left to a stand-in.")
    expect(anna.locator(".strengths")).to_contain_text("about")
    expect(anna.locator(".warning")).to_contain_text("one game says little")
    expect(anna.locator(".plot svg")).to_be_visible()
    anna.get_by_role("button", name="As a table").click()
    expect(anna.locator(".plot table tbody tr")).to_have_count(1)
    expect(anna.locator(".fins li")).to_have_count(1)
    expect(anna.locator(".ahead")).to_have_count(0)  # a stand-in has finished it: that says nothing about him
    anna.get_by_label("Rated or not").select_option("Friendly")
    expect(anna.get_by_text("No such game.")).to_be_visible()
    assert violations(anna, axe) == []

    # Her own page, on his phone and in his language.
    me = anna.request.get("/api/me").json()
    marco.goto(f"/people/{me['id']}")
    expect(marco.locator(".strengths")).to_contain_text("circa")
    expect(marco.locator(".openings")).to_contain_text("Anna")
    ahead = marco.locator(".ahead tbody tr")  # by game: nobody was met to the end
    expect(ahead).to_contain_text("Loot")
    expect(ahead).to_contain_text("troppo poche")
    marco.get_by_role("group", name="Contato per").get_by_role("button", name="Posti").click()
    expect(ahead).to_contain_text("2 giocatori")
    assert violations(marco, axe) == []
    assert marco.evaluate(SIDEWAYS) <= 0

    # The leaderboard: nobody has enough games, and the bots stand apart.
    for page in (anna, marco):
        page.goto("/players/loot/2")
        expect(page.locator(".stand tbody tr")).to_have_count(len(LEVELS))
        assert violations(page, axe) == []
        assert page.evaluate(SIDEWAYS) <= 0
    expect(anna.get_by_text("2 players have fewer than 10 rated games.")).to_be_visible()
    anna.get_by_label("Show bots").uncheck()
    expect(anna.locator(".stand tbody tr")).to_have_count(0)

    # A record comes in on one's own page; here it is a game that this house has seen, told by another name.
    record = anna.request.get(f"/api/tables/{table['id']}/record").json()
    (tmp_path / "game.json").write_text(json.dumps(record))
    anna.goto(f"/people/{me['id']}")
    anna.get_by_label("Record (JSON)").set_input_files(tmp_path / "game.json")
    anna.wait_for_url("**/again*")
    expect(anna.locator(".replay, .t-head")).not_to_have_count(0)
