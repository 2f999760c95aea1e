import pytest

from ludoteca.core import journal
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData
from ludoteca.games.splendor import GAME

ENGINE = interpreted(GAME)


def short_game() -> journal.Journal:
    written = journal.Journal("splendor", GAME.version, 2, {"edition": "marvel"}, 5)
    states = journal.begin(ENGINE, written)
    for _ in range(12):
        seat = ENGINE.waiting(states)[0]
        action = ENGINE.legal(states, 0, seat)[-1]
        ENGINE.decide(states, 0, seat, action)
        written.decisions.append((seat, action))
    return written


def test_a_journal_survives_its_file() -> None:
    written = short_game()
    again = journal.load(written.dump())
    assert again == written
    assert journal.finish(ENGINE, again).tobytes() == journal.finish(ENGINE, written).tobytes()


def test_other_rules_are_refused() -> None:
    written = short_game()
    written.version = "0"
    with pytest.raises(BadData, match="version 0 of the rules"):
        journal.finish(ENGINE, written)


def test_an_impossible_decision_is_named() -> None:
    written = short_game()
    written.decisions[3] = (written.decisions[3][0] ^ 1, 0)
    with pytest.raises(BadData, match="Decision 4"):
        journal.finish(ENGINE, written)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1,2]", b'{"game": 3}', b"\xff\xfe"])
def test_a_file_that_is_no_journal_is_refused(data: bytes) -> None:
    with pytest.raises(BadData, match="not a game record"):
        journal.load(data)
