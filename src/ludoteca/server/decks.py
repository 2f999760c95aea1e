"""Decks of guests' own: checked, kept once by the hash of their content, and named on the shelf of whoever saved them.

A table is played with a deck when its options name the hash. Whoever knows a hash may see the deck: so one
is shared. A deck that a table was played with stays for as long as the table does, whatever becomes of the shelf.
"""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import Mapping, Sequence

from ludoteca.core import decks
from ludoteca.core.forms import HOUSE, MOST_BYTES, Form, Mistake, deck_word, deck_words, sentence_of
from ludoteca.core.game import DECK, Game
from ludoteca.core.words import LANGUAGES

from . import queries
from .clocks import AN_HOUR
from .database import Connection
from .guests import Guest
from .house import House
from .limits import Limit
from .refusals import BadRequest, NotFound, TooMuch
from .wire import CheckDeck, DeckChecked, DeckColumn, DeckContent, DeckForm, DeckMistake, DeckOnShelf, SaveDeck

MOST_SENT = 2 * MOST_BYTES  # bytes of a deck as it is sent, with what JSON adds
AN_HOUR_MOST = 120  # decks that a guest may save in an hour
ON_A_SHELF = 100


class Shelf:
    """What guests do with decks."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def check(self, wish: CheckDeck) -> DeckChecked:
        """Every mistake in a deck, or what it is called; nothing is kept."""
        games = [self._house.engines.game(wish.game)] if wish.game else self._house.engines.games()
        try:
            deck = await asyncio.to_thread(_read_any, games, wish.form, wish.text)
        except decks.BadDeck as bad:
            return DeckChecked(None, [_told(bad.folder, mistake, wish.language) for mistake in bad.mistakes])
        words = deck.form_in(self._house.engines.game(deck.game)).words(deck.content)
        titles = {language: dict(found) for language, found in words.items()}
        return DeckChecked(deck.hash, [], deck.game, deck.form, deck.content, titles)

    def forms(self, key: str, language: str) -> list[DeckForm]:
        """What decks a game has, in words, with the printed ones."""
        game = self._house.engines.game(key)
        language = language if language in LANGUAGES else LANGUAGES[0]
        return [_form(game, form, language) for form in game.forms]

    async def save(self, guest: Guest, wish: SaveDeck) -> DeckOnShelf:
        """A deck comes onto a guest's shelf, in place of one of the same name."""
        game = self._house.engines.game(wish.game)
        deck = await asyncio.to_thread(_read, game, wish.form, wish.text)
        name, now = decks.tidy_name(wish.name) or deck.hash[: decks.SHORT], self._house.clock()
        limit = Limit("deck", guest.id, AN_HOUR_MOST, AN_HOUR)
        try:
            await self._house.store.write(keep, guest.id, name, deck, now, [limit])
        except queries.Exceeded as exceeded:
            raise TooMuch("too_many_decks", most=exceeded.limit.most) from None
        return DeckOnShelf(deck.hash, name, game.key, deck.form, now)

    async def mine(self, guest: Guest) -> list[DeckOnShelf]:
        """The decks on a guest's shelf, the newest first."""
        return await self._house.store.read(shelf_of, guest.id)

    async def put_away(self, guest: Guest, hash: str) -> list[DeckOnShelf]:
        """A deck leaves the shelf."""
        await self._house.store.write(put_away, guest.id, hash)
        return await self.mine(guest)

    async def content(self, hash: str) -> DeckContent:
        """A deck, for whoever knows its name: what a page needs to draw it."""
        found = await self._house.store.read(find, hash)
        if found is None:
            raise NotFound("no_such_deck")
        key, text = found
        game = await self._house.engines.bring(key, text)
        assert game.deck is not None
        words = {language: dict(game.own_words.get(language, {})) for language in LANGUAGES}
        return DeckContent(game.variant, key, game.deck.form, game.deck.content, words)

    async def game_with(self, key: str, options: Mapping[str, str]) -> Game:
        """The game that a table with these options is played with."""
        printed = self._house.engines.game(key)
        if DECK not in options:
            return printed
        found = await self._house.store.read(find, options[DECK])
        if found is None or found[0] != key:
            raise NotFound("no_such_deck")
        return await self._house.engines.bring(key, found[1])


def _read(game: Game, form: str, text: str) -> decks.Deck:
    """A deck as a page or a program sends it: the text of its file."""
    if len(text.encode()) > MOST_BYTES:
        raise BadRequest("deck_too_big", most=MOST_BYTES // 1_000_000)
    return decks.read_deck(game, decks.form_of(game, form), "", text)


def _read_any(games: list[Game], form: str, text: str) -> decks.Deck:
    """As `_read`, of whichever game the text is for."""
    return _read(games[0], form, text) if len(games) == 1 else decks.read_any("", text.encode(), games)[1]


def _told(folder: pathlib.Path, mistake: Mistake, language: str) -> DeckMistake:
    language = language if language in LANGUAGES else LANGUAGES[0]
    return DeckMistake(mistake.line, mistake.row, mistake.column, sentence_of(mistake, folder, language))


def _called(game: Game, language: str, key: str) -> str:
    """What something in a deck is called; nothing, if it has no name."""
    found = deck_word(game.folder, language, key)
    return "" if found == key else found


def _form(game: Game, form: Form, language: str) -> DeckForm:
    columns = [
        DeckColumn(
            column.key, column.sort, list(column.values), list(column.of),  # type: ignore[arg-type]  # one of its four words
            deck_word(game.folder, language, f"column.{column.key}"), decks.allowed(game, form, column.key, language),
            _called(game, language, f"label.{column.key}"),
            {value: _called(game, language, f"value.{column.key}.{value}") or value for value in column.values},
            {value: {k: list(v) for k, v in other.items()} for value, other in game.fitting.get(column.key, {}).items()},
        )
        for column in form.columns
    ]  # fmt: skip
    title = deck_word(game.folder, language, f"form.{form.key}")
    return DeckForm(
        form.key, title, form.is_sheet, list(form.kinds), columns, form.printed(), _kinds(game, form, language),
        game.exchange is not None,
    )  # fmt: skip


def _kinds(game: Game, form: Form, language: str) -> dict[str, str]:
    """What the kinds of row are called, and how so many of one are said: by the game, or else by the house."""
    known = {**deck_words(HOUSE, language), **deck_words(game.folder, language)}
    wanted = [f"{what}.{kind}" for kind in form.kinds or ("row",) for what in ("kind", "count")]
    return {key: known[key] for key in wanted if key in known}


# ── What the store is asked ──────────────────────────────────


def keep(db: Connection, guest: str, name: str, deck: decks.Deck, at: float, limits: Sequence[Limit]) -> None:
    """Keeps a deck, once, and puts it on a shelf."""
    queries.spend(db, limits, at)
    keep_text(db, deck.hash, deck.game, deck.text, at)
    db.execute("DELETE FROM shelf WHERE guest = ? AND name = ?", (guest, name))
    db.execute(
        """INSERT INTO shelf (guest, name, hash, form, at) VALUES (?, ?, ?, ?, ?)""",
        (guest, name, deck.hash, deck.form, at),
    )
    [count] = db.execute("SELECT COUNT(*) FROM shelf WHERE guest = ?", (guest,)).fetchone()
    if count > ON_A_SHELF:
        raise queries.Exceeded(Limit("deck", guest, ON_A_SHELF, AN_HOUR))


def keep_text(db: Connection, hash: str, game: str, text: str, at: float) -> None:
    """Keeps the content of a deck, unless it is here."""
    db.execute(
        "INSERT INTO decks (hash, game, text, at) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
        (hash, game, text, at),
    )


def find(db: Connection, hash: str) -> tuple[str, str] | None:
    """The game and the content of a deck."""
    row = db.execute("SELECT game, text FROM decks WHERE hash = ?", (hash,)).fetchone()
    return (row[0], row[1]) if row is not None else None


def shelf_of(db: Connection, guest: str) -> list[DeckOnShelf]:
    """What is on a shelf."""
    rows = db.execute(
        """SELECT shelf.hash, name, game, form, shelf.at FROM shelf JOIN decks ON decks.hash = shelf.hash
           WHERE guest = ? ORDER BY shelf.at DESC, name""",
        (guest,),
    ).fetchall()
    return [DeckOnShelf(*row) for row in rows]


def shelf_with_texts(db: Connection, guest: str) -> list[tuple[DeckOnShelf, str]]:
    """What is on a shelf, with the contents."""
    found = [(deck, find(db, deck.hash)) for deck in shelf_of(db, guest)]
    return [(deck, kept[1]) for deck, kept in found if kept is not None]


def put_away(db: Connection, guest: str, hash: str) -> None:
    """A deck leaves a shelf."""
    db.execute("DELETE FROM shelf WHERE guest = ? AND hash = ?", (guest, hash))
