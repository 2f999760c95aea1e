"""docs/wire.md lists every address and message; here it is compared with the code, name by name and type by type."""

from __future__ import annotations

import pathlib
import re
import types
import typing
from typing import Any

import msgspec

from ludoteca.core.words import LANGUAGES
from ludoteca.server import wire
from ludoteca.server.app import App
from ludoteca.server.refusals import sentences
from ludoteca.server.settings import Settings

ROOT = pathlib.Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "wire.md").read_text("utf-8")
FIELD = re.compile(r"`(\w+): ([^`]+)`")


def section(title: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    text = DOCS.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def written(kind: Any) -> str:
    """A type as the docs write it."""
    if typing.get_origin(kind) is typing.Annotated:
        return written(typing.get_args(kind)[0])
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        [inner] = [k for k in typing.get_args(kind) if k is not type(None)]
        return written(inner) + "?"
    if typing.get_origin(kind) is list:
        return f"[{written(typing.get_args(kind)[0])}]"
    if typing.get_origin(kind) is dict:
        return "object"
    if typing.get_origin(kind) is typing.Literal:
        return "str"
    return str(kind.__name__)


def fields(kind: type[msgspec.Struct]) -> dict[str, str]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {name: written(hints[name]) for name in kind.__struct_fields__}


def tagged(union: Any) -> dict[str, type[msgspec.Struct]]:
    return {kind.__struct_config__.tag: kind for kind in typing.get_args(union)}


def structs() -> list[type[msgspec.Struct]]:
    found = [kind for kind in vars(wire).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return [kind for kind in found if kind is not msgspec.Struct]


def test_every_message_of_the_socket_is_documented() -> None:
    for title, union in (("Socket: from the browser", wire.FromBrowser), ("Socket: from the server", wire.FromServer)):
        documented = {row[0].strip("`"): dict(FIELD.findall(row[1])) for row in section(title)}
        assert documented == {tag: fields(kind) for tag, kind in tagged(union).items()}


def test_every_object_is_documented() -> None:
    documented = {row[0].strip("`"): dict(FIELD.findall(row[1])) for row in section("Objects")}
    messages = set(typing.get_args(wire.FromBrowser)) | set(typing.get_args(wire.FromServer))
    assert documented == {kind.__name__: fields(kind) for kind in structs() if kind not in messages}


def test_every_message_refuses_unknown_fields() -> None:
    for kind in structs():
        assert kind.__struct_config__.forbid_unknown_fields, kind


def test_every_address_is_documented() -> None:
    documented = {row[0].strip("`").split("?")[0] for row in section("HTTP")}
    app = App(Settings(database="unused.db"))
    served = {
        f"{method} {route.path}"
        for route in app._routes()
        for method in (route.methods or set()) - {"HEAD"}
        if route.path.startswith(("/api/", "/pictures/", "/boards/")) and "{rest" not in route.path
    }
    assert documented == served | {"WS /api/tables/{table}/socket"}


def test_every_refusal_of_the_server_has_its_sentence_in_every_language() -> None:
    raised = re.compile(r'(?:BadRequest|NoGuest|NotAllowed|NotFound|NotNow|TooBig|TooMuch|Trouble)\(\s*"(\w+)"')
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "ludoteca" / "server").glob("*.py"))
    keys = set(raised.findall(source))
    assert len(keys) > 25
    for language in LANGUAGES:
        assert {f"why.{key}" for key in keys} <= sentences(language).keys()
