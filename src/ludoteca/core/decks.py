"""A deck of somebody's own, and the game that is played with it.

    deck = read_deck(game, "my.csv", data)
    mine = with_deck(game, deck)      # a Game like any other: engines, bots, views, words and journals take it

The tables of a game are made when its modules are executed. A game with a deck is the same modules executed once more, under
another name, with the deck's contents in place of the printed ones (`forms.chosen`): the same functions, other tables. Its
key is the game's, its variant the hash of the contents; so its machine code has a cache of its own, and the printed game is
not touched.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import hashlib
import importlib.util
import json
import pathlib
import sys
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import BadData, Refusal
from .forms import (
    COMMENT,
    LONGEST_TEXT,
    MOST_BYTES,
    Form,
    Mistake,
    Wrong,
    _chosen,
    deck_word,
    decoded,
    in_a_line,
    plain,
    split,
    written,
)
from .game import Game, game_at

KEPT = 24  # games with a deck that a process keeps; those that nobody uses go first
SHORT = 8  # digits of a hash that people are shown


@dataclass(frozen=True)
class Deck:
    """What is printed on the components, as data: the content of one form of one game, checked."""

    game: str  # its key
    form: str
    content: Any
    base: str = field(default="", compare=False)  # where the printed game is
    name: str = field(default="", compare=False)  # for people; two decks with the same content are the same

    @functools.cached_property
    def text(self) -> str:
        """All of it but the name, always in the same way: this is kept, sent and hashed."""
        whole = {"game": self.game, "form": self.form, "content": self.content}
        return json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

    @functools.cached_property
    def hash(self) -> str:
        """The name of its content."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @functools.cached_property
    def place(self) -> str:
        """Where a process finds the game with this deck: the printed game's place, and the whole deck."""
        packed = base64.urlsafe_b64encode(zlib.compress(self.text.encode(), 9)).decode()
        return f"{self.base}@{packed}"

    def form_in(self, game: Game) -> Form:
        """Its form, of those the game declares."""
        return form_of(game, self.form)


class BadDeck(Refusal):
    """A deck that cannot be played: every mistake in it."""

    def __init__(self, game: Game | None, file: str, mistakes: Sequence[Mistake]) -> None:
        self.folder = game.folder if game is not None else pathlib.Path()
        self.mistakes = list(mistakes)
        self.lines = [in_a_line(mistake, file, self.folder) for mistake in mistakes]
        super().__init__("\n".join(self.lines), "bad_deck", mistake=self.lines[0][:300], mistakes=len(self.lines))


# Reading


def read_file(path: pathlib.Path, games: Sequence[Game]) -> tuple[Game, Deck]:
    """The deck in a file and the game it is for, one of these; `BadDeck` says all that is wrong with it."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        facts = {"size": round(path.stat().st_size / 1e6, 1), "most": MOST_BYTES / 1e6}
        raise BadDeck(None, path.name, [Mistake(0, "", "too_big", facts)])
    return read_any(path.name, data, games)


def read_any(file: str, data: bytes, games: Sequence[Game]) -> tuple[Game, Deck]:
    """The deck in the bytes of a file, and the game it is for."""
    try:
        text = decoded(data)
        game, form = recognised(text, games)
    except Wrong as wrong:
        raise BadDeck(None, file, [place_of(wrong)]) from None
    return game, read_deck(game, form, file, text)


def place_of(wrong: Wrong) -> Mistake:
    """What is wrong with the file itself, with its line and column as far as it has them."""
    return Mistake(wrong.facts.get("line", 0), str(wrong.facts.get("column", "")), wrong.key, wrong.facts)


def read_deck(game: Game, form: Form, file: str, text: str) -> Deck:
    """A deck of this form from the text of a file."""
    try:
        content, wrong = form.read(text)
    except Wrong as error:
        content, wrong = None, [place_of(error)]
    if wrong:
        raise BadDeck(game, file, wrong)
    return Deck(game.key, form.key, content, game.place, name_in(text) or tidy_name(pathlib.PurePath(file).stem))


def recognised(text: str, games: Sequence[Game]) -> tuple[Game, Form]:
    """Which game and form a text is for: JSON by its brackets, a table by its columns."""
    forms = [(game, form) for game in games for form in game.forms]
    is_json = text.lstrip()[:1] in ("{", "[")
    if is_json:
        sheets = [(game, form) for game, form in forms if form.is_sheet]
        if sheets:
            return sheets[0]
        raise Wrong("no_such_form", columns="{…}", games=known(games))
    _, head, _ = split(text)
    tables = [(game, form) for game, form in forms if not form.is_sheet]
    if not head or not tables:
        raise Wrong("empty" if not head else "no_such_form", columns=", ".join(head)[:80], games=known(games))
    game, form = max(tables, key=lambda one: (len(set(one[1].named) & set(head)), -len(one[1].named)))
    if 2 * len(set(form.named) & set(head)) < min(len(form.named), len(set(head))):
        raise Wrong("no_such_form", columns=", ".join(head)[:80], games=known(games))
    return game, form


def known(games: Sequence[Game]) -> str:
    """The games that can have decks."""
    return ", ".join(game.title for game in games if game.forms)


def form_of(game: Game, key: str) -> Form:
    """A form by its key; the first, if none is named."""
    for form in game.forms:
        if key in (form.key, ""):
            return form
    there = ", ".join(form.key for form in game.forms)
    if not there:
        raise BadData(f"{game.title} has no decks of one's own.", "no_such_form")
    raise BadData(f"{game.title} has decks of the form {there}; not «{key[:40]}».", "no_such_form")


def from_text(game: Game, text: str, name: str = "") -> Deck:
    """A deck from what `Deck.text` says, be it from a store, a record or another house: it is checked once more."""
    try:
        found = json.loads(text) if len(text) <= 4 * MOST_BYTES else {}
        key, form, content = found["game"], form_of(game, found["form"]), found["content"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadDeck(game, "", [Mistake(0, "", "no_table")]) from None
    if key != game.key:
        raise BadData(f"This deck is of {str(key)[:40]}, not of {game.key}.", "other_game")
    try:
        wrong = form.again(content)
    except Wrong as error:
        wrong = [Mistake(0, "", error.key, error.facts)]
    if wrong:
        raise BadDeck(game, "", wrong)
    deck = Deck(game.key, form.key, content, printed(game).place, tidy_name(name))
    if deck.text != text:  # other spaces, or cells that are read but not kept: it would have another name
        deck = Deck(game.key, form.key, json.loads(deck.text)["content"], deck.base, deck.name)
    return deck


def printed(game: Game) -> Game:
    """The game with its printed deck."""
    return game if game.deck is None else game_at(game.deck.base)


# Writing


def as_file(game: Game, form: Form, content: Any, name: str = "", language: str = "en") -> str:
    """A deck as a file that people edit: a table with every column explained in lines above it, or a sheet."""
    if form.is_sheet:
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"

    def word(key: str, **facts: Any) -> str:
        return deck_word(game.folder, language, key, **facts)

    about = [[f"{COMMENT} {word('file.title', game=game.title, form=form.key)}"]]
    about.append([f"{COMMENT} {word('file.name')}", name] if name else [f"{COMMENT} {word('file.how')}"])
    for column in form.columns:
        about.append(
            [f"{COMMENT} {column.key}", word(f"column.{column.key}"), allowed(game, form, column.key, language)]
        )
    return written([column.key for column in form.columns], content, about)


def allowed(game: Game, form: Form, key: str, language: str = "en") -> str:
    """What may stand in a column, in a sentence."""
    column = form.named[key]
    kinds = f"{', '.join(column.of)}: " if column.of else ""
    facts = {
        "low": column.low,
        "high": column.high,
        "values": ", ".join(filter(None, column.values)),
        "most": LONGEST_TEXT,
    }
    sort = f"{column.sort}_or" if column.sort == "number" and column.values else column.sort
    told = deck_word(game.folder, language, f"allowed.{sort}", **facts)
    return kinds + told + (f" {deck_word(game.folder, language, 'allowed.empty')}" if column.empty is not None else "")


def name_in(text: str) -> str:
    """The name that a file gives its deck, in a line «# deck name,…»."""
    for line in text.splitlines():
        if not line.lstrip('"').startswith(COMMENT):
            return ""
        label, _, name = line.lstrip(f'"{COMMENT} ').partition(",")
        if label.strip().lower() in ("deck name", "nome del mazzo"):
            return tidy_name(name.strip(' "'))
    return ""


def tidy_name(name: str) -> str:
    """A name for people to read; nothing, if it is no plain text."""
    try:
        return plain(name.strip()[:LONGEST_TEXT])
    except Wrong:
        return ""


# The game


_games: OrderedDict[str, Game] = OrderedDict()
_lock = threading.RLock()


def game_with(place: str) -> Game:
    """The game at `module:NAME@…`: with the deck that the place carries."""
    with _lock:
        if place in _games:
            _games.move_to_end(place)
            return _games[place]
        base, _, packed = place.partition("@")
        try:
            text = zlib.decompress(base64.urlsafe_b64decode(packed)).decode()
        except (ValueError, zlib.error):
            raise BadData("This is no deck.", "no_such_deck") from None
        game = game_at(base)
        return with_deck(game, from_text(game, text))


def with_deck(game: Game, deck: Deck) -> Game:
    """The game whose tables are made of this deck; the same object for the same content, as long as it is kept."""
    base = printed(game)
    if deck.game != base.key:
        raise BadData(f"This deck is of {deck.game}, not of {base.key}.", "other_game")
    with _lock:
        place = dataclasses.replace(deck, base=base.place).place
        if place not in _games:
            _games[place] = _made(base, dataclasses.replace(deck, base=base.place))
        _games.move_to_end(place)
        while len(_games) > KEPT:
            _forget(_games.popitem(last=False)[1])
        return _games[place]


def _made(base: Game, deck: Deck) -> Game:
    """The game's package, executed under a name of its own with this deck."""
    package, _, name = base.place.partition(":")
    alias = _alias(deck)
    folder = base.folder
    spec = importlib.util.spec_from_file_location(
        alias, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None, f"{package} has no file"
    module = importlib.util.module_from_spec(spec)
    _chosen[alias], sys.modules[alias] = deck, module
    try:
        spec.loader.exec_module(module)
        found: Game = getattr(module, name)
        return dataclasses.replace(found, deck=deck)
    except BaseException:
        _drop(alias)
        raise


def _alias(deck: Deck) -> str:
    return f"ludoteca_deck_{deck.game}_{deck.hash[:24]}"


forgetting: list[Callable[[Game], None]] = []  # who keeps something by game, to let go of it


def _forget(game: Game) -> None:
    """Whoever still holds the game goes on with it; nobody finds its modules any more."""
    assert game.deck is not None
    for let_go in forgetting:
        let_go(game)
    _drop(_alias(game.deck))


def _drop(alias: str) -> None:
    _chosen.pop(alias, None)
    for name in [name for name in sys.modules if name == alias or name.startswith(f"{alias}.")]:
        del sys.modules[name]


# What differs


@dataclass(frozen=True)
class Change:
    """One cell that is not as in another deck."""

    id: str
    column: str
    before: str
    after: str


def changes(form: Form, before: Any, after: Any) -> list[Change]:
    """The cells in which two tables of one form differ, by the ids of their rows; a sheet differs by its parts."""
    old, new = by_id(form, before), by_id(form, after)
    found = []
    for id in dict.fromkeys((*new, *old)):
        was, now = old.get(id, {}), new.get(id, {})
        for column in dict.fromkeys((*now, *was)):
            if was.get(column, "") != now.get(column, ""):
                found.append(Change(id, column, was.get(column, ""), now.get(column, "")))
    return found


def section(game: Game, language: str) -> str:
    """What a deck changes, as the last chapter of the rules in words; nothing for the printed deck."""
    if game.deck is None:
        return ""

    def word(key: str, **facts: Any) -> str:
        return deck_word(game.folder, language, key, **facts)

    form = game.deck.form_in(game)
    before, after = by_id(form, form.printed()), by_id(form, game.deck.content)
    lines = [f"## {word('rules.title')}", word("rules.about", hash=game.variant[:SHORT])]
    for id in dict.fromkeys((*after, *before)):
        was, now = before.get(id), after.get(id)
        name = (now or was or {}).get("name") or id
        if was is None or now is None:
            lines.append(f"- {word('rules.new' if was is None else 'rules.gone', name=name)}")
            continue
        cells = [
            word("rules.cell", column=c, before=was.get(c, "") or "–", after=now[c] or "–")
            for c in now
            if was.get(c) != now[c]
        ]
        if cells:
            lines.append(f"- {name}: {'; '.join(cells)}")
    if len(lines) == 2:
        lines.append(word("rules.same"))
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:]) + "\n"


def by_id(form: Form, content: Any) -> dict[str, dict[str, str]]:
    """The rows of a table by id (or by what they are, where they have none); the parts of a sheet by name."""
    if isinstance(content, dict):
        parts: dict[str, dict[str, str]] = {}
        for key, value in content.items():
            inner = (
                value
                if isinstance(value, dict)
                else dict(enumerate(value, 1))
                if isinstance(value, list)
                else {"": value}
            )
            parts[key] = {str(k): v if isinstance(v, str) else json.dumps(v) for k, v in inner.items()}
        return parts
    return {row.get("id") or row_name(form, row): row for row in content}


def row_name(form: Form, row: dict[str, str]) -> str:
    """A row without an id: its kind, and what stands in the first two columns that only its kind has."""
    own = [column.key for column in form.columns if row["kind"] in column.of]
    return " ".join((row["kind"], *(row.get(key, "") for key in own[:2])))
