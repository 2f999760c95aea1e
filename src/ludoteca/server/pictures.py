"""Pictures of tables for messengers, drawn as `render_mode="rgb_array"` draws them: what a spectator sees.

Drawing needs Pillow (the extra `envs`) and some processor time, so each picture is kept, one is drawn at a time, and only so
many a minute; beyond that, and without Pillow, a messenger shows the box of the game instead.
"""

from __future__ import annotations

import asyncio
import dataclasses
import io
import logging
from collections import OrderedDict

from ludoteca.core.canvas import BRAND, WHITE, Canvas, Scene, cut_to, written
from ludoteca.core.game import Game
from ludoteca.core.record import SPECTATOR

from .house import House
from .limits import PerMinute
from .moments import moment_at
from .projections import SEATS_IN
from .seats import names_on
from .table import Table

TABLE_WIDTH, STRIP = 960, 260  # the table, and beside it where it comes from
WIDTH, HEIGHT = TABLE_WIDTH + STRIP, 640  # about 1.91 to 1, as messengers like it
MOST_KEPT = 128  # pictures of some 50 kB
SAID_SIZE, SAID_STEP, SAID_LINES = 26, 34, 11  # of a sentence beside it: letters, lines, and how many
NAME_SIZE, NAME_ROOM = 17, 110  # the largest letters of names in a drawing, and how wide a name may be in them

Key = tuple[object, ...]

log = logging.getLogger("ludoteca.pictures")


class Pictures:
    """The pictures of this server's tables."""

    def __init__(self, house: House) -> None:
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._drawn = PerMinute(house.settings.pictures_a_minute, house.clock)
        self._one_at_a_time = asyncio.Lock()

    async def of(self, table: Table, at: int | None, said: str = "") -> bytes | None:
        """The table as it stood at that moment, or as it stands, with a sentence beside it; none, if it cannot be drawn."""
        if table.play is None or table.game.draw is None:
            return None
        names = tuple(names_on(table.row.chairs))
        key = (table.row.id, table.seq, table.row.waiting, names, at, said)
        async with self._one_at_a_time:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            if self._drawn.full(""):
                return None
            self._drawn.add("")
            try:
                picture = await asyncio.to_thread(png, table.game, await scene_of(table, at), said)
            except ImportError:
                return None  # without Pillow
            except Exception:
                log.exception("A table could not be drawn.")
                return None
            self._kept[key] = picture
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return picture


async def scene_of(table: Table, at: int | None) -> Scene:
    """What a spectator may see of the table, now or at a moment of its past."""
    assert table.play is not None
    names = names_on(table.row.chairs)
    if at is None:
        view, waiting, over = table.play.position(SPECTATOR).view(), SEATS_IN[table.row.waiting], table.result
    else:
        then = await moment_at(table, SPECTATOR, at)
        view, waiting, over = then.view, then.waiting, then.result
    return Scene(view, names, waiting, over.ranks if over is not None else [])


def png(game: Game, scene: Scene, said: str = "") -> bytes:
    """The game's own drawing, with the house's name beside it."""
    from PIL import Image

    assert game.draw is not None
    board = Canvas(TABLE_WIDTH, HEIGHT)
    game.draw(board, dataclasses.replace(scene, names=[cut_to(name, NAME_SIZE, NAME_ROOM) for name in scene.names]))
    card = Canvas(WIDTH, HEIGHT, BRAND)
    card.image.paste(board.image, (0, 0))
    middle, room = TABLE_WIDTH + STRIP / 2, STRIP - 32
    top = 70 if said else 290
    card.text(middle, top, "Ludoteca", 44, WHITE, at="middle", bold=True, room=room)
    card.text(middle, top + 60, game.title, 24, WHITE, at="middle", room=room)
    for number, line in enumerate(in_lines(said, room)):
        card.text(middle, 220 + SAID_STEP * number, line, SAID_SIZE, WHITE, at="middle", bold=True, room=room)
    written = io.BytesIO()
    card.image.quantize(256, Image.Quantize.FASTOCTREE).save(written, "PNG")  # flat inks: a third of the size
    return written.getvalue()


def in_lines(said: str, room: float) -> list[str]:
    """A sentence in as many lines as it needs."""
    lines = list[str]()
    for word in said.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and written(longer, SAID_SIZE, True)[1] <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines[:SAID_LINES]
