"""Reading the card files of a game: every mistake is said in one sentence that names file, line and column.

for row in read_sheet(path, ("id", "name", "points")):
    card = Card(row["id"], row["name"], row.number("points"))
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import pathlib
from collections.abc import Iterator, Sequence

from .errors import BadData

SAVE = "save it as plain UTF-8"


class WrongCell(ValueError):
    """What stands in a column of a line cannot be."""

    def __init__(self, column: str, what: str) -> None:
        super().__init__(what)
        self.column = column


class SheetRow(dict[str, str]):
    """One line of a file, by the names of its columns."""

    def __init__(self, file: str, line: int, values: dict[str, str]) -> None:
        super().__init__(values)
        self.file, self.line = file, line

    def number(self, column: str, empty: int | None = None) -> int:
        """The whole number in a column; `empty` where nothing is written, if that is allowed."""
        written = self[column].strip()
        if not written and empty is not None:
            return empty
        try:
            return int(written)
        except ValueError:
            raise mistake(self.file, self.line, column, f"«{written}» is no whole number") from None

    @contextlib.contextmanager
    def checked(self) -> Iterator[None]:
        """What is found wrong with this line is said with its place."""
        try:
            yield
        except WrongCell as error:
            raise mistake(self.file, self.line, error.column, str(error)) from None
        except ValueError as error:
            raise mistake(self.file, self.line, "", str(error)) from None


def mistake(file: str, line: int, column: str | int, what: str, key: str = "bad_components") -> BadData:
    """What is wrong, and where."""
    place = f", column {column}" if column else ""
    return BadData(f"{file}, line {line}{place}: {what}.", key)


def read_sheet(path: pathlib.Path, columns: Sequence[str]) -> list[SheetRow]:
    """The lines of a file, which must have these columns."""
    reader = csv.reader(io.StringIO(plain_text(path), newline=""))
    head = next(reader, [])
    for column in columns:
        if column not in head:
            raise mistake(path.name, 1, column, f"this column is missing; there is {', '.join(head) or 'nothing'}")
    found = []
    for cells in reader:
        if len(cells) != len(head):
            if not cells:
                continue  # an empty line
            raise mistake(
                path.name, reader.line_num, min(len(cells), len(head)) + 1,
                f"there are {len(cells)} cells under {len(head)} columns",
            )  # fmt: skip
        found.append(SheetRow(path.name, reader.line_num, dict(zip(head, cells, strict=True))))
    return found


def plain_text(path: pathlib.Path) -> str:
    """What a file says, if it is UTF-8 and nothing else."""
    data = path.read_bytes()
    if data.startswith(codecs.BOM_UTF8):
        raise mistake(path.name, 1, 1, f"the file begins with a byte-order mark; {SAVE}, without it")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise mistake(path.name, 1, 1, f"the file is UTF-16; {SAVE}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        raise mistake(path.name, line, column, f"this is no UTF-8, perhaps Latin-1; {SAVE}") from None
