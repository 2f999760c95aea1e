"""What stands on a game's box and lies in it, as the page asks for it: pitch, options, words, rules, cover.

All of it comes from the game's own folder. It may be a stranger's: the page shows words as text, renders rules without any
markup of their own, and draws the cover as a picture, in which no script runs.
"""

from __future__ import annotations

import functools

from ludoteca.bots.levels import LEVELS
from ludoteca.core.decks import section
from ludoteca.core.game import Game
from ludoteca.core.words import LANGUAGES, catalogue, rules_page

from .boards import info_of_board
from .puzzles import puzzles_in
from .refusals import NotFound
from .teaching import lesson_info
from .wire import GameInfo, GameWords, OptionInfo, RulesInfo, RulesPage, Words

ON_THE_BOX = ("pitch", "option.")  # the words that are shown before the game is opened
WORDS_A_MINUTE = 200  # that people read who want to remember it
PICTURE = {"Cache-Control": "public, max-age=3600", "Content-Security-Policy": "sandbox; default-src 'none'"}


def info_of(game: Game) -> GameInfo:
    """The outside of the box."""
    options = [
        OptionInfo(o.key, list(o.values), o.values[0], {value: dict(title) for value, title in o.titles.items()})
        for o in game.options
    ]
    words: Words = {
        language: {key: text for key, text in catalogue(game.folder, language).items() if key.startswith(ON_THE_BOX)}
        for language in LANGUAGES
    }
    return GameInfo(
        game.key, game.title, list(game.seats), game.minutes, options, list(LEVELS), game.version, game.colour,
        (game.folder / "cover.svg").is_file(), words, lesson_info(game), len(puzzles_in(game)),
        info_of_board(game), rules_info(game),
    )  # fmt: skip


@functools.cache
def rules_info(game: Game) -> RulesInfo | None:
    """How much there is to read."""
    found = rules_page(game, LANGUAGES[0])
    if found is None:
        return None
    lines = found[1].splitlines()
    chapters = sum(line.startswith("## ") for line in lines)
    return RulesInfo(chapters, max(1, round(len(found[1].split()) / WORDS_A_MINUTE)))


def words_of(game: Game) -> GameWords:
    """Every word of the game."""
    return GameWords({language: catalogue(game.folder, language) for language in LANGUAGES})


def rules_of(game: Game, language: str) -> RulesPage:
    """The rules in words, and what a deck changes in them."""
    found = rules_page(game, language)
    if found is None:
        raise NotFound("no_such_address")
    code, text = found
    return RulesPage(code, text + (f"\n{section(game, code)}" if game.deck is not None else ""))


def cover_of(game: Game) -> bytes:
    """The picture on the box."""
    path = game.folder / "cover.svg"
    if not path.is_file():
        raise NotFound("no_such_address")
    return path.read_bytes()
