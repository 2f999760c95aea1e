"""The curve of a run that learns, row by row: as a table (`curve.csv`), and as events that TensorBoard draws.

An events file is records one after the other, each with its length and checksums (CRC-32C) around it; a record is an `Event`
in the wire format of Protocol Buffers. That little is written here, so that nothing need be installed for it:

    tensorboard --logdir runs
"""

from __future__ import annotations

import csv
import pathlib
import struct
import time
from collections.abc import Mapping, Sequence

from ludoteca.core.errors import BadData

Row = Mapping[str, float | None]
EVENTS = "events.out.tfevents.ludoteca"  # TensorBoard reads files with this word in their names


def write_table(curve: Sequence[Row], columns: Sequence[str], path: pathlib.Path) -> None:
    """A line for each row; nothing where a row has no such number."""
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, columns, lineterminator="\n")
        sheet.writeheader()
        for row in curve:
            sheet.writerow({name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()})


def check_plan(plan: Mapping[str, object], kept: Mapping[str, object], folder: pathlib.Path) -> None:
    """Refuses to go on with a run by another plan than it began with; says with which settings it would go on."""
    other = [f"{name} {kept.get(name)}" for name, value in plan.items() if kept.get(name) != value]
    if other:
        sentence = f"The run in {folder} had other settings: {', '.join(other)}. With these it goes on."
        raise BadData(sentence, "no_such_value")


class Events:
    """The events file of a run: begun anew with the rows there are, then added to."""

    def __init__(self, folder: pathlib.Path, step: str) -> None:
        """`step`: the number of a row by which the others are drawn."""
        self.path, self._step, self._written = folder / EVENTS, step, 0
        self.path.write_bytes(record(event(file_version="brain.Event:2")))

    def write(self, curve: Sequence[Row]) -> None:
        """The rows of the curve that are not there yet."""
        with self.path.open("ab") as file:
            for row in curve[self._written :]:
                numbers = {name: value for name, value in row.items() if name != self._step and value is not None}
                file.write(record(event(int(row[self._step] or 0), numbers)))
        self._written = len(curve)


# Protocol Buffers: a key says the number of a field and how it is written, as a number, 8 bytes, bytes or 4 bytes.

NUMBER, EIGHT, BYTES, FOUR = 0, 1, 2, 5


def event(step: int = 0, numbers: Mapping[str, float] | None = None, file_version: str = "") -> bytes:
    """An `Event`: when, at which step, and what was found."""
    found = key(1, EIGHT) + struct.pack("<d", time.time()) + key(2, NUMBER) + varint(step)
    if file_version:
        return found + text(3, file_version.encode())
    values = [
        text(1, text(1, name.encode()) + key(2, FOUR) + struct.pack("<f", n)) for name, n in (numbers or {}).items()
    ]
    return found + text(5, b"".join(values))


def key(field: int, kind: int) -> bytes:
    return varint(field << 3 | kind)


def text(field: int, content: bytes) -> bytes:
    return key(field, BYTES) + varint(len(content)) + content


def varint(number: int) -> bytes:
    """Seven bits in each byte, the lowest first; the eighth says that more follow."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def record(content: bytes) -> bytes:
    """As it stands in the file."""
    length = struct.pack("<Q", len(content))
    return length + struct.pack("<I", masked(length)) + content + struct.pack("<I", masked(content))


def masked(content: bytes) -> int:
    """A checksum, turned as the format has it."""
    crc = crc32c(content)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def crc32c(content: bytes) -> int:
    """The checksum by Castagnoli's polynomial."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def _row(number: int) -> int:
    for _ in range(8):
        number = number >> 1 ^ 0x82F63B78 * (number & 1)
    return number


TABLE = [_row(number) for number in range(256)]
