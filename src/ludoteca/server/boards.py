"""Boards that games bring along: the files of `board/` in a game's own folder, under an address of their own.

`board.js` is a module that draws the game, `board.css` its style sheet if it has one; docs/adding_a_game.md tells what the
page asks of them. Only what such a board is made of is handed out, by the name it was found under: a name that leads
elsewhere is nobody's.
"""

from __future__ import annotations

import functools
import hashlib
import pathlib

from ludoteca.core.game import Game

from .page import File, read_file
from .refusals import NotFound
from .wire import BoardInfo

FOLDER, MODULE, STYLE = "board", "board.js", "board.css"
SUFFIXES = (".js", ".css", ".svg", ".png", ".webp", ".woff2")
ADDRESS = "/boards/{game}/{edition}/{file:path}"

Files = dict[str, File]


def files_of(game: Game) -> tuple[str, Files]:
    """The files of a game's own board by name, and what their contents are called by; nothing if it has none."""
    folder = (game.folder / FOLDER).resolve()
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
    inside = [path for path in found if path.resolve().is_relative_to(folder)]
    return _read(folder, tuple((path.relative_to(folder).as_posix(), path.stat().st_mtime_ns) for path in inside))


@functools.lru_cache(maxsize=64)
def _read(folder: pathlib.Path, names: tuple[tuple[str, int], ...]) -> tuple[str, Files]:
    files = {name: read_file(name, folder / name) for name, _ in names}
    contents = hashlib.sha256("".join(f"{name} {file.tag} " for name, file in files.items()).encode())
    return contents.hexdigest()[:16], files


def info_of_board(game: Game) -> BoardInfo | None:
    """Where the page finds the board that a game brings along; none if it brings none."""
    edition, files = files_of(game)
    if MODULE not in files:
        return None
    folder = f"/boards/{game.key}/{edition}"
    return BoardInfo(f"{folder}/{MODULE}", f"{folder}/{STYLE}" if STYLE in files else None)


def board_file(game: Game, edition: str, name: str) -> tuple[File, bool]:
    """One file of a game's own board, and whether it is the one that was asked for: then it never changes."""
    now, files = files_of(game)
    if name not in files:
        raise NotFound("no_such_address")
    return files[name], edition == now
