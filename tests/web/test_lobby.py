"""Before the start: chairs and options change until then, everybody sees it at once; the link, also as a QR code."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.access import violations

Guest = Callable[..., Page]


def opened(host: Page, house: str, **wish: object) -> dict[str, str]:
    """A table of Splendor for three, with a bot on the second chair."""
    usual = {"game": "splendor", "seats": 3, "options": {}, "public": False, "bots": [None, "novice", None]}
    answer = host.request.post("/api/tables", data=usual | wish, headers={"Origin": house})
    assert answer.ok, answer.text()
    return dict(answer.json())


def two_in_the_lobby(host: Page, friend: Page, house: str) -> None:
    table = opened(host, house)
    host.goto(f"/table/{table['id']}")
    friend.goto(f"/table/{table['id']}?invite={table['invite']}")
    friend.get_by_role("button", name="Sit here").click()
    expect(host.locator(".sitting")).to_contain_text("Marco")


def test_chairs_and_options_change_until_the_start(guest: Guest, house: str) -> None:
    host, friend = guest("Anna"), guest("Marco")
    two_in_the_lobby(host, friend, house)
    host.get_by_role("button", name="One chair more").click()
    expect(friend.locator(".sitting li")).to_have_count(4)
    expect(friend.locator(".toast")).to_contain_text("Changed: 4 chairs")
    host.get_by_role("button", name="One chair more").dispatch_event("click")  # not possible: it says why
    expect(host.locator(".toast")).to_contain_text("2 to 4 players")
    for chairs in (3, 2):
        host.get_by_role("button", name="One chair fewer").click()
        expect(friend.locator(".sitting li")).to_have_count(chairs)
        expect(host.locator(".sitting li")).to_have_count(chairs)
    expect(friend.locator(".sitting")).not_to_contain_text("Ada")
    host.get_by_role("button", name="One chair fewer").dispatch_event("click")
    expect(host.locator(".toast").last).to_contain_text("2 people sit here: there cannot be fewer chairs.")
    expect(friend.locator(".rulesline")).to_contain_text("16 points and a whole Gauntlet")
    host.get_by_label("Edition").select_option("Classic")
    expect(friend.get_by_label("Edition")).to_have_value("base")
    expect(friend.locator(".rulesline")).to_contain_text(", 2 at the table, to 15 points.")
    friend.get_by_role("group", name="Hints").get_by_role("button", name="yes").click()
    expect(host.locator(".toast").last).to_contain_text("Changed: Hints: yes")
    host.get_by_role("button", name="Start the game").click()
    for page in (host, friend):
        expect(page.locator(".t-head h1")).to_have_text("Splendor")


def test_a_change_asks_again_who_is_ready(guest: Guest, house: str) -> None:
    host, friend = guest("Anna"), guest("Marco")
    two_in_the_lobby(host, friend, house)
    expect(host.get_by_text("Marco is not ready yet.")).to_be_visible()
    friend.get_by_role("button", name="I’m ready").click()
    expect(host.locator(".tag--ready")).to_have_text("ready")
    expect(host.get_by_text("Marco is not ready yet.")).to_have_count(0)
    host.get_by_role("button", name="One chair more").click()
    expect(friend.get_by_role("button", name="I’m ready")).to_have_attribute("aria-pressed", "false")
    expect(host.get_by_text("Marco is not ready yet.")).to_be_visible()


def test_when_the_host_goes_whoever_sits_there_is_told_that_they_can_start(guest: Guest, house: str, axe: str) -> None:
    host, friend = guest("Anna"), guest("Marco", width=360, height=740, touch=True)
    two_in_the_lobby(host, friend, house)
    expect(friend.locator(".sitting li", has_text="Anna").locator(".tag")).to_have_text("host")
    expect(friend.get_by_text("The host starts the game.")).to_be_visible()
    expect(friend.get_by_role("button", name="Start with one bot")).to_have_count(0)
    host.close()
    expect(friend.get_by_text("The host is away, so anyone seated can start.")).to_be_visible()
    friend.get_by_role("button", name="Start the game").click()
    expect(friend.locator(".toast")).to_contain_text("The host has only just left.")
    assert violations(friend, axe) == []
    assert friend.evaluate("document.documentElement.scrollWidth") <= 360


def test_chairs_change_by_keyboard_and_the_focus_stays(guest: Guest, house: str) -> None:
    host = guest("Anna")
    host.goto(f"/table/{opened(host, house)['id']}")
    host.get_by_role("button", name="One chair more").focus()
    host.keyboard.press("Enter")
    expect(host.locator(".sitting li")).to_have_count(4)
    expect(host.get_by_role("button", name="One chair more")).to_be_focused()


def test_rated_says_what_it_switches_off_and_the_start_stays_in_reach(guest: Guest, house: str, axe: str) -> None:
    """On a phone: speeds are one choice of cards, consent is struck out with its reason, the start is always in sight."""
    host = guest("Anna", width=360, height=740, touch=True)
    host.goto(f"/table/{opened(host, house, take_back='consent')['id']}")
    host.get_by_role("group", name="Clock").get_by_role("button", name="live").click()
    speeds = host.get_by_role("radiogroup", name="How fast").get_by_role("radio")
    expect(speeds).to_have_count(3)
    speeds.nth(1).focus()
    host.keyboard.press("ArrowRight")
    expect(speeds.nth(2)).to_be_checked()
    host.get_by_role("group", name="What it counts").get_by_role("button", name="rated").click()
    consent = host.get_by_role("group", name="Taking back").get_by_role("button", name="also if all agree")
    expect(consent).to_have_attribute("aria-disabled", "true")
    expect(consent).to_have_attribute("aria-pressed", "false")
    expect(host.get_by_text("Not in a rated game")).to_be_visible()
    expect(host.get_by_text("Off in a rated game")).to_be_visible()
    for end in ("0", "document.body.scrollHeight"):
        host.evaluate(f"window.scrollTo(0, {end})")
        expect(host.get_by_role("button", name="Start with one bot")).to_be_in_viewport()
    assert violations(host, axe) == []


def test_chairs_stand_apart_around_the_table(guest: Guest, house: str) -> None:
    """With the most chairs a game has, none covers another, and ours is nearest to us."""
    host = guest("Anna", width=1024, height=768, language="it")
    host.goto(f"/table/{opened(host, house, game='challengers', seats=8, bots=[None, 'novice'] + [None] * 6)['id']}")
    expect(host.locator(".chair")).to_have_count(8)
    boxes = [box for chair in host.locator(".chair").all() if (box := chair.bounding_box())]
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            aside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            assert aside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    middle = [box["y"] + box["height"] / 2 for box in boxes]
    assert middle[0] >= max(middle) - 1


# The square as the page draws it, read pixel by pixel: whether each module is dark.
MODULES = """async (svg) => {
  const size = svg.viewBox.baseVal.width, canvas = document.createElement('canvas'), image = new Image();
  image.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(svg));
  await image.decode();
  canvas.width = canvas.height = size * 4;
  const paper = canvas.getContext('2d');
  paper.drawImage(image, 0, 0, size * 4, size * 4);
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => paper.getImageData(x * 4 + 2, y * 4 + 2, 1, 1).data[0] < 128));
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_invitation_is_a_square_to_scan(guest: Guest, house: str, theme: str) -> None:
    """Dark on white with a white margin in both themes, the three corners where they belong, a name, the link beside it."""
    host = guest("Anna", theme=theme)
    host.goto(f"/table/{opened(host, house)['id']}")
    square = host.get_by_role("img", name="The invite link as a QR code")
    expect(square).to_be_visible()
    expect(host.get_by_role("textbox", name="Invite link")).to_have_value(re.compile("/table/.+invite="))
    modules = square.evaluate(MODULES)
    size, quiet = len(modules), 4
    margin = [modules[y][x] for y in range(size) for x in range(size) if min(x, y, size - 1 - x, size - 1 - y) < quiet]
    assert not any(margin), "the white margin"
    for left, top in ((quiet, quiet), (size - quiet - 7, quiet), (quiet, size - quiet - 7)):
        corner = [[modules[top + y][left + x] for x in range(7)] for y in range(7)]
        assert corner == [[max(abs(x - 3), abs(y - 3)) != 2 for x in range(7)] for y in range(7)]
    box = square.bounding_box()
    assert box and box["width"] >= 150


@pytest.mark.parametrize(
    ("language", "width", "height"), [("en", 1440, 900), ("it", 1024, 768), ("en", 390, 844), ("it", 360, 740)]
)
def test_the_lobby_fits_and_axe_finds_nothing(
    guest: Guest, house: str, axe: str, width: int, height: int, language: str
) -> None:
    host = guest("Anna", width=width, height=height, touch=width < 720, language=language, theme="dark")
    host.goto(f"/table/{opened(host, house, game='challengers', seats=5)['id']}")
    expect(host.locator(".qr")).to_be_visible()
    assert host.evaluate("document.documentElement.scrollWidth") <= width
    assert not violations(host, axe)
    small = host.locator(".stepper .btn, .inviting .btn").evaluate_all(
        "(all) => all.map((e) => e.getBoundingClientRect()).filter((r) => r.width < 44 || r.height < 44).length"
    )
    assert small == 0, "targets of 44 px"


def test_the_share_sheet_of_the_system_is_used_where_there_is_one(guest: Guest, house: str) -> None:
    host = guest("Anna")
    host.add_init_script("navigator.share = (what) => ((window.shared = what), Promise.resolve())")
    host.goto(f"/table/{opened(host, house)['id']}")
    host.get_by_role("button", name="Share").click()
    shared = host.wait_for_function("window.shared").json_value()
    assert shared["title"] == "Come and play: Splendor: Marvel" and "?invite=" in shared["url"]


def test_without_a_share_sheet_the_link_is_copied(guest: Guest, house: str) -> None:
    host = guest("Anna")
    host.add_init_script(
        "navigator.share = undefined;"
        "navigator.clipboard.writeText = (text) => ((window.copied = text), Promise.resolve());"
    )
    host.goto(f"/table/{opened(host, house)['id']}")
    host.get_by_role("button", name="Share").click()
    expect(host.locator(".toast")).to_be_visible()
    assert "?invite=" in host.evaluate("window.copied")
