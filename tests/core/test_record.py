import numpy as np
import pytest

from ludoteca.core.record import EVERYONE, HIDDEN, SPECTATOR, Field, Plain, Redactor, See, record

BASICS = (
    Field("rng", "i8", (), See.NOBODY, "stream"),
    Field("seats", "i1", (), See.PUBLIC, "players"),
    Field("waiting", "i1", (3,), See.PUBLIC, "who decides"),
)
FIELDS = (
    *BASICS,
    Field("purse", "i2", (3,), See.OWNER, "coins"),
    Field("hand", "i1", (3, 2), See.MARKED, "cards", marks="known"),
    Field("known", "i4", (3, 2), See.PUBLIC, "audience bits"),
)


def full():
    states = np.zeros(2, record(FIELDS))
    states["rng"], states["seats"] = 12345, 3
    states["purse"] = [[5, 6, 7], [8, 9, 10]]
    states["hand"] = [[[1, 2], [3, 4], [5, 6]]] * 2
    states["known"] = [[[1, EVERYONE], [2, 2], [4, 0b011]]] * 2
    return states


def test_the_record_is_packed():
    assert record(FIELDS).itemsize == 8 + 1 + 3 + 6 + 6 + 24


@pytest.mark.parametrize("name", ["round", "copy", "take", "sort", "shape", "T"])
def test_a_field_may_not_hide_an_attribute_of_arrays(name):
    with pytest.raises(ValueError, match="may not be called"):
        record((*BASICS, Field(name, "i1", (), See.PUBLIC, "")))


def test_a_field_is_listed_once_and_its_kind_is_checked():
    with pytest.raises(ValueError, match="twice"):
        record((*BASICS, BASICS[0]))
    with pytest.raises(ValueError, match="use i1"):
        record((*BASICS, Field("flag", "?", (), See.PUBLIC, "")))
    with pytest.raises(ValueError, match="companion"):
        record((*BASICS, Field("hand", "i1", (2,), See.MARKED, "", marks="nowhere")))
    with pytest.raises(ValueError, match="called waiting"):
        record(BASICS[:2])


def test_owners_see_their_own_and_nobody_sees_the_stream():
    redact = Redactor(FIELDS)
    mine = redact(full(), 1, 0)
    assert mine["rng"][0] == HIDDEN
    assert mine["purse"][0].tolist() == [8, HIDDEN, HIDDEN]
    assert redact(full(), 1, SPECTATOR)["purse"][0].tolist() == [HIDDEN] * 3


def test_marked_elements_are_seen_by_whoever_is_marked():
    redact = Redactor(FIELDS)
    assert redact(full(), 0, 0)["hand"][0].tolist() == [[1, 2], [HIDDEN, HIDDEN], [HIDDEN, 6]]
    assert redact(full(), 0, 1)["hand"][0].tolist() == [[HIDDEN, 2], [3, 4], [HIDDEN, 6]]
    assert redact(full(), 0, SPECTATOR)["hand"][0].tolist() == [[HIDDEN, 2], [HIDDEN, HIDDEN], [HIDDEN, HIDDEN]]


def test_redacting_changes_nothing_in_the_original():
    states = full()
    before = states.tobytes()
    Redactor(FIELDS)(states, 0, 0)["purse"][:] = 0
    assert states.tobytes() == before


def test_plain_reads_whole_numbers_and_writes_back():
    states = full()
    state = Plain(states, 1)
    assert type(state.purse[0]) is int
    assert type(state.hand[1, 1]) is int
    state.purse[0] = 99
    state.seats = 2
    assert states["purse"][1, 0] == 99
    assert states["seats"][1] == 3, "scalars are written by close"
    state.close()
    assert states["seats"][1] == 2
    assert states["seats"][0] == 3


def test_small_numbers_do_not_overflow_in_plain_python():
    state = Plain(full(), 0)
    assert state.hand[2, 1] << 20 == 6 << 20
