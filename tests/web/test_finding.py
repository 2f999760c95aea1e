"""Finding a game: quick match with people and with bots, filters, and friends who are asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.access import shot, violations

Guest = Callable[..., Page]
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def look(page: Page, find: str, bots: bool, game: str = "Splendor: Marvel") -> None:
    """Looks for two at a game without a clock."""
    page.goto("/")
    quick = page.locator(".quick")
    quick.get_by_role("radio", name=game).check()
    quick.get_by_role("combobox").select_option("none")
    quick.get_by_role("checkbox").set_checked(bots)
    quick.get_by_role("button", name=find).click()


def test_quick_match_with_people_and_with_bots(guest: Guest, house: str, axe: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", language="it", width=360, height=780, touch=True)
    look(ada, "Find a game", bots=False)
    corner = ada.locator(".corner")
    expect(corner).to_contain_text("1 of 2 found")
    shot(ada, "quick-1440")
    assert violations(ada, axe) == []
    corner.get_by_role("button", name="Cancel").click()
    expect(corner).to_have_count(0)

    # Who goes on browsing is found all the same, and so is who comes back after a reload.
    look(ada, "Find a game", bots=False)
    ada.get_by_role("link", name="Learn").first.click()
    ada.reload()
    expect(corner).to_contain_text("1 of 2 found")
    bruno.goto("/")
    expect(bruno.locator(".quick")).to_be_visible()
    assert bruno.evaluate(SIDEWAYS) == 0
    shot(bruno, "quick-360")
    look(bruno, "Trova una partita", bots=False)
    for page in (ada, bruno):
        page.wait_for_selector(".market [data-card]")
        expect(page.locator(".corner")).to_have_count(0)
    assert ada.url.split("?")[0] == bruno.url.split("?")[0]

    # On a phone the corner can be read and left at leisure.
    look(bruno, "Trova una partita", bots=False, game="Loot")
    corner = bruno.locator(".corner")
    expect(corner).to_be_visible()
    shot(bruno, "quick-corner-360")
    assert violations(bruno, axe) == []
    corner.get_by_role("button", name="Annulla").click()
    expect(corner).to_have_count(0)

    # With nobody there bots sit down.
    look(bruno, "Trova una partita", bots=True)
    bruno.wait_for_selector(".market [data-card]")
    assert bruno.url != ada.url


def test_friends_are_asked_and_tables_are_filtered(guest: Guest, house: str, axe: str) -> None:
    ada, bruno = guest(name="Ada"), guest(name="Bruno", language="it", width=360, height=780, touch=True)
    origin = {"Origin": house}
    code = ada.request.post("/api/you/friends/link", headers=origin).json()["code"]
    bruno.request.post("/api/you/friends", data={"code": code}, headers=origin)
    wish = {"game": "loot", "seats": 3, "options": {}, "public": False, "bots": []}
    table = ada.request.post("/api/tables", data=wish, headers=origin).json()["id"]
    ada.goto(f"/table/{table}")
    box = ada.locator(".askfriends")
    box.locator("li", has_text="Bruno").get_by_role("button").click()
    expect(box).to_contain_text("asked · a chair is kept")
    ada.get_by_role("group", name="Taking back").get_by_role("button", name="also if all agree").click()
    expect(ada.locator(".waitroom__head")).to_contain_text("also if all agree")
    shot(ada, "ask-1440")
    assert violations(ada, axe) == []

    bruno.goto("/")
    asked = bruno.locator(".asked")
    expect(asked).to_contain_text("Ada ti invita a Loot")
    shot(bruno, "asked-360")
    assert violations(bruno, axe) == []
    assert bruno.evaluate(SIDEWAYS) == 0
    asked.get_by_role("button", name="Siediti").click()
    expect(bruno.locator(".sitting")).to_contain_text("Bruno")
    expect(box.get_by_text("sits here")).to_be_visible()

    # He proposes something, and she is told.
    bruno.get_by_role("group", name="Annullare").get_by_role("button", name="finché nessuno").click()
    expect(ada.locator(".toasts")).to_contain_text("while nobody has learnt anything")

    # Two open tables; one of them by days.
    for more in ({}, {"clock": {"kind": "days", "bank": 86400}, "rated": True}):
        ada.request.post("/api/tables", data=wish | {"public": True, "name": "Fjord"} | more, headers=origin)
    bruno.goto("/")
    tables = bruno.locator(".open li", has_text="Fjord")
    expect(tables).to_have_count(2)
    bruno.locator(".filter summary").click()
    bruno.get_by_label("Orologio", exact=True).select_option("days")
    expect(tables).to_have_count(1)
    expect(bruno.locator(".filter summary")).to_contain_text("a giorni")
    shot(bruno, "filter-360")
    assert violations(bruno, axe) == []
    bruno.get_by_label("Conta", exact=True).select_option("no")
    expect(tables).to_have_count(0)
    bruno.get_by_role("button", name="Mostra tutti").click()
    expect(tables).to_have_count(2)


@pytest.mark.parametrize(
    ("width", "theme", "language"),
    [(1440, "light", "en"), (1440, "dark", "it"), (390, "dark", "en"), (360, "light", "it")],
)
def test_home_with_friends_invitations_and_running_games(
    guest: Guest, house: str, axe: str, width: int, theme: str, language: str
) -> None:
    """Somebody who comes back: a game that waits, a friend who plays and asks, games to watch, tables to join."""
    ada = guest(name="Ada", width=width, height=844, touch=width < 720, theme=theme, language=language)
    bruno, carla = guest(name="Bruno"), guest(name="Carla")
    origin = {"Origin": house}
    code = ada.request.post("/api/you/friends/link", headers=origin).json()["code"]
    bruno.request.post("/api/you/friends", data={"code": code}, headers=origin)
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}

    def begun(first: Page, second: Page) -> str:
        table = str(first.request.post("/api/tables", data=wish, headers=origin).json()["id"])
        second.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
        first.request.post(f"/api/tables/{table}/start", headers=origin)
        return table

    begun(ada, carla)
    bruno.goto(f"/table/{begun(bruno, carla)}")
    bruno.wait_for_selector(".market [data-card]")
    asks = bruno.request.post("/api/tables", data=wish | {"public": False}, headers=origin).json()["id"]
    asked = {"friend": ada.request.get("/api/me").json()["id"], "keep": True}
    assert bruno.request.post(f"/api/tables/{asks}/invitations", data=asked, headers=origin).ok
    carla.request.post("/api/tables", data=wish | {"rated": True}, headers=origin)

    ada.goto("/")
    expect(ada.locator(".resume.is-told")).to_be_visible()
    invitation = ada.locator(".hometop .asked li")
    expect(invitation).to_contain_text("Bruno")
    expect(ada.locator(".today")).to_be_visible()  # with all that the page brings along later
    expect(invitation).to_be_visible()
    expect(ada.locator(".around", has_text="Bruno").first).to_be_visible()
    expect(ada.locator("section", has=ada.locator("#h-running"))).to_contain_text("Carla")
    expect(ada.locator(".open li", has_text="Carla").first).to_be_visible()
    expect(ada.locator(".doors")).to_have_count(0)
    if width < 720:  # friends, puzzle, what runs
        tops = [ada.locator(one).first.bounding_box() for one in (".around", ".today", "#h-open", "#h-running")]
        assert all(tops) and tops == sorted(tops, key=lambda box: box["y"] if box else 0)
    assert violations(ada, axe) == []
    assert ada.evaluate(SIDEWAYS) == 0
    shot(ada, f"home-{width}-{theme}-{language}")

    # The bell counts what waits, on other pages too, and lists it.
    ada.goto("/players")
    bell = ada.locator(".bell")
    expect(bell.locator(".badge")).to_have_text("2")
    bell.click()
    listed = ada.locator(".belled li")
    expect(listed).to_have_count(2)
    expect(listed.first).to_contain_text("Bruno")
    assert violations(ada, axe) == []
    shot(ada, f"bell-{width}-{theme}-{language}")
    listed.nth(1).get_by_role("link").click()
    expect(ada.locator(".table")).to_be_visible()


def test_a_first_visit_is_four_boxes_and_three_doors(guest: Guest, house: str, axe: str) -> None:
    """Learn a game, follow a link that somebody has sent, or look around; nothing else is in the way."""
    page, host = guest("Guest 7301", width=360, height=740, touch=True), guest("Anna")
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": False, "bots": []}
    table = host.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    page.goto("/")
    doors = page.get_by_role("list", name="First steps").get_by_role("listitem")
    expect(doors).to_have_count(3)
    expect(page.locator(".lobby, .quick")).to_have_count(0)
    assert violations(page, axe) == []
    assert page.evaluate(SIDEWAYS) == 0
    shot(page, "first-360")
    page.get_by_role("button", name="Just looking?").click()
    expect(page.get_by_role("button", name="Open a new table")).to_be_visible()
    expect(doors).to_have_count(0)

    page.goto("/")
    page.get_by_role("button", name="Got a link?").click()
    link = page.get_by_role("textbox", name="The link you were sent")
    expect(link).to_be_focused()
    link.fill("https://elsewhere.example/table/x")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("does not lead to a table of this house")
    assert violations(page, axe) == []
    link.fill(f"{house}/table/{table['id']}?invite={table['invite']}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Sit here")).to_be_visible()
