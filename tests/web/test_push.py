"""Push, from the press that asks for it to the notice on the screen, by way of a push service on this machine.

The browser's own push service is its maker's and far away: `subscribe` answers with ours, and what arrives there is handed
to the service worker by the browser's own tools, as its push service would.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from server.test_notices import Service
from web.conftest import build
from web.inside import PATIENCE, Inside

SUBSCRIBES = """(ours) => {
  const plain = (text) => atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = (text) => Uint8Array.from(plain(text), (c) => c.charCodeAt(0)).buffer;
  const made = {
    endpoint: ours.endpoint, getKey: (name) => bytes(ours[name]), unsubscribe: () => Promise.resolve(true),
  };
  let asked = null;
  PushManager.prototype.subscribe = (wish) => { asked = window.askedWith = wish; return Promise.resolve(made); };
  PushManager.prototype.getSubscription = () => Promise.resolve(asked && made);
}"""
SHOWN = """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
    .then((all) => all.map((n) => [n.title, n.body, n.tag, n.data.table]))"""


@pytest.fixture
def inside(tmp_path: pathlib.Path) -> Iterator[Inside]:
    """A house that may push to this machine, and soon."""
    build()
    found = Inside(tmp_path, push_local=True, notice_delay=0.05)
    yield found
    found.end()


@pytest.fixture
def service(inside: Inside) -> Iterator[Service]:
    """The push service, beside the house."""
    found = Service()
    server = inside.run(_serve(found))
    yield found
    inside.run(_close(server))


async def _serve(service: Service) -> asyncio.Server:
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    return server


async def _close(server: asyncio.Server) -> None:
    server.close()
    await server.wait_closed()


def turn_told(inside: Inside, service: Service, count: int) -> dict[str, Any]:
    """What has come to the push service of so many turns: the last (that the game began is told too)."""

    async def wait() -> dict[str, Any]:
        while len(turns := [got for got in service.got if got["title"].startswith("Tocca a te")]) < count:
            await asyncio.sleep(0.02)
        assert len(turns) == count, "one notice a turn"
        return turns[-1]

    return inside.run(asyncio.wait_for(wait(), PATIENCE))


def worker_of(page: Page) -> tuple[CDPSession, str]:
    """A line to the browser's tools, and what they call our service worker."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    line, found = page.context.new_cdp_session(page), list[str]()
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(r["registrationId"] for r in event["registrations"]),
    )
    line.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(50)
    return line, found[0]


def test_a_push_arrives_and_becomes_the_one_notice_of_its_table(
    inside: Inside, service: Service, chromium: Browser
) -> None:
    anna = chromium.new_context(base_url=inside.address, locale="it")
    bruno = chromium.new_context(base_url=inside.address)
    anna.grant_permissions(["notifications"])
    for person, name in ((anna, "Anna"), (bruno, "Bruno")):
        person.request.get("/api/me")
        person.request.post("/api/me", data={"name": name}, headers={"Origin": inside.address})
    page = anna.new_page()
    page.add_init_script(f"({SUBSCRIBES})({json.dumps(service.subscription())})")
    page.goto("/you")
    page.get_by_role("button", name="Avvisami su questo dispositivo").click()
    expect(page.get_by_role("button", name="Non avvisarmi più qui")).to_be_visible()
    key = anna.request.get("/api/you").json()["notices"]["key"]
    assert page.evaluate("window.askedWith") == {"userVisibleOnly": True, "applicationServerKey": key}

    origin = {"Origin": inside.address}
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
    table = bruno.request.post("/api/tables", data=wish, headers=origin).json()["id"]
    anna.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
    bruno.request.post(f"/api/tables/{table}/start", headers=origin)
    line, registration = worker_of(page)
    turns = 0
    for seat in (0, 1, 0):  # Bruno decides, she is awaited; she decides elsewhere, and is awaited again
        inside.decide(table, seat)
        if seat == 0:
            turns += 1
            told = json.dumps(turn_told(inside, service, turns))
            message = {"origin": inside.address, "registrationId": registration, "data": told}
            line.send("ServiceWorker.deliverPushMessage", message)
            page.wait_for_function(f"() => ({SHOWN})().then((all) => all.length === 1)")
    assert page.evaluate(SHOWN) == [["Tocca a te: Splendor: Marvel", "Con Bruno", table, table]]
    for person in (anna, bruno):
        person.close()


HIDDEN = "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })"


def only_notice_is(page: Page, title: str) -> None:
    """Waits until there is one notice, and it says this."""
    for _ in range(200):
        if [notice[0] for notice in page.evaluate(SHOWN)] == [title]:
            return
        page.wait_for_timeout(100)
    raise AssertionError(page.evaluate(SHOWN))


def test_an_open_page_that_nobody_looks_at_tells_when_the_clock_is_nearly_out(
    inside: Inside, chromium: Browser
) -> None:
    for muted in (False, True):
        anna = chromium.new_context(base_url=inside.address, locale="en")
        bruno = chromium.new_context(base_url=inside.address)
        anna.grant_permissions(["notifications"])
        origin = {"Origin": inside.address}
        for person, name in ((anna, "Anna"), (bruno, "Bruno")):
            person.request.get("/api/me")
            person.request.post("/api/me", data={"name": name}, headers=origin)
        wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
        clock = {"kind": "live", "bank": 600, "increment": 0}
        table = bruno.request.post("/api/tables", data=wish | {"clock": clock}, headers=origin).json()["id"]
        anna.request.post(f"/api/tables/{table}/sit", data={}, headers=origin)
        if muted:
            anna.request.post("/api/you/notices/mute", data={"muted": True, "kind": "low"}, headers=origin)
        bruno.request.post(f"/api/tables/{table}/start", headers=origin)
        page = anna.new_page()
        page.goto(f"/table/{table}")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        expect(page.locator(".action .clk")).to_be_visible()
        page.evaluate(HIDDEN)
        inside.decide(table, 0)
        turn, low = "It is your turn: Splendor: Marvel", "Your time is nearly out: Splendor: Marvel"
        only_notice_is(page, turn)
        inside.ahead += 580
        bruno.request.post(f"/api/tables/{table}/hush", data={"quiet": True}, headers=origin)  # all hear of the clocks
        expect(page.locator(".action .clk--low")).to_be_visible()
        if muted:
            page.wait_for_timeout(500)
        only_notice_is(page, turn if muted else low)
        for person in (anna, bruno):
            person.close()
