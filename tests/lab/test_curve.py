"""The events of a run that learns are such as TensorBoard reads."""

import pathlib
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from ludoteca.lab import curve


def records(data: bytes) -> Iterator[Any]:
    """What stands in an events file, checksums compared."""
    while data:
        length = struct.unpack("<Q", data[:8])[0]
        content = data[12 : 12 + length]
        assert data[8:12] == struct.pack("<I", curve.masked(data[:8]))
        assert data[12 + length : 16 + length] == struct.pack("<I", curve.masked(content))
        yield content
        data = data[16 + length :]


def test_the_checksum_is_the_known_one() -> None:
    assert curve.crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize(("number", "written"), [(0, b"\0"), (127, b"\x7f"), (300, b"\xac\x02")])
def test_numbers_are_written_seven_bits_at_a_time(number: int, written: bytes) -> None:
    assert curve.varint(number) == written


def test_rows_are_added_and_a_run_that_goes_on_begins_its_file_anew(tmp_path: pathlib.Path) -> None:
    rows = [{"games": 300, "loss": 0.5}, {"games": 600, "loss": 0.25, "win_rate": 0.75}]
    events = curve.Events(tmp_path, "games")
    events.write(rows[:1])
    events.write(rows)
    first, one, two = records(events.path.read_bytes())
    assert first.endswith(b"\x1a\x0dbrain.Event:2")
    assert one[9:] == b"\x10\xac\x02" + b"\x2a\x0d\x0a\x0b\x0a\x04loss\x15" + struct.pack("<f", 0.5)
    assert b"\x0a\x08win_rate\x15" + struct.pack("<f", 0.75) in two
    again = curve.Events(tmp_path, "games")
    again.write(rows)
    assert len(list(records(again.path.read_bytes()))) == 3
