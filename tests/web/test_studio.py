"""The studio: a deck made, edited and played by keyboard; shared, brought from a file, and refused in words."""

from __future__ import annotations

import os
import pathlib
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from web.access import violations

Guest = Callable[..., Page]
SHOTS = os.environ.get("LUDOTECA_SHOTS")
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png")


def test_a_deck_is_edited_by_keyboard_and_played(guest: Guest, axe: str, tmp_path: pathlib.Path) -> None:
    page = guest("Ada")
    page.goto("/studio")
    shot(page, "studio-home")
    page.get_by_role("link", name="Splendor: Marvel Marvel edition: 90 cards").click()
    state = page.locator(".studio__state")
    expect(state).to_have_text("As printed · ready to be played")
    grid = page.get_by_role("grid")
    grid.locator("[tabindex='0']").focus()

    # Walk to the points of the second card, and write what cannot be.
    for key in ("ArrowDown", *["ArrowRight"] * 4):
        page.keyboard.press(key)
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    wrong = grid.locator(".why")
    expect(wrong).to_contain_text("99 stands here; it can be 0 to 9.")
    expect(state).to_contain_text("1 mistake")
    expect(page.get_by_role("button", name="Next mistake")).to_be_visible()
    shot(page, "studio-mistake")

    # Mend it; the cell says what was printed; one step back, and forward again.
    page.keyboard.press("ArrowUp")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(state).to_have_text("1 cell changed · ready to be played")
    expect(grid.locator(".is-changed")).to_have_text("0 → 9")
    page.keyboard.press("Control+z")
    expect(grid.locator(".why")).to_be_visible()
    page.keyboard.press("Control+y")
    expect(grid.locator(".is-changed")).to_have_text("0 → 9")

    # A new title is drawn at once, with a drawing that stands in.
    page.keyboard.press("ArrowUp")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("F2")
    page.keyboard.press("Control+a")
    page.keyboard.type("Raccoon of Doom")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    card = page.locator(".studio__card .is-new .card")
    expect(card).to_contain_text("Raccoon of Doom")
    expect(page.locator(".studio__card .ghost .card")).to_contain_text("Rocket")
    expect(card.locator(".card__emblem use")).to_have_attribute("href", "#stand-in-3")
    assert violations(page, axe) == []
    shot(page, "studio-edit")

    # Sifted by level and colour; a word that no row has offers the nearest title.
    level, colour = (page.get_by_role("button", name=name, exact=True) for name in ("level 1", "bonus blue"))
    level.click()
    expect(grid.get_by_text("Raccoon of Doom")).to_be_visible()
    colour.click()
    expect(colour).to_have_attribute("aria-pressed", "true")
    expect(grid.get_by_text("Raccoon of Doom")).to_have_count(0)
    colour.click()
    level.click()
    page.locator("#find").fill("racoon")
    page.get_by_role("button", name="Did you mean Raccoon of Doom?").click()
    expect(grid.get_by_text("Raccoon of Doom")).to_be_visible()
    page.locator("#find").fill("")

    # Play it: a table with this deck, before three seconds are over.
    began = time.monotonic()
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#board")).to_be_visible()
    assert page.url.split("/")[-2] == "table"
    print(f"first move after {time.monotonic() - began:.1f} s")
    table = page.request.get(f"/api/tables/{page.url.split('/')[-1]}").json()
    content = page.request.get(f"/api/decks/{table['options']['deck']}").json()["content"]
    assert next(row for row in content if row["name"] == "Raccoon of Doom")["points"] == "9"

    # It is on the shelf; a stranger sees it by its link, and makes it theirs. On a phone nothing stands out sideways.
    page.goto("/studio")
    link = page.get_by_role("link", name="My Splendor: Marvel")
    expect(link).to_be_visible()
    mine = page.locator(".dk").first
    expect(mine).to_contain_text("1 row changed: Raccoon of Doom")
    expect(mine.locator(".dk__card .card")).to_contain_text("Raccoon of Doom")
    expect(mine).to_contain_text("Not tested yet")
    assert violations(page, axe) == []
    other = guest("Bo", width=390, height=844, touch=True, language="it")
    other.goto(str(link.get_attribute("href")))
    expect(other.locator(".studio__state")).to_contain_text("2 celle cambiate")
    assert other.evaluate(SIDEWAYS) <= 0
    assert violations(other, axe) == []
    shot(other, "studio-phone")
    other.get_by_role("button", name="Fallo mio").click()
    expect(other.locator("#deck-name")).to_be_visible()

    # There the changed card comes first in a list, opens as a form, and the buttons that lead on are docked below.
    first = other.locator(".list button").first
    expect(first).to_contain_text("points 0 → 9")
    docked = other.get_by_role("button", name="Giocalo").bounding_box()
    assert docked is not None and docked["y"] + docked["height"] > 780
    first.click()
    other.get_by_role("button", name="points: meno").click()
    other.locator(".st-tools").get_by_text("Elenco").click()
    expect(first).to_contain_text("points 0 → 8")
    assert violations(other, axe) == []
    other.set_viewport_size({"width": 360, "height": 780})
    assert other.evaluate(SIDEWAYS) <= 0

    # A file from elsewhere: hostile ones are refused in a sentence, others open.
    bad, good = tmp_path / "bad.csv", tmp_path / "good.csv"
    bad.write_bytes(bytes(range(256)))
    page.locator("input[type=file]").set_input_files(bad)
    refused = page.get_by_role("dialog", name="«bad.csv» cannot be read")
    expect(refused.locator("li")).to_have_count(1)
    refused.get_by_role("button", name="Back").click()
    rows = page.request.get("/api/games/king_of_con/forms").json()[0]["content"]
    head = list(rows[0])
    rows[0]["name"] = "Brass Orrery"
    lines = [";".join(head), *(";".join(row[column] for column in head) for row in rows)]
    good.write_text("\n".join(lines), "utf-8")
    page.locator("input[type=file]").set_input_files(good)
    expect(page.locator(".studio__state")).to_contain_text("1 cell changed")
    expect(page.locator(".studio__card")).to_contain_text("Brass Orrery")
    shot(page, "studio-items")


def test_a_file_is_imported_into_the_sheet_and_keys_are_listed(guest: Guest, axe: str, tmp_path: pathlib.Path) -> None:
    page = guest("Ivo")
    page.goto("/studio/splendor")
    state = page.locator(".studio__state")
    expect(state).to_have_text("As printed · ready to be played")

    # «?» lists the keys, everywhere but where one types.
    page.get_by_role("grid").locator("[tabindex='0']").focus()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys of the sheet")
    expect(keys.get_by_role("row")).to_have_count(13)
    assert violations(page, axe) == []
    keys.get_by_role("button", name="Back to the sheet").click()
    page.keyboard.press("Control+f")
    page.keyboard.type("what?")
    expect(page.locator("#find")).to_have_value("what?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid").locator("[tabindex='0']")).to_be_focused()
    page.keyboard.press("F6")
    expect(page.locator(".studio__card")).to_be_focused()

    # Everything is selected at once.
    page.get_by_role("grid").locator("[tabindex='0']").focus()
    page.keyboard.press("Control+a")
    expect(page.locator("[role=grid] .is-selected")).to_have_count(90 * 11)

    # A file with two wrong cells: the good ones go in, the bad ones wait, and all of it is one step.
    form = page.request.get("/api/games/splendor/forms").json()[0]
    head = [column["key"] for column in form["columns"]]
    rows = [dict(row) for row in form["content"]]
    rows[0] |= {"name": "Baron; Zero", "points": "lots"}
    rows[1] |= {"points": "77"}
    rows[2] |= {"points": "4"}
    quoted = [[f'"{row.get(key, "")}"' for key in head] for row in rows]
    file = tmp_path / "Loud evening.csv"
    file.write_text("\n".join(";".join(line) for line in [head, *quoted]), "utf-8")
    page.get_by_role("button", name="Import").click()
    assert violations(page, axe) == []
    page.locator("input[type=file]").set_input_files(file)
    expect(state).to_have_text("4 cells changed · 2 mistakes")
    expect(page.locator("#deck-name")).to_have_value("Loud evening")
    expect(page.get_by_role("grid").locator(".why")).to_have_count(2)
    expect(page.get_by_role("grid").get_by_text("Baron; Zero")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(state).to_have_text("As printed · ready to be played")

    # What is no deck of this kind is refused with every mistake, and nothing changes; a pasted table is read.
    page.get_by_role("button", name="Import").click()
    page.get_by_role("button", name="Paste cells").click()
    page.get_by_label("Cells with their head line").fill("id,nmae,level\nA1,=1+1,9")
    page.get_by_role("button", name="Read them").click()
    refused = page.get_by_role("dialog", name="«pasted cells» cannot be read")
    expect(refused).to_contain_text("line 1, nmae")
    refused.get_by_role("button", name="Back").click()
    expect(state).to_have_text("As printed · ready to be played")
    rows = [dict(row) for row in form["content"]]
    rows[5] |= {"points": "7"}
    page.get_by_role("button", name="Import").click()
    page.get_by_role("button", name="Paste cells").click()
    page.get_by_label("Cells with their head line").fill(
        "\n".join("\t".join(line) for line in [head, *([row.get(key, "") for key in head] for row in rows)])
    )
    page.get_by_role("button", name="Read them").click()
    expect(state).to_have_text("1 cell changed · ready to be played")

    # A draft is on the shelf too, with its card.
    page.goto("/studio")
    draft = page.locator(".dk", has_text="draft")
    expect(draft.locator(".dk__card .card")).to_be_visible()
    draft.get_by_role("button", name="Throw the draft").click()
    expect(draft).to_have_count(0)


def test_what_a_card_does_is_chosen_by_name(guest: Guest, axe: str) -> None:
    """The sentence that it will carry is read out and drawn; what does not go together says why."""
    page = guest("Eva")
    page.goto("/studio/challengers")
    expect(page.locator(".studio__state")).to_contain_text("As printed")
    page.get_by_placeholder("Find", exact=True).fill("city-talent-a")
    page.locator(".st-tools").get_by_text("One card").click()
    expect(page.get_by_text("It has no effect.")).to_be_visible()
    page.get_by_placeholder("Find an effect").fill("helps")
    effects = page.get_by_role("radiogroup", name="What it does")
    expect(effects.get_by_role("radio")).to_have_count(3)
    effects.get_by_role("radio", name="Helps", exact=True).focus()
    page.keyboard.press("Space")
    expect(page.get_by_label("When")).to_have_value("from_bench")
    page.get_by_label("Which cards").fill("set castle")
    page.get_by_role("button", name="How much: more").click()
    expect(page.locator(".one__reads")).to_have_text("It reads: Your Castle cards in the park have +2.")
    expect(page.locator(".studio__card")).to_contain_text("Your Castle cards in the park have +2.")
    page.get_by_label("When").select_option("flag_lost")
    expect(page.locator(".one__f.is-wrong")).to_contain_text("help cannot happen flag_lost")
    expect(effects.locator(".is-off").first).to_contain_text("not when it loses the flag")
    assert violations(page, axe) == []
    shot(page, "studio-fighter")


def test_a_sheet_is_painted_by_keyboard_and_its_report_runs_to_the_end(guest: Guest, axe: str) -> None:
    page = guest("Cleo")
    page.goto("/studio/loot")
    state = page.locator(".studio__state")
    expect(state).to_have_text("As printed · ready to be played")
    squares = page.get_by_role("grid", name="The squares of the sheet")
    squares.locator("[tabindex='0']").focus()

    # A blue square becomes a Meeps, and the track is too short for it: in words, and painting goes on.
    page.keyboard.press("m")
    expect(squares.locator("[data-square='0']")).to_have_attribute(
        "aria-label", "Row 1, column 1: Meeps, printed blue stand, cards"
    )
    expect(page.locator(".studio__wrong").first).to_contain_text("10")
    expect(state).to_contain_text("1 mistake")
    numbers = page.get_by_role("table", name="The sheet in numbers")
    expect(numbers.locator("tr", has_text="Meeps").first).to_have_text("Meeps910")
    page.keyboard.press("F8")
    expect(page.get_by_role("button", name="Add a space")).to_be_focused()
    page.keyboard.press("Enter")
    expect(state).to_have_text("2 cells changed · ready to be played")
    expect(page.get_by_text("Nothing stands in the way.")).to_be_visible()

    # Steps back and forth; dragging with Shift; the printed square again.
    squares.locator("[tabindex='0']").focus()
    page.keyboard.press("Control+z")
    expect(state).to_contain_text("1 mistake")
    page.keyboard.press("Control+z")
    expect(state).to_have_text("As printed · ready to be played")
    page.keyboard.press("b")
    page.keyboard.press("Shift+ArrowRight")
    expect(squares.locator("[data-square='1']")).to_have_attribute(
        "aria-label", "Row 1, column 2: blue stand, cards, printed Meeps"
    )
    page.keyboard.press("Delete")
    expect(squares.locator(".is-changed")).to_have_count(0)

    # Too large a hall is outlined, and put back by its own button; mirrored twice it is as it was.
    page.keyboard.press("Home")
    for key in (*["ArrowDown"] * 3, *["ArrowRight"] * 3):
        page.keyboard.press(key)
    page.keyboard.press("y")
    expect(squares.locator("[aria-invalid]")).to_have_count(5)
    page.get_by_role("button", name="Put the printed square back").click()
    expect(squares.locator("[aria-invalid]")).to_have_count(0)
    page.get_by_role("button", name="Mirror").click()
    expect(state).to_contain_text("cells changed")
    page.get_by_role("button", name="Mirror").click()
    expect(state).to_have_text("As printed · ready to be played")
    page.get_by_label("halls of 1 stand: pays").select_option("5")
    expect(state).to_have_text("1 cell changed · ready to be played")
    assert violations(page, axe) == []
    shot(page, "studio-loot")

    # What does it do? Bots play it to the end.
    page.get_by_label("Played by").select_option("novice")
    page.get_by_label("Deals").select_option("50")
    page.locator(".report").get_by_role("button", name="What does it do?").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("100 of 100 games")).to_be_visible(timeout=240_000)
    expect(page.locator(".report").get_by_role("button", name="What does it do?")).to_be_visible()
    for opener in page.get_by_text("Show the figures").all():
        opener.click()
    expect(page.get_by_role("table", name="Chairs").locator("tbody tr")).to_have_count(2)
    verdicts = page.get_by_role("table", name="How games go").locator("tbody td:last-child")
    expect(verdicts).to_have_count(6)
    expect(page.get_by_text("Open until all deals are played")).to_have_count(0)
    expect(page.get_by_text("combos: too few players")).to_have_count(0)
    expect(page.get_by_role("region", name="In plain words").locator(".told li")).to_have_count(3)
    assert violations(page, axe) == []
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download CSV").click()
    assert pathlib.Path(taken.value.path()).read_text("utf-8").startswith("what,before,after,difference")
    shot(page, "studio-loot-report")
    page.set_viewport_size({"width": 360, "height": 780})
    assert page.evaluate(SIDEWAYS) <= 0

    # The shelf remembers what the report found.
    page.goto("/studio")
    expect(page.locator(".dk .found").first).to_contain_text("novice, 50 deals")


def searched(content: list[dict[str, str]], deck: str, running: bool, done: int) -> dict[str, Any]:
    """A search as the house tells of it: one deck is proposed, and checked when all are tried."""
    again = [0.52] if done == 30 else []
    one = {
        "chosen": [3], "values": [0.54], "met": [True], "again": again, "again_met": [True] * len(again), "change": 0.8,
        "deck": deck, "content": content, "costs": [] if again else None, "looked_at": 214,
    }  # fmt: skip
    tried = [12.0 - n / 3 for n in range(done)]
    search = {"tried": tried, "met": 1, "as_it_was": [0.62], "start": [9], "proposals": [one]}
    return {"id": "s1", "done": done, "total": 30, "running": running, "refused": "", "search": search}


def test_a_balance_is_searched_for_stopped_and_its_proposal_opened(guest: Guest, axe: str) -> None:
    page = guest("Dora")
    page.goto("/studio/splendor")
    form = page.request.get("/api/games/splendor/forms").json()[0]
    rows, head = form["content"], [column["key"] for column in form["columns"]]
    venom = next(n for n, row in enumerate(rows) if row["name"] == "Venom")

    def as_text(points: str) -> str:
        changed = [row | {"points": points} if n == venom else row for n, row in enumerate(rows)]
        return "\n".join([";".join(head), *(";".join(row.get(key, "") for key in head) for row in changed)])

    # The wish and the range begin with what the deck changes.
    page.locator("[role=grid] tr", has_text="Venom").locator("td").nth(4).click()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    state = page.locator(".studio__state")
    expect(state).to_have_text("1 cell changed · ready to be played")

    # Copied and pasted by keyboard: a whole step, and one step back.
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Control+c")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Control+v")
    expect(state).to_have_text("2 cells changed · ready to be played")
    page.keyboard.press("Control+z")
    expect(state).to_have_text("1 cell changed · ready to be played")

    # As a spreadsheet puts cells on the clipboard: tabs, quotation marks doubled, a line end within a cell.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    titles = page.locator("[role=grid] tbody tr").locator("td:nth-child(2), th:nth-child(2)")
    titles.nth(0).click()
    page.evaluate("(text) => navigator.clipboard.writeText(text)", '"Baron\nZemo ""II"""\t1\r\nGroot 2\t1\r\n')
    page.keyboard.press("Control+v")
    expect(state).to_have_text("3 cells changed · ready to be played")
    expect(titles.nth(0)).to_contain_text('Baron Zemo "II"')
    expect(titles.nth(1)).to_contain_text("Groot 2")
    page.keyboard.press("Control+z")
    expect(state).to_have_text("1 cell changed · ready to be played")
    page.get_by_role("button", name="Find a balance").click()
    expect(page.get_by_label("Wish 1: which card")).to_have_value(rows[venom]["id"])
    expect(page.get_by_label("Cell 1: from")).to_have_value("2")
    page.get_by_role("button", name="Add a wish").click()
    page.get_by_label("Wish 2", exact=True).select_option("worth")
    page.get_by_label("Wish 2: how much").fill("3")
    page.get_by_role("button", name="Take wish 1 away").focus()
    page.keyboard.press("Enter")

    # It is asked for in the words of the command; stopped, gone on with, done.
    content = [row | {"points": "3"} if n == venom else row for n, row in enumerate(rows)]
    asked: list[Any] = []

    def answer(route: Route) -> None:
        end = route.request.url.rsplit("/", 1)[1]
        asked.append((end, route.request.post_data_json if route.request.method == "POST" else None))
        on = any(one[0] == "on" for one in asked)
        stopped = any(one[0] == "stop" for one in asked)
        state = searched(content, as_text("3"), running=not stopped, done=12)
        route.fulfill(json=searched(content, as_text("3"), running=False, done=30) if on else state)

    page.route(re.compile("/api/searches"), answer)
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("progressbar", name="Decks tried")).to_have_attribute("aria-valuenow", "12")
    wish = asked[0][1]
    assert wish["wishes"] == [f"{rows[venom]['id']} worth at most 3"]
    assert wish["cells"] == [f"{rows[venom]['id']} points 2..11"]
    expect(page.get_by_label("Wish 1: how much")).to_be_disabled()
    expect(page.locator(".prop")).to_contain_text("Venom points 9 → 3")
    page.get_by_role("button", name="Stop, go on later").click()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.locator(".prop")).to_contain_text("nothing beyond chance, in 214 figures")
    expect(page.get_by_text("30 of 30 decks tried")).to_be_visible()
    assert violations(page, axe) == []
    shot(page, "studio-tune")

    # The plan and the search are there after a reload; a proposal is a deck like any other.
    page.reload()
    expect(page.locator(".prop")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 780})
    assert page.evaluate(SIDEWAYS) <= 0
    page.get_by_role("button", name="Open as a deck").click()
    expect(state).to_have_text("1 cell changed · ready to be played")
    expect(page.locator("#deck-name")).to_have_value("My Splendor: Marvel A")


def test_a_search_by_real_bots_is_watched_stopped_goes_on_and_proposes_a_deck(guest: Guest, axe: str) -> None:
    page = guest("Elio")
    page.goto("/studio/loot")
    state = page.locator(".studio__state")
    expect(state).to_have_text("As printed · ready to be played")

    # A score track that makes games too long.
    page.get_by_label("Spaces of the score track").fill("16")
    expect(state).to_have_text("1 cell changed · ready to be played")
    page.get_by_role("button", name="Find a balance").click()
    page.get_by_label("Wish 1", exact=True).select_option("rounds")
    page.get_by_label("Wish 1: how much").fill("20")
    page.get_by_label("Cell 1: which column").select_option("score_spaces")
    page.get_by_label("Cell 1: from").fill("8")
    page.get_by_label("Cell 1: to").fill("16")
    page.locator(".run__how").get_by_label("Deals").select_option("50")
    page.locator(".run__how").get_by_label("Decks").select_option("10")
    page.get_by_role("button", name="Search", exact=True).click()

    # Watched: decks become dots. Stopped before the nine are tried, and it stays so.
    tried = page.get_by_role("progressbar", name="Decks tried")
    expect(tried).to_have_attribute("aria-valuenow", re.compile("[1-8]"), timeout=120_000)
    page.get_by_role("button", name="Stop, go on later").click()
    expect(page.get_by_role("button", name="Go on", exact=True)).to_be_visible()
    stopped = tried.get_attribute("aria-valuenow")
    page.wait_for_timeout(2500)
    page.reload()
    expect(tried).to_have_attribute("aria-valuenow", str(stopped))
    expect(page.locator(".prop").first).to_contain_text("What it costs elsewhere is looked at when the search is done.")

    # On to the end: what is proposed was played anew, meets the wish on deals it was not chosen on, and is a deck to open.
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.get_by_text("9 of 9 decks tried")).to_be_visible(timeout=240_000)
    expect(page.get_by_text("each checked again on 1,000 deals it was not chosen on")).to_be_visible(timeout=240_000)
    best = page.locator(".prop").first
    expect(best).to_contain_text("score_spaces 16 →")
    expect(best.locator(".met .y")).to_have_count(1)
    expect(best).to_contain_text("Costs elsewhere")
    assert violations(page, axe) == []
    shot(page, "studio-tune-real")
    best.get_by_role("button", name="Open as a deck").click()
    expect(state).to_have_text("1 cell changed · ready to be played")
    expect(page.get_by_label("Spaces of the score track")).not_to_have_value("16")
