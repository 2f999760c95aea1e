"""The guides name files that are there."""

import dataclasses
import pathlib
import re
import runpy
import sys
import types
from typing import Any

import pytest

from ludoteca.server.settings import Settings

ROOT = pathlib.Path(__file__).parents[1]
GAMES = sorted(path.parent for path in (ROOT / "src" / "ludoteca" / "games").glob("*/state.py"))
GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/glossary.md",
    "docs/adding_a_game.md",
    "docs/hosting.md",
    "docs/playing.md",
]


def is_there(named: str) -> bool:
    """From the root, in the docs, the package or its server, in Pig, among the tests of games, or in every game's folder."""
    package = ROOT / "src" / "ludoteca"
    pig = ROOT / "examples" / "pig"
    places = [ROOT, ROOT / "docs", package, package / "server", pig, pig / "ludoteca_pig"]
    places += (ROOT / "tests" / "games").iterdir()
    return any((place / named).exists() for place in places) or all((game / named).exists() for game in GAMES)


@pytest.mark.parametrize("guide", GUIDES)
def test_the_files_a_guide_names_are_there(guide: Any) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / guide).read_text("utf-8"), flags=re.S)
    named = set(re.findall(r"`((?:[\w.-]+/)+|(?:[\w.-]+/)*[\w.-]+\.(?:py|ts|md|toml|json|csv))`", text))
    missing = sorted(name for name in named if not name.startswith(("__", "src/ludoteca/page")) and not is_there(name))
    assert not missing, f"{guide} names {', '.join(missing)}"
    links = [link for link in re.findall(r"\]\(([^)#:]+)\)", text)]
    assert not [link for link in links if not (ROOT / guide).parent.joinpath(link).exists()]


def test_every_game_has_the_same_files() -> None:
    """What is called so in one game is called so in all."""
    common = [
        "components/__init__.py",
        "rules/__init__.py",
        "rules/setup.py",
        "rules/decisions.py",
        "state.py",
        "actions.py",
        "facts.py",
    ]
    common += [
        "beliefs.py",
        "observe.py",
        "advice.py",
        "views.py",
        "terminal.py",
        "drawing.py",
        "words/__init__.py",
        "words/en.json",
        "words/it.json",
    ]
    assert len(GAMES) >= 4
    for game in GAMES:
        assert not [name for name in common if not (game / name).is_file()], game


def test_the_table_of_folders_names_each_of_them_once() -> None:
    table = (
        (ROOT / "docs" / "architecture.md")
        .read_text("utf-8")
        .partition("| folder | what it is |")[2]
        .partition("\n\n")[0]
    )
    named = [name for row in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert len(named) == len(set(named))
    ours = [path for path in (ROOT / "src" / "ludoteca").iterdir() if (path / "__init__.py").exists()]
    ours += [path for path in (ROOT / "src" / "ludoteca").glob("[a-z]*.py")]
    missing = {path.name for path in ours} - {pathlib.PurePath(name.split("<")[0]).name for name in named}
    assert missing == set()


def test_every_module_of_the_server_is_described() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    listed = re.findall(r"`(\w+\.py)`", text.partition("| module of the server |")[2].partition("\n\n")[0])
    there = [path.name for path in (ROOT / "src" / "ludoteca" / "server").glob("*.py") if path.name != "__init__.py"]
    assert sorted(listed) == sorted(there)


def test_every_setting_is_described_with_its_default() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    rows = re.findall(r"^\| `LUDOTECA_(\w+)` \| (?:`([^`]*)`)? *\| \S.+ \|$", text, re.M)
    shown = {"True": "yes", "False": "no"}
    defaults = {field.name: str(field.default) for field in dataclasses.fields(Settings)}
    assert {name.lower(): default for name, default in rows} == {k: shown.get(v, v) for k, v in defaults.items()}


def test_the_site_lists_the_rules_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """As MkDocs would be told, which is only there where the site is built."""
    for name in ("mkdocs", "mkdocs.structure", "mkdocs.structure.files"):
        monkeypatch.setitem(sys.modules, name, types.SimpleNamespace(File=object, Files=object))
    pages = runpy.run_path(str(ROOT / "tools" / "docs_pages.py"))
    nav = pages["on_config"]({"nav": [{"For players": [{"The rules": "games/index.md"}]}]})["nav"]
    listed = [page for part in nav for entries in part.values() for entry in entries for page in entry.values()]
    for game in GAMES:
        assert {f"games/{game.name}.md", f"games/{game.name}.it.md"} <= set(listed)
