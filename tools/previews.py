"""Draws the pictures that messengers show where there is no table to be seen: one of each box, one of the whole shelf.

    python tools/previews.py           # draws those whose covers have changed; needs Playwright's Chromium and Pillow

They are kept with the sources: `cover.png` beside each game's `cover.svg`, and `web/public/preview.png`. Each carries the
hash of what it was drawn from, which `tests/server/test_previews.py` compares.
"""

from __future__ import annotations

import base64
import hashlib
import io
import pathlib
import shutil
import struct
from collections.abc import Iterator

from ludoteca import catalogue
from ludoteca.core.canvas import FONTS
from ludoteca.server.pictures import HEIGHT, WIDTH

ROOT = pathlib.Path(__file__).parents[1]
KEY = "drawn-from"  # of the text in the picture that names its sources
SHELF = ROOT / "web" / "public" / "preview.png"

STYLE = """
@font-face { font-family: Display; src: url(data:font/woff2;base64,%(font)s); font-weight: 200 800 }
:root { --font-display: Display }
* { margin: 0; box-sizing: border-box }
body { width: %(width)spx; height: %(height)spx; overflow: hidden; background: %(ground)s;
  display: flex; align-items: center; justify-content: center; gap: 34px }
body > svg { display: block; height: %(box)spx; aspect-ratio: 4 / 5;
  border-radius: 10px; border: 6px solid #fffaf1; box-shadow: 0 8px 24px #0006 }
"""
WOOD = "#e2c8a2"


def wanted() -> Iterator[tuple[pathlib.Path, str]]:
    """Every picture, with the page it is drawn from."""
    covers = {}
    for game in map(catalogue.game, catalogue.keys(of=catalogue.HOUSE)):
        covers[game.title] = (game.folder / "cover.svg").read_text("utf-8")
        yield game.folder / "cover.png", page([covers[game.title]], game.colour, 560)
    yield SHELF, page([covers[title] for title in sorted(covers)], WOOD, 330)


def page(covers: list[str], ground: str, height: int) -> str:
    """Boxes side by side."""
    font = base64.b64encode((FONTS / "bricolage-grotesque-var.woff2").read_bytes()).decode()
    style = STYLE % {"width": WIDTH, "height": HEIGHT, "ground": ground, "box": height, "font": font}
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(covers)}"


def source_hash(source: str) -> str:
    """What a picture drawn from this page carries."""
    return hashlib.sha256(source.encode()).hexdigest()


def drawn_from(picture: bytes) -> str:
    """The hash in a picture: its text of that name (PNG specification, tEXt)."""
    at = 8
    while at < len(picture):
        size, kind = struct.unpack(">I4s", picture[at : at + 8])
        name, _, text = picture[at + 8 : at + 8 + size].partition(b"\0")
        if kind == b"tEXt" and name == KEY.encode():
            return text.decode()
        at += 12 + size
    return ""


def draw(sources: list[tuple[pathlib.Path, str]]) -> None:
    """Photographs the pages, in few colours."""
    from PIL import Image, PngImagePlugin
    from playwright.sync_api import sync_playwright

    own = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=own, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for path, source in sources:
            tab.set_content(source)
            tab.evaluate("document.fonts.ready")
            note = PngImagePlugin.PngInfo()
            note.add_text(KEY, source_hash(source))
            photograph = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
            photograph.quantize(128, dither=Image.Dither.NONE).save(path, "PNG", optimize=True, pnginfo=note)
            print(path.relative_to(ROOT))
        browser.close()


if __name__ == "__main__":
    draw([
        (path, source)
        for path, source in wanted()
        if not path.exists() or drawn_from(path.read_bytes()) != source_hash(source)
    ])  # fmt: skip
