"""What kernels write on a page is the JSON that Python would write."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core.pen import CLOSE, COMMA, OPEN, ROOM, Page, Texts, copy, in_json, number, numbers, sign

LONG = np.zeros(ROOM, np.uint8)


@given(st.integers(-(2**62), 2**62))
def test_a_number_is_written_as_python_writes_it(value: int) -> None:
    page = Page()
    number(page, value)
    assert page.taken() == str(value).encode()


@given(st.lists(st.integers(-128, 127), max_size=20))
def test_a_row_of_numbers_is_a_list(row: list[int]) -> None:
    page = Page()
    numbers(page, np.array(row, np.int8))
    assert json.loads(page.taken()) == row


@given(st.lists(st.text(max_size=12), min_size=1, max_size=6))
def test_texts_are_found_by_their_numbers(words: list[str]) -> None:
    texts, page = Texts(), Page()
    first = texts.add_all(map(in_json, words))
    bytes_, starts = texts.bytes()
    sign(page, OPEN)
    for k in range(len(words)):
        if k:
            sign(page, COMMA)
        copy(page, bytes_, starts[first + k], starts[first + k + 1])
    sign(page, CLOSE)
    assert json.loads(page.taken()) == words


def test_a_page_is_empty_once_it_was_taken() -> None:
    page = Page()
    number(page, 7)
    assert page.taken() == b"7"
    assert page.taken() == b""


@pytest.mark.parametrize(
    "write", [lambda page: copy(page, LONG, 0, ROOM), lambda page: number(page, 1234), lambda page: sign(page, COMMA)]
)
def test_what_finds_no_place_is_noticed_and_harms_nothing(write: Callable[[Page], None]) -> None:
    page = Page()
    copy(page, LONG, 0, ROOM - 1)
    write(page)
    with pytest.raises(AssertionError, match="no room"):
        page.taken()
    sign(page, COMMA)
    assert page.taken() == b","
