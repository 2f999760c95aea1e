"""What a game may be: every limit is said in a sentence when it is passed."""

import dataclasses
import pathlib
from typing import Any

import pytest

from bots.hide_and_seek import GAME
from ludoteca.core.actions import Actions
from ludoteca.core.chance import reseed
from ludoteca.core.errors import BadData
from ludoteca.core.facts import Facts
from ludoteca.core.game import MOST_ACTIONS, Option
from ludoteca.core.record import Field, Record, See


def numbered(count: int) -> Actions:
    actions = Actions()
    actions.kind("number", ("n",), [(n,) for n in range(count)])
    return actions


def told(*kinds: str) -> Facts:
    facts = Facts()
    for kind in kinds:
        facts.kind(kind)
    return facts


def state(*fields: Field) -> type:
    """A class of state with these fields."""
    return type("State", (Record,), {field.name: field for field in fields})


def without(name: str) -> type:
    return state(*(field for field in GAME.fields if field.name != name))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"key": "Hide"}, "its key has 1 to 40 small letters"),
        ({"key": "a" * 41}, "its key has 1 to 40 small letters"),
        ({"key": "../etc"}, "its key has 1 to 40 small letters"),
        ({"title": " "}, "it needs a title and a version"),
        ({"version": ""}, "it needs a title and a version"),
        ({"folder": pathlib.Path("/nowhere/at/all")}, "there is no folder /nowhere/at/all"),
        ({"colour": "red; background: url(x)"}, "its colour is written like #1b1446"),
        ({"seats": range(0, 3)}, "its seats are a range within 1 to 8"),
        ({"seats": range(2, 10)}, "its seats are a range within 1 to 8"),
        ({"seats": range(2, 7, 2)}, "its seats are a range within 1 to 8"),
        ({"seats": range(2, 2)}, "its seats are a range within 1 to 8"),
        ({"seats": range(2, 4)}, "the field waiting needs a place for each of 3 seats"),
        ({"state": without("round_number")}, "a field called round_number"),
        (
            {"state": state(*GAME.fields, Field("hand", "i1", (), See.OWNER, "one hand"))},
            "the field hand needs a place for each",
        ),
        ({"determinize": reseed}, "the field chosen is hidden, so it needs a `determinize`"),
        ({"actions": Actions()}, "it has 0 actions; 1 to 32768 can be numbered"),
        ({"actions": numbered(MOST_ACTIONS + 1)}, "it has 32769 actions; 1 to 32768 can be numbered"),
        ({"facts": told("hid", "hid")}, "two kinds of event have the same name"),
        ({"log_rows": 0}, "its log has 0 rows; there can be 1 to 65536"),
        ({"log_rows": 10**6}, "its log has 1000000 rows"),
        ({"longest": 0}, "are at least 1"),
        ({"minutes": 0}, "are at least 1"),
        ({"observation": 0}, "an observation has at least one number"),
        ({"observation_names": (("place", 2),)}, "the named parts of its observation do not make 1 numbers"),
        ({"behind_screen": {"whistle": True}}, "«whistle» is behind a screen and no kind of action"),
        ({"by_seat": ("rng",)}, "«rng» has a row for each seat and is no marked field"),
        ({"things": {"found": ("place",)}}, "«found» is among its things and no kind of event"),
        ({"options": (Option("a", ("x",)), Option("a", ("y",)))}, "two options have the same key"),
        ({"options": (Option("A b", ("x",)),)}, "the key of an option is made of small letters"),
        ({"options": (Option("a", ()),)}, "the option «a» needs values, each once"),
        ({"options": (Option("a", ("x", "x")),)}, "the option «a» needs values, each once"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused_when_it_is_made(change: Any, sentence: str) -> None:
    with pytest.raises(BadData) as refusal:
        dataclasses.replace(GAME, **change)
    assert refusal.value.sentence.startswith(f"The game «{change.get('key', GAME.key)}» cannot be played: ")
    assert sentence in refusal.value.sentence


def test_the_limits_themselves_are_fine() -> None:
    big = dataclasses.replace(GAME, key="a" * 40, actions=numbered(MOST_ACTIONS), log_rows=2**16)
    assert big.actions.decode(MOST_ACTIONS - 1).arguments == (MOST_ACTIONS - 1,)
