"""How often one may ask, and what is not done for whoever may not."""

from __future__ import annotations

import asyncio
import functools
import pathlib

import pytest
from websockets.exceptions import InvalidStatus

from ludoteca.server import app
from ludoteca.server.pace import CHANGES, DEAR, Pace
from ludoteca.server.refusals import TooMuch
from ludoteca.server.settings import Settings
from server.house import house, run


@pytest.fixture
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of what was used up comes back, however long a busy machine takes."""
    monkeypatch.setattr(app, "Pace", functools.partial(Pace, clock=lambda: 0.0))


def allowed(pace: Pace, home: str, guest: str | None, tries: int = 1000, cost: int = 1) -> int:
    """How many of these requests pass."""
    passed = 0
    for _ in range(tries):
        try:
            pace.check(home, guest, cost)
            passed += 1
        except TooMuch:
            pass
    return passed


def test_a_guest_cannot_use_up_what_a_household_may_ask() -> None:
    now = 0.0
    pace = Pace(Settings(requests_a_minute=60, requests_a_minute_an_address=150), lambda: now)
    assert allowed(pace, "home", "anna") == 60
    assert allowed(pace, "home", "bruno") == 60, "what was refused to Anna does not count"
    assert allowed(pace, "home", None) == 30, "all together"
    assert allowed(pace, "elsewhere", None) == 60, "people unknown count as one guest"
    now = 10.0
    assert allowed(pace, "home", "anna", cost=DEAR) == 2, "ten come back in ten seconds"
    now = 100_000.0
    assert allowed(pace, "home", "anna") == 60


def test_a_family_with_all_its_tabs_never_notices() -> None:
    """Six people who restore twenty tabs each at once and then click twice a second."""
    now = 0.0
    pace = Pace(Settings(), lambda: now)
    for person in "abcdef":
        assert allowed(pace, "home", person, 20 * 10) == 200  # page, table, words, …
        assert allowed(pace, "home", person, 20, CHANGES) == 20  # sockets
    for second in range(120):
        now = float(second)
        for person in "abcdef":
            assert allowed(pace, "home", person, 2, CHANGES) == 2


@pytest.mark.usefixtures("one_moment")
def test_who_asks_too_fast_is_refused_with_a_sentence_and_nobody_else(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, requests_a_minute=40) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            table = (await bruno.open())["id"]
            paths = ["/api/me", f"/api/tables/{table}", f"/api/tables/{table}/moments", "/table/x", "/api/nothing"]
            answers = [await anna.http.get(paths[n % len(paths)]) for n in range(60)]
            refused = [answer for answer in answers if answer.status_code == 429]
            assert 20 <= len(refused) < 60
            assert refused[0].json()["key"] == "too_fast" and refused[0].json()["sentence"]
            assert {answer.url.path for answer in refused} == set(paths)
            assert (await anna.post(f"/api/tables/{table}/sit", {}, 429))["key"] == "too_fast"
            with pytest.raises(InvalidStatus, match="429"):
                await anna.line(table)
            assert (await bruno.get("/api/me"))["name"] == "Bruno"

    run(scene())


def test_a_private_table_is_not_brought_into_memory_for_strangers(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, eve = await h.person("Anna"), await h.person("Eve")
            table = await anna.open(2, public=False)
            lobby = h.app.lobby
            lobby.tables.pop(table["id"]).close()
            for path in ("", "/moments", "/record"):
                for invite in ("", "?invite=wrong"):
                    await eve.get(f"/api/tables/{table['id']}{path}{invite}", 404)
            with pytest.raises(InvalidStatus, match="404"):
                await eve.line(table["id"], invite="wrong")
            assert not lobby.tables
            assert (await eve.get(f"/api/tables/{table['id']}?invite={table['invite']}"))["id"] == table["id"]

    run(scene())


def test_who_has_guessed_too_often_is_refused_the_right_invitation_too(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, misses_a_minute=10) as h:
            anna, eve = await h.person("Anna"), await h.person("Eve")
            table = await anna.open(2, public=False)
            where, right = f"/api/tables/{table['id']}", table["invite"]
            answers = [await eve.http.get(f"{where}?invite={n}") for n in range(11)]
            assert [answer.status_code for answer in answers] == [404] * 10 + [429]
            for path in ("", "/moments", "/record"):
                assert (await eve.get(f"{where}{path}?invite={right}", 429))["key"] == "too_many_misses"
            assert (await eve.post(f"{where}/sit", {"invite": right}, 429))["key"] == "too_many_misses"
            picture = await eve.http.get(f"/pictures/tables/{table['id']}.png?invite={right}")
            assert picture.status_code == 429
            with pytest.raises(InvalidStatus, match="429"):
                await eve.line(table["id"], invite=right)
            assert (await anna.get(f"{where}?invite={right}"))["id"] == table["id"], "she sits there"

    run(scene())


def test_wrong_invitations_in_the_address_of_a_page_count_too(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<html><head></head></html>")

    async def scene() -> None:
        async with house(tmp_path, misses_a_minute=10, page=str(page)) as h:
            anna, eve = await h.person("Anna"), h.anybody()
            table = await anna.open(2, public=False, name="Wednesday")
            link = f"/table/{table['id']}"
            assert "Wednesday" in (await eve.http.get(f"{link}?invite={table['invite']}")).text
            for n in range(10):
                assert "Wednesday" not in (await eve.http.get(f"{link}?invite={n}")).text
            assert "Wednesday" not in (await eve.http.get(f"{link}?invite={table['invite']}")).text
            await eve.get(f"/api/tables/{table['id']}?invite={table['invite']}", 429)
            assert (await anna.http.get(link)).status_code == 200

    run(scene())


@pytest.mark.usefixtures("one_moment")
def test_parallel_requests_are_counted_one_by_one(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, requests_a_minute=30) as h:
            anna = await h.person()
            answers = await asyncio.gather(*(anna.http.get("/api/games") for _ in range(90)))
            assert sum(answer.status_code == 200 for answer in answers) == 30

    run(scene())
