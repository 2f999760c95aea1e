"""Small courtesies at the table: asked before, told why, nothing in the way, nothing done twice."""

from __future__ import annotations

import itertools
import pathlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ludoteca import catalogue
from ludoteca.games.challengers.actions import CHOOSE_LEVEL
from web.hand import PRIMARY, hand_of
from web.positions import at_random, lay, stand
from web.splendor_hand import Hand, open_table

Guest = Callable[..., Page]
GAMES = catalogue.keys(catalogue.HOUSE)


def test_a_notice_does_not_cover_the_tokens_to_give_back(guest: Guest, house: str, database: pathlib.Path) -> None:
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        page = guest(width=width, height=height)
        stand(page, database, "too_many_tokens")
        page.locator(PRIMARY).dispatch_event("click")  # not yet: it says why
        notice = page.locator(".toast")
        expect(notice).to_be_visible()
        box = notice.bounding_box()
        assert box
        for pressed in page.locator("[data-give], .action .btn").all():
            other = pressed.bounding_box()
            assert other and (box["y"] + box["height"] <= other["y"] + 1 or other["y"] + other["height"] <= box["y"])


def test_settings_do_not_look_like_a_sun(guest: Guest, house: str) -> None:
    page = guest(theme="dark")
    open_table(page, house)
    drawn = page.locator(".t-head .btn use").evaluate_all("(all) => all.map((e) => e.getAttribute('href'))")
    assert len(drawn) == len(set(drawn)) and {"#i-sun", "#i-gear"} <= set(drawn)
    expect(page.locator("#i-gear circle"), "two sliders: no rays").to_have_count(2)


def test_signs_took_the_title_of_the_game_its_room_on_a_phone(guest: Guest, house: str) -> None:
    page = guest(width=360, height=780, touch=True, language="it")
    open_table(page, house)
    signs = page.locator(".t-name .tag")
    expect(signs).to_have_text("con suggerimenti")
    for words in (page.locator(".t-name h1"), signs):
        assert words.evaluate("(e) => e.scrollWidth <= e.clientWidth && e.getClientRects().length === 1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("game", GAMES)
def test_whoever_wishes_is_asked_before_a_move(guest: Guest, house: str, database: pathlib.Path, game: str) -> None:
    page = guest(confirm=True)
    page.goto(f"/table/{lay(page, database, at_random(game, 2, 0))}")
    page.wait_for_selector(".action__text")
    begin = hand_of(game).begin
    begin(page)
    expect(page.locator(".action__text")).to_contain_text("Shall it be so?")
    page.keyboard.press("Escape")
    expect(page.locator(".action__text")).not_to_contain_text("Shall it be so?")
    mine = page.locator(".log p", has_text=re.compile(r"\b[Yy]ou\b"))  # others decide at the same time
    expect(mine).to_have_count(0)
    begin(page, again=True)
    page.get_by_role("button", name="Yes, do it").click()
    expect(mine).not_to_have_count(0)


def test_the_level_is_asked_before_it_is_drawn_from(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    page.goto(f"/table/{lay(page, database, at_random('challengers', 4, until=CHOOSE_LEVEL + 1))}")
    page.locator("[data-level]").last.click()
    expect(page.locator(".action__text")).to_contain_text("Draw from level B?")
    page.keyboard.press("Escape")
    expect(page.locator(".action__text")).to_contain_text("Choose the level")
    page.locator("[data-level]").first.click()
    page.get_by_role("button", name="Draw from level A").click()
    expect(page.locator(".fan")).to_be_visible()


def test_the_action_line_leads_to_what_may_be_taken(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest(width=844, height=390, touch=True)
    stand(page, database, "abilities")
    page.wait_for_selector(".cell.can")
    page.locator(".cell.can").first.scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Show me where")).to_have_count(0)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.get_by_role("button", name="Show me where").click()
    expect(page.get_by_role("button", name="Show me where")).to_have_count(0)
    expect(page.locator(".cell.can").first).to_be_in_viewport()


# A browser fetches the icon whenever its link is set or laid anew, with the same address too.
ICONS = """window.icons = [];
new MutationObserver((changes) => {
  for (const { target, type, addedNodes } of changes)
    for (const one of type === 'attributes' ? [target] : addedNodes)
      if (one.matches?.('link[rel~=icon]')) window.icons.push(one.getAttribute('href'));
}).observe(document, { subtree: true, childList: true, attributeFilter: ['href'] });"""


def test_the_favicon_is_fetched_twice_a_turn_and_not_ten_times(guest: Guest, house: str) -> None:
    page = guest()
    page.add_init_script(ICONS)
    open_table(page, house, seats=3)
    hand = Hand(page)
    assert hand.wait_for_turn()
    before = len(page.evaluate("window.icons"))
    for turn in (1, 2, 3):
        for pile in page.locator(".bank .can [data-pile]").all()[:2]:
            pile.click()
        page.keyboard.press("Escape")
        hand.play_turn()
        assert hand.wait_for_turn()
        icons = page.evaluate("window.icons")[before:]
        assert len(icons) <= 2 * turn, icons
    assert icons and all(one != other for one, other in itertools.pairwise(icons))


def test_a_forced_move_is_played_with_a_notice(guest: Guest, house: str) -> None:
    page = guest(forced=True)
    open_table(page, house)
    assert Hand(page).wait_for_turn()
    sent: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    # The server says that there is one move only: what it would send is cut down to the first choice.
    page.add_init_script(
        """const parse = JSON.parse;
        JSON.parse = (text, ...more) => {
          const found = parse(text, ...more);
          if (found?.type === 'update' && found.choices.length) found.choices = found.choices.slice(0, 1);
          return found;
        };"""
    )
    page.reload()
    expect(page.locator(".toast")).to_contain_text("Only one move was possible")
    expect(page.locator(".log p")).not_to_have_count(0)
    assert sum('"do"' in frame for frame in sent) >= 1


def test_the_last_move_is_shown_again(guest: Guest, house: str) -> None:
    page = guest()
    open_table(page, house)
    hand = Hand(page)
    assert hand.wait_for_turn()
    hand.play_turn()
    assert hand.wait_for_turn()
    lines = page.locator(".log li.has-moment").count()
    market = page.locator(".market").inner_text()
    page.evaluate(
        """new MutationObserver(() => { window.before ||= document.querySelector('.tray:not(.is-turn)') !== null; })
            .observe(document.body, { subtree: true, childList: true, attributes: true })"""
    )
    page.get_by_role("button", name="Show the last move again").click()
    page.wait_for_function("window.before")  # the table before it, when it was not our turn; it passes quickly
    expect(page.locator(".tray.is-turn")).to_be_visible()
    expect(page.locator(".bank .can")).not_to_have_count(0)
    assert page.locator(".market").inner_text() == market
    assert page.locator(".log li.has-moment").count() == lines
    hand.play_turn()


def test_the_last_move_is_shown_again_after_a_reload(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    page.goto(f"/table/{lay(page, database, at_random('splendor', 2, 8))}")
    page.wait_for_selector(".market [data-card]")
    board = "[...document.querySelectorAll('.board, .tray, .side .player')].map((e) => e.textContent).join()"
    now = page.evaluate(board)
    lines = page.locator(".log li.has-moment").count()
    page.get_by_role("button", name="Show the last move again").click()
    page.wait_for_function(f"(now) => {board} !== now", arg=now, polling="raf")  # the table as it was before
    page.wait_for_function(f"(now) => {board} === now", arg=now, polling="raf")
    assert page.locator(".log li.has-moment").count() == lines
    expect(page.locator(".bank .can, .market .is-playable")).not_to_have_count(0)


def test_sound_has_a_volume_and_waits_for_a_press(guest: Guest, house: str) -> None:
    page = guest()
    page.add_init_script(
        """window.rung = 0;
        window.AudioContext = class { constructor() { window.rung++; } get currentTime() { throw new Error('quiet'); } };"""
    )
    open_table(page, house)
    assert Hand(page).wait_for_turn()
    assert page.evaluate("window.rung") == 0, "nothing has been pressed yet"
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Volume").fill("0.3")
    page.get_by_label("Volume").dispatch_event("change")
    assert page.evaluate("window.rung") >= 1
    assert page.evaluate("JSON.parse(localStorage.getItem('ludoteca.prefs')).volume") == 0.3


# What sounds, by the pitch of its first tone.
TONES = """window.tones = []; window.loud = [];
window.AudioContext = class {
  currentTime = 0;
  createOscillator() {
    const tone = { frequency: {}, connect: (on) => on, start: () => window.tones.push(tone.frequency.value), stop() {} };
    return tone;
  }
  createGain() {
    const ramp = (to) => window.loud.push(to);
    const gain = { setValueAtTime() {}, linearRampToValueAtTime: ramp, exponentialRampToValueAtTime() {} };
    return { gain, connect: (on) => on };
  }
};"""


@pytest.mark.parametrize("game", GAMES)
def test_it_sounds_at_the_chosen_volume_after_a_press(guest: Guest, house: str, game: str) -> None:
    page = guest(volume=0.5)
    page.add_init_script(TONES)
    simple = hand_of(game)
    simple.open_table(page, house)
    pitch, player = simple.PITCH, simple.Hand(page)
    assert page.evaluate("window.tones") == [], "nothing has been pressed yet"
    for _ in range(60):
        if hasattr(player, "wait_for_turn"):
            assert player.wait_for_turn()
            player.play_turn()
        else:
            player.decide()
        if pitch in page.evaluate("window.tones"):
            break
    assert pitch in page.evaluate("window.tones")
    assert 0.2 * 0.5 <= max(page.evaluate("window.loud")) <= 0.2 * 0.5 * 1.4 + 1e-9


def test_whoever_switches_sound_off_hears_nothing(guest: Guest, house: str) -> None:
    page = guest(sound=False)
    page.add_init_script(TONES)
    open_table(page, house)
    hand = Hand(page)
    for _ in range(2):
        assert hand.wait_for_turn()
        hand.play_turn()
    assert hand.wait_for_turn() and page.evaluate("window.tones") == []


def test_after_the_end_nobody_is_waiting(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    page.goto(f"/table/{lay(page, database, at_random('king_of_con', 2))}")
    page.wait_for_selector(".table.is-over")
    expect(page.locator(".tray")).not_to_contain_text("Waiting")


def test_beside_a_finished_game_there_is_not_no_game(guest: Guest, house: str, database: pathlib.Path) -> None:
    page = guest()
    lay(page, database, at_random("loot", 2))
    page.goto("/")
    box = page.locator("section", has=page.locator("#h-mine"))
    expect(box.locator(".mine li")).to_contain_text("Loot")
    expect(box.locator(".none")).to_have_count(0)


def test_play_bots_remembers_number_and_level(guest: Guest, house: str) -> None:
    page = guest()
    page.goto("/")
    box = page.locator(".game").first
    expect(box.locator(".against summary")).to_contain_text("2 bots, club level")
    box.locator(".against summary").click()
    box.get_by_label("Players").select_option("2")
    box.get_by_label("How strong").select_option("novice")
    page.reload()
    expect(box.locator(".against summary")).to_contain_text("1 bot, novice")
    box.get_by_role("button", name="Play bots now").click()
    page.wait_for_selector(".table")
    expect(page.locator(".side .player")).to_have_count(1)
    expect(page.locator(".side .player")).to_contain_text("novice")


def test_a_guest_is_asked_for_a_name_and_the_host_changes_a_bots_level(guest: Guest, house: str) -> None:
    host, friend = guest("Anna"), guest("Guest 1234")
    wish = {"game": "splendor", "seats": 3, "options": {}, "public": True, "bots": [None, "novice", None]}
    table = host.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
    host.goto(f"/table/{table}")
    level = host.get_by_label("Level of Ada")
    expect(level).to_have_value("novice")
    level.select_option("expert")
    friend.goto(f"/table/{table}")
    expect(friend.locator(".sitting")).to_contain_text("expert")
    host.request.post("/api/you/avatar", data={"symbol": "heart", "colour": 0}, headers={"Origin": house})
    friend.get_by_label("What shall we call you?").fill("Marco")
    expect(friend.get_by_role("radio", name="heart")).to_be_disabled()  # it is the host's
    friend.get_by_role("radio", name="moon").check(force=True)
    friend.get_by_role("button", name="Sit here").first.click()
    expect(host.locator(".sitting")).to_contain_text("Marco")
    marco = host.locator(".sitting .chair", has_text="Marco").locator(".ownsign")
    expect(marco.locator("use")).to_have_attribute("href", "#sym-moon")
    expect(marco).to_have_class(re.compile(r"\bp5\b"))
    host.request.post(f"/api/tables/{table}/start", headers={"Origin": house})
    sign = host.locator(".player", has_text="Marco").locator(".player__name .ownsign use")
    expect(sign).to_have_attribute("href", "#sym-moon")
    expect(friend.locator(".tray .ownsign use")).to_have_attribute("href", "#sym-moon")


@pytest.mark.parametrize("way", ["joined from the list", "host", "plays bots"])
def test_whoever_has_no_name_is_asked_for_one_and_may_go_on_without(guest: Guest, house: str, way: str) -> None:
    page, other = guest("Guest 4321"), guest("Anna")
    page.goto("/")
    field = page.get_by_label("What shall we call you?")
    expect(field).to_be_visible()
    if way == "plays bots":
        field.fill("Marco")
        page.get_by_role("button", name="Save the name").click()
        expect(field).to_have_count(0)
        expect(page.locator(".me__name")).to_have_text("Marco")
        return
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
    if way == "host":
        table = page.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
    else:
        table = other.request.post("/api/tables", data=wish, headers={"Origin": house}).json()["id"]
        page.request.post(f"/api/tables/{table}/sit", data={}, headers={"Origin": house})
    page.goto(f"/table/{table}")
    expect(page.locator(".sitting")).to_contain_text("Guest 4321")
    field.fill("Marco")
    page.keyboard.press("Enter")
    expect(page.locator(".sitting")).to_contain_text("Marco")
    expect(field).to_have_count(0)
