"""Words come from catalogues: flat JSON files of templates, one a language, shared with the browser.

A small subset of ICU message format: `{name}`, `{n, plural, one {# gem} other {# gems}}` (also `=0 {…}`) and
`{who, select, you {You take} other {{name} takes}}`. `web/src/words.ts` implements the same subset.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from .game import Game

LANGUAGES = ("en", "it")


@functools.cache
def catalogue(folder: pathlib.Path, language: str) -> dict[str, str]:
    """The templates of one folder and language."""
    path = folder / "words" / f"{language}.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def sentence(game: Game, language: str, key: str, facts: Mapping[str, Any]) -> str:
    """The sentence of a game's catalogue, or of the table's own; a missing one reads as its key."""
    for folder in (game.folder, pathlib.Path(__file__).parents[1]):
        template = catalogue(folder, language).get(key)
        if template is not None:
            return fill(template, facts)
    return key


def plainly(game: Game, language: str, named: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The facts of an event or choice as words, for a game that does not say them itself: the fact `colour`, if it is
    `red`, is said by the word `colour.red`, if there is one; a name that ends in `seat` is that of a player; a list is said
    by its parts. `web/src/table/plain.ts` does the same.
    """
    words = catalogue(game.folder, language)

    def said(name: str, value: Any) -> Any:
        if value is None:
            return "–"
        if isinstance(value, list):
            return ", ".join(str(said(name, part)) for part in value)
        if isinstance(value, bool):
            value = "true" if value else "false"
        elif isinstance(value, int) and name.endswith("seat") and 0 <= value < len(names):
            return names[value]
        return words.get(f"{name}.{value}", value)

    return {name: said(name, value) for name, value in named.items()}


def rules_page(game: Game, language: str) -> tuple[str, str] | None:
    """The rules in words: a language and its page; English where there is no other, None where nobody wrote any."""
    for code in (language, LANGUAGES[0]):
        path = game.folder / "docs" / f"{code}.md"
        if code in LANGUAGES and path.exists():
            return code, path.read_text("utf-8")
    return None


def fill(template: str, facts: Mapping[str, Any]) -> str:
    """A template with its facts put in."""
    text, end = _fill(template, 0, facts, None)
    assert end == len(template), f"a brace too many in {template!r}"
    return text


def _fill(template: str, at: int, facts: Mapping[str, Any], number: Any) -> tuple[str, int]:
    """Text up to the closing brace of this level (or the end), and where that is."""
    out: list[str] = []
    while at < len(template) and template[at] != "}":
        if template[at] == "{":
            piece, at = _placeholder(template, at + 1, facts, number)
            out.append(piece)
        else:
            out.append(str(number) if template[at] == "#" and number is not None else template[at])
            at += 1
    return "".join(out), at


def _placeholder(template: str, at: int, facts: Mapping[str, Any], number: Any) -> tuple[str, int]:
    end = at
    while template[end] not in ",}":
        end += 1
    name = template[at:end].strip()
    value = facts.get(name, "{" + name + "}")
    if template[end] == "}":
        return str(value), end + 1
    kind_end = template.index(",", end + 1)
    kind = template[end + 1 : kind_end].strip()
    branches, end = _branches(template, kind_end + 1)
    chosen = _chosen(kind, value, branches)
    text, _ = _fill(chosen, 0, facts, value if kind == "plural" else number)
    return text, end


def _branches(template: str, at: int) -> tuple[dict[str, str], int]:
    """`one {…} other {…}` up to and past the closing brace."""
    branches: dict[str, str] = {}
    while template[at] != "}":
        if template[at].isspace():
            at += 1
            continue
        start = template.index("{", at)
        label, depth, end = template[at:start].strip(), 1, start + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(template[end], 0)
            end += 1
        branches[label] = template[start + 1 : end - 1]
        at = end
    return branches, at + 1


def _chosen(kind: str, value: Any, branches: Mapping[str, str]) -> str:
    if kind == "plural":
        if f"={value}" in branches:
            return branches[f"={value}"]
        return branches["one"] if value == 1 and "one" in branches else branches["other"]
    return branches.get(str(value), branches["other"])


def placeholders(template: str) -> set[str]:
    """The names of the facts a template asks for, in any of its branches."""
    found: set[str] = set()
    at = 0
    while at < len(template):
        if template[at] != "{":
            at += 1
            continue
        end = at + 1
        while template[end] not in ",}":
            end += 1
        found.add(template[at + 1 : end].strip())
        if template[end] == ",":
            branches, end = _branches(template, template.index(",", end + 1) + 1)
            for branch in branches.values():
                found |= placeholders(branch)
            at = end
        else:
            at = end + 1
    return found
