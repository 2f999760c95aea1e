"""People at one table cannot be taken for each other, whatever they call themselves."""

from __future__ import annotations

import pathlib

import pytest

from ludoteca.server.names import heard_as, new_id, skeleton, told_apart
from server.house import house, run


@pytest.mark.parametrize(
    "other",
    ["anna", "ANNA", "Ánná", "An na", "Anna.", "Аnnа", "АННА".replace("Н", "N"), "ΑΝΝΑ", "A\u0335nna"],
)
def test_names_that_can_be_taken_for_each_other(other: str) -> None:
    assert skeleton(other) == skeleton("Anna")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Сосо", "Coco"),
        ("Ian", "lan"),
        ("B0b", "Bob"),
        ("Marnie", "Mamie"),
        ("РЕТЕР", "PETEP"),
        ("Ꭺꭺ", "Aa"),
        ("...", "..."),
    ],
)
def test_more_of_them(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_names_that_cannot() -> None:
    names = ["Anna", "Ana", "Hanna", "Bruno", "東京", "京東", "🦊", "🐻", "Guest 1234", "Guest 1243"]
    assert told_apart(names) == names


def test_who_shares_a_name_is_told_apart_by_the_chair() -> None:
    assert told_apart(["Anna", "", "Bruno", "ΑΝΝΑ", ""]) == ["Anna (1)", "", "Bruno", "ΑΝΝΑ (4)", ""]
    assert heard_as(["Anna", "", "Bruno"], None, "anna") == "anna (–)"
    assert heard_as(["Anna", "", "Bruno"], None, "Carla") == "Carla"
    assert heard_as(["Anna", "Anna"], 1, "Anna") == "Anna (2)"


def test_no_table_is_called_what_a_command_line_takes_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: "-2C-B2_jOuQ")
    assert new_id() == "_2C-B2_jOuQ"  # and not: ludoteca audit -2C-B2_jOuQ


def test_a_neighbours_name_at_the_table_and_in_the_chat(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, eve, carla = await h.person("Anna"), await h.person("Eve"), await h.person("ANNÁ")
            id = (await anna.open(3, bots=[None, None, "novice"]))["id"]
            info = await eve.post(f"/api/tables/{id}/sit", {})
            assert [chair["name"] for chair in info["chairs"][:2]] == ["Anna", "Eve"]
            line = await anna.line(id)
            await eve.post("/api/me", {"name": "ΑΝΝΑ"})
            told = await line.next("table", lambda m: m["table"]["chairs"][1]["name"] == "ΑΝΝΑ (2)")
            assert told["table"]["chairs"][0]["name"] == "Anna (1)"
            for person, name in ((anna, "Anna (1)"), (eve, "ΑΝΝΑ (2)"), (carla, "ANNÁ (–)")):
                await (await person.line(id)).send(type="say", text="It is me.")
                assert (await line.next("said"))["name"] == name
            await eve.post("/api/me", {"name": "Eve"})
            await line.next("table", lambda m: [c["name"] for c in m["table"]["chairs"][:2]] == ["Anna", "Eve"])

    run(scene())
