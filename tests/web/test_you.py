"""Who you are: one person on two devices, by passkey (a virtual authenticator) and by link; its page, in both languages."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from web.access import violations

Device = Callable[..., Page]
QUIET_FROM = (
    "(minute) => fetch('/api/you').then((answer) => answer.json()).then((you) => you.notices.quiet?.begin === minute)"
)


@pytest.fixture
def device(house: str, chromium: Browser) -> Iterator[Device]:
    """A browser that knows the house by its name: passkeys need one."""
    contexts: list[BrowserContext] = []
    address = house.replace("127.0.0.1", "localhost")

    def make(width: int = 1440, language: str = "en", theme: str = "light") -> Page:
        context = chromium.new_context(
            base_url=address, viewport={"width": width, "height": 800}, locale=language, accept_downloads=True
        )
        chosen = json.dumps({"speed": "off", "theme": theme, "lang": language})
        context.add_init_script(f"localStorage.setItem('ludoteca.prefs', {chosen!r})")
        context.set_default_timeout(15_000)
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


def authenticator(page: Page) -> tuple[Any, str]:
    """A virtual authenticator in this browser, with a finger always on it."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    return line, line.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def renamed(page: Page, name: str) -> None:
    page.goto("/you")
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_the_same_person_on_three_devices(device: Device) -> None:
    laptop, phone, tablet = device(), device(width=390), device()
    line, mine = authenticator(laptop)
    renamed(laptop, "Giulia")
    laptop.get_by_role("radio", name="moon").check(force=True)
    laptop.get_by_role("button", name="Add a passkey").click()
    expect(laptop.get_by_text("From now on this passkey opens your games.")).to_be_visible()
    [made] = line.send("WebAuthn.getCredentials", {"authenticatorId": mine})["credentials"]
    assert made["rpId"] == "localhost" and made["isResidentCredential"]

    other, theirs = authenticator(phone)  # the passkey travels, as passkeys do
    other.send("WebAuthn.addCredential", {"authenticatorId": theirs, "credential": made})
    phone.goto("/here")
    phone.get_by_role("button", name="Use a passkey").click()
    expect(phone.get_by_text("Welcome back, Giulia")).to_be_visible()
    phone.goto("/you")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Giulia")
    expect(phone.get_by_role("radio", name="moon")).to_be_checked()

    laptop.get_by_role("button", name="Make a link").click()
    expect(laptop.get_by_role("img", name="The one-time link as a QR code")).to_be_visible()
    address = laptop.get_by_role("textbox", name="One-time link").input_value()
    tablet.goto(address)
    expect(tablet).to_have_url(re.compile("/here$"))  # the code does not stay in the address bar
    tablet.get_by_role("button", name="I am Giulia").click()
    expect(tablet.get_by_text("Welcome back, Giulia")).to_be_visible()
    stranger = device()
    stranger.goto(address)
    expect(stranger.get_by_role("alert")).to_contain_text("used up or too old")

    tablet.goto("/you")
    devices = tablet.get_by_role("list", name="Your devices and passkeys").get_by_role("listitem")
    expect(devices).to_have_count(4)  # three, and the passkey
    with tablet.expect_download() as download:
        tablet.get_by_role("link", name="Export").click()
    assert json.loads(download.value.path().read_text("utf-8"))["guest"]["name"] == "Giulia"
    tablet.get_by_role("button", name="Sign out everywhere else").click()
    expect(devices).to_have_count(2)
    phone.goto("/you")
    expect(phone.get_by_role("heading", level=1)).not_to_have_text("Giulia")
    tablet.get_by_role("button", name="Delete me").click()
    tablet.get_by_role("textbox", name="To go on, write your name: Giulia").fill("Giulia")
    tablet.get_by_role("button", name="Delete me for good").click()
    expect(tablet.locator(".me__name")).to_contain_text("Guest")


@pytest.mark.parametrize(("width", "language", "theme"), [(1440, "en", "dark"), (360, "it", "light")])
def test_the_page_fits_and_axe_finds_nothing(device: Device, axe: str, width: int, language: str, theme: str) -> None:
    page = device(width, language, theme)
    page.goto("/you")
    page.get_by_role("button", name="Crea un link" if language == "it" else "Make a link").click()
    expect(page.locator(".qr")).to_be_visible()
    page.get_by_role("switch", name="Ore di quiete" if language == "it" else "Quiet hours").check()
    begins = page.get_by_label("Dalle" if language == "it" else "From", exact=True)
    expect(begins).to_have_value("22:00")
    begins.fill("23:30")
    begins.blur()
    page.wait_for_function(QUIET_FROM, arg=23 * 60 + 30)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not violations(page, axe)
    page.goto(f"/people/{page.request.get('/api/me').json()['id']}")
    expect(page.locator(".fins"), "nothing to sift").to_contain_text(
        "Ancora nessuna partita finita." if language == "it" else "No finished game yet."
    )
    expect(page.locator(".filters")).to_have_count(0)
    page.goto("/here")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert not violations(page, axe)


def test_friends_blocking_reports_and_a_quiet_table(device: Device, guest: Callable[..., Page], house: str) -> None:
    """Marco says something at Anna's table: she reports it, blocks him, and switches the chat off."""
    anna, marco = guest("Anna"), guest("Marco")
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
    marco.request.post(f"/api/tables/{table}/sit", data={}, headers={"Origin": house})
    anna.goto("/you")
    anna.get_by_role("button", name="Invite a friend").click()
    link = anna.get_by_role("textbox", name="Link for one friend").input_value()
    marco.goto(link)
    marco.get_by_role("button", name="Be friends").click()
    expect(marco.get_by_role("list", name="Friends")).to_contain_text("Anna")
    sigil = marco.get_by_role("list", name="Friends").locator(".sigil").bounding_box()
    assert sigil and sigil["width"] == sigil["height"], "a sign is round"
    for spent in (link, "/friend"):
        marco.goto(spent)
        expect(marco.get_by_role("alert")).to_contain_text("Ask your friend for a new one.")
    anna.request.post(f"/api/tables/{table}/start", data={}, headers={"Origin": house})
    for page in (anna, marco):
        page.goto(f"/table/{table}")
        page.get_by_role("tab", name="Chat").click()
    marco.get_by_role("textbox", name="Message").fill("Hurry up")
    marco.keyboard.press("Enter")
    expect(anna.locator(".chat")).to_contain_text("Hurry up")
    anna.get_by_text("Mute").first.click()
    anna.get_by_role("button", name="Trouble with Marco").click()
    anna.get_by_role("textbox", name="What happened?").fill("Not nice")
    anna.get_by_role("button", name="Tell the house").click()
    expect(anna.locator(".toast")).to_contain_text("Whoever keeps the house will read it.")
    anna.get_by_role("button", name="Trouble with Marco").click()
    anna.get_by_role("button", name="Block").click()
    expect(anna.locator(".toast").last).to_contain_text("You do not hear Marco any more.")
    anna.get_by_role("switch", name="No chat at this table").click()
    expect(marco.get_by_role("textbox", name="Message")).to_be_disabled()
    anna.goto("/you")
    expect(anna.get_by_role("list", name="Blocked")).to_contain_text("Marco")
    expect(anna.get_by_role("list", name="Friends")).to_have_count(0)


def test_who_was_banned_read_that_the_server_cannot_be_reached(
    guest: Callable[..., Page], database: pathlib.Path
) -> None:
    marco = guest("Marco")
    ban = ["admin", "ban", marco.request.get("/api/me").json()["id"], "--database", str(database)]
    code = "import sys; from ludoteca.cli import main; main(sys.argv[1:])"
    subprocess.run([sys.executable, "-c", code, *ban], check=True, capture_output=True)
    for page in ("/", "/you"):
        marco.goto(page)
        expect(marco.get_by_role("alert")).to_contain_text("This house does not let you in any more.")


def test_the_page_can_be_installed_and_says_when_the_house_cannot_be_reached(device: Device, axe: str) -> None:
    page = device(width=390)
    page.goto("/")
    manifest = page.request.get(page.locator("link[rel=manifest]").get_attribute("href") or "")
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in manifest.json()["icons"]:
        assert page.request.get(icon["src"]).headers["content-type"] == icon["type"]
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto("/table/somewhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("The house cannot be reached")
    assert not violations(page, axe)
    kept = page.evaluate(
        "caches.keys().then((names) => Promise.all(names.map((n) => caches.open(n).then((c) => c.keys()))))"
        ".then((all) => all.flat().map((request) => new URL(request.url).pathname))"
    )
    assert sorted(kept) == ["/favicon.svg", "/offline.css", "/offline.html"]  # nothing of any game
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator(".shelf")).to_be_visible()
