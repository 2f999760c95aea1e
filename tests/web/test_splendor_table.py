"""The Splendor table in a real browser: selections, payments, reloads, refusals that explain, and what moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from web.hand import PRIMARY
from web.splendor_hand import Hand, open_table

Guest = Callable[..., Page]

DO = """
([table, kind, card]) => new Promise((done, fail) => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + `/api/tables/${table}/socket?since=0`);
  socket.onmessage = (message) => {
    const said = JSON.parse(message.data);
    if (said.type === 'update') {
      const choice = said.choices.find((c) => c.kind === kind && (!card || c.card === card));
      if (!choice) return fail(new Error('not on offer: ' + kind));
      socket.send(JSON.stringify({ type: 'do', id: 'by-hand-' + Math.random(), action: choice.action, at: said.seq }));
      socket.onmessage = (m) => { if (JSON.parse(m.data).type === 'done') { socket.close(); done(); } };
    }
  };
  setTimeout(() => fail(new Error('no answer')), 30000);
})
"""


def chosen(page: Page) -> Locator:
    return page.locator(".slots .slot--full")


def test_gems_are_chosen_counted_and_put_back(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    Hand(page).wait_for_turn()
    expect(page.locator(".bank .can")).to_have_count(5)
    page.click("[data-pile='1']")
    page.click("[data-pile='2']")
    expect(page.locator(PRIMARY)).to_have_attribute("aria-disabled", "true")
    expect(chosen(page)).to_have_count(2)
    page.click("[data-pile='2']")  # pressing again puts it back
    expect(chosen(page)).to_have_count(1)
    page.click("[data-pile='1']")  # two alike, from a pile of four
    expect(page.locator(PRIMARY)).to_have_text("Take 2 gems")
    expect(page.locator(".bank .can")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(chosen(page)).to_have_count(0)
    expect(page.locator(PRIMARY)).to_have_count(0)
    for pile in "345":
        page.keyboard.press(pile)
    expect(page.locator(PRIMARY)).to_have_text("Take 3 gems")
    page.locator(".slots button").first.click()  # or from the line itself
    expect(chosen(page)).to_have_count(2)


def test_what_cannot_be_done_says_why(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    Hand(page).wait_for_turn()
    page.click("[data-pile='6']")
    expect(page.locator(".toast").last).to_contain_text("comes with each card you reserve")
    page.click("[data-spot='market:3:1']")
    expect(page.locator(".action__text")).to_contain_text("short")
    expect(page.locator(PRIMARY)).to_have_text("Reserve")
    page.click("[data-spot='market:3:1']")
    expect(page.locator(PRIMARY)).to_have_count(0)


def test_a_decision_that_came_too_fast_is_told_and_may_be_made_again(guest: Guest, house: str) -> None:
    page = guest()
    hurried: list[str] = []

    def hurry(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def forward(message: str | bytes) -> None:
            if '"type":"do"' in str(message) and not hurried:
                hurried.append(str(message))
                for _ in range(25):  # more than the server listens to, and then the decision
                    server.send('{"type":"ping","at":0}')
            server.send(message)

        line.on_message(forward)

    page.route_web_socket("**/socket?*", hurry)
    open_table(page, house)
    hand = Hand(page)
    hand.wait_for_turn()
    before = hand.seq()
    hand.take_gems()
    expect(page.locator(".toast").last).to_contain_text("too fast")
    expect(page.locator(".market:not([data-sending])")).to_have_attribute("data-seq", before)
    assert hurried
    page.wait_for_timeout(5_000)  # until the server listens again
    hand.wait_for_turn()
    hand.play_turn()


def test_every_card_says_what_it_is(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    hand.wait_for_turn()
    for card in hand.in_sight():
        label = page.locator(f"button[data-card='{card.id}']").get_attribute("aria-label") or ""
        assert label.startswith(f"{card.name}, level {card.level}, gives {card.bonus}"), label
        for colour, cost in zip(hand.colours, card.cost, strict=True):
            assert (f"{cost} {colour}" in label) == (cost > 0), label


def test_reload_in_mid_turn_keeps_the_table(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    for _ in range(2):
        assert hand.wait_for_turn()
        hand.play_turn()
    assert hand.wait_for_turn()
    page.keyboard.press("1")
    log = page.locator(".log p").all_inner_texts()
    market = [card.id for card in hand.in_sight()]
    page.reload()
    assert hand.wait_for_turn()
    assert [card.id for card in hand.in_sight()] == market
    expect(page.locator(".log p")).to_have_text(log, use_inner_text=True)
    expect(chosen(page), "what was not sent is gone").to_have_count(0)
    hand.play_turn()


def with_spare_joker(page: Page, hand: Hand) -> str:
    """Plays until some card can be paid with a joker in place of a gem; returns its id, selected."""
    for turn in range(30):
        assert hand.wait_for_turn()
        for card in page.locator("button.card.is-playable").evaluate_all("(l) => l.map(e => e.dataset.card)"):
            page.click(f"button[data-card='{card}']")
            if page.locator("[data-swap]").count():
                return str(card)
            page.keyboard.press("Escape")
        if page.locator("[data-give]").count():
            hand.play_turn()
        elif turn < 2:
            before = hand.seq()
            page.click(f".deck--{3 - turn}")
            page.click(PRIMARY)
            page.wait_for_function("(s) => document.querySelector('.market').dataset.seq !== s", arg=before)
        else:
            before = hand.seq()
            hand.take_gems() if page.locator(".bank .can").count() else hand.reserve_or_pass()
            page.wait_for_function("(s) => document.querySelector('.market').dataset.seq !== s", arg=before)
    raise AssertionError("no card could be paid with a spare joker")


@pytest.mark.parametrize("reload", [False, True])
def test_jokers_are_paid_where_the_player_says(guest: Guest, house: str, reload: bool) -> None:
    page = guest()
    table = open_table(page, house)
    hand = Hand(page)
    card = with_spare_joker(page, hand)
    swap = page.locator("[data-swap]:not([data-swap='6'])").first
    kind = int(swap.get_attribute("data-swap") or 0) - 1
    before = hand.texts("held")
    paid = page.locator(".payment").inner_text()
    if reload:  # in mid-payment: the choice of jokers has begun, nothing is named yet
        in_market = page.locator(f".market [data-card='{card}']").count() > 0
        page.evaluate(DO, [table, "choose_payment" if in_market else "choose_payment_hand", card])
        page.reload()
        page.wait_for_selector("[data-swap]")
        expect(page.locator(".action__text")).to_contain_text("Choose where S.H.I.E.L.D. tokens pay")
        expect(page.locator(PRIMARY)).to_have_attribute("aria-disabled", "true")
    page.locator(f"[data-swap='{kind + 1}']").click()
    expect(page.locator(".payment")).not_to_have_text(paid, use_inner_text=True)
    expect(page.locator("[data-swap='6']")).to_be_visible()  # and can be taken back before it is sent
    seq = int(hand.seq())
    page.click(PRIMARY)
    page.wait_for_function("(s) => +document.querySelector('.market').dataset.seq >= s", arg=seq + 1)
    assert hand.wait_for_turn()
    page.wait_for_selector(".log")
    line = next(text for text in page.locator(".log p").all() if "You recruited" in text.inner_text())
    expect(line.locator("svg[aria-label='S.H.I.E.L.D.']")).not_to_have_count(0)
    needed = hand.cards[card].cost[kind]
    assert needed > 0 and before[kind] > 0


def test_a_chosen_card_that_goes_away_is_told(guest: Guest, house: str) -> None:
    anna, marco = guest("Anna"), guest("Marco")
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": False, "bots": [None, None]}
    table = anna.request.post("/api/tables", data=wish, headers={"Origin": house}).json()
    marco.request.post(f"/api/tables/{table['id']}/sit", data={"invite": table["invite"]}, headers={"Origin": house})
    assert anna.request.post(f"/api/tables/{table['id']}/start", headers={"Origin": house}).ok
    for page in (anna, marco):
        page.goto(f"/table/{table['id']}")
        page.wait_for_selector(".market [data-card]")
    # Marco plans ahead while Anna is in turn; an unrelated move leaves his choice alone, the card's own does not.
    marco.click("[data-spot='market:1:1']")
    expect(marco.locator("[data-spot='market:1:1'].is-picked")).to_have_count(1)
    anna.click("[data-spot='market:1:2']")
    anna.click(PRIMARY)
    marco.wait_for_selector(".tray.is-turn")
    expect(marco.locator("[data-spot='market:1:1'].is-picked")).to_have_count(1)
    marco.keyboard.press("Escape")
    for pile in "123":
        marco.keyboard.press(pile)
    marco.keyboard.press("b")
    anna.wait_for_selector(".tray.is-turn")
    marco.click("[data-spot='market:1:1']")
    anna.click("[data-spot='market:1:1']")
    anna.click(PRIMARY)
    expect(marco.locator(".toast").last).to_contain_text("is no longer there")
    expect(marco.locator(".is-picked")).to_have_count(0)


def test_things_travel_and_nothing_waits_for_them(guest: Guest, house: str) -> None:
    page = guest(speed="slow")
    open_table(page, house)
    hand = Hand(page)
    hand.wait_for_turn()
    for pile in "123":
        page.keyboard.press(pile)
    page.keyboard.press("b")
    page.wait_for_selector(".flights .token")
    page.wait_for_selector(".tray.is-turn")
    page.keyboard.press("1")
    expect(chosen(page)).to_have_count(1)
    expect(page.locator(".flights > *")).to_have_count(0)


def test_without_motion_what_changed_keeps_an_edge(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    hand.wait_for_turn()
    hand.play_turn()
    hand.wait_for_turn()
    assert page.locator(".flights > *").count() == 0
    expect(page.locator(".is-changed")).not_to_have_count(0)


def test_a_card_can_be_looked_at_closely(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    Hand(page).wait_for_turn()
    page.hover("[data-spot='market:2:2']")
    page.wait_for_selector(".peek h3")
    page.mouse.move(2, 2)
    expect(page.locator(".peek")).to_have_count(0)
    page.focus("[data-spot='market:2:2']")
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_have_attribute("data-spot", "market:2:3")
    page.wait_for_selector(".peek h3")
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_attribute("data-spot", "market:1:3")


def test_a_long_press_looks_and_does_not_choose(guest: Guest, house: str) -> None:
    page = guest(width=390, height=844, touch=True)
    open_table(page, house)
    Hand(page).wait_for_turn()
    card = page.locator("[data-spot='market:2:2']")
    card.dispatch_event("pointerdown", {"pointerType": "touch"})
    page.wait_for_selector(".peek h3")
    card.dispatch_event("pointerup", {"pointerType": "touch"})
    card.dispatch_event("click")
    expect(page.locator(".peek")).to_have_count(0)
    assert page.locator(".is-picked").count() == 0
    page.wait_for_timeout(450)
    card.tap()
    expect(page.locator(".is-picked")).to_have_count(1)


def test_the_keyboard_stays_where_a_card_went_away(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    hand.wait_for_turn()
    page.focus("[data-spot='market:1:2']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".peek h3")
    before = page.locator("[data-spot='market:1:2']").get_attribute("data-card")
    page.keyboard.press("Enter")  # again: confirms, here the reservation
    page.wait_for_function(
        "(card) => document.querySelector('[data-spot=\"market:1:2\"]').dataset.card !== card", arg=before
    )
    expect(page.locator(":focus")).to_have_attribute("data-spot", "market:1:2")
    page.wait_for_timeout(700)  # longer than a glance: nobody asked for a closer look at the card that came
    expect(page.locator(".peek")).to_have_count(0)
