import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

from ludoteca.core.record import (
    EVERYONE,
    HIDDEN,
    SPECTATOR,
    Field,
    Record,
    Redactor,
    See,
    States,
    marked_by,
    private,
    public,
    record,
    secret,
)

ROOT = pathlib.Path(__file__).parents[2]


class Basics(Record):
    rng = secret("i8", (), "stream")
    seats = public("i1", (), "players")
    waiting = public("i1", (3,), "who decides")


class State(Basics):
    purse = private("i2", (3,), "coins")
    hand = marked_by("known")("i1", (3, 2), "cards")
    known = public("i4", (3, 2), "audience bits")


BASICS, FIELDS = Basics.FIELDS, State.FIELDS


def full() -> States:
    states = np.zeros(2, State.DTYPE)
    states["rng"], states["seats"] = 12345, 3
    states["purse"] = [[5, 6, 7], [8, 9, 10]]
    states["hand"] = [[[1, 2], [3, 4], [5, 6]]] * 2
    states["known"] = [[[1, EVERYONE], [2, 2], [4, 0b011]]] * 2
    return states


def test_the_record_is_packed() -> None:
    assert State.DTYPE.itemsize == 8 + 1 + 3 + 6 + 6 + 24
    assert State.bytes_of("hand") == slice(18, 24)


def test_a_field_is_declared_in_one_line() -> None:
    assert State.DTYPE.names == ("rng", "seats", "waiting", "purse", "hand", "known")
    assert FIELDS[0] == Field("rng", "i8", (), See.NOBODY, "stream")
    assert FIELDS[3] == Field("purse", "i2", (3,), See.OWNER, "coins")
    assert FIELDS[4] == Field("hand", "i1", (3, 2), See.MARKED, "cards", marks="known")


@pytest.mark.parametrize("name", ["round", "copy", "take", "sort", "shape", "T", "close", "FIELDS"])
def test_a_field_may_not_hide_an_attribute_of_arrays(name: str) -> None:
    with pytest.raises(ValueError, match="may not be called"):
        record((*BASICS, Field(name, "i1", (), See.PUBLIC, "")))


def test_a_field_is_listed_once_and_its_kind_is_checked() -> None:
    with pytest.raises(ValueError, match="twice"):
        record((*BASICS, BASICS[0]))
    with pytest.raises(ValueError, match="use i1"):
        record((*BASICS, Field("flag", "?", (), See.PUBLIC, "")))
    with pytest.raises(ValueError, match="companion"):
        record((*BASICS, Field("hand", "i1", (2,), See.MARKED, "", marks="nowhere")))
    with pytest.raises(ValueError, match="called waiting"):
        record(BASICS[:2])


def test_owners_see_their_own_and_nobody_sees_the_stream() -> None:
    redact = Redactor(FIELDS)
    mine = redact(full(), 1, 0)
    assert mine["rng"][0] == HIDDEN
    assert mine["purse"][0].tolist() == [8, HIDDEN, HIDDEN]
    assert redact(full(), 1, SPECTATOR)["purse"][0].tolist() == [HIDDEN] * 3


def test_marked_elements_are_seen_by_whoever_is_marked() -> None:
    redact = Redactor(FIELDS)
    assert redact(full(), 0, 0)["hand"][0].tolist() == [[1, 2], [HIDDEN, HIDDEN], [HIDDEN, 6]]
    assert redact(full(), 0, 1)["hand"][0].tolist() == [[HIDDEN, 2], [3, 4], [HIDDEN, 6]]
    assert redact(full(), 0, SPECTATOR)["hand"][0].tolist() == [[HIDDEN, 2], [HIDDEN, HIDDEN], [HIDDEN, HIDDEN]]


def test_redacting_changes_nothing_in_the_original() -> None:
    states = full()
    before = states.tobytes()
    Redactor(FIELDS)(states, 0, 0)["purse"][:] = 0
    assert states.tobytes() == before


def test_plain_reads_whole_numbers_and_writes_back() -> None:
    states = full()
    state = State(states, 1)
    assert type(state.purse[0]) is int
    assert type(state.hand[1, 1]) is int
    state.purse[0] = 99
    state.seats = 2
    assert states["purse"][1, 0] == 99
    assert states["seats"][1] == 3, "scalars are written by close"
    state.close()
    assert states["seats"][1] == 2
    assert states["seats"][0] == 3


def test_small_numbers_do_not_overflow_in_plain_python() -> None:
    state = State(full(), 0)
    assert state.hand[2, 1] << 20 == 6 << 20


def test_a_copy_has_a_record_of_its_own() -> None:
    states = full()
    copied = State(states, 1).copy()
    copied.purse[0] = 99
    copied.seats = 2
    copied.close()
    assert copied.tobytes() != states[1:].tobytes()
    assert states["purse"][1, 0] == 8
    assert states["seats"][1] == 3


MISTAKES = """
from ludoteca.games.splendor.state import State

def rule(state: State, seat: int) -> int:
    state.idle_turn = 0
    state.tokens[seat] -= 1
    state.bank[seat, 0] = 1
    if state.points > 15:
        return state.market[0]
    return state.bonus[seat, 0]
"""


def test_mypy_finds_a_misspelt_field_and_an_index_too_few(tmp_path: pathlib.Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(MISTAKES)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", str(snippet)], cwd=ROOT, capture_output=True, text=True
    )
    found = {(int(line), code) for line, code in re.findall(r"snippet\.py:(\d+): error: .* \[(.*)\]", checked.stdout)}
    assert found >= {
        (5, "attr-defined"),
        (6, "operator"),
        (7, "index"),
        (8, "operator"),
        (9, "return-value"),
        (10, "attr-defined"),
    }, checked
