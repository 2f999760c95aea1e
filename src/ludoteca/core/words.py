"""Words come from catalogues: flat JSON files of templates, one a language, shared with the browser.

A small subset of ICU message format: `{name}`, `{n, plural, one {# gem} other {# gems}}` (also `=0 {…}`) and
`{who, select, you {You take} other {{name} takes}}`. `web/src/words.ts` implements the same subset.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .facts import TAKEN_BACK_NAME, Json, Value
from .forms import Words
from .game import Game

# How a type of value is said: (telling, value, the event or choice it belongs to) → what stands in the sentence.
Speaker = Callable[["Telling", Any, Json], Any]

LANGUAGES = ("en", "it")


@functools.cache
def catalogue(folder: pathlib.Path, language: str, part: str = "") -> dict[str, str]:
    """The templates of one folder and language; of the table's own words also those of one part, which few pages need."""
    path = folder / "words" / part / f"{language}.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def word_of(folder: pathlib.Path, own: Words, language: str, key: str, **facts: Any) -> str:
    """A sentence of one game's own words; each game has it as `word`, with its folder and its deck's titles given."""
    title = own.get(language, {}).get(key)
    return title if title is not None else fill(catalogue(folder, language)[key], facts)


@dataclass(frozen=True)
class Telling:
    """To whom something is told: what they may see, what everybody is called, their language and their own seat."""

    game: Game
    seen: Any  # the game's own State, as this viewer may see it
    names: list[str]
    language: str
    you: int | None = None

    def event(self, event: Json) -> str:
        """An event as a sentence; `who` is its doer, `name` what the doer is called."""
        facts = self.game.facts
        if event["kind"] == TAKEN_BACK_NAME:
            return self.word("event.taken_back", who=self.who(event["seat"]), name=self.names[event["seat"]])
        doer = event[facts.doer]
        named = "" if doer is None else self.say(facts.doer, doer, event)
        values = {"who": self.who(doer), "name": named} | self.values(event, facts.values_of(event["kind"]))
        return self.word(f"event.{event['kind']}", **values)

    def choice(self, choice: Json) -> str:
        """A choice as a sentence."""
        declared = self.game.choices.values_of(choice["kind"])
        return self.word(f"action.{choice['kind']}", **self.values(choice, declared))

    def rival(self, choice: Json) -> str:
        """What somebody else may do, as it stands after «can»; the choice itself where a game has no words for that."""
        key, declared = f"rival.{choice['kind']}", self.game.choices.values_of(choice["kind"])
        said = self.word(key, **self.values(choice, declared))
        return f"«{self.choice(choice)}»" if said == key else said

    def values(self, said: Json, declared: Mapping[str, Value]) -> Json:
        """The values of a sentence, from an event or choice and the types of what it carries."""
        return {
            name: self.say(one.name, said.get(name if one.in_json else one.source), said, one.words)
            for name, one in declared.items()
        }

    def say(self, kind: str, value: Any, said: Json, words: str = "") -> Any:
        """A value of this type as a sentence has it; `said` is the event or choice it belongs to."""
        if kind in self.game.spoken:
            return self.game.spoken[kind](self, value, said)
        if value is None:
            return "none"
        if words:
            return self.word(f"{words}.{value}")
        if kind == "seat":
            return self.names[value]
        if kind == "seats":
            return ", ".join(self.names[seat] for seat in value)
        if kind == "flag":
            return "yes" if value else "no"
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def who(self, seat: int | None) -> str:
        """`you` or `other`, for a template to choose by."""
        return "you" if seat is not None and seat == self.you else "other"

    def word(self, key: str, **values: Any) -> str:
        """A sentence of the game's words, or of the table's own."""
        return sentence(self.game, self.language, key, values)


def sentence(game: Game, language: str, key: str, facts: Mapping[str, Any]) -> str:
    """The sentence of a game's catalogue, or of the table's own; a missing one reads as its key.

    The titles that a deck brings are text and nothing else: they are not filled in.
    """
    title = game.own_words.get(language, {}).get(key)
    if title is not None:
        return title
    for folder in (game.folder, pathlib.Path(__file__).parents[1]):
        template = catalogue(folder, language).get(key)
        if template is not None:
            return fill(template, facts)
    return key


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
