"""What a messenger shows of a link: a title, a sentence and a picture, as Open Graph tags in the page's head.

A messenger comes without a cookie and shows what it finds to whoever reads the message. So it is told only what anybody
with this very address may know, seen with a spectator's eyes; a private table without its invitation looks like one that
is not there. Addresses are absolute: they are made from `Host`, which the house has checked.
"""

from __future__ import annotations

import html
import pathlib
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from starlette.requests import Request

from ludoteca.core.game import Game
from ludoteca.core.words import LANGUAGES, catalogue, fill

from .lobby import Lobby
from .names import tidy
from .pictures import HEIGHT, WIDTH
from .queries import TableRow
from .refusals import WORDS
from .seats import names_on

HOUSE_PICTURE = "/preview.png"  # in the page: `web/public`
LONGEST_SAID = 120  # letters of what somebody has to say with a link
LOCALES = {"en": "en_GB", "it": "it_IT"}


@dataclass(frozen=True)
class Preview:
    """What is told of one address."""

    title: str
    text: str
    picture: str  # its address below ours

    def tags(self, origin: str, language: str) -> str:
        """As it stands in the page's head."""
        told = {
            "og:type": "website",
            "og:site_name": "Ludoteca",
            "og:locale": LOCALES[language],
            "og:title": self.title,
            "og:description": self.text,
            "og:image": origin + self.picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": self.title,
        }
        tags = [f'<meta property="{key}" content="{html.escape(value)}" />' for key, value in told.items()]
        return "".join(f"    {tag}\n" for tag in [*tags, '<meta name="twitter:card" content="summary_large_image" />'])


async def glimpsed(lobby: Lobby, request: Request, invite: str | None) -> TableRow | None:
    """The table at this address, if there is one and anybody with this invitation may know of it."""
    kind, key, more = parts(request)
    return await lobby.glimpse(key, invite) if kind == "table" and more in ("", "again") else None


def preview_tags(lobby: Lobby, request: Request, row: TableRow | None) -> str:
    """The tags for the address that is asked for, where this table is."""
    language = language_of(request.headers.get("accept-language", ""))
    found = preview_of(lobby, request, row, language)
    return found.tags(f"{request.url.scheme}://{request.headers['host']}", language)


def preview_of(lobby: Lobby, request: Request, row: TableRow | None, language: str) -> Preview:
    """What may be told of this address; where there is nothing particular, the house."""
    kind, key, more = parts(request)
    if row is not None and lobby.house.engines.has(row.game):
        game = lobby.house.engines.game(row.game)
        at = request.query_params.get("at", "") if more else ""
        sentence = spoken(request.query_params.get("say", "")) if at else ""
        return of_table(row, game, language, at if at.isdecimal() else "", request.query_params.get("invite"), sentence)
    if kind == "learn" and not more and key in {game.key for game in lobby.house.engines.games()}:
        return of_game(lobby.house.engines.game(key), language)
    return Preview(said(language, "preview.house"), said(language, "preview.house_text"), HOUSE_PICTURE)


def parts(request: Request) -> tuple[str, str, str]:
    """The kind of page, of what, and the rest of the address."""
    kind, _, rest = request.path_params.get("path", "").rstrip("/").partition("/")
    key, _, more = rest.partition("/")
    return kind, key, more


def of_game(game: Game, language: str) -> Preview:
    """How a game is played."""
    pitch = catalogue(game.folder, language).get("pitch", "")
    return Preview(said(language, "preview.learn", game=game.title), pitch, game_picture(game))


def spoken(text: str) -> str:
    """What somebody has to say with a link, as plain text."""
    return tidy(text[: 4 * LONGEST_SAID], LONGEST_SAID)


def of_table(row: TableRow, game: Game, language: str, at: str, invite: str | None, sentence: str = "") -> Preview:
    """A table that waits for people, a running game, or a moment of one, with what whoever sends it has to say."""
    names = ", ".join(filter(None, names_on(row.chairs)))
    free = sum(chair.empty for chair in row.chairs)
    title = said(language, f"preview.{row.phase}", game=game.title, table=row.name, named="yes" if row.name else "no")
    text = said(language, f"preview.{row.phase}_text", names=names, free=free, people=len(row.chairs) - free)
    if row.phase == "open":
        return Preview(title, text, game_picture(game))
    if sentence:
        text = f"{said(language, 'preview.quote', text=sentence)} {text}"
    query = {"at": at} if at else {"v": str(row.seq)}  # `v`: another picture after another move
    if not row.public and invite:
        query["invite"] = invite
    if sentence:
        query["say"] = sentence
    return Preview(title, text, f"/pictures/tables/{quote(row.id)}.png?{urlencode(query)}")


def game_picture(game: Game) -> str:
    """Where the picture of a box is; one without gets the house's."""
    return f"/pictures/games/{game.key}.png" if box_picture(game).is_file() else HOUSE_PICTURE


def box_picture(game: Game) -> pathlib.Path:
    """The box as messengers show it: `cover.svg`, drawn by `tools/previews.py`."""
    return game.folder / "cover.png"


def language_of(accepted: str) -> str:
    """The first of `Accept-Language` that we speak; otherwise English."""
    wanted = (part.split(";")[0].strip()[:2].lower() for part in accepted.split(","))
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])


def said(language: str, key: str, **facts: object) -> str:
    """A sentence of the table's catalogue."""
    return fill(catalogue(WORDS, language)[key], facts)
