"""Loot as text."""

from typing import Any

import pytest

from games.loot.scene import CLEAN, Table
from ludoteca.core.log import new_log
from ludoteca.core.words import Telling
from ludoteca.games.loot import GAME, terminal
from ludoteca.games.loot.rules.decisions import close_hall
from ludoteca.terminal import event_sentence


def test_a_choice_says_where_it_leads_and_what_it_brings() -> None:
    table = Table(2, dice=(1, 2, 3))
    table.sheet(0, at=(1, 2))
    state = table.state
    choice = table.choice("walk left")
    assert Telling(GAME, state, [], "en").choice(choice) == "Walk to the left to row 1, column 1: +1"
    assert Telling(GAME, state, [], "it").choice(choice) == "Cammina a sinistra fino alla riga 1, colonna 1: +1"


def test_the_sheets_stand_side_by_side() -> None:
    table = Table(2, dice=(1, 2, 3))
    table.sheet(0, at=(1, 2))
    table.do(0, "walk left"), table.do(1, "walk left")
    text = terminal.picture(table.view(), ["Ana", "Bea"], "en")
    lines = text.splitlines()
    assert lines[0].startswith("Dice: 2 ← 3 ← ")
    assert lines[1].split() == ["Ana", "1", "(1/11)", "Bea", "0", "(0/11)"]
    assert lines[2].startswith("[/] M  Y  Y  G  G  R ")
    assert len(lines) == 10


def told(table: Any, seat: int, action: str, language: str) -> list[str]:
    """The sentences of a move of somebody alone, without the dice that follow."""
    happened = table.engine.decide(table.states, 0, seat, GAME.actions.read(action))
    state = table.state
    return [event_sentence(GAME, state, fact, ["Ana"], language) for fact in happened if fact.seat >= 0]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            ["Ana walked 1 square up", "Ana visited a red stand", "Ana closed the red pair, 2 points",
             "Ana completed the red combo", "Ana gained «wrap around»", "Ana wrote 2 in space 1"],
        ),
        (
            "it",
            ["Ana ha camminato di 1 casella in su", "Ana ha visitato uno stand rosso",
             "Ana ha chiuso la coppia rossa, 2 punti", "Ana ha completato la combo rossa",
             "Ana ha ottenuto «oltre il bordo»", "Ana ha scritto 2 nello spazio 1"],
        ),
    ],
)  # fmt: skip
def test_a_move_is_told_in_whole_sentences(language: str, sentences: list[str]) -> None:
    table = Table(1, dice=(1, 2, 3))
    drawing = CLEAN.split()
    drawing[6] = drawing[21] = "/"  # the red single is closed, the pair lacks row 5, column 1
    table.sheet(0, " ".join(drawing), at=(6, 1))
    assert told(table, 0, "walk up", language) == sentences


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Ana crossed row 1, column 2"), ("it", "Ana ha messo una croce nella riga 1, colonna 2")],
)
def test_a_cross_is_told_with_its_square(language: str, sentence: str) -> None:
    table = Table(1, dice=(1, 2, 3))
    table.sheet(0, CLEAN.replace(". .", ". /", 1), at=(1, 1))
    assert told(table, 0, "walk right", language)[1] == sentence


def test_halls_agree_in_gender() -> None:
    """Il singolo, la coppia, il tris, il poker; rosso or rossa, verde for both."""
    table, told = Table(1), []
    for hall in (0, 1, 5, 8, 9, 14, 15):  # red single and pair, yellow pair, green single and pair, blue three and four
        log = new_log()
        close_hall(table.state, 0, hall, log)
        sentence = event_sentence(GAME, table.state, GAME.facts.read(log)[0], ["Ana"], "it", you=0)
        told.append(sentence.removeprefix("Hai chiuso ").partition(",")[0])
    assert told == [
        "il singolo rosso", "la coppia rossa", "la coppia gialla", "il singolo verde", "la coppia verde", "il tris blu",
        "il poker blu",
    ]  # fmt: skip
