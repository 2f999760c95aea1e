"""What a deck must look like: its columns, what may stand in a cell, and what the whole must keep to.

A *deck* is what is printed on the components of a game, as data of somebody's own: a table as spreadsheets write it, or a
sheet in JSON. A game declares the *forms* of its decks (`Game.forms`) and makes its tables from rows that were checked here,
printed and own ones alike. Every mistake is found at once and has its place: a line, a column, and a sentence of
`words/decks/<language>.json` (the house's, or the game's own).
"""

from __future__ import annotations

import codecs
import csv
import difflib
import functools
import io
import json
import pathlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import BadData

Json = dict[str, Any]
Words = Mapping[str, Mapping[str, str]]  # by language, then by key

MOST_BYTES = 1_000_000
MOST_ROWS = 400
MOST_MISTAKES = 200  # a file of another sort has thousands
LONGEST_TEXT = 40
DEEPEST = 12  # brackets within brackets, in JSON
COMMENT = "#"  # a line that begins with it explains
FREE = ("note", "status", "source", "name_it_status", "number")  # columns for people: they are not part of the deck
ID = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,39}")
FORMULA = ("=", "+", "-", "@")
TURNS_TEXT = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
WHOLE = re.compile(r"[+-]?\d{1,6}(\.0+)?")  # some spreadsheets write 3.0


@dataclass(frozen=True)
class Mistake:
    """What is wrong, and where: a line of the file (0: all of it), a column, and the sentence's key and facts."""

    line: int
    column: str
    key: str
    facts: Json = field(default_factory=dict)
    row: int = -1  # which of the rows, from 0


@dataclass(frozen=True)
class Column:
    """One column: a whole number within bounds, one of some words, the id of a row, or a text.

    `of` names the kinds of row that have it, if not all do; others leave it empty.
    """

    key: str
    sort: str  # number, choice, id, text
    low: int = 0
    high: int = 0
    values: tuple[str, ...] = ()  # of a choice; of a number: the words that may stand in its place
    of: tuple[str, ...] = ()
    empty: str | None = None  # what an empty cell means, if it may be empty
    worked_out: bool = False

    @property
    def needed(self) -> bool:
        """Whether every table has it."""
        return self.empty is None or bool(self.of)

    def read(self, written: str) -> str:
        """The cell as it is kept; a `Wrong` says what is wrong with it."""
        text = unicodedata.normalize("NFC", written).strip()
        if not text and self.empty is not None:
            return self.empty
        if self.sort == "number":
            return self._number(text)
        if self.sort == "choice":
            if text not in self.values:
                near = difflib.get_close_matches(text.lower(), self.values, 1)
                raise Wrong("choice", value=shown(text), values=listed(self.values), near=near[0] if near else "none")
            return text
        if self.sort == "id":
            if not ID.fullmatch(text):
                raise Wrong("id", value=shown(text))
            return text
        return plain(text)

    def _number(self, text: str) -> str:
        if text in self.values:
            return text
        if not WHOLE.fullmatch(text):
            key = "formula" if text.startswith(FORMULA) and not text[1:].isdigit() else "number"
            raise Wrong(key, value=shown(text), low=self.low, high=self.high)
        number = int(text.partition(".")[0])
        if not self.low <= number <= self.high:
            raise Wrong("bounds", value=number, low=self.low, high=self.high)
        return str(number)


class Wrong(Exception):
    """What is wrong with a cell."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key, self.facts = key, facts


def plain(text: str) -> str:
    """A text that is nothing but text: no formula, no markup, nothing that turns the direction of reading."""
    if text.startswith(FORMULA):
        raise Wrong("formula", value=shown(text), low=0, high=0)
    if any(sign in text for sign in "<>{}"):
        raise Wrong("markup", value=shown(text))
    if TURNS_TEXT.intersection(text):
        raise Wrong("direction", value=shown(text))
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for sign in text):
        raise Wrong("control", value=shown(text))
    if len(text) > LONGEST_TEXT:
        raise Wrong("long", value=shown(text), most=LONGEST_TEXT)
    return text


def shown(text: str) -> str:
    """What somebody wrote, fit to be repeated."""
    kept = "".join(sign if sign.isprintable() and sign not in TURNS_TEXT else "�" for sign in text)
    return kept if len(kept) <= 30 else f"{kept[:30]}…"


def listed(values: Sequence[str]) -> str:
    """Words one may choose from."""
    return ", ".join(value for value in values if value)


class Cells(dict[str, str]):
    """One row by the names of its columns, and the line of the file it stands in."""

    def __init__(self, values: Mapping[str, str], line: int, row: int) -> None:
        super().__init__(values)
        self.line, self.row = line, row

    def number(self, column: str) -> int:
        """The whole number in a column."""
        return int(self[column])

    def wrong(self, column: str, key: str, **facts: Any) -> Mistake:
        """A mistake in this row."""
        return Mistake(self.line, column, key, facts, self.row)


Check = Callable[[list[Cells]], Iterator[Mistake]]


@dataclass(frozen=True)
class Form:
    """A sort of deck: the columns of its table, and what the table as a whole must keep to.

    A form without columns is a sheet in JSON, which `read_sheet` checks and puts in order.
    """

    key: str
    columns: tuple[Column, ...] = ()
    kinds: tuple[str, ...] = ()  # the kinds of row, if there are several: then a column `kind` says which
    check: Check = lambda rows: iter(())  # of all rows together, once each is well by itself
    each: Check = lambda rows: iter(())  # of those that are well cell by cell, one by one
    printed: Callable[[], Any] = list  # the printed content: rows, or a sheet
    options: Mapping[str, str] = field(default_factory=dict)  # what a game with such a deck is played with
    words: Callable[[Any], Words] = lambda content: {}  # titles of its own, by language and key
    read_sheet: Callable[[Any, Callable[[Sequence[Any]], int]], tuple[Any, list[Mistake]]] | None = None

    @property
    def is_sheet(self) -> bool:
        """Whether it is written in JSON."""
        return self.read_sheet is not None

    @functools.cached_property
    def named(self) -> dict[str, Column]:
        """The columns by name."""
        return {column.key: column for column in self.columns}

    # From a file.

    def read(self, text: str) -> tuple[Any, list[Mistake]]:
        """The content that a text says, and every mistake in it."""
        if self.read_sheet is not None:
            sheet, problem = parsed(text)
            return (None, [problem]) if problem else self.read_sheet(sheet, Places(text).line)
        at, head, lines = split(text)
        wrong = list(self._wrong_head(head, at))
        if len(lines) > MOST_ROWS:
            wrong.append(Mistake(lines[MOST_ROWS][0], "", "too_many_rows", {"found": len(lines), "most": MOST_ROWS}))
        if len(lines) > MOST_ROWS or (self.kinds and "kind" not in head):
            return None, wrong[:MOST_MISTAKES]
        rows, found = self._read_rows(head, lines)
        if wrong:  # what can be read is read all the same, so that every mistake is said at once
            return None, [*wrong, *found, *self._wrong_ids(rows)][:MOST_MISTAKES]
        wrong += found
        wrong += self._wrong_ids(rows)
        spoilt = {mistake.row for mistake in wrong}
        wrong += self.each([row for row in rows if row.row not in spoilt])
        if not wrong:
            wrong += self.check(rows)
        return [self.kept(row) for row in rows], wrong[:MOST_MISTAKES]

    def _wrong_head(self, head: list[str], line: int) -> Iterator[Mistake]:
        needed = [column.key for column in self.columns if column.needed]
        for column in head:
            if column and column not in self.named and column not in FREE:
                near = difflib.get_close_matches(column, self.named, 1)
                facts = {
                    "column": shown(column),
                    "columns": listed(list(self.named)),
                    "near": near[0] if near else "none",
                }
                yield Mistake(line, shown(column), "unknown_column", facts)
        for column in dict.fromkeys(head):
            if column and head.count(column) > 1:
                yield Mistake(line, shown(column), "column_twice", {"column": shown(column)})
        for column in needed:
            if column not in head:
                yield Mistake(line, column, "missing_column", {"column": column, "columns": listed(head)})

    def _read_rows(self, head: list[str], lines: list[tuple[int, list[str]]]) -> tuple[list[Cells], list[Mistake]]:
        rows, wrong = list[Cells](), list[Mistake]()
        for number, (line, cells) in enumerate(lines):
            if any(cell.strip() for cell in cells[len(head) :]):
                facts = {"cells": len(cells), "columns": len(head)}
                wrong.append(Mistake(line, "", "too_many_cells", facts, number))
            written = dict(zip(head, [*cells, *[""] * len(head)], strict=False))
            row, found = self.row(written, line, number)
            rows.append(row)
            wrong += found
        return rows, wrong

    def row(self, written: Mapping[str, str], line: int, number: int) -> tuple[Cells, list[Mistake]]:
        """One row, cell by cell."""
        row, wrong = Cells({}, line, number), list[Mistake]()
        kind = written.get("kind", "").strip()
        if self.kinds and kind not in self.kinds:
            facts = {"value": shown(kind), "values": listed(self.kinds), "near": "none"}
            return row, [row.wrong("kind", "choice", **facts)]
        for column in self.columns:
            if column.key not in written and column.needed:
                continue  # that is said once, of the column
            cell = written.get(column.key, "")
            if column.of and kind not in column.of:
                if cell.strip() not in ("", "0"):
                    wrong.append(row.wrong(column.key, "not_here", value=shown(cell), kind=kind))
                continue
            try:
                row[column.key] = column.read(cell)
            except Wrong as mistake:
                wrong.append(row.wrong(column.key, mistake.key, **mistake.facts))
        return row, wrong

    def _wrong_ids(self, rows: list[Cells]) -> Iterator[Mistake]:
        first: dict[str, int] = {}
        for row in rows:
            id = row.get("id", "")
            if id and id in first:
                yield row.wrong("id", "twice", id=id, line=first[id])
            elif id:
                first[id] = row.line

    def kept(self, row: Mapping[str, str]) -> dict[str, str]:
        """What of a row belongs to the deck."""
        return {column.key: row[column.key] for column in self.columns if column.key in row}

    # From content that was kept.

    def again(self, content: Any) -> list[Mistake]:
        """The mistakes in content that comes from elsewhere."""
        if self.read_sheet is not None:
            return self.read_sheet(content, lambda path: 0)[1]
        if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
            return [Mistake(0, "", "no_table")]
        if not all(isinstance(cell, str) for row in content for cell in row.values()):
            return [Mistake(0, "", "no_table")]
        head = list(dict.fromkeys(key for row in content for key in row))
        return self.read(written(head, content))[1]

    def cells(self, content: Sequence[Mapping[str, str]]) -> list[Cells]:
        """Rows of checked content."""
        return [Cells(row, number + 2, number) for number, row in enumerate(content)]


def written(head: Sequence[str], rows: Sequence[Mapping[str, str]], comments: Sequence[Sequence[str]] = ()) -> str:
    """A table as text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows(comments)
    writer.writerow(head)
    writer.writerows([row.get(column, "") for column in head] for row in rows)
    return out.getvalue()


# From bytes to text to cells.


def decoded(data: bytes) -> str:
    """The text of a file, however a spreadsheet has written it; a `Wrong` says why it has none."""
    if len(data) > MOST_BYTES:
        raise Wrong("too_big", size=round(len(data) / 1e6, 1), most=MOST_BYTES / 1e6)
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise Wrong("spreadsheet")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise Wrong("binary")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].split(b"\n")
        raise Wrong("latin", line=len(before), column=len(before[-1]) + 1) from None


def split(text: str) -> tuple[int, list[str], list[tuple[int, list[str]]]]:
    """The line and the names of the columns, and each row with its line; separated by commas, semicolons or tabs."""
    first = next((line for line in text.splitlines() if line.strip() and not is_comment(line)), "")
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    at, head, found = 1, list[str](), list[tuple[int, list[str]]]()
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return at, head, found
        except csv.Error:  # a cell of more than 128 kB, or a quote that never ends
            raise Wrong("cell", line=line) from None
        if not any(cell.strip() for cell in cells) or is_comment(cells[0]):
            continue
        if head:
            found.append((line, cells))
        else:
            at, head = line, [cell.strip().lower() for cell in cells]


def is_comment(text: str) -> bool:
    """Whether a line explains."""
    return text.lstrip('"').startswith(COMMENT)


# JSON


def parsed(text: str) -> tuple[Any, Mistake | None]:
    """What a text in JSON says, or why it says nothing."""
    if deepest(text) > DEEPEST:
        return None, Mistake(1, "", "deep", {"most": DEEPEST})
    try:
        return json.loads(text), None
    except json.JSONDecodeError as error:
        return None, Mistake(error.lineno, str(error.colno), "no_json", {"what": error.msg})
    except ValueError:  # a number of thousands of digits
        return None, Mistake(1, "", "no_json", {"what": "a number is too long"})


def deepest(text: str) -> int:
    """How many brackets lie within each other at most, strings left out."""
    depth = most = 0
    for sign in re.sub(r'"(?:[^"\\]|\\.)*"', "", text):
        depth += (sign in "[{") - (sign in "]}")
        most = max(most, depth)
    return most


class Places:
    """Where in a text each part of its JSON stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at: dict[tuple[Any, ...], int] = {}
        self._walk(self._skip(0), ())

    def line(self, path: Sequence[Any]) -> int:
        """The line of this part, or of the nearest one around it that is there."""
        whole = tuple(path)
        while whole and whole not in self._at:
            whole = whole[:-1]
        return self._text.count("\n", 0, self._at[whole]) + 1

    def _skip(self, at: int) -> int:
        while self._text[at : at + 1] in (" ", "\n", "\r", "\t", ",", ":") and at < len(self._text):
            at += 1
        return at

    def _walk(self, at: int, path: tuple[Any, ...]) -> int:
        self._at[path] = at
        text, decoder = self._text, json.JSONDecoder()
        if text[at] not in "{[":
            return int(decoder.raw_decode(text, at)[1])
        closing, number, at = {"{": "}", "[": "]"}[text[at]], 0, self._skip(at + 1)
        while text[at] != closing:
            name: Any = number
            if closing == "}":
                name, at = decoder.raw_decode(text, at)
                at = self._skip(at)
            at = self._skip(self._walk(at, (*path, name)))
            number += 1
        return at + 1


# The printed files of a game, and the deck that its tables are made of.

_chosen: dict[str, Any] = {}  # the decks of games that are made of one, by the name of their package


def chosen(module: str) -> Any:
    """The deck that this module's game is made of, or None: the printed one."""
    return _chosen.get(module.partition(".")[0])


def printed_rows(form: Form, path: pathlib.Path, folder: pathlib.Path) -> list[Cells]:
    """The rows of a printed file of the game in this folder; it must be without a mistake."""
    try:
        content, wrong = form.read(decoded(path.read_bytes()))
    except Wrong as error:
        content, wrong = None, [Mistake(error.facts.get("line", 0), "", error.key, error.facts)]
    if wrong:
        raise BadData(in_a_line(wrong[0], path.name, folder), "bad_components")
    return form.cells(content)


# Mistakes in words.

HOUSE = pathlib.Path(__file__).parents[1]


def in_a_line(mistake: Mistake, file: str, folder: pathlib.Path, language: str = "en") -> str:
    """File, line, column, and what is wrong; `folder` is the game's."""
    place = [file] if file else []
    if mistake.line:
        place.append(deck_word(folder, language, "place.line", line=mistake.line))
    if mistake.column:
        place.append(deck_word(folder, language, "place.column", column=mistake.column))
    return f"{', '.join(place)}: {sentence_of(mistake, folder, language)}"


def sentence_of(mistake: Mistake, folder: pathlib.Path, language: str) -> str:
    """What is wrong, and what would be right."""
    return deck_word(folder, language, f"mistake.{mistake.key}", **mistake.facts)


def deck_word(folder: pathlib.Path, language: str, key: str, /, **facts: Any) -> str:
    """A sentence about decks, of the game's own or of the house's; a missing one reads as its key."""
    from .words import fill  # here, because words know games and games know forms

    for words in (deck_words(folder, language), deck_words(HOUSE, language)):
        if key in words:
            return fill(words[key], facts)
    return key


@functools.cache
def deck_words(folder: pathlib.Path, language: str) -> dict[str, str]:
    """The sentences about decks of one folder and language."""
    path = folder / "words" / "decks" / f"{language}.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}
