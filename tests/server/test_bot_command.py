"""`ludoteca bot URL`: a bot of one's own at a table of a house, and what it is told there."""

import asyncio
import base64
import pathlib

import numpy as np
import pytest

from ludoteca import catalogue, cli
from ludoteca.core.errors import BadData, Refusal
from ludoteca.lab import guest
from ludoteca.server import sockets
from server.house import house


def sit(link: str, token: str, bot: str) -> guest.Player:
    place = guest.Place.read(link)
    return guest.Player(place, guest.Guest(place.house, token), bot)


def test_a_bot_of_ones_own_sits_down_and_plays(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "LIMITS", ((1000, 1.0),))  # the bot would wait each time that it was too fast

    async def scene() -> None:
        async with house(tmp_path) as h:
            ana = await h.person("Ana")
            wish = {"game": "loot", "seats": 2, "options": {}, "public": False, "bots": [None, None]}
            table = await ana.post("/api/tables", wish)
            where = f"/api/tables/{table['id']}"
            link = f"{h.origin}/table/{table['id']}?invite={table['invite']}"
            playing = asyncio.create_task(asyncio.to_thread(cli.main, ["bot", link, "--bot", "greedy", "--name", "Bo"]))
            while (await ana.get(where))["chairs"][1]["kind"] != "person":
                await asyncio.sleep(0.05)
            with pytest.raises(BadData, match="chair"):
                await asyncio.to_thread(sit, link, "", "uniform")
            with pytest.raises(BadData, match="without --token"):  # it spoke of a page to be reloaded
                await asyncio.to_thread(sit, link, "nobody-s", "uniform")
            await ana.post(f"{where}/start", {})
            hers = await asyncio.to_thread(sit, link, str(ana.secret), "bots.my_bots:first")
            result, status = await asyncio.gather(asyncio.to_thread(hers.play), playing)
            assert (status, len(result["ranks"])) == (0, 2)

    asyncio.run(scene())
    said = capsys.readouterr().out
    assert "--token " in said
    assert "On chair 2: Loot." in said
    assert "Rank " in said


def test_what_cannot_play_takes_no_chair(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            ana = await h.person("Ana")
            wish = {"game": "loot", "seats": 2, "options": {}, "public": False, "bots": [None, None]}
            table = await ana.post("/api/tables", wish)
            link = f"{h.origin}/table/{table['id']}?invite={table['invite']}"
            with pytest.raises(Refusal, match="There is no bot at «bots"):
                await asyncio.to_thread(sit, link, "", "bots.my_bots:nobody")
            assert (await ana.get(f"/api/tables/{table['id']}"))["chairs"][1]["kind"] != "person"

    asyncio.run(scene())


def test_a_program_is_told_what_its_own_seat_may_see(tmp_path: pathlib.Path) -> None:
    """The record it gets is the redacted one, byte for byte; who has no chair gets none."""
    game = catalogue.game("king_of_con")

    async def scene() -> None:
        async with house(tmp_path) as h:
            ana, eve = await h.person("Ana"), await h.person("Eve")
            wish = {"game": game.key, "seats": 2, "options": {}, "public": True, "bots": [None, "novice"]}
            table = await ana.post("/api/tables", wish)
            where = f"/api/tables/{table['id']}/sight"
            await ana.get(where, 409)  # nothing is dealt yet
            await ana.post(f"/api/tables/{table['id']}/start", {})
            sight = await ana.get(where)
            await eve.get(where, 403)
            record = np.frombuffer(base64.b64decode(sight["record"]), game.dtype)
            assert record.tobytes() == game.redact(record, 0, sight["seat"]).tobytes()
            assert record["seats"][0] == 2

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("localhost:8000", "is no table's address"),
        ("http://127.0.0.1:9/table/a", "There is no house at http://127.0.0.1:9"),
    ],
)
def test_an_address_that_leads_nowhere_is_said(address: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bot", address]) == 2
    assert sentence in capsys.readouterr().err
